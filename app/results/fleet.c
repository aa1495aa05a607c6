#include "results/fleet.h"

#include "base/numbers.h"
#include "judge/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Characters of the plot; a ratio of 1 is in the middle. */
enum { PLOT_WIDTH = 21 };

/* A side, or a device of a record, and what its results say together. */
struct member {
    char label[64], device[192];
    const char *host;
    size_t compared, faster, slower, same;
    double log_sum;        /* of the ratios: others' time over its own */
    double slowest;        /* the least of these ratios; 0: none */
    char slowest_name[64]; /* the result with that ratio */
};

/* Joins the times of all sides but one: every process or, where these are too many, the geometric
 * mean of each side. */
static struct app_estimate time_of_others(const struct app_side_result *found, size_t count,
                                          size_t but)
{
    double each[KRN_PROCESSES_MAX] = {0}, widen = 0.0;
    unsigned trust = 0;
    size_t processes = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        processes += i != but ? found[i].time.processes : 0;
    for (size_t i = 0; i < count; i++) {
        const struct app_estimate *time = &found[i].time;
        const bool whole = processes <= KRN_PROCESSES_MAX;
        for (size_t p = 0; i != but && p < (whole ? time->processes : 1); p++)
            if (n < KRN_PROCESSES_MAX)
                each[n++] = whole ? time->each[p] : time->value;
        widen = i != but ? fmax(widen, time->widen) : widen;
        trust |= i != but ? time->trust : 0;
    }
    struct app_estimate others = app_estimate_of_processes(each, n, widen);
    others.trust = trust;
    return others;
}

/* A table of members. */
struct fleet {
    const char *title, *what;              /* "sides" */
    const struct app_side *sides;          /* one per member, or the one record of all of them */
    const struct app_results_run *devices; /* of that record; NULL: members are sides */
    struct member *members;
    struct app_side_result *found; /* one per member, of the result that is compared */
    size_t count;
};

/* Returns the first process of a device that is listed before entry i; i when it is the first. */
static size_t first_of_device(const struct app_results_run *run, size_t i)
{
    size_t first = 0;
    while (first < i && (run->devices[first].ordinal != run->devices[i].ordinal ||
                         strcmp(run->devices[first].pci_id, run->devices[i].pci_id) != 0))
        first++;
    return first;
}

/* Returns the processes of a result that ran on the device of member m. */
static struct app_side_result find_device(const struct fleet *fleet, size_t m,
                                          const struct app_result_read *result)
{
    const struct app_results_run *run = fleet->devices;
    const struct app_estimate all = app_result_estimate(result, "median_ms");
    double each[KRN_PROCESSES_MAX] = {0};
    size_t n = 0, member = 0;
    for (size_t i = 0; i < run->device_count; i++) {
        if (first_of_device(run, i) != i)
            continue;
        for (size_t d = i; member == m && d < run->device_count; d++)
            for (size_t p = 0; all.valid && p < all.processes && n < KRN_PROCESSES_MAX; p++)
                if (first_of_device(run, d) == i && all.number[p] == run->devices[d].process)
                    each[n++] = all.each[p];
        member++;
    }
    struct app_side_result found = {.result = result};
    if (n > 0)
        found.time = app_estimate_of_processes(each, n, all.widen);
    found.time.trust = all.trust;
    return found;
}

static void add_result(struct member *members, const struct app_side_result *found, size_t count,
                       const struct app_result_read *result, double band_percent)
{
    for (size_t i = 0; i < count; i++) {
        const struct app_estimate others = time_of_others(found, count, i);
        const struct app_comparison comparison =
            app_compare_times(others, found[i].time, band_percent);
        struct member *member = &members[i];
        const double ratio = others.value / found[i].time.value;
        member->compared++;
        member->log_sum += log(ratio);
        member->faster += comparison.verdict == APP_COMPARED_FASTER;
        member->slower += comparison.verdict == APP_COMPARED_SLOWER;
        member->same += comparison.verdict == APP_COMPARED_SAME;
        if (member->slowest > 0.0 && member->slowest <= ratio)
            continue;
        member->slowest = ratio;
        snprintf(member->slowest_name, sizeof member->slowest_name, "%.24s %.36s",
                 result->benchmark, result->variant);
    }
}

/* Compares every result that all members have. */
static void compare_all(const struct fleet *fleet, double band_percent)
{
    size_t record = 0, index = 0;
    const struct app_result_read *result;
    while ((result = app_side_next(&fleet->sides[0], &record, &index)) != NULL) {
        bool all = true;
        for (size_t i = 0; i < fleet->count && all; i++) {
            fleet->found[i] = fleet->devices != NULL ? find_device(fleet, i, result)
                                                     : app_side_find(&fleet->sides[i], result->key);
            all = fleet->found[i].result != NULL && fleet->found[i].time.valid;
        }
        if (all)
            add_result(fleet->members, fleet->found, fleet->count, result, band_percent);
    }
}

static double ratio_of(const struct member *member)
{
    return exp(member->log_sum / (double)member->compared);
}

static const char *word_of(const struct member *member)
{
    return 2 * member->slower > member->compared   ? "SLOWER"
           : 2 * member->faster > member->compared ? "FASTER"
           : 2 * member->same > member->compared   ? "SAME"
                                                   : "CAN'T TELL";
}

/* Draws the ratio as a point on a line from 1/span to span, on a logarithmic scale. */
static void plot(double ratio, double span, char text[PLOT_WIDTH + 1])
{
    const int middle = PLOT_WIDTH / 2;
    const double at = log(ratio) / log(span) * middle;
    memset(text, '.', PLOT_WIDTH);
    text[PLOT_WIDTH] = 0;
    text[middle] = '|';
    text[middle + (int)lrint(fmax(-middle, fmin(middle, at)))] = 'o';
}

static void put_columns(struct app_table *table, bool sides)
{
    app_table_column(table, sides ? "file" : "GPU", APP_ALIGN_LEFT);
    app_table_column(table, "host", APP_ALIGN_LEFT);
    app_table_column(table, "device", APP_ALIGN_LEFT);
    app_table_column(table, "x", APP_ALIGN_RIGHT);
    app_table_column(table, "slower   |    faster", APP_ALIGN_LEFT);
    app_table_column(table, "slower", APP_ALIGN_RIGHT);
    app_table_column(table, "faster", APP_ALIGN_RIGHT);
    app_table_column(table, "verdict", APP_ALIGN_LEFT);
    app_table_column(table, "slowest result", APP_ALIGN_LEFT);
    app_table_wrap(table, 40);
}

static void put_member(struct app_table *table, const struct member *member, double span)
{
    char drawn[PLOT_WIDTH + 1];
    plot(ratio_of(member), span, drawn);
    app_table_row(table);
    app_table_cell(table, "%s", member->label);
    app_table_cell(table, "%s", member->host);
    app_table_cell(table, "%s", member->device);
    app_table_cell(table, "%s", app_number_fixed(ratio_of(member), 3, "").value);
    app_table_cell(table, "%s", drawn);
    app_table_cell(table, "%zu/%zu", member->slower, member->compared);
    app_table_cell(table, "%zu/%zu", member->faster, member->compared);
    app_table_cell(table, "%s", word_of(member));
    app_table_cell(table, "%s: %s", member->slowest_name,
                   app_number_fixed(member->slowest, 3, "").value);
}

/* Returns the end of the plot's scale: the farthest ratio, and 1.02 at least. */
static double span_of(const struct fleet *fleet)
{
    double span = 1.02;
    for (size_t i = 0; i < fleet->count; i++)
        span = fmax(span, exp(fabs(log(ratio_of(&fleet->members[i])))));
    return span;
}

static void put_all(struct app_table *table, const struct fleet *fleet, double band_percent)
{
    const struct member *members = fleet->members;
    if (members[0].compared == 0) {
        app_table_note(table, "No result is common to all %zu %s.", fleet->count, fleet->what);
        return;
    }
    app_table_about(table,
                    "x: times as fast as all other %s together, geometric mean over the results "
                    "that all of them have. SLOWER and FASTER: more than half of the results are; "
                    "each verdict rests on the 99 %% interval, Welch's t, and a band of "
                    "indifference of %g %%.",
                    fleet->what, band_percent);
    put_columns(table, fleet->devices == NULL);
    for (size_t i = 0; i < fleet->count; i++)
        put_member(table, &members[i], span_of(fleet));
    for (size_t i = 0; i < fleet->count; i++)
        if (strcmp(word_of(&members[i]), "SLOWER") == 0)
            app_table_note(table, "%s on %s is slower than the others: %s times as fast.",
                           members[i].label, members[i].host,
                           app_number_fixed(ratio_of(&members[i]), 3, "").value);
}

static void describe(struct member *member, const char *host, const char *name, const char *pci_id)
{
    const bool known = strcmp(pci_id, "n/a") != 0 && pci_id[0] != 0;
    member->host = host;
    snprintf(member->device, sizeof member->device, "%s%s%s", name, known ? ", " : "",
             known ? pci_id : "");
}

/* Allocates the members of a fleet; the caller frees both arrays. */
static enum krn_code alloc(struct fleet *fleet, struct krn_error *error)
{
    fleet->members = calloc(fleet->count, sizeof *fleet->members);
    fleet->found = calloc(fleet->count, sizeof *fleet->found);
    return fleet->members != NULL && fleet->found != NULL
               ? KRN_OK
               : KRN_FAIL(error, KRN_NO_MEMORY, "No memory to compare.");
}

static enum krn_code print(const struct fleet *fleet, double band_percent, enum app_style style,
                           FILE *out, struct krn_error *error)
{
    struct app_table *table = app_table_new(fleet->title);
    compare_all(fleet, band_percent);
    put_all(table, fleet, band_percent);
    const enum krn_code code = app_table_print(table, style, out, error);
    app_table_free(table);
    return code;
}

enum krn_code app_fleet_print(const struct app_side *sides, size_t count, double band_percent,
                              enum app_style style, FILE *out, struct krn_error *error)
{
    struct fleet fleet = {.title = "All sides", .what = "sides", .sides = sides, .count = count};
    enum krn_code code = alloc(&fleet, error);
    for (size_t i = 0; i < count && code == KRN_OK; i++) {
        const struct app_results *record = &sides[i].records[0];
        snprintf(fleet.members[i].label, sizeof fleet.members[i].label, "%s", sides[i].label);
        describe(&fleet.members[i], record->host, record->has_device ? record->device.name : "n/a",
                 record->has_device ? record->device.pci_id : "");
    }
    if (code == KRN_OK)
        code = print(&fleet, band_percent, style, out, error);
    free(fleet.members);
    free(fleet.found);
    return code;
}

enum krn_code app_fleet_print_devices(const struct app_results *results, double band_percent,
                                      enum app_style style, FILE *out, struct krn_error *error)
{
    const struct app_results_run *run = &results->run;
    const struct app_side side = {.records = (struct app_results *)results, .count = 1};
    struct fleet fleet = {
        .title = "All GPUs", .what = "GPUs", .sides = &side, .devices = run, .count = 0};
    for (size_t i = 0; i < run->device_count; i++)
        fleet.count += first_of_device(run, i) == i;
    if (fleet.count < 2)
        return KRN_OK;
    enum krn_code code = alloc(&fleet, error);
    size_t m = 0;
    for (size_t i = 0; i < run->device_count && code == KRN_OK; i++) {
        if (first_of_device(run, i) != i)
            continue;
        snprintf(fleet.members[m].label, sizeof fleet.members[m].label, "GPU %d",
                 run->devices[i].ordinal);
        describe(&fleet.members[m++], results->host, run->devices[i].name, run->devices[i].pci_id);
    }
    size_t record = 0, index = 0;
    /* A duel has no times to compare. */
    if (code == KRN_OK && app_side_next(&side, &record, &index) != NULL) {
        fputc('\n', out);
        code = print(&fleet, band_percent, style, out, error);
    }
    free(fleet.members);
    free(fleet.found);
    return code;
}
