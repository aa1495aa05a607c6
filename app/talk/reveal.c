#include "talk/reveal.h"

#include "base/numbers.h"
#include "claims/claims.h"
#include "judge/trust.h"

#include "krn/interval.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A guess this close to the number is right, as a size on the claims board is. */
static const double close_enough = 0.1;

struct app_talk_measured app_talk_not_measured(const char *why)
{
    struct app_talk_measured measured;
    memset(&measured, 0, sizeof measured);
    measured.verdict = "";
    snprintf(measured.number, sizeof measured.number, "–");
    snprintf(measured.why, sizeof measured.why, "%s", why);
    return measured;
}

static void set_value(struct app_talk_measured *measured, const struct app_estimate *estimate)
{
    measured->valid = true;
    measured->has_value = estimate->valid && isfinite(estimate->value);
    measured->has_interval = measured->has_value && estimate->has_interval;
    measured->value = estimate->value;
    measured->low = estimate->low;
    measured->high = estimate->high;
}

struct app_talk_measured app_talk_measured_claim(const struct app_claim *claim)
{
    struct app_talk_measured measured = app_talk_not_measured(claim->note);
    if (claim->verdict == APP_CLAIM_NOT_MEASURED) {
        /* The key that a note may name measures only outside of a talk. */
        if (measured.why[0] == 0 || strstr(measured.why, "measures it") != NULL)
            snprintf(measured.why, sizeof measured.why, "not measured yet");
        return measured;
    }
    set_value(&measured, &claim->estimate);
    snprintf(measured.number, sizeof measured.number, "%s", claim->now);
    snprintf(measured.interval, sizeof measured.interval, "%s", claim->interval);
    measured.verdict = app_claim_verdict_name(claim->verdict);
    measured.trust = claim->trust;
    return measured;
}

struct app_talk_measured app_talk_measured_number(struct app_estimate n, const char *verdict)
{
    struct app_talk_measured measured = app_talk_not_measured("not measured yet");
    if (!n.valid)
        return measured;
    const char *instead = app_trust_no_verdict(n.trust);
    const struct app_number number =
        verdict ? app_number_plain(n.value, "×") : app_number_time(n.value);
    set_value(&measured, &n);
    measured.verdict = instead ? instead : verdict ? verdict : "";
    measured.trust = n.trust;
    snprintf(measured.number, sizeof measured.number, "%s%s%s", number.value, verdict ? "" : " ",
             number.unit);
    if (!n.has_interval)
        return measured;
    const struct app_interval_text interval =
        verdict ? app_number_interval(n.low, n.high, n.value,
                                      app_number_decimals(n.value, n.high - n.low))
                : app_number_time_interval_within(n.low, n.high, n.value);
    snprintf(measured.interval, sizeof measured.interval, "%s", interval.text);
    return measured;
}

struct app_talk_measured app_talk_measured_time(const struct krn_series *series, double tick_ms,
                                                unsigned trust)
{
    if (series == NULL || series->count < KRN_INTERVAL_SAMPLES_MIN)
        return app_talk_not_measured("not measured yet");
    const struct krn_interval interval = krn_interval_widen(krn_series_interval(series), tick_ms);
    struct app_estimate ms = app_estimate_plain(krn_series_summary(series).median);
    ms.has_interval = interval.valid;
    ms.low = interval.low;
    ms.high = interval.high;
    ms.trust = trust;
    return app_talk_measured_number(ms, NULL);
}

/* ---- guesses ---- */

static void judge_number(const struct app_talk_question *question, double guessed,
                         const struct app_talk_measured *measured, struct app_talk_guess *guess)
{
    const bool is_time = question->source.kind == APP_SOURCE_TIME;
    const double value = measured->value,
                 number = is_time ? guessed * app_talk_unit_ms(question->unit) : guessed;
    guess->out_of_range = question->lowest < question->highest &&
                          !(guessed >= question->lowest && guessed <= question->highest);
    if (!measured->valid || !measured->has_value || !(value > 0.0))
        return;
    if (measured->has_interval && number >= measured->low && number <= measured->high) {
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
    const double low = measured->has_interval ? measured->low : measured->value;
    const double high = measured->has_interval ? measured->high : measured->value;
    int right = -1;
    bool judged = false;
    if (!measured->valid)
        return;
    for (int i = 0; i < question->answer_count; i++) {
        const struct app_talk_answer *answer = &question->answers[i];
        judged = judged || answer->bounded || answer->verdict[0] != 0;
        if ((answer->bounded && measured->has_value && low >= answer->from && high <= answer->to) ||
            (answer->verdict[0] != 0 && strcmp(answer->verdict, measured->verdict) == 0))
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
    return shown->recorded_device && !shown->measured.valid && shown->recorded.valid
               ? &shown->recorded
               : &shown->measured;
}
