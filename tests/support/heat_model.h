/* tests/support/heat_model.h - heat maps; the sphere tests of the GPU's kernels, counted on the
 * host from their description in cuda/trace: one pixel, run or box at a time, without lanes. */
#pragma once

#include "core/trace/pixel.h"
#include "core/trace/tiles.h"

#include "pictures.h"

#include "krn/heat.h"

#include <stdlib.h>

enum { MODEL_GROUP = KRN_CUDA_LANES };

/* Intersects a sphere with a pixel; returns the depth that the pixel then shows. */
static inline float model_depth(struct krn_packed sphere, float x, float y, float shown)
{
    const float residual =
        krn_pixel_residual(x - sphere.x, krn_row_residual(y - sphere.y, sphere.square));
    const float depth = residual > 0.0f ? sqrtf(residual) + sphere.z : -INFINITY;
    return depth > shown ? depth : shown;
}

static inline float model_least(const float *depth, int count)
{
    float least = depth[0];
    for (int i = 1; i < count; i++)
        least = depth[i] < least ? depth[i] : least;
    return least;
}

/* Counts the tests of the run of 32 K pixels of row j that begins at `left`. occlusion: the warp
 * rejects what the run occluded before the present group of 32 spheres. */
static inline uint32_t model_run(const struct krn_packed *spheres, int count,
                                 const struct krn_view *view, int k, int left, int j,
                                 bool occlusion)
{
    float depth[KRN_CUDA_LANES * KRN_PIXELS_MAX], least = -INFINITY;
    const int wide = KRN_CUDA_LANES * k;
    const float y = krn_ray(j, view->height, view->unit);
    const float first = krn_ray(left, view->width, view->unit),
                last = krn_ray(left + wide - 1, view->width, view->unit);
    uint32_t tests = 0;
    for (int i = 0; i < wide; i++)
        depth[i] = -INFINITY;
    for (int s = 0; s < count; s++) {
        if (s % MODEL_GROUP == 0 && occlusion)
            least = model_least(depth, wide);
        const struct krn_packed sphere = spheres[s];
        const float nearest = krn_pixel_residual(krn_axis_distance(first, last, sphere.x),
                                                 krn_row_residual(y - sphere.y, sphere.square));
        if (!(nearest > 0.0f) ||
            (occlusion && nearest >= 0x1p-101f && sqrtf(nearest) + sphere.z <= least))
            continue;
        tests++;
        for (int i = 0; i < wide && occlusion; i++)
            depth[i] = model_depth(sphere, krn_ray(left + i, view->width, view->unit), y, depth[i]);
    }
    return tests;
}

/* Counts the tests of the box of 16 x 8 pixels at (left, top) whose tile lists these spheres: at
 * most 32, because the order of a longer list is not known. */
static inline uint32_t model_box(const struct krn_packed *spheres, const int *list, int count,
                                 const struct krn_view *view, int left, int top)
{
    enum { WIDTH = KRN_CUDA_BOX_WIDTH, PIXELS = WIDTH * KRN_CUDA_BOX_HEIGHT };
    const float x0 = krn_ray(left, view->width, view->unit),
                x1 = krn_ray(left + WIDTH - 1, view->width, view->unit),
                y0 = krn_ray(top, view->height, view->unit),
                y1 = krn_ray(top + KRN_CUDA_BOX_HEIGHT - 1, view->height, view->unit);
    float depth[PIXELS], bound[MODEL_GROUP];
    bool candidate[MODEL_GROUP];
    for (int p = 0; p < PIXELS; p++)
        depth[p] =
            left + p % WIDTH < view->width && top + p / WIDTH < view->height ? -INFINITY : INFINITY;
    for (int i = 0; i < count; i++) {
        const float residual = krn_box_residual(spheres[list[i]], x0, x1, y0, y1);
        candidate[i] = residual > 0.0f;
        bound[i] = candidate[i] ? sqrtf(residual) + spheres[list[i]].z : -INFINITY;
    }
    uint32_t tests = 0;
    for (;; tests++) {
        const float least = model_least(depth, PIXELS);
        int next = -1;
        for (int i = 0; i < count; i++)
            if (candidate[i] && bound[i] >= least && (next < 0 || bound[i] > bound[next]))
                next = i;
        if (next < 0)
            return tests;
        candidate[next] = false;
        for (int p = 0; p < PIXELS; p++)
            depth[p] =
                model_depth(spheres[list[next]], krn_ray(left + p % WIDTH, view->width, view->unit),
                            krn_ray(top + p / WIDTH, view->height, view->unit), depth[p]);
    }
}

/* Returns the rotated spheres, which the caller frees. */
static inline struct krn_packed *model_spheres(const struct krn_scene *scene, struct krn_pose pose)
{
    struct krn_packed *spheres = malloc((size_t)scene->count * sizeof *spheres);
    for (int s = 0; spheres && s < scene->count; s++)
        spheres[s] = krn_pack(krn_rotate(scene->spheres[s], pose));
    return spheres;
}

/* Returns the costs of all pixels, which the caller frees; their sum and ends are those of *costs.
 * With `picture`, compares what the heat map's kernel has rendered with it. */
static inline uint32_t *test_heat(struct krn_device *device, struct krn_mode mode,
                                  struct krn_view view, enum krn_heat quantity,
                                  const uint8_t *picture, struct krn_heat_costs *costs)
{
    const size_t pixels = (size_t)view.width * (size_t)view.height;
    uint32_t *list = test_alloc(pixels * sizeof *list);
    TEST_FREED uint8_t *rendered = test_alloc(4 * pixels);
    struct krn_image image = test_image(device, view.width, view.height);
    TEST_OK(krn_device_heat(device, mode, &view, quantity, &image, costs, &error));
    TEST_OK(krn_device_heat_read(device, 0, pixels, list, &error));
    if (picture) {
        char name[64];
        krn_mode_name(mode, name, sizeof name);
        TEST_OK(krn_device_read(device, &image, rendered, &error));
        test_same_bytes(picture, rendered, view, name);
    }
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < pixels; i++) {
        sum += list[i];
        least = list[i] < least ? list[i] : least;
        most = list[i] > most ? list[i] : most;
    }
    assert_true(costs->sum == sum && costs->least == least && costs->most == most);
    krn_device_free_image(device, &image);
    return list;
}

/* The device paints the colours that krn_heat_colour gives, darker where the picture is. */
static inline void test_heat_colours(struct krn_device *device, struct krn_view view)
{
    const struct krn_mode mode = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1};
    const int count = view.width * view.height;
    struct krn_heat_costs costs;
    TEST_FREED uint32_t *list = test_heat(device, mode, view, KRN_HEAT_TESTS, NULL, &costs);
    TEST_FREED uint32_t *pixels = test_alloc(4 * (size_t)count);
    const uint32_t scale = krn_heat_scale(0, costs.most);
    struct krn_image image = test_image(device, view.width, view.height);
    TEST_FREED uint32_t *before = test_alloc(4 * (size_t)count);
    TEST_OK(krn_device_render(device, mode, &view, &image, 7, &error));
    TEST_OK(krn_device_read(device, &image, before, &error));
    TEST_OK(krn_device_heat_paint(device, scale, &image, &error));
    TEST_OK(krn_device_read(device, &image, pixels, &error));
    for (int i = 0; i < count; i++) {
        const uint32_t colour = krn_heat_colour((double)list[i] / scale);
        const double light = (54 * (before[i] & 0xff) + 183 * (before[i] >> 8 & 0xff) +
                              19 * (before[i] >> 16 & 0xff)) /
                             256.0,
                     part = (110.0 + 146.0 * light / 255.0) / 256.0;
        for (int channel = 0; channel < 24; channel += 8)
            assert_true(fabs((pixels[i] >> channel & 0xff) - (colour >> channel & 0xff) * part) <
                        2.5);
        assert_int_equal(pixels[i] >> 24, 0xff);
    }
    krn_device_free_image(device, &image);
}
