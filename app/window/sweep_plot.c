/* app/window/sweep_plot.c - writes the plot of a sweep's record as a picture. */
#include "base/memory.h"
#include "capture/capture.h"
#include "hud/draw.h"
#include "hud/layout.h"
#include "hud/sweep/picture.h"
#include "hud/theme.h"
#include "report/report.h"
#include "window/canvas.h"
#include "window/front.h"

#include "ren/context.h"
#include "ren/png.h"

#include <stdio.h>
#include <stdlib.h>

struct plot {
    struct app_brush brush;
    const struct app_results *results;
    const struct app_sweep *sweep;
};

static enum krn_code draw_plot(struct plot *plot, const struct app_program *program,
                               struct ren_renderer *renderer, struct krn_error *error)
{
    const struct app_state *state = &program->state;
    const int width = program->run.window_width, height = program->run.window_height;
    plot->brush.renderer = renderer;
    plot->brush.colours = app_theme_colours(state->theme);
    plot->brush.unit = app_layout_make(state, width, height, 1.0f).unit;
    const enum krn_code code =
        ren_frame_begin(renderer, width, height, plot->brush.colours->background, NULL, error);
    if (code != KRN_OK)
        return code;
    plot->brush.list = ren_list_begin(renderer);
    app_sweep_picture(&plot->brush, (float)width, (float)height, plot->results, plot->sweep, state);
    return ren_list_draw(renderer, plot->brush.list, error);
}

/* Writes the frame just drawn to the run's --screenshot. */
static enum krn_code write_plot(const struct app_run *run, struct ren_renderer *renderer,
                                const char *record, struct krn_error *error)
{
    const int width = run->window_width, height = run->window_height;
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    if (!rgba)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a picture.");
    const struct ren_png picture = {width, height, rgba, APP_RECORD_KEY, record};
    enum krn_code code = ren_frame_read(renderer, rgba, error);
    if (code == KRN_OK)
        code = app_picture_write(run->screenshot, &picture, true, error);
    if (code == KRN_OK)
        fprintf(app_words_stream(run), "plot: %s (%dx%d)\n", run->screenshot, width, height);
    free(rgba);
    return code;
}

enum krn_code app_front_sweep(struct app_program *program, const struct app_results *results,
                              const struct app_sweep *sweep, const char *record,
                              struct krn_error *error)
{
    const struct krn_device_info *device = &results->device;
    const int ordinal = device->can.host_images ? -1 : device->ordinal;
    struct app_canvas canvas;
    struct plot *plot = app_alloc(1, sizeof *plot);
    plot->results = results;
    plot->sweep = sweep;
    enum krn_code code = app_canvas_open(&canvas, ordinal, error);
    if (code == KRN_OK) {
        app_canvas_complain(canvas.renderer);
        code = draw_plot(plot, program, canvas.renderer, error);
    }
    if (code == KRN_OK)
        code = write_plot(&program->run, canvas.renderer, record, error);
    app_canvas_close(&canvas);
    free(plot);
    return code;
}
