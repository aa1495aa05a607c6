#include "report/report_anatomy.h"

#include "krn/interval.h"
#include "krn/stats.h"

#include <math.h>
#include <stdio.h>

enum { KEY = 32, METRICS = APP_REPORT_TIMES + APP_LANES * (APP_PHASE_COUNT + 3) + 5 };

struct metrics {
    struct app_pair pairs[METRICS];
    char keys[METRICS][KEY];
    size_t count;
};

/* Adds a number; a time that no frame has, and one that is not finite, are left out. */
static void add(struct metrics *metrics, double value, const char *lane, const char *name,
                const char *unit)
{
    char *key = metrics->keys[metrics->count];
    snprintf(key, KEY, "%s%s%s%s", lane, lane[0] ? "_" : "", name, unit);
    metrics->pairs[metrics->count++] = (struct app_pair){key, value, NULL};
}

static void add_lanes(struct metrics *metrics, const struct app_anatomy_view *view)
{
    static const char *const lanes[APP_LANES] = {"cpu", "gpu"};
    for (int lane = 0; lane < APP_LANES; lane++) {
        for (int phase = 0; phase < APP_PHASE_COUNT; phase++) {
            const double ms = view->phases_ms[lane][phase];
            add(metrics, ms > 0.0 ? ms : NAN, lanes[lane], app_phase_name((enum app_phase)phase),
                "_ms");
        }
        add(metrics, view->gaps_ms[lane], lanes[lane], lane == APP_LANE_CPU ? "other" : "gaps",
            "_ms");
        add(metrics, view->spans_ms[lane], lanes[lane], "span", "_ms");
        add(metrics, 100.0 * view->mismatch[lane], lanes[lane], "mismatch", "_percent");
    }
}

static void add_overlay(struct metrics *metrics, const struct app_anatomy_view *view)
{
    const double *cpu = view->phases_ms[APP_LANE_CPU];
    const double gpu_ms = view->phases_ms[APP_LANE_GPU][APP_PHASE_OVERLAY];
    add(metrics, cpu[APP_PHASE_LAYOUT] + cpu[APP_PHASE_OVERLAY], "", "overlay_cpu", "_ms");
    add(metrics, gpu_ms > 0.0 ? gpu_ms : NAN, "", "overlay_gpu", "_ms");
    add(metrics, view->draws, "", "overlay_draw_calls", "");
    add(metrics, view->gl_tie_ms > 0.0 ? view->gl_tie_ms : NAN, "", "gl_clock_uncertainty", "_ms");
    add(metrics, view->device_tie_ms > 0.0 ? view->device_tie_ms : NAN, "",
        "device_clock_uncertainty", "_ms");
}

void app_report_add_anatomy(struct app_report *report, const struct app_state *state,
                            const struct app_anatomy_view *view)
{
    if (view->frames == 0)
        return;
    struct krn_series series = {.count = 0};
    for (int i = 0; i < view->frames; i++)
        krn_series_push(&series, view->lengths_ms[i]);
    const struct krn_summary summary = krn_series_summary(&series);
    const struct app_pair parameters[] = {{"hud", state->hud, NULL},
                                          {"panels", 0.0, app_panels_name(state->panels)},
                                          {"vsync", state->vsync, NULL},
                                          {"window_width", view->width, NULL},
                                          {"window_height", view->height, NULL}};
    const struct app_pair outcome[] = {
        {"limit", 0.0, view->limit ? view->limit : "not known"},
        {"opengl", 0.0, view->missing[0] ? view->missing : "timer queries"},
    };
    struct metrics metrics;
    metrics.count = app_report_times(metrics.pairs, &summary, krn_series_interval(&series));
    add_lanes(&metrics, view);
    add_overlay(&metrics, view);
    const struct app_result result = {
        .benchmark = "anatomy",
        .variant = "frame",
        .backend = state->backend,
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof *parameters,
        .outcome = outcome,
        .outcome_count = sizeof outcome / sizeof *outcome,
        .metrics = metrics.pairs,
        .metric_count = metrics.count,
        .scope = "a whole frame, from its beginning to the next one's, by the monotonic clock; the "
                 "metrics have the median of each phase on CPU and GPU",
        .samples_ms = view->lengths_ms,
        .sample_count = (size_t)view->frames,
        .verified_reason = "a time has no picture to compare",
        .complete = true,
    };
    struct app_trust_facts facts = {.has_picture = false};
    app_trust_series(&facts, &series);
    app_report_add(report, &result, app_trust_find(&facts));
}
