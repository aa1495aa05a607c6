/* app/window/canvas.c - a renderer without a display, on the device that computes. */
#include "window/front.h"

enum krn_code app_canvas_open(struct app_canvas *canvas, int cuda_ordinal, struct krn_error *error)
{
    *canvas = (struct app_canvas){NULL, NULL};
    enum krn_code code = ren_offscreen_open(&canvas->offscreen, cuda_ordinal, error);
    if (code == KRN_OK)
        code = ren_open(&canvas->renderer, error);
    if (code != KRN_OK)
        app_canvas_close(canvas);
    return code;
}

void app_canvas_close(struct app_canvas *canvas)
{
    ren_close(canvas->renderer);
    ren_offscreen_close(canvas->offscreen);
    *canvas = (struct app_canvas){NULL, NULL};
}

int app_canvas_ordinal(const struct app_engine *engine, const struct app_state *state)
{
    const struct krn_device *device = app_engine_device(engine, state);
    return krn_device_describe(device)->can.host_images
               ? -1
               : app_engine_ordinal(engine, state->spec.backend);
}
