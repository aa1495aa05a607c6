/* The roofline: every kernel of the record with its intensity, its rate, and the roof that bounds
 * it. */
#include "print/page.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "base/value.h"
#include "command/mode.h"
#include "topics/roofline/roofline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Collects the modes of the first workload of the backend whose work is recorded. */
static int modes_of(const struct app_results *results, struct app_mode_work modes[KRN_MODES])
{
    const struct app_result *first = NULL;
    int n = 0;
    for (size_t i = 0; i < results->count && n < KRN_MODES; i++) {
        const struct app_result *result = &results->results[i];
        struct app_mode_work *mode = &modes[n];
        if (strcmp(result->benchmark, "raytrace") != 0 ||
            result->backend != results->device.backend ||
            (first != NULL && !app_pairs_equal(first->workload, result->workload)) ||
            !app_mode_parse(result->variant, strlen(result->variant), &mode->mode))
            continue;
        mode->flops = app_pairs_number(result->metrics, "flops", 0.0);
        mode->bytes = app_pairs_number(result->metrics, "bytes", 0.0);
        mode->ms = app_result_estimate(result, "median_ms");
        if (!(mode->flops > 0.0))
            continue;
        first = first != NULL ? first : result;
        n++;
    }
    return n;
}

/* Adds a paragraph about a roof: "single precision 60.4 TFLOP/s measured, 66.9 TFLOP/s computed".
 */
static void describe_ceiling(struct app_table *table, const char *name,
                             const struct app_ceiling *ceiling, enum app_metric metric,
                             const char *computed)
{
    char measured_text[64] = "not measured", computed_text[64] = "unknown";
    const struct app_number measured = app_metric_number(metric, ceiling->measured),
                            most = app_metric_number(
                                metric, (struct app_estimate){.valid = ceiling->computed > 0.0,
                                                              .value = ceiling->computed});
    if (ceiling->measured.valid)
        app_format(measured_text, sizeof measured_text, "%s %s", measured.value, measured.unit);
    if (ceiling->computed > 0.0)
        app_format(computed_text, sizeof computed_text, "%s %s", most.value, most.unit);
    if (ceiling->measured.valid || ceiling->computed > 0.0)
        app_table_about(table, "%s: measured %s, %s %s", name, measured_text, computed,
                        computed_text);
}

static void describe(struct app_table *table, const struct app_roofline *roofline)
{
    describe_ceiling(table, "Single precision", &roofline->single, APP_METRIC_GFLOPS, "computed");
    describe_ceiling(table, "Double precision", &roofline->twice, APP_METRIC_GFLOPS, "computed");
    describe_ceiling(table, "Memory", &roofline->memory, APP_METRIC_GBPS, "theoretical");
    if (roofline->ridge > 0.0)
        app_table_about(table,
                        "The roofs meet at %s FLOP per byte (single precision): below it, the "
                        "memory bounds a kernel.",
                        app_number_plain(roofline->ridge, "").value);
}

static void rate_cell(struct app_table *table, enum app_metric metric, struct app_estimate rate)
{
    const struct app_number number = app_metric_number(metric, rate);
    if (rate.valid)
        app_table_cell(table, "%s %s", number.value, number.unit);
    else
        app_table_cell(table, "%s", "");
}

static void add_point(const struct app_page *page, struct app_table *table,
                      const struct app_roofline_point *point)
{
    const struct app_shown share = app_shown_number(&point->of_roof, "%");
    const char *word = app_trust_no_verdict(point->ms.trust);
    app_table_row(table);
    app_table_cell(table, "%s", point->name);
    app_table_cell(table, "%s",
                   isfinite(point->intensity) ? app_number_plain(point->intensity, "").value
                                              : "no bytes");
    if (point->integer)
        app_table_cell(table, "%s Gop/s", app_number_plain(point->gflops.value, "").value);
    else
        rate_cell(table, APP_METRIC_GFLOPS, point->gflops);
    rate_cell(table, APP_METRIC_GBPS, point->gbps);
    if (word != NULL) {
        app_table_cell(table, "%s", word);
        return;
    }
    app_page_value_cells(page, table, &point->of_roof, &share);
    app_table_cell(table, "%s", app_roof_name(point->bound));
}

static void print(struct app_page *page, const struct app_roofline *roofline)
{
    struct app_table *table = app_table_new("Roofline");
    bool integers = false, tracer = false;
    describe(table, roofline);
    app_table_column(table, "kernel", APP_ALIGN_LEFT);
    app_table_column(table, "FLOP/byte", APP_ALIGN_RIGHT);
    app_table_column(table, "arithmetic", APP_ALIGN_RIGHT);
    app_table_column(table, "bandwidth", APP_ALIGN_RIGHT);
    app_page_value_columns(page, table, "of roof");
    app_table_column(table, "bound by", APP_ALIGN_LEFT);
    for (int i = 0; i < roofline->count; i++) {
        add_point(page, table, &roofline->points[i]);
        integers = integers || roofline->points[i].integer;
        tracer = tracer || roofline->points[i].group == APP_ROOFLINE_TRACER;
    }
    app_table_note(table, "of roof: percentage of the lower roof at this intensity, the measured "
                          "one where it is known");
    if (integers)
        app_table_note(table, "The cubes are integer operations, which have no roof here.");
    if (tracer)
        app_table_note(table, "Ray tracer: operations of the kernel's source per frame; bytes: the "
                              "image, and every sphere once.");
    app_page_print(page, table);
}

void app_print_roofline(struct app_page *page)
{
    struct app_results_probes probes;
    struct app_mode_work *modes = app_alloc(KRN_MODES, sizeof *modes);
    struct app_roofline *roofline = app_alloc(1, sizeof *roofline);
    bool bound = false;
    app_results_probes(page->results, 1, &probes);
    app_roofline_make(&probes.view, modes, modes_of(page->results, modes), roofline);
    for (int i = 0; i < roofline->count; i++)
        bound = bound || roofline->points[i].bound != APP_ROOF_UNKNOWN;
    if (bound)
        print(page, roofline);
    app_results_probes_free(&probes);
    free(modes);
    free(roofline);
}
