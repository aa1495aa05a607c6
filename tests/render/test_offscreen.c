/* Contexts without a display, and frames of many sizes in them. */
#include "expect.h"

#include "ren/context.h"
#include "ren/list.h"

#include <EGL/egl.h>
#include <GL/glew.h>

#include <stdio.h>

/* Draws a marker in each corner and checks them; reads only small frames whole. */
static void frame_works(struct ren_renderer *renderer, int width, int height, bool read)
{
    TEST_OK(ren_frame_begin(renderer, width, height, 0x336699, NULL, &error));
    struct ren_list *list = ren_list_begin(renderer);
    ren_list_fill(list, (struct ren_rect){0, 0, 1, 1}, 0, 0xff0000ff);
    ren_list_fill(list, (struct ren_rect){(float)width - 1, (float)height - 1, 1, 1}, 0,
                  0x00ff00ff);
    TEST_OK(ren_list_draw(renderer, list, &error));
    if (read) {
        size_t n = (size_t)width * (size_t)height * 4;
        unsigned char *rgba = test_alloc(n);
        memset(rgba, 7, n);
        TEST_OK(ren_frame_read(renderer, rgba, &error));
        static const unsigned char first[] = {255, 0, 0, 255}, last[] = {0, 255, 0, 255};
        static const unsigned char ground[] = {0x33, 0x66, 0x99, 255};
        if (n > 4)
            assert_memory_equal(rgba, first, 4);
        if (width > 2)
            assert_memory_equal(rgba + 4, ground, 4);
        assert_memory_equal(rgba + n - 4, last, 4);
        free(rgba);
    }
    TEST_OK(ren_check(renderer, &error));
}

/* Where the driver can tell that it has reset a context, it is asked to. */
static void resets_are_told(void)
{
    const char *can = eglQueryString(eglGetCurrentDisplay(), EGL_EXTENSIONS);
    GLint strategy = 0;
    if (!strstr(can, "EGL_EXT_create_context_robustness"))
        return;
    assert_true(glGetGraphicsResetStatus || glGetGraphicsResetStatusARB);
    glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY, &strategy);
    assert_int_equal(strategy, GL_LOSE_CONTEXT_ON_RESET);
}

TEST(test_no_context)
{
    struct ren_renderer *renderer;
    assert_int_equal(ren_open(&renderer, &error), KRN_UNAVAILABLE);
    assert_null(renderer);
    assert_true(strlen(error.text) > 10);
    ren_close(NULL);
    ren_offscreen_close(NULL);
}

TEST(test_open_and_close)
{
    for (int ordinal = -1; ordinal < 3; ordinal++) {
        struct ren_offscreen *offscreen;
        struct ren_renderer *renderer;
        TEST_OK(ren_offscreen_open(&offscreen, ordinal, &error));
        assert_non_null(strstr(ren_offscreen_describe(offscreen), "EGL"));
        TEST_OK(ren_open(&renderer, &error));
        const struct ren_gl_info *info = ren_describe(renderer);
        assert_true(info->major > 3 || (info->major == 3 && info->minor >= 3));
        assert_true(info->texture_size_max >= 1024 && info->renderer[0] && info->vendor[0]);
        bool mesa_cpu = strstr(info->renderer, "llvmpipe") || strstr(info->renderer, "softpipe");
        assert_int_equal(info->software, mesa_cpu);
        resets_are_told();
        frame_works(renderer, 64, 48, true);
        ren_close(renderer);
        ren_offscreen_close(offscreen);
    }
}

TEST(test_sizes)
{
    struct ren_offscreen *offscreen;
    struct ren_renderer *renderer;
    TEST_OK(ren_offscreen_open(&offscreen, -1, &error));
    TEST_OK(ren_open(&renderer, &error));
    for (int i = 0; i < 200; i++) {
        frame_works(renderer, 1, 1, true);
        frame_works(renderer, 3840, 2160, i % 50 == 0);
    }
    frame_works(renderer, 1, 77, true);
    frame_works(renderer, 333, 1, true);

    /* A minimised window, then a size that no GPU has memory for, then the first size again. */
    unsigned char pixel[4];
    TEST_OK(ren_frame_begin(renderer, 0, 5, 0, NULL, &error));
    assert_int_equal(ren_frame_read(renderer, pixel, &error), KRN_FAILED);
    TEST_OK(ren_frame_begin(renderer, -3, -4, 0, NULL, &error));
    int most = ren_describe(renderer)->texture_size_max;
    assert_int_equal(ren_frame_begin(renderer, most + 1, 1, 0, NULL, &error), KRN_UNAVAILABLE);
    assert_int_equal(ren_frame_read(renderer, pixel, &error), KRN_FAILED);
    TEST_OK(ren_check(renderer, &error));
    frame_works(renderer, 640, 360, true);
    ren_close(renderer);
    ren_offscreen_close(offscreen);
}

/* Many renderers in one context, one after another and two at once. */
TEST(test_renderers)
{
    struct ren_offscreen *offscreen;
    TEST_OK(ren_offscreen_open(&offscreen, -1, &error));
    for (int i = 0; i < 10; i++) {
        struct ren_renderer *a, *b;
        TEST_OK(ren_open(&a, &error));
        TEST_OK(ren_open(&b, &error));
        frame_works(a, 30, 20, true);
        frame_works(b, 20, 30, true);
        frame_works(a, 30, 20, true);
        ren_close(a);
        frame_works(b, 20, 30, true);
        ren_close(b);
    }
    ren_offscreen_close(offscreen);
}

int main(void)
{
    /* The test must pass without X and without Wayland. */
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    ren_set_checking(true);
    struct ren_offscreen *offscreen;
    if (ren_offscreen_open(&offscreen, -1, &error) != KRN_OK) {
        printf("skipped: %s\n", error.text);
        return TEST_SKIPPED;
    }
    ren_offscreen_close(offscreen);
    return tests_run(NULL, NULL);
}
