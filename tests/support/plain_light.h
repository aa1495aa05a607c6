/* tests/support/plain_light.h - pictures of the light view by the definition in core/light/light.h:
 * every ray against every sphere, in a plain loop that counts the rays. Of the kernels' headers,
 * those with a local variable `error` come before this one. */
#pragma once

#include "core/light/light.h"
#include "krn/heat.h"

#include "pictures.h"

#include <math.h>

/* A scene as a ray reads it. */
struct plain_light {
    struct krn_light_frame frame;
    struct krn_ball *balls, *sun_balls;
    struct krn_surface *surfaces;
    int count;
    bool no_shadows; /* a fault, for tests of what compares */
    struct krn_rays rays;
};

struct plain_picture {
    uint8_t *pixels;
    uint32_t *pixel_rays; /* of each pixel */
    struct krn_rays rays;
};

static inline struct plain_light plain_light_of(const struct krn_scene *scene, struct krn_pose pose,
                                                const struct krn_view *view)
{
    const size_t n = (size_t)scene->count;
    struct plain_light plain = {.balls = test_alloc(n * sizeof *plain.balls),
                                .sun_balls = test_alloc(n * sizeof *plain.sun_balls),
                                .surfaces = test_alloc(n * sizeof *plain.surfaces),
                                .count = scene->count};
    krn_light_frame_make(&plain.frame, &view->light, krn_bounds_of(scene), view->width,
                         view->height);
    for (size_t s = 0; s < n; s++) {
        const struct krn_sphere sphere = krn_rotate(scene->spheres[s], pose);
        plain.balls[s] = krn_ball_of(sphere);
        plain.sun_balls[s] = krn_sun_ball_of(&plain.frame, sphere);
        plain.surfaces[s] = (struct krn_surface){sphere.r, sphere.g, sphere.b, sphere.radius,
                                                 scene->mirrors ? scene->mirrors[s] : 0.0f};
    }
    return plain;
}

static inline void plain_light_free(struct plain_light *plain)
{
    free(plain->balls);
    free(plain->sun_balls);
    free(plain->surfaces);
}

static inline struct krn_vec plain_light_sample(struct plain_light *plain, int i, int j, int sample)
{
    const struct krn_light_frame *frame = &plain->frame;
    struct krn_path path = {
        krn_primary(frame, i, j, sample), {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
    for (int b = 0;; b++) {
        struct krn_hit hit = {INFINITY, -1};
        plain->rays.traced[b]++;
        for (int s = 0; s < plain->count; s++)
            krn_nearest(path.ray, plain->balls[s], s, frame->nearest, &hit);
        const struct krn_bounce next =
            hit.sphere < 0 ? krn_shade_miss(frame, &path)
                           : krn_shade_sphere(frame, &path, hit.distance, plain->balls[hit.sphere],
                                              plain->surfaces[hit.sphere], b == frame->bounces);
        if (next.faces_sun) {
            const struct krn_vec from = krn_sun_space(frame, next.point);
            bool hidden = false;
            plain->rays.shadow[b]++;
            for (int s = 0; s < plain->count && !hidden && !plain->no_shadows; s++)
                hidden = krn_hides(from, plain->sun_balls[s]);
            if (!hidden)
                path.gathered = krn_along(path.gathered, 1.0f, next.lit);
        }
        if (!next.reflects)
            return path.gathered;
    }
}

/* Returns a picture, with or without shadows. */
static inline struct plain_picture plain_picture_of(const struct krn_scene *scene,
                                                    struct krn_pose pose,
                                                    const struct krn_view *view, bool shadows)
{
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    struct plain_light plain = plain_light_of(scene, pose, view);
    struct plain_picture picture = {.pixels = test_alloc(4 * pixels),
                                    .pixel_rays = test_alloc(pixels * sizeof *picture.pixel_rays)};
    struct krn_srgb table;
    krn_srgb_make(&table);
    plain.no_shadows = !shadows;
    for (size_t p = 0; p < pixels; p++) {
        const int i = (int)p % view->width, j = (int)p / view->width;
        const unsigned long long before = krn_rays_sum(&plain.rays);
        struct krn_vec sum = {0.0f, 0.0f, 0.0f};
        for (int sample = 0; sample < view->light.samples; sample++)
            sum = krn_along(sum, 1.0f, plain_light_sample(&plain, i, j, sample));
        const uint32_t rgba = krn_light_rgba(&plain.frame, &table, sum);
        memcpy(picture.pixels + 4 * p, &rgba, 4);
        picture.pixel_rays[p] = (uint32_t)(krn_rays_sum(&plain.rays) - before);
    }
    picture.rays = plain.rays;
    plain_light_free(&plain);
    return picture;
}

/* Compares a device's heat map of rays, its sum and its numbers of rays with those of the picture.
 */
static inline void plain_picture_same_rays(const struct plain_picture *picture,
                                           struct krn_device *device, struct krn_mode mode,
                                           struct krn_view view, const char *what)
{
    const size_t pixels = (size_t)view.width * (size_t)view.height;
    TEST_FREED uint32_t *counts = test_alloc(pixels * sizeof *counts);
    struct krn_heat_costs costs;
    struct krn_rays rays;
    TEST_OK(krn_device_rays(device, &view, &rays, &error));
    if (memcmp(&rays, &picture->rays, sizeof rays) != 0)
        fail_msg("%s: the numbers of rays differ", what);
    struct krn_image image = test_image(device, view.width, view.height);
    TEST_OK(krn_device_heat(device, mode, &view, KRN_HEAT_RAYS, &image, &costs, &error));
    TEST_OK(krn_device_heat_read(device, 0, pixels, counts, &error));
    krn_device_free_image(device, &image);
    for (size_t p = 0; p < pixels; p++)
        if (counts[p] != picture->pixel_rays[p])
            fail_msg("%s: pixel %zu has %u rays, not %u", what, p, counts[p],
                     picture->pixel_rays[p]);
    assert_true(costs.sum == krn_rays_sum(&picture->rays));
}

static inline void plain_picture_free(struct plain_picture *picture)
{
    free(picture->pixels);
    free(picture->pixel_rays);
}
