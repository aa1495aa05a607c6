/* app/scenes/limits.h - limits of what is read from scene files; the numbers are printed in
 * docs/formats.md. */
#ifndef APP_SCENE_LIMITS_H
#define APP_SCENE_LIMITS_H

#include "krn/scene.h"

enum {
    APP_SCENE_BYTES_MAX = 256 << 20,
    APP_SCENE_DEPTH_MAX = 4,                     /* scene, spheres, sphere, center */
    APP_SCENE_VALUES_MAX = 16 * KRN_SPHERES_MAX, /* a sphere takes 13 */
};

#endif
