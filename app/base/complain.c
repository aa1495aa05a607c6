#include "base/complain.h"

#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static const double every_s = 0.1;

/* The time of a line that does not change is rewritten this often: a frame may take minutes. */
static const time_t rewritten_s = 1;

enum { WIDTH = 78 }; /* columns of the line that is rewritten */

/* Decodes the UTF-8 character at text. Returns its bytes; 0: they are not UTF-8. */
static size_t decode(const char *text, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)text[0];
    const size_t length = first < 0x80   ? 1
                          : first < 0xC0 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF8 ? 4
                                         : 0;
    *character = length > 1 ? first & (0xFFu >> (length + 1)) : first;
    for (size_t i = 1; i < length; i++) {
        const unsigned char next = (unsigned char)text[i]; /* the zero at the end is none */
        if ((next & 0xC0) != 0x80)
            return 0;
        *character = *character << 6 | (next & 0x3F);
    }
    const bool surrogate = *character >= 0xD800 && *character <= 0xDFFF;
    return length > 0 && (*character < least[length] || surrogate || *character > 0x10FFFF)
               ? 0
               : length;
}

static bool is_harmless(uint32_t character)
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
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
        if (character >= harmful[i].first && character <= harmful[i].last)
            return false;
    return true;
}

bool app_is_printable(const char *text, bool lines)
{
    uint32_t character;
    for (size_t length; *text != 0; text += length) {
        length = decode(text, &character);
        if (length == 0 || !(is_harmless(character) || (lines && character == '\n')))
            return false;
    }
    return true;
}

void app_make_printable(char *text)
{
    char *to = text;
    while (*text != 0) {
        uint32_t character;
        const size_t length = decode(text, &character);
        if (length > 0 && is_harmless(character)) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
        }
        text += length > 0 ? length : 1;
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
    fprintf(progress->out, "\r%-*.*s", WIDTH, WIDTH, line);
    fflush(progress->out);
}

static void clear_line(struct app_progress *progress)
{
    if (!progress || !progress->out || progress->lines || progress->text[0] == 0)
        return;
    progress->text[0] = 0;
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
    const bool due = now_s - progress->shown_s >= every_s;
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
    pthread_mutex_lock(&mutex);
    while (writer.progress) {
        struct timespec next;
        clock_gettime(CLOCK_REALTIME, &next);
        next.tv_sec += rewritten_s;
        pthread_cond_timedwait(&writer.ended, &mutex, &next);
        if (writer.progress && writer.progress->text[0] != 0)
            write_line(writer.progress);
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
