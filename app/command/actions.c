/* app/command/actions.c - what commands do besides storing a value. */
#include "command/entry.h"

#include "base/complain.h"
#include "spec/state.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Fills the reply and returns the outcome. */
__attribute__((format(printf, 3, 4))) static enum app_outcome
answer(struct app_reply *reply, enum app_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reply->text, sizeof reply->text, format, arguments);
    va_end(arguments);
    return outcome;
}

#define REFUSE(...) answer(reply, APP_REFUSED, __VA_ARGS__)

static bool sets(const struct app_argument *argument)
{
    return argument->step == APP_STEP_SET;
}

/* ---- backend and mode ---- */

APP_ACTION(backend)
{
    int next = ((int)state->spec.backend + 1) % KRN_BACKEND_COUNT;
    if (next == KRN_BACKEND_GL && !facts->has_backend[next])
        next = KRN_BACKEND_CUDA;
    /* A recorded run, this CPU, its OpenGL where that is a GPU's, and the recorded run again. */
    const bool first = state->spec.backend == KRN_BACKEND_CPU && !state->look.own;
    if (facts->stands_in && (first || !facts->has_backend[next])) {
        state->look.own = first;
        state->spec.backend = KRN_BACKEND_CPU;
        return answer(reply, APP_DONE, first ? "This CPU's own times" : "A GPU's recorded times");
    }
    if (!facts->has_backend[next] && facts->plays)
        return REFUSE("--play shows recorded times alone; without it, {backend} has this CPU's");
    if (!facts->has_backend[next] && facts->no_backend[next][0] != 0)
        return REFUSE("%s", facts->no_backend[next]);
    if (!facts->has_backend[next])
        return REFUSE("The %s backend is not available here.",
                      krn_backend_name((enum krn_backend_id)next));
    state->spec.backend = (enum krn_backend_id)next;
    app_state_leave_mine(state);
    if (next == KRN_BACKEND_GL && state->spec.mode.storage == KRN_STORAGE_READONLY) {
        state->spec.mode.storage = KRN_STORAGE_GLOBAL;
        (void)answer(reply, APP_DONE,
                     "Backend: gl, from global memory: OpenGL has no read-only path");
    }
    /* The heat map stays on: every backend counts tests. */
    if (!krn_heat_offered(krn_backend_get(state->spec.backend)->can, state->look.heat))
        state->look.heat = KRN_HEAT_TESTS;
    app_state_follow(state, facts);
    return APP_DONE;
}

APP_SHOW(backend)
{
    snprintf(text, size, "%s", krn_backend_name(state->spec.backend));
}

/* Selects a kernel; a different one starts with its own K. */
static void select_kernel(struct app_state *state, enum krn_kernel kernel)
{
    struct krn_mode mode = state->spec.mode;
    if (kernel != mode.kernel)
        mode.pixels_per_thread = krn_kernel_describe(kernel)->pixels_start;
    mode.kernel = kernel;
    app_state_set_mode(state, mode);
}

/* Selects the next kernel of the view that supports the storage, and reports the ones that it
 * skips. If a missing combination stopped the key instead, the kernels after it could not be
 * reached. */
APP_ACTION(kernel)
{
    const enum krn_kernel wanted = state->spec.mode.kernel;
    struct krn_error why = {.text = ""};
    state->spec.mode = before->spec.mode;
    if (sets(argument)) {
        select_kernel(state, wanted);
        return APP_DONE;
    }
    for (int step = 1; step < KRN_KERNEL_COUNT; step++) {
        struct app_state next = *state;
        select_kernel(&next,
                      (enum krn_kernel)(((int)state->spec.mode.kernel + step) % KRN_KERNEL_COUNT));
        struct krn_error error;
        const bool mine = next.spec.mode.kernel == KRN_KERNEL_MINE;
        if (app_state_view(&next) != app_state_view(state) || (mine && !facts->has_mine))
            continue;
        if (mine)
            next.spec.mode.storage = facts->mine_storage;
        if (krn_mode_check(next.spec.mode, state->spec.recipe.count, &error) == KRN_OK) {
            state->spec.mode = next.spec.mode;
            if (why.text[0])
                (void)answer(reply, APP_DONE, "Kernel: %s. %.250s",
                             krn_kernel_name(next.spec.mode.kernel), why.text);
            return APP_DONE;
        }
        if (!why.text[0])
            why = error;
    }
    return REFUSE("%s", why.text);
}

APP_ACTION(pixels)
{
    const int now = krn_pixels_index(state->spec.mode.pixels_per_thread),
              next = argument->step == APP_STEP_DOUBLE ? now + 1 : now - 1;
    if (sets(argument))
        return APP_DONE;
    if (!krn_kernel_has_pixels(state->spec.mode.kernel)) {
        struct krn_error error = {.text = ""};
        (void)krn_mode_check(
            (struct krn_mode){state->spec.mode.kernel, state->spec.mode.storage, KRN_PIXELS_MAX},
            state->spec.recipe.count, &error);
        return REFUSE("%.250s {kernel} changes the kernel.", error.text);
    }
    if (next < 0 || next >= KRN_PIXELS_COUNT)
        return REFUSE("The %s kernel takes 1 to %d pixels per thread.",
                      krn_kernel_name(state->spec.mode.kernel), KRN_PIXELS_MAX);
    state->spec.mode.pixels_per_thread = krn_pixels_at(next);
    return APP_DONE;
}

static bool computes_on_host(struct app_duel_side side)
{
    return krn_backend_get(side.backend)->can->host_processors;
}

/* Returns side B of a new duel: the mode that was left last, on its backend if both are GPUs'; if
 * there is none that can render the scene, the one with the next storage that can, else the same
 * mode. */
static struct app_duel_side opponent_of(const struct app_state *state,
                                        const struct app_facts *facts)
{
    struct app_duel_side opponent = app_state_side(state, 0);
    struct app_duel_side left = facts->left;
    if (!facts->has_backend[left.backend] || computes_on_host(left) || computes_on_host(opponent))
        left.backend = opponent.backend;
    if (facts->has_left && !app_duel_side_equal(left, opponent) &&
        krn_mode_view(left.mode) == app_state_view(state) &&
        krn_mode_check(left.mode, state->spec.recipe.count, NULL) == KRN_OK)
        return left;
    if (opponent.mode.kernel == KRN_KERNEL_MINE) {
        opponent.mode.kernel = KRN_KERNEL_BOOK;
        return opponent;
    }
    for (int step = 1; step < KRN_STORAGE_COUNT; step++) {
        opponent.mode.storage =
            (enum krn_storage)(((int)state->spec.mode.storage + step) % KRN_STORAGE_COUNT);
        if (krn_mode_check(opponent.mode, state->spec.recipe.count, NULL) == KRN_OK)
            return opponent;
    }
    return app_state_side(state, 0);
}

APP_ACTION(duel)
{
    const double step = 0.05;
    struct app_duel_view *duel = &state->spec.duel;
    struct krn_mode modes[2];
    int backends[2];
    switch (argument->step) {
    case APP_STEP_SET:
        if (argument->given.word) {
            duel->on = false;
            return APP_DONE;
        }
        duel->on = app_modes_parse(argument->given.text, modes, backends);
        if (!duel->on)
            return REFUSE("A duel takes two modes.");
        app_state_set_mode(state, modes[0]);
        duel->other = modes[1];
        duel->backend = 1 + backends[backends[1] < 0 ? 0 : 1];
        if (backends[0] >= 0)
            state->spec.backend = (enum krn_backend_id)backends[0];
        return APP_DONE;
    case APP_STEP_TOGGLE:
        duel->on = !duel->on;
        if (duel->on) {
            const struct app_duel_side other = opponent_of(state, facts);
            duel->other = other.mode;
            duel->backend = 1 + (int)other.backend;
        }
        return APP_DONE;
    default:
        break;
    }
    if (!duel->on)
        return REFUSE("The divider belongs to a duel; {duel} starts one.");
    const double moved = duel->divider + (argument->step == APP_STEP_MORE ? step : -step);
    duel->divider = fmin(fmax(round(moved * 100) / 100, APP_DIVIDER_MIN), APP_DIVIDER_MAX);
    return answer(reply, APP_DONE, "Divider: %.0f %%", duel->divider * 100);
}

APP_SHOW(duel)
{
    char a[APP_MODE_TEXT_MAX], b[APP_MODE_TEXT_MAX];
    app_duel_side_text(app_state_side(state, 0), app_state_crosses(state), a, sizeof a);
    app_duel_side_text(app_state_side(state, 1), app_state_crosses(state), b, sizeof b);
    if (state->spec.duel.on)
        snprintf(text, size, "A %s, B %s", a, b);
    else
        snprintf(text, size, "off");
}

APP_ACTION(blit)
{
    if (krn_backend_get(state->spec.backend)->can->host_images && state->spec.blit != REN_BLIT_COPY)
        return answer(reply, APP_DONE, "Blit: %s requested; the %s backend copies",
                      app_blit_names[state->spec.blit], krn_backend_name(state->spec.backend));
    return APP_DONE;
}

APP_ACTION(spheres)
{
    const bool light = app_state_view(state) == KRN_VIEW_LIGHT;
    const int now = before->spec.recipe.count, most = light ? KRN_LARGE_SPHERES : KRN_SPHERES_MAX;
    if (facts->plays && !sets(argument)) {
        const bool more = argument->step == APP_STEP_DOUBLE;
        const int next = more ? facts->more : facts->fewer;
        if (next == 0)
            return REFUSE("The recorded run has no scene of this size with %s spheres.",
                          more ? "more" : "fewer");
        state->spec.recipe.count = next;
        return APP_DONE;
    }
    if (argument->step == APP_STEP_DOUBLE)
        state->spec.recipe.count = now > most / 2 ? most : now * 2;
    else if (argument->step == APP_STEP_HALVE)
        state->spec.recipe.count = now / 2 < KRN_SPHERES_MIN ? KRN_SPHERES_MIN : now / 2;
    return sets(argument) || state->spec.recipe.count != now
               ? APP_DONE
               : REFUSE("%s %d to %d spheres; this one has %d.",
                        light ? "The light view shows" : "A scene holds", KRN_SPHERES_MIN, most,
                        now);
}

/* The next seed has at most six digits, which can be read out in a talk. A linear congruential step
 * visits all of 0..999999. Consecutive seeds give unrelated scenes, because the generator of the
 * scene mixes its seed. */
APP_ACTION(seed)
{
    if (!sets(argument))
        state->spec.recipe.seed = (before->spec.recipe.seed % 1000000 * 48021 + 137531) % 1000000;
    return APP_DONE;
}

APP_ACTION(zoom)
{
    return state->spec.zoom > 0 && app_state_view(state) == KRN_VIEW_LIGHT
               ? REFUSE("The zoom belongs to the book view; the light view has a camera with a "
                        "distance.")
               : APP_DONE;
}

APP_ACTION(size)
{
    state->spec.fixed_width = state->spec.width;
    state->spec.fixed_height = state->spec.height;
    state->spec.follow_pane = false;
    return APP_DONE;
}

APP_ACTION(follow)
{
    if (!state->spec.follow_pane) {
        state->spec.width = state->spec.fixed_width;
        state->spec.height = state->spec.fixed_height;
    }
    app_state_follow(state, facts);
    return APP_DONE;
}

APP_SHOW(follow)
{
    const int book = app_state_default().spec.width;
    snprintf(text, size, "%dx%d, %s", state->spec.width, state->spec.height,
             state->spec.follow_pane ? "the picture follows the window"
             : state->spec.width == book && state->spec.height == book ? "the book's size"
                                                                       : "fixed");
}

APP_ACTION(hud_scale)
{
    const bool larger = argument->step == APP_STEP_MORE;
    if (!sets(argument)) {
        /* rounds to whole percents and snaps to 1, so that the way back reaches 1 again */
        const double next = before->look.hud_scale * (larger ? 1.1 : 1 / 1.1),
                     near = fabs(next - 1) < 0.04 ? 1 : round(next * 100) / 100;
        state->look.hud_scale = fmin(fmax(near, APP_HUD_SCALE_MIN), APP_HUD_SCALE_MAX);
        if (state->look.hud_scale == before->look.hud_scale)
            return REFUSE("The HUD is at its %s size.", larger ? "largest" : "smallest");
    }
    return answer(reply, APP_DONE, "HUD size: %.0f %%", state->look.hud_scale * 100);
}

/* The keys also turn to the page that shows them. */
APP_ACTION(addresses)
{
    if (sets(argument))
        return APP_DONE;
    if (!krn_backend_get(state->spec.backend)->can->warps)
        return REFUSE("A CPU has no warps: addresses per warp need the cuda backend.");
    if (state->look.panels == APP_PANELS_OFF)
        return REFUSE("Addresses per warp: the page of constant memory shows them; {panels}.");
    if (state->look.addresses < 1 || state->look.addresses > KRN_LANES)
        return REFUSE("The 32 lanes of a warp read 1 to 32 addresses.");
    state->look.page = APP_SUBJECT_TOPIC_CONSTANT;
    return APP_DONE;
}

/* Goes through the pages of the help and closes it after the last one. */
APP_ACTION(help)
{
    const bool more = state->look.help && state->look.help_page + 1 < APP_HELP_PAGES;
    state->look.help_page = more ? (enum app_help_page)(state->look.help_page + 1) : APP_HELP_FIRST;
    state->look.help = more || !state->look.help;
    state->look.details = state->look.details && !state->look.help;
    state->look.code = state->look.code && !state->look.help;
    return APP_DONE;
}

/* Closes the help, over which another page opens. */
static enum app_outcome close_help(struct app_state *state)
{
    state->look.help = false;
    state->look.help_page = APP_HELP_FIRST;
    return APP_DONE;
}

APP_ACTION(details)
{
    state->look.code = state->look.code && !state->look.details;
    return state->look.details ? close_help(state) : APP_DONE;
}

APP_ACTION(code)
{
    state->look.details = state->look.details && !state->look.code;
    return state->look.code ? close_help(state) : APP_DONE;
}

APP_ACTION(leave)
{
    if (state->look.help)
        state->look.help_page = APP_HELP_FIRST;
    else if (state->look.details || state->look.code)
        state->look.details = state->look.code = false;
    else if (facts->shown == APP_PANELS_FULL && !state->talk.on)
        state->look.panels = APP_PANELS_OFF;
    else if (state->talk.on)
        state->talk.on = state->talk.blank = false;
    else
        state->look.fullscreen = false;
    state->look.help = false;
    return APP_DONE;
}

APP_ACTION(home)
{
    state->requests |= APP_REQUEST_HOME;
    return answer(reply, APP_DONE,
                  state->talk.on ? "Back to what the step shows" : "Back to the start state");
}

APP_ACTION(measure)
{
    if (state->look.panels == APP_PANELS_OFF)
        return REFUSE("No page of measurements is shown; {panels} shows one.");
    if (state->look.page == APP_SUBJECT_ANATOMY)
        return REFUSE("The frame anatomy is measured on every frame.");
    if (state->look.hold)
        return REFUSE("The numbers are held; {hold} releases them.");
    state->requests |= APP_REQUEST_MEASURE;
    return APP_DONE;
}

/* Turns to a page, beside the picture unless another one is on screen, or hides it when it is on
 * screen already. */
static void turn_to(struct app_state *state, enum app_subject page)
{
    if (app_state_shows(state, page)) {
        state->look.panels = APP_PANELS_OFF;
        return;
    }
    state->look.panels =
        state->look.panels == APP_PANELS_OFF ? APP_PANELS_COMPACT : state->look.panels;
    state->look.page = page;
}

APP_ACTION(story)
{
    turn_to(state, APP_SUBJECT_STORY);
    return state->look.panels == APP_PANELS_OFF
               ? APP_DONE
               : answer(reply, APP_DONE, "Story plot: measures between frames");
}

APP_ACTION(anatomy)
{
    turn_to(state, APP_SUBJECT_ANATOMY);
    return APP_DONE;
}

/* The key goes through the quantities that the backend offers for the view. The option takes any of
 * the view's, because the backend is chosen later. */
APP_ACTION(heat)
{
    static const char *const words[KRN_HEAT_COUNT] = {
        "Heat map: off", "Heat map: sphere tests of each pixel",
        "Heat map: clock cycles of each pixel's warp", "Heat map: rays of each pixel"};
    const struct krn_capabilities *can = krn_backend_get(state->spec.backend)->can;
    const char *why = app_state_heat_refused(state, state->look.heat);
    if (sets(argument) && facts->live && !krn_heat_offered(can, state->look.heat))
        return REFUSE("%s", krn_heat_reason());
    if (sets(argument)) /* of options, the view may come later */
        return facts->live && why != NULL ? REFUSE("%s", why) : APP_DONE;
    if (state->spec.duel.on)
        return REFUSE("A duel shows two pictures and no heat map; {duel} ends it.");
    /* That of the other view is not on screen. */
    state->look.heat = app_state_shows_heat(before) ? before->look.heat : KRN_HEAT_OFF;
    do
        state->look.heat = (enum krn_heat)((state->look.heat + 1) % KRN_HEAT_COUNT);
    while (state->look.heat != KRN_HEAT_OFF &&
           (!krn_heat_offered(can, state->look.heat) ||
            krn_heat_view(state->look.heat) != app_state_view(state)));
    return answer(reply, APP_DONE, "%s", words[state->look.heat]);
}

APP_ACTION(quit)
{
    const double waited_s = facts->now_s - state->pending.asked_s;
    const bool again = state->pending.command != 0 && waited_s >= 0 && waited_s <= APP_QUIT_AGAIN_S;
    if ((state->look.fullscreen || state->talk.on) && !again)
        return answer(reply, APP_ASKED, "Press {quit} again to quit");
    state->requests |= APP_REQUEST_QUIT;
    return APP_DONE;
}

/* ---- the view ---- */

/* Returns the kernel that shows the view: the one that was left, else the view's first. */
static struct app_kernel_choice kernel_of(const struct app_state *state, enum krn_view_kind view)
{
    struct app_kernel_choice choice = state->look.other_view;
    struct krn_mode mode = {choice.kernel, KRN_STORAGE_GLOBAL, choice.pixels_per_thread};
    if (krn_mode_view(mode) == view && krn_mode_index(mode) >= 0)
        return choice;
    for (int i = KRN_MODES - 1; i >= 0; i--)
        if (krn_mode_view(krn_mode_at(i)) == view)
            choice.kernel = krn_mode_at(i).kernel;
    choice.pixels_per_thread = krn_kernel_describe(choice.kernel)->pixels_start;
    return choice;
}

/* Shows the view with its last kernel and, if that kernel can read the spheres from it, the present
 * storage; else global memory. */
static void show_view(struct app_state *state, enum krn_view_kind view, struct app_reply *reply)
{
    const struct app_kernel_choice choice = kernel_of(state, view);
    struct krn_mode mode = {choice.kernel, state->spec.mode.storage, choice.pixels_per_thread};
    struct krn_error why;
    if (krn_mode_check(mode, state->spec.recipe.count, &why) != KRN_OK) {
        mode.storage = KRN_STORAGE_GLOBAL;
        app_format(reply->text, sizeof reply->text, "View: %s, from global storage. %.200s",
                   krn_view_name(view), why.text);
    }
    app_state_set_mode(state, mode);
}

APP_ACTION(view)
{
    const bool set = sets(argument);
    const enum krn_view_kind now = app_state_view(state),
                             next = (enum krn_view_kind)(set ? argument->given.choice
                                                             : ((int)now + 1) % KRN_VIEW_COUNT);
    if (!set && state->spec.duel.on)
        return REFUSE("A duel compares two modes of one view; {duel} ends it.");
    if (next != now)
        show_view(state, next, reply);
    return APP_DONE;
}

APP_SHOW(view)
{
    snprintf(text, size, "%s", krn_view_name(app_state_view(state)));
}

APP_ACTION(bounces)
{
    return state->spec.light.bounces >= 0 && state->spec.light.bounces <= KRN_BOUNCES_MAX
               ? APP_DONE
               : REFUSE("A ray takes 0 to %d reflections.", KRN_BOUNCES_MAX);
}

APP_ACTION(page_url)
{
    char *url = state->look.page_url;
    memset(url, 0, APP_PAGE_URL_MAX); /* states are compared by their bytes */
    if (!argument->given.word)
        snprintf(url, APP_PAGE_URL_MAX, "%s", argument->given.text);
    return APP_DONE;
}

APP_SHOW(page_url)
{
    snprintf(text, size, "%s", state->look.page_url[0] != 0 ? state->look.page_url : "off");
}

/* ---- the camera ---- */

APP_ACTION(camera)
{
    return app_camera_parse(argument->given.text, &state->spec.light.camera)
               ? APP_DONE
               : REFUSE("A camera has a yaw, a pitch and a distance.");
}

APP_SHOW(camera)
{
    app_camera_format(&state->spec.light.camera, text, size);
}

/* Rounds to hundredths, so that a camera can be read out and typed. */
static float hundredths(double value)
{
    return (float)(round(value * 100.0) / 100.0);
}

APP_ACTION(orbit)
{
    const double step = argument->step == APP_STEP_MORE ? 5.0 : -5.0;
    state->spec.light.camera.yaw =
        hundredths(remainder((double)state->spec.light.camera.yaw + step, 360.0));
    return APP_DONE;
}

/* Moves one number of the camera, at most to the end of its range, which `end` names. */
static enum app_outcome move(float *number, double next, float low, float high, const char *end,
                             struct app_reply *reply)
{
    const float moved = hundredths(fmin(fmax(next, (double)low), (double)high));
    if (moved == *number)
        return REFUSE("The camera is at its %s.", end);
    *number = moved;
    return APP_DONE;
}

APP_ACTION(tilt)
{
    const bool up = argument->step == APP_STEP_MORE;
    float *pitch = &state->spec.light.camera.pitch;
    return move(pitch, (double)*pitch + (up ? 5.0 : -5.0), KRN_PITCH_MIN, KRN_PITCH_MAX,
                up ? "highest" : "lowest", reply);
}

APP_ACTION(dolly)
{
    const bool away = argument->step == APP_STEP_MORE;
    float *distance = &state->spec.light.camera.distance;
    const double now = (double)*distance;
    return move(distance, away ? now * 1.1 : now / 1.1, KRN_DISTANCE_MIN, KRN_DISTANCE_MAX,
                away ? "farthest" : "nearest", reply);
}

APP_ACTION(camera_path)
{
    if (!sets(argument) && state->spec.camera_path && !state->spec.motion)
        return answer(reply, APP_DONE,
                      "Camera path: on, but the motion is paused; {motion} resumes it");
    return APP_DONE;
}

/* A scene file may have any shape, and the light view's camera starts so far away that all of it is
 * in the picture: 1 / sin(KRN_FIELD_DEGREES / 2) extents, rounded up. */
#define WHOLE_SCENE_DISTANCE 3.1f

/* Returns the distance at which the camera starts: of a scene file, or of a random scene. */
static float start_distance(bool file)
{
    return file ? WHOLE_SCENE_DISTANCE : krn_light_default().camera.distance;
}

/* Moves the camera to where it starts in the next scene, one of a file or a random one, unless
 * somebody has moved it from where it started in the present one. */
static void fit_camera(struct app_state *state, bool file)
{
    const float start = start_distance(state->spec.scene == APP_SCENE_FILE),
                now = state->spec.light.camera.distance;
    if (!(now < start || now > start))
        state->spec.light.camera.distance = start_distance(file);
}

APP_ACTION(scene)
{
    fit_camera(state, !argument->given.word);
    if (argument->given.word)
        app_state_set_book(state);
    else
        state->spec.scene = APP_SCENE_FILE;
    return APP_DONE;
}

APP_SHOW(scene)
{
    const struct krn_scene_recipe *now = &state->spec.recipe, book = krn_scene_book();
    if (state->spec.scene == APP_SCENE_FILE) {
        snprintf(text, size, "%s", state->spec.scene_path);
        app_make_printable(text);
    } else if (now->count == book.count && now->seed == book.seed &&
               now->radius_min == book.radius_min && now->radius_max == book.radius_max)
        snprintf(text, size, "book");
    else
        snprintf(text, size, "random");
}

/* ---- pages of measurements ---- */

APP_SHOW(page)
{
    snprintf(text, size, "%s",
             state->look.panels == APP_PANELS_OFF ? "off" : app_subject_names[state->look.page]);
}

APP_ACTION(page)
{
    const enum app_panels least = sets(argument) ? APP_PANELS_COMPACT : APP_PANELS_OFF;
    state->look.panels = state->look.panels > least ? state->look.panels : least;
    if (!sets(argument) && state->look.panels == APP_PANELS_OFF)
        return REFUSE("No page of measurements is shown; {panels} shows one.");
    if (!sets(argument))
        state->look.page = app_subject_step(
            before->look.page, argument->step == APP_STEP_LESS ? -1 : 1, facts->empty_subjects);
    return APP_DONE;
}

/* Shows the next published claim, beginning with the first one, alone. */
APP_ACTION(claim)
{
    const int step = argument->step == APP_STEP_LESS ? -1 : 1,
              count = (int)APP_SUBJECT_COUNT - (int)app_subject_of_claim(0),
              now = app_subject_claim(state->look.page);
    const bool shown = now >= 0 && state->look.panels != APP_PANELS_OFF;
    state->look.panels =
        state->look.panels == APP_PANELS_OFF ? APP_PANELS_FULL : state->look.panels;
    state->look.page = app_subject_of_claim(shown ? (now + step + count) % count : 0);
    return APP_DONE;
}

/* ---- talks: the session applies what a step sets (talk/talk.h) ---- */

static void forget_guess(struct app_talk_view *talk)
{
    talk->choice = 0;
    memset(talk->typed, 0, sizeof talk->typed);
    talk->committed = talk->revealed = false;
}

/* Returns to a talk that was left, or to a screen that was blanked; false: neither was. */
static bool resume(struct app_talk_view *talk)
{
    const bool away = !talk->on || talk->blank;
    talk->on = true;
    talk->blank = false;
    return away;
}

APP_ACTION(talk)
{
    resume(&state->talk);
    state->requests |= APP_REQUEST_HOME;
    return APP_DONE;
}

APP_ACTION(talk_next)
{
    struct app_talk_view *talk = &state->talk;
    if (resume(talk))
        return APP_DONE;
    if (talk->asks != APP_ASKS_NOTHING && !talk->revealed) {
        talk->committed = talk->revealed = true;
        talk->said[talk->step].choice = talk->choice;
        memcpy(talk->said[talk->step].typed, talk->typed, sizeof talk->typed);
        return APP_DONE;
    }
    if (talk->step + 1 >= talk->steps)
        return REFUSE("This is the talk's last step.");
    talk->step++;
    forget_guess(talk);
    return APP_DONE;
}

APP_ACTION(talk_previous)
{
    struct app_talk_view *talk = &state->talk;
    if (resume(talk))
        return APP_DONE;
    if (talk->step == 0)
        return REFUSE("This is the talk's first step.");
    talk->step--;
    forget_guess(talk);
    return APP_DONE;
}

APP_ACTION(talk_blank)
{
    state->talk.blank = !state->talk.blank;
    return APP_DONE;
}

/* Appends a character to the typed number; a number that was complete is replaced. */
static enum app_outcome type(struct app_talk_view *talk, char character, struct app_reply *reply)
{
    if (talk->committed) {
        memset(talk->typed, 0, sizeof talk->typed);
        talk->committed = false;
    }
    const size_t length = strlen(talk->typed);
    if (character == '.' && strchr(talk->typed, '.') != NULL)
        return REFUSE("The number has a point already.");
    if (length + 1 == sizeof talk->typed)
        return REFUSE("A guess has at most %d characters.", APP_TALK_TYPED_MAX - 1);
    talk->typed[length] = character;
    return APP_DONE;
}

APP_ACTION(talk_guess)
{
    struct app_talk_view *talk = &state->talk;
    const size_t length = strlen(talk->typed);
    if (argument->step == APP_STEP_LESS) {
        if (length > 0)
            talk->typed[length - 1] = 0;
        talk->committed = false;
        talk->choice = 0;
        return APP_DONE;
    }
    const char character = argument->given.text[0];
    if (talk->asks == APP_ASKS_NUMBER)
        return type(talk, character, reply);
    const int choice = character - '0';
    if (choice < 1 || choice > talk->answers)
        return REFUSE("The answers are 1 to %d.", talk->answers);
    talk->choice = choice;
    return APP_DONE;
}

APP_ACTION(talk_reveal)
{
    state->talk.committed = true;
    return APP_DONE;
}
