/* app/records/fleet.c - many devices: which is wrong, and which is slower than the others. */
#include "records/compare.h"

#include "base/numbers.h"
#include "krn/memory.h"
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of two sides, nothing tells which one is the odd one. */
enum { FLEET_MIN = 3 };

/* Characters of the plot; a ratio of 1 is in the middle. */
enum { PLOT_WIDTH = 21 };

/* A side, or a device of a record, and what its results say together. */
struct member {
    char label[64], device[192];
    const char *host;
    size_t first; /* of a device's processes */
    size_t compared, faster, slower, same;
    size_t wrong;          /* results that are wrong; these are not compared */
    size_t doubted;        /* results compared that are not to be quoted */
    unsigned reasons;      /* why they are not */
    double log_sum;        /* of the ratios: others' time over its own */
    double slowest;        /* the least of these ratios; 0: none */
    char slowest_name[64]; /* the result with that ratio */
    char wrong_name[64];   /* the first wrong result */
};

static bool is_wrong(const struct app_estimate *time)
{
    return (time->trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)) != 0;
}

static bool is_doubted(const struct app_estimate *time)
{
    return app_trust_no_verdict(time->trust) != APP_VERDICT_NONE;
}

/* Returns those of the reasons that allow no quoting. */
static unsigned red_of(unsigned reasons)
{
    unsigned red = 0;
    for (int i = 0; i < APP_TRUST_COUNT; i++)
        if (app_trust_entry((enum app_trust_reason)i)->level == APP_TRUST_RED)
            red |= reasons & APP_TRUST_BIT(i);
    return red;
}

/* Joins times: every process or, where these are too many, the geometric mean of each time. */
static struct app_estimate join_times(const struct app_estimate *const *times, size_t count)
{
    double each[KRN_PROCESSES_MAX] = {0}, widen = 0.0;
    unsigned trust = 0;
    size_t processes = 0, n = 0;
    for (size_t i = 0; i < count; i++)
        processes += times[i]->processes;
    for (size_t i = 0; i < count; i++) {
        const bool whole = processes <= KRN_PROCESSES_MAX;
        for (size_t p = 0; p < (whole ? times[i]->processes : 1); p++)
            if (n < KRN_PROCESSES_MAX)
                each[n++] = whole ? times[i]->each[p] : times[i]->value;
        widen = fmax(widen, times[i]->widen);
        trust |= times[i]->trust;
    }
    struct app_estimate joined = app_estimate_of_processes(each, n, widen);
    joined.trust = trust;
    return joined;
}

/* A table of members. */
struct fleet {
    const char *title, *what;              /* "sides" */
    const struct app_side *sides;          /* one per member, or the one record of all of them */
    const struct app_results_run *devices; /* of that record; NULL: members are sides */
    struct member *members;
    struct app_side_result *found;      /* one per member, of the result that is compared */
    const struct app_estimate **others; /* as many, for others_of */
    size_t count;
};

size_t app_device_first(const struct app_results_run *run, size_t i)
{
    size_t first = 0;
    while (first < i && (run->devices[first].ordinal != run->devices[i].ordinal ||
                         strcmp(run->devices[first].pci_id, run->devices[i].pci_id) != 0))
        first++;
    return first;
}

/* Returns the reasons to doubt what a process measured. Of a wrong result, no process is known to
 * be right unless another one says that it was wrong. */
static unsigned trust_of_process(const struct app_result *result, int number)
{
    const unsigned wrong = APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    const struct app_result_process *process = app_result_process(result, number);
    bool named = false;
    for (size_t p = 0; p < result->process_count; p++)
        named = named || (result->processes[p].trust.reasons & wrong) != 0;
    return (process != NULL ? process->trust.reasons : 0) |
           (result->verified == APP_VERIFIED_FALSE && !named ? wrong : 0);
}

struct app_estimate app_device_time(const struct app_results_run *run, size_t first,
                                    const struct app_result *result)
{
    const struct app_estimate all = app_result_metric(result, APP_M_MEDIAN_MS);
    struct app_estimate time = {.valid = false};
    double each[KRN_PROCESSES_MAX] = {0};
    size_t n = 0;
    unsigned trust = 0;
    for (size_t d = first; d < run->device_count; d++)
        for (size_t p = 0; all.valid && p < all.processes && n < KRN_PROCESSES_MAX; p++)
            if (app_device_first(run, d) == first && all.number[p] == run->devices[d].process) {
                each[n++] = all.each[p];
                trust |= trust_of_process(result, all.number[p]);
            }
    if (n > 0)
        time = app_estimate_of_processes(each, n, all.widen);
    time.trust = trust;
    return time;
}

static void name_result(const struct app_result *result, char *text, size_t size)
{
    snprintf(text, size, "%.24s %.36s", result->benchmark, result->variant);
}

/* Adds a result that a member has right. */
static void add_time(struct member *member, const struct app_estimate *time,
                     const struct app_estimate *others, const struct app_result *result,
                     double band_percent)
{
    const struct app_comparison comparison = app_compare_times(*others, *time, band_percent);
    const double ratio = others->value / time->value;
    member->compared++;
    member->log_sum += log(ratio);
    member->faster += comparison.verdict == APP_VERDICT_FASTER;
    member->slower += comparison.verdict == APP_VERDICT_SLOWER;
    member->same += comparison.verdict == APP_VERDICT_SAME;
    member->doubted += is_doubted(time);
    member->reasons |= is_doubted(time) ? red_of(time->trust) : 0;
    if (member->slowest > 0.0 && member->slowest <= ratio)
        return;
    member->slowest = ratio;
    name_result(result, member->slowest_name, sizeof member->slowest_name);
}

/* Collects the members that member `but` is compared with, and returns their number. One with a
 * wrong result is not among them, even where it is right; those that are not to be quoted are only
 * if there are no others. */
static size_t others_of(const struct fleet *fleet, size_t but)
{
    size_t n = 0;
    for (int doubted = 0; doubted < 2 && n == 0; doubted++)
        for (size_t i = 0; i < fleet->count; i++)
            if (i != but && fleet->members[i].wrong == 0 &&
                is_doubted(&fleet->found[i].time) == (doubted == 1))
                fleet->others[n++] = &fleet->found[i].time;
    return n;
}

/* Counts the members that have a result wrong. */
static void count_wrong(const struct fleet *fleet, const struct app_result *result)
{
    for (size_t i = 0; i < fleet->count; i++) {
        struct member *member = &fleet->members[i];
        if (is_wrong(&fleet->found[i].time) && member->wrong++ == 0)
            name_result(result, member->wrong_name, sizeof member->wrong_name);
    }
}

static void add_result(const struct fleet *fleet, const struct app_result *result,
                       double band_percent)
{
    for (size_t i = 0; i < fleet->count; i++) {
        const struct app_estimate *time = &fleet->found[i].time;
        const size_t n = is_wrong(time) ? 0 : others_of(fleet, i);
        if (n == 0)
            continue;
        const struct app_estimate others = join_times(fleet->others, n);
        add_time(&fleet->members[i], time, &others, result, band_percent);
    }
}

/* Finds a result of every member; returns false when one of them lacks it. */
static bool find_all(const struct fleet *fleet, const struct app_result *result)
{
    bool all = true;
    for (size_t i = 0; i < fleet->count && all; i++) {
        if (fleet->devices == NULL)
            fleet->found[i] = app_side_find(&fleet->sides[i], result->key);
        else
            fleet->found[i] = (struct app_side_result){
                .result = result,
                .time = app_device_time(fleet->devices, fleet->members[i].first, result)};
        all = fleet->found[i].result != NULL && fleet->found[i].time.valid;
    }
    return all;
}

/* Compares every result that all members have, once it is known which members are wrong. */
static void compare_all(const struct fleet *fleet, double band_percent)
{
    for (int pass = 0; pass < 2; pass++) {
        size_t record = 0, index = 0;
        const struct app_result *result;
        while ((result = app_side_next(&fleet->sides[0], &record, &index)) != NULL) {
            if (!find_all(fleet, result))
                continue;
            if (pass == 0)
                count_wrong(fleet, result);
            else
                add_result(fleet, result, band_percent);
        }
    }
}

static double ratio_of(const struct member *member)
{
    return exp(member->log_sum / (double)member->compared);
}

/* Returns the verdict of most of a member's results. */
static enum app_verdict verdict_on(const struct member *member)
{
    return member->wrong > 0                        ? APP_VERDICT_WRONG
           : 2 * member->doubted > member->compared ? APP_VERDICT_DO_NOT_QUOTE
           : 2 * member->slower > member->compared  ? APP_VERDICT_SLOWER
           : 2 * member->faster > member->compared  ? APP_VERDICT_FASTER
           : 2 * member->same > member->compared    ? APP_VERDICT_SAME
                                                    : APP_VERDICT_CANT_TELL;
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

static void put_member(struct app_table *table, const struct member *member, double span)
{
    char drawn[PLOT_WIDTH + 1];
    app_table_row(table);
    app_table_cell(table, "%s", member->label);
    app_table_cell(table, "%s", member->host);
    app_table_cell(table, "%s", member->device);
    if (member->compared == 0) {
        for (int empty = 0; empty < 4; empty++)
            app_table_cell(table, "-");
        app_table_cell(table, "%s", app_verdict_word(verdict_on(member)));
        app_table_cell(table, "-");
        return;
    }
    plot(ratio_of(member), span, drawn);
    app_table_cell(table, "%s", app_number_fixed(ratio_of(member), 3, "").value);
    app_table_cell(table, "%s", drawn);
    app_table_cell(table, "%zu/%zu", member->slower, member->compared);
    app_table_cell(table, "%zu/%zu", member->faster, member->compared);
    app_table_cell(table, "%s", app_verdict_word(verdict_on(member)));
    app_table_cell(table, "%s: %s", member->slowest_name,
                   app_number_fixed(member->slowest, 3, "").value);
}

/* Names a member that is wrong, slower, or not to be quoted. */
static void put_note(struct app_table *table, const struct member *member)
{
    const size_t all = member->compared + member->wrong;
    const enum app_verdict verdict = verdict_on(member);
    char reasons[160];
    if (member->wrong > 0)
        app_table_note(table, "%s on %s computes wrong results, %zu of %zu: the first is %s.",
                       member->label, member->host, member->wrong, all, member->wrong_name);
    if (verdict == APP_VERDICT_SLOWER)
        app_table_note(table, "%s on %s is slower than the others: %s times as fast.",
                       member->label, member->host,
                       app_number_fixed(ratio_of(member), 3, "").value);
    if (verdict == APP_VERDICT_DO_NOT_QUOTE) {
        app_trust_list(member->reasons, reasons, sizeof reasons);
        app_table_note(table, "%s on %s is not to be quoted, %zu of %zu results: %s.",
                       member->label, member->host, member->doubted, all, reasons);
    }
}

/* Returns the end of the plot's scale: the farthest ratio, and 1.02 at least. */
static double span_of(const struct fleet *fleet)
{
    double span = 1.02;
    for (size_t i = 0; i < fleet->count; i++)
        if (fleet->members[i].compared > 0)
            span = fmax(span, exp(fabs(log(ratio_of(&fleet->members[i])))));
    return span;
}

static void put_all(struct app_table *table, const struct fleet *fleet, double band_percent)
{
    const struct app_column columns[] = {
        {fleet->devices == NULL ? "file" : "GPU", .align = APP_ALIGN_LEFT},
        {"host", .align = APP_ALIGN_LEFT},
        {"device", .align = APP_ALIGN_LEFT},
        {"x", .align = APP_ALIGN_RIGHT},
        {"slower   |    faster", .align = APP_ALIGN_LEFT},
        {"slower", .align = APP_ALIGN_RIGHT},
        {"faster", .align = APP_ALIGN_RIGHT},
        {"verdict", .align = APP_ALIGN_LEFT},
        {"slowest result", .wrap = 40}};
    const struct member *members = fleet->members;
    size_t common = 0;
    for (size_t i = 0; i < fleet->count; i++)
        common += members[i].compared + members[i].wrong;
    if (common == 0) {
        app_table_note(table, "No result is common to all %zu %s.", fleet->count, fleet->what);
        return;
    }
    app_table_about(table,
                    "x: times as fast as all other %s together, geometric mean over the results "
                    "that all of them have. SLOWER and FASTER: more than half of the results are; "
                    "each verdict rests on the 99 %% interval, Welch's t, and a band of "
                    "indifference of %g %%.",
                    fleet->what, band_percent);
    app_table_columns(table, APP_COLUMNS(columns));
    for (size_t i = 0; i < fleet->count; i++)
        put_member(table, &members[i], span_of(fleet));
    for (size_t i = 0; i < fleet->count; i++)
        put_note(table, &members[i]);
}

static void describe(struct member *member, const char *host, const char *name, const char *pci_id)
{
    const bool known = strcmp(pci_id, "n/a") != 0 && pci_id[0] != 0;
    member->host = host;
    snprintf(member->device, sizeof member->device, "%s%s%s", name, known ? ", " : "",
             known ? pci_id : "");
}

/* Allocates the members of a fleet, which print() frees. */
static void alloc(struct fleet *fleet)
{
    fleet->members = krn_alloc(fleet->count, sizeof *fleet->members);
    fleet->found = krn_alloc(fleet->count, sizeof *fleet->found);
    fleet->others = krn_alloc(fleet->count, sizeof *fleet->others);
}

static void print(const struct fleet *fleet, double band_percent, enum app_style style, FILE *out)
{
    struct app_table *table = app_table_new(fleet->title);
    compare_all(fleet, band_percent);
    put_all(table, fleet, band_percent);
    app_table_print(table, style, out);
    app_table_free(table);
    free(fleet->members);
    free(fleet->found);
    free(fleet->others);
}

static void print_sides(const struct app_side *sides, size_t count, double band_percent,
                        enum app_style style, FILE *out)
{
    struct fleet fleet = {.title = "All sides", .what = "sides", .sides = sides, .count = count};
    alloc(&fleet);
    for (size_t i = 0; i < count; i++) {
        const struct app_results *record = &sides[i].records[0];
        snprintf(fleet.members[i].label, sizeof fleet.members[i].label, "%s", sides[i].label);
        describe(&fleet.members[i], record->host, record->has_device ? record->device.name : "n/a",
                 record->has_device ? record->device.pci_id : "");
    }
    print(&fleet, band_percent, style, out);
}

enum krn_code app_compare(const struct app_paths *paths, double band_percent, enum app_style style,
                          FILE *out, struct app_compare_counts *counts, struct krn_error *error)
{
    memset(counts, 0, sizeof *counts);
    if (paths->rest_count < 1)
        return KRN_FAIL(error, KRN_REFUSED,
                        "--compare needs at least two records: the baseline, and one to compare "
                        "with it.");
    const size_t count = (size_t)paths->rest_count + 1;
    struct app_side *sides = krn_alloc(count, sizeof *sides);
    enum krn_code code = app_side_read(paths->first, &sides[0], error);
    for (size_t i = 1; i < count && code == KRN_OK; i++) {
        code = app_side_read(paths->rest[i - 1], &sides[i], error);
        if (code == KRN_OK && i > 1)
            fputc('\n', out);
        KRN_THEN(code,
                 app_compare_sides(&sides[0], &sides[i], band_percent, style, out, counts, error));
    }
    if (code == KRN_OK && count >= FLEET_MIN) {
        fputc('\n', out);
        print_sides(sides, count, band_percent, style, out);
    }
    for (size_t i = 0; i < count; i++)
        app_side_free(&sides[i]);
    free(sides);
    return code;
}

void app_fleet_print_devices(const struct app_results *results, double band_percent,
                             enum app_style style, FILE *out)
{
    const struct app_results_run *run = &results->run;
    const struct app_side side = {.records = (struct app_results *)results, .count = 1};
    struct fleet fleet = {
        .title = "All GPUs", .what = "GPUs", .sides = &side, .devices = run, .count = 0};
    size_t m = 0, record = 0, index = 0;
    for (size_t i = 0; i < run->device_count; i++)
        fleet.count += app_device_first(run, i) == i;
    /* A duel has no times to compare. */
    if (fleet.count < 2 || app_side_next(&side, &record, &index) == NULL)
        return;
    alloc(&fleet);
    for (size_t i = 0; i < run->device_count; i++) {
        if (app_device_first(run, i) != i)
            continue;
        fleet.members[m].first = i;
        snprintf(fleet.members[m].label, sizeof fleet.members[m].label, "GPU %d",
                 run->devices[i].ordinal);
        describe(&fleet.members[m++], results->host, run->devices[i].name, run->devices[i].pci_id);
    }
    fputc('\n', out);
    print(&fleet, band_percent, style, out);
}
