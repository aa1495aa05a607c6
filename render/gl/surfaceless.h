/* gl/surfaceless.h - tells whether the current context has no surface (inside render/ only). */
#ifndef REN_SURFACELESS_H
#define REN_SURFACELESS_H

#include <stdbool.h>

/* Returns true when an EGL context without a surface is current in this thread. */
bool ren_offscreen_is_current(void);

#endif
