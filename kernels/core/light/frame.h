/* kernels/core/light/frame.h - what all rays of a picture share, computed once on the host, and the
 * colours and strengths that define the light view's picture in numbers, for the kernels and for
 * the reference, which share nothing else. Colours are linear; 1 is white before exposure. */
#pragma once

#include "krn/light.h"

#include <stdint.h>

/* The sky: at the horizon, at the zenith, the glow about the sun, and its disc. */
#define KRN_SKY_HORIZON 0.46f, 0.60f, 0.82f
#define KRN_SKY_ZENITH 0.03f, 0.10f, 0.34f
#define KRN_SKY_GLOW 0.55f, 0.38f, 0.20f
#define KRN_SUN_DISC 14.0f, 12.0f, 9.0f
#define KRN_SUN_COSINE 0.9996f /* cosine of the angular radius of the sun's disc */

/* The light of the sun on a surface that faces it, and of ground and sky from below and above. */
#define KRN_SUNLIGHT 3.0f, 2.65f, 2.15f
#define KRN_LIGHT_BELOW 0.16f, 0.15f, 0.14f
#define KRN_LIGHT_ABOVE 0.30f, 0.40f, 0.58f

/* The checks of the plane, and the light that the plane as a whole sends up. */
#define KRN_CHECK_DARK 0.07f, 0.082f, 0.105f
#define KRN_CHECK_BRIGHT 0.305f, 0.315f, 0.335f
#define KRN_GROUND_GLOW 0.36f, 0.37f, 0.385f

#define KRN_GLOSS 0.35f       /* strength of the sun's highlight */
#define KRN_COAT 0.6f         /* strength of the coat of spheres */
#define KRN_COAT_FACING 0.04f /* share that the coat reflects where it is seen head-on */
#define KRN_MIRROR_TINT 0.35f /* share of the sphere's colour in its mirror's reflections */
#define KRN_EXPOSURE 0.62f

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
