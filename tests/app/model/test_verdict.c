/* What numbers say: metrics and ratios of estimates, the rules that give verdicts, and the words.
 */
#include "expect.h"

#include "model/trust.h"
#include "model/verdict.h"
#include "probe_results.h"

#include <math.h>
#include <stdio.h>

static struct app_estimate between(double low, double value, double high)
{
    return (struct app_estimate){.valid = true,
                                 .has_interval = true,
                                 .value = value,
                                 .low = low,
                                 .high = high,
                                 .processes = 1};
}

static struct app_estimate exactly(double value)
{
    return between(value, value, value);
}

static const struct app_estimate none;

/* --- rules --- */

/* Every rule on both sides of every end of its ranges. */
TEST(a_duel_belongs_to_its_medians)
{
    const struct krn_duel_result duel = {.pairs = 12,
                                         .blocks = 0,
                                         .valid = true,
                                         .ratio = 58.0,
                                         .low = 55.0,
                                         .high = 61.0,
                                         .so_far = KRN_RATIO_FASTER,
                                         .verdict = KRN_RATIO_FASTER};
    static const char *const names[] = {"B", "A"};
    /* The ratio of the pairs is not that of the medians, which are on screen. */
    struct app_comparison said = app_comparison_of_duel(&duel, 11.1, 513.0);
    assert_true(said.ratio.value == 513.0 / 11.1);
    assert_true(said.ratio.low == 513.0 / 11.1 && said.ratio.high == 61.0);
    assert_string_equal(app_comparison_say(&said, names, true).text, "is 46× faster");
    assert_string_equal(app_comparison_say(&said, names, true).sure, "46.2 to 61.0×");
    said = app_comparison_of_duel(&duel, 10.0, 580.0);
    assert_true(said.ratio.low == 55.0 && said.ratio.high == 61.0);
    assert_int_equal(said.verdict, APP_VERDICT_FASTER);
    /* Medians that contradict the pairs leave it open; without times there is nothing to say. */
    assert_int_equal(app_comparison_of_duel(&duel, 10.0, 9.9).verdict, APP_VERDICT_CANT_TELL);
    assert_false(app_comparison_of_duel(&duel, 0.0, 9.9).ratio.valid);
}

TEST(rules_follow_the_whole_interval)
{
    static const struct {
        enum app_rule rule;
        double claimed, band, low, high;
        enum app_verdict verdict;
    } rows[] = {
        /* A band of 1 % reaches from 1/1.01 to 1.01, a size of 1.5 from 1.364 to 1.65. */
        {APP_RULE_RATIO, 1.5, 1.0, 1.37, 1.64, APP_VERDICT_HOLDS},
        {APP_RULE_RATIO, 1.5, 1.0, 1.02, 1.08, APP_VERDICT_SMALLER},
        {APP_RULE_RATIO, 1.5, 1.0, 1.02, 1.363, APP_VERDICT_SMALLER},
        {APP_RULE_RATIO, 1.5, 1.0, 1.651, 2.5, APP_VERDICT_LARGER},
        /* The direction alone is found: the size may be the claimed one or not. */
        {APP_RULE_RATIO, 1.5, 1.0, 1.02, 1.365, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 1.0, 1.36, 1.64, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 1.0, 1.37, 1.66, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 1.0, 1.1, 2.0, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 1.0, 0.82, 0.84, APP_VERDICT_INVERTED},
        {APP_RULE_RATIO, 1.5, 1.0, 0.95, 0.99, APP_VERDICT_INVERTED},
        {APP_RULE_RATIO, 1.5, 1.0, 0.95, 0.995, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 1.0, 0.98, 1.06, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 1.0, 1.005, 1.06, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 5.0, 1.02, 1.08, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 50.0, 1.45, 1.64, APP_VERDICT_CANT_TELL},
        {APP_RULE_RATIO, 1.5, 50.0, 1.51, 1.64, APP_VERDICT_HOLDS},
        {APP_RULE_GREATER, 0.0, 1.0, 1.02, 1.04, APP_VERDICT_HOLDS},
        {APP_RULE_GREATER, 0.0, 1.0, 1.005, 1.04, APP_VERDICT_CANT_TELL},
        {APP_RULE_GREATER, 0.0, 1.0, 0.995, 1.005, APP_VERDICT_CANT_TELL},
        {APP_RULE_GREATER, 0.0, 1.0, 0.95, 0.98, APP_VERDICT_INVERTED},
        {APP_RULE_GREATER, 0.0, 0.0, 1.0, 1.0, APP_VERDICT_CANT_TELL},
        {APP_RULE_FASTER, 0.0, 1.0, 1.02, 1.2, APP_VERDICT_HOLDS},
        {APP_RULE_FASTER, 0.0, 1.0, 1.00, 1.2, APP_VERDICT_CANT_TELL},
        {APP_RULE_FASTER, 0.0, 1.0, 1.00, 1.009, APP_VERDICT_FAILS},
        {APP_RULE_FASTER, 0.0, 1.0, 0.82, 0.84, APP_VERDICT_FAILS},
        {APP_RULE_LEVEL, 74.6, 1.0, 69.0, 69.59, APP_VERDICT_BELOW},
        {APP_RULE_LEVEL, 74.6, 1.0, 69.0, 69.61, APP_VERDICT_CANT_TELL},
        {APP_RULE_LEVEL, 74.6, 1.0, 69.61, 79.59, APP_VERDICT_HOLDS},
        {APP_RULE_LEVEL, 74.6, 1.0, 79.0, 79.61, APP_VERDICT_CANT_TELL},
        {APP_RULE_LEVEL, 74.6, 1.0, 79.61, 80.0, APP_VERDICT_ABOVE},
        {APP_RULE_LEVEL, 74.6, 1.0, 60.0, 90.0, APP_VERDICT_CANT_TELL},
        /* A size of 0.5 reaches from 0.4545 to 0.55. */
        {APP_RULE_SIZE, 0.5, 1.0, 0.46, 0.54, APP_VERDICT_HOLDS},
        {APP_RULE_SIZE, 0.5, 1.0, 0.032, 0.032, APP_VERDICT_SMALLER},
        {APP_RULE_SIZE, 0.5, 1.0, 0.3, 0.46, APP_VERDICT_CANT_TELL},
        {APP_RULE_SIZE, 0.5, 1.0, 0.54, 0.6, APP_VERDICT_CANT_TELL},
        {APP_RULE_SIZE, 0.5, 1.0, 0.56, 1.0, APP_VERDICT_LARGER},
        {APP_RULE_LESS, 50.0, 1.0, 4.0, 49.0, APP_VERDICT_HOLDS},
        {APP_RULE_LESS, 50.0, 1.0, 4.0, 50.0, APP_VERDICT_CANT_TELL},
        {APP_RULE_LESS, 50.0, 1.0, 51.0, 99.0, APP_VERDICT_FAILS},
        {APP_RULE_LEAST, 400.0, 1.0, 400.0, 420.0, APP_VERDICT_HOLDS},
        {APP_RULE_LEAST, 400.0, 1.0, 399.0, INFINITY, APP_VERDICT_CANT_TELL},
        {APP_RULE_LEAST, 400.0, 1.0, 380.0, 400.0, APP_VERDICT_CANT_TELL},
        {APP_RULE_LEAST, 400.0, 1.0, 380.0, 399.0, APP_VERDICT_FAILS},
        {APP_RULE_BOUND, 0.0, 1.0, 2.0, 9.0, APP_VERDICT_HOLDS},
        {APP_RULE_BOUND, 0.0, 1.0, 1.9, 9.0, APP_VERDICT_CANT_TELL},
        {APP_RULE_BOUND, 0.0, 1.0, 0.4, 0.51, APP_VERDICT_CANT_TELL},
        {APP_RULE_BOUND, 0.0, 1.0, 0.4, 0.5, APP_VERDICT_FAILS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const enum app_rule rule = rows[i].rule;
        const double claimed = rows[i].claimed, band = rows[i].band;
        struct app_estimate number = between(rows[i].low, rows[i].low, rows[i].high);
        const enum app_verdict verdict = app_verdict_by(rule, number, claimed, band);
        if (verdict != rows[i].verdict)
            fail_msg("row %zu: [%g, %g] against %g, band %g: %s, not %s", i, number.low,
                     number.high, claimed, band, app_verdict_word(verdict),
                     app_verdict_word(rows[i].verdict));
        /* An amber reason changes nothing, a red one bars the verdict, a wrong result most of all.
         */
        number.trust = APP_TRUST_BIT(APP_TRUST_LOW_CLOCK);
        assert_int_equal(app_verdict_by(rule, number, claimed, band), verdict);
        number.trust |= APP_TRUST_BIT(APP_TRUST_THROTTLED);
        assert_int_equal(app_verdict_by(rule, number, claimed, band), APP_VERDICT_DO_NOT_QUOTE);
        number.trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        assert_int_equal(app_verdict_by(rule, number, claimed, band), APP_VERDICT_WRONG);
        number.valid = false;
        assert_int_equal(app_verdict_by(rule, number, claimed, band), APP_VERDICT_NOT_MEASURED);
        assert_int_equal(app_verdict_by(rule, app_estimate_plain(3.0), claimed, band),
                         APP_VERDICT_CANT_TELL);
    }
}

/* The printed interval is at 95 %, the one that decides at 99 %. */
TEST(verdicts_rest_on_99_percent)
{
    static const struct {
        double value, spread; /* the processes lie this factor below and above */
        size_t processes;
        enum app_verdict verdict;
    } rows[] = {{1.13, 1.1, 5, APP_VERDICT_CANT_TELL},
                {1.13, 1.02, 5, APP_VERDICT_SMALLER},
                {1.5, 1.02, 5, APP_VERDICT_HOLDS},
                {1.5, 1.02, 1, APP_VERDICT_CANT_TELL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double each[KRN_PROCESSES_MAX];
        const size_t n = rows[i].processes;
        for (size_t p = 0; p < n; p++)
            each[p] = rows[i].value *
                      pow(rows[i].spread, n > 1 ? 2.0 * (double)p / (double)(n - 1) - 1.0 : 0.0);
        const struct app_estimate ratio = app_estimate_of_processes(each, n, 0.0);
        if (i == 0)
            assert_true(ratio.has_interval && ratio.low > 1.01 && ratio.high < 1.5 / 1.1 &&
                        app_estimate_verdict_interval(ratio).low < 1.01);
        assert_int_equal(app_verdict_by(APP_RULE_RATIO, ratio, 1.5, 1.0), rows[i].verdict);
    }
}

/* What levels take, in pairs: at most half, and not fewer. */
TEST(levels_that_are_reached_or_never)
{
    const double never = INFINITY;
    const struct {
        struct app_estimate many, few;
        enum app_verdict half, no_fewer; /* of `few` than `many` */
    } rows[] = {
        {none, exactly(25), APP_VERDICT_NOT_MEASURED, APP_VERDICT_NOT_MEASURED},
        {exactly(25), none, APP_VERDICT_NOT_MEASURED, APP_VERDICT_NOT_MEASURED},
        {app_estimate_plain(100), exactly(25), APP_VERDICT_CANT_TELL, APP_VERDICT_CANT_TELL},
        {exactly(50), exactly(25), APP_VERDICT_HOLDS, APP_VERDICT_FAILS},
        {exactly(never), exactly(25), APP_VERDICT_HOLDS, APP_VERDICT_FAILS},
        {between(37.5, 50, 50), exactly(25), APP_VERDICT_CANT_TELL, APP_VERDICT_FAILS},
        {exactly(37.5), exactly(25), APP_VERDICT_FAILS, APP_VERDICT_FAILS},
        {between(37.5, 37.5, never), exactly(25), APP_VERDICT_CANT_TELL, APP_VERDICT_FAILS},
        {exactly(50), between(25, 25, 37.5), APP_VERDICT_CANT_TELL, APP_VERDICT_FAILS},
        {exactly(50), between(25, 25, never), APP_VERDICT_CANT_TELL, APP_VERDICT_CANT_TELL},
        {exactly(50), exactly(never), APP_VERDICT_FAILS, APP_VERDICT_HOLDS},
        {exactly(never), exactly(never), APP_VERDICT_FAILS, APP_VERDICT_CANT_TELL},
        {exactly(128), exactly(128), APP_VERDICT_FAILS, APP_VERDICT_HOLDS},
        {exactly(128), exactly(160), APP_VERDICT_FAILS, APP_VERDICT_HOLDS},
        {exactly(128), between(96, 128, 128), APP_VERDICT_FAILS, APP_VERDICT_CANT_TELL},
        {between(128, 128, 160), exactly(128), APP_VERDICT_FAILS, APP_VERDICT_CANT_TELL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct app_estimate many = rows[i].many, few = rows[i].few;
        if (app_verdict_half(many, few) != rows[i].half ||
            app_verdict_no_fewer(few, many) != rows[i].no_fewer)
            fail_msg("row %zu: %s, %s", i, app_verdict_word(app_verdict_half(many, few)),
                     app_verdict_word(app_verdict_no_fewer(few, many)));
        if (!many.valid || !few.valid)
            continue;
        few.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
        assert_int_equal(app_verdict_half(many, few), APP_VERDICT_DO_NOT_QUOTE);
        many.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        assert_int_equal(app_verdict_no_fewer(few, many), APP_VERDICT_WRONG);
    }
}

TEST(threads_must_never_rise_with_ilp)
{
    enum { ILPS = 4 };
    static const struct {
        double value[ILPS], high[ILPS]; /* high 0: the value */
        enum app_verdict verdict;
    } rows[] = {
        {{512, 256, 192, 128}, {0}, APP_VERDICT_HOLDS},
        {{576, 320, 256, 192}, {0}, APP_VERDICT_HOLDS},
        {{480, 256, 256, 128}, {0}, APP_VERDICT_HOLDS}, /* a tie saves nothing, and costs nothing */
        {{480, 256, 288, 128}, {0}, APP_VERDICT_FAILS},
        {{512, 448, 384, 256}, {0}, APP_VERDICT_HOLDS},
        {{512, 448, 384, 288}, {0}, APP_VERDICT_FAILS},
        {{512, 256, 192, INFINITY}, {0}, APP_VERDICT_FAILS},
        {{INFINITY, 256, 192, 128}, {0}, APP_VERDICT_FAILS},
        /* Two numbers of threads that an interval leaves open matter, or do not. */
        {{512, 256, 192, 128}, {0, 0, 224, 0}, APP_VERDICT_HOLDS},
        {{512, 256, 192, 128}, {0, 288, 256, 0}, APP_VERDICT_HOLDS},
        {{512, 224, 192, 128}, {0, 288, 256, 0}, APP_VERDICT_CANT_TELL},
        {{512, 256, 320, 128}, {0, 288, 352, 0}, APP_VERDICT_FAILS},
        {{512, 256, 192, 128}, {INFINITY, 0, 0, 0}, APP_VERDICT_CANT_TELL},
    };
    struct app_estimate threads[ILPS];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int t = 0; t < ILPS; t++)
            threads[t] = between(rows[i].value[t], rows[i].value[t],
                                 rows[i].high[t] > 0.0 ? rows[i].high[t] : rows[i].value[t]);
        if (app_verdict_never_rises(threads, ILPS) != rows[i].verdict)
            fail_msg("row %zu: %s", i, app_verdict_word(app_verdict_never_rises(threads, ILPS)));
    }
    threads[2].trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(app_verdict_never_rises(threads, ILPS), APP_VERDICT_WRONG);
    threads[2].trust = 0;
    threads[3].has_interval = false;
    assert_int_equal(app_verdict_never_rises(threads, ILPS), APP_VERDICT_CANT_TELL);
    threads[3].valid = false;
    assert_int_equal(app_verdict_never_rises(threads, ILPS), APP_VERDICT_NOT_MEASURED);
}

/* --- words --- */

/* Records have the words: each comes back as its verdict, and no two are alike. */
TEST(verdicts_have_words)
{
    assert_int_equal(app_verdict_of_word(NULL), APP_VERDICT_NONE);
    assert_int_equal(app_verdict_of_word("PERHAPS"), APP_VERDICT_NONE);
    for (int v = 0; v < APP_VERDICTS; v++) {
        const struct app_verdict_entry *entry = app_verdict_entry((enum app_verdict)v);
        assert_int_equal(app_verdict_of_word(entry->word), v);
        assert_true(v == APP_VERDICT_NONE || (entry->sign[0] && entry->rule[0] && entry->says[0]));
    }
    assert_int_equal(app_verdict_of_duel(KRN_RATIO_WANDERING), APP_VERDICT_WANDERING);
}

/* Unit, digits and interval of everything that is shown. */
TEST(numbers_are_described)
{
#define TIME .quantity = APP_QUANTITY_TIME
#define RATE .quantity = APP_QUANTITY_RATE
#define BINARY_RATE .quantity = APP_QUANTITY_BINARY_RATE
#define RATIO .unit = "×", .digits = APP_DIGITS_RATIO
    static const struct {
        double low, value, high; /* low 0: there is no interval */
        struct app_form form;
        const char *text, *interval;
    } rows[] = {
        {0, 0.827, 0, {.unit = "×"}, "0.827×", ""},
        {0.825, 0.827, 0.83, {.unit = "×"}, "0.827×", "[0.825, 0.830]"},
        {0.8, 1.05, 526632.6, {.unit = "×", .digits = APP_DIGITS_ENDS}, "1.05×", "[0.80, >10.50]"},
        {62, 62.8, 63, {.unit = "%"}, "62.8 %", "[62.0, 63.0]"},
        {1.170, 1.1734, 1.176, {.digits = APP_DIGITS_WIDTH}, "1.173", "[1.170, 1.176]"},
        {0, 1.1734, 0, {.digits = APP_DIGITS_WIDTH}, "1.17", ""},
        {1.001, 1.002, 1.003, {RATIO}, "1.00×", "[1.00, 1.00]"},
        {1.001, 1.002, 1.003, {RATIO, .verdict = APP_VERDICT_FASTER}, "1.002×", "[1.001, 1.003]"},
        {0.02131, 0.02133, 0.02135, {TIME}, "21.3 µs", "[21.3, 21.4]"},
        {0.02131,
         0.02133,
         0.02135,
         {TIME, .digits = APP_DIGITS_WIDTH},
         "21.33 µs",
         "[21.31, 21.35]"},
        {0.0198, 0.0213, 0.0229, {TIME, .digits = APP_DIGITS_ENDS}, "21.3 µs", "[19.8, 22.9]"},
        {0.4, 0.5, 0.6, {TIME, .like = 2.0}, "0.500 ms", "[0.400, 0.600]"},
        {3000, 3018, 3100, {RATE, .unit = "B/s", .scale = 1e9}, "3.02 TB/s", "[3.00, 3.10]"},
        {0, 512.0, 0, {BINARY_RATE}, "512 B/s", ""},
        {0, 999.4 * 1048576.0, 0, {BINARY_RATE}, "999 MiB/s", ""},
        {0, 999.6 * 1048576.0, 0, {BINARY_RATE}, "0.976 GiB/s", ""},
        {0, 7.25, 0, {BINARY_RATE, .scale = 1e9, .like = 137.0}, "6.75 GiB/s", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct app_estimate number = between(rows[i].low, rows[i].value, rows[i].high);
        number.has_interval = rows[i].low > 0.0;
        struct app_described said = app_describe(number, rows[i].form);
        assert_string_equal(said.text, rows[i].text);
        assert_string_equal(said.interval, rows[i].interval);
        assert_int_equal(said.verdict, rows[i].form.verdict);
        /* A wrong number has the same digits, and no other verdict. */
        number.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        said = app_describe(number, rows[i].form);
        assert_string_equal(said.text, rows[i].text);
        assert_int_equal(said.verdict, APP_VERDICT_WRONG);
        said = app_describe(none, rows[i].form);
        assert_string_equal(said.text, "–");
        assert_string_equal(said.number.unit, "");
        assert_string_equal(said.interval, "");
    }
}

/* The faster side, by how much, and how sure that is: in percent, from a factor of 2 on as one. */
TEST(comparisons_are_sentences)
{
    static const char *const names[] = {"GLOBAL", "CONSTANT"};
    static const struct {
        double low, ratio, high; /* low 0: no interval */
        enum app_verdict verdict;
        unsigned trust;
        bool settles;
        int faster;
        const char *text, *sure;
    } rows[] = {
        {1.197, 1.203, 1.209, APP_VERDICT_FASTER, 0, true, 1, "is 20 % faster", "19.7 to 20.9 %"},
        {1.035, 1.041, 1.046, APP_VERDICT_FASTER, 0, false, 1, "is 4.1 % faster", "3.50 to 4.60 %"},
        {0, 1.203, 0, APP_VERDICT_FASTER, 0, true, 1, "is 20 % faster", ""},
        {1.98, 1.99, 2.02, APP_VERDICT_FASTER, 0, true, 1, "is 99 % faster", "1.98 to 2.02×"},
        {2.29, 2.3, 2.31, APP_VERDICT_FASTER, 0, true, 1, "is 2.3× faster", "2.29 to 2.31×"},
        {12.2, 12.3, 12.4, APP_VERDICT_FASTER, 0, true, 1, "is 12× faster", "12.2 to 12.4×"},
        /* The first side is the faster one: the reciprocals. */
        {0.82, 0.83, 0.84, APP_VERDICT_SLOWER, 0, true, 0, "is 20 % faster", "19.0 to 22.0 %"},
        {0.082, 0.083, 0.084, APP_VERDICT_SLOWER, 0, true, 0, "is 12× faster", "11.9 to 12.2×"},
        {0.997, 1.001, 1.004, APP_VERDICT_SAME, 0, true, -1, "GLOBAL and CONSTANT: the same",
         "within 0.4 %"},
        {0.996, 0.999, 1.003, APP_VERDICT_SAME, 0, false, -1, "GLOBAL and CONSTANT: the same",
         "within 0.4 %"},
        {0, 1.001, 0, APP_VERDICT_SAME, 0, true, -1, "GLOBAL and CONSTANT: the same", ""},
        {0.95, 1.07, 1.2, APP_VERDICT_CANT_TELL, 0, true, -1, "7.0 % apart", "settling"},
        {0.95, 1.07, 1.2, APP_VERDICT_CANT_TELL, 0, false, -1, "not decided", ""},
        {0.95, 1.07, 1.2, APP_VERDICT_WANDERING, 0, true, -1, "drifting", ""},
        {1.197, 1.203, 1.209, APP_VERDICT_FASTER, APP_TRUST_BIT(APP_TRUST_THROTTLED), true, -1,
         "do not quote", ""},
        {0, 0, 0, APP_VERDICT_NONE, APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE), true, -1,
         "wrong result", ""},
        {0, 0, 0, APP_VERDICT_NONE, 0, true, -1, "", ""},
        {0, 0, 0, APP_VERDICT_SAME_CACHES, 0, true, -1, "the same caches here",
         "no difference to expect"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool firm =
            rows[i].verdict == APP_VERDICT_FASTER || rows[i].verdict == APP_VERDICT_SLOWER ||
            rows[i].verdict == APP_VERDICT_SAME || rows[i].verdict == APP_VERDICT_SAME_CACHES;
        struct app_comparison comparison = {
            .ratio = between(rows[i].low, rows[i].ratio, rows[i].high), .verdict = rows[i].verdict};
        comparison.ratio.valid = rows[i].ratio > 0.0;
        comparison.ratio.has_interval = rows[i].low > 0.0;
        comparison.ratio.trust = rows[i].trust;
        const struct app_said said = app_comparison_say(&comparison, names, rows[i].settles);
        if (said.faster != rows[i].faster || said.firm != (firm && !rows[i].trust) ||
            strcmp(said.text, rows[i].text) != 0 || strcmp(said.sure, rows[i].sure) != 0)
            fail_msg("row %zu: %d \"%s\", \"%s\"", i, said.faster, said.text, said.sure);
    }
}

/* --- estimates --- */

static struct app_estimate numbered(const double *each, const int *numbers, size_t n)
{
    struct app_estimate estimate = app_estimate_of_processes(each, n, 0.0);
    for (size_t i = 0; i < n; i++)
        estimate.number[i] = numbers[i];
    return estimate;
}

/* An interval that no number holds is none: it would have no width. */
TEST(no_interval_is_no_verdict)
{
    const struct app_estimate two =
        app_estimate_at(app_estimate_of_processes((double[]){1.0, 4.5}, 2, 0.0), APP_BOARD_LEVEL);
    assert_true(two.valid && !two.has_interval);
}

/* Processes drift by factors of two; each measured a side that takes three times as long. */
TEST(the_same_processes_make_pairs)
{
    const struct app_estimate a = numbered((double[]){3.0, 6.0, 24.0}, (int[]){1, 2, 4}, 3),
                              b = numbered((double[]){1.0, 4.0, 8.0}, (int[]){1, 3, 4}, 3),
                              all =
                                  numbered((double[]){1.0, 2.0, 4.0, 8.0}, (int[]){1, 2, 3, 4}, 4);
    const struct app_estimate two = app_estimate_ratio(a, b), three = app_estimate_ratio(a, all);
    assert_true(two.processes == 2 && two.number[0] == 1 && two.number[1] == 4);
    assert_true(three.processes == 3 && three.number[2] == 4);
    for (size_t i = 0; i < 2; i++) {
        const struct app_estimate r = i == 0 ? two : three;
        assert_true(r.has_interval && fabs(r.low - 3.0) < 1e-12 && fabs(r.high - 3.0) < 1e-12);
        assert_true(app_estimate_verdict_interval(r).valid);
    }
}

/* Groups that share one process or none leave the ratio without an interval. */
TEST(strangers_make_no_interval)
{
    const struct app_estimate a = numbered((double[]){3.0, 3.1}, (int[]){1, 2}, 2);
    for (int first = 2; first <= 3; first++) {
        const struct app_estimate b = numbered((double[]){1.0, 1.1}, (int[]){first, first + 1}, 2);
        const struct app_estimate ratio = app_estimate_ratio(a, b);
        assert_true(ratio.valid && !ratio.has_interval);
        assert_true(fabs(ratio.value - a.value / b.value) < 1e-12);
        assert_false(app_estimate_verdict_interval(ratio).valid);
    }
}

TEST(net_is_raw_without_overhead)
{
    assert_true(app_net_ms(0.00618, 0.0035) == 0.00618 - 0.0035);
    assert_true(app_net_ms(0.0035, 0.0035) == 0.0); /* all overhead: the net time is unknown */
    assert_true(app_net_ms(0.0034, 0.0035) == 0.0);
    assert_true(app_net_ms(0.00618, 0.0) == 0.0); /* the overhead is unknown */
    /* The interval has the overhead's in it. */
    const struct app_estimate raw =
        app_estimate_of_run(20.0, (struct krn_interval){true, 17.0, 23.0}, 0.0);
    struct krn_overhead overhead = {10.0, {true, 6.0, 14.0}};
    const struct app_estimate net = app_estimate_net(raw, overhead);
    assert_true(net.value == 10.0 && net.has_interval && net.low == 5.0 && net.high == 15.0);
    overhead.interval.valid = false;
    assert_true(app_estimate_net(raw, overhead).valid);
    assert_false(app_estimate_net(raw, overhead).has_interval);
    overhead.ms = 0.0;
    assert_false(app_estimate_net(raw, overhead).valid);
}

/* Where the limit is known only roughly, its upper end gives a bound. */
TEST(a_time_is_told_as_a_multiple_of_the_limit)
{
    const struct krn_limit narrow = {.net_ms = 0.001, .interval = {true, 0.00096, 0.00104}},
                           wide = {.net_ms = 0.001, .interval = {true, -0.0005, 0.002}},
                           few = {.net_ms = 0.001}, unknown = {.net_ms = 0.0};
    assert_true(fabs(app_of_limit(0.003, &narrow).times - 3.0) < 1e-12);
    assert_false(app_of_limit(0.003, &narrow).least);
    assert_true(fabs(app_of_limit(0.003, &wide).times - 1.5) < 1e-12);
    assert_true(app_of_limit(0.003, &wide).least);
    assert_true(app_of_limit(0.003, &few).times == 0.0);
    assert_true(app_of_limit(0.003, &unknown).times == 0.0);
    assert_true(app_of_limit(0.0, &narrow).times == 0.0); /* the net time is unknown */
}

TEST(few_frames_of_the_other_kind_do_not_mix)
{
    assert_int_equal(app_regime_of(0, 0), APP_REGIME_UNKNOWN);
    assert_int_equal(app_regime_of(0, 1), APP_REGIME_IDLE);
    assert_int_equal(app_regime_of(1, 1), APP_REGIME_BUSY);
    assert_int_equal(app_regime_of(5, 100), APP_REGIME_IDLE);
    assert_int_equal(app_regime_of(6, 100), APP_REGIME_MIXED);
    assert_int_equal(app_regime_of(94, 100), APP_REGIME_MIXED);
    assert_int_equal(app_regime_of(95, 100), APP_REGIME_BUSY);
    static const char *const names[] = {"n/a", "idle", "busy", "mixed"};
    for (int i = 0; i < 4; i++)
        assert_string_equal(app_regime_name((enum app_regime)i), names[i]);
    assert_string_equal(app_regime_name((enum app_regime)4), "n/a");
}

static struct krn_device_info gpu(void)
{
    struct krn_device_info info = {.backend = KRN_BACKEND_CUDA,
                                   .can = *krn_backend_get(KRN_BACKEND_CUDA)->can,
                                   .processors = 132,
                                   .fma_lanes = 128,
                                   .clock_max_mhz = 1980,
                                   .memory_clock_mhz = 3201,
                                   .memory_bus_bits = 6016};
    return info;
}

TEST(metrics_follow_from_the_probe)
{
    const struct krn_device_info info = gpu();
    const struct krn_probe saxpy = {.topic = KRN_TOPIC_SAXPY,
                                    .series = "published",
                                    .axis = "elements",
                                    .x = 20 << 20,
                                    .useful_bytes = 12.0 * (20 << 20),
                                    .moved_bytes = 12.0 * (20 << 20),
                                    .flops = 2.0 * (20 << 20)};
    const struct krn_probe chain = {.topic = KRN_TOPIC_ILP,
                                    .series = "ilp1",
                                    .axis = "threads",
                                    .x = 512,
                                    .threads = 512,
                                    .blocks = 1,
                                    .flops = 2.0 * 512 * 65536,
                                    .steps = 65536,
                                    .has_cycles = true};
    struct test_measured measured[2];
    struct app_result results[2];
    test_measure(&results[0], &measured[0], &saxpy, 60, 0.0833, 0.0, 0.01, 0.02);
    test_measure(&results[1], &measured[1], &chain, 60, 0.14, 4.0 * 65536, 0.01, 0.02);
    const struct app_probes_view view = {&info, krn_ceilings_of(&info), 1980.0, results, 2, 0.0};

    const struct app_estimate gbps = app_metric_of(&view, &results[0], APP_M_EFFECTIVE_GBPS);
    assert_true(gbps.valid && gbps.has_interval);
    assert_true(fabs(gbps.value - 12.0 * (20 << 20) / 0.0833e6) < 1e-6);
    /* The ends of a rate's interval are those of the time's, swapped. */
    assert_true(fabs(gbps.low - gbps.value / 1.02) < 1e-6);
    assert_true(fabs(gbps.high - gbps.value / 0.99) < 1e-6);
    const struct app_estimate percent =
        app_metric_of(&view, &results[0], APP_M_OF_THEORETICAL_PERCENT);
    assert_true(fabs(percent.value - gbps.value / (3201e6 * 6016 / 8 * 2 / 1e9) * 100) < 1e-6);
    assert_false(app_metric_of(&view, &results[0], APP_M_CYCLES).valid);

    /* 512 chains of 4 cycles on 128 lanes reach the peak. */
    const struct app_estimate peak = app_metric_of(&view, &results[1], APP_M_OF_PEAK_PERCENT);
    assert_true(fabs(peak.value - 100.0) < 1e-9);
    const struct app_estimate step = app_metric_of(&view, &results[1], APP_M_CYCLES_PER_STEP);
    assert_true(fabs(step.value - 4.0) < 1e-9);
    const struct app_estimate by_time =
        app_metric_of(&view, &results[1], APP_M_OF_PEAK_BY_TIME_PERCENT);
    assert_true(fabs(by_time.value - 4.0 * 65536 / (0.14e-3 * 1980e6) * 100) < 1e-6);
    assert_false(app_metric_of(&view, &results[1], APP_M_EFFECTIVE_GBPS).valid);

    /* Net of an empty kernel that takes 4 us; unknown, there is no net number. */
    assert_false(app_metric_of(&view, &results[1], APP_M_OF_PEAK_NET_PERCENT).valid);
    *test_metric(&results[1], APP_M_OVERHEAD_MS) = 0.004;
    const struct app_estimate net = app_metric_of(&view, &results[1], APP_M_OF_PEAK_NET_PERCENT);
    assert_true(fabs(net.value - by_time.value * 0.14 / 0.136) < 1e-9);
    assert_true(fabs(net.low - by_time.value * 0.14 / (0.14 * 1.02 - 0.004)) < 1e-9);
    assert_true(fabs(net.high - by_time.value * 0.14 / (0.14 * 0.99 - 0.004)) < 1e-9);
    results[1].process_count = 2;
    *test_metric(&results[1], APP_M_MEDIAN_MS) = 0.13;
    *test_metric_of(&results[1], 1, APP_M_MEDIAN_MS, 0) = 0.15;
    const struct app_estimate two = app_metric_of(&view, &results[1], APP_M_OF_PEAK_NET_PERCENT);
    assert_true(fabs(two.each[1] - by_time.value * 0.14 / 0.146) < 1e-9 && two.processes == 2);
    *test_metric(&results[1], APP_M_OVERHEAD_MS) = 0.2; /* more than the whole time */
    assert_false(app_metric_of(&view, &results[1], APP_M_OF_PEAK_NET_PERCENT).valid);
    results[1].process_count = 1;
    assert_false(app_metric_of(&view, NULL, APP_M_MEDIAN_MS).valid);
    assert_string_equal(app_describe(gbps, app_metric_form(APP_M_EFFECTIVE_GBPS, 0.0)).text,
                        "3.02 TB/s");
    assert_string_equal(app_describe(gbps, app_metric_form(APP_M_EFFECTIVE_GBPS, 2.0)).text,
                        "3021 GB/s");

    double x[4], y[4];
    assert_int_equal(app_probe_result_curve(&view, KRN_TOPIC_ILP, "ilp1", APP_M_CYCLES, x, y, 4),
                     1);
    assert_true(x[0] == 512.0 && y[0] == 4.0 * 65536);
    assert_ptr_equal(app_probe_result_find(&view, KRN_TOPIC_SAXPY, "published", -1.0), &results[0]);
    assert_null(app_probe_result_find(&view, KRN_TOPIC_SAXPY, "published", 5.0));
    assert_null(app_probe_result_find(&view, KRN_TOPIC_ILP, "published", -1.0));
}

TEST(ratio_intervals_combine)
{
    const struct app_estimate r =
        app_estimate_ratio(between(9.0, 10.0, 11.0), between(4.0, 5.0, 5.5));
    assert_true(r.valid && r.has_interval);
    assert_true(fabs(r.value - 2.0) < 1e-12);
    assert_true(fabs(r.low - 2.0 * exp(-hypot(log(10.0 / 9.0), log(5.5 / 5.0)))) < 1e-12);
    assert_true(fabs(r.high - 2.0 * exp(hypot(log(11.0 / 10.0), log(5.0 / 4.0)))) < 1e-12);
    assert_false(app_estimate_ratio(none, r).valid);
    assert_false(app_estimate_ratio(r, none).valid);
}
