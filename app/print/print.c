#include "print/print.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "command/keys.h"
#include "print/page.h"

#include <stdlib.h>
#include <string.h>

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
        app_print_modes(page);
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
        {"book", app_print_book},
        {"duel", app_print_duel},
        {"claims", app_print_claims},
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
        app_print_others(page, benchmark);
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
