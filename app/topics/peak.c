/* Peak arithmetic: multiply-adds of single and double precision on the whole device. */
#include "topics/topic.h"

#include "base/value.h"

#include <stdio.h>
#include <string.h>

/* The words for one precision: its series, its key, and what a line calls it. */
struct precision {
    const char *series, *percent_key, *words;
};

static const struct precision precisions[] = {{"ffma", "ffma percent", "single precision (FFMA)"},
                                              {"dfma", "dfma percent", "double precision (DFMA)"}};

/* Returns the fastest probe of a series; NULL: none was measured. */
static const struct app_probe_result *fastest_of(const struct app_probes_view *view,
                                                 const char *series)
{
    const struct app_probe_result *best = NULL;
    double most = 0.0;
    for (int i = 0; i < view->count; i++) {
        const struct app_probe_result *result = &view->results[i];
        if (result->probe->topic != KRN_TOPIC_PEAK || strcmp(result->probe->series, series) != 0)
            continue;
        const struct app_estimate rate = app_metric_of(view, result, APP_METRIC_GFLOPS);
        if (rate.valid && rate.value > most) {
            most = rate.value;
            best = result;
        }
    }
    return best;
}

/* Writes the computed peak, "66.9 TFLOP/s = 132 x 128 lanes x 2 x 1980 MHz", or "not known". */
static void describe_peak(const struct app_probes_view *view, const struct app_probe_result *best,
                          char *text, size_t size)
{
    const bool dual = best->probe->double_precision;
    const double gflops = dual ? view->ceilings.gflops_double : view->ceilings.gflops,
                 lanes = dual ? view->ceilings.dfma_per_cycle : view->ceilings.fma_per_cycle;
    if (gflops > 0.0)
        app_format(
            text, size, "%s = %d x %.0f lanes x 2 x %.0f MHz",
            app_describe(app_estimate_plain(gflops), app_metric_form(APP_METRIC_GFLOPS, 0.0)).text,
            view->device->processors, lanes, view->device->clock_max_mhz);
    else
        snprintf(text, size, "not known");
}

/* Adds the greatest rate of a precision and its percentage of the computed peak. */
static void analyse_precision(const struct app_probes_view *view, const struct precision *precision,
                              struct app_analysis *analysis)
{
    const struct app_probe_result *best = fastest_of(view, precision->series);
    const struct app_estimate rate = app_metric_of(view, best, APP_METRIC_GFLOPS),
                              percent = app_metric_of(view, best, APP_METRIC_OF_COMPUTED);
    struct app_finding *finding = app_finding_add(analysis, precision->series, rate);
    finding->of = best;
    char peak[80], share[40] = "";
    if (best != NULL && rate.valid) {
        describe_peak(view, best, peak, sizeof peak);
        if (percent.valid)
            snprintf(share, sizeof share, ", %s %%", app_number_plain(percent.value, "").value);
        app_format(finding->line, sizeof finding->line, "%s: %s at %.0f %s%s; computed: %s",
                   precision->words,
                   app_describe(rate, app_metric_form(APP_METRIC_GFLOPS, 0.0)).text, best->probe->x,
                   best->probe->axis, share, peak);
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

const struct app_topic app_topic_peak = {
    .topic = KRN_TOPIC_PEAK,
    .text = APP_TEXT_METRICS,
    .title = "Peak arithmetic, multiply-adds on the whole device",
    .panel_title = "Roofline and peak arithmetic",
    .shorter = "Roofline",
    .subtitle = {"FLOP/s over FLOP/B; dashed: computed", "FLOP/s over FLOP/B; roofs measured"},
    .headline = {{"ffma", -1.0, APP_METRIC_GFLOPS, NULL, 0.0, "single precision"},
                 {"ffma", -1.0, APP_METRIC_GFLOPS, NULL, 0.0, "single precision"}},
    .metric = {APP_METRIC_GFLOPS, APP_METRIC_GFLOPS},
    .formulas = {"FLOP/s = 2 × multiply-adds / time",
                 "peak = lanes × 2 × multiprocessors × greatest clock",
                 "lanes: multiply-adds per clock and multiprocessor, by compute capability",
                 "roof = the lower of peak and intensity × bandwidth, which meet at the ridge",
                 "intensity = operations / bytes of memory; a multiply-add counts 2", NULL},
    .analyse = analyse,
};
