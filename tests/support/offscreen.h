/* tests/support/offscreen.h - helpers of tests that draw: a context without a display, a renderer,
 * and frames that are read back. */
#pragma once

#include "expect.h"

#include "ren/context.h"
#include "ren/list.h"

#include <stdio.h>

static struct ren_renderer *renderer;

static struct ren_offscreen *test_context;

/* Opens context and renderer and checks every OpenGL call. ordinal is that of ren_offscreen_open.
 * Returns 0 or the exit code of the test. */
static inline int test_screen_open(int ordinal)
{
    if (ren_offscreen_open(&test_context, ordinal, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    ren_set_checking(true);
    if (ren_open(&renderer, &error) != KRN_OK) {
        printf("%s\n", error.text);
        ren_offscreen_close(test_context);
        return 1;
    }
    return 0;
}

static inline void test_screen_close(void)
{
    ren_close(renderer);
    ren_offscreen_close(test_context);
}

/* Runs the tests on the open screen, and closes it; returns how many fail. */
static inline int test_screen_run(CMFixtureFunction setup, CMFixtureFunction teardown)
{
    const int failed = tests_run(setup, teardown);
    test_screen_close();
    return failed;
}

static inline struct ren_list *test_frame_begin(int width, int height, unsigned rgb)
{
    TEST_OK(ren_frame_begin(renderer, width, height, rgb, NULL, &error));
    return ren_list_begin(renderer);
}

/* Draws the list and reads the frame, 4 bytes per pixel. */
static inline void test_frame_end(struct ren_list *list, unsigned char *rgba)
{
    TEST_OK(ren_list_draw(renderer, list, &error));
    TEST_OK(ren_frame_read(renderer, rgba, &error));
    TEST_OK(ren_check(renderer, &error));
}

/* Returns the area in pixels that white covers on black. */
static inline double test_covered(const unsigned char *rgba, int pixels)
{
    double sum = 0;
    for (int i = 0; i < pixels; i++)
        sum += rgba[4 * i] / 255.0;
    return sum;
}
