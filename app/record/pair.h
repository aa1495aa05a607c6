/* app/record/pair.h - the named numbers and texts of a record's results. */
#ifndef APP_PAIR_H
#define APP_PAIR_H

#include "command/state.h"

#include "krn/properties.h"
#include "krn/scene.h"

#include <stddef.h>
#include <stdint.h>

struct app_pair {
    const char *key; /* lower case, with its unit: "median_ms" */
    double number;
    const char *text; /* NULL: the value is the number. Metrics are numbers. */
};

/* The metric of a mode that has its binning_ms. */
#define APP_METRIC_BINNING "lists_median_ms"

/* A list of pairs. pairs may be NULL when count is 0. */
struct app_pairs {
    const struct app_pair *pairs;
    size_t count;
};

enum { APP_KERNEL_PAIRS = 10 };

/* Lists the attributes of a kernel, nothing when they are not known. Returns how many there are. */
size_t app_kernel_pairs(const struct krn_kernel_attributes *kernel,
                        struct app_pair pairs[APP_KERNEL_PAIRS]);

enum {
    APP_WORKLOAD_PAIRS = 14,
    APP_WORKLOAD_SCENE = 24,
    APP_WORKLOAD_CAMERA = 64,
    APP_WORKLOAD_POINT = 64
};

/* The most spheres of a file scene that a record contains. Of a larger scene it has the path and
 * hashes. */
enum { APP_RECORD_SPHERES_MAX = 10000 };

/* The members of a record's `workload`, what a mode renders: scene, size and view. Times of
 * different workloads are not comparable, so it is part of a result's key. The pairs point into the
 * struct: do not copy it. */
struct app_workload {
    char scene[APP_WORKLOAD_SCENE], seed[24], camera[APP_WORKLOAD_CAMERA];
    struct app_pair pairs[APP_WORKLOAD_PAIRS];
    size_t count;
};

/* Writes the identity of a scene: a hash (FNV-1a, 64 bits) of its number of spheres and of all
 * their bytes, as 16 hexadecimal digits. */
void app_workload_scene(const struct krn_scene *scene, char text[APP_WORKLOAD_SCENE]);

/* Writes the identity of a scene as modes of `view` draw it: the light view's hash counts the
 * mirrors, too. */
void app_workload_scene_in(enum krn_view_kind view, const struct krn_scene *scene,
                           char text[APP_WORKLOAD_SCENE]);

/* Describes what modes of `view` render in a state: the scene's hash, the number of spheres; seed
 * and radii of a random scene; size; in the book view the zoom, in the light view its name, the
 * camera, bounces and samples; and the time of the pose, or "moving". scene: from
 * app_workload_scene_in; "": unknown, and left out. */
void app_workload_describe(struct app_workload *workload, const struct app_state *state,
                           enum krn_view_kind view, const char *scene, int spheres);

/* Writes which point of a sweep this is: " at 20 spheres and 4 bounces". A negative number is left
 * out; two of them give "". */
void app_workload_point(double spheres, double bounces, char text[APP_WORKLOAD_POINT]);

#endif
