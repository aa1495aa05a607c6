/* Adds and finds findings, and the ratios of series that they rest on. */
#include "topics/topic.h"

#include <math.h>
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
