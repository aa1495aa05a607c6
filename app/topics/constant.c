/* Constant memory: uniform to divergent reads, and small to large tables. */
#include "topics/topic.h"

#include <math.h>

static const char *const series[] = {"constant", "global"};

/* Returns the time of a run without the overhead of an empty kernel where it is known, because the
 * overhead would hide a part of the slow-down. */
static struct app_estimate time_of(const struct app_probes_view *view, const char *name,
                                   double addresses)
{
    const struct app_result *result =
        app_probe_result_find(view, KRN_TOPIC_CONSTANT, name, addresses);
    const struct app_estimate net = app_metric_of(view, result, APP_M_NET_MS);
    return net.valid ? net : app_metric_of(view, result, APP_M_MEDIAN_MS);
}

struct app_estimate app_divergence_measured(const struct app_probes_view *view,
                                            enum app_divergent memory, int addresses)
{
    return app_estimate_ratio(time_of(view, series[memory], addresses),
                              time_of(view, series[memory], 1.0));
}

double app_divergence_predicted(enum app_divergent memory, int addresses)
{
    return memory == APP_DIVERGENT_CONSTANT ? addresses : 1.0;
}

/* Finds the largest deviation from the prediction over all numbers of addresses that were measured,
 * in percent; no value before all of them were. */
static void analyse_deviation(const struct app_probes_view *view, enum app_divergent memory,
                              const char *words, struct app_analysis *analysis)
{
    struct app_estimate most = {.valid =
                                    app_series_complete(view, KRN_TOPIC_CONSTANT, series[memory])};
    int at = 1;
    for (int n = 1; n <= KRN_LANES; n++) {
        const struct app_estimate measured = app_divergence_measured(view, memory, n);
        const double off =
            measured.valid ? 100.0 * (measured.value / app_divergence_predicted(memory, n) - 1.0)
                           : 0.0;
        if (fabs(off) > fabs(most.value)) {
            most.value = off;
            at = n;
        }
    }
    if (most.valid)
        most = app_estimate_plain(most.value);
    struct app_finding *finding =
        app_finding_add(analysis, app_phrase("deviation/%s", series[memory]).text, most);
    if (most.valid)
        app_format(finding->line, sizeof finding->line,
                   "%s, predicted %s: the largest deviation is %+.1f %%, at %d addresses",
                   series[memory], words, most.value, at);
}

/* A read that takes so many times as long as that of the smallest table is not in the fast part. */
static const double longer = 1.25;

/* "fast-bytes": the largest table whose reads of constant memory, one after another, take at most a
 * quarter longer than those of the smallest, where a larger one was measured to take longer. */
static void find_fast_part(const struct app_probes_view *view, struct app_analysis *analysis)
{
    enum { TABLES = 16 };
    double bytes[TABLES], cycles[TABLES];
    const size_t n = app_probe_result_curve(view, KRN_TOPIC_CONSTANT, "walk/constant",
                                            APP_M_CYCLES_PER_STEP, bytes, cycles, TABLES);
    for (size_t i = 1; i < n; i++)
        if (cycles[i] > longer * cycles[0]) {
            app_finding_add(analysis, "fast-bytes", app_estimate_plain(bytes[i - 1]));
            return;
        }
}

/* "constant", "global": time of reading 32 different addresses per warp over that of reading one,
 * net of overhead where it is known; "deviation/constant", "deviation/global": the largest
 * deviation of that slow-down from its prediction, in percent. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    for (int s = 0; s < APP_DIVERGENTS; s++)
        app_finding_add_ratio(analysis, series[s],
                              app_phrase("%s, 32 addresses per warp over 1", series[s]).text,
                              app_divergence_measured(view, (enum app_divergent)s, KRN_LANES));
    find_fast_part(view, analysis);
    if (!view->device->can.warps)
        return;
    analyse_deviation(view, APP_DIVERGENT_CONSTANT, "n times as long for n addresses", analysis);
    analyse_deviation(view, APP_DIVERGENT_GLOBAL, "one pass over at most 4 sectors", analysis);
}

/* Returns the cycles of a shared read on the straight line between the tables next to `bytes`; NaN:
 * it lies beyond the tables measured. */
static double walk_at(const struct app_series *walk, double bytes)
{
    for (size_t i = 1; i < walk->n; i++)
        if (bytes >= walk->x[i - 1] && bytes <= walk->x[i])
            return walk->y[i - 1] + (walk->y[i] - walk->y[i - 1]) * log(bytes / walk->x[i - 1]) /
                                        log(walk->x[i] / walk->x[i - 1]);
    return NAN;
}

/* Returns the cycles of a shared read of a table, x < 0: of the largest. */
static struct app_estimate cycles_of(const struct app_probes_view *view, const char *walk, double x)
{
    return app_series_value(view, KRN_TOPIC_CONSTANT, walk, x, APP_M_CYCLES_PER_STEP);
}

/* The cycles of a read at one address per warp over the size of what is walked through, with dots
 * where the spheres of the topic `where` lie: 28 bytes whole, of which a miss reads 16 in the
 * vector layout and 12 in arrays; of those two, only the dots that lie elsewhere on the curve. */
static void picture_walk(const struct app_probes_view *view, struct app_picture *picture)
{
    static const struct {
        const char *layout;
        double bytes;
    } layouts[] = {{"", 28.0}, {", 16 bytes each", 16.0}, {", arrays", 12.0}};
    static const double spheres[] = {20, 100, 500, 2000};
    app_picture_axes(
        picture,
        app_axis("bytes read in turn; white dots: the book's spheres", APP_AXIS_BYTES,
                 APP_SCALE_POWERS),
        app_axis("cycles per read that a warp shares", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
    const struct app_series *const walk =
        app_picture_curve(picture, view, KRN_TOPIC_CONSTANT, "walk/constant", APP_M_CYCLES_PER_STEP,
                          "constant", (enum app_ink)(APP_INK_STORAGE + (int)KRN_STORAGE_CONSTANT));
    app_picture_curve(picture, view, KRN_TOPIC_CONSTANT, "walk/global", APP_M_CYCLES_PER_STEP,
                      "global", (enum app_ink)(APP_INK_STORAGE + (int)KRN_STORAGE_GLOBAL));
    for (size_t l = 0; l < sizeof layouts / sizeof *layouts; l++)
        for (size_t s = 0; s < sizeof spheres / sizeof *spheres; s++) {
            const double bytes = layouts[l].bytes * spheres[s], cycles = walk_at(walk, bytes),
                         book = walk_at(walk, layouts[0].bytes * spheres[s]);
            const struct app_phrase name =
                app_phrase("%.0f%s%s", spheres[s], l + s == 0 ? " spheres" : "", layouts[l].layout);
            if (isfinite(cycles) && (l == 0 || fabs(cycles / book - 1.0) > longer - 1.0))
                app_picture_mark(picture, name.text, APP_INK_TEXT, bytes, cycles, l > 0);
        }
    if (walk->n == 0)
        return;
    const struct app_estimate ends[] = {cycles_of(view, "walk/constant", walk->x[0]),
                                        cycles_of(view, "walk/constant", -1.0),
                                        cycles_of(view, "walk/global", -1.0)};
    size_t fast = 1; /* tables in the fast part */
    while (fast < walk->n && walk->y[fast] <= longer * walk->y[0])
        fast++;
    app_picture_say(
        picture, ends, 3,
        "One address: constant memory takes %s cycles up to %.3g KiB, then %s; global %s",
        app_number_plain(ends[0].value, "").value, walk->x[fast - 1] / 1024.0,
        app_number_plain(ends[1].value, "").value, app_number_plain(ends[2].value, "").value);
}

/* The slow-down over the addresses of a warp, with a dot at the chosen number. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    if (facts->addresses == 1) {
        picture_walk(facts->probes, picture);
        return;
    }
    static const enum app_ink inks[APP_DIVERGENTS] = {APP_INK_STORAGE + KRN_STORAGE_CONSTANT,
                                                      APP_INK_STORAGE + KRN_STORAGE_GLOBAL};
    const struct app_probes_view *view = facts->probes;
    app_picture_axes(picture, app_axis("addresses in a warp", APP_AXIS_PLAIN, APP_SCALE_POWERS),
                     app_axis("time of a read over one address's", APP_AXIS_FACTOR, APP_SCALE_LOG));
    app_picture_line(picture, "predicted", APP_INK_QUIET)->dashed = true;
    for (int n = 1; n <= KRN_LANES; n *= 2)
        app_picture_point(picture, n,
                          app_estimate_plain(app_divergence_predicted(APP_DIVERGENT_CONSTANT, n)));
    for (int s = 0; s < APP_DIVERGENTS; s++) {
        app_picture_line(picture, series[s], inks[s])->strong = s == APP_DIVERGENT_CONSTANT;
        for (int n = 1; n <= KRN_LANES; n++)
            app_picture_point(picture, n, app_divergence_measured(view, (enum app_divergent)s, n));
    }
    const struct app_estimate at[] = {
        app_divergence_measured(view, APP_DIVERGENT_CONSTANT, facts->addresses),
        app_divergence_measured(view, APP_DIVERGENT_GLOBAL, facts->addresses)};
    if (at[0].valid)
        app_picture_mark(picture,
                         app_phrase("%d addresses: %s×", facts->addresses,
                                    app_number_plain(at[0].value, "").value)
                             .text,
                         inks[0], facts->addresses, at[0].value, true);
    const struct app_estimate most[] = {
        app_divergence_measured(view, APP_DIVERGENT_CONSTANT, KRN_LANES),
        app_divergence_measured(view, APP_DIVERGENT_GLOBAL, KRN_LANES)};
    app_picture_say(
        picture, most, 2, "32 addresses in a warp: constant memory takes %s× as long, global %s×",
        app_number_plain(most[0].value, "").value, app_number_plain(most[1].value, "").value);
}

const struct app_topic app_topic_constant = {
    .topic = KRN_TOPIC_CONSTANT,
    .text = APP_TEXT_BOOK,
    .title = "Constant memory",
    .panel_title = "Constant reads",
    .matrix = true,
    .metric = {APP_M_CYCLES_PER_STEP, APP_M_NS_PER_STEP},
    .formulas = {"slow-down = net time of n addresses / net time of 1",
                 "predicted, constant: n, one address after another",
                 "predicted, global: 1, the words of a warp fit into one line"},
    .analyse = analyse,
    .picture = picture,
};
