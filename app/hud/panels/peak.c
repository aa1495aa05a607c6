/* The roofline: both roofs, measured and computed, and every kernel of the program as a point over
 * its operations per byte; the roofs of the article's GPU below. All axes are logarithmic. */
#include "hud/panels/names.h"

#include "base/value.h"
#include "topics/roofline/roofline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The article's GPU, Tesla M2050: GFLOP/s of single and double precision, and GB/s. */
static const double m2050_single = 1030.0, m2050_double = 515.0, m2050_gbps = 148.0;

/* Units of width from which labels are whole. */
static const float wide_units = 420.0f;

enum { BOXES = 96, TICKS = 12, PIECES = 24 };

/* A plot being drawn. Its axes show log10 of the data; y begins at y_low. */
struct plot {
    const struct app_brush *brush;
    struct ren_axes axes;
    double y_low;
    bool wide;
    struct ren_rect boxes[BOXES]; /* of markers and labels so far */
    int count;
    float pieces[PIECES][4]; /* of roofs and of the ridge */
    int piece_count;
};

/* --- the plot's coordinates --- */

static float x_of(const struct plot *plot, double intensity)
{
    const double at = log10(intensity);
    return ren_plot_x(&plot->axes, fmin(fmax(at, plot->axes.x_low), plot->axes.x_high));
}

static float y_of(const struct plot *plot, double gflops)
{
    return ren_plot_y(&plot->axes, log10(gflops) - plot->y_low);
}

/* Returns the rate that places a point: a copy, which computes nothing, lies on the left edge at
 * its bandwidth. */
static double height_of(const struct plot *plot, const struct app_roofline_point *point)
{
    if (point->operations > 0.0)
        return point->gflops.value;
    return point->gbps.value * pow(10.0, plot->axes.x_low);
}

/* --- axes --- */

/* Writes a power of ten with an SI prefix: "0.1", "10", "1k", "10T". scale: its unit in powers of
 * ten. */
static void write_power(int power, int scale, char *text, size_t size)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    const int all = power + scale;
    if (all < 0)
        snprintf(text, size, "%.*f", -all, pow(10.0, all));
    else
        snprintf(text, size, "%d%s",
                 all % 3 == 0   ? 1
                 : all % 3 == 1 ? 10
                                : 100,
                 prefixes[all / 3 < 6 ? all / 3 : 5]);
}

/* Fills ticks at the powers of ten of a range; labels every `step`-th. */
static int fill_ticks(double low, double high, double from, int scale, int step,
                      char texts[TICKS][8], struct app_panel_tick ticks[TICKS])
{
    int n = 0;
    for (int power = (int)ceil(low - 1e-9); power <= (int)floor(high + 1e-9) && n < TICKS;
         power++) {
        write_power(power, scale, texts[n], sizeof texts[n]);
        ticks[n] = (struct app_panel_tick){power - from, n % step == 0 ? texts[n] : NULL};
        n++;
    }
    return n;
}

/* Draws axes that hold the roofs and all points. */
static void begin(struct plot *plot, const struct app_brush *brush, struct ren_rect area,
                  const struct app_roofline *roofline)
{
    double x_high = 2.5, low = INFINITY, high = log10(m2050_single);
    const double tops[] = {roofline->single.computed, roofline->single.measured.value,
                           roofline->twice.computed, roofline->twice.measured.value};
    for (int i = 0; i < 4; i++)
        high = tops[i] > 0.0 ? fmax(high, log10(tops[i])) : high;
    for (int i = 0; i < roofline->count; i++) {
        const struct app_roofline_point *point = &roofline->points[i];
        if (point->operations > 0.0 && isfinite(point->intensity))
            x_high = fmax(x_high, log10(point->intensity) + 0.3);
        if (point->operations > 0.0) {
            low = fmin(low, log10(point->gflops.value));
            high = fmax(high, log10(point->gflops.value));
        }
    }
    const float u = brush->unit;
    *plot = (struct plot){.brush = brush, .wide = area.w >= wide_units * u};
    plot->y_low = floor(fmin(low, high - 2.0));
    /* Room for a label above the highest roof. */
    const double span = high - plot->y_low,
                 head = span * 20.0 / fmax((double)(area.h / u) - 40.0, 30.0);
    char x_texts[TICKS][8], y_texts[TICKS][8];
    struct app_panel_tick x[TICKS], y[TICKS];
    const int step = (double)(area.h / u) / (span + head) < 22.0 ? 2 : 1;
    struct app_panel_axes spec = {
        .x_low = -1.0, .x_high = x_high, .y_high = span + head, .x = x, .y = y};
    spec.x_count = fill_ticks(spec.x_low, x_high, 0.0, 0, 1, x_texts, x);
    spec.y_count =
        fill_ticks(plot->y_low, plot->y_low + spec.y_high, plot->y_low, 9, step, y_texts, y);
    plot->axes = app_panel_axes(brush, area, &spec);
}

/* --- labels --- */

static bool is_free(const struct plot *plot, struct ren_rect box)
{
    const struct ren_rect *area = &plot->axes.area;
    if (box.x < area->x || box.x + box.w > area->x + area->w || box.y < area->y ||
        box.y + box.h > area->y + area->h)
        return false;
    for (int i = 0; i < plot->count; i++) {
        const struct ren_rect o = plot->boxes[i];
        if (box.x < o.x + o.w && o.x < box.x + box.w && box.y < o.y + o.h && o.y < box.y + box.h)
            return false;
    }
    const struct ren_rect text = {box.x, box.y + 2.0f * plot->brush->unit, box.w,
                                  box.h - 3.0f * plot->brush->unit};
    for (int i = 0; i < plot->piece_count; i++)
        if (app_panel_crosses(plot->pieces[i], text))
            return false;
    return true;
}

/* Adds a line that labels avoid, as far as it is inside the axes' height. */
static void avoid(struct plot *plot, float x0, float y0, float x1, float y1)
{
    const struct ren_rect *area = &plot->axes.area;
    const float bottom = area->y + area->h, xy[4] = {x0, fminf(fmaxf(y0, area->y), bottom), x1,
                                                     fminf(fmaxf(y1, area->y), bottom)};
    app_draw_piece(plot->brush, xy, NULL);
    if (plot->piece_count == PIECES)
        return;
    for (int i = 0; i < 4; i++)
        plot->pieces[plot->piece_count][i] = xy[i];
    plot->piece_count++;
}

static void keep(struct plot *plot, struct ren_rect box)
{
    if (plot->count < BOXES)
        plot->boxes[plot->count++] = box;
}

/* Draws a label in a box whose middle is (x, y), on a patch of the background; returns false when
 * its place is taken. */
static bool label_at(struct plot *plot, float x, float y, ren_colour colour, const char *text)
{
    const struct app_brush *brush = plot->brush;
    const float u = brush->unit, pixels = APP_PANEL_SMALL * u;
    const float width = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, pixels, text);
    const float cap = ren_face_metrics(brush->renderer, REN_FACE_SANS_BOLD).cap_height * pixels;
    const struct ren_rect box = {x - width / 2.0f - u, y - cap / 2.0f - 3.0f * u, width + 2.0f * u,
                                 cap + 6.0f * u};
    if (plot->count == BOXES || !is_free(plot, box))
        return false;
    keep(plot, box);
    ren_list_fill(brush->list, (struct ren_rect){box.x, box.y + 2.0f * u, box.w, box.h - 4.0f * u},
                  2.0f * u, brush->colours->panel);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, y + cap / 2.0f, REN_ALIGN_CENTRE,
                  colour, text);
    return true;
}

/* Labels a marker: right or left of it, above or below. Draws nothing without room. */
static void label_beside(struct plot *plot, float x, float y, ren_colour colour, const char *text)
{
    const float u = plot->brush->unit, line = 12.0f * u;
    const float half =
        ren_text_width(plot->brush->renderer, REN_FACE_SANS_BOLD, APP_PANEL_SMALL * u, text) /
            2.0f +
        7.0f * u;
    /* Right, left, below, above, then the corners; then farther and farther away. */
    static const float ways[][2] = {{1, 0}, {-1, 0}, {0, 1},  {0, -1},
                                    {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    for (float far = 1.0f; far < 7.0f; far += 0.5f)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
            for (float aside = 0.0f; aside < far; aside += 0.5f)
                if (label_at(plot, x + ways[i][0] * (half + (aside > 0.0f ? 0.3f * half : 0.0f)),
                             y + ways[i][1] * far * line +
                                 (ways[i][1] == 0.0f ? aside * line : 0.0f),
                             colour, text))
                    return;
}

/* Labels a horizontal roof at its right end, or further left if points are there: above or below
 * its line, by `away` units or up to 12 more. */
static void label_roof(struct plot *plot, double gflops, float away, ren_colour colour,
                       const char *const *texts)
{
    const float u = plot->brush->unit, right = plot->axes.area.x + plot->axes.area.w;
    for (int i = 0; texts[i] != NULL; i++) {
        const float half = ren_text_width(plot->brush->renderer, REN_FACE_SANS_BOLD,
                                          APP_PANEL_SMALL * u, texts[i]) /
                           2.0f;
        for (float left = 6.0f; left <= 96.0f; left += 15.0f)
            for (float more = 0.0f; more <= 12.0f; more += 3.0f)
                if (label_at(plot, right - half - left * u,
                             y_of(plot, gflops) + (away + (away < 0.0f ? -more : more)) * u, colour,
                             texts[i]))
                    return;
    }
}

/* Labels the slope of a bandwidth on its upper left, or on its lower right. */
static void label_slope(struct plot *plot, double gbps, const char *text)
{
    const float u = plot->brush->unit;
    const float half =
        ren_text_width(plot->brush->renderer, REN_FACE_SANS_BOLD, APP_PANEL_SMALL * u, text) / 2.0f;
    for (int side = -1; side <= 1; side += 2)
        for (double at = 0.6; at > plot->axes.x_low; at -= 0.05) {
            const double intensity = pow(10.0, at);
            if (label_at(plot, x_of(plot, intensity) + (float)side * (half + 5.0f * u),
                         y_of(plot, intensity * gbps) + (float)side * 4.0f * u,
                         plot->brush->colours->text, text))
                return;
        }
}

/* --- roofs --- */

/* Draws a roof: the slope of a bandwidth up to the ridge, then the peak. from_ridge: leaves out the
 * slope, which another roof has drawn. */
static void draw_roof(struct plot *plot, double gflops, double gbps, bool from_ridge, bool dashed,
                      ren_colour colour)
{
    const float u = plot->brush->unit, width = colour == plot->brush->colours->text
                                                   ? fmaxf(1.5f, 2.0f * u)
                                                   : fmaxf(1.0f, u);
    double x[3], y[3];
    int n = 0;
    const bool sloped = gbps > 0.0 && !from_ridge;
    const double ridge = gbps > 0.0 && gflops > 0.0 ? log10(gflops / gbps) : plot->axes.x_low;
    if (sloped) {
        const double end = gflops > 0.0 ? ridge : plot->axes.x_high;
        x[n] = plot->axes.x_low;
        y[n++] = log10(gbps) + plot->axes.x_low - plot->y_low;
        x[n] = end;
        y[n++] = log10(gbps) + end - plot->y_low;
    } else {
        x[n] = fmax(ridge, plot->axes.x_low);
        y[n++] = log10(gflops) - plot->y_low;
    }
    if (gflops > 0.0) {
        x[n] = plot->axes.x_high;
        y[n++] = log10(gflops) - plot->y_low;
    }
    if (n < 2)
        return;
    for (int i = 0; i + 1 < n; i++)
        avoid(plot, ren_plot_x(&plot->axes, x[i]), ren_plot_y(&plot->axes, y[i]),
              ren_plot_x(&plot->axes, x[i + 1]), ren_plot_y(&plot->axes, y[i + 1]));
    if (dashed)
        ren_plot_dashed(plot->brush->list, &plot->axes, x, y, (size_t)n, width, 4.0f * u, colour);
    else
        ren_plot_curve(plot->brush->list, &plot->axes, x, y, (size_t)n, width, colour);
}

/* Writes "single 65.9 TFLOP/s, 98.4 % of 66.9", and the first half of it. */
static void write_peak(const char *name, const struct app_ceiling *ceiling, char *text, size_t size,
                       char *shorter, size_t shorter_size)
{
    const struct app_estimate computed = {.valid = ceiling->computed > 0.0,
                                          .value = ceiling->computed},
                              shown = ceiling->measured.valid ? ceiling->measured : computed;
    app_format(shorter, shorter_size, "%s %s", name,
               app_describe(shown, app_metric_form(APP_METRIC_GFLOPS, 0.0)).text);
    if (ceiling->measured.valid && computed.valid)
        app_format(
            text, size, "%s, %s %% of %s", shorter,
            app_number_plain(100.0 * ceiling->measured.value / computed.value, "").value,
            app_describe(computed, app_metric_form(APP_METRIC_GFLOPS, shown.value)).number.value);
    else
        app_format(text, size, "%s, %s", shorter,
                   ceiling->measured.valid ? "measured" : "computed");
}

static void draw_roofs(struct plot *plot, const struct app_roofline *roofline)
{
    const struct app_colours *c = plot->brush->colours;
    const struct app_ceiling *single = &roofline->single, *twice = &roofline->twice,
                             *memory = &roofline->memory;
    const double gbps = app_ceiling_of(memory).valid ? app_ceiling_of(memory).value : 0.0;
    draw_roof(plot, m2050_single, m2050_gbps, false, false, c->quiet);
    draw_roof(plot, m2050_double, m2050_gbps, true, false, c->quiet);
    if (single->computed > 0.0 || memory->computed > 0.0)
        draw_roof(plot, single->computed, memory->computed, false, true, c->quiet);
    if (twice->computed > 0.0)
        draw_roof(plot, twice->computed, memory->computed, true, true, c->quiet);
    if (single->measured.valid || memory->measured.valid)
        draw_roof(plot, single->measured.valid ? single->measured.value : 0.0,
                  memory->measured.valid ? memory->measured.value : 0.0, false, false, c->text);
    if (twice->measured.valid)
        draw_roof(plot, twice->measured.value, gbps, true, false, c->text);
}

static void label_roofs(struct plot *plot, const struct app_roofline *roofline)
{
    const struct app_colours *c = plot->brush->colours;
    const struct app_estimate single = app_ceiling_of(&roofline->single),
                              twice = app_ceiling_of(&roofline->twice),
                              memory = app_ceiling_of(&roofline->memory);
    char text[96], shorter[48], then[48];
    const char *const texts[] = {text, shorter, NULL};
    if (single.valid) {
        write_peak("single", &roofline->single, text, sizeof text, shorter, sizeof shorter);
        label_roof(plot, fmax(single.value, roofline->single.computed), -8.0f, c->text, texts);
    }
    if (twice.valid) {
        write_peak("double", &roofline->twice, text, sizeof text, shorter, sizeof shorter);
        label_roof(plot, twice.value, 9.0f, c->text, texts);
    }
    if (memory.valid) {
        label_slope(plot, memory.value,
                    app_describe(memory, app_metric_form(APP_METRIC_GBPS, 0.0)).text);
    }
    app_format(text, sizeof text, "M2050: %.0f, double %.0f GFLOP/s", m2050_single, m2050_double);
    app_format(then, sizeof then, "M2050: %.0f / %.0f", m2050_single, m2050_double);
    const char *const old[] = {text, then, NULL};
    /* Outside the device's own roofs. */
    const bool above = single.valid && single.value < m2050_single;
    label_roof(plot, above ? m2050_single : m2050_double, above ? -8.0f : 9.0f, c->quiet, old);
}

/* Draws the ridge as a dashed upright line. */
static void draw_ridge(struct plot *plot, const struct app_roofline *roofline)
{
    const struct app_brush *brush = plot->brush;
    const float u = brush->unit, bottom = plot->axes.area.y + plot->axes.area.h;
    if (!(roofline->ridge > 0.0))
        return;
    const float x = x_of(plot, roofline->ridge),
                top = y_of(plot, app_ceiling_of(&roofline->single).value);
    avoid(plot, x, top, x, bottom);
    for (float y = top; y < bottom; y += 6.0f * u)
        ren_list_line(brush->list, x, y, x, fminf(y + 3.0f * u, bottom), fmaxf(1.0f, u),
                      brush->colours->faint);
}

/* Labels the ridge on its right or its left, as low as there is room. */
static void label_ridge(struct plot *plot, const struct app_roofline *roofline)
{
    const struct app_brush *brush = plot->brush;
    const float u = brush->unit, bottom = plot->axes.area.y + plot->axes.area.h;
    char text[48];
    if (!(roofline->ridge > 0.0))
        return;
    const float x = x_of(plot, roofline->ridge),
                top = y_of(plot, app_ceiling_of(&roofline->single).value);
    app_format(text, sizeof text, plot->wide ? "ridge: %s FLOP/B" : "ridge %s",
               app_number_plain(roofline->ridge, "").value);
    const float half =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_PANEL_SMALL * u, text) / 2.0f +
        3.0f * u;
    for (float y = bottom - 9.0f * u; y > top; y -= 4.0f * u)
        if (label_at(plot, x + half, y, brush->colours->quiet, text) ||
            label_at(plot, x - half, y, brush->colours->quiet, text))
            return;
}

/* --- points --- */

static ren_colour colour_of(const struct plot *plot, const struct app_roofline_point *point)
{
    const struct app_colours *c = plot->brush->colours;
    return point->group == APP_ROOFLINE_TRACER ? c->storages[point->mode.storage] : c->text;
}

/* Draws a marker: a circle; a square for the strip, a diamond for the binned kernel; hollow where
 * the operations are integers. */
static void draw_marker(struct plot *plot, const struct app_roofline_point *point, float x, float y)
{
    struct ren_list *list = plot->brush->list;
    const float u = plot->brush->unit, r = 4.0f * u;
    const ren_colour colour = colour_of(plot, point);
    const bool tracer = point->group == APP_ROOFLINE_TRACER;
    struct ren_rect box = {x - r, y - r, 2.0f * r, 2.0f * r};
    if (tracer && point->mode.kernel == KRN_KERNEL_BINNED) {
        const float d = 1.2f * r, xy[] = {x - d, y, x, y - d, x + d, y, x, y + d, x - d, y};
        ren_list_polyline(list, xy, 5, 2.0f * u, colour);
    } else if (point->integer) {
        ren_list_outline(list, box, r, 1.7f * u, colour);
    } else {
        ren_list_fill(list, box, tracer && point->mode.kernel == KRN_KERNEL_STRIP ? u : r, colour);
    }
    keep(plot, box);
}

/* Returns a point's label; where room is short, only the first point of each kernel has one. */
static const char *label_of(const struct plot *plot, const struct app_roofline *roofline, int i)
{
    const struct app_roofline_point *point = &roofline->points[i];
    if (point->group == APP_ROOFLINE_PEAK)
        return ""; /* its roof is labelled */
    if (plot->wide)
        return point->name;
    for (int before = 0; before < i; before++)
        if (roofline->points[before].group == point->group &&
            roofline->points[before].mode.kernel == point->mode.kernel)
            return "";
    switch (point->group) {
    case APP_ROOFLINE_SAXPY:
        return "SAXPY";
    case APP_ROOFLINE_CUBES:
        return "cubes";
    case APP_ROOFLINE_COPY:
        return ""; /* the label of the bandwidth stands for it */
    default:
        return krn_kernel_name(point->mode.kernel);
    }
}

static bool is_shown(const struct app_roofline_point *point)
{
    return app_trust_no_verdict(point->ms.trust) == APP_VERDICT_NONE;
}

static void draw_points(struct plot *plot, const struct app_roofline *roofline)
{
    for (int i = roofline->count - 1; i >= 0; i--) {
        const struct app_roofline_point *point = &roofline->points[i];
        if (is_shown(point))
            draw_marker(plot, point, x_of(plot, point->intensity),
                        y_of(plot, height_of(plot, point)));
    }
}

static void label_points(struct plot *plot, const struct app_roofline *roofline)
{
    for (int i = 0; i < roofline->count; i++) {
        const struct app_roofline_point *point = &roofline->points[i];
        const char *text = label_of(plot, roofline, i);
        if (text[0] && is_shown(point))
            label_beside(plot, x_of(plot, point->intensity), y_of(plot, height_of(plot, point)),
                         colour_of(plot, point), text);
    }
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    struct app_roofline roofline;
    struct plot plot;
    app_roofline_make(&view->probes, view->modes, view->mode_count, &roofline);
    begin(&plot, brush, area, &roofline);
    draw_roofs(&plot, &roofline);
    draw_ridge(&plot, &roofline);
    draw_points(&plot, &roofline);
    label_roofs(&plot, &roofline);
    label_ridge(&plot, &roofline);
    label_points(&plot, &roofline);
}

const struct app_panel app_panel_peak = {KRN_TOPIC_PEAK, draw};
