/* Walks through a talk without a display. */
#include "base/process.h"
#include "krn/memory.h"
#include "talk/talk.h"
#include "window/front.h"
#include "window/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct checking {
    struct app_program *program;
    struct app_session *session;
    char fault[200]; /* the first text that a hall cannot read; "": all can be read */
    bool sourced;    /* a text says that its numbers are recorded */
};

/* Looks at a text that is drawn: for one that is cut, and for a number that is missing. This
 * machine's own numbers come later. */
static void look_at_text(void *context, struct ren_rect box, const char *text)
{
    struct checking *checking = context;
    const size_t length = strlen(text);
    const bool cut = length > strlen("…") && strcmp(text + length - strlen("…"), "…") == 0,
               dash = checking->session->play && strcmp(text, "–") == 0;
    (void)box;
    checking->sourced = checking->sourced || strstr(text, "recorded") != NULL;
    if ((cut || dash) && !checking->fault[0])
        snprintf(checking->fault, sizeof checking->fault,
                 cut ? "a text is cut: %.150s" : "a number is missing: %s", text);
}

static void ignore_card(void *context, struct ren_rect rect)
{
    (void)context;
    (void)rect;
}

static void note_left_out(void *context)
{
    struct checking *checking = context;
    snprintf(checking->fault, sizeof checking->fault, "a chart has no room");
}

/* Draws frames of a step, and of a question's answer. The session goes back to another state when
 * it cannot show this one. */
static enum krn_code draw_step(void *context, struct app_state *state, struct krn_error *error)
{
    struct checking *checking = context;
    const bool asks = state->talk.asks != APP_ASKS_NOTHING;
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
    session->notice[0] = checking->fault[0] = 0;
    checking->sourced = false;
    for (int frame = 0; code == KRN_OK && frame < 2; frame++) {
        if (!asks)
            checking->fault[0] = 0; /* the first frame has no numbers yet */
        session->state.talk.revealed = asks && frame > 0;
        session->state.talk.choice = asks && frame > 0;
        code = app_session_frame(session, &target, app_clock_s(), error);
    }
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
    if (!fault[0])
        fault = checking->fault;
    const bool page = now->look.panels != APP_PANELS_OFF;
    if (!fault[0] && session->play && !checking->sourced &&
        (asks || now->look.code || (page ? now->look.page != APP_SUBJECT_ANATOMY : now->look.hud)))
        fault = "nothing says where its numbers come from";
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
    struct app_session *session = krn_alloc(1, sizeof *session);
    struct checking checking = {.program = program, .session = session};
    const struct app_draw_witness witness = {look_at_text, ignore_card, NULL, note_left_out,
                                             &checking};
    app_session_open(session, &start);
    session->witness = &witness;
    code = app_talk_check(program->talk, &program->state, draw_step, &checking, &program->progress,
                          stdout, error);
    app_session_close(session);
    free(session);
    app_canvas_close(&canvas);
    return code;
}
