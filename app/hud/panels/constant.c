/* Reads of a small table: constant memory slows down with the number of different addresses in a
 * warp; and the reach of each cache. */
#include "hud/panels/parts.h"

#include "base/value.h"

#include <math.h>

enum { KINDS = 2 };

/* Returns a kind's colour; constant memory keeps the colour of its storage. */
static ren_colour colour_of(const struct app_brush *brush, int kind)
{
    return brush->colours->series[kind == 0 ? APP_ORANGE : APP_BLUE];
}

/* Returns cycles per read if the probe has them, else nanoseconds. */
static enum app_metric step_metric(const struct app_panels_view *view, const char *series)
{
    const struct app_probe_result *result =
        app_probe_result_find(&view->probes, KRN_TOPIC_CONSTANT, series, -1.0);
    return app_metric_of(&view->probes, result, APP_METRIC_CYCLES_PER_STEP).valid
               ? APP_METRIC_CYCLES_PER_STEP
               : APP_METRIC_NS_PER_STEP;
}

/* Draws the longest title that fits above a plot; returns the area below it. */
static struct ren_rect under_title(const struct app_brush *brush, struct ren_rect area,
                                   const char *const *titles)
{
    const float u = brush->unit;
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, area.y + 8.0f * u, area.w,
                      brush->colours->quiet, titles);
    return (struct ren_rect){area.x, area.y + 15.0f * u, area.w, area.h - 15.0f * u};
}

/* Names the curves left of their right ends, where they differ most. */
static void name_kinds(const struct app_brush *brush, const struct ren_axes *axes,
                       const struct app_panel_curve curves[KINDS])
{
    static const char *const names[KINDS] = {"constant", "global"};
    const float u = brush->unit;
    for (int k = 0; k < KINDS; k++) {
        if (curves[k].n < 2)
            continue;
        const size_t last = curves[k].n - 1;
        const bool below =
            axes->area.y + axes->area.h - ren_plot_y(axes, curves[k].y[last]) > 13.0f * u;
        app_panel_tag(brush, axes,
                      ren_plot_x(axes, curves[k].x[last]) - (k == 0 ? 44.0f : 20.0f) * u,
                      ren_plot_y(axes, curves[k].y[last]) + (k == 0  ? 5.0f
                                                             : below ? 9.0f
                                                                     : -10.0f) *
                                                                u,
                      colour_of(brush, k), names[k]);
    }
}

/* Draws the time over that of one address, on logarithmic axes: one read per address gives the
 * diagonal. */
static void draw_addresses(const struct app_brush *brush, struct ren_rect area,
                           const struct app_panels_view *view)
{
    static const char *const series[KINDS] = {"constant", "global"};
    static const struct app_panel_tick x[] = {{1.0, "1"},  {2.0, NULL},  {4.0, "4"},
                                              {8.0, NULL}, {16.0, NULL}, {32.0, "32"}},
                                       y[] = {{0.0, "1×"}, {2.0, "4×"}, {5.0, "32×"}};
    struct app_panel_curve curves[KINDS];
    for (int k = 0; k < KINDS; k++) {
        app_panel_curve(view, KRN_TOPIC_CONSTANT, series[k], step_metric(view, series[k]), true,
                        &curves[k]);
        const double first = curves[k].n > 0 && curves[k].x[0] == 0.0 ? curves[k].y[0] : 0.0;
        if (!(first > 0.0))
            curves[k].n = 0;
        for (size_t i = 0; i < curves[k].n; i++)
            curves[k].y[i] = log2(curves[k].y[i] / first);
    }
    const char *const titles[] = {"slow-down, addresses", "slower, addresses", NULL};
    area = under_title(brush, area, titles);
    const struct app_panel_axes spec = {.x_low = 0.0,
                                        .x_high = 5.0,
                                        .y_high = fmax(5.0, app_panel_greatest(curves, KINDS)),
                                        .log_x = true,
                                        .x = x,
                                        .x_count = 6,
                                        .y = y,
                                        .y_count = 3};
    const struct ren_axes axes = app_panel_axes(brush, area, &spec);
    for (int k = KINDS - 1; k >= 0; k--)
        app_panel_line(brush, &axes, &curves[k], k == 1, colour_of(brush, k));
    name_kinds(brush, &axes, curves);
}

/* Draws the time per read of a walk through a table over the table's size, one curve per kind. */
static void draw_walk(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view)
{
    static const char *const series[KINDS] = {"walk/constant", "walk/global"};
    static const struct app_panel_tick x[] = {{1024.0, "1"},  {2048.0, NULL},  {4096.0, "4"},
                                              {8192.0, NULL}, {16384.0, "16"}, {32768.0, NULL},
                                              {65536.0, "64"}};
    struct app_panel_curve curves[KINDS];
    const enum app_metric metric = step_metric(view, series[0]);
    for (int k = 0; k < KINDS; k++)
        app_panel_curve(view, KRN_TOPIC_CONSTANT, series[k], metric, true, &curves[k]);
    const bool ns = metric == APP_METRIC_NS_PER_STEP;
    const char *const titles[] = {ns ? "ns per read, KiB" : "cycles per read, KiB",
                                  ns ? "ns, KiB" : "cycles, KiB", NULL};
    area = under_title(brush, area, titles);
    const struct ren_axes axes =
        app_panel_axes_to(brush, area, x, 7, app_panel_greatest(curves, KINDS));
    for (int k = KINDS - 1; k >= 0; k--)
        app_panel_line(brush, &axes, &curves[k], k == 1, colour_of(brush, k));
    name_kinds(brush, &axes, curves);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const float gap = 14.0f * brush->unit, half = (area.w - gap) / 2.0f;
    draw_addresses(brush, (struct ren_rect){area.x, area.y, half, area.h}, view);
    draw_walk(brush, (struct ren_rect){area.x + half + gap, area.y, half, area.h}, view);
}

const struct app_panel app_panel_constant = {KRN_TOPIC_CONSTANT, draw};
