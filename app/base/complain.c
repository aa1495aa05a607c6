/* app/base/complain.c - makes texts printable; keeps messages and progress apart. */
#include "base/complain.h"

#include "base/process.h"
#include "base/value.h"

#include "ren/utf8.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static const double every_s = 0.1;

/* Seconds between the lines of a log. */
static const double log_s = 10.0;

/* The time of a line that does not change is rewritten this often: a frame may take minutes. */
static const time_t rewritten_s = 1;

enum { WIDTH = 78 }; /* columns of the line that is rewritten */

/* Moves *text past a character, and returns true when that may be printed: it is UTF-8, and none of
 * the harmful ones. */
static bool is_harmless(const char **text, bool lines)
{
    static const struct {
        uint32_t first, last;
    } harmful[] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     /* control characters */
        {0x061C, 0x061C}, {0x200E, 0x200F}, /* marks of direction */
        {0x2028, 0x202E},                   /* separators; embeddings and overrides */
        {0x2066, 0x206F},                   /* isolates */
        {0xFEFF, 0xFEFF},                   /* the byte order mark */
    };
    const char *const from = *text;
    const uint32_t character = ren_utf8_next(text);
    if (lines && character == '\n')
        return true;
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
        if (character >= harmful[i].first && character <= harmful[i].last)
            return false;
    return character < 0x80 || *text - from > 1; /* one byte: a bad one */
}

bool app_is_printable(const char *text, bool lines)
{
    while (*text != 0)
        if (!is_harmless(&text, lines))
            return false;
    return true;
}

void app_make_printable(char *text)
{
    char *to = text;
    for (const char *from = text, *next = text; *from != 0; from = next) {
        if (is_harmless(&next, false))
            while (from < next)
                *to++ = *from++;
        else
            *to++ = '?';
    }
    *to = 0;
}

/* Guards every progress, and what is written on a terminal. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* The thread that rewrites the line of a terminal. */
static struct {
    pthread_t thread;
    pthread_cond_t ended;
    struct app_progress *progress; /* NULL: there is no thread */
} writer = {.ended = PTHREAD_COND_INITIALIZER};

static void write_line(const struct app_progress *progress)
{
    char line[APP_PROGRESS_MAX + 64], time[64] = "";
    if (progress->expected_s > 0.0)
        snprintf(time, sizeof time, "  %.0f of about %.0f s", app_clock_s() - progress->start_s,
                 progress->expected_s);
    snprintf(line, sizeof line, "%.*s%s", APP_PROGRESS_MAX, progress->text, time);
    if (progress->log)
        fprintf(progress->out, "progress: %s\n", line);
    else
        fprintf(progress->out, "\r%-*.*s", WIDTH, WIDTH, line);
    fflush(progress->out);
}

static void clear_line(struct app_progress *progress)
{
    if (!progress || !progress->out || progress->lines || progress->text[0] == 0)
        return;
    progress->text[0] = 0;
    if (progress->log)
        return;
    progress->shown_s = 0.0;
    fprintf(progress->out, "\r%*s\r", WIDTH, "");
    fflush(progress->out);
}

void app_complain(const char *text)
{
    char line[4096];
    snprintf(line, sizeof line, "%s", text);
    app_make_printable(line);
    pthread_mutex_lock(&mutex);
    clear_line(writer.progress); /* the next text is shown again */
    fprintf(stderr, "spherescope: %s\n", line);
    pthread_mutex_unlock(&mutex);
}

void app_progress_show(struct app_progress *progress, const char *text)
{
    if (!progress || !progress->out)
        return;
    pthread_mutex_lock(&mutex);
    const double now_s = app_clock_s();
    const bool due = now_s - progress->shown_s >= (progress->log ? log_s : every_s);
    if (due)
        progress->shown_s = now_s;
    if (due && progress->lines) {
        fprintf(progress->out, "%s\n", text);
        fflush(progress->out);
    }
    if (!progress->lines) /* what is not due is on the line within a second */
        snprintf(progress->text, sizeof progress->text, "%s", text);
    if (due && !progress->lines)
        write_line(progress);
    pthread_mutex_unlock(&mutex);
}

void app_progress_expect(struct app_progress *progress, double seconds)
{
    pthread_mutex_lock(&mutex);
    progress->expected_s = seconds;
    pthread_mutex_unlock(&mutex);
}

void app_progress_clear(struct app_progress *progress)
{
    pthread_mutex_lock(&mutex);
    clear_line(progress);
    pthread_mutex_unlock(&mutex);
}

static void *rewrite(void *unused)
{
    (void)unused;
    app_locale_begin();
    pthread_mutex_lock(&mutex);
    while (writer.progress) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_sec += rewritten_s;
        pthread_cond_timedwait(&writer.ended, &mutex, &next);
        struct app_progress *progress = writer.progress;
        const double now_s = app_clock_s();
        if (!progress || progress->text[0] == 0 ||
            (progress->log && now_s - progress->shown_s < log_s))
            continue;
        progress->shown_s = now_s;
        write_line(progress);
    }
    pthread_mutex_unlock(&mutex);
    return NULL;
}

void app_progress_begin(struct app_progress *progress)
{
    sigset_t all, before;
    if (!progress->out || progress->lines || writer.progress)
        return;
    writer.progress = progress;
    sigfillset(&all); /* signals are the main thread's business */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&writer.thread, NULL, rewrite, NULL) != 0)
        writer.progress = NULL; /* the line is written all the same, with each text */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void app_progress_end(struct app_progress *progress)
{
    pthread_mutex_lock(&mutex);
    const bool runs = writer.progress == progress;
    clear_line(progress);
    if (runs) {
        writer.progress = NULL;
        pthread_cond_signal(&writer.ended);
    }
    pthread_mutex_unlock(&mutex);
    if (runs)
        pthread_join(writer.thread, NULL);
}
