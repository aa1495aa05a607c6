/* app/record/workload.h - what a mode renders: scene, size and view.
 *
 * Times of different workloads are not comparable, so the workload is part of a result's key.
 */
#ifndef APP_WORKLOAD_H
#define APP_WORKLOAD_H

#include "command/state.h"
#include "record/pair.h"

#include "krn/scene.h"

#include <stdint.h>

enum {
    APP_WORKLOAD_PAIRS = 14,
    APP_WORKLOAD_SCENE = 24,
    APP_WORKLOAD_CAMERA = 64,
    APP_WORKLOAD_POINT = 64
};

/* The most spheres of a file scene that a record contains. Of a larger scene it has the path and
 * hashes. */
enum { APP_RECORD_SPHERES_MAX = 10000 };

/* The members of a record's `workload`. The pairs point into the struct: do not copy it. */
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
