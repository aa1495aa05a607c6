/* The table of topics, and calls of their functions. */
#include "topics/topic.h"

#define DECLARE(id, name, what) extern const struct app_topic app_topic_##name;
KRN_TOPICS(DECLARE)

#define ENTRY(id, name, what) [KRN_TOPIC_##id] = &app_topic_##name,
static const struct app_topic *const all_topics[KRN_TOPIC_COUNT] = {KRN_TOPICS(ENTRY)};

const struct app_topic *app_topic_of(enum krn_topic topic)
{
    return all_topics[topic];
}

void app_topic_analyse(enum krn_topic topic, const struct app_probes_view *view,
                       struct app_analysis *analysis)
{
    analysis->count = 0;
    if (all_topics[topic]->analyse)
        all_topics[topic]->analyse(view, analysis);
}

void app_picture_make(enum krn_topic topic, const struct app_picture_facts *facts,
                      struct app_picture *picture)
{
    app_picture_begin(picture);
    app_topic_of(topic)->picture(facts, picture);
}
