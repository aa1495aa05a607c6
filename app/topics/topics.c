/* The table of topics, and calls of their functions. */
#include "topics/topic.h"

#define DECLARE(id, name, what) extern const struct app_topic app_topic_##name;
KRN_TOPICS(DECLARE)

#define ENTRY(id, name, what) [KRN_TOPIC_##id] = &app_topic_##name,
const struct app_topic *const app_topics[KRN_TOPIC_COUNT] = {KRN_TOPICS(ENTRY)};

void app_topic_analyse(enum krn_topic topic, const struct app_probes_view *view,
                       struct app_analysis *analysis)
{
    analysis->count = 0;
    if (app_topics[topic]->analyse)
        app_topics[topic]->analyse(view, analysis);
}

void app_picture_make(enum krn_topic topic, const struct app_picture_facts *facts,
                      struct app_picture *picture)
{
    app_picture_begin(picture);
    app_topics[topic]->picture(facts, picture);
}
