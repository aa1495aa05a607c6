/* Instruction-level parallelism: the threads that fill one multiprocessor, by independent chains
 * per thread, with the points that Little's law predicts. */
#include "hud/panels/parts.h"

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

static void draw_upright(const struct app_brush *brush, float x, float bottom, float top,
                         ren_colour colour)
{
    const float u = brush->unit, wide = fmaxf(1.5f * u, 1.0f);
    for (float y = bottom; y - 3.0f * u >= top; y -= 5.0f * u)
        ren_list_fill(brush->list, (struct ren_rect){x - wide / 2.0f, y - 3.0f * u, wide, 3.0f * u},
                      0.0f, colour);
}

/* Marks the knee that Little's law predicts for each curve, by an upright line in the curve's
 * colour. Returns false where the latency is unknown. */
static bool draw_little(const struct app_brush *brush, const struct ren_axes *axes,
                        const struct app_analysis *analysis)
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
        draw_upright(brush, ren_plot_x(axes, at), bottom, ren_plot_y(axes, 100.0),
                     app_panel_colour(brush, i));
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

/* Draws the names of the open circles and, where there is room, of the upright lines, from the
 * right. */
static void draw_legend(const struct app_brush *brush, float left, float right, float y)
{
    const float u = brush->unit, radius = 4.5f * u;
    const struct app_colours *c = brush->colours;
    right -= 5.0f * u + 2.0f * radius +
             app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                           c->quiet, "GTX 480");
    ren_list_outline(brush->list,
                     (struct ren_rect){right, y - 8.8f * u, 2.0f * radius, 2.0f * radius}, radius,
                     1.8f * u, c->text);
    right -= 10.0f * u;
    const char *const law = "Little";
    const float width =
        ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, law) + 7.0f * u;
    if (right - width < left)
        return;
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT, c->quiet, law);
    draw_upright(brush, right - width, y + u, y - 11.0f * u, c->quiet);
}

static void draw_cuda(const struct app_brush *brush, struct ren_rect area,
                      const struct app_panels_view *view)
{
    const float u = brush->unit, right = area.x + area.w;
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
    const float below = 16.0f * u;
    const struct ren_axes axes =
        app_panel_axes(brush, (struct ren_rect){area.x, area.y, area.w, area.h - below}, &spec);
    ren_plot_level(brush->list, &axes, app_finding(&analysis, "level")->value.value, fmaxf(1.0f, u),
                   5.0f * u, c->quiet);
    const bool law = draw_little(brush, &axes, &analysis);
    for (int i = CHAINS - 1; i >= 0; i--)
        app_panel_line(brush, &axes, &curves[i], false, app_panel_colour(brush, i));
    for (int i = 0; i < PUBLISHED; i++)
        ren_plot_circle(brush->list, &axes, log2(published_threads[i]), 100.0, 4.5f * u, 1.8f * u,
                        c->text);
    struct app_panel_names names = {.count = 0};
    for (int i = 0; i < CHAINS; i++) {
        char name[8];
        snprintf(name, sizeof name, "%d", chains[i]);
        app_panel_name_curve(brush, &axes, &curves[i], 45.0, app_panel_colour(brush, i), name,
                             &names);
    }
    char text[96];
    const float y_text = area.y + area.h - 2.0f * u;
    describe_level(&analysis, text, sizeof text);
    const float width = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, area.x, y_text,
                                      REN_ALIGN_LEFT, c->text, text);
    draw_legend(brush, law ? area.x + width + 8.0f * u : right, right, y_text);
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
