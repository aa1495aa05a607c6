/* krn/gl.h - an OpenGL context that its owner lends to the backend `gl`.
 *
 * The backend opens no context: a window's, or one without a display, computes in the place where
 * the picture is shown. It finds OpenGL's functions by name.
 *
 * Thread safety: the thread in which the context is current.
 */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct krn_gl_context {
    /* Returns the address of a function of OpenGL; NULL: there is none. */
    void (*(*proc)(const char *name))(void);
    /* Makes the context current in this thread. Returns false when it is gone. */
    bool (*current)(void *owner);
    void *owner;
};

/* Lends a context; NULL takes it back. Devices that were connected to another one fail with
 * KRN_LOST, and are closed without a call of OpenGL. */
void krn_gl_lend(const struct krn_gl_context *context);

/* Returns true while a context is lent. */
bool krn_gl_lent(void);

#ifdef __cplusplus
}
#endif
