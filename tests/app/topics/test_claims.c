/* The claims board's rules, and the metrics behind its numbers and all tables. */
#include "measure/book_window.h"
#include "topics/claims.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct app_estimate between(double low, double value, double high)
{
    return app_estimate_of_run(value, (struct krn_interval){true, low, high}, 0.0);
}

static const struct app_estimate none;

static void ratios_follow_their_interval(void **state)
{
    (void)state;
    /* A band of 1 % reaches from 1/1.01 to 1.01. The claim is above 1. */
    assert_int_equal(app_claim_ratio(none, 1.5, 1.0), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_ratio(between(1.02, 1.05, 1.08), 1.5, 1.0), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_ratio(between(0.82, 0.83, 0.84), 1.5, 1.0), APP_CLAIM_INVERTED);
    assert_int_equal(app_claim_ratio(between(0.98, 1.02, 1.06), 1.5, 1.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_ratio(between(1.005, 1.02, 1.06), 1.5, 1.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_ratio(between(0.95, 0.97, 0.995), 1.5, 1.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_ratio(between(0.95, 0.97, 0.99), 1.5, 1.0), APP_CLAIM_INVERTED);
    /* A claim below 1 swaps the sides. */
    assert_int_equal(app_claim_ratio(between(0.82, 0.83, 0.84), 0.7, 1.0), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_ratio(between(1.02, 1.05, 1.08), 0.7, 1.0), APP_CLAIM_INVERTED);
    /* A wider band contains the interval; without an interval, the verdict is open. */
    assert_int_equal(app_claim_ratio(between(1.02, 1.05, 1.08), 1.5, 5.0), APP_CLAIM_CANT_TELL);
    const struct app_estimate bare = app_estimate_plain(3.0);
    assert_int_equal(app_claim_ratio(bare, 1.5, 1.0), APP_CLAIM_CANT_TELL);
}

static void levels_hold_within_five_points(void **state)
{
    (void)state;
    assert_int_equal(app_claim_level(none, 74.6), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_level(between(62, 62.8, 63), 74.6), APP_CLAIM_BELOW);
    assert_int_equal(app_claim_level(between(69, 69.5, 70), 74.6), APP_CLAIM_BELOW);
    assert_int_equal(app_claim_level(between(69, 69.7, 70), 74.6), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_level(between(79, 79.5, 80), 74.6), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_level(between(79, 79.7, 80), 74.6), APP_CLAIM_ABOVE);
}

static void threads_must_fall_with_every_ilp(void **state)
{
    (void)state;
    assert_int_equal(app_claim_ilp((const double[4]){512, 256, 192, 128}), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_ilp((const double[4]){576, 320, 256, 192}), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_ilp((const double[4]){512, 256, 256, 128}), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_ilp((const double[4]){512, 448, 384, 256}), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_ilp((const double[4]){512, 448, 384, 288}), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_ilp((const double[4]){512, 256, 192, -1}), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_ilp((const double[4]){-1, 256, 192, 128}), APP_CLAIM_FAILS);
}

static struct krn_device_info gpu(void)
{
    struct krn_device_info info = {.backend = KRN_BACKEND_CUDA,
                                   .can = *krn_backend_get(KRN_BACKEND_CUDA)->can,
                                   .processors = 132,
                                   .fma_lanes = 128,
                                   .clock_max_mhz = 1980,
                                   .memory_clock_mhz = 3201,
                                   .memory_bus_bits = 6016};
    return info;
}

static struct app_probe_result measured(const struct krn_probe *probe, double ms, double cycles)
{
    struct app_probe_result result = {.probe = probe, .n = 60};
    result.ms.median = ms;
    result.ms_interval = (struct krn_interval){true, ms * 0.99, ms * 1.02};
    result.cycles.median = cycles;
    result.cycles_interval = (struct krn_interval){true, cycles * 0.98, cycles * 1.01};
    return result;
}

static void metrics_follow_from_the_probe(void **state)
{
    (void)state;
    const struct krn_device_info info = gpu();
    const struct krn_probe saxpy = {.topic = KRN_TOPIC_SAXPY,
                                    .series = "published",
                                    .axis = "elements",
                                    .x = 20 << 20,
                                    .useful_bytes = 12.0 * (20 << 20),
                                    .moved_bytes = 12.0 * (20 << 20),
                                    .flops = 2.0 * (20 << 20)};
    const struct krn_probe chain = {.topic = KRN_TOPIC_ILP,
                                    .series = "ilp1",
                                    .axis = "threads",
                                    .x = 512,
                                    .threads = 512,
                                    .blocks = 1,
                                    .flops = 2.0 * 512 * 65536,
                                    .steps = 65536,
                                    .has_cycles = true};
    const struct app_probe_result results[] = {measured(&saxpy, 0.0833, 0.0),
                                               measured(&chain, 0.14, 4.0 * 65536)};
    const struct app_probes_view view = {&info, krn_ceilings_of(&info), 1980.0, results, 2};

    const struct app_estimate gbps = app_metric_of(&view, &results[0], APP_METRIC_GBPS);
    assert_true(gbps.valid && gbps.has_interval);
    assert_true(fabs(gbps.value - 12.0 * (20 << 20) / 0.0833e6) < 1e-6);
    /* The ends of a rate's interval are those of the time's, swapped. */
    assert_true(fabs(gbps.low - gbps.value / 1.02) < 1e-6);
    assert_true(fabs(gbps.high - gbps.value / 0.99) < 1e-6);
    const struct app_estimate percent =
        app_metric_of(&view, &results[0], APP_METRIC_OF_THEORETICAL);
    assert_true(fabs(percent.value - gbps.value / (3201e6 * 6016 / 8 * 2 / 1e9) * 100) < 1e-6);
    assert_false(app_metric_of(&view, &results[0], APP_METRIC_CYCLES).valid);

    /* 512 chains of 4 cycles on 128 lanes reach the peak. */
    const struct app_estimate peak = app_metric_of(&view, &results[1], APP_METRIC_OF_PEAK_CYCLES);
    assert_true(fabs(peak.value - 100.0) < 1e-9);
    const struct app_estimate step = app_metric_of(&view, &results[1], APP_METRIC_CYCLES_PER_STEP);
    assert_true(fabs(step.value - 4.0) < 1e-9);
    const struct app_estimate by_time = app_metric_of(&view, &results[1], APP_METRIC_OF_PEAK_TIME);
    assert_true(fabs(by_time.value - 4.0 * 65536 / (0.14e-3 * 1980e6) * 100) < 1e-6);
    assert_false(app_metric_of(&view, &results[1], APP_METRIC_GBPS).valid);
    assert_false(app_metric_of(&view, NULL, APP_METRIC_TIME).valid);
    assert_string_equal(app_metric_number(APP_METRIC_GBPS, gbps).value, "3.02");
    assert_string_equal(app_metric_number(APP_METRIC_GBPS, gbps).unit, "TB/s");
    assert_string_equal(app_metric_number(APP_METRIC_GBPS, none).value, "–");

    double x[4], y[4];
    assert_int_equal(
        app_probe_result_curve(&view, KRN_TOPIC_ILP, "ilp1", APP_METRIC_CYCLES, x, y, 4), 1);
    assert_true(x[0] == 512.0 && y[0] == 4.0 * 65536);
    assert_ptr_equal(app_probe_result_find(&view, KRN_TOPIC_SAXPY, "published", -1.0), &results[0]);
    assert_null(app_probe_result_find(&view, KRN_TOPIC_SAXPY, "published", 5.0));
    assert_null(app_probe_result_find(&view, KRN_TOPIC_ILP, "published", -1.0));
}

static void ratio_intervals_combine(void **state)
{
    (void)state;
    const struct app_estimate r =
        app_estimate_ratio(between(9.0, 10.0, 11.0), between(4.0, 5.0, 5.5));
    assert_true(r.valid && r.has_interval);
    assert_true(fabs(r.value - 2.0) < 1e-12);
    assert_true(fabs(r.low - 2.0 * exp(-hypot(log(10.0 / 9.0), log(5.5 / 5.0)))) < 1e-12);
    assert_true(fabs(r.high - 2.0 * exp(hypot(log(11.0 / 10.0), log(5.0 / 4.0)))) < 1e-12);
    assert_false(app_estimate_ratio(none, r).valid);
    assert_false(app_estimate_ratio(r, none).valid);
}

/* The board of an H200, from probes alone. */
static void board_judges_every_row(void **state)
{
    (void)state;
    enum { ILPS = 4, POINTS = 32, PROBES = 3 + ILPS * POINTS };
    static struct krn_probe probes[PROBES];
    static struct app_probe_result results[PROBES];
    const struct krn_device_info info = gpu();
    int n = 0;
    probes[n] = (struct krn_probe){.topic = KRN_TOPIC_SAXPY,
                                   .series = "published",
                                   .axis = "elements",
                                   .x = 20 << 20,
                                   .useful_bytes = 12.0 * (20 << 20)};
    results[n] = measured(&probes[n], 0.0833, 0.0);
    n++;
    probes[n] = (struct krn_probe){.topic = KRN_TOPIC_ACCESS,
                                   .series = "chunk/warm",
                                   .axis = "elements",
                                   .x = 1 << 20,
                                   .has_cycles = true};
    results[n] = measured(&probes[n], 0.545, 1059429.0);
    n++;
    probes[n] = (struct krn_probe){.topic = KRN_TOPIC_ACCESS,
                                   .series = "strided/warm",
                                   .axis = "elements",
                                   .x = 1 << 20,
                                   .has_cycles = true};
    results[n] = measured(&probes[n], 0.0435, 76251.0);
    n++;
    for (int ilp = 1; ilp <= ILPS; ilp++)
        for (int i = 1; i <= POINTS; i++) {
            const double threads = 32.0 * i, busy = fmin(threads * ilp / 512.0, 1.0);
            probes[n] = (struct krn_probe){.topic = KRN_TOPIC_ILP,
                                           .axis = "threads",
                                           .x = threads,
                                           .threads = (int)threads,
                                           .blocks = 1,
                                           .flops = 2.0 * threads * 65536,
                                           .has_cycles = true};
            snprintf(probes[n].series, sizeof probes[n].series, "ilp%d", ilp);
            results[n] = measured(&probes[n], 0.1, threads * 65536 / (128.0 * busy * 0.97));
            n++;
        }
    const struct app_probes_view view = {&info, krn_ceilings_of(&info), 1980.0, results, n};
    struct app_claim_facts facts = {.probes = &view,
                                    .kernel_ratio = between(0.82, 0.83, 0.84),
                                    .window_ratio = none,
                                    .no_window = "B measures it",
                                    .band_percent = 1.0};
    struct app_claim claims[APP_CLAIM_COUNT];
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_KERNEL].verdict, APP_CLAIM_INVERTED);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].now, "0.830×");
    assert_int_equal(claims[APP_CLAIM_CONSTANT_WINDOW].verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].now, "–");
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].note, "B measures it");
    assert_int_equal(claims[APP_CLAIM_SAXPY].verdict, APP_CLAIM_BELOW);
    assert_int_equal(claims[APP_CLAIM_ACCESS].verdict, APP_CLAIM_HOLDS);
    assert_string_equal(claims[APP_CLAIM_ACCESS].now, "13.9×");
    assert_int_equal(claims[APP_CLAIM_ILP].verdict, APP_CLAIM_HOLDS);
    assert_string_equal(claims[APP_CLAIM_ILP].now, "480→128");

    /* A scene other than the book's is named. */
    char scene[64];
    app_claim_scene(20, 1024, 1024, scene, sizeof scene);
    assert_string_equal(scene, "");
    app_claim_scene(2000, 1024, 1024, scene, sizeof scene);
    facts.scene = scene;
    app_claims_judge(&facts, claims);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].note, "2000 spheres, 1024×1024");

    /* A curve with a gap gives no verdict yet. */
    results[3].n = 0;
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_ILP].verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(claims[APP_CLAIM_ILP].now, "–");
}

static void window_ratio_is_paired(void **state)
{
    (void)state;
    struct app_book_runs global = {.n = 5}, constant = {.n = 5};
    for (int i = 0; i < 5; i++) {
        /* The machine drifts by a factor; the ratio does not change. */
        const double drift = 1.0 + 0.3 * i;
        global.runs[i].window_ms = 3.0 * drift * (i % 2 ? 1.01 : 0.99);
        constant.runs[i].window_ms = 2.0 * drift;
    }
    const struct app_estimate r = app_book_ratio(&global, &constant);
    assert_true(r.valid && r.has_interval);
    assert_true(r.low < 1.5 && 1.5 < r.high && r.high - r.low < 0.06);
    const double mean = (2 * log(1.01) + 3 * log(0.99)) / 5;
    assert_true(fabs(r.value - 1.5 * exp(mean)) < 1e-9);
    global.n = 2;
    assert_false(app_book_ratio(&global, &constant).has_interval);
    global.n = 0;
    assert_false(app_book_ratio(&global, &constant).valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_follow_their_interval),
        cmocka_unit_test(levels_hold_within_five_points),
        cmocka_unit_test(threads_must_fall_with_every_ilp),
        cmocka_unit_test(metrics_follow_from_the_probe),
        cmocka_unit_test(ratio_intervals_combine),
        cmocka_unit_test(board_judges_every_row),
        cmocka_unit_test(window_ratio_is_paired),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
