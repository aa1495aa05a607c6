/* app/measure/session_record.h - the record of a session with a window. */
#pragma once

#include "engine/verify.h"
#include "measure/panels.h"
#include "measure/report.h"
#include "records/recorded.h"

/* Adds every mode that was recorded at the state's scene, size and zoom: copies of the numbers of a
 * recorded run, each with its samples and the reason `recorded`, for pictures that show them. */
void app_report_recorded_modes(struct app_results *results, const struct app_recorded *recorded,
                               const struct app_state *state);

/* Names the device and the time of the recorded results, for programs and in a sentence. */
void app_report_recorded_origin(struct app_results *results, const struct app_recorded *recorded);

/* The session that a record is made of. */
struct app_session_record {
    struct app_environment *environment;
    const struct app_engine *engine;
    const struct app_state *state;
    struct app_screen screen;
    const struct app_verify *const *verify; /* two: of the backend on screen, and of a duel's B */
    bool display_waits;                     /* the device idles until the display takes a frame */
    struct app_panels_live *panels;         /* NULL: none are shown */
    const struct app_story *story;          /* what was measured for the story plot */
    const struct krn_series *frames;        /* whole frames, ms */
    const struct app_anatomy_view *anatomy; /* of the last frames; NULL: none */
    double now_s;                           /* when the frame began */
    const struct app_recorded *recorded;    /* the recorded run on screen; NULL: none */
    const struct app_measurement *measured; /* takes the place of times on screen; NULL: none */
    const struct app_state *played; /* whose recorded times stand in for the session's own; NULL:
                                       none do */
    bool cut_short; /* the session has ended before its time: the record is incomplete */
};

/* Returns the record, to be freed with app_results_free: one result for each mode that was timed,
 * on screen and at each point of the story plot, for the duel, for every topic of the panels, and
 * for whole frames. */
struct app_results app_report_session(const struct app_session_record *session);
