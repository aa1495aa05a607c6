/* Chooses the best compiled instruction-set level that this processor has. */
#include "cpu/device/cpu.h"

#include <stdlib.h>

extern const struct krn_cpu_kernels krn_cpu_kernels_base;
extern const struct krn_cpu_probe_kernels krn_cpu_probe_kernels_base;
extern const struct krn_cpu_light_kernels krn_cpu_light_kernels_base;

static bool always(void)
{
    return true;
}

#ifdef KRN_CPU_X86_64
extern const struct krn_cpu_kernels krn_cpu_kernels_v2, krn_cpu_kernels_v3, krn_cpu_kernels_v4;
extern const struct krn_cpu_probe_kernels krn_cpu_probe_kernels_v2, krn_cpu_probe_kernels_v3,
    krn_cpu_probe_kernels_v4;
extern const struct krn_cpu_light_kernels krn_cpu_light_kernels_v2, krn_cpu_light_kernels_v3,
    krn_cpu_light_kernels_v4;

/* Tests for the levels of the x86-64 psABI by the features that __builtin_cpu_supports knows. */
static bool has_v2(void)
{
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("ssse3") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_v3(void)
{
    return has_v2() && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#endif

/* The levels, best first; every processor supports the last one. */
static const struct krn_cpu_level levels[] = {
#ifdef KRN_CPU_X86_64
    {"v4", 512, has_v4, &krn_cpu_kernels_v4, &krn_cpu_probe_kernels_v4, &krn_cpu_light_kernels_v4},
    {"v3", 256, has_v3, &krn_cpu_kernels_v3, &krn_cpu_probe_kernels_v3, &krn_cpu_light_kernels_v3},
    {"v2", 128, has_v2, &krn_cpu_kernels_v2, &krn_cpu_probe_kernels_v2, &krn_cpu_light_kernels_v2},
#endif
    {"base", 128, always, &krn_cpu_kernels_base, &krn_cpu_probe_kernels_base,
     &krn_cpu_light_kernels_base},
};

enum { LEVELS = sizeof levels / sizeof *levels };
_Static_assert((int)LEVELS <= (int)KRN_CPU_LEVELS, "room for every level's kernels");

/* Returns the level with this name, or the best one for NULL. Returns NULL when the level was not
 * built or this processor does not support it. */
static const struct krn_cpu_level *find(const char *name)
{
    for (int i = 0; i < LEVELS; i++)
        if (levels[i].runs() && (!name || strcmp(name, levels[i].name) == 0))
            return &levels[i];
    return NULL;
}

const struct krn_cpu_level *krn_cpu_best(void)
{
    const struct krn_cpu_level *asked = find(getenv("SPHERESCOPE_CPU_LEVEL"));
    return asked ? asked : find(NULL);
}

int krn_cpu_probe_levels(const struct krn_cpu_level *level,
                         const struct krn_cpu_probe_kernels *list[KRN_CPU_LEVELS])
{
    int count = 0;
    for (const struct krn_cpu_level *at = level; at < levels + LEVELS; at++)
        if (at->runs())
            list[count++] = at->probe_kernels;
    return count;
}
