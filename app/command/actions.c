/* app/command/actions.c - the change and show functions of command entries. */
#include "command/actions.h"

#include "command/mode.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum app_outcome refuse(struct app_reply *reply, const char *why)
{
    snprintf(reply->text, sizeof reply->text, "%s", why);
    return APP_REFUSED;
}

APP_ACTION(app_change_backend)
{
    const int next = argument->step == APP_STEP_NEXT ? ((int)state->backend + 1) % KRN_BACKEND_COUNT
                                                     : argument->given.choice - 1; /* 0: auto */
    if (next < 0 || next >= KRN_BACKEND_COUNT)
        return refuse(reply, "auto is available only at the start; choose cuda or cpu.");
    if (!facts->has_backend[next]) {
        if (facts->no_backend[next][0] != 0)
            return refuse(reply, facts->no_backend[next]);
        snprintf(reply->text, sizeof reply->text, "The %s backend is not available here.",
                 krn_backend_name((enum krn_backend_id)next));
        return APP_REFUSED;
    }
    state->backend = (enum krn_backend_id)next;
    /* The heat map stays on: every backend counts tests. */
    if (!krn_heat_offered(krn_backend_get(state->backend)->can, state->heat))
        state->heat = KRN_HEAT_TESTS;
    return APP_DONE;
}

void app_show_backend(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%s", krn_backend_name(state->backend));
}

/* Selects a kernel; a different one starts with its own K. */
static void select_kernel(struct app_state *state, enum krn_kernel kernel)
{
    struct krn_mode mode = state->mode;
    if (kernel != mode.kernel)
        mode.pixels_per_thread = krn_kernel_describe(kernel)->pixels_start;
    mode.kernel = kernel;
    app_state_set_mode(state, mode);
}

/* Selects the next kernel of the view that supports the storage, and reports the ones that it
 * skips. If a missing combination stopped the key instead, the kernels after it could not be
 * reached. */
APP_ACTION(app_change_kernel)
{
    (void)facts;
    if (argument->step == APP_STEP_SET) {
        select_kernel(state, (enum krn_kernel)argument->given.choice);
        return APP_DONE;
    }
    struct krn_error why = {.text = ""};
    for (int step = 1; step < KRN_KERNEL_COUNT; step++) {
        struct app_state next = *state;
        select_kernel(&next,
                      (enum krn_kernel)(((int)state->mode.kernel + step) % KRN_KERNEL_COUNT));
        struct krn_error error;
        if (app_state_view(&next) != app_state_view(state))
            continue;
        if (krn_mode_check(next.mode, state->recipe.count, &error) == KRN_OK) {
            state->mode = next.mode;
            if (why.text[0])
                app_format(reply->text, sizeof reply->text, "Kernel: %s. %.250s",
                           krn_kernel_name(next.mode.kernel), why.text);
            return APP_DONE;
        }
        if (!why.text[0])
            why = error;
    }
    return refuse(reply, why.text);
}

APP_ACTION(app_change_pixels)
{
    (void)facts;
    const int now = krn_pixels_index(state->mode.pixels_per_thread);
    int next = argument->given.choice;
    if (argument->step != APP_STEP_SET)
        next = argument->step == APP_STEP_DOUBLE ? now + 1 : now - 1;
    if (argument->step != APP_STEP_SET && !krn_kernel_has_pixels(state->mode.kernel)) {
        struct krn_error error = {.text = ""};
        (void)krn_mode_check(
            (struct krn_mode){state->mode.kernel, state->mode.storage, KRN_PIXELS_MAX},
            state->recipe.count, &error);
        app_format(reply->text, sizeof reply->text, "%.250s {kernel} changes the kernel.",
                   error.text);
        return APP_REFUSED;
    }
    if (next < 0 || next >= KRN_PIXELS_COUNT) {
        app_format(reply->text, sizeof reply->text,
                   "The %s kernel takes 1 to %d pixels per thread.",
                   krn_kernel_name(state->mode.kernel), KRN_PIXELS_MAX);
        return APP_REFUSED;
    }
    state->mode.pixels_per_thread = krn_pixels_at(next);
    return APP_DONE;
}

void app_show_pixels(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%d", state->mode.pixels_per_thread);
}

/* Returns the mode for side B of a new duel: the one that was left last; if there is none that can
 * render the scene, the one with the next storage that can, else the same mode. */
static struct krn_mode opponent_of(const struct app_state *state, const struct app_facts *facts)
{
    struct krn_mode opponent = state->mode;
    if (facts->has_left && !krn_mode_equal(facts->left, state->mode) &&
        krn_mode_view(facts->left) == app_state_view(state) &&
        krn_mode_check(facts->left, state->recipe.count, NULL) == KRN_OK)
        return facts->left;
    for (int step = 1; step < KRN_STORAGE_COUNT; step++) {
        opponent.storage =
            (enum krn_storage)(((int)state->mode.storage + step) % KRN_STORAGE_COUNT);
        if (krn_mode_check(opponent, state->recipe.count, NULL) == KRN_OK)
            return opponent;
    }
    return state->mode;
}

APP_ACTION(app_change_duel)
{
    const double step = 0.05;
    struct app_duel_view *duel = &state->duel;
    struct krn_mode first;
    switch (argument->step) {
    case APP_STEP_SET:
        if (argument->given.word) {
            duel->on = false;
            return APP_DONE;
        }
        duel->on = app_modes_parse(argument->given.text, &first, &duel->other);
        if (!duel->on)
            return refuse(reply, "A duel takes two modes.");
        app_state_set_mode(state, first);
        return APP_DONE;
    case APP_STEP_TOGGLE:
        duel->on = !duel->on;
        if (duel->on)
            duel->other = opponent_of(state, facts);
        return APP_DONE;
    default:
        break;
    }
    if (!duel->on)
        return refuse(reply, "The divider belongs to a duel; {duel} starts one.");
    const double moved = duel->divider + (argument->step == APP_STEP_MORE ? step : -step);
    duel->divider = fmin(fmax(round(moved * 100) / 100, APP_DIVIDER_MIN), APP_DIVIDER_MAX);
    snprintf(reply->text, sizeof reply->text, "Divider: %.0f %%", duel->divider * 100);
    return APP_DONE;
}

void app_show_duel(const struct app_state *state, char *text, size_t size)
{
    char a[APP_MODE_TEXT_MAX], b[APP_MODE_TEXT_MAX];
    app_mode_text(state->mode, a, sizeof a);
    app_mode_text(state->duel.other, b, sizeof b);
    if (state->duel.on)
        snprintf(text, size, "A %s, B %s", a, b);
    else
        snprintf(text, size, "off");
}

APP_ACTION(app_change_blit)
{
    (void)facts;
    state->blit =
        (enum ren_blit)(argument->step == APP_STEP_NEXT ? ((int)state->blit + 1) % REN_BLIT_COUNT
                                                        : argument->given.choice);
    if (krn_backend_get(state->backend)->can->host_images && state->blit != REN_BLIT_COPY)
        snprintf(reply->text, sizeof reply->text, "Blit: %s requested; the %s backend copies",
                 app_blit_name(state->blit), krn_backend_name(state->backend));
    return APP_DONE;
}

static bool is_file(const struct app_state *state, struct app_reply *reply)
{
    if (state->scene != APP_SCENE_FILE)
        return false;
    refuse(reply, "The scene comes from a file, which sets its spheres.");
    return true;
}

APP_ACTION(app_change_spheres)
{
    (void)facts;
    if (is_file(state, reply))
        return APP_REFUSED;
    const int now = state->recipe.count;
    int next = argument->given.integer;
    if (argument->step == APP_STEP_DOUBLE)
        next = now > KRN_SPHERES_MAX / 2 ? KRN_SPHERES_MAX : now * 2;
    else if (argument->step == APP_STEP_HALVE)
        next = now / 2 < KRN_SPHERES_MIN ? KRN_SPHERES_MIN : now / 2;
    if (next == now && argument->step != APP_STEP_SET) {
        snprintf(reply->text, sizeof reply->text,
                 "A scene holds %d to %d spheres; this one has %d.", KRN_SPHERES_MIN,
                 KRN_SPHERES_MAX, now);
        return APP_REFUSED;
    }
    state->recipe.count = next;
    return APP_DONE;
}

void app_show_spheres(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%d", state->recipe.count);
}

/* Returns the next seed of at most six digits, which can be read out in a talk. A linear
 * congruential step visits all of 0..999999. Consecutive seeds give unrelated scenes, because the
 * generator of the scene mixes its seed. */
static uint64_t next_seed(uint64_t seed)
{
    return (seed % 1000000 * 48021 + 137531) % 1000000;
}

APP_ACTION(app_change_seed)
{
    (void)facts;
    if (is_file(state, reply))
        return APP_REFUSED;
    state->recipe.seed =
        argument->step == APP_STEP_NEXT ? next_seed(state->recipe.seed) : argument->given.seed;
    return APP_DONE;
}

void app_show_seed(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%llu", (unsigned long long)state->recipe.seed);
}

APP_ACTION(app_change_radii)
{
    (void)facts;
    if (is_file(state, reply))
        return APP_REFUSED;
    state->recipe.radius_min = (float)argument->given.low;
    state->recipe.radius_max = (float)argument->given.high;
    return APP_DONE;
}

void app_show_radii(const struct app_state *state, char *text, size_t size)
{
    app_format(text, size, "%.7g:%.7g", (double)state->recipe.radius_min,
               (double)state->recipe.radius_max);
}

APP_ACTION(app_change_zoom)
{
    (void)facts;
    if (!argument->given.word && app_state_view(state) == KRN_VIEW_LIGHT)
        return refuse(reply, "The zoom belongs to the book view; the light view has a camera with "
                             "a distance.");
    state->zoom = argument->given.word ? 0 : argument->given.real;
    return APP_DONE;
}

void app_show_zoom(const struct app_state *state, char *text, size_t size)
{
    if (state->zoom > 0)
        app_format(text, size, "%.6g", state->zoom);
    else
        snprintf(text, size, "fit");
}

APP_ACTION(app_change_size)
{
    (void)facts;
    (void)reply;
    state->width = state->fixed_width = argument->given.width;
    state->height = state->fixed_height = argument->given.height;
    state->follow_pane = false;
    return APP_DONE;
}

void app_show_size(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%dx%d", state->width, state->height);
}

APP_ACTION(app_change_follow)
{
    (void)reply;
    state->follow_pane = argument->step == APP_STEP_SET || !state->follow_pane;
    if (!state->follow_pane) {
        state->width = state->fixed_width;
        state->height = state->fixed_height;
    }
    app_state_follow(state, facts);
    return APP_DONE;
}

void app_show_follow(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%dx%d, %s", state->width, state->height,
             state->follow_pane ? "follows its pane" : "fixed");
}

APP_ACTION(app_change_hud_scale)
{
    (void)facts;
    const double factor = argument->step == APP_STEP_MORE   ? 1.1
                          : argument->step == APP_STEP_LESS ? 1 / 1.1
                                                            : 0;
    double next = factor > 0 ? state->hud_scale * factor : argument->given.real;
    if (factor > 0) {
        /* rounds to whole percents and snaps to 1, so that the way back reaches 1 again */
        next = fabs(next - 1) < 0.04 ? 1 : round(next * 100) / 100;
        next = fmin(fmax(next, APP_HUD_SCALE_MIN), APP_HUD_SCALE_MAX);
        if (next == state->hud_scale)
            return refuse(reply, factor > 1 ? "The HUD is at its largest size."
                                            : "The HUD is at its smallest size.");
    }
    state->hud_scale = next;
    app_format(reply->text, sizeof reply->text, "HUD size: %.0f %%", next * 100);
    return APP_DONE;
}

/* The keys also turn to the page that has the panel, and the spotlight to it. */
APP_ACTION(app_change_addresses)
{
    (void)facts;
    const int next = argument->step == APP_STEP_SET
                         ? argument->given.integer
                         : state->addresses + (argument->step == APP_STEP_MORE ? 1 : -1);
    if (argument->step != APP_STEP_SET) {
        if (!krn_backend_get(state->backend)->can->warps)
            return refuse(reply, "A CPU has no warps: addresses per warp need the cuda backend.");
        if (state->panels != APP_PANELS_FULL && state->spotlight == APP_SPOTLIGHT_OFF)
            return refuse(reply, "Addresses per warp: the full panels show them; {panels}.");
        if (next < 1 || next > KRN_LANES)
            return refuse(reply, "The 32 lanes of a warp read 1 to 32 addresses.");
        if (state->page != APP_PAGE_BOOK)
            state->part = 1;
        state->page = APP_PAGE_BOOK;
        if (state->spotlight != APP_SPOTLIGHT_OFF) {
            state->subject = APP_SUBJECT_TOPIC_CONSTANT;
            state->subject_part = 1;
        }
    }
    state->addresses = next;
    return APP_DONE;
}

/* Goes through the pages of the help and closes it after the last one. */
APP_ACTION(app_change_help)
{
    (void)facts;
    (void)reply;
    const bool more =
        argument->step == APP_STEP_NEXT && state->help && state->help_page + 1 < APP_HELP_PAGES;
    state->help_page = more ? (enum app_help_page)(state->help_page + 1) : APP_HELP_KEYS;
    state->help = argument->step == APP_STEP_SET || more || !state->help;
    state->device_card = state->device_card && !state->help;
    return APP_DONE;
}

APP_ACTION(app_change_device_card)
{
    (void)facts;
    (void)reply;
    state->device_card = argument->step == APP_STEP_SET ? argument->given.on : !state->device_card;
    if (state->device_card) {
        state->help = false;
        state->help_page = APP_HELP_KEYS;
    }
    return APP_DONE;
}

APP_ACTION(app_change_leave)
{
    (void)facts;
    (void)argument;
    (void)reply;
    if (state->help)
        state->help_page = APP_HELP_KEYS;
    else if (state->device_card)
        state->device_card = false;
    else if (state->spotlight == APP_SPOTLIGHT_WHOLE)
        state->spotlight = APP_SPOTLIGHT_OFF;
    else if (state->talk.on)
        state->talk.on = state->talk.blank = false;
    else
        state->fullscreen = false;
    state->help = false;
    return APP_DONE;
}

APP_ACTION(app_change_monitor)
{
    (void)facts;
    (void)argument;
    (void)reply;
    state->requests |= APP_REQUEST_MONITOR;
    return APP_DONE;
}

APP_ACTION(app_change_home)
{
    (void)facts;
    (void)argument;
    state->requests |= APP_REQUEST_HOME;
    snprintf(reply->text, sizeof reply->text,
             state->talk.on ? "Back to what the step shows" : "Back to the start state");
    return APP_DONE;
}

APP_ACTION(app_change_screenshot)
{
    (void)facts;
    if (argument->step == APP_STEP_SET)
        return refuse(reply, "Screenshots of a running session are named automatically.");
    state->requests |= APP_REQUEST_SCREENSHOT;
    return APP_DONE;
}

APP_ACTION(app_change_results)
{
    (void)facts;
    if (argument->step == APP_STEP_SET)
        return refuse(reply, "Results of a running session are named automatically.");
    state->requests |= APP_REQUEST_RESULTS;
    return APP_DONE;
}

APP_ACTION(app_change_record)
{
    (void)facts;
    if (argument->step == APP_STEP_SET)
        return refuse(reply, "A run recorded in a session is named automatically.");
    state->requests |= APP_REQUEST_RECORD;
    return APP_DONE;
}

APP_ACTION(app_change_measure)
{
    (void)argument;
    const bool spotlight = state->spotlight != APP_SPOTLIGHT_OFF;
    if (state->anatomy == APP_ANATOMY_ON && !spotlight)
        return refuse(reply, "The frame anatomy is in the panels' place; {anatomy} hides it.");
    if (state->panels == APP_PANELS_OFF && !state->story && !spotlight)
        return refuse(reply, "The panels are off; {panels} shows them.");
    if (spotlight && facts->subject == APP_SUBJECT_PLOT)
        return refuse(reply, "The plot of kernel time is measured on every frame.");
    if (spotlight && facts->subject == APP_SUBJECT_ANATOMY)
        return refuse(reply, "The frame anatomy is measured on every frame.");
    if (facts->no_room)
        return refuse(reply, state->story ? "The window is too small for the story plot."
                                          : "The window is too small for the panels.");
    if (state->hold)
        return refuse(reply, "The numbers are held; {hold} releases them.");
    state->requests |= APP_REQUEST_MEASURE;
    return APP_DONE;
}

/* Shows or hides the story plot, which is measured while it is shown. */
APP_ACTION(app_change_story)
{
    (void)facts;
    state->story = argument->step == APP_STEP_TOGGLE ? !state->story : argument->given.on;
    if (state->story) {
        snprintf(reply->text, sizeof reply->text, "Story plot: on; measures between frames");
        if (state->anatomy == APP_ANATOMY_ON) /* both take the place of the panels */
            state->anatomy = APP_ANATOMY_OFF;
    }
    return APP_DONE;
}

/* Shows or hides the frame anatomy, which is collected while it is shown. The key takes away a
 * spotlight that covers it. */
APP_ACTION(app_change_anatomy)
{
    (void)facts;
    const bool shown = state->anatomy == APP_ANATOMY_ON && state->spotlight == APP_SPOTLIGHT_OFF;
    if (argument->step == APP_STEP_SET) {
        state->anatomy = (enum app_anatomy_mode)argument->given.choice;
    } else {
        state->anatomy = shown ? APP_ANATOMY_OFF : APP_ANATOMY_ON;
        state->spotlight = APP_SPOTLIGHT_OFF;
    }
    snprintf(reply->text, sizeof reply->text, "Frame anatomy: %s",
             app_anatomy_name(state->anatomy));
    if (state->anatomy == APP_ANATOMY_ON)
        state->story = false; /* both take the place of the panels */
    return APP_DONE;
}

/* The key goes through the quantities that the backend offers for the view. The option takes any of
 * the view's, because the backend is chosen later. */
APP_ACTION(app_change_heat)
{
    const struct krn_capabilities *can = krn_backend_get(state->backend)->can;
    if (argument->step == APP_STEP_SET) {
        const enum krn_heat wanted = (enum krn_heat)argument->given.choice;
        if (facts->live && !krn_heat_offered(can, wanted))
            return refuse(reply, krn_heat_reason());
        const char *why = app_state_heat_refused(state, wanted);
        if (facts->live && why != NULL) /* of options, the view may come later */
            return refuse(reply, why);
        state->heat = wanted;
        return APP_DONE;
    }
    if (state->duel.on)
        return refuse(reply, "A duel shows two pictures and no heat map; {duel} ends it.");
    /* That of the other view is not on screen. */
    if (!app_state_shows_heat(state))
        state->heat = KRN_HEAT_OFF;
    do
        state->heat = (enum krn_heat)((state->heat + 1) % KRN_HEAT_COUNT);
    while (state->heat != KRN_HEAT_OFF && (!krn_heat_offered(can, state->heat) ||
                                           krn_heat_view(state->heat) != app_state_view(state)));
    static const char *const words[KRN_HEAT_COUNT] = {
        "Heat map: off", "Heat map: sphere tests of each pixel",
        "Heat map: clock cycles of each pixel's warp", "Heat map: rays of each pixel"};
    snprintf(reply->text, sizeof reply->text, "%s", words[state->heat]);
    return APP_DONE;
}

APP_ACTION(app_change_quit)
{
    (void)argument;
    const double waited_s = facts->now_s - state->pending.asked_s;
    const bool again = state->pending.command != 0 && waited_s >= 0 && waited_s <= APP_QUIT_AGAIN_S;
    if ((state->fullscreen || state->talk.on) && !again) {
        snprintf(reply->text, sizeof reply->text, "Press {quit} again to quit");
        return APP_ASKED;
    }
    state->requests |= APP_REQUEST_QUIT;
    return APP_DONE;
}
