/* kernels/core/light/frame.h - what all rays of a picture share, computed once on the host. */
#pragma once

#include "krn/light.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct krn_vec {
    float x, y, z;
};

/* Plain data, which kernels take as an argument. Directions have length 1 unless said otherwise. */
struct krn_light_frame {
    int width, height; /* pixels */
    int bounces, samples;
    struct krn_vec eye;
    struct krn_vec forward;
    struct krn_vec right, up;  /* as long as a pixel is wide at distance 1 */
    struct krn_vec sun;        /* direction to the sun */
    struct krn_vec east, axis; /* with the sun: the axes of sun space (krn_sun_space) */
    float ground;              /* height of the plane */
    float nearest;             /* least distance of a hit: far more than rounding errors */
    float farthest;            /* distance at which haze hides the plane */
    float haze;                /* 1 / farthest */
    float checks;              /* checks per scene unit */
    float blur;                /* checks that a pixel spans at distance 1 */
    float slack;               /* bound of the rounding errors of distances, for trees' boxes */
};

/* Computes the frame. The view's size is at least 1 x 1. Trigonometry is done here in double, so
 * that kernels need none. */
void krn_light_frame_make(struct krn_light_frame *frame, const struct krn_light *light,
                          struct krn_bounds bounds, int width, int height);

/* sRGB bytes, indexed by the square root of a linear channel. They grow almost evenly with that
 * root, so the table resolves dark tones as finely as bright ones. */
enum { KRN_SRGB_STEPS = 1024 };
struct krn_srgb {
    uint8_t bytes[KRN_SRGB_STEPS];
};

/* Computes the table with IEEE operations alone, so that it is the same on every machine. */
void krn_srgb_make(struct krn_srgb *table);

#ifdef __cplusplus
}
#endif
