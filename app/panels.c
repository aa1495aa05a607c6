#include "panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Runs of every probe in a round that was asked for, and of those that take more than a slice. */
enum { ASKED_RUNS = 10, ASKED_LONG_RUNS = 3 };

/* A round that was asked for may take this long in a frame, and half of the time. */
static const double asked_frame_ms = 8.0, asked_share = 0.5, asked_aside_ms = 50.0;

/* How much unused share is kept: enough for one slice, so that a pause is not followed by a burst.
 */
static const double credit_most_ms = APP_SLICE_MS;

static const double judge_every_s = 0.2;

/* One probe's samples. */
struct slot {
    struct krn_series ms, cycles;
    unsigned runs;   /* since the round began; the first one loads and is no sample */
    double slice_ms; /* of the newest run; 0: none yet */
    double taken_s;
};

/* The probes of one backend. */
struct side {
    struct krn_probes *probes;
    bool tried;
    char why[APP_NOTICE_MAX + 16];
    struct app_probed *probed;
    struct slot *slots;
    int count;
    int next[KRN_TOPIC_COUNT]; /* where each topic goes on */
    struct krn_device_info device;
};

struct app_panels_live {
    double share, band_percent;
    struct side sides[KRN_BACKEND_COUNT];
    enum krn_backend_id busy_backend;
    double credit_ms, last_s;
    double predicted_ms; /* of the slice under way */
    double burst_ms;     /* slices of this frame so far */
    int topic;           /* whose turn it is; KRN_TOPIC_COUNT: the ray tracer */
    int aside;           /* which side of the ray tracer's claim is next */
    bool again;
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

static double clock_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

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

static void close_side(struct side *side)
{
    krn_probes_close(side->probes);
    free(side->probed);
    free(side->slots);
    memset(side, 0, sizeof *side);
}

void app_panels_close(struct app_panels_live *panels)
{
    if (panels == NULL)
        return;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        app_book_round_stop(&panels->windows[id]);
        close_side(&panels->sides[id]);
    }
    free(panels);
}

void app_panels_release(struct app_panels_live *panels, enum krn_backend_id backend)
{
    if (panels == NULL)
        return;
    close_side(&panels->sides[backend]);
    app_book_round_stop(&panels->windows[backend]);
    panels->again = false;
    panels->judged_s = -1.0;
}

/* The memory that live panels take: the measurements must not crowd out the picture's. */
static size_t bytes_for(const struct krn_device_info *info)
{
    const size_t part = info->backend == KRN_BACKEND_CUDA ? 8 : 16;
    const size_t least = (size_t)64 << 20;
    return info->memory_bytes / part > least ? info->memory_bytes / part : least;
}

/* Takes all memory at once; what cannot be had is a reason, not an error. */
static void open_side(struct side *side, struct krn_device *device)
{
    struct krn_error error;
    side->tried = true;
    side->device = *krn_device_describe(device);
    if (krn_probes_open(device, KRN_TOPICS_ALL, bytes_for(&side->device), &side->probes, &error) !=
        KRN_OK) {
        snprintf(side->why, sizeof side->why, "No panels: %s", error.text);
        side->probes = NULL;
        return;
    }
    const size_t n = (size_t)krn_probes_count(side->probes);
    side->probed = calloc(n > 0 ? n : 1, sizeof *side->probed);
    side->slots = calloc(n > 0 ? n : 1, sizeof *side->slots);
    if (side->probed == NULL || side->slots == NULL) {
        close_side(side);
        side->tried = true;
        snprintf(side->why, sizeof side->why, "No panels: no memory for their samples.");
        return;
    }
    side->count = (int)n;
    for (int i = 0; i < side->count; i++)
        side->probed[i].probe = krn_probes_at(side->probes, i);
}

/* How long a slice of this probe takes: as it did, else as it should. */
static double slice_of(const struct side *side, int index)
{
    const double took = side->slots[index].slice_ms;
    return took > 0.0 ? took : side->probed[index].probe->expected_ms;
}

static bool is_long(const struct side *side, int index)
{
    return slice_of(side, index) > APP_SLICE_MS;
}

static unsigned asked_runs(const struct side *side, int index)
{
    return is_long(side, index) ? ASKED_LONG_RUNS : ASKED_RUNS;
}

/* The topic's next probe that may run; -1: none. */
static int next_of(struct app_panels_live *panels, struct side *side, int topic)
{
    for (int i = 0; i < side->count; i++) {
        const int at = (side->next[topic] + i) % side->count;
        if ((int)side->probed[at].probe->topic != topic)
            continue;
        if (panels->again ? side->slots[at].runs > asked_runs(side, at) : is_long(side, at))
            continue;
        side->next[topic] = (at + 1) % side->count;
        return at;
    }
    return -1;
}

static void forget(struct slot *slot, struct app_probed *probed)
{
    krn_series_clear(&slot->ms);
    krn_series_clear(&slot->cycles);
    slot->runs = 0;
    probed->n = 0;
    probed->verified = APP_VERIFIED_UNKNOWN;
    memset(&probed->check, 0, sizeof probed->check);
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

static void begin_again(struct app_panels_live *panels, struct side *side,
                        enum krn_backend_id backend)
{
    panels->again_runs = panels->again_wanted = 0;
    for (int i = 0; i < side->count; i++) {
        forget(&side->slots[i], &side->probed[i]);
        panels->again_wanted += (int)asked_runs(side, i) + 1;
    }
    app_book_round_begin(&panels->windows[backend]);
}

/* --- readings --- */

static void take(struct app_panels_live *panels, struct side *side,
                 const struct krn_probe_reading *reading, bool hold, double now_s)
{
    struct slot *slot = &side->slots[reading->probe];
    struct app_probed *probed = &side->probed[reading->probe];
    const bool first = slot->runs++ == 0;
    slot->slice_ms = reading->slice_ms;
    panels->credit_ms += panels->predicted_ms - reading->slice_ms;
    panels->burst_ms += reading->slice_ms;
    panels->again_runs++;
    if (!panels->again) {
        panels->spent.slices++;
        panels->spent.slices_ms += reading->slice_ms;
        panels->spent.longest_ms = fmax(panels->spent.longest_ms, reading->slice_ms);
    }
    if (hold)
        return;
    if (probed->verified != APP_VERIFIED_FALSE) {
        probed->check = reading->check;
        if (reading->check.wrong > 0.0 || !(reading->check.max_error == 0.0))
            probed->verified = APP_VERIFIED_FALSE;
        else if (reading->check.compared > 0.0)
            probed->verified = APP_VERIFIED_TRUE;
    }
    if (first || !krn_series_push(&slot->ms, reading->ms))
        return;
    slot->taken_s = now_s;
    probed->ms = krn_series_summary(&slot->ms);
    probed->ms_interval = krn_series_interval(&slot->ms);
    probed->n = probed->ms.n;
    if (!probed->probe->has_cycles || !krn_series_push(&slot->cycles, reading->cycles))
        return;
    probed->cycles = krn_series_summary(&slot->cycles);
    probed->cycles_interval = krn_series_interval(&slot->cycles);
}

static void poll_side(struct app_panels_live *panels, bool hold, double now_s)
{
    struct side *side = &panels->sides[panels->busy_backend];
    struct krn_probe_reading reading;
    if (side->probes != NULL && krn_probe_poll(side->probes, &reading))
        take(panels, side, &reading, hold, now_s);
}

static bool is_busy(const struct app_panels_live *panels, const struct app_engine *engine)
{
    const struct side *side = &panels->sides[panels->busy_backend];
    return (side->probes != NULL && krn_probe_busy(side->probes)) || engine->aside_busy;
}

/* --- slices --- */

/* How long one more frame for the ray tracer's claim takes, from global or constant memory; < 0:
 * not now, or not with this scene. Either may be long, and the first time tells. */
static double aside_ms(const struct app_panels_live *panels, const struct app_engine *engine,
                       const struct app_state *state)
{
    const double most_ms = panels->again ? asked_aside_ms : APP_SLICE_MS;
    const struct krn_series *series = engine->aside[state->backend];
    struct krn_error none;
    double expected_ms = 0.1;
    if (state->duel.on || state->hold ||
        krn_mode_check(app_aside_mode(APP_ASIDE_CONSTANT), engine->scene.count, &none) != KRN_OK)
        return -1.0;
    for (int i = 0; i < APP_ASIDE_COUNT; i++) {
        const struct krn_series *frames =
            app_engine_series(engine, state->backend, app_aside_mode((enum app_aside)i));
        expected_ms = fmax(expected_ms, krn_series_summary(&series[i]).median);
        expected_ms = fmax(expected_ms, krn_series_summary(frames).median);
    }
    const struct krn_series *shown = app_engine_series(engine, state->backend, state->mode);
    expected_ms = fmax(expected_ms, krn_series_summary(shown).median);
    return expected_ms <= most_ms ? expected_ms : -1.0;
}

static double burst_most_ms(const struct app_panels_live *panels)
{
    return panels->again ? asked_frame_ms : APP_SLICE_MS;
}

/* The next slice whose turn it is, if the share allows one: the topics, then the ray tracer. */
static enum krn_code start_next(struct app_panels_live *panels, struct app_engine *engine,
                                const struct app_state *state, struct krn_error *error)
{
    struct side *side = &panels->sides[state->backend];
    for (int tries = 0; tries <= KRN_TOPIC_COUNT; tries++) {
        const int topic = panels->topic;
        const bool aside = topic == KRN_TOPIC_COUNT;
        const int at = aside ? -1 : next_of(panels, side, topic);
        const double predicted_ms = aside     ? aside_ms(panels, engine, state)
                                    : at >= 0 ? slice_of(side, at)
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
        if (aside) {
            panels->burst_ms += predicted_ms;
            panels->aside = 1 - panels->aside;
            return app_engine_aside(engine, state,
                                    panels->aside ? APP_ASIDE_GLOBAL : APP_ASIDE_CONSTANT, error);
        }
        panels->busy_backend = state->backend;
        return krn_probe_start(side->probes, at, error);
    }
    return KRN_OK;
}

/* Every probe has had its runs. */
static bool round_done(const struct side *side)
{
    for (int i = 0; i < side->count; i++)
        if (side->slots[i].runs <= asked_runs(side, i))
            return false;
    return true;
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
    const double until_ms = clock_ms() + 4.0 * panels->predicted_ms + 5.0;
    while (is_busy(panels, engine) && clock_ms() < until_ms) {
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
    const double begin_ms = clock_ms();
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
    panels->credit_ms -= fmax(clock_ms() - begin_ms - panels->burst_ms, 0.0);
    return code;
}

enum krn_code app_panels_frame(struct app_panels_live *panels, struct app_engine *engine,
                               const struct app_state *state, double now_s, struct krn_error *error)
{
    struct side *side = &panels->sides[state->backend];
    const double since_ms = panels->last_s >= 0.0 ? (now_s - panels->last_s) * 1e3 : 0.0;
    panels->last_s = now_s;
    panels->settled = false;
    panels->spent.since_s += fmax(since_ms, 0.0) / 1e3;
    if (!side->tried) {
        open_side(side, app_engine_device(engine, state));
        return KRN_OK;
    }
    poll_side(panels, state->hold, now_s);
    if (panels->share <= 0.0 && !panels->again)
        return KRN_OK;
    if (panels->again && panels->again_wanted < 0 && !is_busy(panels, engine))
        begin_again(panels, side, state->backend);
    /* Two processes at once on one device would measure each other; a round that was begun on
     * another backend is over. */
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (id != (int)state->backend)
            app_book_round_stop(&panels->windows[id]);
    app_book_round_step(&panels->windows[state->backend], state->backend, engine->ordinal);
    if (app_panels_disturb(panels) || side->probes == NULL)
        return KRN_OK;
    const double share = panels->again ? asked_share : panels->share;
    const double due_ms = share * fmax(since_ms, 0.0);
    panels->credit_ms = fmin(panels->credit_ms + due_ms, due_ms + credit_most_ms);
    const enum krn_code code = spend(panels, engine, state, now_s, error);
    if (panels->again && panels->again_wanted >= 0 && round_done(side))
        panels->again = false;
    if (code == KRN_OK || code == KRN_LOST)
        return code;
    close_side(side);
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
    struct krn_error why = {.text = ""};
    const bool fits =
        krn_mode_check(app_aside_mode(APP_ASIDE_CONSTANT), engine->scene.count, &why) == KRN_OK;
    const struct app_claim_facts facts = {
        .probes = &panels->view.probes,
        .kernel_ratio = app_estimate_ratio(of_series(&series[APP_ASIDE_GLOBAL]),
                                           of_series(&series[APP_ASIDE_CONSTANT])),
        .window_ratio = app_book_ratio(&windows->runs[0], &windows->runs[1]),
        .no_kernel = !fits                                 ? why.text
                     : aside_ms(panels, engine, state) < 0 ? "over 2 ms a frame: B measures it"
                                                           : NULL,
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
    struct side *side = &panels->sides[state->backend];
    struct app_panels_view *view = &panels->view;
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(engine, state->backend, &telemetry);
    view->probes = (struct app_probes_view){&side->device, krn_ceilings_of(&side->device),
                                            telemetry.clock_mhz, side->probed, side->count};
    for (int i = 0; i < side->count; i++)
        side->probed[i].age_s = now_s - side->slots[i].taken_s;
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
    const struct side *side = &panels->sides[backend];
    return index >= 0 && index < side->count ? &side->slots[index].ms : NULL;
}

struct app_panels_spent app_panels_spent(const struct app_panels_live *panels)
{
    return panels->spent;
}
