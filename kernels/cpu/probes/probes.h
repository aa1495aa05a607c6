/* kernels/cpu/probes/probes.h - the CPU backend's open_probes (private to kernels/cpu). */
#ifndef KRN_CPU_PROBES_H
#define KRN_CPU_PROBES_H

#include "core/probes/probe_ops.h"
#include "cpu/probes/kernels.h"

/* levels: the kernels of the selected instruction-set level, then those of the levels below it. */
enum krn_code krn_cpu_probes_open(const struct krn_cpu_probe_kernels *const *levels,
                                  int level_count, struct krn_cpu_team *team, unsigned topics,
                                  size_t bytes_max, struct krn_probes **probes,
                                  struct krn_error *error);

#endif
