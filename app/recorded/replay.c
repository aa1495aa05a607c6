#include "recorded/replay.h"

#include <string.h>

bool app_replay_find(const struct app_recorded *recorded, const struct app_state *state,
                     const struct krn_mode *before, struct app_replay_shown *shown)
{
    if (recorded == shown->recorded && app_state_same_picture(state, &shown->state) &&
        krn_mode_equal(state->mode, shown->state.mode) && state->duel.on == shown->duel &&
        (!shown->duel || krn_mode_equal(state->duel.other, shown->state.duel.other)) &&
        (before != NULL) == shown->has_before &&
        (before == NULL || krn_mode_equal(*before, shown->before.mode)))
        return false;
    memset(shown, 0, sizeof *shown);
    shown->recorded = recorded;
    memcpy(&shown->state, state, sizeof *state);
    shown->duel = state->duel.on;
    shown->has_before = before != NULL;
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
