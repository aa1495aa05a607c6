#include "results/sides.h"
#include "io/io.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Results that are looked at to name what differs: a record may have thousands of one name. */
enum { SIMILAR_MAX = 32 };

/* --- reading --- */

static enum krn_code read_one(struct app_side *side, const char *path, struct krn_error *error)
{
    side->records = app_grow(side->records, side->count + 1, sizeof *side->records);
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

bool app_sides_overlap(const struct app_side *a, const struct app_side *b)
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
        char *copy = app_copy(argument), *rest = copy;
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
    if (side->count > 1) {
        const size_t used = strlen(side->label);
        snprintf(side->label + used, sizeof side->label - used, " + %zu", side->count - 1);
    }
    if (code == KRN_OK)
        code = check_devices(side, error);
    if (code == KRN_OK)
        code = check_processes(side, error);
    if (code != KRN_OK)
        app_side_free(side);
    return code;
}

/* --- results --- */

static bool has_time(const struct app_result *result)
{
    return app_pairs_number(result->metrics, "median_ms", 0) > 0;
}

bool app_side_has(const struct app_side *side, const char *key)
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

const struct app_result *app_side_namesake(const struct app_side *side,
                                           const struct app_result *result, size_t record,
                                           size_t index)
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
        const struct app_estimate time = app_result_estimate(result, "median_ms");
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

/* --- differences --- */

/* Appends a difference and returns true. */
static bool differ(const char *key, const char *a, const char *b, char *text, size_t size)
{
    const size_t used = strlen(text);
    if (used < size)
        snprintf(text + used, size - used, "%s%.48s %.48s against %.48s", used > 0 ? ", " : "", key,
                 a, b);
    return true;
}

static size_t count_list(struct app_pairs a, struct app_pairs b, char *text, size_t size)
{
    size_t count = 0;
    char left[APP_PAIR_NUMBER], right[APP_PAIR_NUMBER];
    for (size_t i = 0; i < a.count; i++) {
        const struct app_pair *other = app_pairs_find(b, a.pairs[i].key);
        if (other == NULL || !app_pair_equal(&a.pairs[i], other))
            count += differ(a.pairs[i].key, app_pair_text(&a.pairs[i], left),
                            other != NULL ? app_pair_text(other, right) : "none", text, size);
    }
    for (size_t i = 0; i < b.count; i++)
        if (app_pairs_find(a, b.pairs[i].key) == NULL)
            count += differ(b.pairs[i].key, "none", app_pair_text(&b.pairs[i], right), text, size);
    return count;
}

/* Writes the differences, and returns their number. The hash of the scene is not among them when
 * something else says why the scenes differ. */
static size_t list_differences(const struct app_result *a, const struct app_result *b, char *text,
                               size_t size)
{
    struct app_pair left[16], right[16];
    struct app_pairs from = {left, 0}, to = {right, 0};
    size_t count = 0;
    text[0] = 0;
    if (a->backend != b->backend)
        count += differ("backend", krn_backend_name(a->backend), krn_backend_name(b->backend), text,
                        size);
    if (strcmp(a->regime, b->regime) != 0)
        count += differ("regime", a->regime, b->regime, text, size);
    for (size_t i = 0; i < a->workload.count && from.count < 16; i++)
        if (strcmp(a->workload.pairs[i].key, "scene") != 0)
            left[from.count++] = a->workload.pairs[i];
    for (size_t i = 0; i < b->workload.count && to.count < 16; i++)
        if (strcmp(b->workload.pairs[i].key, "scene") != 0)
            right[to.count++] = b->workload.pairs[i];
    const size_t workload = count_list(from, to, text, size);
    count += workload > 0 ? workload : count_list(a->workload, b->workload, text, size);
    return count + count_list(a->parameters, b->parameters, text, size);
}

void app_result_differences(const struct app_result *a, const struct app_result *b, char *text,
                            size_t size)
{
    list_differences(a, b, text, size);
}

const struct app_result *app_side_similar(const struct app_side *side,
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
            if (!has_time(other) || app_side_has(than, other->key))
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
