#include "measure/panels.h"

#include "base/clock.h"
#include "command/keys.h"
#include "measure/background_frames.h"
#include "measure/panel_probes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A round that was asked for may take this long in a frame, and half of the time. */
static const double asked_frame_ms = 8.0, asked_share = 0.5;

/* How much unused share is kept: enough for one slice, so that a pause is not followed by a burst.
 */
static const double credit_most_ms = APP_SLICE_MS;

static const double judge_every_s = 0.2;

struct app_panels_live {
    double share, band_percent;
    struct app_panel_probes sides[KRN_BACKEND_COUNT];
    enum krn_backend_id busy_backend;
    double credit_ms, last_s;
    double predicted_ms; /* of the slice under way */
    bool asked;          /* that slice belongs to a round */
    double burst_ms;     /* slices of this frame so far */
    int topic;           /* whose turn it is; KRN_TOPIC_COUNT: the ray tracer */
    struct app_background_frames background;
    bool again;
    enum krn_backend_id again_backend;
    int again_runs, again_wanted;
    struct app_panels_spent spent;
    void (*settle)(void *who); /* NULL: nobody to wait for */
    void *who;
    bool settled;            /* in this frame */
    bool (*busy)(void *who); /* NULL: nobody else computes */
    void *who_is_busy;

    struct app_book_round windows[KRN_BACKEND_COUNT];
    double windows_s[KRN_BACKEND_COUNT]; /* when the newest of their times came */
    bool windows_wait;                   /* none of their processes is started */

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

void app_panels_set_idle_hook(struct app_panels_live *panels, void (*settle)(void *who), void *who)
{
    panels->settle = settle;
    panels->who = who;
}

void app_panels_set_busy_hook(struct app_panels_live *panels, bool (*busy)(void *who), void *who)
{
    panels->busy = busy;
    panels->who_is_busy = who;
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
    panels->background.why[backend][0] = 0;
    if (panels->again_wanted >= 0 && panels->again_backend == backend)
        panels->again = false;
    panels->judged_s = -1.0;
}

void app_panels_pause(struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_book_round_stop(&panels->windows[id]);
    panels->again = false;
    panels->last_s = -1.0; /* time without panels earns no credit */
}

void app_panels_remeasure(struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (panels->sides[id].probes == NULL)
            panels->sides[id].tried = false;
    panels->again = true;
    panels->again_runs = panels->again_wanted = -1; /* counted when the round begins */
    panels->credit_ms = 0.0;
}

static void begin_again(struct app_panels_live *panels, struct app_panel_probes *side,
                        struct app_engine *engine, enum krn_backend_id backend)
{
    panels->again_backend = backend;
    panels->again_runs = 0;
    panels->again_wanted = app_panel_forget(side);
    app_background_frames_forget(&panels->background, engine, backend);
    app_book_round_begin(&panels->windows[backend]);
}

/* --- readings --- */

/* What was started was paid for as it was foretold; this is what it took. */
static void settle_account(struct app_panels_live *panels, double ms)
{
    panels->credit_ms += panels->predicted_ms - ms;
    panels->burst_ms += ms - panels->predicted_ms;
    if (panels->asked)
        return;
    panels->spent.slices++;
    panels->spent.slices_ms += ms;
    panels->spent.longest_ms = fmax(panels->spent.longest_ms, ms);
}

static void take(struct app_panels_live *panels, struct app_panel_probes *side,
                 const struct krn_probe_reading *reading, bool hold, double now_s)
{
    app_panel_add_reading(side, reading, hold, now_s);
    settle_account(panels, reading->slice_ms);
}

static void follow_asides(struct app_panels_live *panels, struct app_engine *engine,
                          enum krn_backend_id backend, double now_s)
{
    double ms;
    if (app_background_frames_follow(&panels->background, engine, backend, now_s, &ms) && ms >= 0.0)
        settle_account(panels, ms);
}

static void poll_side(struct app_panels_live *panels, bool hold, double now_s)
{
    struct app_panel_probes *side = &panels->sides[panels->busy_backend];
    struct krn_probe_reading reading;
    if (side->probes != NULL && krn_probe_poll(side->probes, &reading))
        take(panels, side, &reading, hold, now_s);
}

static bool is_busy(const struct app_panels_live *panels, const struct app_engine *engine)
{
    const struct app_panel_probes *side = &panels->sides[panels->busy_backend];
    return (side->probes != NULL && krn_probe_busy(side->probes)) ||
           app_engine_background_busy(engine);
}

/* --- slices --- */

static double burst_most_ms(const struct app_panels_live *panels)
{
    return panels->again ? asked_frame_ms : APP_SLICE_MS;
}

static enum krn_code start_probe(struct app_panels_live *panels, struct app_panel_probes *side,
                                 int index, struct krn_error *error)
{
    const enum krn_code code = krn_probe_start(side->probes, index, error);
    if (code == KRN_LOST)
        return code;
    if (code == KRN_OK)
        app_panel_started(side, index);
    else
        app_panel_refuse(side, index, error->text);
    panels->again_runs++;
    return KRN_OK;
}

/* The next slice whose turn it is, if the share allows one: the topics, then the ray tracer. */
static enum krn_code start_next(struct app_panels_live *panels, struct app_engine *engine,
                                const struct app_state *state, struct krn_error *error)
{
    struct app_panel_probes *side = &panels->sides[state->backend];
    const char *why;
    for (int tries = 0; tries <= KRN_TOPIC_COUNT; tries++) {
        const int topic = panels->topic;
        const bool background = topic == KRN_TOPIC_COUNT;
        const int at = background ? -1 : app_panel_next(side, topic, panels->again);
        const double predicted_ms =
            background
                ? app_background_frames_ms(&panels->background, engine, state, panels->again, &why)
            : at >= 0 ? app_panel_slice_ms(side, at)
                      : -1.0;
        const bool full =
            panels->burst_ms > 0.0 && panels->burst_ms + predicted_ms > burst_most_ms(panels);
        if (predicted_ms >= 0.0 &&
            (full || panels->credit_ms < fmin(predicted_ms, credit_most_ms))) {
            if (!background)
                side->next[topic] = at; /* it waits for its credit */
            return KRN_OK;
        }
        panels->topic = background ? 0 : topic + 1;
        if (predicted_ms < 0.0)
            continue;
        if (panels->settle && !panels->settled)
            panels->settle(panels->who);
        panels->settled = true;
        panels->credit_ms -= predicted_ms;
        panels->burst_ms += predicted_ms;
        panels->predicted_ms = predicted_ms;
        panels->asked = panels->again;
        panels->busy_backend = state->backend;
        const enum krn_code code = background
                                       ? app_background_frames_start(&panels->background, engine,
                                                                     state, panels->last_s, error)
                                       : start_probe(panels, side, at, error);
        if (!is_busy(panels, engine)) { /* nothing was started */
            panels->credit_ms += predicted_ms;
            panels->burst_ms -= predicted_ms;
        }
        return code;
    }
    return KRN_OK;
}

bool app_panels_child_running(const struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (panels->windows[id].child.pid > 0 ||
            (panels->windows[id].left > 0 && !panels->windows_wait))
            return true;
    return false;
}

/* Until what was started is over, or has taken so long that something is wrong: then a later frame
 * takes its reading. */
static void await(struct app_panels_live *panels, struct app_engine *engine,
                  const struct app_state *state, double now_s)
{
    const double until_ms = app_clock_ms() + 4.0 * panels->predicted_ms + 5.0;
    while (is_busy(panels, engine) && app_clock_ms() < until_ms) {
        if (app_engine_background_busy(engine))
            app_engine_poll(engine);
        else
            poll_side(panels, state->hold, now_s);
    }
    follow_asides(panels, engine, state->backend, now_s);
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
            await(panels, engine, state, now_s);
    }
    panels->credit_ms -= fmax(app_clock_ms() - begin_ms - panels->burst_ms, 0.0);
    return code;
}

/* Before all else, whatever this backend has: two processes at once would measure each other, and
 * the picture would wait for one that nobody looks at. */
static void end_other_rounds(struct app_panels_live *panels, enum krn_backend_id backend)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (id != (int)backend)
            app_book_round_stop(&panels->windows[id]);
    if (panels->again && panels->again_wanted >= 0 && panels->again_backend != backend)
        panels->again = false;
}

/* Nothing can be started any more: the memory goes back, and the screen says why. */
static void close_refused(struct app_panels_live *panels, struct app_panel_probes *side)
{
    char why[sizeof side->refused[0]] = "";
    for (int topic = KRN_TOPIC_COUNT - 1; topic >= 0; topic--)
        if (side->refused[topic][0] != 0)
            memcpy(why, side->refused[topic], sizeof why);
    app_panel_probes_close(side);
    side->tried = true;
    snprintf(side->why, sizeof side->why, "No panels: %s", why);
    panels->again = false;
}

enum krn_code app_panels_frame(struct app_panels_live *panels, struct app_engine *engine,
                               const struct app_state *state, double now_s, struct krn_error *error)
{
    struct app_panel_probes *side = &panels->sides[state->backend];
    const double since_ms = panels->last_s >= 0.0 ? (now_s - panels->last_s) * 1e3 : 0.0;
    panels->last_s = now_s;
    panels->settled = false;
    panels->spent.since_s += fmax(since_ms, 0.0) / 1e3;
    end_other_rounds(panels, state->backend);
    if (!side->tried) {
        app_panel_probes_open(side, app_engine_device(engine, state));
        return KRN_OK;
    }
    follow_asides(panels, engine, state->backend, now_s);
    /* A long one of a round is not waited for to its end, but some of each frame. */
    const double until_ms = app_clock_ms() + (panels->again ? asked_frame_ms : 0.0);
    do {
        poll_side(panels, state->hold, now_s);
    } while (side->probes != NULL && krn_probe_busy(side->probes) && app_clock_ms() < until_ms);
    if (side->probes == NULL)
        panels->again = false;
    if (panels->again && panels->again_wanted < 0 && !state->hold && !is_busy(panels, engine))
        begin_again(panels, side, engine, state->backend);
    struct app_book_round *windows = &panels->windows[state->backend];
    panels->windows_wait = state->hold || (panels->busy && panels->busy(panels->who_is_busy));
    const size_t windows_n = windows->runs[0].n + windows->runs[1].n;
    app_book_round_step(windows, state->backend, app_engine_ordinal(engine, state->backend),
                        panels->windows_wait);
    if (windows->runs[0].n + windows->runs[1].n > windows_n)
        panels->windows_s[state->backend] = now_s;
    if (state->hold || windows->left > 0 || side->probes == NULL ||
        (panels->share <= 0.0 && !panels->again))
        return KRN_OK;
    const double share = panels->again ? asked_share : panels->share;
    const double due_ms = share * fmax(since_ms, 0.0);
    panels->credit_ms = fmin(panels->credit_ms + due_ms, due_ms + credit_most_ms);
    const enum krn_code code = spend(panels, engine, state, now_s, error);
    if (panels->again && panels->again_wanted >= 0 && app_panel_round_done(side))
        panels->again = false;
    if (code == KRN_OK && app_panel_all_refused(side))
        close_refused(panels, side);
    return code;
}

/* --- what the screen shows --- */

/* Few samples have no interval, and a ratio without one no verdict. */
static struct app_estimate of_series(const struct krn_series *series)
{
    const struct krn_summary s = krn_series_summary(series);
    const struct krn_interval i = krn_series_interval(series);
    return (struct app_estimate){i.valid, i.valid, s.median, i.low, i.high};
}

static void judge(struct app_panels_live *panels, const struct app_engine *engine,
                  const struct app_state *state, double now_s)
{
    const enum krn_backend_id backend = state->backend;
    const struct krn_view view = app_engine_current_view(engine);
    const struct app_book_round *windows = &panels->windows[state->backend];
    const char *no_kernel;
    char scene[64], age[32];
    app_number_age(fmax(now_s - panels->windows_s[state->backend], 0.0), age, sizeof age);
    (void)app_background_frames_ms(&panels->background, engine, state, panels->again, &no_kernel);
    app_claim_scene(app_engine_scene(engine)->count, view.width, view.height, scene, sizeof scene);
    const struct app_claim_facts facts = {
        .probes = &panels->view.probes,
        .kernel_ratio = app_estimate_ratio(
            of_series(app_engine_background(engine, backend, APP_BACKGROUND_GLOBAL)),
            of_series(app_engine_background(engine, backend, APP_BACKGROUND_CONSTANT))),
        .window_ratio = app_book_ratio(&windows->runs[0], &windows->runs[1]),
        .no_kernel = no_kernel,
        .window_age = age,
        .scene = scene,
        .kernel_scope = "frames of the book's kernel between those on screen, from global and "
                        "constant memory in turns, by the same clock",
        .window_scope = "the book's window in processes of its own, the picture standing still",
        .no_window = windows->why[0] != 0 ? windows->why
                     : windows->left > 0  ? "in processes of its own, now"
                                          : "{measure} measures it",
        .band_percent = panels->band_percent,
    };
    app_claims_judge(&facts, panels->claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        struct app_claim *claim = &panels->claims[i];
        char note[sizeof claim->note];
        app_key_hints(claim->note, note, sizeof note);
        memcpy(claim->note, note, sizeof note);
    }
}

const struct app_panels_view *app_panels_current(struct app_panels_live *panels,
                                                 const struct app_engine *engine,
                                                 const struct app_state *state, double now_s)
{
    struct app_panel_probes *side = &panels->sides[state->backend];
    struct app_panels_view *view = &panels->view;
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(engine, state->backend, &telemetry);
    if (!side->tried && app_engine_device(engine, state) != NULL)
        side->device = *krn_device_describe(app_engine_device(engine, state));
    view->probes = (struct app_probes_view){&side->device, krn_ceilings_of(&side->device),
                                            telemetry.clock_mhz, side->probed, side->count};
    for (int i = 0; i < side->count; i++) {
        side->probed[i].age_s = now_s - side->slots[i].taken_s;
        side->probed[i].on_request = app_panel_is_long(side, i) || side->slots[i].refused;
    }
    view->why = side->why;
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
        view->refused[topic] = app_panel_refusal(side, topic);
    view->claims = panels->claims;
    view->again = panels->again;
    view->progress = panels->again && panels->again_wanted > 0
                         ? fmin((double)panels->again_runs / panels->again_wanted, 1.0)
                         : 0.0;
    view->share_percent = panels->share * 100.0;
    if (panels->judged_s < 0.0 || now_s - panels->judged_s >= judge_every_s ||
        panels->judged != state->backend) {
        judge(panels, engine, state, now_s);
        panels->judged_s = now_s;
        panels->judged = state->backend;
    }
    return view;
}

const char *app_panels_why(const struct app_panels_live *panels, enum krn_backend_id backend)
{
    return panels->sides[backend].why;
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
