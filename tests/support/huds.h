/* tests/support/huds.h - what the screen shows, made of a few values in place of a machine that
 * measures them. */
#pragma once

#include "hud/parts.h"

/* Returns 240 samples about a median, ms, in an order without drift. */
static inline struct krn_series hud_series(double least_ms, double median_ms, double most_ms)
{
    struct krn_series series = {.count = 0};
    for (int i = 0; i < KRN_SERIES_CAPACITY; i++) {
        const double t = i * 101 % 240 / 239.0;
        krn_series_push(&series, t < 0.5 ? least_ms + 2.0 * t * (median_ms - least_ms)
                                         : median_ms + (2.0 * t - 1.0) * (most_ms - median_ms));
    }
    return series;
}

/* Returns a mode's time by these samples, as a run measures it. */
static inline struct app_mode_time hud_time(enum krn_backend_id backend, struct krn_mode mode,
                                            const struct krn_series *series)
{
    const struct krn_summary ms = krn_series_summary(series);
    return (struct app_mode_time){
        .valid = true,
        .backend = backend,
        .mode = mode,
        .ms = ms,
        .median = app_estimate_of_run(ms.median, krn_series_interval(series), 0.0)};
}

/* Returns the HUD of a state whose modes have no time yet. */
static inline struct app_hud hud_of(const struct app_state *state,
                                    const struct krn_device_info *device)
{
    static const struct ren_gl_info gl = {.renderer = "NVIDIA H200/PCIe/SSE2"};
    static const struct app_trace trace;
    return (struct app_hud){
        .state = state,
        .device = device,
        .gl = &gl,
        .verified = {.text = "not verified yet"},
        .sides = state->spec.duel.on ? 2 : 1,
        .now = {{.backend = state->spec.backend, .mode = state->spec.mode},
                {.backend = state->spec.backend, .mode = state->spec.duel.other}},
        .band_percent = 1.0,
        .trace = &trace,
        .notice = ""};
}
