/* tests/support/sessions.h - a session for tests, in the context of offscreen.h, with a
 * simulated clock. */
#pragma once

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

/* Sets the defaults of a run on a backend, without vertical sync. */
static inline void test_session_defaults(enum krn_backend_id backend)
{
    run = app_run_default();
    run.backend = (int)backend;
    start_state = app_state_default();
    start_state.look.vsync = false;
    now_s = 0.0;
}

/* Opens the engine for `run` and `start_state`; returns what a session starts with. */
static inline struct app_session_start test_session_start(void)
{
    char notice[APP_NOTICE_MAX];
    TEST_OK(app_engine_open(&engine, &run, &start_state, notice, &error));
    return (struct app_session_start){.engine = engine,
                                      .renderer = renderer,
                                      .environment = &environment,
                                      .state = &start_state,
                                      .run = &run,
                                      .context = "",
                                      .fallback_reason = "",
                                      .live = true};
}

/* Opens the session on a backend, without motion. side: of the picture, pixels. */
static inline void test_session_open(enum krn_backend_id backend, int side, enum app_panels panels)
{
    test_session_defaults(backend);
    start_state.spec.width = start_state.spec.height = side;
    start_state.spec.motion = false;
    start_state.look.panels = panels;
    const struct app_session_start start = test_session_start();
    app_session_open(&session, &start);
}

static inline int test_session_close(void **unused)
{
    (void)unused;
    app_session_close(&session);
    app_engine_close(engine);
    return 0;
}

/* Draw frames, a tenth of a second apart; of any size. */
static inline void sized_frames(int width, int height, int count)
{
    const struct app_session_target target = {width, height, 1.0f};
    for (; count > 0; count--) {
        now_s += 0.1;
        TEST_OK(app_session_frame(&session, &target, now_s, &error));
    }
}

static inline void frames(int count)
{
    sized_frames(WIDTH, HEIGHT, count);
}
