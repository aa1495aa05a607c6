/* Operand bandwidth, divergent reads and the tutorial's units: what the topics find, and the rows
 * of the claims board that rest on it. */
#include "expect.h"

#include "claims/claims.h"
#include "claims/rows.h"
#include "judge/trust.h"
#include "topics/divergence.h"
#include "topics/topic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROBES = 80 };

struct board {
    struct krn_device_info info;
    struct krn_probe probes[PROBES];
    struct app_probe_result results[PROBES];
    struct app_probes_view view;
    struct app_claim claims[APP_CLAIM_COUNT];
};

static struct board board;

static void begin(enum krn_backend_id backend)
{
    memset(&board, 0, sizeof board);
    board.info.backend = backend;
    board.info.can = *krn_backend_get(backend)->can;
    board.info.processors = 132;
    board.info.fma_lanes = 128;
    board.info.clock_max_mhz = 1980.0;
    board.view = (struct app_probes_view){.device = &board.info,
                                          .ceilings = krn_ceilings_of(&board.info),
                                          .clock_mhz = 1980.0,
                                          .results = board.results};
}

static struct app_probe_result *add(struct krn_probe probe, const char *series, double ms)
{
    const int n = board.view.count++;
    assert_true(n < PROBES);
    snprintf(probe.series, sizeof probe.series, "%s", series);
    probe.axis = "";
    probe.scope = "";
    board.probes[n] = probe;
    board.results[n] = (struct app_probe_result){.probe = &board.probes[n],
                                                 .n = 24,
                                                 .verified = APP_VERIFIED_TRUE,
                                                 .ms = {.n = 24, .median = ms},
                                                 .ms_interval = {true, 0.999 * ms, 1.001 * ms}};
    return &board.results[n];
}

/* Multiply-adds that read so many bytes each, at a rate in GB/s. */
static struct app_probe_result *add_operands(const char *series, double bytes, double gbps)
{
    const double count = 1e9;
    return add((struct krn_probe){.topic = KRN_TOPIC_OPERANDS,
                                  .x = 1024,
                                  .useful_bytes = bytes * count,
                                  .flops = 2.0 * count},
               series, bytes * count / gbps / 1e6);
}

static const struct app_claim *judge(enum app_claim_id id)
{
    const struct app_claim_facts facts = {.probes = &board.view, .band_percent = 1.0};
    app_claims_judge(&facts, board.claims);
    return &board.claims[id];
}

static void analyse(enum krn_topic topic, struct app_analysis *analysis)
{
    app_topic_analyse(topic, &board.view, analysis);
}

static void expect_line(const struct app_analysis *analysis, const char *key, const char *line)
{
    assert_string_equal(app_finding(analysis, key)->line, line);
}

TEST(operands_are_counted_alike)
{
    struct app_analysis analysis;
    begin(KRN_BACKEND_CUDA);
    add_operands("registers", 12.0, 396e3);
    add_operands("shared", 4.0, 30e3);
    add_operands("shared16", 4.0, 33e3);
    analyse(KRN_TOPIC_OPERANDS, &analysis);
    /* 132 x 128 x 12 bytes x 1.98 GHz = 401.4 TB/s; 132 x 128 bytes x 1.98 GHz = 33.45 TB/s */
    expect_line(&analysis, "registers",
                "registers: 396 TB/s, 98.6 % of 12 bytes per lane and clock at 1980 MHz");
    expect_line(&analysis, "shared",
                "shared memory, 16 bytes per load: 33.0 TB/s, 98.6 % of 128 bytes per "
                "multiprocessor and clock at 1980 MHz");
    /* The faster of both kinds of loads is the one that counts. */
    assert_true(fabs(app_finding(&analysis, "ratio")->value.value - 12.0) < 1e-9);
    assert_true(fabs(app_finding(&analysis, "rate")->value.value - 4.0) < 1e-9);
    const struct app_claim *row = judge(APP_CLAIM_OPERANDS);
    assert_int_equal(row->verdict, APP_CLAIM_HOLDS);
    assert_string_equal(row->now, "12.0×");
    assert_string_equal(row->beside, "multiply-adds 4.00×");
    assert_string_equal(row->note, "396 TB/s against 33.0 TB/s; multiply-adds 4.00×");
    assert_true(row->interval[0] == '[');

    begin(KRN_BACKEND_CPU);
    add_operands("registers", 12.0, 900.0);
    add_operands("cache", 4.0, 300.0)->n = 5;
    assert_int_equal(judge(APP_CLAIM_OPERANDS)->verdict, APP_CLAIM_NOT_MEASURED);
    board.results[1].n = 6;
    row = judge(APP_CLAIM_OPERANDS);
    assert_int_equal(row->verdict, APP_CLAIM_HOLDS);
    assert_string_equal(row->now, "3.00×");
    assert_non_null(strstr(row->note, "of the L1 cache"));
}

TEST(greater_has_no_size)
{
    static const struct {
        double low, high;
        enum app_claim_verdict verdict;
    } cases[] = {{1.02, 1.04, APP_CLAIM_HOLDS},
                 {1.005, 1.04, APP_CLAIM_CANT_TELL},
                 {0.995, 1.005, APP_CLAIM_CANT_TELL},
                 {0.95, 0.995, APP_CLAIM_CANT_TELL},
                 {0.95, 0.98, APP_CLAIM_INVERTED}};
    const struct app_estimate none = {.valid = false};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            app_claim_greater(
                app_estimate_of_run(cases[i].low,
                                    (struct krn_interval){true, cases[i].low, cases[i].high}, 0.0),
                1.0),
            cases[i].verdict);
    assert_int_equal(app_claim_greater(none, 1.0), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_greater(app_estimate_plain(3.0), 1.0), APP_CLAIM_CANT_TELL);
    struct app_estimate wrong = app_estimate_plain(3.0);
    wrong.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(app_claim_greater(wrong, 1.0), APP_CLAIM_WRONG);
}

static struct app_probe_result *add_sum(const char *series, double ms, double cycles)
{
    struct app_probe_result *result = add((struct krn_probe){.topic = KRN_TOPIC_ACCESS,
                                                             .x = 1 << 20,
                                                             .useful_bytes = 4 << 20,
                                                             .has_cycles = cycles > 0.0},
                                          series, ms);
    result->cycles = (struct krn_summary){.n = 24, .median = cycles};
    result->cycles_interval = (struct krn_interval){cycles > 0.0, cycles, cycles};
    return result;
}

/* The tutorial's own numbers, on a device with its clock, give its own bandwidths and time. */
TEST(the_tutorial_is_repeated)
{
    struct app_analysis analysis;
    begin(KRN_BACKEND_CUDA);
    board.view.clock_mhz = 797.0;
    add_sum("chunk/warm", 6489302 / 797e3, 6489302);
    add_sum("strided/warm", 894297 / 797e3, 894297);
    analyse(KRN_TOPIC_ACCESS, &analysis);
    expect_line(&analysis, "rate/chunk/warm",
                "chunk, L2 warm: 491 MiB/s, 4 MiB in 8.14 ms by events; 6489302 cycles / 797 MHz "
                "= 8.14 ms");
    expect_line(&analysis, "rate/strided/warm",
                "strided, L2 warm: 3.48 GiB/s, 4 MiB in 1.12 ms by events; 894297 cycles / 797 "
                "MHz = 1.12 ms");
    const struct app_claim *row = judge(APP_CLAIM_BANDWIDTH);
    assert_int_equal(row->verdict, APP_CLAIM_HOLDS);
    assert_string_equal(row->now, "0.480→3.48 GiB/s");
    assert_string_equal(row->beside, "7.26×");
    assert_true(fabs(row->estimate.value - 7.256) < 0.001);

    begin(KRN_BACKEND_CUDA);
    add_sum("chunk/warm", 0.5387, 1058525);
    add_sum("strided/warm", 0.0286, 47518);
    row = judge(APP_CLAIM_BANDWIDTH);
    assert_int_equal(row->verdict, APP_CLAIM_LARGER);
    assert_string_equal(row->now, "7.25→137 GiB/s");
    assert_string_equal(row->note, "18.8× by events");
    board.results[0].n = 5;
    assert_int_equal(judge(APP_CLAIM_BANDWIDTH)->verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(row->now, "–");

    /* One thread of a CPU stands for the tutorial's multiprocessor, and is faster in chunks. */
    begin(KRN_BACKEND_CPU);
    add_sum("chunk/one", 0.5, 0.0);
    add_sum("strided/one", 5.0, 0.0);
    row = judge(APP_CLAIM_BANDWIDTH);
    assert_int_equal(row->verdict, APP_CLAIM_INVERTED);
    assert_string_equal(row->now, "7.81→0.781 GiB/s");
    analyse(KRN_TOPIC_ACCESS, &analysis);
    expect_line(&analysis, "rate/chunk/one", "chunk, one thread: 7.81 GiB/s, 4 MiB in 500 µs");
    begin(KRN_BACKEND_CPU);
    add_sum("chunk/one", 0.5, 0.0);
    assert_non_null(strstr(judge(APP_CLAIM_BANDWIDTH)->note, "(takes over 2 ms)"));
}

/* The slow-down is net of overhead, and the largest deviation is found over all numbers. */
TEST(divergence_is_compared_with_its_prediction)
{
    const double overhead = 0.003, one = 0.034;
    struct app_analysis analysis;
    begin(KRN_BACKEND_CUDA);
    for (int memory = 0; memory < APP_DIVERGENTS; memory++)
        for (int n = 1; n <= KRN_LANES; n++) {
            const double slower = memory == APP_DIVERGENT_CONSTANT ? n * (n == 5 ? 0.9 : 1.0) : 1.0;
            add((struct krn_probe){.topic = KRN_TOPIC_CONSTANT, .x = n},
                memory == APP_DIVERGENT_CONSTANT ? "constant" : "global", overhead + one * slower)
                ->overhead_ms = overhead;
        }
    assert_true(fabs(app_divergence_measured(&board.view, APP_DIVERGENT_CONSTANT, 7).value - 7.0) <
                1e-9);
    assert_true(app_divergence_predicted(APP_DIVERGENT_CONSTANT, 7) == 7.0);
    assert_true(app_divergence_predicted(APP_DIVERGENT_GLOBAL, 7) == 1.0);
    analyse(KRN_TOPIC_CONSTANT, &analysis);
    assert_true(fabs(app_finding(&analysis, "constant")->value.value - 32.0) < 1e-9);
    assert_true(fabs(app_finding(&analysis, "deviation/constant")->value.value + 10.0) < 1e-6);
    expect_line(&analysis, "deviation/constant",
                "constant, predicted n times as long for n addresses: the largest deviation is "
                "-10.0 %, at 5 addresses");
    assert_true(fabs(app_finding(&analysis, "deviation/global")->value.value) < 1e-6);
    /* Without an overhead, the raw times are compared; with a gap, no deviation is known. */
    board.results[6].overhead_ms = 0.0;
    assert_true(app_divergence_measured(&board.view, APP_DIVERGENT_CONSTANT, 7).value > 7.05);
    board.results[6].n = 0;
    assert_false(app_divergence_measured(&board.view, APP_DIVERGENT_CONSTANT, 7).valid);
    analyse(KRN_TOPIC_CONSTANT, &analysis);
    assert_false(app_finding(&analysis, "deviation/constant")->value.valid);
    assert_string_equal(app_finding(&analysis, "deviation/constant")->line, "");
}
