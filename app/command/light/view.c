/* app/command/light/view.c - the change and show functions of the view, of what the light view
 * alone has (camera, bounces, samples), and of the scene, which also decides where its camera
 * starts. */
#include "command/actions.h"

#include "base/complain.h"
#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum app_outcome refuse(struct app_reply *reply, const char *why)
{
    snprintf(reply->text, sizeof reply->text, "%s", why);
    return APP_REFUSED;
}

/* Refuses a key of the light view in another view. Options set the values of any view, because key
 * and talk may show it later. */
static bool is_elsewhere(const struct app_state *state, const struct app_argument *argument,
                         const char *what, struct app_reply *reply)
{
    if (argument->step == APP_STEP_SET || app_state_view(state) == KRN_VIEW_LIGHT)
        return false;
    snprintf(reply->text, sizeof reply->text, "%s the light view; {view} shows it.", what);
    return true;
}

/* ---- the view ---- */

/* Returns the kernel that shows the view: the one that was left, else the view's first. */
static struct app_kernel_choice kernel_of(const struct app_state *state, enum krn_view_kind view)
{
    struct app_kernel_choice choice = state->other_view;
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
    struct krn_mode mode = {choice.kernel, state->mode.storage, choice.pixels_per_thread};
    struct krn_error why;
    if (krn_mode_check(mode, state->recipe.count, &why) != KRN_OK) {
        mode.storage = KRN_STORAGE_GLOBAL;
        app_format(reply->text, sizeof reply->text, "View: %s, from global storage. %.200s",
                   krn_view_name(view), why.text);
    }
    app_state_set_mode(state, mode);
}

APP_ACTION(app_change_view)
{
    (void)facts;
    const bool set = argument->step == APP_STEP_SET;
    const enum krn_view_kind now = app_state_view(state),
                             next = (enum krn_view_kind)(set ? argument->given.choice
                                                             : ((int)now + 1) % KRN_VIEW_COUNT);
    if (!set && state->duel.on)
        return refuse(reply, "A duel compares two modes of one view; {duel} ends it.");
    if (next != now)
        show_view(state, next, reply);
    return APP_DONE;
}

void app_show_view(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%s", krn_view_name(app_state_view(state)));
}

/* ---- bounces and samples ---- */

APP_ACTION(app_change_bounces)
{
    (void)facts;
    const int next = argument->step == APP_STEP_SET
                         ? argument->given.integer
                         : state->light.bounces + (argument->step == APP_STEP_MORE ? 1 : -1);
    if (is_elsewhere(state, argument, "Bounces belong to", reply))
        return APP_REFUSED;
    if (next < 0 || next > KRN_BOUNCES_MAX) {
        snprintf(reply->text, sizeof reply->text, "A ray takes 0 to %d reflections.",
                 KRN_BOUNCES_MAX);
        return APP_REFUSED;
    }
    state->light.bounces = next;
    return APP_DONE;
}

void app_show_bounces(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%d", state->light.bounces);
}

APP_ACTION(app_change_samples)
{
    static const int counts[] = {1, 4, 16};
    enum { COUNTS = sizeof counts / sizeof *counts };
    int next = argument->given.choice;
    (void)facts;
    if (is_elsewhere(state, argument, "Samples belong to", reply))
        return APP_REFUSED;
    if (argument->step == APP_STEP_NEXT)
        for (int i = 0; i < COUNTS; i++)
            if (counts[i] == state->light.samples)
                next = (i + 1) % COUNTS;
    state->light.samples = counts[next];
    return APP_DONE;
}

void app_show_samples(const struct app_state *state, char *text, size_t size)
{
    snprintf(text, size, "%d", state->light.samples);
}

/* ---- the camera ---- */

APP_ACTION(app_change_camera)
{
    (void)facts;
    return app_camera_parse(argument->given.text, &state->light.camera)
               ? APP_DONE
               : refuse(reply, "A camera has a yaw, a pitch and a distance.");
}

void app_show_camera(const struct app_state *state, char *text, size_t size)
{
    app_camera_format(&state->light.camera, text, size);
}

/* Rounds to hundredths, so that a camera can be read out and typed. */
static float hundredths(double value)
{
    return (float)(round(value * 100.0) / 100.0);
}

APP_ACTION(app_change_orbit)
{
    const double step = argument->step == APP_STEP_MORE ? 5.0 : -5.0;
    (void)facts;
    if (is_elsewhere(state, argument, "The camera belongs to", reply))
        return APP_REFUSED;
    state->light.camera.yaw = hundredths(remainder((double)state->light.camera.yaw + step, 360.0));
    return APP_DONE;
}

APP_ACTION(app_change_tilt)
{
    const bool up = argument->step == APP_STEP_MORE;
    const double now = (double)state->light.camera.pitch;
    (void)facts;
    if (is_elsewhere(state, argument, "The camera belongs to", reply))
        return APP_REFUSED;
    const float next = hundredths(
        fmin(fmax(now + (up ? 5.0 : -5.0), (double)KRN_PITCH_MIN), (double)KRN_PITCH_MAX));
    if ((double)next == now)
        return refuse(reply, up ? "The camera is at its highest." : "The camera is at its lowest.");
    state->light.camera.pitch = next;
    return APP_DONE;
}

APP_ACTION(app_change_dolly)
{
    const bool away = argument->step == APP_STEP_MORE;
    const double now = (double)state->light.camera.distance;
    (void)facts;
    if (is_elsewhere(state, argument, "The camera belongs to", reply))
        return APP_REFUSED;
    const float next = hundredths(fmin(fmax(away ? now * 1.1 : now / 1.1, (double)KRN_DISTANCE_MIN),
                                       (double)KRN_DISTANCE_MAX));
    if ((double)next == now)
        return refuse(reply,
                      away ? "The camera is at its farthest." : "The camera is at its nearest.");
    state->light.camera.distance = next;
    return APP_DONE;
}

APP_ACTION(app_change_camera_path)
{
    (void)facts;
    if (is_elsewhere(state, argument, "The camera's path belongs to", reply))
        return APP_REFUSED;
    state->camera_path = argument->step == APP_STEP_SET ? argument->given.on : !state->camera_path;
    if (argument->step != APP_STEP_SET && state->camera_path && !state->motion)
        snprintf(reply->text, sizeof reply->text,
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
    const float start = start_distance(state->scene == APP_SCENE_FILE),
                now = state->light.camera.distance;
    if (!(now < start || now > start))
        state->light.camera.distance = start_distance(file);
}

APP_ACTION(app_change_scene)
{
    (void)facts;
    const char *path = argument->given.text;
    if (argument->given.word) {
        fit_camera(state, false);
        app_state_set_book(state);
        return APP_DONE;
    }
    if (strlen(path) >= sizeof state->scene_path) {
        snprintf(reply->text, sizeof reply->text,
                 "The path of the scene file is too long; at most %zu bytes.",
                 sizeof state->scene_path - 1);
        return APP_REFUSED;
    }
    memset(state->scene_path, 0, sizeof state->scene_path);
    memcpy(state->scene_path, path, strlen(path));
    fit_camera(state, true);
    state->scene = APP_SCENE_FILE;
    return APP_DONE;
}

void app_show_scene(const struct app_state *state, char *text, size_t size)
{
    const struct krn_scene_recipe *now = &state->recipe, book = krn_scene_book();
    if (state->scene == APP_SCENE_FILE) {
        snprintf(text, size, "%s", state->scene_path);
        app_make_printable(text);
    } else if (now->count == book.count && now->seed == book.seed &&
               now->radius_min == book.radius_min && now->radius_max == book.radius_max)
        snprintf(text, size, "book");
    else
        snprintf(text, size, "random");
}
