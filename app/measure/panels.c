/* app/measure/panels.c - polls the slice in progress; starts the next that the budget affords. */
#include "measure/panels.h"

#include "base/process.h"
#include "command/entry.h"
#include "records/recorded.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- milliseconds earned with time, paid by slices, settled at their end --- */

/* The share of the time that a round may use. */
static const double asked_share = 0.75;

const double app_budget_asked_ms = 12.0;

void app_budget_earn(struct app_budget *budget, double since_ms, bool asked)
{
    const double due_ms = (asked ? asked_share : budget->share) * fmax(since_ms, 0.0);
    budget->credit_ms = fmin(budget->credit_ms + due_ms, due_ms + APP_SLICE_MS);
}

void app_budget_begin_burst(struct app_budget *budget)
{
    budget->burst_ms = 0.0;
}

bool app_budget_affords(const struct app_budget *budget, double predicted_ms, bool asked)
{
    const double most_ms = asked ? app_budget_asked_ms : APP_SLICE_MS;
    const bool full = budget->burst_ms > 0.0 && budget->burst_ms + predicted_ms > most_ms;
    return !full && budget->credit_ms >= fmin(predicted_ms, APP_SLICE_MS);
}

void app_budget_pay(struct app_budget *budget, double predicted_ms, bool asked)
{
    budget->credit_ms -= predicted_ms;
    budget->burst_ms += predicted_ms;
    budget->predicted_ms = predicted_ms;
    budget->asked = asked;
}

void app_budget_give_back(struct app_budget *budget)
{
    budget->credit_ms += budget->predicted_ms;
    budget->burst_ms -= budget->predicted_ms;
}

void app_budget_settle(struct app_budget *budget, double took_ms)
{
    budget->credit_ms += budget->predicted_ms - took_ms;
    budget->burst_ms += took_ms - budget->predicted_ms;
    if (budget->asked)
        return;
    budget->spent.slices++;
    budget->spent.slices_ms += took_ms;
    budget->spent.longest_ms = fmax(budget->spent.longest_ms, took_ms);
}

void app_budget_end_burst(struct app_budget *budget, double took_ms)
{
    budget->credit_ms -= fmax(took_ms - budget->burst_ms, 0.0);
}

/* --- the panels --- */

static const double judge_every_s = 0.2;

/* A round: every probe once more, long ones too. */
struct round {
    bool on;
    bool counted; /* it has begun: the fields below are set */
    enum krn_backend_id backend;
    int runs;
};

/* Functions that tell what other parts of the program do. */
struct hooks {
    void (*settle)(void *who); /* NULL: there is nothing to wait for */
    void *settle_who;
    bool (*busy)(void *who); /* NULL: no other thread computes */
    void *busy_who;
};

struct app_panels_live {
    double band_percent, last_s;
    struct app_budget budget;
    struct app_panel_probes sides[KRN_BACKEND_COUNT];
    struct app_background_frames background;
    struct app_sampler *running; /* its slice is in progress; NULL: none is */
    int topic;                   /* whose turn it is; KRN_TOPIC_COUNT: the ray tracer's */
    struct round round;
    struct hooks hooks;
    bool settled; /* the idle hook was called in this frame */
    struct app_battery battery;

    struct app_book_round windows[KRN_BACKEND_COUNT];
    double windows_s[KRN_BACKEND_COUNT];       /* when their newest times came */
    unsigned windows_trust[KRN_BACKEND_COUNT]; /* reasons to doubt them, of the device meanwhile */
    bool windows_wait;                         /* no process may start */

    struct app_works works;
    struct app_mode_work modes[KRN_MODES_MAX];

    struct app_claim claims[APP_CLAIM_COUNT];
    double judged_s;
    enum krn_backend_id judged;
    struct app_panels_view view;
};

struct app_panels_live *app_panels_open(double share_percent, double band_percent)
{
    struct app_panels_live *panels = krn_alloc(1, sizeof *panels);
    panels->budget.share = share_percent / 100.0;
    panels->band_percent = band_percent;
    panels->last_s = panels->judged_s = -1.0;
    return panels;
}

void app_panels_set_idle_hook(struct app_panels_live *panels, void (*settle)(void *who), void *who)
{
    panels->hooks.settle = settle;
    panels->hooks.settle_who = who;
}

void app_panels_set_busy_hook(struct app_panels_live *panels, bool (*busy)(void *who), void *who)
{
    panels->hooks.busy = busy;
    panels->hooks.busy_who = who;
}

void app_panels_close(struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        app_book_round_stop(&panels->windows[id]);
        app_panel_probes_close(&panels->sides[id]);
    }
    free(panels);
}

/* Closes the probes of a backend, with the slice of theirs that may be in progress. */
static void close_side(struct app_panels_live *panels, struct app_panel_probes *side)
{
    if (panels->running == &side->sampler)
        panels->running = NULL;
    app_panel_probes_close(side);
}

void app_panels_release(struct app_panels_live *panels, enum krn_backend_id backend)
{
    close_side(panels, &panels->sides[backend]);
    app_book_round_stop(&panels->windows[backend]);
    panels->background.why[backend][0] = 0;
    if (panels->round.counted && panels->round.backend == backend)
        panels->round.on = false;
    panels->judged_s = -1.0;
}

void app_panels_pause(struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_book_round_stop(&panels->windows[id]);
    panels->round.on = false;
    panels->last_s = -1.0; /* time without panels earns no credit */
}

void app_panels_remeasure(struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (panels->sides[id].probes == NULL)
            panels->sides[id].tried = false;
    panels->round = (struct round){.on = true};
    panels->budget.credit_ms = 0.0;
}

/* --- readings --- */

/* Takes the reading of the slice in progress when it is ready. */
static enum app_poll poll_slice(struct app_panels_live *panels)
{
    struct app_reading reading;
    if (panels->running == NULL)
        return APP_POLL_LOST;
    const enum app_poll poll = app_sampler_poll(panels->running, &reading);
    if (poll == APP_POLL_TAKEN)
        app_budget_settle(&panels->budget, reading.slice_ms);
    if (poll != APP_POLL_BUSY)
        panels->running = NULL;
    return poll;
}

/* Polls until the slice in progress is over, until_ms (app_clock_ms) at the latest. */
static void wait_for_slice(struct app_panels_live *panels, double until_ms)
{
    while (poll_slice(panels) == APP_POLL_BUSY && app_clock_ms() < until_ms)
        continue;
}

/* --- slices --- */

/* A candidate for the next run. predicted_ms < 0: there is none. */
struct slice {
    struct app_sampler *sampler;
    int item;
    double predicted_ms;
};

/* Returns the next slice of a topic, or of the ray tracer. */
static struct slice next_of(struct app_panels_live *panels, const struct app_engine *engine,
                            const struct app_state *state, int topic)
{
    struct app_panel_probes *side = &panels->sides[state->spec.backend];
    struct app_background_frames *background = &panels->background;
    const char *why;
    if (topic == KRN_TOPIC_COUNT)
        return (struct slice){
            &background->sampler, (int)background->next,
            app_background_frames_ms(background, engine, state, panels->round.on, &why)};
    const int item = app_panel_next(side, topic, panels->round.on);
    return (struct slice){&side->sampler, item, item >= 0 ? app_panel_slice_ms(side, item) : -1.0};
}

/* Starts a slice and pays for it; a refused one costs nothing. Errors: KRN_LOST. */
static enum krn_code start_slice(struct app_panels_live *panels, const struct slice *slice,
                                 struct krn_error *error)
{
    if (panels->hooks.settle && !panels->settled)
        panels->hooks.settle(panels->hooks.settle_who);
    panels->settled = true;
    app_budget_pay(&panels->budget, slice->predicted_ms, panels->round.on);
    const enum krn_code code = app_sampler_start(slice->sampler, slice->item, error);
    if (app_sampler_busy(slice->sampler))
        panels->running = slice->sampler;
    else
        app_budget_give_back(&panels->budget);
    if (code == KRN_OK && slice->sampler != &panels->background.sampler)
        panels->round.runs++;
    return code;
}

/* Starts the slice whose turn it is, if the budget affords it: the topics', then the ray tracer's;
 * in a round, one of the topic that it measures now, then one of the ray tracer. */
static enum krn_code start_next(struct app_panels_live *panels, const struct app_engine *engine,
                                const struct app_state *state, struct krn_error *error)
{
    struct app_panel_probes *side = &panels->sides[state->spec.backend];
    for (int tries = 0; tries <= KRN_TOPIC_COUNT; tries++) {
        int topic = panels->topic, runs;
        if (panels->round.on && topic != KRN_TOPIC_COUNT)
            topic = app_panel_round(side, &runs);
        if (topic < 0)
            topic = KRN_TOPIC_COUNT;
        const struct slice slice = next_of(panels, engine, state, topic);
        if (slice.predicted_ms >= 0.0 &&
            !app_budget_affords(&panels->budget, slice.predicted_ms, panels->round.on)) {
            if (topic < KRN_TOPIC_COUNT)
                side->next[topic] = slice.item; /* it waits for credit */
            return KRN_OK;
        }
        panels->topic = topic == KRN_TOPIC_COUNT ? 0
                        : panels->round.on       ? KRN_TOPIC_COUNT
                                                 : topic + 1;
        if (slice.predicted_ms >= 0.0)
            return start_slice(panels, &slice, error);
    }
    return KRN_OK;
}

/* Runs slices one after another, as many as the budget affords, and waits for them, so that their
 * whole cost is known and paid for. The wait for the drawing before the first one is part of it. */
static enum krn_code spend(struct app_panels_live *panels, const struct app_engine *engine,
                           const struct app_state *state, struct krn_error *error)
{
    const double begin_ms = app_clock_ms();
    struct app_budget *budget = &panels->budget;
    enum krn_code code = KRN_OK;
    app_budget_begin_burst(budget);
    for (bool more = true; more && code == KRN_OK && panels->running == NULL;) {
        code = start_next(panels, engine, state, error);
        more = panels->running != NULL;
        /* A later frame reads the result of a long slice, and of one that exceeds its prediction so
         * far that something is wrong. */
        if (more && code == KRN_OK && budget->predicted_ms <= app_budget_asked_ms)
            wait_for_slice(panels, app_clock_ms() + 4.0 * budget->predicted_ms + 5.0);
    }
    app_budget_end_burst(budget, app_clock_ms() - begin_ms);
    return code;
}

/* --- a frame's phases --- */

bool app_panels_child_running(const struct app_panels_live *panels)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (panels->windows[id].child.process.pid > 0 ||
            (panels->windows[id].left > 0 && !panels->windows_wait))
            return true;
    return false;
}

/* Notes the time and what is on screen; returns the ms since the last frame. */
static double begin_frame(struct app_panels_live *panels, struct app_engine *engine,
                          const struct app_state *state, double now_s)
{
    const double since_ms = panels->last_s >= 0.0 ? (now_s - panels->last_s) * 1e3 : 0.0;
    panels->last_s = now_s;
    panels->settled = false;
    panels->budget.spent.since_s += fmax(since_ms, 0.0) / 1e3;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        panels->sides[id].hold = state->look.hold;
    }
    const struct app_conditions now = {.on_battery = app_battery_at(&panels->battery, now_s)};
    panels->sides[state->spec.backend].evidence =
        app_evidence_of_device(engine, state->spec.backend, &now);
    app_background_frames_follow(&panels->background, engine, state, now_s);
    return since_ms;
}

/* Ends what runs for another backend: two processes at once would disturb each other, and the
 * picture would wait for numbers that are not on screen. */
static void end_other_rounds(struct app_panels_live *panels, enum krn_backend_id backend)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (id != (int)backend)
            app_book_round_stop(&panels->windows[id]);
    if (panels->round.counted && panels->round.backend != backend)
        panels->round.on = false;
}

/* Begins the requested round, once no slice is in progress. */
static void begin_round(struct app_panels_live *panels, struct app_engine *engine,
                        const struct app_state *state)
{
    struct app_panel_probes *side = &panels->sides[state->spec.backend];
    if (side->probes == NULL)
        panels->round.on = false;
    if (!panels->round.on || panels->round.counted || state->look.hold || panels->running != NULL)
        return;
    if (!side->all && state->spec.backend == KRN_BACKEND_CUDA) {
        app_panel_probes_close(side);
        app_panel_probes_open(side, app_engine_device(engine, state), true);
    }
    panels->round = (struct round){true, true, state->spec.backend, 0};
    app_panel_forget(side);
    app_background_frames_forget(&panels->background, engine, state->spec.backend);
    if (side->device.can.warps) /* the claims that rest on these processes are about GPUs */
        app_book_round_begin(&panels->windows[state->spec.backend]);
    panels->windows_trust[state->spec.backend] = 0;
}

/* Starts the next process for the book's window, or collects the times of the running one. */
static void step_windows(struct app_panels_live *panels, const struct app_engine *engine,
                         const struct app_state *state, double now_s)
{
    const struct hooks *hooks = &panels->hooks;
    struct app_book_round *windows = &panels->windows[state->spec.backend];
    const size_t before = windows->runs[0].n + windows->runs[1].n;
    panels->windows_wait = state->look.hold || (hooks->busy && hooks->busy(hooks->busy_who));
    app_book_round_step(windows, state->spec.backend,
                        app_engine_ordinal(engine, state->spec.backend), panels->windows_wait);
    if (windows->runs[0].n + windows->runs[1].n == before)
        return;
    /* The clock is that of a device that idles while no picture is rendered. */
    const unsigned lasting =
        APP_TRUST_BIT(APP_TRUST_THROTTLED) | APP_TRUST_BIT(APP_TRUST_ON_BATTERY);
    panels->windows_s[state->spec.backend] = now_s;
    panels->windows_trust[state->spec.backend] |=
        app_trust_find(&panels->sides[state->spec.backend].evidence) & lasting;
}

static bool may_spend(const struct app_panels_live *panels, const struct app_state *state)
{
    return !state->look.hold && panels->windows[state->spec.backend].left == 0 &&
           panels->sides[state->spec.backend].probes != NULL &&
           (panels->budget.share > 0.0 || panels->round.on);
}

/* Closes panels whose probes are all refused: frees their memory, and tells the screen why. */
static void close_refused(struct app_panels_live *panels, struct app_panel_probes *side)
{
    char why[sizeof side->refused[0]] = "";
    if (!app_panel_all_refused(side))
        return;
    for (int topic = KRN_TOPIC_COUNT - 1; topic >= 0; topic--)
        if (side->refused[topic][0] != 0)
            memcpy(why, side->refused[topic], sizeof why);
    close_side(panels, side);
    side->tried = true;
    snprintf(side->why, sizeof side->why, "No panels: %s", why);
    panels->round.on = false;
}

enum krn_code app_panels_frame(struct app_panels_live *panels, struct app_engine *engine,
                               const struct app_state *state, double now_s, struct krn_error *error)
{
    struct app_panel_probes *side = &panels->sides[state->spec.backend];
    const double since_ms = begin_frame(panels, engine, state, now_s);
    end_other_rounds(panels, state->spec.backend);
    if (!side->tried) {
        app_panel_probes_open(side, app_engine_device(engine, state), false);
        return KRN_OK;
    }
    /* An earlier frame began the slice; in a round, a long one is waited for a limited time. */
    wait_for_slice(panels, app_clock_ms() + (panels->round.on ? app_budget_asked_ms : 0.0));
    begin_round(panels, engine, state);
    step_windows(panels, engine, state, now_s);
    if (!may_spend(panels, state))
        return KRN_OK;
    app_budget_earn(&panels->budget, since_ms, panels->round.on);
    const enum krn_code code = spend(panels, engine, state, error);
    int runs;
    if (panels->round.counted && app_panel_round(side, &runs) < 0)
        panels->round.on = false;
    if (code == KRN_OK)
        close_refused(panels, side);
    return code;
}

/* --- what the screen shows --- */

/* Returns the median with its interval. Few samples have none, and a ratio without one has no
 * verdict.
 */
static struct app_estimate of_series(const struct krn_series *series, struct app_trust_facts facts)
{
    const struct krn_summary s = krn_series_summary(series);
    const struct krn_interval i = krn_series_interval(series);
    struct app_estimate estimate = {.valid = false};
    if (!i.valid)
        return estimate;
    app_trust_series(&facts, series);
    estimate = app_estimate_of_run(s.median, i, 0.0);
    estimate.trust = app_trust_find(&facts);
    return estimate;
}

static void judge(struct app_panels_live *panels, const struct app_engine *engine,
                  const struct app_state *state, double now_s)
{
    const enum krn_backend_id backend = state->spec.backend;
    const struct krn_view view = app_engine_current_view(engine);
    const struct app_book_round *windows = &panels->windows[state->spec.backend];
    const struct app_trust_facts evidence = panels->sides[backend].evidence;
    const char *no_processes = windows->why[0] != 0 ? windows->why
                               : windows->left > 0  ? "in processes of its own, now"
                                                    : "{measure} measures it";
    /* A verdict on the first of a round's processes would be a look before the end. */
    const bool ended = windows->left == 0;
    const char *no_scene;
    char scene[64], age[32];
    (void)app_background_frames_ms(&panels->background, engine, state, panels->round.on, &no_scene);
    app_number_age(fmax(now_s - panels->windows_s[state->spec.backend], 0.0), age, sizeof age);
    app_claim_scene(app_state_is_book(state), app_engine_scene(engine)->count, view.width,
                    view.height, scene, sizeof scene);
    const struct app_environment nowhere = {.argc = 0};
    struct app_results book;
    app_results_begin(&book, &nowhere);
    if (ended)
        app_book_add(&book, windows->runs, NULL, backend, (struct app_trust_facts){.runs = true});
    app_results_sort(&book);
    struct app_claim_facts facts = app_results_book_facts(&book);
    facts.kernel_ratio.trust |= panels->windows_trust[backend];
    facts.window_ratio.trust |= panels->windows_trust[backend];
    facts.scene_ratio = app_estimate_ratio(
        of_series(app_engine_background(engine, backend, APP_BACKGROUND_GLOBAL), evidence),
        of_series(app_engine_background(engine, backend, APP_BACKGROUND_CONSTANT), evidence));
    facts.probes = &panels->view.probes;
    facts.no_kernel = facts.no_window = no_processes;
    facts.no_scene = no_scene;
    facts.age = age;
    facts.scene = scene;
    facts.kernel_scope = "the book's kernel on the book's scene, 1024 x 1024, from global and "
                         "constant memory in turns, the median of each process being one value";
    facts.window_scope = "the book's window in processes of its own, the picture standing still";
    facts.band_percent = panels->band_percent;
    app_claims_judge(&facts, panels->claims);
    app_results_free(&book);
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
    struct app_panel_probes *side = &panels->sides[state->spec.backend];
    struct app_panels_view *view = &panels->view;
    struct krn_telemetry_reading telemetry;
    app_engine_telemetry(engine, state->spec.backend, &telemetry);
    if (!side->tried && app_engine_device(engine, state) != NULL)
        side->device = *krn_device_describe(app_engine_device(engine, state));
    view->probes = (struct app_probes_view){&side->device,       krn_ceilings_of(&side->device),
                                            telemetry.clock_mhz, side->results,
                                            side->count,         0.0};
    view->why = side->why;
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
        view->refused[topic] = app_panel_refusal(side, topic);
    view->claims = panels->claims;
    view->modes = panels->modes;
    view->again = panels->round.on;
    view->progress = 0.0;
    if (panels->round.on) {
        int lacking;
        (void)app_panel_round(side, &lacking);
        view->progress = panels->round.runs / fmax(panels->round.runs + lacking, 1.0);
    }
    if (panels->judged_s < 0.0 || now_s - panels->judged_s >= judge_every_s ||
        panels->judged != state->spec.backend) {
        view->mode_count = app_work_follow(&panels->works, engine, state, now_s, panels->modes);
        judge(panels, engine, state, now_s);
        panels->judged_s = now_s;
        panels->judged = state->spec.backend;
    }
    return view;
}

const char *app_panels_why(const struct app_panels_live *panels, enum krn_backend_id backend)
{
    return panels->sides[backend].why;
}

struct app_panels_spent app_panels_spent(const struct app_panels_live *panels)
{
    return panels->budget.spent;
}
