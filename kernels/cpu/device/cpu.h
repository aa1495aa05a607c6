/* kernels/cpu/device/cpu.h - the CPU backend's device, its memory, and the launchers of its
 * kernels. */
#pragma once

#include "core/device/backend.h"
#include "core/mine/mine.h"
#include "cpu/light/kernels.h"
#include "cpu/probes/kernels.h"
#include "cpu/runtime/team.h"
#include "cpu/trace/kernels.h"

#include <stddef.h>

/* Copies the processor's name; "CPU" when the system does not tell. */
void krn_cpu_name(char *name, size_t size);

/* An instruction-set level and its kernels. */
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

/* Memory of the kernels, allocated before they are timed. */
struct krn_cpu_memory {
    struct krn_sphere *given; /* the scene before rotation */
    struct krn_sphere *rotated;
    struct krn_packed *packed;
    struct krn_material *material;
    float *mirrors; /* as in krn_scene, but never NULL */
    float *reaches; /* output of krn_cpu_kernels.reach, for the book kernel */
    int count;

    struct krn_cpu_scratch *scratch; /* one per thread; NULL: not allocated yet */
    int threads, scratch_pixels, scratch_rows, scratch_spheres;

    struct krn_sizes sizes;
    struct krn_view planned; /* the view that the bins are planned for; width 0: none yet */
    struct krn_cpu_bins bins;
    size_t counts_held, entries_held;
};

/* Copies the scene. Errors: KRN_NO_MEMORY; the old scene stays. */
enum krn_code krn_cpu_memory_scene(struct krn_cpu_memory *memory, const struct krn_scene *scene,
                                   struct krn_error *error);

/* Allocates scratch for each of the threads, for `rows` rows of the view at a time. */
enum krn_code krn_cpu_memory_scratch(struct krn_cpu_memory *memory, const struct krn_view *view,
                                     int rows, int threads, struct krn_error *error);

/* Plans and allocates the bins for scene and view. Errors: KRN_NO_MEMORY; the message gives the
 * required size. */
enum krn_code krn_cpu_memory_bins(struct krn_cpu_memory *memory, const struct krn_view *view,
                                  int threads, struct krn_error *error);

/* Frees all of it. */
void krn_cpu_memory_free(struct krn_cpu_memory *memory);

/* What the light view's kernels read, allocated and arranged before they are timed. The book view
 * needs none of it, so it is made when the first frame asks for it. */
struct krn_cpu_light_memory {
    struct krn_ball *balls, *sun_balls;
    struct krn_surface *surfaces;
    int held;      /* spheres that fit */
    bool arranged; /* they are those of the scene in its pose */
    struct krn_cpu_tree tree;
    int tree_held;                        /* spheres that fit */
    struct krn_cpu_light_picture picture; /* of the newest frame, without image and counts */
    bool toned;                           /* picture.srgb is filled in */
};

/* Prepares a frame of the view. m: the scene, rotated. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_light_prepare(struct krn_cpu_light_memory *light,
                                    const struct krn_cpu_memory *m,
                                    const struct krn_cpu_light_kernels *kernels,
                                    struct krn_cpu_team *team, struct krn_bounds bounds,
                                    const struct krn_view *view, struct krn_error *error);

/* Allocates in addition the tree of the prepared scene. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_light_prepare_tree(struct krn_cpu_light_memory *light, int threads,
                                         struct krn_bounds bounds, struct krn_error *error);

void krn_cpu_light_free(struct krn_cpu_light_memory *light);

/* The user's kernel. Zeroed, none is loaded. */
struct krn_cpu_mine {
    void *library;
    /* Runs a row of blocks (kernels/core/mine/after.inc). */
    void (*blocks)(const struct krn_sphere *spheres, const struct krn_mine_frame *frame,
                   unsigned columns, unsigned rows, unsigned row);
    struct krn_sphere *scene; /* the library's; NULL: its kernel reads global memory */
};

void krn_cpu_mine_free(struct krn_cpu_mine *mine);

enum { KRN_CPU_READINGS = 16 };

struct krn_cpu_device {
    struct krn_device base;
    const struct krn_cpu_level *level;
    const struct krn_cpu_kernels *kernels; /* of that level */
    struct krn_cpu_team *team;
    struct krn_cpu_memory memory;
    struct krn_cpu_light_memory light;
    struct krn_cpu_mine mine;
    struct krn_pose pose;
    bool posed; /* the scene in memory has been rotated by pose */
    struct krn_reading readings[KRN_CPU_READINGS];
    int first, waiting;
    struct krn_cpu_overheads overheads;
    uint32_t *heat;   /* the costs of the newest heat map; NULL: none yet */
    size_t heat_held; /* pixels that fit */
};

/* The arguments of a launcher. */
struct krn_cpu_job {
    struct krn_mode mode;
    const struct krn_view *view;
    const struct krn_image *image;
    struct krn_cpu_scene scene;
    struct krn_reading *reading; /* the launcher fills scope and binning_ms */
    double start_ms;
};

struct krn_cpu_launcher {
    /* Allocates what a launch needs, outside of its time; NULL: nothing. */
    enum krn_code (*prepare)(struct krn_cpu_device *, const struct krn_view *, struct krn_error *);
    void (*launch)(const struct krn_cpu_device *, const struct krn_cpu_job *); /* NULL: no such
                                                                                  kernel */
    /* Returns the pieces of the one job of a launch, or its jobs, for the overhead. */
    int (*pieces)(const struct krn_view *);
    struct krn_cpu_jobs (*jobs)(const struct krn_cpu_device *, const struct krn_view *);
    /* Counts the sphere tests of each pixel into cpu->heat, after prepare; NULL: the kernel has no
     * heat map of tests. */
    void (*count_tests)(const struct krn_cpu_device *, const struct krn_view *);
};

/* The launchers by kernel. All storages share one, since they use the same caches. */
extern const struct krn_cpu_launcher krn_cpu_launchers[KRN_KERNEL_COUNT];

/* Returns the jobs of a launch. */
struct krn_cpu_jobs krn_cpu_jobs_of(const struct krn_cpu_device *cpu, enum krn_kernel kernel,
                                    const struct krn_view *view);

/* Count the sphere tests of each pixel into cpu->heat, as launchers do. */
void krn_cpu_count_book(const struct krn_cpu_device *cpu, const struct krn_view *view);
void krn_cpu_count_strip(const struct krn_cpu_device *cpu, const struct krn_view *view);
void krn_cpu_count_binned(const struct krn_cpu_device *cpu, const struct krn_view *view);

/* Finds sum, least and most of the costs. */
void krn_cpu_heat_sum(const uint32_t *tests, size_t pixels, struct krn_heat_costs *costs);

/* Writes the colours of the costs into an image of the same size. */
void krn_cpu_heat_paint(struct krn_cpu_team *team, const uint32_t *costs, uint32_t scale,
                        const struct krn_image *image);

/* The calls of krn/mine.h, and the members of the launcher. */
enum krn_code krn_cpu_mine_compile(const struct krn_device *device, const char *file,
                                   const char *source, const char *folder, struct krn_mine *mine,
                                   struct krn_error *error);
enum krn_code krn_cpu_mine_load(struct krn_device *device, const struct krn_mine *mine,
                                struct krn_mine_loaded *loaded, struct krn_error *error);
enum krn_code krn_cpu_mine_prepare(struct krn_cpu_device *cpu, const struct krn_view *view,
                                   struct krn_error *error);
void krn_cpu_mine_launch(const struct krn_cpu_device *cpu, const struct krn_cpu_job *job);
struct krn_cpu_jobs krn_cpu_mine_jobs(const struct krn_cpu_device *cpu,
                                      const struct krn_view *view);

/* What lies between the two time stamps of a kernel that sets no other scope. */
extern const char krn_cpu_kernel_scope[];

/* Counts the rays of each pixel of the picture that the tree kernel has been prepared for. */
void krn_cpu_count_pixel_rays(const struct krn_cpu_device *cpu, uint32_t *pixel_rays);

/* Counts the rays of a picture, as krn_device_rays does. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_count_rays(struct krn_cpu_device *cpu, const struct krn_view *view,
                                 struct krn_rays *rays, struct krn_error *error);
