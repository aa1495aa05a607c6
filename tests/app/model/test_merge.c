/* Merging records of processes: numbers against hand-computed ones, and what processes lack. */
#include "records.h"

#include "model/model.h"

#include "krn/across.h"

#include <jansson.h>
#include <stdlib.h>

enum { N = 21 };

/* Fills samples whose median is `median`. */
static const double *spread(double samples[N], double median)
{
    for (int i = 0; i < N; i++)
        samples[i] = median * (1.0 + 0.001 * (i - N / 2));
    return samples;
}

/* Merges records, which it frees, and reads the results. Returns the merged record, to be freed. */
static char *merge(char **records, size_t count, const struct app_merge_run *run,
                   struct app_results *results)
{
    char *text;
    TEST_OK(test_merge((const char *const *)records, count, run, &text));
    TEST_OK(app_results_read(text, strlen(text), "merged", results, &error));
    for (size_t i = 0; i < count; i++)
        free(records[i]);
    return text;
}

static double metric(const struct app_result *result, const char *key)
{
    return app_pairs_number(result->metrics, key, NAN);
}

/* Returns true when a number is right to the digits that a record keeps. */
static bool close_to(double actual, double expected)
{
    return fabs(actual / expected - 1.0) < 1e-8;
}

TEST(test_numbers)
{
    static const double medians[] = {1, 2, 4};
    const struct app_state state = app_state_default();
    double a[3][N], b[N];
    char *records[3];
    for (int i = 0; i < 3; i++) {
        const struct test_mode modes[] = {
            {"book/global", spread(a[i], medians[i]), N,
             i == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_UNKNOWN, i == 1 ? "spread" : "low-clock",
             0.0},
            {"strip/global/8", spread(b, 3.0), N, APP_VERIFIED_TRUE, NULL, 0.03},
        };
        records[i] = test_record(&state, modes, 2);
    }
    const struct app_merge_run run = {
        .processes_asked = 3, .has_seed = true, .seed = UINT64_MAX, .seconds = 12.5};
    TEST_OWNED(app_results_free) struct app_results results;
    free(merge(records, 3, &run, &results));
    assert_true(results.count == 2 && results.complete);
    assert_true(results.run.processes == 3 && results.run.processes_asked == 3);
    assert_true(results.run.has_seed && results.run.seed == UINT64_MAX);
    assert_true(results.run.seconds == 12.5 && results.run.failed_count == 0);
    assert_int_equal(results.notes.count, 0);

    /* ln 1, ln 2, ln 4 have the mean ln 2 and the standard deviation ln 2; t(0.975; 2) = 4.30265.
     */
    const struct app_result *book = app_results_find(&results, 0, "raytrace", "book/global");
    const double half = 4.302652729696 * log(2.0) / sqrt(3.0);
    assert_non_null(book);
    assert_int_equal(book->process_count, 3);
    assert_true(close_to(metric(book, "median_ms"), 2.0));
    assert_true(close_to(metric(book, "low_ms"), 2.0 * exp(-half)));
    assert_true(close_to(metric(book, "high_ms"), 2.0 * exp(half)));
    assert_true(metric(book, "n") == 3 * N);
    assert_true(close_to(metric(book, "min_ms"), a[0][0]));
    assert_true(close_to(metric(book, "max_ms"), a[2][N - 1]));
    /* The 63 samples together: the 5th percentile is among the first process's 21. */
    assert_true(close_to(metric(book, "p5_ms"), a[0][3] + 0.1 * (a[0][4] - a[0][3])));
    assert_int_equal(book->verified, APP_VERIFIED_TRUE);
    assert_int_equal(book->trust.reasons, 1u << APP_TRUST_LOW_CLOCK | 1u << APP_TRUST_SPREAD);
    assert_string_equal(book->stop, "narrow");
    for (size_t i = 0; i < 3; i++) {
        const struct app_result_process *process = &book->processes[i];
        assert_true(process->process == (int)i + 1 && process->n == N);
        assert_true(close_to(process->samples_ms[5], a[i][5]));
        assert_true(close_to(app_pairs_number(process->metrics, "median_ms", 0), medians[i]));
        assert_true(app_pairs_number(process->metrics, "low_ms", 0) > 0.0);
    }
    const struct app_estimate e = app_result_estimate(book, "median_ms");
    assert_true(e.processes == 3 && e.has_interval && close_to(e.low, metric(book, "low_ms")));
    assert_true(close_to(e.each[2], 4.0) && e.trust == book->trust.reasons);

    /* Equal processes differ by up to a tick. */
    const struct app_result *strip = app_results_find(&results, 0, "raytrace", "strip/global/8");
    assert_true(close_to(metric(strip, "high_ms"), 3.0 * (1.0 + krn_tick_fraction(0.03, 3.0))));
    assert_true(app_results_find_key(&results, strip->key) == strip);
}

/* Doubts of single processes that several settle, and one that they do not. */
TEST(test_settled_doubts)
{
    static const char *const ids[3] = {"few-samples", "not-verified", "spread"};
    const unsigned few = 1u << APP_TRUST_FEW_SAMPLES, spread_bit = 1u << APP_TRUST_SPREAD,
                   unverified = 1u << APP_TRUST_NOT_VERIFIED;
    const struct app_state state = app_state_default();
    double samples[N];
    for (int verified = 0; verified < 2; verified++)
        for (size_t count = 1; count <= 3; count++) {
            char *records[3];
            TEST_OWNED(app_results_free) struct app_results results;
            for (size_t i = 0; i < count; i++) {
                struct test_mode modes[3];
                static const char *const names[3] = {"book/global", "book/constant", "book/shared"};
                for (int m = 0; m < 3; m++)
                    modes[m] = (struct test_mode){
                        names[m], spread(samples, 2.0 + (double)i),
                        N,        verified && i == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_UNKNOWN,
                        ids[m],   0.0};
                records[i] = test_record(&state, modes, 3);
            }
            const struct app_merge_run run = {.processes_asked = (int)count};
            free(merge(records, count, &run, &results));
            assert_int_equal(results.results[0].trust.reasons, count == 3 ? 0 : few);
            assert_int_equal(results.results[1].trust.reasons,
                             verified && count > 1 ? 0 : unverified);
            assert_int_equal(results.results[2].trust.reasons, spread_bit);
        }
}

/* The note on a probe that a process lacks tells which of its series it is. */
TEST(test_probe_gap)
{
    const struct app_state state = app_state_default();
    double a[N];
    const struct test_mode modes[] = {{"copy", spread(a, 1.0), N, APP_VERIFIED_TRUE, NULL, 0.0}};
    TEST_FREED char *record = test_record(&state, modes, 1);
    json_t *root = json_loads(record, 0, NULL);
    json_t *result = json_array_get(json_object_get(root, "results"), 0);
    json_object_set_new(result, "benchmark", json_string("transfer"));
    json_object_set_new(result, "parameters",
                        json_pack("{s:s, s:i}", "axis", "bytes", "bytes", 4096));
    char *records[] = {json_dumps(root, 0), test_record(&state, modes, 0)};
    const struct app_merge_run run = {.processes_asked = 2};
    TEST_OWNED(app_results_free) struct app_results results;
    free(merge(records, 2, &run, &results));
    assert_int_equal(results.notes.count, 1);
    assert_string_equal(results.notes.texts[0],
                        "transfer copy at bytes 4096: 1 of 2 processes measured it.");
    json_decref(root);
}

/* A note on a mode at one point of a sweep names the point, by what the points differ in. */
TEST(test_sweep_gap)
{
    static const struct {
        int spheres, bounces;
        const char *note;
    } cases[] = {
        {20, 2, "raytrace tree/global at 2 bounces: 1 of 2 processes measured it."},
        {50, 4, "raytrace tree/global at 50 spheres: 1 of 2 processes measured it."},
        {50, 1, "raytrace tree/global at 50 spheres and 1 bounce: 1 of 2 processes measured it."},
    };
    double a[N];
    const struct test_mode mode = {"tree/global", spread(a, 1.0), N, APP_VERIFIED_TRUE, NULL, 0.0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct app_state first = app_state_default();
        first.mode = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
        struct app_state second = first;
        second.recipe.count = cases[c].spheres;
        second.light.bounces = cases[c].bounces;
        char *records[] = {test_record(&first, &mode, 1), test_record(&second, &mode, 1)};
        const struct app_merge_run run = {.processes_asked = 2};
        TEST_OWNED(app_results_free) struct app_results results;
        free(merge(records, 2, &run, &results));
        assert_int_equal(results.notes.count, 2);
        const bool other = strcmp(results.notes.texts[0], cases[c].note) != 0;
        assert_string_equal(results.notes.texts[other], cases[c].note);
    }
}

/* Missing results, failed processes, another order, a wrong picture. */
TEST(test_gaps)
{
    const struct app_state state = app_state_default();
    double a[N], b[N];
    const struct test_mode first[] = {{"strip/global", spread(a, 1.0), N, APP_VERIFIED_TRUE, NULL,
                                       0.0},
                                      {"book/global", spread(b, 2.0), N, APP_VERIFIED_TRUE, NULL,
                                       0.0}},
                           second[] = {
                               {"book/constant", spread(b, 3.0), N, APP_VERIFIED_FALSE, NULL, 0.0},
                               {"book/global", spread(b, 2.5), N, APP_VERIFIED_FALSE, NULL, 0.0}};
    char *records[] = {test_record(&state, first, 2), test_record(&state, second, 2)};
    static const int process[] = {1, 4};
    static const struct app_results_failure failed[] = {{2, "killed by signal 9"},
                                                        {3, "exit code 1"}};
    static char *const argv[] = {(char *)"spherescope", (char *)"--bench"};
    const struct app_merge_run run = {.processes_asked = 4,
                                      .process = process,
                                      .failed = failed,
                                      .failed_count = 2,
                                      .argc = 2,
                                      .argv = argv};
    static const char *const order[] = {"book/global", "book/constant", "strip/global"};
    TEST_OWNED(app_results_free) struct app_results results;
    TEST_FREED char *text = merge(records, 2, &run, &results);
    assert_true(results.count == 3 && !results.complete);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(results.results[i].variant, order[i]);
    assert_true(results.argv.count == 2);
    assert_string_equal(results.argv.texts[1], "--bench");
    assert_true(results.run.failed_count == 2 && results.run.failed[0].process == 2);
    assert_string_equal(results.run.failed[0].why, "killed by signal 9");
    assert_int_equal(results.notes.count, 2);
    assert_string_equal(results.notes.texts[0],
                        "raytrace book/constant: 1 of 2 processes measured it.");
    const struct app_result *book = &results.results[0];
    assert_int_equal(book->verified, APP_VERIFIED_FALSE);
    assert_string_equal(book->verified_reason, "3 pixels differ");
    assert_true(book->processes[1].process == 4);
    /* What one process measured has its value and no interval across processes. */
    assert_true(close_to(metric(&results.results[2], "median_ms"), 1.0));
    assert_true(isnan(metric(&results.results[2], "low_ms")));

    /* A merged record is not merged again. */
    const char *const again[] = {text};
    char *none = NULL;
    TEST_FAILS(test_merge(again, 1, &run, &none), KRN_REFUSED, "not a record of one process");
    TEST_FREED char *own = test_record(&state, first, 2);
    const char *const broken[] = {own, "{"};
    TEST_FAILS(test_merge(broken, 2, &run, &none), KRN_REFUSED, "process 4");
    assert_int_equal(test_merge(broken, 0, &run, &none), KRN_REFUSED);
}

/* A process that lacks one side of a ratio has no part in it, and no other takes its place. */
TEST(test_pairs)
{
    enum { PROCESSES = 4 };
    static const char *const variants[] = {"book/global", "book/constant"};
    /* The second process lacks one side, the third the other. */
    static const bool has[2][PROCESSES] = {{true, false, true, true}, {true, true, false, true}};
    const struct app_state state = app_state_default();
    char *records[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        double samples[2][N];
        struct test_mode modes[2];
        size_t n = 0;
        for (int side = 0; side < 2; side++)
            if (has[side][i])
                modes[n++] =
                    (struct test_mode){variants[side],
                                       spread(samples[side], (side == 0 ? 3.0 : 2.0) * (1 << i)),
                                       N,
                                       APP_VERIFIED_TRUE,
                                       NULL,
                                       0.0};
        records[i] = test_record(&state, modes, n);
    }
    const struct app_merge_run run = {.processes_asked = PROCESSES};
    TEST_OWNED(app_results_free) struct app_results results;
    free(merge(records, PROCESSES, &run, &results));
    const struct app_result *const sides[] = {
        app_results_find(&results, 0, "raytrace", variants[0]),
        app_results_find(&results, 0, "raytrace", variants[1])};
    const struct app_estimate ratios[] = {
        app_estimate_ratio(app_result_estimate(sides[0], "median_ms"),
                           app_result_estimate(sides[1], "median_ms")),
        app_results_book_ratio(sides[0], sides[1])};
    for (size_t i = 0; i < 2; i++) {
        assert_true(ratios[i].valid && ratios[i].has_interval && ratios[i].processes == 2);
        assert_true(close_to(ratios[i].low, 1.5) && close_to(ratios[i].high, 1.5));
        assert_true(close_to(ratios[i].each[0], 1.5) && close_to(ratios[i].each[1], 1.5));
    }
    assert_true(ratios[0].number[0] == 1 && ratios[0].number[1] == 4);
}

/* Returns a record of a duel. */
static char *duel(double ratio, const char *verdict, const char *trust)
{
    const struct app_state state = app_state_default();
    struct app_results results = test_record_begin(&state);
    const struct app_pair parameters[] = {{"band_percent", 1, NULL}},
                          outcome[] = {{"verdict", 0, verdict}, {"aa_verdict", 0, "SAME"}},
                          metrics[] = {{"ratio", ratio, NULL},
                                       {"ratio_low", ratio * 0.999, NULL},
                                       {"ratio_high", ratio * 1.001, NULL},
                                       {"a_median_ms", 1, NULL},
                                       {"b_median_ms", ratio, NULL},
                                       {"tick_ms", 0.001, NULL},
                                       {"n", 100, NULL}};
    const struct app_result result = {
        .benchmark = "duel",
        .variant = "book/global,book/constant",
        .backend = KRN_BACKEND_CUDA,
        .parameters = APP_PAIRS(parameters),
        .outcome = APP_PAIRS(outcome),
        .scope = "s",
        .trust = {.reasons = trust != NULL ? app_trust_of_id(trust) : 0},
        .complete = true};
    test_add_result(&results, result, (struct app_result_process){.metrics = APP_PAIRS(metrics)});
    return test_record_end(&results);
}

TEST(test_duels)
{
    static const struct {
        double ratios[4];
        const char *verdicts[4];
        size_t count;
        const char *trust, *expected;
        int wandering;
    } cases[] = {
        {{1.10, 1.11, 1.12, 1.11}, {"FASTER", "FASTER", "FASTER", "FASTER"}, 4, NULL, "FASTER", 0},
        {{0.90, 0.91, 0.92, 0.91}, {"SLOWER", "SLOWER", "SLOWER", "SLOWER"}, 4, NULL, "SLOWER", 0},
        {{1.001, 1.0, 1.0005, 1.001}, {"SAME", "SAME", "WANDERING", "SAME"}, 4, NULL, "SAME", 1},
        /* Each process is sure; together they are not. */
        {{1.10, 0.95, 1.08, 1.02},
         {"FASTER", "SLOWER", "FASTER", "FASTER"},
         4,
         NULL,
         "CAN'T TELL",
         0},
        {{1.10}, {"FASTER"}, 1, NULL, "FASTER", 0},
        {{1.10, 1.11, 1.12, 1.11},
         {"FASTER", "FASTER", "FASTER", "FASTER"},
         4,
         "throttled",
         "DO NOT QUOTE",
         0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *records[4];
        for (size_t i = 0; i < cases[c].count; i++)
            records[i] =
                duel(cases[c].ratios[i], cases[c].verdicts[i], i == 0 ? cases[c].trust : NULL);
        const struct app_merge_run run = {.processes_asked = (int)cases[c].count};
        TEST_OWNED(app_results_free) struct app_results results;
        free(merge(records, cases[c].count, &run, &results));
        const struct app_result *result = &results.results[0];
        assert_string_equal(app_pairs_text(result->outcome, "verdict"), cases[c].expected);
        assert_string_equal(app_pairs_text(result->outcome, "aa_verdict"), "SAME");
        assert_true(app_pairs_number(result->outcome, "wandering", 0) == cases[c].wandering);
        assert_string_equal(app_pairs_text(result->processes[0].outcome, "verdict"),
                            cases[c].verdicts[0]);
        assert_true(metric(result, "n") == 100.0 * (double)cases[c].count);
        assert_true(isnan(metric(result, "ratio_low")) == (cases[c].count == 1));
    }
}

/* The interval that tables show is that of the record, the clock's tick included. */
TEST(test_ticks)
{
    const struct app_state state = app_state_default();
    double samples[2][N];
    char *times[2], *duels[2];
    for (int i = 0; i < 2; i++) {
        const struct test_mode mode = {
            "book/global", spread(samples[i], i == 0 ? 2.0 : 2.2), N, APP_VERIFIED_TRUE, NULL, 0.5};
        times[i] = test_record(&state, &mode, 1);
        duels[i] = duel(1.1, "FASTER", NULL);
    }
    const struct app_merge_run run = {.processes_asked = 2};
    struct app_results results;
    free(merge(times, 2, &run, &results));
    const struct app_result *result = &results.results[0];
    struct app_estimate e = app_result_estimate(result, "median_ms");
    assert_true(close_to(e.low, metric(result, "low_ms")));
    assert_true(close_to(e.high, metric(result, "high_ms")));
    app_results_free(&results);
    free(merge(duels, 2, &run, &results));
    result = &results.results[0];
    e = app_result_estimate(result, "ratio");
    assert_true(close_to(e.low, metric(result, "ratio_low")) && e.low < e.value);
    assert_true(close_to(e.high, metric(result, "ratio_high")) && e.high > e.value);
    app_results_free(&results);
}

static void write_file(const char *path, char *text)
{
    test_file_put(path, text, strlen(text));
    free(text);
}

TEST(test_schema)
{
    const char *merged = TEST_BINARY_DIR "/test_merge.json";
    const struct app_state state = app_state_default();
    double a[N], b[N];
    const struct test_mode modes[] = {
        {"strip/global", spread(a, 1.0), N, APP_VERIFIED_TRUE, "spread", 0.001},
        {"book/global", spread(b, 2.0), N, APP_VERIFIED_FALSE, NULL, 0.0}};
    char *records[] = {test_record(&state, modes, 2), test_record(&state, modes, 1)};
    static const struct app_results_failure failed[] = {{3, "exit code 1"}};
    const struct app_merge_run run = {
        .processes_asked = 3, .has_seed = true, .failed = failed, .failed_count = 1, .seconds = 3};
    char *text = NULL;
    assert_int_equal(test_merge((const char *const *)records, 2, &run, &text), KRN_OK);
    write_file(merged, text);
    free(records[0]);
    free(records[1]);
    const int code = test_validate(merged, NULL);
    if (code == 77)
        skip();
    assert_int_equal(code, 0);
}
