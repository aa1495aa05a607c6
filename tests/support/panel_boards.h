/* tests/support/panel_boards.h - probe results for tests of pages: the numbers of a recorded H100
 * and made-up ones of a two-core CPU, and boards on which something is missing, wrong or very long.
 */
#pragma once

#include "expect.h"

#include "measure/panels.h"
#include "probe_results.h"
#include "records/recorded.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PROBES = 680 };

struct board {
    struct krn_device_info device;
    struct test_measured measured[PROBES];
    struct app_result results[PROBES];
    struct app_claim claims[APP_CLAIM_COUNT];
    struct app_mode_work modes[KRN_MODES];
    struct app_panels_view view;
    const struct app_recorded_view *recorded; /* beside it; NULL: none */
    int count;
};

static struct app_result *add(struct board *board, enum krn_topic topic, const char *series,
                              double x, double ms, double cycles)
{
    struct krn_probe probe = {.topic = topic, .axis = "", .x = x, .scope = ""};
    const int at = board->count++;
    assert_true(at < PROBES);
    snprintf(probe.series, sizeof probe.series, "%s", series);
    return test_measure(&board->results[at], &board->measured[at], &probe, 24, ms, cycles, 0.003,
                        0.003);
}

/* Adds a probe that reaches gbps with these useful and moved bytes. */
static struct app_result *add_rate(struct board *board, enum krn_topic topic, const char *series,
                                   double x, double useful, double moved, double gbps)
{
    struct app_result *result = add(board, topic, series, x, useful / gbps / 1e6, 0.0);
    board->measured[board->count - 1].probe.useful_bytes = useful;
    board->measured[board->count - 1].probe.moved_bytes = moved;
    return result;
}

static void add_saxpy(struct board *board, const char *series, const double *sizes,
                      const double *gbps, int count)
{
    for (int i = 0; i < count; i++) {
        add_rate(board, KRN_TOPIC_SAXPY, series, sizes[i], 12.0 * sizes[i], 12.0 * sizes[i],
                 gbps[i]);
        board->measured[board->count - 1].probe.flops = 2.0 * sizes[i];
    }
}

/* Adds a probe of multiply-adds on the whole device. */
static void add_peak(struct board *board, double x, bool dual, double gflops)
{
    add(board, KRN_TOPIC_PEAK, dual ? "dfma" : "ffma", x, 1.0, 0.0);
    struct krn_probe *probe = &board->measured[board->count - 1].probe;
    probe->axis = "bits";
    probe->flops = gflops * 1e6;
    probe->double_precision = dual;
}

/* Adds reads by pattern: whole lines of 64 bytes cross the bus at 23 GB/s. */
static void add_patterns(struct board *board)
{
    static const double xs[] = {0, 1, 2, 4, 8, 16, 32};
    const double bytes = 4.0 * 268435456.0, peak = 23.0;
    for (int i = 0; i < 6; i++)
        add_rate(board, KRN_TOPIC_ACCESS, "offset", xs[i], bytes, bytes * (i ? 1.5 : 1.0),
                 peak * (i ? 0.97 : 1.0));
    for (int i = 1; i < 7; i++) {
        const double waste = fmin(xs[i], 16.0);
        add_rate(board, KRN_TOPIC_ACCESS, "stride", xs[i], bytes, bytes * waste, peak / waste);
    }
    add_rate(board, KRN_TOPIC_ACCESS, "random", 1048576.0, bytes, 8.0 * bytes, 0.06 * peak);
    add_rate(board, KRN_TOPIC_ACCESS, "broadcast", 1048576.0, bytes, 0.25 * bytes, 0.9 * peak);
    add_rate(board, KRN_TOPIC_ACCESS, "whole/chunk", 268435456.0, bytes, 8.0 * bytes, 0.07 * peak);
    add_rate(board, KRN_TOPIC_ACCESS, "whole/strided", 268435456.0, bytes, bytes, 0.98 * peak);
}

static void end_board(struct board *board)
{
    board->view.modes = board->modes;
    board->view.probes.results = board->results;
    board->view.probes.count = board->count;
    board->view.claims = board->claims;
    board->view.why = "";
}

static void claim_nothing(struct board *board)
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        board->claims[i] =
            (struct app_claim){.of = app_claim_entry_of((enum app_claim_id)i),
                               .now = {.verdict = APP_VERDICT_NOT_MEASURED, .text = "–"}};
}

static struct app_claim *claim(struct board *board, enum app_claim_id id, const char *now,
                               const char *interval, enum app_verdict verdict, const char *beside,
                               const char *note)
{
    struct app_claim *row = &board->claims[id];
    *row = (struct app_claim){.of = app_claim_entry_of(id)};
    snprintf(row->beside, sizeof row->beside, "%s", beside);
    snprintf(row->now.text, sizeof row->now.text, "%s", now);
    snprintf(row->now.interval, sizeof row->now.interval, "%s", interval);
    snprintf(row->note, sizeof row->note, "%s", note);
    row->now.verdict = verdict;
    return row;
}

/* Adds the clocks, in ms at three sizes, and readings that scatter about the last time. */
static void add_clocks(struct board *board)
{
    static const double sizes[] = {1024.0, 1048576.0, 20971520.0};
    static const struct {
        const char *name;
        double ms[3];
    } clocks[] = {{"launch", {0.00021, 0.00034, 0.0012}},
                  {"host", {0.0011, 0.181, 14.3}},
                  {"events", {0.00014, 0.167, 14.1}}};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 3; i++) {
            add(board, KRN_TOPIC_TIMER, clocks[c].name, sizes[i], clocks[c].ms[i], 0.0);
            board->measured[board->count - 1].probe.useful_bytes = c > 0 ? 12.0 * sizes[i] : 0.0;
        }
    add(board, KRN_TOPIC_TIMER, "resolution", 16.0, 1e-6, 0.0);
}

/* The programs of `where`, global over constant as an H200 has them, in pairs that hardly scatter;
 * the last ones of the last program scatter a lot. */
static void add_where(struct board *board)
{
    enum { PAIRS = 13 };
    static const double spheres[] = {20, 50, 100, 200, 500, 1000, 2000};
    static const struct {
        const char *global, *constant;
        double ratios[7];
    } rows[] = {{"book/global", "book/constant", {0.83, 0.80, 0.76, 0.75, 0.74, 0.71, 0.61}},
                {"plain/global", "plain/constant", {1.001, 0.97, 0.93, 0.90, 0.84, 0.51, 0.37}},
                {"vector/global", "vector/constant", {1.07, 1.03, 0.90, 0.82, 0.76, 0.74, 0.70}},
                {"arrays/global", "arrays/constant", {0.98, 0.98, 0.98, 0.60, 0.29, 0.17, 0.13}},
                {"opengl/global", "opengl/constant", {1.35, 1.37, 1.41, 1.30, 1.09, 0.75, 0.60}}};
    static double ms[5][7][2][PAIRS];
    for (int row = 0; row < 5; row++)
        for (int i = 0; i < 7; i++)
            for (int side = 0; side < 2; side++) {
                double *const samples = ms[row][i][side];
                const double time = spheres[i] / 1e3 / (side ? rows[row].ratios[i] : 1.0);
                for (int n = 0; n < PAIRS; n++)
                    samples[n] =
                        time * (1.0 + (row == 3 && i == 0 ? 0.1 : 1e-4) * side * (n % 3 - 1));
                add(board, KRN_TOPIC_WHERE, side ? rows[row].constant : rows[row].global,
                    spheres[i], time, 0.0);
                struct test_measured *measured = &board->measured[board->count - 1];
                measured->probe.axis = "spheres";
                measured->processes[0].samples_ms = samples;
                test_samples(&board->results[board->count - 1], PAIRS);
            }
}

/* A shipped run, read once. */
static const struct app_recorded_view *shipped(const char *path)
{
    static struct {
        const char *path;
        struct app_recorded *run;
    } runs[2];
    const int at = runs[0].path && strcmp(runs[0].path, path) != 0;
    if (!runs[at].run)
        TEST_OK(app_recorded_open(path, 1.0, &runs[at].run, &error));
    runs[at].path = path;
    return app_recorded_view(runs[at].run);
}

static const struct app_recorded_view *h200(void)
{
    return shipped(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz");
}

/* What an H100 has measured, as if it were this machine's. */
static void fill_gpu(struct board *board)
{
    const struct app_panels_view *run =
        &shipped(TEST_SOURCE_DIR "/assets/runs/nvidia-h100-all.json.gz")->panels;
    const unsigned here = ~APP_TRUST_BIT(APP_TRUST_RECORDED);
    memset(board, 0, sizeof *board);
    board->view = *run;
    board->device = *run->probes.device;
    board->view.probes.device = &board->device;
    board->count = run->probes.count;
    assert_true(board->count <= PROBES && run->mode_count <= KRN_MODES);
    for (int i = 0; i < board->count; i++) {
        board->results[i] = run->probes.results[i];
        board->results[i].trust.reasons &= here;
    }
    memcpy(board->claims, run->claims, sizeof board->claims);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        board->claims[i].now.estimate.trust &= here;
    for (int i = 0; i < run->mode_count; i++)
        board->modes[i] = run->modes[i];
    add_where(board);
    end_board(board);
}

static void fill_cpu(struct board *board)
{
    static const double sizes[] = {65536.0, 1048576.0, 20971520.0, 67108864.0};
    static const struct {
        const char *series;
        double gbps[4];
    } rows[] = {{"published", {61.0, 34.0, 14.1, 13.9}}, {"published/one", {38.0, 20.0, 9.8, 9.7}},
                {"vector", {58.0, 33.1, 18.9, 19.1}},    {"vector/one", {37.0, 19.4, 12.2, 12.3}},
                {"copy", {64.0, 38.2, 20.9, 21.3}},      {"copy/one", {41.0, 22.5, 13.8, 13.9}}};
    memset(board, 0, sizeof *board);
    board->device = (struct krn_device_info){.backend = KRN_BACKEND_CPU,
                                             .can = *krn_backend_get(KRN_BACKEND_CPU)->can,
                                             .name = "AMD EPYC 9575F 64-Core Processor",
                                             .processors = 2};
    board->view.probes.device = &board->device;
    add_clocks(board);
    for (int i = 0; i < 6; i++)
        add_saxpy(board, rows[i].series, sizes, rows[i].gbps, 4);
    for (int bits = 128; bits <= 512; bits *= 2)
        add_peak(board, bits, false, 0.55 * bits);
    for (int bits = 128; bits <= 512; bits *= 2)
        add_peak(board, bits, true, 0.275 * bits);
    add(board, KRN_TOPIC_ACCESS, "chunk", 1048576.0, 0.31, 0.0);
    add(board, KRN_TOPIC_ACCESS, "strided", 1048576.0, 2.71, 0.0);
    add(board, KRN_TOPIC_ACCESS, "chunk/one", 1048576.0, 0.58, 0.0);
    add(board, KRN_TOPIC_ACCESS, "strided/one", 1048576.0, 5.2, 0.0);
    add_patterns(board);
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
        if (!(KRN_TOPICS_CPU >> topic & 1))
            board->view.refused[topic] = "This is measured on a GPU.";
    struct app_claim_facts facts = {.probes = &board->view.probes, .band_percent = 1.0};
    end_board(board);
    app_claims_judge(&facts, board->claims);
    static const struct {
        struct krn_mode mode;
        double ms, flops;
    } works[] = {{{KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1}, 192.0, 1.73e10},
                 {{KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 8}, 22.0, 1.69e9},
                 {{KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1}, 6.8, 3.95e7}};
    for (int i = 0; i < 3; i++)
        board->modes[board->view.mode_count++] = (struct app_mode_work){
            works[i].mode, works[i].flops, 4.27e6, app_estimate_plain(works[i].ms)};
}

/* The probes exist, but none was measured: no number may be shown. */
static void fill_empty(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++)
        board->results[i].process_count = 0;
    claim_nothing(board);
}

static void fill_wrong(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++) {
        if (strcmp(board->results[i].variant, "vector") == 0) {
            board->results[i].verified = APP_VERIFIED_FALSE;
            board->results[i].trust.reasons = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
        }
    }
    struct app_claim *row = claim(board, APP_CLAIM_CONSTANT_KERNEL, "1.27×", "[1.26, 1.28]",
                                  APP_VERDICT_WRONG, "here 1.27×", "this scene 1.27×");
    row->now.estimate.trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    row = claim(board, APP_CLAIM_SAXPY, "109 %", "[108, 110]", APP_VERDICT_DO_NOT_QUOTE,
                "best 109 %", "best kernel 109 %");
    row->now.estimate.trust = APP_TRUST_BIT(APP_TRUST_OVER_THEORETICAL);
    row = &board->claims[APP_CLAIM_ACCESS];
    row->now.estimate.trust = APP_TRUST_BIT(APP_TRUST_LOW_CLOCK);
    claim(board, APP_CLAIM_ILP, "512→256", "[480–512→224–256]", APP_VERDICT_CANT_TELL,
          "cycles 480→128", "90 % of the peak by events, net: 512 256 256 256");
    board->view.again = true;
    board->view.progress = 0.4;
}

/* Numbers that one had better not quote: some are near the floor, in a cache or throttled. */
static void fill_doubted(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++) {
        const struct krn_probe *probe = board->results[i].probe;
        struct app_result *result = &board->results[i];
        if (probe->topic == KRN_TOPIC_SAXPY && probe->x < 5e6)
            result->trust.reasons = APP_TRUST_BIT(APP_TRUST_L2_RESIDENT);
        if (probe->topic == KRN_TOPIC_SAXPY && probe->x > 1e7 && probe->x < 3e7)
            result->trust.reasons = APP_TRUST_BIT(APP_TRUST_PARTLY_CACHED);
        if (probe->topic == KRN_TOPIC_ILP || probe->topic == KRN_TOPIC_CONSTANT)
            result->trust.reasons =
                APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR) | APP_TRUST_BIT(APP_TRUST_SPREAD);
        if (probe->topic == KRN_TOPIC_MEMLAT)
            result->trust.reasons = APP_TRUST_BIT(APP_TRUST_LOW_MEMORY_CLOCK);
        if (probe->topic == KRN_TOPIC_TRANSFER)
            result->trust.reasons = APP_TRUST_BIT(APP_TRUST_FEW_SAMPLES);
        if (probe->topic == KRN_TOPIC_ACCESS)
            result->trust.reasons = APP_TRUST_BIT(APP_TRUST_WANDERING);
    }
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        board->claims[i].now.estimate.trust =
            i % 2 ? APP_TRUST_BIT(APP_TRUST_PARTLY_CACHED) : APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR);
}

/* Arrays in main memory take too long for a slice, so only sizes that fit into the caches have a
 * number; there SAXPY is faster than a copy. */
static void fill_cached(struct board *board)
{
    fill_cpu(board);
    for (int i = 0; i < board->count; i++) {
        if (board->results[i].probe->topic != KRN_TOPIC_SAXPY)
            continue;
        if (board->results[i].probe->x > 1048576.0)
            board->results[i].process_count = 0;
        else if (strcmp(board->results[i].variant, "published") == 0)
            *test_metric(&board->results[i], APP_M_MEDIAN_MS) /= 4.0;
        test_interval(&board->results[i], APP_M_MEDIAN_MS, 0.0, 0.0);
    }
    claim_nothing(board);
}

/* A throttled GPU: no number may be quoted. */
static void fill_throttled(struct board *board)
{
    fill_doubted(board);
    for (int i = 0; i < board->count; i++)
        board->results[i].trust.reasons |= APP_TRUST_BIT(APP_TRUST_THROTTLED);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        board->claims[i].now.estimate.trust |= APP_TRUST_BIT(APP_TRUST_THROTTLED);
        board->claims[i].now.verdict = APP_VERDICT_DO_NOT_QUOTE;
    }
}

/* Two processes, which decide nothing. */
static void fill_few(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        board->claims[i].now.verdict = APP_VERDICT_NONE;
        snprintf(board->claims[i].few, sizeof board->claims[i].few,
                 "2 processes cannot decide this: 5 can");
    }
}

/* The longest texts that numbers produce. */
static void fill_wide(struct board *board)
{
    fill_gpu(board);
    snprintf(board->device.name, sizeof board->device.name,
             "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition");
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        claim(board, (enum app_claim_id)i, "0.00123×", "[0.00121, 0.00125]",
              APP_VERDICT_DO_NOT_QUOTE, "a second number with many words",
              "a note that is far too long for the room that it has on the board, whatever the "
              "size of the window");
}

/* A round in progress on a device whose theoretical peaks are unknown. */
static void fill_partial(struct board *board)
{
    fill_gpu(board);
    board->view.probes.ceilings = (struct krn_ceilings){0};
    for (int i = 0; i < board->count; i++)
        board->results[i].process_count = i % 7 == 3 ? 1 : 0;
    claim_nothing(board);
}

static void fill_why(struct board *board)
{
    fill_empty(board);
    board->view.probes.count = 0;
    board->view.why = "This GPU has 412 MiB of free memory and the panels need 600 MiB: they are "
                      "left out, the ray tracer is not affected.";
}

/* Transfers and constant reads are unavailable, and so are some series of the other topics. */
static void fill_refused(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++)
        if (board->results[i].probe->topic == KRN_TOPIC_TRANSFER ||
            board->results[i].probe->topic == KRN_TOPIC_CONSTANT)
            board->results[i].process_count = 0;
    board->view.refused[KRN_TOPIC_SAXPY] = "Refused, but there are others.";
    board->view.refused[KRN_TOPIC_CONSTANT] = "No such memory.";
    board->view.refused[KRN_TOPIC_TRANSFER] =
        "The host has no 256 MiB for transfers, page-locked: a limit of this user's processes, "
        "which ulimit -l shows in KiB and an administrator can raise.";
}

/* A recorded GPU beside a CPU that has measured, and beside one that has not. */
static void fill_recorded(struct board *board)
{
    fill_cpu(board);
    board->recorded = h200();
}

static void fill_recorded_first(struct board *board)
{
    fill_empty(board);
    board->recorded = h200();
}

static const struct {
    const char *name;
    void (*fill)(struct board *board);
} boards[] = {{"gpu", fill_gpu},           {"cpu", fill_cpu},
              {"empty", fill_empty},       {"wrong", fill_wrong},
              {"wide", fill_wide},         {"few", fill_few},
              {"why", fill_why},           {"partial", fill_partial},
              {"refused", fill_refused},   {"cached", fill_cached},
              {"doubted", fill_doubted},   {"throttled", fill_throttled},
              {"recorded", fill_recorded}, {"recorded_first", fill_recorded_first}};
