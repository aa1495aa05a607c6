/* app/window/sweep_plot.c - a sweep as a picture: kernel time against sphere count, both
 * logarithmic. */
#include "base/value.h"
#include "command/mode.h"
#include "hud/draw.h"
#include "hud/layout.h"
#include "hud/theme.h"
#include "report/results.h"
#include "window/canvas.h"
#include "window/front.h"

#include "ren/context.h"
#include "ren/plot.h"
#include "ren/png.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES = KRN_KERNEL_COUNT * KRN_STORAGE_COUNT };

/* One kernel and storage, with the fastest K at each count. */
struct curve {
    struct krn_mode mode;
    ren_colour colour;
    float xy[2 * APP_SWEEP_COUNTS];  /* pixels */
    float ends[APP_SWEEP_COUNTS][2]; /* y of the ends of the interval */
    size_t n;
    float label_y;
};

struct plot {
    struct app_brush brush;
    const struct app_results *results;
    const struct app_sweep *sweep;
    struct ren_axes axes; /* decimal logarithms of counts and of times in ms */
    struct curve curves[CURVES];
    int count;
};

/* Writes a time with its significant digits only: "200 µs". */
static void time_text(double ms, char *text, size_t size)
{
    const double ns = ms * 1e6;
    if (ns < 999.5)
        app_format(text, size, "%.3g ns", ns);
    else if (ns < 999.5e3)
        app_format(text, size, "%.3g µs", ns / 1e3);
    else if (ns < 999.5e6)
        app_format(text, size, "%.3g ms", ms);
    else
        app_format(text, size, "%.4g s", ms / 1e3);
}

/* Returns the time of the curve at a count; not valid where it has none. */
static struct app_estimate curve_at(const struct app_sweep *sweep, int at, int kernel, int storage)
{
    const struct app_estimate none = {.valid = false};
    const int m = app_sweep_fastest(sweep, at, kernel, storage);
    return m < 0 ? none : sweep->cells[m][at].median;
}

/* Sets the axes' ends to 1, 2 or 5 times a power of ten; false when there is nothing to draw. */
static bool find_range(struct plot *plot)
{
    double low = INFINITY, high = 0.0;
    for (int k = 0; k < CURVES; k++)
        for (int i = 0; i < plot->sweep->count; i++) {
            const struct app_estimate time =
                curve_at(plot->sweep, i, k / KRN_STORAGE_COUNT, k % KRN_STORAGE_COUNT);
            if (time.value > 0.0) {
                low = fmin(low, time.value);
                high = fmax(high, time.value);
            }
        }
    if (!(high > 0.0))
        return false;
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double below = pow(10.0, floor(log10(low))), above = pow(10.0, floor(log10(high)));
    for (int s = 0; s < 3; s++)
        if (below * steps[s] <= low)
            plot->axes.y_low = log10(below * steps[s]);
    for (int s = 3; s >= 1; s--)
        if (above * steps[s] > high)
            plot->axes.y_high = log10(above * steps[s]);
    const int *counts = plot->sweep->counts, last = plot->sweep->count - 1;
    const double pad = last == 0 ? 0.3 : 0.02 * log10((double)counts[last] / counts[0]);
    plot->axes.x_low = log10(counts[0]) - pad;
    plot->axes.x_high = log10(counts[last]) + pad;
    return true;
}

static void draw_times(const struct plot *plot)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const struct app_brush *brush = &plot->brush;
    const struct ren_axes *axes = &plot->axes;
    const float u = brush->unit, right = axes->area.x + axes->area.w;
    const bool wide = axes->y_high - axes->y_low > 4.0;
    for (int power = (int)floor(axes->y_low) - 1; power <= (int)ceil(axes->y_high); power++)
        for (int s = 0; s < 3; s++) {
            const double at = power + log10(steps[s]);
            if (at < axes->y_low - 1e-9 || at > axes->y_high + 1e-9)
                continue;
            const float y = ren_plot_y(axes, at);
            char text[32];
            time_text(pow(10.0, power) * steps[s], text, sizeof text);
            ren_list_line(brush->list, axes->area.x, y, right, y, fmaxf(1.0f, u),
                          brush->colours->edge);
            if (s == 0 || !wide)
                app_draw_text(brush, REN_FACE_MONO, APP_TEXT_SMALL, axes->area.x - 10.0f * u,
                              y + 5.0f * u, REN_ALIGN_RIGHT, brush->colours->quiet, text);
        }
}

/* Draws a tick at every count, and its number where it stands clear of its neighbour and of the
 * last number. */
static void draw_counts(const struct plot *plot)
{
    const struct app_brush *brush = &plot->brush;
    const struct ren_axes *axes = &plot->axes;
    const float u = brush->unit, bottom = axes->area.y + axes->area.h;
    const int last = plot->sweep->count - 1;
    char text[32];
    snprintf(text, sizeof text, "%d", plot->sweep->counts[last]);
    const float size = APP_TEXT_SMALL * u, clear = 14.0f * u;
    const float end = ren_plot_x(axes, log10(plot->sweep->counts[last])) -
                      ren_text_width(brush->renderer, REN_FACE_MONO, size, text) / 2.0f;
    float taken = -1e9f;
    for (int i = 0; i <= last; i++) {
        const float x = ren_plot_x(axes, log10(plot->sweep->counts[i]));
        ren_list_line(brush->list, x, axes->area.y, x, bottom + 6.0f * u, fmaxf(1.0f, u),
                      brush->colours->edge);
        snprintf(text, sizeof text, "%d", plot->sweep->counts[i]);
        const float half = ren_text_width(brush->renderer, REN_FACE_MONO, size, text) / 2.0f;
        if (i < last && (x - half < taken + clear || x + half + clear > end))
            continue;
        app_draw_text(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, bottom + 24.0f * u, REN_ALIGN_CENTRE,
                      brush->colours->quiet, text);
        taken = x + half;
    }
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT, axes->area.x + axes->area.w / 2.0f,
                  bottom + 52.0f * u, REN_ALIGN_CENTRE, brush->colours->text,
                  "number of spheres (logarithmic)");
}

/* Draws a dashed polyline; the pattern goes on round its corners. */
static void draw_dashed(const struct app_brush *brush, const struct curve *curve, float width,
                        float dash)
{
    float done = 0.0f; /* position in the pattern: a dash, then a gap of the same length */
    for (size_t i = 0; i + 1 < curve->n; i++) {
        const float *a = &curve->xy[2 * i], dx = a[2] - a[0], dy = a[3] - a[1];
        const float length = hypotf(dx, dy);
        for (float at = 0.0f; at < length;) {
            const bool on = done < dash;
            const float left = (on ? dash : 2.0f * dash) - done;
            const float to = fminf(at + fmaxf(left, 0.5f), length);
            if (on)
                ren_list_line(brush->list, a[0] + dx * at / length, a[1] + dy * at / length,
                              a[0] + dx * to / length, a[1] + dy * to / length, width,
                              curve->colour);
            done += to - at;
            if (done >= 2.0f * dash - 0.25f)
                done = 0.0f;
            at = to;
        }
    }
}

/* Draws a curve: the book kernel's dashed, the others solid, thicker where spheres are sorted. */
static void draw_line(const struct app_brush *brush, const struct curve *curve)
{
    const float u = brush->unit;
    if (curve->mode.kernel == KRN_KERNEL_BOOK)
        draw_dashed(brush, curve, fmaxf(1.5f, 2.0f * u), 7.0f * u);
    else
        ren_list_polyline(
            brush->list, curve->xy, curve->n,
            fmaxf(1.5f, (krn_kernel_describe(curve->mode.kernel)->bins ? 4.0f : 2.0f) * u),
            curve->colour);
    for (size_t i = 0; i < curve->n; i++) {
        const float r = 3.5f * u, x = curve->xy[2 * i];
        ren_list_line(brush->list, x, curve->ends[i][0], x, curve->ends[i][1], fmaxf(1.0f, u),
                      curve->colour);
        const struct ren_rect dot = {curve->xy[2 * i] - r, curve->xy[2 * i + 1] - r, 2 * r, 2 * r};
        ren_list_fill(brush->list, dot, r, curve->colour);
    }
}

/* Returns the height of a time, at most at the end of the axis. */
static float plot_y_within(const struct ren_axes *axes, double ms)
{
    return ren_plot_y(axes, fmin(fmax(log10(ms), axes->y_low), axes->y_high));
}

static void make_curves(struct plot *plot)
{
    for (int k = 0; k < CURVES; k++) {
        struct curve *curve = &plot->curves[plot->count];
        memset(curve, 0, sizeof *curve);
        curve->mode.kernel = (enum krn_kernel)(k / KRN_STORAGE_COUNT);
        curve->mode.storage = (enum krn_storage)(k % KRN_STORAGE_COUNT);
        /* A kernel with one storage needs no colour to tell its curves apart. */
        curve->colour = KRN_BITS(krn_kernel_describe(curve->mode.kernel)->storages) == 1
                            ? plot->brush.colours->text
                            : plot->brush.colours->series[curve->mode.storage];
        for (int i = 0; i < plot->sweep->count; i++) {
            const struct app_estimate time =
                curve_at(plot->sweep, i, (int)curve->mode.kernel, (int)curve->mode.storage);
            if (!(time.value > 0.0))
                continue;
            const float y = ren_plot_y(&plot->axes, log10(time.value));
            curve->xy[2 * curve->n] = ren_plot_x(&plot->axes, log10(plot->sweep->counts[i]));
            curve->xy[2 * curve->n + 1] = y;
            curve->ends[curve->n][0] = time.has_interval ? plot_y_within(&plot->axes, time.low) : y;
            curve->ends[curve->n][1] =
                time.has_interval ? plot_y_within(&plot->axes, time.high) : y;
            curve->n++;
        }
        plot->count += curve->n > 0;
    }
}

static int by_end(const void *a, const void *b)
{
    const struct curve *p = a, *q = b;
    const float d = p->xy[2 * p->n - 1] - q->xy[2 * q->n - 1];
    return d < 0.0f ? -1 : d > 0.0f;
}

/* Draws the names in the order in which the curves end, at least one line apart, each with a line
 * to its curve. */
static void draw_labels(struct plot *plot)
{
    const struct app_brush *brush = &plot->brush;
    const struct ren_rect *area = &plot->axes.area;
    const float u = brush->unit, line = 22.0f * u;
    qsort(plot->curves, (size_t)plot->count, sizeof *plot->curves, by_end);
    float next = area->y;
    for (int i = 0; i < plot->count; i++) {
        struct curve *curve = &plot->curves[i];
        curve->label_y = fmaxf(curve->xy[2 * curve->n - 1], next);
        next = curve->label_y + line;
    }
    float most = area->y + area->h;
    for (int i = plot->count - 1; i >= 0; i--) {
        plot->curves[i].label_y = fminf(plot->curves[i].label_y, most);
        most = plot->curves[i].label_y - line;
    }
    for (int i = 0; i < plot->count; i++) {
        const struct curve *curve = &plot->curves[i];
        const float x = area->x + area->w, y = curve->label_y;
        char name[APP_MODE_TEXT_MAX];
        snprintf(name, sizeof name, "%s/%s", krn_kernel_name(curve->mode.kernel),
                 krn_storage_name(curve->mode.storage));
        ren_list_line(brush->list, curve->xy[2 * curve->n - 2], curve->xy[2 * curve->n - 1],
                      x + 18.0f * u, y, fmaxf(1.0f, u), brush->colours->faint);
        /* A piece of the curve as a key, then its name. */
        struct curve key = {.mode = curve->mode, .colour = curve->colour, .n = 2};
        key.xy[0] = x + 22.0f * u;
        key.xy[2] = x + 57.0f * u;
        key.xy[1] = key.xy[3] = y;
        for (size_t end = 0; end < 4; end++)
            key.ends[end / 2][end % 2] = y;
        draw_line(brush, &key);
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, x + 66.0f * u, y + 5.0f * u,
                      REN_ALIGN_LEFT, curve->colour, name);
    }
}

static void draw(struct plot *plot, const struct app_state *state, float width, float height)
{
    const struct app_brush *brush = &plot->brush;
    const struct krn_device_info *device = &plot->results->device;
    const float u = brush->unit, left = 24.0f * u;
    char text[512];
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, 26.0f, left, 44.0f * u, width - 2.0f * left,
                     brush->colours->text, "Kernel time against sphere count");
    const int processes = plot->results->run.processes;
    char intervals[64] = "intervals of this run";
    if (processes > 1)
        snprintf(intervals, sizeof intervals, "95 %% intervals across %d processes", processes);
    snprintf(text, sizeof text, "%s, %s; %dx%d pixels; times by %s, %s; strip with its fastest K",
             device->name, krn_backend_name(device->backend), state->width, state->height,
             device->clock, intervals);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TEXT, left, 70.0f * u, width - 2.0f * left,
                     brush->colours->quiet, text);
    plot->axes.area = (struct ren_rect){96.0f * u, 126.0f * u, width - (96.0f + 210.0f) * u,
                                        height - (126.0f + 76.0f) * u};
    if (plot->axes.area.w < 40.0f * u || plot->axes.area.h < 40.0f * u || !find_range(plot))
        return;
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT, left, 106.0f * u, REN_ALIGN_LEFT,
                  brush->colours->text, "median kernel time of a frame (logarithmic)");
    draw_times(plot);
    draw_counts(plot);
    make_curves(plot);
    for (int i = 0; i < plot->count; i++)
        draw_line(brush, &plot->curves[i]);
    draw_labels(plot);
}

static enum krn_code draw_plot(struct plot *plot, const struct app_program *program,
                               struct ren_renderer *renderer, struct krn_error *error)
{
    const struct app_state *state = &program->state;
    const int width = program->run.window_width, height = program->run.window_height;
    plot->brush.renderer = renderer;
    plot->brush.colours = app_theme_colours(state->theme);
    plot->brush.unit = app_layout_make(state, width, height, 1.0f).unit;
    const enum krn_code code =
        ren_frame_begin(renderer, width, height, plot->brush.colours->background, NULL, error);
    if (code != KRN_OK)
        return code;
    plot->brush.list = ren_list_begin(renderer);
    draw(plot, state, (float)width, (float)height);
    return ren_list_draw(renderer, plot->brush.list, error);
}

/* Writes the frame just drawn to the run's --screenshot. */
static enum krn_code write_plot(const struct app_run *run, struct ren_renderer *renderer,
                                const char *record, struct krn_error *error)
{
    const int width = run->window_width, height = run->window_height;
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    if (!rgba)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a picture.");
    const struct ren_png picture = {width, height, rgba, APP_RECORD_KEY, record};
    enum krn_code code = ren_frame_read(renderer, rgba, error);
    if (code == KRN_OK)
        code = ren_png_write(run->screenshot, &picture, true, error);
    if (code == KRN_OK)
        fprintf(app_words_stream(run), "plot: %s (%dx%d)\n", run->screenshot, width, height);
    free(rgba);
    return code;
}

enum krn_code app_front_sweep(struct app_program *program, const struct app_results *results,
                              const struct app_sweep *sweep, const char *record,
                              struct krn_error *error)
{
    const struct krn_device_info *device = &results->device;
    const int ordinal = device->can.host_images ? -1 : device->ordinal;
    struct app_canvas canvas;
    struct plot *plot = calloc(1, sizeof *plot);
    if (!plot)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a plot.");
    plot->results = results;
    plot->sweep = sweep;
    enum krn_code code = app_canvas_open(&canvas, ordinal, error);
    if (code == KRN_OK) {
        app_canvas_complain(canvas.renderer);
        code = draw_plot(plot, program, canvas.renderer, error);
    }
    if (code == KRN_OK)
        code = write_plot(&program->run, canvas.renderer, record, error);
    app_canvas_close(&canvas);
    free(plot);
    return code;
}
