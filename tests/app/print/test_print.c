/* Tables of a record: the same cells in all styles, what one process may not claim, several
 * processes, wrong and doubtful results, and the width of a terminal. */
#include "records.h"

#include "base/files.h"
#include "krn/memory.h"
#include "model/sweep.h"
#include "model/verdict.h"
#include "print/print.h"

#include <jansson.h>

enum { N = TEST_SPREAD, PROCESSES = 5, WORDS_MAX = 20000 };

/* --- records --- */

/* Returns the record of one process; `shift` multiplies its times. */
static char *record_of(double shift, enum app_verified constant)
{
    const struct app_state state = app_state_default();
    double a[N], b[N], c[N];
    const struct test_mode modes[] = {
        {"book/global", test_spread(a, 0.0213 * shift), N, APP_VERIFIED_TRUE, NULL, 0.000032},
        {"book/constant", test_spread(b, 0.0257), N, constant,
         constant == APP_VERIFIED_FALSE ? "wrong-picture" : "low-clock", 0.000032},
        {"strip/global/8", test_spread(c, 0.0059 / shift), N, APP_VERIFIED_TRUE, "near-floor",
         0.000032},
    };
    return test_record(&state, modes, sizeof modes / sizeof *modes);
}

/* Returns the record of several processes, whose times differ by a percent each. */
static char *merged_record(enum app_verified constant)
{
    char *records[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        records[i] = record_of(1.0 + 0.01 * i, constant);
    const struct app_merge_run run = {
        .processes_asked = PROCESSES, .has_seed = true, .seed = 7, .seconds = 12.0};
    return test_joined(records, &run);
}

/* --- printing --- */

static char *printed(const struct app_results *results, enum app_style style)
{
    static char *text; /* gcc 12 takes what points into the text for a pointer to a local `text` */
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    app_results_print(results, style, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Prints the tables of a record's text, which it frees. */
static char *tables_of(char *record, enum app_style style)
{
    struct app_results results = test_record_of(record);
    char *text = printed(&results, style);
    app_results_free(&results);
    free(record);
    return text;
}

/* Fails unless a text has all these parts, and none of those behind a NULL. */
static void check(const char *text, const char *const *parts)
{
    for (bool wanted = true; *parts || wanted; parts++)
        if (!*parts)
            wanted = false;
        else if ((strstr(text, *parts) != NULL) != wanted)
            fail_msg("\"%s\" is %s:\n%s", *parts, wanted ? "not in" : "in", text);
}

/* The same of the line that begins with these words. */
static void check_line(const char *text, const char *words, const char *const *parts)
{
    const char *at = strstr(text, words);
    assert_non_null(at);
    TEST_FREED char *line = strndup(at, strcspn(at, "\n"));
    check(line, parts);
}

#define ASSERT_PARTS(text, ...) check(text, (const char *const[]){__VA_ARGS__, NULL, NULL})
#define ASSERT_LINE(text, words, ...)                                                              \
    check_line(text, words, (const char *const[]){__VA_ARGS__, NULL, NULL})

/* --- all styles --- */

struct words {
    char *at[WORDS_MAX];
    size_t count;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Lists the different words of a text, which it cuts up. */
static void list_words(char *text, struct words *words)
{
    words->count = 0;
    for (char *rest = text, *word; (word = strtok_r(rest, " \n", &rest)) != NULL;) {
        assert_true(words->count < WORDS_MAX);
        words->at[words->count++] = word;
    }
    qsort(words->at, words->count, sizeof *words->at, by_text);
}

/* Takes Markdown's own marks out of a text: bars, rules, headings, escapes. */
static void strip_markdown(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        const bool line = from == text || from[-1] == '\n';
        if (*from == '\\' && from[1])
            *to++ = *++from;
        else if (line && strncmp(from, "### ", 4) == 0)
            from += 3;
        else if (line && strncmp(from, "| ---", 5) == 0)
            from += strcspn(from, "\n") - 1;
        else if (*from != '|')
            *to++ = *from;
    }
    *to = 0;
}

/* Takes HTML's tags and references out of a text. */
static void strip_html(char *text)
{
    static const char *const references[][2] = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}};
    char *to = text;
    for (const char *from = text; *from; from++) {
        size_t r = 0, length = *from == '<' ? strcspn(from, ">") + 1 : 1;
        while (r < 3 && strncmp(from, references[r][0], strlen(references[r][0])) != 0)
            r++;
        length = r < 3 ? strlen(references[r][0]) : length;
        *to++ = r < 3 ? references[r][1][0] : length > 1 ? ' ' : *from;
        from += length - 1;
    }
    *to = 0;
}

/* Fails when a word of one list is missing in the other. */
static void assert_subset(const struct words *a, const struct words *b, const char *where)
{
    for (size_t i = 0; i < a->count; i++)
        if (!bsearch(&a->at[i], b->at, b->count, sizeof *b->at, by_text))
            fail_msg("\"%s\" is missing in %s", a->at[i], where);
}

/* Fails unless a page has every text of the claims as one. */
static void assert_claims(const struct app_results *results, const char *page)
{
    static const enum app_member shown[] = {APP_O_CLAIM, APP_O_TEXT_NUMBER, APP_O_TEXT_DEVICE,
                                            APP_O_NUMBER, APP_O_INTERVAL};
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        if (strcmp(result->benchmark, "claims") != 0)
            continue;
        const enum app_verdict verdict =
            app_verdict_of_word(app_result_text(result, APP_O_VERDICT));
        assert_non_null(strstr(page, app_verdict_entry(verdict)->says));
        for (size_t s = 0; s < sizeof shown / sizeof *shown; s++) {
            const char *text = app_result_text(result, shown[s]);
            if (text && !strstr(page, text))
                fail_msg("%s: \"%s\" is not on the page", result->variant, text);
        }
    }
}

static void assert_same_words(const struct app_results *results)
{
    static struct words plain_words, markdown_words;
    TEST_FREED char *plain = printed(results, APP_STYLE_TEXT),
                    *markdown = printed(results, APP_STYLE_MARKDOWN);
    strip_markdown(markdown);
    list_words(plain, &plain_words);
    list_words(markdown, &markdown_words);
    assert_subset(&plain_words, &markdown_words, "Markdown");
    assert_subset(&markdown_words, &plain_words, "plain text");
    TEST_FREED char *html = printed(results, APP_STYLE_HTML);
    strip_html(html);
    assert_claims(results, html);
}

static void assert_fits(const struct app_results *results)
{
    TEST_FREED char *text = printed(results, APP_STYLE_TEXT);
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;)
        if (app_text_columns(line) > APP_TABLE_WIDTH)
            fail_msg("%zu columns: %s", app_text_columns(line), line);
}

TEST(styles_have_the_same_words)
{
    for (size_t i = 0; i < 2; i++) {
        struct app_results results;
        TEST_FREED char *merged = merged_record(APP_VERIFIED_TRUE);
        if (i == 1) {
            results = test_record_of(merged);
        } else {
            TEST_OK(app_results_read_file(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz",
                                          &results, &error));
            assert_true(results.count > 100);
        }
        assert_same_words(&results);
        assert_fits(&results);
        app_results_free(&results);
    }
}

/* --- processes --- */

TEST(one_process_says_nothing_about_other_runs)
{
    TEST_FREED char *text = tables_of(record_of(1.0, APP_VERIFIED_TRUE), APP_STYLE_TEXT);
    ASSERT_PARTS(text, "One process", "say nothing about other runs", "  this run", NULL, "95 %");
    ASSERT_LINE(text, "  book/global", "21.3 µs  [21.2, 21.4]", "  21  narrow  yes");
}

TEST(several_processes_have_an_interval)
{
    TEST_FREED char *text = tables_of(merged_record(APP_VERIFIED_TRUE), APP_STYLE_TEXT);
    ASSERT_PARTS(text, "5 processes, in orders shuffled by seed 7, 12.0 s.",
                 "intervals across 5 processes", "near-floor  Caution", "low-clock   Caution", NULL,
                 "this run");
    /* The mean logarithm of 1.00 to 1.04 is 0.0197, Student's t makes it 1.9 % wide on each side,
     * and half a tick adds 0.08 %. */
    ASSERT_LINE(text, "  book/global", "21.7 µs  [21.3, 22.2]", "  105  narrow  yes");
    ASSERT_LINE(text, "  strip/global/8", "3.76 x", "near-floor");
}

/* What a kernel takes has a table of its own, also of several processes, and is no part of a
 * result's key, so that older records may be compared. */
TEST(what_a_kernel_takes_is_told)
{
    const struct krn_kernel_attributes kernel = {.registers = 40,
                                                 .static_shared_bytes = 28672,
                                                 .constant_bytes = 65520,
                                                 .threads_max = 1024,
                                                 .threads = 256,
                                                 .blocks = 4096.0,
                                                 .blocks_per_processor = 6,
                                                 .occupancy = 0.75};
    test_kernel = &kernel;
    TEST_FREED char *record = record_of(1.0, APP_VERIFIED_TRUE);
    char *records[] = {record_of(1.0, APP_VERIFIED_TRUE), merged_record(APP_VERIFIED_TRUE),
                       merged_record(APP_VERIFIED_TRUE)};
    test_kernel = NULL;
    for (int i = 0; i < 3; i++) {
        TEST_FREED char *text = tables_of(records[i], i == 2 ? APP_STYLE_MARKDOWN : APP_STYLE_TEXT);
        const char *table = strstr(text, "what a kernel takes of a multiprocessor");
        assert_non_null(table);
        ASSERT_PARTS(table, "book/constant", NULL, "dynamic"); /* no numbers, no column */
        if (i == 2)
            ASSERT_PARTS(table, "| book/constant | 40 | 28672 | 65520 | 256 | 6 | 75 |");
        else
            ASSERT_LINE(table, "  book/constant", " 40 ", " 28672 ", " 65520 ", " 75");
    }
    TEST_FREED char *older = record_of(1.0, APP_VERIFIED_TRUE);
    TEST_OWNED(app_results_free)
    struct app_results with = test_record_of(record), without = test_record_of(older);
    for (size_t i = 0; i < with.count; i++)
        assert_non_null(app_results_find_key(&without, with.results[i].key));
    TEST_FREED char *text = printed(&without, APP_STYLE_TEXT);
    ASSERT_PARTS(text, "book/constant", NULL, "what a kernel takes");
}

/* A process that is missing in one result, and one that failed. */
TEST(missing_processes_are_told)
{
    static const int process[] = {1, 3};
    static const struct app_results_failure failed[] = {{2, "ended by signal 9"}};
    char *records[] = {record_of(1.0, APP_VERIFIED_TRUE), record_of(1.01, APP_VERIFIED_TRUE)};
    const struct app_merge_run run = {
        .processes_asked = 3, .process = process, .failed = failed, .failed_count = 1};
    TEST_FREED char *text = tables_of(test_joined(records, &run), APP_STYLE_TEXT);
    ASSERT_PARTS(text, "Process 2 ended by signal 9.", "Incomplete");
    ASSERT_LINE(text, "  book/global", "2 of 3");
}

/* Of two processes that differ by a third, the interval spans a factor of 28, and its ends can be
 * read. Of two that differ by a factor of two, it spans thousands: the table says that it goes
 * beyond ten times the value. */
TEST(a_wide_interval_is_readable)
{
    /* Student's t is 12.7, so either end is exp(12.7 ln(shift) / 2) away: 5.3 times for 1.3. */
    static const double shifts[] = {1.3, 1.9};
    static const char *const shown[] = {"24.3 µs  [4.6, 128.", "29.4 µs  [<2.9, >293.6]"};
    for (int i = 0; i < 2; i++) {
        char *records[] = {record_of(1.0, APP_VERIFIED_TRUE),
                           record_of(shifts[i], APP_VERIFIED_TRUE)};
        const struct app_merge_run run = {.processes_asked = 2};
        TEST_FREED char *text = tables_of(test_joined(records, &run), APP_STYLE_TEXT);
        ASSERT_LINE(text, "  book/global", shown[i]);
    }
}

/* --- doubts --- */

TEST(a_wrong_picture_has_no_speed)
{
    TEST_FREED char *record = merged_record(APP_VERIFIED_FALSE);
    TEST_OWNED(app_results_free) struct app_results results = test_record_of(record);
    TEST_FREED char *text = printed(&results, APP_STYLE_TEXT);
    assert_false(app_results_right(&results));
    ASSERT_LINE(text, "  book/constant", "WRONG", "wrong-picture", NULL, " x ");
    ASSERT_PARTS(text, "WRONG picture, book/constant: 3 pixels differ.",
                 "wrong-picture  Do not quote");
}

/* The shipped record with 20 spheres alone, which have a table of their own. */
TEST(a_net_time_near_the_floor_is_left_out)
{
    TEST_FREED char *whole = NULL;
    size_t length;
    TEST_OK(app_read_file(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz",
                          APP_RECORD_BYTES_MAX, &whole, &length, &error));
    json_t *record = json_loads(whole, 0, NULL), *rows = json_object_get(record, "results");
    for (size_t i = json_array_size(rows); i-- > 0;) {
        const json_t *of = json_object_get(json_array_get(rows, i), "workload"),
                     *spheres = json_object_get(of, "spheres");
        if (spheres && json_integer_value(spheres) != 20)
            json_array_remove(rows, i);
    }
    TEST_FREED char *some = json_dumps(record, 0);
    json_decref(record);
    TEST_OWNED(app_results_free) struct app_results results = test_record_of(some);
    TEST_FREED char *text = printed(&results, APP_STYLE_TEXT);
    ASSERT_LINE(text, "  book/constant      25.9 µs", "22.5 µs [22.4, 22.7]",
                "0.806 x [0.801, 0.811]");
    ASSERT_LINE(text, "  strip/global/4     6.13 µs", "3.52 x", NULL, "2.6");
    ASSERT_PARTS(text, "A net time below twice the overhead is left out.");
}

/* --- duels --- */

/* Returns the record of one process with a duel of book/global against another mode. */
static char *duel_of(const char *other, enum krn_backend_id backend, double ratio,
                     const char *verdict, const char *trust)
{
    TEST_FREED char *text = record_of(1.0, APP_VERIFIED_TRUE);
    struct app_results results = test_record_of(text);
    struct app_draft draft;
    app_draft_begin(&draft, &results, "duel", "book/global,book/constant", backend);
    app_put_text(&draft, APP_P_A, "book/global");
    app_put_text(&draft, APP_P_B, other);
    app_put(&draft, APP_P_BAND_PERCENT, 1.0);
    app_put_text(&draft, APP_O_VERDICT, verdict);
    app_put_interval(&draft, APP_M_RATIO, ratio,
                     (struct krn_interval){true, ratio * 0.999, ratio * 1.001});
    app_put(&draft, APP_M_N, 4000);
    app_put(&draft, APP_M_A_MEDIAN_MS, 0.0213);
    app_put(&draft, APP_M_B_MEDIAN_MS, 0.0213 * ratio);
    app_put(&draft, APP_M_SECONDS, 3.0);
    app_put(&draft, APP_M_CLAIMS, 2);
    app_put(&draft, APP_M_FIRST_CLAIM_S, 1.5);
    app_put(&draft, APP_M_AA_RATIO, 1.0001);
    app_put(&draft, APP_M_AA_N, 1300);
    draft.measured.stop = "time";
    draft.result.regime = "idle";
    draft.result.scope = "the kernel alone";
    draft.result.verified = APP_VERIFIED_TRUE;
    draft.result.trust.reasons = trust != NULL ? app_trust_of_id(trust) : 0;
    app_results_add(&results, &draft.result);
    return test_record_end(&results);
}

TEST(a_duel_tells_its_verdict)
{
    char *records[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        records[i] =
            duel_of("book/constant", KRN_BACKEND_CUDA, 1.2 + 0.001 * (i - 2), "CAN'T TELL", NULL);
    TEST_FREED char *one = tables_of(krn_copy(records[0]), APP_STYLE_TEXT);
    ASSERT_PARTS(
        one, "CAN'T TELL: A is 1.198 times as fast as B, [1.197, 1.199] so far in this run",
        "A/A, the faster side against itself: 1.00, 1300 pairs", NULL, "process by process");
    const struct app_merge_run run = {.processes_asked = PROCESSES};
    TEST_FREED char *all = tables_of(test_joined(records, &run), APP_STYLE_TEXT);
    ASSERT_PARTS(all,
                 "FASTER: A is 1.200 times as fast as B, 95 % interval [1.198, 1.202] across 5 "
                 "processes",
                 "20000 pairs", "The duel, process by process");
    ASSERT_LINE(all, "        5  1.202", "CAN'T TELL", "  4000", "3.00", "time");
}

/* The note on equal caches is about a CPU's storages, whose duel has no verdict: one of two kernels
 * has it not, nor has one on a GPU. */
TEST(equal_caches_are_noted_for_storages_alone)
{
    static const char note[] = "Storages: the same caches here: no difference to expect.";
    static const struct {
        const char *other, *verdict;
        enum krn_backend_id backend;
        bool noted;
    } duels[] = {{"book/shared", "SAME CACHES", KRN_BACKEND_CPU, true},
                 {"strip/global/8", "FASTER", KRN_BACKEND_CPU, false},
                 {"book/shared", "FASTER", KRN_BACKEND_CUDA, false}};
    for (int i = 0; i < 3; i++) {
        TEST_FREED char *text = tables_of(
            duel_of(duels[i].other, duels[i].backend, 1.2, duels[i].verdict, NULL), APP_STYLE_TEXT);
        const char *duel = strstr(text, "Duel, both modes");
        assert_non_null(duel);
        assert_true(duels[i].noted == (strstr(duel, note) != NULL));
        assert_true(duels[i].noted != (strstr(duel, "times as fast") != NULL));
    }
}

static void write_head(FILE *out, const void *results)
{
    app_html_begin(results, NULL, 0, out);
}

/* The storages of a CPU are one memory: no table gives two of them a speed, no headline and no
 * sweep names one of them. Kernels are compared. */
TEST(storages_of_a_cpu_are_not_ranked)
{
    const struct app_state state = app_state_default();
    double a[N], b[N], c[N], d[N];
    const struct test_mode modes[] = {
        {"book/global", test_spread(a, 0.03), N, APP_VERIFIED_TRUE, NULL, 0.0},
        {"book/constant", test_spread(b, 0.02), N, APP_VERIFIED_TRUE, NULL, 0.0},
        {"strip/global/8", test_spread(c, 0.006), N, APP_VERIFIED_TRUE, NULL, 0.0},
        {"strip/shared/8", test_spread(d, 0.003), N, APP_VERIFIED_TRUE, NULL, 0.0},
    };
    for (int cpu = 0; cpu < 2; cpu++) {
        TEST_FREED char *record = test_record(&state, modes, sizeof modes / sizeof *modes);
        TEST_OWNED(app_results_free) struct app_results results = test_record_of(record);
        for (size_t i = 0; cpu && i < results.count; i++)
            results.results[i].backend = KRN_BACKEND_CPU;
        TEST_FREED char *text = printed(&results, APP_STYLE_TEXT);
        ASSERT_LINE(text, "  strip/global/8", "5.00 x");
        ASSERT_LINE(text, "  book/constant", cpu ? NULL : "1.500 x", cpu ? " x" : NULL);
        ASSERT_LINE(text, "  strip/shared/8", cpu ? NULL : "10.00 x", cpu ? " x" : NULL);
        TEST_FREED char *head = krn_printed(write_head, &results);
        ASSERT_PARTS(head, cpu ? "strip/global/8 is 5.00 times as fast as book/global"
                               : "strip/shared/8 is 10.00 times as fast as book/global");
        TEST_FREED struct app_sweep *sweep = app_sweep_read(&results);
        const int fastest = app_sweep_fastest(sweep, 0, -1, -1, -1),
                  next = app_sweep_fastest(sweep, 0, -1, -1, fastest);
        assert_int_equal(krn_mode_at(next).kernel, cpu ? KRN_KERNEL_BOOK : KRN_KERNEL_STRIP);
    }
}

/* What speaks against one process leaves none a verdict. */
TEST(a_doubtful_duel_has_no_verdict)
{
    char *records[] = {duel_of("book/constant", KRN_BACKEND_CUDA, 1.2, "FASTER", "wrong-picture"),
                       duel_of("book/constant", KRN_BACKEND_CUDA, 1.2, "FASTER", NULL)};
    const struct app_merge_run run = {.processes_asked = 2};
    TEST_FREED char *text = tables_of(test_joined(records, &run), APP_STYLE_TEXT);
    ASSERT_PARTS(text, "The duel, process by process", "WRONG, no verdict", NULL, "FASTER");
}

/* --- recorded runs --- */

/* Returns what --play writes on a machine without a GPU: the times of a GPU's record, the first
 * one measured by `first` processes, the other by `other`; 0: it does not say. */
static char *record_played(double first, double other)
{
    const struct krn_device_info device = {.backend = KRN_BACKEND_CPU, .name = "A CPU"};
    const struct app_state state = app_state_default();
    static const char *const variants[] = {"book/global", "book/constant"};
    struct app_results results = test_record_begin(&state);
    results.device = device;
    for (int i = 0; i < 2; i++) {
        struct app_draft draft;
        app_draft_begin(&draft, &results, "raytrace", variants[i], KRN_BACKEND_CUDA);
        app_put_known(&draft, APP_O_RECORDED_PROCESSES, i == 0 ? first : other);
        app_put_interval(&draft, APP_M_MEDIAN_MS, 0.0213,
                         (struct krn_interval){true, 0.0212, 0.0214});
        draft.result.regime = "idle";
        draft.result.scope = "the kernel alone";
        draft.result.verified = APP_VERIFIED_TRUE;
        draft.result.trust.reasons = APP_TRUST_BIT(APP_TRUST_RECORDED);
        app_results_add(&results, &draft.result);
    }
    return test_record_end(&results);
}

/* Intervals of a recorded run are of its processes, and a GPU's storages differ whatever device
 * shows its numbers. Early versions copied results without the number of processes. */
TEST(recorded_numbers_are_of_their_run)
{
    TEST_FREED char *five = tables_of(record_played(5.0, 5.0), APP_STYLE_TEXT),
                    *one = tables_of(record_played(1.0, 5.0), APP_STYLE_TEXT),
                    *unknown = tables_of(record_played(0.0, 0.0), APP_STYLE_TEXT),
                    *partly = tables_of(record_played(0.0, 5.0), APP_STYLE_TEXT);
    ASSERT_PARTS(five, "Recorded by 5 processes of another run.", "Picture by cpu, A CPU",
                 "95 % interval", NULL, "this run", "On the CPU");
    ASSERT_LINE(one, "  book/global", "[21.20, 21.40] one process", "1 of 5");
    ASSERT_LINE(one, "  book/constant", "[21.20, 21.40]", NULL, "one process");
    ASSERT_PARTS(unknown, "whose number of processes is unknown", "  that run", NULL, "ne process",
                 "this run");
    ASSERT_PARTS(partly, "Recorded by 5 processes of another run.");
    ASSERT_LINE(partly, "  book/global", "[21.20, 21.40] processes unknown");
}

/* A table has the modes of one workload, wherever they are in the record. */
TEST(workloads_have_a_table_each)
{
    static const char *const variants[] = {"strip/global/8", "book/global", "book/constant"};
    const struct app_state state = app_state_default();
    struct app_results results = test_record_begin(&state);
    for (int i = 0; i < 6; i++) {
        struct app_draft draft;
        app_draft_begin(&draft, &results, "raytrace", variants[i / 2], KRN_BACKEND_CUDA);
        app_put(&draft, APP_W_SPHERES, 20);
        app_put(&draft, APP_W_WIDTH, i % 2 == 0 ? 640 : 320);
        app_put(&draft, APP_M_MEDIAN_MS, 1.0 + i);
        draft.result.regime = "idle";
        draft.result.scope = "the kernel alone";
        app_results_add(&results, &draft.result);
    }
    TEST_FREED char *text = tables_of(test_record_end(&results), APP_STYLE_TEXT);
    const char *at = text;
    static const char *const order[] = {
        "640x", "\n  strip/global/8", "\n  book/global", "\n  book/constant",
        "320x", "\n  strip/global/8", "\n  book/global", "\n  book/constant"};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        at = strstr(at, order[i]);
        if (at == NULL)
            fail_msg("no \"%s\", number %zu, in order in:\n%s", order[i], i, text);
    }
}

/* --- the roofline --- */

static void add_result(struct app_results *results, struct app_draft *draft, const double *samples)
{
    draft->measured.samples_ms = samples;
    draft->measured.n = N;
    draft->result.regime = "idle";
    draft->result.scope = "the kernel alone";
    draft->result.verified = APP_VERIFIED_TRUE;
    app_results_add(results, &draft->result);
}

/* Returns a record of an H200 with SAXPY and one mode, whose work is recorded if `work`. */
static char *record_of_kernels(bool work)
{
    const struct krn_device_info device = {.backend = KRN_BACKEND_CUDA,
                                           .processors = 132,
                                           .fma_lanes = 128,
                                           .clock_max_mhz = 1980.0,
                                           .memory_clock_mhz = 3201.0,
                                           .memory_bus_bits = 6016,
                                           .name = "A GPU"};
    const struct app_state state = app_state_default();
    double saxpy[N], vector[N], book[N];
    struct app_results results = test_record_begin(&state);
    results.device = device;
    const double elements = 20.0 * 1048576.0;
    struct app_draft draft;
    app_draft_begin(&draft, &results, "saxpy", "published", KRN_BACKEND_CUDA);
    app_put_text(&draft, APP_P_AXIS, "elements");
    app_put_key(&draft, APP_LIST_P, "elements", elements);
    app_put(&draft, APP_P_USEFUL_BYTES, 12.0 * elements);
    app_put(&draft, APP_P_FLOPS, 2.0 * elements);
    app_put(&draft, APP_M_MEDIAN_MS, 0.0839);
    add_result(&results, &draft, test_spread(saxpy, 0.0839));
    app_draft_begin(&draft, &results, "saxpy", "vector", KRN_BACKEND_CUDA);
    app_put_text(&draft, APP_P_AXIS, "elements");
    app_put_key(&draft, APP_LIST_P, "elements", elements);
    app_put(&draft, APP_P_USEFUL_BYTES, 12.0 * elements);
    app_put(&draft, APP_P_FLOPS, 2.0 * elements);
    app_put_interval(&draft, APP_M_MEDIAN_MS, 0.0850, (struct krn_interval){true, 0.080, 0.090});
    add_result(&results, &draft, test_spread(vector, 0.0850));
    app_draft_begin(&draft, &results, "raytrace", "book/global", KRN_BACKEND_CUDA);
    app_put(&draft, APP_P_PIXELS_PER_THREAD, 1);
    app_put_interval(&draft, APP_M_MEDIAN_MS, 2.0, (struct krn_interval){true, 1.99, 2.01});
    app_put_known(&draft, APP_M_FLOPS, work ? 2e10 : 0);
    app_put_known(&draft, APP_M_BYTES, work ? 5e6 : 0);
    add_result(&results, &draft, test_spread(book, 2.0));
    return test_record_end(&results);
}

TEST(kernels_stand_below_their_roofs)
{
    for (int style = 0; style < 2; style++) {
        TEST_FREED char *text = tables_of(record_of_kernels(true), (enum app_style)style);
        const char *roofline = strstr(text, "Roofline");
        assert_non_null(roofline);
        ASSERT_PARTS(roofline, "66.9 TFLOP/s", "not measured");
        ASSERT_LINE(roofline, "SAXPY published", "0.167", "sets the roof", "memory", NULL, "100");
        ASSERT_LINE(roofline, "SAXPY vector", "98", "memory");
        ASSERT_PARTS(roofline, "An interval that reaches above 100 %");
        ASSERT_LINE(roofline, "book/global", "4000", "10.0 TFLOP/s", "14.9" /* % of 66.9 TFLOP/s */,
                    "neither");
    }
    /* Records of older versions lack the work. */
    TEST_FREED char *text = tables_of(record_of_kernels(false), APP_STYLE_TEXT);
    const char *roofline = strstr(text, "Roofline");
    assert_non_null(roofline);
    ASSERT_PARTS(roofline, "SAXPY published", NULL, "book/global");
}

/* --- claims --- */

/* Prints a claims board of one row. */
static char *claim_with(const char *verdict, const char *note, enum app_style style)
{
    TEST_FREED char *text = record_of(1.0, APP_VERIFIED_TRUE);
    struct app_results results = test_record_of(text);
    struct app_draft draft;
    app_draft_begin(&draft, &results, "claims", "coalesced-cycles", KRN_BACKEND_CUDA);
    app_put_text(&draft, APP_O_CLAIM, "Reads are coalesced");
    app_put_text(&draft, APP_O_TEXT_NUMBER, "7.26x");
    app_put_text(&draft, APP_O_TEXT_DEVICE, "a GPU");
    app_put_text(&draft, APP_O_NUMBER, "–");
    app_put_text(&draft, APP_O_VERDICT, verdict);
    app_put_text(&draft, APP_O_NOTE, note);
    draft.measured.stop = "count";
    draft.result.scope = "judged from other results";
    app_results_add(&results, &draft.result);
    return tables_of(test_record_end(&results), style);
}

/* A note that names a key helps in a window alone. */
TEST(a_table_of_claims_names_no_key)
{
    TEST_FREED char *plain = claim_with("not measured", "two of three agree", APP_STYLE_TEXT),
                    *key = claim_with("not measured", "press {measure} (takes over 2 ms)",
                                      APP_STYLE_TEXT);
    ASSERT_PARTS(plain, "coalesced-cycles: Reads are coalesced (7.26x, a GPU): two of three agree");
    ASSERT_PARTS(key, "coalesced-cycles: Reads are coalesced", NULL, "press");
}

/* As on screen; a word that is no verdict of this program, in a record of another one, stays. */
TEST(a_table_of_claims_has_verdicts_in_words)
{
    for (int v = APP_VERDICT_NOT_MEASURED; v < APP_VERDICTS; v++) {
        const struct app_verdict_entry *entry = app_verdict_entry((enum app_verdict)v);
        char cell[64];
        TEST_FREED char *text = claim_with(entry->word, "", APP_STYLE_TEXT),
                        *markdown = claim_with(entry->word, "", APP_STYLE_MARKDOWN);
        snprintf(cell, sizeof cell, " | %s |", entry->says);
        ASSERT_LINE(text, "  coalesced-cycles", entry->says);
        ASSERT_PARTS(markdown, cell);
        if (strcmp(entry->word, entry->says) != 0)
            ASSERT_PARTS(text, entry->says, NULL, entry->word);
    }
    TEST_FREED char *unknown = claim_with("UNHEARD", "", APP_STYLE_TEXT);
    ASSERT_LINE(unknown, "  coalesced-cycles", "UNHEARD");
}
