/* app/report/report.h - results records of this program's runs: sessions, screenshots, benchmarks.
 */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "base/environment.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "judge/trust.h"
#include "measure/duel_run.h"
#include "measure/mode_run.h"
#include "measure/panels.h"
#include "record/record.h"

#include "ren/blit.h"
#include "ren/context.h"

/* What the picture was drawn with; all NULL where nothing was drawn. */
struct app_screen {
    const struct ren_gl_info *gl;
    const char *context; /* "GLFW window, X11", "EGL surfaceless" */
    const struct ren_blit_status *blit;
    const struct app_verify *verify; /* what is known of the pictures; NULL: nothing */
    bool display_waits;              /* the device idles until the display takes a frame */
    struct app_panels_live *panels;  /* NULL: none are shown */
    double now_s;                    /* of the frame */
};

/* The session so far: one result for each mode that was timed, and one for whole frames. To be
 * freed; NULL: memory is full.
 */
char *app_report_session(struct app_environment *environment, const struct app_engine *engine,
                         const struct app_state *state, const struct app_screen *screen,
                         const struct krn_series *frames);

/* A report that benchmarks add to, one after another. */
struct app_report {
    struct app_record *record;
    bool whole;       /* false: memory was full */
    size_t results;   /* added so far */
    unsigned reasons; /* enum app_trust_reason bits of all results */
};

void app_report_begin(struct app_report *report, struct app_environment *environment,
                      const struct app_engine *engine, const struct app_state *state,
                      const struct app_screen *screen);

/* Adds a result; verified and trust are judged from facts. */
void app_report_add(struct app_report *report, const struct app_result *result,
                    const struct app_trust_facts *facts);

/* All modes of a headless measurement, raw samples included. */
void app_report_add_measurement(struct app_report *report, const struct app_engine *engine,
                                const struct app_state *state,
                                const struct app_measurement *measurement);

/* A duel: one result "duel", its samples the newest pairs, A's and B's in turn. */
void app_report_add_duel(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_duel_result *duel_result);

/* Not all that was asked for was measured: the record says so, even if all its results are whole.
 */
void app_report_incomplete(struct app_report *report);

/* The record as text, to be freed; NULL: memory was full. */
char *app_report_end(struct app_report *report);

#endif
