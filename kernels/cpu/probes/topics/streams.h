/* kernels/cpu/probes/topics/streams.h - SAXPY on the arrays x and y, for every topic that runs it
 * (private to kernels/cpu/probes). x of such a probe is a number of elements, one of those that
 * bound the sections of y. */
#ifndef KRN_CPU_STREAMS_H
#define KRN_CPU_STREAMS_H

#include "cpu/probes/topic.h"

enum { KRN_CPU_SAXPY_FACTOR = 2 };

/* For alloc: requests the arrays. */
void krn_cpu_stream_alloc(struct krn_cpu_probes *probes);

/* For prepare: fills y again before its values become inexact. */
void krn_cpu_stream_prepare(struct krn_cpu_probes *probes, int index);

/* Returns the elements of a run. */
size_t krn_cpu_stream_elements(const struct krn_cpu_probes *probes, int index);

/* Notes that y += KRN_CPU_SAXPY_FACTOR x was executed on the elements of the run. */
void krn_cpu_stream_updated(struct krn_cpu_probes *probes, int index);

/* For check and result. */
void krn_cpu_stream_check(struct krn_cpu_probes *probes, int index, bool whole,
                          struct krn_check *check);
void *krn_cpu_stream_result(const struct krn_cpu_probes *probes, int index);

#endif
