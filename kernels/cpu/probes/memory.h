/* kernels/cpu/probes/memory.h - the memory of the CPU's probes (inside kernels/cpu/probes only). */
#ifndef KRN_CPU_PROBES_MEMORY_H
#define KRN_CPU_PROBES_MEMORY_H

#include "cpu/probes/topic.h"

/* Takes what the topics ask for, at most bytes_max. Errors: KRN_NO_MEMORY; what bytes_max does not
 * allow stays NULL. */
enum krn_code krn_cpu_probes_alloc(struct krn_cpu_probes *probes, size_t bytes_max,
                                   struct krn_error *error);
void krn_cpu_probes_free(struct krn_cpu_probes *probes);

#endif
