/* Transfers: the rate over the size, between host and device, and the time of the smallest. */
#include "hud/panels/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* To the device solid, back dashed; pinned and pageable differ in colour. */
static const struct way {
    const char *series, *name;
    int colour;
    bool dashed;
} cuda_ways[] = {{"pinned/up", "pinned ↑", 0, false},
                 {"pinned/down", "pinned ↓", 0, true},
                 {"pageable/up", "pageable ↑", 3, false},
                 {"pageable/down", "pageable ↓", 3, true}},
  cpu_ways[] = {{"copy", "memory", 0, false}};

enum { WAYS = 4 };

/* Draws the list beside the plot: each curve's line style and best rate, and the least time of
 * all. */
static void draw_list(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view, const struct way *ways, int count)
{
    const float u = brush->unit, right = area.x + area.w;
    const float pitch =
        fminf(fmaxf((area.h - 12.0f * u) / (float)(count + 1), 17.0f * u), 24.0f * u);
    float y = area.y + 10.0f * u;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_TRANSFER, &view->probes, &analysis);
    const struct app_finding *shortest = app_finding(&analysis, "shortest");
    for (int i = 0; i < count; i++) {
        const struct app_estimate most = app_metric_of(
            &view->probes,
            app_probe_result_find(&view->probes, KRN_TOPIC_TRANSFER, ways[i].series, -1.0),
            APP_METRIC_GBPS);
        const ren_colour colour = app_panel_colour(brush, ways[i].colour);
        const float line = y - 4.0f * u;
        for (int part = 0; part < 2; part++)
            ren_list_fill(brush->list,
                          (struct ren_rect){area.x + (float)part * 9.0f * u, line,
                                            (ways[i].dashed ? 6.0f : 9.0f) * u, 2.0f * u},
                          0.0f, colour);
        /* The unit is the plot's for every number. */
        app_panel_row(brush, area.x + 23.0f * u, right, y, ways[i].name,
                      app_number_plain(most.valid ? most.value : -1.0, "").value);
        y += pitch;
    }
    if (!shortest->value.valid || y + 2.0f * u > area.y + area.h)
        return;
    char size[24];
    app_number_bytes(shortest->of->probe->x, size, sizeof size);
    const size_t used = strlen(size);
    snprintf(size + used, sizeof size - used, " in");
    app_panel_row(brush, area.x, right, y + 2.0f * u, size,
                  app_describe(shortest->value, app_metric_form(APP_METRIC_TIME, 0.0)).text);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const float u = brush->unit;
    const bool warps = app_panel_warps(view);
    const struct way *ways = warps ? cuda_ways : cpu_ways;
    const int count = warps ? WAYS : 1;
    static const struct app_panel_tick x[] = {
        {4096.0, "4K"}, {1048576.0, "1M"}, {268435456.0, "256M"}};
    struct app_panel_curve curves[WAYS];
    for (int i = 0; i < count; i++)
        app_panel_curve(view, KRN_TOPIC_TRANSFER, ways[i].series, APP_METRIC_GBPS, true,
                        &curves[i]);
    /* The list is as wide as its longest name and a number; the plot takes the rest. */
    const char *const numbers[] = {"0.000", NULL};
    float list = 0.0f;
    for (int i = 0; i < count; i++)
        list = fmaxf(
            list, ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_TEXT * u, ways[i].name));
    list += 35.0f * u + app_draw_widest(brush, REN_FACE_MONO, APP_PANEL_TEXT, numbers);
    list = fmaxf(list, 140.0f * u);
    const struct ren_rect plot = {area.x, area.y, area.w - list - 12.0f * u, area.h};
    const struct ren_axes axes =
        app_panel_axes_to(brush, plot, x, 3, app_panel_greatest(curves, count));
    for (int i = 0; i < count; i++)
        app_panel_line(brush, &axes, &curves[i], ways[i].dashed,
                       app_panel_colour(brush, ways[i].colour));
    draw_list(brush, (struct ren_rect){area.x + area.w - list, area.y, list, area.h}, view, ways,
              count);
}

const struct app_panel app_panel_transfer = {KRN_TOPIC_TRANSFER, draw};
