/* Operand bandwidth. */
#include "cuda/probes/topic.h"

const struct krn_cuda_topic krn_cuda_topic_operands = {
    .absent = "This topic is not written yet.",
};
