/* app/report.h - results records of this program's runs: sessions, screenshots, benchmarks. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "engine.h"
#include "environment.h"
#include "measure.h"
#include "record.h"
#include "verify.h"

#include "ren/blit.h"
#include "ren/context.h"

/* What the picture was drawn with; all NULL where nothing was drawn. */
struct app_screen {
    const struct ren_gl_info *gl;
    const char *context; /* "GLFW window, X11", "EGL surfaceless" */
    const struct ren_blit_status *blit;
    const struct app_verify *verify; /* what is known of the pictures; NULL: nothing */
    bool display_waits;              /* the device idles until the display takes a frame */
};

/* The session so far: one result for each mode that was timed. To be freed; NULL: memory is full.
 */
char *app_report_session(struct app_environment *environment, const struct app_engine *engine,
                         const struct app_state *state, const struct app_screen *screen);

/* A headless measurement of all modes, raw samples included. */
char *app_report_measurement(struct app_environment *environment, const struct app_engine *engine,
                             const struct app_state *state, const struct app_screen *screen,
                             const struct app_measurement *measurement);

#endif
