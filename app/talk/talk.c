/* app/talk/talk.c - makes the state of any step; sets a guess beside the measured answer. */
#include "talk/talk.h"

#include "krn/memory.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum krn_code apply_step(const struct app_talk_step *step, struct app_state *state,
                                struct krn_error *error)
{
    struct app_facts facts; /* no option of a step depends on the machine */
    struct krn_error combination;
    memset(&facts, 0, sizeof facts);
    for (int i = 0; i < step->setting_count; i++) {
        const struct app_talk_setting *setting = &step->settings[i];
        const struct app_argument argument = {.step = APP_STEP_SET, .given = setting->given};
        struct app_reply reply;
        if (app_change(state, &facts, setting->entry, &argument, &reply) != APP_DONE)
            return KRN_FAIL(error, KRN_REFUSED, "step %s: set.%s: %s", step->id,
                            setting->entry->flag + 2, reply.text);
    }
    for (int i = 0; i < step->setting_count; i++) {
        const struct app_talk_setting *setting = &step->settings[i];
        if (strcmp(setting->entry->name, "view") == 0 &&
            setting->given.choice != (int)app_state_view(state))
            return KRN_FAIL(error, KRN_REFUSED,
                            "step %s: set.view: %s, but the %s kernel draws the %s view.", step->id,
                            setting->text, krn_kernel_name(state->spec.mode.kernel),
                            krn_view_name(app_state_view(state)));
    }
    if (app_state_check(state, &combination) != KRN_OK)
        return KRN_FAIL(error, KRN_REFUSED, "step %s: %s", step->id, combination.text);
    return KRN_OK;
}

/* Fills in the place in the talk, at a step that has just begun. */
static void place(const struct app_talk *talk, int step, struct app_talk_view *view)
{
    const struct app_talk_question *question = &talk->steps[step].question;
    memset(view, 0, sizeof *view);
    view->steps = talk->step_count;
    view->step = step;
    view->on = true;
    view->asks = question->asks;
    view->answers = question->answer_count;
}

enum krn_code app_talk_state(const struct app_talk *talk, const struct app_state *start, int step,
                             struct app_state *state, struct krn_error *error)
{
    struct app_state made = *start;
    for (int i = 0; i <= step; i++) {
        const enum krn_code code = apply_step(&talk->steps[i], &made, error);
        if (code != KRN_OK)
            return code;
    }
    made.requests = 0;
    memset(&made.pending, 0, sizeof made.pending);
    place(talk, step, &made.talk);
    memcpy(state, &made, sizeof made);
    return KRN_OK;
}

/* Copies to *start what a key has changed for the whole room. */
static void keep_room(struct app_state *start, const struct app_state *before,
                      const struct app_state *now)
{
    if (now->look.fullscreen != before->look.fullscreen)
        start->look.fullscreen = now->look.fullscreen;
    if (now->look.vsync != before->look.vsync)
        start->look.vsync = now->look.vsync;
    if (now->look.theme != before->look.theme)
        start->look.theme = now->look.theme;
    if (now->look.hud_scale != before->look.hud_scale)
        start->look.hud_scale = now->look.hud_scale;
}

enum krn_code app_talk_follow(const struct app_talk *talk, struct app_state *start,
                              const struct app_state *before, struct app_state *state,
                              struct krn_error *error)
{
    const struct app_talk_view view = state->talk;
    const bool moves = view.step != before->talk.step, resumes = view.on && !before->talk.on;
    const bool home = view.on && (state->requests & APP_REQUEST_HOME) != 0;
    keep_room(start, before, state);
    if (!moves && !resumes && !home)
        return KRN_OK;
    const unsigned requests = state->requests & ~(unsigned)APP_REQUEST_HOME;
    const enum krn_code code = app_talk_state(talk, start, view.step, state, error);
    if (code != KRN_OK)
        place(talk, view.step, &state->talk);
    memcpy(state->talk.said, view.said, sizeof view.said);
    /* A question goes on where it was left; one before this step has been answered. */
    if (!moves && view.steps > 0) {
        state->talk = view;
    } else if (view.step < before->talk.step && state->talk.asks != APP_ASKS_NOTHING) {
        state->talk.committed = state->talk.revealed = true;
        state->talk.choice = view.said[view.step].choice;
        memcpy(state->talk.typed, view.said[view.step].typed, sizeof state->talk.typed);
    }
    state->requests = requests;
    if (view.step > before->talk.step && talk->steps[view.step].measures)
        state->requests |= APP_REQUEST_MEASURE;
    return code;
}

void app_talk_hidden(const struct app_talk *talk, const struct app_talk_view *view,
                     bool hidden[APP_CLAIM_COUNT])
{
    memset(hidden, 0, APP_CLAIM_COUNT * sizeof *hidden);
    for (int i = view->step; i < talk->step_count; i++) {
        const struct app_talk_question *question = &talk->steps[i].question;
        const bool open = i > view->step || !view->revealed;
        if (question->asks != APP_ASKS_NOTHING && question->source.kind == APP_SOURCE_CLAIM && open)
            hidden[question->source.claim] = true;
    }
}

double app_talk_unit_ms(const char *unit)
{
    return strcmp(unit, "ns") == 0   ? 1e-6
           : strcmp(unit, "µs") == 0 ? 1e-3
           : strcmp(unit, "ms") == 0 ? 1.0
           : strcmp(unit, "s") == 0  ? 1e3
                                     : 0.0;
}

double app_talk_minutes_before(const struct app_talk *talk, int step)
{
    double minutes = 0.0;
    for (int i = 0; i < step && i < talk->step_count; i++)
        minutes += talk->steps[i].minutes;
    return minutes;
}

void app_talk_describe_source(const struct app_talk_source *source, char *text, size_t size)
{
    char first[APP_MODE_TEXT_MAX], second[APP_MODE_TEXT_MAX];
    krn_mode_name(source->modes[0], first, sizeof first);
    krn_mode_name(source->modes[1], second, sizeof second);
    if (source->kind == APP_SOURCE_CLAIM)
        snprintf(text, size, "%s", app_claim_entry_of(source->claim)->id);
    else if (source->kind == APP_SOURCE_RATIO)
        snprintf(text, size, "ratio of %s to %s", first, second);
    else
        snprintf(text, size, "time of %s", first);
}

/* --- guesses --- */

/* A guess this close to the number is right, as a size on the claims board is. */
static const double close_enough = 0.1;

struct app_talk_measured app_talk_measured(struct app_described said, const char *why)
{
    struct app_talk_measured measured = {
        .valid = said.verdict != APP_VERDICT_NOT_MEASURED &&
                 said.verdict != APP_VERDICT_NOT_APPLICABLE &&
                 (said.verdict != APP_VERDICT_NONE || said.estimate.valid),
        .said = said};
    /* The key that a note may name measures only outside of a talk. */
    const bool told = why[0] != 0 && strstr(why, "measures it") == NULL;
    snprintf(measured.why, sizeof measured.why, "%s", told ? why : "not measured yet");
    return measured;
}

static void judge_number(const struct app_talk_question *question, double guessed,
                         const struct app_talk_measured *measured, struct app_talk_guess *guess)
{
    const bool is_time = question->source.kind == APP_SOURCE_TIME;
    const struct app_estimate *estimate = &measured->said.estimate;
    const double value = estimate->value,
                 number = is_time ? guessed * app_talk_unit_ms(question->unit) : guessed;
    if (!measured->valid || !estimate->valid || !(value > 0.0))
        return;
    if (estimate->has_interval && number >= estimate->low && number <= estimate->high) {
        guess->outcome = APP_GUESS_RIGHT;
        snprintf(guess->comment, sizeof guess->comment, "within the interval");
        return;
    }
    const double factor = number / value;
    guess->outcome = fabs(factor - 1.0) <= close_enough ? APP_GUESS_RIGHT : APP_GUESS_WRONG;
    if (guess->outcome == APP_GUESS_RIGHT)
        snprintf(guess->comment, sizeof guess->comment, "within 10 %%");
    else if (factor > 1.0)
        snprintf(guess->comment, sizeof guess->comment, "%s times too high",
                 app_number_plain(factor, "").value);
    else if (factor > 0.0)
        snprintf(guess->comment, sizeof guess->comment, "%s times too low",
                 app_number_plain(1.0 / factor, "").value);
    else
        snprintf(guess->comment, sizeof guess->comment, "too low");
}

static void judge_choice(const struct app_talk_question *question, int choice,
                         const struct app_talk_measured *measured, struct app_talk_guess *guess)
{
    const struct app_estimate *estimate = &measured->said.estimate;
    const double low = estimate->has_interval ? estimate->low : estimate->value,
                 high = estimate->has_interval ? estimate->high : estimate->value;
    int right = -1;
    bool judged = false;
    if (!measured->valid)
        return;
    for (int i = 0; i < question->answer_count; i++) {
        const struct app_talk_answer *answer = &question->answers[i];
        judged = judged || answer->bounded || answer->verdict != APP_VERDICT_NONE;
        if ((answer->bounded && estimate->valid && low >= answer->from && high <= answer->to) ||
            (answer->verdict != APP_VERDICT_NONE && answer->verdict == measured->said.verdict))
            right = i;
    }
    if (!judged)
        return;
    if (right < 0) {
        guess->outcome = APP_GUESS_OPEN;
        snprintf(guess->comment, sizeof guess->comment, "too close to tell");
    } else if (right == choice - 1) {
        guess->outcome = APP_GUESS_RIGHT;
        snprintf(guess->comment, sizeof guess->comment, "right");
    } else {
        guess->outcome = APP_GUESS_WRONG;
        snprintf(guess->comment, sizeof guess->comment, "measured: %s",
                 question->answers[right].text);
    }
}

void app_talk_fill_in(const char *text, int count, char *out, size_t size)
{
    const char *at = strstr(text, "{count}");
    if (at)
        snprintf(out, size, "%.*s%d%s", (int)(at - text), text, count, at + strlen("{count}"));
    else
        snprintf(out, size, "%s", text);
}

struct app_talk_guess app_talk_judge(const struct app_talk_question *question,
                                     const struct app_talk_view *view,
                                     const struct app_talk_measured *measured)
{
    struct app_talk_guess guess;
    double number = 0.0;
    memset(&guess, 0, sizeof guess);
    if (question->asks == APP_ASKS_NUMBER && view->typed[0] != 0 &&
        app_parse_real(view->typed, &number)) {
        snprintf(guess.text, sizeof guess.text, "%s%s%s", view->typed,
                 question->unit[0] != 0 && strcmp(question->unit, "×") != 0 ? " " : "",
                 question->unit);
        judge_number(question, number, measured, &guess);
    } else if (question->asks == APP_ASKS_CHOICE && view->choice >= 1 &&
               view->choice <= question->answer_count) {
        snprintf(guess.text, sizeof guess.text, "%s", question->answers[view->choice - 1].text);
        judge_choice(question, view->choice, measured, &guess);
    }
    return guess;
}

const struct app_talk_measured *app_talk_answer(const struct app_talk_shown *shown)
{
    return shown->recorded_device ? &shown->recorded : &shown->measured;
}

/* Adds step i. hidden: the claims whose answers the room must not see yet. */
static void add_step(struct app_table *table, const struct app_talk_step *step, int i, int count,
                     const struct app_talk_said *said, const struct app_claim *claims,
                     const bool hidden[APP_CLAIM_COUNT])
{
    const struct app_talk_question *question = &step->question;
    struct app_talk_view view = {.choice = said->choice};
    struct app_talk_measured measured = {.valid = false};
    char text[1000] = "", line[160];
    const bool of_claim =
        question->asks != APP_ASKS_NOTHING && question->source.kind == APP_SOURCE_CLAIM;
    const struct app_claim *claim = of_claim ? &claims[question->source.claim] : NULL;
    if (claim && !hidden[question->source.claim])
        measured = app_talk_measured(claim->now, claim->note);
    memcpy(view.typed, said->typed, sizeof view.typed);
    for (int l = -1; l < step->body_count; l++) {
        app_talk_fill_in(l < 0 ? step->caption : step->body[l], count, line, sizeof line);
        if (line[0])
            app_append(text, sizeof text, " ", "%s", line);
    }
    if (question->asks != APP_ASKS_NOTHING)
        app_append(text, sizeof text, " ", "%s", question->text);
    for (int a = 0; a < question->answer_count; a++)
        app_append(text, sizeof text, a > 0 ? " / " : " ", "%s", question->answers[a].text);
    const struct app_talk_guess guess = app_talk_judge(question, &view, &measured);
    const char *says = measured.valid ? app_verdict_entry(measured.said.verdict)->says : "";
    app_table_row(table);
    app_table_cell(table, "%d", i + 1);
    app_table_cell(table, "%s", text);
    app_table_cell(table, "%s%s%s", guess.text, guess.comment[0] ? ", " : "", guess.comment);
    app_table_cell(table, "%s%s%s", measured.valid ? measured.said.text : "", says[0] ? ": " : "",
                   says);
}

struct app_table *app_talk_table(const struct app_talk *talk, const struct app_talk_view *view,
                                 const struct app_state *start, const struct app_claim *claims,
                                 const char *device)
{
    struct app_table *table = app_table_new(talk->title);
    bool hidden[APP_CLAIM_COUNT];
    struct app_state state;
    struct krn_error error;
    app_talk_hidden(talk, view, hidden);
    app_table_about(table, "%s", talk->author);
    app_table_column(table, "step", APP_ALIGN_RIGHT);
    app_table_column(table, "", APP_ALIGN_LEFT);
    app_table_column(table, "your guess", APP_ALIGN_LEFT);
    app_table_column(table, device, APP_ALIGN_LEFT);
    for (int i = 0; i < talk->step_count; i++) {
        /* Reading the talk has found that every step has a state. */
        const bool known = app_talk_state(talk, start, i, &state, &error) == KRN_OK;
        add_step(table, &talk->steps[i], i,
                 known ? state.spec.recipe.count : start->spec.recipe.count, &view->said[i], claims,
                 hidden);
    }
    return table;
}

/* --- --check: enters every step from both sides, and compares the states --- */

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
