/* pictures.h - what tests of pictures share: connect, render, read back, compare. */
#ifndef TEST_PICTURES_H
#define TEST_PICTURES_H

/* cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "krn/device.h"
#include "krn/reference.h"
#include "krn/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEST_SKIPPED = 77 };

#define TEST_OK(call, error)                                                                       \
    do {                                                                                           \
        if ((call) != KRN_OK)                                                                      \
            fail_msg("%s: %s [%s]", #call, (error).text, (error).expression);                      \
    } while (0)

/* A scene as a test wants it. */
static inline struct krn_scene test_scene(int count, uint64_t seed, float low, float high)
{
    struct krn_error error;
    struct krn_scene scene = {NULL, 0};
    const struct krn_scene_recipe recipe = {count, seed, low, high};
    TEST_OK(krn_scene_generate(&scene, &recipe, &error), error);
    return scene;
}

static inline struct krn_view test_view(int width, int height)
{
    const struct krn_view view = {width, height, 1024.0f / (float)height};
    return view;
}

/* The device's picture of its scene, 4 * width * height bytes; to be freed. The image is poisoned
 * first, so that a pixel that nobody wrote shows. */
static inline uint8_t *test_render(struct krn_device *device, enum krn_storage storage,
                                   struct krn_view view)
{
    struct krn_error error;
    struct krn_image image;
    const size_t bytes = 4 * (size_t)view.width * (size_t)view.height;
    uint8_t *pixels = malloc(bytes);
    assert_non_null(pixels);
    TEST_OK(krn_device_alloc_image(device, view.width, view.height, &image, &error), error);
    if (krn_device_is_host(device))
        memset(image.pixels, 0xa5, image.pitch_bytes * (size_t)view.height);
    const struct krn_mode mode = {KRN_KERNEL_BOOK, storage, 1};
    TEST_OK(krn_device_render(device, mode, &view, &image, 7, &error), error);
    memset(pixels, 0x5a, bytes);
    TEST_OK(krn_device_read(device, &image, pixels, &error), error);
    krn_device_free_image(device, &image);
    struct krn_reading reading;
    while (krn_device_poll(device, &reading))
        assert_true(reading.ms >= 0.0 && reading.tag == 7);
    return pixels;
}

/* 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo). */
static inline uint64_t test_hash(const uint8_t *bytes, size_t count)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

static inline void test_same_bytes(const uint8_t *a, const uint8_t *b, struct krn_view view,
                                   const char *what)
{
    const size_t bytes = 4 * (size_t)view.width * (size_t)view.height;
    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            fail_msg("%s: byte %zu (pixel %zu, %zu) is %d and %d", what, i,
                     i / 4 % (size_t)view.width, i / 4 / (size_t)view.width, a[i], b[i]);
}

/* Holds pixels against the double-precision reference and says how many were compared. */
static inline void test_against_reference(const uint8_t *pixels, const struct krn_scene *scene,
                                          struct krn_pose pose, struct krn_view view)
{
    struct krn_error error;
    struct krn_reference reference;
    TEST_OK(krn_reference_render(&reference, scene, pose, &view, &error), error);
    const struct krn_verdict verdict = krn_reference_compare(&reference, pixels);
    if (verdict.wrong)
        fail_msg("%zu of %zu pixels wrong, first (%d, %d): %d %d %d, expected %d %d %d",
                 verdict.wrong, verdict.compared, verdict.first_x, verdict.first_y,
                 verdict.actual[0], verdict.actual[1], verdict.actual[2], verdict.expected[0],
                 verdict.expected[1], verdict.expected[2]);
    /* A reference that doubts everything would pass anything. */
    const size_t pixels_all = (size_t)view.width * (size_t)view.height;
    if (verdict.undecidable * 20 > pixels_all)
        fail_msg("%zu of %zu pixels undecidable", verdict.undecidable, pixels_all);
    print_message("%dx%d, %d spheres: %zu pixels compared, %zu undecidable\n", view.width,
                  view.height, scene->count, verdict.compared, verdict.undecidable);
    krn_reference_free(&reference);
}

#endif
