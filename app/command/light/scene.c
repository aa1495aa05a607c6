/* app/command/light/scene.c - the change and show functions of the scene, which also decides where
 * the light view's camera starts. */
#include "command/actions.h"

#include "base/complain.h"

#include <stdio.h>
#include <string.h>

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
