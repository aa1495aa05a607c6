/* The claims of a recorded GPU run, judged again from the record's own numbers. */
#include "expect.h"

#include "claims/claims.h"
#include "claims/rows.h"
#include "io/io.h"
#include "model/model.h"
#include "topics/topic.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char recorded[] = TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz";

/* A percentage by time depends on the clock, which the record's telemetry shows at another moment:
 * here, of a device that idles. */
TEST(test_percentages_come_back)
{
    TEST_OWNED(app_results_free) struct app_results results;
    struct app_results_probes probes;
    TEST_OK(app_results_read_file(recorded, &results, &error));
    results.telemetry.clock_mhz = 345.0;
    if (!(results.ceilings.fma_per_cycle > 0.0))
        results.ceilings.fma_per_cycle = 128.0; /* an older record leaves it out */
    app_results_probes(&results, &probes);
    static const enum app_metric metrics[] = {APP_METRIC_OF_PEAK_TIME, APP_METRIC_OF_PEAK_CYCLES,
                                              APP_METRIC_OF_THEORETICAL, APP_METRIC_GBPS};
    int compared = 0;
    for (int i = 0; i < probes.view.count; i++)
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
            const double told =
                app_pairs_number(probes.of[i]->metrics, app_metric_key(metrics[m]), 0.0);
            const struct app_estimate again =
                app_metric_of(&probes.view, &probes.view.results[i], metrics[m]);
            /* Only the probes of one block record how many there are. */
            if (!(told > 0.0) || (metrics[m] == APP_METRIC_OF_PEAK_TIME &&
                                  !(probes.view.results[i].probe->blocks > 0)))
                continue;
            assert_true(again.valid);
            /* The clock of a probe may differ by a step or two from that of the first one. */
            if (fabs(again.value / told - 1.0) > 0.01)
                fail_msg("%s at %g, %s: %g, recorded %g", probes.of[i]->variant,
                         probes.view.results[i].probe->x, app_metric_key(metrics[m]), again.value,
                         told);
            compared++;
        }
    assert_true(compared > 200);

    /* By the schedulers' cycles, ILP 1 to 4 need fewer and fewer threads on this GPU. */
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_ILP, &probes.view, &analysis);
    const double most = app_finding(&analysis, "ilp1")->value.value,
                 least = app_finding(&analysis, "ilp4")->value.value;
    assert_true(most >= 2.0 * least && least > 0.0);
    app_results_probes_free(&probes);
}

/* The claims that rest on probes follow from a record. */
TEST(test_probes_decide)
{
    TEST_OWNED(app_results_free) struct app_results results;
    struct app_results_probes probes;
    struct app_claim claims[APP_CLAIM_COUNT];
    TEST_OK(app_results_read_file(recorded, &results, &error));
    app_results_probes(&results, &probes);
    const struct app_claim_facts facts = {.probes = &probes.view, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_SAXPY].verdict, APP_CLAIM_BELOW);
    /* 22 times instead of 7.26. */
    assert_int_equal(claims[APP_CLAIM_ACCESS].verdict, APP_CLAIM_LARGER);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_KERNEL].verdict, APP_CLAIM_NOT_MEASURED);
    assert_int_equal(claims[APP_CLAIM_SAXPY_BOUND].verdict, APP_CLAIM_HOLDS);
    assert_int_equal(claims[APP_CLAIM_ILP].verdict, APP_CLAIM_FAILS);
    assert_int_equal(claims[APP_CLAIM_MEMORY_LATENCY].verdict, APP_CLAIM_HOLDS);
    assert_int_equal(claims[APP_CLAIM_OPERANDS].verdict, APP_CLAIM_HOLDS);
    app_results_probes_free(&probes);
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
