/* cpu_kernels.h - the kernels of the CPU backend, one set for every instruction-set level. */
#ifndef KRN_CPU_KERNELS_H
#define KRN_CPU_KERNELS_H

#include "krn/device.h"

#include <stdbool.h>

struct krn_cpu_kernels {
    const char *level; /* "v2", "v3", "v4" of x86-64, or "base" */
    /* reaches is what .reach makes of the spheres; no turn changes it. */
    void (*book)(const struct krn_sphere *spheres, const float *reaches, int count,
                 const struct krn_view *view, const struct krn_image *image);
    void (*reach)(const struct krn_sphere *spheres, float *reaches, int count);
    void (*turn)(const struct krn_sphere *spheres, struct krn_sphere *turned, int count,
                 struct krn_pose pose);
    void (*empty)(void); /* a parallel region around nothing: the launch floor */
};

/* The best set that this processor runs. The environment variable SPHERESCOPE_CPU_LEVEL (base, v2,
 * v3, v4) asks for a lower one, for tests and comparisons. */
const struct krn_cpu_kernels *krn_cpu_best(void);

/* All sets that were built and that this processor runs, best first; NULL behind the last. */
const struct krn_cpu_kernels *krn_cpu_level(int index);

#endif
