/* app/bench/replay.c - reads a picture's record; finds what keeps it from being the same. */
#include "bench/program.h"

#include "base/files.h"
#include "measure/report.h"
#include "records/io.h"
#include "spec/state.h"

#include <inttypes.h>
#include <string.h>

/* Leaves out the times beside a picture, of other numbers of spheres or in another pose, as the
 * story plot has them. */
static void keep_picture(struct app_results *then)
{
    const struct app_state *state = &then->picture.state;
    size_t kept = 0;
    for (size_t i = 0; then->picture.has_hash && i < then->count; i++) {
        const bool moves = app_result_text(&then->results[i], APP_W_POSE_S) != NULL;
        if (strcmp(then->results[i].benchmark, "raytrace") != 0 ||
            (moves == state->spec.motion &&
             app_result_integer(&then->results[i], APP_W_SPHERES) == state->spec.recipe.count))
            then->results[kept++] = then->results[i];
    }
    then->count = then->picture.has_hash ? kept : then->count;
    app_results_sort(then);
}

enum krn_code app_replay_read(struct app_replay *replay, const char *text, size_t length,
                              const char *source, struct krn_error *error)
{
    memset(replay, 0, sizeof *replay);
    snprintf(replay->name, sizeof replay->name, "%s", app_shorten(source).text);
    enum krn_code code = app_results_read(text, length, source, &replay->then, error);
    if (code == KRN_OK && replay->then.picture.problem.code != KRN_OK) {
        *error = replay->then.picture.problem;
        code = error->code;
        app_replay_free(replay);
    }
    if (code == KRN_OK)
        keep_picture(&replay->then);
    return code;
}

void app_replay_free(struct app_replay *replay)
{
    app_results_free(&replay->then);
    memset(replay, 0, sizeof *replay);
}

struct app_state app_replay_state(const struct app_replay *replay)
{
    struct app_state state = replay->then.picture.state;
    state.spec.motion = false;
    state.spec.follow_pane = false;
    state.spec.fixed_width = state.spec.width;
    state.spec.fixed_height = state.spec.height;
    return state;
}

enum krn_code app_replay_lend_scene(const struct app_replay *replay, struct app_engine *engine,
                                    bool scene_given, struct krn_error *error)
{
    const struct app_results_picture *recorded = &replay->then.picture;
    if (recorded->state.spec.scene != APP_SCENE_FILE || scene_given)
        return KRN_OK;
    if (recorded->scene.count == 0)
        return KRN_FAIL(error, KRN_REFUSED,
                        "%s has only the path of its scene, %s, and a replay opens no file that a "
                        "record names: give the scene with --scene.",
                        replay->name, app_shorten(recorded->state.spec.scene_path).text);
    return app_engine_set_file(engine, recorded->state.spec.scene_path, &recorded->scene,
                               recorded->scene_note, error);
}

/* Compares all that determines the rays of two states of one view. */
static bool same_rays(const struct app_state *a, const struct app_state *b)
{
    const struct krn_view x = app_engine_view(a), y = app_engine_view(b);
    if (x.width != y.width || x.height != y.height)
        return false;
    return app_state_view(a) == KRN_VIEW_LIGHT ? app_light_same(&x.light, &y.light)
                                               : memcmp(&x.unit, &y.unit, sizeof x.unit) == 0;
}

/* Returns what is wrong with the mirrors of a scene whose spheres are the recorded ones; NULL:
 * nothing is. */
static const char *find_other_mirrors(const struct app_results_picture *recorded,
                                      const struct app_engine *engine)
{
    char then[APP_WORKLOAD_SCENE] = "", now[APP_WORKLOAD_SCENE];
    if (recorded->scene_hash[KRN_VIEW_LIGHT][0] != 0)
        snprintf(then, sizeof then, "%s", recorded->scene_hash[KRN_VIEW_LIGHT]);
    else if (recorded->scene.count > 0)
        app_workload_scene(KRN_VIEW_LIGHT, &recorded->scene, then);
    else
        return "the record does not tell its mirrors";
    app_workload_scene(KRN_VIEW_LIGHT, app_engine_scene(engine), now);
    return strcmp(now, then) == 0 ? NULL : "the mirrors differ from the recorded ones";
}

/* Returns what keeps the picture from being the recorded one; NULL: nothing does. */
static const char *find_change(const struct app_replay *replay, const struct app_engine *engine,
                               const struct app_state *state)
{
    const struct app_results_picture *recorded = &replay->then.picture;
    const struct app_state *then = &recorded->state;
    char hash[APP_WORKLOAD_SCENE];
    if (app_state_view(state) != app_state_view(then))
        return "the view is not the recorded one";
    if (!same_rays(state, then))
        return app_state_view(then) == KRN_VIEW_LIGHT
                   ? "size, camera, bounces or samples are not the recorded ones"
                   : "size or zoom are not the recorded ones";
    if (krn_pose_at(state->spec.motion_s).sine < krn_pose_at(then->spec.motion_s).sine ||
        krn_pose_at(state->spec.motion_s).sine > krn_pose_at(then->spec.motion_s).sine)
        return "the pose is not the recorded one";
    if (then->spec.scene == APP_SCENE_RANDOM)
        return app_state_same_scene(state, then) ? NULL : "the scene is not the recorded one";
    if (state->spec.scene != APP_SCENE_FILE)
        return "the scene is not the recorded one";
    if (recorded->scene.count > 0 && strcmp(state->spec.scene_path, then->spec.scene_path) == 0)
        return NULL;
    app_workload_scene(KRN_VIEW_BOOK, app_engine_scene(engine), hash);
    if (strcmp(hash, recorded->scene_hash[KRN_VIEW_BOOK]) != 0)
        return "the spheres are not the recorded ones";
    return app_state_view(then) == KRN_VIEW_LIGHT ? find_other_mirrors(recorded, engine) : NULL;
}

enum krn_code app_replay_verify(const struct app_replay *replay, const struct app_engine *engine,
                                const struct app_state *state, enum app_replay_verdict *verdict,
                                char words[APP_REPLAY_WORDS], struct krn_error *error)
{
    const struct app_results_picture *recorded = &replay->then.picture;
    uint64_t now;
    *verdict = APP_REPLAY_UNKNOWN;
    const char *change = find_change(replay, engine, state);
    if (change == NULL && !recorded->has_hash)
        change = "the record has no hash of it";
    if (change != NULL) {
        snprintf(words, APP_REPLAY_WORDS, "not compared, %s", change);
        return KRN_OK;
    }
    const enum krn_code code = app_picture_hash(engine, state, &now, error);
    if (code != KRN_OK)
        return code;
    *verdict = now == recorded->hash ? APP_REPLAY_SAME : APP_REPLAY_DIFFERS;
    if (now == recorded->hash)
        snprintf(words, APP_REPLAY_WORDS, "the same bytes (hash %016" PRIx64 ")", now);
    else
        snprintf(words, APP_REPLAY_WORDS, "DIFFERS (hash %016" PRIx64 ", recorded %016" PRIx64 ")",
                 now, recorded->hash);
    return KRN_OK;
}

void app_replay_origin(const struct app_replay *replay, char *text, size_t size)
{
    const struct app_results *then = &replay->then;
    char mode[APP_MODE_TEXT_MAX];
    krn_mode_name(replay->then.picture.state.spec.mode, mode, sizeof mode);
    snprintf(text, size, "%s, %s, %s", then->has_device ? then->device.name : "unknown device",
             then->time_utc, mode);
}

void app_replay_modes(const struct app_replay *replay, struct krn_mode mode, char *patterns,
                      size_t size)
{
    bool chosen[KRN_MODES_MAX] = {false};
    krn_mode_name(mode, patterns, size);
    size_t used = strlen(patterns);
    chosen[krn_mode_index(mode)] = true;
    for (size_t i = 0; i < replay->then.count; i++) {
        const struct app_result *result = &replay->then.results[i];
        if (!app_result_mode(result, &mode) || chosen[krn_mode_index(mode)])
            continue;
        chosen[krn_mode_index(mode)] = true;
        used += (size_t)snprintf(patterns + used, size - used, ",%s", result->variant);
        if (used >= size) {
            patterns[0] = 0;
            return;
        }
    }
}
