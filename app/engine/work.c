#include "engine/work.h"

#include "engine/evidence.h"

#include <string.h>

/* Steps of krn_work_count: in a record, and between two frames; and the limit above which a scene
 * is not counted between frames. */
static const double steps_record = 4e6, steps_frame = 1e6, steps_frame_most = 4e6;
static const double stands_s = 0.5;

/* Rows that are counted at least. */
enum { ROWS_LEAST = 8 };

static bool count(const struct app_engine *engine, const struct app_state *state,
                  const struct krn_view *view, enum krn_backend_id backend, double steps,
                  struct krn_works *works)
{
    struct krn_error error;
    const bool counted =
        krn_work_count(backend, app_engine_scene(engine), krn_pose_at(state->motion_s), view, steps,
                       works, &error) == KRN_OK;
    if (!counted)
        memset(works, 0, sizeof *works);
    return counted;
}

bool app_work_count(const struct app_engine *engine, const struct app_state *state,
                    enum krn_backend_id backend, struct krn_works *works)
{
    const struct krn_view view = app_engine_view(state);
    return count(engine, state, &view, backend, steps_record, works);
}

/* Returns a mode's kernel time in this scene and view; not valid with few samples. */
static struct app_estimate time_of(const struct app_engine *engine, enum krn_backend_id backend,
                                   struct krn_mode mode)
{
    const struct krn_series *series = app_engine_series(engine, backend, mode);
    const struct krn_interval interval = krn_series_interval(series);
    const struct app_conditions now = {.on_battery = false};
    if (!interval.valid)
        return (struct app_estimate){.valid = false};
    struct app_trust_facts facts =
        app_evidence_of_mode(engine, backend, mode, &now, APP_VERIFIED_TRUE);
    app_trust_series(&facts, series);
    struct app_estimate ms =
        app_estimate_of_run(krn_series_summary(series).median, interval,
                            krn_device_overheads(app_engine_connected(engine, backend)).tick_ms);
    ms.trust = app_trust_find(&facts);
    return ms;
}

int app_work_follow(struct app_work *work, const struct app_engine *engine,
                    const struct app_state *state, double now_s,
                    struct app_mode_work modes[KRN_MODES])
{
    const struct krn_view view = app_engine_current_view(engine);
    const struct krn_scene *scene = app_engine_scene(engine);
    int n = 0;
    if (!work->begun || work->epoch != app_engine_epoch(engine) ||
        work->backend != state->backend) {
        work->begun = true;
        work->counted = false;
        work->epoch = app_engine_epoch(engine);
        work->backend = state->backend;
        work->since_s = now_s;
    }
    if (view.width <= 0 || scene->count <= 0 || now_s - work->since_s < stands_s)
        return 0;
    if (!work->counted) {
        work->counted = true;
        memset(&work->works, 0, sizeof work->works);
        if (ROWS_LEAST * krn_work_steps_per_row(scene, &view) <= steps_frame_most)
            count(engine, state, &view, state->backend, steps_frame, &work->works);
    }
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct krn_work *of = &work->works.modes[m];
        const struct app_estimate ms = time_of(engine, state->backend, mode);
        if (of->flops > 0.0 && ms.valid)
            modes[n++] = (struct app_mode_work){mode, of->flops, of->bytes, ms};
    }
    return n;
}
