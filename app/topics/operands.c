/* Operand bandwidth: multiply-adds whose operands come from registers, and multiply-adds that load
 * one of them from shared memory (on a CPU: from the first-level cache). */
#include "topics/topic.h"

#include <string.h>

/* A multiprocessor's shared memory delivers a word per bank and clock. Source: CUDA C++ Programming
 * Guide, "Shared Memory" of each compute capability. */
static const double shared_bytes_per_clock = 128.0;
/* A multiply-add reads three operands. */
static const double operand_bytes = 12.0;

static const struct app_result *result_of(const struct app_probes_view *view, const char *series)
{
    return app_probe_result_find(view, KRN_TOPIC_OPERANDS, series, -1.0);
}

/* Returns the series with the memory's best rate: 4 bytes per load, or 16; on a CPU the cache. */
static const struct app_result *best_shared(const struct app_probes_view *view)
{
    if (!view->device->can.warps)
        return result_of(view, "cache");
    const struct app_result *narrow = result_of(view, "shared"),
                            *wide = result_of(view, "shared16");
    const struct app_estimate of_narrow = app_metric_of(view, narrow, APP_M_EFFECTIVE_GBPS),
                              of_wide = app_metric_of(view, wide, APP_M_EFFECTIVE_GBPS);
    return of_wide.valid && (!of_narrow.valid || of_wide.value > of_narrow.value) ? wide : narrow;
}

/* Adds a rate with a line: "registers: 396 TB/s, 98.7 % of 12 bytes per lane and clock". The
 * ceiling, in bytes per clock and multiprocessor, is 0 where it is not known. */
static void add_rate(const struct app_probes_view *view, struct app_analysis *analysis,
                     const char *key, const char *name, const struct app_result *result,
                     double ceiling, const char *words)
{
    const double clock = view->clock_mhz > 0.0 ? view->clock_mhz : view->device->clock_max_mhz,
                 most_gbps = ceiling * view->device->processors * clock * 1e6 / 1e9;
    const struct app_estimate rate = app_metric_of(view, result, APP_M_EFFECTIVE_GBPS);
    struct app_finding *finding = app_finding_add(analysis, key, rate);
    finding->of = rate.valid ? result : NULL;
    if (!rate.valid)
        return;
    char of_most[80] = "";
    if (most_gbps > 0.0)
        app_format(of_most, sizeof of_most, ", %.1f %% of %s at %.0f MHz",
                   rate.value / most_gbps * 100.0, words, clock);
    snprintf(finding->line, sizeof finding->line, "%s: %s%s", name,
             app_describe(rate, app_metric_form(APP_M_EFFECTIVE_GBPS, 0.0)).text, of_most);
}

/* "registers", "shared": operands delivered, in GB/s, with the most threads or chains; "ratio": the
 * first over the second; "rate": the multiply-adds per time with all operands in registers over
 * those with one from shared memory. On a CPU, the first-level cache stands for shared memory. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const bool warps = view->device->can.warps;
    const struct app_result *registers = result_of(view, "registers"), *shared = best_shared(view);
    const bool wide = shared && strcmp(shared->probe->series, "shared16") == 0;
    const char *memory = warps ? "shared memory" : "the L1 cache";
    add_rate(view, analysis, "registers", "registers", registers,
             warps ? operand_bytes * view->ceilings.fma_per_cycle : 0.0,
             "12 bytes per lane and clock");
    add_rate(view, analysis, "shared",
             !warps ? "L1 cache"
             : wide ? "shared memory, 16 bytes per load"
                    : "shared memory, 4 bytes per load",
             shared, warps ? shared_bytes_per_clock : 0.0,
             "128 bytes per multiprocessor and clock");
    app_finding_add_ratio(
        analysis, "ratio",
        app_phrase("operands from registers over %s, bytes per time", memory).text,
        app_estimate_ratio(app_metric_of(view, registers, APP_M_EFFECTIVE_GBPS),
                           app_metric_of(view, shared, APP_M_EFFECTIVE_GBPS)));
    app_finding_add_ratio(
        analysis, "rate",
        app_phrase("multiply-adds, all operands from registers over one from %s", memory).text,
        app_estimate_ratio(app_metric_of(view, registers, APP_M_GFLOPS),
                           app_metric_of(view, shared, APP_M_GFLOPS)));
}

static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    const struct app_probes_view *view = facts->probes;
    const bool warps = view->device->can.warps;
    struct app_analysis analysis = {.count = 0};
    analyse(view, &analysis);
    const struct app_estimate ratio = app_finding(&analysis, "ratio")->value;
    picture->caption = "operands per second; longer is faster";
    app_picture_metric(picture, "registers", APP_INK_CURVE + 2, view,
                       app_finding(&analysis, "registers")->of, APP_M_EFFECTIVE_GBPS);
    app_picture_metric(picture, warps ? "shared memory" : "nearest cache",
                       warps ? APP_INK_STORAGE + KRN_STORAGE_SHARED : APP_INK_CURVE + 4, view,
                       app_finding(&analysis, "shared")->of, APP_M_EFFECTIVE_GBPS);
    app_picture_say(picture, &ratio, 1, "Registers deliver %s× as many operands as %s",
                    app_number_plain(ratio.value, "").value,
                    warps ? "shared memory" : "the nearest cache");
}

const struct app_topic app_topic_operands = {
    .topic = KRN_TOPIC_OPERANDS,
    .text = APP_TEXT_SLIDES,
    .title = "Operand bandwidth",
    .panel_title = "Operand bandwidth",
    .matrix = true,
    .metric = {APP_M_EFFECTIVE_GBPS, APP_M_EFFECTIVE_GBPS},
    .formulas = {"registers = 12 bytes × multiply-adds / time",
                 "shared memory = bytes loaded / time",
                 "peaks per clock: 12 bytes per lane; 128 bytes per multiprocessor"},
    .analyse = analyse,
    .picture = picture,
};
