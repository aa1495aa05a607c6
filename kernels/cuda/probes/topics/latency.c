/* Latency of a read. */
#include "cuda/probes/topic.h"

const struct krn_cuda_topic krn_cuda_topic_latency = {
    .absent = "This topic is not written yet.",
};
