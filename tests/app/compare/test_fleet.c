/* Many records, and records of many GPUs: which machine or GPU the table names, and what the
 * metrics for Prometheus say of each GPU. */
#include "records.h"

#include "compare/compare.h"
#include "io/io.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIDES = 4, PROCESSES = 3, MODES = 2, N = 20, TEXT = 65536 };

/* What one machine or GPU is like. */
struct machine {
    double factor;            /* its times over those of a good one */
    bool wrong[MODES];        /* it computes this mode wrong */
    const char *trust[MODES]; /* an id; NULL: none */
};

static char said[TEXT];

/* Returns the record of process p on machine m; *samples differ from all others. */
static char *process_of(const struct machine *machine, int m, int p)
{
    static const char *const variants[MODES] = {"book/global", "book/constant"};
    struct app_state state = app_state_default();
    double samples[MODES][N];
    struct test_mode modes[MODES];
    state.motion = false;
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

/* Joins records of processes, and frees them. */
static char *join(char **records, size_t count)
{
    static char *text; /* gcc 12 takes a local one for dangling */
    const struct app_merge_run run = {.processes_asked = (int)count};
    TEST_OK(test_merge((const char *const *)records, count, &run, &text));
    for (size_t i = 0; i < count; i++)
        free(records[i]);
    return text;
}

/* Compares the records of SIDES machines. */
static void compare_sides(const struct machine machines[SIDES])
{
    static char paths[SIDES][sizeof TEST_BINARY_DIR + 40];
    char *rest[SIDES], *records[PROCESSES];
    struct app_compare_counts counts;
    for (int m = 0; m < SIDES; m++) {
        for (int p = 0; p < PROCESSES; p++)
            records[p] = process_of(&machines[m], m, p);
        TEST_FREED char *text = join(records, PROCESSES);
        snprintf(paths[m], sizeof paths[m], TEST_BINARY_DIR "/fleet_gpu%d.json", m);
        test_file_put_text(paths[m], text);
        rest[m] = paths[m];
    }
    const struct app_paths all = {paths[0], rest + 1, SIDES - 1};
    FILE *out = fmemopen(said, sizeof said, "w");
    assert_non_null(out);
    TEST_OK(app_compare(&all, 1, APP_STYLE_MARKDOWN, out, &counts, &error));
    fclose(out);
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

static void expect(const char *words)
{
    if (strstr(said, words) == NULL)
        fail_msg("\"%s\" is missing in:\n%s", words, said);
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
