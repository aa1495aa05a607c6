/* Constant memory, and the light view from constant memory by bounces. */
#include "cpu/probes/topic.h"

const struct krn_cpu_topic krn_cpu_topic_constant = {
    .absent = "A CPU has no constant memory, only caches.",
};

const struct krn_cpu_topic krn_cpu_topic_bounces = {
    .absent = "A CPU has no warps, no constant memory.",
};
