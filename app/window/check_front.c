/* Walks through a talk without a display. */
#include "base/clock.h"
#include "base/memory.h"
#include "talk/talk.h"
#include "window/canvas.h"
#include "window/front.h"
#include "window/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    struct app_program *program;
    struct app_session *session;
};

/* Draws frames of a step. The session goes back to another state when it cannot show this one. */
static enum krn_code draw_step(void *context, struct app_state *state, struct krn_error *error)
{
    const struct checking *checking = context;
    struct app_session *session = checking->session;
    const struct app_run *run = &checking->program->run;
    const struct app_session_target target = {run->window_width, run->window_height, 1.0f};
    enum krn_code code = KRN_OK;
    /* A picture that would take this machine long is drawn smaller; answers are of its own size. */
    const double most = 5e8; /* nominal tests */
    session->state = session->trial.wanted = *state;
    while (session->state.spec.width > 64 && (double)session->state.spec.width *
                                                     session->state.spec.height *
                                                     session->state.spec.recipe.count >
                                                 most) {
        session->state.spec.width /= 2;
        session->state.spec.height /= 2;
    }
    session->trial.lighter = session->state;
    session->notice[0] = 0;
    for (int frame = 0; code == KRN_OK && frame < 2; frame++)
        code = app_session_frame(session, &target, app_clock_s(), error);
    if (code != KRN_OK)
        return code;
    const struct app_state *now = &session->state;
    const bool shown =
        now->spec.backend == state->spec.backend &&
        krn_mode_equal(now->spec.mode, state->spec.mode) &&
        now->spec.duel.on == state->spec.duel.on && now->spec.scene == state->spec.scene &&
        strcmp(now->spec.scene_path, state->spec.scene_path) == 0 &&
        (now->spec.scene == APP_SCENE_FILE || now->spec.recipe.count == state->spec.recipe.count);
    if (!shown)
        return KRN_FAIL(error, KRN_FAILED, "%s",
                        session->notice[0] ? session->notice : "another state is shown");
    const char *fault = app_session_talk_fault(session);
    return fault[0] ? KRN_FAIL(error, KRN_FAILED, "%s", fault) : KRN_OK;
}

enum krn_code app_front_talk_check(struct app_program *program, struct krn_error *error)
{
    struct app_canvas canvas;
    enum krn_code code =
        app_canvas_open(&canvas, app_canvas_ordinal(program->engine, &program->state), error);
    if (code != KRN_OK)
        return KRN_UNAVAILABLE;
    const struct app_session_start start = {
        .engine = program->engine,
        .renderer = canvas.renderer,
        .environment = &program->environment,
        .state = &program->state,
        .run = &program->run,
        .context = ren_offscreen_describe(canvas.offscreen),
        .fallback_reason = program->fallback_reason,
        .talk = program->talk,
        .recorded = program->recorded,
        .play = program->run.play[0] != 0,
        .stands_in = program->stands_in && app_recorded_loader_wait(program->recorded),
        .live = false,
    };
    (void)app_recorded_loader_wait(program->recorded);
    struct app_session *session = app_alloc(1, sizeof *session);
    struct checking checking = {program, session};
    app_session_open(session, &start);
    code = app_talk_check(program->talk, &program->state, draw_step, &checking, &program->progress,
                          stdout, error);
    app_session_close(session);
    free(session);
    app_canvas_close(&canvas);
    return code;
}
