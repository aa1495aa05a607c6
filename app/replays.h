/* app/replays.h - what --replay does before and beside an ordinary run. */
#ifndef APP_REPLAYS_H
#define APP_REPLAYS_H

#include "bench/program.h"

/* Reads the file of --replay, and sets the program's state to the recorded one with the options of
 * the command line applied to it. Returns APP_EXIT_DONE, or the exit code after a message. */
int app_replays_restore(struct app_program *program);

/* Verifies the picture. Says where the record comes from and whether
 * the picture is the same; a different one sets program->wrong. Call it when the engine has adopted
 * the state. Errors: as app_replay_verify. */
enum krn_code app_replays_verify(struct app_program *program, struct krn_error *error);

void app_replays_free(struct app_program *program);

#endif
