/* app/bench/replay.h - renders the picture of a record again, and says whether it is the same.
 *
 * A record of a screenshot contains all that its picture follows from, and a hash of the picture.
 * Reading one opens no other file. Windows and PNG files are the caller's.
 */
#pragma once

#include "engine/engine.h"
#include "model/model.h"
#include "spec/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

struct app_replay {
    char name[100]; /* of the file, shortened for messages */
    struct app_results then;
};

/* Reads a record from its text, which messages call `source`. On success the caller frees *replay
 * with app_replay_free. Errors: KRN_REFUSED (no record, or one without a state that can be
 * rendered), KRN_NO_MEMORY. */
enum krn_code app_replay_read(struct app_replay *replay, const char *text, size_t length,
                              const char *source, struct krn_error *error);

void app_replay_free(struct app_replay *replay); /* accepts a zeroed one */

/* Returns the state that the run begins with: the recorded one, whose motion is paused and whose
 * image keeps its size. */
struct app_state app_replay_state(const struct app_replay *replay);

/* Gives the recorded spheres to the engine, in place of the file that they came from. scene_given:
 * the command line names another scene. Errors: KRN_REFUSED when the record has only the path of
 * its scene and the command line names none, KRN_NO_MEMORY. */
enum krn_code app_replay_lend_scene(const struct app_replay *replay, struct app_engine *engine,
                                    bool scene_given, struct krn_error *error);

enum app_replay_verdict {
    APP_REPLAY_SAME,    /* the picture has the recorded bytes */
    APP_REPLAY_DIFFERS, /* it has not, although scene, pose, size and zoom are the recorded ones */
    APP_REPLAY_UNKNOWN  /* not compared: the record has no hash, or options change the picture */
};

enum { APP_REPLAY_WORDS = 240 };

/* Renders the state's picture once, compares its hash with the recorded one, and writes the verdict
 * as a clause: "the same bytes (hash ...)". Call it after app_engine_adopt. Errors: those of
 * app_picture_hash. */
enum krn_code app_replay_verify(const struct app_replay *replay, const struct app_engine *engine,
                                const struct app_state *state, enum app_replay_verdict *verdict,
                                char words[APP_REPLAY_WORDS], struct krn_error *error);

/* Writes where the record comes from: "NVIDIA H200, 2026-11-22T17:00:00Z, book/global". */
void app_replay_origin(const struct app_replay *replay, char *text, size_t size);

/* Writes the patterns of --modes that choose `mode` and all modes that the record has timed; "",
 * which chooses every mode, when they do not fit. */
void app_replay_modes(const struct app_replay *replay, struct krn_mode mode, char *patterns,
                      size_t size);
