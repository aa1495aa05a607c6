/* Peak arithmetic: multiply-adds of single and double precision on the whole device; and the
 * roofline, which they bound. */

#include "topics/topic.h"

#include <math.h>
#include <string.h>

/* The words for one precision: its series, its key, and what a line calls it. */
struct precision {
    const char *series, *percent_key, *words;
};

static const struct precision precisions[] = {{"ffma", "ffma percent", "single precision (FFMA)"},
                                              {"dfma", "dfma percent", "double precision (DFMA)"}};

/* Returns the probe of a topic and, unless it is NULL, series with the greatest rate; NULL: none
 * was measured. */
static const struct app_result *fastest(const struct app_probes_view *view, enum krn_topic topic,
                                        const char *series, enum app_member metric)
{
    const struct app_result *best = NULL;
    double most = 0.0;
    for (int i = 0; i < view->count; i++) {
        if (!app_result_is_of(&view->results[i], topic, series))
            continue;
        const struct app_estimate rate = app_metric_of(view, &view->results[i], metric);
        if (!rate.valid || !(rate.value > most))
            continue;
        most = rate.value;
        best = &view->results[i];
    }
    return best;
}

/* Writes the computed peak, "66.9 TFLOP/s = 132 x 128 lanes x 2 x 1980 MHz", or "not known". */
static void describe_peak(const struct app_probes_view *view, const struct app_result *best,
                          char *text, size_t size)
{
    const bool dual = best->probe->double_precision;
    const double gflops = dual ? view->ceilings.gflops_double : view->ceilings.gflops,
                 lanes = dual ? view->ceilings.dfma_per_cycle : view->ceilings.fma_per_cycle;
    if (gflops > 0.0)
        app_format(
            text, size, "%s = %d x %.0f lanes x 2 x %.0f MHz",
            app_describe(app_estimate_plain(gflops), app_metric_form(APP_M_GFLOPS, 0.0)).text,
            view->device->processors, lanes, view->device->clock_max_mhz);
    else
        snprintf(text, size, "not known");
}

/* Adds the greatest rate of a precision and its percentage of the computed peak. */
static void analyse_precision(const struct app_probes_view *view, const struct precision *precision,
                              struct app_analysis *analysis)
{
    const struct app_result *best = fastest(view, KRN_TOPIC_PEAK, precision->series, APP_M_GFLOPS);
    const struct app_estimate rate = app_metric_of(view, best, APP_M_GFLOPS),
                              percent = app_metric_of(view, best, APP_M_OF_COMPUTED_PEAK_PERCENT);
    struct app_finding *finding = app_finding_add(analysis, precision->series, rate);
    finding->of = best;
    char peak[80], share[40] = "";
    if (best != NULL && rate.valid) {
        describe_peak(view, best, peak, sizeof peak);
        if (percent.valid)
            snprintf(share, sizeof share, ", %s %%", app_number_plain(percent.value, "").value);
        app_format(finding->line, sizeof finding->line, "%s: %s at %.0f %s%s; computed: %s",
                   precision->words, app_describe(rate, app_metric_form(APP_M_GFLOPS, 0.0)).text,
                   best->probe->x, best->probe->axis, share, peak);
    }
    app_finding_add(analysis, precision->percent_key, percent)->of = best;
}

/* "ffma", "dfma": the greatest rate, in GFLOP/s; "ffma percent", "dfma percent": its percentage of
 * the computed peak; "dfma/ffma": the rate of double over that of single precision. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
        analyse_precision(view, &precisions[i], analysis);
    app_finding_add_ratio(analysis, "dfma/ffma",
                          "double over single precision (M2050, by its data sheet: 515/1030)",
                          app_estimate_ratio(app_finding(analysis, "dfma")->value,
                                             app_finding(analysis, "ffma")->value));
}

/* --- the roofline --- */

/* The article's array size. */
static const double published_elements = 20.0 * 1048576.0;

/* A cube and its sum: two multiplications and an addition, on integers of 4 bytes. */
static const double cube_operations = 3.0, cube_bytes = 4.0;

const char *app_roof_name(enum app_roof roof)
{
    static const char *const names[] = {"", "memory", "arithmetic", "neither"};
    return names[roof];
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
                                            const struct app_result *result)
{
    if (result == NULL)
        return NULL;
    const struct krn_probe *probe = result->probe;
    const double bytes = group == APP_ROOFLINE_PEAK ? 0.0 : probe->useful_bytes;
    const double operations = group == APP_ROOFLINE_CUBES  ? bytes / cube_bytes * cube_operations
                              : group == APP_ROOFLINE_COPY ? 0.0
                                                           : probe->flops;
    struct app_roofline_point *point =
        add(roofline, group, name, operations, bytes, app_metric_of(view, result, APP_M_MEDIAN_MS));
    if (point != NULL)
        point->integer = group == APP_ROOFLINE_CUBES;
    if (point != NULL)
        point->cached = point->integer && !view->device->can.warps;
    return point;
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
                  fastest(view, KRN_TOPIC_MEMLAT, NULL, APP_M_EFFECTIVE_GBPS));
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
    analyse(view, &analysis);
    for (int i = 0; i < 2; i++) {
        const struct app_finding *finding = app_finding(&analysis, peaks[i].key);
        struct app_ceiling *ceiling = i == 0 ? &roofline->single : &roofline->twice;
        ceiling->measured = finding->value;
        struct app_roofline_point *point =
            finding->value.valid
                ? add_probe(roofline, view, APP_ROOFLINE_PEAK, peaks[i].name, finding->of)
                : NULL;
        if (point != NULL) {
            point->double_precision = i == 1;
            point->sets_roof = true;
        }
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
    struct app_roofline_point *best = NULL;
    roofline->memory.computed = view->ceilings.bandwidth_gbps;
    for (int i = 0; i < roofline->count; i++) {
        struct app_roofline_point *point = &roofline->points[i];
        if (point->group != APP_ROOFLINE_TRACER && !point->cached && point->gbps.valid &&
            !(point->gbps.trust & unfit) && (best == NULL || point->gbps.value > best->gbps.value))
            best = point;
    }
    if (best == NULL)
        return;
    roofline->memory.measured = best->gbps;
    best->sets_roof = true;
}

/* Finds the lower roof above a point, and how much of it the point reaches; nothing is its own
 * roof. */
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
    if (point->sets_roof)
        return;
    point->of_roof = of;
    if (of.valid && of.value < APP_ROOFLINE_FAR)
        point->bound = APP_ROOF_NEITHER;
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

/* --- the picture --- */

/* Adds a roof: the slope of a bandwidth up to the ridge, then the peak; without one of the two, the
 * other alone. from: the least operations per byte. */
static void add_roof(struct app_picture *picture, const char *name, enum app_ink ink, bool dashed,
                     double gflops, double gbps, double from, double to)
{
    if (!(gflops > 0.0))
        return;
    const double ridge = gbps > 0.0 ? fmin(fmax(gflops / gbps, from), to) : from;
    struct app_series *roof = app_picture_line(picture, name, ink);
    roof->dashed = dashed;
    roof->bare = true;
    if (gbps > 0.0)
        app_picture_point(picture, from, app_estimate_plain(fmin(gflops, from * gbps)));
    app_picture_point(picture, ridge, app_estimate_plain(gflops));
    app_picture_point(picture, to, app_estimate_plain(gflops));
}

/* Returns true when no other mode of the same kernel is faster, of equally fast ones the first. */
static bool is_fastest(const struct app_roofline *roofline, const struct app_roofline_point *point)
{
    for (int i = 0; i < roofline->count; i++) {
        const struct app_roofline_point *other = &roofline->points[i];
        if (other->group == point->group && other->mode.kernel == point->mode.kernel &&
            (other->ms.value < point->ms.value ||
             (other->ms.value == point->ms.value && other < point)))
            return false;
    }
    return true;
}

/* Both roofs with the operations per byte at which they meet, and below them the fastest mode of
 * every kernel as a dot. A copy, which computes nothing, has none, nor has the best
 * SAXPY, which lies on the roof. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    /* The article's GPU, Tesla M2050: GFLOP/s of single precision, and GB/s. */
    static const double m2050_gflops = 1030.0, m2050_gbps = 148.0;
    struct app_roofline roofline;
    double from = 0.1, to = 300.0;
    app_roofline_make(facts->probes, facts->modes, facts->mode_count, &roofline);
    const struct app_estimate single = roofline.single.measured, memory = roofline.memory.measured;
    for (int i = 0; i < roofline.count; i++) {
        const struct app_roofline_point *point = &roofline.points[i];
        if (point->operations > 0.0 && isfinite(point->intensity))
            to = fmax(to, 2.0 * point->intensity);
    }
    app_picture_axes(
        picture, (struct app_axis){"operations per byte", APP_AXIS_PLAIN, APP_SCALE_LOG, from, to},
        app_axis("operations per second", APP_AXIS_RATE, APP_SCALE_LOG));
    add_roof(picture, "Tesla M2050", APP_INK_QUIET, false, 1e9 * m2050_gflops, 1e9 * m2050_gbps,
             from, to);
    add_roof(picture, "computed", APP_INK_QUIET, true, 1e9 * roofline.single.computed,
             1e9 * roofline.memory.computed, from, to);
    add_roof(picture, "double", APP_INK_CURVE + 3, false, 1e9 * roofline.twice.measured.value,
             memory.valid ? 1e9 * memory.value : 0.0, from, to);
    add_roof(picture, "measured", APP_INK_TEXT, false, 1e9 * single.value,
             memory.valid ? 1e9 * memory.value : 0.0, from, to);
    for (int i = 0; i < roofline.count; i++) {
        const struct app_roofline_point *point = &roofline.points[i];
        const bool tracer = point->group == APP_ROOFLINE_TRACER;
        if (point->group == APP_ROOFLINE_PEAK || point->group == APP_ROOFLINE_COPY ||
            !point->gflops.valid || app_trust_no_verdict(point->ms.trust) ||
            (tracer && !is_fastest(&roofline, point)) || strcmp(point->name, "SAXPY vector") == 0)
            continue;
        app_picture_mark(picture,
                         tracer                               ? krn_kernel_name(point->mode.kernel)
                         : point->group == APP_ROOFLINE_SAXPY ? "SAXPY"
                         : strcmp(point->name, "cubes chunk") == 0 ? "chunks"
                                                                   : "cubes",
                         tracer ? (enum app_ink)(APP_INK_STORAGE + (int)point->mode.storage)
                                : APP_INK_TEXT,
                         point->intensity, 1e9 * point->gflops.value, point->integer);
    }
    picture->chart.named = true;
    const struct app_number ridge = app_number_plain(single.value / memory.value, "");
    if (single.valid && memory.valid)
        app_picture_band(picture, app_phrase("memory ← %s → arithmetic", ridge.value).text,
                         roofline.ridge, roofline.ridge);
    const struct app_estimate roofs[] = {single, memory};
    app_picture_say(picture, roofs, 2, "Below %s operations a byte, memory is the limit",
                    ridge.value);
}

const struct app_topic app_topic_peak = {
    .topic = KRN_TOPIC_PEAK,
    .text = APP_TEXT_METRICS,
    .title = "Peak arithmetic, multiply-adds on the whole device",
    .panel_title = "Roofline and peak arithmetic",
    .metric = {APP_M_GFLOPS, APP_M_GFLOPS},
    .formulas = {"FLOP/s = 2 × multiply-adds / time",
                 "peak = lanes × 2 × multiprocessors × greatest clock",
                 "lanes: multiply-adds per clock and multiprocessor, by compute capability",
                 "roof = the lower of peak and intensity × bandwidth, which meet at the ridge",
                 "intensity = operations / bytes of memory; a multiply-add counts 2", NULL},
    .analyse = analyse,
    .picture = picture,
};
