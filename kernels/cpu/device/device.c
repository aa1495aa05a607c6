/* The functions of a CPU device. A frame is finished when render returns. */
#include "core/base/clock.h"
#include "core/device/backend.h"
#include "core/trace/pixel.h"
#include "cpu/device/cpu.h"
#include "cpu/probes/kernels.h"
#include "krn/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct krn_cpu_device *own(struct krn_device *device)
{
    return (struct krn_cpu_device *)device;
}

static void cpu_close(struct krn_device *device)
{
    krn_cpu_memory_free(&own(device)->memory);
    krn_cpu_light_free(&own(device)->light);
    krn_cpu_mine_free(&own(device)->mine);
    krn_cpu_team_close(own(device)->team);
    free(own(device)->heat);
    free(device);
}

static enum krn_code cpu_set_pose(struct krn_device *device, struct krn_pose pose,
                                  struct krn_error *error)
{
    struct krn_cpu_device *cpu = own(device);
    const struct krn_cpu_memory *m = &cpu->memory;
    if (!cpu->posed || cpu->pose.cosine != pose.cosine || cpu->pose.sine != pose.sine)
        cpu->kernels->rotate(cpu->team, m->given, m->rotated, m->packed, m->material,
                             device->spheres, pose);
    cpu->light.arranged = false;
    cpu->pose = pose;
    cpu->posed = !krn_cancelled();
    return krn_check_cancelled(error);
}

static enum krn_code cpu_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                   struct krn_error *error)
{
    struct krn_cpu_device *cpu = own(device);
    const enum krn_code code = krn_cpu_memory_scene(&cpu->memory, scene, error);
    if (code != KRN_OK)
        return code;
    device->spheres = scene->count;
    memset(&cpu->overheads, 0, sizeof cpu->overheads);
    cpu->kernels->reach(cpu->memory.given, cpu->memory.reaches, scene->count);
    cpu->posed = false;
    return KRN_OK;
}

static bool cpu_renders(const struct krn_device *device, struct krn_mode mode)
{
    (void)device;
    return krn_mode_index(mode) >= 0 && krn_cpu_launchers[mode.kernel].launch != NULL;
}

static enum krn_code cpu_render(struct krn_device *device, struct krn_mode mode,
                                const struct krn_view *view, const struct krn_image *image,
                                uint64_t tag, struct krn_error *error)
{
    struct krn_cpu_device *cpu = own(device);
    struct krn_cpu_memory *m = &cpu->memory;
    const struct krn_cpu_launcher *launcher = &krn_cpu_launchers[mode.kernel];
    const enum krn_code code = launcher->prepare ? launcher->prepare(cpu, view, error) : KRN_OK;
    if (code != KRN_OK)
        return code;
    struct krn_reading reading = {.mode = mode, .tag = tag, .scope = krn_cpu_kernel_scope};
    const double cpu_start = krn_clock_ms_of(CLOCK_PROCESS_CPUTIME_ID);
    const struct krn_cpu_job job = {mode,     view,
                                    image,    {m->rotated, m->packed, m->material, m->count},
                                    &reading, krn_clock_ms()};
    launcher->launch(cpu, &job);
    reading.ms = krn_clock_ms() - job.start_ms;
    reading.cpu_ms = krn_clock_ms_of(CLOCK_PROCESS_CPUTIME_ID) - cpu_start;
    if (krn_check_cancelled(error) != KRN_OK)
        return KRN_CANCELLED;
    if (tag == KRN_UNTIMED || cpu->waiting == KRN_CPU_READINGS)
        return KRN_OK;
    if (krn_call_fails(KRN_API_NONE, "krn_host_late()"))
        device->gate_drops++;
    else
        cpu->readings[(cpu->first + cpu->waiting++) % KRN_CPU_READINGS] = reading;
    return KRN_OK;
}

static enum krn_code cpu_overhead(struct krn_device *device, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_overhead *overhead,
                                  struct krn_error *error)
{
    struct krn_cpu_device *cpu = own(device);
    const struct krn_cpu_launcher *launcher = &krn_cpu_launchers[mode.kernel];
    const enum krn_code code = launcher->prepare ? launcher->prepare(cpu, view, error) : KRN_OK;
    if (code != KRN_OK)
        return code;
    const struct krn_cpu_jobs jobs = krn_cpu_jobs_of(cpu, mode.kernel, view);
    *overhead = krn_cpu_overhead(&cpu->overheads, cpu->team, &jobs);
    return KRN_OK;
}

/* What the limit reads and writes. */
struct limit {
    const struct krn_packed *spheres;
    struct krn_image image;
    size_t words; /* of 8 bytes, of all spheres */
    int pieces;
    _Atomic uint64_t *read; /* or the compiler would leave the reads out */
};

enum { LIMIT_ROWS = 16 };

static void run_limit(const void *context, int index, int thread)
{
    const struct limit *limit = context;
    const struct krn_image *image = &limit->image;
    const uint64_t *words = (const void *)limit->spheres;
    uint64_t all = 0;
    (void)thread;
    for (int j = index * LIMIT_ROWS; j < (index + 1) * LIMIT_ROWS && j < image->height; j++)
        memset((char *)image->pixels + (size_t)j * image->pitch_bytes, 0, image->pitch_bytes);
    for (size_t i = krn_cpu_part(limit->words, index, limit->pieces),
                end = krn_cpu_part(limit->words, index + 1, limit->pieces);
         i < end; i++)
        all |= words[i];
    atomic_fetch_or(limit->read, all);
}

static enum krn_code cpu_limit(struct krn_device *device, const struct krn_view *view,
                               struct krn_limit_samples *samples, struct krn_error *error)
{
    enum { WARM_UP = 3 };
    const double enough_ms = 20.0;
    struct krn_cpu_device *cpu = own(device);
    _Atomic uint64_t read = 0;
    struct limit limit = {.spheres = cpu->memory.packed,
                          .words = (size_t)device->spheres * sizeof *limit.spheres / sizeof read,
                          .pieces = (view->height + LIMIT_ROWS - 1) / LIMIT_ROWS,
                          .read = &read};
    const struct krn_cpu_jobs job = {1, {limit.pieces}};
    enum krn_code code =
        krn_device_alloc_image(device, view->width, view->height, &limit.image, error);
    if (code != KRN_OK)
        return code;
    samples->overhead_ms = krn_cpu_overhead(&cpu->overheads, cpu->team, &job).ms;
    double start_ms = 0.0;
    for (int i = 0; samples->n < KRN_LIMIT_SAMPLES; i++) {
        const double now_ms = krn_clock_ms();
        if (i == WARM_UP)
            start_ms = now_ms;
        if (samples->n >= KRN_LIMIT_LEAST && now_ms - start_ms >= enough_ms)
            break;
        krn_cpu_team_share(cpu->team, limit.pieces, run_limit, &limit);
        if (i >= WARM_UP)
            samples->net_ms[samples->n++] = krn_clock_ms() - now_ms - samples->overhead_ms;
    }
    krn_device_free_image(device, &limit.image);
    return krn_check_cancelled(error);
}

static enum krn_code cpu_batch(struct krn_device *device, struct krn_mode mode,
                               const struct krn_view *view, const struct krn_image *image,
                               int count, double *ms, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    const double start = krn_clock_ms();
    for (int i = 0; code == KRN_OK && i < count; i++)
        code = cpu_render(device, mode, view, image, 0, error);
    *ms = (krn_clock_ms() - start) / count;
    own(device)->waiting = 0;
    return code;
}

static bool cpu_poll(struct krn_device *device, struct krn_reading *reading)
{
    struct krn_cpu_device *cpu = own(device);
    if (cpu->waiting == 0)
        return false;
    *reading = cpu->readings[cpu->first];
    cpu->first = (cpu->first + 1) % KRN_CPU_READINGS;
    cpu->waiting--;
    return true;
}

static enum krn_code cpu_read(struct krn_device *device, const struct krn_image *image,
                              void *pixels, struct krn_error *error)
{
    (void)device;
    (void)error;
    const size_t row = 4 * (size_t)image->width;
    for (int j = 0; j < image->height; j++)
        memcpy((char *)pixels + (size_t)j * row,
               (const char *)image->pixels + (size_t)j * image->pitch_bytes, row);
    return KRN_OK;
}

static enum krn_code cpu_fill(struct krn_device *device, const struct krn_image *image,
                              uint8_t byte, struct krn_error *error)
{
    (void)device;
    (void)error;
    for (int j = 0; j < image->height; j++)
        memset((char *)image->pixels + (size_t)j * image->pitch_bytes, byte,
               4 * (size_t)image->width);
    return KRN_OK;
}

struct hash {
    const struct krn_image *image;
    _Atomic uint64_t *sum;
};

enum { HASH_ROWS = 16 };

static void hash_rows(const void *context, int index, int thread)
{
    (void)thread;
    const struct hash *hash = context;
    const struct krn_image *image = hash->image;
    const int width = image->width, first = index * HASH_ROWS, end = first + HASH_ROWS;
    uint64_t sum = 0;
    for (int j = first; j < end && j < image->height; j++) {
        const unsigned char *row =
            (const unsigned char *)image->pixels + (size_t)j * image->pitch_bytes;
        for (int i = 0; i < width; i++) {
            const unsigned rgba = row[4 * i] | (unsigned)row[4 * i + 1] << 8 |
                                  (unsigned)row[4 * i + 2] << 16 | (unsigned)row[4 * i + 3] << 24;
            sum += krn_hash_pixel((uint64_t)j * (uint64_t)width + (uint64_t)i, rgba);
        }
    }
    atomic_fetch_add(hash->sum, sum);
}

static enum krn_code cpu_hash(struct krn_device *device, const struct krn_image *image,
                              uint64_t *hash, struct krn_error *error)
{
    _Atomic uint64_t sum = 0;
    const struct hash work = {image, &sum};
    krn_cpu_team_share(own(device)->team, (image->height + HASH_ROWS - 1) / HASH_ROWS, hash_rows,
                       &work);
    *hash = atomic_load(&sum);
    return krn_check_cancelled(error);
}

/* Allocates the costs and what the kernel works in. */
static enum krn_code prepare_heat(struct krn_cpu_device *cpu, struct krn_mode mode,
                                  const struct krn_view *view, struct krn_error *error)
{
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    if (pixels > cpu->heat_held) {
        free(cpu->heat);
        cpu->heat_held = 0;
        cpu->heat = malloc(pixels * sizeof *cpu->heat);
        if (!cpu->heat)
            return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the heat map's %zu pixels.",
                            pixels);
        cpu->heat_held = pixels;
    }
    /* The tree kernel counts for both kernels of the light view. */
    const struct krn_cpu_launcher *launcher =
        &krn_cpu_launchers[krn_mode_view(mode) == KRN_VIEW_LIGHT ? KRN_KERNEL_TREE : mode.kernel];
    return launcher->prepare ? launcher->prepare(cpu, view, error) : KRN_OK;
}

static enum krn_code cpu_heat(struct krn_device *device, struct krn_mode mode,
                              const struct krn_view *view, enum krn_heat quantity,
                              const struct krn_image *image, struct krn_heat_costs *costs,
                              struct krn_error *error)
{
    (void)image;
    struct krn_cpu_device *cpu = own(device);
    const struct krn_cpu_launcher *launcher = &krn_cpu_launchers[mode.kernel];
    if (quantity == KRN_HEAT_TESTS && launcher->count_tests == NULL)
        return KRN_FAIL(error, KRN_REFUSED, "The %s kernel has no heat map on the CPU.",
                        krn_kernel_name(mode.kernel));
    const enum krn_code code = prepare_heat(cpu, mode, view, error);
    if (code != KRN_OK)
        return code;
    if (quantity == KRN_HEAT_RAYS)
        krn_cpu_count_pixel_rays(cpu, cpu->heat);
    else
        launcher->count_tests(cpu, view);
    if (krn_check_cancelled(error) != KRN_OK)
        return KRN_CANCELLED;
    krn_cpu_heat_sum(cpu->heat, (size_t)view->width * (size_t)view->height, costs);
    return KRN_OK;
}

static enum krn_code cpu_heat_paint(struct krn_device *device, uint32_t scale,
                                    const struct krn_image *image, struct krn_error *error)
{
    krn_cpu_heat_paint(own(device)->team, own(device)->heat, scale, image);
    return krn_check_cancelled(error);
}

static enum krn_code cpu_heat_read(struct krn_device *device, size_t first, size_t count,
                                   uint32_t *costs, struct krn_error *error)
{
    (void)error;
    if (count > 0)
        memcpy(costs, own(device)->heat + first, count * sizeof *costs);
    return KRN_OK;
}

static enum krn_code cpu_rays(struct krn_device *device, const struct krn_view *view,
                              struct krn_rays *rays, struct krn_error *error)
{
    enum krn_code code = krn_cpu_count_rays(own(device), view, rays, error);
    return KRN_THEN(code, krn_check_cancelled(error));
}

static enum krn_code cpu_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                     struct krn_probes **probes, struct krn_error *error)
{
    const struct krn_cpu_probe_kernels *levels[KRN_CPU_LEVELS];
    const int count = krn_cpu_probe_levels(own(device)->level, levels);
    return krn_cpu_probes_open(levels, count, own(device)->team, topics, bytes_max, probes, error);
}

static const struct krn_device_ops cpu_ops = {
    .close = cpu_close,
    .set_scene = cpu_set_scene,
    .set_pose = cpu_set_pose,
    .alloc_image = krn_host_alloc,
    .free_image = krn_host_free,
    .renders = cpu_renders,
    .render = cpu_render,
    .batch = cpu_batch,
    .overhead = cpu_overhead,
    .limit = cpu_limit,
    .poll = cpu_poll,
    .read = cpu_read,
    .fill = cpu_fill,
    .alloc_host = krn_host_alloc,
    .free_host = krn_host_free,
    .hash = cpu_hash,
    .heat = cpu_heat,
    .heat_paint = cpu_heat_paint,
    .heat_read = cpu_heat_read,
    .rays = cpu_rays,
    .open_probes = cpu_open_probes,
    .compile_mine = krn_cpu_mine_compile,
    .load_mine = krn_cpu_mine_load,
};

static const struct krn_capabilities capabilities = {
    .noun = "CPU",
    .host_images = true,
    .host_processors = true,
    .tests_per_ms = 5e5,
    .sphere_bytes = 2 * sizeof(struct krn_sphere) + sizeof(struct krn_packed) +
                    sizeof(struct krn_material) + 2 * sizeof(float),
};

static struct krn_overheads measure_overheads(struct krn_cpu_device *cpu)
{
    const struct krn_cpu_jobs none = {.count = 0},
                              one = {.count = 1, .pieces = {krn_cpu_team_size(cpu->team)}};
    return (struct krn_overheads){
        .event_ms = krn_cpu_overhead(&cpu->overheads, cpu->team, &none).ms,
        .empty_kernel_ms = krn_cpu_overhead(&cpu->overheads, cpu->team, &one).ms,
        .tick_ms = krn_cpu_tick_ms(),
    };
}

static enum krn_code cpu_count(int *devices, struct krn_error *error)
{
    (void)error;
    *devices = 1;
    return KRN_OK;
}

static void read_caches(struct krn_device_info *info)
{
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[KRN_CACHE_LEVELS] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                                                _SC_LEVEL3_CACHE_SIZE};
    for (int i = 0; i < KRN_CACHE_LEVELS; i++) {
        const long bytes = sysconf(names[i]);
        info->cache_bytes[i] = bytes > 0 ? (size_t)bytes : 0;
    }
#else
    (void)info;
#endif
}

static void fill_info(struct krn_device_info *info, const struct krn_cpu_level *level)
{
    memset(info, 0, sizeof *info);
    info->backend = KRN_BACKEND_CPU;
    info->can = capabilities;
    krn_cpu_name(info->name, sizeof info->name);
    snprintf(info->driver, sizeof info->driver, "n/a");
    snprintf(info->runtime, sizeof info->runtime, "threads, %s", level->name);
    snprintf(info->pci_id, sizeof info->pci_id, "n/a");
    snprintf(info->clock, sizeof info->clock, "monotonic clock");
    info->processors = krn_cpu_team_wanted();
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    info->memory_bytes = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
    read_caches(info);
}

static enum krn_code cpu_describe(int ordinal, struct krn_device_info *info,
                                  struct krn_error *error)
{
    (void)ordinal; /* there is one device, which is all processors */
    (void)error;
    fill_info(info, krn_cpu_best());
    return KRN_OK;
}

static enum krn_code cpu_connect(int ordinal, struct krn_device **device, struct krn_error *error)
{
    (void)ordinal;
    struct krn_cpu_device *cpu = krn_alloc(1, sizeof *cpu);
    const enum krn_code code = krn_cpu_team_open(&cpu->team, error);
    if (code != KRN_OK) {
        free(cpu);
        return code;
    }
    cpu->base.ops = &cpu_ops;
    cpu->level = krn_cpu_best();
    cpu->kernels = cpu->level->kernels;
    fill_info(&cpu->base.info, cpu->level);
    cpu->base.info.processors = krn_cpu_team_size(cpu->team);
    cpu->base.overheads = measure_overheads(cpu);
    krn_inject_image(&cpu->base);
    *device = &cpu->base;
    return KRN_OK;
}

const struct krn_backend krn_cpu_backend = {
    .id = KRN_BACKEND_CPU,
    .name = "cpu",
    .can = &capabilities,
    .count = cpu_count,
    .describe = cpu_describe,
    .connect = cpu_connect,
};
