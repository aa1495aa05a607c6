/* kernels/cpu/device/launch.h - the CPU backend's device and the launchers of its kernels. */
#ifndef KRN_CPU_LAUNCH_H
#define KRN_CPU_LAUNCH_H

#include "core/device/backend.h"
#include "cpu/device/levels.h"
#include "cpu/device/light.h"
#include "cpu/device/memory.h"
#include "cpu/runtime/overhead.h"

enum { KRN_CPU_READINGS = 16 };

struct krn_cpu_device {
    struct krn_device base;
    const struct krn_cpu_level *level;
    const struct krn_cpu_kernels *kernels; /* of that level */
    struct krn_cpu_team *team;
    struct krn_cpu_memory memory;
    struct krn_cpu_light_memory light;
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
    /* Returns the jobs of a launch, for the overhead. */
    struct krn_cpu_jobs (*jobs)(const struct krn_cpu_device *, const struct krn_view *);
    /* Counts the sphere tests of each pixel into cpu->heat, after prepare; NULL: the kernel has no
     * heat map of tests. */
    void (*count_tests)(const struct krn_cpu_device *, const struct krn_view *);
};

/* The launchers by kernel. All storages share one, since they use the same caches. */
extern const struct krn_cpu_launcher krn_cpu_launchers[KRN_KERNEL_COUNT];

/* What lies between the two time stamps of a kernel that sets no other scope. */
extern const char krn_cpu_kernel_scope[];

/* Counts the rays of each pixel of the picture that the tree kernel has been prepared for. */
void krn_cpu_count_pixel_rays(const struct krn_cpu_device *cpu, uint32_t *pixel_rays);

/* Counts the rays of a picture, as krn_device_rays does. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_count_rays(struct krn_cpu_device *cpu, const struct krn_view *view,
                                 struct krn_rays *rays, struct krn_error *error);

#endif
