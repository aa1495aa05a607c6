/* Memory latency: the loads in flight per thread and the threads that hide it (GPU), or the
 * independent chases per core (CPU). */
#include "hud/panels/parts.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>

enum { LOADS = 4, WIDTHS = 2 };

static const int loads[LOADS] = {1, 2, 4, 8}, widths[WIDTHS] = {4, 16};

struct group {
    struct app_panel_curve curves[LOADS];
    double best, level; /* GB/s */
    double least;       /* the least occupancy that reaches the level, percent; NAN: unknown */
};

static void collect(const struct app_panels_view *view, const struct app_analysis *analysis,
                    int width, struct group *group)
{
    char key[24];
    for (int i = 0; i < LOADS; i++) {
        char series[KRN_SERIES_NAME];
        snprintf(series, sizeof series, "loads%dx%d", loads[i], width);
        app_panel_curve(view, KRN_TOPIC_MEMLAT, series, APP_METRIC_GBPS, true, &group->curves[i]);
    }
    snprintf(key, sizeof key, "best/%d", width);
    group->best = app_finding(analysis, key)->value.value;
    group->level = app_finding(analysis, "level")->value.value / 100.0 * group->best;
    snprintf(key, sizeof key, "least/%d", width);
    const struct app_estimate least = app_finding(analysis, key)->value;
    group->least = least.valid ? least.value : NAN;
}

/* Draws the plot of one width; both plots have the same scales, so that they compare. */
static void draw_group(const struct app_brush *brush, struct ren_rect area,
                       const struct group *group, int width, double low, double top, bool scale)
{
    const float u = brush->unit;
    static const struct app_panel_tick x[] = {
        {6.25, "6"}, {12.5, NULL}, {25.0, "25"}, {50.0, NULL}, {100.0, "100"}};
    char texts[3][24];
    struct app_panel_tick y[3];
    app_panel_ticks(top >= 999.5 ? top / 1e3 : top, texts, y);
    for (int i = 0; i < 3; i++) {
        y[i].at = top * i / 2.0;
        y[i].text = scale ? texts[i] : NULL;
    }
    const struct app_panel_axes spec = {.x_low = low,
                                        .x_high = log2(100.0),
                                        .y_high = top,
                                        .log_x = true,
                                        .x = x,
                                        .x_count = 5,
                                        .y = y,
                                        .y_count = 3};
    const struct ren_axes axes = app_panel_axes(brush, area, &spec);
    ren_plot_level(brush->list, &axes, group->level, fmaxf(1.0f, u), 4.0f * u,
                   brush->colours->quiet);
    for (int i = LOADS - 1; i >= 0; i--)
        app_panel_line(brush, &axes, &group->curves[i], false, app_panel_colour(brush, i));
    struct app_panel_names names = {.count = 0};
    for (int i = 0; i < LOADS; i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", loads[i]);
        app_panel_name_curve(brush, &axes, &group->curves[i], 0.5 * group->best,
                             app_panel_colour(brush, i), name, &names);
    }
    if (scale)
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, axes.area.x + 4.0f * u,
                      axes.area.y + 12.0f * u, REN_ALIGN_LEFT, brush->colours->quiet,
                      top >= 999.5 ? "TB/s" : "GB/s");
    char text[32];
    snprintf(text, sizeof text, "%d bytes", width);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, axes.area.x + axes.area.w,
                  axes.area.y + axes.area.h - 6.0f * u, REN_ALIGN_RIGHT, brush->colours->quiet,
                  text);
}

static void draw_cuda(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view)
{
    const float u = brush->unit, below = 16.0f * u, gap = 10.0f * u;
    struct group groups[WIDTHS];
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_MEMLAT, &view->probes, &analysis);
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
    char least[WIDTHS][16];
    for (int w = 0; w < WIDTHS; w++) {
        if (isfinite(groups[w].least))
            app_format(least[w], sizeof least[w], "%.3g %%", groups[w].least);
        else
            snprintf(least[w], sizeof least[w], "–");
    }
    char text[96], of[48], shorter[48];
    snprintf(text, sizeof text, "%s (4 B)  %s (16 B)", least[0], least[1]);
    app_format(of, sizeof of, "%.0f %% of the best at",
               app_finding(&analysis, "level")->value.value);
    app_format(shorter, sizeof shorter, "%.0f %% at", app_finding(&analysis, "level")->value.value);
    const char *const words[] = {of, shorter, NULL};
    const float y = area.y + area.h - 2.0f * u;
    const float numbers =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_PANEL_SMALL * u, text) + 8.0f * u;
    const float x = area.x + 8.0f * u +
                    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y,
                                      area.w - numbers, brush->colours->quiet, words);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, y, area.x + area.w - x,
                     brush->colours->text, text);
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
