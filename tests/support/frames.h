/* tests/support/frames.h - views of the frame anatomy, of a GPU and of a CPU. */
#ifndef TEST_FRAMES_H
#define TEST_FRAMES_H

#include "expect.h"

#include "model/anatomy.h"

#include <stdio.h>

/* Kinds of frames; all their times are made up. */
enum frames_kind {
    FRAMES_EMPTY,
    FRAMES_VSYNC,
    FRAMES_FREE,
    FRAMES_CPU,
    FRAMES_MISSING,
    FRAMES_LATE,
    FRAMES_KINDS
};

static inline void frames_add(struct app_anatomy_view *view, enum app_lane_id lane,
                              enum app_phase phase, double begin_us, double end_us)
{
    assert_true(app_lane_add(&view->frame.lanes[lane], phase, 1e-3 * begin_us, 1e-3 * end_us));
}

static inline void frames_add_host(struct app_anatomy_view *view, bool cpu, double length_us)
{
    const double kernel_us = cpu ? 9000.0 : 21.0;
    double at = 3.0;
    const struct {
        enum app_phase phase;
        double us;
    } parts[] = {
        {APP_PHASE_INPUT, 4.1},    {APP_PHASE_PANELS, 0.7},       {APP_PHASE_MAP, 38.0},
        {APP_PHASE_POSE, 9.0},     {APP_PHASE_KERNEL, kernel_us}, {APP_PHASE_COPY, 52.0},
        {APP_PHASE_VERIFY, 61.0},  {APP_PHASE_PICTURE, 48.0},     {APP_PHASE_LAYOUT, 380.0},
        {APP_PHASE_OVERLAY, 96.0}, {APP_PHASE_SWAP, 0.0}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const double end = parts[i].phase == APP_PHASE_SWAP ? length_us : at + parts[i].us;
        frames_add(view, APP_LANE_CPU, parts[i].phase, at, end);
        at = end + 1.5;
    }
}

static inline struct app_anatomy_view frames_of(enum frames_kind kind)
{
    struct app_anatomy_view view = {.frames = kind == FRAMES_EMPTY ? 0 : APP_ANATOMY_FRAMES,
                                    .draws = 1};
    const double length_us = kind == FRAMES_VSYNC || kind == FRAMES_MISSING ? 16667.0
                             : kind == FRAMES_CPU                           ? 10200.0
                                                                            : 840.0;
    const bool device = kind != FRAMES_CPU;
    struct app_lane *cpu = &view.frame.lanes[APP_LANE_CPU], *gpu = &view.frame.lanes[APP_LANE_GPU];
    view.limit = kind == FRAMES_VSYNC || kind == FRAMES_MISSING ? "vsync"
                 : kind == FRAMES_CPU                           ? "drawing on the CPU"
                                                                : "the GPU's kernel";
    if (kind == FRAMES_EMPTY)
        return view;
    frames_add_host(&view, kind == FRAMES_CPU, length_us);
    const double shift = kind == FRAMES_LATE ? 700.0 : kind == FRAMES_CPU ? 8800.0 : 60.0;
    if (device) {
        frames_add(&view, APP_LANE_GPU, APP_PHASE_POSE, shift - 8.0, shift + 5.0);
        frames_add(&view, APP_LANE_GPU, APP_PHASE_KERNEL, shift + 20.0, shift + 41.3);
        frames_add(&view, APP_LANE_GPU, APP_PHASE_COPY, shift + 43.0, shift + 55.0);
        view.device_tie_ms = 0.0063;
    }
    if (kind != FRAMES_MISSING) {
        frames_add(&view, APP_LANE_GPU, APP_PHASE_PICTURE, shift + 160.0, shift + 330.0);
        frames_add(&view, APP_LANE_GPU, APP_PHASE_OVERLAY, shift + 520.0, shift + 618.0);
        view.gl_tie_ms = 0.00087;
    } else {
        gpu->count = 0;
        snprintf(view.missing, sizeof view.missing, "OpenGL lacks ARB_timer_query.");
    }
    view.host_kernel = view.software_gl = kind == FRAMES_CPU;
    snprintf(view.gl, sizeof view.gl, "llvmpipe (LLVM 15.0.6, 256 bits)");
    cpu->span_ms = 1e-3 * length_us;
    gpu->span_ms = kind == FRAMES_LATE ? 1.318 : cpu->span_ms;
    view.length_ms = 1e-3 * length_us;
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++)
            view.phases_ms[lane][phase] =
                app_lane_phase(&view.frame.lanes[lane], (enum app_phase)phase);
        view.spans_ms[lane] = view.frame.lanes[lane].span_ms;
        view.gaps_ms[lane] = app_lane_gaps(&view.frame.lanes[lane]);
        assert_true(app_lane_mismatch(&view.frame.lanes[lane]) < 0.03);
    }
    return view;
}

#endif
