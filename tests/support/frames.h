/* tests/support/frames.h - views of the frame anatomy, of a GPU and of a CPU. */
#pragma once

#include "model/anatomy.h"

#include <stdio.h>

/* Kinds of frames; all their times are made up. */
enum frames_kind {
    FRAMES_EMPTY,
    FRAMES_VSYNC,
    FRAMES_FREE,
    FRAMES_CPU,
    FRAMES_MISSING,
    FRAMES_KINDS
};

static inline struct app_anatomy_view frames_of(enum frames_kind kind)
{
    const bool cpu = kind == FRAMES_CPU, waits = kind == FRAMES_VSYNC || kind == FRAMES_MISSING;
    const double length_ms = waits ? 16.667 : cpu ? 10.2 : 0.84;
    struct app_anatomy_view view = {
        .frames = APP_ANATOMY_FRAMES,
        .phases_ms = {{[APP_PHASE_INPUT] = 0.0041,
                       [APP_PHASE_PANELS] = 0.0007,
                       [APP_PHASE_MAP] = 0.038,
                       [APP_PHASE_POSE] = 0.009,
                       [APP_PHASE_KERNEL] = cpu ? 9.0 : 0.021,
                       [APP_PHASE_COPY] = 0.052,
                       [APP_PHASE_VERIFY] = 0.061,
                       [APP_PHASE_PICTURE] = 0.048,
                       [APP_PHASE_LAYOUT] = 0.38,
                       [APP_PHASE_OVERLAY] = 0.096,
                       [APP_PHASE_SWAP] = length_ms - (cpu ? 9.7 : 0.73)}},
        .span_ms = length_ms,
        .draws = 1,
        .host_kernel = cpu,
        .software_gl = cpu,
        .limit = waits ? "vsync"
                 : cpu ? "drawing on the CPU"
                       : "the GPU's kernel"};
    double *gpu = view.phases_ms[APP_LANE_GPU];
    if (kind == FRAMES_EMPTY)
        return (struct app_anatomy_view){.frames = 0, .draws = 1};
    if (kind == FRAMES_MISSING) {
        snprintf(view.missing, sizeof view.missing, "OpenGL lacks ARB_timer_query.");
        return view;
    }
    gpu[APP_PHASE_PICTURE] = 0.17;
    gpu[APP_PHASE_OVERLAY] = 0.098;
    if (cpu)
        return view;
    gpu[APP_PHASE_POSE] = 0.013;
    gpu[APP_PHASE_KERNEL] = 0.0213;
    gpu[APP_PHASE_COPY] = 0.012;
    return view;
}
