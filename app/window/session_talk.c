/* app/window/session_talk.c - what a talk's step shows, and what answers its question. */
#include "window/session.h"

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

float app_session_talk_strip(const struct app_session *session, int width, int height,
                             float content_scale)
{
    const struct app_state *state = &session->state;
    if (!session->talk || !state->talk.on || state->look.help || state->look.details)
        return 0.0f;
    /* The strip is the same at every step; measuring its texts takes a while. */
    static struct {
        const struct app_talk *talk;
        int width, height;
        float unit, strip;
    } kept;
    const float unit = app_layout_make(state, width, height, content_scale).unit;
    if (kept.talk != session->talk || kept.width != width || kept.height != height ||
        kept.unit != unit) {
        kept.talk = session->talk;
        kept.width = width;
        kept.height = height;
        kept.unit = unit;
        kept.strip = app_hud_talk_height(session->renderer, session->talk, unit, (float)width,
                                         (float)height);
    }
    return kept.strip;
}

const struct app_talk_source *app_session_talk_source(const struct app_session *session)
{
    const struct app_talk_view *view = &session->state.talk;
    const struct app_talk_question *question = &session->talk->steps[view->step].question;
    return question->asks != APP_ASKS_NOTHING ? &question->source : NULL;
}

/* Returns the state that recorded answers belong to: the talk's scene, whatever this machine can
 * show of it. */
static const struct app_state *wanted_of(const struct app_session *session)
{
    return session->played.recorded ? &session->played.state : &session->state;
}

static struct app_talk_measured no_answer(const char *why)
{
    return app_talk_measured((struct app_described){.verdict = APP_VERDICT_NOT_MEASURED}, why);
}

static struct app_talk_measured answer_ratio(struct app_comparison found, unsigned trust,
                                             const struct app_duel_side sides[2])
{
    if (app_same_caches(sides[0], sides[1]))
        return no_answer(app_verdict_entry(APP_VERDICT_SAME_CACHES)->says);
    found.ratio.trust = trust;
    return app_talk_measured(
        app_describe(found.ratio,
                     (struct app_form){.unit = "×",
                                       .digits = APP_DIGITS_ENDS,
                                       .verdict = found.ratio.valid ? found.verdict
                                                                    : APP_VERDICT_NOT_MEASURED}),
        "");
}

static struct app_talk_measured answer_time(struct app_estimate ms)
{
    return app_talk_measured(app_describe(ms, (struct app_form){.quantity = APP_QUANTITY_TIME,
                                                                .digits = APP_DIGITS_ENDS}),
                             "");
}

static struct app_talk_measured answer_claim(const struct app_claim *claim)
{
    return app_talk_measured(claim->now, claim->note);
}

/* Measures how many times as fast the first mode is as the second: by the running duel, if it is
 * one of these modes, else by the times that both had while they were shown. */
static struct app_talk_measured measure_ratio(const struct app_session *session,
                                              const struct app_talk_source *source,
                                              const struct app_talk_evidence *evidence)
{
    const struct app_duel *duel =
        session->state.spec.duel.on ? app_engine_duel(session->engine) : NULL;
    const enum krn_backend_id backend = session->state.spec.backend;
    const struct app_duel_side sides[2] = {{backend, source->modes[0]},
                                           {backend, source->modes[1]}};
    if (evidence->trust & APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED))
        return no_answer("not verified");
    for (int swapped = 0; duel && swapped < 2; swapped++) {
        if (!app_duel_side_equal(duel->sides[swapped], sides[0]) ||
            !app_duel_side_equal(duel->sides[1 - swapped], sides[1]))
            continue;
        struct app_comparison found = app_comparison_of_duel(
            krn_duel_result_of(&duel->statistic), krn_series_summary(&duel->ms[0]).median,
            krn_series_summary(&duel->ms[1]).median);
        if (swapped && found.ratio.valid) {
            found.ratio = app_estimate_into(1.0, found.ratio);
            found.verdict = found.verdict == APP_VERDICT_FASTER   ? APP_VERDICT_SLOWER
                            : found.verdict == APP_VERDICT_SLOWER ? APP_VERDICT_FASTER
                                                                  : found.verdict;
        }
        return answer_ratio(found, evidence->trust, sides);
    }
    const struct app_toggle_side left = {app_engine_series(session->engine, backend, sides[1].mode),
                                         evidence->tick_ms},
                                 now = {app_engine_series(session->engine, backend, sides[0].mode),
                                        evidence->tick_ms};
    return answer_ratio(app_toggle_compare(left, now, evidence->band_percent), evidence->trust,
                        sides);
}

static struct app_talk_measured measure(const struct app_session *session,
                                        const struct app_talk_source *source,
                                        const struct app_talk_evidence *evidence)
{
    if (source->kind == APP_SOURCE_CLAIM)
        return evidence->claims ? answer_claim(&evidence->claims[source->claim]) : no_answer("");
    if (source->kind == APP_SOURCE_RATIO)
        return measure_ratio(session, source, evidence);
    const struct krn_series *series =
        app_engine_series(session->engine, session->state.spec.backend, source->modes[0]);
    if (series == NULL || series->count < KRN_INTERVAL_SAMPLES_MIN)
        return no_answer("");
    struct app_estimate ms = app_estimate_of_run(krn_series_summary(series).median,
                                                 krn_series_interval(series), evidence->tick_ms);
    ms.trust = evidence->trust;
    return answer_time(ms);
}

/* Returns what the recorded run answers. */
static struct app_talk_measured find_recorded(const struct app_state *state,
                                              const struct app_talk_source *source,
                                              const struct app_recorded *recorded,
                                              double band_percent)
{
    if (source->kind == APP_SOURCE_CLAIM)
        return answer_claim(&app_recorded_view(recorded)->panels.claims[source->claim]);
    const struct app_mode_time first = app_recorded_find(recorded, state, source->modes[0]);
    if (!first.valid)
        return no_answer(first.missing);
    if (source->kind == APP_SOURCE_TIME)
        return answer_time(first.median);
    const struct app_mode_time second = app_recorded_find(recorded, state, source->modes[1]);
    if (!second.valid)
        return no_answer(second.missing);
    return answer_ratio(
        app_compare_times(second.median, first.median, band_percent),
        first.median.trust | second.median.trust,
        (struct app_duel_side[]){{first.backend, first.mode}, {second.backend, second.mode}});
}

/* Replaces the claims of a view by copies without the answers that are hidden. */
static void hide_claims(struct app_panels_view *view, const bool hidden[APP_CLAIM_COUNT],
                        struct app_claim shown[APP_CLAIM_COUNT])
{
    for (int i = 0; view->claims && i < APP_CLAIM_COUNT; i++)
        shown[i] = hidden[i] ? app_claim_hide(&view->claims[i]) : view->claims[i];
    if (view->claims)
        view->claims = shown;
}

void app_session_talk_hide(struct app_session *session, struct app_hud *hud)
{
    bool hidden[APP_CLAIM_COUNT], any = false;
    app_talk_hidden(session->talk, &session->state.talk, hidden);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        any = any || hidden[i];
    if (!any)
        return;
    if (hud->panels) {
        session->hides.panels = *hud->panels;
        hide_claims(&session->hides.panels, hidden, session->hides.claims[0]);
        hud->panels = &session->hides.panels;
    }
    if (hud->recorded) {
        session->hides.recorded = *hud->recorded;
        hide_claims(&session->hides.recorded.panels, hidden, session->hides.claims[1]);
        hud->recorded = &session->hides.recorded;
    }
}

/* Returns why the recorded run cannot show the page; "": it can. */
static const char *find_no_subject(const struct app_session *session,
                                   const struct app_recorded *recorded)
{
    static const char missing[] = "its page shows nothing: the recorded run lacks it";
    const struct app_panels_view *panels = &app_recorded_view(recorded)->panels;
    const enum app_subject subject = session->state.look.page;
    const int topic = app_subject_topic(subject), claim = app_subject_claim(subject);
    if (claim >= 0 && !app_verdict_is_judged(panels->claims[claim].now.verdict))
        return missing;
    for (int i = 0; topic >= 0 && i < panels->probes.count; i++)
        if (app_result_is_of(&panels->probes.results[i], (enum krn_topic)topic, NULL) &&
            app_result_samples(&panels->probes.results[i]) > 0)
            return "";
    return topic >= 0 ? missing : "";
}

const char *app_session_talk_fault(struct app_session *session)
{
    const struct app_state *state = &session->state;
    const struct app_talk_question *question = &session->talk->steps[state->talk.step].question;
    const bool stands_in = session->play || state->spec.backend == APP_FALLBACK_BACKEND;
    const struct app_recorded *recorded = stands_in ? session->played.recorded : NULL;
    static char text[300];
    if (session->play && app_state_shows(state, APP_SUBJECT_STORY) &&
        session->played.story.least == 0)
        return "its story plot shows nothing: the recorded run has other scenes or sizes";
    const char *none =
        recorded && state->look.panels != APP_PANELS_OFF ? find_no_subject(session, recorded) : "";
    const bool times =
        state->look.code || (state->look.hud && state->look.panels != APP_PANELS_FULL);
    for (int side = 0; session->play && recorded && question->asks == APP_ASKS_NOTHING && times &&
                       !none[0] && side <= state->spec.duel.on;
         side++) {
        const struct krn_mode mode = side ? state->spec.duel.other : state->spec.mode;
        const struct app_mode_time time = app_recorded_find(recorded, wanted_of(session), mode);
        snprintf(text, sizeof text, "a number is missing: %.250s", time.missing);
        none = time.valid ? "" : text;
    }
    if (none[0] || question->asks == APP_ASKS_NOTHING)
        return none;
    /* What this machine measures itself answers later. */
    const bool of_claim = question->source.kind == APP_SOURCE_CLAIM;
    const char *why = app_panels_why(session->panels, state->spec.backend);
    const char *missing = of_claim ? why : "";
    if (!session->play && missing[0] == 0 && (!of_claim || !recorded))
        return "";
    struct app_talk_measured answer = no_answer(missing);
    if (recorded)
        answer =
            find_recorded(wanted_of(session), &question->source, recorded, KRN_DUEL_BAND_PERCENT);
    if (answer.valid)
        return "";
    snprintf(text, sizeof text, "nothing answers its question: %.200s", answer.why);
    return text;
}

const struct app_talk_shown *app_session_talk_show(struct app_session *session,
                                                   const struct app_talk_evidence *evidence,
                                                   const char *device)
{
    struct app_talk_shown *shown = &session->shown_talk;
    const struct app_talk_view *view = &session->state.talk;
    const struct app_talk_source *source = app_session_talk_source(session);
    const struct app_state *wanted = wanted_of(session);
    memset(shown, 0, sizeof *shown);
    shown->talk = session->talk;
    shown->step = &session->talk->steps[view->step];
    shown->view = view;
    shown->device = device;
    shown->spheres = session->state.spec.recipe.count;
    if (evidence->recorded)
        shown->spheres = wanted->spec.recipe.count;
    if (source && source->kind == APP_SOURCE_CLAIM && evidence->recorded)
        shown->claim = &app_recorded_view(evidence->recorded)->panels.claims[source->claim];
    else if (source && source->kind == APP_SOURCE_CLAIM && evidence->claims)
        shown->claim = &evidence->claims[source->claim];
    if (source && session->play && evidence->recorded) {
        shown->measured = find_recorded(wanted, source, evidence->recorded, evidence->band_percent);
    } else if (source) {
        shown->measured = measure(session, source, evidence);
        if (evidence->recorded)
            shown->recorded =
                find_recorded(wanted, source, evidence->recorded, evidence->band_percent);
        if (shown->recorded.valid)
            shown->recorded_device = app_recorded_view(evidence->recorded)->name;
    }
    if (shown->step->question.asks != APP_ASKS_NOTHING)
        shown->guess = app_talk_judge(&shown->step->question, view, app_talk_answer(shown));
    return shown;
}
