/* kernels/cpu/probes/kernels.h - the kernels of the CPU's probes, one set for every instruction-set
 * level.
 *
 * Work is dealt out evenly to the threads of the team, as OpenMP's static schedule does; a team of
 * NULL is the calling thread. Whoever times them does so from outside.
 */
#ifndef KRN_CPU_PROBE_KERNELS_H
#define KRN_CPU_PROBE_KERNELS_H

#include "cpu/runtime/team.h"
#include "krn/access.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The tutorial's sum of cubes; logical threads whose reads make one sum; floats of a line; the most
 * chains of multiply-adds and of pointers; slots of a line, each in a cycle of its own. */
enum {
    KRN_CPU_CUBES = 1 << 20,
    KRN_CPU_LOGICAL = 1024,
    KRN_CPU_GROUP = 1024,
    KRN_CPU_LINE_FLOATS = KRN_LINE_BYTES / 4,
    KRN_CPU_CHAINS = 16,
    KRN_CPU_SLOTS = KRN_LINE_BYTES / 4
};

/* Element i of the arrays: a hash, so that one that is missed or in another's place shows; and a
 * small integer, so that sums and products are exact in float and their order does not matter. */
enum { KRN_CPU_VALUE_MOST = 256 };
static inline float krn_cpu_value(uint32_t i)
{
    uint32_t h = i * 0x9e3779b1u;
    h = (h ^ (h >> 15)) * 0x85ebca77u;
    return (float)(int)(1 + (h >> 24));
}

/* What element i of y holds: times * value(i) + value(i + shift), the latter only where
 * shift > 0. */
struct krn_cpu_held {
    unsigned times, shift;
};

struct krn_cpu_probe_kernels {
    int width;   /* floats of a vector */
    bool fused;  /* multiply-add is one instruction */
    bool passes; /* stores can pass the caches by */

    /* n is a multiple of a line's floats, and x and y begin at a line's edge. */
    void (*saxpy)(float a, const float *x, float *y, size_t n, struct krn_cpu_team *team);
    void (*saxpy_passing)(float a, const float *x, float *y, size_t n, struct krn_cpu_team *team);
    void (*copy_passing)(const float *from, float *to, size_t n, struct krn_cpu_team *team);
    /* How many of elements begin..end-1 are not what is held; NaN is not. */
    size_t (*differing)(const float *y, size_t begin, size_t end, struct krn_cpu_held held,
                        struct krn_cpu_team *team);

    /* Sums of KRN_CPU_LOGICAL logical threads over KRN_CPU_CUBES numbers. */
    void (*cubes_chunk)(const int *numbers, int *sums, struct krn_cpu_team *team);
    void (*cubes_strided)(const int *numbers, int *sums, struct krn_cpu_team *team);

    /* Logical threads first..first+count-1 read by the pattern; a sum for each KRN_CPU_GROUP. */
    void (*gather)(enum krn_pattern pattern, size_t parameter, const float *x, size_t elements,
                   size_t first, size_t count, float *sums, struct krn_cpu_team *team);

    /* a = a * a + b, `steps` times over in `chains` (1, 2, 3, 4, 6, 8, 12, 16) vectors at once;
     * each of the threads from the same start, into ends + thread * KRN_CPU_CHAINS * width. */
    void (*multiply_add)(int chains, const float *start, float b, int steps, float *ends,
                         struct krn_cpu_team *team);

    /* `steps` times at = lines[at + slot], in `chains` (1, 2, 4, 8, 16) chains at once, from and
     * into `at`: KRN_CPU_CHAINS of each thread. */
    void (*chase)(int chains, const uint32_t *lines, int slot, int steps, uint32_t *at,
                  struct krn_cpu_team *team);
};

#endif
