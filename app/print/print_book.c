/* A published timing: the book's timing window. */
#include "print/page.h"

#include "base/numbers.h"
#include "results/results.h"

#include "krn/published.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 4, CELL_WIDTH = 22 };

static const char *const variants[COLUMNS] = {"global/cold", "constant/cold", "global/warm",
                                              "constant/warm"};

/* Adds a row with one time of all runs. */
static void add_times(struct app_table *table, const struct app_result_read *const *results,
                      const char *name, const char *metric)
{
    app_table_row(table);
    app_table_cell(table, "%s", name);
    for (int c = 0; c < COLUMNS; c++) {
        struct app_estimate time = {.valid = false};
        if (results[c])
            time = app_result_estimate(results[c], metric);
        const struct app_shown shown = app_shown_time(&time);
        app_table_cell(table, "%s%s%s", shown.value, shown.interval[0] ? " " : "", shown.interval);
    }
}

static void add_items(struct app_table *table, const struct app_result_read *const *results)
{
    for (int i = 0; i < KRN_BOOK_WINDOW_ITEMS; i++) {
        char name[40];
        const char *metric = krn_book_window_item[i];
        snprintf(name, sizeof name, "- %.*s", (int)(strlen(metric) - strlen("_ms")), metric);
        for (char *c = name; *c; c++)
            *c = *c == '_' ? ' ' : *c;
        add_times(table, results, name, metric);
    }
}

/* Adds rows with what tells how far the runs can be trusted. */
static void add_evidence(struct app_table *table, const struct app_result_read *const *results)
{
    static const char *const verdicts[] = {"no", "yes", "WRONG"};
    app_table_row(table);
    app_table_cell(table, "n");
    for (int c = 0; c < COLUMNS; c++)
        app_table_cell(table, "%zu", results[c] ? app_result_samples(results[c]) : (size_t)0);
    app_table_row(table);
    app_table_cell(table, "verified");
    for (int c = 0; c < COLUMNS; c++)
        app_table_cell(table, "%s", results[c] ? verdicts[results[c]->verified] : "");
    app_table_row(table);
    app_table_cell(table, "trust");
    for (int c = 0; c < COLUMNS; c++)
        if (results[c])
            app_page_trust_cell(table, &results[c]->trust);
        else
            app_table_cell(table, "%s", "");
}

/* Notes how many times as fast constant memory is. */
static void note_ratio(struct app_table *table, const struct app_result_read *global,
                       const struct app_result_read *constant, const char *by, const char *over)
{
    const struct app_estimate ratio = app_results_book_ratio(global, constant);
    const struct app_shown shown = app_shown_number(&ratio, "");
    const char *word = app_trust_no_verdict(ratio.trust);
    if (ratio.valid && word)
        app_table_note(table, "%s: %s", by, word);
    else if (ratio.valid)
        app_table_note(table, "%s: constant is %s%s%s times as fast as global, across %zu %s", by,
                       shown.value, shown.interval[0] ? " " : "", shown.interval, ratio.processes,
                       over);
}

/* Notes the line that the book's program prints, in its format, for each column. */
static void note_generated(struct app_table *table, const struct app_result_read *const *results)
{
    for (int c = 0; c < COLUMNS; c++) {
        const double ms = results[c] ? app_page_metric(results[c], "median_ms") : 0.0;
        if (ms > 0.0)
            app_table_note(table, "Time to generate: %3.1f ms (%s)", ms, variants[c]);
    }
}

/* Prints the window and its items. */
static void print_window(struct app_page *page)
{
    const struct app_result_read *results[COLUMNS];
    const bool several = page->results->run.processes > 1;
    const char *scope = "";
    struct app_table *table = app_table_new("The book's own timing window");
    app_table_column(table, "median", APP_ALIGN_LEFT);
    for (int c = 0; c < COLUMNS; c++) {
        results[c] = app_results_find(page->results, 0, "book", variants[c]);
        scope = results[c] ? results[c]->scope : scope;
        app_table_column(table, variants[c], APP_ALIGN_RIGHT);
        app_table_wrap(table, CELL_WIDTH);
    }
    app_table_about(table, "%s", scope);
    add_times(table, results, "the book's window", "median_ms");
    add_items(table, results);
    add_times(table, results, "- all items", "items_ms");
    add_times(table, results, "its kernel", "kernel_ms");
    add_times(table, results, "loading, before", "load_ms");
    add_evidence(table, results);
    app_table_note(table,
                   "Loading the kernel comes before the window: the book's runtime did it at "
                   "the start of the program, today's does it at the first launch.");
    note_ratio(table, results[0], results[1], "By the window, cold", "processes");
    note_ratio(table, results[2], results[3], "By the window, warm",
               several ? "processes" : "runs in one process");
    note_generated(table, results);
    for (int c = 0; c < COLUMNS; c++)
        if (results[c])
            app_page_wrong(table, results[c], "picture", "");
    app_page_print(page, table);
}

/* Prints the book's kernel alone. */
static void print_kernel(struct app_page *page)
{
    const struct app_result_read *sides[] = {
        app_results_find(page->results, 0, "book", "global/kernel"),
        app_results_find(page->results, 0, "book", "constant/kernel")};
    if (!sides[0] || !sides[1])
        return;
    struct app_table *table = app_table_new("The book's kernel alone, on the book's scene");
    app_table_column(table, "storage", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "median");
    app_page_end_columns(table);
    for (int side = 0; side < 2; side++) {
        const struct app_estimate median = app_result_estimate(sides[side], "median_ms");
        const struct app_shown shown = app_shown_time(&median);
        app_table_row(table);
        app_table_cell(table, "%s", sides[side]->variant);
        app_page_value_cells(page, table, &median, &shown);
        app_page_end_cells(page, table, sides[side]);
    }
    note_ratio(table, sides[0], sides[1], "By the kernel", "processes");
    app_page_print(page, table);
}

void app_print_book(struct app_page *page)
{
    print_window(page);
    print_kernel(page);
}
