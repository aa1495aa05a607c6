/* The claims board: what each row says of made-up probes, and the findings behind the rows. The
 * rules themselves are in model/verdict.h. */
#include "expect.h"
#include "model/trust.h"
#include "probe_results.h"
#include "topics/claims.h"
#include "topics/topic.h"

#include "krn/light.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

static struct app_estimate between(double low, double value, double high)
{
    return app_estimate_of_run(value, (struct krn_interval){true, low, high}, 0.0);
}

static const struct app_estimate none;

/* --- the board --- */

enum { PROBES = 160 };

static struct board {
    struct krn_device_info info;
    struct test_measured measured[PROBES];
    struct app_result results[PROBES];
    struct app_probes_view view;
    double spread; /* the ends of an interval lie this share from the median */
    struct app_claim_facts facts;
    struct app_claim claims[APP_CLAIM_COUNT];
} board;

/* Begins an empty board of an H200, or of a CPU. */
static void begin(enum krn_backend_id backend, double spread)
{
    memset(&board, 0, sizeof board);
    board.info = (struct krn_device_info){.backend = backend,
                                          .can = *krn_backend_get(backend)->can,
                                          .processors = 132,
                                          .fma_lanes = 128,
                                          .clock_max_mhz = 1980,
                                          .memory_clock_mhz = 3201,
                                          .memory_bus_bits = 6016,
                                          .cache_bytes = {228 << 10, 60 << 20}};
    board.view = (struct app_probes_view){.device = &board.info,
                                          .ceilings = krn_ceilings_of(&board.info),
                                          .clock_mhz = 1980.0,
                                          .results = board.results};
    board.spread = spread;
    board.facts = (struct app_claim_facts){.probes = &board.view, .band_percent = 1.0};
}

/* Adds a probe that took so long. cycles 0: they are not counted. */
static struct app_result *add(struct krn_probe probe, const char *series, double ms, double cycles)
{
    const int n = board.view.count++;
    assert_true(n < PROBES);
    snprintf(probe.series, sizeof probe.series, "%s", series);
    probe.axis = probe.scope = "";
    return test_measure(&board.results[n], &board.measured[n], &probe, 24, ms, cycles, board.spread,
                        board.spread);
}

static struct app_result *result_of(const char *series)
{
    for (int i = 0; i < board.view.count; i++)
        if (strcmp(board.results[i].variant, series) == 0)
            return &board.results[i];
    fail_msg("no probe %s", series);
    return NULL;
}

static const struct app_claim *judge(enum app_claim_id id)
{
    app_claims_judge(&board.facts, board.claims);
    return &board.claims[id];
}

/* Judges the board again; "": that text is not looked at. */
static void expect_row(enum app_claim_id id, enum app_verdict verdict, const char *text)
{
    const struct app_claim *row = judge(id);
    if (row->now.verdict != verdict || (text[0] && strcmp(row->now.text, text) != 0))
        fail_msg("%s: %s %s, not %s %s", row->of->id, row->now.text,
                 app_verdict_word(row->now.verdict), text, app_verdict_word(verdict));
}

static void expect_line(enum krn_topic topic, const char *key, const char *line)
{
    struct app_analysis analysis;
    app_topic_analyse(topic, &board.view, &analysis);
    assert_string_equal(app_finding(&analysis, key)->line, line);
}

static double value_of(enum krn_topic topic, const char *key)
{
    struct app_analysis analysis;
    app_topic_analyse(topic, &board.view, &analysis);
    const struct app_estimate value = app_finding(&analysis, key)->value;
    return value.valid ? value.value : NAN;
}

/* --- all rows --- */

enum { ILPS = 4, POINTS = 32 };

/* An H200's probes: ILP 1 to 4 need 480, 256, 160 and 128 threads. slower: times of the ILP's
 * probes by events, net, over those of their cycles. */
static void fill_h200(double slower)
{
    begin(KRN_BACKEND_CUDA, 0.0001);
    board.facts.kernel_ratio = between(0.82, 0.83, 0.84);
    board.facts.no_window = "B measures it";
    add((struct krn_probe){.topic = KRN_TOPIC_SAXPY,
                           .x = 20 << 20,
                           .useful_bytes = 12.0 * (20 << 20)},
        "published", 0.0833, 0.0);
    add((struct krn_probe){.topic = KRN_TOPIC_ACCESS, .x = 1 << 20}, "chunk/warm", 0.545, 1059429);
    add((struct krn_probe){.topic = KRN_TOPIC_ACCESS, .x = 1 << 20}, "strided/warm", 0.0435, 76251);
    for (int ilp = 1; ilp <= ILPS; ilp++)
        for (int i = 1; i <= POINTS; i++) {
            const double threads = 32.0 * i, busy = fmin(threads * ilp / 512.0, 1.0);
            const double cycles = threads * 65536 / (128.0 * busy * 0.97);
            char series[16];
            snprintf(series, sizeof series, "ilp%d", ilp);
            *test_metric(add((struct krn_probe){.topic = KRN_TOPIC_ILP,
                                                .x = threads,
                                                .threads = (int)threads,
                                                .blocks = 1,
                                                .flops = 2.0 * threads * 65536},
                             series, slower * cycles / 1980e3 + 0.0035, cycles),
                         APP_M_OVERHEAD_MS) = 0.0035;
        }
}

TEST(board_judges_every_row)
{
    fill_h200(1.0);
    expect_row(APP_CLAIM_CONSTANT_KERNEL, APP_VERDICT_INVERTED, "0.830×");
    expect_row(APP_CLAIM_CONSTANT_WINDOW, APP_VERDICT_NOT_MEASURED, "–");
    expect_row(APP_CLAIM_SAXPY, APP_VERDICT_BELOW, "62.8 %");
    expect_row(APP_CLAIM_ACCESS, APP_VERDICT_LARGER, "13.9×");
    expect_row(APP_CLAIM_ILP, APP_VERDICT_HOLDS, "480 to 128 threads");
    const struct app_claim *kernel = &board.claims[APP_CLAIM_CONSTANT_KERNEL],
                           *window = &board.claims[APP_CLAIM_CONSTANT_WINDOW];
    assert_string_equal(kernel->note, "");
    assert_string_equal(window->note, "B measures it");
    assert_string_equal(window->method, "");
    assert_string_equal(board.claims[APP_CLAIM_ACCESS].beside, "events 12.5×");
    assert_string_equal(board.claims[APP_CLAIM_ILP].now.interval, "");
    assert_string_equal(board.claims[APP_CLAIM_ILP].beside, "cycles 480 to 128");

    board.facts.kernel_net_ratio = between(0.78, 0.79, 0.80);
    judge(APP_CLAIM_CONSTANT_KERNEL);
    assert_string_equal(kernel->note, "net of overhead 0.790×");
    board.facts.kernel_net_ratio = none;

    /* The scene on screen stands beside the book's, which is the one that is judged. */
    char scene[64];
    app_claim_scene(true, 20, 1024, 1024, scene, sizeof scene);
    assert_string_equal(scene, "");
    board.facts.scene = scene;
    board.facts.scene_ratio = between(1.4, 1.5, 1.6);
    judge(APP_CLAIM_CONSTANT_KERNEL);
    assert_int_equal(kernel->now.verdict, APP_VERDICT_INVERTED);
    assert_string_equal(kernel->note, "this scene 1.50×");
    assert_string_equal(kernel->beside, "here 1.50×");
    app_claim_scene(false, 2000, 1024, 1024, scene, sizeof scene);
    judge(APP_CLAIM_CONSTANT_KERNEL);
    assert_string_equal(kernel->note, "this scene (2000 spheres, 1024×1024) 1.50×");
    board.facts.kernel_ratio = none;
    board.facts.no_kernel = "B measures it";
    judge(APP_CLAIM_CONSTANT_KERNEL);
    assert_int_equal(kernel->now.verdict, APP_VERDICT_NOT_MEASURED);
    assert_string_equal(kernel->note, "B measures it; this scene (2000 spheres, 1024×1024) 1.50×");

    /* The loading of the kernel is told apart from the window. */
    board.facts.window_ratio = between(1.19, 1.2, 1.21);
    board.facts.load_ms = 12.3;
    board.facts.age = "2 min ago";
    judge(APP_CLAIM_CONSTANT_KERNEL);
    assert_int_equal(window->now.verdict, APP_VERDICT_SMALLER);
    assert_string_equal(window->note, "loading took 12.3 ms; 2 min ago");
    assert_string_equal(window->method, "Window: without 12.3 ms for loading");
    board.facts.window_ratio = between(1.35, 1.36, 1.37);
    judge(APP_CLAIM_CONSTANT_KERNEL);
    assert_int_equal(window->now.verdict, APP_VERDICT_CANT_TELL);
    assert_non_null(strstr(window->note, "by how much is open"));
}

/* By the schedulers' cycles the claim holds; by events, where the last warps finish alone, ILP 3
 * and 4 need what ILP 2 needs. */
TEST(ilp_is_judged_by_net_events)
{
    const struct app_claim *row = &board.claims[APP_CLAIM_ILP];
    fill_h200(1.0);
    for (int i = 0; i < board.view.count; i++)
        if (strcmp(board.results[i].variant, "ilp3") == 0 ||
            strcmp(board.results[i].variant, "ilp4") == 0)
            test_scale(&board.results[i], APP_M_MEDIAN_MS,
                       board.results[i].probe->x < 256.0 ? 1.2 : 1.0);
    expect_row(APP_CLAIM_ILP, APP_VERDICT_FAILS, "480 to 256 threads");
    assert_string_equal(row->note, "90 % of the peak by events, net: 480 256 256 256; by the "
                                   "schedulers' cycles: 480 256 160 128");

    /* With the overhead in the time, ILP 1 and ILP 4 would need more threads. */
    fill_h200(1.0);
    for (int i = 3; i < board.view.count; i++)
        *test_metric(&board.results[i], APP_M_OVERHEAD_MS) = 1e-9;
    expect_row(APP_CLAIM_ILP, APP_VERDICT_HOLDS, "512 to 192 threads");
    *test_metric(&board.results[7], APP_M_OVERHEAD_MS) = 0.0;
    expect_row(APP_CLAIM_ILP, APP_VERDICT_NOT_MEASURED, "–");
    assert_string_equal(row->note, "no overhead is known");

    fill_h200(1.2);
    expect_row(APP_CLAIM_ILP, APP_VERDICT_FAILS, "never to never");
    assert_false(row->now.estimate.valid);

    /* An interval at the level. */
    fill_h200(0.97 / 0.9001);
    for (int i = 3; i < board.view.count; i++)
        test_interval(&board.results[i], APP_M_MEDIAN_MS,
                      *test_metric(&board.results[i], APP_M_MEDIAN_MS) * 0.99,
                      *test_metric(&board.results[i], APP_M_MEDIAN_MS) * 1.01);
    expect_row(APP_CLAIM_ILP, APP_VERDICT_CANT_TELL, "");
    assert_string_equal(row->now.interval, "[512–never to 128 threads–never]");
}

/* Two processes have intervals at 95 %, which at the board's level would say nothing. */
TEST(few_processes_decide_nothing)
{
    static const struct {
        size_t processes;
        enum app_verdict verdict;
    } cases[] = {{1, APP_VERDICT_BELOW},
                 {2, APP_VERDICT_NONE},
                 {APP_CLAIM_PROCESSES - 1, APP_VERDICT_NONE},
                 {APP_CLAIM_PROCESSES, APP_VERDICT_BELOW}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fill_h200(1.0);
        struct app_result *result = result_of("published");
        result->process_count = cases[i].processes;
        for (size_t p = 1; p < cases[i].processes; p++)
            *test_metric_of(result, p, APP_M_MEDIAN_MS, 0) =
                *test_metric(result, APP_M_MEDIAN_MS) * (1.0 + 0.001 * (double)p);
        const struct app_claim *row = judge(APP_CLAIM_SAXPY);
        assert_int_equal(row->now.verdict, cases[i].verdict);
        assert_true(row->now.interval[0] != 0);
        assert_int_equal(strstr(row->note, "cannot decide this: 5 can") != NULL,
                         cases[i].verdict == APP_VERDICT_NONE);
    }
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
        fill_h200(1.0);
        struct app_result *result = result_of(cases[c].series);
        test_samples(result, 6);
        assert_int_not_equal(judge(cases[c].claim)->now.verdict, APP_VERDICT_NOT_MEASURED);
        test_samples(result, 5);
        expect_row(cases[c].claim, APP_VERDICT_NOT_MEASURED, "–");
        assert_string_equal(board.claims[cases[c].claim].note, "not enough samples: 5 of 6");
        assert_false(board.claims[cases[c].claim].now.estimate.valid);
        /* A curve with a gap gives no verdict either. */
        test_samples(result, 0);
        expect_row(cases[c].claim, APP_VERDICT_NOT_MEASURED, "–");
    }
}

/* --- How to Implement Performance Metrics --- */

/* Launch and host at the article's size, and the clock's step. */
static void fill_timer(double launch_ms, double host_ms, double step_ms)
{
    begin(KRN_BACKEND_CUDA, 0.01);
    add((struct krn_probe){.topic = KRN_TOPIC_TIMER, .x = 20971520.0}, "launch", launch_ms, 0.0);
    add((struct krn_probe){.topic = KRN_TOPIC_TIMER, .x = 20971520.0}, "host", host_ms, 0.0);
    add((struct krn_probe){.topic = KRN_TOPIC_TIMER, .x = 1024.0}, "launch", 99.0, 0.0);
    add((struct krn_probe){.topic = KRN_TOPIC_TIMER, .x = 16.0}, "resolution", step_ms, 0.0);
}

TEST(the_resolution_is_judged)
{
    const struct app_claim *row = &board.claims[APP_CLAIM_RESOLUTION];
    fill_timer(0.004, 0.088, 3.2e-5);
    expect_row(APP_CLAIM_RESOLUTION, APP_VERDICT_SMALLER, "0.0320 µs");
    assert_string_equal(row->of->id, "event-resolution");
    assert_string_equal(row->of->then, "0.5 µs");
    assert_string_equal(row->now.interval, "[0.0317, 0.0323]");
    assert_string_equal(row->note, "");
    fill_timer(0.004, 0.088, 5e-4);
    expect_row(APP_CLAIM_RESOLUTION, APP_VERDICT_HOLDS, "");
    fill_timer(0.004, 0.088, 1e-3);
    expect_row(APP_CLAIM_RESOLUTION, APP_VERDICT_LARGER, "");
    test_samples(result_of("resolution"), 5);
    expect_row(APP_CLAIM_RESOLUTION, APP_VERDICT_NOT_MEASURED, "–");
}

TEST(the_launch_is_judged)
{
    const struct app_claim *row = &board.claims[APP_CLAIM_LAUNCH];
    fill_timer(0.0044, 0.0886, 3.2e-5);
    expect_row(APP_CLAIM_LAUNCH, APP_VERDICT_HOLDS, "4.97 % of the time");
    assert_string_equal(row->note, "4.40 µs without a barrier, 88.6 µs with one");
    assert_string_equal(row->beside, "4.40 µs of 88.6 µs");
    /* The launch at another size does not stand in for a missing one. */
    for (size_t n = 0; n < 4; n += 3) {
        test_samples(result_of("launch"), n);
        expect_row(APP_CLAIM_LAUNCH, APP_VERDICT_NOT_MEASURED, "–");
    }
    fill_timer(0.080, 0.0886, 1e-6);
    expect_row(APP_CLAIM_LAUNCH, APP_VERDICT_FAILS, "");
    fill_timer(0.0442, 0.0886, 1e-6);
    expect_row(APP_CLAIM_LAUNCH, APP_VERDICT_CANT_TELL, "");
}

/* --- CUDA by Example --- */

/* Judges a device that has measured the kernel's ratio, and nothing else. */
static const struct app_claim *judge_others(const char *name, enum krn_backend_id backend,
                                            struct app_estimate ratio)
{
    begin(backend, 0.0);
    snprintf(board.info.name, sizeof board.info.name, "%s", name);
    board.facts.kernel_ratio = ratio;
    return judge(APP_CLAIM_CONSTANT_OTHERS);
}

/* Every recorded GPU counts once, this device in the place of its record. */
TEST(other_gpus_are_counted)
{
    struct app_recorded_device devices[APP_RECORDED_MAX];
    const size_t recorded = app_recorded_devices(devices);
    const struct app_estimate ratio = between(1.4, 1.5, 1.6);
    const struct {
        const char *name;
        enum krn_backend_id backend;
        size_t hold, of;
        const char *noted;
    } rows[] = {{"NVIDIA New", KRN_BACKEND_CUDA, 1, recorded + 1, "NVIDIA New 1.50×"},
                {devices[0].name, KRN_BACKEND_CUDA, 1, recorded, devices[0].name}};
    assert_true(recorded > 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[64];
        const struct app_claim *row = judge_others(rows[i].name, rows[i].backend, ratio);
        snprintf(expected, sizeof expected, "%zu of %zu GPUs", rows[i].hold, rows[i].of);
        assert_string_equal(row->now.text, expected);
        assert_int_equal(row->now.verdict, APP_VERDICT_FAILS);
        assert_true(row->now.estimate.trust & APP_TRUST_BIT(APP_TRUST_RECORDED));
        assert_non_null(strstr(row->note, rows[i].noted));
    }
}

/* Adds a case of two programs' memories: pairs whose ratio, global over constant, scatters by this
 * share. */
static void add_case(const char *global, const char *constant, double ratio, double scatter,
                     size_t pairs)
{
    static double samples[PROBES][APP_WHERE_PAIRS];
    for (int side = 0; side < 2; side++) {
        const int at = board.view.count;
        const double ms = side ? 1.0 : ratio;
        add((struct krn_probe){.topic = KRN_TOPIC_WHERE, .x = 20.0}, side ? constant : global, ms,
            0.0);
        for (size_t i = 0; i < APP_WHERE_PAIRS; i++)
            samples[at][i] = ms * (1.0 + (side ? 0.0 : scatter * ((double)(i % 3) - 1.0)));
        board.measured[at].processes[0].samples_ms = samples[at];
        test_samples(&board.results[at], pairs);
    }
}

/* The advice holds where constant memory wins all cases and fails where it wins none; some make it
 * depend, which is neither. A case that lacks a pair keeps the board from saying anything. */
TEST(the_advice_depends_on_the_case)
{
    static const struct {
        double book, plain, scatter;
        size_t pairs;
        enum app_verdict verdict;
        const char *text;
    } cases[] = {
        {1.2, 1.1, 1e-4, APP_WHERE_PAIRS, APP_VERDICT_HOLDS, "2 of 2 cases"},
        {0.8, 1.0, 1e-4, APP_WHERE_PAIRS, APP_VERDICT_FAILS, "0 of 2 cases"},
        {0.8, 1.1, 1e-4, APP_WHERE_PAIRS, APP_VERDICT_DEPENDS, "1 of 2 cases"},
        {0.8, 1.0, 0.1, APP_WHERE_PAIRS, APP_VERDICT_CANT_TELL, "0 of 2 cases"},
        {1.2, 1.1, 1e-4, APP_WHERE_PAIRS - 1, APP_VERDICT_NOT_MEASURED, "–"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(KRN_BACKEND_CUDA, 0.003);
        add_case("book/global", "book/constant", cases[i].book, 1e-4, APP_WHERE_PAIRS);
        add_case("plain/global", "plain/constant", cases[i].plain, cases[i].scatter,
                 cases[i].pairs);
        expect_row(APP_CLAIM_CONSTANT_ADVICE, cases[i].verdict, cases[i].text);
        assert_false(cases[i].verdict == APP_VERDICT_DEPENDS &&
                     app_verdict_agrees(cases[i].verdict, APP_RULE_OWN));
    }
    board.results[0].trust.reasons = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    test_samples(&board.results[2], APP_WHERE_PAIRS);
    test_samples(&board.results[3], APP_WHERE_PAIRS);
    expect_row(APP_CLAIM_CONSTANT_ADVICE, APP_VERDICT_WRONG, "");
}

/* A wrong or doubtful ratio of this device bars the row's verdict, whatever the records say. */
TEST(a_barred_ratio_bars_the_row)
{
    struct app_estimate ratio = between(1.4, 1.5, 1.6);
    ratio.trust = APP_TRUST_BIT(APP_TRUST_THROTTLED);
    assert_int_equal(judge_others("NVIDIA New", KRN_BACKEND_CUDA, ratio)->now.verdict,
                     APP_VERDICT_DO_NOT_QUOTE);
    ratio.trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    assert_int_equal(judge_others("NVIDIA New", KRN_BACKEND_CUDA, ratio)->now.verdict,
                     APP_VERDICT_WRONG);
}

/* The book's own line stands in the row about its window. */
TEST(window_prints_the_books_line)
{
    begin(KRN_BACKEND_CUDA, 0.0);
    board.facts.window_ratio = between(1.02, 1.15, 1.3);
    board.facts.generate_ms[0] = 0.72;
    board.facts.generate_ms[1] = 0.58;
    assert_non_null(strstr(judge(APP_CLAIM_CONSTANT_WINDOW)->note,
                           "Time to generate: 0.7 ms from global, 0.6 ms from constant"));
}

/* --- Better Performance at Lower Occupancy --- */

static void add_read(const char *series, double x, double ms, double cycles)
{
    add((struct krn_probe){.topic = KRN_TOPIC_LATENCY, .x = x, .steps = 1.0}, series, ms, cycles);
}

/* An H200's numbers; `memory`: cycles of a read from memory. eight: occupancy from which 8 loads
 * reach the best rate. */
static void fill_slides(double memory, double eight)
{
    static const double occupancies[] = {12.5, 25.0, 50.0, 100.0};
    begin(KRN_BACKEND_CUDA, 0.0001);
    static const struct {
        double kib, cycles;
    } reads[] = {{1, 39}, {96, 39}, {224, 43}, {512, 250}, {1024, 288}, {49152, 378}};
    for (int i = 0; i < 6; i++)
        add_read("read", 1024.0 * reads[i].kib, reads[i].cycles / 1.98e6, reads[i].cycles);
    add_read("read", 1073741824.0, memory / 1.98e6, memory);
    for (int loads = 1; loads <= 8; loads *= 2)
        for (int i = 0; i < 4; i++) {
            char series[32];
            snprintf(series, sizeof series, "loads%dx4", loads);
            const bool best = loads == 8 && occupancies[i] >= eight;
            add((struct krn_probe){.topic = KRN_TOPIC_MEMLAT,
                                   .x = occupancies[i],
                                   .useful_bytes = 4e9,
                                   .in_flight_bytes =
                                       occupancies[i] / 100.0 * 2048 * 132 * 4 * loads},
                series, best ? 1.0 : 1.0 + 50.0 / occupancies[i], 0.0);
        }
    for (int ilp = 1; ilp <= 8; ilp = ilp < 4 ? ilp + 1 : ilp + 4)
        for (int threads = 32; threads <= 512; threads += 32) {
            char series[32];
            snprintf(series, sizeof series, "ilp%d", ilp);
            const double busy = fmin(threads * fmin(ilp, 4.0) / 512.0, 1.0), cycles = 4.03;
            *test_metric(add((struct krn_probe){.topic = KRN_TOPIC_ILP,
                                                .x = threads,
                                                .threads = threads,
                                                .blocks = 1,
                                                .steps = 1.0,
                                                .flops = 2.0 * 128.0 * busy * cycles * 0.98},
                             series, cycles / 1.98e6, cycles),
                         APP_M_OVERHEAD_MS) = 1e-9;
        }
}

TEST(rows_of_a_gpu)
{
    fill_slides(663.0, 25.0);
    expect_row(APP_CLAIM_ARITHMETIC_LATENCY, APP_VERDICT_SMALLER, "4.03 cycles");
    expect_row(APP_CLAIM_MEMORY_LATENCY, APP_VERDICT_HOLDS, "663 cycles");
    expect_row(APP_CLAIM_MEMORY_HIDING, APP_VERDICT_HOLDS, "25 %, 1 load: never");
    expect_row(APP_CLAIM_ILP_BEYOND_4, APP_VERDICT_HOLDS, "128 to 128 threads");
    const struct app_claim *claims = board.claims;
    assert_string_equal(claims[APP_CLAIM_ARITHMETIC_LATENCY].beside, "needs 516 in flight");
    assert_string_equal(claims[APP_CLAIM_MEMORY_LATENCY].beside, "335 ns");
    assert_non_null(
        strstr(claims[APP_CLAIM_MEMORY_LATENCY].note, "from L2 288 cycles, from L1 39.0"));
    assert_non_null(strstr(claims[APP_CLAIM_MEMORY_HIDING].note, "Little's law: 0.81 MB"));
    for (int i = 0; i < board.view.count; i++)
        test_samples(&board.results[i], 3);
    static const enum app_claim_id ids[] = {APP_CLAIM_ARITHMETIC_LATENCY, APP_CLAIM_MEMORY_LATENCY,
                                            APP_CLAIM_MEMORY_HIDING, APP_CLAIM_ILP_BEYOND_4};
    for (int i = 0; i < 4; i++) {
        expect_row(ids[i], APP_VERDICT_NOT_MEASURED, "–");
        assert_string_equal(claims[ids[i]].note, "not enough samples: 3 of 6");
    }
    fill_slides(300.0, 1000.0);
    expect_row(APP_CLAIM_MEMORY_LATENCY, APP_VERDICT_FAILS, "");
    /* All numbers of loads are alike: half the occupancy is not enough. */
    expect_row(APP_CLAIM_MEMORY_HIDING, APP_VERDICT_FAILS, "");
}

TEST(rows_of_a_cpu)
{
    begin(KRN_BACKEND_CPU, 0.0001);
    board.info.cache_bytes[0] = 48 << 10;
    board.info.cache_bytes[1] = 1 << 20;
    board.info.cache_bytes[2] = 32 << 20;
    add_read("walk", 16384.0, 1.1e-6, 0.0);
    add_read("walk", 262144.0, 3.6e-6, 0.0);
    add_read("walk", 4194304.0, 14e-6, 0.0);
    add_read("walk", 268435456.0, 92e-6, 0.0);
    add((struct krn_probe){.topic = KRN_TOPIC_SAXPY, .x = 1 << 20, .useful_bytes = 12 << 20},
        "published", 0.3, 0.0);
    board.facts.kernel_ratio = between(1.4, 1.5, 1.6);
    judge(APP_CLAIM_SAXPY);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        if (board.claims[i].of->topic != KRN_TOPIC_SAXPY) {
            assert_int_equal(board.claims[i].now.verdict, APP_VERDICT_NOT_APPLICABLE);
            assert_string_equal(board.claims[i].note, "not applicable to a CPU");
        }
    assert_int_not_equal(board.claims[APP_CLAIM_SAXPY].now.verdict, APP_VERDICT_NOT_APPLICABLE);
    expect_line(KRN_TOPIC_LATENCY, "l1", "L1: 1.10 ns at 16 KiB");
    expect_line(KRN_TOPIC_LATENCY, "l3", "L3: 14.0 ns at 4 MiB");
    expect_line(KRN_TOPIC_LATENCY, "memory", "memory: 92.0 ns at 256 MiB");
    /* Where the size of a nearer cache is not known, a table may still lie in that one. */
    board.info.cache_bytes[1] = 0;
    expect_line(KRN_TOPIC_LATENCY, "l1", "L1: 1.10 ns at 16 KiB");
    assert_true(isnan(value_of(KRN_TOPIC_LATENCY, "l2/ns")));
    assert_true(isnan(value_of(KRN_TOPIC_LATENCY, "l3/ns")));
    board.info.cache_bytes[1] = 1 << 20;
    /* A table that fits into the last cache says nothing about memory. */
    board.info.cache_bytes[2] = 508 << 20;
    assert_true(isnan(value_of(KRN_TOPIC_LATENCY, "memory/ns")));
    expect_line(KRN_TOPIC_LATENCY, "memory", "");
}

/* Multiply-adds that read so many bytes each, at a rate in GB/s. */
static struct app_result *add_operands(const char *series, double bytes, double gbps)
{
    const double count = 1e9;
    return add((struct krn_probe){.topic = KRN_TOPIC_OPERANDS,
                                  .x = 1024,
                                  .useful_bytes = bytes * count,
                                  .flops = 2.0 * count},
               series, bytes * count / gbps / 1e6, 0.0);
}

TEST(operands_are_counted_alike)
{
    begin(KRN_BACKEND_CUDA, 0.001);
    add_operands("registers", 12.0, 396e3);
    add_operands("shared", 4.0, 30e3);
    add_operands("shared16", 4.0, 33e3);
    /* 132 x 128 x 12 bytes x 1.98 GHz = 401.4 TB/s; 132 x 128 bytes x 1.98 GHz = 33.45 TB/s */
    expect_line(KRN_TOPIC_OPERANDS, "registers",
                "registers: 396 TB/s, 98.6 % of 12 bytes per lane and clock at 1980 MHz");
    expect_line(KRN_TOPIC_OPERANDS, "shared",
                "shared memory, 16 bytes per load: 33.0 TB/s, 98.6 % of 128 bytes per "
                "multiprocessor and clock at 1980 MHz");
    /* The faster of both kinds of loads is the one that counts. */
    assert_true(fabs(value_of(KRN_TOPIC_OPERANDS, "ratio") - 12.0) < 1e-9);
    assert_true(fabs(value_of(KRN_TOPIC_OPERANDS, "rate") - 4.0) < 1e-9);
    const struct app_claim *row = &board.claims[APP_CLAIM_OPERANDS];
    expect_row(APP_CLAIM_OPERANDS, APP_VERDICT_HOLDS, "12.0×");
    assert_string_equal(row->beside, "multiply-adds 4.00×");
    assert_string_equal(row->note, "396 TB/s against 33.0 TB/s; multiply-adds 4.00×");
    assert_true(row->now.interval[0] == '[');
}

/* --- the tutorial on memory access patterns --- */

static void add_sum(const char *series, double ms, double cycles)
{
    add((struct krn_probe){.topic = KRN_TOPIC_ACCESS, .x = 1 << 20, .useful_bytes = 4 << 20},
        series, ms, cycles);
}

/* The tutorial's own numbers, on a device with its clock, give its own bandwidths and time. */
TEST(the_tutorial_is_repeated)
{
    begin(KRN_BACKEND_CUDA, 0.001);
    board.view.clock_mhz = 797.0;
    add_sum("chunk/warm", 6489302 / 797e3, 6489302);
    add_sum("strided/warm", 894297 / 797e3, 894297);
    expect_line(KRN_TOPIC_ACCESS, "rate/chunk/warm",
                "chunk, L2 warm: 491 MiB/s, 4 MiB in 8.14 ms by events; 6489302 cycles / 797 MHz "
                "= 8.14 ms");
    expect_line(KRN_TOPIC_ACCESS, "rate/strided/warm",
                "strided, L2 warm: 3.48 GiB/s, 4 MiB in 1.12 ms by events; 894297 cycles / 797 "
                "MHz = 1.12 ms");
    const struct app_claim *row = &board.claims[APP_CLAIM_BANDWIDTH];
    expect_row(APP_CLAIM_BANDWIDTH, APP_VERDICT_HOLDS, "0.480 to 3.48 GiB/s");
    assert_string_equal(row->beside, "7.26×");
    assert_true(fabs(row->now.estimate.value - 7.256) < 0.001);

    begin(KRN_BACKEND_CUDA, 0.001);
    add_sum("chunk/warm", 0.5387, 1058525);
    add_sum("strided/warm", 0.0286, 47518);
    expect_row(APP_CLAIM_BANDWIDTH, APP_VERDICT_LARGER, "7.25 to 137 GiB/s");
    assert_string_equal(row->note, "18.8× by events");
    test_samples(&board.results[0], 5);
    expect_row(APP_CLAIM_BANDWIDTH, APP_VERDICT_NOT_MEASURED, "–");
}

/* --- CUDA C++ Programming Guide --- */

/* The slow-down is net of overhead, and the largest deviation is found over all numbers. */
TEST(divergence_is_compared_with_its_prediction)
{
    const double overhead = 0.003, one = 0.034;
    begin(KRN_BACKEND_CUDA, 0.001);
    for (int memory = 0; memory < APP_DIVERGENTS; memory++)
        for (int n = 1; n <= KRN_LANES; n++) {
            const double slower = memory == APP_DIVERGENT_CONSTANT ? n * (n == 5 ? 0.9 : 1.0) : 1.0;
            *test_metric(add((struct krn_probe){.topic = KRN_TOPIC_CONSTANT, .x = n},
                             memory == APP_DIVERGENT_CONSTANT ? "constant" : "global",
                             overhead + one * slower, 0.0),
                         APP_M_OVERHEAD_MS) = overhead;
        }
    assert_true(fabs(app_divergence_measured(&board.view, APP_DIVERGENT_CONSTANT, 7).value - 7.0) <
                1e-9);
    assert_true(app_divergence_predicted(APP_DIVERGENT_CONSTANT, 7) == 7.0);
    assert_true(app_divergence_predicted(APP_DIVERGENT_GLOBAL, 7) == 1.0);
    assert_true(fabs(value_of(KRN_TOPIC_CONSTANT, "constant") - 32.0) < 1e-9);
    assert_true(fabs(value_of(KRN_TOPIC_CONSTANT, "deviation/constant") + 10.0) < 1e-6);
    expect_line(KRN_TOPIC_CONSTANT, "deviation/constant",
                "constant, predicted n times as long for n addresses: the largest deviation is "
                "-10.0 %, at 5 addresses");
    assert_true(fabs(value_of(KRN_TOPIC_CONSTANT, "deviation/global")) < 1e-6);
    /* Without an overhead, the raw times are compared; with a gap, no deviation is known. */
    *test_metric(&board.results[6], APP_M_OVERHEAD_MS) = 0.0;
    assert_true(app_divergence_measured(&board.view, APP_DIVERGENT_CONSTANT, 7).value > 7.05);
    test_samples(&board.results[6], 0);
    assert_false(app_divergence_measured(&board.view, APP_DIVERGENT_CONSTANT, 7).valid);
    assert_true(isnan(value_of(KRN_TOPIC_CONSTANT, "deviation/constant")));
    expect_line(KRN_TOPIC_CONSTANT, "deviation/constant", "");
}

enum { TREE_CONSTANT, TREE_GLOBAL, BRUTE_CONSTANT, BRUTE_GLOBAL, SERIES, BOUNCES = 9 };

static struct app_result *at(int series, int bounces)
{
    return &board.results[series * BOUNCES + bounces];
}

/* Times of 1 ms from global memory; from constant memory those given, plus a part per bounce. */
static void fill_bounces(double tree_ms, double brute_ms, double per_bounce)
{
    static const char *const names[SERIES] = {"tree/constant", "tree/global", "brute/constant",
                                              "brute/global"};
    begin(KRN_BACKEND_CUDA, 0.01);
    for (int s = 0; s < SERIES; s++)
        for (int bounces = 0; bounces < BOUNCES; bounces++) {
            const bool tree = s <= TREE_GLOBAL;
            add((struct krn_probe){.topic = KRN_TOPIC_BOUNCES,
                                   .x = bounces,
                                   .uniform = tree ? 0.5 - 0.05 * bounces : 1.0,
                                   .addresses = tree ? 2.0 + bounces : 1.0},
                names[s],
                s == TREE_CONSTANT    ? tree_ms + per_bounce * bounces
                : s == BRUTE_CONSTANT ? brute_ms
                                      : 1.0,
                0.0);
        }
}

TEST(every_bounce_has_a_finding)
{
    struct app_analysis analysis;
    fill_bounces(1.5, 1.1, 0.25);
    app_topic_analyse(KRN_TOPIC_BOUNCES, &board.view, &analysis);
    const struct app_finding *third = app_finding(&analysis, "tree/3");
    assert_true(third->value.value == 2.25);
    assert_non_null(strstr(third->line, "0 to 3: 2.25 x"));
    assert_non_null(strstr(third->line, "35.0 % of reads at 1 address, 5.00 per read"));
    assert_true(app_finding(&analysis, "tree")->value.value == 3.5);
    assert_true(app_finding(&analysis, "brute")->value.value == 1.1);
    assert_true(fabs(app_finding(&analysis, "penalty")->value.value - 3.5 / 1.1) < 1e-9);
    /* The overhead of an empty kernel is in none of the times. */
    for (int s = TREE_CONSTANT; s <= TREE_GLOBAL; s++)
        *test_metric(at(s, 3), APP_M_OVERHEAD_MS) = 0.5;
    app_topic_analyse(KRN_TOPIC_BOUNCES, &board.view, &analysis);
    assert_true(fabs(app_finding(&analysis, "tree/3")->value.value - 3.5) < 1e-9);
    /* A bounce that no ray takes has no reads. */
    board.measured[TREE_CONSTANT * BOUNCES + 3].probe.uniform = 0.0;
    app_topic_analyse(KRN_TOPIC_BOUNCES, &board.view, &analysis);
    assert_null(strstr(app_finding(&analysis, "tree/3")->line, "reads"));
}

TEST(the_penalty_is_judged)
{
    const struct app_claim *row = &board.claims[APP_CLAIM_DIVERGENT];
    fill_bounces(2.0, 1.1, 0.25);
    expect_row(APP_CLAIM_DIVERGENT, APP_VERDICT_HOLDS, "1.10 to 4.00× slower");
    assert_string_equal(row->of->id, "constant-divergent");
    assert_int_equal(row->of->text, APP_TEXT_GUIDE);
    assert_string_equal(row->beside, "3.64×");
    assert_true(row->now.estimate.low < 3.63 && row->now.estimate.high > 3.64);
    assert_string_equal(row->now.interval, "");
    assert_non_null(strstr(row->note, "3.64× ["));
    assert_non_null(strstr(row->note, "with 10 % of reads at one address, not 100 %"));
    /* Only what the tree loses more counts. */
    fill_bounces(1.5, 1.5, 0.0);
    expect_row(APP_CLAIM_DIVERGENT, APP_VERDICT_CANT_TELL, "");
    fill_bounces(1.0, 1.5, 0.0);
    expect_row(APP_CLAIM_DIVERGENT, APP_VERDICT_INVERTED, "");
    for (int s = 0; s < SERIES; s++) {
        fill_bounces(2.0, 1.1, 0.25);
        at(s, KRN_BOUNCES_MAX)->trust.reasons = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        expect_row(APP_CLAIM_DIVERGENT, APP_VERDICT_WRONG, "");
        test_samples(at(s, KRN_BOUNCES_MAX), APP_CLAIM_SAMPLES - 1);
        expect_row(APP_CLAIM_DIVERGENT, APP_VERDICT_NOT_MEASURED, "–");
        assert_non_null(strstr(row->note, "not enough samples"));
        test_samples(at(s, KRN_BOUNCES_MAX), 0);
        expect_row(APP_CLAIM_DIVERGENT, APP_VERDICT_NOT_MEASURED, "–");
    }
}

/* --- the sentences --- */

/* Returns the file's text, to be freed. */
static char *read_page(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    char *text = calloc(1, 1 << 17);
    assert_non_null(text);
    assert_in_range(fread(text, 1, (1 << 17) - 1, file), 1, (1 << 17) - 2);
    fclose(file);
    return text;
}

/* Every claim has a sentence with its number, and docs/claims.md has every number of a sentence in
 * the lines about its claim. */
TEST(test_sentences)
{
    TEST_FREED char *page = read_page(TEST_SOURCE_DIR "/docs/claims.md");
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)i);
        assert_non_null(entry->says);
        const size_t length = strlen(entry->says);
        assert_true(length > 30 && length < 100 && entry->says[length - 1] == '.');
        assert_true(isupper((unsigned char)entry->says[0]));
        assert_in_range(entry->topic, 0, KRN_TOPIC_COUNT - 1);
        for (const char *at = entry->says; *at; at++) {
            const size_t digits = strspn(at, "0123456789.");
            char number[16];
            if (digits == 0)
                continue;
            snprintf(number, sizeof number, "%.*s", (int)digits, at);
            if (number[strlen(number) - 1] == '.') /* of the sentence */
                number[strlen(number) - 1] = 0;
            at += digits - 1;
            bool found = false;
            for (char *line = page; line && !found; line = strchr(line, '\n')) {
                line += *line == '\n';
                char text[1024];
                snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
                found =
                    strstr(text, number) && (strstr(text, entry->id) || strstr(text, entry->claim));
            }
            if (!found)
                fail_msg("docs/claims.md has no %s for \"%s\"", number, entry->says);
        }
    }
}
