/* app/talk/check.c - --check: enters every step from both sides, and compares the states. */
#include "talk/talk.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Compares two states by their bytes, but for requests and for what was said to a question. */
static bool same_state(const struct app_state *a, const struct app_state *b)
{
    struct app_state left = *a, right = *b;
    left.requests = right.requests = 0;
    left.talk = right.talk;
    return memcmp(&left, &right, sizeof left) == 0;
}

static bool shows_mode(const struct app_state *state, struct krn_mode mode)
{
    return krn_mode_equal(state->spec.mode, mode) ||
           (state->spec.duel.on && krn_mode_equal(state->spec.duel.other, mode));
}

/* Returns true when one of the steps up to `step` shows this mode with the scene of that step. */
static bool mode_was_shown(const struct app_state *states, int step, struct krn_mode mode)
{
    bool shown = false;
    for (int i = 0; i <= step; i++)
        shown = shown ||
                (shows_mode(&states[i], mode) && app_state_same_picture(&states[i], &states[step]));
    return shown;
}

/* Returns the modes that the question's answer needs; a claim needs none, since the panels measure
 * in a talk, shown or not. */
static int modes_needed(const struct app_talk_question *question)
{
    return question->asks == APP_ASKS_NOTHING          ? 0
           : question->source.kind == APP_SOURCE_RATIO ? 2
           : question->source.kind == APP_SOURCE_TIME  ? 1
                                                       : 0;
}

/* Returns why a step is not fit to be given; NULL: it is. */
static const char *find_fault(const struct app_talk *talk, const struct app_state *states,
                              int number)
{
    const struct app_talk_step *step = &talk->steps[number];
    const struct app_state *state = &states[number];
    if (step->caption[0] == 0 && step->body_count == 0 && step->question.asks == APP_ASKS_NOTHING &&
        state->look.panels == APP_PANELS_OFF && state->look.page_url[0] == 0)
        return "it shows nothing: no caption, no question and no page";
    for (int side = 0; side < modes_needed(&step->question); side++)
        if (!mode_was_shown(states, number, step->question.source.modes[side]))
            return "its question rests on a mode that no step up to it shows with this scene";
    return NULL;
}

/* Writes what a step shows: "caption, question (constant-kernel), page ilp, compact". */
static void describe(const struct app_talk_step *step, const struct app_state *state, char *text,
                     size_t size)
{
    char source[128];
    snprintf(text, size, "%s", step->caption[0] != 0 ? "caption" : "");
    app_talk_describe_source(&step->question.source, source, sizeof source);
    if (step->question.asks != APP_ASKS_NOTHING)
        app_append(text, size, ", ", "question (%s)", source);
    if (state->look.panels == APP_PANELS_OFF)
        app_append(text, size, ", ", "no page");
    else
        app_append(text, size, ", ", "page %s, %s", app_subject_names[state->look.page],
                   app_panels_names[state->look.panels]);
}

static enum krn_code fail(const struct app_talk *talk, int step, const char *why,
                          struct krn_error *error)
{
    const size_t length = strlen(why);
    return KRN_FAIL(error, KRN_FAILED, "%s, step %s: %s%s", talk->file.text, talk->steps[step].id,
                    why, length > 0 && why[length - 1] == '.' ? "" : ".");
}

/* Enters a step as a key does, from the one before or behind it, and compares the state with the
 * one computed from the start. */
static enum krn_code walk_to(const struct app_talk *talk, const struct app_state *start, int step,
                             const struct app_state *expected, struct app_state *state,
                             struct krn_error *error)
{
    struct app_state kept = *start;
    const struct app_state before = *state;
    struct krn_error why;
    state->talk.step = step;
    state->talk.on = true;
    if (app_talk_follow(talk, &kept, &before, state, &why) != KRN_OK)
        return fail(talk, step, why.text, error);
    if (!same_state(state, expected))
        return fail(talk, step, "going back gives another state than going forward", error);
    return KRN_OK;
}

static enum krn_code walk(const struct app_talk *talk, const struct app_state *start,
                          struct app_state *states, app_talk_show *show, void *context,
                          struct app_progress *progress, FILE *out, struct krn_error *error)
{
    struct app_state state = *start;
    struct krn_error why;
    for (int i = 0; i < talk->step_count; i++) {
        const struct app_talk_step *step = &talk->steps[i];
        char text[256];
        if (app_talk_state(talk, start, i, &states[i], &why) != KRN_OK)
            return KRN_FAIL(error, KRN_FAILED, "%s, %s", talk->file.text, why.text);
        enum krn_code code = walk_to(talk, start, i, &states[i], &state, error);
        if (code != KRN_OK)
            return code;
        app_progress_show(progress,
                          app_phrase("step %d of %d, %s", i + 1, talk->step_count, step->id).text);
        struct app_state shown = state;
        code = show(context, &shown, &why);
        if (code != KRN_OK)
            return fail(talk, i, why.text, error);
        const char *fault = find_fault(talk, states, i);
        if (fault != NULL)
            return fail(talk, i, fault, error);
        describe(step, &state, text, sizeof text);
        app_progress_clear(progress);
        /* The sum of what is printed is the printed sum. */
        const double to = round(100.0 * app_talk_minutes_before(talk, i + 1)),
                     from = round(100.0 * app_talk_minutes_before(talk, i));
        fprintf(out, "%3d  %-24s %6.2f min  %s\n", i + 1, step->id, (to - from) / 100.0, text);
    }
    for (int i = talk->step_count - 1; i >= 0; i--) {
        const enum krn_code code = walk_to(talk, start, i, &states[i], &state, error);
        if (code != KRN_OK)
            return code;
    }
    return KRN_OK;
}

enum krn_code app_talk_check(const struct app_talk *talk, const struct app_state *start,
                             app_talk_show *show, void *context, struct app_progress *progress,
                             FILE *out, struct krn_error *error)
{
    struct app_state *states = krn_alloc((size_t)talk->step_count, sizeof *states);
    fprintf(out, "%s\n", talk->title);
    const enum krn_code code = walk(talk, start, states, show, context, progress, out, error);
    free(states);
    if (code == KRN_OK)
        fprintf(out, "%d steps, %.2f min of the %.2f planned\n", talk->step_count,
                app_talk_minutes_before(talk, talk->step_count), talk->minutes);
    return code;
}
