/* The claims board's rules, and the metrics behind its numbers and all tables. */
#include "claims/claims.h"
#include "claims/rows.h"
#include "expect.h"
#include "judge/trust.h"
#include "measure/book_window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct app_estimate between(double low, double value, double high)
{
    return app_estimate_of_run(value, (struct krn_interval){true, low, high}, 0.0);
}

static const struct app_estimate none;

/* Returns what `n` processes measured, spread evenly by the factor `spread` around the value. */
static struct app_estimate across(double value, double spread, size_t n)
{
    double each[KRN_PROCESSES_MAX];
    for (size_t i = 0; i < n; i++)
        each[i] = value * pow(spread, n > 1 ? 2.0 * (double)i / (double)(n - 1) - 1.0 : 0.0);
    return app_estimate_of_processes(each, n, 0.0);
}

static void assert_ratio(struct app_estimate ratio, double claimed, double band,
                         enum app_claim_verdict expected)
{
    const enum app_claim_verdict verdict = app_claim_ratio(ratio, claimed, band);
    if (verdict != expected)
        fail_msg("%g [%g, %g] against %g, band %g: %s, not %s", ratio.value, ratio.low, ratio.high,
                 claimed, band, app_claim_verdict_name(verdict), app_claim_verdict_name(expected));
}

TEST(ratios_follow_their_interval)
{
    /* A band of 1 % reaches from 1/1.01 to 1.01, a size of 1.5 from 1.5/1.1 = 1.364 to 1.65. */
    assert_ratio(none, 1.5, 1.0, APP_CLAIM_NOT_MEASURED);
    assert_ratio(between(1.37, 1.5, 1.64), 1.5, 1.0, APP_CLAIM_HOLDS);
    assert_ratio(between(1.02, 1.05, 1.08), 1.5, 1.0, APP_CLAIM_SMALLER);
    assert_ratio(between(1.02, 1.30, 1.363), 1.5, 1.0, APP_CLAIM_SMALLER);
    assert_ratio(between(1.651, 1.9, 2.5), 1.5, 1.0, APP_CLAIM_LARGER);
    /* The direction alone is found: the size may be the claimed one or not. */
    assert_ratio(between(1.02, 1.30, 1.365), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(1.36, 1.5, 1.64), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(1.37, 1.5, 1.66), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(1.1, 1.5, 2.0), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(0.82, 0.83, 0.84), 1.5, 1.0, APP_CLAIM_INVERTED);
    assert_ratio(between(0.98, 1.02, 1.06), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(1.005, 1.02, 1.06), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(0.95, 0.97, 0.995), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(0.95, 0.97, 0.99), 1.5, 1.0, APP_CLAIM_INVERTED);
    /* A claim of 0.5 is one of 2 about the inverse. */
    assert_ratio(between(0.46, 0.50, 0.54), 0.5, 1.0, APP_CLAIM_HOLDS);
    assert_ratio(between(0.56, 0.60, 0.65), 0.5, 1.0, APP_CLAIM_SMALLER);
    assert_ratio(between(0.30, 0.40, 0.45), 0.5, 1.0, APP_CLAIM_LARGER);
    assert_ratio(between(0.44, 0.50, 0.54), 0.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(between(1.02, 1.05, 1.08), 0.5, 1.0, APP_CLAIM_INVERTED);
    /* A wider band contains the interval; without an interval, the verdict is open. */
    assert_ratio(between(1.02, 1.05, 1.08), 1.5, 5.0, APP_CLAIM_CANT_TELL);
    assert_ratio(app_estimate_plain(3.0), 1.5, 1.0, APP_CLAIM_CANT_TELL);
}

/* The printed interval is at 95 %, the one that decides at 99 %. */
TEST(verdicts_rest_on_99_percent)
{
    const struct app_estimate ratio = across(1.13, 1.1, 5);
    assert_true(ratio.has_interval && ratio.low > 1.01 && ratio.high < 1.5 / 1.1);
    const struct krn_interval decides = app_estimate_verdict_interval(ratio);
    assert_true(decides.low < 1.01);
    assert_ratio(ratio, 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_ratio(across(1.13, 1.02, 5), 1.5, 1.0, APP_CLAIM_SMALLER);
    assert_ratio(across(1.5, 1.02, 5), 1.5, 1.0, APP_CLAIM_HOLDS);
    assert_ratio(across(1.5, 1.02, 1), 1.5, 1.0, APP_CLAIM_CANT_TELL);
    assert_int_equal(app_claim_level(across(74.6, 1.005, 5), 74.6), APP_CLAIM_HOLDS);
    assert_int_equal(app_claim_level(across(74.6, 1.1, 5), 74.6), APP_CLAIM_CANT_TELL);
}

TEST(levels_need_their_interval)
{
    static const struct {
        double low, value, high;
        enum app_claim_verdict verdict;
    } cases[] = {
        {62, 62.8, 63, APP_CLAIM_BELOW},        {69, 69.3, 69.59, APP_CLAIM_BELOW},
        {69, 69.5, 69.61, APP_CLAIM_CANT_TELL}, {69.5, 69.7, 70, APP_CLAIM_CANT_TELL},
        {69.61, 69.7, 70, APP_CLAIM_HOLDS},     {70, 74, 79.59, APP_CLAIM_HOLDS},
        {79, 79.5, 79.61, APP_CLAIM_CANT_TELL}, {79.5, 79.7, 80, APP_CLAIM_CANT_TELL},
        {79.61, 79.7, 80, APP_CLAIM_ABOVE},     {60, 74.6, 90, APP_CLAIM_CANT_TELL},
    };
    assert_int_equal(app_claim_level(none, 74.6), APP_CLAIM_NOT_MEASURED);
    assert_int_equal(app_claim_level(app_estimate_plain(74.6), 74.6), APP_CLAIM_CANT_TELL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            app_claim_level(between(cases[i].low, cases[i].value, cases[i].high), 74.6),
            cases[i].verdict);
}

/* Wrong results and red reasons take the place of every verdict; amber ones do not. */
TEST(trust_bars_verdicts)
{
    static const struct {
        enum app_trust_reason reason;
        enum app_claim_verdict verdict;
    } cases[] = {{APP_TRUST_WRONG_PICTURE, APP_CLAIM_WRONG},
                 {APP_TRUST_THROTTLED, APP_CLAIM_DO_NOT_QUOTE},
                 {APP_TRUST_OVER_THEORETICAL, APP_CLAIM_DO_NOT_QUOTE},
                 {APP_TRUST_LOW_CLOCK, APP_CLAIM_HOLDS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct app_estimate ratio = between(1.4, 1.5, 1.6), level = between(74, 75, 76), missing;
        struct app_estimate threads[APP_CLAIM_ILPS];
        memset(&missing, 0, sizeof missing);
        for (int t = 0; t < APP_CLAIM_ILPS; t++)
            threads[t] = between(512 >> t, 512 >> t, 512 >> t);
        ratio.trust = level.trust = missing.trust = APP_TRUST_BIT(cases[i].reason);
        threads[2].trust = ratio.trust;
        assert_int_equal(app_claim_ratio(ratio, 1.5, 1.0), cases[i].verdict);
        assert_int_equal(app_claim_level(level, 74.6), cases[i].verdict);
        assert_int_equal(app_claim_ilp(threads), cases[i].verdict);
        assert_int_equal(app_claim_ratio(missing, 1.5, 1.0), APP_CLAIM_NOT_MEASURED);
    }
}

/* Threads that are surely known; < 0: never. */
static enum app_claim_verdict ilp_of(double a, double b, double c, double d)
{
    const double given[APP_CLAIM_ILPS] = {a, b, c, d};
    struct app_estimate threads[APP_CLAIM_ILPS];
    for (int i = 0; i < APP_CLAIM_ILPS; i++) {
        const double needed = given[i] < 0.0 ? (double)INFINITY : given[i];
        threads[i] = (struct app_estimate){
            .valid = true, .has_interval = true, .value = needed, .low = needed, .high = needed};
    }
    return app_claim_ilp(threads);
}

TEST(threads_must_fall_with_every_ilp)
{
    assert_int_equal(ilp_of(512, 256, 192, 128), APP_CLAIM_HOLDS);
    assert_int_equal(ilp_of(576, 320, 256, 192), APP_CLAIM_HOLDS);
    assert_int_equal(ilp_of(512, 256, 256, 128), APP_CLAIM_FAILS);
    assert_int_equal(ilp_of(512, 448, 384, 256), APP_CLAIM_HOLDS);
    assert_int_equal(ilp_of(512, 448, 384, 288), APP_CLAIM_FAILS);
    assert_int_equal(ilp_of(512, 256, 192, -1), APP_CLAIM_FAILS);
    assert_int_equal(ilp_of(-1, 256, 192, 128), APP_CLAIM_FAILS);
    /* An interval that leaves two numbers of threads open leaves the verdict open where it matters.
     */
    struct app_estimate threads[APP_CLAIM_ILPS] = {between(512, 512, 512), between(256, 256, 288),
                                                   between(192, 224, 224), between(128, 128, 128)};
    assert_int_equal(app_claim_ilp(threads), APP_CLAIM_HOLDS);
    threads[2].high = 256.0;
    assert_int_equal(app_claim_ilp(threads), APP_CLAIM_CANT_TELL);
    threads[2] = between(288, 288, 320);
    assert_int_equal(app_claim_ilp(threads), APP_CLAIM_FAILS);
    threads[2] = between(192, 192, 192);
    threads[0].high = INFINITY; /* perhaps never */
    assert_int_equal(app_claim_ilp(threads), APP_CLAIM_CANT_TELL);
    threads[0].high = 512.0;
    threads[3].has_interval = false;
    assert_int_equal(app_claim_ilp(threads), APP_CLAIM_CANT_TELL);
    threads[3].valid = false;
    assert_int_equal(app_claim_ilp(threads), APP_CLAIM_NOT_MEASURED);
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

TEST(metrics_follow_from_the_probe)
{
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

    /* Net of an empty kernel that takes 4 us; unknown, there is no net number. */
    assert_false(app_metric_of(&view, &results[1], APP_METRIC_OF_PEAK_NET).valid);
    struct app_probe_result known = results[1];
    known.overhead_ms = 0.004;
    const struct app_estimate net = app_metric_of(&view, &known, APP_METRIC_OF_PEAK_NET);
    assert_true(fabs(net.value - by_time.value * 0.14 / 0.136) < 1e-9);
    assert_true(fabs(net.low - by_time.value * 0.14 / (0.14 * 1.02 - 0.004)) < 1e-9);
    assert_true(fabs(net.high - by_time.value * 0.14 / (0.14 * 0.99 - 0.004)) < 1e-9);
    known.processes = 2;
    known.ms_each[0] = 0.13;
    known.ms_each[1] = 0.15;
    const struct app_estimate two = app_metric_of(&view, &known, APP_METRIC_OF_PEAK_NET);
    assert_true(fabs(two.each[1] - by_time.value * 0.14 / 0.146) < 1e-9 && two.processes == 2);
    known.overhead_ms = 0.2; /* more than the whole time */
    assert_false(app_metric_of(&view, &known, APP_METRIC_OF_PEAK_NET).valid);
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

TEST(ratio_intervals_combine)
{
    const struct app_estimate r =
        app_estimate_ratio(between(9.0, 10.0, 11.0), between(4.0, 5.0, 5.5));
    assert_true(r.valid && r.has_interval);
    assert_true(fabs(r.value - 2.0) < 1e-12);
    assert_true(fabs(r.low - 2.0 * exp(-hypot(log(10.0 / 9.0), log(5.5 / 5.0)))) < 1e-12);
    assert_true(fabs(r.high - 2.0 * exp(hypot(log(11.0 / 10.0), log(5.0 / 4.0)))) < 1e-12);
    assert_false(app_estimate_ratio(none, r).valid);
    assert_false(app_estimate_ratio(r, none).valid);
}

/* --- the board --- */

enum { POINTS = 32, BOARD_PROBES = 3 + APP_CLAIM_ILPS * POINTS };

/* An H200's probes: ILP 1 to 4 need 480, 256, 160 and 128 threads. */
struct board {
    struct krn_device_info info;
    struct krn_probe probes[BOARD_PROBES];
    struct app_probe_result results[BOARD_PROBES];
    struct app_probes_view view;
    struct app_claim claims[APP_CLAIM_COUNT];
};

static struct app_probe_result *add(struct board *board, struct krn_probe probe, double ms,
                                    double cycles)
{
    const int n = board->view.count++;
    board->probes[n] = probe;
    board->results[n] = measured(&board->probes[n], ms, cycles);
    board->results[n].overhead_ms = 0.0035;
    return &board->results[n];
}

static struct krn_probe sum(const char *series)
{
    struct krn_probe probe = {
        .topic = KRN_TOPIC_ACCESS, .axis = "elements", .x = 1 << 20, .has_cycles = true};
    snprintf(probe.series, sizeof probe.series, "%s", series);
    return probe;
}

/* slower: times of the ILP's probes by events, net, over those of their cycles. */
static struct board *board_of(double slower)
{
    static struct board board;
    memset(&board, 0, sizeof board);
    board.info = gpu();
    add(&board,
        (struct krn_probe){.topic = KRN_TOPIC_SAXPY,
                           .series = "published",
                           .axis = "elements",
                           .x = 20 << 20,
                           .useful_bytes = 12.0 * (20 << 20)},
        0.0833, 0.0);
    add(&board, sum("chunk/warm"), 0.545, 1059429.0);
    add(&board, sum("strided/warm"), 0.0435, 76251.0);
    for (int ilp = 1; ilp <= APP_CLAIM_ILPS; ilp++)
        for (int i = 1; i <= POINTS; i++) {
            const double threads = 32.0 * i, busy = fmin(threads * ilp / 512.0, 1.0);
            const double cycles = threads * 65536 / (128.0 * busy * 0.97);
            struct krn_probe probe = {.topic = KRN_TOPIC_ILP,
                                      .axis = "threads",
                                      .x = threads,
                                      .threads = (int)threads,
                                      .blocks = 1,
                                      .flops = 2.0 * threads * 65536,
                                      .has_cycles = true};
            snprintf(probe.series, sizeof probe.series, "ilp%d", ilp);
            struct app_probe_result *result =
                add(&board, probe, slower * cycles / 1980e3 + 0.0035, cycles);
            result->ms_interval =
                (struct krn_interval){true, result->ms.median * 0.9999, result->ms.median * 1.0001};
        }
    board.view.device = &board.info;
    board.view.ceilings = krn_ceilings_of(&board.info);
    board.view.clock_mhz = 1980.0;
    board.view.results = board.results;
    return &board;
}

static struct app_claim_facts facts_of(const struct board *board)
{
    return (struct app_claim_facts){.probes = &board->view,
                                    .kernel_ratio = between(0.82, 0.83, 0.84),
                                    .no_window = "B measures it",
                                    .band_percent = 1.0};
}

TEST(board_judges_every_row)
{
    struct board *board = board_of(1.0);
    struct app_claim *claims = board->claims;
    struct app_claim_facts facts = facts_of(board);
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_KERNEL].verdict, APP_CLAIM_INVERTED);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].now, "0.830×");
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].note, "");
    assert_int_equal(claims[APP_CLAIM_CONSTANT_WINDOW].verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].now, "–");
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].note, "B measures it");
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].method, "");
    assert_int_equal(claims[APP_CLAIM_SAXPY].verdict, APP_CLAIM_BELOW);
    assert_int_equal(claims[APP_CLAIM_ACCESS].verdict, APP_CLAIM_LARGER);
    assert_string_equal(claims[APP_CLAIM_ACCESS].now, "13.9×");
    assert_string_equal(claims[APP_CLAIM_ACCESS].beside, "events 12.5×");
    assert_int_equal(claims[APP_CLAIM_ILP].verdict, APP_CLAIM_HOLDS);
    assert_string_equal(claims[APP_CLAIM_ILP].now, "480→128");
    assert_string_equal(claims[APP_CLAIM_ILP].interval, "");
    assert_string_equal(claims[APP_CLAIM_ILP].beside, "cycles 480→128");

    facts.kernel_net_ratio = between(0.78, 0.79, 0.80);
    app_claims_judge(&facts, claims);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].note, "net of overhead 0.790×");
    facts.kernel_net_ratio = none;

    /* The scene on screen stands beside the book's, which is the one that is judged. */
    char scene[64];
    app_claim_scene(true, 20, 1024, 1024, scene, sizeof scene);
    assert_string_equal(scene, "");
    facts.scene = scene;
    facts.scene_ratio = between(1.4, 1.5, 1.6);
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_KERNEL].verdict, APP_CLAIM_INVERTED);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].note, "this scene 1.50×");
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].beside, "here 1.50×");
    app_claim_scene(false, 2000, 1024, 1024, scene, sizeof scene);
    app_claims_judge(&facts, claims);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].note,
                        "this scene (2000 spheres, 1024×1024) 1.50×");
    facts.kernel_ratio = none;
    facts.no_kernel = "B measures it";
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_KERNEL].verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_KERNEL].note,
                        "B measures it; this scene (2000 spheres, 1024×1024) 1.50×");

    /* The loading of the kernel is told apart from the window. */
    facts.window_ratio = across(1.2, 1.01, 5);
    facts.load_ms = 12.3;
    facts.age = "2 min ago";
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_WINDOW].verdict, APP_CLAIM_SMALLER);
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].note, "loading took 12.3 ms; 2 min ago");
    assert_string_equal(claims[APP_CLAIM_CONSTANT_WINDOW].method,
                        "Window: without 12.3 ms for loading");
    facts.window_ratio = across(1.36, 1.01, 5);
    app_claims_judge(&facts, claims);
    assert_int_equal(claims[APP_CLAIM_CONSTANT_WINDOW].verdict, APP_CLAIM_CANT_TELL);
    assert_non_null(strstr(claims[APP_CLAIM_CONSTANT_WINDOW].note, "by how much is open"));
}

/* By the schedulers' cycles the claim holds; by events, where the last warps finish alone, ILP 3
 * and 4 need what ILP 2 needs. */
TEST(ilp_is_judged_by_net_events)
{
    struct board *board = board_of(1.0);
    struct app_claim *row = &board->claims[APP_CLAIM_ILP];
    const struct app_claim_facts facts = facts_of(board);
    for (int i = 0; i < board->view.count; i++)
        if (strcmp(board->probes[i].series, "ilp3") == 0 ||
            strcmp(board->probes[i].series, "ilp4") == 0) {
            const double factor = board->probes[i].x < 256.0 ? 1.2 : 1.0;
            board->results[i].ms.median *= factor;
            board->results[i].ms_interval.low *= factor;
            board->results[i].ms_interval.high *= factor;
        }
    app_claims_judge(&facts, board->claims);
    assert_int_equal(row->verdict, APP_CLAIM_FAILS);
    assert_string_equal(row->now, "480→256");
    assert_string_equal(row->note, "90 % of the peak by events, net: 480 256 256 256; by the "
                                   "schedulers' cycles: 480 256 160 128");

    /* With the overhead in the time, ILP 1 and ILP 4 would need more threads. */
    board = board_of(1.0);
    for (int i = 3; i < board->view.count; i++)
        board->results[i].overhead_ms = 1e-9;
    app_claims_judge(&facts, board->claims);
    assert_string_equal(row->now, "512→192");
    board->results[7].overhead_ms = 0.0;
    app_claims_judge(&facts, board->claims);
    assert_int_equal(row->verdict, APP_CLAIM_NOT_MEASURED);
    assert_string_equal(row->note, "no overhead is known");

    /* Never reached. */
    board = board_of(1.2);
    app_claims_judge(&facts, board->claims);
    assert_int_equal(row->verdict, APP_CLAIM_FAILS);
    assert_string_equal(row->now, "never→never");
    assert_false(row->estimate.valid);

    /* An interval at the level. */
    board = board_of(0.97 / 0.9001);
    for (int i = 3; i < board->view.count; i++)
        board->results[i].ms_interval = (struct krn_interval){
            true, board->results[i].ms.median * 0.99, board->results[i].ms.median * 1.01};
    app_claims_judge(&facts, board->claims);
    assert_int_equal(row->verdict, APP_CLAIM_CANT_TELL);
    assert_string_equal(row->interval, "[512–never→128–never]");
}

TEST(probes_need_six_samples)
{
    static const struct {
        const char *series;
        enum app_claim_id claim;
    } cases[] = {{"published", APP_CLAIM_SAXPY},
                 {"chunk/warm", APP_CLAIM_ACCESS},
                 {"strided/warm", APP_CLAIM_ACCESS},
                 {"ilp3", APP_CLAIM_ILP}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct board *board = board_of(1.0);
        const struct app_claim *row = &board->claims[cases[c].claim];
        const struct app_claim_facts facts = facts_of(board);
        struct app_probe_result *result = NULL;
        for (int i = 0; i < board->view.count; i++)
            if (strcmp(board->probes[i].series, cases[c].series) == 0)
                result = &board->results[i];
        assert_non_null(result);
        result->n = 6;
        app_claims_judge(&facts, board->claims);
        assert_int_not_equal(row->verdict, APP_CLAIM_NOT_MEASURED);
        result->n = 5;
        app_claims_judge(&facts, board->claims);
        assert_int_equal(row->verdict, APP_CLAIM_NOT_MEASURED);
        assert_string_equal(row->note, "not enough samples: 5 of 6");
        assert_string_equal(row->now, "–");
        assert_false(row->estimate.valid);
        /* A curve with a gap gives no verdict either. */
        result->n = 0;
        app_claims_judge(&facts, board->claims);
        assert_int_equal(row->verdict, APP_CLAIM_NOT_MEASURED);
        assert_string_equal(row->now, "–");
    }
}

/* --- the book's processes --- */

TEST(window_ratio_is_paired)
{
    struct app_book_runs global = {.n = 5}, constant = {.n = 5};
    for (int i = 0; i < 5; i++) {
        /* The machine drifts by a factor; the ratio does not change. */
        const double drift = 1.0 + 0.3 * i;
        global.runs[i].window.window_ms = 3.0 * drift * (i % 2 ? 1.01 : 0.99);
        constant.runs[i].window.window_ms = 2.0 * drift;
    }
    const struct app_estimate r = app_book_ratio(&global, &constant, APP_BOOK_WINDOW);
    assert_true(r.valid && r.has_interval && r.processes == 5 && r.trust == 0);
    assert_true(r.low < 1.5 && 1.5 < r.high && r.high - r.low < 0.06);
    const double mean = (2 * log(1.01) + 3 * log(0.99)) / 5;
    assert_true(fabs(r.value - 1.5 * exp(mean)) < 1e-9);
    assert_true(fabs(r.each[3] - 1.515) < 1e-9);
    global.n = 1;
    assert_false(app_book_ratio(&global, &constant, APP_BOOK_WINDOW).has_interval);
    global.n = 0;
    assert_false(app_book_ratio(&global, &constant, APP_BOOK_WINDOW).valid);
    /* A wrong picture of any run counts. */
    global.n = 5;
    constant.runs[4].window.wrong = 1;
    assert_int_equal(app_book_ratio(&global, &constant, APP_BOOK_WINDOW).trust,
                     APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
}

TEST(kernel_ratio_counts_processes)
{
    struct app_book_runs runs[KRN_BOOK_STORAGES];
    memset(runs, 0, sizeof runs);
    for (int s = 0; s < KRN_BOOK_STORAGES; s++)
        for (int i = 0; i < 3; i++) {
            const double drift = 1.0 + 0.1 * (2 * i + s);
            runs[s].runs[runs[s].n++].kernel =
                (struct krn_book_kernel){.median_ms = {0.020 * drift, 0.025 * drift},
                                         .overhead_ms = {0.004 * drift, 0.004 * drift},
                                         .n = {40, 40},
                                         .tick_ms = 0.0002};
        }
    struct app_estimate r = app_book_kernel_ratio(runs, false);
    assert_true(r.valid && r.has_interval && r.processes == 6);
    assert_true(fabs(r.value - 0.8) < 1e-9);
    /* The processes agree, so the interval is that of the clock's tick. */
    assert_true(r.low < 0.8 * 0.995 && r.low > 0.8 * 0.98);
    /* Net of the overhead, the difference is larger. */
    const struct app_estimate net = app_book_kernel_ratio(runs, true);
    assert_true(net.processes == 6 && fabs(net.value - 0.016 / 0.021) < 1e-9);
    /* Runs that did not time the kernel do not count. */
    runs[1].runs[1].kernel.n[0] = 0;
    assert_int_equal(app_book_kernel_ratio(runs, false).processes, 5);
    runs[1].runs[2].kernel.wrong[1] = 3;
    r = app_book_kernel_ratio(runs, false);
    assert_int_equal(r.trust, APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
    assert_ratio(r, 1.5, 1.0, APP_CLAIM_WRONG);
}
