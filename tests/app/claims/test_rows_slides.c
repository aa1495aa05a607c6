/* The board's rows about Better Performance at Lower Occupancy: latency, and what hides it. */
#include "expect.h"

#include "claims/claims.h"
#include "claims/rows.h"
#include "judge/trust.h"
#include "topics/topic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct app_estimate between(double low, double value, double high)
{
    return (struct app_estimate){.valid = true,
                                 .has_interval = true,
                                 .value = value,
                                 .low = low,
                                 .high = high,
                                 .processes = 1};
}

static const struct app_estimate none;

TEST(sizes_need_their_interval)
{
    /* 20 within 10 %: 18.18 to 22. */
    assert_int_equal(app_claim_size(none, 20.0), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_size(app_estimate_plain(20.0), 20.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_size(between(18.2, 20.0, 21.9), 20.0), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_size(between(18.1, 20.0, 21.9), 20.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_size(between(18.2, 20.0, 22.1), 20.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_size(between(4.02, 4.03, 4.04), 20.0), APP_CLAIM_SMALLER);
    assert_int_equal(app_claim_size(between(22.1, 23.0, 24.0), 20.0), APP_CLAIM_LARGER);
}

TEST(bounds_need_their_interval)
{
    assert_int_equal(app_claim_at_least(none, 400.0), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_at_least(app_estimate_plain(500.0), 400.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_at_least(between(400.0, 410.0, 420.0), 400.0), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_at_least(between(399.0, 410.0, 420.0), 400.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_at_least(between(380.0, 390.0, 400.0), 400.0), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_at_least(between(380.0, 390.0, 399.0), 400.0), APP_CLAIM_FAILS);
}

TEST(half_of_it_is_enough_or_not)
{
    const struct app_estimate never = between(INFINITY, INFINITY, INFINITY),
                              some = between(25.0, 25.0, 25.0);
    assert_int_equal(app_claim_half(none, some), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_half(some, none), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_half(app_estimate_plain(100.0), some), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_half(between(50, 50, 50), some), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_half(never, some), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_half(between(37.5, 50, 50), some), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_half(between(37.5, 37.5, 37.5), some), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_half(between(37.5, 37.5, INFINITY), some), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_half(between(50, 50, 50), between(25, 25, 37.5)),
                     APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_half(between(50, 50, 50), between(25, 25, INFINITY)),
                     APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_half(between(50, 50, 50), never), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_half(never, never), APP_CLAIM_FAILS);
}

TEST(no_fewer_or_surely_fewer)
{
    const struct app_estimate four = between(128, 128, 128),
                              never = between(INFINITY, INFINITY, INFINITY);
    assert_int_equal(app_claim_no_fewer(none, four), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_no_fewer(four, app_estimate_plain(128)), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_no_fewer(four, four), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_no_fewer(between(160, 160, 160), four), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_no_fewer(never, four), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_no_fewer(between(96, 128, 128), four), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_no_fewer(four, between(128, 128, 160)), APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_no_fewer(between(64, 96, 96), four), APP_CLAIM_FAILS);
    assert_int_equal(app_claim_no_fewer(four, never), APP_CLAIM_FAILS);
}

TEST(trust_bars_each_rule)
{
    struct app_estimate wrong = between(128, 128, 128), right = wrong;
    wrong.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(app_claim_size(wrong, 128.0), APP_CLAIM_WRONG);
    assert_int_equal(app_claim_at_least(wrong, 128.0), APP_CLAIM_WRONG);
    assert_int_equal(app_claim_half(wrong, right), APP_CLAIM_WRONG);
    assert_int_equal(app_claim_half(right, wrong), APP_CLAIM_WRONG);
    assert_int_equal(app_claim_no_fewer(right, wrong), APP_CLAIM_WRONG);
    wrong.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    assert_int_equal(app_claim_size(wrong, 128.0), APP_CLAIM_DO_NOT_QUOTE);
    assert_int_equal(app_claim_no_fewer(wrong, right), APP_CLAIM_DO_NOT_QUOTE);
}

/* ---- the rows ---- */

enum { PROBES = 128 };

struct board {
    struct krn_device_info info;
    struct krn_probe probes[PROBES];
    struct app_probe_result results[PROBES];
    struct app_probes_view view;
};

static struct krn_probe *add(struct board *board, enum krn_topic topic, const char *series,
                             double x, double ms, double cycles)
{
    assert_true(board->view.count < PROBES);
    struct krn_probe *probe = &board->probes[board->view.count];
    struct app_probe_result *result = &board->results[board->view.count++];
    *probe = (struct krn_probe){
        .topic = topic, .axis = "", .x = x, .steps = 1.0, .has_cycles = cycles > 0.0};
    snprintf(probe->series, sizeof probe->series, "%s", series);
    *result = (struct app_probe_result){.probe = probe, .n = 24, .overhead_ms = 1e-9};
    result->ms.median = ms;
    result->ms_interval = (struct krn_interval){true, ms * 0.9999, ms * 1.0001};
    result->cycles.median = cycles;
    result->cycles_interval = (struct krn_interval){true, cycles * 0.999, cycles * 1.001};
    return probe;
}

static void begin(struct board *board, enum krn_backend_id backend)
{
    memset(board, 0, sizeof *board);
    board->info = (struct krn_device_info){.backend = backend,
                                           .can = *krn_backend_get(backend)->can,
                                           .processors = 132,
                                           .fma_lanes = 128,
                                           .clock_max_mhz = 1980,
                                           .memory_clock_mhz = 3201,
                                           .memory_bus_bits = 6016,
                                           .cache_bytes = {228 << 10, 60 << 20}};
    board->view = (struct app_probes_view){.device = &board->info,
                                           .ceilings = krn_ceilings_of(&board->info),
                                           .clock_mhz = 1980.0,
                                           .results = board->results};
}

/* An H200's numbers; `memory`: cycles of a read from memory. eight: occupancy from which 8 loads
 * reach the best rate. */
static void fill_gpu(struct board *board, double memory, double eight)
{
    static const double occupancies[] = {12.5, 25.0, 50.0, 100.0};
    begin(board, KRN_BACKEND_CUDA);
    static const struct {
        double kib, cycles;
    } reads[] = {{1, 39}, {96, 39}, {224, 43}, {512, 250}, {1024, 288}, {49152, 378}};
    for (int i = 0; i < 6; i++)
        add(board, KRN_TOPIC_LATENCY, "read", 1024.0 * reads[i].kib, reads[i].cycles / 1.98e6,
            reads[i].cycles);
    add(board, KRN_TOPIC_LATENCY, "read", 1073741824.0, memory / 1.98e6, memory);
    for (int loads = 1; loads <= 8; loads *= 2)
        for (int i = 0; i < 4; i++) {
            char series[32];
            snprintf(series, sizeof series, "loads%dx4", loads);
            const bool best = loads == 8 && occupancies[i] >= eight;
            struct krn_probe *probe = add(board, KRN_TOPIC_MEMLAT, series, occupancies[i],
                                          best ? 1.0 : 1.0 + 50.0 / occupancies[i], 0.0);
            probe->useful_bytes = 4e9;
            probe->in_flight_bytes = occupancies[i] / 100.0 * 2048 * 132 * 4 * loads;
        }
    for (int ilp = 1; ilp <= 8; ilp = ilp < 4 ? ilp + 1 : ilp + 4)
        for (int threads = 32; threads <= 512; threads += 32) {
            char series[32];
            snprintf(series, sizeof series, "ilp%d", ilp);
            const double busy = fmin(threads * fmin(ilp, 4.0) / 512.0, 1.0), cycles = 4.03;
            struct krn_probe *probe =
                add(board, KRN_TOPIC_ILP, series, threads, cycles / 1.98e6, cycles);
            probe->threads = threads;
            probe->blocks = 1;
            probe->flops = 2.0 * 128.0 * busy * cycles * 0.98;
        }
}

static struct app_claim row_of(const struct board *board, enum app_claim_id id)
{
    struct app_claim claims[APP_CLAIM_COUNT];
    const struct app_claim_facts facts = {.probes = &board->view, .band_percent = 1.0};
    app_claims_judge(&facts, claims);
    return claims[id];
}

TEST(rows_of_a_gpu)
{
    static struct board board;
    fill_gpu(&board, 663.0, 25.0);
    struct app_claim row = row_of(&board, APP_CLAIM_ARITHMETIC_LATENCY);
    assert_string_equal(row.now, "4.03 cycles");
    assert_int_equal(row.verdict, APP_CLAIM_SMALLER);
    assert_string_equal(row.beside, "needs 516 in flight");

    row = row_of(&board, APP_CLAIM_MEMORY_LATENCY);
    assert_string_equal(row.now, "663 cycles");
    assert_int_equal(row.verdict, APP_CLAIM_HOLDS);
    assert_string_equal(row.beside, "335 ns");
    assert_non_null(strstr(row.note, "from L2 288 cycles, from L1 39.0"));

    row = row_of(&board, APP_CLAIM_MEMORY_HIDING);
    assert_string_equal(row.now, "never→25 %");
    assert_int_equal(row.verdict, APP_CLAIM_HOLDS);
    assert_non_null(strstr(row.note, "Little's law: 0.81 MB"));

    row = row_of(&board, APP_CLAIM_ILP_BEYOND_4);
    assert_string_equal(row.now, "128→128");
    assert_int_equal(row.verdict, APP_CLAIM_HOLDS);

    fill_gpu(&board, 300.0, 1000.0);
    row = row_of(&board, APP_CLAIM_MEMORY_LATENCY);
    assert_int_equal(row.verdict, APP_CLAIM_FAILS);
    /* All numbers of loads are alike: half the occupancy is not enough. */
    row = row_of(&board, APP_CLAIM_MEMORY_HIDING);
    assert_int_equal(row.verdict, APP_CLAIM_FAILS);
}

TEST(few_samples_are_no_number)
{
    static const enum app_claim_id ids[] = {APP_CLAIM_ARITHMETIC_LATENCY, APP_CLAIM_MEMORY_LATENCY,
                                            APP_CLAIM_MEMORY_HIDING, APP_CLAIM_ILP_BEYOND_4};
    static struct board board;
    fill_gpu(&board, 663.0, 25.0);
    for (int i = 0; i < board.view.count; i++)
        board.results[i].n = 3;
    for (int i = 0; i < 4; i++) {
        const struct app_claim row = row_of(&board, ids[i]);
        assert_int_equal(row.verdict, APP_CLAIM_NOT_MEASURED);
        assert_string_equal(row.now, "–");
        assert_non_null(strstr(row.note, "not enough samples: 3 of 6"));
    }
}

TEST(rows_of_a_cpu)
{
    static struct board board;
    begin(&board, KRN_BACKEND_CPU);
    board.info.cache_bytes[0] = 48 << 10;
    board.info.cache_bytes[1] = 1 << 20;
    board.info.cache_bytes[2] = 32 << 20;
    add(&board, KRN_TOPIC_LATENCY, "walk", 16384.0, 1.1e-6, 0.0);
    add(&board, KRN_TOPIC_LATENCY, "walk", 262144.0, 3.6e-6, 0.0);
    add(&board, KRN_TOPIC_LATENCY, "walk", 4194304.0, 14e-6, 0.0);
    add(&board, KRN_TOPIC_LATENCY, "walk", 268435456.0, 92e-6, 0.0);
    add(&board, KRN_TOPIC_MEMLAT, "one", 1.0, 92e-6, 0.0);
    add(&board, KRN_TOPIC_MEMLAT, "one", 8.0, 14e-6, 0.0);
    struct app_claim row = row_of(&board, APP_CLAIM_MEMORY_HIDING);
    assert_string_equal(row.now, "6.57×");
    assert_int_equal(row.verdict, APP_CLAIM_HOLDS);
    row = row_of(&board, APP_CLAIM_MEMORY_LATENCY);
    assert_int_equal(row.verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(row.note, "a CPU core's cycles are not counted; 92.0 ns");
    row = row_of(&board, APP_CLAIM_ARITHMETIC_LATENCY);
    assert_int_equal(row.verdict, APP_CLAIM_NOT_MEASURED);
    row = row_of(&board, APP_CLAIM_ILP_BEYOND_4);
    assert_string_equal(row.note, "does not apply to a CPU core");

    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_LATENCY, &board.view, &analysis);
    assert_string_equal(app_finding(&analysis, "l1")->line, "L1: 1.10 ns at 16 KiB");
    assert_string_equal(app_finding(&analysis, "l3")->line, "L3: 14.0 ns at 4 MiB");
    assert_string_equal(app_finding(&analysis, "memory")->line, "memory: 92.0 ns at 256 MiB");
    /* Where the size of a nearer cache is not known, a table may still lie in that one. */
    board.info.cache_bytes[1] = 0;
    app_topic_analyse(KRN_TOPIC_LATENCY, &board.view, &analysis);
    assert_string_equal(app_finding(&analysis, "l1")->line, "L1: 1.10 ns at 16 KiB");
    assert_false(app_finding(&analysis, "l2/ns")->value.valid);
    assert_false(app_finding(&analysis, "l3/ns")->value.valid);
    board.info.cache_bytes[1] = 1 << 20;
    /* A table that fits into the last cache says nothing about memory. */
    board.info.cache_bytes[2] = 508 << 20;
    app_topic_analyse(KRN_TOPIC_LATENCY, &board.view, &analysis);
    assert_false(app_finding(&analysis, "memory/ns")->value.valid);
    assert_string_equal(app_finding(&analysis, "memory")->line, "");
}
