/* Constant memory by bounces: the time over that from global memory, and the share of a warp's
 * reads that are at one address, for the tree kernel and the brute kernel. */
#include "hud/panels/names.h"

#include "base/value.h"

#include "krn/light.h"

#include <math.h>
#include <stdio.h>

enum { TREE, BRUTE, KERNELS };

static const char *const names[KERNELS] = {"tree", "brute"};

static ren_colour colour_of(const struct app_brush *brush, int kernel)
{
    return app_panel_colour(brush, 2 * kernel);
}

/* Returns the result of a kernel's series with so many bounces; NULL: it is not offered. */
static const struct app_probe_result *result_of(const struct app_panels_view *view, int kernel,
                                                const char *storage, int bounces)
{
    char series[KRN_SERIES_NAME];
    snprintf(series, sizeof series, "%s/%s", names[kernel], storage);
    return app_probe_result_find(&view->probes, KRN_TOPIC_BOUNCES, series, bounces);
}

/* Collects the ratios of the times, as the analysis has them at its ends. */
static void collect_ratios(const struct app_panels_view *view, int kernel,
                           struct app_panel_curve *curve)
{
    static const enum app_metric metrics[] = {APP_METRIC_NET_TIME, APP_METRIC_TIME};
    curve->n = 0;
    for (int bounces = 0; bounces <= KRN_BOUNCES_MAX; bounces++)
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
            const struct app_estimate ratio = app_estimate_ratio(
                app_metric_of(&view->probes, result_of(view, kernel, "constant", bounces),
                              metrics[m]),
                app_metric_of(&view->probes, result_of(view, kernel, "global", bounces),
                              metrics[m]));
            if (!ratio.valid)
                continue;
            curve->x[curve->n] = bounces;
            curve->y[curve->n++] = ratio.value;
            break;
        }
}

/* Collects the shares of reads at one address, in percent. */
static void collect_shares(const struct app_panels_view *view, int kernel,
                           struct app_panel_curve *curve)
{
    curve->n = 0;
    for (int bounces = 0; bounces <= KRN_BOUNCES_MAX; bounces++) {
        const struct app_probe_result *result = result_of(view, kernel, "constant", bounces);
        if (result == NULL || result->n == 0 || !(result->probe->uniform > 0.0))
            continue;
        curve->x[curve->n] = bounces;
        curve->y[curve->n++] = 100.0 * result->probe->uniform;
    }
}

/* Draws both kernels' curves over the bounces below a title. level: a dashed line; 0: none. */
static void draw_curves(const struct app_brush *brush, struct ren_rect area,
                        const char *const *titles, const struct app_panel_curve curves[KERNELS],
                        double most, double level)
{
    static const struct app_panel_tick x[] = {{0.0, "0"},  {1.0, NULL}, {2.0, "2"},
                                              {3.0, NULL}, {4.0, "4"},  {5.0, NULL},
                                              {6.0, "6"},  {7.0, NULL}, {8.0, "8"}};
    const float u = brush->unit;
    char texts[3][24];
    struct app_panel_tick y[3];
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, area.y + 8.0f * u, area.w,
                      brush->colours->quiet, titles);
    area.y += 15.0f * u;
    area.h -= 15.0f * u;
    app_panel_ticks(most, texts, y);
    const struct app_panel_axes spec = {.x_low = 0.0,
                                        .x_high = KRN_BOUNCES_MAX,
                                        .y_high = most,
                                        .x = x,
                                        .x_count = sizeof x / sizeof *x,
                                        .y = y,
                                        .y_count = 3};
    const struct ren_axes axes = app_panel_axes(brush, area, &spec);
    struct app_panel_names placed = app_panel_names_none();
    if (level > 0.0) {
        const float at = ren_plot_y(&axes, level),
                    xy[4] = {axes.area.x, at, axes.area.x + axes.area.w, at};
        app_panel_level(brush, &axes, level, fmaxf(1.0f, u), 5.0f * u, brush->colours->quiet);
        app_panel_avoid(&placed, xy, NULL);
    }
    for (int kernel = KERNELS - 1; kernel >= 0; kernel--) {
        app_panel_line(brush, &axes, &curves[kernel], kernel == BRUTE, colour_of(brush, kernel));
        app_panel_avoid_curve(&placed, &axes, &curves[kernel]);
    }
    for (int kernel = 0; kernel < KERNELS; kernel++)
        if (curves[kernel].n > 0)
            app_panel_name_point(brush, &axes, &curves[kernel], curves[kernel].n / 2,
                                 colour_of(brush, kernel), names[kernel], &placed);
}

/* Draws the ratio at the most bounces in large digits, and what the reads are like beside it;
 * returns the height that it takes. */
static float draw_last(const struct app_brush *brush, struct ren_rect area,
                       const struct app_panels_view *view)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_BOUNCES, &view->probes, &analysis);
    const struct app_finding *tree = app_finding(&analysis, names[TREE]),
                             *brute = app_finding(&analysis, names[BRUTE]);
    char other[48] = "", first[96], second[128], shorter[96];
    float x = area.x;
    if (!tree->value.valid) {
        x += 10.0f * u + app_draw_text(brush, REN_FACE_MONO_BOLD, 30.0f, area.x, area.y + 25.0f * u,
                                       REN_ALIGN_LEFT, c->quiet, "–");
    } else {
        const struct app_described said = app_describe(tree->value, (struct app_form){.unit = "×"});
        x = 10.0f * u + app_panel_headline(brush, 30.0f, area.x, area.y + 25.0f * u, &said);
    }
    if (app_trust_no_verdict(tree->value.trust))
        return 36.0f * u;
    if (brute->value.valid)
        app_format(other, sizeof other, "; brute %s×",
                   app_number_plain(brute->value.value, "").value);
    app_format(first, sizeof first, "tree, up to %d bounces%s", KRN_BOUNCES_MAX, other);
    const struct krn_probe *probe = tree->of ? tree->of->probe : NULL;
    if (tree->value.valid && probe && probe->uniform > 0.0) {
        app_format(second, sizeof second,
                   "%.0f %% of its reads at 1 address in bounce %d, %.1f addresses on average",
                   100.0 * probe->uniform, KRN_BOUNCES_MAX, probe->addresses);
        app_format(shorter, sizeof shorter, "%.0f %% of reads at 1 address",
                   100.0 * probe->uniform);
    } else {
        snprintf(second, sizeof second, "%s", "a brute warp reads one sphere at a time");
        snprintf(shorter, sizeof shorter, "%s", "");
    }
    const char *const firsts[] = {first, "tree, 8 bounces", NULL}, *const seconds[] = {
                                                                       second, shorter, "", NULL};
    const float width = area.x + area.w - x;
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_TEXT, x, area.y + 11.0f * u, width,
                      c->text, firsts);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, area.y + 26.0f * u, width, c->quiet,
                      seconds);
    return 36.0f * u;
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    struct app_panel_curve ratios[KERNELS], shares[KERNELS];
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        collect_ratios(view, kernel, &ratios[kernel]);
        collect_shares(view, kernel, &shares[kernel]);
    }
    const float gap = 14.0f * brush->unit, half = (area.w - gap) / 2.0f,
                used = draw_last(brush, area, view);
    const struct ren_rect left = {area.x, area.y + used, half, area.h - used},
                          right = {area.x + half + gap, left.y, half, left.h};
    const double most = fmax(2.0, ceil(1.05 * app_panel_greatest(ratios, KERNELS)));
    const char *const times[] = {"constant / global, by most bounces", "constant / global", NULL},
                      *const reads[] = {"% of reads at 1 address, by bounce", "% at 1 address",
                                        NULL};
    draw_curves(brush, left, times, ratios, most, 1.0);
    draw_curves(brush, right, reads, shares, 100.0, 0.0);
}

const struct app_panel app_panel_bounces = {KRN_TOPIC_BOUNCES, draw};
