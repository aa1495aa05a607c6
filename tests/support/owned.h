/* tests/support/owned.h - variables whose scenes, devices and probes are released where their block
 * ends, in the reverse order of their declarations. */
#pragma once

#include "expect.h"

#include "krn/device.h"
#include "krn/probe.h"
#include "krn/scene.h"

static inline void test_close_device(struct krn_device **device)
{
    krn_device_close(*device);
}

static inline void test_close_probes(struct krn_probes **probes)
{
    krn_probes_close(*probes);
}

/* Returns a new image, which its device releases. */
static inline struct krn_image test_image(struct krn_device *device, int width, int height)
{
    struct krn_image image;
    TEST_OK(krn_device_alloc_image(device, width, height, &image, &error));
    return image;
}

#define TEST_SCENE TEST_OWNED(krn_scene_free) struct krn_scene
#define TEST_DEVICE TEST_OWNED(test_close_device) struct krn_device
#define TEST_PROBES TEST_OWNED(test_close_probes) struct krn_probes
