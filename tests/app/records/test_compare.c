/* The comparison of records, through files: verdicts, keys, what differs, reasons to doubt, error
 * rates on simulated processes, and which of many machines or GPUs the tables and the metrics for
 * Prometheus name. */
#include "noise.h"
#include "records.h"

#include "model/model.h"
#include "model/verdict.h"
#include "records/compare.h"
#include "records/io.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- records of processes --- */

enum { N = 20, SIDE_MAX = 8, TEXT = 65536 };

/* Returns the start state without motion. */
static struct app_state still(void)
{
    struct app_state state = app_state_default();
    state.spec.motion = false;
    return state;
}

/* Fills samples around ms, skewed as kernel times are. */
static const double *draw(double samples[N], double ms, struct test_noise *noise)
{
    for (int i = 0; i < N; i++)
        samples[i] = ms * (1.0 - 0.002 * log(1.0 - 0.999 * test_uniform(noise)));
    return samples;
}

/* Joins records of processes, and frees them. */
static char *join(char **records, size_t count)
{
    return test_joined(records, &(struct app_merge_run){.processes_asked = (int)count});
}

/* Returns the merged record of processes whose medians lie around ms[i]. */
static char *record_of(const struct app_state *state, const double *ms, size_t processes,
                       const char *trust, enum app_verified verified, struct test_noise *noise)
{
    char *records[SIDE_MAX] = {NULL};
    double samples[N];
    for (size_t i = 0; i < processes; i++) {
        const struct test_mode mode = {
            "book/global", draw(samples, ms[i], noise), N, verified, trust, 0.0};
        records[i] = test_record(state, &mode, 1);
    }
    return join(records, processes);
}

/* Replaces a word by one of the same length. */
static void replace(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
}

static void put_record(const char *path, const struct app_state *state, const double *ms,
                       size_t processes, const char *trust, enum app_verified verified,
                       struct test_noise *noise)
{
    TEST_FREED char *text = record_of(state, ms, processes, trust, verified, noise);
    test_file_put_text(path, text);
}

#define FILE_A TEST_BINARY_DIR "/compare_a.json"
#define FILE_B TEST_BINARY_DIR "/compare_b.json"
#define FILE_C TEST_BINARY_DIR "/compare_c.json"

static char said[TEXT];
static struct app_compare_counts counts;

static enum krn_code compare_all(enum app_style style, const struct app_paths *paths)
{
    FILE *out = fmemopen(said, sizeof said, "w");
    assert_non_null(out);
    memset(&error, 0, sizeof error);
    const enum krn_code code = app_compare(paths, 1, style, out, &counts, &error);
    fclose(out);
    return code;
}

static enum krn_code compare(enum app_style style, const char *first, const char *second,
                             const char *third)
{
    char *const rest[] = {(char *)second, (char *)third};
    const struct app_paths paths = {first, rest, third ? 2 : second ? 1 : 0};
    return compare_all(style, &paths);
}

static void expect(const char *words)
{
    if (strstr(said, words) == NULL)
        fail_msg("\"%s\" is missing in:\n%s", words, said);
}

static void expect_not(const char *words)
{
    if (strstr(said, words) != NULL)
        fail_msg("\"%s\" is in:\n%s", words, said);
}

static const double level[] = {1.00, 1.001, 0.999, 1.0005, 1.0},
                    faster[] = {0.90, 0.901, 0.899, 0.9005, 0.9},
                    wide[] = {1.00, 1.06, 0.95, 1.04, 0.97};

/* --- verdicts --- */

TEST(test_verdicts)
{
    struct test_noise noise = test_noise_seed(1);
    const struct app_state state = still();
    put_record(FILE_A, &state, level, 5, NULL, APP_VERIFIED_TRUE, &noise);
    put_record(FILE_B, &state, faster, 5, NULL, APP_VERIFIED_TRUE, &noise);
    put_record(FILE_C, &state, level, 5, NULL, APP_VERIFIED_TRUE, &noise);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, FILE_C), KRN_OK);
    expect("FASTER");
    expect("SAME");
    expect("1.11");
    expect("5, 5");
    expect("compare_b.json against compare_a.json");
    expect("Workload: scene 0123456789abcdef, spheres 20, seed 1, radius_min 20, radius_max 120");
    assert_true(counts.compared == 2 && counts.slower == 0 && counts.too_few == 0);
    assert_int_equal(compare(APP_STYLE_MARKDOWN, FILE_B, FILE_A, NULL), KRN_OK);
    expect("| raytrace book/global |");
    expect(" SLOWER |");
    assert_int_equal(counts.slower, 1);

    /* Processes that differ by 5 % tell nothing about 2 %. */
    put_record(FILE_B, &state, wide, 5, NULL, APP_VERIFIED_TRUE, &noise);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
    expect("CAN'T TELL");
}

/* With one process on a side, the verdict is SAME or CAN'T TELL, and --fail-on-slower needs three.
 */
TEST(test_few_processes)
{
    struct test_noise noise = test_noise_seed(2);
    const struct app_state state = still();
    static const struct {
        size_t first, other, too_few;
        bool judged;
    } cases[] = {
        {1, 1, 1, false}, {5, 1, 1, false}, {1, 5, 1, false}, {3, 2, 1, true}, {3, 3, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_record(FILE_A, &state, faster, cases[i].first, NULL, APP_VERIFIED_TRUE, &noise);
        put_record(FILE_B, &state, level, cases[i].other, NULL, APP_VERIFIED_TRUE, &noise);
        assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
        expect(cases[i].judged ? " SLOWER" : "CAN'T TELL");
        assert_int_equal(counts.too_few, cases[i].too_few);
        assert_int_equal(counts.slower, cases[i].judged && cases[i].too_few == 0);
        assert_true((strstr(said, "this run") != NULL) == !cases[i].judged);
        assert_true((strstr(said, "--fail-on-slower needs 3") != NULL) == (cases[i].too_few > 0));
    }
    put_record(FILE_A, &state, level, 1, NULL, APP_VERIFIED_TRUE, &noise);
    put_record(FILE_B, &state, level, 1, NULL, APP_VERIFIED_TRUE, &noise);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
    expect(" SAME");
}

/* Writes a record of one process as --play does: a copy of what `recorded` processes measured. */
static void put_copy(const char *path, const struct app_state *state, const double *ms,
                     int recorded, struct test_noise *noise)
{
    static const char mark[] = "\"outcome\":";
    TEST_FREED char *text = record_of(state, ms, 1, "recorded", APP_VERIFIED_TRUE, noise),
                    *copy = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&copy, &size);
    const char *at = strstr(text, mark);
    assert_true(out != NULL && at != NULL);
    at = strchr(at, '{') + 1;
    fprintf(out, "%.*s\"recorded_processes\":%d%s%s", (int)(at - text), text, recorded,
            at[strspn(at, " \n")] == '}' ? "" : ",", at);
    fclose(out);
    test_file_put_text(path, copy);
}

/* A copy tells how many processes measured it. Their own values are missing: no verdict is FASTER
 * or SLOWER. */
TEST(test_copies)
{
    struct test_noise noise = test_noise_seed(3);
    const struct app_state state = still();
    static const struct {
        int first, other; /* 0: unknown */
        const char *processes, *scope;
    } cases[] = {
        {5, 5, "]  5, 5 ", NULL}, {5, 1, "5, 1 ", "] one process"}, {0, 5, "]  unknown, 5 ", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_copy(FILE_A, &state, faster, cases[i].first, &noise);
        put_copy(FILE_B, &state, level, cases[i].other, &noise);
        assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
        expect(cases[i].processes);
        expect(cases[i].scope != NULL ? cases[i].scope : "]");
        expect("CAN'T TELL");
        expect_not("this run");
        assert_true(counts.slower == 0 && counts.faster == 0 && counts.too_few == 1);
    }
    /* The other side is of this run. */
    put_record(FILE_B, &state, level, 1, NULL, APP_VERIFIED_TRUE, &noise);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
    expect("] this run");
}

/* Reasons of either side are printed; a wrong or doubtful number gets no verdict. */
TEST(test_trust)
{
    struct test_noise noise = test_noise_seed(3);
    const struct app_state state = still();
    static const struct {
        const char *trust;
        enum app_verified verified;
        const char *verdict, *told;
        bool unjudged;
    } cases[] = {
        {NULL, APP_VERIFIED_TRUE, "FASTER", "processes", false},
        {"near-floor", APP_VERIFIED_TRUE, "FASTER", "near-floor", false},
        {"throttled", APP_VERIFIED_TRUE, "DO NOT QUOTE", "throttled", true},
        {NULL, APP_VERIFIED_FALSE, "WRONG", "wrong-picture", true},
        {"from-the-future", APP_VERIFIED_TRUE, "FASTER", "from-the-future", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int side = 0; side < 2; side++) {
            put_record(FILE_A, &state, level, 5, side == 0 ? cases[i].trust : NULL,
                       side == 0 ? cases[i].verified : APP_VERIFIED_TRUE, &noise);
            put_record(FILE_B, &state, faster, 5, side == 1 ? cases[i].trust : NULL,
                       side == 1 ? cases[i].verified : APP_VERIFIED_TRUE, &noise);
            assert_int_equal(compare(APP_STYLE_MARKDOWN, FILE_A, FILE_B, NULL), KRN_OK);
            expect(cases[i].verdict);
            expect(cases[i].told);
            assert_int_equal(counts.unjudged, cases[i].unjudged);
            if (cases[i].unjudged)
                expect_not("FASTER |");
        }
}

/* Writes the record of three processes, in which the times of the modes are as in `ms`; those of
 * the last mode are far apart. */
static void put_modes(const char *path, const double ms[7], struct test_noise *noise)
{
    static const char *const variants[] = {"book/global",  "book/readonly", "book/constant",
                                           "book/shared",  "book/texture",  "strip/global",
                                           "strip/texture"};
    const struct app_state state = still();
    char *records[3];
    for (int p = 0; p < 3; p++) {
        double samples[7][N];
        struct test_mode modes[7];
        for (int m = 0; m < 7; m++)
            modes[m] = (struct test_mode){
                variants[m], draw(samples[m], ms[m] * (m == 6 ? 1.0 + p : 1.0), noise),
                N,           APP_VERIFIED_TRUE,
                NULL,        0.0};
        records[p] = test_record(&state, modes, 7);
    }
    TEST_FREED char *text = join(records, 3);
    test_file_put_text(path, text);
}

/* The table ends with the number of each verdict, behind the results that moved most: decided ones
 * first. */
TEST(test_summary)
{
    struct test_noise noise = test_noise_seed(8);
    static const double then[] = {1, 1, 1, 1, 1, 1, 1}, now[] = {1, 1.05, 1.5, 0.5, 1.1, 1.25, 5};
    static const char *const order[] = {"Moved most:",
                                        "\nraytrace book/shared: 2.00",
                                        "\nraytrace book/constant: 0.66",
                                        "\nraytrace strip/global: 0.80",
                                        "\nraytrace book/texture: 0.9",
                                        "\nraytrace book/readonly: 0.95",
                                        "\n1 FASTER, 4 SLOWER, 1 SAME, 1 CAN'T TELL.\n"};
    put_modes(FILE_A, then, &noise);
    put_modes(FILE_B, now, &noise);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
    const char *at = said;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *next = strstr(at, order[i]);
        if (next == NULL)
            fail_msg("\"%s\" is missing in:\n%s", order[i], at);
        at = next;
    }
    assert_string_equal(at, order[6]);
    expect_not("raytrace strip/texture:");
}

/* --- keys --- */

/* Every part of the workload is part of the key, and the table names what differs. */
TEST(test_workloads)
{
    struct test_noise noise = test_noise_seed(4);
    struct app_state states[8];
    static const char *const words[8] = {"seed 1 against 2",          "radius_min 20 against 5",
                                         "radius_max 120 against 10", "width 1024 against 512",
                                         "height 1024 against 512",   "zoom fit against 2",
                                         "pose_s 0 against 1.5",      "spheres 20 against 21"};
    const struct app_state state = still();
    for (int i = 0; i < 8; i++)
        states[i] = state;
    states[0].spec.recipe.seed = 2;
    states[1].spec.recipe.radius_min = 5;
    states[2].spec.recipe.radius_max = 10;
    states[3].spec.width = 512;
    states[4].spec.height = 512;
    states[5].spec.zoom = 2;
    states[6].spec.motion_s = 1.5;
    states[7].spec.recipe.count = 21;
    put_record(FILE_A, &state, level, 3, NULL, APP_VERIFIED_TRUE, &noise);
    for (int i = 0; i < 8; i++) {
        put_record(FILE_B, &states[i], faster, 3, NULL, APP_VERIFIED_TRUE, &noise);
        TEST_FAILS(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_REFUSED,
                   "no result in common");
        test_has(error.text, words[i]);
    }
    /* Two scenes of one size, whose hashes differ. */
    char *text = record_of(&state, faster, 3, NULL, APP_VERIFIED_TRUE, &noise);
    replace(text, "0123456789abcdef", "fedcba9876543210");
    test_file_put_text(FILE_B, text);
    TEST_FAILS(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_REFUSED,
               "scene 0123456789abcdef against fedcba9876543210");
    /* The regimes. */
    put_record(FILE_B, &state, faster, 1, NULL, APP_VERIFIED_TRUE, &noise);
    free(text);
    text = record_of(&state, faster, 1, NULL, APP_VERIFIED_TRUE, &noise);
    replace(text, "\"idle\"", "\"busy\"");
    test_file_put_text(FILE_B, text);
    TEST_FAILS(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_REFUSED,
               "regime idle against busy");
    free(text);
}

/* Returns a record of one process with the modes at several numbers of spheres. */
static char *sweep(const int *spheres, size_t n, double factor, struct test_noise *noise)
{
    double samples[N];
    struct app_state state = still();
    struct app_results results = test_record_begin(&state);
    for (size_t i = 0; i < n; i++) {
        struct app_draft draft;
        draw(samples, factor * spheres[i], noise);
        app_draft_begin(&draft, &results, "raytrace", "book/global", KRN_BACKEND_CUDA);
        app_put_workload(&draft, &state, KRN_VIEW_BOOK, "", spheres[i]);
        app_put(&draft, APP_M_MEDIAN_MS, krn_summarise(samples, N).median);
        draft.measured.samples_ms = samples;
        draft.measured.n = N;
        draft.result.regime = "idle";
        draft.result.scope = "s";
        draft.result.verified = APP_VERIFIED_TRUE;
        app_results_add(&results, &draft.result);
    }
    return test_record_end(&results);
}

TEST(test_sizes_are_told)
{
    struct test_noise noise = test_noise_seed(5);
    static const int first[] = {10, 100, 1000}, other[] = {10, 100, 2000};
    TEST_FREED char *a = sweep(first, 3, 1.0, &noise), *b = sweep(other, 3, 1.0, &noise);
    test_file_put_text(FILE_A, a);
    test_file_put_text(FILE_B, b);
    assert_int_equal(compare(APP_STYLE_MARKDOWN, FILE_A, FILE_B, NULL), KRN_OK);
    expect("| spheres 10 |");
    expect("| spheres 100 |");
    expect("Not compared: spheres 1000 against 2000 (raytrace book/global).");
    assert_int_equal(counts.compared, 2);
}

/* --- sides --- */

TEST(test_sides)
{
    struct test_noise noise = test_noise_seed(6);
    const struct app_state state = still();
    put_record(FILE_A, &state, level, 2, NULL, APP_VERIFIED_TRUE, &noise);
    put_record(FILE_B, &state, level + 2, 1, NULL, APP_VERIFIED_TRUE, &noise);
    put_record(FILE_C, &state, faster, 4, NULL, APP_VERIFIED_TRUE, &noise);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A "," FILE_B, FILE_C, NULL), KRN_OK);
    expect("3, 4");
    expect("FASTER");
    expect("compare_a.json + 1");
    /* The same file twice, or the same processes in two files, count no process twice. */
    TEST_FAILS(compare(APP_STYLE_TEXT, FILE_A "," FILE_A, FILE_C, NULL), KRN_REFUSED,
               "counts a process twice");
    struct test_noise again = test_noise_seed(6);
    put_record(FILE_B, &state, level, 1, NULL, APP_VERIFIED_TRUE, &again);
    TEST_FAILS(compare(APP_STYLE_TEXT, FILE_C, FILE_A "," FILE_B, NULL), KRN_REFUSED,
               "counts a process twice");
    /* The same processes on both sides are told. */
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, FILE_B, NULL), KRN_OK);
    expect("compared with itself");
    /* A file whose name has a comma is a file. */
    TEST_FREED char *text = record_of(&state, level, 1, NULL, APP_VERIFIED_TRUE, &noise);
    test_file_put_text(TEST_BINARY_DIR "/compare_a,b.json", text);
    assert_int_equal(compare(APP_STYLE_TEXT, TEST_BINARY_DIR "/compare_a,b.json", FILE_C, NULL),
                     KRN_OK);
    /* Devices do not mix within a side. */
    replace(text, "A GPU", "B GPU");
    test_file_put_text(FILE_B, text);
    TEST_FAILS(compare(APP_STYLE_TEXT, FILE_A "," FILE_B, FILE_C, NULL), KRN_REFUSED,
               "different devices: A GPU and B GPU");
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, NULL, NULL), KRN_REFUSED);
    assert_int_equal(compare(APP_STYLE_TEXT, FILE_A, ",,", NULL), KRN_REFUSED);
}

/* --- error rates --- */

/* Returns the share of simulated comparisons whose verdict is FASTER or SLOWER: of `side` processes
 * a side, whose true ratio is `ratio` and which scatter by `scatter`; a share of them is 5 %
 * slower. */
static double claims_of(size_t side, double ratio, double scatter, double slower)
{
    enum { RUNS = 4000 };
    struct test_noise noise = test_noise_seed(9 + side);
    int claims = 0;
    for (int run = 0; run < RUNS; run++) {
        double ms[2][SIDE_MAX];
        for (size_t i = 0; i < 2 * side; i++)
            ms[i / side][i % side] = (i < side ? ratio : 1.0) *
                                     (test_uniform(&noise) < slower ? 1.05 : 1.0) *
                                     exp(scatter * test_normal(&noise));
        const enum app_verdict verdict =
            app_compare_times(app_estimate_of_processes(ms[0], side, 0.0),
                              app_estimate_of_processes(ms[1], side, 0.0), 1.0)
                .verdict;
        claims += verdict == APP_VERDICT_FASTER || verdict == APP_VERDICT_SLOWER;
    }
    return (double)claims / RUNS;
}

/* Of equal programs, at most 1 in 200 verdicts is false at a band of 1 %, also where processes fall
 * on two levels; a difference of 2 % is found where they scatter little. */
TEST(test_error_rates)
{
    static const double scatters[] = {0.002, 0.01, 0.03};
    static const size_t sides[] = {2, 3, 5, 8};
    for (size_t i = 0; i < 12; i++)
        assert_true(claims_of(sides[i % 4], 1.0, scatters[i / 4], 0.0) <= 1.0 / 200.0);
    assert_true(claims_of(5, 1.0, 0.002, 0.5) <= 1.0 / 200.0);
    assert_true(claims_of(5, 1.0, 0.002, 0.2) <= 1.0 / 200.0);
    assert_true(claims_of(5, 1.02, 0.002, 0.0) >= 0.98);
    assert_true(claims_of(5, 1.02, 0.005, 0.0) >= 0.2);
}

/* --- many machines, or many GPUs of one --- */

enum { SIDES = 4, PROCESSES = 3, MODES = 2 };

/* What one machine or GPU is like. */
struct machine {
    double factor;            /* its times over those of a good one */
    bool wrong[MODES];        /* it computes this mode wrong */
    const char *trust[MODES]; /* an id; NULL: none */
};

/* Returns the record of process p on machine m; *samples differ from all others. */
static char *process_of(const struct machine *machine, int m, int p)
{
    static const char *const variants[MODES] = {"book/global", "book/constant"};
    const struct app_state state = still();
    double samples[MODES][N];
    struct test_mode modes[MODES];
    for (int mode = 0; mode < MODES; mode++) {
        for (int i = 0; i < N; i++)
            samples[mode][i] =
                (1 + mode) * machine->factor * (1 + 0.001 * (p - 1)) * (1 + 1e-4 * m + 1e-5 * i);
        modes[mode] =
            (struct test_mode){variants[mode],
                               samples[mode],
                               N,
                               machine->wrong[mode] ? APP_VERIFIED_FALSE : APP_VERIFIED_TRUE,
                               machine->trust[mode],
                               0.0};
    }
    return test_record(&state, modes, MODES);
}

/* Compares the records of SIDES machines. */
static void compare_sides(const struct machine machines[SIDES])
{
    static char paths[SIDES][sizeof TEST_BINARY_DIR + 40];
    char *rest[SIDES], *records[PROCESSES];
    for (int m = 0; m < SIDES; m++) {
        for (int p = 0; p < PROCESSES; p++)
            records[p] = process_of(&machines[m], m, p);
        TEST_FREED char *text = join(records, PROCESSES);
        snprintf(paths[m], sizeof paths[m], TEST_BINARY_DIR "/fleet_gpu%d.json", m);
        test_file_put_text(paths[m], text);
        rest[m] = paths[m];
    }
    const struct app_paths all = {paths[0], rest + 1, SIDES - 1};
    TEST_OK(compare_all(APP_STYLE_MARKDOWN, &all));
    for (int m = 0; m < SIDES; m++)
        unlink(paths[m]);
    const char *table = strstr(said, "All sides");
    assert_non_null(table);
    memmove(said, table, strlen(table) + 1);
}

/* Returns the record of a machine with SIDES GPUs, whose processes took turns. */
static char *record_of_gpus(const struct machine gpus[SIDES])
{
    char *records[SIDES * PROCESSES];
    for (int p = 0; p < PROCESSES; p++)
        for (int m = 0; m < SIDES; m++) {
            char *text = process_of(&gpus[m], m, p), *ordinal = strstr(text, "\"ordinal\": 0");
            assert_non_null(ordinal);
            ordinal[strlen("\"ordinal\": ")] = (char)('0' + m);
            records[p * SIDES + m] = text;
        }
    return join(records, sizeof records / sizeof *records);
}

static void compare_gpus(const struct machine gpus[SIDES])
{
    TEST_OWNED(app_results_free) struct app_results results;
    TEST_FREED char *text = record_of_gpus(gpus);
    FILE *out = fmemopen(said, sizeof said, "w");
    assert_non_null(out);
    TEST_OK(app_results_read(text, strlen(text), "gpus", &results, &error));
    app_fleet_print_devices(&results, 1, APP_STYLE_MARKDOWN, out);
    fclose(out);
}

static int count_of(const char *words)
{
    int count = 0;
    for (const char *at = said; (at = strstr(at, words)) != NULL; at += strlen(words))
        count++;
    return count;
}

/* Machine 1 computes one of two modes wrong, and machine 2 is slow: the table names both, and
 * compares the others with those that are right. */
TEST(test_a_wrong_one_is_named)
{
    struct machine machines[SIDES] = {
        {.factor = 1},
        {.factor = 0.5, .wrong = {false, true}, .trust = {NULL, "wrong-picture"}},
        {.factor = 1.05},
        {.factor = 1}};
    compare_sides(machines);
    expect("fleet_gpu1.json on ");
    expect(" computes wrong results, 1 of 2: the first is raytrace book/constant.");
    expect("fleet_gpu2.json on ");
    assert_int_equal(count_of("| WRONG |"), 1);
    assert_int_equal(count_of("| SLOWER |"), 1);
    assert_int_equal(count_of("slower than the others"), 1);
    /* The mode that it has right tells how fast it is. */
    expect("| 1/1 | WRONG |");

    compare_gpus(machines);
    expect("GPU 1 on ");
    expect(" computes wrong results, 1 of 2: the first is raytrace book/constant.");
    expect("GPU 2 on ");
    assert_int_equal(count_of("| WRONG |"), 1);
    assert_int_equal(count_of("| SLOWER |"), 1);
    assert_int_equal(count_of("slower than the others"), 1);

    /* It is not good either when it is as fast as the others. */
    machines[1].factor = 1;
    machines[2].factor = 1;
    compare_gpus(machines);
    assert_int_equal(count_of("| WRONG |"), 1);
    assert_int_equal(count_of("computes wrong results"), 1);
    assert_int_equal(count_of("| SLOWER |") + count_of("| FASTER |"), 0);

    /* One that is right alone has nothing to be compared with. */
    for (int m = 0; m < SIDES - 1; m++)
        machines[m] = machines[1];
    compare_gpus(machines);
    assert_int_equal(count_of("| WRONG |"), SIDES - 1);
    assert_int_equal(count_of("| - | - | - | - | CAN'T TELL | - |"), 1);
}

/* One of them is 5 % slower: the table names it, wherever it is in the list, and no other. */
TEST(test_a_sick_one_is_named)
{
    struct machine machines[SIDES] = {{.factor = 1}, {.factor = 1}, {.factor = 1}, {.factor = 1}};
    compare_sides(machines);
    assert_int_equal(count_of("is slower than the others"), 0);
    for (int sick = 0; sick < SIDES; sick++) {
        char words[80];
        snprintf(words, sizeof words, "fleet_gpu%d.json on ", sick);
        machines[sick].factor = 1.05;
        compare_sides(machines);
        machines[sick].factor = 1;
        expect(words);
        expect("slower than the others: 0.95");
        assert_int_equal(count_of("is slower than the others"), 1);
        expect("o.........\\|..........");
    }
}

/* When no process says that it was the wrong one, none of them counts as right. */
TEST(test_wrong_without_a_name)
{
    const struct machine machines[SIDES] = {
        {.factor = 1}, {.factor = 1, .wrong = {true, true}}, {.factor = 1}, {.factor = 1}};
    compare_gpus(machines);
    assert_int_equal(count_of("computes wrong results, 2 of 2"), SIDES);
    assert_int_equal(count_of("| - | - | - | - | WRONG | - |"), SIDES);
    compare_sides(machines);
    assert_int_equal(count_of("computes wrong results, 2 of 2"), 1);
    assert_int_equal(count_of("| - | - | - | - | WRONG | - |"), 1);
}

/* A throttled GPU is named with its reason, and hides no slow one. */
TEST(test_a_throttled_one_is_named)
{
    struct machine machines[SIDES] = {{.factor = 1},
                                      {.factor = 1.3, .trust = {"throttled", "throttled"}},
                                      {.factor = 1.05},
                                      {.factor = 1}};
    compare_sides(machines);
    expect("fleet_gpu1.json on ");
    expect(" is not to be quoted, 2 of 2 results: throttled.");
    assert_int_equal(count_of("| DO NOT QUOTE |"), 1);
    assert_int_equal(count_of("| SLOWER |"), 1);
    compare_gpus(machines);
    expect("GPU 1 on ");
    expect(" is not to be quoted, 2 of 2 results: throttled.");
    assert_int_equal(count_of("| DO NOT QUOTE |"), 1);
    assert_int_equal(count_of("| SLOWER |"), 1);

    /* Where all are, the table still tells how fast they are beside each other. */
    for (int m = 0; m < SIDES; m++)
        machines[m].trust[0] = machines[m].trust[1] = "throttled";
    compare_sides(machines);
    assert_int_equal(count_of("| DO NOT QUOTE |"), SIDES);
    expect("| 0.7"); /* 1 / 1.3, less what the slow one takes from the others */
}

/* Returns the value of the sample that has all words; NaN: there is none. Fails when there are
 * several. */
static double sample_of(const char *text, const char *name, const char *variant, const char *gpu)
{
    double value = NAN;
    int found = 0;
    char begin[64], label[64];
    snprintf(begin, sizeof begin, "%s{", name);
    snprintf(label, sizeof label, ",gpu=\"%s\",", gpu);
    for (const char *line = text; *line != 0; line = strchr(line, '\n') + 1) {
        const char *end = strchr(line, '\n');
        char one[1024];
        snprintf(one, sizeof one, "%.*s", (int)(end - line), line);
        if (strncmp(one, begin, strlen(begin)) != 0 || strstr(one, variant) == NULL ||
            strstr(one, label) == NULL)
            continue;
        found++;
        value = strtod(strrchr(one, ' '), NULL);
    }
    assert_true(found <= 1);
    return value;
}

/* Returns a record's metrics, to be freed. */
static char *metrics_of(const char *record)
{
    TEST_OWNED(app_results_free) struct app_results results = test_record_of(record);
    return app_results_prometheus(&results, "night");
}

/* Of a record of several GPUs, the metrics tell the time of each, and which one is wrong. */
TEST(test_metrics_of_gpus)
{
    static const char time[] = "spherescope_gpu_time_seconds", wrong[] = "spherescope_gpu_wrong";
    const struct machine machines[SIDES] = {
        {.factor = 1},
        {.factor = 1, .wrong = {false, true}, .trust = {NULL, "wrong-picture"}},
        {.factor = 1.5},
        {.factor = 1}};
    char *record = record_of_gpus(machines), *text = metrics_of(record);
    for (int m = 0; m < SIDES; m++) {
        const char gpu[] = {(char)('0' + m), 0};
        const double ms = machines[m].factor, seconds = 1e-3 * ms;
        assert_true(fabs(sample_of(text, time, "\"book/global\"", gpu) / seconds - 1) < 1e-2);
        assert_true(fabs(sample_of(text, time, "\"book/constant\"", gpu) / seconds - 2) < 2e-2);
        assert_true(sample_of(text, wrong, "\"book/global\"", gpu) == 0.0);
        assert_true(sample_of(text, wrong, "\"book/constant\"", gpu) == (m == 1));
    }
    assert_true(isnan(sample_of(text, time, "\"book/global\"", "4")));
    free(text);
    free(record);

    /* One GPU is told by the metrics of the whole record. */
    record = process_of(&machines[0], 0, 0);
    TEST_FREED char *one = join(&record, 1);
    text = metrics_of(one);
    assert_null(strstr(text, "spherescope_gpu"));
    free(text);
}
