/* Latency of a read over the size of the table: the plateaus of the caches and of memory, with the
 * sizes of this device's caches, and the slides' 400 cycles. */
#include "hud/panels/names.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CURVES = 3, LEVELS = 4 };

static const char *const levels[LEVELS] = {"l1", "l2", "l3", "memory"}, *const names[LEVELS] = {
                                                                            "L1", "L2", "L3",
                                                                            "memory"};

/* V. Volkov's slides: a memory access takes 400 cycles or more. */
static const double slides_cycles = 400.0;

static enum app_metric metric_of(const struct app_panels_view *view)
{
    return app_panel_warps(view) ? APP_METRIC_CYCLES_PER_STEP : APP_METRIC_NS_PER_STEP;
}

/* Returns a finding of a level: in cycles on a GPU, else in nanoseconds. */
static const struct app_finding *finding_of(const struct app_panels_view *view,
                                            const struct app_analysis *analysis, const char *level)
{
    char key[24];
    snprintf(key, sizeof key, "%s%s", level, app_panel_warps(view) ? "" : "/ns");
    return app_finding(analysis, key);
}

/* Marks the sizes of this device's caches by upright lines with their names on the left. */
static void draw_caches(const struct app_brush *brush, const struct ren_axes *axes,
                        const struct app_panels_view *view, struct app_panel_names *placed)
{
    const float u = brush->unit, bottom = axes->area.y + axes->area.h;
    float xs[KRN_CACHE_LEVELS] = {0.0f};
    for (int i = 0; view->probes.device && i < KRN_CACHE_LEVELS; i++) {
        const double at = log2((double)view->probes.device->cache_bytes[i]);
        if (!(at > axes->x_low && at < axes->x_high))
            continue;
        const float x = ren_plot_x(axes, at);
        const float xy[4] = {x, bottom, x, axes->area.y};
        app_panel_upright(brush, x, bottom, axes->area.y, brush->colours->faint);
        app_panel_avoid(placed, xy, NULL);
        xs[i] = x;
    }
    for (int i = 0; i < KRN_CACHE_LEVELS; i++)
        if (xs[i] > 0.0f)
            (void)app_panel_name_near(brush, axes, xs[i] - 11.0f * u, axes->area.y + 6.0f * u,
                                      brush->colours->quiet, names[i], placed);
}

/* Writes the number of each plateau beside it: below the curve where there is room, else above. */
static void name_plateaus(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panels_view *view, const struct app_analysis *analysis,
                          struct app_panel_names *placed)
{
    const float u = brush->unit, away = 11.0f * u, bottom = axes->area.y + axes->area.h;
    for (int i = LEVELS - 1; i >= 0; i--) {
        const struct app_finding *finding = finding_of(view, analysis, levels[i]);
        if (!finding->value.valid || !finding->of)
            continue;
        char text[32];
        snprintf(text, sizeof text, "%s %s", i == LEVELS - 1 ? names[i] : "",
                 app_number_plain(finding->value.value, "").value);
        const float x = ren_plot_x(axes, log2(finding->of->probe->x)),
                    y = ren_plot_y(axes, finding->value.value);
        /* The word is left out where there is no room for it. */
        const char *const number = strrchr(text, ' ') + 1;
        const float at = bottom - y > 3.0f * away ? y + away : y - away;
        if (!app_panel_name_near(brush, axes, x, at, brush->colours->text, text + strspn(text, " "),
                                 placed))
            (void)app_panel_name_near(brush, axes, x, at, brush->colours->text, number, placed);
    }
}

/* Draws the plateaus in nanoseconds, as far as there is room. */
static void draw_ns(const struct app_brush *brush, struct ren_rect area,
                    const struct app_analysis *analysis)
{
    static const char *const keys[] = {"l1/ns", "l2/ns", "memory/ns", "shared/ns"},
                             *const words[] = {"L1", "L2", "memory", "shared"};
    char whole[96] = "", shorter[64] = "";
    for (int i = 0; i < 4; i++) {
        const struct app_estimate ns = app_finding(analysis, keys[i])->value;
        if (!ns.valid)
            continue;
        const size_t used = strlen(whole), short_used = strlen(shorter);
        const struct app_number number = app_number_plain(ns.value, "");
        app_format(whole + used, sizeof whole - used, "%s%s %s", used > 0 ? " · " : "", words[i],
                   number.value);
        if (i < 3)
            app_format(shorter + short_used, sizeof shorter - short_used, "%s%s",
                       short_used > 0 ? " · " : "", number.value);
    }
    if (!whole[0])
        return;
    snprintf(whole + strlen(whole), sizeof whole - strlen(whole), " ns");
    snprintf(shorter + strlen(shorter), sizeof shorter - strlen(shorter), " ns");
    const char *const texts[] = {whole, shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, area.x,
                      area.y + area.h - 2.0f * brush->unit, area.w, brush->colours->text, texts);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    static const char *const cuda[CURVES] = {"read", "l2", "ascending"}, *const cpu[] = {"walk"};
    static const struct app_panel_tick cuda_x[] = {{1024.0, "1K"},
                                                   {32768.0, "32K"},
                                                   {1048576.0, "1M"},
                                                   {33554432.0, "32M"},
                                                   {1073741824.0, "1G"}},
                                       cpu_x[] = {{4096.0, "4K"},
                                                  {65536.0, "64K"},
                                                  {1048576.0, "1M"},
                                                  {16777216.0, "16M"},
                                                  {268435456.0, "256M"}};
    const float u = brush->unit;
    const bool warps = app_panel_warps(view);
    const int count = warps ? CURVES : 1;
    struct app_panel_curve curves[CURVES];
    struct app_panel_names placed = app_panel_names_none();
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_LATENCY, &view->probes, &analysis);
    for (int i = 0; i < count; i++)
        app_panel_curve(view, KRN_TOPIC_LATENCY, warps ? cuda[i] : cpu[i], metric_of(view), true,
                        &curves[i]);
    const double most = app_panel_greatest(curves, count);
    const float below = warps ? 16.0f * u : 0.0f;
    const struct ren_rect plot = {area.x, area.y, area.w, area.h - below};
    const struct ren_axes axes = app_panel_axes_to(brush, plot, warps ? cuda_x : cpu_x, 5,
                                                   warps ? fmax(most, slides_cycles) : most);
    const float slides = ren_plot_y(&axes, slides_cycles),
                level[4] = {axes.area.x, slides, axes.area.x + axes.area.w, slides};
    for (int i = 0; i < count; i++)
        app_panel_avoid_curve(&placed, &axes, &curves[i]);
    if (warps) {
        app_panel_avoid(&placed, level, NULL);
        app_panel_level(brush, &axes, slides_cycles, fmaxf(1.0f, u), 5.0f * u,
                        brush->colours->quiet);
    }
    draw_caches(brush, &axes, view, &placed);
    for (int i = count - 1; i >= 0; i--)
        app_panel_line(brush, &axes, &curves[i], i == 1, app_panel_colour(brush, 2 * i));
    name_plateaus(brush, &axes, view, &analysis, &placed);
    if (!warps)
        return;
    (void)app_panel_name_near(brush, &axes, axes.area.x + 44.0f * u,
                              ren_plot_y(&axes, slides_cycles) - 9.0f * u, brush->colours->quiet,
                              "slides: 400+", &placed);
    if (curves[1].n > 0)
        (void)app_panel_name_near(brush, &axes, axes.area.x + 44.0f * u,
                                  ren_plot_y(&axes, curves[1].y[0]) + 9.0f * u,
                                  app_panel_colour(brush, 2), "L1 bypassed", &placed);
    if (curves[2].n > 0)
        (void)app_panel_name_near(brush, &axes, axes.area.x + axes.area.w,
                                  ren_plot_y(&axes, curves[2].y[0]) + 9.0f * u,
                                  app_panel_colour(brush, 4), "in order", &placed);
    draw_ns(brush, area, &analysis);
}

const struct app_panel app_panel_latency = {KRN_TOPIC_LATENCY, draw};
