/* krn/light.h - the light view: the same spheres as a perspective picture with sun, shadows and
 * mirrors.
 *
 * The ray tracer is that of T. Whitted, An Improved Illumination Model for Shaded Display, 1980: a
 * ray per sample, a shadow ray towards the sun where it hits, and a reflected ray where the sphere
 * is partly a mirror. Nothing is random at run time, so every kernel, storage and backend gives the
 * same bytes.
 *
 * Thread safety: every function may be called from any thread.
 */
#pragma once

#include "krn/scene.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A camera that orbits the scene's centre and looks at it. */
struct krn_camera {
    float yaw;   /* degrees about the vertical axis; 0 stands where the book's viewer does, at +z */
    float pitch; /* degrees above the ground, KRN_PITCH_MIN..KRN_PITCH_MAX */
    float distance; /* in extents of the scene, KRN_DISTANCE_MIN..KRN_DISTANCE_MAX */
};

#define KRN_YAW_MAX 180.0f /* -180..180 */
#define KRN_PITCH_MIN 1.0f
#define KRN_PITCH_MAX 89.0f
#define KRN_DISTANCE_MIN 0.5f
#define KRN_DISTANCE_MAX 8.0f
/* The angle that the image's height spans, degrees. */
#define KRN_FIELD_DEGREES 38.0

enum { KRN_BOUNCES_MAX = 8 };

/* What a picture of the light view depends on, besides the scene, its pose and the image's size. */
struct krn_light {
    struct krn_camera camera;
    int bounces; /* reflections that a ray may take, 0..KRN_BOUNCES_MAX */
    int samples; /* per pixel: 1, 4 or 16 */
};

/* Returns the start: a camera that shows the whole scene, 4 bounces, 1 sample. */
struct krn_light krn_light_default(void);

/* Checks that every field is in its range. Errors: KRN_REFUSED; the message names the field. */
enum krn_code krn_light_check(const struct krn_light *light, struct krn_error *error);

/* Measures of a scene that stay the same in every pose. Lengths in scene units. */
struct krn_bounds {
    float ground; /* height of the ground: the lowest point of the spheres */
    float centre; /* height of the point that the camera looks at */
    float extent; /* radius of a sphere about the centre that holds all spheres */
};

/* Returns the bounds of a scene of at least one sphere. */
struct krn_bounds krn_bounds_of(const struct krn_scene *scene);

/* The rays that a picture of the light view takes, by the number of reflections before them. */
struct krn_rays {
    unsigned long long traced[KRN_BOUNCES_MAX + 1]; /* from the eye [0], and off mirrors [1..] */
    /* Towards the sun; none where the surface faces away from it. */
    unsigned long long shadow[KRN_BOUNCES_MAX + 1];
};

/* Returns the number of all rays. */
unsigned long long krn_rays_sum(const struct krn_rays *rays);

#ifdef __cplusplus
}
#endif
