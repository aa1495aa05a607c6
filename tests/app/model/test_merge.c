/* Merging records of processes: what they lack, and what their verdicts say together. */
#include "records.h"

enum { N = TEST_SPREAD };

/* Merges records, which it frees, and reads the results. Returns the merged record, to be freed. */
static char *merge(char **records, const struct app_merge_run *run, struct app_results *results)
{
    char *text = test_joined(records, run);
    *results = test_record_of(text);
    return text;
}

/* Returns true when a number is right to the digits that a record keeps. */
static bool close_to(double actual, double expected)
{
    return fabs(actual / expected - 1.0) < 1e-8;
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
                        names[m], test_spread(samples, 2.0 + (double)i),
                        N,        verified && i == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_UNKNOWN,
                        ids[m],   0.0};
                records[i] = test_record(&state, modes, 3);
            }
            const struct app_merge_run run = {.processes_asked = (int)count};
            free(merge(records, &run, &results));
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
    struct app_results transfer = test_record_begin(&state);
    struct app_draft draft;
    app_draft_begin(&draft, &transfer, "transfer", "copy", KRN_BACKEND_CUDA);
    app_put_text(&draft, APP_P_AXIS, "bytes");
    app_put_key(&draft, APP_LIST_P, "bytes", 4096);
    draft.result.scope = "s";
    app_results_add(&transfer, &draft.result);
    char *records[] = {test_record_end(&transfer), test_record(&state, NULL, 0)};
    const struct app_merge_run run = {.processes_asked = 2};
    TEST_OWNED(app_results_free) struct app_results results;
    free(merge(records, &run, &results));
    assert_int_equal(results.notes.count, 1);
    assert_string_equal(results.notes.texts[0],
                        "transfer copy at bytes 4096: 1 of 2 processes measured it.");
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
    const struct test_mode mode = {
        "tree/global", test_spread(a, 1.0), N, APP_VERIFIED_TRUE, NULL, 0.0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct app_state first = app_state_default();
        first.spec.mode = (struct krn_mode){KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
        struct app_state second = first;
        second.spec.recipe.count = cases[c].spheres;
        second.spec.light.bounces = cases[c].bounces;
        char *records[] = {test_record(&first, &mode, 1), test_record(&second, &mode, 1)};
        const struct app_merge_run run = {.processes_asked = 2};
        TEST_OWNED(app_results_free) struct app_results results;
        free(merge(records, &run, &results));
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
    const struct test_mode
        first[] = {{"strip/global", test_spread(a, 1.0), N, APP_VERIFIED_TRUE, NULL, 0.0},
                   {"book/global", test_spread(b, 2.0), N, APP_VERIFIED_TRUE, NULL, 0.0}},
        second[] = {{"book/constant", test_spread(b, 3.0), N, APP_VERIFIED_FALSE, NULL, 0.0},
                    {"book/global", test_spread(b, 2.5), N, APP_VERIFIED_FALSE, NULL, 0.0}};
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
    TEST_FREED char *text = merge(records, &run, &results);
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
    assert_true(close_to(app_result_number(&results.results[2], APP_M_MEDIAN_MS, NAN), 1.0));
    assert_null(app_result_member(&results.results[2], APP_M_LOW_MS));

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
                modes[n++] = (struct test_mode){
                    variants[side],
                    test_spread(samples[side], (side == 0 ? 3.0 : 2.0) * (1 << i)),
                    N,
                    APP_VERIFIED_TRUE,
                    NULL,
                    0.0};
        records[i] = test_record(&state, modes, n);
    }
    const struct app_merge_run run = {.processes_asked = PROCESSES};
    TEST_OWNED(app_results_free) struct app_results results;
    free(merge(records, &run, &results));
    const struct app_result *const sides[] = {
        app_results_find(&results, 0, "raytrace", variants[0]),
        app_results_find(&results, 0, "raytrace", variants[1])};
    const struct app_estimate ratios[] = {
        app_estimate_ratio(app_result_metric(sides[0], APP_M_MEDIAN_MS),
                           app_result_metric(sides[1], APP_M_MEDIAN_MS)),
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
    struct app_draft draft;
    app_draft_begin(&draft, &results, "duel", "book/global,book/constant", KRN_BACKEND_CUDA);
    app_put(&draft, APP_P_BAND_PERCENT, 1);
    app_put_text(&draft, APP_O_VERDICT, verdict);
    app_put_text(&draft, APP_O_AA_VERDICT, "SAME");
    app_put(&draft, APP_M_RATIO, ratio);
    app_put(&draft, APP_M_A_MEDIAN_MS, 1);
    app_put(&draft, APP_M_B_MEDIAN_MS, ratio);
    app_put(&draft, APP_M_TICK_MS, 0.001);
    draft.result.scope = "s";
    draft.result.trust.reasons = trust != NULL ? app_trust_of_id(trust) : 0;
    app_results_add(&results, &draft.result);
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
        {{1.10, 1.11}, {"SAME CACHES", "SAME CACHES"}, 2, NULL, "SAME CACHES", 0},
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
        free(merge(records, &run, &results));
        const struct app_result *result = &results.results[0];
        assert_string_equal(app_result_text(result, APP_O_VERDICT), cases[c].expected);
        assert_string_equal(app_result_text(result, APP_O_AA_VERDICT), "SAME");
        assert_true(app_result_number(result, APP_O_WANDERING, 0) == cases[c].wandering);
        assert_string_equal(app_process_text(&result->processes[0], APP_O_VERDICT),
                            cases[c].verdicts[0]);
        /* The interval that tables show is the record's: half the clock's tick widens each side. */
        const struct app_estimate e = app_result_metric(result, APP_M_RATIO);
        const double low =
            app_pairs_number(result->metrics, app_member_bound(APP_M_RATIO, false), NAN);
        assert_true(e.has_interval ? close_to(e.low, low) && e.widen > 5e-4 : isnan(low));
        assert_int_equal(e.has_interval, cases[c].count > 1);
    }
}
