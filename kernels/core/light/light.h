/* kernels/core/light/light.h - the arithmetic of a ray of the light view, written once.
 *
 * nvcc compiles it for the device, the C compiler for every x86-64 level, and all of them must give
 * the same bytes: the rules are those of pixel.h. A kernel decides which spheres a ray is tested
 * against, and in which order; the tests themselves, and everything that a hit leads to, are here.
 *
 * Sun space has the sun's direction as its third axis. There, a shadow ray is one of the book's
 * rays: parallel to z, so that the test needs no more than krn_hit.
 *
 * Common subset of C11 and C++17.
 */
#pragma once

#include "core/light/frame.h"
#include "core/trace/pixel.h"

/* A sphere as rays are tested against it, in scene units or in sun space: 16 bytes. */
struct krn_ball {
    float x, y, z, radius_squared;
};

/* What a hit needs of a sphere: 20 bytes. */
struct krn_surface {
    float r, g, b;
    float radius;
    float mirror; /* share of the light that is reflected as by a mirror, 0..1 */
};

struct krn_ray {
    struct krn_vec origin, direction;
};

/* The nearest hit so far. */
struct krn_hit {
    float distance; /* INFINITY: none */
    int sphere;     /* -1: none */
};

KRN_FN struct krn_vec krn_vec_of(float x, float y, float z)
{
    const struct krn_vec vec = {x, y, z};
    return vec;
}

KRN_FN float krn_dot(struct krn_vec a, struct krn_vec b)
{
    return krn_fma(a.x, b.x, krn_fma(a.y, b.y, a.z * b.z));
}

/* Returns a + t * b. */
KRN_FN struct krn_vec krn_along(struct krn_vec a, float t, struct krn_vec b)
{
    return krn_vec_of(krn_fma(t, b.x, a.x), krn_fma(t, b.y, a.y), krn_fma(t, b.z, a.z));
}

KRN_FN struct krn_vec krn_scaled(struct krn_vec a, float factor)
{
    return krn_vec_of(a.x * factor, a.y * factor, a.z * factor);
}

/* Returns the products of the components. */
KRN_FN struct krn_vec krn_times(struct krn_vec a, struct krn_vec b)
{
    return krn_vec_of(a.x * b.x, a.y * b.y, a.z * b.z);
}

/* Returns a + t * (b - a). */
KRN_FN struct krn_vec krn_mix(struct krn_vec a, struct krn_vec b, float t)
{
    return krn_along(a, t, krn_vec_of(b.x - a.x, b.y - a.y, b.z - a.z));
}

/* Converts a point to sun space. */
KRN_FN struct krn_vec krn_sun_space(const struct krn_light_frame *frame, struct krn_vec point)
{
    return krn_vec_of(krn_dot(point, frame->east), krn_dot(point, frame->axis),
                      krn_dot(point, frame->sun));
}

/* Return a rotated sphere as rays and shadow rays are tested against it. */
KRN_FN struct krn_ball krn_ball_of(struct krn_sphere sphere)
{
    const struct krn_ball ball = {sphere.x, sphere.y, sphere.z, sphere.radius * sphere.radius};
    return ball;
}

KRN_FN struct krn_ball krn_sun_ball_of(const struct krn_light_frame *frame,
                                       struct krn_sphere sphere)
{
    const struct krn_vec at = krn_sun_space(frame, krn_vec_of(sphere.x, sphere.y, sphere.z));
    const struct krn_ball ball = {at.x, at.y, at.z, sphere.radius * sphere.radius};
    return ball;
}

/* Returns the ray of one sample of pixel (i, j); samples lie on a Hammersley set of the pixel. */
KRN_FN struct krn_ray krn_primary(const struct krn_light_frame *frame, int i, int j, int sample)
{
    int reversed = 0;
    for (int bit = 1; bit < frame->samples; bit *= 2)
        reversed = reversed * 2 + ((sample & bit) != 0);
    const float step = 1.0f / (float)frame->samples;
    const float u = krn_fma((float)sample + 0.5f, step, (float)i - 0.5f * (float)frame->width);
    const float v = krn_fma((float)reversed + 0.5f, step, (float)j - 0.5f * (float)frame->height);
    const struct krn_vec towards =
        krn_along(krn_along(frame->forward, u, frame->right), v, frame->up);
    const struct krn_ray ray = {frame->eye,
                                krn_scaled(towards, 1.0f / sqrtf(krn_dot(towards, towards)))};
    return ray;
}

/* Returns the square of the half chord that a ray cuts out of a sphere, > 0 when its line hits;
 * sets *along to the distance of the chord's middle. Computes the vector from there to the centre,
 * which is short, so that far spheres keep their precision (E. Haines et al., Precision
 * Improvements for Ray/Sphere Intersection, Ray Tracing Gems, 2019). */
KRN_FN float krn_chord(struct krn_ray ray, struct krn_ball ball, float *along)
{
    const struct krn_vec to =
        krn_vec_of(ball.x - ray.origin.x, ball.y - ray.origin.y, ball.z - ray.origin.z);
    *along = krn_dot(to, ray.direction);
    const struct krn_vec off = krn_along(to, -*along, ray.direction);
    return krn_fma(-off.x, off.x,
                   krn_fma(-off.y, off.y, krn_fma(-off.z, off.z, ball.radius_squared)));
}

/* Tests a ray against sphere number `sphere`. Of equal distances the smallest number wins, so that
 * the order of the tests does not matter. Only the side that faces the ray is hit: a ray that
 * starts within a sphere leaves it unseen. */
KRN_FN void krn_nearest(struct krn_ray ray, struct krn_ball ball, int sphere, float nearest,
                        struct krn_hit *hit)
{
    float along;
    const float square = krn_chord(ray, ball, &along);
    if (!(square > 0.0f))
        return;
    const float distance = along - sqrtf(square);
    if (distance > nearest &&
        (distance < hit->distance || (distance == hit->distance && sphere < hit->sphere))) {
        hit->distance = distance;
        hit->sphere = sphere;
    }
}

/* Returns true when a sphere, given in sun space, hides the sun from a point in sun space. */
KRN_FN bool krn_hides(struct krn_vec point, struct krn_ball ball)
{
    return krn_hit(ball.x - point.x, ball.y - point.y, ball.radius_squared) > 0.0f &&
           ball.z > point.z;
}

/* Returns the light of the sky in a direction. Colours are linear; 1 is white before exposure. */
KRN_FN struct krn_vec krn_sky(const struct krn_light_frame *frame, struct krn_vec direction)
{
    const struct krn_vec horizon = {KRN_SKY_HORIZON}, zenith = {KRN_SKY_ZENITH};
    const struct krn_vec glow = {KRN_SKY_GLOW}, disc = {KRN_SUN_DISC};
    const float height = direction.y > 0.0f ? direction.y : 0.0f;
    const float low = 1.0f - height;
    struct krn_vec sky = krn_mix(zenith, horizon, low * low * low);
    const float to_sun = krn_dot(direction, frame->sun);
    if (to_sun > 0.0f) {
        float near = to_sun * to_sun; /* to_sun^2, ^4, ... ^32 */
        for (int i = 0; i < 4; i++)
            near *= near;
        sky = krn_along(sky, near, glow);
    }
    return to_sun > KRN_SUN_COSINE ? krn_along(sky, 1.0f, disc) : sky;
}

/* Returns the light that falls on a surface with this normal from the whole sky and the ground. */
KRN_FN struct krn_vec krn_ambient(struct krn_vec normal)
{
    const struct krn_vec below = {KRN_LIGHT_BELOW}, above = {KRN_LIGHT_ABOVE};
    return krn_mix(below, above, krn_fma(normal.y, 0.5f, 0.5f));
}

/* The state of a path from the eye: what it has gathered and how much further light counts. */
struct krn_path {
    struct krn_ray ray;
    struct krn_vec gathered;
    struct krn_vec weight;
};

/* The rays that follow a hit: at most one shadow ray and one reflected ray. */
struct krn_bounce {
    struct krn_vec lit;   /* light of the sun, gathered unless the point is in shadow */
    struct krn_vec point; /* of the hit */
    bool faces_sun;       /* trace a shadow ray; false: the sun adds nothing */
    bool reflects;        /* trace path->ray next, with path->weight */
};

KRN_FN struct krn_vec krn_sunlight(void)
{
    const struct krn_vec light = {KRN_SUNLIGHT};
    return light;
}

/* Returns the distance at which a ray hits the plane; INFINITY: nowhere, or too far away. */
KRN_FN float krn_plane(const struct krn_light_frame *frame, struct krn_ray ray)
{
    if (!(ray.direction.y < 0.0f))
        return INFINITY;
    const float distance = (frame->ground - ray.origin.y) / ray.direction.y;
    return distance > frame->nearest && distance < frame->farthest ? distance : INFINITY;
}

/* Returns the colour of the plane: two tones of a check, which fade into their mean where a pixel
 * spans several checks. */
KRN_FN struct krn_vec krn_checker(const struct krn_light_frame *frame, struct krn_vec point,
                                  float distance, float slope)
{
    const struct krn_vec dark = {KRN_CHECK_DARK}, bright = {KRN_CHECK_BRIGHT};
    const float column = floorf(point.x * frame->checks), row = floorf(point.z * frame->checks);
    const float sum = column + row;
    const bool odd = sum - 2.0f * floorf(sum * 0.5f) > 0.5f;
    const float span = distance * frame->blur / slope;
    const float keep = span < 1.0f ? 1.0f - span * span * span * span : 0.0f;
    const struct krn_vec mean = krn_mix(dark, bright, 0.5f);
    return krn_mix(mean, odd ? dark : bright, keep);
}

/* Adds light to what a path has gathered. */
KRN_FN void krn_gather(struct krn_path *path, struct krn_vec light)
{
    path->gathered = krn_vec_of(krn_fma(path->weight.x, light.x, path->gathered.x),
                                krn_fma(path->weight.y, light.y, path->gathered.y),
                                krn_fma(path->weight.z, light.z, path->gathered.z));
}

/* Ends a path that hit no sphere: on the plane or in the sky. */
KRN_FN struct krn_bounce krn_shade_miss(const struct krn_light_frame *frame, struct krn_path *path)
{
    struct krn_bounce bounce = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, false, false};
    const struct krn_ray ray = path->ray;
    const float distance = krn_plane(frame, ray);
    if (!(distance < INFINITY)) {
        krn_gather(path, krn_sky(frame, ray.direction));
        return bounce;
    }
    bounce.point = krn_along(ray.origin, distance, ray.direction);
    bounce.point.y = frame->ground;
    const float far = distance * frame->haze, haze = far * far;
    const struct krn_vec up = {0.0f, 1.0f, 0.0f};
    const struct krn_vec level = {ray.direction.x, 0.0f, ray.direction.z};
    const struct krn_vec checker = krn_checker(frame, bounce.point, distance, -ray.direction.y);
    krn_gather(path, krn_mix(krn_times(checker, krn_ambient(up)), krn_sky(frame, level), haze));
    bounce.lit = krn_times(
        path->weight, krn_scaled(krn_times(checker, krn_sunlight()), frame->sun.y * (1.0f - haze)));
    bounce.faces_sun = true;
    return bounce;
}

/* Returns what a ray in this direction sees when no sphere is in its way, without the checks. */
KRN_FN struct krn_vec krn_surroundings(const struct krn_light_frame *frame,
                                       struct krn_vec direction)
{
    const struct krn_vec ground = {KRN_GROUND_GLOW};
    const struct krn_vec sky = krn_sky(frame, direction);
    const float below = direction.y * -8.0f;
    return direction.y < 0.0f ? krn_mix(sky, ground, below < 1.0f ? below : 1.0f) : sky;
}

/* Continues a path on a sphere. The sphere's coat reflects the sky and the ground, more towards the
 * edge (C. Schlick, An Inexpensive BRDF Model for Physically-based Rendering, 1994). A mirror
 * continues the path with a reflected ray, but at the path's last hit it, too, reflects only the
 * sky and the ground. */
KRN_FN struct krn_bounce krn_shade_sphere(const struct krn_light_frame *frame,
                                          struct krn_path *path, float distance,
                                          struct krn_ball ball, struct krn_surface surface,
                                          bool last)
{
    struct krn_bounce bounce = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}, false, false};
    const struct krn_vec from = path->ray.direction, white = {1.0f, 1.0f, 1.0f};
    bounce.point = krn_along(path->ray.origin, distance, from);
    const struct krn_vec normal = krn_scaled(
        krn_vec_of(bounce.point.x - ball.x, bounce.point.y - ball.y, bounce.point.z - ball.z),
        1.0f / surface.radius);
    const float facing = krn_dot(normal, from); /* -1 head-on, 0 at the edge */
    const struct krn_vec mirrored = krn_along(from, -2.0f * facing, normal);
    const struct krn_vec tint = {surface.r, surface.g, surface.b};
    /* Squared, so that colours drawn evenly in 0..1 look about as in the book. */
    const struct krn_vec matt = krn_scaled(krn_times(tint, tint), 1.0f - surface.mirror);
    krn_gather(path, krn_times(matt, krn_ambient(normal)));

    const float edge = 1.0f + facing > 0.0f ? 1.0f + facing : 0.0f;
    const float fifth = edge * edge * (edge * edge) * edge;
    const float coat = krn_fma(1.0f - KRN_COAT_FACING, fifth, KRN_COAT_FACING) *
                       (1.0f - surface.mirror) * KRN_COAT;
    const bool reflects = surface.mirror > 0.0f && !last;
    const struct krn_vec reflected =
        krn_scaled(krn_mix(white, tint, KRN_MIRROR_TINT), surface.mirror);
    struct krn_vec shine = krn_scaled(white, coat);
    if (surface.mirror > 0.0f && last)
        shine = krn_along(shine, 1.0f, reflected);
    krn_gather(path, krn_times(shine, krn_surroundings(frame, mirrored)));

    const float sunny = krn_dot(normal, frame->sun);
    if (sunny > 0.0f) {
        const float towards = krn_dot(mirrored, frame->sun);
        float gloss = towards > 0.0f ? towards : 0.0f;
        for (int i = 0; i < 6; i++) /* ^64 */
            gloss *= gloss;
        bounce.lit = krn_times(
            path->weight, krn_times(krn_along(krn_scaled(matt, sunny), KRN_GLOSS * gloss, white),
                                    krn_sunlight()));
        bounce.faces_sun = true;
    }
    if (reflects) {
        path->weight = krn_times(path->weight, reflected);
        path->ray.origin = bounce.point;
        path->ray.direction = krn_scaled(mirrored, 1.0f / sqrtf(krn_dot(mirrored, mirrored)));
        bounce.reflects = true;
    }
    return bounce;
}

/* Returns a linear channel after exposure and tone mapping, at most 1. The curve is that of
 * K. Narkowicz, ACES Filmic Tone Mapping Curve, 2015. */
KRN_FN float krn_exposed(float linear)
{
    /* Rounding errors of far scenes can bend a normal and make light negative. */
    const float x = (linear > 0.0f ? linear : 0.0f) * KRN_EXPOSURE;
    const float curve =
        (x * krn_fma(2.51f, x, 0.03f)) / krn_fma(x, krn_fma(2.43f, x, 0.59f), 0.14f);
    return curve < 1.0f ? curve : 1.0f;
}

KRN_FN int krn_srgb_step(float linear)
{
    return (int)krn_fma(sqrtf(krn_exposed(linear)), (float)(KRN_SRGB_STEPS - 1), 0.5f);
}

/* Converts the sum of a pixel's samples to RGBA8, red in the lowest byte. */
KRN_FN uint32_t krn_light_rgba(const struct krn_light_frame *frame, const struct krn_srgb *table,
                               struct krn_vec sum)
{
    const float share = 1.0f / (float)frame->samples;
    const uint32_t r = table->bytes[krn_srgb_step(sum.x * share)];
    const uint32_t g = table->bytes[krn_srgb_step(sum.y * share)];
    const uint32_t b = table->bytes[krn_srgb_step(sum.z * share)];
    return r | g << 8 | b << 16 | 0xff000000u;
}
