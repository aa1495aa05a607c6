/* kernels/cpu/probes/kernels.h - the kernels of the CPU's probes, one set per instruction-set
 * level.
 *
 * A kernel is work for every thread of a team (krn_cpu_team_each), or for the calling thread alone.
 * The threads get even parts, as by OpenMP's static schedule. The caller times the kernels.
 */
#pragma once

#include "core/probes/probe_ops.h"
#include "cpu/runtime/team.h"
#include "krn/access.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers and logical threads of the tutorial's sum of cubes; logical threads per sum; floats per
 * cache line; chains, which keep two units with a latency of 4 to 6 cycles busy. */
enum {
    KRN_CPU_CUBES = 1 << 20,
    KRN_CPU_LOGICAL = 1024,
    KRN_CPU_GROUP = 1024,
    KRN_CPU_LINE_FLOATS = KRN_LINE_BYTES / 4,
    KRN_CPU_CHAINS = 12
};

/* The value of element i: a hash, so that a missing or misplaced element is detected, and a small
 * integer, so that sums and products are exact in float and independent of their order. */
enum { KRN_CPU_VALUE_MOST = 256 };
static inline float krn_cpu_value(uint32_t i)
{
    uint32_t h = i * 0x9e3779b1u;
    h = (h ^ (h >> 15)) * 0x85ebca77u;
    return (float)(int)(1 + (h >> 24));
}

/* The expected value of element i of y: times * value(i) + value(i + shift), without the second
 * term when shift is 0. */
struct krn_cpu_held {
    unsigned times, shift;
};

/* The greatest number of instruction-set levels. */
enum { KRN_CPU_LEVELS = 4 };

/* What the kernels work on; `threads` is the number of those that share it. */

/* saxpy: y = a x + y; copy_passing: y = x. x and y are aligned to lines. */
struct krn_cpu_stream {
    float a;
    const float *x;
    float *y;
    size_t lines; /* KRN_CPU_LINE_FLOATS elements each */
    int threads;
};

/* The sums of KRN_CPU_LOGICAL logical threads over KRN_CPU_CUBES numbers. */
struct krn_cpu_cubes {
    const int *numbers;
    int *sums;
    int threads;
};

/* The logical threads of `groups` groups, from number `first` on, read by the pattern; each group
 * of KRN_CPU_GROUP of them gives a sum. */
struct krn_cpu_gather {
    enum krn_pattern pattern;
    size_t parameter;
    const float *x;
    size_t elements, first, groups;
    float *sums;
    int threads;
};

/* a = a * a + b, `steps` times, in KRN_CPU_CHAINS vectors of floats or of doubles. All threads
 * begin with the same start; each writes its vectors behind those of the thread before. */
struct krn_cpu_arithmetic {
    const void *start;
    float b;
    int steps;
    void *ends;
};

struct krn_cpu_probe_kernels {
    int width;   /* floats per vector */
    bool fused;  /* multiply-add is one instruction */
    bool passes; /* non-temporal stores, which bypass the caches, are available */
    krn_cpu_work *saxpy, *saxpy_passing, *copy_passing, *cubes_chunk, *cubes_strided, *gather,
        *multiply_add, *multiply_add_double;
    /* Counts the elements begin..end-1 that differ from the expected value; NaN differs. */
    size_t (*differing)(const float *y, size_t begin, size_t end, struct krn_cpu_held held,
                        struct krn_cpu_team *team);
};

/* The backend's open_probes. levels: the kernels of the selected instruction-set level, then those
 * of the levels below it. */
enum krn_code krn_cpu_probes_open(const struct krn_cpu_probe_kernels *const *levels,
                                  int level_count, struct krn_cpu_team *team, unsigned topics,
                                  size_t bytes_max, struct krn_probes **probes,
                                  struct krn_error *error);
