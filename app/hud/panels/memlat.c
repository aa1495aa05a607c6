/* Memory latency: the loads in flight per thread and the threads that hide it (GPU), or the
 * independent chases per core (CPU). */
#include "hud/panels/names.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>

enum { LOADS = 4, WIDTHS = 2 };

static const int loads[LOADS] = {1, 2, 4, 8}, widths[WIDTHS] = {4, 16};

struct group {
    struct app_panel_curve curves[LOADS];
    double best, level;        /* GB/s */
    double law[LOADS];         /* log2 of the occupancy that Little's law requires; NAN: unknown */
    struct app_estimate least; /* the least occupancy that reaches the level, percent */
};

/* Returns log2 of the occupancy at which a series has these bytes in flight; NAN: unknown. */
static double occupancy_of(const struct app_panels_view *view, const char *series,
                           struct app_estimate bytes)
{
    const struct app_probe_result *result =
        app_probe_result_find(&view->probes, KRN_TOPIC_MEMLAT, series, -1.0);
    return result && bytes.valid && result->probe->in_flight_bytes > 0.0
               ? log2(result->probe->x * bytes.value / result->probe->in_flight_bytes)
               : (double)NAN;
}

static void collect(const struct app_panels_view *view, const struct app_analysis *analysis,
                    int width, struct group *group)
{
    const struct app_estimate needed = app_finding(analysis, "needed")->value;
    char key[24];
    for (int i = 0; i < LOADS; i++) {
        char series[KRN_SERIES_NAME];
        snprintf(series, sizeof series, "loads%dx%d", loads[i], width);
        app_panel_curve(view, KRN_TOPIC_MEMLAT, series, APP_METRIC_GBPS, true, &group->curves[i]);
        group->law[i] = occupancy_of(view, series, needed);
    }
    snprintf(key, sizeof key, "best/%d", width);
    group->best = app_finding(analysis, key)->value.value;
    group->level = app_finding(analysis, "level")->value.value / 100.0 * group->best;
    snprintf(key, sizeof key, "least/%d", width);
    group->least = app_finding(analysis, key)->value;
}

/* Draws the plot of one width below its name; both plots have the same scales, so that they
 * compare. An upright line in a curve's colour marks the occupancy that Little's law requires. */
static void draw_group(const struct app_brush *brush, struct ren_rect area,
                       const struct group *group, int width, double low, double top, bool scale)
{
    const float u = brush->unit, name = 15.0f * u;
    static const struct app_panel_tick x[] = {
        {6.25, "6"}, {12.5, NULL}, {25.0, "25"}, {50.0, NULL}, {100.0, "100"}};
    char texts[3][24], text[48];
    struct app_panel_tick y[3];
    app_panel_ticks(top >= 999.5 ? top / 1e3 : top, texts, y);
    for (int i = 0; i < 3; i++) {
        y[i].at = top * i / 2.0;
        y[i].text = scale ? texts[i] : NULL;
    }
    const char *const unit = !scale ? "" : top >= 999.5 ? ", TB/s" : ", GB/s";
    char titles[4][48];
    snprintf(titles[0], sizeof titles[0], "%d-byte loads%s", width, unit);
    snprintf(titles[1], sizeof titles[1], "%d bytes%s", width, unit);
    snprintf(titles[2], sizeof titles[2], "%d B%s", width, unit);
    snprintf(titles[3], sizeof titles[3], "%d B", width);
    const char *const fitting[] = {titles[0], titles[1], titles[2], titles[3], NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, area.y + 8.0f * u,
                      area.w - 60.0f * u, brush->colours->quiet, fitting);
    const struct app_panel_axes spec = {.x_low = low,
                                        .x_high = log2(100.0),
                                        .y_high = top,
                                        .log_x = true,
                                        .x = x,
                                        .x_count = 5,
                                        .y = y,
                                        .y_count = 3};
    const struct ren_axes axes = app_panel_axes(
        brush, (struct ren_rect){area.x, area.y + name, area.w, area.h - name}, &spec);
    const float bottom = axes.area.y + axes.area.h;
    app_panel_level(brush, &axes, group->level, fmaxf(1.0f, u), 4.0f * u, brush->colours->quiet);
    for (int i = 0; i < LOADS; i++)
        if (group->law[i] >= axes.x_low && group->law[i] <= axes.x_high)
            app_panel_upright(brush, ren_plot_x(&axes, group->law[i]), bottom,
                              bottom - 0.3f * axes.area.h, app_panel_colour(brush, i));
    for (int i = LOADS - 1; i >= 0; i--)
        app_panel_line(brush, &axes, &group->curves[i], false, app_panel_colour(brush, i));
    /* The curves are too close for names on them: they are named beside the title, from the highest
     * to the lowest, as they lie. */
    float end = area.x + area.w;
    for (int i = 0; i < LOADS; i++) {
        if (group->curves[i].n == 0)
            continue;
        snprintf(text, sizeof text, "%d", loads[i]);
        end -= 6.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, end,
                                        area.y + 8.0f * u, REN_ALIGN_RIGHT,
                                        app_panel_colour(brush, i), text);
    }
}

/* Writes "25 %"; "–" while it is unknown. */
static void write_least(const struct group *group, char *text, size_t size)
{
    if (group->least.valid && isfinite(group->least.value))
        app_format(text, size, "%.3g %%", group->least.value);
    else
        snprintf(text, size, "–");
}

/* Draws the sentence about the level: "85 % of best bandwidth at 25 % occupancy, with 16 bytes
 * 12.5 %". */
static void draw_level(const struct app_brush *brush, struct ren_rect area, float y,
                       const struct app_analysis *analysis, const struct group groups[WIDTHS])
{
    const double level = app_finding(analysis, "level")->value.value;
    char least[WIDTHS][16], whole[96], shorter[96], shortest[64], least_words[48];
    for (int w = 0; w < WIDTHS; w++)
        write_least(&groups[w], least[w], sizeof least[w]);
    app_format(whole, sizeof whole,
               "%.0f %% of best bandwidth at %s occupancy, with %d bytes at %s", level, least[0],
               widths[1], least[1]);
    app_format(shorter, sizeof shorter, "%.0f %% of best bandwidth at %s and %s occupancy", level,
               least[0], least[1]);
    app_format(shortest, sizeof shortest, "%.0f %% of best at %s and %s occupancy", level, least[0],
               least[1]);
    app_format(least_words, sizeof least_words, "%.0f %% of best at %s and %s", level, least[0],
               least[1]);
    const char *const texts[] = {whole, shorter, shortest, least_words, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, area.x, y, area.w,
                      brush->colours->text, texts);
}

/* Draws the bytes in flight that Little's law requires, and those that reach the level. */
static void draw_law(const struct app_brush *brush, struct ren_rect area, float y,
                     const struct app_analysis *analysis)
{
    const struct app_estimate needed = app_finding(analysis, "needed")->value,
                              flight = app_finding(analysis, "flight/4")->value;
    const float u = brush->unit, mark = 8.0f * u;
    char whole[96], shorter[64], shortest[48];
    if (!needed.valid)
        return;
    app_panel_upright(brush, area.x + 2.0f * u, y + u, y - 11.0f * u, brush->colours->quiet);
    app_format(shortest, sizeof shortest, "Little: %.2f MB in flight", needed.value / 1e6);
    snprintf(whole, sizeof whole, "%s", shortest);
    snprintf(shorter, sizeof shorter, "%s", shortest);
    if (flight.valid) {
        app_format(whole, sizeof whole, "%s; %.2f MB reach the level", shortest,
                   flight.value / 1e6);
        app_format(shorter, sizeof shorter, "%s; needs %.2f", shortest, flight.value / 1e6);
    }
    const char *const texts[] = {whole, shorter, shortest, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x + mark, y, area.w - mark,
                      brush->colours->quiet, texts);
}

static void draw_cuda(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view)
{
    struct group groups[WIDTHS];
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_MEMLAT, &view->probes, &analysis);
    const float u = brush->unit, gap = 10.0f * u;
    const bool two = area.h >= 120.0f * u && app_finding(&analysis, "needed")->value.valid;
    const float below = (two ? 32.0f : 16.0f) * u, last = area.y + area.h - 2.0f * u;
    double best = 0.0, low = log2(6.25);
    for (int w = 0; w < WIDTHS; w++) {
        collect(view, &analysis, widths[w], &groups[w]);
        best = fmax(best, groups[w].best);
        for (int i = 0; i < LOADS; i++)
            if (groups[w].curves[i].n > 0)
                low = fmin(low, groups[w].curves[i].x[0]);
    }
    const double top = ren_plot_nice(1.02 * best);
    const float scale = 30.0f * u, each = (area.w - scale - gap) / WIDTHS;
    for (int w = 0; w < WIDTHS; w++) {
        const float left = w == 0 ? 0.0f : scale + each + gap;
        draw_group(
            brush,
            (struct ren_rect){area.x + left, area.y, w == 0 ? each + scale : each, area.h - below},
            &groups[w], widths[w], low, top, w == 0);
    }
    draw_level(brush, area, two ? last - 16.0f * u : last, &analysis, groups);
    if (two)
        draw_law(brush, area, last, &analysis);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    if (app_panel_warps(view))
        draw_cuda(brush, area, view);
    else
        app_panel_threads(brush, area, view, KRN_TOPIC_MEMLAT, APP_METRIC_NS_PER_STEP, 1);
}

const struct app_panel app_panel_memlat = {KRN_TOPIC_MEMLAT, draw};
