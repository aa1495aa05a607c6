/* app/window/canvas.h - a renderer without a display, for pictures that go into files. */
#ifndef APP_CANVAS_H
#define APP_CANVAS_H

#include "engine/engine.h"

#include "krn/error.h"
#include "ren/context.h"

struct app_canvas {
    struct ren_offscreen *offscreen;
    struct ren_renderer *renderer;
};

/* Opens an OpenGL context and a renderer in it. cuda_ordinal: the CUDA device that should draw as
 * well, so that interop works; -1: any. Errors: KRN_UNAVAILABLE (no EGL, or no OpenGL 3.3 in it),
 * KRN_NO_MEMORY, KRN_FAILED. */
enum krn_code app_canvas_open(struct app_canvas *canvas, int cuda_ordinal, struct krn_error *error);

/* Closes what is open; a canvas that was not opened is fine. */
void app_canvas_close(struct app_canvas *canvas);

/* Returns the ordinal of the CUDA device that renders the state's pictures; -1: the host does. */
int app_canvas_ordinal(const struct app_engine *engine, const struct app_state *state);

#endif
