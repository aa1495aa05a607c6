#include "topics/roofline/roofline.h"

#include "judge/trust.h"
#include "topics/topic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The article's array size. */
static const double published_elements = 20.0 * 1048576.0;

/* A cube and its sum: two multiplications and an addition, on integers of 4 bytes. */
static const double cube_operations = 3.0, cube_bytes = 4.0;

const char *app_roof_name(enum app_roof roof)
{
    return roof == APP_ROOF_MEMORY ? "memory" : roof == APP_ROOF_ARITHMETIC ? "arithmetic" : "";
}

struct app_estimate app_ceiling_of(const struct app_ceiling *ceiling)
{
    const struct app_estimate none = {.valid = false};
    if (ceiling->measured.valid)
        return ceiling->measured;
    return ceiling->computed > 0.0 ? app_estimate_plain(ceiling->computed) : none;
}

struct app_estimate app_ceiling_computed(const struct app_ceiling *ceiling)
{
    return ceiling->computed > 0.0 ? app_estimate_plain(ceiling->computed) : ceiling->measured;
}

struct app_estimate app_ceiling_share(struct app_estimate rate, struct app_estimate roof)
{
    const bool exact = roof.valid && !roof.has_interval && roof.low == roof.high;
    const struct app_estimate share = app_estimate_ratio(rate, roof);
    if (!rate.valid || !share.valid)
        return share;
    return exact ? app_estimate_times(rate, 100.0 / roof.value) : app_estimate_times(share, 100.0);
}

/* --- points --- */

/* Appends a point with its rates; returns NULL when there is no room or no time. */
static struct app_roofline_point *add(struct app_roofline *roofline, enum app_roofline_group group,
                                      const char *name, double operations, double bytes,
                                      struct app_estimate ms)
{
    const struct app_estimate none = {.valid = false};
    if (roofline->count == APP_ROOFLINE_POINTS || !ms.valid || !(operations + bytes > 0.0))
        return NULL;
    struct app_roofline_point *point = &roofline->points[roofline->count++];
    *point = (struct app_roofline_point){
        .group = group, .operations = operations, .bytes = bytes, .ms = ms};
    snprintf(point->name, sizeof point->name, "%s", name);
    point->intensity = bytes > 0.0 ? operations / bytes : INFINITY;
    point->gflops = operations > 0.0 ? app_estimate_into(operations / 1e6, ms) : none;
    point->gbps = bytes > 0.0 ? app_estimate_into(bytes / 1e6, ms) : none;
    point->gflops.trust = point->gbps.trust = ms.trust;
    return point;
}

static struct app_roofline_point *add_probe(struct app_roofline *roofline,
                                            const struct app_probes_view *view,
                                            enum app_roofline_group group, const char *name,
                                            const struct app_probe_result *result)
{
    if (result == NULL)
        return NULL;
    const struct krn_probe *probe = result->probe;
    const double bytes = group == APP_ROOFLINE_PEAK ? 0.0 : probe->useful_bytes;
    const double operations = group == APP_ROOFLINE_CUBES  ? bytes / cube_bytes * cube_operations
                              : group == APP_ROOFLINE_COPY ? 0.0
                                                           : probe->flops;
    struct app_roofline_point *point =
        add(roofline, group, name, operations, bytes, app_metric_of(view, result, APP_METRIC_TIME));
    if (point != NULL)
        point->integer = group == APP_ROOFLINE_CUBES;
    if (point != NULL)
        point->cached = point->integer && !view->device->can.warps;
    return point;
}

/* Returns the probe of a topic with the greatest rate; NULL: none was measured. */
static const struct app_probe_result *fastest_of(const struct app_probes_view *view,
                                                 enum krn_topic topic, enum app_metric metric)
{
    const struct app_probe_result *best = NULL;
    double most = 0.0;
    for (int i = 0; i < view->count; i++) {
        if (view->results[i].probe->topic != topic)
            continue;
        const struct app_estimate rate = app_metric_of(view, &view->results[i], metric);
        if (!rate.valid || !(rate.value > most))
            continue;
        most = rate.value;
        best = &view->results[i];
    }
    return best;
}

static void add_probes(struct app_roofline *roofline, const struct app_probes_view *view)
{
    const bool warps = view->device->can.warps;
    const struct {
        enum krn_topic topic;
        enum app_roofline_group group;
        const char *series, *name;
        double x;
    } series[] = {
        {KRN_TOPIC_SAXPY, APP_ROOFLINE_SAXPY, "published", "SAXPY published", published_elements},
        {KRN_TOPIC_SAXPY, APP_ROOFLINE_SAXPY, "vector", "SAXPY vector", -1.0},
        {KRN_TOPIC_SAXPY, APP_ROOFLINE_COPY, "copy", "copy", -1.0},
        {KRN_TOPIC_ACCESS, APP_ROOFLINE_CUBES, warps ? "whole/strided" : "strided", "cubes strided",
         -1.0},
        {KRN_TOPIC_ACCESS, APP_ROOFLINE_CUBES, warps ? "whole/chunk" : "chunk", "cubes chunk",
         -1.0},
    };
    for (size_t i = 0; i < sizeof series / sizeof *series; i++)
        add_probe(roofline, view, series[i].group, series[i].name,
                  app_probe_result_find(view, series[i].topic, series[i].series, series[i].x));
    if (warps)
        add_probe(roofline, view, APP_ROOFLINE_COPY, "copy",
                  fastest_of(view, KRN_TOPIC_MEMLAT, APP_METRIC_GBPS));
}

static void add_modes(struct app_roofline *roofline, const struct app_mode_work *modes, int count)
{
    for (int i = 0; i < count; i++) {
        char name[40];
        krn_mode_name(modes[i].mode, name, sizeof name);
        struct app_roofline_point *point =
            add(roofline, APP_ROOFLINE_TRACER, name, modes[i].flops, modes[i].bytes, modes[i].ms);
        if (point != NULL)
            point->mode = modes[i].mode;
    }
}

/* --- roofs --- */

/* Adds the kernels that measure the peaks; they define the roofs of arithmetic. */
static void find_peaks(struct app_roofline *roofline, const struct app_probes_view *view)
{
    static const struct {
        const char *key, *name;
    } peaks[] = {{"ffma", "peak single"}, {"dfma", "peak double"}};
    struct app_analysis analysis = {.count = 0};
    app_topic_analyse(KRN_TOPIC_PEAK, view, &analysis);
    for (int i = 0; i < 2; i++) {
        const struct app_finding *finding = app_finding(&analysis, peaks[i].key);
        struct app_ceiling *ceiling = i == 0 ? &roofline->single : &roofline->twice;
        ceiling->measured = finding->value;
        struct app_roofline_point *point =
            finding->value.valid
                ? add_probe(roofline, view, APP_ROOFLINE_PEAK, peaks[i].name, finding->of)
                : NULL;
        if (point != NULL)
            point->double_precision = i == 1;
    }
    roofline->single.computed = view->ceilings.gflops;
    roofline->twice.computed = view->ceilings.gflops_double;
}

/* Finds the greatest rate of a kernel that reads memory, whose arrays no cache holds and whose
 * result is right. */
static void find_bandwidth(struct app_roofline *roofline, const struct app_probes_view *view)
{
    const unsigned unfit = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE) |
                           APP_TRUST_BIT(APP_TRUST_L2_RESIDENT) |
                           APP_TRUST_BIT(APP_TRUST_PARTLY_CACHED);
    roofline->memory.computed = view->ceilings.bandwidth_gbps;
    for (int i = 0; i < roofline->count; i++) {
        const struct app_roofline_point *point = &roofline->points[i];
        const struct app_estimate *best = &roofline->memory.measured;
        if (point->group != APP_ROOFLINE_TRACER && !point->cached && point->gbps.valid &&
            !(point->gbps.trust & unfit) && (!best->valid || point->gbps.value > best->value))
            roofline->memory.measured = point->gbps;
    }
}

/* Finds the lower roof above a point, and how much of it the point reaches. */
static void compare(const struct app_roofline *roofline, struct app_roofline_point *point)
{
    const struct app_estimate memory = app_ceiling_of(&roofline->memory),
                              arithmetic = app_ceiling_of(
                                  point->double_precision ? &roofline->twice : &roofline->single);
    const bool has_memory = memory.valid && point->bytes > 0.0,
               has_arithmetic = arithmetic.valid && point->operations > 0.0 && !point->integer;
    struct app_estimate of = {.valid = false};
    if (point->cached)
        return;
    if (has_memory && (!has_arithmetic || point->intensity * memory.value <= arithmetic.value)) {
        /* Without a roof of arithmetic, only kernels that compute nothing else are known. */
        if (!has_arithmetic && !point->integer && point->operations > 0.0)
            return;
        point->bound = APP_ROOF_MEMORY;
        of = app_ceiling_share(point->gbps, memory);
    } else if (has_arithmetic && (has_memory || !(point->bytes > 0.0))) {
        point->bound = APP_ROOF_ARITHMETIC;
        of = app_ceiling_share(point->gflops, arithmetic);
    }
    point->of_roof = of;
}

static double ridge_of(const struct app_ceiling *arithmetic, const struct app_ceiling *memory)
{
    const struct app_estimate flops = app_ceiling_of(arithmetic), bytes = app_ceiling_of(memory);
    return flops.valid && bytes.valid ? flops.value / bytes.value : 0.0;
}

void app_roofline_make(const struct app_probes_view *view, const struct app_mode_work *modes,
                       int mode_count, struct app_roofline *roofline)
{
    memset(roofline, 0, sizeof *roofline);
    if (view == NULL || view->device == NULL)
        return;
    add_probes(roofline, view);
    find_peaks(roofline, view);
    find_bandwidth(roofline, view);
    add_modes(roofline, modes, mode_count);
    roofline->ridge = ridge_of(&roofline->single, &roofline->memory);
    roofline->ridge_double = ridge_of(&roofline->twice, &roofline->memory);
    for (int i = 0; i < roofline->count; i++)
        compare(roofline, &roofline->points[i]);
}

const struct app_roofline_point *app_roofline_find(const struct app_roofline *roofline,
                                                   const char *name)
{
    for (int i = 0; i < roofline->count; i++)
        if (strcmp(roofline->points[i].name, name) == 0)
            return &roofline->points[i];
    return NULL;
}

double app_roofline_limit(const struct app_roofline *roofline, double intensity,
                          bool double_precision)
{
    const struct app_estimate arithmetic = app_ceiling_of(double_precision ? &roofline->twice
                                                                           : &roofline->single),
                              memory = app_ceiling_of(&roofline->memory);
    return arithmetic.valid && memory.valid ? fmin(arithmetic.value, intensity * memory.value)
                                            : 0.0;
}
