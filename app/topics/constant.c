/* Constant memory: uniform to divergent reads, and small to large tables. */
#include "topics/topic.h"

#include <stdio.h>

/* "fast-bytes": the largest table whose reads of constant memory, one after another, take at most a
 * quarter longer than those of the smallest, where a larger one was measured to take longer. */
static void find_fast_part(const struct app_probes_view *view, struct app_analysis *analysis)
{
    enum { TABLES = 16 };
    const double longer = 1.25;
    double bytes[TABLES], cycles[TABLES];
    const size_t n = app_probe_result_curve(view, KRN_TOPIC_CONSTANT, "walk/constant",
                                            APP_METRIC_CYCLES_PER_STEP, bytes, cycles, TABLES);
    for (size_t i = 1; i < n; i++)
        if (cycles[i] > longer * cycles[0]) {
            app_finding_add(analysis, "fast-bytes", app_estimate_plain(bytes[i - 1]));
            return;
        }
}

/* "constant", "global": time of reading 32 different addresses per warp over that of reading
 * one. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    static const char *const series[] = {"constant", "global"};
    const enum krn_topic topic = KRN_TOPIC_CONSTANT;
    for (int s = 0; s < 2; s++) {
        char text[96];
        snprintf(text, sizeof text, "%s, 32 addresses per warp over 1", series[s]);
        app_finding_add_ratio(
            analysis, series[s], text,
            app_estimate_ratio(
                app_metric_of(view, app_probe_result_find(view, topic, series[s], 32.0),
                              APP_METRIC_TIME),
                app_metric_of(view, app_probe_result_find(view, topic, series[s], 1.0),
                              APP_METRIC_TIME)));
    }
    find_fast_part(view, analysis);
}

const struct app_topic app_topic_constant = {
    .topic = KRN_TOPIC_CONSTANT,
    .text = APP_TEXT_BOOK,
    .title = "Constant memory",
    .panel_title = "Constant reads",
    .subtitle = {"", ""},
    .headline = {{"constant", 1.0, APP_METRIC_TIME, "constant", 32.0, "slower, 32 addresses"},
                 {"constant", 1.0, APP_METRIC_TIME, "constant", 32.0, "slower, 32 addresses"}},
    .matrix = true,
    .metric = {APP_METRIC_CYCLES_PER_STEP, APP_METRIC_NS_PER_STEP},
    .analyse = analyse,
};
