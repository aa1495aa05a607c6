/* Atomic adds: into one counter, or into several. */
#include "topics/topic.h"

static struct app_estimate ratio(const struct app_probes_view *view, const char *series,
                                 const char *over)
{
    return app_series_ratio(view, KRN_TOPIC_ATOMICS, series, over, -1.0, APP_METRIC_GOPS);
}

/* On a GPU, by memory: the rate with one counter per thread over the rate with one counter. On a
 * CPU: the rate with a cache line per counter over the rates with one counter and with adjacent
 * counters. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    if (view->device->can.warps) {
        app_finding_add_ratio(analysis, "global", "one counter per thread over one, global memory",
                              ratio(view, "global/thread", "global/one"));
        app_finding_add_ratio(analysis, "shared", "one counter per thread over one, shared memory",
                              ratio(view, "shared/thread", "shared/one"));
        app_finding_add_ratio(analysis, "shared/global",
                              "shared over global memory, one counter per thread",
                              ratio(view, "shared/thread", "global/thread"));
        return;
    }
    app_finding_add_ratio(analysis, "one", "one counter per thread over one, all threads",
                          ratio(view, "thread", "one"));
    app_finding_add_ratio(analysis, "neighbours",
                          "one cache line per counter over one for all, all threads",
                          ratio(view, "thread", "neighbours"));
}

const struct app_topic app_topic_atomics = {
    .topic = KRN_TOPIC_ATOMICS,
    .text = APP_TEXT_TUTORIAL,
    .title = "Atomic adds",
    .panel_title = "Atomic adds",
    .subtitle = {"billion adds per second, most threads", "billion adds per second, by threads"},
    .headline = {{"global/one", -1.0, APP_METRIC_GOPS, "global/thread", -1.0,
                  "faster, one per thread"},
                 {"one", -1.0, APP_METRIC_GOPS, "thread", -1.0, "faster, one per thread"}},
    .matrix = true,
    .metric = {APP_METRIC_GOPS, APP_METRIC_GOPS},
    .formulas = {"adds per second = threads × adds per thread / time",
                 "gain = adds per second, one counter per thread / one counter", NULL},
    .analyse = analyse,
};
