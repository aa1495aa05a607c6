/* app/topics/latency.h - the latency of memory, for the topics that apply Little's law to it. */
#ifndef APP_TOPIC_LATENCY_H
#define APP_TOPIC_LATENCY_H

#include "topics/topic.h"

/* Returns the nanoseconds of a dependent read from memory; not valid: not measured. */
struct app_estimate app_latency_of_memory(const struct app_probes_view *view);

#endif
