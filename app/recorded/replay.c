#include "recorded/replay.h"

void app_replay_find(const struct app_recorded *recorded, const struct app_state *state,
                     struct app_replay_shown *shown)
{
    shown->duel = state->duel.on;
    shown->modes[0] = app_recorded_find(recorded, state, state->mode);
    if (shown->duel)
        shown->modes[1] = app_recorded_find(recorded, state, state->duel.other);
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

struct app_comparison app_replay_compare(const struct app_recorded_mode *before,
                                         const struct app_recorded_mode *now, double band_percent)
{
    return app_compare_times(before->median, now->median, band_percent);
}

enum krn_duel_verdict app_replay_verdict(enum app_comparison_verdict verdict)
{
    static const enum krn_duel_verdict verdicts[] = {
        [APP_COMPARED_CANT_TELL] = KRN_DUEL_CANNOT_TELL,
        [APP_COMPARED_SAME] = KRN_DUEL_SAME,
        [APP_COMPARED_FASTER] = KRN_DUEL_FASTER,
        [APP_COMPARED_SLOWER] = KRN_DUEL_SLOWER,
        [APP_COMPARED_NO_VERDICT] = KRN_DUEL_CANNOT_TELL};
    return verdicts[verdict];
}
