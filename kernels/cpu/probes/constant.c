/* Constant memory. */
#include "cpu/probes/topic.h"

const struct krn_cpu_topic krn_cpu_topic_constant = {
    .absent = "A CPU has no constant memory, only caches.",
};
