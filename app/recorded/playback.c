#include "recorded/playback.h"

bool app_playback_find(struct app_playback *playback, const struct app_recorded *recorded,
                       const struct app_state *state, const struct krn_mode *before,
                       double band_percent)
{
    if (recorded == playback->recorded && app_state_same_picture(state, &playback->state) &&
        krn_mode_equal(state->mode, playback->state.mode) &&
        state->duel.on == playback->state.duel.on &&
        (!state->duel.on || krn_mode_equal(state->duel.other, playback->state.duel.other)) &&
        (before != NULL) == playback->has_before &&
        (before == NULL || krn_mode_equal(*before, playback->before.mode)))
        return false;
    playback->recorded = recorded;
    playback->state = *state;
    playback->sides = state->duel.on ? 2 : 1;
    playback->has_before = before != NULL;
    playback->modes[0] = app_recorded_find(recorded, state, state->mode);
    playback->modes[1] = app_recorded_find(recorded, state, state->duel.other);
    playback->before = before ? app_recorded_find(recorded, state, *before)
                              : (struct app_mode_time){.valid = false};
    app_recorded_story(recorded, state, band_percent, &playback->story);
    return true;
}

void app_playback_frame(struct app_playback *playback, enum krn_backend_id backend)
{
    for (int side = 0; side < playback->sides; side++) {
        const struct app_mode_time *mode = &playback->modes[side];
        if (!mode->valid)
            continue;
        size_t *next = &playback->next[krn_mode_index(mode->mode)];
        const struct krn_reading reading = {.ms = mode->samples_ms[*next % mode->ms.n],
                                            .mode = mode->mode};
        *next = (*next + 1) % mode->ms.n;
        app_trace_push(&playback->trace, backend, &reading, playback->sides == 2 ? side : -1);
    }
}
