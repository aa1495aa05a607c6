#include "results/compare.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "judge/comparison.h"
#include "results/sides.h"

#include <stdlib.h>
#include <string.h>

enum { VARIES_MAX = 8, NAMED_MAX = 3, REASONS_MAX = 16 };

/* --- what varies between the rows of a table --- */

/* The members of workload and parameters that tell rows of one benchmark and variant apart. */
struct varying {
    char keys[VARIES_MAX][64];
    size_t count;
};

static bool varies(const struct varying *varying, const char *key)
{
    for (size_t i = 0; i < varying->count; i++)
        if (strcmp(varying->keys[i], key) == 0)
            return true;
    return false;
}

static void add_varying(struct varying *varying, struct app_pairs a, struct app_pairs b)
{
    for (size_t i = 0; i < a.count && varying->count < VARIES_MAX; i++) {
        const struct app_pair *pair = &a.pairs[i], *other = app_pairs_find(b, pair->key);
        /* The hash of a scene tells readers nothing. */
        if ((other == NULL || !app_pair_equal(pair, other)) && strcmp(pair->key, "scene") != 0 &&
            !varies(varying, pair->key))
            snprintf(varying->keys[varying->count++], sizeof varying->keys[0], "%.63s", pair->key);
    }
}

/* Collects what tells the results of the first side apart. A probe is named by its axis alone: the
 * other sizes follow from it. */
static void find_varying(const struct app_side *side, struct varying *varying)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    memset(varying, 0, sizeof *varying);
    while ((result = app_side_next(side, &record, &index)) != NULL) {
        const struct app_result *other = app_side_namesake(side, result, record, index);
        if (other == NULL)
            continue;
        add_varying(varying, result->workload, other->workload);
        if (app_pairs_text(result->parameters, "axis") == NULL)
            add_varying(varying, result->parameters, other->parameters);
    }
}

/* Writes the sizes of a row: a probe's place on its axis, and what varies. */
static void describe_place(const struct app_result *result, const struct varying *varying,
                           char *text, size_t size)
{
    const char *axis = app_pairs_text(result->parameters, "axis");
    const struct app_pairs lists[] = {result->workload, result->parameters};
    char number[APP_PAIR_NUMBER];
    size_t used = 0;
    text[0] = 0;
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].count && used < size; i++) {
            const struct app_pair *pair = &lists[l].pairs[i];
            const bool shown =
                axis != NULL ? strcmp(pair->key, axis) == 0 : varies(varying, pair->key);
            if (shown)
                used +=
                    (size_t)snprintf(text + used, size - used, "%s%s %.63s", used > 0 ? ", " : "",
                                     pair->key, app_pair_text(pair, number));
        }
}

/* Returns true when every result of the side that has a workload has this pair in it. */
static bool shares(const struct app_side *side, const struct app_pair *pair)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    while ((result = app_side_next(side, &record, &index)) != NULL) {
        const struct app_pair *own = app_pairs_find(result->workload, pair->key);
        if (result->workload.count > 0 && (own == NULL || !app_pair_equal(pair, own)))
            return false;
    }
    return true;
}

/* Prints the workload that all results of the side with one share. */
static void tell_workload(struct app_table *table, const struct app_side *side)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    char text[256] = "", number[APP_PAIR_NUMBER];
    while ((result = app_side_next(side, &record, &index)) != NULL && result->workload.count == 0)
        continue;
    for (size_t i = 0; result != NULL && i < result->workload.count; i++) {
        const struct app_pair *pair = &result->workload.pairs[i];
        const size_t used = strlen(text);
        if (shares(side, pair))
            snprintf(text + used, sizeof text - used, "%s%s %.63s", used > 0 ? ", " : "", pair->key,
                     app_pair_text(pair, number));
    }
    if (text[0] != 0)
        app_table_about(table, "Workload: %s.", text);
}

/* --- results that are not compared --- */

/* One reason not to compare, and the results to which it applies. */
struct reason {
    char text[240], named[160];
    size_t count;
};

struct reasons {
    struct reason list[REASONS_MAX];
    size_t count, more; /* more: results whose reasons found no room */
};

static void add_reason(struct reasons *reasons, const struct app_result *result, const char *text)
{
    size_t i = 0;
    while (i < reasons->count && strcmp(reasons->list[i].text, text) != 0)
        i++;
    if (i == REASONS_MAX) {
        reasons->more++;
        return;
    }
    struct reason *reason = &reasons->list[i];
    if (i == reasons->count) {
        reasons->count++;
        snprintf(reason->text, sizeof reason->text, "%s", text);
    }
    const size_t used = strlen(reason->named);
    if (reason->count++ < NAMED_MAX)
        snprintf(reason->named + used, sizeof reason->named - used, "%s%.24s %.24s",
                 used > 0 ? ", " : "", result->benchmark, result->variant);
}

static void find_reasons(const struct app_side *first, const struct app_side *other,
                         struct reasons *reasons)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    char text[240];
    memset(reasons, 0, sizeof *reasons);
    while ((result = app_side_next(first, &record, &index)) != NULL) {
        if (app_side_has(other, result->key))
            continue;
        const struct app_result *similar = app_side_similar(other, result, first);
        if (similar != NULL)
            app_result_differences(result, similar, text, sizeof text);
        else
            snprintf(text, sizeof text, "only in %s", first->label);
        add_reason(reasons, result, text);
    }
    record = index = 0;
    while ((result = app_side_next(other, &record, &index)) != NULL) {
        if (app_side_has(first, result->key) || app_side_similar(first, result, other) != NULL)
            continue;
        snprintf(text, sizeof text, "only in %s", other->label);
        add_reason(reasons, result, text);
    }
}

/* Appends the reasons to the table's notes or, when the table is NULL, the first to a text. */
static void tell_reasons(const struct reasons *reasons, struct app_table *table)
{
    for (size_t i = 0; i < reasons->count; i++) {
        const struct reason *reason = &reasons->list[i];
        if (reason->count > NAMED_MAX)
            app_table_note(table, "Not compared: %s (%s and %zu more).", reason->text,
                           reason->named, reason->count - NAMED_MAX);
        else
            app_table_note(table, "Not compared: %s (%s).", reason->text, reason->named);
    }
    if (reasons->more > 0)
        app_table_note(table, "Not compared for other reasons: %zu results.", reasons->more);
}

/* --- the table --- */

static void tell_side(struct app_table *table, const char *place, const struct app_side *side)
{
    const struct app_results *record = &side->records[0];
    app_table_about(table, "%s: %s, %s, driver %s, %s, version %s (%s), %s", place, side->label,
                    record->has_device ? record->device.name : "n/a",
                    record->telemetry.valid ? record->telemetry.driver
                    : record->has_device    ? record->device.driver
                                            : "n/a",
                    record->host, record->version, record->git, record->time_utc);
    if (record->run.failed_count > 0)
        app_table_about(table, "%s: %zu of %d processes failed.", side->label,
                        record->run.failed_count, record->run.processes_asked);
}

/* Adds a time in the unit that suits like_ms, so that a row has one unit. */
static void put_time(struct app_table *table, const struct app_side_result *side, double like_ms)
{
    const struct app_number time = app_number_time_as(side->time.value, like_ms);
    if (side->time.valid)
        app_table_cell(table, "%s %s", time.value, time.unit);
    else
        app_table_cell(table, "%s", app_number_plain(-1.0, "").value);
}

/* Writes the reasons to doubt a side's number, and whether it is incomplete. */
static void list_doubts(const struct app_side_result *side, char *text, size_t size)
{
    app_trust_list(side->time.trust, text, size);
    for (size_t i = 0; i <= side->others.count; i++) {
        const char *more = i < side->others.count ? side->others.texts[i] : "incomplete";
        const size_t used = strlen(text);
        if (i < side->others.count || !side->complete)
            snprintf(text + used, size - used, "%s%.40s", used > 0 ? ", " : "", more);
    }
}

/* Adds the doubts of both sides: once, if they are the same. */
static void put_doubts(struct app_table *table, const struct app_side_result *first,
                       const struct app_side_result *other)
{
    char a[320], b[320];
    list_doubts(first, a, sizeof a);
    list_doubts(other, b, sizeof b);
    if (strcmp(a, b) == 0)
        app_table_cell(table, "%s", a);
    else
        app_table_cell(table, "%s%s%s%s%s", a[0] != 0 ? "first: " : "", a,
                       a[0] != 0 && b[0] != 0 ? "; " : "", b[0] != 0 ? "other: " : "", b);
}

/* Returns a number of processes as text; 0: it is unknown. */
static const char *count_text(size_t processes, char text[24])
{
    snprintf(text, 24, "%zu", processes);
    return processes > 0 ? text : "unknown";
}

static void put_comparison(struct app_table *table, const struct app_comparison *c)
{
    const int decimals = c->valid ? app_number_decimals(c->ratio, c->high - c->low) : 2;
    app_table_cell(table, "%s",
                   app_number_fixed(c->ratio > 0.0 ? c->ratio : -1.0, decimals, "").value);
    if (c->valid)
        app_table_cell(table, "%s%s", app_number_interval(c->low, c->high, c->ratio, decimals).text,
                       app_comparison_scope(c));
    else
        app_table_cell(table, "%s", "");
    char first[24], other[24];
    app_table_cell(table, "%s, %s", count_text(c->measured_by[0], first),
                   count_text(c->measured_by[1], other));
    app_table_cell(table, "%s", app_comparison_word(c));
}

static void count(struct app_compare_counts *counts, const struct app_comparison *c)
{
    const bool enough = c->processes[0] >= APP_COMPARE_PROCESSES_MIN &&
                        c->processes[1] >= APP_COMPARE_PROCESSES_MIN;
    counts->compared++;
    counts->too_few += !enough;
    counts->faster += enough && c->verdict == KRN_RATIO_FASTER;
    counts->slower += enough && c->verdict == KRN_RATIO_SLOWER;
    counts->unjudged += c->instead != NULL;
}

static const struct app_column columns[] = {{"result", .align = APP_ALIGN_LEFT},
                                            {"at", .align = APP_ALIGN_LEFT},
                                            {"first", .align = APP_ALIGN_RIGHT},
                                            {"other", .align = APP_ALIGN_RIGHT},
                                            {"x", .align = APP_ALIGN_RIGHT},
                                            {"95 % interval", .align = APP_ALIGN_LEFT},
                                            {"processes", .align = APP_ALIGN_LEFT},
                                            {"verdict", .align = APP_ALIGN_LEFT},
                                            {"trust", .wrap = 32}};

/* Adds a row for each result that both sides have. */
static void put_rows(struct app_table *table, const struct app_side *first,
                     const struct app_side *other, double band_percent,
                     struct app_compare_counts *counts)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    struct varying varying;
    find_varying(first, &varying);
    while ((result = app_side_next(first, &record, &index)) != NULL) {
        const struct app_side_result a = app_side_find(first, result->key),
                                     b = app_side_find(other, result->key);
        char place[160];
        if (b.result == NULL) {
            counts->missing += a.time.valid;
            continue;
        }
        const struct app_comparison comparison = app_compare_times(a.time, b.time, band_percent);
        count(counts, &comparison);
        describe_place(result, &varying, place, sizeof place);
        app_table_row(table);
        app_table_cell(table, "%s %s", result->benchmark, result->variant);
        app_table_cell(table, "%s", place);
        put_time(table, &a, a.time.value);
        put_time(table, &b, a.time.valid ? a.time.value : b.time.value);
        put_comparison(table, &comparison);
        put_doubts(table, &a, &b);
    }
}

static void tell_method(struct app_table *table, double band_percent)
{
    app_table_about(table,
                    "x: times as fast as the first, ratio of the processes' medians [95 %% "
                    "interval, Welch's t]. The verdict rests on the 99 %% interval and a band of "
                    "indifference of %g %%.",
                    band_percent);
}

/* Prints the comparison of one side with the first. */
static enum krn_code compare_sides(const struct app_side *first, const struct app_side *other,
                                   double band_percent, enum app_style style, FILE *out,
                                   struct app_compare_counts *counts, struct krn_error *error)
{
    char title[2 * sizeof first->label + 16];
    struct app_compare_counts own = {0};
    struct reasons *reasons = app_alloc(1, sizeof *reasons);
    enum krn_code code = KRN_OK;
    snprintf(title, sizeof title, "%s against %s", other->label, first->label);
    struct app_table *table = app_table_new(title);
    tell_side(table, "first", first);
    tell_side(table, "other", other);
    tell_workload(table, first);
    tell_method(table, band_percent);
    app_table_columns(table, APP_COLUMNS(columns));
    put_rows(table, first, other, band_percent, &own);
    find_reasons(first, other, reasons);
    tell_reasons(reasons, table);
    if (app_sides_overlap(first, other))
        app_table_note(table, "Both sides contain the same process: it is compared with itself.");
    if (own.too_few > 0)
        app_table_note(table,
                       "FASTER and SLOWER need two processes on each side, --fail-on-slower needs "
                       "%d: measure with --processes 5, or join records by commas.",
                       APP_COMPARE_PROCESSES_MIN);
    if (own.compared > 0)
        app_table_print(table, style, out);
    else
        code = KRN_FAIL(error, KRN_REFUSED, "%s and %s have no result in common: %s.", first->label,
                        other->label,
                        reasons->count > 0 ? reasons->list[0].text
                                           : "not both have a result with a median");
    app_table_free(table);
    free(reasons);
    counts->compared += own.compared;
    counts->faster += own.faster;
    counts->slower += own.slower;
    counts->too_few += own.too_few;
    counts->unjudged += own.unjudged;
    counts->missing += own.missing;
    return code;
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
    struct app_side *sides = app_alloc(count, sizeof *sides);
    enum krn_code code = app_side_read(paths->first, &sides[0], error);
    for (size_t i = 1; i < count && code == KRN_OK; i++) {
        code = app_side_read(paths->rest[i - 1], &sides[i], error);
        if (code == KRN_OK && i > 1)
            fputc('\n', out);
        if (code == KRN_OK)
            code = compare_sides(&sides[0], &sides[i], band_percent, style, out, counts, error);
    }
    if (code == KRN_OK && count >= APP_FLEET_MIN) {
        fputc('\n', out);
        app_fleet_print(sides, count, band_percent, style, out);
    }
    for (size_t i = 0; i < count; i++)
        app_side_free(&sides[i]);
    free(sides);
    return code;
}
