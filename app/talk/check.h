/* app/talk/check.h - walks through a talk before it is given. */
#ifndef APP_TALK_CHECK_H
#define APP_TALK_CHECK_H

#include "base/complain.h"
#include "talk/talk.h"

#include <stdio.h>

/* Shows a step's state, as far as this machine can; *state is what is shown then. Errors: any,
 * when the machine cannot show it. */
typedef enum krn_code app_talk_show(void *context, struct app_state *state,
                                    struct krn_error *error);

/* Walks through all steps forwards, showing each, and then backwards, comparing their states.
 * Prints one line per step and the sum of minutes to `out`, and shows the step it is at, which may
 * take minutes, by `progress`, which may be NULL. A step fails when its state is refused,
 * cannot be shown, or differs on the way back; when it shows nothing: no caption, no question, no
 * panels, no plot and no spotlight; and when no step up to it shows a mode that its question asks
 * about. Errors: KRN_FAILED, with the first step that fails and the reason. */
enum krn_code app_talk_check(const struct app_talk *talk, const struct app_state *start,
                             app_talk_show *show, void *context, struct app_progress *progress,
                             FILE *out, struct krn_error *error);

#endif
