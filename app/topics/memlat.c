/* Memory latency: loads in flight and occupancy that hide it. */
#include "topics/topic.h"

#include <math.h>
#include <string.h>

enum { LOADS = 4, WIDTHS = 2, POINTS = 64 };

static const int loads[LOADS] = {1, 2, 4, 8}, widths[WIDTHS] = {4, 16};

/* The percentage of the best rate of all curves from which memory counts as busy. */
static const double level_percent = 85.0;

static struct app_estimate plain(bool valid, double value)
{
    return (struct app_estimate){.valid = valid, .value = value, .low = value, .high = value};
}

/* Returns the least bytes in flight with which a probe of this width reaches a rate; 0: none. */
static double least_flight(const struct app_probes_view *view, int width, double gbps)
{
    double least = 0.0;
    const struct app_phrase ending = app_phrase("x%d", width);
    for (int i = 0; i < view->count; i++) {
        const struct krn_probe *probe = view->results[i].probe;
        const char *const by = strchr(probe->series, 'x');
        if (probe->topic != KRN_TOPIC_MEMLAT || !by || strcmp(by, ending.text) != 0)
            continue;
        const struct app_estimate rate =
            app_metric_of(view, &view->results[i], APP_M_EFFECTIVE_GBPS);
        if (rate.valid && rate.value >= gbps && (!(least > 0.0) || probe->in_flight_bytes < least))
            least = probe->in_flight_bytes;
    }
    return least;
}

/* Finds one width's best rate, the occupancy at which each number of loads reaches the level of it,
 * and the least occupancy and bytes in flight of all that do, known only when all curves are
 * complete. */
static void analyse_width(const struct app_probes_view *view, int width,
                          struct app_analysis *analysis)
{
    double best = 0.0, least = INFINITY;
    bool complete = true;
    int by = 0;
    for (int l = 0; l < LOADS; l++) {
        double x[POINTS], y[POINTS];
        const struct app_phrase series = app_phrase("loads%dx%d", loads[l], width);
        const size_t n = app_probe_result_curve(view, KRN_TOPIC_MEMLAT, series.text,
                                                APP_M_EFFECTIVE_GBPS, x, y, POINTS);
        complete = complete && app_series_complete(view, KRN_TOPIC_MEMLAT, series.text);
        for (size_t i = 0; i < n; i++)
            best = fmax(best, y[i]);
    }
    const double level = level_percent / 100.0 * best;
    for (int l = 0; l < LOADS; l++) {
        struct app_estimate reached =
            app_series_reach(view, KRN_TOPIC_MEMLAT, app_phrase("loads%dx%d", loads[l], width).text,
                             APP_M_EFFECTIVE_GBPS, level);
        reached.valid = reached.valid && complete;
        if (best > 0.0 && reached.value < least) {
            least = reached.value;
            by = loads[l];
        }
        app_finding_add(analysis, app_phrase("reach%d/%d", loads[l], width).text, reached);
    }
    const double flight = best > 0.0 ? least_flight(view, width, level) : 0.0;
    app_finding_add(analysis, app_phrase("best/%d", width).text, plain(best > 0.0, best));
    app_finding_add(analysis, app_phrase("flight/%d", width).text,
                    plain(complete && flight > 0.0, flight));
    struct app_finding *finding = app_finding_add(analysis, app_phrase("least/%d", width).text,
                                                  plain(complete && by > 0, least));
    if (by > 0)
        app_format(
            finding->line, sizeof finding->line,
            "%d-byte loads: %.0f %% of the best %.0f GB/s at %.1f %% occupancy with %d loads "
            "per thread, and with %.0f kB in flight",
            width, level_percent, best, least, by, flight / 1e3);
}

/* Adds the bytes of loads that must be in flight by Little's law: the latency of a read from memory
 * times the rate of reads at the theoretical bandwidth. A copy's other half are writes. */
static void add_needed(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const struct app_estimate ns = app_latency_of_memory(view);
    const double reads = view->ceilings.bandwidth_gbps / 2.0;
    const bool law = view->device->can.warps && ns.valid && reads > 0.0;
    struct app_finding *finding =
        app_finding_add(analysis, "needed", plain(law, law ? ns.value * reads : 0.0));
    if (law)
        app_format(finding->line, sizeof finding->line,
                   "Little's law: %.0f ns x %.0f GB/s of reads, half of the theoretical bandwidth, "
                   "= %.0f kB of loads in flight",
                   ns.value, reads, finding->value.value / 1e3);
}

/* Adds the loads of 4 bytes that the memory's theoretical bandwidth delivers per cycle. */
static void add_throughput(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const double gbps = view->ceilings.bandwidth_gbps, mhz = view->device->clock_max_mhz;
    if (!(gbps > 0.0) || !(mhz > 0.0))
        return;
    const double per_cycle = gbps * 1e3 / (4.0 * mhz);
    app_format(app_finding_add(analysis, "throughput", plain(true, per_cycle))->line,
               sizeof analysis->findings->line,
               "Throughput: %.0f GB/s at %.0f MHz = %.0f loads of 4 bytes per cycle (GTX 480: 32)",
               gbps, mhz, per_cycle);
}

/* "level": the percentage that counts as busy; "best/4", "best/16": the best rate in GB/s by bytes
 * per load; "least/4", "least/16": the least occupancy in percent that reaches the level;
 * "reach1/4" to "reach8/16": the same for each number of loads per thread; "flight/4", "flight/16":
 * the least bytes in flight that reach the level; "needed": those that Little's law requires;
 * "chases": on a CPU, the rate of eight chases of one thread over that of one. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const enum krn_topic topic = KRN_TOPIC_MEMLAT;
    app_finding_add(analysis, "level", plain(true, level_percent));
    add_needed(view, analysis);
    if (!view->device->can.warps) {
        app_finding_add_ratio(
            analysis, "chases", "eight chases of one thread over one chase",
            app_estimate_ratio(app_series_value(view, topic, "one", 1.0, APP_M_NS_PER_STEP),
                               app_series_value(view, topic, "one", 8.0, APP_M_NS_PER_STEP)));
        return;
    }
    add_throughput(view, analysis);
    for (int w = 0; w < WIDTHS; w++)
        analyse_width(view, widths[w], analysis);
}

/* Bandwidth over occupancy, by loads of 4 bytes in flight per thread; on a CPU, the time of a step
 * over independent chases. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    static const char *const names[LOADS] = {"1 load", "2 loads", "4 loads", "8 loads"};
    const struct app_probes_view *view = facts->probes;
    struct app_analysis analysis = {.count = 0};
    analyse(view, &analysis);
    if (!view->device->can.warps) {
        const struct app_estimate gain = app_finding(&analysis, "chases")->value;
        app_picture_axes(picture, app_axis("chases per thread", APP_AXIS_PLAIN, APP_SCALE_POWERS),
                         app_axis("ns per step", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
        app_picture_curve(picture, view, KRN_TOPIC_MEMLAT, "one", APP_M_NS_PER_STEP, "one thread",
                          APP_INK_CURVE + 3);
        app_picture_curve(picture, view, KRN_TOPIC_MEMLAT, "all", APP_M_NS_PER_STEP, "all threads",
                          APP_INK_CURVE)
            ->strong = true;
        app_picture_say(picture, &gain, 1,
                        "Eight chases at once hide the latency: %s× as many steps",
                        app_number_plain(gain.value, "").value);
        return;
    }
    app_picture_axes(picture, app_axis("occupancy, %", APP_AXIS_PLAIN, APP_SCALE_LOG),
                     app_axis("GB/s", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
    for (int l = 0; l < LOADS; l++)
        app_picture_curve(picture, view, KRN_TOPIC_MEMLAT, app_phrase("loads%dx4", loads[l]).text,
                          APP_M_EFFECTIVE_GBPS, names[l], (enum app_ink)(APP_INK_CURVE + l))
            ->strong = l + 1 == LOADS;
    const struct app_estimate found[] = {app_finding(&analysis, "reach1/4")->value,
                                         app_finding(&analysis, "reach8/4")->value,
                                         app_finding(&analysis, "best/4")->value};
    if (found[2].valid)
        app_picture_level(picture, "85 % of the best", level_percent / 100.0 * found[2].value);
    if (found[1].valid && isfinite(found[1].value))
        app_picture_mark(picture, app_phrase("8 loads: %.3g %%", found[1].value).text,
                         APP_INK_CURVE + 3, found[1].value,
                         app_series_value(view, KRN_TOPIC_MEMLAT, "loads8x4", found[1].value,
                                          APP_M_EFFECTIVE_GBPS)
                             .value,
                         true);
    if (isfinite(found[1].value))
        app_picture_say(
            picture, found, 2,
            "8 loads per thread reach 85 %% of the best rate at %.3g %% occupancy, 1 %s",
            found[1].value,
            app_phrase(isfinite(found[0].value) ? "at %.3g %%" : "never", found[0].value).text);
}

const struct app_topic app_topic_memlat = {
    .topic = KRN_TOPIC_MEMLAT,
    .text = APP_TEXT_SLIDES,
    .title = "Memory latency",
    .panel_title = "Memory latency",
    .matrix = true,
    .metric = {APP_M_EFFECTIVE_GBPS, APP_M_NS_PER_STEP},
    .formulas = {"GB/s = bytes read and written / time",
                 "bytes in flight = threads × loads × bytes per load",
                 "needed in flight = latency × rate of reads (Little's law)",
                 "ns per step = time / reads of one thread"},
    .analyse = analyse,
    .picture = picture,
};
