/* Three clocks: what each gives for one SAXPY launch, and a histogram of the events' readings,
 * which shows the step of their clock beside the published half microsecond. */
#include "hud/panels/parts.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLOCKS_MAX = 4, BINS_MAX = 256 };

static const double published_step_ms = 0.5e-3;

/* A clock of the table. */
struct clock {
    const char *series, *label;
};

static const struct clock gpu_clocks[] = {{"launch", "host, launch alone"},
                                          {"host", "host, with barrier"},
                                          {"events", "events"},
                                          {"gated", "events, gated"}},
                          cpu_clocks[] = {{"launch", "handed over"},
                                          {"host", "and waited for"},
                                          {"events", "threads' stamps"}};

/* What is drawn: every clock at one size. */
struct scene {
    const struct app_panels_view *view;
    const struct clock *clocks;
    int count;
    double elements; /* the greatest size that every clock has measured, or else the greatest */
};

static const struct app_probe_result *result_of(const struct scene *scene, const char *series,
                                                double elements)
{
    return app_probe_result_find(&scene->view->probes, KRN_TOPIC_TIMER, series, elements);
}

static struct app_estimate time_of(const struct scene *scene, const char *series)
{
    return app_metric_of(&scene->view->probes, result_of(scene, series, scene->elements),
                         APP_METRIC_TIME);
}

/* On a CPU, the article's size takes too long to be measured between frames. */
static double size_of(const struct scene *scene)
{
    const struct app_probes_view *probes = &scene->view->probes;
    double greatest = 0.0, measured = 0.0;
    for (int i = 0; i < probes->count; i++) {
        const struct krn_probe *probe = probes->results[i].probe;
        if (probe->topic != KRN_TOPIC_TIMER || strcmp(probe->series, scene->clocks[0].series) != 0)
            continue;
        bool all = true;
        for (int c = 0; c < scene->count; c++) {
            const struct app_probe_result *result =
                result_of(scene, scene->clocks[c].series, probe->x);
            all = all && result && result->n > 0;
        }
        greatest = fmax(greatest, probe->x);
        measured = all ? fmax(measured, probe->x) : measured;
    }
    return measured > 0.0 ? measured : greatest;
}

/* Draws a row per clock: its name, a bar as long as its time, and the time. Returns the y below. */
static float draw_clocks(const struct app_brush *brush, struct ren_rect area, float pitch,
                         const struct scene *scene)
{
    const struct clock *clocks = scene->clocks;
    const int count = scene->count;
    const float u = brush->unit, size = APP_PANEL_TEXT;
    const struct app_colours *c = brush->colours;
    const char *labels[CLOCKS_MAX + 1] = {NULL}, *const widest[] = {"00.00 µs", NULL};
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        const struct app_estimate time = time_of(scene, clocks[i].series);
        labels[i] = clocks[i].label;
        most = time.valid ? fmax(most, time.value) : most;
    }
    const float left = area.x + app_draw_widest(brush, REN_FACE_SANS, size, labels) + 8.0f * u,
                right = area.x + area.w,
                end = right - app_draw_widest(brush, REN_FACE_MONO_BOLD, size, widest) - 8.0f * u;
    float y = area.y;
    for (int i = 0; i < count; i++, y += pitch) {
        const struct app_estimate time = time_of(scene, clocks[i].series);
        const float base = y + 0.5f * pitch + 5.0f * u;
        app_draw_text(brush, REN_FACE_SANS, size, area.x, base, REN_ALIGN_LEFT, c->quiet,
                      clocks[i].label);
        const struct app_number number = app_number_time(time.valid ? time.value : -1.0);
        char text[48];
        snprintf(text, sizeof text, "%s%s%s", number.value, time.valid ? " " : "",
                 time.valid ? number.unit : "");
        app_draw_text(brush, REN_FACE_MONO_BOLD, size, right, base, REN_ALIGN_RIGHT, c->text, text);
        const struct ren_rect bar = {left, y + 0.5f * pitch - 3.5f * u, end - left, 8.0f * u};
        app_draw_shape(brush, bar, 2.0f * u, (c->faint & 0xffffff00u) | 0x40u);
        if (time.valid && most > 0.0)
            ren_list_fill(brush->list,
                          (struct ren_rect){bar.x, bar.y,
                                            fmaxf(bar.w * (float)(time.value / most), 1.5f * u),
                                            bar.h},
                          2.0f * u, i == 0 ? c->curves[4] : c->curves[2]);
    }
    return y;
}

/* The events' readings, in bins. */
struct histogram {
    double first, bin_ms; /* the first bin's middle, the width of a bin */
    double step_ms;       /* of the clock; 0: unknown */
    int counts[BINS_MAX];
    int bins, most, n, outside;
};

/* Counts readings in bins of whole steps, about the middle half of the readings and at least
 * `least_ms` wide, in at most `bins_max` bins. Returns false without readings. */
static bool count_readings(const struct krn_series *series, double step_ms, double least_ms,
                           int bins_max, struct histogram *histogram)
{
    const double quartiles = 3.0; /* the range in interquartile ranges */
    if (!series || series->count == 0)
        return false;
    const struct krn_summary s = krn_series_summary(series);
    const double range = fmax(quartiles * (s.p75 - s.p25), least_ms),
                 unit = step_ms > 0.0 ? step_ms : range / bins_max;
    memset(histogram, 0, sizeof *histogram);
    histogram->step_ms = step_ms;
    histogram->bin_ms = unit * fmax(ceil(range / unit / bins_max), 1.0);
    histogram->bins = (int)fmin(fmax(ceil(range / histogram->bin_ms), 1.0), bins_max);
    const double middle = floor(s.median / unit + 0.5) * unit;
    histogram->first = middle - (histogram->bins - 1) / 2 * histogram->bin_ms;
    for (size_t i = 0; i < series->count; i++) {
        const double at =
            floor((krn_series_at(series, i) - histogram->first) / histogram->bin_ms + 0.5);
        histogram->n++;
        if (!(at >= 0.0 && at < histogram->bins)) {
            histogram->outside++;
            continue;
        }
        const int count = ++histogram->counts[(int)at];
        histogram->most = count > histogram->most ? count : histogram->most;
    }
    return true;
}

/* Draws a length as a bracket from x on, with its text on the right; returns the text's end. */
static float draw_length(const struct app_brush *brush, float x, float y, float length,
                         ren_colour colour, const char *text)
{
    const float u = brush->unit, thick = fmaxf(1.5f, 2.0f * u), high = 4.0f * u;
    if (length >= 2.0f) {
        const float middle = y - 4.0f * u;
        ren_list_line(brush->list, x, middle, x + length, middle, thick, colour);
        ren_list_line(brush->list, x, middle - high, x, middle + high, thick, colour);
        ren_list_line(brush->list, x + length, middle - high, x + length, middle + high, thick,
                      colour);
        x += length + 6.0f * u;
    }
    return x + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, y, REN_ALIGN_LEFT,
                             colour, text);
}

/* Draws the bars, a comb with a tooth at every step that has room, and the ends of the axis. */
static void draw_bars(const struct app_brush *brush, struct ren_rect plot,
                      const struct histogram *histogram)
{
    const float u = brush->unit, bottom = plot.y + plot.h, thin = fmaxf(1.0f, u);
    const struct app_colours *c = brush->colours;
    const float pitch = plot.w / (float)histogram->bins,
                gap = pitch >= 3.0f ? fminf(0.25f * pitch, 1.5f * u) : 0.0f;
    for (int i = 0; i < histogram->bins; i++) {
        const float high = plot.h * (float)histogram->counts[i] / (float)histogram->most;
        if (histogram->counts[i] > 0)
            ren_list_fill(brush->list,
                          (struct ren_rect){plot.x + pitch * (float)i + 0.5f * gap, bottom - high,
                                            pitch - gap, high},
                          0.0f, c->curves[2]);
    }
    ren_list_line(brush->list, plot.x, bottom, plot.x + plot.w, bottom, thin, c->faint);
    const double step =
        histogram->step_ms > 0.0 ? (double)pitch * histogram->step_ms / histogram->bin_ms : 0.0;
    if (step < 3.0)
        return;
    for (float x = plot.x + 0.5f * pitch; x < plot.x + plot.w; x += (float)step)
        ren_list_line(brush->list, x, bottom, x, bottom + 4.0f * u, thin, c->quiet);
}

/* Draws the times at both ends of the axis, and between them how many readings lie outside. */
static void draw_ends(const struct app_brush *brush, struct ren_rect plot, float y,
                      const struct histogram *histogram, double elements)
{
    const float u = brush->unit, right = plot.x + plot.w;
    const struct app_colours *c = brush->colours;
    const double width = histogram->bin_ms * histogram->bins,
                 from = fmax(histogram->first - 0.5 * histogram->bin_ms, 0.0);
    const struct app_number low = app_number_time_within(from, from + width, width),
                            high = app_number_time_within(from + width, from + width, width);
    char text[96], least[48], most[48];
    snprintf(least, sizeof least, "%s", low.value);
    snprintf(most, sizeof most, "%s %s", high.value, high.unit);
    const float start = plot.x + app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, plot.x, y,
                                               REN_ALIGN_LEFT, c->quiet, least),
                end = right - app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, right, y,
                                            REN_ALIGN_RIGHT, c->quiet, most);
    char size[24], shorter[48];
    app_panel_elements(elements, size, sizeof size);
    snprintf(shorter, sizeof shorter, "at %s elements", size);
    if (histogram->outside > 0)
        app_format(text, sizeof text, "%s; %d of %d outside", shorter, histogram->outside,
                   histogram->n);
    else
        snprintf(text, sizeof text, "%s", shorter);
    const char *const texts[] = {text, shorter};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, texts[i]) +
                16.0f * u <=
            end - start) {
            app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, 0.5f * (start + end), y,
                          REN_ALIGN_CENTRE, c->quiet, texts[i]);
            return;
        }
}

static void draw_histogram(const struct app_brush *brush, struct ren_rect area,
                           const struct scene *scene)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    const struct app_probe_result *events = result_of(scene, "events", scene->elements);
    struct app_analysis analysis;
    struct histogram histogram;
    app_topic_analyse(KRN_TOPIC_TIMER, &scene->view->probes, &analysis);
    const struct app_estimate step = app_finding(&analysis, "resolution")->value;
    const double step_ms = step.valid ? step.value * 1e-3 : 0.0;
    char text[64] = "step: –", published[64];
    if (step.valid) {
        const struct app_number number = app_number_time(step_ms);
        snprintf(text, sizeof text, "step %s %s", number.value, number.unit);
    }
    snprintf(published, sizeof published, "article %s",
             app_claim_entry_of(APP_CLAIM_RESOLUTION)->then);
    const int room = (int)(area.w / fmaxf(3.0f, 2.0f * u));
    const bool known = events && events->n > 0 &&
                       count_readings(events->series, step_ms, 3.0 * published_step_ms,
                                      room < BINS_MAX ? room : BINS_MAX, &histogram);
    const struct ren_rect plot = {area.x, area.y + 18.0f * u, area.w, area.h - 36.0f * u};
    const double pixels =
        known ? (double)area.w / (histogram.bin_ms * histogram.bins) : 0.0; /* per ms */
    const float y = area.y + 11.0f * u;
    const float x = draw_length(brush, area.x, y, (float)(step_ms * pixels), c->curves[2], text);
    const float length = (float)(published_step_ms * pixels),
                bracket = length >= 2.0f ? length + 6.0f * u : 0.0f,
                room_left = area.x + area.w - (x + 12.0f * u);
    /* The longest words that fit beside the bracket, or beside the step. */
    const char *const words[] = {published, app_claim_entry_of(APP_CLAIM_RESOLUTION)->then};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const float wide = bracket + ren_text_width(brush->renderer, REN_FACE_SANS_BOLD,
                                                    APP_PANEL_SMALL * u, words[i]);
        if (wide > room_left)
            continue;
        (void)draw_length(brush, area.x + area.w - wide, y, length, c->quiet, words[i]);
        break;
    }
    if (!known || histogram.most == 0 || plot.h < 12.0f * u)
        return;
    draw_bars(brush, plot, &histogram);
    draw_ends(brush, plot, area.y + area.h - 1.0f * u, &histogram, scene->elements);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const bool warps = app_panel_warps(view);
    const size_t bytes = warps ? sizeof gpu_clocks : sizeof cpu_clocks;
    struct scene scene = {view, warps ? gpu_clocks : cpu_clocks, (int)(bytes / sizeof *gpu_clocks),
                          0.0};
    scene.elements = size_of(&scene);
    const float u = brush->unit,
                pitch = fminf(fmaxf(0.42f * area.h / (float)scene.count, 15.0f * u), 24.0f * u);
    const float y = draw_clocks(brush, area, pitch, &scene), top = y + 4.0f * u;
    draw_histogram(brush, (struct ren_rect){area.x, top, area.w, area.y + area.h - top}, &scene);
}

const struct app_panel app_panel_timer = {KRN_TOPIC_TIMER, draw};
