/* Latency of a read. */
#include "cpu/probes/topic.h"

const struct krn_cpu_topic krn_cpu_topic_latency = {
    .absent = "This topic is not written yet.",
};
