/* app/window/session_files.h - what a session writes: its record, and screenshots that carry it. */
#ifndef APP_SESSION_FILES_H
#define APP_SESSION_FILES_H

#include "window/session_state.h"

/* Copies the phases of the last frames to *view; view->frames is 0 when none were collected. */
void app_session_anatomy(const struct app_session *session, struct app_anatomy_view *view);

/* Returns the session's record as text, to be freed. *complete: every result is complete and none
 * is missing; NULL is fine. */
char *app_session_record(struct app_session *session, bool *complete);

/* Writes the frame just drawn, with the session's record, to path. An empty path stands for a new
 * file in the pictures folder; its name goes to path. */
enum krn_code app_session_screenshot(struct app_session *session, int width, int height,
                                     char path[APP_PATH_MAX], struct krn_error *error);

/* Serves the key that records a run: starts the process that measures it, or cancels the one that
 * runs; and follows its progress. Notices tell how it goes. */
void app_session_recording(struct app_session *session, double now_s);

/* Writes the session's record to a new file in the pictures folder; its name goes to path. */
enum krn_code app_session_results(struct app_session *session, char path[APP_PATH_MAX],
                                  struct krn_error *error);

#endif
