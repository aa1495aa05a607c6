/* The light view from constant and from global memory, by bounces. */
#include "topics/topic.h"

static const char *const kernels[] = {"tree", "brute"};

/* Returns the time from constant memory over that from global memory, net of overhead where it is
 * known. */
static struct app_estimate ratio_of(const struct app_probes_view *view, const char *kernel,
                                    double bounces)
{
    const struct app_phrase constant = app_phrase("%s/constant", kernel),
                            global = app_phrase("%s/global", kernel);
    const struct app_estimate net = app_series_ratio(view, KRN_TOPIC_BOUNCES, constant.text,
                                                     global.text, bounces, APP_M_NET_MS);
    return net.valid ? net
                     : app_series_ratio(view, KRN_TOPIC_BOUNCES, constant.text, global.text,
                                        bounces, APP_M_MEDIAN_MS);
}

/* Adds the ratio of a kernel at a number of bounces, with what its reads are like. */
static void add_ratio(const struct app_probes_view *view, const char *kernel, const char *key,
                      int bounces, struct app_analysis *analysis)
{
    char reads[96] = "";
    const struct app_estimate ratio = ratio_of(view, kernel, bounces);
    struct app_finding *finding = app_finding_add(analysis, key, ratio);
    finding->of = app_probe_result_find(view, KRN_TOPIC_BOUNCES,
                                        app_phrase("%s/constant", kernel).text, bounces);
    if (!ratio.valid || finding->of == NULL)
        return;
    const struct krn_probe *probe = finding->of->probe;
    if (probe->uniform > 0.0)
        app_format(reads, sizeof reads, "; bounce %d: %.1f %% of reads at 1 address, %.2f per read",
                   bounces, 100.0 * probe->uniform, probe->addresses);
    app_format(finding->line, sizeof finding->line, "%s, constant / global, 0 to %d: %s x%s",
               kernel, bounces, app_number_plain(ratio.value, "x").value, reads);
}

/* "tree/0" to "tree/8": time of the tree kernel from constant memory over that from global memory,
 * by the most bounces; "tree", "brute": the same at the most bounces of all; "penalty": the former
 * of these two over the latter. */
static void analyse(const struct app_probes_view *view, struct app_analysis *analysis)
{
    if (!view->device->can.warps)
        return;
    for (int bounces = 0; bounces < KRN_BOUNCES_MAX; bounces++)
        add_ratio(view, "tree", app_phrase("tree/%d", bounces).text, bounces, analysis);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        add_ratio(view, kernels[k], kernels[k], KRN_BOUNCES_MAX, analysis);
    app_finding_add_ratio(analysis, "penalty", "constant over global, tree over brute",
                          app_estimate_ratio(app_finding(analysis, "tree")->value,
                                             app_finding(analysis, "brute")->value));
}

static void picture(const struct app_picture_facts *facts, struct app_picture *picture)
{
    const struct app_probes_view *view = facts->probes;
    app_picture_axes(picture, app_axis("bounces", APP_AXIS_PLAIN, APP_SCALE_LINEAR),
                     app_axis("time from constant memory over global; above 1× constant is slower",
                              APP_AXIS_FACTOR, APP_SCALE_LINEAR));
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels && view->device->can.warps; k++) {
        app_picture_line(picture, kernels[k], (enum app_ink)(APP_INK_CURVE + 2 * (int)k))->strong =
            k == 0;
        for (int bounces = 0; bounces <= KRN_BOUNCES_MAX; bounces++)
            app_picture_point(picture, bounces, ratio_of(view, kernels[k], bounces));
    }
    app_picture_level(picture, "same speed", 1.0);
    const struct app_estimate last = ratio_of(view, kernels[0], KRN_BOUNCES_MAX);
    if (view->device->can.warps && (last.has_interval ? last.low : last.value) > 1.0)
        app_picture_say(
            picture, &last, 1,
            "%d bounces: the tree kernel is %s× faster from global memory than from constant",
            KRN_BOUNCES_MAX, app_number_plain(last.value, "").value);
}

const struct app_topic app_topic_bounces = {
    .topic = KRN_TOPIC_BOUNCES,
    .text = APP_TEXT_GUIDE,
    .title = "Constant memory by bounces",
    .panel_title = "Constant memory by bounces",
    .matrix = true,
    .metric = {APP_M_MEDIAN_MS, APP_M_MEDIAN_MS},
    .formulas = {"constant / global = times of one kernel, up to x bounces",
                 "reads at 1 address = share of a warp's reads, lanes in lock-step", NULL},
    .analyse = analyse,
    .picture = picture,
};
