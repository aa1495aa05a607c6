/* tests/support/sessions.h - a session for tests, in the context of offscreen.h: a square picture
 * without motion, and a simulated clock. */
#ifndef TEST_SESSIONS_H
#define TEST_SESSIONS_H

#include "offscreen.h"

#include "base/environment.h"
#include "window/session.h"

enum { WIDTH = 640, HEIGHT = 360 }; /* of its frames */

static struct app_session session;
static struct app_environment environment;
static struct app_engine *engine;
static struct app_state start_state;
static struct app_run run;
static double now_s;

/* Opens the session on a backend. side: of the picture, pixels. */
static inline void test_session_open(enum krn_backend_id backend, int side, enum app_panels panels)
{
    struct krn_error error;
    char notice[APP_NOTICE_MAX];
    run = app_run_default();
    run.backend = (int)backend;
    start_state = app_state_default();
    start_state.width = start_state.height = side;
    start_state.motion = start_state.vsync = false;
    start_state.panels = panels;
    TEST_OK(app_engine_open(&engine, &run, &start_state, notice, &error), error);
    const struct app_session_start start = {.engine = engine,
                                            .renderer = renderer,
                                            .environment = &environment,
                                            .state = &start_state,
                                            .run = &run,
                                            .context = "",
                                            .fallback_reason = "",
                                            .live = true};
    app_session_open(&session, &start);
    now_s = 0.0;
}

static inline int test_session_close(void **unused)
{
    (void)unused;
    app_session_close(&session);
    app_engine_close(engine);
    return 0;
}

/* Draws frames, a tenth of a second apart. */
static inline void frames(int count)
{
    const struct app_session_target target = {WIDTH, HEIGHT, 1.0f};
    struct krn_error error;
    for (; count > 0; count--) {
        now_s += 0.1;
        TEST_OK(app_session_frame(&session, &target, now_s, &error), error);
    }
}

#endif
