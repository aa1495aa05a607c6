/* app/window/session_frame.c - one frame from its keys to its swap; begins and ends a session. */
#include "window/session.h"

#include <stdlib.h>
#include <string.h>

/* A frame that was held up (a dragged window, a breakpoint) must not make the motion jump. */
static const double longest_step_s = 0.1;

static const struct krn_capabilities *capabilities(const struct app_session *session)
{
    /* A key may just have chosen a backend that the next frame will try to connect. */
    const struct krn_device *device = app_engine_device(session->engine, &session->state);
    return device ? &krn_device_describe(device)->can
                  : krn_backend_get(session->state.spec.backend)->can;
}

/* Ends the drawing of the last frame, wherever it is drawn. */
static void settle_all(void *context)
{
    const struct app_session *session = context;
    ren_frame_settle(session->renderer);
}

/* Ends it where the device that computes may draw as well. */
static void settle(void *context)
{
    if (!capabilities(context)->host_processors)
        settle_all(context);
}

static bool verify_computes(void *context)
{
    const struct app_session *session = context;
    return app_verify_computes(session->verify[0]) || app_verify_computes(session->verify[1]);
}

/* Returns true when the window's OpenGL computes on a GPU, or was asked for by name. */
static bool has_gl(const struct app_session_start *start)
{
    struct krn_device_info info;
    return start->live && krn_backend_get(KRN_BACKEND_GL)->describe(0, &info, NULL) == KRN_OK &&
           (!info.can.host_processors || start->run->backend == KRN_BACKEND_GL);
}

/* Fills in the backends that keys can choose: those connected, those that were lost, and those not
 * tried yet. */
static void find_backends(struct app_facts *facts, const struct app_session_start *start)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        facts->has_backend[id] = app_engine_connected(start->engine, (enum krn_backend_id)id) ||
                                 app_engine_has_replaced(start->engine, (enum krn_backend_id)id) ||
                                 id == APP_FALLBACK_BACKEND ||
                                 (id == KRN_BACKEND_GL ? has_gl(start) : start->run->backend >= 0);
        if (!facts->has_backend[id])
            snprintf(facts->no_backend[id], APP_NOTICE_MAX, "%s", start->fallback_reason);
    }
}

void app_session_open(struct app_session *session, const struct app_session_start *start)
{
    memset(session, 0, sizeof *session);
    session->state = session->good = session->home = *start->state;
    session->engine = start->engine;
    session->renderer = start->renderer;
    session->environment = start->environment;
    session->context = start->context;
    session->recorded = start->recorded;
    session->play =
        start->play || (start->stands_in && start->state->spec.backend == APP_FALLBACK_BACKEND);
    session->plays_always = start->play;
    session->last_s = session->talk_start_s = session->wheel_s = -1.0;
    if (start->talk)
        app_session_talk_open(session, start->talk);
    for (int side = 0; side < 2; side++)
        session->verify[side] = app_verify_open();
    session->panels =
        app_panels_open(start->run->panel_share, app_engine_band_percent(start->engine));
    app_panels_set_idle_hook(session->panels, settle, session);
    app_panels_set_busy_hook(session->panels, verify_computes, session);
    const int side = app_state_default().spec.width;
    session->story = app_story_open(start->engine, NULL, side, side, settle_all, session);
    if (start->run->kernel_folder)
        session->class_run = app_class_open(start->engine, start->state, start->run->kernel_file,
                                            settle_all, session);
    session->facts.live = start->live;
    session->facts.stands_in = start->stands_in;
    session->insists = !start->live && app_run_names_device(start->run);
    find_backends(&session->facts, start);
    snprintf(session->fallback_reason, sizeof session->fallback_reason, "%s",
             start->fallback_reason);
    app_session_begin_trial(session);
}

void app_session_close(struct app_session *session)
{
    app_session_end_trial(session);
    app_recording_stop(&session->recording);
    free(session->anatomy);
    session->anatomy = NULL;
    for (int side = 0; side < 2; side++) {
        app_verify_close(session->verify[side]);
        session->verify[side] = NULL;
    }
    app_panels_close(session->panels);
    session->panels = NULL;
    app_story_close(session->story);
    session->story = NULL;
    app_class_close(session->class_run);
    session->class_run = NULL;
    free(session->played.story.sweep);
    session->played.story.sweep = NULL;
    ren_picture_release(session->renderer);
}

bool app_session_is_over(const struct app_run *run, int frames, double seconds)
{
    return (run->frames > 0 && frames >= run->frames) ||
           (run->seconds > 0.0 && seconds >= run->seconds);
}

/* Divides the frame; a talk's step has its strip below all else. */
static struct app_layout divide(const struct app_session *session,
                                const struct app_session_target *target)
{
    struct app_layout layout = app_layout_make_above(
        &session->state,
        app_session_talk_strip(session, target->width, target->height, target->content_scale),
        target->width, target->height, target->content_scale);
    return layout;
}

/* Keeps the HUD's size where a greater one would enlarge nothing in this window, and says so. */
static void limit_size(struct app_session *session, const struct app_state *before, double now_s)
{
    const double wanted = session->state.look.hud_scale;
    if (!session->shown || wanted <= before->look.hud_scale)
        return;
    const struct app_layout larger = divide(session, &session->target);
    session->state.look.hud_scale = before->look.hud_scale;
    const struct app_layout now = divide(session, &session->target);
    char text[APP_NOTICE_MAX];
    if (larger.unit > 1.005f * now.unit) {
        session->state.look.hud_scale = wanted;
        return;
    }
    app_format(text, sizeof text, "HUD size stays at %.0f %%: larger text does not fit here.",
               100.0 * before->look.hud_scale);
    app_session_say(session, APP_TONE_WARNED, now_s, text);
}

void app_session_press(struct app_session *session, int key, bool ctrl, double now_s)
{
    struct app_reply reply = {""};
    const struct app_state before = session->state;
    session->facts.now_s = now_s;
    const enum app_outcome outcome = app_press(&session->state, &session->facts, key, ctrl, &reply);
    struct krn_error error;
    if (session->state.talk.step != before.talk.step)
        session->notice_until_s = now_s; /* it was about that step */
    if (session->talk && app_talk_follow(session->talk, &session->talk_start, &before,
                                         &session->state, &error) != KRN_OK)
        app_session_say(session, APP_TONE_WARNED, now_s, error.text);
    if ((session->talk && session->state.talk.step != before.talk.step) ||
        (session->play && before.spec.recipe.count != session->state.spec.recipe.count))
        app_session_begin_trial(session); /* while a record plays, no key has asked about it */
    if (session->state.requests & APP_REQUEST_HOME) {
        /* Keep the window as it is; reset its contents. */
        const struct app_state was = session->state;
        session->state = session->home;
        session->state.look.fullscreen = was.look.fullscreen;
        session->state.talk = was.talk;
        session->state.requests = was.requests & ~(unsigned)APP_REQUEST_HOME;
        app_state_follow(&session->state, &session->facts);
        app_session_begin_trial(session);
    }
    if (reply.text[0])
        app_session_say(session, outcome == APP_DONE ? APP_TONE_SAID : APP_TONE_WARNED, now_s,
                        reply.text);
    limit_size(session, &before, now_s);
}

void app_session_key(struct app_session *session, const struct app_key_press *key, double now_s)
{
    const enum app_when now = app_situation(&session->state);
    const int own = app_key_of(key, now);
    struct app_argument argument = {.step = APP_STEP_NONE};
    if (key->repeated && (own == APP_KEY_LEFT || own == APP_KEY_RIGHT || key->ctrl))
        (void)app_command_by_key(own, key->ctrl, now, &argument);
    if (!key->repeated || argument.step == APP_STEP_LESS || argument.step == APP_STEP_MORE)
        app_session_press(session, own, key->ctrl, now_s);
}

/* Steps through the talk with the mouse. */
static void step_by_mouse(struct app_session *session, const struct app_drag *mouse, double now_s)
{
    const double rest_s = 0.4; /* of the wheel: one that runs on would skip steps */
    int steps = mouse->clicks;
    if ((mouse->wheel > 0.0 || mouse->wheel < 0.0) && now_s - session->wheel_s >= rest_s) {
        steps += mouse->wheel < 0.0 ? 1 : -1;
        session->wheel_s = now_s;
    }
    for (; steps != 0; steps -= steps > 0 ? 1 : -1)
        app_session_press(session, steps > 0 ? APP_KEY_PAGE_DOWN : APP_KEY_PAGE_UP, false, now_s);
}

void app_session_drag(struct app_session *session, const struct app_drag *drag, double now_s)
{
    struct app_reply reply = {""};
    const bool steps = session->state.talk.on;
    if (steps)
        step_by_mouse(session, drag, now_s);
    session->facts.now_s = now_s;
    session->drag.across += drag->across;
    session->drag.down += drag->down;
    session->drag.wheel += steps ? 0.0 : drag->wheel;
    const enum app_outcome outcome =
        app_drag(&session->state, &session->facts, &session->drag, &reply);
    if (reply.text[0])
        app_session_say(session, outcome == APP_DONE ? APP_TONE_SAID : APP_TONE_WARNED, now_s,
                        reply.text);
}

static bool same_mode(const struct app_state *a, const struct app_state *b)
{
    return a->spec.backend == b->spec.backend && krn_mode_equal(a->spec.mode, b->spec.mode);
}

/* Keeps the numbers of the mode that is left, to compare the next one with. */
static void note_toggle(struct app_session *session)
{
    const bool other_view = app_state_view(&session->state) != app_state_view(&session->good);
    const bool same_picture = app_engine_epoch(session->engine) == session->shown_epoch;
    if (!same_picture || other_view)
        session->before.valid = false; /* another scene, size or view: not comparable */
    session->shown_epoch = app_engine_epoch(session->engine);
    if (!session->shown || other_view || same_mode(&session->state, &session->good))
        return;
    session->facts.has_left = true;
    session->facts.left = app_state_side(&session->good, 0);
    const struct krn_series *left =
        app_engine_series(session->engine, session->good.spec.backend, session->good.spec.mode);
    session->before.valid = session->play || (same_picture && left->count >= APP_TOGGLE_FAR);
    session->before.backend = session->good.spec.backend;
    session->before.mode = session->good.spec.mode;
    session->before.trust = session->trust;
}

/* Launches more kernels, so that the clocks stay up. Ignores failures: the next frame's own launch
 * reports them. */
static void keep_warm(struct app_session *session)
{
    const struct app_state *state = &session->state;
    const struct krn_series *kernel =
        app_engine_series(session->engine, state->spec.backend, state->spec.mode);
    const struct krn_series *frames = &session->frames;
    struct krn_error error;
    /* The CPU has no clocks of its own, and a launch on it takes the program's own time. */
    if (!capabilities(session)->telemetry || kernel->count == 0 || frames->count == 0)
        return;
    const int launches = app_warm_launches(krn_series_at(kernel, kernel->count - 1),
                                           krn_series_at(frames, frames->count - 1));
    (void)app_engine_extra(session->engine, state, launches, &error);
}

/* Returns true while other processes, or a folder's kernels, are measured on the device, and once
 * all is measured. */
static bool disturbed(const struct app_session *session)
{
    return session->measured || app_class_measures(session->class_run) ||
           session->recording.state == APP_RECORDING_RUNNING ||
           app_panels_child_running(session->panels);
}

/* Returns true when a key has changed something since the state `before`. */
static bool is_changed_from(const struct app_session *session, const struct app_state *before)
{
    struct app_state now = session->state;
    now.spec.motion_s = before->spec.motion_s;
    now.requests = before->requests;
    now.pending = before->pending;
    return memcmp(&now, before, sizeof now) != 0;
}

/* Measures for the panels, between frames. A device that is lost meanwhile is found by the next
 * frame. */
static void run_panels(struct app_session *session, double now_s)
{
    struct app_state *state = &session->state;
    struct krn_error error;
    const bool asked =
        state->requests & APP_REQUEST_MEASURE && !app_state_shows(state, APP_SUBJECT_STORY);
    if (asked)
        state->requests &= ~(unsigned)APP_REQUEST_MEASURE;
    if (session->recording.state == APP_RECORDING_RUNNING || app_class_measures(session->class_run))
        return;
    /* In a talk the panels measure while they are hidden, too: a question's answer must not be on
     * screen before it is asked. */
    const bool panels =
        state->look.panels != APP_PANELS_OFF && state->look.page != APP_SUBJECT_STORY &&
        state->look.page != APP_SUBJECT_ANATOMY && state->look.page != APP_SUBJECT_CLASS;
    if (!panels && !(state->talk.on && !app_state_shows(state, APP_SUBJECT_STORY))) {
        app_panels_pause(session->panels);
        return;
    }
    if (asked)
        app_panels_remeasure(session->panels);
    if (app_panels_frame(session->panels, session->engine, state, now_s, &error) != KRN_OK) {
        (void)app_session_recover(session, KRN_LOST, now_s, &error);
        return;
    }
    const char *why = app_panels_why(session->panels, state->spec.backend);
    if (asked && (why[0] || !state->talk.on))
        app_session_say(session, why[0] ? APP_TONE_WARNED : APP_TONE_SAID, now_s,
                        why[0] ? why : "Measuring everything again, from nothing");
}

/* Measures for the story plot while it is shown, between frames. */
static void run_story(struct app_session *session, bool shown, double now_s)
{
    struct app_state *state = &session->state;
    struct krn_error error;
    const bool asked = state->requests & APP_REQUEST_MEASURE;
    state->requests &= ~(unsigned)APP_REQUEST_MEASURE;
    shown = shown && !session->play;
    app_story_pause(session->story, !shown);
    /* Other processes, and threads that verify on the same processors, would disturb it. */
    if (!shown || disturbed(session) ||
        (capabilities(session)->host_processors && verify_computes(session)))
        return;
    if (asked) {
        app_story_again(session->story, state->spec.backend);
        app_session_say(session, APP_TONE_SAID, now_s, "Measuring the story plot again");
    }
    if (app_story_frame(session->story, state, &error) != KRN_OK)
        (void)app_session_recover(session, KRN_LOST, now_s, &error);
}

/* Takes a step for the folder's kernels, shown or not; a run that is recorded has the device for
 * itself. On the host's processors, so have the threads that verify the picture on screen. */
static void run_class(struct app_session *session, double now_s)
{
    struct krn_error error;
    if (session->class_run == NULL || session->measured || session->state.look.hold ||
        session->recording.state == APP_RECORDING_RUNNING ||
        app_panels_child_running(session->panels) ||
        (capabilities(session)->host_processors && verify_computes(session)))
        return;
    if (app_class_frame(session->class_run, session->state.spec.backend, now_s, &error) != KRN_OK)
        (void)app_session_recover(session, KRN_LOST, now_s, &error);
}

/* Takes in another version of the kernel of --kernel-file, and says what is known of it: the first
 * one without a fault is shown, where the window began without. Without a window, the first version
 * stays. */
static void follow_mine(struct app_session *session, double now_s)
{
    const struct app_mine_status *mine = app_engine_mine(session->engine);
    if (mine == NULL || !session->facts.live)
        return;
    struct app_state *const states[] = {&session->state, &session->good, &session->home,
                                        &session->talk_start};
    session->mine_loaded = session->mine_loaded || session->facts.has_mine;
    const bool loaded = app_engine_follow_mine(session->engine, &session->state, now_s),
               first = loaded && !session->mine_loaded;
    if (loaded)
        app_engine_facts(session->engine, &session->facts);
    if (first && !session->state.spec.duel.on && session->talk == NULL &&
        app_state_view(&session->state) == KRN_VIEW_BOOK)
        app_state_set_mode(&session->state,
                           (struct krn_mode){KRN_KERNEL_MINE, session->facts.mine_storage, 1});
    for (size_t i = 0; loaded && i < sizeof states / sizeof *states; i++)
        app_mine_adapt(mine, states[i]);
    if (session->facts.left.mode.kernel == KRN_KERNEL_MINE)
        session->facts.left.mode.storage = session->facts.mine_storage;
    if (mine->told == session->mine_told)
        return;
    session->mine_told = mine->told;
    app_session_say(session, mine->fault ? APP_TONE_WARNED : APP_TONE_SAID, now_s, mine->text);
}

/* Lets the image's size follow its pane's once that stands still: a window that is dragged only
 * scales the picture. The first picture does not wait. Numbers that are held keep their size, and
 * so does a scene that would be too slow in a larger one. */
static void follow_pane(struct app_session *session, const struct app_layout *layout, double now_s)
{
    struct app_facts *facts = &session->facts;
    struct app_state next = session->state;
    const int width = (int)layout->pane.w, height = (int)layout->pane.h;
    if (layout->shown == APP_PANELS_FULL) /* the picture is not seen */
        return;
    if (width != facts->pane_width || height != facts->pane_height)
        session->settled_s = session->last_s < 0.0 ? now_s : now_s + APP_PANE_REST_S;
    facts->pane_width = width;
    facts->pane_height = height;
    if (now_s < session->settled_s || next.look.hold || !app_state_follow(&next, facts))
        return;
    const double ms = app_predict_ms(&next, facts);
    if (ms <= APP_SLOW_MS || ms <= app_predict_ms(&session->state, facts))
        session->state = next;
}

/* Fills in the facts that the frame's size and time decide. */
static void follow_target(struct app_session *session, const struct app_layout *layout,
                          double now_s)
{
    session->facts.now_s = now_s;
    session->facts.shown = layout->shown;
    follow_pane(session, layout, now_s);
}

/* Counts the time since the last frame: as that frame's time, and for the motion. */
static void advance(struct app_session *session, double now_s)
{
    const double step = now_s - session->last_s;
    const bool first = session->last_s < 0.0;
    session->last_s = now_s;
    if (first || disturbed(session))
        return;
    /* A burst of the story plot before a frame is not that frame's time. */
    if (!session->state.look.hold && !app_story_ran(session->story))
        krn_series_push(&session->frames, step * 1e3);
    if (session->state.spec.motion && !session->posed && step > 0.0)
        session->state.spec.motion_s += step < longest_step_s ? step : longest_step_s;
}

/* Takes the readings that are ready, and holds the picture against the reference. */
static void collect_readings(struct app_session *session, double now_s)
{
    app_engine_set_hold(session->engine, session->state.look.hold || disturbed(session));
    app_engine_poll(session->engine);
    app_engine_facts(session->engine, &session->facts);
    /* A picture to verify would share the device with the processes that measure on it. */
    for (int side = 0; side <= app_state_crosses(&session->state); side++) {
        struct app_state own = session->state;
        const struct app_duel_side of = app_state_side(&session->state, side);
        own.spec.backend = of.backend;
        own.spec.mode = of.mode;
        if (disturbed(session))
            app_verify_follow(session->verify[side], session->engine, &own, now_s);
        else
            app_verify_frame(session->verify[side], session->engine, &own, &session->facts, now_s);
    }
    if (!session->state.look.hold && !disturbed(session))
        app_rays_follow(&session->rays, session->engine, &session->state, now_s);
}

void app_session_begin(struct app_session *session)
{
    if (!app_state_collects_anatomy(&session->state)) {
        free(session->anatomy);
        session->anatomy = NULL;
        return;
    }
    if (session->anatomy == NULL) {
        struct app_anatomy_view *view = &session->anatomy_view;
        session->anatomy = app_anatomy_open();
        memset(view, 0, sizeof *view);
        view->software_gl = ren_describe(session->renderer)->software;
        snprintf(view->missing, sizeof view->missing, "%s", ren_times_missing(session->renderer));
    }
    session->frame_number = app_anatomy_begin(session->anatomy, app_clock_ms());
}

/* Starts the times of OpenGL for this frame. Frames of another state or size than the last one's
 * are not comparable; those beside other processes, or while the numbers are held, do not count. */
static void begin_anatomy(struct app_session *session, const struct app_session_target *target)
{
    struct app_session *const s = session;
    if (s->anatomy == NULL)
        return;
    struct app_state before = s->good;
    before.spec.motion = s->state.spec.motion;
    const bool moved =
        s->anatomy_view.width != target->width || s->anatomy_view.height != target->height;
    s->anatomy_view.width = target->width;
    s->anatomy_view.height = target->height;
    s->anatomy_view.host_kernel = capabilities(s)->host_processors;
    if (moved || !s->shown || is_changed_from(s, &before))
        app_anatomy_clear(s->anatomy);
    if (s->state.look.hold || disturbed(s))
        app_anatomy_drop(s->anatomy);
    if (ren_times_begin(s->renderer, s->frame_number))
        app_anatomy_expect_gl(s->anatomy);
}

/* Takes the times of earlier frames that are ready. */
static void collect_anatomy(struct app_session *session)
{
    struct krn_device *device = app_engine_device(session->engine, &session->state);
    struct ren_frame_times times;
    struct krn_stamps stamps;
    if (session->anatomy == NULL)
        return;
    while (ren_times_poll(session->renderer, &times))
        app_anatomy_take_gl(session->anatomy, &times);
    while (krn_device_stamp_poll(device, &stamps))
        app_anatomy_take_device(session->anatomy, &stamps);
}

/* Measures the overhead of the mode on screen once it has run for some frames: who pages through
 * the modes does not wait for it. */
static void measure_overhead(struct app_session *session)
{
    enum { ENOUGH = 10 };
    const struct app_state *state = &session->state;
    if (state->look.hud && !state->look.hold && !disturbed(session) &&
        app_engine_series(session->engine, state->spec.backend, state->spec.mode)->count >= ENOUGH)
        app_engine_measure_overhead(session->engine, state);
}

/* Finds out whether a recorded run is on screen, and the numbers of spheres that its keys step
 * through. One that stands in for a GPU leaves the whole screen to this CPU where it lacks the
 * picture: no ratio mixes two machines. */
static void follow_recorded(struct app_session *session, const struct app_state *wanted)
{
    const struct app_sweep_values *counts = &session->played.counts;
    struct app_facts *facts = &session->facts;
    const int now = wanted->spec.recipe.count;
    const bool has = app_sweep_index(counts, now) < counts->count && !app_state_has_mine(wanted);
    const bool plays = session->plays_always || (has && !session->state.look.own &&
                                                 wanted->spec.backend == APP_FALLBACK_BACKEND);
    if (plays != session->play)
        session->time_like_ms = 0.0; /* the other machine's unit */
    session->play = plays;
    facts->plays = session->play;
    facts->fewer = facts->more = 0;
    for (int i = counts->count - 1; i >= 0; i--)
        facts->more = counts->at[i] > now ? counts->at[i] : facts->more;
    for (int i = 0; i < counts->count; i++)
        facts->fewer = counts->at[i] < now ? counts->at[i] : facts->fewer;
    if (facts->stands_in && !has && !session->told && !session->state.look.own &&
        wanted->spec.backend == APP_FALLBACK_BACKEND)
        app_session_say(session, APP_TONE_SAID, facts->now_s,
                        "No recorded run has this picture: this CPU's own times");
    session->told = !has;
}

/* Brings the recorded story plot up to date and, where recorded times are shown in place of this
 * machine's, adds the next sample of each mode on screen to their trace. */
static void replay_frame(struct app_session *session)
{
    const struct app_state wanted = app_session_wanted(session);
    const struct app_recorded *recorded = app_recorded_loader_poll(session->recorded);
    if (!recorded)
        return;
    if (recorded != session->played.recorded ||
        !app_state_same_picture(&wanted, &session->played.state) ||
        app_state_view(&wanted) != app_state_view(&session->played.state)) {
        app_recorded_story(recorded, &wanted, app_engine_band_percent(session->engine),
                           &session->played.story);
        session->played.counts = app_recorded_counts(recorded, &wanted);
    }
    session->played.recorded = recorded;
    session->played.state = wanted;
    if (session->plays_always || session->facts.stands_in)
        follow_recorded(session, &wanted);
    for (int side = 0; session->play && !session->state.look.hold && side <= wanted.spec.duel.on;
         side++) {
        const struct krn_mode mode = side ? wanted.spec.duel.other : wanted.spec.mode;
        const struct app_mode_time time = app_recorded_find(recorded, &wanted, mode);
        if (!time.valid)
            continue;
        size_t *next = &session->played.next[krn_mode_index(mode)];
        const struct krn_reading reading = {.ms = time.samples_ms[*next % time.ms.n], .mode = mode};
        *next = (*next + 1) % time.ms.n;
        app_trace_push(&session->played.trace, session->state.spec.backend, &reading,
                       wanted.spec.duel.on ? side : -1);
    }
}

/* Returns true when the frame takes another time than the last one: another mode, scene or image
 * size, or another duel. */
static bool costs_otherwise(const struct app_session *session)
{
    const struct app_state *now = &session->state, *was = &session->good;
    return app_engine_epoch(session->engine) != session->shown_epoch || !same_mode(now, was) ||
           now->spec.duel.on != was->spec.duel.on ||
           (now->spec.duel.on &&
            !app_duel_side_equal(app_state_side(now, 1), app_state_side(was, 1))) ||
           now->look.vsync != was->look.vsync;
}

/* Makes the state the one that failures go back to. An old frame's time never stands beside a new
 * kernel's. */
static void remember(struct app_session *session)
{
    if (session->shown && costs_otherwise(session))
        krn_series_clear(&session->frames);
    const struct app_state *now = &session->state, *was = &session->good;
    const bool other = now->spec.backend != was->spec.backend ||
                       now->spec.mode.kernel != was->spec.mode.kernel ||
                       now->spec.mode.pixels_per_thread != was->spec.mode.pixels_per_thread ||
                       !app_state_same_picture(now, was);
    session->visited =
        session->still ? ~0u : (other ? 0 : session->visited) | 1u << now->spec.mode.storage;
    note_toggle(session);
    session->good = session->state;
    session->shown = true;
}

/* Tells the heat map which pixel of the picture is under the mouse pointer. */
static void point_at(struct app_session *session, const struct app_layout *layout)
{
    const struct ren_rect picture = layout->picture;
    const struct app_state *state = &session->state;
    const float x = session->pointer.x - picture.x, y = session->pointer.y - picture.y;
    const bool inside = session->pointer.inside && x >= 0.0f && y >= 0.0f && x < picture.w &&
                        y < picture.h && layout->shown != APP_PANELS_FULL;
    app_heat_point(&session->heat, session->engine, state,
                   inside ? (int)(x / picture.w * (float)state->spec.width) : -1,
                   inside ? (int)(y / picture.h * (float)state->spec.height) : -1);
}

static enum krn_code draw(struct app_session *session, const struct app_session_target *target,
                          double now_s, struct krn_error *error)
{
    const struct app_layout layout = divide(session, target);
    enum krn_code code = KRN_OK;
    if (session->state.talk.blank) { /* a key has made the screen black */
        code = ren_frame_begin(session->renderer, target->width, target->height, 0, NULL, error);
        return code == KRN_OK ? ren_check(session->renderer, error) : code;
    }
    app_session_enter(session, APP_PHASE_PICTURE);
    ren_times_mark(session->renderer, REN_MARK_PICTURE_BEGIN);
    /* The page's layer covers the rest of the frame; a talk's strip need not. */
    const bool layer = layout.shown == APP_PANELS_COMPACT && layout.strip.h <= 0.0f;
    code = ren_frame_begin_part(
        session->renderer, target->width, target->height,
        layer ? (int)layout.pane.w : target->width, layer ? (int)layout.pane.h : target->height,
        app_theme_colours(session->state.look.theme)->background, &layout.picture, error);
    KRN_THEN(code, app_session_draw_picture(session, &layout, error));
    if (code != KRN_OK)
        return code;
    ren_times_mark(session->renderer, REN_MARK_PICTURE_END);
    point_at(session, &layout);
    const int draws = ren_frame_draws(session->renderer);
    app_session_enter(session, APP_PHASE_LAYOUT);
    struct ren_list *list = ren_list_begin(session->renderer);
    app_session_draw_hud(session, &layout, now_s, list);
    app_session_enter(session, APP_PHASE_OVERLAY);
    ren_times_mark(session->renderer, REN_MARK_OVERLAY_BEGIN);
    code = ren_list_draw(session->renderer, list, error);
    ren_times_mark(session->renderer, REN_MARK_OVERLAY_END);
    app_anatomy_note_draws(session->anatomy, ren_frame_draws(session->renderer) - draws);
    code = code == KRN_OK ? ren_check(session->renderer, error) : code;
    app_session_leave(session);
    return code;
}

enum krn_code app_session_frame(struct app_session *session,
                                const struct app_session_target *target, double now_s,
                                struct krn_error *error)
{
    const struct app_layout layout = divide(session, target);
    session->target = *target;
    app_keys_follow(app_situation(&session->state));
    if (session->talk && session->talk_start_s < 0.0)
        session->talk_start_s = now_s;
    follow_target(session, &layout, now_s);
    app_session_follow_trial(session, now_s);
    advance(session, now_s);
    if (session->shown)
        app_session_recording(session, now_s);
    begin_anatomy(session, target);
    /* Before the frame: the last one's drawing is done by then, or nearly. A backend that has just
     * been chosen is connected by its first frame. */
    if (session->shown && session->state.spec.backend == session->good.spec.backend) {
        app_session_enter(session, APP_PHASE_PANELS);
        run_panels(session, now_s);
        if (session->state.spec.backend == session->good.spec.backend)
            run_story(session, app_state_shows(&session->state, APP_SUBJECT_STORY), now_s);
        follow_mine(session, now_s);
        if (session->state.spec.backend == session->good.spec.backend)
            run_class(session, now_s);
        app_session_leave(session);
    }
    enum krn_code code = KRN_OK;
    /* While other processes measure on its device, the picture uses none of their time, unless a
     * key has changed its content. */
    session->waited =
        session->shown && disturbed(session) && !is_changed_from(session, &session->good);
    const struct timespec little = {0, 15000000};
    if (session->waited)
        nanosleep(&little, NULL);
    else
        code = app_session_render(session, now_s, error);
    if (code != KRN_OK)
        return code;
    if (!session->trying) {
        app_session_enter(session, APP_PHASE_VERIFY);
        collect_readings(session, now_s);
        measure_overhead(session);
        collect_anatomy(session);
        app_session_leave(session);
        if (session->state.spec.warm && !disturbed(session))
            keep_warm(session);
        remember(session);
        replay_frame(session);
    }
    code = draw(session, target, now_s, error);
    ren_times_end(session->renderer);
    return code;
}
