#include "recorded/replay.h"

#include <string.h>

static bool same_key(const struct app_replay_key *a, const struct app_replay_key *b)
{
    return a->recorded == b->recorded && a->scene == b->scene &&
           a->recipe.count == b->recipe.count && a->recipe.seed == b->recipe.seed &&
           a->recipe.radius_min == b->recipe.radius_min &&
           a->recipe.radius_max == b->recipe.radius_max && a->width == b->width &&
           a->height == b->height && a->zoom == b->zoom && app_light_same(&a->light, &b->light) &&
           a->camera_path == b->camera_path && a->duel == b->duel &&
           a->has_before == b->has_before && krn_mode_equal(a->modes[0], b->modes[0]) &&
           (!a->duel || krn_mode_equal(a->modes[1], b->modes[1])) &&
           (!a->has_before || krn_mode_equal(a->before, b->before));
}

bool app_replay_find(const struct app_recorded *recorded, const struct app_state *state,
                     const struct krn_mode *before, struct app_replay_shown *shown)
{
    struct app_replay_key key = {.recorded = recorded,
                                 .scene = state->scene,
                                 .recipe = state->recipe,
                                 .width = state->width,
                                 .height = state->height,
                                 .zoom = state->zoom,
                                 .light = state->light,
                                 .camera_path = state->camera_path,
                                 .duel = state->duel.on,
                                 .has_before = before != NULL,
                                 .modes = {state->mode, state->duel.other}};
    if (before)
        key.before = *before;
    if (same_key(&key, &shown->key))
        return false;
    memset(shown, 0, sizeof *shown);
    shown->key = key;
    shown->duel = key.duel;
    shown->modes[0] = app_recorded_find(recorded, state, state->mode);
    if (shown->duel)
        shown->modes[1] = app_recorded_find(recorded, state, state->duel.other);
    if (before)
        shown->before = app_recorded_find(recorded, state, *before);
    return true;
}

void app_replay_frame(struct app_replay *replay, const struct app_replay_shown *shown,
                      enum krn_backend_id backend)
{
    for (int side = 0; side < (shown->duel ? 2 : 1); side++) {
        const struct app_recorded_mode *mode = &shown->modes[side];
        if (!mode->valid)
            continue;
        size_t *next = &replay->next[krn_mode_index(mode->mode)];
        const struct krn_reading reading = {.ms = mode->samples_ms[*next % mode->count],
                                            .mode = mode->mode};
        *next = (*next + 1) % mode->count;
        app_trace_push(&replay->trace, backend, &reading, shown->duel ? side : -1);
    }
}
