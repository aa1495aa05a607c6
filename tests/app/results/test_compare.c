/* The comparison of records: the ratio and its interval, verdicts, whole files, broken files. */
#include "files.h"

#include "base/files.h"
#include "results/compare.h"
#include "results/reader.h"
#include "results/tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct krn_error error;

static double uniform(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

/* Draws samples with a skewed distribution above `scale`, like kernel times. */
static void draw(double *samples, size_t n, double scale, uint32_t *seed)
{
    for (size_t i = 0; i < n; i++)
        samples[i] = scale * (1.0 - 0.05 * log(1.0 - 0.999 * uniform(seed)));
}

static struct app_ratio ratio_of(const double *a, size_t n, const double *b, size_t m)
{
    const struct app_side first = {&a, &n, 1}, other = {&b, &m, 1};
    struct app_ratio ratio;
    assert_int_equal(app_ratio_of(&first, &other, &ratio, &error), KRN_OK);
    return ratio;
}

static void test_known_ratios(void **unused)
{
    (void)unused;
    const double a[] = {4, 4, 4, 4}, b[] = {2, 2, 2, 2}, zero[] = {0, 0};
    struct app_ratio r = ratio_of(a, 4, b, 4);
    assert_true(r.ratio == 2 && r.valid && r.low == 2 && r.high == 2);
    assert_int_equal(app_ratio_verdict(&r, 1), APP_COMPARED_FASTER);
    r = ratio_of(b, 4, a, 4);
    assert_int_equal(app_ratio_verdict(&r, 1), APP_COMPARED_SLOWER);
    r = ratio_of(a, 4, a, 4);
    assert_int_equal(app_ratio_verdict(&r, 1), APP_COMPARED_SAME);
    r = ratio_of(a, 1, b, 4); /* one sample has no spread */
    assert_true(r.ratio == 2 && !r.valid);
    assert_int_equal(app_ratio_verdict(&r, 1), APP_COMPARED_CANT_TELL);
    r = ratio_of(a, 0, b, 4);
    assert_true(r.ratio == 0 && !r.valid);
    r = ratio_of(a, 4, zero, 2);
    assert_true(r.ratio == 0 && !r.valid);
    static const struct {
        double low, high;
        enum app_comparison_verdict verdict;
    } cases[] = {
        {1.011, 1.2, APP_COMPARED_FASTER},   {1.009, 1.2, APP_COMPARED_CANT_TELL},
        {0.5, 0.9899, APP_COMPARED_SLOWER},  {0.5, 0.9902, APP_COMPARED_CANT_TELL},
        {0.9902, 1.0099, APP_COMPARED_SAME}, {0.98, 1.02, APP_COMPARED_CANT_TELL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct app_ratio given = {1, true, cases[i].low, cases[i].high};
        assert_int_equal(app_ratio_verdict(&given, 1), cases[i].verdict);
    }
}

/* The interval contains the true ratio as often as its level says; equal input gives equal bits. */
static void test_coverage(void **unused)
{
    (void)unused;
    enum { N = 60, RUNS = 400 };
    double a[N], b[N];
    uint32_t seed = 11;
    int held = 0;
    for (int run = 0; run < RUNS; run++) {
        draw(a, N, 1.3, &seed);
        draw(b, N, 1.0, &seed);
        const struct app_ratio r = ratio_of(a, N, b, N), again = ratio_of(a, N, b, N);
        assert_memory_equal(&r.low, &again.low, sizeof r.low);
        held += r.low <= 1.3 && 1.3 <= r.high;
    }
    print_message("the 95 %% interval held the true ratio in %.1f %% of %d runs\n",
                  held * 100.0 / RUNS, RUNS);
    assert_true(held >= RUNS * 92 / 100 && held <= RUNS * 99 / 100);
}

/* With variation between processes, one record per side gives a confident wrong verdict, and
 * several records do not. */
static void test_several_records(void **unused)
{
    (void)unused;
    enum { N = 200, SIDE = 5 };
    static double samples[2 * SIDE][N];
    const double *runs[2 * SIDE];
    size_t n[2 * SIDE];
    uint32_t seed = 5;
    static const double shift[2 * SIDE] = {1.00, 1.06, 0.97, 1.05, 0.95,
                                           1.04, 0.96, 1.05, 1.01, 0.98};
    for (int i = 0; i < 2 * SIDE; i++) {
        draw(samples[i], N, shift[i], &seed);
        runs[i] = samples[i];
        n[i] = N;
    }
    struct app_ratio r = ratio_of(samples[1], N, samples[2], N);
    assert_int_equal(app_ratio_verdict(&r, 1), APP_COMPARED_FASTER);
    const struct app_side first = {runs, n, SIDE}, other = {runs + SIDE, n + SIDE, SIDE};
    assert_int_equal(app_ratio_of(&first, &other, &r, &error), KRN_OK);
    assert_int_equal(app_ratio_verdict(&r, 1), APP_COMPARED_CANT_TELL);
    assert_true(r.low < 1 && r.high > 1);
}

static const char head[] = "{\"schema\": \"spherescope-results-1\", \"complete\": true,\n"
                           "\"environment\": {\"host\": \"h\\u001b[31m\", \"time_utc\": \"t\",\n"
                           "\"device\": {\"name\": \"A GPU\", \"driver\": \"13.0\"}},\n"
                           "\"trust\": [], \"results\": [\n";

/* Returns a record of one result whose samples are around ms. */
static char *record_of(const char *benchmark, const char *variant, double ms, bool verified)
{
    char *text = malloc(4096);
    assert_non_null(text);
    int used = snprintf(text, 4096,
                        "%s{\"benchmark\": \"%s\", \"variant\": \"%s\", \"backend\": "
                        "\"cpu\", \"parameters\": {\"width\": 64, \"what\": \"a,\\\"b\"}, "
                        "\"metrics\": {\"median_ms\": %.3f, \"n\": 20},\n\"scope\": \"s\", "
                        "\"samples_ms\": [",
                        head, benchmark, variant, ms);
    used = (int)strlen(text);
    for (int i = 0; i < 20; i++)
        used += snprintf(text + used, 4096 - (size_t)used, "%s%.4f", i > 0 ? ", " : "",
                         ms * (1 + 0.0001 * i));
    snprintf(
        text + used, 4096 - (size_t)used,
        "], \"verified\": %s, \"trust\": [\"spread\", \"near-floor\"], \"complete\": true}\n]}\n",
        verified ? "true" : "false");
    return text;
}

static char *record_text(const char *variant, double ms, bool verified)
{
    return record_of("raytrace", variant, ms, verified);
}

#define FILE_A TEST_BINARY_DIR "/compare_a.json"
#define FILE_B TEST_BINARY_DIR "/compare_b.json"
#define FILE_C TEST_BINARY_DIR "/compare_c.json"

static char said[8192];
static bool slower;

static enum krn_code compare(bool markdown, const char *first, const char *second,
                             const char *third)
{
    char *const rest[] = {(char *)second, (char *)third};
    const struct app_paths paths = {first, rest, third ? 2 : second ? 1 : 0};
    FILE *out = fmemopen(said, sizeof said, "w");
    assert_non_null(out);
    memset(&error, 0, sizeof error);
    const enum krn_code code = app_compare(&paths, 1, markdown, out, &slower, &error);
    fclose(out);
    return code;
}

static void test_files(void **unused)
{
    (void)unused;
    char *a = record_text("book/global", 2.0, true), *b = record_text("book/global", 1.0, true),
         *c = record_text("book/global", 4.0, true);
    test_file_put(FILE_A, a, strlen(a));
    test_file_put(FILE_B, b, strlen(b));
    test_file_put(FILE_C, c, strlen(c));
    assert_int_equal(compare(false, FILE_A, FILE_B, FILE_A), KRN_OK);
    assert_false(slower);
    assert_non_null(strstr(said, "2.000 x"));
    assert_non_null(strstr(said, "FASTER"));
    assert_non_null(strstr(said, "SAME"));
    assert_null(strchr(said, 27)); /* no escape sequence for the terminal */
    assert_int_equal(compare(true, FILE_A, FILE_B, FILE_C), KRN_OK);
    assert_true(slower);
    assert_non_null(strstr(said, "| raytrace book/global | 2.00 ms, n 20 | 1.00 ms, 2.000 x ["));
    assert_non_null(strstr(said, "SLOWER |"));

    /* Sides of several records; a file whose name has a comma is a file. */
    assert_int_equal(compare(false, FILE_A "," FILE_A, FILE_B "," FILE_B, NULL), KRN_OK);
    assert_non_null(strstr(said, "and 1 more"));
    assert_null(strstr(said, "One record per side"));
    test_file_put(TEST_BINARY_DIR "/compare_a,b.json", a, strlen(a));
    assert_int_equal(compare(false, TEST_BINARY_DIR "/compare_a,b.json", FILE_A, NULL), KRN_OK);

    char *wrong = record_text("book/global", 0.1, false);
    test_file_put(FILE_B, wrong, strlen(wrong));
    assert_int_equal(compare(false, FILE_A, FILE_B, NULL), KRN_OK);
    assert_non_null(strstr(said, "WRONG"));
    assert_null(strstr(said, "FASTER"));

    char *other = record_text("book/shared", 1.0, true);
    test_file_put(FILE_B, other, strlen(other));
    assert_int_equal(compare(false, FILE_A, FILE_B, NULL), KRN_REFUSED);
    assert_non_null(strstr(error.text, "no result in common"));
    assert_int_equal(compare(false, FILE_A, NULL, NULL), KRN_REFUSED);
    assert_int_equal(compare(false, FILE_A, ",,", NULL), KRN_REFUSED);
    assert_int_equal(compare(false, FILE_A, "/nowhere/x.json", NULL), KRN_FAILED);
    assert_int_equal(compare(false, FILE_A, TEST_BINARY_DIR, NULL), KRN_REFUSED);
    free(a);
    free(b);
    free(c);
    free(wrong);
    free(other);
}

/* Old records call the published SAXPY kernel "seed"; they are comparable with new ones. */
static void test_old_names(void **unused)
{
    (void)unused;
    static const char *const pairs[][2] = {{"seed", "published"}, {"seed/one", "published/one"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *old = record_of("saxpy", pairs[i][0], 2.0, true),
             *now = record_of("saxpy", pairs[i][1], 1.0, true), name[64];
        test_file_put(FILE_A, old, strlen(old));
        test_file_put(FILE_B, now, strlen(now));
        assert_int_equal(compare(false, FILE_A, FILE_B, NULL), KRN_OK);
        snprintf(name, sizeof name, "saxpy %s ", pairs[i][1]);
        assert_non_null(strstr(said, name));
        assert_non_null(strstr(said, "2.000 x"));
        assert_null(strstr(said, "seed"));
        free(old);
        free(now);
    }
    /* Other names are unchanged. */
    static const char *const kept[][2] = {{"saxpy", "seedling"}, {"raytrace", "seed"}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char *text = record_of(kept[i][0], kept[i][1], 2.0, true);
        struct app_read_record record;
        test_file_put(FILE_A, text, strlen(text));
        assert_int_equal(app_record_read(FILE_A, &record, &error), KRN_OK);
        assert_non_null(strstr(record.results[0].name, kept[i][1]));
        app_read_record_free(&record);
        free(text);
    }
}

static void test_broken_files(void **unused)
{
    (void)unused;
    char *text = record_text("book/global", 2.0, true);
    const size_t length = strlen(text);
    struct app_read_record record;
    for (size_t cut = 0; cut + 2 < length; cut++) {
        test_file_put(FILE_B, text, cut);
        assert_int_equal(app_record_read(FILE_B, &record, &error), KRN_REFUSED);
        assert_non_null(strstr(error.text, "compare_b.json, line "));
        assert_null(strchr(error.text, '\n'));
    }
    uint32_t seed = 3;
    char *damaged = malloc(length + 1);
    assert_non_null(damaged);
    for (int i = 0; i < 3000; i++) {
        memcpy(damaged, text, length + 1);
        for (int change = 0; change <= i % 4; change++)
            damaged[(size_t)(uniform(&seed) * (double)length)] = (char)(uniform(&seed) * 256);
        test_file_put(FILE_B, damaged, length);
        const enum krn_code code = app_record_read(FILE_B, &record, &error);
        assert_true(code == KRN_OK || code == KRN_REFUSED);
        app_read_record_free(&record);
    }
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"[]", "must be a results record"},
        {"{}", "schema is missing"},
        {"{\"schema\": 3}", "schema must be a string"},
        {"{\"schema\": \"other\"}", "spherescope-results-1"},
        {"{\"schema\": \"spherescope-results-1\"}", "environment is missing"},
        {"{\"schema\": \"spherescope-results-1\", \"environment\": {}, \"results\": {}}",
         "results must be an array"},
        {"{\"schema\": \"spherescope-results-1\", \"environment\": {}, \"results\": [3]}",
         "results[0] must be an object"},
        {"{\"schema\": \"spherescope-results-1\", \"environment\": {}, \"results\": "
         "[{\"benchmark\": "
         "\"a\", \"variant\": \"b\", \"backend\": \"c\", \"parameters\": {}, \"metrics\": {}, "
         "\"samples_ms\": [1, -1]}]}",
         "results[0].samples_ms[1] must be a number"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_file_put(FILE_B, wrong[i].text, strlen(wrong[i].text));
        assert_int_equal(app_record_read(FILE_B, &record, &error), KRN_REFUSED);
        if (strstr(error.text, wrong[i].words) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", error.text, wrong[i].words);
    }
    free(damaged);
    free(text);
}

static void test_tables(void **unused)
{
    (void)unused;
    char *text = record_text("book/global", 0.5, true), *csv = app_table_csv(text),
         *markdown = app_table_markdown(text);
    assert_non_null(csv);
    assert_non_null(markdown);
    assert_ptr_equal(strstr(csv,
                            "benchmark,variant,backend,regime,width,what,median_ms,n,processes,"
                            "scope,verified,verified_reason,trust,complete,device,host,time_utc,"
                            "version,git\r\n"
                            "raytrace,book/global,cpu,idle,64,\"a,\"\"b\",0.5,20,1,s,true,,spread "
                            "near-floor,true,A GPU,"),
                     csv);
    assert_non_null(strstr(markdown, "| raytrace book/global | 500 µs |"));
    assert_non_null(strstr(markdown, "| yes | spread near-floor |"));
    assert_null(app_table_csv("no record"));
    free(markdown);
    free(csv);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_ratios),    cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_several_records), cmocka_unit_test(test_files),
        cmocka_unit_test(test_old_names),       cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
