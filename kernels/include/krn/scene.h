/* krn/scene.h - spheres, where they come from, and how they are turned.
 *
 * Units: scene units. At fit zoom 1024 units span the image's height. Source of every range and of
 * the order of draws: J. Sanders, E. Kandrot, CUDA by Example, 6.2 and 6.3.
 */
#ifndef KRN_SCENE_H
#define KRN_SCENE_H

#include "krn/error.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One sphere as the book stores it: 7 floats, 28 bytes, in this order. Colours are 0..1. */
struct krn_sphere {
    float r, b, g;
    float radius;
    float x, y, z;
};

enum {
    KRN_SPHERES_MIN = 1,
    KRN_SPHERES_MAX = 1000000,
    KRN_BOOK_SPHERES = 20,
    KRN_BOOK_SEED = 1,
    /* What a CUDA module's constant bank holds: in bytes, in spheres of 28 bytes as the book's
     * kernel reads them, and in packed spheres of 16 bytes as the strip does. */
    KRN_CONSTANT_BYTES = 65536,
    KRN_CONSTANT_SPHERES = 2340,
    KRN_CONSTANT_PACKED = 4096
};

#define KRN_BOOK_RADIUS_MIN 20.0f
#define KRN_BOOK_RADIUS_MAX 120.0f
/* Bounds of what a scene may hold: beyond them float resolves no silhouette. */
#define KRN_RADIUS_LEAST 0.01f
#define KRN_RADIUS_MOST 100000.0f
#define KRN_COORDINATE_MOST 1000000.0f

struct krn_scene {
    struct krn_sphere *spheres; /* count of them; owned */
    int count;
};

/* How a random scene is drawn. The same recipe gives the same bytes on every machine. */
struct krn_scene_recipe {
    int count; /* KRN_SPHERES_MIN..KRN_SPHERES_MAX */
    uint64_t seed;
    float radius_min, radius_max; /* KRN_RADIUS_LEAST <= min <= max <= KRN_RADIUS_MOST */
};

/* The book's scene: 20 spheres, seed 1, radii 20..120. */
struct krn_scene_recipe krn_scene_book(void);

/* Draws a scene with PCG32 (O'Neill, HMC-CS-2014-0905): for each sphere r, g, b in 0..1, x, y, z
 * in -500..500, then the radius. *scene is overwritten on success, untouched on failure.
 * Errors: KRN_REFUSED (recipe out of range), KRN_NO_MEMORY. */
enum krn_code krn_scene_generate(struct krn_scene *scene, const struct krn_scene_recipe *recipe,
                                 struct krn_error *error);

/* Makes room for count spheres, zeroed. Errors: KRN_REFUSED (count out of range), KRN_NO_MEMORY. */
enum krn_code krn_scene_alloc(struct krn_scene *scene, int count, struct krn_error *error);

/* KRN_OK when every sphere is finite and in range; else KRN_REFUSED, naming index and field. */
enum krn_code krn_scene_check(const struct krn_scene *scene, struct krn_error *error);

/* Releases the spheres; a zeroed scene is fine. */
void krn_scene_free(struct krn_scene *scene);

/* The turn of the cluster about the vertical axis. The identity is {1, 0} and changes no bit. */
struct krn_pose {
    float cosine, sine;
};

/* The pose after time_s seconds of motion: one turn in KRN_TURN_SECONDS, a pure function. */
#define KRN_TURN_SECONDS 60.0
struct krn_pose krn_pose_at(double time_s);

#ifdef __cplusplus
}
#endif
#endif
