/* tests/support/gl_context.h - an OpenGL context without a display, lent to the backend gl. */
#pragma once

#include "krn/gl.h"
#include "ren/context.h"

#include <stddef.h>

static struct ren_offscreen *test_gl_offscreen;
static bool test_gl_gone; /* the context tells that it is lost */

static inline bool test_gl_current(void *owner)
{
    (void)owner;
    return !test_gl_gone;
}

static inline void test_gl_lend(void)
{
    krn_gl_lend(&(struct krn_gl_context){ren_offscreen_proc, test_gl_current, NULL});
}

/* Opens a context, which stays open, and lends it. Returns false when there is none. */
static inline bool test_gl_open(struct krn_error *error)
{
    if (ren_offscreen_open(&test_gl_offscreen, -1, error) != KRN_OK)
        return false;
    test_gl_lend();
    return true;
}

static inline void test_gl_close(void)
{
    krn_gl_lend(NULL);
    ren_offscreen_close(test_gl_offscreen);
}
