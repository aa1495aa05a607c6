/* app/measure/class_run.h - the kernels of a folder, ranked: one after another is tried in a
 * process of its own, timed in turns with the book's kernel, and verified.
 *
 * A class has a device of its own beside the picture's, as the story plot has (mode_run.h), and
 * takes turns with the picture's frames: while it times or verifies a kernel, nothing else may use
 * the device. It renders the scene of the state that it was opened with, standing still.
 */
#pragma once

#include "engine/engine.h"

struct app_class;

/* Creates the class of a folder's files; engine: the picture's, which must outlive it. A size that
 * follows a window is the book's. settle(who), unless NULL: as for app_story_open. */
struct app_class *app_class_open(struct app_engine *engine, const struct app_state *state,
                                 const char *folder, void (*settle)(void *who), void *who);
void app_class_close(struct app_class *self); /* accepts NULL */

/* Looks what has come, changed and gone, and takes a step for the kernel whose turn it is, on a
 * backend; another one begins anew. Errors: KRN_LOST; others become a row's `why`. */
enum krn_code app_class_frame(struct app_class *self, enum krn_backend_id backend, double now_s,
                              struct krn_error *error);

/* Returns true from when a kernel has passed its trial until its row is complete. */
bool app_class_measures(const struct app_class *self);

/* Returns the board; valid until the next call of another function. */
const struct app_class_view *app_class_current(struct app_class *self, double now_s);
