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

struct app_talk_measured app_talk_measured_claim(const struct app_claim *claim)
{
    struct app_talk_measured measured = app_talk_not_measured(claim->note);
    const struct app_estimate *estimate = &claim->estimate;
    if (claim->verdict == APP_CLAIM_NOT_MEASURED) {
        /* The key that a note may name measures only outside of a talk. */
        if (measured.why[0] == 0 || strstr(measured.why, "measures it") != NULL)
            snprintf(measured.why, sizeof measured.why, "not measured yet");
        return measured;
    }
    measured.valid = true;
    measured.has_value = estimate->valid && isfinite(estimate->value);
    measured.has_interval = measured.has_value && estimate->has_interval;
    measured.value = estimate->value;
    measured.low = estimate->low;
    measured.high = estimate->high;
    snprintf(measured.number, sizeof measured.number, "%s", claim->now);
    snprintf(measured.interval, sizeof measured.interval, "%s", claim->interval);
    measured.verdict = app_claim_verdict_name(claim->verdict);
    measured.trust = claim->trust;
    return measured;
}

struct app_talk_measured app_talk_measured_ratio(struct app_estimate ratio, const char *verdict)
{
    struct app_talk_measured measured = app_talk_not_measured("not measured yet");
    if (!ratio.valid)
        return measured;
    measured.valid = measured.has_value = true;
    measured.has_interval = ratio.has_interval;
    measured.value = ratio.value;
    measured.low = ratio.low;
    measured.high = ratio.high;
    measured.trust = ratio.trust;
    const char *instead = app_trust_no_verdict(ratio.trust);
    measured.verdict = instead != NULL ? instead : verdict;
    snprintf(measured.number, sizeof measured.number, "%s×",
             app_number_plain(ratio.value, "").value);
    if (ratio.has_interval) {
        const int decimals = app_number_decimals(ratio.value, ratio.high - ratio.low);
        snprintf(measured.interval, sizeof measured.interval, "%s",
                 app_number_interval(ratio.low, ratio.high, ratio.value, decimals).text);
    }
    return measured;
}

struct app_talk_measured app_talk_measured_estimate(struct app_estimate ms)
{
    struct app_talk_measured measured = app_talk_not_measured("not measured yet");
    if (!ms.valid)
        return measured;
    const struct app_number time = app_number_time(ms.value);
    const char *instead = app_trust_no_verdict(ms.trust);
    measured.valid = measured.has_value = true;
    measured.has_interval = ms.has_interval;
    measured.value = ms.value;
    measured.low = ms.low;
    measured.high = ms.high;
    measured.trust = ms.trust;
    measured.verdict = instead != NULL ? instead : "";
    snprintf(measured.number, sizeof measured.number, "%s %s", time.value, time.unit);
    if (ms.has_interval)
        snprintf(measured.interval, sizeof measured.interval, "%s",
                 app_number_time_interval_within(ms.low, ms.high, ms.value).text);
    return measured;
}

struct app_talk_measured app_talk_measured_time(const struct krn_series *series, double tick_ms,
                                                unsigned trust)
{
    if (series == NULL || series->count < KRN_INTERVAL_SAMPLES_MIN)
        return app_talk_not_measured("not measured yet");
    const struct krn_interval interval = krn_interval_widen(krn_series_interval(series), tick_ms);
    struct app_estimate ms = app_estimate_plain(krn_series_summary(series).median);
    ms.valid = true;
    ms.has_interval = interval.valid;
    ms.low = interval.low;
    ms.high = interval.high;
    ms.trust = trust;
    return app_talk_measured_estimate(ms);
}

/* ---- guesses ---- */

/* Returns the typed number in the unit of the measurement: times are measured in ms. */
static double in_measured_unit(const struct app_talk_question *question, double number)
{
    return question->source.kind != APP_SOURCE_TIME ? number
           : strcmp(question->unit, "ns") == 0      ? number * 1e-6
           : strcmp(question->unit, "µs") == 0      ? number * 1e-3
           : strcmp(question->unit, "s") == 0       ? number * 1e3
                                                    : number;
}

static void judge_number(const struct app_talk_question *question, double guessed,
                         const struct app_talk_measured *measured, struct app_talk_guess *guess)
{
    const double number = in_measured_unit(question, guessed), value = measured->value;
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
