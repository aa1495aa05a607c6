/* What this processor is: the best instruction-set level that is compiled for it, and what the page
 * of properties lists, from /proc, /sys and the C library. */
#include "cpu/device/cpu.h"

#include "krn/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- levels --- */

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

/* --- properties --- */

void krn_cpu_name(char *name, size_t size)
{
    snprintf(name, size, "CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

/* Counts the cores: processors that differ in package or core. -1: the system does not tell. */
static int64_t count_cores(void)
{
    enum { PROCESSORS_MAX = 4096 };
    long(*seen)[2] = krn_alloc(PROCESSORS_MAX, sizeof *seen);
    int cores = 0, physical = 0, processors = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file) && cores < PROCESSORS_MAX) {
        const char *colon = strchr(line, ':');
        const int number = colon ? (int)strtol(colon + 1, NULL, 10) : 0;
        processors += colon && strncmp(line, "processor", 9) == 0;
        if (colon && strncmp(line, "physical id", 11) == 0)
            physical = number;
        if (!colon || strncmp(line, "core id", 7) != 0)
            continue;
        bool known = false;
        for (int i = 0; i < cores && !known; i++)
            known = seen[i][0] == physical && seen[i][1] == number;
        if (!known) {
            seen[cores][0] = physical;
            seen[cores++][1] = number;
        }
    }
    if (file)
        fclose(file);
    free(seen);
    return processors > 0 && cores > 0 ? cores : -1;
}

/* Returns a number that the system knows; -1 when it does not. */
static int64_t system_number(int name)
{
    const long value = sysconf(name);
    return value > 0 ? value : -1;
}

/* What the system tells about the data caches of the first processor; -1: not known. */
struct caches {
    int64_t line, bytes[4]; /* by level */
};

static bool holds_data(int index)
{
    char path[96], kind[32] = "";
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    const bool read = fscanf(file, "%31s", kind) == 1;
    fclose(file);
    return read && strcmp(kind, "Instruction") != 0;
}

/* Returns what the C library tells, which a virtual machine may know where /sys does not. */
static struct caches ask_caches(void)
{
    struct caches caches = {-1, {-1, -1, -1, -1}};
#ifdef _SC_LEVEL1_DCACHE_SIZE
    caches.line = system_number(_SC_LEVEL1_DCACHE_LINESIZE);
    caches.bytes[1] = system_number(_SC_LEVEL1_DCACHE_SIZE);
    caches.bytes[2] = system_number(_SC_LEVEL2_CACHE_SIZE);
    caches.bytes[3] = system_number(_SC_LEVEL3_CACHE_SIZE);
#endif
    return caches;
}

static struct caches read_caches(void)
{
    enum { CACHES_MAX = 8 };
    struct caches caches = ask_caches();
    for (int index = 0; index < CACHES_MAX; index++) {
        const int64_t level = krn_cpu_cache_number(0, index, "level");
        if (level < 1 || level > 3 || !holds_data(index))
            continue;
        const int64_t bytes = krn_cpu_cache_number(0, index, "size");
        caches.bytes[level] = bytes > 0 ? bytes : caches.bytes[level];
        if (caches.line < 0)
            caches.line = krn_cpu_cache_number(0, index, "coherency_line_size");
    }
    return caches;
}

enum krn_code krn_cpu_properties(int ordinal, struct krn_property_list *list,
                                 struct krn_error *error)
{
    (void)ordinal;
    (void)error;
    char name[KRN_PROPERTY_TEXT_MAX];
    const struct krn_cpu_level *level = krn_cpu_best();
    const struct caches caches = read_caches();
    const int64_t pages = system_number(_SC_PHYS_PAGES), page = system_number(_SC_PAGESIZE);
    krn_cpu_name(name, sizeof name);
    krn_property_add_text(list, "name", "name", name);
    const struct {
        const char *key, *words;
        enum krn_property_kind kind;
        int64_t value;
    } numbers[] = {
        {"totalMemory", "memory", KRN_PROPERTY_BYTES, pages > 0 && page > 0 ? pages * page : -1},
        {"pageSize", "page of memory", KRN_PROPERTY_BYTES, page},
        {"processorCount", "processors that the system runs on", KRN_PROPERTY_COUNT,
         system_number(_SC_NPROCESSORS_ONLN)},
        {"coreCount", "cores that they belong to", KRN_PROPERTY_COUNT, count_cores()},
        {"threadCount", "threads of this backend", KRN_PROPERTY_COUNT, krn_cpu_team_wanted()},
        {"vectorWidth", "width of a vector", KRN_PROPERTY_BITS, level->vector_bits},
        {"cacheLine", "cache line", KRN_PROPERTY_BYTES, caches.line},
        {"l1dCacheSize", "L1 data cache of the first processor", KRN_PROPERTY_BYTES,
         caches.bytes[1]},
        {"l2CacheSize", "L2 cache of the first processor", KRN_PROPERTY_BYTES, caches.bytes[2]},
        {"l3CacheSize", "L3 cache of the first processor", KRN_PROPERTY_BYTES, caches.bytes[3]},
    };
    krn_property_add_text(list, "level", "instruction-set level", level->name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        krn_property_add_number(list, numbers[i].key, numbers[i].words, numbers[i].kind,
                                numbers[i].value);
    return KRN_OK;
}
