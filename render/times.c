/* Timer queries of OpenGL, on the host's clock. */
#include "ren/context.h"

#include "state.h"

#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FRAMES = 8 };

struct frame {
    uint64_t number;
    GLuint queries[REN_MARKS];
    bool marked[REN_MARKS];
    enum ren_mark last; /* the newest mark */
    int marks;
};

struct ren_times {
    const char *missing; /* "" */
    int bits;            /* of OpenGL's clock */
    struct frame frames[FRAMES];
    int first, waiting; /* frames that are ended and not yet read */
    bool open;          /* a frame is being timed */
};

/* Makes the queries, or notes why there are none. */
static struct ren_times *open_times(void)
{
    struct ren_times *made = krn_alloc(1, sizeof *made);
    GLint bits = 0;
    made->missing = "";
    ren_gl_try();
    if (glQueryCounter != NULL && glGetQueryObjectui64v != NULL)
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
    return renderer->times->missing;
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
    struct frame *frame = current(times);
    memset(frame->marked, 0, sizeof frame->marked);
    frame->marks = 0;
    frame->number = number;
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

/* Returns the time from a part's begin to its end, the next mark; OpenGL's counter has `bits` bits
 * and wraps. */
static double length_ms(const struct ren_times *times, const struct frame *frame,
                        enum ren_mark begin)
{
    const GLuint *queries = &frame->queries[begin];
    GLuint64 from = 0, to = 0;
    if (!frame->marked[begin] || !frame->marked[begin + 1])
        return 0.0;
    REN_GL(glGetQueryObjectui64v(queries[0], GL_QUERY_RESULT, &from));
    REN_GL(glGetQueryObjectui64v(queries[1], GL_QUERY_RESULT, &to));
    const int unused = 64 - times->bits;
    return (double)((to - from) << unused >> unused) * 1e-6;
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
    *result =
        (struct ren_frame_times){frame->number, length_ms(times, frame, REN_MARK_UPLOAD_BEGIN),
                                 length_ms(times, frame, REN_MARK_PICTURE_BEGIN),
                                 length_ms(times, frame, REN_MARK_OVERLAY_BEGIN)};
    times->first = (times->first + 1) % FRAMES;
    times->waiting--;
    return true;
}
