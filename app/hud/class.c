/* The page of a folder's kernels: those in front stay, the others take turns. */

#include "base/numbers.h"
#include "base/value.h"
#include "hud/parts.h"
#include "model/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The rows that stay while the others take turns: the book's kernel, and the first three. */
enum { FRONT = 4 };

/* In units: the height of a row, the gap between two columns, and the room of rank and name. */
static const float row_least = 42.0f, row_most = 64.0f, gap = 24.0f, rank_width = 64.0f,
                   name_least = 230.0f;

/* The columns behind the name: as many as have room, the first one always. */
enum { SPEED, INTERVAL, TIME, LIMIT, COLUMNS };
static const struct column {
    float width; /* in units */
    const char *head;
} columns[COLUMNS] = {
    {116.0f, "speed"}, {190.0f, "in this run"}, {132.0f, "time"}, {130.0f, "× the limit"}};

/* Fills in the right ends of the columns, in pixels; 0: there is no room. Returns that of names. */
static float find_ends(const struct app_brush *brush, struct ren_rect area, float ends[COLUMNS])
{
    float room = area.w / brush->unit - rank_width - gap - name_least, end = area.x + area.w;
    int shown = 0;
    for (; shown < COLUMNS && (shown == 0 || room >= columns[shown].width + gap); shown++)
        room -= columns[shown].width + gap;
    for (int i = COLUMNS - 1; i >= 0; i--) {
        ends[i] = i < shown ? end : 0.0f;
        end -= i < shown ? (columns[i].width + gap) * brush->unit : 0.0f;
    }
    return end;
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
                 app_number_plain(view->rows[1]->speed.value, "").value);
    else
        snprintf(text, size, "None of %d %s beats the book's%s", view->count, kernels,
                 view->waiting > 0 ? " yet" : "");
}

/* Draws a row. Where the sentence on a kernel has no room, its beginning tells what is wrong. */
static void draw_row(const struct app_brush *brush, struct ren_rect area, float y, float names,
                     const float ends[COLUMNS], const struct app_class_view *view,
                     const struct app_class_row *row)
{
    const struct app_colours *c = brush->colours;
    const float u = brush->unit, left = area.x + (rank_width + gap) * u;
    const ren_colour ink = row->waits             ? c->quiet
                           : !row->speed.valid    ? c->bad
                           : row->speed.low > 1.0 ? c->good
                                                  : c->text;
    char texts[COLUMNS][64], brief[64];
    snprintf(brief, sizeof brief, "%d", row->rank);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, area.x + rank_width * u, y,
                  REN_ALIGN_RIGHT, ink,
                  row->rank > 0 ? brief
                  : row->why[0] ? "✗"
                                : "");
    const float end = left + app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, left, y,
                                              names - left, ink, row->file);
    if (!row->speed.valid) {
        snprintf(brief, sizeof brief, "%.*s", (int)strcspn(row->why, ":,"), row->why);
        const char *const whys[] = {row->tested   ? "is tested"
                                    : row->why[0] ? row->why
                                                  : "waits",
                                    row->why[0] ? brief : "waits", "does not run", NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, end + gap * u, y,
                          area.x + area.w - end - gap * u, row->waits ? c->quiet : c->text, whys);
        return;
    }
    const struct app_number time =
        app_number_time_as(row->time.median.value, view->rows[0]->time.median.value);
    const struct app_of_limit of = row->time.of_limit;
    snprintf(texts[TIME], sizeof *texts, "%s %s", time.value, time.unit);
    snprintf(texts[SPEED], sizeof *texts, "%s×", app_number_plain(row->speed.value, "").value);
    texts[INTERVAL][0] = texts[LIMIT][0] = 0;
    if (row->speed.has_interval)
        snprintf(texts[INTERVAL], sizeof *texts, "%s to %s",
                 app_number_plain(row->speed.low, "").value,
                 app_number_plain(row->speed.high, "").value);
    if (of.times > 0.0)
        snprintf(texts[LIMIT], sizeof *texts, "%s%s×", of.least ? "over " : "",
                 app_number_plain(of.times, "").value);
    for (int i = 0; i < COLUMNS; i++)
        if (ends[i] > 0.0f)
            app_draw_text(brush, i == SPEED ? REN_FACE_SANS_BOLD : REN_FACE_SANS,
                          i == SPEED ? APP_TYPE_LARGE : APP_TYPE_BODY, ends[i], y, REN_ALIGN_RIGHT,
                          i == SPEED                 ? ink
                          : i == TIME && !row->waits ? c->text
                                                     : c->quiet,
                          texts[i]);
}

/* Draws what is going on, which rows are shown, and where the numbers come from. */
static void draw_source(const struct app_brush *brush, struct ren_rect area,
                        const struct app_hud *hud, int front, int from, int to)
{
    const struct app_class_view *view = hud->class_board;
    const unsigned busy = APP_TRUST_BIT(APP_TRUST_CORES_BUSY),
                   doubt = app_trust_no_verdict(view->trust) ? view->trust : view->trust & busy;
    char device[128], now[160] = "", texts[2][400];
    app_hud_device(hud, false, device, sizeof device);
    if (doubt)
        app_append(now, sizeof now, "", "%s", app_trust_first(doubt));
    if (view->waiting > 0)
        app_append(now, sizeof now, "; ", "testing %d of %d", view->count - view->waiting + 1,
                   view->count);
    else
        app_append(now, sizeof now, "; ", "all are tested");
    if (front + to - from <= view->count)
        app_append(now, sizeof now, "; ", "rows %s%d to %d", front > 0 ? "1 to 3 and " : "",
                   from > 0 ? from : 1, to - 1);
    for (int i = 0; i < 2; i++)
        snprintf(texts[i], sizeof texts[i], "%s; %son %s%s", now,
                 i == 0 ? "speed: against the book's kernel, 99 % sure of all at once; equal ranks "
                          "tie; "
                        : "",
                 device,
                 hud->device->can.host_processors ? ", where the book's kernel is vectorised" : "");
    const char *const list[] = {texts[0], texts[1], now, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x,
                      area.y + area.h - 8.0f * brush->unit, area.w,
                      doubt ? brush->colours->warn : brush->colours->quiet, list);
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
    const int all = view->count + 1, front = all > fit && fit >= 2 * FRONT ? FRONT : 0,
              each = all > fit ? fit - front : all, turns = (all - front + each - 1) / each,
              first = front + (int)(view->turn % (unsigned)turns) * each,
              from = first < all - each ? first : all - each, to = from + each;
    const float high = fminf(room / (float)((all < fit ? all : fit) + 1), row_most * u);
    float ends[COLUMNS], y = top + 0.7f * high;
    const float names = find_ends(brush, area, ends);
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x + (rank_width + gap) * u, y,
                  REN_ALIGN_LEFT, brush->colours->quiet, "kernel");
    for (int i = 0; i < COLUMNS; i++)
        if (ends[i] > 0.0f)
            app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, ends[i], y, REN_ALIGN_RIGHT,
                          brush->colours->quiet, columns[i].head);
    for (int i = 0; i < to; i++)
        if (i < front || i >= from)
            draw_row(brush, area, y += high, names, ends, view, view->rows[i]);
    draw_source(brush, area, hud, front, from, to);
}
