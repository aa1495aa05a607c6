#include "ren/times.h"

#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAMES = 8, TRIES = 5 };

/* The tie is renewed after so long. */
static const double renew_ms = 1000.0;

struct frame {
    uint64_t number;
    GLuint queries[REN_MARKS];
    bool marked[REN_MARKS];
    enum ren_mark last; /* the newest mark */
    int marks;
    double at_ms, tie_ms; /* the tie: the host's clock when OpenGL's was at tie_ns */
    GLint64 tie_ns;
};

struct ren_times {
    const char *missing; /* "" */
    int bits;            /* of OpenGL's clock */
    struct frame frames[FRAMES];
    int first, waiting; /* frames that are ended and not yet read */
    bool open;          /* a frame is being timed */
    bool tied;
    double at_ms, tie_ms;
    GLint64 tie_ns;
};

static double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Makes the queries, or notes why there are none. */
static struct ren_times *open_times(void)
{
    struct ren_times *made = calloc(1, sizeof *made);
    GLint bits = 0;
    if (!made)
        return NULL;
    made->missing = "";
    ren_gl_try();
    if (glQueryCounter != NULL && glGetQueryObjectui64v != NULL && glGetInteger64v != NULL)
        REN_GL(glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits));
    if (ren_gl_tried() != GL_NO_ERROR || bits <= 0) {
        made->missing = "OpenGL lacks ARB_timer_query.";
        return made;
    }
    made->bits = bits < 64 ? bits : 64;
    ren_gl_try();
    for (int f = 0; f < FRAMES; f++)
        REN_GL(glGenQueries(REN_MARKS, made->frames[f].queries));
    if (ren_gl_tried() != GL_NO_ERROR)
        made->missing = "OpenGL gives no timer queries.";
    return made;
}

void ren_times_free(struct ren_times *times)
{
    if (!times)
        return;
    for (int f = 0; f < FRAMES; f++)
        if (times->frames[f].queries[0])
            REN_GL(glDeleteQueries(REN_MARKS, times->frames[f].queries));
    free(times);
}

const char *ren_times_missing(struct ren_renderer *renderer)
{
    if (!renderer->times)
        renderer->times = open_times();
    return renderer->times ? renderer->times->missing : "No memory for timer queries.";
}

/* Reads both clocks, and keeps the pair with the narrowest bounds. */
static void tie_clocks(struct ren_times *times)
{
    times->tied = false;
    for (int i = 0; i < TRIES; i++) {
        GLint64 ns = 0;
        const double before_ms = clock_ms();
        REN_GL(glGetInteger64v(GL_TIMESTAMP, &ns));
        const double after_ms = clock_ms(), half_ms = 0.5 * (after_ms - before_ms);
        if (times->tied && half_ms >= times->tie_ms)
            continue;
        times->tie_ns = ns;
        times->at_ms = 0.5 * (before_ms + after_ms);
        times->tie_ms = half_ms;
        times->tied = true;
    }
}

static struct frame *current(struct ren_times *times)
{
    return &times->frames[(times->first + times->waiting) % FRAMES];
}

bool ren_times_begin(struct ren_renderer *renderer, uint64_t number)
{
    if (ren_times_missing(renderer)[0])
        return false;
    struct ren_times *times = renderer->times;
    if (times->waiting == FRAMES - 1) { /* nobody polls: drop the oldest */
        times->first = (times->first + 1) % FRAMES;
        times->waiting--;
    }
    if (!times->tied || clock_ms() - times->at_ms > renew_ms)
        tie_clocks(times);
    struct frame *frame = current(times);
    memset(frame->marked, 0, sizeof frame->marked);
    frame->marks = 0;
    frame->number = number;
    frame->at_ms = times->at_ms;
    frame->tie_ms = times->tie_ms;
    frame->tie_ns = times->tie_ns;
    times->open = true;
    return true;
}

void ren_times_mark(struct ren_renderer *renderer, enum ren_mark mark)
{
    struct ren_times *times = renderer->times;
    if (!times || !times->open)
        return;
    struct frame *frame = current(times);
    const bool begins = mark == REN_MARK_UPLOAD_BEGIN || mark == REN_MARK_PICTURE_BEGIN ||
                        mark == REN_MARK_OVERLAY_BEGIN;
    if (begins && frame->marked[mark])
        return;
    REN_GL(glQueryCounter(frame->queries[mark], GL_TIMESTAMP));
    if (renderer->info.software)
        REN_GL(glFlush());
    frame->marked[mark] = true;
    frame->last = mark;
    frame->marks++;
}

void ren_times_end(struct ren_renderer *renderer)
{
    struct ren_times *times = renderer->times;
    if (!times || !times->open)
        return;
    times->open = false;
    if (current(times)->marks > 0)
        times->waiting++;
}

/* Returns the time on the host's clock; OpenGL's counter has `bits` bits and wraps. */
static double host_ms(const struct ren_times *times, const struct frame *frame, GLuint64 ns)
{
    const int unused = 64 - times->bits;
    const GLuint64 difference = (ns - (GLuint64)frame->tie_ns) << unused;
    return frame->at_ms + (double)((GLint64)difference >> unused) * 1e-6;
}

bool ren_times_poll(struct ren_renderer *renderer, struct ren_frame_times *result)
{
    struct ren_times *times = renderer->times;
    if (!times || times->waiting == 0)
        return false;
    const struct frame *frame = &times->frames[times->first];
    GLint ready = GL_FALSE;
    REN_GL(glGetQueryObjectiv(frame->queries[frame->last], GL_QUERY_RESULT_AVAILABLE, &ready));
    if (ready == GL_FALSE)
        return false;
    memset(result, 0, sizeof *result);
    result->frame = frame->number;
    result->tie_ms = frame->tie_ms;
    for (int mark = 0; mark < REN_MARKS; mark++) {
        GLuint64 ns = 0;
        if (!frame->marked[mark])
            continue;
        REN_GL(glGetQueryObjectui64v(frame->queries[mark], GL_QUERY_RESULT, &ns));
        result->marked[mark] = true;
        result->at_ms[mark] = host_ms(times, frame, ns);
    }
    times->first = (times->first + 1) % FRAMES;
    times->waiting--;
    return true;
}
