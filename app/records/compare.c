/* app/records/compare.c - pairs the results of two sides, or says why they cannot be compared. */
#include "records/compare.h"

#include "base/files.h"
#include "base/numbers.h"
#include "krn/memory.h"
#include "model/verdict.h"
#include "records/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VARIES_MAX = 8, NAMED_MAX = 3, REASONS_MAX = 16, DOUBTS_WIDTH = 32, MOVED_MAX = 5 };

/* Results that are looked at to name what differs: a record may have thousands of one name. */
enum { SIMILAR_MAX = 32 };

/* --- reading --- */

static enum krn_code read_one(struct app_side *side, const char *path, struct krn_error *error)
{
    side->records = krn_grow(side->records, side->count + 1, sizeof *side->records);
    const enum krn_code code = app_results_read_file(path, &side->records[side->count], error);
    if (code == KRN_OK)
        side->count++;
    return code;
}

void app_side_free(struct app_side *side)
{
    for (size_t i = 0; i < side->count; i++)
        app_results_free(&side->records[i]);
    free(side->records);
    memset(side, 0, sizeof *side);
}

static enum krn_code check_devices(const struct app_side *side, struct krn_error *error)
{
    for (size_t i = 1; i < side->count; i++) {
        const char *first = side->records[0].device.name, *other = side->records[i].device.name;
        if (strcmp(first, other) != 0)
            return KRN_FAIL(error, KRN_REFUSED, "%s joins records of different devices: %s and %s.",
                            side->label, first, other);
    }
    return KRN_OK;
}

/* --- processes that are the same --- */

static bool constant(const struct app_result_process *process)
{
    for (size_t i = 1; i < process->n; i++)
        if (process->samples_ms[i] < process->samples_ms[0] ||
            process->samples_ms[i] > process->samples_ms[0])
            return false;
    return true;
}

/* What is known of two processes, one of each record. */
struct pair {
    bool differ, varied;
    bool common; /* they have the same samples of at least one result */
};

/* Compares the processes of one result that both records have. */
static void compare_processes(const struct app_result *a, const struct app_result *b,
                              struct pair pairs[KRN_PROCESSES_MAX][KRN_PROCESSES_MAX])
{
    for (size_t i = 0; i < a->process_count; i++)
        for (size_t j = 0; j < b->process_count; j++) {
            const struct app_result_process *p = &a->processes[i], *q = &b->processes[j];
            if (p->process < 1 || p->process > KRN_PROCESSES_MAX || q->process < 1 ||
                q->process > KRN_PROCESSES_MAX || p->n == 0 || q->n == 0)
                continue;
            struct pair *pair = &pairs[p->process - 1][q->process - 1];
            if (pair->differ)
                continue;
            pair->differ = p->n != q->n ||
                           memcmp(p->samples_ms, q->samples_ms, p->n * sizeof *p->samples_ms) != 0;
            pair->common = true;
            pair->varied = pair->varied || !constant(p);
        }
}

/* Returns true when two records, or one record twice over, contain the same process: two that have
 * the same samples wherever both have any. Short series of equal samples agree by chance, because
 * clocks tick: they count only when the time stamps of the records agree as well. */
static bool records_overlap(const struct app_results *a, const struct app_results *b)
{
    struct pair pairs[KRN_PROCESSES_MAX][KRN_PROCESSES_MAX] = {{{0}}};
    const bool same_time = strcmp(a->time_utc, b->time_utc) == 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct app_result *other = app_results_find_key(b, a->results[i].key);
        if (other != NULL)
            compare_processes(&a->results[i], other, pairs);
    }
    for (int i = 0; i < KRN_PROCESSES_MAX; i++)
        for (int j = a == b ? i + 1 : 0; j < KRN_PROCESSES_MAX; j++)
            if (pairs[i][j].common && !pairs[i][j].differ && (pairs[i][j].varied || same_time))
                return true;
    return false;
}

/* Returns true when both sides contain the same process. */
static bool sides_overlap(const struct app_side *a, const struct app_side *b)
{
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (records_overlap(&a->records[i], &b->records[j]))
                return true;
    return false;
}

static enum krn_code check_processes(const struct app_side *side, struct krn_error *error)
{
    size_t processes = 0;
    for (size_t i = 0; i < side->count; i++) {
        size_t most = 0;
        for (size_t r = 0; r < side->records[i].count; r++)
            if (side->records[i].results[r].process_count > most)
                most = side->records[i].results[r].process_count;
        processes += most;
    }
    if (processes > KRN_PROCESSES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "%s has %zu processes; a side has at most %d.",
                        side->label, processes, KRN_PROCESSES_MAX);
    for (size_t i = 0; i < side->count; i++)
        for (size_t j = i; j < side->count; j++)
            if (records_overlap(&side->records[i], &side->records[j]))
                return KRN_FAIL(error, KRN_REFUSED,
                                "%s counts a process twice: the samples of two processes are the "
                                "same.",
                                side->label);
    return KRN_OK;
}

/* Names the side by its first file. */
static void name_side(struct app_side *side, const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(side->label, sizeof side->label, "%.56s",
             app_shorten(slash != NULL ? slash + 1 : path).text);
}

enum krn_code app_side_read(const char *argument, struct app_side *side, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    memset(side, 0, sizeof *side);
    name_side(side, argument);
    if (strchr(argument, ',') == NULL || access(argument, F_OK) == 0) {
        code = read_one(side, argument, error);
    } else {
        char *copy = krn_copy(argument), *rest = copy;
        for (char *path; code == KRN_OK && (path = strtok_r(rest, ",", &rest)) != NULL;) {
            if (side->count == 0)
                name_side(side, path);
            code = read_one(side, path, error);
        }
        free(copy);
    }
    if (code == KRN_OK && side->count == 0)
        code = KRN_FAIL(error, KRN_REFUSED, "--compare: \"%s\" names no file.",
                        app_shorten(argument).text);
    if (side->count > 1)
        app_append(side->label, sizeof side->label, "", " + %zu", side->count - 1);
    KRN_THEN(code, check_devices(side, error));
    KRN_THEN(code, check_processes(side, error));
    if (code != KRN_OK)
        app_side_free(side);
    return code;
}

/* --- results --- */

static bool has_time(const struct app_result *result)
{
    return app_result_number(result, APP_M_MEDIAN_MS, 0) > 0;
}

/* Returns true when a side has a result with this key, even one without a time. */
static bool has_key(const struct app_side *side, const char *key)
{
    for (size_t r = 0; r < side->count; r++)
        if (app_results_find_key(&side->records[r], key) != NULL)
            return true;
    return false;
}

/* Returns true when the result's key occurs earlier in the side. */
static bool repeats(const struct app_side *side, size_t record, const struct app_result *result)
{
    for (size_t i = 0; i < record; i++)
        if (app_results_find_key(&side->records[i], result->key) != NULL)
            return true;
    return app_results_find_key(&side->records[record], result->key) != result;
}

const struct app_result *app_side_next(const struct app_side *side, size_t *record, size_t *index)
{
    for (; *record < side->count; ++*record, *index = 0)
        while (*index < side->records[*record].count) {
            const struct app_result *result = &side->records[*record].results[(*index)++];
            if (has_time(result) && !repeats(side, *record, result))
                return result;
        }
    return NULL;
}

/* Returns the first result of app_side_next, from a position of it on, that has the benchmark and
 * variant of *result; NULL: none has. */
static const struct app_result *
namesake(const struct app_side *side, const struct app_result *result, size_t record, size_t index)
{
    for (; record < side->count; record++, index = 0) {
        const struct app_results *in = &side->records[record];
        const struct app_result *other;
        while ((other = app_results_find(in, index, result->benchmark, result->variant)) != NULL) {
            if (has_time(other) && !repeats(side, record, other))
                return other;
            index = (size_t)(other - in->results) + 1;
        }
    }
    return NULL;
}

struct app_side_result app_side_find(const struct app_side *side, const char *key)
{
    struct app_side_result found = {.complete = true};
    double each[KRN_PROCESSES_MAX] = {0}, widen = 0;
    size_t n = 0;
    unsigned trust = 0;
    for (size_t r = 0; r < side->count; r++) {
        const struct app_result *result = app_results_find_key(&side->records[r], key);
        if (result == NULL)
            continue;
        const struct app_estimate time = app_result_metric(result, APP_M_MEDIAN_MS);
        if (found.result == NULL) {
            found.result = result;
            found.time = time;
            found.others = result->trust.others;
        }
        trust |= result->trust.reasons;
        trust |= result->verified == APP_VERIFIED_FALSE ? 1u << APP_TRUST_WRONG_PICTURE : 0;
        found.complete = found.complete && result->complete;
        widen = fmax(widen, time.widen);
        for (size_t i = 0; time.valid && i < time.processes && n < KRN_PROCESSES_MAX; i++)
            each[n++] = time.each[i];
    }
    if (n > 1)
        found.time = app_estimate_of_processes(each, n, widen);
    found.time.trust = trust;
    return found;
}

bool app_is_narrow(const struct app_estimate *time, double band_percent)
{
    return time->has_interval &&
           log(time->high / time->low) <= 2.0 * APP_NARROW_PART * log1p(band_percent / 100.0);
}

int app_narrow_look(int processes)
{
    const double growth = 1.2;
    return processes < APP_NARROW_FIRST ? APP_NARROW_FIRST
                                        : 2 * (int)ceil(growth * processes / 2.0);
}

size_t app_side_wide(const struct app_side *side, double band_percent, size_t *all,
                     size_t *hopeless)
{
    const double most = APP_NARROW_PART * log1p(band_percent / 100.0);
    const struct app_result *result;
    size_t record = 0, index = 0, wide = 0;
    *all = *hopeless = 0;
    while ((result = app_side_next(side, &record, &index)) != NULL) {
        const struct app_estimate time = app_side_find(side, result->key).time;
        const bool narrow = app_is_narrow(&time, band_percent);
        double low = time.value, high = time.value;
        for (size_t p = 0; p < time.processes; p++) {
            low = fmin(low, time.each[p]);
            high = fmax(high, time.each[p]);
        }
        *all += 1;
        wide += !narrow;
        *hopeless += !narrow && time.processes > 1 && log1p(time.widen) > most &&
                     log(high / low) <= time.widen;
    }
    return wide;
}

/* --- differences --- */

/* Appends a difference and returns true. */
static bool differ(const char *key, const char *a, const char *b, char *text, size_t size)
{
    app_append(text, size, ", ", "%.48s %.48s against %.48s", key, a, b);
    return true;
}

/* Appends the differences of two lists, but for a key, and returns their number. */
static size_t count_list(struct app_pairs a, struct app_pairs b, const char *but, char *text,
                         size_t size)
{
    size_t count = 0;
    char left[APP_PAIR_NUMBER], right[APP_PAIR_NUMBER];
    for (size_t i = 0; i < a.count; i++) {
        const struct app_pair *other = app_pairs_find(b, a.pairs[i].key);
        if (strcmp(a.pairs[i].key, but) != 0 &&
            (other == NULL || !app_pair_equal(&a.pairs[i], other)))
            count += differ(a.pairs[i].key, app_pair_text(&a.pairs[i], left),
                            other != NULL ? app_pair_text(other, right) : "none", text, size);
    }
    for (size_t i = 0; i < b.count; i++)
        if (strcmp(b.pairs[i].key, but) != 0 && app_pairs_find(a, b.pairs[i].key) == NULL)
            count += differ(b.pairs[i].key, "none", app_pair_text(&b.pairs[i], right), text, size);
    return count;
}

/* Writes what keeps two results from being compared, "seed 1 against 2, width 1024 against 512",
 * and returns the number of differences. The hash of the scene is not among them when something
 * else says why the scenes differ. */
static size_t list_differences(const struct app_result *a, const struct app_result *b, char *text,
                               size_t size)
{
    size_t count = 0;
    text[0] = 0;
    if (a->backend != b->backend)
        count += differ("backend", krn_backend_name(a->backend), krn_backend_name(b->backend), text,
                        size);
    if (strcmp(a->regime, b->regime) != 0)
        count += differ("regime", a->regime, b->regime, text, size);
    const size_t workload =
        count_list(a->workload, b->workload, app_members[APP_W_SCENE].key, text, size);
    count += workload > 0 ? workload : count_list(a->workload, b->workload, "", text, size);
    return count + count_list(a->parameters, b->parameters, "", text, size);
}

/* Returns the result of `side` that is most like *result: same benchmark and variant, and the
 * fewest differences; none that `than` has as well. Looks at the first SIMILAR_MAX of that name.
 * NULL: there is none. */
static const struct app_result *similar_of(const struct app_side *side,
                                           const struct app_result *result,
                                           const struct app_side *than)
{
    const struct app_result *best = NULL;
    size_t least = 0, compared = 0;
    for (size_t r = 0; r < side->count; r++) {
        const struct app_results *record = &side->records[r];
        const struct app_result *other =
            app_results_find(record, 0, result->benchmark, result->variant);
        for (; other != NULL && compared < SIMILAR_MAX;
             other = app_results_find(record, (size_t)(other - record->results) + 1,
                                      result->benchmark, result->variant)) {
            char text[240];
            compared++;
            if (!has_time(other) || has_key(than, other->key))
                continue;
            const size_t count = list_differences(result, other, text, sizeof text);
            if (best == NULL || count < least) {
                best = other;
                least = count;
            }
        }
    }
    return best;
}
/* Returns the result of `side` that another version of the user's kernel gave with the same
 * workload, perhaps from another storage; none that `than` has as well. NULL: there is none. */
static const struct app_result *other_version(const struct app_side *side,
                                              const struct app_result *result,
                                              const struct app_side *than)
{
    size_t record = 0, index = 0;
    const struct app_result *other;
    while (strcmp(result->benchmark, "raytrace") == 0 &&
           app_result_text(result, APP_P_KERNEL_HASH) != NULL &&
           (other = app_side_next(side, &record, &index)) != NULL)
        if (strcmp(other->benchmark, result->benchmark) == 0 &&
            app_result_text(other, APP_P_KERNEL_HASH) != NULL &&
            other->backend == result->backend && strcmp(other->regime, result->regime) == 0 &&
            app_pairs_equal(other->workload, result->workload) && !has_key(than, other->key))
            return other;
    return NULL;
}

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
        if ((other == NULL || !app_pair_equal(pair, other)) &&
            strcmp(pair->key, app_members[APP_W_SCENE].key) != 0 && !varies(varying, pair->key))
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
        const struct app_result *other = namesake(side, result, record, index);
        if (other == NULL)
            continue;
        add_varying(varying, result->workload, other->workload);
        if (app_result_text(result, APP_P_AXIS) == NULL)
            add_varying(varying, result->parameters, other->parameters);
    }
}

/* Returns the sizes of a row: a probe's place on its axis, and what varies. */
static struct app_phrase place_text(const struct app_result *result, const struct varying *varying)
{
    const char *axis = app_result_text(result, APP_P_AXIS);
    const struct app_pairs lists[] = {result->workload, result->parameters};
    struct app_phrase place = {""};
    char number[APP_PAIR_NUMBER];
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l].count; i++) {
            const struct app_pair *pair = &lists[l].pairs[i];
            if (axis != NULL ? strcmp(pair->key, axis) == 0 : varies(varying, pair->key))
                app_append(place.text, sizeof place.text, ", ", "%s %.63s", pair->key,
                           app_pair_text(pair, number));
        }
    return place;
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
        if (shares(side, pair))
            app_append(text, sizeof text, ", ", "%s %.63s", pair->key, app_pair_text(pair, number));
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
    if (reason->count++ < NAMED_MAX)
        app_append(reason->named, sizeof reason->named, ", ", "%.24s %.24s", result->benchmark,
                   result->variant);
}

static void find_reasons(const struct app_side *first, const struct app_side *other,
                         struct reasons *reasons)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    char text[240];
    memset(reasons, 0, sizeof *reasons);
    while ((result = app_side_next(first, &record, &index)) != NULL) {
        if (has_key(other, result->key) || other_version(other, result, first) != NULL)
            continue;
        const struct app_result *similar = similar_of(other, result, first);
        if (similar != NULL)
            list_differences(result, similar, text, sizeof text);
        else
            snprintf(text, sizeof text, "only in %s", first->label);
        add_reason(reasons, result, text);
    }
    record = index = 0;
    while ((result = app_side_next(other, &record, &index)) != NULL) {
        if (has_key(first, result->key) || similar_of(first, result, other) != NULL ||
            other_version(first, result, other) != NULL)
            continue;
        snprintf(text, sizeof text, "only in %s", other->label);
        add_reason(reasons, result, text);
    }
}

/* Appends the reasons to the table's notes. */
static void tell_reasons(const struct reasons *reasons, struct app_table *table)
{
    for (size_t i = 0; i < reasons->count; i++) {
        const struct reason *reason = &reasons->list[i];
        const size_t more = reason->count > NAMED_MAX ? reason->count - NAMED_MAX : 0;
        app_table_note(table, "Not compared: %s (%s%s).", reason->text, reason->named,
                       more > 0 ? app_phrase(" and %zu more", more).text : "");
    }
    if (reasons->more > 0)
        app_table_note(table, "Not compared for other reasons: %zu results.", reasons->more);
}

/* --- what the tables have in common --- */

/* Adds a paragraph about a record. label: of its side, NULL: none is told, nor the driver. */
static void tell_record(struct app_table *table, const char *place, const char *label,
                        const struct app_results *record)
{
    const char *none = "n/a", *device = record->has_device ? record->device.name : none,
               *driver = record->telemetry.valid ? record->telemetry.driver
                         : record->has_device    ? record->device.driver
                                                 : none;
    app_table_about(table, "%s: %s%s%s%s%s, %s, version %s (%s), %s", place, label ? label : "",
                    label ? ", " : "", device, label ? ", driver " : "", label ? driver : "",
                    record->host, record->version, record->git, record->time_utc);
}

/* Adds a time in the unit that suits like_ms, so that a row has one unit. */
static void put_time(struct app_table *table, struct app_estimate time, double like_ms,
                     bool interval)
{
    const struct app_described said =
        app_describe(time, (struct app_form){.quantity = APP_QUANTITY_TIME, .like = like_ms});
    app_table_cell(table, "%s%s%s", said.text, interval && said.interval[0] ? " " : "",
                   interval ? said.interval : "");
}

/* Adds the ratio and its interval. */
static void put_ratio(struct app_table *table, const struct app_comparison *comparison)
{
    const struct app_described said =
        app_describe(comparison->ratio, (struct app_form){.digits = APP_DIGITS_WIDTH});
    app_table_cell(table, "%s", comparison->ratio.valid ? said.text : "");
    app_table_cell(table, "%s%s", said.interval,
                   said.interval[0] ? app_comparison_scope(comparison) : "");
}

/* --- the table of two sides --- */

static void tell_side(struct app_table *table, const char *place, const struct app_side *side)
{
    const struct app_results *record = &side->records[0];
    tell_record(table, place, side->label, record);
    if (record->run.failed_count > 0)
        app_table_about(table, "%s: %zu of %d processes failed.", side->label,
                        record->run.failed_count, record->run.processes_asked);
}

/* Notes that the sides' CPUs, where these render, had different threads or quotas. */
static void tell_threads(struct app_table *table, const struct app_side *first,
                         const struct app_side *other)
{
    const struct app_results *a = &first->records[0], *b = &other->records[0];
    char text[120] = "";
    if (!a->has_device || !b->has_device || a->device.backend != KRN_BACKEND_CPU ||
        b->device.backend != KRN_BACKEND_CPU)
        return;
    if (a->cpu_threads != b->cpu_threads)
        app_append(text, sizeof text, ", ", "threads %d against %d", a->cpu_threads,
                   b->cpu_threads);
    if (fabs(a->cpu_quota - b->cpu_quota) > 1e-6)
        app_append(text, sizeof text, ", ", "quota of CPUs %s against %s",
                   a->cpu_quota > 0.0 ? app_number_plain(a->cpu_quota, "").value : "none",
                   b->cpu_quota > 0.0 ? app_number_plain(b->cpu_quota, "").value : "none");
    if (text[0])
        app_table_note(table, "The CPU backends differ: %s.", text);
}

/* Writes the reasons to doubt a side's number, and whether it is incomplete. */
static void list_doubts(const struct app_side_result *side, char *text, size_t size)
{
    app_trust_list(side->time.trust, text, size);
    for (size_t i = 0; i <= side->others.count; i++) {
        const char *more = i < side->others.count ? side->others.texts[i] : "incomplete";
        if (i < side->others.count || !side->complete)
            app_append(text, size, " ", "%.40s", more);
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
static struct app_phrase count_text(size_t processes)
{
    return app_phrase(processes > 0 ? "%zu" : "unknown", processes);
}

static void count(struct app_compare_counts *counts, const struct app_comparison *c)
{
    const bool enough = c->processes[0] >= APP_COMPARE_PROCESSES_MIN &&
                        c->processes[1] >= APP_COMPARE_PROCESSES_MIN;
    counts->compared++;
    counts->too_few += !enough;
    counts->faster += enough && c->verdict == APP_VERDICT_FASTER;
    counts->slower += enough && c->verdict == APP_VERDICT_SLOWER;
    counts->unjudged += app_trust_no_verdict(c->ratio.trust) != APP_VERDICT_NONE;
}

/* What a table says in the end: how often it gives each verdict, and what moved most. */
struct summary {
    size_t verdicts[APP_VERDICTS];
    struct moved {
        struct app_comparison comparison;
        char name[224];
    } moved[MOVED_MAX + 1]; /* by how far they moved; the last one is overwritten */
    size_t count;
};

/* Returns true when a moved farther than b. One that is FASTER or SLOWER goes before others. */
static bool moved_more(const struct app_comparison *a, const struct app_comparison *b)
{
    const bool a_decided = a->verdict == APP_VERDICT_FASTER || a->verdict == APP_VERDICT_SLOWER,
               b_decided = b->verdict == APP_VERDICT_FASTER || b->verdict == APP_VERDICT_SLOWER;
    return a_decided != b_decided ? a_decided
                                  : fabs(log(a->ratio.value)) > fabs(log(b->ratio.value));
}

static void summarise(struct summary *summary, const struct app_result *result, const char *place,
                      const struct app_comparison *comparison)
{
    size_t i = summary->count;
    summary->verdicts[comparison->verdict]++;
    if (!comparison->ratio.valid || app_trust_no_verdict(comparison->ratio.trust))
        return;
    for (; i > 0 && moved_more(comparison, &summary->moved[i - 1].comparison); i--)
        summary->moved[i] = summary->moved[i - 1];
    summary->moved[i].comparison = *comparison;
    snprintf(summary->moved[i].name, sizeof summary->moved[i].name, "%.24s %.36s%s%s",
             result->benchmark, result->variant, place[0] ? ", " : "", place);
    summary->count += summary->count < MOVED_MAX;
}

static void tell_summary(struct app_table *table, const struct summary *summary)
{
    char text[200] = "";
    if (summary->count > 0)
        app_table_note(table, "Moved most:");
    for (size_t i = 0; i < summary->count; i++) {
        const struct app_comparison *comparison = &summary->moved[i].comparison;
        const struct app_described said =
            app_describe(comparison->ratio, (struct app_form){.digits = APP_DIGITS_WIDTH});
        app_table_note(table, "%s: %s times as fast%s%s%s, %s", summary->moved[i].name, said.text,
                       said.interval[0] ? " " : "", said.interval,
                       said.interval[0] ? app_comparison_scope(comparison) : "",
                       app_verdict_word(comparison->verdict));
    }
    for (int v = 0; v < APP_VERDICTS; v++)
        if (summary->verdicts[v] > 0)
            app_append(text, sizeof text, ", ", "%zu %s", summary->verdicts[v],
                       app_verdict_word((enum app_verdict)v));
    app_table_note(table, "%s.", text);
}

/* Adds a row for each result that both sides have. */
static void put_rows(struct app_table *table, const struct app_side *first,
                     const struct app_side *other, double band_percent,
                     struct app_compare_counts *counts, struct summary *summary)
{
    size_t record = 0, index = 0;
    const struct app_result *result;
    struct varying varying;
    find_varying(first, &varying);
    while ((result = app_side_next(first, &record, &index)) != NULL) {
        const struct app_result *version =
            has_key(other, result->key) ? NULL : other_version(other, result, first);
        const struct app_side_result a = app_side_find(first, result->key),
                                     b = app_side_find(other, version ? version->key : result->key);
        if (b.result == NULL) {
            counts->missing += a.time.valid;
            continue;
        }
        const struct app_comparison comparison = app_compare_times(a.time, b.time, band_percent);
        count(counts, &comparison);
        const struct app_phrase place = place_text(result, &varying);
        summarise(summary, result, place.text, &comparison);
        app_table_row(table);
        app_table_cell(table, "%s %s", result->benchmark, result->variant);
        app_table_cell(table, "%s", place.text);
        put_time(table, a.time, a.time.value, false);
        put_time(table, b.time, a.time.valid ? a.time.value : b.time.value, false);
        put_ratio(table, &comparison);
        app_table_cell(table, "%s, %s", count_text(comparison.measured_by[0]).text,
                       count_text(comparison.measured_by[1]).text);
        app_table_cell(table, "%s", app_verdict_word(comparison.verdict));
        put_doubts(table, &a, &b);
        if (version != NULL)
            app_table_note(table, "Different code: first is %s of %s (%s), other is %s of %s (%s).",
                           result->variant, app_result_text(result, APP_P_KERNEL_FILE),
                           app_result_text(result, APP_P_KERNEL_HASH), version->variant,
                           app_result_text(version, APP_P_KERNEL_FILE),
                           app_result_text(version, APP_P_KERNEL_HASH));
    }
}

enum krn_code app_compare_sides(const struct app_side *first, const struct app_side *other,
                                double band_percent, enum app_style style, FILE *out,
                                struct app_compare_counts *counts, struct krn_error *error)
{
    static const struct app_column columns[] = {
        {"result", .align = APP_ALIGN_LEFT},    {"at", .align = APP_ALIGN_LEFT},
        {"first", .align = APP_ALIGN_RIGHT},    {"other", .align = APP_ALIGN_RIGHT},
        {"x", .align = APP_ALIGN_RIGHT},        {"95 % interval", .align = APP_ALIGN_LEFT},
        {"processes", .align = APP_ALIGN_LEFT}, {"verdict", .align = APP_ALIGN_LEFT},
        {"trust", .wrap = DOUBTS_WIDTH}};
    struct app_compare_counts own = {0};
    struct summary summary = {.count = 0};
    struct reasons *reasons = krn_alloc(1, sizeof *reasons);
    enum krn_code code = KRN_OK;
    struct app_table *table =
        app_table_new(app_phrase("%s against %s", other->label, first->label).text);
    tell_side(table, "first", first);
    tell_side(table, "other", other);
    tell_workload(table, first);
    app_table_about(table,
                    "x: times as fast as the first, ratio of the processes' medians [95 %% "
                    "interval, Welch's t]. The verdict rests on the 99 %% interval and a band of "
                    "indifference of %g %%.",
                    band_percent);
    app_table_columns(table, APP_COLUMNS(columns));
    put_rows(table, first, other, band_percent, &own, &summary);
    find_reasons(first, other, reasons);
    tell_reasons(reasons, table);
    if (own.compared > own.unjudged)
        app_table_note(table, "Of %zu verdicts, each at 99 %%, expect at most %.3g to be false.",
                       own.compared - own.unjudged, (double)(own.compared - own.unjudged) / 100.0);
    if (sides_overlap(first, other))
        app_table_note(table, "Both sides contain the same process: it is compared with itself.");
    if (own.too_few > 0)
        app_table_note(table,
                       "FASTER and SLOWER need two processes on each side, --fail-on-slower needs "
                       "%d: measure with --processes 5, or join records by commas.",
                       APP_COMPARE_PROCESSES_MIN);
    tell_threads(table, first, other);
    tell_summary(table, &summary);
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

/* --- the table of a replay: the recorded times beside those of now --- */

/* Compares two lists of pairs, leaving out the pose. */
static bool same_pairs(struct app_pairs a, struct app_pairs b)
{
    bool same = a.count == b.count;
    for (size_t i = 0; i < a.count && same; i++) {
        const struct app_pair *other = app_pairs_find(b, a.pairs[i].key);
        same = strcmp(a.pairs[i].key, app_members[APP_W_POSE_S].key) == 0 ||
               (other != NULL && app_pair_equal(&a.pairs[i], other));
    }
    return same;
}

/* Returns the result of `now` that timed the same mode with the same scene and view, on any
 * backend; NULL: there is none. */
static const struct app_result *find_like(const struct app_results *now,
                                          const struct app_result *then)
{
    for (size_t i = 0; i < now->count; i++) {
        const struct app_result *result = &now->results[i];
        if (strcmp(result->benchmark, then->benchmark) == 0 &&
            strcmp(result->variant, then->variant) == 0 &&
            same_pairs(then->workload, result->workload) &&
            same_pairs(then->parameters, result->parameters))
            return result;
    }
    return NULL;
}

static struct app_estimate time_of(const struct app_result *result)
{
    struct app_estimate time = {.valid = false};
    if (result != NULL)
        time = app_result_metric(result, APP_M_MEDIAN_MS);
    if (result != NULL && result->verified == APP_VERIFIED_FALSE)
        time.trust |= APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE);
    return time;
}

/* Returns true when times of modes in a record differ in a number of their workload. */
static bool points_differ(const struct app_results *results, enum app_member member)
{
    double first = -1.0;
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        const double number = app_result_number(result, member, -1.0);
        if (strcmp(result->benchmark, "raytrace") != 0 || !(number >= 0.0))
            continue;
        if (first >= 0.0 && (number < first || number > first))
            return true;
        first = number;
    }
    return false;
}

/* Adds the row of a mode. spheres, bounces: of its point; negative: they tell no points apart. */
static void put_row(struct app_table *table, const struct app_result *then,
                    const struct app_result *now, double spheres, double bounces,
                    double band_percent)
{
    const struct app_estimate first = time_of(then), other = time_of(now);
    struct app_comparison comparison = app_compare_times(first, other, band_percent);
    /* Why times of one mode, scene and view get no verdict. */
    const char *hindrance = now == NULL ? NULL
                            : app_result_text(then, APP_W_POSE_S) != NULL
                                ? "the scene moved then and stands still now"
                            : strcmp(then->regime, now->regime) != 0 ? "regimes differ"
                                                                     : NULL;
    char doubts[320];
    if (hindrance != NULL && !app_trust_no_verdict(comparison.ratio.trust))
        comparison.verdict = APP_VERDICT_CANT_TELL;
    app_table_row(table);
    const bool moved = now != NULL && now->backend != then->backend;
    app_table_cell(table, "%s (%s%s%s)", then->variant, krn_backend_name(then->backend),
                   moved ? ", now " : "", moved ? krn_backend_name(now->backend) : "");
    app_table_cell(table, "%s", spheres >= 0.0 ? app_phrase("%.0f", spheres).text : "");
    app_table_cell(table, "%s", bounces >= 0.0 ? app_phrase("%.0f", bounces).text : "");
    put_time(table, first, first.value, true);
    put_time(table, other, first.value, true);
    put_ratio(table, &comparison);
    app_table_cell(table, "%s",
                   now != NULL ? app_verdict_word(comparison.verdict) : "not timed now");
    app_trust_list(comparison.ratio.trust, doubts, sizeof doubts);
    app_table_cell(table, "%s", doubts);
    if (hindrance != NULL) {
        char point[APP_WORKLOAD_POINT];
        app_workload_point(spheres, bounces, point);
        app_table_note(table, "No verdict FASTER, SLOWER or SAME for %s%s: %s.", then->variant,
                       point, hindrance);
    }
}

void app_compare_replay(const struct app_results *then, const char *name,
                        const struct app_results *now, double band_percent, enum app_style style,
                        FILE *out)
{
    static const struct app_column columns[] = {{"mode", .align = APP_ALIGN_LEFT},
                                                {"spheres", .align = APP_ALIGN_RIGHT},
                                                {"bounces", .align = APP_ALIGN_RIGHT},
                                                {"then", .align = APP_ALIGN_RIGHT},
                                                {"now", .align = APP_ALIGN_RIGHT},
                                                {"x", .align = APP_ALIGN_RIGHT},
                                                {"95 % interval", .align = APP_ALIGN_LEFT},
                                                {"verdict", .align = APP_ALIGN_LEFT},
                                                {"trust", .wrap = DOUBTS_WIDTH}};
    size_t rows = 0, others = 0;
    const bool over_spheres = points_differ(then, APP_W_SPHERES),
               over_bounces = points_differ(then, APP_W_BOUNCES);
    struct app_table *table = app_table_new(app_phrase("Replay of %s", name).text);
    tell_record(table, "then", NULL, then);
    tell_record(table, "now", NULL, now);
    app_table_about(table,
                    "x: times as fast as then, ratio of the medians [95 %% interval]. The verdict "
                    "follows the rules of --compare with a band of indifference of %g %%; one "
                    "process per side says %s or %s.",
                    band_percent, app_verdict_word(APP_VERDICT_SAME),
                    app_verdict_word(APP_VERDICT_CANT_TELL));
    app_table_columns(table, APP_COLUMNS(columns));
    for (size_t i = 0; i < then->count; i++) {
        const struct app_result *result = &then->results[i];
        if (strcmp(result->benchmark, "raytrace") == 0) {
            put_row(table, result, find_like(now, result),
                    over_spheres ? app_result_number(result, APP_W_SPHERES, -1.0) : -1.0,
                    over_bounces ? app_result_number(result, APP_W_BOUNCES, -1.0) : -1.0,
                    band_percent);
            rows++;
        } else {
            others++;
        }
    }
    if (rows == 0)
        app_table_note(table, "The record has no time of a mode.");
    if (others > 0)
        app_table_note(table,
                       "A replay times modes only; the record has %zu other result%s. --compare "
                       "compares whole records.",
                       others, others == 1 ? "" : "s");
    app_table_print(table, style, out);
    app_table_free(table);
}
