/* The roofline: roofs from measured and computed rates, and what bounds each kernel. */
#include "expect.h"

#include "model/trust.h"
#include "probe_results.h"
#include "topics/claims.h"
#include "topics/topic.h"

#include <math.h>
#include <stdio.h>

enum { RESULTS = 12 };

static const double published_elements = 20.0 * 1048576.0;

/* Results of a device. */
struct bench {
    struct krn_device_info device;
    struct test_measured measured[RESULTS];
    struct app_result results[RESULTS];
    struct app_probes_view view;
};

static void begin(struct bench *bench, enum krn_backend_id backend, struct krn_ceilings ceilings)
{
    memset(bench, 0, sizeof *bench);
    bench->device.backend = backend;
    bench->device.can = *krn_backend_get(backend)->can;
    bench->view = (struct app_probes_view){
        .device = &bench->device, .ceilings = ceilings, .results = bench->results};
}

/* Adds a probe that takes ms, give or take 1 %. */
static struct app_result *add(struct bench *bench, enum krn_topic topic, const char *series,
                              double x, double flops, double bytes, double ms)
{
    const int i = bench->view.count++;
    assert_true(i < RESULTS);
    struct krn_probe probe = {.topic = topic,
                              .axis = "elements",
                              .x = x,
                              .flops = flops,
                              .useful_bytes = bytes,
                              .moved_bytes = bytes,
                              .scope = ""};
    snprintf(probe.series, sizeof probe.series, "%s", series);
    return test_measure(&bench->results[i], &bench->measured[i], &probe, 30, ms, 0.0, 0.01, 0.01);
}

static struct app_result *add_saxpy(struct bench *bench, const char *series, double elements,
                                    double gbps)
{
    return add(bench, KRN_TOPIC_SAXPY, series, elements, 2.0 * elements, 12.0 * elements,
               12.0 * elements / gbps / 1e6);
}

/* An H200: the published kernel reaches 3000, the best one 4400 of 4814 GB/s. */
static void begin_gpu(struct bench *bench)
{
    begin(bench, KRN_BACKEND_CUDA,
          (struct krn_ceilings){
              .bandwidth_gbps = 4814.0, .gflops = 66900.0, .gflops_double = 33450.0});
    add_saxpy(bench, "published", published_elements, 3000.0);
    add_saxpy(bench, "vector", 268435456.0, 4400.0);
}

static void add_peaks(struct bench *bench, double single, double twice)
{
    add(bench, KRN_TOPIC_PEAK, "ffma", 8.0, single * 1e6, 0.0, 1.0);
    add(bench, KRN_TOPIC_PEAK, "dfma", 8.0, twice * 1e6, 0.0, 1.0)->trust.reasons = 0;
    bench->measured[bench->view.count - 1].probe.double_precision = true;
}

static struct app_roofline made;

static const struct app_roofline_point *point(const char *name)
{
    const struct app_roofline_point *found = app_roofline_find(&made, name);
    if (found == NULL)
        fail_msg("no point %s", name);
    return found;
}

static void assert_near(double actual, double expected)
{
    if (!(fabs(actual - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, not %.12g", actual, expected);
}

TEST(measured_roofs_come_first)
{
    static struct bench bench;
    begin_gpu(&bench);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_near(app_ceiling_of(&made.single).value, 66900.0);
    assert_near(app_ceiling_of(&made.memory).value, 4400.0);
    assert_near(app_ceiling_computed(&made.memory).value, 4814.0);
    assert_near(made.ridge, 66900.0 / 4400.0);
    add_peaks(&bench, 65000.0, 32000.0);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_near(app_ceiling_of(&made.single).value, 65000.0);
    assert_near(app_ceiling_of(&made.twice).value, 32000.0);
    assert_near(made.ridge, 65000.0 / 4400.0);
}

/* The roofs' crossing has its number; of each kernel, the fastest mode is a dot, with a name. */
TEST(a_picture_names_what_it_shows)
{
    static struct bench bench;
    static struct app_picture picture;
    const struct app_mode_work modes[] = {
        {{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1}, 2e10, 5e6, app_estimate_plain(2.0)},
        {{KRN_KERNEL_BOOK, KRN_STORAGE_SHARED, 1}, 2e10, 5e6, app_estimate_plain(1.5)},
        {{KRN_KERNEL_BOOK, KRN_STORAGE_TEXTURE, 1}, 2e10, 5e6, app_estimate_plain(1.5)}};
    begin_gpu(&bench);
    add_peaks(&bench, 66000.0, 32000.0);
    const struct app_picture_facts facts = {
        .probes = &bench.view, .addresses = 1, .modes = modes, .mode_count = 3};
    app_picture_make(KRN_TOPIC_PEAK, &facts, &picture);
    assert_string_equal(picture.sentence, "Below 15.0 operations a byte, memory is the limit");
    assert_int_equal(picture.chart.band_count, 1);
    assert_string_equal(picture.chart.bands[0].name, "memory ← 15.0 → arithmetic");
    assert_near(picture.chart.bands[0].low, 15.0);
    assert_near(picture.chart.bands[0].high, 15.0);
    assert_true(picture.chart.named);
    assert_int_equal(picture.chart.mark_count, 2);
    assert_string_equal(picture.chart.marks[0].name, "SAXPY");
    assert_string_equal(picture.chart.marks[1].name, "book");
    assert_int_equal(picture.chart.marks[1].ink, APP_INK_STORAGE + KRN_STORAGE_SHARED);
}

TEST(points_have_rates_and_a_roof)
{
    static struct bench bench;
    const struct krn_interval interval = {true, 1.98, 2.02};
    const struct app_mode_work modes[] = {{{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1},
                                           2e10,
                                           5e6,
                                           app_estimate_of_run(2.0, interval, 0.0)},
                                          {{KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1},
                                           4e7,
                                           5e6,
                                           app_estimate_of_run(2.0, interval, 0.0)}};
    begin_gpu(&bench);
    add_peaks(&bench, 65000.0, 32000.0);
    add(&bench, KRN_TOPIC_ACCESS, "whole/strided", 268435456.0, 0.0, 4.0 * 268435456.0, 0.25);
    add(&bench, KRN_TOPIC_MEMLAT, "loads8x16", 50.0, 0.0, 2e9, 2e3 / 4000.0);
    add(&bench, KRN_TOPIC_MEMLAT, "loads8x16", 100.0, 0.0, 2e9, 2e3 / 4200.0);
    app_roofline_make(&bench.view, modes, 2, &made);

    const struct app_roofline_point *saxpy = point("SAXPY published");
    assert_near(saxpy->intensity, 1.0 / 6.0);
    assert_near(saxpy->gbps.value, 3000.0);
    assert_near(saxpy->gflops.value, 500.0);
    assert_int_equal(saxpy->bound, APP_ROOF_MEMORY);
    assert_near(saxpy->of_roof.value, 3000.0 / 4400.0 * 100.0);
    assert_true(saxpy->of_roof.has_interval && saxpy->of_roof.low < saxpy->of_roof.value &&
                saxpy->of_roof.value < saxpy->of_roof.high);

    const struct app_roofline_point *cubes = point("cubes strided");
    assert_true(cubes->integer);
    assert_near(cubes->intensity, 0.75);
    assert_near(cubes->gflops.value, 3.0 * 268435456.0 / 0.25e6);
    assert_int_equal(cubes->bound, APP_ROOF_MEMORY);

    const struct app_roofline_point *copy = point("copy");
    assert_true(copy->intensity == 0.0 && !copy->gflops.valid);
    assert_near(copy->gbps.value, 4200.0);
    assert_int_equal(copy->bound, APP_ROOF_MEMORY);

    const struct app_roofline_point *single = point("peak single"), *twice = point("peak double");
    assert_true(isinf(single->intensity) && !single->gbps.valid && !single->double_precision);
    assert_true(twice->double_precision);
    /* Nothing is its own roof. */
    assert_true(single->sets_roof && twice->sets_roof && point("SAXPY vector")->sets_roof);
    assert_false(single->of_roof.valid || twice->of_roof.valid);
    assert_false(point("SAXPY vector")->of_roof.valid);
    assert_int_equal(point("SAXPY vector")->bound, APP_ROOF_MEMORY);
    assert_false(saxpy->sets_roof || copy->sets_roof);
    assert_int_equal(single->bound, APP_ROOF_ARITHMETIC);

    const struct app_roofline_point *book = point("book/global");
    assert_near(book->intensity, 4000.0);
    assert_near(book->gflops.value, 10000.0);
    /* Far below both. */
    assert_int_equal(book->bound, APP_ROOF_NEITHER);
    assert_string_equal(app_roof_name(book->bound), "neither");
    assert_near(book->of_roof.value, 10000.0 / 65000.0 * 100.0);
    assert_near(point("binned/global")->intensity, 8.0);
    assert_int_equal(point("binned/global")->bound, APP_ROOF_NEITHER);
    assert_null(app_roofline_find(&made, "SAXPY"));
}

/* A rate of the caches is no rate of the memory, and a wrong result has no rate. */
TEST(caches_make_no_roof)
{
    static struct bench bench;
    begin_gpu(&bench);
    bench.results[1].trust.reasons = APP_TRUST_BIT(APP_TRUST_L2_RESIDENT);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_near(app_ceiling_of(&made.memory).value, 3000.0);
    bench.results[0].trust.reasons = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_false(made.memory.measured.valid);
    assert_near(app_ceiling_of(&made.memory).value, 4814.0);
}

/* A CPU reports neither roof: both must be measured. */
TEST(a_cpu_has_measured_roofs)
{
    static struct bench bench;
    begin(&bench, KRN_BACKEND_CPU, (struct krn_ceilings){0});
    add_saxpy(&bench, "published", published_elements, 14.0);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_int_equal(point("SAXPY published")->bound, APP_ROOF_UNKNOWN);
    assert_true(made.ridge == 0.0);
    add(&bench, KRN_TOPIC_SAXPY, "copy", 67108864.0, 0.0, 8.0 * 67108864.0,
        8.0 * 67108864.0 / 21e6);
    add_peaks(&bench, 280.0, 140.0);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_int_equal(point("SAXPY published")->bound, APP_ROOF_MEMORY);
    assert_near(point("SAXPY published")->of_roof.value, 14.0 / 21.0 * 100.0);
    assert_near(made.ridge, 280.0 / 21.0);
    assert_int_equal(point("copy")->bound, APP_ROOF_MEMORY);
    /* The numbers of the cubes lie in a CPU's caches. */
    add(&bench, KRN_TOPIC_ACCESS, "chunk", 1048576.0, 0.0, 4.0 * 1048576.0,
        4.0 * 1048576.0 / 100e6);
    app_roofline_make(&bench.view, NULL, 0, &made);
    assert_near(app_ceiling_of(&made.memory).value, 21.0);
    assert_int_equal(point("cubes chunk")->bound, APP_ROOF_UNKNOWN);
}

static const struct app_claim *judged(const struct bench *bench)
{
    static struct app_claim claims[APP_CLAIM_COUNT];
    const struct app_claim_facts facts = {.probes = &bench->view, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    return &claims[APP_CLAIM_SAXPY_BOUND];
}

TEST(the_claim_follows_the_roofs)
{
    static struct bench bench;
    begin_gpu(&bench);
    const struct app_claim *row = judged(&bench);
    assert_int_equal(row->now.verdict, APP_VERDICT_HOLDS);
    /* 3000 of 4814 GB/s, and 500 of 66900 GFLOP/s. */
    assert_string_equal(row->now.text, "memory 83× busier");
    test_samples(&bench.results[0], 3);
    assert_int_equal(judged(&bench)->now.verdict, APP_VERDICT_NOT_MEASURED);
    test_samples(&bench.results[0], 0);
    assert_int_equal(judged(&bench)->now.verdict, APP_VERDICT_NOT_MEASURED);

    /* A device whose arithmetic is slower than its memory, and one between. */
    begin_gpu(&bench);
    bench.view.ceilings.gflops = 200.0;
    assert_int_equal(judged(&bench)->now.verdict, APP_VERDICT_FAILS);
    bench.view.ceilings.gflops = 1000.0;
    assert_int_equal(judged(&bench)->now.verdict, APP_VERDICT_CANT_TELL);
    bench.view.ceilings.gflops = 0.0;
    assert_int_equal(judged(&bench)->now.verdict, APP_VERDICT_NOT_MEASURED);
    assert_non_null(strstr(judged(&bench)->note, "peak"));

    begin_gpu(&bench);
    bench.results[0].trust.reasons = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    assert_int_equal(judged(&bench)->now.verdict, APP_VERDICT_DO_NOT_QUOTE);
}
