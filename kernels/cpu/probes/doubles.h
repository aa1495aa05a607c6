/* kernels/cpu/probes/doubles.h - chains of multiply-adds of double precision, one function per
 * instruction-set level. */
#ifndef KRN_CPU_DOUBLES_H
#define KRN_CPU_DOUBLES_H

#include "cpu/runtime/team.h"
#include "cpu/trace/kernels.h"

/* The number of chains, which keeps two units with a latency of 4 to 6 cycles busy. */
enum { KRN_CPU_PEAK_CHAINS = 12 };

/* multiply_add_double of struct krn_cpu_probe_kernels. */
void KRN_LEVEL(krn_cpu_multiply_add_double)(const double *start, double b, int steps, double *ends,
                                            struct krn_cpu_team *team);

#endif
