/* SAXPY, y = a x + y. */
#include "topics/topic.h"

#include <string.h>

/* The article's array size. */
static const double published_elements = 20.0 * 1048576.0;

static struct app_estimate rate_of(const struct app_probes_view *view,
                                   const struct app_result *result)
{
    return app_metric_of(view, result, APP_M_EFFECTIVE_GBPS);
}

/* Returns the kernel measured at the greater size, or the faster one where both were; NULL: none
 * was. */
static const struct app_result *best_of(const struct app_probes_view *view)
{
    const struct app_result *a = app_probe_result_find(view, KRN_TOPIC_SAXPY, "published", -1.0),
                            *b = app_probe_result_find(view, KRN_TOPIC_SAXPY, "vector", -1.0);
    const struct app_estimate at_a = rate_of(view, a), at_b = rate_of(view, b);
    if (!at_b.valid)
        return at_a.valid ? a : NULL;
    if (!at_a.valid || a->probe->x != b->probe->x)
        return at_a.valid && a->probe->x > b->probe->x ? a : b;
    return at_a.value > at_b.value ? a : b;
}

/* Returns a kernel's rate as a percentage of a copy's, since a CPU reports no theoretical
 * bandwidth. Both are compared at the greatest size, which exceeds the caches. No value before its
 * interval is known. */
static struct app_estimate share_of_copy(const struct app_probes_view *view,
                                         const struct app_result *kernel)
{
    const struct app_estimate none = {.valid = false};
    double greatest = -1.0;
    for (int i = 0; i < view->count; i++)
        if (app_result_is_of(&view->results[i], KRN_TOPIC_SAXPY, "copy"))
            greatest = view->results[i].probe->x;
    if (kernel == NULL || greatest < 0.0 || kernel->probe->x != greatest)
        return none;
    const struct app_estimate share = app_estimate_ratio(
        rate_of(view, kernel),
        rate_of(view, app_probe_result_find(view, KRN_TOPIC_SAXPY, "copy", greatest)));
    return share.has_interval ? app_estimate_times(share, 100.0) : none;
}

/* Adds the line "article's kernel, 20 Mi elements, 512 threads: 3110 of 4814 GB/s, 64.6 % (M2050:
 * 110.4 of 148 GB/s, 74.6 %); 518 of 66900 GFLOP/s". */
static void describe_published(const struct app_probes_view *view,
                               const struct app_result *published, struct app_finding *finding)
{
    const struct app_estimate rate = rate_of(view, published),
                              work = app_metric_of(view, published, APP_M_GFLOPS);
    if (!finding->value.valid || !rate.valid || !work.valid)
        return;
    char most[40] = "";
    if (view->ceilings.gflops > 0.0)
        app_format(most, sizeof most, " of %.0f", view->ceilings.gflops);
    app_format(finding->line, sizeof finding->line,
               "article's kernel, %d threads per block: %.0f of %.0f GB/s, %s %% (M2050: 110.4 of "
               "148, 74.6 %%); %.0f%s GFLOP/s",
               published->probe->threads, rate.value, view->ceilings.bandwidth_gbps,
               app_number_plain(finding->value.value, "").value, work.value, most);
}

static void add_published(const struct app_probes_view *view, const char *key,
                          const struct app_result *published, struct app_analysis *analysis)
{
    struct app_finding *finding = app_finding_add(
        analysis, key, app_metric_of(view, published, APP_M_OF_THEORETICAL_PERCENT));
    finding->of = published;
    describe_published(view, published, finding);
}

/* "published", "published256", "vector": percent of the theoretical bandwidth, the published kernel
 * at the article's size, with 512 and with 256 threads per block; "256/512": the rates of these
 * two; "best": the best kernel's rate; "share": its percentage of the theoretical bandwidth, or of
 * a copy. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    const enum krn_topic topic = KRN_TOPIC_SAXPY;
    const bool theoretical = view->ceilings.bandwidth_gbps > 0.0;
    const struct app_result *published =
                                app_probe_result_find(view, topic, "published", published_elements),
                            *vector = app_probe_result_find(view, topic, "vector", -1.0),
                            *best = best_of(view);
    app_finding_add_ratio(
        analysis, "vector/published", "best kernel over the published one, largest size",
        app_series_ratio(view, topic, "vector", "published", -1.0, APP_M_EFFECTIVE_GBPS));
    if (!view->device->can.warps)
        app_finding_add_ratio(
            analysis, "published/copy", "published loop over a streaming copy, largest size",
            app_series_ratio(view, topic, "published", "copy", -1.0, APP_M_EFFECTIVE_GBPS));
    if (view->device->can.warps)
        app_finding_add_ratio(analysis, "256/512", "article's kernel, 256 threads over 512",
                              app_series_ratio(view, topic, "published256", "published",
                                               published_elements, APP_M_EFFECTIVE_GBPS));
    add_published(view, "published", published, analysis);
    add_published(view, "published256",
                  app_probe_result_find(view, topic, "published256", published_elements), analysis);
    app_finding_add(analysis, "vector", app_metric_of(view, vector, APP_M_OF_THEORETICAL_PERCENT))
        ->of = vector;
    app_finding_add(analysis, "best", rate_of(view, best))->of = best;
    app_finding_add(analysis, "share",
                    theoretical ? app_metric_of(view, best, APP_M_OF_THEORETICAL_PERCENT)
                                : share_of_copy(view, best))
        ->of = best;
}

/* On a GPU, shares of the memory's bandwidth beside the article's; on a CPU, which reports none,
 * the rates over the size. */
static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    const struct app_probes_view *view = facts->probes;
    struct app_analysis analysis = {.count = 0};
    analyse(view, &analysis);
    if (!(view->ceilings.bandwidth_gbps > 0.0)) {
        const struct app_estimate best = app_finding(&analysis, "best")->value;
        app_picture_axes(picture, app_axis("elements", APP_AXIS_PLAIN, APP_SCALE_LOG),
                         app_axis("GB/s", APP_AXIS_PLAIN, APP_SCALE_LINEAR));
        app_picture_curve(picture, view, KRN_TOPIC_SAXPY, "copy", APP_M_EFFECTIVE_GBPS, "copy",
                          APP_INK_QUIET);
        app_picture_curve(picture, view, KRN_TOPIC_SAXPY, "vector/one", APP_M_EFFECTIVE_GBPS,
                          "one thread", APP_INK_CURVE + 3);
        app_picture_curve(picture, view, KRN_TOPIC_SAXPY, "vector", APP_M_EFFECTIVE_GBPS,
                          "all threads", APP_INK_CURVE)
            ->strong = true;
        app_picture_say(picture, &best, 1, "SAXPY moves %s GB/s through this CPU's memory",
                        app_number_plain(best.value, "").value);
        return;
    }
    static const struct {
        const char *key, *name;
    } kernels[] = {{"published", "the article's kernel"}, {"vector", "16 bytes per thread"}};
    const struct app_estimate shares[] = {app_finding(&analysis, "vector")->value,
                                          app_finding(&analysis, "published")->value};
    picture->caption = "share of the memory's bandwidth; longer is better";
    picture->full = 100.0;
    app_picture_bar(picture, "Tesla M2050, 2012", APP_INK_QUIET, app_estimate_plain(74.6),
                    "74.6 % of 148 GB/s");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const struct app_estimate share = app_finding(&analysis, kernels[i].key)->value;
        app_picture_bar(picture, kernels[i].name, APP_INK_CURVE + 2, share,
                        app_phrase("%s %% of %.0f GB/s", app_number_plain(share.value, "").value,
                                   view->ceilings.bandwidth_gbps)
                            .text);
    }
    app_picture_say(picture, shares, 2,
                    "SAXPY reaches %.0f %% of the memory's bandwidth, the article's kernel %.0f %%",
                    shares[0].value, shares[1].value);
}

const struct app_topic app_topic_saxpy = {
    .topic = KRN_TOPIC_SAXPY,
    .text = APP_TEXT_METRICS,
    .title = "SAXPY, y = a x + y",
    .panel_title = "SAXPY",
    .metric = {APP_M_EFFECTIVE_GBPS, APP_M_EFFECTIVE_GBPS},
    .streams = true,
    .formulas = {"BW theoretical = memory clock × bus width / 8 × 2",
                 "BW effective = (bytes read + bytes written) / time",
                 "bytes of SAXPY = 3 × 4 N: x and y are read, y is written", "GFLOP/s = 2 N / time",
                 "peak = lanes × 2 × multiprocessors × greatest clock", NULL},
    .analyse = analyse,
    .picture = picture,
};
