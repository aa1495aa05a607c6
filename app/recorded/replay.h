/* app/recorded/replay.h - replays a recorded run frame by frame: every frame on screen takes the
 * next recorded sample of its mode, so that the plot moves as it did. */
#ifndef APP_RECORDED_REPLAY_H
#define APP_RECORDED_REPLAY_H

#include "engine/engine.h"
#include "recorded/recorded.h"

/* The modes on screen: without a duel the state's, in a duel A and B. Zeroed, none was found. */
struct app_replay_shown {
    bool duel;
    struct app_recorded_mode modes[2];
    struct app_recorded_mode before;     /* the mode that was left; not valid: there is none */
    bool has_before;                     /* a mode was left */
    const struct app_recorded *recorded; /* NULL: nothing has been found yet */
    struct app_state state;              /* the state that they belong to */
};

/* Zeroed, nothing has been replayed. */
struct app_replay {
    struct app_trace trace;
    size_t next[KRN_MODES]; /* the sample of each mode that comes next */
};

/* Finds the recorded times of the modes on screen, and of the mode that was left (NULL: none was),
 * unless *shown has them already. Returns true when it has searched. */
bool app_replay_find(const struct app_recorded *recorded, const struct app_state *state,
                     const struct krn_mode *before, struct app_replay_shown *shown);

/* Adds a frame to the trace: a sample of each mode that was recorded. */
void app_replay_frame(struct app_replay *replay, const struct app_replay_shown *shown,
                      enum krn_backend_id backend);

#endif
