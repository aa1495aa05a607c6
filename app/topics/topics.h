/* app/topics/topics.h - finds a topic's descriptor. */
#ifndef APP_TOPICS_H
#define APP_TOPICS_H

#include "topics/topic.h"

/* Returns the descriptor of a topic; never NULL. */
const struct app_topic *app_topic_of(enum krn_topic topic);

/* Runs the topic's analysis over the probes in the view. */
void app_topic_analyse(enum krn_topic topic, const struct app_probes_view *view,
                       struct app_analysis *analysis);

#endif
