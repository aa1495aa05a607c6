/* Latency of a read. */
#include "topics/topic.h"

static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    (void)view;
    (void)analysis;
}

const struct app_topic app_topic_latency = {
    .topic = KRN_TOPIC_LATENCY,
    .text = APP_TEXT_SLIDES,
    .title = "Latency of a read",
    .panel_title = "Latency of a read",
    .subtitle = {"", ""},
    .headline = {{"one", -1.0, APP_METRIC_TIME, NULL, 0.0, "time"},
                 {"one", -1.0, APP_METRIC_TIME, NULL, 0.0, "time"}},
    .metric = {APP_METRIC_TIME, APP_METRIC_TIME},
    .analyse = analyse,
};
