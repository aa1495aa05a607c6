/* app/recorded/playback.h - plays a recorded run: the times of the modes on screen, and for every
 * frame the next recorded sample of each, so that the plot moves as it did. */
#ifndef APP_RECORDED_PLAYBACK_H
#define APP_RECORDED_PLAYBACK_H

#include "engine/engine.h"
#include "recorded/recorded.h"

/* Zeroed, nothing was found and nothing was played. */
struct app_playback {
    const struct app_recorded *recorded; /* NULL: nothing was found */
    struct app_state state;              /* the state that the times belong to */
    int sides;                           /* 1, or in a duel 2 */
    struct app_mode_time modes[2];       /* the state's mode, or A and B */
    struct app_mode_time before;         /* of the mode that was left; not valid: there is none */
    bool has_before;                     /* a mode was left */
    struct app_story_view story;         /* its sweep is the caller's to free in the end */
    struct app_trace trace;
    size_t next[KRN_MODES_MAX]; /* the sample of each mode that comes next */
};

/* Finds what the run has for a state: the times of the modes on screen and of the mode that was
 * left (NULL: none was), and the story plot; unless *playback has it already. Returns true when it
 * has searched. */
bool app_playback_find(struct app_playback *playback, const struct app_recorded *recorded,
                       const struct app_state *state, const struct krn_mode *before,
                       double band_percent);

/* Adds a frame to the trace: a sample of each mode that was recorded. */
void app_playback_frame(struct app_playback *playback, enum krn_backend_id backend);

#endif
