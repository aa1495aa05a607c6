/* app/topics/topics.h - the topics' descriptors, by topic. */
#ifndef APP_TOPICS_H
#define APP_TOPICS_H

#include "topics/topic.h"

/* The descriptor of a topic; never NULL. */
const struct app_topic *app_topic_of(enum krn_topic topic);

/* What follows from the topic's probes in the view. */
void app_topic_analyse(enum krn_topic topic, const struct app_probes_view *view,
                       struct app_analysis *analysis);

#endif
