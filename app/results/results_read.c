/* app/results/results_read.c - parses a record and builds the results in memory. */
#include "results/results.h"

#include "base/files.h"
#include "base/memory.h"
#include "base/value.h"
#include "record/record_json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    struct block *next;
};

/* The kept texts, in a table with open addressing whose size is a power of two. */
struct app_results_memory {
    struct block *blocks;
    const char **texts;   /* NULL: a free place */
    size_t places, count; /* places; those that are taken */
};

static void results_memory_free(struct app_results_memory *memory)
{
    if (memory == NULL)
        return;
    for (struct block *block = memory->blocks; block != NULL;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    free(memory->texts);
    free(memory);
}

/* Returns zeroed memory that lives as long as *memory. */
static void *results_take(struct app_results_memory *memory, size_t count, size_t size)
{
    const size_t head = (sizeof(struct block) + 15) / 16 * 16;
    struct block *block = app_alloc(1, head + count * size);
    block->next = memory->blocks;
    memory->blocks = block;
    return (char *)block + head;
}

/* FNV-1a. */
static size_t hash_of(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *text != 0; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 32);
}

/* Returns the place that holds the text, or the free one where it belongs. NULL: the places where
 * it could be hold others; a file whose texts are chosen so does not take long to read. */
static const char **place_of(const struct app_results_memory *memory, const char *text)
{
    enum { TRIES = 32 };
    const size_t first = hash_of(text);
    for (size_t i = 0; i < TRIES; i++) {
        const char **place = &memory->texts[(first + i) & (memory->places - 1)];
        if (*place == NULL || strcmp(*place, text) == 0)
            return place;
    }
    return NULL;
}

/* Makes sure that less than half of the places are taken. */
static void make_room(struct app_results_memory *memory)
{
    enum { FIRST = 256 };
    if (2 * (memory->count + 1) < memory->places)
        return;
    struct app_results_memory larger = {.places = memory->places > 0 ? 2 * memory->places : FIRST};
    larger.texts = app_alloc(larger.places, sizeof *larger.texts);
    for (size_t i = 0; i < memory->places; i++) {
        const char **place = memory->texts[i] != NULL ? place_of(&larger, memory->texts[i]) : NULL;
        if (place != NULL) {
            *place = memory->texts[i];
            larger.count++;
        }
    }
    free(memory->texts);
    memory->texts = larger.texts;
    memory->places = larger.places;
    memory->count = larger.count;
}

const char *app_results_keep(struct app_results_memory *memory, const char *text)
{
    make_room(memory);
    const char **place = place_of(memory, text);
    if (place != NULL && *place != NULL)
        return *place;
    char *copy = results_take(memory, strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text) + 1);
    if (place != NULL) {
        *place = copy;
        memory->count++;
    }
    return copy;
}

void app_results_free(struct app_results *results)
{
    results_memory_free(results->memory);
    memset(results, 0, sizeof *results);
}

/* --- texts --- */

static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : otherwise;
}

/* Returns a copy of the text that outlives the JSON value. */
static const char *kept(struct app_results_memory *memory, const json_t *object, const char *key,
                        const char *otherwise)
{
    const char *text = text_of(object, key, NULL);
    return text != NULL ? app_results_keep(memory, text) : otherwise;
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_number_value(value);
    return json_is_number(value) && number > 0 ? number : 0;
}

static int integer_of(const json_t *object, const char *key)
{
    const double number = number_of(object, key);
    return number < 1e9 ? (int)number : 0;
}

static size_t size_of(const json_t *object, const char *key)
{
    const double number = number_of(object, key);
    return number < 1e18 ? (size_t)number : 0;
}

/* --- building --- */

/* Keeps a text that JSON functions allocated, and frees it. */
static const char *keep_own(struct app_results_memory *memory, char *text)
{
    const char *copy = app_results_keep(memory, text);
    free(text);
    return copy;
}

static bool is_key(const char *key)
{
    size_t n = 0;
    for (; key[n] != 0; n++)
        if (!((key[n] >= 'a' && key[n] <= 'z') ||
              (n > 0 && (key[n] == '_' || (key[n] >= '0' && key[n] <= '9')))))
            return false;
    return n > 0 && n < 64;
}

static bool is_beyond(double number)
{
    return fabs(number) > APP_RESULTS_NUMBER_MAX ||
           (fabs(number) > 0 && fabs(number) < APP_RESULTS_NUMBER_MIN);
}

/* Reads an object of numbers and, if allowed, texts. A missing one is an empty list. */
static enum krn_code read_pairs(struct app_json_reader *reader, struct app_results_memory *memory,
                                const json_t *parent, const char *name, bool texts,
                                struct app_pairs *list)
{
    const json_t *object = json_object_get(parent, name);
    const char *key;
    json_t *value;
    if (object == NULL)
        return KRN_OK;
    app_json_enter(reader, name, 0);
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    if (json_object_size(object) > APP_PAIRS_MAX)
        return app_json_fail(reader, "has more than %d members", APP_PAIRS_MAX);
    struct app_pair *pairs = results_take(memory, json_object_size(object), sizeof *pairs);
    list->pairs = pairs;
    json_object_foreach((json_t *)object, key, value)
    {
        if (!is_key(key))
            return app_json_fail(reader, "has a member whose name is not of a-z, 0-9 and _");
        app_json_enter(reader, key, 0);
        if (!json_is_number(value) && !(texts && json_is_string(value)))
            return app_json_fail(reader, texts ? "must be a number or a text" : "must be a number");
        if (!is_beyond(json_number_value(value)))
            pairs[list->count++] = (struct app_pair){
                app_results_keep(memory, key), json_number_value(value),
                json_is_string(value) ? app_results_keep(memory, json_string_value(value)) : NULL};
        app_json_leave(reader);
    }
    app_json_leave(reader);
    return KRN_OK;
}

static enum krn_code read_numbers(struct app_json_reader *reader, struct app_results_memory *memory,
                                  const json_t *parent, const char *name, const double **numbers,
                                  size_t *count)
{
    const json_t *array = json_object_get(parent, name);
    const size_t n = json_array_size(array);
    app_json_enter(reader, name, 0);
    if (!json_is_array(array))
        return app_json_fail(reader, array == NULL ? "is missing" : "must be an array");
    double *copy = results_take(memory, n, sizeof *copy);
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(array, i);
        copy[i] = json_number_value(value);
        if (!json_is_number(value) || !(copy[i] >= 0)) {
            app_json_enter(reader, NULL, i);
            return app_json_fail(reader, "must be a number that is not negative");
        }
    }
    app_json_leave(reader);
    bool beyond = false;
    for (size_t i = 0; i < n; i++)
        beyond = beyond || is_beyond(copy[i]);
    *numbers = copy;
    *count = beyond ? 0 : n;
    return KRN_OK;
}

static void read_texts(struct app_results_memory *memory, const json_t *array,
                       struct app_texts *list)
{
    const size_t n = json_array_size(array);
    const char **texts = results_take(memory, n, sizeof *texts);
    list->texts = texts;
    for (size_t i = 0; i < n; i++)
        if (json_is_string(json_array_get(array, i)))
            texts[list->count++] =
                app_results_keep(memory, json_string_value(json_array_get(array, i)));
}

static void read_trust(struct app_results_memory *memory, const json_t *parent,
                       struct app_results_trust *trust)
{
    struct app_texts all = {NULL, 0};
    read_texts(memory, json_object_get(parent, "trust"), &all);
    const char **others = results_take(memory, all.count, sizeof *others);
    trust->others.texts = others;
    for (size_t i = 0; i < all.count; i++) {
        const unsigned reason = app_trust_of_id(all.texts[i]);
        trust->reasons |= reason;
        if (reason == 0)
            others[trust->others.count++] = all.texts[i];
    }
}

static enum krn_code read_process(struct app_json_reader *reader, struct app_results_memory *memory,
                                  const json_t *object, struct app_result_process *process)
{
    json_t *number;
    size_t counted = 0;
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    enum krn_code code = app_json_require(reader, object, "process", JSON_INTEGER, &number);
    if (code != KRN_OK)
        return code;
    process->process = integer_of(object, "process");
    process->stop = kept(memory, object, "stop", NULL);
    code = read_numbers(reader, memory, object, "samples_ms", &process->samples_ms, &process->n);
    if (code == KRN_OK && json_object_get(object, "cycles") != NULL)
        code = read_numbers(reader, memory, object, "cycles", &process->cycles, &counted);
    if (code != KRN_OK)
        return code;
    if (process->cycles != NULL && counted != process->n)
        return app_json_fail(reader, "has more or fewer cycles than samples_ms");
    code = read_pairs(reader, memory, object, "metrics", false, &process->metrics);
    if (code == KRN_OK)
        code = read_pairs(reader, memory, object, "outcome", true, &process->outcome);
    read_trust(memory, object, &process->trust);
    return code;
}

static enum krn_code read_processes(struct app_json_reader *reader,
                                    struct app_results_memory *memory, const json_t *object,
                                    struct app_result_read *result)
{
    json_t *array = NULL;
    enum krn_code code = app_json_require(reader, object, "processes", JSON_ARRAY, &array);
    if (code != KRN_OK)
        return code;
    const size_t n = json_array_size(array);
    app_json_enter(reader, "processes", 0);
    if (n < 1 || n > KRN_PROCESSES_MAX)
        return app_json_fail(reader, "must have 1 to %d elements", KRN_PROCESSES_MAX);
    struct app_result_process *processes = results_take(memory, n, sizeof *processes);
    result->processes = processes;
    for (; result->process_count < n && code == KRN_OK; result->process_count++) {
        const size_t i = result->process_count;
        app_json_enter(reader, NULL, i);
        code = read_process(reader, memory, json_array_get(array, i), &processes[i]);
        if (code == KRN_OK)
            app_json_leave(reader);
    }
    if (code == KRN_OK)
        app_json_leave(reader);
    return code;
}

static enum krn_code read_backend(struct app_json_reader *reader, const json_t *object,
                                  enum krn_backend_id *backend)
{
    const char *name = text_of(object, "backend", "");
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        if (strcmp(name, krn_backend_name((enum krn_backend_id)id)) == 0) {
            *backend = (enum krn_backend_id)id;
            return KRN_OK;
        }
    app_json_enter(reader, "backend", 0);
    return app_json_fail(reader, "must be \"cuda\" or \"cpu\"");
}

static enum krn_code read_result(struct app_json_reader *reader, struct app_results_memory *memory,
                                 json_t *object, struct app_result_read *result)
{
    json_t *value;
    if (!json_is_object(object))
        return app_json_fail(reader, "must be an object");
    static const char *const texts[] = {"benchmark", "variant", "backend"};
    enum krn_code code = KRN_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && code == KRN_OK; i++)
        code = app_json_require(reader, object, texts[i], JSON_STRING, &value);
    if (code == KRN_OK)
        code = app_json_require(reader, object, "parameters", JSON_OBJECT, &value);
    if (code == KRN_OK)
        code = app_json_require(reader, object, "metrics", JSON_OBJECT, &value);
    if (code == KRN_OK)
        code = read_backend(reader, object, &result->backend);
    if (code == KRN_OK)
        code = read_processes(reader, memory, object, result);
    if (code == KRN_OK)
        code = read_pairs(reader, memory, object, "workload", true, &result->workload);
    if (code == KRN_OK)
        code = read_pairs(reader, memory, object, "parameters", true, &result->parameters);
    if (code == KRN_OK)
        code = read_pairs(reader, memory, object, "outcome", true, &result->outcome);
    if (code == KRN_OK)
        code = read_pairs(reader, memory, object, "metrics", false, &result->metrics);
    if (code != KRN_OK)
        return code;
    read_trust(memory, object, &result->trust);
    const json_t *workload = json_object_get(object, "workload"),
                 *verified = json_object_get(object, "verified");
    result->benchmark = kept(memory, object, "benchmark", "");
    result->variant = kept(memory, object, "variant", "");
    result->regime = kept(memory, object, "regime", "n/a");
    result->scope = kept(memory, object, "scope", "");
    result->verified = json_is_true(verified)    ? APP_VERIFIED_TRUE
                       : json_is_false(verified) ? APP_VERIFIED_FALSE
                                                 : APP_VERIFIED_UNKNOWN;
    result->verified_reason = kept(memory, object, "verified_reason", "");
    result->stop = kept(memory, object, "stop", NULL);
    result->complete = !json_is_false(json_object_get(object, "complete"));
    result->workload_text = keep_own(
        memory, workload
                    ? json_dumps(workload, JSON_SORT_KEYS | JSON_COMPACT | JSON_REAL_PRECISION(9))
                    : app_copy("{}"));
    result->key = keep_own(memory, app_record_key(object));
    return KRN_OK;
}

static int by_key(const void *left, const void *right)
{
    const struct app_result_read *const *a = left, *const *b = right;
    const int order = strcmp((*a)->key, (*b)->key);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int by_name(const void *left, const void *right)
{
    const struct app_result_read *const *a = left, *const *b = right;
    const int benchmark = strcmp((*a)->benchmark, (*b)->benchmark),
              variant = strcmp((*a)->variant, (*b)->variant);
    return benchmark != 0 ? benchmark : variant != 0 ? variant : (*a > *b) - (*a < *b);
}

/* Sorts pointers to the results, so that each is found without a look at all of them. */
static void sort_results(struct app_results *results)
{
    const struct app_result_read **keys =
                                     results_take(results->memory, results->count, sizeof *keys),
                                 **names =
                                     results_take(results->memory, results->count, sizeof *names);
    for (size_t i = 0; i < results->count; i++)
        keys[i] = names[i] = &results->results[i];
    qsort(keys, results->count, sizeof *keys, by_key);
    qsort(names, results->count, sizeof *names, by_name);
    results->by_key = keys;
    results->by_name = names;
}

static enum krn_code read_results(struct app_json_reader *reader, json_t *root,
                                  struct app_results *results)
{
    json_t *array = NULL;
    enum krn_code code = app_json_require(reader, root, "results", JSON_ARRAY, &array);
    if (code != KRN_OK)
        return code;
    if (json_array_size(array) > APP_RESULTS_MAX) {
        app_json_enter(reader, "results", 0);
        return app_json_fail(reader, "has more than %d elements", APP_RESULTS_MAX);
    }
    struct app_result_read *list =
        results_take(results->memory, json_array_size(array), sizeof *list);
    results->results = list;
    app_json_enter(reader, "results", 0);
    for (size_t i = 0; i < json_array_size(array) && code == KRN_OK; i++) {
        app_json_enter(reader, NULL, i);
        results->count = i + 1;
        code = read_result(reader, results->memory, json_array_get(array, i), &list[i]);
        if (code == KRN_OK)
            app_json_leave(reader);
    }
    if (code == KRN_OK)
        app_json_leave(reader);
    if (code == KRN_OK)
        sort_results(results);
    return code;
}

/* --- environment and run --- */

/* Copies a text into an array. */
static void copy_text(const json_t *object, const char *key, char *to, size_t size)
{
    snprintf(to, size, "%s", text_of(object, key, "n/a"));
}

static unsigned throttle_bits(const char *words)
{
    unsigned bits = 0;
    for (int i = 0; i < KRN_THROTTLE_COUNT; i++) {
        char word[128];
        krn_throttle_text(1u << i, word, sizeof word);
        bits |= strstr(words, word) != NULL ? 1u << i : 0;
    }
    return bits;
}

static void read_telemetry(const json_t *object, struct krn_telemetry_reading *telemetry)
{
    const char *throttle = text_of(object, "throttle", NULL);
    telemetry->valid = json_object_get(object, "driver_version") != NULL;
    copy_text(object, "driver_version", telemetry->driver, sizeof telemetry->driver);
    telemetry->clock_mhz = number_of(object, "clock_now_mhz");
    telemetry->clock_low_mhz = number_of(object, "clock_low_mhz");
    telemetry->clock_max_mhz = number_of(object, "clock_max_mhz");
    telemetry->memory_clock_mhz = number_of(object, "memory_clock_now_mhz");
    telemetry->memory_clock_low_mhz = number_of(object, "memory_clock_low_mhz");
    telemetry->memory_clock_max_mhz = number_of(object, "memory_clock_max_mhz");
    telemetry->power_w = number_of(object, "power_w");
    telemetry->temperature_c = number_of(object, "temperature_c");
    telemetry->throttle_known = throttle != NULL;
    telemetry->throttle = telemetry->throttle_seen = throttle != NULL ? throttle_bits(throttle) : 0;
}

static void read_device(const json_t *object, struct krn_device_info *info,
                        struct krn_overheads *overheads, struct krn_telemetry_reading *telemetry)
{
    const char *backend = text_of(object, "backend", "");
    info->backend = strcmp(backend, krn_backend_name(KRN_BACKEND_CUDA)) == 0 ? KRN_BACKEND_CUDA
                                                                             : KRN_BACKEND_CPU;
    info->can = *krn_backend_get(info->backend)->can;
    info->ordinal = integer_of(object, "ordinal");
    copy_text(object, "name", info->name, sizeof info->name);
    copy_text(object, "driver", info->driver, sizeof info->driver);
    copy_text(object, "runtime", info->runtime, sizeof info->runtime);
    copy_text(object, "pci_id", info->pci_id, sizeof info->pci_id);
    copy_text(object, "clock", info->clock, sizeof info->clock);
    /* NOLINTNEXTLINE(cert-err34-c): four digits fit an int. */
    if (sscanf(text_of(object, "compute", ""), "%4d.%4d", &info->compute_major,
               &info->compute_minor) != 2)
        info->compute_major = info->compute_minor = 0;
    info->processors = integer_of(object, "processors");
    info->fma_lanes = integer_of(object, "fma_lanes");
    info->dfma_lanes = integer_of(object, "dfma_lanes");
    info->threads_per_processor = integer_of(object, "threads_per_processor");
    info->memory_bytes = size_of(object, "memory_bytes");
    info->l2_bytes = size_of(object, "l2_bytes");
    info->cache_bytes[0] = size_of(object, "cache1_bytes");
    info->cache_bytes[1] = size_of(object, "cache2_bytes");
    info->cache_bytes[2] = size_of(object, "cache3_bytes");
    info->memory_bus_bits = integer_of(object, "memory_bus_bits");
    info->clock_max_mhz = number_of(object, "clock_max_mhz");
    info->memory_clock_mhz = number_of(object, "memory_clock_max_mhz");
    overheads->event_ms = number_of(object, "event_floor_ms");
    overheads->empty_kernel_ms = number_of(object, "launch_floor_ms");
    read_telemetry(object, telemetry);
}

/* Reads the device that measured copied results; early versions do not name it. */
static void read_origin(const json_t *object, struct app_results *results)
{
    const json_t *device = json_object_get(object, "device");
    struct app_results_origin *origin = &results->origin;
    origin->valid = json_is_object(device);
    origin->time_utc = kept(results->memory, object, "time_utc", "n/a");
    if (origin->valid)
        read_device(device, &origin->device, &origin->overheads, &origin->telemetry);
}

static void read_environment(const json_t *object, struct app_results *results)
{
    const struct {
        const char *key, **text;
    } texts[] = {{"version", &results->version},  {"git", &results->git},
                 {"host", &results->host},        {"os", &results->os},
                 {"system", &results->system},    {"cpu", &results->cpu},
                 {"time_utc", &results->time_utc}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i].text = kept(results->memory, object, texts[i].key, "n/a");
    results->cpu_threads = integer_of(object, "cpu_threads");
    const json_t *device = json_object_get(object, "device");
    results->has_device = json_is_object(device);
    if (results->has_device) {
        read_device(device, &results->device, &results->overheads, &results->telemetry);
        results->ceilings = krn_ceilings_of(&results->device);
    }
    const json_t *argv = json_object_get(object, "argv");
    size_t length = 1;
    for (size_t i = 0; i < json_array_size(argv); i++)
        length += json_string_length(json_array_get(argv, i)) + 1;
    char *command = results_take(results->memory, length, 1);
    results->command = command;
    for (size_t i = 0; i < json_array_size(argv); i++) {
        const char *word = json_string_value(json_array_get(argv, i));
        if (word != NULL)
            command = stpcpy(i > 0 ? stpcpy(command, " ") : command, word);
    }
}

static void read_run(const json_t *object, struct app_results *results)
{
    struct app_results_run *run = &results->run;
    const json_t *failed = json_object_get(object, "failed");
    const size_t n = json_array_size(failed);
    struct app_results_failure *failures = results_take(results->memory, n, sizeof *failures);
    const json_t *each = json_object_get(object, "each");
    struct app_results_device *devices =
        results_take(results->memory, json_array_size(each), sizeof *devices);
    for (size_t i = 0; i < json_array_size(each); i++) {
        const json_t *entry = json_array_get(each, i);
        if (json_is_integer(json_object_get(entry, "ordinal")))
            devices[run->device_count++] = (struct app_results_device){
                integer_of(entry, "process"), integer_of(entry, "ordinal"),
                kept(results->memory, entry, "name", "n/a"),
                kept(results->memory, entry, "pci_id", "n/a")};
    }
    run->devices = devices;
    run->processes_asked = integer_of(object, "processes_asked");
    run->processes = integer_of(object, "processes");
    run->has_seed = app_parse_uint64(text_of(object, "seed", ""), &run->seed);
    run->seconds = number_of(object, "seconds");
    run->failed = failures;
    run->failed_count = n;
    for (size_t i = 0; i < n; i++)
        failures[i] = (struct app_results_failure){
            integer_of(json_array_get(failed, i), "process"),
            kept(results->memory, json_array_get(failed, i), "why", "n/a")};
}

/* Reads the state quietly: a record whose state cannot be rendered is still a record. */
static void read_state(const struct app_json_reader *reader, const json_t *root,
                       struct app_results *results)
{
    struct krn_error ignored;
    struct app_json_reader quiet = *reader;
    quiet.error = &ignored;
    quiet.depth = 0;
    app_json_enter(&quiet, "state", 0);
    results->has_state =
        app_state_from_json(&quiet, json_object_get(root, "state"), &results->state) == KRN_OK;
}

static enum krn_code build(struct app_json_reader *reader, json_t *root,
                           struct app_results *results)
{
    read_environment(json_object_get(root, "environment"), results);
    read_run(json_object_get(root, "run"), results);
    read_texts(results->memory, json_object_get(root, "notes"), &results->notes);
    read_trust(results->memory, root, &results->trust);
    const enum krn_code code = read_results(reader, root, results);
    read_origin(json_object_get(root, "recorded"), results);
    read_state(reader, root, results);
    results->complete = !json_is_false(json_object_get(root, "complete"));
    return code;
}

enum krn_code app_results_read(const char *text, size_t length, const char *source,
                               struct app_results *results, struct krn_error *error)
{
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    memset(results, 0, sizeof *results);
    results->memory = app_alloc(1, sizeof *results->memory);
    json_t *root = NULL;
    enum krn_code code = app_record_load(&reader, &root);
    if (code == KRN_OK)
        code = build(&reader, root, results);
    /* The tree of a record takes several times the memory of what is read from it. */
    json_decref(root);
    if (code != KRN_OK)
        app_results_free(results);
    return code;
}

enum krn_code app_results_read_file(const char *path, struct app_results *results,
                                    struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    memset(results, 0, sizeof *results);
    enum krn_code code = app_read_file(path, app_record_bounds.bytes, &text, &length, error);
    if (code == KRN_OK)
        code = app_results_read(text, length, path, results, error);
    free(text);
    return code;
}
