/* tests/support/panel_boards.h - fake probe results for tests of pages: the numbers of an H200
 * and of a two-core CPU, and boards on which something is missing, wrong or very long. */
#ifndef PANEL_BOARDS_H
#define PANEL_BOARDS_H

#include "expect.h"

#include "judge/trust.h"
#include "measure/panels.h"
#include "recorded/recorded.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { PROBES = 680 };

struct board {
    struct krn_device_info device;
    struct krn_probe probes[PROBES];
    struct app_probe_result results[PROBES];
    struct app_claim claims[APP_CLAIM_COUNT];
    struct krn_series events; /* readings of the timer's events */
    struct app_mode_work modes[KRN_MODES];
    struct app_panels_view view;
    int count;
};

static struct app_probe_result *add(struct board *board, enum krn_topic topic, const char *series,
                                    double x, double ms, double cycles)
{
    assert_true(board->count < PROBES);
    struct krn_probe *probe = &board->probes[board->count];
    struct app_probe_result *result = &board->results[board->count++];
    *probe = (struct krn_probe){.topic = topic, .axis = "", .x = x, .scope = ""};
    snprintf(probe->series, sizeof probe->series, "%s", series);
    probe->has_cycles = cycles > 0.0;
    *result = (struct app_probe_result){.probe = probe, .n = 24, .verified = APP_VERIFIED_TRUE};
    result->ms = (struct krn_summary){24, .99 * ms,   .99 * ms,  .995 * ms,
                                      ms, 1.005 * ms, 1.01 * ms, 1.02 * ms};
    result->cycles = (struct krn_summary){24,     .99 * cycles,   .99 * cycles,  .995 * cycles,
                                          cycles, 1.005 * cycles, 1.01 * cycles, 1.02 * cycles};
    result->ms_interval = (struct krn_interval){true, .997 * ms, 1.003 * ms};
    result->cycles_interval = (struct krn_interval){cycles > 0.0, .998 * cycles, 1.002 * cycles};
    return result;
}

/* Adds a probe that reaches gbps with these useful and moved bytes. */
static struct app_probe_result *add_rate(struct board *board, enum krn_topic topic,
                                         const char *series, double x, double useful, double moved,
                                         double gbps)
{
    struct app_probe_result *result = add(board, topic, series, x, useful / gbps / 1e6, 0.0);
    board->probes[board->count - 1].useful_bytes = useful;
    board->probes[board->count - 1].moved_bytes = moved;
    return result;
}

static void add_saxpy(struct board *board, const char *series, const double *sizes,
                      const double *gbps, int count)
{
    for (int i = 0; i < count; i++) {
        add_rate(board, KRN_TOPIC_SAXPY, series, sizes[i], 12.0 * sizes[i], 12.0 * sizes[i],
                 gbps[i]);
        board->probes[board->count - 1].flops = 2.0 * sizes[i];
    }
}

/* Adds a probe of multiply-adds on the whole device. */
static void add_peak(struct board *board, double x, bool dual, double gflops)
{
    add(board, KRN_TOPIC_PEAK, dual ? "dfma" : "ffma", x, 1.0, 0.0);
    struct krn_probe *probe = &board->probes[board->count - 1];
    probe->axis = board->device.backend == KRN_BACKEND_CUDA ? "chains" : "bits";
    probe->blocks = board->device.backend == KRN_BACKEND_CUDA ? 528 : 0;
    probe->flops = gflops * 1e6;
    probe->double_precision = dual;
}

static void add_patterns(struct board *board, double peak, int sector_bytes)
{
    static const double xs[] = {0, 1, 2, 4, 8, 16, 32};
    const double bytes = 4.0 * 268435456.0, least = 128.0 / sector_bytes;
    for (int i = 0; i < 6; i++) {
        const double lanes = i == 0 ? least : least + 1.0;
        add_rate(board, KRN_TOPIC_ACCESS, "offset", xs[i], bytes, bytes * lanes / least,
                 peak * (i ? 0.97 : 1.0));
    }
    for (int i = 1; i < 7; i++) {
        const double waste = fmin(xs[i], sector_bytes / 4.0);
        add_rate(board, KRN_TOPIC_ACCESS, "stride", xs[i], bytes, bytes * waste, peak / waste);
    }
    add_rate(board, KRN_TOPIC_ACCESS, "random", 1048576.0, bytes, 8.0 * bytes, 0.06 * peak);
    add_rate(board, KRN_TOPIC_ACCESS, "broadcast", 1048576.0, bytes, 0.25 * bytes, 0.9 * peak);
    add_rate(board, KRN_TOPIC_ACCESS, "whole/chunk", 268435456.0, bytes, 8.0 * bytes, 0.07 * peak);
    add_rate(board, KRN_TOPIC_ACCESS, "whole/strided", 268435456.0, bytes, bytes, 0.98 * peak);
}

static void begin_board(struct board *board, enum krn_backend_id backend, const char *name)
{
    memset(board, 0, sizeof *board);
    board->device.backend = backend;
    board->device.can = *krn_backend_get(backend)->can;
    snprintf(board->device.name, sizeof board->device.name, "%s", name);
    board->view.probes.device = &board->device;
}

/* Adds a mode of the ray tracer to the roofline. */
static void add_work(struct board *board, enum krn_kernel kernel, enum krn_storage storage, int k,
                     double ms, double flops)
{
    struct app_mode_work *work = &board->modes[board->view.mode_count++];
    const struct krn_interval interval = {true, .998 * ms, 1.002 * ms};
    *work = (struct app_mode_work){
        {kernel, storage, k}, flops, 4.27e6, app_estimate_of_run(ms, interval, 0.0)};
}

/* 2339 spheres at 1024 x 1024. */
static void add_works(struct board *board, bool gpu)
{
    const double slow = gpu ? 1.0 : 100.0;
    add_work(board, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1, 1.92 * slow, 1.73e10);
    add_work(board, KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1, 3.34 * slow, 1.73e10);
    add_work(board, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, 8, 0.30 * slow, 2.24e8);
    add_work(board, KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 1, 1.1 * slow, 9.87e9);
    add_work(board, KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 8, 0.22 * slow, 1.69e9);
    add_work(board, KRN_KERNEL_STRIP, KRN_STORAGE_SHARED, 8, 0.39 * slow, 2.24e8);
    add_work(board, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1, 0.068 * slow, 3.95e7);
}

static void end_board(struct board *board)
{
    board->view.modes = board->modes;
    board->view.probes.results = board->results;
    board->view.probes.count = board->count;
    board->view.claims = board->claims;
    board->view.why = "";
    board->view.share_percent = 10.0;
    board->view.addresses = 8;
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
    snprintf(row->beside, sizeof row->beside, "%s", beside);
    snprintf(row->now.text, sizeof row->now.text, "%s", now);
    snprintf(row->now.interval, sizeof row->now.interval, "%s", interval);
    snprintf(row->note, sizeof row->note, "%s", note);
    row->now.verdict = verdict;
    return row;
}

/* Gives the rows without a number that of the text, and verdicts in turns. */
static void claim_rest(struct board *board)
{
    static const enum app_verdict verdicts[] = {APP_VERDICT_HOLDS, APP_VERDICT_SMALLER,
                                                APP_VERDICT_FAILS};
    for (int i = 0, n = 0; i < APP_CLAIM_COUNT; i++)
        if (board->claims[i].now.verdict == APP_VERDICT_NOT_MEASURED)
            claim(board, (enum app_claim_id)i, "0.123×", "[0.122, 0.124]", verdicts[n++ % 3],
                  "best 0.456×", "a second number, best 0.456×");
}

static void fill_ilp(struct board *board)
{
    static const int chains[] = {1, 2, 3, 4, 8};
    for (int c = 0; c < 5; c++) {
        for (int threads = 32; threads <= 1024; threads += 32) {
            char series[32];
            snprintf(series, sizeof series, "ilp%d", chains[c]);
            const double steps = 4096.0, ideal = 4.06 * steps;
            const double in_flight = (double)threads * chains[c] / (4.0 * 128.0);
            const double cycles = ideal * fmax(1.0, in_flight) * 1.02;
            add(board, KRN_TOPIC_ILP, series, threads, cycles / 1.98e6, cycles)->overhead_ms = 1e-6;
            struct krn_probe *probe = &board->probes[board->count - 1];
            probe->blocks = 1;
            probe->steps = steps;
            probe->flops = 2.0 * steps * threads * chains[c];
        }
    }
}

/* Adds the clocks, in ms at the three sizes, and 240 readings of the events about the last time:
 * they scatter over `spread` steps of the clock. */
static void add_clocks(struct board *board, const char *const *names, const double (*ms)[3],
                       int clocks, double step_ms, int spread)
{
    static const double sizes[] = {1024.0, 1048576.0, 20971520.0};
    unsigned random = 12345;
    for (int c = 0; c < clocks; c++)
        for (int i = 0; i < 3; i++) {
            struct app_probe_result *result =
                add(board, KRN_TOPIC_TIMER, names[c], sizes[i], ms[c][i], 0.0);
            result->probe = &board->probes[board->count - 1];
            if (strcmp(names[c], "launch") != 0)
                board->probes[board->count - 1].useful_bytes = 12.0 * sizes[i];
            if (strcmp(names[c], "events") == 0 && i == 2)
                result->series = &board->events;
        }
    add(board, KRN_TOPIC_TIMER, "resolution", 16.0, step_ms, 0.0);
    krn_series_clear(&board->events);
    for (int i = 0; i < KRN_SERIES_CAPACITY; i++) {
        int sum = 0;
        for (int k = 0; k < 4; k++)
            sum += (int)((random = random * 1664525u + 1013904223u) >> 16) % (spread + 1);
        const double steps = floor(ms[2][2] / step_ms) + sum / 4 - spread / 2;
        krn_series_push(&board->events, steps * step_ms + (i % 60 == 59 ? 0.01 : 0.0));
    }
}

/* Series by counters, one rate for each, GPU: at 32 and at 1024 threads. */
static void add_counters(struct board *board, const char *series, double threads, double gops)
{
    add(board, KRN_TOPIC_ATOMICS, series, threads, 0.1, 0.0);
    board->probes[board->count - 1].operations = gops * 1e5;
}

/* The light view from both memories: the tree's lanes spread out with each bounce. */
static void fill_bounces(struct board *board)
{
    static const double tree[] = {1.6, 2.1, 2.6, 3.0, 3.3, 3.5, 3.7, 3.8, 3.9},
                        uniform[] = {.61, .34, .22, .17, .14, .12, .11, .1, .095};
    for (int bounces = 0; bounces <= 8; bounces++) {
        const double ms = 0.02 * (bounces + 1);
        const struct {
            const char *series;
            double ms, uniform, addresses;
        } rows[] = {
            {"tree/constant", tree[bounces] * ms, uniform[bounces], 2.0 + 0.8 * bounces},
            {"tree/global", ms, uniform[bounces], 2.0 + 0.8 * bounces},
            {"brute/constant", 10.4 * ms, 1.0, 1.0},
            {"brute/global", 10.0 * ms, 1.0, 1.0},
        };
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            add(board, KRN_TOPIC_BOUNCES, rows[i].series, bounces, rows[i].ms, 0.0);
            struct krn_probe *probe = &board->probes[board->count - 1];
            probe->uniform = rows[i].uniform;
            probe->addresses = rows[i].addresses;
            probe->operations = 4e5 * (bounces + 1);
        }
    }
}

/* Reads of shared memory: a cycle per lane in the same bank. */
static void fill_banks(struct board *board)
{
    static const int strides[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 32, 33};
    for (int full = 0; full <= 1; full++)
        for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
            const int lanes = strides[i] & -strides[i];
            const double cycles = full ? lanes : 21.0 + 2.0 * lanes;
            add(board, KRN_TOPIC_BANKS, full ? "full" : "one", strides[i], 0.1, cycles);
            board->probes[board->count - 1].steps = 1.0;
        }
}

/* Multiply-adds that read so many bytes each. */
static void add_operands(struct board *board, const char *series, double x, double bytes,
                         double gbps)
{
    const double multiply_adds = 1e9;
    add_rate(board, KRN_TOPIC_OPERANDS, series, x, bytes * multiply_adds, bytes * multiply_adds,
             gbps);
    board->probes[board->count - 1].flops = 2.0 * multiply_adds;
}

/* An H200's latencies. */
static void fill_latency(struct board *board)
{
    static const double kibs[] = {1,     4,     16,    64,    128,    192,    224,
                                  256,   384,   512,   1024,  4096,   8192,   24576,
                                  32768, 49152, 65536, 98304, 262144, 1048576},
                        cycles[] = {39,  39,  39,  39,  39,  39,  43,  94,  207, 250,
                                    288, 288, 288, 288, 307, 378, 424, 664, 663, 672};
    for (int i = 0; i < 20; i++) {
        add(board, KRN_TOPIC_LATENCY, "read", 1024.0 * kibs[i], cycles[i] / 1.98e6, cycles[i]);
        board->probes[board->count - 1].steps = 1.0;
    }
    for (double size = 1024.0; size <= 1048576.0; size *= 4.0) {
        add(board, KRN_TOPIC_LATENCY, "l2", size, 288.0 / 1.98e6, 288.0);
        board->probes[board->count - 1].steps = 1.0;
    }
    for (double size = 268435456.0; size <= 1073741824.0; size *= 4.0) {
        add(board, KRN_TOPIC_LATENCY, "ascending", size, 560.0 / 1.98e6, 560.0);
        board->probes[board->count - 1].steps = 1.0;
    }
    add(board, KRN_TOPIC_LATENCY, "shared", 16384.0, 29.0 / 1.98e6, 29.0);
    board->probes[board->count - 1].steps = 1.0;
    board->device.l2_bytes = board->device.cache_bytes[1] = 60 << 20;
    board->device.cache_bytes[0] = 228 << 10;
}

static void fill_gpu(struct board *board)
{
    static const double sizes[] = {1048576.0, 4194304.0, 20971520.0, 67108864.0, 268435456.0};
    static const double published[] = {1680.0, 2710.0, 3021.0, 3150.0, 3206.0},
                        published256[] = {1720.0, 2760.0, 3203.0, 3330.0, 3409.0},
                        vector[] = {2004.0, 3380.0, 3988.0, 4270.0, 4365.0};
    begin_board(board, KRN_BACKEND_CUDA, "NVIDIA H200");
    board->device.processors = 132;
    board->device.clock_max_mhz = 1980.0;
    board->view.probes.ceilings = (struct krn_ceilings){4814.0, 128.0, 66900.0, 64.0, 33450.0};
    board->view.probes.clock_mhz = 1980.0;
    static const char *const clocks[] = {"launch", "host", "events", "gated"};
    static const double clock_ms[][3] = {{0.0024, 0.0025, 0.0044},
                                         {0.0113, 0.0152, 0.0886},
                                         {0.0061, 0.0093, 0.0846},
                                         {0.0045, 0.0071, 0.0829}};
    add_clocks(board, clocks, clock_ms, 4, 3.2e-5, 60);
    add_saxpy(board, "published", sizes, published, 5);
    add_saxpy(board, "published256", sizes, published256, 5);
    add_saxpy(board, "vector", sizes, vector, 5);
    for (int i = 0; i < board->count; i++)
        board->probes[i].blocks = 65536;
    for (int chains = 1; chains <= 8; chains *= 2)
        add_peak(board, chains, false, 65600.0);
    for (int chains = 1; chains <= 8; chains *= 2)
        add_peak(board, chains, true, 32900.0);
    const double bytes = 4.0 * 1048576.0;
    static const struct {
        const char *series;
        double ms, cycles;
    } sums[] = {{"chunk/warm", 0.5447, 1059429},  {"chunk/cold", 0.98, 1912000},
                {"strided/warm", 0.04345, 76251}, {"strided/cold", 0.0712, 131000},
                {"loads8/warm", 0.0231, 38000},   {"loads8/cold", 0.034, 61000}};
    for (int i = 0; i < 6; i++) {
        add(board, KRN_TOPIC_ACCESS, sums[i].series, 1048576.0, sums[i].ms, sums[i].cycles);
        board->probes[board->count - 1].useful_bytes = bytes;
    }
    add_patterns(board, 4410.0, 32);
    fill_ilp(board);
    for (int width = 4; width <= 16; width *= 4) {
        static const double occupancy[] = {3.125, 6.25, 12.5, 25.0, 50.0, 75.0, 100.0};
        for (int loads = 1; loads <= 8; loads *= 2) {
            for (int i = 0; i < 7; i++) {
                char series[32];
                snprintf(series, sizeof series, "loads%dx%d", loads, width);
                const double wanted = 14.0 * occupancy[i] * loads * width;
                add_rate(board, KRN_TOPIC_MEMLAT, series, occupancy[i], 2e9, 2e9,
                         4200.0 * wanted / (wanted + 2600.0));
                board->probes[board->count - 1].in_flight_bytes =
                    occupancy[i] / 100.0 * 2048.0 * 132.0 * loads * width;
            }
        }
    }
    fill_latency(board);
    for (int addresses = 1; addresses <= 32; addresses++)
        add(board, KRN_TOPIC_CONSTANT, "constant", addresses, 0.0038 + 0.0332 * addresses, 0.0);
    for (int addresses = 1; addresses <= 32; addresses++)
        add(board, KRN_TOPIC_CONSTANT, "global", addresses, 0.0305, 0.0);
    for (int kib = 1; kib <= 64; kib *= 2) {
        add(board, KRN_TOPIC_CONSTANT, "walk/constant", 1024.0 * kib, 0.1,
            kib <= 2    ? 26.0
            : kib <= 32 ? 72.0
                        : 131.0);
        board->probes[board->count - 1].steps = 1.0;
        add(board, KRN_TOPIC_CONSTANT, "walk/global", 1024.0 * kib, 0.1, 33.0);
        board->probes[board->count - 1].steps = 1.0;
    }
    static const struct {
        const char *series;
        double bytes, gbps;
    } operands[] = {{"registers", 12.0, 396e3}, {"shared", 4.0, 31.9e3}, {"shared16", 4.0, 33.1e3}};
    for (int i = 0; i < 3; i++)
        for (int threads = 32; threads <= 1024; threads *= 2)
            add_operands(board, operands[i].series, threads, operands[i].bytes,
                         operands[i].gbps * fmin(threads / 256.0, 1.0));
    static const struct {
        const char *series;
        double gbps, latency_us;
    } ways[] = {{"pinned/up", 55.3, 6.1},
                {"pinned/down", 55.1, 6.4},
                {"pageable/up", 9.2, 7.9},
                {"pageable/down", 17.8, 9.3}};
    for (int w = 0; w < 4; w++)
        for (double size = 4096.0; size <= 268435456.0; size *= 4.0)
            add_rate(board, KRN_TOPIC_TRANSFER, ways[w].series, size, size, size,
                     size / (size / ways[w].gbps + 1e3 * ways[w].latency_us));
    static const struct {
        const char *series;
        double gops;
    } counters[] = {{"global/one", 1.83},  {"global/warp", 62.4},  {"global/thread", 1210.0},
                    {"shared/one", 214.0}, {"shared/warp", 221.0}, {"shared/thread", 3470.0}};
    for (int i = 0; i < 6; i++) {
        add_counters(board, counters[i].series, 32.0, 0.4 * counters[i].gops);
        add_counters(board, counters[i].series, 1024.0, counters[i].gops);
    }
    fill_bounces(board);
    fill_banks(board);
    claim_nothing(board);
    claim(board, APP_CLAIM_CONSTANT_KERNEL, "0.860×", "[0.851, 0.879]", APP_VERDICT_INVERTED,
          "here 0.84×", "this scene (2000 spheres, 1024×1024) 0.843×; 2 min ago");
    struct app_claim *window = claim(board, APP_CLAIM_CONSTANT_WINDOW, "0.993×", "[0.971, 1.02]",
                                     APP_VERDICT_CANT_TELL, "", "loading took 12.3 ms; 2 min ago");
    snprintf(window->method, sizeof window->method, "Window: without 12.3 ms for loading");
    claim(board, APP_CLAIM_SAXPY, "62.8 %", "[62.6, 62.9]", APP_VERDICT_BELOW, "best 90.7 %",
          "best kernel 90.7 %");
    claim(board, APP_CLAIM_RESOLUTION, "0.0320 µs", "[0.0320, 0.0320]", APP_VERDICT_SMALLER, "",
          "");
    claim(board, APP_CLAIM_LAUNCH, "4.95 %", "[4.90, 5.01]", APP_VERDICT_HOLDS,
          "4.39 µs of 88.6 µs", "4.39 µs without a barrier, 88.6 µs with one");
    claim(board, APP_CLAIM_ACCESS, "13.9×", "[13.8, 14.0]", APP_VERDICT_LARGER, "events 12.5×",
          "by events 12.5×");
    claim(board, APP_CLAIM_BANDWIDTH, "7.17→89.9 GiB/s", "", APP_VERDICT_LARGER, "12.5×",
          "12.5× by events");
    claim(board, APP_CLAIM_OPERANDS, "12.0×", "[11.9, 12.1]", APP_VERDICT_HOLDS,
          "multiply-adds 3.99×", "396 TB/s against 33.1 TB/s; multiply-adds 3.99×");
    claim(board, APP_CLAIM_ILP, "512→256", "", APP_VERDICT_FAILS, "cycles 480→128",
          "90 % of the peak by events, net: 512 256 256 256; by the schedulers' cycles: "
          "480 256 224 128");
    claim(board, APP_CLAIM_DIVERGENT, "1.04→3.90×", "", APP_VERDICT_HOLDS, "3.75×",
          "3.75× [3.72, 3.78], with 10 % of reads at one address, not 100 %");
    claim_rest(board);
    add_works(board, true);
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
    begin_board(board, KRN_BACKEND_CPU, "AMD EPYC 9575F 64-Core Processor");
    board->device.processors = 2;
    static const char *const clocks[] = {"launch", "host", "events"};
    static const double clock_ms[][3] = {
        {0.00021, 0.00034, 0.0012}, {0.0011, 0.181, 14.3}, {0.00014, 0.167, 14.1}};
    add_clocks(board, clocks, clock_ms, 3, 1e-6, 400000);
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
    add_patterns(board, 23.0, 64);
    static const double chains[] = {1, 2, 3, 4, 6, 8, 12, 16};
    for (int i = 0; i < 8; i++) {
        const double gflops = fmin(chains[i] / 8.0, 1.0) * 118.0;
        add(board, KRN_TOPIC_ILP, "one", chains[i], 1.0, 0.0);
        board->probes[board->count - 1].flops = gflops * 1e6;
        add(board, KRN_TOPIC_ILP, "all", chains[i], 1.0, 0.0);
        board->probes[board->count - 1].flops = gflops * 1.9e6;
    }
    for (int chases = 1; chases <= 16; chases *= 2) {
        add(board, KRN_TOPIC_MEMLAT, "one", chases, 1.05e-4 / chases + 4e-6, 0.0);
        board->probes[board->count - 1].steps = 1.0;
        add(board, KRN_TOPIC_MEMLAT, "all", chases, 0.55e-4 / chases + 3e-6, 0.0);
        board->probes[board->count - 1].steps = 1.0;
    }
    for (double size = 4096.0; size <= 268435456.0; size *= size < 16384.0 ? 4.0 : 2.0) {
        add(board, KRN_TOPIC_LATENCY, "walk", size,
            size <= 32768.0      ? 1.1e-6
            : size <= 1048576.0  ? 3.6e-6
            : size <= 16777216.0 ? 14.0e-6
                                 : 92.0e-6,
            0.0);
        board->probes[board->count - 1].steps = 1.0;
    }
    static const double operand_chains[] = {1, 2, 4, 8, 12};
    for (int i = 0; i < 5; i++) {
        const double part = fmin(operand_chains[i] / 8.0, 1.0);
        add_operands(board, "registers", operand_chains[i], 12.0, 1400.0 * part);
        add_operands(board, "cache", operand_chains[i], 4.0, 455.0 * part);
    }
    board->device.cache_bytes[0] = 48 << 10;
    board->device.cache_bytes[1] = 1 << 20;
    board->device.cache_bytes[2] = 32 << 20;
    board->view.refused[KRN_TOPIC_CONSTANT] = "A CPU has no constant memory, only caches.";
    board->view.refused[KRN_TOPIC_BOUNCES] = "A CPU has no warps, no constant memory.";
    board->view.refused[KRN_TOPIC_BANKS] = "A CPU has no shared memory, only caches.";
    for (double size = 4096.0; size <= 268435456.0; size *= 4.0)
        add_rate(board, KRN_TOPIC_TRANSFER, "copy", size, size, size,
                 size <= 1048576.0 ? 31.0 * size / (size + 3000.0) : 11.4);
    static const struct {
        const char *series;
        double one, all;
    } counters[] = {
        {"one", 0.215, 0.0634}, {"neighbours", 0.216, 0.0712}, {"thread", 0.214, 0.423}};
    for (int i = 0; i < 3; i++) {
        add_counters(board, counters[i].series, 1.0, counters[i].one);
        add_counters(board, counters[i].series, 2.0, counters[i].all);
    }
    claim_nothing(board);
    claim(board, APP_CLAIM_CONSTANT_KERNEL, "–", "", APP_VERDICT_NOT_MEASURED, "here 1.00×",
          "B measures it; this scene (20 spheres, 1920×1080) 1.00×");
    claim(board, APP_CLAIM_CONSTANT_WINDOW, "–", "", APP_VERDICT_NOT_MEASURED, "", "B measures it");
    claim(board, APP_CLAIM_SAXPY, "–", "", APP_VERDICT_NOT_MEASURED, "",
          "no theoretical peak known");
    claim(board, APP_CLAIM_RESOLUTION, "0.00100 µs", "[0.00100, 0.00100]", APP_VERDICT_SMALLER, "",
          "the step of the monotonic clock; a CPU has no events");
    claim(board, APP_CLAIM_LAUNCH, "0.00839 %", "[0.00801, 0.00902]", APP_VERDICT_HOLDS,
          "1.20 µs of 14.3 ms", "1.20 µs without a barrier, 14.3 ms with one");
    claim(board, APP_CLAIM_ACCESS, "0.112×", "[0.111, 0.112]", APP_VERDICT_INVERTED, "",
          "in time, one thread");
    claim(board, APP_CLAIM_BANDWIDTH, "6.73→0.751 GiB/s", "", APP_VERDICT_INVERTED, "0.112×",
          "0.112× in time, one thread");
    claim(board, APP_CLAIM_OPERANDS, "3.08×", "[3.05, 3.11]", APP_VERDICT_HOLDS,
          "multiply-adds 1.03×", "1.40 TB/s against 455 GB/s of the L1 cache");
    claim(board, APP_CLAIM_ILP, "–", "", APP_VERDICT_NOT_MEASURED, "",
          "does not apply to a CPU core");
    add_works(board, false);
    end_board(board);
}

/* The probes exist, but none was measured: no number may be shown. */
static void fill_empty(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++)
        board->results[i].n = 0;
    claim_nothing(board);
}

static void fill_wrong(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++) {
        if (strcmp(board->probes[i].series, "vector") == 0) {
            board->results[i].check = (struct krn_check){1e6, 3.0, 17.0, 2.0, NAN, INFINITY};
            board->results[i].verified = APP_VERIFIED_FALSE;
            board->results[i].trust = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
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
        const struct krn_probe *probe = &board->probes[i];
        struct app_probe_result *result = &board->results[i];
        if (probe->topic == KRN_TOPIC_SAXPY && probe->x < 5e6)
            result->trust = APP_TRUST_BIT(APP_TRUST_L2_RESIDENT);
        if (probe->topic == KRN_TOPIC_SAXPY && probe->x > 1e7 && probe->x < 3e7)
            result->trust = APP_TRUST_BIT(APP_TRUST_PARTLY_CACHED);
        if (probe->topic == KRN_TOPIC_ILP || probe->topic == KRN_TOPIC_CONSTANT)
            result->trust = APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR) | APP_TRUST_BIT(APP_TRUST_SPREAD);
        if (probe->topic == KRN_TOPIC_MEMLAT)
            result->trust = APP_TRUST_BIT(APP_TRUST_LOW_MEMORY_CLOCK);
        if (probe->topic == KRN_TOPIC_TRANSFER)
            result->trust = APP_TRUST_BIT(APP_TRUST_FEW_SAMPLES);
        if (probe->topic == KRN_TOPIC_ACCESS)
            result->trust = APP_TRUST_BIT(APP_TRUST_WANDERING);
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
        if (board->probes[i].topic != KRN_TOPIC_SAXPY)
            continue;
        if (board->probes[i].x > 1048576.0)
            board->results[i].n = 0;
        else if (strcmp(board->probes[i].series, "published") == 0)
            board->results[i].ms.median /= 4.0;
        board->results[i].ms_interval.valid = false;
    }
    claim_nothing(board);
}

/* A throttled GPU: no number may be quoted. */
static void fill_throttled(struct board *board)
{
    fill_doubted(board);
    for (int i = 0; i < board->count; i++)
        board->results[i].trust |= APP_TRUST_BIT(APP_TRUST_THROTTLED);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        board->claims[i].now.estimate.trust |= APP_TRUST_BIT(APP_TRUST_THROTTLED);
        board->claims[i].now.verdict = APP_VERDICT_DO_NOT_QUOTE;
    }
}

/* The longest texts that numbers produce. */
static void fill_wide(struct board *board)
{
    fill_gpu(board);
    for (int i = 0; i < board->count; i++)
        board->results[i].n = 24000;
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
        board->results[i].n = i % 7 == 3 ? 1 : 0;
    for (int i = 0; i < board->count; i++)
        board->results[i].ms_interval.valid = board->results[i].cycles_interval.valid = false;
    claim_nothing(board);
}

/* A busy CPU, on which the curves cross. */
static void fill_busy(struct board *board)
{
    fill_cpu(board);
    for (int i = 0; i < board->count; i++) {
        const bool all = strcmp(board->probes[i].series, "all") == 0;
        const double x = board->probes[i].x;
        const double slower = !all                                         ? 1.0
                              : board->probes[i].topic == KRN_TOPIC_MEMLAT ? 20.0 / x / x + 1.0
                              : board->probes[i].topic == KRN_TOPIC_ILP && x > 8 ? 40.0
                                                                                 : 1.0;
        board->results[i].ms.median *= slower;
        board->results[i].ms_interval.low *= slower;
        board->results[i].ms_interval.high *= slower;
    }
}

/* A CPU on which the probes of one thread are too slow for a slice, before any round. */
static void fill_slow(struct board *board)
{
    fill_cpu(board);
    for (int i = 0; i < board->count; i++)
        if (strcmp(board->probes[i].series, "strided/one") == 0)
            board->results[i].n = 0;
    claim(board, APP_CLAIM_CONSTANT_KERNEL, "–", "", APP_VERDICT_NOT_MEASURED, "",
          "B measures it; here: press B (takes over 2 ms)");
    claim(board, APP_CLAIM_ACCESS, "–", "", APP_VERDICT_NOT_MEASURED, "",
          "press B (takes over 2 ms)");
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
        if (board->probes[i].topic == KRN_TOPIC_TRANSFER ||
            board->probes[i].topic == KRN_TOPIC_CONSTANT)
            board->results[i].n = 0;
    board->view.refused[KRN_TOPIC_SAXPY] = "Refused, but there are others.";
    board->view.refused[KRN_TOPIC_CONSTANT] = "No such memory.";
    board->view.refused[KRN_TOPIC_TRANSFER] =
        "The host has no 256 MiB for transfers, page-locked: a limit of this user's processes, "
        "which ulimit -l shows in KiB and an administrator can raise.";
}

/* The shipped run of an H200, read once. */
static const struct app_recorded_view *h200(void)
{
    static struct app_recorded *recorded;
    if (recorded == NULL)
        TEST_OK(app_recorded_open(TEST_SOURCE_DIR "/assets/runs/nvidia-h200-all.json.gz", 1.0,
                                  &recorded, &error));
    return app_recorded_view(recorded);
}

/* A recorded GPU beside a CPU that has measured, and beside one that has not. */
static void fill_recorded(struct board *board)
{
    fill_cpu(board);
    board->view.recorded = h200();
}

static void fill_recorded_first(struct board *board)
{
    fill_empty(board);
    board->view.recorded = h200();
}

static const struct {
    const char *name;
    void (*fill)(struct board *board);
} boards[] = {{"gpu", fill_gpu},
              {"cpu", fill_cpu},
              {"empty", fill_empty},
              {"wrong", fill_wrong},
              {"wide", fill_wide},
              {"why", fill_why},
              {"partial", fill_partial},
              {"busy", fill_busy},
              {"slow", fill_slow},
              {"refused", fill_refused},
              {"cached", fill_cached},
              {"doubted", fill_doubted},
              {"throttled", fill_throttled},
              {"recorded", fill_recorded},
              {"recorded_first", fill_recorded_first}};

#endif
