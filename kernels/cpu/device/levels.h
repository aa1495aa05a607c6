/* kernels/cpu/device/levels.h - selection of an instruction-set level and its kernels. */
#ifndef KRN_CPU_LEVELS_H
#define KRN_CPU_LEVELS_H

#include "cpu/light/kernels.h"
#include "cpu/probes/kernels.h"
#include "cpu/trace/kernels.h"

struct krn_cpu_level {
    const char *name; /* "v4", "v3", "v2" of x86-64, or "base" */
    int vector_bits;  /* of the registers that its kernels use */
    bool (*runs)(void);
    const struct krn_cpu_kernels *kernels;
    const struct krn_cpu_probe_kernels *probe_kernels;
    const struct krn_cpu_light_kernels *light;
};

/* Returns the best level that this processor supports. The environment variable
 * SPHERESCOPE_CPU_LEVEL (base, v2, v3, v4) selects a lower one, for tests and comparisons. */
const struct krn_cpu_level *krn_cpu_best(void);

/* Lists the probe kernels of a level and of those below it that this processor supports, best
 * first. Returns their number. */
int krn_cpu_probe_levels(const struct krn_cpu_level *level,
                         const struct krn_cpu_probe_kernels *list[KRN_CPU_LEVELS]);

#endif
