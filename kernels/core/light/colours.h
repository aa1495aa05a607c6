/* kernels/core/light/colours.h - the colours and strengths that define the light view's picture.
 *
 * Members of struct krn_vec and plain numbers, for the kernels and for the reference, which
 * share nothing else. Colours are linear; 1 is white before exposure. */
#pragma once

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
