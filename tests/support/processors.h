/* tests/support/processors.h - gives a device more processors during a test. */
#pragma once

#include "core/device/backend.h"

static struct krn_device *test_raised_device;
static int test_processors_before;

/* Gives the device at least that many processors, until the teardown below: the stand-in has 2, on
 * which results are so small that other things need more memory. */
static inline void test_raise_processors(struct krn_device *device, int least)
{
    test_raised_device = device;
    test_processors_before = device->info.processors;
    if (device->info.processors < least)
        device->info.processors = least;
}

/* A teardown of cmocka, which also runs after a test that has failed. */
static inline int test_restore_processors(void **state)
{
    (void)state;
    if (test_raised_device)
        test_raised_device->info.processors = test_processors_before;
    test_raised_device = NULL;
    return 0;
}
