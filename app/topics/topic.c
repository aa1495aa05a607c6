/* Adds and finds findings, and the ratios of series that they rest on. Builds a topic's picture:
 * adds lines, bars, levels and marks, and writes its sentence. */
#include "topics/topic.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct app_finding *app_finding_add(struct app_analysis *analysis, const char *key,
                                    struct app_estimate value)
{
    if (analysis->count < APP_FINDINGS_MAX)
        analysis->count++;
    struct app_finding *finding = &analysis->findings[analysis->count - 1];
    memset(finding, 0, sizeof *finding);
    snprintf(finding->key, sizeof finding->key, "%s", key);
    finding->value = value;
    return finding;
}

struct app_finding *app_finding_add_ratio(struct app_analysis *analysis, const char *key,
                                          const char *what, struct app_estimate ratio)
{
    struct app_finding *finding = app_finding_add(analysis, key, ratio);
    if (!ratio.valid)
        return finding;
    const struct app_described said = app_describe(ratio, (struct app_form){.unit = "x"});
    app_format(finding->line, sizeof finding->line, "%s: %s%s%s", what, said.text,
               said.interval[0] ? " " : "", said.interval);
    return finding;
}

const struct app_finding *app_finding(const struct app_analysis *analysis, const char *key)
{
    static const struct app_finding none;
    for (int i = 0; i < analysis->count; i++)
        if (strcmp(analysis->findings[i].key, key) == 0)
            return &analysis->findings[i];
    return &none;
}

struct app_estimate app_series_value(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, double x, enum app_member metric)
{
    return app_metric_of(view, app_probe_result_find(view, topic, series, x), metric);
}

struct app_estimate app_series_ratio(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, const char *over, double x,
                                     enum app_member metric)
{
    return app_estimate_ratio(app_series_value(view, topic, series, x, metric),
                              app_series_value(view, topic, over, x, metric));
}

bool app_series_complete(const struct app_probes_view *view, enum krn_topic topic,
                         const char *series)
{
    bool offered = false, complete = true;
    for (int i = 0; i < view->count; i++)
        if (app_result_is_of(&view->results[i], topic, series)) {
            offered = true;
            complete = complete && app_result_samples(&view->results[i]) > 0;
        }
    return offered && complete;
}

struct app_estimate app_series_reach(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, enum app_member metric, double level)
{
    struct app_estimate reach = {.valid = app_series_complete(view, topic, series),
                                 .has_interval = true,
                                 .value = INFINITY,
                                 .low = INFINITY,
                                 .high = INFINITY};
    for (int i = 0; i < view->count; i++) {
        if (!app_result_is_of(&view->results[i], topic, series))
            continue;
        const struct app_estimate rate = app_metric_of(view, &view->results[i], metric);
        const struct krn_interval interval = app_estimate_verdict_interval(rate);
        const double x = view->results[i].probe->x;
        reach.valid = reach.valid && rate.valid;
        reach.trust |= rate.trust;
        reach.has_interval = reach.has_interval && interval.valid;
        if (rate.valid && rate.value >= level)
            reach.value = fmin(reach.value, x);
        if (interval.valid && interval.high >= level)
            reach.low = fmin(reach.low, x);
        if (interval.valid && interval.low >= level)
            reach.high = fmin(reach.high, x);
    }
    return reach;
}

const struct app_text_entry *app_text_of(enum app_text text)
{
    static const struct app_text_entry entries[APP_TEXT_COUNT] = {
        [APP_TEXT_METRICS] = {"metrics", "Performance metrics", "M. Harris", "The article says",
                              "How to Implement Performance Metrics in CUDA C/C++", "2012"},
        [APP_TEXT_BOOK] = {"book", "Constant memory", "J. Sanders, E. Kandrot", "The book says",
                           "CUDA by Example, 6.3", "2010"},
        [APP_TEXT_SLIDES] = {"slides", "Hiding latency", "V. Volkov", "The slides say",
                             "Better Performance at Lower Occupancy", "2010"},
        [APP_TEXT_TUTORIAL] = {"tutorial", "Access patterns", "a tutorial", "The tutorial says",
                               "CUDA programming, part 5: memory access patterns", "n.d."},
        [APP_TEXT_GUIDE] = {"guide", "Divergent reads", "NVIDIA", "NVIDIA's guide says",
                            "CUDA C++ Programming Guide 12.6, Device Memory Accesses", "2024"},
    };
    return &entries[text];
}

/* --- pictures --- */

void app_picture_axes(struct app_picture *picture, struct app_axis x, struct app_axis y)
{
    picture->chart.x = x;
    picture->chart.y = y;
}

void app_picture_begin(struct app_picture *picture)
{
    memset(picture, 0, sizeof *picture);
    app_picture_axes(picture, (struct app_axis){.title = ""}, (struct app_axis){.title = ""});
    picture->chart.series = picture->series;
    picture->chart.levels = picture->levels;
    picture->chart.marks = picture->marks;
    picture->chart.bands = picture->bands;
}

const char *app_picture_keep(struct app_picture *picture, const char *text)
{
    const size_t most = sizeof picture->texts / sizeof *picture->texts;
    if (picture->text_count == most)
        return "";
    char *kept = picture->texts[picture->text_count++];
    snprintf(kept, APP_PICTURE_TEXT, "%s", text);
    return kept;
}

struct app_series *app_picture_line(struct app_picture *picture, const char *name, enum app_ink ink)
{
    const size_t at = picture->chart.series_count < APP_PICTURE_SERIES
                          ? picture->chart.series_count++
                          : APP_PICTURE_SERIES - 1;
    picture->series[at] = (struct app_series){.name = app_picture_keep(picture, name),
                                              .ink = ink,
                                              .x = picture->points[at].x,
                                              .y = picture->points[at].y,
                                              .low = picture->points[at].low,
                                              .high = picture->points[at].high};
    return &picture->series[at];
}

void app_picture_point(struct app_picture *picture, double x, struct app_estimate y)
{
    const size_t at = picture->chart.series_count - 1;
    struct app_series *series = &picture->series[at];
    if (!y.valid || series->n == APP_PICTURE_POINTS)
        return;
    picture->points[at].x[series->n] = x;
    picture->points[at].y[series->n] = y.value;
    picture->points[at].low[series->n] = y.has_interval ? y.low : 0.0;
    picture->points[at].high[series->n++] = y.has_interval ? y.high : 0.0;
}

struct app_series *app_picture_curve(struct app_picture *picture,
                                     const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, enum app_member metric, const char *name,
                                     enum app_ink ink)
{
    struct app_series *line = app_picture_line(picture, name, ink);
    for (int i = 0; i < view->count; i++)
        if (app_result_is_of(&view->results[i], topic, series))
            app_picture_point(picture, view->results[i].probe->x,
                              app_metric_of(view, &view->results[i], metric));
    return line;
}

void app_picture_level(struct app_picture *picture, const char *name, double y)
{
    if (picture->chart.level_count < APP_PICTURE_LEVELS && isfinite(y))
        picture->levels[picture->chart.level_count++] =
            (struct app_level){name, APP_INK_QUIET, y, 0.4f};
}

void app_picture_mark(struct app_picture *picture, const char *name, enum app_ink ink, double x,
                      double y, bool hollow)
{
    if (picture->chart.mark_count < APP_PICTURE_MARKS)
        picture->marks[picture->chart.mark_count++] =
            (struct app_mark){app_picture_keep(picture, name), ink, x, y, hollow};
}

void app_picture_band(struct app_picture *picture, const char *name, double low, double high)
{
    if (picture->chart.band_count < APP_PICTURE_BANDS)
        picture->bands[picture->chart.band_count++] =
            (struct app_band){app_picture_keep(picture, name), low, high};
}

void app_picture_bar(struct app_picture *picture, const char *name, enum app_ink ink,
                     struct app_estimate value, const char *text)
{
    if (picture->bar_count == APP_PICTURE_BARS)
        return;
    picture->bars[picture->bar_count++] =
        (struct app_bar){.key = "",
                         .name = app_picture_keep(picture, name),
                         .text = app_picture_keep(picture, value.valid ? text : APP_NOT_YET),
                         .ink = ink,
                         .value = value.valid ? value.value : 0.0,
                         .low = value.has_interval ? value.low : 0.0,
                         .high = value.has_interval ? value.high : 0.0};
}

void app_picture_metric(struct app_picture *picture, const char *name, enum app_ink ink,
                        const struct app_probes_view *view, const struct app_result *result,
                        enum app_member metric)
{
    const struct app_estimate value = app_metric_of(view, result, metric);
    app_picture_bar(picture, name, ink, value,
                    app_describe(value, app_metric_form(metric, 0.0)).text);
}

void app_picture_say(struct app_picture *picture, const struct app_estimate *numbers, size_t count,
                     const char *format, ...)
{
    va_list arguments;
    for (size_t i = 0; i < count; i++)
        if (!numbers[i].valid || app_trust_no_verdict(numbers[i].trust))
            return;
    va_start(arguments, format);
    vsnprintf(picture->sentence, sizeof picture->sentence, format, arguments);
    va_end(arguments);
}

static double half_of(double low, double value, double high)
{
    return low > 0.0 && value > 0.0 ? 50.0 * (high - low) / value : 0.0;
}

double app_picture_widest(const struct app_picture *picture)
{
    double widest = 0.0;
    for (size_t i = 0; i < picture->bar_count; i++)
        widest = fmax(widest,
                      half_of(picture->bars[i].low, picture->bars[i].value, picture->bars[i].high));
    for (size_t s = 0; s < picture->chart.series_count; s++)
        for (size_t i = 0; i < picture->series[s].n; i++)
            widest = fmax(widest, half_of(picture->points[s].low[i], picture->points[s].y[i],
                                          picture->points[s].high[i]));
    return widest;
}

bool app_picture_draw(const struct app_pen *pen, struct ren_rect area, float size,
                      const struct app_picture *picture)
{
    if (picture->bar_count == 0)
        return app_chart_draw(pen, area, size, &picture->chart);
    return app_bars_draw(pen, area, size, picture->caption ? picture->caption : "", picture->full,
                         picture->bars,
                         picture->bar_count) >= 0.7f * size * (float)picture->bar_count;
}
