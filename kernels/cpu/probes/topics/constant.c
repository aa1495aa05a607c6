/* What a CPU does not have: constant memory, warps, banks of shared memory. */
#include "cpu/probes/topic.h"

const struct krn_cpu_topic krn_cpu_topic_constant = {
    .absent = "A CPU has no constant memory, only caches.",
};

const struct krn_cpu_topic krn_cpu_topic_bounces = {
    .absent = "A CPU has no warps, no constant memory.",
};

const struct krn_cpu_topic krn_cpu_topic_banks = {
    .absent = "A CPU has no shared memory, only caches.",
};
