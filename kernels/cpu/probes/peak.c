/* Peak arithmetic. */
#include "cpu/probes/topic.h"

const struct krn_cpu_topic krn_cpu_topic_peak = {
    .absent = "This topic is not written yet.",
};
