#include "record/merge.h"

#include "base/memory.h"
#include "command/entry.h"
#include "command/mode.h"
#include "judge/trust.h"
#include "record/record.h"
#include "record/record_json.h"

#include "krn/across.h"
#include "krn/duel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 8 };

static const char *text_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : "";
}

/* --- joining results --- */

static json_t *processes_of(const json_t *result)
{
    return json_object_get(result, "processes");
}

static int number_of_process(const json_t *result, size_t index)
{
    const json_t *process = json_array_get(processes_of(result), index);
    return (int)json_integer_value(json_object_get(process, "process"));
}

/* Returns true when both measured the same. The regime is not compared: it may differ by chance. */
static bool same(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"benchmark", "variant", "backend", "workload", "parameters"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])) != 1)
            return false;
    return true;
}

/* Returns the result that measured the same and has no entry of this process yet. `hint` is the
 * likely index. */
static json_t *find_partner(const json_t *results, const json_t *result, int process, size_t hint)
{
    const size_t n = json_array_size(results);
    for (size_t i = 0; i < n; i++) {
        json_t *partner = json_array_get(results, (hint + i) % n);
        bool has = false;
        for (size_t p = 0; p < json_array_size(processes_of(partner)) && !has; p++)
            has = number_of_process(partner, p) == process;
        if (!has && same(partner, result))
            return partner;
    }
    return NULL;
}

/* Joins the verification: wrong beats verified beats unknown. */
static void join_verified(json_t *to, const json_t *from)
{
    const json_t *a = json_object_get(to, "verified"), *b = json_object_get(from, "verified");
    const bool takes =
        json_is_boolean(b) && !json_is_false(a) && (json_is_null(a) || json_is_false(b));
    json_t *reason = json_object_get(from, "verified_reason");
    if (!takes)
        return;
    json_object_set(to, "verified", json_object_get(from, "verified"));
    json_object_del(to, "verified_reason");
    if (reason != NULL)
        json_object_set(to, "verified_reason", reason);
}

/* Removes the members of the outcome that the other one does not confirm. */
static void join_outcome(json_t *to, const json_t *from)
{
    json_t *outcome = json_object_get(to, "outcome");
    const json_t *other = json_object_get(from, "outcome");
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(outcome, next, key, value)
    {
        if (json_equal(value, json_object_get(other, key)) != 1)
            json_object_del(outcome, key);
    }
}

static void join(json_t *to, const json_t *from)
{
    join_outcome(to, from);
    const bool complete = !json_is_false(json_object_get(to, "complete")) &&
                          !json_is_false(json_object_get(from, "complete"));
    json_object_set_new(to, "complete", json_boolean(complete));
    if (strcmp(text_of(to, "regime"), text_of(from, "regime")) != 0)
        json_object_set_new(to, "regime", json_string("mixed"));
    join_verified(to, from);
    json_array_extend(processes_of(to), processes_of(from));
}

/* Adds the results of one record. */
static void add_results(json_t *results, const json_t *more, int process)
{
    for (size_t i = 0; i < json_array_size(more); i++) {
        json_t *result = json_array_get(more, i);
        json_t *entry = json_array_get(processes_of(result), 0);
        json_object_set_new(entry, "process", json_integer(process));
        json_t *partner = find_partner(results, result, process, i);
        if (partner != NULL)
            join(partner, result);
        else
            json_array_append(results, result);
    }
}

/* --- duels --- */

static unsigned reasons_of(const json_t *result)
{
    const json_t *ids = json_object_get(result, "trust");
    unsigned reasons =
        json_is_false(json_object_get(result, "verified")) ? 1u << APP_TRUST_WRONG_PICTURE : 0;
    for (size_t i = 0; i < json_array_size(ids); i++)
        reasons |= app_trust_of_id(json_string_value(json_array_get(ids, i)));
    return reasons;
}

/* Judges the ratios of all processes, and counts those that wander and those whose A/A duel claims
 * a difference. One process keeps its own verdict. */
static void judge_duel(json_t *result)
{
    json_t *outcome = json_object_get(result, "outcome");
    const json_t *processes = processes_of(result),
                 *band = json_object_get(json_object_get(result, "parameters"), "band_percent");
    const char *instead = app_trust_no_verdict(reasons_of(result)),
               *wanders = krn_ratio_verdict_name(KRN_RATIO_WANDERING);
    int wandering = 0, distrusted = 0;
    for (size_t i = 0; i < json_array_size(processes); i++) {
        const json_t *own = json_object_get(json_array_get(processes, i), "outcome");
        wandering += strcmp(text_of(own, "verdict"), wanders) == 0;
        distrusted += json_object_get(own, "distrusted") != NULL;
    }
    if (wandering > 0)
        json_object_set_new(outcome, "wandering", json_integer(wandering));
    if (distrusted > 0)
        json_object_set_new(outcome, "distrusted", json_integer(distrusted));
    if (instead == NULL && json_array_size(processes) < 2)
        return;
    const struct krn_across across = app_record_across(processes, "ratio", KRN_VERDICT_LEVEL);
    const enum krn_ratio_verdict verdict =
        krn_ratio_judge((struct krn_interval){across.valid, across.low, across.high},
                        1.0 + json_number_value(band) / 100.0);
    json_object_set_new(outcome, "verdict",
                        json_string(instead != NULL ? instead : krn_ratio_verdict_name(verdict)));
}

/* --- order --- */

static int rank_of_benchmark(const char *benchmark)
{
#define OWN(name, what) #name,
#define TOPIC(id, name, what) #name,
    static const char *const order[] = {"duel", APP_BENCHES(OWN, TOPIC) "frame", "claims"};
#undef OWN
#undef TOPIC
    int rank = 0;
    while (rank < (int)(sizeof order / sizeof *order) && strcmp(benchmark, order[rank]) != 0)
        rank++;
    return rank;
}

/* The position of a result in tables. */
struct place {
    int backend, benchmark, mode;
    double spheres, bounces;
    size_t index; /* the place in which it was first seen */
    json_t *result;
};

static struct place place_of(json_t *result, size_t index)
{
    const char *variant = text_of(result, "variant"), *benchmark = text_of(result, "benchmark");
    const json_t *workload = json_object_get(result, "workload");
    struct krn_mode mode;
    const bool has_mode =
        strcmp(benchmark, "raytrace") == 0 && app_mode_parse(variant, strlen(variant), &mode);
    return (struct place){
        .backend = strcmp(text_of(result, "backend"), krn_backend_name(KRN_BACKEND_CUDA)) != 0,
        .benchmark = rank_of_benchmark(benchmark),
        .mode = has_mode ? krn_mode_index(mode) : 0,
        .spheres = json_number_value(json_object_get(workload, "spheres")),
        .bounces = json_number_value(json_object_get(workload, "bounces")),
        .index = index,
        .result = result,
    };
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->backend != b->backend)
        return a->backend < b->backend ? -1 : 1;
    if (a->benchmark != b->benchmark)
        return a->benchmark < b->benchmark ? -1 : 1;
    if (a->spheres < b->spheres || a->spheres > b->spheres)
        return a->spheres < b->spheres ? -1 : 1;
    if (a->bounces < b->bounces || a->bounces > b->bounces)
        return a->bounces < b->bounces ? -1 : 1;
    if (a->mode != b->mode)
        return a->mode < b->mode ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Returns the results in the order of the tables. */
static json_t *sort(const json_t *results)
{
    const size_t n = json_array_size(results);
    struct place *places = app_alloc(n, sizeof *places);
    json_t *sorted = json_array();
    for (size_t i = 0; i < n; i++)
        places[i] = place_of(json_array_get(results, i), i);
    qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++)
        json_array_append(sorted, places[i].result);
    free(places);
    return sorted;
}

/* --- the record --- */

/* Returns a number of the result's workload if other results of the benchmark have another one;
 * else -1. */
static double coordinate(const json_t *results, const json_t *result, const char *key)
{
    const json_t *own = json_object_get(json_object_get(result, "workload"), key);
    for (size_t i = 0; i < json_array_size(results) && json_is_number(own); i++) {
        const json_t *other = json_array_get(results, i),
                     *number = json_object_get(json_object_get(other, "workload"), key);
        if (json_is_number(number) && json_equal(number, own) != 1 &&
            strcmp(text_of(other, "benchmark"), text_of(result, "benchmark")) == 0)
            return json_number_value(own);
    }
    return -1;
}

/* Writes what distinguishes a result from others of the same name: " at bytes 4096" for a probe of
 * a series, " at 20 spheres" for a point of a sweep; "" if there are none. */
static void tell_where(const json_t *results, const json_t *result, char text[APP_WORKLOAD_POINT])
{
    const json_t *parameters = json_object_get(result, "parameters");
    const char *axis = json_string_value(json_object_get(parameters, "axis"));
    const json_t *x = axis != NULL ? json_object_get(parameters, axis) : NULL;
    if (json_is_number(x))
        snprintf(text, APP_WORKLOAD_POINT, " at %s %.0f", axis, json_number_value(x));
    else
        app_workload_point(coordinate(results, result, "spheres"),
                           coordinate(results, result, "bounces"), text);
}

/* Appends a note on each result that some processes lack, up to a few. Returns true if there are
 * any. */
static bool note_missing(json_t *notes, const json_t *results, size_t records)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *result = json_array_get(results, i);
        const size_t n = json_array_size(processes_of(result));
        if (n == records || ++count > NOTES_MAX)
            continue;
        char where[APP_WORKLOAD_POINT];
        tell_where(results, result, where);
        json_array_append_new(notes, json_sprintf("%s %s%s: %zu of %zu processes measured it.",
                                                  text_of(result, "benchmark"),
                                                  text_of(result, "variant"), where, n, records));
    }
    if (count > NOTES_MAX)
        json_array_append_new(
            notes, json_sprintf("The same holds for %zu more results.", count - NOTES_MAX));
    return count > 0;
}

/* Appends what one process found on its device. */
static void add_each(json_t *each, const json_t *root, int process)
{
    static const char *const keys[] = {"ordinal",
                                       "name",
                                       "pci_id",
                                       "throttle",
                                       "clock_now_mhz",
                                       "clock_low_mhz",
                                       "power_w",
                                       "memory_clock_now_mhz",
                                       "memory_clock_low_mhz",
                                       "temperature_c"};
    const json_t *environment = json_object_get(root, "environment"),
                 *device = json_object_get(environment, "device");
    json_t *entry = json_pack("{s:i}", "process", process),
           *time = json_object_get(environment, "time_utc");
    json_array_append_new(each, entry);
    if (json_is_string(time))
        json_object_set(entry, "time_utc", time);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(entry, keys[i], json_object_get(device, keys[i])); /* NULL adds nothing */
}

static json_t *describe_run(const struct app_merge_run *run, size_t records)
{
    json_t *object = json_pack("{s:i, s:i, s:[], s:[]}", "processes_asked", run->processes_asked,
                               "processes", (int)records, "failed", "each");
    json_t *failed = json_object_get(object, "failed");
    for (size_t i = 0; i < run->failed_count; i++) {
        json_t *entry = json_pack("{s:i}", "process", run->failed[i].process);
        json_array_append_new(failed, entry);
        json_object_set_new(entry, "why", app_json_from_text(run->failed[i].why));
    }
    if (run->has_seed)
        json_object_set_new(object, "seed", json_sprintf("%llu", (unsigned long long)run->seed));
    if (run->seconds > 0)
        json_object_set_new(object, "seconds", app_json_from_number(run->seconds));
    return object;
}

static void replace_command(json_t *root, const struct app_merge_run *run)
{
    if (run->argc == 0)
        return;
    json_t *argv = json_array();
    for (int i = 0; i < run->argc; i++)
        json_array_append_new(argv, app_json_from_text(run->argv[i]));
    json_object_set_new(json_object_get(root, "environment"), "argv", argv);
}

/* Appends the ids that the list lacks. */
static void unite(json_t *list, const json_t *more)
{
    for (size_t i = 0; i < json_array_size(more); i++) {
        json_t *id = json_array_get(more, i);
        bool known = false;
        for (size_t j = 0; j < json_array_size(list) && !known; j++)
            known = json_equal(json_array_get(list, j), id) == 1;
        if (!known)
            json_array_append(list, id);
    }
}

/* Sums up every result, judges duels, and puts the results in order. complete: every record is.
 * Returns true when the merged one is, too. */
static bool finish(json_t *root, const struct app_merge_run *run, size_t records, bool complete)
{
    json_t *results = json_object_get(root, "results"), *notes = json_object_get(root, "notes");
    for (size_t i = 0; i < json_array_size(results); i++) {
        json_t *result = json_array_get(results, i);
        app_record_sum_up(result);
        if (strcmp(text_of(result, "benchmark"), "duel") == 0)
            judge_duel(result);
    }
    json_t *sorted = sort(results);
    json_object_set_new(root, "results", sorted);
    const bool missing = note_missing(notes, sorted, records);
    replace_command(root, run);
    complete = complete && !missing && !run->incomplete && run->failed_count == 0;
    json_object_set_new(root, "complete", json_boolean(complete));
    return complete;
}

/* Checks that a record is of one process. */
static enum krn_code check(const struct app_json_reader *reader, const json_t *root)
{
    const json_t *results = json_object_get(root, "results");
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *processes = processes_of(json_array_get(results, i));
        if (json_array_size(processes) != 1 || !json_is_object(json_array_get(processes, 0)))
            return KRN_FAIL(reader->error, KRN_REFUSED, "%s is not a record of one process.",
                            reader->source);
    }
    return KRN_OK;
}

/* Adds a record to the first one, *root, which is NULL before it was loaded. */
static enum krn_code add_record(json_t **root, const char *text, int process, bool *complete,
                                json_t *each, struct krn_error *error)
{
    char source[32];
    json_t *more = NULL;
    snprintf(source, sizeof source, "process %d", process);
    struct app_json_reader reader = {
        .text = text, .length = strlen(text), .source = source, .error = error};
    enum krn_code code = app_record_load(&reader, &more);
    if (code == KRN_OK)
        code = check(&reader, more);
    if (code != KRN_OK) {
        json_decref(more);
        return code;
    }
    *complete = *complete && !json_is_false(json_object_get(more, "complete"));
    json_t *results = json_incref(json_object_get(more, "results"));
    const bool first = *root == NULL;
    if (first)
        *root = json_incref(more);
    if (first)
        json_object_set_new(*root, "results", json_array());
    if (first && json_object_get(*root, "notes") == NULL)
        json_object_set_new(*root, "notes", json_array());
    add_results(json_object_get(*root, "results"), results, process);
    unite(json_object_get(*root, "trust"), json_object_get(more, "trust"));
    unite(json_object_get(*root, "notes"), json_object_get(more, "notes"));
    add_each(each, more, process);
    json_decref(results);
    json_decref(more);
    return KRN_OK;
}

enum krn_code app_record_merge(const char *const *records, size_t count,
                               const struct app_merge_run *run, char **merged, bool *complete,
                               struct krn_error *error)
{
    if (count < 1 || count > KRN_PROCESSES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "1 to %d records can be merged, not %zu.",
                        KRN_PROCESSES_MAX, count);
    json_t *root = NULL, *about = describe_run(run, count);
    bool all = true;
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < count && code == KRN_OK; i++)
        code = add_record(&root, records[i], run->process != NULL ? run->process[i] : (int)i + 1,
                          &all, json_object_get(about, "each"), error);
    if (code == KRN_OK) {
        json_object_set(root, "run", about);
        all = finish(root, run, count, all);
        *merged = app_record_print(root);
        if (complete != NULL)
            *complete = all;
    }
    json_decref(about);
    json_decref(root);
    return code;
}
