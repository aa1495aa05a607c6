/* app/engine/work.c - counts operations, bytes and rays of frames, and when to count them again. */
#include "engine/work.h"

#include "base/process.h"
#include "engine/verify.h"

#include <math.h>
#include <string.h>

static const double stands_s = 0.5, most_ms = 20.0, most_pixels = 4096.0 * 4096.0;

/* Returns the sphere tests of a frame; 0: they cannot be counted. */
static double count_tests(const struct app_engine *engine, const struct app_state *state,
                          struct krn_mode mode, const struct krn_view *view)
{
    struct krn_device *device = app_engine_device(engine, state);
    struct krn_heat_costs costs = {.sum = 0};
    struct krn_image image;
    struct krn_error unread;
    if (krn_device_alloc_image(device, view->width, view->height, &image, &unread) != KRN_OK)
        return 0.0;
    if (krn_device_set_pose(device, krn_pose_at(state->spec.motion_s), &unread) != KRN_OK ||
        krn_device_heat(device, mode, view, KRN_HEAT_TESTS, &image, &costs, &unread) != KRN_OK)
        costs.sum = 0;
    krn_device_free_image(device, &image);
    return (double)costs.sum;
}

struct app_work app_work_count(const struct app_engine *engine, const struct app_state *state,
                               struct krn_mode mode, double ms)
{
    const struct krn_view view = app_engine_view(state);
    const struct krn_capabilities *can = krn_backend_get(state->spec.backend)->can;
    const double pixels = (double)view.width * view.height, k = mode.pixels_per_thread,
                 spheres = app_engine_scene(engine)->count;
    struct app_work work = {0.0, 4.0 * pixels};
    if (mode.kernel == KRN_KERNEL_BOOK) {
        work.flops = pixels * (spheres * (can->warps ? 7.0 : 6.0) + 5.0);
        work.bytes += 28.0 * spheres;
    } else if ((mode.kernel == KRN_KERNEL_STRIP || mode.kernel == KRN_KERNEL_BINNED) &&
               ms <= most_ms && pixels <= most_pixels && !app_state_shows_heat(state)) {
        const double tests = count_tests(engine, state, mode, &view),
                     rejection = mode.kernel == KRN_KERNEL_BINNED || !can->warps ? 0.0
                                 : mode.storage == KRN_STORAGE_CONSTANT
                                     ? 3.0 * spheres
                                     : 7.0 * ceil(spheres / 32.0);
        work.flops = tests > 0.0 ? 5.0 * tests + pixels * (8.0 + rejection / k) : 0.0;
        work.bytes += 32.0 * spheres;
    }
    return work;
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

int app_work_follow(struct app_works *works, const struct app_engine *engine,
                    const struct app_state *state, double now_s,
                    struct app_mode_work modes[KRN_MODES_MAX])
{
    int n = 0;
    bool counts = !app_state_shows_heat(state);
    if (!works->begun || works->epoch != app_engine_epoch(engine) ||
        works->backend != state->spec.backend)
        *works = (struct app_works){.begun = true,
                                    .epoch = app_engine_epoch(engine),
                                    .backend = state->spec.backend,
                                    .since_s = now_s};
    if (now_s - works->since_s < stands_s)
        return 0;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const struct app_estimate ms = time_of(engine, state->spec.backend, mode);
        struct app_work *work = &works->modes[m];
        if (ms.valid && counts && !works->counted[m]) {
            *work = app_work_count(engine, state, mode, ms.value);
            works->counted[m] = true;
            counts = false;
        }
        if (work->flops > 0.0 && ms.valid)
            modes[n++] = (struct app_mode_work){mode, work->flops, work->bytes, ms};
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
