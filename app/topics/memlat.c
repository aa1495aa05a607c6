/* Memory latency: loads in flight and occupancy that hide it. */
#include "topics/topic.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>

enum { LOADS = 4, WIDTHS = 2, POINTS = 64 };

static const int loads[LOADS] = {1, 2, 4, 8}, widths[WIDTHS] = {4, 16};

/* The percentage of the best rate of all curves from which memory counts as busy. */
static const double level_percent = 85.0;

static struct app_estimate plain(bool valid, double value)
{
    return (struct app_estimate){.valid = valid, .value = value, .low = value, .high = value};
}

/* Finds one width's best rate and the least occupancy that reaches the level of it, known only when
 * all curves are complete. */
static void analyse_width(const struct app_probes_view *view, int width,
                          struct app_analysis *analysis)
{
    double x[LOADS][POINTS], y[LOADS][POINTS], best = 0.0, least = INFINITY;
    size_t n[LOADS];
    bool complete = true;
    int by = 0;
    char key[24];
    for (int l = 0; l < LOADS; l++) {
        char series[KRN_SERIES_NAME];
        snprintf(series, sizeof series, "loads%dx%d", loads[l], width);
        n[l] = app_probe_result_curve(view, KRN_TOPIC_MEMLAT, series, APP_METRIC_GBPS, x[l], y[l],
                                      POINTS);
        complete = complete && app_series_complete(view, KRN_TOPIC_MEMLAT, series);
        for (size_t i = 0; i < n[l]; i++)
            best = fmax(best, y[l][i]);
    }
    for (int l = 0; l < LOADS && best > 0.0; l++) {
        const double reached =
            n[l] > 0 ? krn_least_reaching(x[l], y[l], n[l], level_percent / 100.0 * best) : -1.0;
        if (reached >= 0.0 && reached < least) {
            least = reached;
            by = loads[l];
        }
    }
    snprintf(key, sizeof key, "best/%d", width);
    app_finding_add(analysis, key, plain(best > 0.0, best));
    snprintf(key, sizeof key, "least/%d", width);
    struct app_finding *finding = app_finding_add(analysis, key, plain(complete && by > 0, least));
    if (by > 0)
        app_format(finding->line, sizeof finding->line,
                   "%d-byte loads: %.0f %% of the best %.0f GB/s at %.1f %% occupancy, with %d in "
                   "flight per thread",
                   width, level_percent, best, least, by);
}

/* "level": the percentage that counts as busy; "best/4", "best/16": the best rate in GB/s by bytes
 * per load; "least/4", "least/16": the least occupancy in percent that reaches the level. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    app_finding_add(analysis, "level", plain(true, level_percent));
    for (int w = 0; w < WIDTHS; w++)
        analyse_width(view, widths[w], analysis);
}

const struct app_topic app_topic_memlat = {
    .topic = KRN_TOPIC_MEMLAT,
    .text = APP_TEXT_SLIDES,
    .title = "Memory latency",
    .panel_title = "Memory latency",
    .subtitle = {"over % occupancy, by loads per thread", "ns per step over independent chases"},
    .headline = {{"loads8x16", -1.0, APP_METRIC_GBPS, NULL, 0.0, "8 loads of 16 bytes"},
                 {"one", 1.0, APP_METRIC_NS_PER_STEP, NULL, 0.0, "per step, one chase"}},
    .matrix = true,
    .metric = {APP_METRIC_GBPS, APP_METRIC_NS_PER_STEP},
    .analyse = analyse,
};
