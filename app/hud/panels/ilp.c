/* Instruction-level parallelism: the threads that fill one multiprocessor, by independent chains
 * per thread, with the points that Little's law predicts. */
#include "hud/panels/names.h"

#include "base/value.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CHAINS = 5, PUBLISHED = 4 };

static const int chains[CHAINS] = {1, 2, 3, 4, 8};
/* Threads that fill a multiprocessor of a GTX 480 in V. Volkov's slides, ILP 1 to 4. */
static const double published_threads[PUBLISHED] = {576.0, 320.0, 256.0, 192.0};

static void series_of(int i, char *series, size_t size)
{
    snprintf(series, size, "ilp%d", chains[i]);
}

/* Marks the knee that Little's law predicts for each curve, by an upright line in the curve's
 * colour. Returns false where the latency is unknown. */
static bool draw_little(const struct app_brush *brush, const struct ren_axes *axes,
                        const struct app_analysis *analysis, struct app_panel_names *names)
{
    const float bottom = axes->area.y + axes->area.h;
    const struct app_estimate needed = app_finding(analysis, "needed")->value;
    if (!needed.valid)
        return false;
    for (int i = 0; i < CHAINS; i++) {
        const double threads = needed.value / chains[i];
        const double at = log2(threads);
        if (!(at >= axes->x_low && at <= axes->x_high))
            continue;
        const float x = ren_plot_x(axes, at), top = ren_plot_y(axes, 100.0),
                    xy[4] = {x, bottom, x, top};
        app_panel_upright(brush, x, bottom, top, app_panel_colour(brush, i));
        app_panel_avoid(names, xy, NULL);
    }
    return true;
}

/* Writes "90 % at 512 256 171 128", the threads of ILP 1 to 4; "" while none of them is known. */
static void describe_level(const struct app_analysis *analysis, char *text, size_t size)
{
    bool any = false;
    app_format(text, size, "%.0f %% at", app_finding(analysis, "level")->value.value);
    for (int i = 0; i < PUBLISHED; i++) {
        char series[16];
        series_of(i, series, sizeof series);
        const size_t used = strlen(text);
        const struct app_estimate threads = app_finding(analysis, series)->value;
        const bool reached = threads.valid && isfinite(threads.value);
        any = any || reached;
        if (reached)
            app_format(text + used, size - used, " %.0f", threads.value);
        else
            snprintf(text + used, size - used, " –");
    }
    if (!any)
        text[0] = '\0';
}

static const char law_name[] = "Little";

/* Returns the width of the legend. */
static float legend_width(const struct app_brush *brush, bool law)
{
    const float u = brush->unit, size = APP_PANEL_SMALL * u;
    const float circle =
        14.0f * u + ren_text_width(brush->renderer, REN_FACE_SANS, size, "GTX 480");
    return law ? circle + 17.0f * u + ren_text_width(brush->renderer, REN_FACE_SANS, size, law_name)
               : circle;
}

/* Draws the names of the open circles and of the upright lines, from the right. */
static void draw_legend(const struct app_brush *brush, float right, float y, bool law)
{
    const float u = brush->unit, radius = 4.5f * u;
    const struct app_colours *c = brush->colours;
    right -= 5.0f * u + 2.0f * radius +
             app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                           c->quiet, "GTX 480");
    ren_list_outline(brush->list,
                     (struct ren_rect){right, y - 8.8f * u, 2.0f * radius, 2.0f * radius}, radius,
                     1.8f * u, c->quiet);
    if (!law)
        return;
    right -= 10.0f * u;
    right -= 7.0f * u + app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y,
                                      REN_ALIGN_RIGHT, c->quiet, law_name);
    app_panel_upright(brush, right, y + u, y - 11.0f * u, c->quiet);
}

/* Draws the law's numbers, as far as there is room: "4.02 cycles × 128 lanes: 515 in flight". */
static void draw_law(const struct app_brush *brush, float x, float y, float width,
                     const struct app_panels_view *view, const struct app_analysis *analysis)
{
    const struct app_estimate needed = app_finding(analysis, "needed")->value;
    const double latency = app_finding(analysis, "latency")->value.value;
    char whole[64], part[48], least[32];
    if (!needed.valid)
        return;
    app_format(whole, sizeof whole, "%.2f cycles × %.0f lanes: %.0f in flight", latency,
               view->probes.ceilings.fma_per_cycle, needed.value);
    app_format(part, sizeof part, "%.2f cycles: %.0f in flight", latency, needed.value);
    app_format(least, sizeof least, "%.2f cycles", latency);
    const char *const texts[] = {whole, part, least, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y, width, brush->colours->quiet,
                      texts);
}

/* Draws the text below the plot. The second line takes what the first one has no room for, where
 * there are two. */
static void draw_below(const struct app_brush *brush, struct ren_rect area, bool two, bool law,
                       const struct app_panels_view *view, const struct app_analysis *analysis)
{
    const float u = brush->unit, right = area.x + area.w, last = area.y + area.h - 2.0f * u,
                first = two ? last - 16.0f * u : last;
    char text[96];
    describe_level(analysis, text, sizeof text);
    const float level = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, area.x, first,
                                      REN_ALIGN_LEFT, brush->colours->text, text),
                legend = legend_width(brush, law), gap = 12.0f * u;
    const bool beside = level + gap + legend <= area.w;
    if (beside)
        draw_legend(brush, right, first, law);
    else if (two)
        draw_legend(brush, right, last, law);
    else if (level + gap + legend_width(brush, false) <= area.w)
        draw_legend(brush, right, first, false);
    if (two)
        draw_law(brush, area.x, last, area.w - (beside ? 0.0f : legend + gap), view, analysis);
}

static void draw_cuda(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    static const struct app_panel_tick x[] = {{32.0, "32"},   {64.0, "64"},   {128.0, "128"},
                                              {256.0, "256"}, {512.0, "512"}, {1024.0, "1024"}},
                                       y[] = {{0.0, "0"}, {50.0, "50"}, {100.0, "100"}};
    const struct app_panel_axes spec = {.x_low = 5.0,
                                        .x_high = 10.0,
                                        .y_high = 108.0,
                                        .log_x = true,
                                        .x = x,
                                        .x_count = 6,
                                        .y = y,
                                        .y_count = 3};
    struct app_panel_curve curves[CHAINS];
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ILP, &view->probes, &analysis);
    for (int i = 0; i < CHAINS; i++) {
        char series[16];
        series_of(i, series, sizeof series);
        app_panel_curve(view, KRN_TOPIC_ILP, series, APP_METRIC_OF_PEAK_CYCLES, true, &curves[i]);
    }
    const bool two = area.h >= 120.0f * u;
    const float below = (two ? 32.0f : 16.0f) * u;
    const struct ren_axes axes =
        app_panel_axes(brush, (struct ren_rect){area.x, area.y, area.w, area.h - below}, &spec);
    app_panel_level(brush, &axes, app_finding(&analysis, "level")->value.value, fmaxf(1.0f, u),
                    5.0f * u, c->quiet);
    struct app_panel_names names = app_panel_names_none();
    const bool law = draw_little(brush, &axes, &analysis, &names);
    for (int i = CHAINS - 1; i >= 0; i--)
        app_panel_line(brush, &axes, &curves[i], false, app_panel_colour(brush, i));
    for (int i = 0; i < PUBLISHED; i++)
        ren_plot_circle(brush->list, &axes, log2(published_threads[i]), 100.0, 4.5f * u, 1.8f * u,
                        c->quiet); /* as in the legend; a recorded run has text of its own colour */
    for (int i = 0; i < CHAINS; i++)
        app_panel_avoid_curve(&names, &axes, &curves[i]);
    for (int i = 0; i < CHAINS; i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", chains[i]);
        app_panel_name_curve(brush, &axes, &curves[i], 45.0, app_panel_colour(brush, i), name,
                             &names);
    }
    draw_below(brush, area, two, law, view, &analysis);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    if (app_panel_warps(view))
        draw_cuda(brush, area, view);
    else
        app_panel_threads(brush, area, view, KRN_TOPIC_ILP, APP_METRIC_GFLOPS, SIZE_MAX);
}

const struct app_panel app_panel_ilp = {KRN_TOPIC_ILP, draw};
