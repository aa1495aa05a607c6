/* app/report/report_session.h - the record of a session: everything that it has measured so far. */
#ifndef APP_REPORT_SESSION_H
#define APP_REPORT_SESSION_H

#include "engine/verify.h"
#include "measure/panels.h"
#include "recorded/replay.h"
#include "report/report_anatomy.h"

/* The session that a record is made of. */
struct app_session_record {
    struct app_environment *environment;
    const struct app_engine *engine;
    const struct app_state *state;
    struct app_screen screen;
    const struct app_verify *verify;
    bool display_waits;                     /* the device idles until the display takes a frame */
    struct app_panels_live *panels;         /* NULL: none are shown */
    const struct krn_series *frames;        /* whole frames, ms */
    const struct app_anatomy_view *anatomy; /* of the last frames; NULL: none */
    double now_s;                           /* when the frame began */
    /* A recorded run on screen, NULL: none; and with play, its modes there, in place of the
     * session's own. */
    const struct app_recorded *recorded;
    const struct app_replay_shown *shown;
    bool play;
    bool cut_short; /* the session has ended before its time: the record is incomplete */
};

/* Writes the record: one result for each mode that was timed, for the duel, for every topic of the
 * panels, and for whole frames. To be freed. *complete: every result is complete and none is
 * missing; NULL is fine. */
char *app_report_session(const struct app_session_record *session, bool *complete);

#endif
