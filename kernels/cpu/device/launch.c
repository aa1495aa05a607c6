/* The table of the CPU's kernels: memory, loop and scope of each. */
#include "cpu/device/cpu.h"

#include "core/base/clock.h"

const char krn_cpu_kernel_scope[] = "the kernel alone: one parallel loop over the image's rows, "
                                    "between two readings of the monotonic clock";
static const char sorted_scope[] = "sorting the spheres into lists and one parallel loop over the "
                                   "tiles, between two readings of the monotonic clock";
static const char brute_scope[] = "the kernel alone: one parallel loop over the image's tiles, "
                                  "between two readings of the monotonic clock";
static const char tree_scope[] = "building the tree and one parallel loop over the image's tiles, "
                                 "between two readings of the monotonic clock";

static enum krn_code prepare_scratch(struct krn_cpu_device *cpu, const struct krn_view *view,
                                     struct krn_error *error)
{
    return krn_cpu_memory_scratch(&cpu->memory, view, 1, krn_cpu_team_size(cpu->team), error);
}

static enum krn_code prepare_splat(struct krn_cpu_device *cpu, const struct krn_view *view,
                                   struct krn_error *error)
{
    return krn_cpu_memory_scratch(&cpu->memory, view, KRN_CPU_SPLAT_ROWS,
                                  krn_cpu_team_size(cpu->team), error);
}

static enum krn_code prepare_bins(struct krn_cpu_device *cpu, const struct krn_view *view,
                                  struct krn_error *error)
{
    enum krn_code code = prepare_scratch(cpu, view, error);
    return KRN_THEN(code,
                    krn_cpu_memory_bins(&cpu->memory, view, krn_cpu_team_size(cpu->team), error));
}

static void launch_book(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    const struct krn_cpu_memory *m = &cpu->memory;
    cpu->kernels->book(cpu->team, m->rotated, m->reaches, m->count, job->view, job->image);
}

static void launch_strip(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    cpu->kernels->strip(cpu->team, &job->scene, job->mode.pixels_per_thread, job->view, job->image,
                        cpu->memory.scratch);
}

static void launch_binned(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    const struct krn_cpu_memory *m = &cpu->memory;
    cpu->kernels->sort(cpu->team, &job->scene, &m->bins);
    job->reading->binning_ms = krn_clock_ms() - job->start_ms;
    job->reading->scope = sorted_scope;
    cpu->kernels->binned(cpu->team, &job->scene, &m->bins, job->view, job->image, m->scratch);
}

static void launch_splat(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    cpu->kernels->splat(cpu->team, &job->scene, job->view, job->image, cpu->memory.scratch);
}

static struct krn_cpu_jobs jobs_of_binned(const struct krn_cpu_device *cpu,
                                          const struct krn_view *view)
{
    const struct krn_cpu_bins *bins = &cpu->memory.bins;
    return (struct krn_cpu_jobs){
        3, {bins->parts, bins->parts, krn_cpu_binned_pieces(bins->tiles, view)}};
}

static enum krn_code prepare_light(struct krn_cpu_device *cpu, const struct krn_view *view,
                                   struct krn_error *error)
{
    return krn_cpu_light_prepare(&cpu->light, &cpu->memory, cpu->level->light, cpu->team,
                                 cpu->base.bounds, view, error);
}

static enum krn_code prepare_tree(struct krn_cpu_device *cpu, const struct krn_view *view,
                                  struct krn_error *error)
{
    enum krn_code code = prepare_light(cpu, view, error);
    return KRN_THEN(code, krn_cpu_light_prepare_tree(&cpu->light, krn_cpu_team_size(cpu->team),
                                                     cpu->base.bounds, error));
}

static void launch_brute(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    struct krn_cpu_light_picture picture = cpu->light.picture;
    picture.image = job->image;
    job->reading->scope = brute_scope;
    cpu->level->light->brute(cpu->team, &picture);
}

static void build_tree(const struct krn_cpu_device *cpu)
{
    const struct krn_cpu_light_picture *picture = &cpu->light.picture;
    cpu->level->light->build(cpu->team, &picture->scene, &picture->frame, cpu->base.bounds,
                             picture->tree);
}

static void launch_tree(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job)
{
    struct krn_cpu_light_picture picture = cpu->light.picture;
    picture.image = job->image;
    build_tree(cpu);
    job->reading->binning_ms = krn_clock_ms() - job->start_ms;
    job->reading->scope = tree_scope;
    cpu->level->light->tree(cpu->team, &picture);
}

void krn_cpu_count_pixel_rays(const struct krn_cpu_device *cpu, uint32_t *pixel_rays)
{
    struct krn_cpu_light_picture picture = cpu->light.picture;
    picture.pixel_rays = pixel_rays;
    build_tree(cpu);
    cpu->level->light->tree(cpu->team, &picture);
}

enum krn_code krn_cpu_count_rays(struct krn_cpu_device *cpu, const struct krn_view *view,
                                 struct krn_rays *rays, struct krn_error *error)
{
    const enum krn_code code = prepare_tree(cpu, view, error);
    if (code != KRN_OK)
        return code;
    struct krn_cpu_light_picture picture = cpu->light.picture;
    struct krn_cpu_ray_counts counts;
    for (int b = 0; b <= KRN_BOUNCES_MAX; b++) {
        atomic_init(&counts.traced[b], 0);
        atomic_init(&counts.shadow[b], 0);
    }
    picture.counts = &counts;
    build_tree(cpu);
    cpu->level->light->tree(cpu->team, &picture);
    for (int b = 0; b <= KRN_BOUNCES_MAX; b++) {
        rays->traced[b] = atomic_load(&counts.traced[b]);
        rays->shadow[b] = atomic_load(&counts.shadow[b]);
    }
    return KRN_OK;
}

static int pieces_of_brute(const struct krn_view *view)
{
    return krn_cpu_light_tiles(view->width, view->height);
}

static struct krn_cpu_jobs jobs_of_tree(const struct krn_cpu_device *cpu,
                                        const struct krn_view *view)
{
    const struct krn_cpu_tree *tree = &cpu->light.tree;
    enum { SORT = 2 * KRN_CPU_TREE_PASSES };
    _Static_assert((int)SORT + 2 <= (int)KRN_CPU_JOBS_MAX, "room for the tree's jobs");
    struct krn_cpu_jobs jobs = {.count = SORT + 2};
    for (int i = 0; i < SORT; i++)
        jobs.pieces[i] = tree->parts;
    jobs.pieces[SORT] = krn_cpu_tree_pieces(tree);
    jobs.pieces[SORT + 1] = pieces_of_brute(view);
    return jobs;
}

struct krn_cpu_jobs krn_cpu_jobs_of(const struct krn_cpu_device *cpu, enum krn_kernel kernel,
                                    const struct krn_view *view)
{
    const struct krn_cpu_launcher *launcher = &krn_cpu_launchers[kernel];
    return launcher->jobs ? launcher->jobs(cpu, view)
                          : (struct krn_cpu_jobs){1, {launcher->pieces(view)}};
}

const struct krn_cpu_launcher krn_cpu_launchers[KRN_KERNEL_COUNT] = {
    [KRN_KERNEL_BOOK] = {NULL, launch_book, krn_cpu_book_pieces, NULL, krn_cpu_count_book},
    [KRN_KERNEL_STRIP] = {prepare_scratch, launch_strip, krn_cpu_strip_pieces, NULL,
                          krn_cpu_count_strip},
    [KRN_KERNEL_BINNED] = {prepare_bins, launch_binned, NULL, jobs_of_binned, krn_cpu_count_binned},
    [KRN_KERNEL_SPLAT] = {prepare_splat, launch_splat, krn_cpu_splat_pieces, NULL,
                          krn_cpu_count_strip},
    [KRN_KERNEL_BRUTE] = {prepare_light, launch_brute, pieces_of_brute, NULL, NULL},
    [KRN_KERNEL_TREE] = {prepare_tree, launch_tree, NULL, jobs_of_tree, NULL},
    [KRN_KERNEL_MINE] = {krn_cpu_mine_prepare, krn_cpu_mine_launch, NULL, krn_cpu_mine_jobs, NULL},
};
