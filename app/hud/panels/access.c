/* Access patterns: the gain of coalesced reads, and the lanes of one request drawn over the sectors
 * that they touch. */
#include "hud/panels/parts.h"

#include "base/value.h"

#include "krn/access.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pattern and the probe that measures it on the whole device. Where the panel is low, the last
 * patterns are left out first. */
static const struct view_row {
    const char *name;
    enum krn_pattern pattern;
    uint64_t parameter;
    const char *series;
    double x; /* < 0: the series has one */
} rows[] = {
    {"coalesced", KRN_PATTERN_STRIDE, 1, "stride", 1.0},
    {"offset 1", KRN_PATTERN_OFFSET, 1, "offset", 1.0},
    {"stride 2", KRN_PATTERN_STRIDE, 2, "stride", 2.0},
    {"stride 8", KRN_PATTERN_STRIDE, 8, "stride", 8.0},
    {"random", KRN_PATTERN_RANDOM, 0, "random", -1.0},
    {"broadcast", KRN_PATTERN_BROADCAST, 0, "broadcast", -1.0},
    {"chunk", KRN_PATTERN_CHUNK, 1024, "whole/chunk", -1.0},
};
enum { ROWS = sizeof rows / sizeof *rows, ELEMENTS = 1 << 20 };

/* Counts the sectors that the lanes touch, in the order of first touch, and the distinct elements
 * used of each. */
static int touched(const uint64_t lanes[KRN_LANES], int sector_bytes, int used[KRN_LANES])
{
    uint64_t sectors[KRN_LANES];
    int count = 0;
    for (int lane = 0; lane < KRN_LANES; lane++) {
        const uint64_t sector = lanes[lane] * 4u / (uint64_t)sector_bytes;
        bool again = false; /* another lane reads the same element */
        for (int before = 0; before < lane && !again; before++)
            again = lanes[before] == lanes[lane];
        int i = 0;
        while (i < count && sectors[i] != sector)
            i++;
        if (i == count) {
            sectors[count] = sector;
            used[count++] = 0;
        }
        used[i] += again ? 0 : 1;
    }
    return count;
}

/* Return the colours of bytes that a request uses and of those that it moves in vain. */
static ren_colour used_colour(const struct app_brush *brush)
{
    return brush->colours->curves[0];
}

static ren_colour unused_colour(const struct app_brush *brush)
{
    return brush->colours->curves[APP_CURVE_COLOURS - 1];
}

/* Draws the 32 lanes above the sectors that they touch. The filled part of a sector is used; the
 * rest was moved in vain. */
static void draw_lanes(const struct app_brush *brush, struct ren_rect box,
                       const struct view_row *row, int sector_bytes)
{
    const struct app_colours *c = brush->colours;
    uint64_t lanes[KRN_LANES];
    int used[KRN_LANES];
    krn_pattern_lanes(row->pattern, row->parameter, ELEMENTS, lanes);
    const int count = touched(lanes, sector_bytes, used);
    const float step = box.w / KRN_LANES, high = floorf(0.36f * box.h);
    for (int lane = 0; lane < KRN_LANES; lane++)
        app_draw_shape(brush,
                       (struct ren_rect){box.x + (float)lane * step, box.y, 0.7f * step, high},
                       0.0f, c->quiet);
    /* A sector is as wide as the lanes that fit into it, as long as all sectors fit. */
    const float room = fminf((float)sector_bytes / 4.0f * step, box.w / (float)count);
    const float top = box.y + high + 1.5f * brush->unit, low = box.y + box.h - top;
    for (int i = 0; i < count; i++) {
        const struct ren_rect sector = {box.x + (float)i * room, top, room - 0.3f * step, low};
        struct ren_rect part = sector;
        app_draw_shape(brush, sector, 0.0f, unused_colour(brush));
        part.h = low * fminf((float)used[i] * 4.0f / (float)sector_bytes, 1.0f);
        part.h = fmaxf(part.h, fminf(1.0f, low));
        part.y = top + low - part.h;
        ren_list_fill(brush->list, part, 0.0f, used_colour(brush));
    }
}

/* Draws one entry of the colour key; returns where the next one may begin. */
static float draw_key(const struct app_brush *brush, float x, float y, ren_colour colour,
                      const char *text)
{
    const float u = brush->unit, side = 8.0f * u;
    app_draw_shape(brush, (struct ren_rect){x, y - side, side, side}, 0.0f, colour);
    x += side + 4.0f * u;
    return x + 9.0f * u +
           app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y, REN_ALIGN_LEFT,
                         brush->colours->quiet, text);
}

static struct app_estimate rate_of(const struct app_panels_view *view, const struct view_row *row,
                                   enum app_metric metric)
{
    return app_metric_of(
        &view->probes, app_probe_result_find(&view->probes, KRN_TOPIC_ACCESS, row->series, row->x),
        metric);
}

/* Writes "0.551/4.41", with fewer digits where those do not fit. */
static void describe_rates(const struct app_brush *brush, struct app_estimate useful,
                           struct app_estimate moved, const struct app_estimate *like, float width,
                           char *text, size_t size)
{
    snprintf(text, size, "–");
    if (!useful.valid || !moved.valid)
        return;
    const double unit = like->valid ? like->value : 0.0;
    const struct app_number a = app_describe(useful, app_metric_form(APP_METRIC_GBPS, unit)).number,
                            b = app_describe(moved, app_metric_form(APP_METRIC_MOVED_GBPS, unit))
                                    .number;
    snprintf(text, size, "%s/%s", a.value, b.value);
    if (ren_text_width(brush->renderer, REN_FACE_MONO, APP_PANEL_SMALL * brush->unit, text) > width)
        app_format(text, size, "%.2f/%.2f", strtod(a.value, NULL), strtod(b.value, NULL));
}

/* Draws the table of patterns from y to the area's bottom. */
static void draw_patterns(const struct app_brush *brush, struct ren_rect area, float y,
                          const struct app_panels_view *view)
{
    const float u = brush->unit, right = area.x + area.w, bottom = area.y + area.h;
    const struct app_colours *c = brush->colours;
    const bool warps = app_panel_warps(view);
    const int sector_bytes = warps ? KRN_SECTOR_BYTES : KRN_LINE_BYTES;
    /* The bars get the width that the names and the widest digits leave. */
    const char *const rate_texts[] = {"0.000/0.00", NULL}, *const count_texts[] = {"32", NULL};
    const float rates =
                    8.0f * u + app_draw_widest(brush, REN_FACE_MONO, APP_PANEL_SMALL, rate_texts),
                counts = 10.0f * u +
                         app_draw_widest(brush, REN_FACE_MONO_BOLD, APP_PANEL_SMALL, count_texts);
    float names = 0.0f;
    for (int i = 0; i < ROWS; i++)
        names = fmaxf(names, ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u,
                                            rows[i].name));
    names += 6.0f * u;
    const float width = area.w - names - rates - counts;
    struct app_estimate like = {0};
    for (int i = 0; i < ROWS; i++) {
        const struct app_estimate moved = rate_of(view, &rows[i], APP_METRIC_MOVED_GBPS);
        if (moved.valid && (!like.valid || moved.value > like.value))
            like = moved;
    }
    char text[64];
    const float second = draw_key(brush, area.x, y, used_colour(brush), "used");
    draw_key(brush, second, y, unused_colour(brush), "unused");
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right - rates, y, REN_ALIGN_RIGHT,
                  c->quiet, warps ? "sectors" : "lines");
    if (like.valid) {
        snprintf(text, sizeof text, "%s",
                 app_describe(like, app_metric_form(APP_METRIC_MOVED_GBPS, 0.0)).number.unit);
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT, c->quiet,
                      text);
    }
    /* As many rows as fit, spread out up to a readable distance. */
    const float least = 12.0f * u, room = bottom - y;
    int count = (int)(room / least + 0.01f);
    /* On a CPU a chunk is a good pattern, because each thread reads on its own. */
    const int most = warps ? ROWS : ROWS - 1;
    count = count < most ? count : most;
    if (count <= 0)
        return;
    const float step = fminf(room / (float)count, 20.0f * u);
    for (int i = 0; i < count; i++) {
        y += step;
        uint64_t lanes[KRN_LANES];
        krn_pattern_lanes(rows[i].pattern, rows[i].parameter, ELEMENTS, lanes);
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, REN_ALIGN_LEFT, c->text,
                      rows[i].name);
        const float high = fminf(step - 3.5f * u, 16.0f * u);
        draw_lanes(brush, (struct ren_rect){area.x + names, y - high + 0.5f * u, width, high},
                   &rows[i], sector_bytes);
        snprintf(text, sizeof text, "%d", krn_sectors(lanes, KRN_LANES, 4, sector_bytes));
        app_draw_text(brush, REN_FACE_MONO_BOLD, APP_PANEL_SMALL, right - rates, y, REN_ALIGN_RIGHT,
                      c->text, text);
        const struct app_estimate useful = rate_of(view, &rows[i], APP_METRIC_GBPS),
                                  moved = rate_of(view, &rows[i], APP_METRIC_MOVED_GBPS);
        describe_rates(brush, useful, moved, &like, rates - 6.0f * u, text, sizeof text);
        app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT, c->text,
                      text);
    }
}

/* Draws a ratio in large digits, beside it what it compares (`of`) and what supports it (`beside`):
 * each the longest of its texts that fits. */
static void draw_ratio(const struct app_brush *brush, struct ren_rect area,
                       const struct app_panels_view *view, struct app_estimate ratio,
                       const char *const *of, const char *const *beside)
{
    const float u = brush->unit;
    if (!ratio.valid) {
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, area.x, area.y + 20.0f * u, REN_ALIGN_LEFT,
                      brush->colours->quiet, app_panel_ask(view, KRN_TOPIC_ACCESS, "ratio").text);
        return;
    }
    const struct app_described said = app_describe(ratio, (struct app_form){.unit = "×"});
    const float x = 12.0f * u + app_panel_headline(brush, 30.0f, area.x, area.y + 24.0f * u, &said);
    if (app_trust_no_verdict(ratio.trust))
        return;
    const float width = area.x + area.w - x;
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, area.y + 9.0f * u, width,
                      brush->colours->text, of);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, area.y + 25.0f * u, width,
                      brush->colours->quiet, beside);
}

/* Draws a sum in the tutorial's units: "chunk 7.25 GiB/s, 539 µs; 1058525 cycles = 535 µs". The
 * rate is that of the bytes read once, over the time by events; the time of the cycles is theirs
 * over the clock. */
static void draw_sum(const struct app_brush *brush, float right, float y, float width,
                     const struct app_panels_view *view, const char *name, const char *series)
{
    const struct app_probe_result *result =
        app_probe_result_find(&view->probes, KRN_TOPIC_ACCESS, series, -1.0);
    const struct app_estimate rate = app_metric_of(&view->probes, result, APP_METRIC_GBPS),
                              cycles = app_metric_of(&view->probes, result, APP_METRIC_CYCLES),
                              counted =
                                  app_metric_of(&view->probes, result, APP_METRIC_CYCLES_TIME),
                              time = app_metric_of(&view->probes, result, APP_METRIC_TIME);
    if (!rate.valid || !cycles.valid || !counted.valid || app_trust_no_verdict(rate.trust))
        return;
    const struct app_number binary = app_number_binary_rate(rate.value * 1e9),
                            by_cycles = app_number_time_as(counted.value, time.value),
                            by_events = app_number_time(time.value);
    char texts[3][128];
    app_format(texts[0], sizeof texts[0], "%s %s %s, %s %s; %.0f cycles = %s %s", name,
               binary.value, binary.unit, by_events.value, by_events.unit, cycles.value,
               by_cycles.value, by_cycles.unit);
    app_format(texts[1], sizeof texts[1], "%s %s %s; %.0f cycles = %s %s", name, binary.value,
               binary.unit, cycles.value, by_cycles.value, by_cycles.unit);
    app_format(texts[2], sizeof texts[2], "%s %s %s", name, binary.value, binary.unit);
    const float size = APP_PANEL_SMALL;
    for (int i = 0; i < 3; i++)
        if (ren_text_width(brush->renderer, REN_FACE_SANS, size * brush->unit, texts[i]) <= width) {
            app_draw_text(brush, REN_FACE_SANS, size, right, y, REN_ALIGN_RIGHT,
                          brush->colours->text, texts[i]);
            return;
        }
}

/* Draws both sums in two lines from the baseline y on. */
static void draw_sums(const struct app_brush *brush, float right, float y, float width,
                      const struct app_panels_view *view)
{
    draw_sum(brush, right, y, width, view, "chunk", "chunk/warm");
    draw_sum(brush, right, y + 16.0f * brush->unit, width, view, "coalesced", "strided/warm");
}

static void draw_cuda(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view)
{
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ACCESS, &view->probes, &analysis);
    const struct app_estimate cycles = app_finding(&analysis, "chunk")->value,
                              events = app_finding(&analysis, "by time")->value;
    const struct app_described said = app_describe(cycles, (struct app_form){.unit = "×"});
    const char *spread = said.interval;
    char by_time[48] = "", text[160], shorter[160];
    if (events.valid)
        snprintf(by_time, sizeof by_time, "%s×", app_number_plain(events.value, "").value);
    snprintf(text, sizeof text, "%s%s%s", spread,
             events.valid ? (spread[0] ? "  events " : "events ") : "", by_time);
    snprintf(shorter, sizeof shorter, "%s%s%s", spread,
             events.valid ? (spread[0] ? " ev. " : "events ") : "", by_time);
    const char *const of[] = {"cycles, chunk / coalesced", "cycles, chunk/coal.", NULL};
    const char *const beside[] = {text, shorter, spread, NULL};
    /* The tutorial's units stand on the right, or below the ratio where the panel is narrow. */
    const float u = brush->unit, sums = fminf(330.0f * u, area.w - 260.0f * u),
                right = area.x + area.w;
    const bool wide = area.w > 520.0f * u, below = !wide && area.h > 200.0f * u;
    struct ren_rect ratio = area;
    ratio.w -= wide ? sums : 0.0f;
    draw_ratio(brush, ratio, view, cycles, of, beside);
    if (wide || below)
        draw_sums(brush, right, area.y + (wide ? 9.0f : 41.0f) * u, wide ? sums : area.w, view);
    draw_patterns(brush, area, area.y + (below ? 73.0f : 41.0f) * u, view);
}

/* Draws a CPU's panel: a core runs its threads one after another, so a chunk is good and a stride
 * is bad. The number is that of one thread, which stands for the tutorial's one multiprocessor, as
 * on the claims board; the number of all threads is beside it. */
static void draw_cpu(const struct app_brush *brush, struct ren_rect area,
                     const struct app_panels_view *view)
{
    const float u = brush->unit;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ACCESS, &view->probes, &analysis);
    const struct app_estimate one = app_finding(&analysis, "strided")->value,
                              all = app_finding(&analysis, "strided/all")->value;
    const struct app_number every = app_number_plain(all.valid ? all.value : -1.0, "");
    const struct app_described said = app_describe(one, (struct app_form){.unit = "×"});
    const char *spread = said.interval;
    char text[160], shorter[160];
    if (one.valid || !all.valid) {
        snprintf(text, sizeof text, "%s%sall threads %s×", spread, spread[0] ? "  " : "",
                 every.value);
        snprintf(shorter, sizeof shorter, "%s%sall %s×", spread, spread[0] ? " " : "", every.value);
        const char *const of[] = {"one thread, strided / chunk", "one thread, strided/chunk",
                                  "one thread, strided", NULL};
        const char *const beside[] = {all.valid ? text : spread, all.valid ? shorter : spread,
                                      spread, NULL};
        draw_ratio(brush, area, view, one, of, beside);
    } else {
        /* One thread may need too long for a slice, while all threads do not. */
        snprintf(text, sizeof text, "%s", app_panel_ask(view, KRN_TOPIC_ACCESS, "one thread").text);
        snprintf(shorter, sizeof shorter, "%s", app_panel_ask(view, KRN_TOPIC_ACCESS, "one").text);
        const char *const texts[] = {text, shorter, NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_TEXT, area.x, area.y + 11.0f * u, area.w,
                          brush->colours->quiet, texts);
        snprintf(text, sizeof text, "all threads, strided / chunk: %s×", every.value);
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, area.x, area.y + 27.0f * u,
                         area.w, brush->colours->text, text);
    }
    const int lines = app_draw_lines(
        brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, area.y + 41.0f * u, area.w, 3,
        brush->colours->quiet,
        "Threads run in turn: a chunk is a stream; a stride moves a line for 4 bytes.", true);
    draw_patterns(brush, area, area.y + (41.0f + (float)lines * 1.35f * APP_PANEL_SMALL + 2.0f) * u,
                  view);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    if (app_panel_warps(view))
        draw_cuda(brush, area, view);
    else
        draw_cpu(brush, area, view);
}

const struct app_panel app_panel_access = {KRN_TOPIC_ACCESS, draw};
