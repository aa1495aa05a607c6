/* Operand bandwidth. */
#include "cpu/probes/topic.h"

const struct krn_cpu_topic krn_cpu_topic_operands = {
    .absent = "This topic is not written yet.",
};
