/* kernels/cpu/probes/memory.h - memory of the CPU's probes (private to kernels/cpu/probes). */
#ifndef KRN_CPU_PROBES_MEMORY_H
#define KRN_CPU_PROBES_MEMORY_H

#include "cpu/probes/topic.h"

/* Allocates the memory of the topics, at most bytes_max; blocks that exceed the limit are NULL. A
 * cancelled call leaves the arrays half filled. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_probes_alloc(struct krn_cpu_probes *probes, size_t bytes_max,
                                   struct krn_error *error);
void krn_cpu_probes_free(struct krn_cpu_probes *probes);

#endif
