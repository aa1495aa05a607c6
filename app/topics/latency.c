/* Latency of a read: a chain of dependent reads through tables of growing size. */
#include "topics/topic.h"

#include <math.h>
#include <string.h>

/* The levels of memory that a read may meet, the nearest first. */
enum { LEVELS = KRN_CACHE_LEVELS + 1 };

static const char *const keys[LEVELS] = {"l1", "l2", "l3", "memory"}, *const names[LEVELS] = {
                                                                          "L1", "L2", "L3",
                                                                          "memory"};

/* Returns the measured probe of a series with the smallest x of at least `low`, or with the largest
 * one; NULL: there is none between low and high. */
static const struct app_result *between(const struct app_probes_view *view, const char *series,
                                        double low, double high, bool smallest)
{
    const struct app_result *found = NULL;
    for (int i = 0; i < view->count; i++) {
        const struct app_result *result = &view->results[i];
        const double x = result->probe->x;
        if (app_result_is_of(result, KRN_TOPIC_LATENCY, series) && app_result_samples(result) > 0 &&
            x >= low && x <= high && !(found && smallest))
            found = result;
    }
    return found;
}

/* Returns the size of a cache; 0: there is no such level. An old record knows the L2 cache alone.
 */
static double cache_of(const struct app_probes_view *view, int level)
{
    const struct krn_device_info *device = view->device;
    const size_t bytes = level < KRN_CACHE_LEVELS ? device->cache_bytes[level] : 0,
                 old = level == 1 && device->can.warps ? device->l2_bytes : 0;
    return (double)(bytes > 0 ? bytes : old);
}

/* Returns the probe on a level's plateau: a table that fits easily into this cache and is much
 * larger than the one before, or that no cache holds. NULL: none was measured, or the size of one
 * of the two caches is not known. */
static const struct app_result *plateau(const struct app_probes_view *view, int level)
{
    const char *const series = view->device->can.warps ? "read" : "walk";
    const double nearer = level > 0 ? cache_of(view, level - 1) : 0.0, own = cache_of(view, level);
    if (level == LEVELS - 1) {
        double last = 0.0;
        for (int cache = 0; cache < KRN_CACHE_LEVELS; cache++)
            last = fmax(last, cache_of(view, cache));
        return between(view, series, 2.0 * last, INFINITY, false);
    }
    if (!(own > 0.0) || (level > 0 && !(nearer > 0.0)))
        return NULL;
    return level == 0 ? between(view, series, 0.0, own / 2.0, false)
                      : between(view, series, 4.0 * nearer, own / 2.0, true);
}

/* Adds the latency of a probe, in cycles where it counts them, and in nanoseconds. */
static void add(const struct app_probes_view *view, const struct app_result *result,
                const char *key, const char *name, struct app_analysis *analysis)
{
    const struct app_estimate cycles = app_metric_of(view, result, APP_M_CYCLES_PER_STEP),
                              ns = app_metric_of(view, result, APP_M_NS_PER_STEP);
    char size[32];
    struct app_finding *finding = app_finding_add(analysis, key, cycles);
    finding->of = result;
    if (result && ns.valid) {
        const struct app_number value = app_number_plain(ns.value, "");
        app_number_bytes(result->probe->x, size, sizeof size);
        if (cycles.valid)
            app_format(finding->line, sizeof finding->line, "%s: %s cycles (%s ns) at %s", name,
                       app_number_plain(cycles.value, "").value, value.value, size);
        else
            app_format(finding->line, sizeof finding->line, "%s: %s ns at %s", name, value.value,
                       size);
    }
    app_finding_add(analysis, app_phrase("%s/ns", key).text, ns)->of = result;
}

/* "l1", "l2", "l3", "memory": cycles per read on the plateau of each level; "shared": from shared
 * memory; "ascending": from memory, line after line. "l1/ns" and so on: the same in nanoseconds,
 * which alone a CPU has. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    for (int level = 0; level < LEVELS; level++)
        add(view, plateau(view, level), keys[level], names[level], analysis);
    if (!view->device->can.warps)
        return;
    add(view, between(view, "ascending", 0.0, INFINITY, false), "ascending",
        "memory, line after line", analysis);
    add(view, between(view, "shared", 0.0, INFINITY, false), "shared", "shared memory", analysis);
}

struct app_estimate app_latency_of_memory(const struct app_probes_view *view)
{
    return app_metric_of(view, plateau(view, LEVELS - 1), APP_M_NS_PER_STEP);
}

static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    const struct app_probes_view *view = facts->probes;
    const bool warps = view->device->can.warps;
    const enum app_member metric = warps ? APP_M_CYCLES_PER_STEP : APP_M_NS_PER_STEP;
    const char *const unit = warps ? "cycles" : "ns";
    struct app_analysis analysis = {.count = 0};
    analyse(view, &analysis);
    app_picture_axes(
        picture, app_axis("size of the table", APP_AXIS_BYTES, APP_SCALE_POWERS),
        app_axis(warps ? "cycles per read" : "ns per read", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
    app_picture_curve(picture, view, KRN_TOPIC_LATENCY, warps ? "read" : "walk", metric,
                      "at random", APP_INK_CURVE)
        ->strong = true;
    if (warps) {
        app_picture_curve(picture, view, KRN_TOPIC_LATENCY, "l2", metric, "L1 skipped",
                          APP_INK_CURVE + 2)
            ->dashed = true;
        app_picture_curve(picture, view, KRN_TOPIC_LATENCY, "ascending", metric, "in order",
                          APP_INK_CURVE + 4);
        app_picture_level(picture, "published: 400", 400.0);
    }
    for (int i = 0; i < LEVELS; i++) {
        const struct app_finding *plateau =
            app_finding(&analysis, app_phrase(warps ? "%s" : "%s/ns", keys[i]).text);
        const double value = plateau->value.value;
        if (plateau->value.valid && plateau->of != NULL)
            app_picture_mark(picture,
                             app_phrase("%s %s", names[i], app_number_plain(value, "").value).text,
                             APP_INK_TEXT, plateau->of->probe->x, value, true);
    }
    const struct app_estimate ends[] = {
        app_finding(&analysis, warps ? "memory" : "memory/ns")->value,
        app_finding(&analysis, warps ? "l1" : "l1/ns")->value};
    app_picture_say(picture, ends, 2, "A read takes %s %s from memory, %s from the nearest cache",
                    app_number_plain(ends[0].value, "").value, unit,
                    app_number_plain(ends[1].value, "").value);
}

const struct app_topic app_topic_latency = {
    .topic = KRN_TOPIC_LATENCY,
    .text = APP_TEXT_SLIDES,
    .title = "Latency of a dependent read",
    .panel_title = "Latency of a read",
    .matrix = true,
    .metric = {APP_M_CYCLES_PER_STEP, APP_M_NS_PER_STEP},
    .formulas = {"cycles per read = cycles of the chain / its reads",
                 "ns per read = time by events / reads",
                 "each read needs the one before: nothing hides its latency"},
    .analyse = analyse,
    .picture = picture,
};
