/* Results in memory: what is written comes back, probes included; broken texts are refused. */
#include "owned.h"
#include "records.h"

#include "judge/probe_result.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct app_results read_text(const char *text)
{
    struct app_results results;
    TEST_OK(app_results_read(text, strlen(text), "a record", &results, &error));
    return results;
}

TEST(test_one_process)
{
    static const double samples[] = {2.0, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6};
    struct app_state state = app_state_default();
    state.recipe.seed = UINT64_MAX;
    const struct test_mode modes[] = {
        {"book/global", samples, 7, APP_VERIFIED_TRUE, "spread", 0.001},
        {"book/shared", samples, 3, APP_VERIFIED_FALSE, "from-the-future", 0.0}};
    char *text = test_record(&state, modes, 2);
    TEST_OWNED(app_results_free) struct app_results results = read_text(text);
    free(text); /* nothing points into it */
    assert_true(results.count == 2 && results.complete && results.has_device &&
                results.picture.problem.code == KRN_OK);
    assert_string_equal(results.device.name, "A GPU");
    assert_true(results.device.backend == KRN_BACKEND_CUDA && results.device.can.warps);
    assert_true(results.telemetry.valid && results.telemetry.clock_mhz == 1980.0);
    assert_true(results.run.processes == 1 && results.run.failed_count == 0);
    assert_true(results.picture.state.recipe.seed == UINT64_MAX);
    assert_string_equal(results.argv.texts[0], "spherescope");

    const struct app_result *book = &results.results[0];
    assert_string_equal(book->variant, "book/global");
    assert_string_equal(book->regime, "idle");
    assert_string_equal(app_pairs_text(book->workload, "seed"), "18446744073709551615");
    assert_true(app_pairs_number(book->workload, "width", 0) == 1024.0);
    assert_true(book->verified == APP_VERIFIED_TRUE && book->complete);
    assert_string_equal(book->stop, "narrow");
    assert_int_equal(book->trust.reasons, 1u << APP_TRUST_SPREAD);
    assert_true(book->process_count == 1 && book->processes[0].n == 7);
    assert_memory_equal(book->processes[0].samples_ms, samples, sizeof samples);
    assert_true(app_result_samples(book) == 7);
    /* The interval of this run stands in its process, not in the result. */
    assert_null(app_pairs_find(book->metrics, "low_ms"));
    const double low = app_pairs_number(book->processes[0].metrics, "low_ms", 0);
    const struct app_estimate e = app_result_estimate(book, "median_ms");
    assert_true(e.valid && e.has_interval && e.processes == 1 && e.value == 2.3 && e.low == low);
    assert_true(e.trust == book->trust.reasons && e.widen > 0.0);
    assert_false(app_result_estimate(book, "gflops").valid);

    const struct app_result *shared = app_results_find(&results, 1, "raytrace", NULL);
    assert_ptr_equal(shared, &results.results[1]);
    assert_null(app_results_find(&results, 0, "raytrace", "book/texture"));
    assert_true(shared->trust.reasons == 0 && shared->trust.others.count == 1);
    assert_string_equal(shared->trust.others.texts[0], "from-the-future");
    assert_string_equal(shared->verified_reason, "3 pixels differ");
    assert_false(app_result_estimate(shared, "median_ms").has_interval);
}

/* The recorded runs of the repository, old and new: each probe's metrics follow from what the
 * record holds of it. */
static void check_probes(const char *path)
{
    TEST_OWNED(app_results_free) struct app_results results;
    struct app_results_probes probes;
    TEST_OK(app_results_read_file(path, &results, &error));
    app_results_probes(&results, &probes);
    size_t checked = 0;
    for (int i = 0; i < probes.view.count; i++) {
        const struct app_probe_result *result = &probes.results[i];
        const struct app_result *of = probes.of[i];
        assert_string_equal(krn_topic_name(result->probe->topic), of->benchmark);
        assert_string_equal(result->probe->series, of->variant);
        assert_true(result->n == app_result_samples(of));
        assert_true(result->processes == of->process_count);
        for (int m = 0; m < APP_METRIC_COUNT; m++) {
            const char *key = app_metric_key((enum app_metric)m);
            const double recorded = app_pairs_number(of->metrics, key, 0);
            /* Old records lack the lanes that a peak follows from and the percentages of the
             * computed peak, and rates by time rest on a clock that was read for each topic. */
            if (m == APP_METRIC_OF_PEAK_TIME || (m == APP_METRIC_OF_COMPUTED && recorded == 0.0) ||
                (m == APP_METRIC_OF_PEAK_CYCLES && !(probes.view.ceilings.fma_per_cycle > 0.0)))
                continue;
            const struct app_estimate e = app_metric_of(&probes.view, result, (enum app_metric)m);
            if (e.valid != (recorded > 0.0) || (e.valid && fabs(e.value / recorded - 1.0) > 1e-6))
                fail_msg("%s %s, %s: %g, not %g", of->benchmark, of->variant, key, e.value,
                         recorded);
            checked += e.valid;
        }
    }
    assert_true(probes.view.count > 50 && checked > 200);
    const struct app_probe_result *saxpy =
        app_probe_result_find(&probes.view, KRN_TOPIC_SAXPY, "published", 1048576);
    assert_non_null(saxpy);
    assert_true(saxpy->probe->threads == 512 && saxpy->probe->blocks == 2048);
    app_results_probes_free(&probes);
}

TEST(test_recorded_probes)
{
    check_probes(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz");
}

/* A probe of double precision and the lanes that its peak is computed from come back. */
TEST(test_double_precision)
{
    struct krn_device_info device = test_gpu();
    device.processors = 10;
    device.fma_lanes = 128;
    device.dfma_lanes = 64;
    device.clock_max_mhz = 1000.0;
    const struct app_state state = app_state_default();
    /* The last one is that of the double-precision probe alone. */
    const struct app_pair parameters[] = {
        {"axis", 0, "chains"}, {"chains", 4, NULL},    {"block_threads", 512, NULL},
        {"blocks", 40, NULL},  {"flops", 640e6, NULL}, {"double_precision", 1, NULL}};
    const struct app_pair metrics[] = {{"median_ms", 1, NULL}, {"n", 3, NULL}};
    const double samples[] = {1, 1, 1};
    struct app_results written = test_record_begin(&state);
    written.device = device;
    for (size_t dual = 0; dual < 2; dual++) {
        const struct app_result result = {
            .benchmark = "peak",
            .variant = dual ? "dfma" : "ffma",
            .backend = KRN_BACKEND_CUDA,
            .parameters = {parameters, 5 + dual},
            .scope = "s",
            .verified = APP_VERIFIED_TRUE,
            .complete = true,
        };
        test_add_result(
            &written, result,
            (struct app_result_process){.metrics = {metrics, 2}, .samples_ms = samples, .n = 3});
    }
    TEST_FREED char *text = test_record_end(&written);
    TEST_OWNED(app_results_free) struct app_results results = read_text(text);
    struct app_results_probes probes;
    app_results_probes(&results, &probes);
    assert_int_equal(results.device.dfma_lanes, 64);
    assert_true(results.ceilings.gflops == 2560.0 && results.ceilings.gflops_double == 1280.0);
    assert_int_equal(probes.view.count, 2);
    for (int dual = 0; dual < 2; dual++) {
        const struct app_probe_result *result =
            app_probe_result_find(&probes.view, KRN_TOPIC_PEAK, dual ? "dfma" : "ffma", 4.0);
        assert_non_null(result);
        assert_int_equal(result->probe->double_precision, dual);
        const struct app_estimate percent =
            app_metric_of(&probes.view, result, APP_METRIC_OF_COMPUTED);
        assert_true(percent.valid && fabs(percent.value - (dual ? 50.0 : 25.0)) < 1e-9);
    }
    /* A probe that leaves multiprocessors idle has no percentage of the whole device's peak. */
    probes.probes[0].blocks = 9;
    assert_false(app_metric_of(&probes.view, &probes.results[0], APP_METRIC_OF_COMPUTED).valid);
    app_results_probes_free(&probes);
}

/* The workload of a shipped record equals that of its state, hash included. */
TEST(test_shipped_workload)
{
    char path[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-raytrace-20-spheres.json.gz";
    TEST_OWNED(app_results_free) struct app_results results;
    TEST_SCENE scene;
    struct app_workload workload;
    char text[APP_WORKLOAD_SCENE];
    const struct krn_scene_recipe recipe = krn_scene_book();
    TEST_OK(app_results_read_file(path, &results, &error));
    TEST_OK(krn_scene_generate(&scene, &recipe, &error));
    app_workload_scene(KRN_VIEW_BOOK, &scene, text);
    app_workload_describe(&workload, &results.picture.state, KRN_VIEW_BOOK, text, 20);
    const struct app_result *result = app_results_find(&results, 0, "raytrace", "book/global");
    assert_non_null(result);
    assert_int_equal(result->workload.count, workload.count);
    for (size_t i = 0; i < workload.count; i++) {
        const struct app_pair *pair = app_pairs_find(result->workload, workload.pairs[i].key);
        assert_non_null(pair);
        if (pair->text != NULL)
            assert_string_equal(pair->text, workload.pairs[i].text);
        else
            assert_true(pair->number == workload.pairs[i].number);
    }
}

static double uniform(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

static void refuse(const char *text, size_t length, const char *words)
{
    struct app_results results;
    if (app_results_read(text, length, "a record", &results, &error) != KRN_REFUSED)
        fail_msg("\"%s\" was not refused", words);
    assert_null(results.memory);
    if (strstr(error.text, words) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" lacks \"%s\"", error.text, words);
}

#define HEAD "{\"schema\": \"spherescope-results-2\", \"environment\": {}, \"results\": "
#define RESULT                                                                                     \
    HEAD "[{\"benchmark\": \"a\", \"variant\": \"b\", \"backend\": \"cpu\", \"parameters\": {}, "  \
         "\"metrics\": {}, "

TEST(test_broken_texts)
{
    static const double samples[] = {2.0, 2.1, 2.2};
    const struct app_state state = app_state_default();
    const struct test_mode mode = {"book/global", samples, 3, APP_VERIFIED_TRUE, NULL, 0.0};
    TEST_FREED char *text = test_record(&state, &mode, 1);
    const size_t length = strlen(text);
    uint32_t seed = 3;
    for (size_t cut = 0; cut + 2 < length; cut++)
        refuse(text, cut, "a record, line ");
    TEST_FREED char *damaged = test_alloc(length + 1);
    for (int i = 0; i < 6000; i++) {
        TEST_OWNED(app_results_free) struct app_results results;
        memcpy(damaged, text, length + 1);
        for (int change = 0; change <= i % 4; change++)
            damaged[(size_t)(uniform(&seed) * (double)length)] =
                (char)(unsigned char)(uniform(&seed) * 256);
        const enum krn_code code = app_results_read(damaged, length, "a record", &results, &error);
        assert_true(code == KRN_OK || code == KRN_REFUSED);
    }
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"[]", "must be a results record"},
        {"{}", "schema is missing"},
        {"{\"schema\": 3}", "schema must be a string"},
        {"{\"schema\": \"spherescope-results-1\"}",
         "schema is \"spherescope-results-1\", but this version reads \"spherescope-results-2\"."},
        {"{\"schema\": \"spherescope-results-2\"}", "environment is missing"},
        {HEAD "{}}", "results must be an array"},
        {HEAD "[3]}", "results[0] must be an object"},
        {HEAD "[{}]}", "results[0].benchmark is missing"},
        {RESULT "\"processes\": []}]}", "results[0].processes must have 1 to 32 elements"},
        {RESULT "\"processes\": [{\"process\": 1, \"samples_ms\": [1, -1]}]}]}",
         "results[0].processes[0].samples_ms[1] must be a number"},
        {RESULT "\"processes\": [{\"process\": 1, \"samples_ms\": [1], \"cycles\": []}]}]}",
         "more or fewer cycles"},
        {RESULT "\"workload\": {\"A\": 1}, \"processes\": [{\"process\": 1, "
                "\"samples_ms\": []}]}]}",
         "name is not of a-z"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuse(wrong[i].text, strlen(wrong[i].text), wrong[i].words);
}
