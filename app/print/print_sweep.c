/* A sweep: every mode's time against the number of spheres, and the fastest mode at each. */
#include "print/entries.h"

#include "base/numbers.h"
#include "command/mode.h"
#include "print/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds a time with the letters of the reasons to doubt it. */
static void add_cell(struct app_page *page, struct app_table *table,
                     const struct app_sweep_cell *cell, unsigned common)
{
    char marks[APP_TRUST_COUNT + 1];
    const struct app_number time = app_number_time(cell->median.value);
    if (!cell->result || !cell->median.valid) {
        app_table_cell(table, "-");
        return;
    }
    if (cell->result->verified == APP_VERIFIED_FALSE) {
        app_table_cell(table, "WRONG");
        return;
    }
    app_page_marks(page, cell->result->trust.reasons & ~common, marks, sizeof marks);
    app_table_cell(table, "%s%s%s %s", marks, marks[0] ? " " : "", time.value, time.unit);
}

/* Writes "20", or "20 to 100" for several counts. */
static void name_counts(const struct app_sweep *sweep, int from, int to, char *text, size_t size)
{
    if (to == from + 1)
        snprintf(text, size, "%d", sweep->counts[from]);
    else
        snprintf(text, size, "%d%s%d", sweep->counts[from], to > from + 2 ? " to " : " and ",
                 sweep->counts[to - 1]);
}

/* Notes the fastest mode of each count; consecutive counts with the same mode share an entry. */
static void note_fastest(const struct app_sweep *sweep, struct app_table *table)
{
    char line[1024] = "", name[APP_MODE_TEXT_MAX], counts[40];
    for (int i = 0, next; i < sweep->count; i = next) {
        const int fastest = app_sweep_fastest(sweep, i, -1, 0);
        for (next = i + 1; next < sweep->count; next++)
            if (app_sweep_fastest(sweep, next, -1, 0) != fastest)
                break;
        if (fastest < 0)
            continue;
        app_mode_text(krn_mode_at(fastest), name, sizeof name);
        name_counts(sweep, i, next, counts, sizeof counts);
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s %s at %s", used > 0 ? "," : "", name, counts);
    }
    app_table_note(table, "%s%s", line[0] ? "Fastest:" : "Nothing was measured.", line);
}

static void note_wrong(const struct app_sweep *sweep, struct app_table *table)
{
    for (int m = 0; m < KRN_MODES; m++)
        for (int i = 0; i < sweep->count; i++) {
            char where[32];
            snprintf(where, sizeof where, " at %d", sweep->counts[i]);
            if (sweep->cells[m][i].result)
                app_page_wrong(table, sweep->cells[m][i].result, "picture", where);
        }
}

/* Returns the reasons that hold for all cells. */
static unsigned common_reasons(const struct app_sweep *sweep)
{
    unsigned common = ~0u;
    for (int m = 0; m < KRN_MODES; m++)
        for (int i = 0; i < sweep->count; i++)
            if (sweep->cells[m][i].result)
                common &= sweep->cells[m][i].result->trust.reasons;
    return common;
}

static enum krn_code print_times(struct app_page *page, const struct app_sweep *sweep,
                                 struct krn_error *error)
{
    const struct app_results *results = page->results;
    const struct app_pairs workload = app_results_find(results, 0, "raytrace", NULL)->workload;
    char text[APP_MODE_TEXT_MAX];
    struct app_table *table = app_table_new("Sweep, median time of the kernel");
    app_table_about(table, "Over the number of spheres; %.0fx%.0f pixels",
                    app_pairs_number(workload, "width", 0.0),
                    app_pairs_number(workload, "height", 0.0));
    const unsigned common = common_reasons(sweep);
    app_page_common(page, table, common);
    app_table_column(table, "kernel/storage/K", APP_ALIGN_LEFT);
    for (int i = 0; i < sweep->count; i++) {
        snprintf(text, sizeof text, "%d", sweep->counts[i]);
        app_table_column(table, text, APP_ALIGN_RIGHT);
    }
    unsigned storages = 0;
    for (int m = 0; m < KRN_MODES; m++) {
        if (!sweep->measured[m])
            continue;
        storages |= 1u << krn_mode_at(m).storage;
        app_mode_text(krn_mode_at(m), text, sizeof text);
        app_table_row(table);
        app_table_cell(table, "%s", text);
        for (int i = 0; i < sweep->count; i++)
            add_cell(page, table, &sweep->cells[m][i], common);
    }
    note_fastest(sweep, table);
    note_wrong(sweep, table);
    app_page_same_caches(table, results, storages);
    return app_page_print(page, table, error);
}

/* Returns the fastest mode at a count but one; -1: there is no other. */
static int runner_up(const struct app_sweep *sweep, int at, int fastest)
{
    int second = -1;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct app_sweep_cell *cell = &sweep->cells[m][at];
        if (m != fastest && app_sweep_has_verdict(cell) &&
            (second < 0 || cell->median.value < sweep->cells[second][at].median.value))
            second = m;
    }
    return second;
}

/* Prints the fastest mode at each count with its interval, and how far the next one is away. */
static enum krn_code print_fastest(struct app_page *page, const struct app_sweep *sweep,
                                   struct krn_error *error)
{
    struct app_table *table = app_table_new("Fastest mode at each number of spheres");
    char name[APP_MODE_TEXT_MAX];
    app_table_about(table, "lead: how many times as fast as the next mode");
    app_table_column(table, "spheres", APP_ALIGN_RIGHT);
    app_table_column(table, "fastest", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "median");
    app_page_net_columns(table);
    app_table_column(table, "next", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "lead");
    if (sweep->view == KRN_VIEW_LIGHT)
        app_table_column(table, "rays/s", APP_ALIGN_RIGHT);
    app_table_column(table, "n", APP_ALIGN_RIGHT);
    for (int i = 0; i < sweep->count; i++) {
        const int fastest = app_sweep_fastest(sweep, i, -1, 0), next = runner_up(sweep, i, fastest);
        if (fastest < 0)
            continue;
        const struct app_sweep_cell *cell = &sweep->cells[fastest][i];
        const struct app_shown median = app_shown_time(&cell->median);
        struct app_estimate lead = {.valid = false};
        app_mode_text(krn_mode_at(fastest), name, sizeof name);
        app_table_row(table);
        app_table_cell(table, "%d", sweep->counts[i]);
        app_table_cell(table, "%s", name);
        app_page_value_cells(page, table, &cell->median, &median);
        app_page_net_cells(table, cell->result);
        if (next >= 0)
            lead = app_estimate_ratio(sweep->cells[next][i].median, cell->median);
        app_mode_text(krn_mode_at(next < 0 ? 0 : next), name, sizeof name);
        const struct app_shown ahead = app_shown_number(&lead, "x");
        app_table_cell(table, "%s", next < 0 ? "" : name);
        app_page_value_cells(page, table, &lead, &ahead);
        if (sweep->view == KRN_VIEW_LIGHT)
            app_page_rays_cell(table, cell->result, "rays_per_s");
        app_table_cell(table, "%zu", app_result_samples(cell->result));
    }
    return app_page_print(page, table, error);
}

enum krn_code app_print_sweep(struct app_page *page, const struct app_sweep *sweep,
                              struct krn_error *error)
{
    const enum krn_code code = print_times(page, sweep, error);
    return code == KRN_OK ? print_fastest(page, sweep, error) : code;
}
