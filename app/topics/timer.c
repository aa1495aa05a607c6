/* Three clocks. */
#include "topics/topic.h"

static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    (void)view;
    (void)analysis;
}

const struct app_topic app_topic_timer = {
    .topic = KRN_TOPIC_TIMER,
    .text = APP_TEXT_METRICS,
    .title = "Three clocks",
    .panel_title = "Three clocks",
    .subtitle = {"", ""},
    .headline = {{"one", -1.0, APP_METRIC_TIME, NULL, 0.0, "time"},
                 {"one", -1.0, APP_METRIC_TIME, NULL, 0.0, "time"}},
    .metric = {APP_METRIC_TIME, APP_METRIC_TIME},
    .analyse = analyse,
};
