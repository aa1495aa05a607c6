#include "base/complain.h"

#include "base/clock.h"

static const double every_s = 0.1;

enum { WIDTH = 78 }; /* columns of the line that is rewritten */

void app_complain(const char *text)
{
    fprintf(stderr, "spherescope: %s\n", text);
}

void app_progress_show(struct app_progress *progress, const char *text)
{
    char line[APP_PROGRESS_MAX + 64], time[64] = "";
    const double now_s = app_clock_s();
    if (!progress || !progress->out || now_s - progress->shown_s < every_s)
        return;
    progress->shown_s = now_s;
    if (progress->lines) {
        fprintf(progress->out, "%s\n", text);
        fflush(progress->out);
        return;
    }
    if (progress->expected_s > 0.0)
        snprintf(time, sizeof time, "  %.0f of about %.0f s", now_s - progress->start_s,
                 progress->expected_s);
    snprintf(line, sizeof line, "%.*s%s", APP_PROGRESS_MAX, text, time);
    fprintf(progress->out, "\r%-*.*s", WIDTH, WIDTH, line);
    fflush(progress->out);
}

void app_progress_clear(struct app_progress *progress)
{
    if (!progress || !progress->out || progress->lines || progress->shown_s <= 0.0)
        return;
    fprintf(progress->out, "\r%*s\r", WIDTH, "");
    fflush(progress->out);
}
