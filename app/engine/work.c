#include "engine/work.h"

#include "base/clock.h"
#include "engine/evidence.h"

#include <math.h>
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
        krn_work_count(backend, app_engine_scene(engine), krn_pose_at(state->spec.motion_s), view,
                       steps, works, &error) == KRN_OK;
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
                    struct app_mode_work modes[KRN_MODES_MAX])
{
    const struct krn_view view = app_engine_current_view(engine);
    const struct krn_scene *scene = app_engine_scene(engine);
    int n = 0;
    if (!work->begun || work->epoch != app_engine_epoch(engine) ||
        work->backend != state->spec.backend) {
        work->begun = true;
        work->counted = false;
        work->epoch = app_engine_epoch(engine);
        work->backend = state->spec.backend;
        work->since_s = now_s;
    }
    if (view.width <= 0 || scene->count <= 0 || now_s - work->since_s < stands_s)
        return 0;
    if (!work->counted) {
        work->counted = true;
        memset(&work->works, 0, sizeof work->works);
        if (ROWS_LEAST * krn_work_steps_per_row(scene, &view) <= steps_frame_most)
            count(engine, state, &view, state->spec.backend, steps_frame, &work->works);
    }
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct krn_work *of = &work->works.modes[m];
        const struct app_estimate ms = time_of(engine, state->spec.backend, mode);
        if (of->flops > 0.0 && ms.valid)
            modes[n++] = (struct app_mode_work){mode, of->flops, of->bytes, ms};
    }
    return n;
}

/* --- rays --- */

/* settle_s: seconds from a change of the picture to the count of its rays, since a key that is held
 * down changes it often. again_s: least seconds between two counts of a moving picture.
 * again_share: least ratio of that interval to the duration of a count. */
static const double settle_s = 0.25, again_s = 1.0, again_share = 50.0;

double app_rays_count(const struct app_engine *engine, const struct app_state *state)
{
    const struct krn_view view = app_engine_view(state);
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_rays rays;
    struct krn_error unread;
    if (device == NULL ||
        krn_device_set_pose(device, krn_pose_at(state->spec.motion_s), &unread) != KRN_OK ||
        krn_device_rays(device, &view, &rays, &unread) != KRN_OK)
        return 0.0;
    return (double)krn_rays_sum(&rays);
}

static bool same_view(const struct krn_view *a, const struct krn_view *b)
{
    return a->width == b->width && a->height == b->height && app_light_same(&a->light, &b->light);
}

void app_rays_follow(struct app_rays *rays, const struct app_engine *engine,
                     const struct app_state *state, double now_s)
{
    const struct krn_view view = app_engine_view(state);
    if (krn_mode_view(state->spec.mode) != KRN_VIEW_LIGHT) {
        memset(rays, 0, sizeof *rays);
        return;
    }
    if (!rays->followed || rays->epoch != app_engine_epoch(engine) ||
        rays->backend != state->spec.backend) {
        memset(rays, 0, sizeof *rays);
        rays->followed = true;
        rays->epoch = app_engine_epoch(engine);
        rays->backend = state->spec.backend;
        rays->next_s = now_s + settle_s;
    }
    const bool stands = same_view(&view, &rays->view) && state->spec.motion_s == rays->motion_s;
    rays->sampled = rays->sum > 0.0 && !stands;
    if (rays->failed || now_s < rays->next_s || (rays->sum > 0.0 && stands))
        return;
    const double begin_s = app_clock_s();
    rays->sum = app_rays_count(engine, state);
    rays->failed = !(rays->sum > 0.0);
    rays->sampled = state->spec.motion;
    rays->view = view;
    rays->motion_s = state->spec.motion_s;
    rays->next_s = now_s + fmax(again_s, again_share * (app_clock_s() - begin_s));
}
