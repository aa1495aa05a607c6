/* krn/scene.h - spheres, random scenes, and the rotation of a scene.
 *
 * Lengths are in scene units; at fit zoom, 1024 units span the image's height. Source of the
 * default ranges and of the order of random numbers: J. Sanders, E. Kandrot, CUDA by Example, 6.2
 * and 6.3.
 *
 * Thread safety: functions on different scenes may run at the same time.
 */
#pragma once

#include "krn/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sphere in the book's layout: 7 floats, 28 bytes, in this order. Colours are 0..1. */
struct krn_sphere {
    float r, b, g;
    float radius;
    float x, y, z;
};

enum {
    KRN_SPHERES_MIN = 1,
    KRN_SPHERES_MAX = 10000000,
    /* A scene of more spheres is large: no file has one, and the light view shows none. */
    KRN_LARGE_SPHERES = 1000000,
    KRN_BOOK_SPHERES = 20,
    KRN_BOOK_SEED = 1,
    /* Capacity of a CUDA module's constant bank: in bytes, in spheres of 28 bytes (book kernel),
     * and in packed spheres of 16 bytes (strip kernel). */
    KRN_CONSTANT_BYTES = 65536,
    KRN_CONSTANT_SPHERES = 2340,
    KRN_CONSTANT_PACKED = 4096
};

#define KRN_BOOK_RADIUS_MIN 20.0f
#define KRN_BOOK_RADIUS_MAX 120.0f
/* Valid ranges; beyond them, float cannot resolve a silhouette. */
#define KRN_RADIUS_MIN 0.01f
#define KRN_RADIUS_MAX 100000.0f
#define KRN_COORDINATE_MAX 1000000.0f

struct krn_scene {
    struct krn_sphere *spheres; /* `count` spheres; owned */
    int count;
    /* For the light view: each sphere's share of light that it reflects as a mirror does, 0..1;
     * `count` numbers, owned. NULL: no sphere is a mirror. */
    float *mirrors;
};

/* The parameters of a random scene. The same recipe gives the same bytes on every machine. */
struct krn_scene_recipe {
    int count; /* KRN_SPHERES_MIN..KRN_SPHERES_MAX */
    uint64_t seed;
    float radius_min, radius_max; /* KRN_RADIUS_MIN <= min <= max <= KRN_RADIUS_MAX */
};

/* Returns the recipe of the book's scene: 20 spheres, seed 1, radii 20..120. */
struct krn_scene_recipe krn_scene_book(void);

/* Generates a scene with PCG32 (M. E. O'Neill, HMC-CS-2014-0905). Draws, for each sphere, r, g, b
 * in 0..1, x, y, z in -500..500, then the radius. The mirrors have a stream of their own: about a
 * third of the spheres get a share of 0.35..0.85, the others none. Overwrites *scene on success and
 * leaves it unchanged on failure; does not free an old scene. Errors: KRN_REFUSED (recipe out of
 * range), KRN_NO_MEMORY. */
enum krn_code krn_scene_generate(struct krn_scene *scene, const struct krn_scene_recipe *recipe,
                                 struct krn_error *error);

/* Allocates `count` zeroed spheres and their mirrors. Errors: KRN_REFUSED (count out of range),
 * KRN_NO_MEMORY. */
enum krn_code krn_scene_alloc(struct krn_scene *scene, int count, struct krn_error *error);

/* Copies a scene into *copy, as krn_scene_generate does. Errors: as krn_scene_alloc. */
enum krn_code krn_scene_copy(struct krn_scene *copy, const struct krn_scene *scene,
                             struct krn_error *error);

/* Checks that every sphere is finite and in range. Errors: KRN_REFUSED; the message names index and
 * field. */
enum krn_code krn_scene_check(const struct krn_scene *scene, struct krn_error *error);

/* Frees the spheres and their mirrors, and zeroes the scene; accepts a zeroed scene. */
void krn_scene_free(struct krn_scene *scene);

/* The rotation of the scene about the vertical axis. {1, 0} is the identity and changes no bit. */
struct krn_pose {
    float cosine, sine;
};

/* Returns the pose after time_s seconds of motion; a full rotation takes KRN_TURN_SECONDS. */
#define KRN_TURN_SECONDS 60.0
struct krn_pose krn_pose_at(double time_s);

#ifdef __cplusplus
}
#endif
