#include "print/print.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "command/keys.h"
#include "model/model.h"
#include "print/page.h"

#include "krn/published.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true when both results belong into one table. */
static bool same_table(const struct app_result *a, const struct app_result *b)
{
    return a->backend == b->backend && app_pairs_equal(a->workload, b->workload);
}

/* Notes the times that few modes have, one note for each kind: "binned/global 7.80 µs". */
static void note_times(const struct app_page *page, struct app_table *table,
                       const struct app_result *first, const char *metric, const char *what)
{
    char line[1000] = "";
    for (const struct app_result *r = first; r < page->results->results + page->results->count;
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
                     const struct app_result *base, const struct app_result *result, bool rays)
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
static bool has_rays(const struct app_results *results, const struct app_result *first)
{
    for (const struct app_result *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r) &&
            app_page_metric(r, "rays_per_s") > 0.0)
            return true;
    return false;
}

/* Returns the mode that the others are compared with: the book's kernel from global memory, or else
 * the first. */
static const struct app_result *find_base(const struct app_results *results,
                                          const struct app_result *first)
{
    for (const struct app_result *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && strcmp(r->variant, "book/global") == 0 &&
            same_table(first, r))
            return r;
    return first;
}

/* Returns the reasons that hold for all modes in the table of `first`. */
static unsigned common_reasons(const struct app_results *results, const struct app_result *first)
{
    unsigned common = ~0u;
    for (const struct app_result *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r))
            common &= r->trust.reasons;
    return common;
}

/* Adds a number of the outcome; nothing for 0. */
static void resource_cell(struct app_table *table, const struct app_result *result, const char *key)
{
    const double number = app_pairs_number(result->outcome, key, 0.0);
    if (number > 0.0)
        app_table_cell(table, "%.0f", number);
    else
        app_table_cell(table, "%s", "");
}

/* Prints what the kernels of these modes take of a multiprocessor, where records tell it. */
static void print_resources(struct app_page *page, const struct app_result *first)
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
    for (const struct app_result *r = first; r < results->results + results->count; r++) {
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
static void print_workload(struct app_page *page, const struct app_result *first)
{
    const struct app_results *results = page->results;
    const struct app_result *base = find_base(results, first);
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
    for (const struct app_result *r = first; r < results->results + results->count; r++)
        if (strcmp(r->benchmark, first->benchmark) == 0 && same_table(first, r)) {
            storages |= app_page_storage_bit(r->variant);
            add_mode(page, table, base, r, rays);
            app_page_wrong(table, r, "picture", "");
        }
    note_times(page, table, first, app_members[APP_M_LISTS_MEDIAN_MS].key,
               rays ? "Of it, to build the tree" : "Of it, to sort spheres into tiles");
    if (rays)
        app_page_note_rays(table, first);
    note_times(page, table, first, "batched_ms", "Per launch, in batches");
    app_page_same_caches(table, first->backend, storages);
    app_page_print(page, table);
}

/* Prints the ray tracer's modes, one table per workload. */
static void print_modes(struct app_page *page)
{
    const struct app_results *results = page->results;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
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

/* Prints the results of a benchmark that has no table of its own. */
static void print_others(struct app_page *page, const char *benchmark)
{
    struct app_table *table = app_table_new(benchmark);
    app_table_column(table, "result", APP_ALIGN_LEFT);
    app_page_value_columns(page, table, "median");
    app_page_net_columns(table);
    app_page_end_columns(table);
    for (size_t i = 0; i < page->results->count; i++) {
        const struct app_result *result = &page->results->results[i];
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

enum { COLUMNS = 4, CELL_WIDTH = 22 };

static const char *const variants[COLUMNS] = {"global/cold", "constant/cold", "global/warm",
                                              "constant/warm"};

/* Adds a row with one time of all runs. */
static void add_times(struct app_table *table, const struct app_result *const *results,
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

static void add_items(struct app_table *table, const struct app_result *const *results)
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
static void add_evidence(struct app_table *table, const struct app_result *const *results)
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
static void note_ratio(struct app_table *table, const struct app_result *global,
                       const struct app_result *constant, const char *by, const char *over)
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
static void note_generated(struct app_table *table, const struct app_result *const *results)
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
    const struct app_result *results[COLUMNS];
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
    const struct app_result *sides[] = {
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

static void print_book(struct app_page *page)
{
    print_window(page);
    print_kernel(page);
}

/* Returns a text of the outcome; "" when it is missing. */
static const char *text_of(const struct app_result *result, const char *key)
{
    const char *text = app_pairs_text(result->outcome, key);
    return text ? text : "";
}

/* Adds what a claim says, and what is to be said about its number. */
static void describe_claim(struct app_table *table, const struct app_result *result)
{
    /* A note that names a key, such as "press {measure}", is for a window. */
    const char *said = text_of(result, "note");
    const char *note = strchr(said, '{') == NULL ? said : "";
    app_table_about(table, "%s: %s (%s, %s)", result->variant, text_of(result, "claim"),
                    text_of(result, "text_number"), text_of(result, "text_device"));
    if (note[0])
        app_table_note(table, "%s: %s.", result->variant, note);
    if (text_of(result, "method")[0])
        app_table_note(table, "%s: %s", result->variant, text_of(result, "method"));
}

static void add_claim(struct app_table *table, const struct app_result *result)
{
    /* Older records have the ends of the interval alone. */
    const struct app_estimate value = app_result_estimate(result, "value");
    const struct app_shown shown = app_shown_number(&value, "");
    const char *interval = text_of(result, "interval");
    app_table_row(table);
    app_table_cell(table, "%s", result->variant);
    app_table_cell(table, "%s", text_of(result, "text_number"));
    app_table_cell(table, "%s", text_of(result, "number"));
    app_table_cell(table, "%s", interval[0] ? interval : shown.interval);
    app_table_cell(table, "%s", text_of(result, "verdict"));
    app_table_cell(table, "%s", text_of(result, "beside"));
    app_page_trust_cell(table, &result->trust);
}

static void print_claims(struct app_page *page)
{
    struct app_table *table = app_table_new("Published claims, judged on this device");
    app_table_column(table, "claim", APP_ALIGN_LEFT);
    app_table_column(table, "then", APP_ALIGN_LEFT);
    app_table_column(table, "now", APP_ALIGN_LEFT);
    app_table_column(table, app_page_interval_title(page), APP_ALIGN_LEFT);
    app_table_column(table, "verdict", APP_ALIGN_LEFT);
    app_table_column(table, "beside", APP_ALIGN_LEFT);
    app_page_trust_column(table);
    for (size_t i = 0; i < page->results->count; i++) {
        const struct app_result *result = &page->results->results[i];
        if (strcmp(result->benchmark, "claims") != 0)
            continue;
        describe_claim(table, result);
        add_claim(table, result);
    }
    app_page_print(page, table);
}

bool app_results_right(const struct app_results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (results->results[i].verified == APP_VERIFIED_FALSE)
            return false;
    return true;
}

/* --- the head --- */

static void describe_device(struct app_table *table, const struct app_page *page)
{
    const struct app_results *results = page->results;
    const struct krn_device_info *device = &results->device;
    const struct krn_overheads *overheads = &results->overheads;
    const struct app_number event = app_number_time(overheads->event_ms),
                            launch = app_number_time(overheads->empty_kernel_ms);
    char floors[160] = "";
    if (overheads->empty_kernel_ms > 0.0)
        snprintf(floors, sizeof floors, "; event overhead %s %s, launch floor %s %s", event.value,
                 event.unit, launch.value, launch.unit);
    if (results->has_device && page->recorded) /* its clock timed nothing of what follows */
        app_table_about(table, "Picture by %s, %s (%s)", krn_backend_name(device->backend),
                        device->name, device->runtime);
    else if (results->has_device)
        app_table_about(table, "%s, %s (%s), times by %s%s", krn_backend_name(device->backend),
                        device->name, device->runtime, device->clock, floors);
}

/* Says what the intervals of a recorded run speak about. The record's note names its device. */
static void describe_recorded(struct app_table *table, const struct app_page *page)
{
    if (page->processes > 1)
        app_table_about(table,
                        "Recorded by %zu processes of another run. Values are geometric means of "
                        "the processes; the 95 %% intervals across %zu processes say how far other "
                        "runs may differ.",
                        page->processes, page->processes);
    else if (page->uncounted)
        app_table_about(table, "Recorded by another run, whose number of processes is unknown: its "
                               "intervals may say nothing about other runs.");
    else
        app_table_about(table, "Recorded by one process of another run: its intervals are of that "
                               "run and say nothing about other runs.");
}

static void describe_run(struct app_table *table, const struct app_page *page)
{
    const struct app_results *results = page->results;
    const struct app_results_run *run = &results->run;
    char seed[48] = "", seconds[48] = "";
    if (run->has_seed)
        snprintf(seed, sizeof seed, ", in orders shuffled by seed %llu",
                 (unsigned long long)run->seed);
    if (run->seconds > 0.0)
        snprintf(seconds, sizeof seconds, ", %s s", app_number_plain(run->seconds, "").value);
    if (page->recorded)
        describe_recorded(table, page);
    else if (run->processes > 1)
        app_table_about(table,
                        "%d processes%s%s. Values are geometric means of the processes; the 95 %% "
                        "intervals across %d processes say how far other runs may differ.",
                        run->processes, seed, seconds, run->processes);
    else
        app_table_about(
            table, "One process%s: its intervals are of this run and say nothing about other runs.",
            seconds);
    for (size_t i = 0; i < run->failed_count; i++)
        app_table_about(table, "Process %d %s.", run->failed[i].process, run->failed[i].why);
    if (!results->complete)
        app_table_about(table, "Incomplete: results are missing or were cut short.");
    for (size_t i = 0; i < results->notes.count; i++)
        app_table_about(table, "%s", results->notes.texts[i]);
}

static void print_head(struct app_page *page)
{
    struct app_table *table = app_table_new("");
    describe_device(table, page);
    describe_run(table, page);
    app_page_print(page, table);
}

/* --- the reasons in words --- */

static void print_reasons(struct app_page *page)
{
    enum { WORDS_WIDTH = 76 };
    struct app_table *table = app_table_new("Reasons to doubt a number");
    char letter = 'a';
    app_table_column(table, "reason", APP_ALIGN_LEFT);
    app_table_column(table, "mark", APP_ALIGN_LEFT);
    app_table_column(table, "level", APP_ALIGN_LEFT);
    app_table_column(table, "in words", APP_ALIGN_LEFT);
    app_table_wrap(table, WORDS_WIDTH);
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        if (!(page->reasons & APP_TRUST_BIT(i)))
            continue;
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        char words[256];
        app_key_hints(entry->sentence, words, sizeof words);
        app_table_row(table);
        app_table_cell(table, "%s", entry->id);
        if (page->marks)
            app_table_cell(table, "%c", letter++);
        else
            app_table_cell(table, "%s", "");
        app_table_cell(table, "%s", app_trust_word(entry->level));
        app_table_cell(table, "%s", words);
    }
    app_page_print(page, table);
}

/* --- the benchmarks --- */

static void print_raytrace(struct app_page *page)
{
    struct app_sweep *sweep = app_alloc(1, sizeof *sweep);
    if (app_sweep_read(page->results, sweep) && sweep->points > 1)
        app_print_sweep(page, sweep);
    else
        print_modes(page);
    free(sweep);
}

/* Prints all results of one benchmark. */
static void print_benchmark(struct app_page *page, const char *benchmark)
{
    static const struct {
        const char *name;
        void (*print)(struct app_page *page);
    } entries[] = {
        {"raytrace", print_raytrace},
        {"book", print_book},
        {"duel", app_print_duel},
        {"claims", print_claims},
    };
    enum { COUNT = sizeof entries / sizeof *entries };
    enum krn_topic topic;
    size_t i = 0;
    while (i < COUNT && strcmp(benchmark, entries[i].name) != 0)
        i++;
    if (i < COUNT)
        entries[i].print(page);
    else if (app_result_is_probe(app_results_find(page->results, 0, benchmark, NULL), &topic))
        app_print_topic(page, topic);
    else
        print_others(page, benchmark);
}

void app_results_print(const struct app_results *results, enum app_style style, FILE *out)
{
    struct app_page page = {.results = results, .style = style, .out = out};
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
    for (size_t i = 0; i < results->count; i++) {
        const char *benchmark = results->results[i].benchmark;
        /* All results of a benchmark are printed where the first one is. */
        if (app_results_find(results, 0, benchmark, NULL) == &results->results[i])
            print_benchmark(&page, benchmark);
    }
    app_print_roofline(&page);
    if (page.reasons != 0)
        print_reasons(&page);
}
