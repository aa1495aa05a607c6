#include "window/talk/session_talk.h"

#include "hud/talk/talk.h"
#include "judge/toggle.h"

#include <string.h>

void app_session_talk_open(struct app_session *session, const struct app_talk *talk)
{
    struct krn_error error;
    session->talk_start = session->state;
    /* Reading the talk has found that every step has a state. */
    if (app_talk_state(talk, &session->talk_start, 0, &session->state, &error) != KRN_OK)
        return;
    session->talk = talk;
    if (talk->steps[0].measures)
        session->state.requests |= APP_REQUEST_MEASURE;
    /* What failures go back to, until a frame has been shown. */
    session->good = session->state;
}

enum krn_code app_session_talk_pressed(struct app_session *session, const struct app_state *before,
                                       struct krn_error *error)
{
    return app_talk_follow(session->talk, &session->talk_start, before, &session->state, error);
}

float app_session_talk_strip(const struct app_session *session, int width, int height)
{
    const struct app_state *state = &session->state;
    if (!session->talk || !state->talk.on || state->help || state->device_card)
        return 0.0f;
    return app_hud_talk_height(session->renderer, session->talk, &state->talk, (float)width,
                               (float)height);
}

const struct app_talk_source *app_session_talk_source(const struct app_session *session)
{
    const struct app_talk_view *view = &session->state.talk;
    const struct app_talk_question *question = &session->talk->steps[view->step].question;
    return question->asks != APP_ASKS_NOTHING && view->revealed ? &question->source : NULL;
}

/* Returns the ratio of a duel's result, of its first side over the other or the other way round. */
static struct app_estimate of_duel(const struct krn_duel_result *result, bool swapped)
{
    struct app_estimate ratio = app_estimate_plain(swapped ? 1.0 / result->ratio : result->ratio);
    ratio.valid = result->blocks > 0;
    ratio.has_interval = result->valid;
    ratio.low = swapped ? 1.0 / result->high : result->low;
    ratio.high = swapped ? 1.0 / result->low : result->high;
    return ratio;
}

static const char *word_of(enum krn_duel_verdict verdict, bool swapped)
{
    return krn_duel_verdict_name(!swapped                     ? verdict
                                 : verdict == KRN_DUEL_FASTER ? KRN_DUEL_SLOWER
                                 : verdict == KRN_DUEL_SLOWER ? KRN_DUEL_FASTER
                                                              : verdict);
}

/* Measures how many times as fast the first mode is as the second: by the running duel, if it is
 * one of these modes, else by the times that both had while they were shown. */
static struct app_talk_measured measure_ratio(const struct app_session *session,
                                              const struct app_talk_source *source,
                                              const struct app_talk_evidence *evidence)
{
    const struct krn_mode first = source->modes[0], second = source->modes[1];
    const struct app_duel *duel = session->state.duel.on ? app_engine_duel(session->engine) : NULL;
    const enum krn_backend_id backend = session->state.backend;
    for (int swapped = 0; duel && swapped < 2; swapped++) {
        if (!krn_mode_equal(duel->modes[swapped], first) ||
            !krn_mode_equal(duel->modes[1 - swapped], second))
            continue;
        const struct krn_duel_result *result = krn_duel_result_of(&duel->statistic);
        struct app_estimate ratio = of_duel(result, swapped != 0);
        ratio.trust = evidence->trust;
        return app_talk_measured_ratio(ratio, word_of(result->so_far, swapped != 0));
    }
    const struct app_toggle_side left = {app_engine_series(session->engine, backend, second),
                                         evidence->tick_ms},
                                 now = {app_engine_series(session->engine, backend, first),
                                        evidence->tick_ms};
    const struct app_toggle toggle = app_toggle_compare(left, now, evidence->band_percent);
    struct app_estimate ratio = app_estimate_plain(toggle.ratio);
    ratio.valid = ratio.has_interval = toggle.valid;
    ratio.low = toggle.low;
    ratio.high = toggle.high;
    ratio.trust = evidence->trust;
    return app_talk_measured_ratio(ratio, krn_duel_verdict_name(toggle.verdict));
}

static struct app_talk_measured measure(const struct app_session *session,
                                        const struct app_talk_source *source,
                                        const struct app_talk_evidence *evidence)
{
    if (source->kind == APP_SOURCE_CLAIM)
        return evidence->claims ? app_talk_measured_claim(&evidence->claims[source->claim])
                                : app_talk_not_measured("not measured yet");
    if (source->kind == APP_SOURCE_RATIO)
        return measure_ratio(session, source, evidence);
    return app_talk_measured_time(
        app_engine_series(session->engine, session->state.backend, source->modes[0]),
        evidence->tick_ms, evidence->trust);
}

const struct app_talk_shown *app_session_talk_show(struct app_session *session,
                                                   const struct app_talk_evidence *evidence,
                                                   const char *device)
{
    struct app_talk_shown *shown = &session->shown_talk;
    const struct app_talk_view *view = &session->state.talk;
    const struct app_talk_source *source = app_session_talk_source(session);
    memset(shown, 0, sizeof *shown);
    shown->talk = session->talk;
    shown->step = &session->talk->steps[view->step];
    shown->view = view;
    shown->device = device;
    shown->measured = source ? measure(session, source, evidence) : app_talk_not_measured("");
    if (shown->step->question.asks != APP_ASKS_NOTHING)
        shown->guess = app_talk_judge(&shown->step->question, view, &shown->measured);
    return shown;
}
