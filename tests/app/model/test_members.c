/* The table of members: results that are made from it alone survive writing, reading and merging,
 * member by member; CSV and Prometheus have what it says; and the JSON Schema describes it, and no
 * more. Exits with 77 when all checks pass but the schema cannot be validated here. */
#include "owned.h"
#include "records.h"

#include "model/probe_result.h"

#include "base/files.h"

#include <jansson.h>

enum { RESULTS = 24, PROCESSES = 4, SAMPLES = 40 };

static bool schema_skipped;
static uint32_t seed;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)seed * n) >> 32);
}

/* Returns a number near a size, or an odd one, which may be left out; valid: one that the schema
 * takes. */
static double any_number(int size, bool valid)
{
    static const double odd[] = {0, -1.5, NAN, INFINITY, -INFINITY, 1e-300, 1e300};
    const double number = pow(10.0, size) * (1.0 + below(1000) / 5000.0);
    return valid || below(6) > 0 ? number : odd[below(7)];
}

/* Sets the parts that shipped records lack. */
static void set_machine(struct app_results *results)
{
    static const struct krn_property properties[] = {
        {"name", "name", KRN_PROPERTY_TEXT, .known = true, .text = "A \xff GPU"},
        {"clockRate", "clock", KRN_PROPERTY_KHZ, .known = false, .count = 1},
    };
    results->telemetry.memory_clock_mhz = NAN;
    results->properties = properties;
    results->property_count = sizeof properties / sizeof *properties;
    results->screen = (struct app_results_screen){.vendor = "V",
                                                  .renderer = "R",
                                                  .version = "3.3",
                                                  .context = "EGL surfaceless",
                                                  .software = true,
                                                  .blit_asked = "interop",
                                                  .blit_used = "copy",
                                                  .blit_reason = "GL is on another GPU."};
    results->trust.reasons = APP_TRUST_BIT(APP_TRUST_SOFTWARE_GL);
    app_results_note(results, "A note.");
}

/* Adds a member with a random value, a metric with its interval. */
static void put_any(struct app_draft *draft, enum app_member member, bool valid)
{
    static const char *const texts[] = {
        "+GPU",        "-GPU,",        "@SUM(", "-1.50",
        "A=-@+",

        "plain",       "a, \"b\"",     "=1+1",  "\xc2\xb5 \xe2\x80\x93",
        "tab\tline\n", "\x1b[31m\xff", "007",   "a\\b"};
    const struct app_member_row *row = &app_members[member];
    const double number = member == APP_M_TICK_MS ? 1e-3 : any_number((int)member % 5 - 2, valid);
    if (row->kind == APP_MEMBER_TEXT || (row->kind == APP_MEMBER_EITHER && below(2) > 0))
        app_put_text(draft, member, texts[below(13)]);
    else if (row->kind == APP_MEMBER_FLAG)
        app_put(draft, member, 1);
    else if (row->kind == APP_MEMBER_WHOLE)
        app_put(draft, member, 1 + below(1000000));
    else
        app_put_interval(
            draft, member, number,
            (struct krn_interval){row->sum == APP_SUM_CENTRE && number > 1e-9 && number < 1e9,
                                  0.875 * number, 1.25 * number});
}

/* Returns what one process recorded: in every record the same results with other numbers, and in
 * all results together every member. valid: the schema describes it. */
static struct app_results any_record(uint32_t process, bool valid)
{
    static const char *const benchmarks[] = {"raytrace", "saxpy", "book", "frame", "claims"},
                             *const stops[] = {NULL, "narrow", "count", "time"},
                             *const others[] = {"from-the-future"};
    struct app_state state = app_state_default();
    struct app_results results = test_record_begin(&state);
    set_machine(&results);
    for (uint32_t i = 0; i < RESULTS; i++) {
        double ms[SAMPLES], cycles[SAMPLES];
        char variant[16];
        struct app_draft draft;
        seed = i; /* what identifies the result */
        snprintf(variant, sizeof variant, "variant,%u", i);
        if (i % 5 == 0)
            krn_mode_name(krn_mode_at((int)i), variant, sizeof variant);
        app_draft_begin(&draft, &results, benchmarks[i % 5], variant,
                        (enum krn_backend_id)below(KRN_BACKEND_COUNT));
        if (valid) {
            state.spec.recipe.seed = below(UINT32_MAX);
            state.spec.zoom = below(3);
            state.spec.motion = state.spec.camera_path = below(2) > 0;
            app_put_workload(&draft, &state, (enum krn_view_kind)(i % KRN_VIEW_COUNT),
                             "0123456789abcdef", 20);
        }
        app_put_key(&draft, APP_LIST_P, "elements", 1 + below(1000));
        for (int m = 0; m < APP_MEMBERS_COUNT; m++) {
            if (app_members[m].list == APP_LIST_O)
                seed += 7919 * process; /* what it measured */
            if ((m % RESULTS == (int)i || ((m + (int)i) % 2 == 0 && below(8) > 0)) &&
                m != APP_M_LOW_MS && m != APP_M_HIGH_MS &&
                !(valid && app_members[m].list == APP_LIST_W))
                put_any(&draft, (enum app_member)m, valid);
        }
        app_put_key(&draft, APP_LIST_M, "cpu_layout_ms", any_number(0, valid));
        draft.measured.n = below(SAMPLES);
        for (size_t s = 0; s < draft.measured.n; s++) {
            ms[s] = any_number(0, true);
            cycles[s] = any_number(3, true);
        }
        draft.measured.samples_ms = ms;
        draft.measured.cycles = below(2) > 0 ? cycles : NULL;
        draft.measured.stop = stops[below(4)];
        draft.result.regime = app_regime_name((enum app_regime)below(4));
        draft.result.scope = "scope, \"quoted\"";
        draft.result.verified = (enum app_verified)below(3);
        draft.result.verified_reason = below(2) > 0 ? "a reason" : NULL;
        draft.result.trust.reasons = below(1u << APP_TRUST_COUNT);
        if (!valid && below(2) > 0)
            draft.result.trust.others = (struct app_texts){others, 1};
        draft.result.complete = below(2) > 0;
        app_results_add(&results, &draft.result);
    }
    app_results_sort(&results);
    return results;
}

static void same_pairs(const char *variant, struct app_pairs a, struct app_pairs b)
{
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++) {
        const struct app_pair *other = app_pairs_find(b, a.pairs[i].key);
        if (other == NULL || !app_pair_equal(&a.pairs[i], other))
            fail_msg("%s: %s has changed", variant, a.pairs[i].key);
    }
}

static void same_text(const char *a, const char *b)
{
    assert_string_equal(a != NULL ? a : "", b != NULL ? b : "");
}

static void same_trust(const struct app_results_trust *a, const struct app_results_trust *b)
{
    assert_int_equal(a->reasons, b->reasons);
    assert_int_equal(a->others.count, b->others.count);
    for (size_t i = 0; i < a->others.count; i++)
        assert_string_equal(a->others.texts[i], b->others.texts[i]);
}

static void same_process(const char *variant, const struct app_result_process *a,
                         const struct app_result_process *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->samples_ms, b->samples_ms, a->n * sizeof *a->samples_ms);
    assert_int_equal(a->cycles == NULL, b->cycles == NULL);
    if (a->cycles != NULL)
        assert_memory_equal(a->cycles, b->cycles, a->n * sizeof *a->cycles);
    same_pairs(variant, a->metrics, b->metrics);
    same_pairs(variant, a->outcome, b->outcome);
    same_trust(&a->trust, &b->trust);
    same_text(a->stop, b->stop);
}

static void same_result(const struct app_result *a, const struct app_result *b)
{
    const char *variant = a->variant;
    assert_string_equal(a->key, b->key);
    for (int l = 0; l < APP_LIST_COUNT; l++)
        same_pairs(variant, app_result_list(a, (enum app_member_list)l),
                   app_result_list(b, (enum app_member_list)l));
    same_text(a->scope, b->scope);
    assert_int_equal(a->verified, b->verified);
    same_text(a->verified_reason, b->verified_reason);
    same_trust(&a->trust, &b->trust);
    same_text(a->stop, b->stop);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->process_count, b->process_count);
    for (size_t i = 0; i < a->process_count; i++) {
        assert_int_equal(a->processes[i].process, b->processes[i].process);
        same_process(variant, &a->processes[i], &b->processes[i]);
    }
}

static void same_results(const struct app_results *a, const struct app_results *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->complete, b->complete);
    for (size_t i = 0; i < a->count; i++) {
        const struct app_result *other = app_results_find_key(b, a->results[i].key);
        assert_non_null(other);
        same_result(&a->results[i], other);
    }
}

/* Merges the records of some processes. */
static struct app_results merged_record(size_t count, bool valid)
{
    struct app_results records[PROCESSES], merged;
    const struct app_merge_run run = {
        .processes_asked = (int)count, .has_seed = true, .seed = UINT64_MAX, .seconds = 12.5};
    for (size_t p = 0; p < count; p++)
        records[p] = any_record((uint32_t)p, valid);
    TEST_OK(app_results_merge(records, count, &run, &merged, &error));
    return merged;
}

TEST(test_files)
{
    for (size_t count = 0; count <= PROCESSES; count++) {
        TEST_OWNED(app_results_free)
        struct app_results before = count == 0 ? any_record(0, false) : merged_record(count, false);
        TEST_FREED char *text = app_results_text(&before);
        TEST_OWNED(app_results_free) struct app_results after = test_record_of(text);
        same_results(&before, &after);
        TEST_FREED char *again = app_results_text(&after);
        assert_string_equal(text, again);
    }
    TEST_OWNED(app_results_free)
    struct app_results alone = any_record(0, false), merged = merged_record(1, false);
    same_results(&alone, &merged);
}

/* What is read from a shipped record and written again is the same, but for what is on screen. The
 * H100's other records have the H200's members. */
TEST(test_shipped_records)
{
    static const char *const shipped[] = {"nvidia-h200-all", "nvidia-h200-light",
                                          "nvidia-h100-raytrace-million",
                                          "nvidia-h200-raytrace-2339-spheres-4k",
                                          "nvidia-h200-raytrace-million"},
                             *const screen[] = {"story",   "part",         "spotlight",
                                                "subject", "subject_part", "device_card",
                                                "details", "code"};
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++) {
        char path[256];
        TEST_FREED char *before = NULL;
        size_t length;
        snprintf(path, sizeof path, TEST_SOURCE_DIR "/assets/runs/%s.json.gz", shipped[i]);
        TEST_OK(app_read_file(path, APP_RECORD_BYTES_MAX, &before, &length, &error));
        struct app_results results = test_record_of(before);
        TEST_FREED char *after = test_record_end(&results);
        json_t *a = json_loads(before, 0, NULL), *b = json_loads(after, 0, NULL);
        for (size_t s = 0; s < sizeof screen / sizeof *screen; s++) {
            (void)json_object_del(json_object_get(a, "state"), screen[s]);
            (void)json_object_del(json_object_get(b, "state"), screen[s]);
        }
        /* newer than the records: */
        (void)json_object_del(json_object_get(json_object_get(b, "state"), "duel"), "backend");
        if (json_equal(a, b) != 1)
            fail_msg("%s: what was read and written differs", path);
        json_decref(a);
        json_decref(b);
    }
}

/* The workload of a shipped record equals that of its state, hash included. */
TEST(test_shipped_workload)
{
    char path[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz";
    TEST_OWNED(app_results_free) struct app_results results;
    TEST_SCENE scene;
    struct app_draft draft;
    char text[APP_WORKLOAD_SCENE];
    const struct krn_scene_recipe recipe = krn_scene_book();
    TEST_OK(app_results_read_file(path, &results, &error));
    TEST_OK(krn_scene_generate(&scene, &recipe, &error));
    app_workload_scene(KRN_VIEW_BOOK, &scene, text);
    app_draft_begin(&draft, &results, "raytrace", "book/global", KRN_BACKEND_CUDA);
    app_put_workload(&draft, &results.picture.state, KRN_VIEW_BOOK, text, 20);
    bool same = false; /* the record has other numbers of spheres, too */
    for (size_t i = 0; i < results.count && !same; i++)
        same = strcmp(results.results[i].variant, "book/global") == 0 &&
               app_pairs_equal(results.results[i].workload, draft.result.workload);
    assert_true(same);
}

/* The interval of one run stands in its process, not in the result. */
TEST(test_estimates)
{
    static const double samples[] = {2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6};
    const struct app_state state = app_state_default();
    const struct test_mode modes[] = {
        {"book/global", samples, 7, APP_VERIFIED_TRUE, "spread", 0.001},
        {"book/shared", samples, 3, APP_VERIFIED_FALSE, "from-the-future", 0.0}};
    char *text = test_record(&state, modes, 2);
    TEST_OWNED(app_results_free) struct app_results results = test_record_of(text);
    free(text); /* nothing points into it */
    const struct app_result *book = &results.results[0],
                            *shared = app_results_find(&results, 1, "raytrace", NULL);
    const struct app_estimate e = app_result_metric(book, APP_M_MEDIAN_MS);
    assert_null(app_result_member(book, APP_M_LOW_MS));
    assert_true(e.valid && e.has_interval && e.processes == 1 && e.value == 2.3 && e.widen > 0.0);
    assert_true(e.low == app_process_number(&book->processes[0], APP_M_LOW_MS, 0));
    assert_true(e.trust == book->trust.reasons);
    assert_false(app_result_metric(book, APP_M_GFLOPS).valid);
    assert_ptr_equal(shared, &results.results[1]);
    assert_null(app_results_find(&results, 0, "raytrace", "book/texture"));
    assert_false(app_result_metric(shared, APP_M_MEDIAN_MS).has_interval);
}

/* --- merging, by the rule of each metric --- */

static bool close_to(double actual, double expected)
{
    return fabs(actual - expected) <= 1e-8 * fabs(expected);
}

/* Returns the greatest tick of the processes. */
static double tick_of(const struct app_result *result)
{
    double tick = 0;
    for (size_t i = 0; i < result->process_count; i++)
        tick = fmax(tick, app_process_number(&result->processes[i], APP_M_TICK_MS, 0));
    return tick;
}

static void check_interval(const struct app_result *result, enum app_member member,
                           const double *values, size_t n, bool exists)
{
    const bool ms = strcmp(app_members[member].unit, "ms") == 0;
    const double value = app_result_number(result, member, NAN);
    const struct krn_across least = krn_across(values, n, KRN_INTERVAL_LEVEL, 0),
                            wide = krn_across(values, n, KRN_INTERVAL_LEVEL,
                                              krn_tick_fraction(tick_of(result), value));
    double ends[2];
    for (int end = 0; end < 2; end++) {
        ends[end] = app_pairs_number(result->metrics, app_member_bound(member, end == 1), NAN);
        assert_int_equal(isnan(ends[end]), !exists);
    }
    if (exists && (!(ends[0] <= least.low * (1 + 1e-8)) || !(ends[1] >= least.high * (1 - 1e-8)) ||
                   (ms && (!close_to(ends[0], wide.low) || !close_to(ends[1], wide.high)))))
        fail_msg("%s, %s: [%g, %g], not [%g, %g]", result->variant, app_members[member].key,
                 ends[0], ends[1], wide.low, wide.high);
}

static void check_metric(const struct app_result *result, enum app_member member)
{
    const struct app_member_row *row = &app_members[member];
    double values[PROCESSES], samples[PROCESSES * SAMPLES], least = INFINITY, most = -INFINITY,
                                                            total = 0, logarithms = 0;
    size_t n = 0, pooled = 0;
    for (size_t p = 0; p < result->process_count; p++) {
        const struct app_result_process *process = &result->processes[p];
        for (size_t s = 0; s < process->n; s++)
            samples[pooled++] = process->samples_ms[s];
        if (app_process_member(process, member) == NULL)
            continue;
        values[n] = app_process_number(process, member, NAN);
        least = fmin(least, values[n]);
        most = fmax(most, values[n]);
        total += values[n];
        logarithms += values[n] > 0 ? log(values[n]) : 0;
        n++;
    }
    const bool positive = least > 0;
    const struct krn_summary all = krn_summarise(samples, pooled);
    const double centre = positive ? exp(logarithms / (double)n) : total / (double)n,
                 rules[] = {[APP_SUM_CENTRE] = centre,
                            [APP_SUM_MIDDLE] = centre,
                            [APP_SUM_LEAST] = least,
                            [APP_SUM_GREATEST] = most,
                            [APP_SUM_TOTAL] = total,
                            [APP_SUM_P5] = n == 1       ? total
                                           : pooled > 0 ? all.p5
                                                        : NAN,
                            [APP_SUM_P95] = n == 1       ? total
                                            : pooled > 0 ? all.p95
                                                         : NAN};
    const double expected = rules[row->sum];
    if (row->sum == APP_SUM_NONE)
        return; /* the ends of the median's interval, which are checked with it */
    const double value = app_result_number(result, member, NAN);
    if (n == 0 ? app_result_member(result, member) != NULL
               : isnan(expected) != isnan(value) || (!isnan(value) && !close_to(value, expected)))
        fail_msg("%s, %s of %zu processes: %g, not %g", result->variant, row->key, n, value,
                 expected);
    if (n > 0)
        check_interval(result, member, values, n, row->sum == APP_SUM_CENTRE && positive && n > 1);
}

TEST(test_merging)
{
    for (size_t count = 2; count <= PROCESSES; count++) {
        TEST_OWNED(app_results_free) struct app_results merged = merged_record(count, false);
        assert_true(merged.count == RESULTS && merged.run.processes == (int)count);
        assert_true(merged.run.seed == UINT64_MAX && merged.run.seconds == 12.5);
        for (size_t p = 0; p < count; p++) {
            TEST_OWNED(app_results_free) struct app_results own = any_record((uint32_t)p, false);
            for (size_t i = 0; i < RESULTS; i++) {
                const struct app_result *result = NULL;
                for (size_t r = 0; r < RESULTS; r++)
                    if (strcmp(merged.results[r].variant, own.results[i].variant) == 0)
                        result = &merged.results[r];
                assert_non_null(result);
                same_pairs(result->variant, own.results[i].workload, result->workload);
                same_pairs(result->variant, own.results[i].parameters, result->parameters);
                assert_int_equal(result->processes[p].process, p + 1);
                same_process(result->variant, own.results[i].processes, &result->processes[p]);
            }
        }
        for (size_t i = 0; i < RESULTS; i++) {
            const struct app_result *result = &merged.results[i];
            for (int m = 0; m < APP_MEMBERS_COUNT; m++)
                if (app_members[m].list == APP_LIST_M)
                    check_metric(result, (enum app_member)m);
            /* The outcome keeps what all say alike. */
            for (size_t o = 0; o < result->processes[0].outcome.count; o++) {
                const struct app_pair *pair = &result->processes[0].outcome.pairs[o], *other;
                bool alike = true;
                for (size_t p = 1; p < count; p++)
                    alike = alike &&
                            (other = app_pairs_find(result->processes[p].outcome, pair->key)) &&
                            app_pair_equal(pair, other);
                assert_int_equal(alike, app_pairs_find(result->outcome, pair->key) != NULL);
            }
        }
    }
}

/* --- structures --- */

/* A member is found by the address of its key, so equal keys are one text. */
TEST(test_keys_are_one_text)
{
    for (int a = 0; a < APP_MEMBERS_COUNT; a++) {
        assert_ptr_equal(app_member_key(app_members[a].key), app_members[a].key);
        for (int b = 0; b < a; b++)
            assert_int_equal(strcmp(app_members[a].key, app_members[b].key) == 0,
                             app_members[a].key == app_members[b].key);
    }
}

/* A probe has every field that its members say, and gives the members again. */
TEST(test_probes)
{
    const struct app_state state = app_state_default();
    struct app_pair pairs[APP_PAIRS_MAX];
    TEST_OWNED(app_results_free) struct app_results results = test_record_begin(&state);
    for (int i = 0; i < KRN_TOPIC_COUNT; i++) {
        struct app_draft draft;
        app_draft_begin(&draft, &results, krn_topic_name((enum krn_topic)i), "a series",
                        KRN_BACKEND_CUDA);
        app_put_text(&draft, APP_P_AXIS, "chains");
        app_put_key(&draft, APP_LIST_P, "chains", i);
        for (int m = APP_P_BLOCK_THREADS; m <= APP_P_BESIDE_MEMORY; m++)
            if (below(4) > 0)
                put_any(&draft, (enum app_member)m, true);
        draft.result.scope = "s";
        app_results_add(&results, &draft.result);
    }
    assert_int_equal(results.count, KRN_TOPIC_COUNT);
    for (int i = 0; i < KRN_TOPIC_COUNT; i++) {
        const struct app_result *of = &results.results[i];
        const struct krn_probe *probe = of->probe;
        const size_t count = app_fields_list(&app_fields_of_probe, probe, pairs);
        assert_true((int)probe->topic == i && probe->x == i);
        assert_string_equal(probe->series, "a series");
        assert_int_equal(count + 2, of->parameters.count);
        for (size_t p = 0; p < count; p++) {
            const struct app_pair *pair = app_pairs_find(of->parameters, pairs[p].key);
            assert_true(pair != NULL && app_pair_equal(pair, &pairs[p]));
        }
    }
}

/* --- other programs --- */

enum { CELL = 4096 };

/* Reads the next cell of a CSV text, up to the comma or line end behind it. */
static const char *next_cell(const char *at, char cell[CELL])
{
    size_t n = 0;
    const bool quoted = *at == '"';
    for (at += quoted; quoted ? *at != '"' || at[1] == '"' : *at != ',' && *at != '\r'; at++) {
        at += quoted && *at == '"';
        assert_true(n + 1 < CELL);
        cell[n++] = *at;
    }
    cell[n] = 0;
    return at + quoted;
}

TEST(test_csv)
{
    enum { COLUMNS = 400 };
    static char heads[COLUMNS][CELL];
    TEST_OWNED(app_results_free) struct app_results results = merged_record(2, false);
    TEST_FREED char *csv = app_results_csv(&results);
    const char *at = csv;
    size_t columns = 0, seen = 0;
    char cell[CELL], number[APP_PAIR_NUMBER];
    do
        at = next_cell(at, heads[columns++]);
    while (*at++ == ',');
    for (size_t r = 0; r < results.count; r++) {
        const struct app_result *result = &results.results[r];
        at++;
        for (size_t c = 0; c < columns; c++, at++) {
            const struct app_pair *pair = NULL;
            at = next_cell(at, cell);
            for (int l = 0; l < APP_LIST_COUNT && pair == NULL; l++)
                pair = app_pairs_find(app_result_list(result, (enum app_member_list)l), heads[c]);
            const bool own = c >= 4 && c + 11 < columns;
            const char *text = own && pair != NULL ? app_pair_text(pair, number) : "";
            /* A text is no formula, and a number stays one. */
            const bool formula = text[0] != 0 && strchr("=+-@", text[0]) != NULL &&
                                 pair->text != NULL && strcmp(text, "-1.50") != 0;
            if (own && (strcmp(text, cell + formula) != 0 || (formula && cell[0] != '\'')))
                fail_msg("%s, %s: \"%s\", not \"%s\"", result->variant, heads[c], cell, text);
            seen += own && pair != NULL;
        }
        assert_true(at[-1] == '\r');
    }
    assert_true(*++at == 0 && seen > 1000);
}

/* Runs of one command have the same columns, whatever their results know, and each of them once. */
TEST(test_csv_columns)
{
    static const enum app_member known[] = {APP_M_OF_LIMIT, APP_M_OF_LIMIT_LEAST, APP_O_PROCESSES};
    const struct app_state state = app_state_default();
    char heads[3][CELL];
    for (int i = 0; i < 3; i++) {
        TEST_OWNED(app_results_free) struct app_results results = test_record_begin(&state);
        struct app_draft draft;
        app_draft_begin(&draft, &results, "raytrace", "book/global", KRN_BACKEND_CPU);
        app_put(&draft, known[i], 3.0);
        draft.result.scope = "s";
        app_results_add(&results, &draft.result);
        TEST_FREED char *csv = app_results_csv(&results);
        snprintf(heads[i], sizeof heads[i], "%.*s", (int)strcspn(csv, "\r"), csv);
        assert_string_equal(heads[i], heads[0]);
    }
    const char *once = strstr(heads[0], ",processes,");
    assert_true(once != NULL && strstr(once + 1, ",processes,") == NULL);
    assert_non_null(strstr(heads[0], ",of_limit,of_limit_low,of_limit_high,of_limit_least,"));
}

/* Returns a record with the time of a mode and `probes` others, of n samples each. */
static struct app_results large_record(int probes, size_t n)
{
    const struct app_state state = app_state_default();
    struct app_results results = test_record_begin(&state);
    double *samples = test_alloc(n * sizeof *samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = 1.0 + 1e-6 * (double)i;
    for (int i = 0; i <= probes; i++) {
        struct app_draft draft;
        app_draft_begin(&draft, &results, i == 0 ? "raytrace" : "any", "book/global",
                        KRN_BACKEND_CPU);
        app_put_key(&draft, APP_LIST_P, "number", i);
        draft.result.scope = "s";
        draft.measured.samples_ms = samples;
        draft.measured.n = n;
        app_results_add(&results, &draft.result);
    }
    free(samples);
    return results;
}

/* The record in a picture stays below what Pillow opens: it loses its samples, then other results.
 */
TEST(test_pictures_have_room)
{
    static const struct {
        int probes;
        size_t n, least;
        bool whole;
    } cases[] = {{4, 100, 5, true}, {4, 60000, 5, false}, {20000, 1, 1000, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TEST_OWNED(app_results_free)
        struct app_results results = large_record(cases[i].probes, cases[i].n);
        TEST_FREED char *whole = app_results_text(&results),
                        *text = app_results_picture_text(&results);
        TEST_OWNED(app_results_free) struct app_results kept = test_record_of(text);
        assert_true(strlen(text) < 1 << 20);
        assert_int_equal(strcmp(whole, text) == 0, cases[i].whole);
        assert_int_equal(strstr(text, "without samples; --json writes all.") == NULL,
                         cases[i].whole);
        assert_true(kept.count >= cases[i].least && kept.count <= results.count);
        assert_string_equal(kept.results[0].benchmark, "raytrace");
    }
}

/* Each series has the number and the words of its member, in base units. */
TEST(test_prometheus)
{
    static const struct {
        enum app_member metric;
        const char *name;
        double factor;
    } families[] = {
        {APP_M_MEDIAN_MS, "spherescope_time_seconds", 1e-3},
        {APP_M_LOW_MS, "spherescope_time_low_seconds", 1e-3},
        {APP_M_HIGH_MS, "spherescope_time_high_seconds", 1e-3},
        {APP_M_EFFECTIVE_GBPS, "spherescope_effective_bytes_per_second", 1e9},
        {APP_M_GFLOPS, "spherescope_operations_per_second", 1e9},
        {APP_M_RATIO, "spherescope_duel_ratio", 1},
    };
    TEST_OWNED(app_results_free) struct app_results results = merged_record(2, false);
    TEST_FREED char *text = app_results_prometheus(&results, "night");
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        char head[256], series[256];
        snprintf(head, sizeof head, "# HELP %s %s.\n# TYPE %s gauge\n", families[f].name,
                 app_members[families[f].metric].what, families[f].name);
        const char *at = strstr(text, head);
        for (size_t r = 0; r < results.count; r++) {
            const struct app_result *result = &results.results[r];
            if (app_result_member(result, families[f].metric) == NULL)
                continue;
            snprintf(series, sizeof series, "\n%s{run=\"night\",host=\"%s\",device=\"A GPU\",",
                     families[f].name, results.host);
            assert_non_null(at);
            at = strstr(at + 1, series);
            assert_non_null(at);
            const char *end = strchr(at + 1, '\n');
            snprintf(series, sizeof series, ",variant=\"%s\",", result->variant);
            assert_true(strstr(at, series) != NULL && strstr(at, series) < end);
            while (end[-1] != ' ')
                end--;
            assert_true(
                close_to(strtod(end, NULL),
                         families[f].factor * app_result_number(result, families[f].metric, NAN)));
        }
    }
}

/* --- the schema --- */

TEST(test_schema_has_the_table)
{
    static const char *const names[] = {"workload", "parameters", "outcome", "metrics"};
    static const char *const types[] = {[APP_MEMBER_NUMBER] = "number",
                                        [APP_MEMBER_WHOLE] = "integer",
                                        [APP_MEMBER_TEXT] = "string"};
    json_t *schema = json_load_file(TEST_SOURCE_DIR "/assets/results.schema.json", 0, NULL),
           *lists[APP_LIST_COUNT];
    size_t counts[APP_LIST_COUNT] = {0};
    for (int l = 0; l < APP_LIST_COUNT; l++)
        lists[l] = json_object_get(json_object_get(json_object_get(schema, "$defs"), names[l]),
                                   "properties");
    for (int m = 0; m < APP_MEMBERS_COUNT; m++) {
        const struct app_member_row *row = &app_members[m];
        const json_t *entry = json_object_get(lists[row->list], row->key);
        const char *type = json_string_value(json_object_get(entry, "type")),
                   *what = json_string_value(json_object_get(entry, "description"));
        char words[256];
        snprintf(words, sizeof words, "%s%s%s", row->what, row->unit[0] ? ", " : "", row->unit);
        if (what == NULL || strcmp(what, words) != 0)
            fail_msg("results.schema.json: %s.%s lacks \"%s\"", names[row->list], row->key, words);
        if (type != NULL && (types[row->kind] == NULL || strcmp(type, types[row->kind]) != 0))
            fail_msg("results.schema.json: %s is no %s", row->key, type);
        counts[row->list]++;
    }
    for (int l = 0; l < APP_LIST_COUNT; l++)
        assert_int_equal(json_object_size(lists[l]), counts[l]);
    for (int m = 0; m < APP_PROBE_METRICS; m++)
        assert_int_equal(app_members[app_probe_metric(m)].list, APP_LIST_M);
    json_decref(schema);
}

TEST(test_records_are_valid)
{
    const char *paths[] = {TEST_BINARY_DIR "/test_members.json",
                           TEST_BINARY_DIR "/test_members_merged.json"};
    for (size_t i = 0; i < 2; i++) {
        struct app_results results = i == 0 ? any_record(0, true) : merged_record(3, true);
        TEST_FREED char *text = test_record_end(&results);
        test_file_put(paths[i], text, strlen(text));
    }
    const int code = test_validate(paths[0], paths[1]);
    schema_skipped = code == 77;
    if (schema_skipped)
        skip();
    assert_int_equal(code, 0);
}

int main(void)
{
    const int failed = tests_run(NULL, NULL);
    return failed != 0 ? failed : schema_skipped ? 77 : 0;
}
