/* app/window/session_picture.c - renders one picture or two, and falls back where that fails. */
#include "window/session.h"

#include <string.h>

/* Frees the second picture, which only a duel needs. */
static void end_duel(struct app_session *session)
{
    if (!session->second)
        return;
    ren_picture_select(session->renderer, 1);
    ren_picture_drop(session->renderer);
    ren_picture_select(session->renderer, 0);
    session->second = false;
}

/* Poses the scene; the frame's kernels come next. */
static enum krn_code pose(struct app_session *session, struct krn_error *error)
{
    app_session_enter(session, APP_PHASE_POSE);
    const enum krn_code code = app_engine_pose(session->engine, &session->state, error);
    app_session_enter(session, APP_PHASE_KERNEL);
    return code;
}

/* Renders both sides of a duel. Both pictures are begun before either kernel and brought to OpenGL
 * after both, so that nothing lies between the two. */
static enum krn_code render_duel(struct app_session *session, struct krn_error *error)
{
    const struct app_state *state = &session->state;
    struct ren_renderer *renderer = session->renderer;
    struct krn_image images[REN_PICTURES];
    enum krn_code code = KRN_OK;
    session->second = true;
    app_session_enter(session, APP_PHASE_MAP);
    for (int side = 0; code == KRN_OK && side < REN_PICTURES; side++) {
        ren_picture_select(renderer, side);
        code = ren_picture_begin(
            renderer, app_engine_connected(session->engine, app_state_side(state, side).backend),
            state->spec.blit, state->spec.width, state->spec.height, &images[side], error);
    }
    const struct krn_image *const both[2] = {&images[0], &images[1]};
    KRN_THEN(code, pose(session, error));
    KRN_THEN(code,
             app_engine_render_duel(session->engine, state, both, session->facts.now_s, error));
    app_session_enter(session, APP_PHASE_COPY);
    for (int side = 0; code == KRN_OK && side < REN_PICTURES; side++) {
        ren_picture_select(renderer, side);
        code = ren_picture_end(renderer, error);
    }
    ren_picture_select(renderer, 0);
    return code;
}

/* Paints the heat map over the picture. When that is not possible, the picture stays, and the
 * screen says why; only a lost device ends the frame. */
static enum krn_code paint_heat(struct app_session *session, const struct krn_image *image,
                                struct krn_error *error)
{
    struct app_state *state = &session->state;
    const double now_s = session->facts.now_s;
    if (!krn_heat_offered(krn_backend_get(state->spec.backend)->can, state->look.heat)) {
        state->look.heat = KRN_HEAT_TESTS;
        app_session_say(session, APP_TONE_WARNED, now_s, krn_heat_reason());
    }
    const enum krn_code code =
        app_heat_frame(&session->heat, session->engine, state, image, now_s, error);
    if (code != KRN_NO_MEMORY && code != KRN_REFUSED && code != KRN_FAILED)
        return code;
    state->look.heat = KRN_HEAT_OFF;
    app_session_say(session, APP_TONE_WARNED, now_s, error->text);
    return app_engine_render(session->engine, state, image, error);
}

/* Renders the picture of one mode. */
static enum krn_code render_one(struct app_session *session, struct krn_error *error)
{
    struct app_state *state = &session->state;
    struct krn_image image;
    end_duel(session);
    app_session_enter(session, APP_PHASE_MAP);
    enum krn_code code =
        ren_picture_begin(session->renderer, app_engine_device(session->engine, state),
                          state->spec.blit, state->spec.width, state->spec.height, &image, error);
    KRN_THEN(code, pose(session, error));
    KRN_THEN(code, app_engine_render(session->engine, state, &image, error));
    if (code == KRN_OK && app_state_shows_heat(state)) {
        app_session_leave(session);
        code = paint_heat(session, &image, error);
    }
    app_session_enter(session, APP_PHASE_COPY);
    KRN_THEN(code, ren_picture_end(session->renderer, error));
    return code;
}

/* Notes whether the user's kernel tries this scene and size in its own process: the picture stays,
 * and a sentence says so unless that is quick. */
static void note_trying(struct app_session *session, bool trying)
{
    static const double quick_s = 0.3;
    const struct app_state *state = &session->state;
    const double now_s = session->facts.now_s;
    char text[APP_NOTICE_MAX];
    if (trying && session->trying_s == 0.0)
        session->trying_s = now_s + quick_s;
    if (trying && session->trying_s > 0.0 && now_s >= session->trying_s) {
        snprintf(text, sizeof text, "%s first tries %d spheres at %dx%d in a process of its own",
                 app_engine_mine(session->engine)->file, state->spec.recipe.count,
                 state->spec.width, state->spec.height);
        app_session_say(session, APP_TONE_SAID, now_s, text);
        session->trying_s = -1.0;
    }
    session->trying = trying;
    if (!trying)
        session->trying_s = 0.0;
}

/* Runs kernel and blit of one frame for session->state. */
static enum krn_code render(struct app_session *session, struct krn_error *error)
{
    struct app_state *state = &session->state;
    bool tried = true;
    /* The costs of a hidden map are lost where the work of a frame is counted (engine/work.h). */
    session->heat.valid = session->heat.valid && app_state_shows_heat(state);
    enum krn_code code = app_engine_adopt(session->engine, state, error);
    if (code == KRN_OK && app_state_has_mine(state)) /* the first picture has none before it */
        code = app_engine_try_mine(session->engine, state, !session->shown, &tried, error);
    note_trying(session, code == KRN_OK && !tried);
    if (code != KRN_OK || !tried)
        return code;
    struct krn_device *device = app_engine_device(session->engine, state);
    if (session->anatomy && krn_device_stamp_frame(device, session->frame_number))
        app_anatomy_expect_device(session->anatomy);
    code = state->spec.duel.on ? render_duel(session, error) : render_one(session, error);
    krn_device_stamp_end(device);
    app_session_leave(session);
    return code;
}

/* --- states that may be too slow --- */

void app_session_begin_trial(struct app_session *session)
{
    struct app_state lighter = session->state;
    session->trial.on = session->facts.live && app_lighten(&lighter, &session->facts);
    session->trial.wanted = session->state;
    session->trial.lighter = session->state = lighter;
}

/* Returns true while no key has replaced the lighter state. */
static bool is_on_trial(const struct app_session *session)
{
    const struct app_state *now = &session->state, *lighter = &session->trial.lighter;
    return now->spec.backend == lighter->spec.backend &&
           krn_mode_equal(now->spec.mode, lighter->spec.mode) &&
           now->spec.scene == lighter->spec.scene &&
           now->spec.recipe.count == lighter->spec.recipe.count &&
           now->spec.follow_pane == lighter->spec.follow_pane &&
           (now->spec.follow_pane ||
            (now->spec.width == lighter->spec.width && now->spec.height == lighter->spec.height));
}

struct app_state app_session_wanted(const struct app_session *session)
{
    struct app_state wanted = session->state;
    if (!is_on_trial(session))
        return wanted;
    wanted.spec.recipe.count = session->trial.wanted.spec.recipe.count;
    if (!wanted.spec.follow_pane) {
        wanted.spec.width = session->trial.wanted.spec.width;
        wanted.spec.height = session->trial.wanted.spec.height;
    }
    return wanted;
}

/* Gives *state the spheres and the size of the wanted state. */
static void take_wanted(struct app_state *state, const struct app_state *wanted,
                        const struct app_facts *facts)
{
    state->spec.recipe.count = wanted->spec.recipe.count;
    if (state->spec.follow_pane)
        return;
    state->spec.follow_pane = wanted->spec.follow_pane;
    state->spec.width = wanted->spec.width;
    state->spec.height = wanted->spec.height;
    state->spec.fixed_width = wanted->spec.fixed_width;
    state->spec.fixed_height = wanted->spec.fixed_height;
    app_state_follow(state, facts);
}

void app_session_follow_trial(struct app_session *session, double now_s)
{
    enum { ENOUGH = 3 }; /* readings: the first ones are slower than the rest */
    struct app_state *state = &session->state;
    if (!session->trial.on)
        return;
    session->trial.on = is_on_trial(session);
    if (!session->trial.on ||
        app_engine_series(session->engine, state->spec.backend, state->spec.mode)->count < ENOUGH)
        return;
    const struct app_state lighter = *state;
    struct app_state wanted = *state;
    take_wanted(&wanted, &session->trial.wanted, &session->facts);
    *state = wanted;
    session->trial.on = false;
    if (!app_lighten(state, &session->facts))
        return;
    struct app_reply reply;
    app_say_lighter(&reply, &wanted, state, &session->facts);
    app_session_say(session, APP_TONE_WARNED, now_s, reply.text);
    session->trial.on = state->spec.recipe.count > lighter.spec.recipe.count ||
                        state->spec.width > lighter.spec.width ||
                        state->spec.height > lighter.spec.height;
    session->trial.lighter = *state;
    if (!session->trial.on)
        app_complain(reply.text);
}

void app_session_end_trial(struct app_session *session)
{
    struct app_reply reply;
    if (!session->trial.on)
        return;
    app_say_lighter(&reply, &session->trial.wanted, &session->state, &session->facts);
    app_complain(reply.text);
    session->trial.on = false;
}

/* Replaces a backend whose device is lost by the CPU backend. Its key tries to connect again. */
static void fall_back(struct app_session *session, double now_s, const struct krn_error *error)
{
    const enum krn_backend_id lost = session->state.spec.backend;
    const bool ran = session->good.spec.backend == lost;
    struct krn_error unread;
    char text[APP_NOTICE_MAX];
    for (int side = 0; side < 2; side++)
        app_verify_release(session->verify[side]);
    app_panels_release(session->panels, lost);
    app_story_again(session->story, lost);
    if (session->class_run != NULL) /* leaves the device */
        (void)app_class_frame(session->class_run, APP_FALLBACK_BACKEND, now_s, &unread);
    ren_picture_release(session->renderer);
    session->heat.valid = false;
    app_engine_drop(session->engine, lost);
    snprintf(session->fallback_reason, sizeof session->fallback_reason, "%s", error->text);
    snprintf(text, sizeof text, "The CPU backend %s. %.240s%s", ran ? "takes over" : "goes on",
             error->text, ran ? " Key C tries the GPU again." : "");
    if (ran) {
        char line[2 * APP_NOTICE_MAX];
        snprintf(line, sizeof line, "The CPU backend takes over. %s", error->text);
        app_complain(line);
    }
    session->lost.valid = true;
    session->lost.backend = lost;
    session->lost.in_talk = session->lost.in_talk || session->talk_start.spec.backend == lost;
    session->state.spec.backend = session->good.spec.backend = APP_FALLBACK_BACKEND;
    app_state_leave_mine(&session->state);
    app_state_leave_mine(&session->good);
    app_state_leave_mine(&session->talk_start);
    session->talk_start.spec.backend = APP_FALLBACK_BACKEND;
    app_state_follow(&session->state, &session->facts);
    app_state_follow(&session->good, &session->facts);
    app_session_say(session, APP_TONE_WARNED, now_s, text);
    app_session_begin_trial(session);
    if (session->facts.live)
        (void)app_lighten(&session->good, &session->facts);
}

/* Says that a backend whose device was lost renders again, and lets a talk's steps use it. */
static void note_return(struct app_session *session, double now_s)
{
    if (!session->lost.valid || session->state.spec.backend != session->lost.backend)
        return;
    char text[APP_NOTICE_MAX];
    const struct krn_device *device = app_engine_device(session->engine, &session->state);
    snprintf(text, sizeof text, "Works again: %s", krn_device_describe(device)->name);
    if (session->lost.in_talk)
        session->talk_start.spec.backend = session->lost.backend;
    memset(&session->lost, 0, sizeof session->lost);
    session->fallback_reason[0] = '\0';
    app_session_say(session, APP_TONE_SAID, now_s, text);
}

/* Ends the part of a duel's side B whose backend fails, or is taken for the one that does: where it
 * was A's, that fails once more. */
static void leave_other(struct app_session *session, double now_s, const struct krn_error *error)
{
    const enum krn_backend_id left = app_state_side(&session->state, 1).backend;
    char text[APP_NOTICE_MAX];
    app_verify_release(session->verify[1]);
    ren_picture_release(session->renderer);
    app_engine_drop(session->engine, left);
    session->state.spec.duel.backend = session->good.spec.duel.backend = 0;
    snprintf(text, sizeof text, "The %s backend leaves the duel. %.240s", krn_backend_name(left),
             error->text);
    app_session_say(session, APP_TONE_WARNED, now_s, text);
    app_complain(text);
}

bool app_session_recover(struct app_session *session, enum krn_code code, double now_s,
                         const struct krn_error *error)
{
    if (app_state_crosses(&session->state) && (session->facts.live || !session->insists) &&
        (code == KRN_LOST || code == KRN_UNAVAILABLE)) {
        leave_other(session, now_s, error);
        return true;
    }
    if (session->state.spec.backend != APP_FALLBACK_BACKEND && !session->insists &&
        (code == KRN_LOST || code == KRN_UNAVAILABLE)) {
        fall_back(session, now_s, error);
        return true;
    }
    /* A talk goes on where it is, whatever its step could not show; and what keys of the same frame
     * asked for, a screenshot say, is still to be done. */
    session->good.talk = session->state.talk;
    session->good.requests = session->state.requests;
    const bool same = memcmp(&session->state, &session->good, sizeof session->state) == 0;
    if (!session->shown || (same && !app_state_has_mine(&session->state)))
        return false;
    if (same) /* the user's kernel cannot render what is on screen */
        app_state_leave_mine(&session->good);
    session->state = session->good;
    session->settled_s = now_s + APP_PANE_REST_S; /* not with every frame, where a size fails */
    app_session_say(session, APP_TONE_WARNED, now_s, error->text);
    return true;
}

enum krn_code app_session_render(struct app_session *session, double now_s, struct krn_error *error)
{
    enum krn_code code = render(session, error);
    while (code != KRN_OK && app_session_recover(session, code, now_s, error))
        code = render(session, error);
    if (code != KRN_OK)
        return code;
    note_return(session, now_s);
    if (!session->shown || !app_state_same_scene(&session->good, &session->state))
        session->owes_note = session->facts.live && app_engine_scene_note(session->engine)[0] != 0;
    if (session->owes_note && now_s >= session->notice_until_s) {
        app_session_say(session, APP_TONE_WARNED, now_s, app_engine_scene_note(session->engine));
        session->owes_note = false;
    }
    return code;
}

/* Spheres get smooth edges, but where each pixel is a number, or the kernel has smoothed them, or
 * OpenGL in software would take longer for the edges of a light view's ground than the kernel. */
static bool is_smooth(const struct app_state *state, bool software)
{
    return !app_state_shows_heat(state) && (app_state_view(state) != KRN_VIEW_LIGHT ||
                                            (state->spec.light.samples == 1 && !software));
}

enum krn_code app_session_draw_picture(struct app_session *session, const struct app_layout *layout,
                                       struct krn_error *error)
{
    struct ren_renderer *renderer = session->renderer;
    const struct app_duel_view *duel = &session->state.spec.duel;
    const bool smooth = is_smooth(&session->state, ren_describe(session->renderer)->software);
    if (!duel->on)
        return ren_picture_draw(renderer, layout->picture, smooth, error);
    const float divider = (float)duel->divider;
    enum krn_code code =
        ren_picture_draw_part(renderer, layout->picture, 0.0f, divider, smooth, error);
    ren_picture_select(renderer, 1);
    KRN_THEN(code, ren_picture_draw_part(renderer, layout->picture, divider, 1.0f, smooth, error));
    ren_picture_select(renderer, 0);
    return code;
}
