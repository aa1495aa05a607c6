/* The ray tracer's modes, one table per workload; and results without a table of their own. */
#include "print/page.h"

#include "base/numbers.h"

#include <math.h>
#include <string.h>

/* Returns true when both results belong into one table. */
static bool same_table(const struct app_result_read *a, const struct app_result_read *b)
{
    return a->backend == b->backend && strcmp(a->workload_text, b->workload_text) == 0;
}

/* Notes the times that few modes have, one note for each kind: "binned/global 7.80 µs". */
static void note_times(const struct app_page *page, struct app_table *table,
                       const struct app_result_read *first, const char *metric, const char *what)
{
    char line[1000] = "";
    for (const struct app_result_read *r = first; r < page->results->results + page->results->count;
         r++) {
        const double ms = app_page_metric(r, metric);
        const struct app_number time = app_number_time(ms);
        const size_t used = strlen(line);
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r) && ms > 0.0)
            snprintf(line + used, sizeof line - used, "%s %s %s %s", used > 0 ? "," : "",
                     r->variant, time.value, time.unit);
    }
    if (line[0])
        app_table_note(table, "%s:%s", what, line);
}

static void add_mode(const struct app_page *page, struct app_table *table,
                     const struct app_result_read *base, const struct app_result_read *result,
                     bool rays)
{
    const struct app_estimate median = app_result_estimate(result, "median_ms"),
                              raw = app_page_speed(base, result, "median_ms"),
                              net = app_page_speed(base, result, "net_ms");
    const struct app_shown shown = app_shown_time(&median);
    app_table_row(table);
    app_table_cell(table, "%s", result->variant);
    app_page_value_cells(page, table, &median, &shown);
    app_page_net_cells(table, result);
    app_table_cell(table, "%s", app_shown_number(&raw, "x").value);
    app_table_cell(table, "%s", app_shown_number(&net, "x").value);
    if (rays)
        app_page_rays_cell(table, result, "rays_per_s");
    app_page_end_cells(page, table, result);
}

/* Returns true when a mode in the table of `first` has counted rays: it is of the light view. */
static bool has_rays(const struct app_results *results, const struct app_result_read *first)
{
    for (const struct app_result_read *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r) &&
            app_page_metric(r, "rays_per_s") > 0.0)
            return true;
    return false;
}

/* Returns the mode that the others are compared with: the book's kernel from global memory, or else
 * the first. */
static const struct app_result_read *find_base(const struct app_results *results,
                                               const struct app_result_read *first)
{
    for (const struct app_result_read *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && strcmp(r->variant, "book/global") == 0 &&
            same_table(first, r))
            return r;
    return first;
}

/* Returns the reasons that hold for all modes in the table of `first`. */
static unsigned common_reasons(const struct app_results *results,
                               const struct app_result_read *first)
{
    unsigned common = ~0u;
    for (const struct app_result_read *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r))
            common &= r->trust.reasons;
    return common;
}

/* Adds a number of the outcome; nothing for 0. */
static void resource_cell(struct app_table *table, const struct app_result_read *result,
                          const char *key)
{
    const double number = app_pairs_number(result->outcome, key, 0.0);
    if (number > 0.0)
        app_table_cell(table, "%.0f", number);
    else
        app_table_cell(table, "%s", "");
}

/* Prints what the kernels of these modes take of a multiprocessor, where records tell it. */
static void print_resources(struct app_page *page, const struct app_result_read *first)
{
    static const struct {
        const char *key, *title;
    } columns[] = {{"registers", "registers"},
                   {"static_shared_bytes", "static shared"},
                   {"dynamic_shared_bytes", "dynamic shared"},
                   {"constant_bytes", "constant"},
                   {"local_bytes", "spilled"},
                   {"launch_threads", "threads per block"},
                   {"blocks_per_processor", "blocks per SM"},
                   {"occupancy_percent", "occupancy %"}};
    const struct app_results *results = page->results;
    bool any = false;
    struct app_table *table = app_table_new("Ray tracer, what a kernel takes of a multiprocessor");
    app_page_workload(table, first);
    app_table_about(table, "shared and constant memory in bytes per block; spilled registers in "
                           "bytes per thread; of several kernels, the last one");
    app_table_column(table, "kernel/storage/K", APP_ALIGN_LEFT);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
        app_table_column(table, columns[c].title, APP_ALIGN_RIGHT);
    for (const struct app_result_read *r = first; r < results->results + results->count; r++) {
        if (strcmp(r->benchmark, first->benchmark) != 0 || !same_table(first, r) ||
            !(app_pairs_number(r->outcome, "registers", 0.0) > 0.0))
            continue;
        any = true;
        app_table_row(table);
        app_table_cell(table, "%s", r->variant);
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            resource_cell(table, r, columns[c].key);
    }
    if (any)
        app_page_print(page, table);
    else
        app_table_free(table);
}

/* Prints the modes whose first is `first`. */
static void print_workload(struct app_page *page, const struct app_result_read *first)
{
    const struct app_results *results = page->results;
    const struct app_result_read *base = find_base(results, first);
    const bool rays = has_rays(results, first);
    struct app_table *table = app_table_new("Ray tracer, time of the kernel");
    app_page_workload(table, first);
    app_table_about(table, "speed: times as fast as %s, by raw and by net time", base->variant);
    app_page_common(page, table, common_reasons(results, first));
    app_table_column(table, "kernel/storage/K", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "median");
    app_page_net_columns(table);
    app_table_column(table, "speed", APP_ALIGN_RIGHT);
    app_table_column(table, "net speed", APP_ALIGN_RIGHT);
    if (rays)
        app_table_column(table, "rays/s", APP_ALIGN_RIGHT);
    app_page_end_columns(table);
    unsigned storages = 0;
    for (const struct app_result_read *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r)) {
            storages |= app_page_storage_bit(r->variant);
            add_mode(page, table, base, r, rays);
            app_page_wrong(table, r, "picture", "");
        }
    note_times(page, table, first, APP_METRIC_BINNING,
               rays ? "Of it, to build the tree" : "Of it, to sort spheres into tiles");
    if (rays)
        app_page_note_rays(table, first);
    note_times(page, table, first, "batched_ms", "Per launch, in batches");
    app_page_same_caches(table, first->backend, storages);
    app_page_print(page, table);
}

void app_print_modes(struct app_page *page)
{
    const struct app_results *results = page->results;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result_read *result = &results->results[i];
        bool first = strcmp(result->benchmark, "raytrace") == 0;
        for (size_t j = 0; first && j < i; j++)
            first = strcmp(results->results[j].benchmark, "raytrace") != 0 ||
                    !same_table(&results->results[j], result);
        if (first)
            print_workload(page, result);
        if (first)
            print_resources(page, result);
    }
}

void app_print_others(struct app_page *page, const char *benchmark)
{
    struct app_table *table = app_table_new(benchmark);
    app_table_column(table, "result", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "median");
    app_page_net_columns(table);
    app_page_end_columns(table);
    for (size_t i = 0; i < page->results->count; i++) {
        const struct app_result_read *result = &page->results->results[i];
        if (strcmp(result->benchmark, benchmark) != 0)
            continue;
        const struct app_estimate median = app_result_estimate(result, "median_ms");
        const struct app_shown shown = app_shown_time(&median);
        app_table_row(table);
        app_table_cell(table, "%s", result->variant);
        app_page_value_cells(page, table, &median, &shown);
        app_page_net_cells(table, result);
        app_page_end_cells(page, table, result);
        app_page_wrong(table, result, "result", "");
    }
    app_page_print(page, table);
}
