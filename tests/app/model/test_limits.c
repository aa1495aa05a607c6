/* What files that somebody else made can ask of the program: every limit, numbers that are none,
 * control characters, and memory that runs out at every allocation. docs/formats.md has the limits
 * as a table. */
#include "files.h"
#include "owned.h"

#include "base/complain.h"
#include "model/model.h"
#include "records/compare.h"
#include "records/io.h"
#include "records/json.h"
#include "records/recorded.h"
#include "scenes/scenes.h"
#include "talk/talk.h"

#include "krn/across.h"
#include "ren/png.h"

#include <limits.h>
#include <math.h>

static const char folder[] = TEST_BINARY_DIR;

#define HEAD                                                                                       \
    "{\"schema\":\"spherescope-results-2\",\"environment\":{\"device\":{\"backend\":\"cuda\","     \
    "\"name\":\"A GPU\"}},\"results\":["
#define TAIL "]}"
#define RESULT(variant, spheres, metrics, samples)                                                 \
    RESULT_OF("raytrace", variant, spheres, metrics, samples)
#define RESULT_OF(benchmark, variant, spheres, metrics, samples)                                   \
    "{\"benchmark\":\"" benchmark "\",\"variant\":\"" variant                                      \
    "\",\"backend\":\"cuda\",\"workload\":{"                                                       \
    "\"spheres\":" spheres ",\"width\":64,\"height\":64,\"seed\":\"1\"},\"parameters\":{},"        \
    "\"metrics\":{" metrics "},\"processes\":[{\"process\":1,\"samples_ms\":[" samples             \
    "],\"metrics\":{" metrics "}}]}"
#define GOOD HEAD RESULT("book/global", "20", "\"median_ms\":2", "1,2,3") TAIL

static enum krn_code read_record(const char *text, struct app_results *results)
{
    memset(&error, 0, sizeof error);
    return app_results_read(text, strlen(text), "r.json", results, &error);
}

static void refuse_record(const char *text, const char *words)
{
    struct app_results results;
    assert_int_equal(read_record(text, &results), KRN_REFUSED);
    if (strstr(error.text, words) == NULL || strstr(error.text, "r.json") != error.text)
        fail_msg("\"%s\" lacks \"%s\" or the file", error.text, words);
}

/* Returns `count` times a text between two others, separated by commas; to be freed. */
static char *repeat(const char *before, const char *text, size_t count, const char *after)
{
    char *all = malloc(strlen(before) + count * (strlen(text) + 1) + strlen(after) + 1), *at = all;
    assert_non_null(all);
    at = stpcpy(at, before);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, i > 0 ? "," : ""), text);
    stpcpy(at, after);
    return all;
}

/* --- limits --- */

TEST(test_counts)
{
    struct app_results results;
    char *many = repeat(HEAD, "1", APP_RESULTS_MAX, TAIL);
    refuse_record(many, "results[0] must be an object"); /* their number is fine */
    free(many);
    many = repeat(HEAD, "1", APP_RESULTS_MAX + 1, TAIL);
    refuse_record(many, "results has more than 20000 elements");
    free(many);

    char pairs[8192] = "", text[16384];
    for (int i = 0; i <= APP_PAIRS_MAX; i++) {
        const size_t used = strlen(pairs);
        snprintf(pairs + used, sizeof pairs - used, "%s\"p%d\":1", i > 0 ? "," : "", i);
        snprintf(text, sizeof text,
                 HEAD "{\"benchmark\":\"b\",\"variant\":\"v\",\"backend\":\"cpu\",\"parameters\":{"
                      "%s},\"metrics\":{},\"processes\":[{\"process\":1,\"samples_ms\":[]}]}" TAIL,
                 pairs);
        if (i < APP_PAIRS_MAX) {
            assert_int_equal(read_record(text, &results), KRN_OK);
            app_results_free(&results);
        }
    }
    refuse_record(text, "parameters has more than 128 members");
    refuse_record("[[[[[[[[[", "nested too deeply");
    many = repeat("[", "1", (16u << 20) + 1, "]");
    refuse_record(many, "too many values");
    assert_int_equal(app_results_read(many, APP_RECORD_BYTES_MAX + 1, "r.json", &results, &error),
                     KRN_REFUSED);
    assert_non_null(strstr(error.text, "r.json is larger than the limit of 128 MiB"));
    free(many);
}

/* Readers index by mode. */
TEST(test_modes_that_do_not_exist)
{
    refuse_record(HEAD RESULT("book/global", "20", "\"median_ms\":2",
                              "1") "," RESULT("strip/global/3", "20", "\"median_ms\":2", "1") TAIL,
                  "results[1].variant is \"strip/global/3\", which is no mode of this version.");
}

TEST(test_modes_of_a_run)
{
    char path[256], *text = NULL;
    size_t size = 0;
    struct app_recorded *recorded = NULL;
    snprintf(path, sizeof path, "%s/limits-run.json", folder);
    for (int more = 0; more < 2; more++) {
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        fputs(HEAD, out);
        for (int i = 0; i < APP_RECORDED_MODES_MAX + more; i++)
            fprintf(out, "%s" RESULT("book/global", "%d", "\"median_ms\":2", "1"), i > 0 ? "," : "",
                    i + 1);
        fputs(TAIL, out);
        fclose(out);
        test_file_put(path, text, size);
        free(text);
        assert_int_equal(app_recorded_open(path, 1.0, &recorded, &error),
                         more ? KRN_REFUSED : KRN_OK);
        app_recorded_close(recorded);
    }
    assert_non_null(strstr(error.text, "more than 5000 modes"));
    unlink(path);
}

/* The table in docs/formats.md has the numbers of the code. */
TEST(test_documented)
{
    static char docs[1 << 17];
    char rows[6][320];
    FILE *file = fopen(TEST_SOURCE_DIR "/docs/formats.md", "rb");
    assert_non_null(file);
    docs[fread(docs, 1, sizeof docs - 1, file)] = 0;
    fclose(file);
    snprintf(rows[0], sizeof rows[0], "| scene file, JSON | %d MiB | %d | %d | %d to %d spheres |",
             APP_SCENE_BYTES_MAX >> 20, APP_SCENE_DEPTH_MAX, APP_SCENE_VALUES_MAX, KRN_SPHERES_MIN,
             KRN_LARGE_SPHERES);
    snprintf(rows[1], sizeof rows[1],
             "`--replay` | %d MiB | %d | %d | %d results, %d processes, %d members of each list "
             "of numbers; %d spheres in its state |",
             APP_RECORD_BYTES_MAX >> 20, 8, 16 << 20, APP_RESULTS_MAX, KRN_PROCESSES_MAX,
             APP_PAIRS_MAX, APP_RECORD_SPHERES_MAX);
    snprintf(rows[2], sizeof rows[2],
             "| several for `--play` | each as one | %d | each as one | %d files, %d modes and "
             "scenes |",
             8, APP_RECORDED_FILES_MAX, APP_RECORDED_MODES_MAX);
    snprintf(rows[3], sizeof rows[3],
             "| talk | %d MiB | %d | %d | %d steps, %d settings a step, %d answers; texts of %d "
             "bytes, notes of %d |",
             APP_TALK_BYTES_MAX >> 20, APP_TALK_DEPTH_MAX, APP_TALK_VALUES_MAX, APP_TALK_STEPS_MAX,
             APP_TALK_SETTINGS_MAX, APP_TALK_ANSWERS_MAX, APP_TALK_CAPTION_MAX, APP_TALK_NOTES_MAX);
    snprintf(rows[4], sizeof rows[4], "| %d MiB | - | - | text of %d MiB, %dx%d pixels |",
             REN_PNG_FILE_BYTES_MAX >> 20, REN_PNG_TEXT_BYTES_MAX >> 20, REN_PNG_SIDE_MAX,
             REN_PNG_SIDE_MAX);
    snprintf(rows[5], sizeof rows[5],
             "| scene file, table or molecule | %d MiB | - | - | %d to %d spheres; lengths of at "
             "most 1e%d |",
             APP_SCENE_BYTES_MAX >> 20, KRN_SPHERES_MIN, KRN_LARGE_SPHERES,
             (int)rint(log10(APP_LENGTH_MAX)));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(docs, rows[i]) == NULL)
            fail_msg("docs/formats.md lacks \"%s\"", rows[i]);
}

#define START "{\"schema\": \"spherescope-results-2\", \"environment\": {}, \"results\": "
#define WRONG                                                                                      \
    START "[{\"benchmark\": \"a\", \"variant\": \"b\", \"backend\": \"cpu\", \"parameters\": {}, " \
          "\"metrics\": {}, "

TEST(test_wrong_records)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"[]", "must be a results record"},
        {"{}", "schema is missing"},
        {"{\"schema\": 3}", "schema must be a string"},
        {"{\"schema\": \"spherescope-results-1\"}",
         "schema is \"spherescope-results-1\", but this version reads \"spherescope-results-2\"."},
        {"{\"schema\": \"spherescope-results-2\"}", "environment is missing"},
        {START "{}}", "results must be an array"},
        {START "[3]}", "results[0] must be an object"},
        {START "[{}]}", "results[0].benchmark is missing"},
        {WRONG "\"processes\": []}]}", "results[0].processes must have 1 to 128 elements"},
        {WRONG "\"processes\": [{\"process\": 1, \"samples_ms\": [1, -1]}]}]}",
         "results[0].processes[0].samples_ms[1] must be a number"},
        {WRONG "\"processes\": [{\"process\": 1, \"samples_ms\": [1], \"cycles\": []}]}]}",
         "more or fewer cycles"},
        {WRONG "\"workload\": {\"A\": 1}, \"processes\": [{\"process\": 1, "
               "\"samples_ms\": []}]}]}",
         "name is not of a-z"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse_record(wrong[i].text, wrong[i].words);
}

/* --- numbers --- */

TEST(test_huge_numbers)
{
    struct app_results results;
    static const char *const integers[] = {"1e20", "-1e20", "2147483648", "-2147483649", "1e308"};
    char text[2048];
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        snprintf(text, sizeof text, HEAD RESULT("book/global", "%s", "\"median_ms\":2", "1") TAIL,
                 integers[i]);
        assert_int_equal(read_record(text, &results), KRN_OK);
        assert_int_equal(app_result_integer(&results.results[0], APP_W_SPHERES), 0);
        app_results_free(&results);
    }
    assert_int_equal(
        read_record(HEAD RESULT("book/global", "20", "\"median_ms\":1e308", "1e308,1,2") TAIL,
                    &results),
        KRN_OK);
    assert_int_equal(results.results[0].processes[0].n, 0);
    assert_null(app_result_member(&results.results[0], APP_M_MEDIAN_MS));
    assert_false(app_result_metric(&results.results[0], APP_M_MEDIAN_MS).valid);
    app_results_free(&results);
}

/* Compares two texts through files and returns what is printed; to be freed. */
static char *compare(const char *a, const char *b, enum krn_code *code)
{
    char first[256], other[256], *rest[] = {other}, *page = NULL;
    size_t size = 0;
    struct app_compare_counts counts;
    snprintf(first, sizeof first, "%s/limits-a.json", folder);
    snprintf(other, sizeof other, "%s/limits-b.json", folder);
    test_file_put_text(first, a);
    test_file_put_text(other, b);
    const struct app_paths paths = {first, rest, 1};
    FILE *out = open_memstream(&page, &size);
    assert_non_null(out);
    *code = app_compare(&paths, 1.0, APP_STYLE_TEXT, out, &counts, &error);
    fclose(out);
    unlink(first);
    unlink(other);
    return page;
}

TEST(test_compared_with_nothing)
{
    /* The metrics of the result have a median, those of its process have none. */
    static const char *const processes[] = {"\"median_ms\":1e308", "\"n\":0",
                                            "\"median_ms\":1e-320", "\"median_ms\":-1"};
    enum krn_code code;
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD
                 "{\"benchmark\":\"raytrace\",\"variant\":\"book/global\",\"backend\":\"cuda\","
                 "\"workload\":{\"spheres\":20,\"width\":64,\"height\":64,\"seed\":\"1\"},"
                 "\"parameters\":{},\"metrics\":{\"median_ms\":2},\"processes\":[{\"process\":"
                 "1,\"samples_ms\":[],\"metrics\":{%s}}]}" TAIL,
                 processes[i]);
        for (int swapped = 0; swapped < 2; swapped++) {
            TEST_FREED char *page =
                swapped ? compare(text, GOOD, &code) : compare(GOOD, text, &code);
            TEST_OK(code);
            const char *row = strstr(page, "raytrace book/global");
            assert_non_null(row);
            assert_non_null(strstr(row, "–"));
            assert_null(strstr(row, "nan"));
            assert_null(strstr(row, "inf"));
            assert_null(strstr(row, "0.000"));
        }
    }
}

/* --- texts --- */

TEST(test_printable)
{
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"µs – plain ✓", "µs – plain ✓"},
        {"\x1b[31m", "?[31m"},
        {"\xc2\x9b"
         "31m",
         "?31m"},
        {"a\x7f\n\t", "a???"},
        {"\xe2\x80\xae"
         "abc",
         "?abc"},
        {"\xe2\x81\xa6x\xe2\x81\xa9", "?x?"},
        {"\xe2\x80\xa8", "?"},
        {"\xd8\x9c", "?"},
        {"\xef\xbb\xbf", "?"},
        {"\xff\xfe", "??"},
        {"\xc3", "?"},
        {"\xe2\x82", "??"},
        {"\xc0\x80", "??"},
        {"\xed\xa0\x80", "???"},
        {"\xf4\x90\x80\x80", "????"},
        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", cases[i].text);
        assert_int_equal(app_is_printable(text, false), strcmp(text, cases[i].shown) == 0);
        app_make_printable(text);
        assert_string_equal(text, cases[i].shown);
        assert_true(app_is_printable(text, false));
    }
    assert_true(app_is_printable("a\nb", true));
    assert_false(app_is_printable("a\rb", true));
}

TEST(test_texts_of_files)
{
    TEST_OWNED(app_results_free) struct app_results results;
    struct app_talk *talk = NULL;
    struct krn_scene scene = {.spheres = NULL};
    struct app_scene_note note;
    static const char record[] =
        HEAD RESULT_OF("b", "\\u009b31m\u202e", "20", "\"median_ms\":2", "1") TAIL;
    assert_int_equal(read_record(record, &results), KRN_OK);
    assert_string_equal(results.results[0].variant, "?31m?");
    static const char title[] =
        "{\"schema\":\"spherescope-talk-1\",\"title\":\"\u202eT\",\"minutes\":1,\"steps\":[]}";
    TEST_FAILS(app_talk_parse(title, strlen(title), "t.json", &talk, &error), KRN_REFUSED,
               "title must be a text");
    static const char member[] =
        "{\"schema\":\"spherescope-scene-1\",\"\\u009b31m\u202e\\u001b\":1,\"spheres\":[]}";
    assert_int_equal(
        app_scene_parse(member, strlen(member), "s\xc2\x9b.json", &scene, &note, &error),
        KRN_REFUSED);
    assert_true(app_is_printable(error.text, false));
    assert_non_null(strstr(error.text, "s?.json: "));
    assert_non_null(strstr(error.text, "\"?31m??\""));
}

/* --- memory --- */

static enum krn_code parse_record(const char *text)
{
    TEST_OWNED(app_results_free) struct app_results results;
    const enum krn_code code = read_record(text, &results);
    return code;
}

static enum krn_code parse_scene(const char *text)
{
    TEST_SCENE scene = {.spheres = NULL};
    struct app_scene_note note;
    const enum krn_code code = app_scene_parse(text, strlen(text), "r.json", &scene, &note, &error);
    return code;
}

static enum krn_code parse_talk(const char *text)
{
    struct app_talk *talk = NULL;
    const enum krn_code code = app_talk_parse(text, strlen(text), "r.json", &talk, &error);
    app_talk_free(talk);
    return code;
}

TEST(test_memory)
{
    static const struct {
        enum krn_code (*parse)(const char *text);
        const char *text;
    } cases[] = {
        {parse_record, HEAD RESULT_OF("b", "\\u009b", "20", "\"median_ms\":2", "1,2,3") TAIL},
        {parse_scene, "{\"schema\":\"spherescope-scene-1\",\"spheres\":[{\"center\":[0,0,0],"
                      "\"radius\":100,\"color\":[1,1,1]}]}"},
        {parse_talk, "{\"schema\":\"spherescope-talk-1\",\"title\":\"T\",\"minutes\":1,\"steps\":["
                     "{\"id\":\"a\",\"minutes\":1,\"set\":{\"storage\":\"shared\"}}]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum krn_code code = KRN_NO_MEMORY;
        long allowed = 0;
        for (; code != KRN_OK && allowed < 10000; allowed++) {
            char which[32];
            snprintf(which, sizeof which, "any-alloc:%ld", allowed + 1);
            memset(&error, 0, sizeof error);
            krn_fail_calls(which);
            code = cases[i].parse(cases[i].text);
            krn_fail_calls(NULL);
            if (code == KRN_OK)
                break;
            if (code != KRN_NO_MEMORY || strstr(error.text, "No memory") == NULL)
                fail_msg("case %zu, after %ld allocations: %d, \"%s\"", i, allowed, code,
                         error.text);
        }
        assert_int_equal(code, KRN_OK);
        assert_true(allowed > 10);
    }
}

int main(void)
{
    app_json_begin();
    return tests_run(NULL, NULL);
}
