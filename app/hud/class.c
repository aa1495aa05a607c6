/* The page of a folder's kernels: those in front stay, the others take turns. */
#include "hud/contents.h"

#include "base/numbers.h"
#include "base/value.h"
#include "hud/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rows that stay while the others take turns. */
enum { FRONT = 3 };

/* In units: the height of a row, the widths of its columns, and the gap between two. */
static const float row_least = 42.0f, row_most = 64.0f, gap = 24.0f, rank_width = 64.0f,
                   name_least = 190.0f, time_width = 132.0f, speed_width = 116.0f,
                   interval_width = 190.0f, limit_width = 130.0f;

/* The right ends of the columns, pixels; 0: there is no room for it. */
struct columns {
    float name, time, speed, interval, limit;
};

static struct columns columns_of(const struct app_brush *brush, struct ren_rect area)
{
    const float u = brush->unit, right = area.x + area.w;
    struct columns at = {.speed = right};
    float room = area.w / u - rank_width - gap - name_least - gap - speed_width;
    const bool time = room >= time_width + gap,
               interval = room >= time_width + interval_width + 2.0f * gap,
               limit = room >= time_width + interval_width + limit_width + 3.0f * gap;
    at.limit = limit ? right : 0.0f;
    at.interval = interval ? right - (limit ? (limit_width + gap) * u : 0.0f) : 0.0f;
    at.speed = interval ? at.interval - (interval_width + gap) * u : right;
    at.time = time ? at.speed - (speed_width + gap) * u : 0.0f;
    at.name = time ? at.time - (time_width + gap) * u : at.speed - (speed_width + gap) * u;
    return at;
}

static void write_title(const struct app_class_view *view, char *text, size_t size)
{
    const char *const kernels = view->count == 1 ? "kernel" : "kernels";
    if (view->why[0])
        snprintf(text, size, "%s", view->why);
    else if (view->count == 0)
        snprintf(text, size, "No kernel is in the folder yet");
    else if (view->faster > 0)
        snprintf(text, size, "%d of %d %s %s the book's, the best %s×", view->faster, view->count,
                 kernels, view->faster == 1 ? "beats" : "beat",
                 app_number_plain(view->rows[0].speed.value, "").value);
    else
        snprintf(text, size, "None of %d %s beats the book's%s", view->count, kernels,
                 view->waiting > 0 ? " yet" : "");
}

/* Writes why a row has no time, in brief. */
static const char *write_brief(const struct app_class_row *row, char *text, size_t size)
{
    const struct app_mine_numbers *numbers = &row->numbers;
    if (row->why[0] == 0)
        snprintf(text, size, "waits");
    else if (numbers->line > 0)
        snprintf(text, size, "fault in line %d", numbers->line);
    else if (numbers->verdict.wrong > 0)
        snprintf(text, size, "wrong picture");
    else
        snprintf(text, size, "does not run");
    return text;
}

static void draw_row(const struct app_brush *brush, struct ren_rect area, float y,
                     const struct columns *at, const struct app_class_view *view,
                     const struct app_class_row *row)
{
    const struct app_colours *c = brush->colours;
    const float u = brush->unit, left = area.x + (rank_width + gap) * u;
    const ren_colour ink = row->waits             ? c->quiet
                           : !row->time.valid     ? c->bad
                           : row->speed.low > 1.0 ? c->good
                                                  : c->text;
    char text[64], brief[32];
    snprintf(text, sizeof text, "%d", row->rank);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, area.x + rank_width * u, y,
                  REN_ALIGN_RIGHT, ink,
                  row->rank > 0 ? text
                  : row->why[0] ? "✗"
                                : "");
    const float end = left + app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, left, y,
                                              at->name - left, ink, row->file);
    if (!row->time.valid) {
        const char *why = row->why;
        if (strncmp(why, row->file, strlen(row->file)) == 0)
            why += strlen(row->file);
        why += strspn(why, ":, ");
        const char *const whys[] = {strcmp(view->now, row->file) == 0 ? "is tested"
                                    : why[0]                          ? why
                                                                      : "waits",
                                    write_brief(row, brief, sizeof brief), NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, end + gap * u, y,
                          area.x + area.w - end - gap * u, row->waits ? c->quiet : c->text, whys);
        return;
    }
    const struct app_number time = app_number_time_as(row->time.median.value, view->book.value);
    snprintf(text, sizeof text, "%s %s", time.value, time.unit);
    if (at->time > 0.0f)
        app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, at->time, y, REN_ALIGN_RIGHT,
                      row->waits ? c->quiet : c->text, text);
    snprintf(text, sizeof text, "%s×", app_number_plain(row->speed.value, "").value);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, at->speed, y, REN_ALIGN_RIGHT, ink,
                  text);
    snprintf(text, sizeof text, "%s to %s", app_number_plain(row->speed.low, "").value,
             app_number_plain(row->speed.high, "").value);
    if (at->interval > 0.0f && row->speed.has_interval)
        app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, at->interval, y, REN_ALIGN_RIGHT,
                      c->quiet, text);
    snprintf(text, sizeof text, "%s%s×", row->time.of_limit.least ? "over " : "",
             app_number_plain(row->time.of_limit.times, "").value);
    if (at->limit > 0.0f && row->time.of_limit.times > 0.0)
        app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, at->limit, y, REN_ALIGN_RIGHT, c->quiet,
                      text);
}

/* Draws the heads of the columns that there are. */
static void draw_heads(const struct app_brush *brush, struct ren_rect area, float y,
                       const struct columns *at)
{
    const struct {
        float x;
        const char *text;
    } heads[] = {{at->time, "time"},
                 {at->speed, "speed"},
                 {at->interval, "from, to"},
                 {at->limit, "of limit"}};
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x + (rank_width + gap) * brush->unit, y,
                  REN_ALIGN_LEFT, brush->colours->quiet, "kernel");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (heads[i].x > 0.0f)
            app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, heads[i].x, y, REN_ALIGN_RIGHT,
                          brush->colours->quiet, heads[i].text);
}

/* Draws which rows are shown, what is going on, and where the numbers come from. */
static void draw_source(const struct app_brush *brush, struct ren_rect area,
                        const struct app_hud *hud, int from, int to)
{
    const struct app_class_view *view = hud->class_board;
    char device[128], shown[48] = "", now[96] = "", texts[3][320];
    app_hud_device(hud, false, device, sizeof device);
    if (to - from + FRONT < view->count)
        snprintf(shown, sizeof shown, "%d to %d of %d; ", from + 1, to, view->count);
    if (view->waiting > 0)
        snprintf(now, sizeof now, "%d to be tested; ", view->waiting);
    snprintf(texts[0], sizeof texts[0],
             "%s%sspeed: times as fast as the book's kernel, 99 %% sure of all at once; on %s",
             shown, now, device);
    snprintf(texts[1], sizeof texts[1], "%s%sspeed: the book's is 1; on %s", shown, now, device);
    snprintf(texts[2], sizeof texts[2], "%s%son %s", shown, now, device);
    const char *const list[] = {texts[0], texts[1], texts[2], device, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x,
                      area.y + area.h - 8.0f * brush->unit, area.w, brush->colours->quiet, list);
}

void app_hud_class(const struct app_brush *brush, struct ren_rect area, bool wide,
                   const struct app_hud *hud)
{
    static const struct app_class_view nothing = {
        .why = "--kernel-file FOLDER ranks the kernels of a folder here"};
    const struct app_class_view *view = hud->class_board ? hud->class_board : &nothing;
    const float u = brush->unit, size = wide ? APP_TYPE_TITLE : APP_TYPE_LARGE;
    char title[APP_NOTICE_MAX];
    write_title(view, title, sizeof title);
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, size, area.x, area.y + size * u,
                                     area.w, 4, brush->colours->text, title, true);
    const float top = area.y + (1.35f * (float)lines * size + 12.0f) * u,
                room = area.y + area.h - 44.0f * u - top;
    const int fit = (int)(room / (row_least * u)) - 1;
    if (view->count == 0 || fit < 1)
        return;
    /* Those in front stay, where the others have room to take turns; the last turn is full, too. */
    const int front = view->count > fit && fit > 2 * FRONT ? FRONT : 0,
              each = view->count > fit ? fit - front : view->count,
              turns = (view->count - front + each - 1) / each,
              first = front + (int)(view->turn % (unsigned)turns) * each,
              from = first < view->count - each ? first : view->count - each, to = from + each;
    const float high =
        fminf(room / (float)((view->count < fit ? view->count : fit) + 1), row_most * u);
    const struct columns at = columns_of(brush, area);
    float y = top + 0.7f * high;
    draw_heads(brush, area, y, &at);
    for (int i = 0; i < to; i++)
        if (i < front || i >= from)
            draw_row(brush, area, y += high, &at, view, &view->rows[i]);
    draw_source(brush, area, hud, from, to);
}
