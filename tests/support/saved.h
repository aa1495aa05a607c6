/* tests/support/saved.h - writes the frames of tests as PNG, for inspection. */
#ifndef TEST_SAVED_H
#define TEST_SAVED_H

#include "offscreen.h"

#include "ren/png.h"

#include <stdlib.h>
#include <string.h>

/* Ends a frame and writes it to the folder PANELS_PICTURES as "PREFIX_NAME.png", if the variable is
 * set, and PANELS_ONLY is not set or a part of the name. */
static inline void test_save(struct ren_list *list, int width, int height, const char *prefix,
                             const char *name)
{
    const char *folder = getenv("PANELS_PICTURES"), *only = getenv("PANELS_ONLY");
    char path[512];
    struct krn_error error;
    if (!folder || (only && !strstr(name, only)))
        return;
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    assert_non_null(rgba);
    test_frame_end(list, rgba);
    snprintf(path, sizeof path, "%s/%s_%s.png", folder, prefix, name);
    TEST_OK(ren_png_write(path, &(struct ren_png){width, height, rgba, "", NULL}, true, &error),
            error);
    free(rgba);
}

#endif
