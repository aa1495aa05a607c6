/* Access patterns: the same bytes, read in different orders. */
#include "topics/topic.h"

#include <string.h>

static struct app_estimate ratio(const struct app_probes_view *view, const char *series,
                                 const char *over, enum app_member metric)
{
    return app_series_ratio(view, KRN_TOPIC_ACCESS, series, over, -1.0, metric);
}

/* Adds a sum's bandwidth with a line that has all that the tutorial prints: "chunk, L2 warm: 7.25
 * GiB/s, 4 MiB in 539 us by events; 1058525 cycles / 1980 MHz = 535 us". */
static void add_bandwidth(const struct app_probes_view *view, struct app_analysis *analysis,
                          const char *series, const char *name)
{
    const struct app_result *result = app_probe_result_find(view, KRN_TOPIC_ACCESS, series, -1.0);
    const struct app_estimate rate = app_metric_of(view, result, APP_M_EFFECTIVE_GBPS),
                              cycles = app_metric_of(view, result, APP_M_CYCLES),
                              over_clock = app_metric_of(view, result, APP_M_CYCLES_OVER_CLOCK_MS);
    struct app_finding *finding =
        app_finding_add(analysis, app_phrase("rate/%s", series).text, rate);
    finding->of = rate.valid ? result : NULL;
    if (!rate.valid)
        return;
    const double ms = app_result_number(result, APP_M_MEDIAN_MS, 0.0);
    const struct app_number time = app_number_time(ms);
    const struct app_form binary = {.quantity = APP_QUANTITY_BINARY_RATE, .scale = 1e9};
    app_format(finding->line, sizeof finding->line, "%s: %s, %.0f MiB in %s %s%s", name,
               app_describe(rate, binary).text, result->probe->useful_bytes / 1048576.0, time.value,
               time.unit, view->device->can.warps ? " by events" : "");
    if (!cycles.valid || !over_clock.valid)
        return;
    const size_t used = strlen(finding->line);
    const struct app_number counted = app_number_time_as(over_clock.value, ms);
    app_format(finding->line + used, sizeof finding->line - used,
               "; %.0f cycles / %.0f MHz = %s %s", cycles.value,
               cycles.value / over_clock.value / 1e3, counted.value, counted.unit);
}

/* "rate/SERIES": the bytes of the numbers, each read once, per time, of the tutorial's two sums, in
 * GB/s. "chunk": time of the chunked read over the strided one in clock cycles, as the tutorial
 * counts; "by time": the same ratio in time. The tutorial runs one block, hence on one
 * multiprocessor. */
static void analyse_gpu(const struct app_probes_view *view, struct app_analysis *analysis)
{
    static const char *const heats[2] = {"warm", "cold"};
    for (int i = 0; i < 2; i++) {
        const char *const heat = heats[i];
        const struct app_phrase chunk = app_phrase("chunk/%s", heat),
                                strided = app_phrase("strided/%s", heat),
                                loads = app_phrase("loads8/%s", heat);
        add_bandwidth(view, analysis, chunk.text, app_phrase("chunk, L2 %s", heat).text);
        add_bandwidth(view, analysis, strided.text, app_phrase("strided, L2 %s", heat).text);
        app_finding_add_ratio(analysis, i == 0 ? "chunk" : "chunk/cold",
                              app_phrase("chunk over strided, cycles, L2 %s", heat).text,
                              ratio(view, chunk.text, strided.text, APP_M_CYCLES));
        app_finding_add_ratio(analysis, i == 0 ? "by time" : "by time/cold",
                              app_phrase("chunk over strided, by events, L2 %s", heat).text,
                              ratio(view, chunk.text, strided.text, APP_M_MEDIAN_MS));
        app_finding_add_ratio(
            analysis, loads.text,
            app_phrase("strided over 8 loads in flight, by events, L2 %s", heat).text,
            ratio(view, strided.text, loads.text, APP_M_MEDIAN_MS));
    }
}

/* "strided", "strided/all": time of the strided read over the chunked one, for one thread and for
 * all. One thread stands for the tutorial's multiprocessor; "chunk" and "by time" are its inverse
 * ratio. */
static void analyse_cpu(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const struct app_estimate chunk = ratio(view, "chunk/one", "strided/one", APP_M_MEDIAN_MS);
    add_bandwidth(view, analysis, "chunk/one", "chunk, one thread");
    add_bandwidth(view, analysis, "strided/one", "strided, one thread");
    app_finding_add_ratio(analysis, "strided", "strided over chunk, by time, one thread",
                          ratio(view, "strided/one", "chunk/one", APP_M_MEDIAN_MS));
    app_finding_add(analysis, "strided/all", ratio(view, "strided", "chunk", APP_M_MEDIAN_MS));
    app_finding_add(analysis, "chunk", chunk);
    struct app_finding *by_time = app_finding_add(analysis, "by time", chunk);
    snprintf(by_time->line, sizeof by_time->line,
             "The opposite of a GPU: a core runs its threads one after another, so a chunk is a "
             "stream,\n  and a strided read moves a cache line for 4 bytes.");
}

static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    if (view->device->can.warps)
        analyse_gpu(view, analysis);
    else
        analyse_cpu(view, analysis);
}

/* Useful bytes per time of four patterns, the best first. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    static const struct {
        const char *name, *series;
        double x; /* < 0: the series has one */
    } patterns[] = {{"coalesced", "stride", 1.0},
                    {"stride 2", "stride", 2.0},
                    {"stride 8", "stride", 8.0},
                    {"random", "random", -1.0}};
    enum { COUNT = sizeof patterns / sizeof *patterns };
    const struct app_probes_view *view = facts->probes;
    struct app_estimate rates[COUNT];
    picture->caption = "useful bytes per second; longer is faster";
    for (size_t i = 0; i < COUNT; i++) {
        const struct app_result *result =
            app_probe_result_find(view, KRN_TOPIC_ACCESS, patterns[i].series, patterns[i].x);
        rates[i] = app_metric_of(view, result, APP_M_EFFECTIVE_GBPS);
        app_picture_metric(picture, patterns[i].name, APP_INK_CURVE + 2, view, result,
                           APP_M_EFFECTIVE_GBPS);
    }
    const struct app_estimate ends[] = {rates[0], rates[COUNT - 1]};
    app_picture_say(picture, ends, 2, "Reads of neighbours are %s× faster than random ones",
                    app_number_plain(ends[0].value / ends[1].value, "").value);
}

const struct app_topic app_topic_access = {
    .topic = KRN_TOPIC_ACCESS,
    .text = APP_TEXT_TUTORIAL,
    .title = "Access patterns",
    .panel_title = "Access pattern",
    .metric = {APP_M_EFFECTIVE_GBPS, APP_M_EFFECTIVE_GBPS},
    .streams = true,
    .formulas = {"GiB/s = bytes of the numbers / time / 2³⁰", "time = cycles / clock",
                 "used/moved: bytes of the reads, and of the sectors that they touch"},
    .analyse = analyse,
    .picture = picture,
};
