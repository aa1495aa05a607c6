/* Reads of a small table: constant memory slows down with the number of different addresses in a
 * warp, as predicted; and the reach of each cache. Keys move a marker along the numbers of
 * addresses. */
#include "hud/panels/names.h"

#include "base/value.h"
#include "command/keys.h"
#include "topics/divergence.h"

#include <math.h>

enum { KINDS = 2 };

/* Returns a kind's colour: that of its storage. */
static ren_colour colour_of(const struct app_brush *brush, int kind)
{
    return brush->colours->storages[kind == 0 ? KRN_STORAGE_CONSTANT : KRN_STORAGE_GLOBAL];
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

/* Names the curves left of their right ends, where they differ most. names: what else to avoid. */
static void name_kinds(const struct app_brush *brush, const struct ren_axes *axes,
                       const struct app_panel_curve curves[KINDS], struct app_panel_names *names)
{
    static const char *const words[KINDS] = {"constant", "global"};
    const float u = brush->unit, bottom = axes->area.y + axes->area.h;
    for (int k = 0; k < KINDS; k++)
        app_panel_avoid_curve(names, axes, &curves[k]);
    for (int k = 0; k < KINDS; k++) {
        if (curves[k].n < 2)
            continue;
        const size_t last = curves[k].n - 1;
        const float end = ren_plot_y(axes, curves[k].y[last]);
        const float y = end + (k == 0 ? 5.0f : bottom - end > 13.0f * u ? 9.0f : -10.0f) * u;
        (void)app_panel_name_near(
            brush, axes, ren_plot_x(axes, curves[k].x[last]) - (k == 0 ? 44.0f : 20.0f) * u, y,
            colour_of(brush, k), words[k], names);
    }
}

/* Returns a colour for each group of lanes that read one address. Neighbours differ in lightness,
 * so that they stay apart. */
static ren_colour group_colour(const struct app_brush *brush, int group)
{
    const ren_colour colour = brush->colours->curves[group % APP_CURVE_COLOURS];
    /* The same colours again, each time paler. */
    const unsigned opaque = 0xffu - 0x28u * (unsigned)(group / APP_CURVE_COLOURS % 5);
    return (colour & 0xffffff00u) | opaque;
}

/* Draws the 32 lanes of a warp above the addresses that they read: lane n reads address n modulo
 * their number, in its colour. */
static void draw_lanes(const struct app_brush *brush, struct ren_rect box, int addresses)
{
    const float step = box.w / KRN_LANES, high = floorf(0.42f * box.h),
                room = fminf(box.w / (float)addresses, 4.0f * step);
    for (int lane = 0; lane < KRN_LANES; lane++)
        app_draw_shape(brush,
                       (struct ren_rect){box.x + (float)lane * step, box.y, 0.75f * step, high},
                       0.0f, group_colour(brush, lane % addresses));
    for (int n = 0; n < addresses; n++)
        app_draw_shape(brush,
                       (struct ren_rect){box.x + (float)n * room, box.y + box.h - high,
                                         room - 0.25f * step, high},
                       0.0f, group_colour(brush, n));
}

/* Collects the slow-down over 1 to 32 addresses, on logarithmic axes. */
static void collect(const struct app_panels_view *view, enum app_divergent memory,
                    struct app_panel_curve *curve)
{
    curve->n = 0;
    for (int n = 1; n <= KRN_LANES; n++) {
        const struct app_estimate measured = app_divergence_measured(&view->probes, memory, n);
        if (!measured.valid || !(measured.value > 0.0))
            continue;
        curve->x[curve->n] = log2(n);
        curve->y[curve->n++] = fmax(log2(measured.value), 0.0);
    }
}

/* Draws a dot on each curve at the chosen number, and a line through both. */
static void draw_marker(const struct app_brush *brush, const struct ren_axes *axes,
                        const struct app_panels_view *view, int addresses,
                        struct app_panel_names *names)
{
    const float u = brush->unit, x = ren_plot_x(axes, log2(addresses));
    const struct ren_rect *area = &axes->area;
    const float xy[4] = {x, area->y, x, area->y + area->h};
    ren_list_line(brush->list, x, area->y, x, area->y + area->h, fmaxf(1.0f, u),
                  brush->colours->text);
    app_draw_piece(brush, xy, NULL);
    app_panel_avoid(names, xy, NULL);
    for (int k = 0; k < KINDS; k++) {
        const struct app_estimate measured =
            app_divergence_measured(&view->probes, (enum app_divergent)k, addresses);
        if (measured.valid && measured.value > 0.0)
            ren_plot_circle(brush->list, axes, log2(addresses), fmax(log2(measured.value), 0.0),
                            4.0f * u, 4.0f * u, colour_of(brush, k));
    }
}

/* Draws the time over that of one address, on logarithmic axes, and the prediction for constant
 * memory, the diagonal. */
static void draw_addresses(const struct app_brush *brush, struct ren_rect area,
                           const struct app_panels_view *view, int addresses)
{
    static const struct app_panel_tick x[] = {{1.0, "1"},  {2.0, NULL},  {4.0, "4"},
                                              {8.0, NULL}, {16.0, NULL}, {32.0, "32"}},
                                       y[] = {{0.0, "1×"}, {2.0, "4×"}, {5.0, "32×"}};
    struct app_panel_curve curves[KINDS], predicted = {.n = 2, .x = {0.0, 5.0}, .y = {0.0, 5.0}};
    for (int k = 0; k < KINDS; k++)
        collect(view, (enum app_divergent)k, &curves[k]);
    const char *const titles[] = {"slow-down, addresses per warp", "slow-down, addresses",
                                  "slower, addresses", NULL};
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
    app_panel_line(brush, &axes, &predicted, true, brush->colours->quiet);
    struct app_panel_names names = app_panel_names_none();
    app_panel_avoid_curve(&names, &axes, &predicted);
    draw_marker(brush, &axes, view, addresses, &names);
    for (int k = KINDS - 1; k >= 0; k--)
        app_panel_line(brush, &axes, &curves[k], k == 1, colour_of(brush, k));
    name_kinds(brush, &axes, curves, &names);
}

/* Draws, for the chosen number of addresses, the measured slow-down in large digits, the predicted
 * one beside it, and the lanes; returns the height that it takes. */
static float draw_chosen(const struct app_brush *brush, struct ren_rect area,
                         const struct app_panels_view *view, int addresses)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    const struct app_estimate measured = app_divergence_measured(&view->probes,
                                                                 APP_DIVERGENT_CONSTANT, addresses),
                              global = app_divergence_measured(&view->probes, APP_DIVERGENT_GLOBAL,
                                                               addresses);
    char predicted[64], shorter[48], at[96], keys[64], beside[96], keys_left_out[32];
    const struct app_described said = app_describe(measured, (struct app_form){.unit = "×"});
    float x = area.x;
    if (measured.valid)
        x = 10.0f * u + app_panel_headline(brush, 30.0f, area.x, area.y + 25.0f * u, &said);
    else
        x += 10.0f * u + app_draw_text(brush, REN_FACE_MONO_BOLD, 30.0f, area.x, area.y + 25.0f * u,
                                       REN_ALIGN_LEFT, c->quiet, "–");
    app_format(predicted, sizeof predicted, "predicted %.1f×, measured %s×",
               app_divergence_predicted(APP_DIVERGENT_CONSTANT, addresses),
               app_number_plain(measured.valid ? measured.value : -1.0, "").value);
    app_format(shorter, sizeof shorter, "predicted %.1f×",
               app_divergence_predicted(APP_DIVERGENT_CONSTANT, addresses));
    app_key_hints("{addresses}", keys, sizeof keys);
    app_format(beside, sizeof beside, "at %d address%s: keys %s", addresses,
               addresses == 1 ? "" : "es", keys);
    app_format(keys_left_out, sizeof keys_left_out, "at %d address%s", addresses,
               addresses == 1 ? "" : "es");
    app_format(at, sizeof at, "%s; global %s×", beside,
               app_number_plain(global.valid ? global.value : -1.0, "").value);
    /* The lanes stand on the right where there is room for them, else below. */
    const bool right = area.w > 420.0f * u;
    const float lanes = 190.0f * u,
                width = area.x + area.w - x - (right ? lanes + 14.0f * u : 0.0f);
    const char *const first[] = {predicted, shorter, NULL}, *const second[] = {at, beside,
                                                                               keys_left_out, NULL};
    if (!app_trust_no_verdict(measured.trust)) {
        app_draw_text_fit(brush, REN_FACE_SANS_BOLD, right ? APP_PANEL_TITLE : APP_PANEL_TEXT, x,
                          area.y + 11.0f * u, width, c->text, first);
        app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, area.y + 26.0f * u, width,
                          c->quiet, second);
    }
    const struct ren_rect box =
        right ? (struct ren_rect){area.x + area.w - lanes, area.y + 3.0f * u, lanes, 24.0f * u}
              : (struct ren_rect){area.x, area.y + 32.0f * u, area.w, 15.0f * u};
    draw_lanes(brush, box, addresses);
    return (right ? 34.0f : 52.0f) * u;
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
    struct app_panel_names names = app_panel_names_none();
    name_kinds(brush, &axes, curves, &names);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const int addresses = view->addresses > 0 ? view->addresses : 1;
    const float gap = 14.0f * brush->unit, half = (area.w - gap) / 2.0f,
                used = draw_chosen(brush, area, view, addresses);
    const struct ren_rect plots = {area.x, area.y + used, area.w, area.h - used};
    draw_addresses(brush, (struct ren_rect){plots.x, plots.y, half, plots.h}, view, addresses);
    draw_walk(brush, (struct ren_rect){plots.x + half + gap, plots.y, half, plots.h}, view);
}

const struct app_panel app_panel_constant = {KRN_TOPIC_CONSTANT, draw};
