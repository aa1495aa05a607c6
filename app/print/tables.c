/* The tables of a record: its head, the ray tracer, the book, duels, claims and the roofline, and
 * the reasons to doubt the numbers. */
#include "print/print.h"

#include "command/entry.h"
#include "krn/memory.h"
#include "spec/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns 1 << the storage of a mode in text form; 0: the text is NULL or no mode. */
static unsigned storage_bit(const char *mode)
{
    struct krn_mode found;
    return mode && app_mode_parse(mode, strlen(mode), &found) ? 1u << found.storage : 0u;
}

/* Creates a table of what was rendered, "20 spheres, 1024x1024 pixels". A page of HTML, which lists
 * its sections, has that in the title. */
static struct app_table *workload_table(const struct app_page *page, const char *title,
                                        const struct app_column *columns, size_t count,
                                        const struct app_result *result)
{
    const double spheres = app_result_number(result, APP_W_SPHERES, NAN),
                 zoom = app_result_number(result, APP_W_ZOOM, NAN),
                 pose = app_result_number(result, APP_W_POSE_S, NAN);
    const char *seed = app_result_text(result, APP_W_SEED),
               *view = app_result_text(result, APP_W_VIEW),
               *camera = app_result_text(result, APP_W_CAMERA);
    char text[320], whole[400];
    if (!isfinite(spheres))
        return app_page_table(page, title, columns, count);
    app_format(text, sizeof text, "%.0f sphere%s, %.0fx%.0f pixels", spheres,
               spheres > 1.0 ? "s" : "", app_result_number(result, APP_W_WIDTH, 0.0),
               app_result_number(result, APP_W_HEIGHT, 0.0));
    if (seed)
        app_append(text, sizeof text, ", ", "seed %s", seed);
    if (isfinite(zoom))
        app_append(text, sizeof text, ", ", "zoom %g", zoom);
    if (view)
        app_append(text, sizeof text, ", ", "%s view, camera %s, %.0f bounces, %.0f samples", view,
                   camera ? camera : "n/a", app_result_number(result, APP_W_BOUNCES, 0.0),
                   app_result_number(result, APP_W_SAMPLES, 0.0));
    if (pose > 0.0)
        app_append(text, sizeof text, ", ", "pose of %g s", pose);
    if (app_result_text(result, APP_W_POSE_S))
        app_append(text, sizeof text, ", ", "moving");
    snprintf(whole, sizeof whole, "%s – %s", title, text);
    const bool html = page->style >= APP_STYLE_HTML;
    struct app_table *table = app_page_table(page, html ? whole : title, columns, count);
    if (!html)
        app_table_about(table, "%s", text);
    return table;
}

/* Notes the number of rays of a frame, where the result has it. */
static void note_rays(struct app_table *table, const struct app_result *result)
{
    const double rays = app_result_number(result, APP_M_RAYS, NAN);
    if (rays > 0.0)
        app_table_note(table,
                       "Rays of a frame: %.0f, counted: from the eye, off mirrors and towards the "
                       "sun.",
                       rays);
}

/* Adds a row for a result. */
static void add_result(const struct app_page *page, struct app_table *table,
                       const struct app_result *result)
{
    app_table_add(table, app_page_write, &(struct app_row){page, result, .side = 0});
}

/* --- the ray tracer --- */

/* Returns true when both modes belong into one table. */
static bool same_table(const struct app_result *a, const struct app_result *b)
{
    return strcmp(a->benchmark, b->benchmark) == 0 && a->backend == b->backend &&
           app_pairs_equal(a->workload, b->workload);
}

/* Returns the next mode in the table of `last`; NULL: there is none. */
static const struct app_result *next_of(const struct app_page *page, const struct app_result *last)
{
    return page->next[last - page->results->results];
}

/* Links the results of each table, and lists the first ones. Returns the number of tables. */
static size_t find_tables(struct app_page *page, const struct app_result **firsts)
{
    const struct app_results *results = page->results;
    const struct app_result **last = krn_alloc(results->count, sizeof *last);
    size_t *table = krn_alloc(results->count, sizeof *table), tables = 0, count = 0;
    for (size_t i = 0; i < results->count; i++) { /* by key, a table's results are neighbours */
        tables += i > 0 && !same_table(results->by_key[i - 1], results->by_key[i]);
        table[results->by_key[i] - results->results] = tables;
    }
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result **before = &last[table[i]];
        if (*before != NULL)
            page->next[*before - results->results] = &results->results[i];
        else
            firsts[count++] = &results->results[i];
        *before = &results->results[i];
    }
    free(last);
    free(table);
    return count;
}

/* Notes the times that few modes have, one note for each kind: "binned/global 7.80 µs". */
static void note_times(const struct app_page *page, struct app_table *table,
                       const struct app_result *first, enum app_member metric, const char *what)
{
    char line[1000] = "";
    for (const struct app_result *r = first; r; r = next_of(page, r)) {
        const double ms = app_result_number(r, metric, NAN);
        const struct app_number time = app_number_time(ms);
        if (ms > 0.0)
            app_append(line, sizeof line, ", ", "%s %s %s", r->variant, time.value, time.unit);
    }
    if (line[0])
        app_table_note(table, "%s: %s", what, line);
}

/* Prints what the kernels of these modes take of a multiprocessor, where records tell it. */
static void print_resources(struct app_page *page, const struct app_result *first)
{
    static const struct app_column name = {"kernel/storage/K", .shows = APP_SHOWS_NAME};
    bool any = false;
    struct app_table *table = workload_table(
        page, "Ray tracer, what a kernel takes of a multiprocessor", &name, 1, first);
    app_table_about(table, "shared and constant memory in bytes per block; spilled registers in "
                           "bytes per thread; of several kernels, the last one");
    for (int i = 0; i < APP_RESOURCES; i++) {
        const struct app_resource *resource = &app_resources[i];
        const struct app_phrase title =
            app_phrase("%s%s", resource->title, resource->unit[0] == '%' ? " %" : "");
        const struct app_column column = {title.text, APP_ALIGN_RIGHT, .shows = APP_SHOWS_COUNT,
                                          .of = (int)resource->member};
        app_table_columns(table, &column, 1);
    }
    for (const struct app_result *r = first; r; r = next_of(page, r))
        if (app_result_number(r, APP_O_REGISTERS, 0.0) > 0.0) {
            add_result(page, table, r);
            any = true;
        }
    if (any)
        app_page_print(page, table);
    else
        app_table_free(table);
}

/* Returns true where a mode above differs by a storage that is no memory of its own. */
static bool is_again(const struct app_page *page, const struct app_result *first,
                     const struct app_result *result)
{
    struct krn_mode mode, above;
    for (const struct app_result *r = first; r != result; r = next_of(page, r))
        if (app_result_mode(r, &above) && app_result_mode(result, &mode) &&
            app_same_caches((struct app_duel_side){result->backend, above},
                            (struct app_duel_side){result->backend, mode}))
            return true;
    return false;
}

/* Prints the modes whose first is `first`. They are compared with the book's kernel from global
 * memory, or else with the first. Modes of the light view have counted rays. */
static void print_workload(struct app_page *page, const struct app_result *first)
{
    static const struct app_column columns[] = {
        {"kernel/storage/K", .shows = APP_SHOWS_NAME},
        APP_COLUMNS_TIMES,
        {"speed", APP_ALIGN_RIGHT, .shows = APP_SHOWS_SPEED, .of = APP_M_MEDIAN_MS},
        {"net speed", APP_ALIGN_RIGHT, .shows = APP_SHOWS_SPEED, .of = APP_M_NET_MS},
        {"of limit", APP_ALIGN_RIGHT, .shows = APP_SHOWS_LIMIT},
        {"rays/s", APP_ALIGN_RIGHT, .shows = APP_SHOWS_RAYS, .of = APP_M_RAYS_PER_S},
        APP_COLUMNS_END};
    struct app_row row = {.page = page, .base = first};
    struct app_table *table =
        workload_table(page, "Ray tracer, time of the kernel", APP_COLUMNS(columns), first);
    unsigned storages = 0, common = ~0u;
    int rows = 0;
    for (const struct app_result *r = first; r; r = next_of(page, r)) {
        rows++;
        if (strcmp(row.base->variant, "book/global") != 0 && strcmp(r->variant, "book/global") == 0)
            row.base = r;
        row.rays = row.rays || app_result_number(r, APP_M_RAYS_PER_S, NAN) > 0.0;
        common &= r->trust.reasons;
        storages |= storage_bit(r->variant);
    }
    app_table_about(table, "speed: times as fast as %s, by raw and by net time", row.base->variant);
    if (page->processes > 1)
        app_table_about(table, "Of %d intervals at 95 %%, expect %.3g to miss.", rows, rows / 20.0);
    app_page_common(page, table, common);
    for (const struct app_result *r = first; r; r = next_of(page, r)) {
        row.result = r;
        row.again = is_again(page, first, r);
        app_table_add(table, app_page_write, &row);
        app_page_wrong(table, r, "picture", "");
    }
    note_times(page, table, first, APP_M_LISTS_MEDIAN_MS,
               row.rays ? "Of it, to build the tree" : "Of it, to sort spheres into tiles");
    if (row.rays)
        note_rays(table, first);
    note_times(page, table, first, APP_M_BATCHED_MS, "Per launch, in batches");
    app_page_same_caches(table, first->backend, storages);
    app_page_print(page, table);
}

/* Prints the ray tracer's modes that are not in a sweep, two tables per workload, and the sweep. */
static void print_raytrace(struct app_page *page)
{
    struct app_sweep *sweep = app_sweep_read(page->results);
    const bool several = sweep != NULL && sweep->points > 1;
    const size_t most = page->results->count;
    const struct app_result **firsts = krn_alloc(most, sizeof *firsts);
    page->next = krn_alloc(most, sizeof *page->next);
    const size_t count = find_tables(page, firsts);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(firsts[i]->benchmark, "raytrace") != 0 ||
            (several && app_sweep_has(sweep, firsts[i])))
            continue;
        print_workload(page, firsts[i]);
        print_resources(page, firsts[i]);
    }
    free(firsts);
    free(page->next);
    if (several)
        app_print_sweep(page, sweep);
    free(sweep);
}

/* Prints the kernels of a folder, which are in the order of their ranks. */
static void print_class(struct app_page *page)
{
    static const struct app_column columns[] = {
        {"rank", APP_ALIGN_RIGHT, .shows = APP_SHOWS_COUNT, .of = APP_O_RANK},
        {"kernel", .shows = APP_SHOWS_NAME},
        APP_COLUMNS_VALUE("median", APP_M_MEDIAN_MS),
        {"speed", APP_ALIGN_RIGHT, .shows = APP_SHOWS_VALUE, .of = APP_M_RATIO},
        {"99 % of all", .shows = APP_SHOWS_INTERVAL, .of = APP_M_RATIO},
        {"of limit", APP_ALIGN_RIGHT, .shows = APP_SHOWS_LIMIT},
        {"no time, because", .shows = APP_SHOWS_TEXT, .of = APP_O_NOTE, .wrap = 40},
        APP_COLUMNS_VERIFIED};
    struct app_table *table =
        app_page_table(page, "The kernels of the folder", APP_COLUMNS(columns));
    app_table_about(table, "speed: times as fast as the book's kernel from global memory, median "
                           "of pairs of frames; rank: 1 + the kernels whose interval lies above");
    for (size_t i = 0; i < page->results->count; i++)
        if (strcmp(page->results->results[i].benchmark, "class") == 0)
            add_result(page, table, &page->results->results[i]);
    app_page_print(page, table);
}

/* Prints the results of a benchmark that has no table of its own. */
static void print_others(struct app_page *page, const char *benchmark)
{
    static const struct app_column columns[] = {
        {"result", .shows = APP_SHOWS_NAME}, APP_COLUMNS_TIMES, APP_COLUMNS_END};
    struct app_table *table = app_page_table(page, benchmark, APP_COLUMNS(columns));
    for (size_t i = 0; i < page->results->count; i++) {
        const struct app_result *result = &page->results->results[i];
        if (strcmp(result->benchmark, benchmark) != 0)
            continue;
        add_result(page, table, result);
        app_page_wrong(table, result, "result", "");
    }
    app_page_print(page, table);
}

/* --- the book --- */

/* Of the book's own timing window: each column has the variant as its key. */
enum { VARIANTS = 4 };

static const struct app_column window_columns[1 + VARIANTS] = {
    {"median", .shows = APP_SHOWS_NAME},
    {"global/cold", APP_ALIGN_RIGHT, .key = "global/cold", .wrap = 22},
    {"constant/cold", APP_ALIGN_RIGHT, .key = "constant/cold", .wrap = 22},
    {"global/warm", APP_ALIGN_RIGHT, .key = "global/warm", .wrap = 22},
    {"constant/warm", APP_ALIGN_RIGHT, .key = "constant/warm", .wrap = 22}};

/* Its rows: each shows what a column of results would. */
static const struct app_column window_rows[] = {
    {"the book's window", .shows = APP_SHOWS_BOTH, .of = APP_M_MEDIAN_MS},
    {"- host alloc", .shows = APP_SHOWS_BOTH, .of = APP_M_HOST_ALLOC_MS},
    {"- device alloc", .shows = APP_SHOWS_BOTH, .of = APP_M_DEVICE_ALLOC_MS},
    {"- scene", .shows = APP_SHOWS_BOTH, .of = APP_M_SCENE_MS},
    {"- upload", .shows = APP_SHOWS_BOTH, .of = APP_M_UPLOAD_MS},
    {"- launch", .shows = APP_SHOWS_BOTH, .of = APP_M_LAUNCH_MS},
    {"- read back", .shows = APP_SHOWS_BOTH, .of = APP_M_READ_BACK_MS},
    {"- all items", .shows = APP_SHOWS_BOTH, .of = APP_M_ITEMS_MS},
    {"its kernel", .shows = APP_SHOWS_BOTH, .of = APP_M_KERNEL_MS},
    {"loading, before", .shows = APP_SHOWS_BOTH, .of = APP_M_LOAD_MS},
    {"n", .shows = APP_SHOWS_SAMPLES},
    {"verified", .shows = APP_SHOWS_VERIFIED},
    {"trust", .shows = APP_SHOWS_TRUST}};

struct window_row {
    const struct app_page *page;
    const struct app_column *shown;
};

static const struct app_result *book_result(const struct app_page *page, const char *variant)
{
    return app_results_find(page->results, 0, "book", variant);
}

static bool write_window(struct app_table *table, const struct app_column *column, const void *of)
{
    const struct window_row *row = of;
    const struct app_result *result = column->key ? book_result(row->page, column->key) : NULL;
    if (!column->key)
        return app_table_cell(table, "%s", row->shown->title);
    if (!result)
        return row->shown->shows == APP_SHOWS_SAMPLES && app_table_cell(table, "0");
    const struct app_row cell = {row->page, result, .side = 0};
    const bool some = app_page_write(table, row->shown, &cell);
    if (some && row->shown == window_rows)
        app_page_detail(row->page, table, result, -1);
    return some;
}

/* Notes how many times as fast constant memory is. */
static void note_ratio(struct app_table *table, const struct app_result *global,
                       const struct app_result *constant, const char *by, const char *over)
{
    const struct app_estimate ratio = app_results_book_ratio(global, constant);
    const struct app_described said = app_page_describe(&ratio, "");
    const enum app_verdict none = app_trust_no_verdict(ratio.trust);
    if (ratio.valid && none)
        app_table_note(table, "%s: %s", by, app_verdict_word(none));
    else if (ratio.valid && !krn_backend_get(global->backend)->can->distinct_storages)
        app_table_note(table, "%s: %s", by, app_verdict_entry(APP_VERDICT_SAME_CACHES)->says);
    else if (ratio.valid)
        app_table_note(table, "%s: constant is %s%s%s times as fast as global, across %zu %s", by,
                       said.text, said.interval[0] ? " " : "", said.interval, ratio.processes,
                       over);
}

/* Prints the window and its items. */
static void print_window(struct app_page *page)
{
    const struct app_result *results[VARIANTS];
    const char *scope = "";
    struct app_table *table =
        app_page_table(page, "The book's own timing window", APP_COLUMNS(window_columns));
    for (int v = 0; v < VARIANTS; v++) {
        results[v] = book_result(page, window_columns[1 + v].key);
        scope = results[v] ? results[v]->scope : scope;
    }
    app_table_about(table, "%s", scope);
    for (size_t r = 0; r < sizeof window_rows / sizeof *window_rows; r++)
        app_table_add(table, write_window, &(struct window_row){page, &window_rows[r]});
    app_table_note(table,
                   "Loading the kernel comes before the window: the book's runtime did it at "
                   "the start of the program, today's does it at the first launch.");
    note_ratio(table, results[0], results[1], "By the window, cold", "processes");
    note_ratio(table, results[2], results[3], "By the window, warm",
               page->results->run.processes > 1 ? "processes" : "runs in one process");
    for (int v = 0; v < VARIANTS; v++) /* the line that the book's program prints */
        if (results[v] && app_result_number(results[v], APP_M_MEDIAN_MS, NAN) > 0.0)
            app_table_note(table, "Time to generate: %3.1f ms (%s)",
                           app_result_number(results[v], APP_M_MEDIAN_MS, NAN),
                           results[v]->variant);
    for (int v = 0; v < VARIANTS; v++)
        if (results[v])
            app_page_wrong(table, results[v], "picture", "");
    app_page_print(page, table);
}

static void print_book(struct app_page *page)
{
    static const struct app_column columns[] = {{"storage", .shows = APP_SHOWS_NAME},
                                                APP_COLUMNS_VALUE("median", APP_M_MEDIAN_MS),
                                                APP_COLUMNS_END};
    const struct app_result *global = book_result(page, "global/kernel"),
                            *constant = book_result(page, "constant/kernel");
    print_window(page);
    if (!global || !constant)
        return;
    struct app_table *table =
        app_page_table(page, "The book's kernel alone, on the book's scene", APP_COLUMNS(columns));
    add_result(page, table, global);
    add_result(page, table, constant);
    note_ratio(table, global, constant, "By the kernel", "processes");
    app_page_print(page, table);
}

/* --- duels --- */

/* Notes the ratio with its verdict. */
static void note_verdict(struct app_table *table, const struct app_result *result)
{
    const struct app_estimate ratio = app_result_metric(result, APP_M_RATIO);
    const struct app_described said = app_page_describe(&ratio, "");
    const double band = app_result_number(result, APP_P_BAND_PERCENT, KRN_DUEL_BAND_PERCENT);
    const char *verdict = app_result_text(result, APP_O_VERDICT);
    const bool firm = app_result_number(result, APP_M_SECONDS, NAN) >= KRN_DUEL_FIRM_S;
    const struct app_phrase interval =
        !ratio.has_interval ? app_phrase("%s", "")
        : ratio.processes > 1
            ? app_phrase(", 95 %% interval %s across %zu processes", said.interval, ratio.processes)
            : app_phrase(", %s %s", said.interval, firm ? "in this run" : "so far in this run");
    if (ratio.valid)
        app_table_note(table, "%s: A is %s times as fast as B%s (band %g %%).",
                       verdict ? verdict : app_verdict_word(APP_VERDICT_CANT_TELL), said.text,
                       interval.text, band);
    else
        app_table_note(table, "No ratio: there are too few pairs.");
}

/* Notes why one process's verdict is less than what its run showed. */
static void note_reservation(struct app_table *table, const struct app_result *result)
{
    const char *verdict = app_result_text(result, APP_O_VERDICT),
               *so_far = app_result_text(result, APP_O_SO_FAR);
    if (result->process_count > 1 || !verdict)
        return;
    if (app_verdict_of_word(verdict) == APP_VERDICT_WANDERING)
        app_table_note(table, "The ratio changes too slowly for this run to average it out: "
                              "there is no interval.");
    else if (so_far && strcmp(so_far, verdict) != 0)
        app_table_note(table,
                       "%s so far: a state of the machine that lasts as long as this run would "
                       "look the same; a difference this small is firm after %g s.",
                       so_far, KRN_DUEL_FIRM_S);
}

static void note_looks(struct app_table *table, const struct app_result *result, bool same)
{
    const double claims = app_result_number(result, APP_M_CLAIMS, NAN);
    app_table_note(table, "%.0f pairs; %s s; ended by %s.", app_result_number(result, APP_M_N, NAN),
                   app_number_plain(app_result_number(result, APP_M_SECONDS, NAN), "").value,
                   result->stop ? result->stop : "interrupt");
    if (claims > 0.0)
        app_table_note(table, "%.0f of the looks saw a difference, the first after %.2f s.", claims,
                       app_result_number(result, APP_M_FIRST_CLAIM_S, NAN));
    else if (!same)
        app_table_note(table, "No look saw a difference.");
}

/* Notes the duel of the faster side against itself, and what it means when it shows a difference.
 */
static void note_aa(struct app_table *table, const struct app_result *result)
{
    const struct app_estimate ratio = app_result_metric(result, APP_M_AA_RATIO);
    const struct app_described said = app_page_describe(&ratio, "");
    const bool alone = result->process_count < 2;
    const char *side = alone ? app_result_text(result, APP_O_AA_SIDE) : NULL,
               *verdict = alone ? app_result_text(result, APP_O_AA_VERDICT) : NULL;
    if (!ratio.valid)
        return;
    app_table_note(table, "A/A, %s against itself: %s%s%s%s%s, %.0f pairs.",
                   side ? side : "the faster side", verdict ? verdict : "", verdict ? ", " : "",
                   said.text, said.interval[0] ? " " : "", said.interval,
                   app_result_number(result, APP_M_AA_N, NAN));
    if (app_result_number(result, APP_O_DISTRUSTED, 0.0) > 0.0)
        app_table_note(table, "DO NOT TRUST the verdict: one side against itself shows a "
                              "difference, too.");
}

/* Prints the ratio that each process found, with its interval of that run. */
static void print_processes(struct app_page *page, const struct app_result *result)
{
    static const struct app_column columns[] = {
        {"process", APP_ALIGN_RIGHT, .shows = APP_SHOWS_NAME},
        {"ratio", APP_ALIGN_RIGHT, .shows = APP_SHOWS_VALUE, .of = APP_M_RATIO},
        {"this run", .shows = APP_SHOWS_INTERVAL, .of = APP_M_RATIO},
        {"verdict", .shows = APP_SHOWS_VERDICT},
        {"pairs", APP_ALIGN_RIGHT, .shows = APP_SHOWS_SAMPLES},
        {"A/A ratio", APP_ALIGN_RIGHT, .shows = APP_SHOWS_VALUE, .of = APP_M_AA_RATIO},
        {"seconds", APP_ALIGN_RIGHT, .shows = APP_SHOWS_PLAIN, .of = APP_M_SECONDS},
        {"until", .shows = APP_SHOWS_STOP},
        APP_COLUMN_TRUST};
    struct app_table *table =
        app_page_table(page, "The duel, process by process", APP_COLUMNS(columns));
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *process = &result->processes[i];
        const struct app_phrase name = app_phrase("%d", process->process);
        app_table_add(table, app_page_write,
                      &(struct app_row){page, result, .process = process, .name = name.text});
    }
    app_page_print(page, table);
}

/* Returns the reasons that a text of ids names. */
static unsigned reasons_in(const char *ids)
{
    unsigned reasons = 0;
    while (ids && *ids) {
        const size_t length = strcspn(ids, " ");
        reasons |= app_trust_of_id(app_phrase("%.*s", (int)length, ids).text);
        ids += length + strspn(ids + length, " ");
    }
    return reasons;
}

/* Returns the result as it concerns one side: its verification, and its reasons in all processes.
 * Older records have them of both sides together only. */
static struct app_result side_of(const struct app_result *result, int side)
{
    struct app_result own = *result;
    unsigned reasons = 0;
    bool known = false;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *process = &result->processes[i];
        const char *verified =
            app_process_text(process, (enum app_member)(APP_O_A_VERIFIED + side));
        known = known || verified;
        reasons |= reasons_in(app_process_text(process, (enum app_member)(APP_O_A_TRUST + side)));
        /* Not every process compares the whole picture: the first does, and others may find more
         * that is wrong. */
        if (verified && (i == 0 || strcmp(verified, "WRONG") == 0))
            own.verified = strcmp(verified, "yes") == 0     ? APP_VERIFIED_TRUE
                           : strcmp(verified, "WRONG") == 0 ? APP_VERIFIED_FALSE
                                                            : APP_VERIFIED_UNKNOWN;
    }
    if (!known)
        return *result;
    if (own.verified == APP_VERIFIED_TRUE)
        reasons &= ~APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED);
    own.trust = (struct app_results_trust){.reasons = reasons};
    return own;
}

/* Notes why there is no verdict. */
static void note_none(struct app_table *table, const struct app_result *result)
{
    const unsigned reasons = result->trust.reasons, first = reasons & ~(reasons - 1);
    const bool a = side_of(result, 0).trust.reasons & first,
               b = side_of(result, 1).trust.reasons & first;
    app_table_note(table, "%s, no verdict: %s%s.", app_verdict_word(app_trust_no_verdict(reasons)),
                   app_trust_first(reasons),
                   a && b ? " on both sides"
                   : a    ? " on side A"
                   : b    ? " on side B"
                          : "");
}

static void print_duel(struct app_page *page, const struct app_result *result)
{
    static const struct app_column columns[] = {
        {"side", .shows = APP_SHOWS_SIDE},
        {"mode", .shows = APP_SHOWS_NAME},
        APP_COLUMNS_VALUE("median", APP_M_A_MEDIAN_MS),
        APP_COLUMNS_NET(APP_M_A_OVERHEAD_MS, APP_M_A_NET_MS),
        {"rays/s", APP_ALIGN_RIGHT, .shows = APP_SHOWS_RAYS, .of = APP_M_A_RAYS_PER_S},
        APP_COLUMNS_VERIFIED};
    const char *modes[] = {app_result_text(result, APP_P_A), app_result_text(result, APP_P_B)};
    const bool same =
        app_verdict_of_word(app_result_text(result, APP_O_VERDICT)) == APP_VERDICT_SAME_CACHES;
    struct app_table *table =
        workload_table(page, "Duel, both modes on every frame", APP_COLUMNS(columns), result);
    for (int side = 0; side < 2; side++) {
        const struct app_result own = side_of(result, side);
        const struct app_row row = {.page = page,
                                    .result = &own,
                                    .name = modes[side],
                                    .side = side,
                                    .sides = true,
                                    .rays = app_result_number(result, APP_M_RAYS, NAN) > 0.0};
        page->reasons |= own.trust.reasons;
        app_table_add(table, app_page_write, &row);
    }
    if (app_trust_no_verdict(result->trust.reasons))
        note_none(table, result);
    else if (!same)
        note_verdict(table, result);
    note_reservation(table, result);
    note_looks(table, result, same);
    note_aa(table, result);
    note_rays(table, result);
    app_page_same_caches(table, result->backend, storage_bit(modes[0]) | storage_bit(modes[1]));
    app_page_wrong(table, result, "picture", "");
    app_page_print(page, table);
    if (result->process_count > 1)
        print_processes(page, result);
}

static void print_duels(struct app_page *page)
{
    for (size_t i = 0; i < page->results->count; i++)
        if (strcmp(page->results->results[i].benchmark, "duel") == 0)
            print_duel(page, &page->results->results[i]);
}

/* --- claims --- */

/* Prints a text of a claim in a tag of its own. */
static void write_tagged(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    app_write_markup(out, text);
    fprintf(out, "</%s> ", tag);
}

static void write_claim(FILE *out, const struct app_results *results,
                        const struct app_result *result)
{
    static const char *const classes[] = {[APP_SENSE_GOOD] = "good", [APP_SENSE_BAD] = "bad"};
    const char *word = app_page_text(result, APP_O_VERDICT);
    const struct app_verdict_entry *verdict = app_verdict_entry(app_verdict_of_word(word));
    const char *name =
        verdict->sense < sizeof classes / sizeof *classes ? classes[verdict->sense] : NULL;
    fprintf(out, "<li class=\"%s\">", name ? name : "");
    write_tagged(out, "b",
                 app_phrase("%s %s", verdict->sign, verdict->says[0] ? verdict->says : word).text);
    write_tagged(out, "span", app_page_text(result, APP_O_CLAIM));
    write_tagged(out, "i",
                 app_phrase("(%s, %s)", app_page_text(result, APP_O_TEXT_NUMBER),
                            app_page_text(result, APP_O_TEXT_DEVICE))
                     .text);
    write_tagged(out, "b", app_page_text(result, APP_O_NUMBER));
    if (results->origin.valid && app_result_copied(result))
        write_tagged(out, "i", results->origin.device.name);
    fputs("</li>\n", out);
}

/* Writes the claims as sentences: the verdict, the claim, what was published, and what is now. */
static void write_board(FILE *out, const void *of)
{
    const struct app_results *results = of;
    fputs("<ul>\n", out);
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        const enum app_verdict verdict = app_verdict_of_word(app_page_text(result, APP_O_VERDICT));
        /* A recorded run may have what this machine has not measured. */
        if (strcmp(result->benchmark, "claims") == 0 &&
            ((verdict != APP_VERDICT_NOT_MEASURED && verdict != APP_VERDICT_NOT_APPLICABLE) ||
             !app_results_find(results, i + 1, "claims", result->variant)))
            write_claim(out, results, result);
    }
    fputs("</ul>\n", out);
}

static void print_claims(struct app_page *page)
{
    static const struct app_column columns[] = {
        {"claim", .shows = APP_SHOWS_NAME},
        {"then", .shows = APP_SHOWS_TEXT, .of = APP_O_TEXT_NUMBER},
        {"now", .shows = APP_SHOWS_TEXT, .of = APP_O_NUMBER},
        {NULL, .shows = APP_SHOWS_TEXT, .of = APP_O_INTERVAL},
        {"verdict", .shows = APP_SHOWS_JUDGED, .of = APP_O_VERDICT},
        APP_COLUMN_TRUST};
    struct app_table *table =
        app_page_table(page, "Published claims, judged on this device", APP_COLUMNS(columns));
    app_table_about(table,
                    "All rows together are judged at 99 %%, and so each by the interval that "
                    "is shown, at 99.94 %%.");
    for (size_t i = 0; i < page->results->count; i++) {
        const struct app_result *result = &page->results->results[i];
        if (strcmp(result->benchmark, "claims") != 0)
            continue;
        const char *const notes[] = {app_page_text(result, APP_O_NOTE),
                                     app_page_text(result, APP_O_METHOD)};
        const char *separator = ": ";
        char said[800] = "";
        if (page->style < APP_STYLE_HTML) /* there, the board says it */
            app_append(said, sizeof said, "", "%s (%s, %s)", app_page_text(result, APP_O_CLAIM),
                       app_page_text(result, APP_O_TEXT_NUMBER),
                       app_page_text(result, APP_O_TEXT_DEVICE));
        /* A note that names a key, such as "press {measure}", is for a window. */
        for (int n = 0; n < 2; n++)
            if (notes[n][0] && !strchr(notes[n], '{')) {
                app_append(said, sizeof said, separator, "%s", notes[n]);
                separator = "; ";
            }
        if (said[0])
            app_table_note(table, "%s: %s", result->variant, said);
        add_result(page, table, result);
    }
    if (page->style >= APP_STYLE_HTML)
        app_table_figure(table, krn_printed(write_board, page->results));
    app_page_print(page, table);
}

/* --- the roofline: every kernel with its intensity, its rate and the roof that bounds it --- */

/* Adds a paragraph about a roof: "single precision 60.4 TFLOP/s measured, 66.9 TFLOP/s computed".
 */
static void describe_ceiling(struct app_table *table, const char *name,
                             const struct app_ceiling *ceiling, enum app_member metric,
                             const char *computed)
{
    const struct app_form form = app_metric_form(metric, 0.0);
    const struct app_described measured = app_describe(ceiling->measured, form),
                               most = app_describe(app_estimate_plain(ceiling->computed), form);
    const bool known = ceiling->computed > 0.0;
    if (ceiling->measured.valid || known)
        app_table_about(table, "%s: measured %s, %s %s", name,
                        ceiling->measured.valid ? measured.text : "not measured", computed,
                        known ? most.text : "unknown");
}

static void describe_roofs(struct app_table *table, const struct app_roofline *roofline)
{
    describe_ceiling(table, "Single precision", &roofline->single, APP_M_GFLOPS, "computed");
    describe_ceiling(table, "Double precision", &roofline->twice, APP_M_GFLOPS, "computed");
    describe_ceiling(table, "Memory", &roofline->memory, APP_M_EFFECTIVE_GBPS, "theoretical");
    if (roofline->ridge > 0.0)
        app_table_about(table,
                        "The roofs meet at %s FLOP per byte (single precision): below it, the "
                        "memory bounds a kernel.",
                        app_number_plain(roofline->ridge, "").value);
}

enum { SHOWS_INTENSITY = APP_SHOWS_OWN, SHOWS_ARITHMETIC, SHOWS_BANDWIDTH, SHOWS_BOUND };

/* Adds what is known about a point of the roofline. */
static bool write_point(struct app_table *table, const struct app_column *column, const void *of)
{
    const struct app_row *row = of;
    const struct app_roofline_point *point = row->point;
    const enum app_verdict none = app_trust_no_verdict(point->ms.trust);
    const bool bytes = isfinite(point->intensity);
    switch (column->shows) {
    case APP_SHOWS_NAME:
        return app_table_cell(table, "%s", point->name);
    case SHOWS_INTENSITY:
        return app_table_cell(table, "%s",
                              bytes ? app_number_plain(point->intensity, "").value : "no bytes");
    case SHOWS_ARITHMETIC:
        return point->integer ? app_table_cell(table, "%s Gop/s",
                                               app_number_plain(point->gflops.value, "").value)
                              : app_page_rate(table, APP_M_GFLOPS, point->gflops);
    case SHOWS_BANDWIDTH:
        return app_page_rate(table, APP_M_EFFECTIVE_GBPS, point->gbps);
    case SHOWS_BOUND:
        return !none && app_table_cell(table, "%s", app_roof_name(point->bound));
    default:
        if (point->sets_roof && !none)
            return column->shows == APP_SHOWS_VALUE && app_table_cell(table, "sets the roof");
        return none ? column->shows == APP_SHOWS_VALUE &&
                          app_table_cell(table, "%s", app_verdict_word(none))
                    : app_page_value(row->page, table, column, &point->of_roof, "%");
    }
}

static void print_roofs(struct app_page *page, const struct app_roofline *roofline)
{
    static const struct app_column columns[] = {
        {"kernel", .shows = APP_SHOWS_NAME},
        {"FLOP/byte", APP_ALIGN_RIGHT, .shows = SHOWS_INTENSITY},
        {"arithmetic", APP_ALIGN_RIGHT, .shows = SHOWS_ARITHMETIC},
        {"bandwidth", APP_ALIGN_RIGHT, .shows = SHOWS_BANDWIDTH},
        APP_COLUMNS_VALUE("of roof", 0),
        {"bound by", .shows = SHOWS_BOUND}};
    struct app_table *table = app_page_table(page, "Roofline", APP_COLUMNS(columns));
    bool integers = false, tracer = false, above = false;
    describe_roofs(table, roofline);
    for (int i = 0; i < roofline->count; i++) {
        const struct app_estimate *of = &roofline->points[i].of_roof;
        app_table_add(table, write_point, &(struct app_row){page, .point = &roofline->points[i]});
        integers = integers || roofline->points[i].integer;
        tracer = tracer || roofline->points[i].group == APP_ROOFLINE_TRACER;
        above = above || (of->valid && of->high > 100.0);
        if (of->valid && of->value > 100.0)
            app_table_note(table, "%s is above the roof: caches serve some of its bytes.",
                           roofline->points[i].name);
    }
    app_table_note(table,
                   "of roof: percentage of the lower roof at this intensity, the measured one "
                   "where it is known. Below %.0f %%, neither bounds a kernel.",
                   APP_ROOFLINE_FAR);
    if (above)
        app_table_note(table, "An interval that reaches above 100 %% has the uncertainty of the "
                              "roof in it, which is measured, too.");
    if (integers)
        app_table_note(table, "The cubes are integer operations, which have no roof here.");
    if (tracer)
        app_table_note(table, "Ray tracer: operations of the kernel's source per frame; bytes: the "
                              "image, and every sphere once.");
    app_page_print(page, table);
}

/* Prints every kernel of the record against the roofs, where a roof is known. */
static void print_roofline(struct app_page *page)
{
    struct app_probes_view view;
    struct app_mode_work *modes = krn_alloc(KRN_MODES_MAX, sizeof *modes);
    struct app_roofline *roofline = krn_alloc(1, sizeof *roofline);
    bool bound = false;
    struct app_result *probes = app_results_probes(page->results, 1, &view);
    app_roofline_make(&view, modes, app_page_modes(page->results, modes), roofline);
    for (int i = 0; i < roofline->count; i++)
        bound = bound || roofline->points[i].bound != APP_ROOF_UNKNOWN;
    if (bound)
        print_roofs(page, roofline);
    free(probes);
    free(modes);
    free(roofline);
}

/* --- the head --- */

static void describe_device(struct app_table *table, const struct app_page *page)
{
    const struct app_results *results = page->results;
    const struct krn_device_info *device = &results->device;
    const struct krn_overheads *overheads = &results->overheads;
    const struct app_number event = app_number_time(overheads->event_ms),
                            launch = app_number_time(overheads->empty_kernel_ms);
    const struct app_phrase known = app_phrase("; event overhead %s %s, launch floor %s %s",
                                               event.value, event.unit, launch.value, launch.unit);
    const char *floors = overheads->empty_kernel_ms > 0.0 ? known.text : "";
    if (results->has_device && page->recorded) /* its clock timed nothing of what follows */
        app_table_about(table, "Picture by %s, %s (%s)", krn_backend_name(device->backend),
                        device->name, device->runtime);
    else if (results->has_device)
        app_table_about(table, "%s, %s (%s), times by %s%s", krn_backend_name(device->backend),
                        device->name, device->runtime, device->clock, floors);
}

/* Says whose intervals these are. The note of a recorded run names its device. */
static void describe_run(struct app_table *table, const struct app_page *page)
{
    const struct app_results *results = page->results;
    const struct app_results_run *run = &results->run;
    const size_t processes = page->recorded ? page->processes : (size_t)run->processes;
    char whose[160] = "";
    if (page->recorded)
        app_append(whose, sizeof whose, "", "Recorded by %s of another run",
                   app_phrase(processes > 1 ? "%zu processes" : "one process", processes).text);
    else
        app_append(whose, sizeof whose, "", processes > 1 ? "%zu processes" : "One process",
                   processes);
    if (!page->recorded && run->has_seed && processes > 1)
        app_append(whose, sizeof whose, ", ", "in orders shuffled by seed %llu",
                   (unsigned long long)run->seed);
    if (!page->recorded && run->seconds > 0.0)
        app_append(whose, sizeof whose, ", ", "%s s", app_number_plain(run->seconds, "").value);
    if (processes > 1)
        app_table_about(table,
                        "%s. Values are geometric means of the processes; the 95 %% intervals "
                        "across %zu processes say how far other runs on %s host may differ.",
                        whose, processes, page->recorded ? "that" : "this");
    else if (page->recorded && page->uncounted)
        app_table_about(table, "Recorded by another run, whose number of processes is unknown: its "
                               "intervals may say nothing about other runs.");
    else
        app_table_about(table, "%s: its intervals are of %s run and say nothing about other runs.",
                        whose, page->recorded ? "that" : "this");
}

static void print_head(struct app_page *page)
{
    const struct app_results *results = page->results;
    const struct app_results_run *run = &results->run;
    struct app_table *table = app_table_new("");
    if (results->count > 0) {
        describe_device(table, page);
        describe_run(table, page);
    }
    for (size_t i = 0; i < run->failed_count; i++)
        app_table_about(table, "Process %d %s.", run->failed[i].process, run->failed[i].why);
    if (!results->complete)
        app_table_about(table, "Incomplete: results are missing or were cut short.");
    for (size_t i = 0; i < results->notes.count; i++)
        app_table_about(table, "%s", results->notes.texts[i]);
    app_page_print(page, table);
}

/* --- the reasons in words --- */

static void print_reasons(struct app_page *page)
{
    static const struct app_column columns[] = {
        {"reason", .wrap = 0}, {"mark", .wrap = 0}, {"level", .wrap = 0}, {"in words", .wrap = 76}};
    struct app_table *table =
        app_page_table(page, "Reasons to doubt a number", APP_COLUMNS(columns));
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        char words[256], mark[2] = "";
        if (!(page->reasons & APP_TRUST_BIT(i)))
            continue;
        app_key_hints(entry->sentence, words, sizeof words);
        if (page->marks)
            app_page_marks(page, APP_TRUST_BIT(i), mark, sizeof mark);
        app_table_row(table);
        app_table_cell(table, "%s", entry->id);
        app_table_cell(table, "%s", mark);
        app_table_cell(table, "%s", app_trust_word(entry->level));
        app_table_cell(table, "%s", words);
    }
    app_page_print(page, table);
}

/* --- a record --- */

/* Prints all results of one benchmark. */
static void print_benchmark(struct app_page *page, const char *benchmark)
{
    const struct app_result *first = app_results_find(page->results, 0, benchmark, NULL);
    if (strcmp(benchmark, "raytrace") == 0)
        print_raytrace(page);
    else if (strcmp(benchmark, "class") == 0)
        print_class(page);
    else if (strcmp(benchmark, "book") == 0)
        print_book(page);
    else if (strcmp(benchmark, "duel") == 0)
        print_duels(page);
    else if (strcmp(benchmark, "claims") == 0)
        print_claims(page);
    else if (first->probe != NULL)
        app_print_topic(page, first->probe->topic);
    else
        print_others(page, benchmark);
}

bool app_results_right(const struct app_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (results->results[i].verified == APP_VERIFIED_FALSE)
            return false;
    return true;
}

void app_results_print(const struct app_results *results, enum app_style style, FILE *out)
{
    struct app_page page = {.results = results, .style = style, .out = out};
    /* On a page of HTML, the claims come first. */
    const bool board = style >= APP_STYLE_HTML && app_results_find(results, 0, "claims", NULL);
    page.processes = (size_t)results->run.processes;
    page.recorded = results->count > 0;
    for (size_t i = 0; i < results->count; i++) {
        const size_t recorded = app_result_recorded(&results->results[i]);
        page.reasons |= results->results[i].trust.reasons;
        page.processes = recorded > page.processes ? recorded : page.processes;
        const bool copied = app_result_copied(&results->results[i]);
        page.recorded = page.recorded && copied;
        page.uncounted = page.uncounted || (copied && recorded == 0);
    }
    print_head(&page);
    if (board)
        print_claims(&page);
    for (size_t i = 0; i < results->count; i++) {
        const char *benchmark = results->results[i].benchmark;
        /* All results of a benchmark are printed where the first one is. */
        if (app_results_find(results, 0, benchmark, NULL) == &results->results[i] &&
            !(board && strcmp(benchmark, "claims") == 0))
            print_benchmark(&page, benchmark);
    }
    print_roofline(&page);
    if (page.reasons != 0)
        print_reasons(&page);
}
