/* The claims of a recorded GPU run, judged again from the record's own numbers. */
#include "records.h"

#include "topics/claims.h"
#include "topics/topic.h"

#include <glob.h>

static const char recorded[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz";

/* Each probe's metrics follow from what the record holds of it. A percentage by time depends on the
 * clock, which the record's telemetry shows at another moment: here, of a device that idles. */
TEST(test_metrics_come_back)
{
    TEST_OWNED(app_results_free) struct app_results results;
    struct app_probes_view view;
    TEST_OK(app_results_read_file(recorded, &results, &error));
    results.telemetry.clock_mhz = 345.0;
    TEST_FREED struct app_result *probes = app_results_probes(&results, 1, &view);
    int compared = 0;
    for (int i = 0; i < view.count; i++) {
        const struct app_result *result = &view.results[i];
        assert_string_equal(krn_topic_name(result->probe->topic), result->benchmark);
        assert_string_equal(result->probe->series, result->variant);
        for (int m = 0; m < APP_PROBE_METRICS; m++) {
            const enum app_member member = app_probe_metric(m);
            const double told = app_result_number(result, member, 0.0);
            const struct app_estimate e = app_metric_of(&view, result, member);
            /* The clock was read for each topic, and may differ by a step or two. */
            const bool by_clock = member == APP_M_OF_PEAK_BY_TIME_PERCENT ||
                                  member == APP_M_OF_PEAK_NET_PERCENT ||
                                  member == APP_M_CYCLES_OVER_CLOCK_MS;
            if (e.valid != (told > 0.0) ||
                (e.valid && fabs(e.value / told - 1.0) > (by_clock ? 0.01 : 1e-6)))
                fail_msg("%s %s at %g, %s: %g, not %g", result->benchmark, result->variant,
                         result->probe->x, app_members[member].key, e.value, told);
            compared += e.valid;
        }
    }
    assert_true(view.count > 50 && compared > 200);
    const struct app_result *saxpy =
        app_probe_result_find(&view, KRN_TOPIC_SAXPY, "published", 1048576);
    assert_true(saxpy->probe->threads == 512 && saxpy->probe->blocks == 2048);

    /* By the schedulers' cycles, ILP 1 to 4 need fewer and fewer threads on this GPU. */
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ILP, &view, &analysis);
    const double most = app_finding(&analysis, "ilp1")->value.value,
                 least = app_finding(&analysis, "ilp4")->value.value;
    assert_true(most >= 2.0 * least && least > 0.0);
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
    struct app_results written = test_record_begin(&state);
    written.device = device;
    for (int dual = 0; dual < 2; dual++) {
        struct app_draft draft;
        app_draft_begin(&draft, &written, "peak", dual ? "dfma" : "ffma", KRN_BACKEND_CUDA);
        app_put_text(&draft, APP_P_AXIS, "chains");
        app_put_key(&draft, APP_LIST_P, "chains", 4);
        app_put(&draft, APP_P_BLOCKS, 40);
        app_put(&draft, APP_P_FLOPS, 640e6);
        app_put_known(&draft, APP_P_DOUBLE_PRECISION, dual);
        app_put(&draft, APP_M_MEDIAN_MS, 1);
        draft.measured.samples_ms = (const double[]){1, 1, 1};
        draft.measured.n = 3;
        draft.result.scope = "s";
        app_results_add(&written, &draft.result);
    }
    TEST_FREED char *text = test_record_end(&written);
    TEST_OWNED(app_results_free) struct app_results results = test_record_of(text);
    struct app_probes_view view;
    TEST_FREED struct app_result *probes = app_results_probes(&results, 1, &view);
    assert_int_equal(results.device.dfma_lanes, 64);
    assert_true(results.ceilings.gflops == 2560.0 && results.ceilings.gflops_double == 1280.0);
    assert_int_equal(view.count, 2);
    for (int dual = 0; dual < 2; dual++) {
        const struct app_result *result =
            app_probe_result_find(&view, KRN_TOPIC_PEAK, dual ? "dfma" : "ffma", 4.0);
        assert_non_null(result);
        assert_int_equal(result->probe->double_precision, dual);
        const struct app_estimate percent =
            app_metric_of(&view, result, APP_M_OF_COMPUTED_PEAK_PERCENT);
        assert_true(percent.valid && fabs(percent.value - (dual ? 50.0 : 25.0)) < 1e-9);
    }
    /* A probe that leaves multiprocessors idle has no percentage of the whole device's peak. */
    ((struct krn_probe *)probes[0].probe)->blocks = 9;
    assert_false(app_metric_of(&view, &view.results[0], APP_M_OF_COMPUTED_PEAK_PERCENT).valid);
}

/* Of a topic the newest record counts, in whatever order they stand; of equal ones the first. */
TEST(test_the_newest_probes_count)
{
    static const char *const times[] = {"2026-11-27T00:00:00Z", "2026-11-28T00:00:00Z"};
    static const struct {
        int time[2], counts;
    } cases[] = {{{0, 1}, 1}, {{1, 0}, 0}, {{0, 0}, 0}};
    TEST_OWNED(app_results_free) struct app_results results;
    TEST_OK(app_results_read_file(recorded, &results, &error));
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct app_probes_view view;
        struct app_results records[2] = {results, results};
        for (int r = 0; r < 2; r++)
            records[r].time_utc = times[cases[c].time[r]];
        records[1].device.ordinal = 7;
        TEST_FREED struct app_result *alone = app_results_probes(&results, 1, &view);
        const int all = view.count;
        TEST_FREED struct app_result *probes = app_results_probes(records, 2, &view);
        assert_int_equal(view.count, all);
        assert_int_equal(view.device->ordinal == 7, cases[c].counts);
        assert_memory_equal(probes, alone, (size_t)all * sizeof *probes);
    }
}

/* Prints the entry of a record for app/claims/rows_book.c. */
static void print_entry(const char *file, const struct app_results *results,
                        const struct app_estimate *ratio)
{
    print_message("{\"%s\", \"%s\", \"%.10s\", %zu, {", file, results->device.name,
                  results->time_utc, ratio->processes);
    for (size_t i = 0; i < ratio->processes; i++)
        print_message("%s%.6f", i > 0 ? ", " : "", ratio->each[i]);
    print_message("}, %.6f, trust %#x},\n", ratio->widen, ratio->trust);
}

static void check_recorded(const char *path, const struct app_recorded_device *devices,
                           size_t count)
{
    const char *file = strrchr(path, '/') + 1;
    TEST_OWNED(app_results_free) struct app_results results;
    size_t at = 0;
    TEST_OK(app_results_read_file(path, &results, &error));
    const struct app_estimate ratio =
        app_results_book_ratio(app_results_find(&results, 0, "book", "global/kernel"),
                               app_results_find(&results, 0, "book", "constant/kernel"));
    while (at < count && strcmp(devices[at].file, file) != 0)
        at++;
    const struct app_recorded_device *device = &devices[at < count ? at : 0];
    bool same = at < count && strcmp(device->name, results.device.name) == 0 &&
                strncmp(device->date, results.time_utc, 10) == 0 &&
                device->kernel_ratio.processes == ratio.processes &&
                device->kernel_ratio.trust == (ratio.trust | APP_TRUST_BIT(APP_TRUST_RECORDED)) &&
                fabs(device->kernel_ratio.widen - ratio.widen) < 1e-5;
    for (size_t i = 0; same && i < ratio.processes; i++)
        same = fabs(device->kernel_ratio.each[i] - ratio.each[i]) < 1e-6;
    if (!same)
        print_entry(file, &results, &ratio);
    assert_true(ratio.valid && same);
}

/* The list of recorded devices is that of the recorded runs. */
TEST(test_recorded_devices)
{
    struct app_recorded_device devices[APP_RECORDED_MAX];
    const size_t count = app_recorded_devices(devices);
    glob_t files;
    assert_int_equal(glob(TEST_SOURCE_DIR "/assets/runs/*-all.json.gz", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        check_recorded(files.gl_pathv[i], devices, count);
    assert_int_equal(files.gl_pathc, count);
    globfree(&files);
}
