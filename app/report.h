/* app/report.h - results records of this program's runs: sessions, screenshots, benchmarks. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "duel_run.h"
#include "engine.h"
#include "environment.h"
#include "measure.h"
#include "record.h"

#include "ren/blit.h"
#include "ren/context.h"

/* What the picture was drawn with; all NULL where nothing was drawn. */
struct app_screen {
    const struct ren_gl_info *gl;
    const char *context; /* "GLFW window, X11", "EGL surfaceless" */
    const struct ren_blit_status *blit;
};

/* The session so far: one result for each mode that was timed, and one for whole frames. To be
 * freed; NULL: memory is full.
 */
char *app_report_session(struct app_environment *environment, const struct app_engine *engine,
                         const struct app_state *state, const struct app_screen *screen,
                         const struct krn_series *frames);

/* A headless measurement of all modes, raw samples included. */
char *app_report_measurement(struct app_environment *environment, const struct app_engine *engine,
                             const struct app_state *state, const struct app_screen *screen,
                             const struct app_measurement *measurement);

/* A headless duel: one result "duel", its samples the newest pairs, A's and B's in turn. */
char *app_report_duel(struct app_environment *environment, const struct app_engine *engine,
                      const struct app_state *state, const struct app_dueled *dueled);

#endif
