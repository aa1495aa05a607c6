/* tests/support/shown.h - checks that a frame shows the bytes that a device has rendered, in the
 * context of offscreen.h. */
#pragma once

#include "offscreen.h"
#include "pictures.h"

#include "ren/blit.h"

/* Draws one frame at one texel per pixel, reads it back and compares it with the device's bytes. */
static inline void show_and_compare(struct krn_device *device, enum ren_blit asked,
                                    struct krn_view view)
{
    struct krn_image image;
    const struct krn_mode mode = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};
    TEST_OK(ren_picture_begin(renderer, device, asked, view.width, view.height, &image, &error));
    TEST_OK(krn_device_render(device, mode, &view, &image, 7, &error));
    TEST_OK(ren_picture_end(renderer, &error));
    TEST_OK(ren_frame_begin(renderer, view.width, view.height, 0x334455, NULL, &error));
    const struct ren_rect all = {0, 0, (float)view.width, (float)view.height};
    TEST_OK(ren_picture_draw(renderer, all, false, &error));
    TEST_FREED uint8_t *frame = test_alloc(4 * (size_t)view.width * (size_t)view.height);
    TEST_OK(ren_frame_read(renderer, frame, &error));
    TEST_OK(ren_check(renderer, &error));

    /* The frame's top row is the image's last row: y points up in the image. */
    TEST_FREED uint8_t *expected = test_render(device, KRN_STORAGE_GLOBAL, view);
    const size_t row = 4 * (size_t)view.width;
    for (int j = 0; j < view.height; j++)
        if (memcmp(frame + (size_t)j * row, expected + (size_t)(view.height - 1 - j) * row, row))
            fail_msg("rung %d, %dx%d: row %d differs", asked, view.width, view.height, j);
    struct krn_reading reading;
    while (krn_device_poll(device, &reading))
        ;
}
