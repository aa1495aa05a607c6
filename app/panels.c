#include "panels.h"

#include "clock.h"
#include "panel_probes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A round that was asked for may take this long in a frame, and half of the time. */
static const double asked_frame_ms = 8.0, asked_share = 0.5, asked_aside_ms = 50.0;

/* How much unused share is kept: enough for one slice, so that a pause is not followed by a burst.
 */
static const double credit_most_ms = APP_SLICE_MS;

static const double judge_every_s = 0.2, lost_after_s = 1.0;

struct app_panels_live {
    double share, band_percent;
    struct app_panel_probes sides[KRN_BACKEND_COUNT];
    enum krn_backend_id busy_backend;
    double credit_ms, last_s;
    double predicted_ms;              /* of the slice under way */
    double looks_ms;                  /* at it, so far */
    double burst_ms;                  /* slices of this frame so far */
    int topic;                        /* whose turn it is; KRN_TOPIC_COUNT: the ray tracer */
    bool no_aside[KRN_BACKEND_COUNT]; /* one more picture failed there */
    double aside_s;                   /* when the last one was started */
    int aside;                        /* which side of the ray tracer's claim is next */
    bool again;
    enum krn_backend_id again_backend;
    int again_runs, again_wanted;
    struct app_panels_spent spent;
    void (*settle)(void *who); /* NULL: nobody to wait for */
    void *who;
    bool settled; /* in this frame */

    struct app_book_round windows[KRN_BACKEND_COUNT];

    struct app_claim claims[APP_CLAIM_COUNT];
    double judged_s;
    enum krn_backend_id judged;
    struct app_panels_view view;
};

struct app_panels_live *app_panels_open(double share_percent, double band_percent)
{
    struct app_panels_live *panels = calloc(1, sizeof *panels);
    if (panels == NULL)
        return NULL;
    panels->share = share_percent / 100.0;
    panels->band_percent = band_percent;
    panels->last_s = panels->judged_s = -1.0;
    return panels;
}

void app_panels_settle_by(struct app_panels_live *panels, void (*settle)(void *who), void *who)
{
    panels->settle = settle;
    panels->who = who;
}

void app_panels_close(struct app_panels_live *panels)
{
    if (panels == NULL)
        return;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        app_book_round_stop(&panels->windows[id]);
        app_panel_probes_close(&panels->sides[id]);
    }
    free(panels);
}

void app_panels_release(struct app_panels_live *panels, enum krn_backend_id backend)
{
    if (panels == NULL)
        return;
    app_panel_probes_close(&panels->sides[backend]);
    app_book_round_stop(&panels->windows[backend]);
    panels->again = false;
    panels->judged_s = -1.0;
}

void app_panels_rest(struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_book_round_stop(&panels->windows[id]);
    panels->again = false;
    panels->last_s = -1.0; /* time without panels earns no credit */
}

void app_panels_again(struct app_panels_live *panels)
{
    panels->again = true;
    panels->again_runs = panels->again_wanted = -1; /* counted when the round begins */
    panels->credit_ms = 0.0;
}

static void begin_again(struct app_panels_live *panels, struct app_panel_probes *side,
                        enum krn_backend_id backend)
{
    panels->again_backend = backend;
    panels->again_runs = 0;
    panels->again_wanted = app_panel_forget(side);
    app_book_round_begin(&panels->windows[backend]);
}

/* --- readings --- */

static void take(struct app_panels_live *panels, struct app_panel_probes *side,
                 const struct krn_probe_reading *reading, bool hold, double now_s)
{
    app_panel_take(side, reading, hold, now_s);
    panels->credit_ms += panels->predicted_ms - reading->slice_ms;
    panels->burst_ms += reading->slice_ms;
    panels->again_runs++;
    if (panels->again)
        return;
    panels->spent.slices++;
    panels->spent.slices_ms += reading->slice_ms;
    panels->spent.longest_ms = fmax(panels->spent.longest_ms, reading->slice_ms);
}

/* One look. What is compared on the host is compared in it, a piece a look, and no event sees that:
 * the slice is as long as all of its looks. */
static void poll_side(struct app_panels_live *panels, bool hold, double now_s)
{
    struct app_panel_probes *side = &panels->sides[panels->busy_backend];
    struct krn_probe_reading reading;
    if (side->probes == NULL)
        return;
    const double begin_ms = app_clock_ms();
    const bool there = krn_probe_poll(side->probes, &reading);
    panels->looks_ms += app_clock_ms() - begin_ms;
    if (!there)
        return;
    reading.slice_ms = fmax(reading.slice_ms, panels->looks_ms);
    take(panels, side, &reading, hold, now_s);
}

static bool is_busy(const struct app_panels_live *panels, const struct app_engine *engine)
{
    const struct app_panel_probes *side = &panels->sides[panels->busy_backend];
    return (side->probes != NULL && krn_probe_busy(side->probes)) || engine->aside_busy;
}

/* --- slices --- */

/* How long one more frame for the ray tracer's claim takes, from global or constant memory; < 0:
 * not now, or not with this scene, and *why says so. Either may be long, and the first time tells.
 */
static double aside_ms(const struct app_panels_live *panels, const struct app_engine *engine,
                       const struct app_state *state, const char **why)
{
    const double most_ms = panels->again ? asked_aside_ms : APP_SLICE_MS;
    const struct krn_series *series = engine->aside[state->backend];
    struct krn_error none;
    double expected_ms = 0.1;
    *why = NULL;
    if (state->duel.on)
        *why = "not during a duel";
    else if (krn_mode_check(app_aside_mode(APP_ASIDE_CONSTANT), engine->scene.count, &none) !=
             KRN_OK)
        *why = "more spheres than constant memory holds";
    else if (panels->no_aside[state->backend])
        *why = "no memory for one more picture";
    if (*why != NULL)
        return -1.0;
    for (int i = 0; i < APP_ASIDE_COUNT; i++) {
        const struct krn_series *frames =
            app_engine_series(engine, state->backend, app_aside_mode((enum app_aside)i));
        expected_ms = fmax(expected_ms, krn_series_summary(&series[i]).median);
        expected_ms = fmax(expected_ms, krn_series_summary(frames).median);
    }
    const struct krn_series *shown = app_engine_series(engine, state->backend, state->mode);
    expected_ms = fmax(expected_ms, krn_series_summary(shown).median);
    if (expected_ms <= most_ms)
        return expected_ms;
    *why = expected_ms <= asked_aside_ms ? "over 2 ms a frame: B measures it"
                                         : "over 50 ms a frame: --bench raytrace";
    return -1.0;
}

static double burst_most_ms(const struct app_panels_live *panels)
{
    return panels->again ? asked_frame_ms : APP_SLICE_MS;
}

/* The next slice whose turn it is, if the share allows one: the topics, then the ray tracer. */
static enum krn_code start_next(struct app_panels_live *panels, struct app_engine *engine,
                                const struct app_state *state, struct krn_error *error)
{
    struct app_panel_probes *side = &panels->sides[state->backend];
    const char *why;
    for (int tries = 0; tries <= KRN_TOPIC_COUNT; tries++) {
        const int topic = panels->topic;
        const bool aside = topic == KRN_TOPIC_COUNT;
        const int at = aside ? -1 : app_panel_next(side, topic, panels->again);
        const double predicted_ms = aside     ? aside_ms(panels, engine, state, &why)
                                    : at >= 0 ? app_panel_slice_ms(side, at)
                                              : -1.0;
        const bool full =
            panels->burst_ms > 0.0 && panels->burst_ms + predicted_ms > burst_most_ms(panels);
        if (predicted_ms >= 0.0 &&
            (full || panels->credit_ms < fmin(predicted_ms, credit_most_ms))) {
            if (!aside)
                side->next[topic] = at; /* it waits for its credit */
            return KRN_OK;
        }
        panels->topic = aside ? 0 : topic + 1;
        if (predicted_ms < 0.0)
            continue;
        if (panels->settle && !panels->settled)
            panels->settle(panels->who);
        panels->settled = true;
        panels->credit_ms -= predicted_ms;
        panels->predicted_ms = predicted_ms;
        panels->looks_ms = 0.0;
        if (aside) {
            panels->burst_ms += predicted_ms;
            panels->aside = 1 - panels->aside;
            panels->aside_s = panels->last_s;
            const enum krn_code code = app_engine_aside(
                engine, state, panels->aside ? APP_ASIDE_GLOBAL : APP_ASIDE_CONSTANT, error);
            /* No room for one more picture: the other panels need none. */
            if (code == KRN_OK || code == KRN_LOST)
                return code;
            panels->no_aside[state->backend] = true;
            return KRN_OK;
        }
        panels->busy_backend = state->backend;
        return krn_probe_start(side->probes, at, error);
    }
    return KRN_OK;
}

bool app_panels_disturb(const struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (panels->windows[id].left > 0)
            return true;
    return false;
}

/* Until what was started is over, or has taken so long that something is wrong: then a later frame
 * takes its reading. */
static void await(struct app_panels_live *panels, struct app_engine *engine, bool hold,
                  double now_s)
{
    const double until_ms = app_clock_ms() + 4.0 * panels->predicted_ms + 5.0;
    while (is_busy(panels, engine) && app_clock_ms() < until_ms) {
        if (engine->aside_busy)
            app_engine_poll(engine);
        else
            poll_side(panels, hold, now_s);
    }
}

/* One burst: slices one after another, as many as the credit pays for and no longer in all than one
 * may be. They are waited for, so that all of what they cost is known and paid for, the drawing
 * that was waited for too. */
static enum krn_code spend(struct app_panels_live *panels, struct app_engine *engine,
                           const struct app_state *state, double now_s, struct krn_error *error)
{
    const double begin_ms = app_clock_ms();
    enum krn_code code = KRN_OK;
    panels->burst_ms = 0.0;
    for (bool more = true; more && code == KRN_OK && !is_busy(panels, engine);) {
        const double before_ms = panels->credit_ms;
        code = start_next(panels, engine, state, error);
        more = panels->credit_ms < before_ms; /* something was started */
        /* A long one that was asked for is taken by a later frame. */
        if (more && code == KRN_OK && panels->predicted_ms <= asked_frame_ms)
            await(panels, engine, state->hold, now_s);
    }
    panels->credit_ms -= fmax(app_clock_ms() - begin_ms - panels->burst_ms, 0.0);
    return code;
}

enum krn_code app_panels_frame(struct app_panels_live *panels, struct app_engine *engine,
                               const struct app_state *state, double now_s, struct krn_error *error)
{
    struct app_panel_probes *side = &panels->sides[state->backend];
    const double since_ms = panels->last_s >= 0.0 ? (now_s - panels->last_s) * 1e3 : 0.0;
    panels->last_s = now_s;
    panels->settled = false;
    panels->spent.since_s += fmax(since_ms, 0.0) / 1e3;
    if (!side->tried) {
        app_panel_probes_open(side, app_engine_device(engine, state));
        return KRN_OK;
    }
    /* A long one of a round is not waited for to its end, but some of each frame. */
    const double until_ms = app_clock_ms() + (panels->again ? asked_frame_ms : 0.0);
    do {
        poll_side(panels, state->hold, now_s);
    } while (side->probes != NULL && krn_probe_busy(side->probes) && app_clock_ms() < until_ms);
    if (side->probes == NULL)
        panels->again = false;
    if (state->hold || side->probes == NULL || (panels->share <= 0.0 && !panels->again))
        return KRN_OK;
    /* A reading that was lost does not come any more. */
    if (engine->aside_busy && now_s - panels->aside_s > lost_after_s)
        engine->aside_busy = false;
    if (panels->again && panels->again_wanted < 0 && !is_busy(panels, engine))
        begin_again(panels, side, state->backend);
    /* Two processes at once on one device would measure each other; a round that was begun on
     * another backend is over. */
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (id != (int)state->backend)
            app_book_round_stop(&panels->windows[id]);
    if (panels->again && panels->again_wanted >= 0 && panels->again_backend != state->backend)
        panels->again = false;
    app_book_round_step(&panels->windows[state->backend], state->backend, engine->ordinal);
    if (app_panels_disturb(panels))
        return KRN_OK;
    const double share = panels->again ? asked_share : panels->share;
    const double due_ms = share * fmax(since_ms, 0.0);
    panels->credit_ms = fmin(panels->credit_ms + due_ms, due_ms + credit_most_ms);
    const enum krn_code code = spend(panels, engine, state, now_s, error);
    if (panels->again && panels->again_wanted >= 0 && app_panel_round_done(side))
        panels->again = false;
    if (code == KRN_OK || code == KRN_LOST)
        return code;
    app_panel_probes_close(side);
    side->tried = true;
    snprintf(side->why, sizeof side->why, "No panels: %s", error->text);
    panels->again = false;
    return KRN_OK;
}

/* --- what the screen shows --- */

/* Few samples have no interval, and a ratio without one no verdict. */
static struct app_estimate of_series(const struct krn_series *series)
{
    const struct krn_summary s = krn_series_summary(series);
    const struct krn_interval i = krn_series_interval(series);
    return (struct app_estimate){i.there, i.there, s.median, i.low, i.high};
}

static void judge(struct app_panels_live *panels, const struct app_engine *engine,
                  const struct app_state *state)
{
    const struct krn_series *series = engine->aside[state->backend];
    const struct app_book_round *windows = &panels->windows[state->backend];
    const char *no_kernel;
    char scene[64];
    (void)aside_ms(panels, engine, state, &no_kernel);
    app_claim_scene(engine->scene.count, engine->view.width, engine->view.height, scene,
                    sizeof scene);
    const struct app_claim_facts facts = {
        .probes = &panels->view.probes,
        .kernel_ratio = app_estimate_ratio(of_series(&series[APP_ASIDE_GLOBAL]),
                                           of_series(&series[APP_ASIDE_CONSTANT])),
        .window_ratio = app_book_ratio(&windows->runs[0], &windows->runs[1]),
        .no_kernel = no_kernel,
        .scene = scene,
        .kernel_scope = "frames of the book's kernel between those on screen, from global and "
                        "constant memory in turns, by the same clock",
        .window_scope = "the book's window in processes of its own, the picture standing still",
        .no_window = windows->why[0] != 0 ? windows->why
                     : windows->left > 0  ? "in processes of its own, now"
                                          : "B measures it",
        .band_percent = panels->band_percent,
    };
    app_claims_judge(&facts, panels->claims);
}

const struct app_panels_view *app_panels_look(struct app_panels_live *panels,
                                              const struct app_engine *engine,
                                              const struct app_state *state, double now_s)
{
    struct app_panel_probes *side = &panels->sides[state->backend];
    struct app_panels_view *view = &panels->view;
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(engine, state->backend, &telemetry);
    if (!side->tried && engine->devices[state->backend] != NULL)
        side->device = *krn_device_describe(engine->devices[state->backend]);
    view->probes = (struct app_probes_view){&side->device, krn_ceilings_of(&side->device),
                                            telemetry.clock_mhz, side->probed, side->count};
    for (int i = 0; i < side->count; i++) {
        side->probed[i].age_s = now_s - side->slots[i].taken_s;
        side->probed[i].on_request = app_panel_is_long(side, i);
    }
    view->why = side->why;
    view->claims = panels->claims;
    view->again = panels->again;
    view->progress = panels->again && panels->again_wanted > 0
                         ? fmin((double)panels->again_runs / panels->again_wanted, 1.0)
                         : 0.0;
    view->share_percent = panels->share * 100.0;
    if (panels->judged_s < 0.0 || now_s - panels->judged_s >= judge_every_s ||
        panels->judged != state->backend) {
        judge(panels, engine, state);
        panels->judged_s = now_s;
        panels->judged = state->backend;
    }
    return view;
}

const struct krn_series *app_panels_series(const struct app_panels_live *panels,
                                           enum krn_backend_id backend, int index)
{
    const struct app_panel_probes *side = &panels->sides[backend];
    return index >= 0 && index < side->count ? &side->slots[index].ms : NULL;
}

struct app_panels_spent app_panels_spent(const struct app_panels_live *panels)
{
    return panels->spent;
}
