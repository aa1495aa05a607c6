/* Atomic adds: a table of rates, by the number of counters and by memory (GPU) or threads (CPU),
 * and the gain of more counters. */
#include "hud/panels/parts.h"

#include <math.h>
#include <stdio.h>

enum { LINES = 3, COLUMNS = 2 };

/* A line of the table with the series of both columns. */
struct line {
    const char *label, *series[COLUMNS];
};

struct table {
    const char *columns[COLUMNS];
    bool alone; /* the first column shows one thread; else the most threads, as the second does */
    struct line lines[LINES];
};

static const struct table gpu_table = {{"global", "shared"},
                                       false,
                                       {{"one counter", {"global/one", "shared/one"}},
                                        {"one per warp", {"global/warp", "shared/warp"}},
                                        {"one per thread", {"global/thread", "shared/thread"}}}},
                          cpu_table = {{"one", "all"},
                                       true,
                                       {{"one counter", {"one", "one"}},
                                        {"same line", {"neighbours", "neighbours"}},
                                        {"own line", {"thread", "thread"}}}};

static void draw_rate(const struct app_brush *brush, const struct app_panels_view *view,
                      const char *series, double threads, float x, float y)
{
    const struct app_estimate rate = app_metric_of(
        &view->probes, app_probe_result_find(&view->probes, KRN_TOPIC_ATOMICS, series, threads),
        APP_METRIC_GOPS);
    app_draw_text(brush, REN_FACE_MONO_BOLD, APP_PANEL_TITLE, x, y, REN_ALIGN_RIGHT,
                  brush->colours->text, app_number_plain(rate.valid ? rate.value : -1.0, "").value);
}

/* Draws "thread/one: 62.1× 30.4×": under each column, the gain of one counter per thread. */
static void draw_gains(const struct app_brush *brush, const struct app_panels_view *view,
                       const char *const keys[COLUMNS], const char *const *label, float left,
                       const float ends[COLUMNS], float y)
{
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ATOMICS, &view->probes, &analysis);
    float room = ends[0];
    for (int i = COLUMNS - 1; i >= 0; i--) {
        const struct app_estimate gain = app_finding(&analysis, keys[i])->value;
        char text[32];
        if (!gain.valid)
            continue;
        snprintf(text, sizeof text, "%s×", app_number_plain(gain.value, "").value);
        const float width = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TEXT, ends[i], y,
                                          REN_ALIGN_RIGHT, brush->colours->text, text);
        room = fminf(room, ends[i] - width);
    }
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, left, y,
                      room - 8.0f * brush->unit - left, brush->colours->quiet, label);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const bool warps = app_panel_warps(view);
    const struct table *table = warps ? &gpu_table : &cpu_table;
    const float u = brush->unit, right = area.x + area.w;
    const float ends[COLUMNS] = {right - 0.31f * area.w, right};
    const float pitch = fminf((area.h - 12.0f * u) / (float)(LINES + 1), 30.0f * u);
    float y = area.y + 10.0f * u;
    for (int column = 0; column < COLUMNS; column++)
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, ends[column], y, REN_ALIGN_RIGHT,
                      brush->colours->quiet, table->columns[column]);
    for (int i = 0; i < LINES; i++) {
        const struct line *line = &table->lines[i];
        y += pitch;
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_TEXT, area.x, y, REN_ALIGN_LEFT,
                      brush->colours->quiet, line->label);
        for (int column = 0; column < COLUMNS; column++)
            draw_rate(brush, view, line->series[column], table->alone && column == 0 ? 1.0 : -1.0,
                      ends[column], y);
    }
    const char *const gains[] = {"one per thread / one", "thread / one", NULL},
                      *const lines[] = {"own line / one counter", "own line / one", NULL};
    const char *const gpu_keys[COLUMNS] = {"global", "shared"}, *const cpu_keys[COLUMNS] = {"",
                                                                                            "one"};
    draw_gains(brush, view, warps ? gpu_keys : cpu_keys, warps ? gains : lines, area.x, ends,
               y + pitch);
}

const struct app_panel app_panel_atomics = {KRN_TOPIC_ATOMICS, draw};
