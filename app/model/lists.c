/* app/model/lists.c - the lists of a result: how members are found, and which of them are fields of
 * a structure. */
#include "model/model.h"

#include "spec/state.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const struct app_member_row app_members[APP_MEMBERS_COUNT] = {
#define ROW(list, id, key, kind, what)                                                             \
    [APP_##list##_##                                                                               \
        id] = {APP_LIST_##list, key, APP_MEMBER_##kind, "", APP_SUM_NONE, what, NULL, NULL},
#define METRIC(id, key, kind, unit, sum, what)                                                     \
    [APP_M_##id] = {APP_LIST_M,    key,  APP_MEMBER_##kind, unit,                                  \
                    APP_SUM_##sum, what, key "_low",        key "_high"},
    APP_MEMBERS(ROW, METRIC)
#undef ROW
#undef METRIC
};

const char *app_member_bound(enum app_member metric, bool high)
{
    if (metric == APP_M_MEDIAN_MS)
        return app_members[high ? APP_M_HIGH_MS : APP_M_LOW_MS].key;
    return high ? app_members[metric].high : app_members[metric].low;
}

/* The keys of the table, sorted. */
static struct {
    const char *keys[3 * APP_MEMBERS_COUNT];
    size_t count;
    pthread_once_t once;
} known = {.once = PTHREAD_ONCE_INIT};

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static void sort_keys(void)
{
    for (int i = 0; i < APP_MEMBERS_COUNT; i++) {
        const char *const keys[] = {app_members[i].key, app_members[i].low, app_members[i].high};
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (keys[k] != NULL)
                known.keys[known.count++] = keys[k];
    }
    qsort(known.keys, known.count, sizeof *known.keys, by_text);
}

const char *app_member_key(const char *key)
{
    pthread_once(&known.once, sort_keys);
    const char **found = bsearch(&key, known.keys, known.count, sizeof *known.keys, by_text);
    return found != NULL ? *found : NULL;
}

/* --- lists --- */

const struct app_pair *app_pairs_find(struct app_pairs list, const char *key)
{
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.pairs[i].key, key) == 0)
            return &list.pairs[i];
    return NULL;
}

static double number_of(const struct app_pair *pair, double otherwise)
{
    return pair != NULL && pair->text == NULL ? pair->number : otherwise;
}

double app_pairs_number(struct app_pairs list, const char *key, double otherwise)
{
    return number_of(app_pairs_find(list, key), otherwise);
}

const char *app_pair_text(const struct app_pair *pair, char number[APP_PAIR_NUMBER])
{
    const bool whole = fabs(pair->number) < 1e15 && pair->number == floor(pair->number);
    if (pair->text != NULL)
        return pair->text;
    app_format(number, APP_PAIR_NUMBER, whole ? "%.0f" : "%.9g", pair->number);
    return number;
}

bool app_pair_equal(const struct app_pair *a, const struct app_pair *b)
{
    if (a->text != NULL || b->text != NULL)
        return a->text != NULL && b->text != NULL && strcmp(a->text, b->text) == 0;
    return !(a->number < b->number || a->number > b->number);
}

bool app_pairs_equal(struct app_pairs a, struct app_pairs b)
{
    bool equal = a.count == b.count;
    for (size_t i = 0; i < a.count && equal; i++) {
        const struct app_pair *other = app_pairs_find(b, a.pairs[i].key);
        equal = other != NULL && app_pair_equal(&a.pairs[i], other);
    }
    return equal;
}

/* --- members of a result --- */

struct app_pairs app_result_list(const struct app_result *result, enum app_member_list list)
{
    const struct app_pairs lists[APP_LIST_COUNT] = {result->workload, result->parameters,
                                                    result->outcome, result->metrics};
    return lists[list];
}

/* Returns the pair with a key of the table, which is one text in all results. */
static const struct app_pair *find_known(struct app_pairs list, const char *key)
{
    for (size_t i = 0; i < list.count; i++)
        if (list.pairs[i].key == key)
            return &list.pairs[i];
    return NULL;
}

const struct app_pair *app_result_member(const struct app_result *result, enum app_member member)
{
    return find_known(app_result_list(result, app_members[member].list), app_members[member].key);
}

const struct app_pair *app_process_member(const struct app_result_process *process,
                                          enum app_member member)
{
    return find_known(app_members[member].list == APP_LIST_M ? process->metrics : process->outcome,
                      app_members[member].key);
}

struct krn_interval app_process_interval(const struct app_result_process *process,
                                         enum app_member metric)
{
    const double low = number_of(find_known(process->metrics, app_member_bound(metric, false)), 0),
                 high = number_of(find_known(process->metrics, app_member_bound(metric, true)), 0);
    return (struct krn_interval){low > 0 && high >= low, low, high};
}

double app_result_number(const struct app_result *result, enum app_member member, double otherwise)
{
    return number_of(app_result_member(result, member), otherwise);
}

struct app_of_limit app_result_of_limit(const struct app_result *result)
{
    const double times = app_result_number(result, APP_M_OF_LIMIT, 0.0),
                 least = app_result_number(result, APP_M_OF_LIMIT_LEAST, 0.0);
    return (struct app_of_limit){times > 0.0 ? times : least, !(times > 0.0)};
}

int app_result_integer(const struct app_result *result, enum app_member member)
{
    const double number = app_result_number(result, member, 0);
    return number > INT_MIN && number < INT_MAX ? (int)number : 0;
}

bool app_result_mode(const struct app_result *result, struct krn_mode *mode)
{
    return strcmp(result->benchmark, "raytrace") == 0 &&
           app_mode_parse(result->variant, strlen(result->variant), mode);
}

const char *app_result_text(const struct app_result *result, enum app_member member)
{
    const struct app_pair *pair = app_result_member(result, member);
    return pair != NULL ? pair->text : NULL;
}

double app_process_number(const struct app_result_process *process, enum app_member member,
                          double otherwise)
{
    return number_of(app_process_member(process, member), otherwise);
}

const char *app_process_text(const struct app_result_process *process, enum app_member member)
{
    const struct app_pair *pair = app_process_member(process, member);
    return pair != NULL ? pair->text : NULL;
}

/* --- workloads --- */

/* FNV-1a (G. Fowler, L. C. Noll, P. Vo) over 32-bit words. */
static uint64_t hash_words(uint64_t hash, const void *data, size_t words)
{
    const char *at = data;
    for (size_t i = 0; i < words; i++) {
        uint32_t word;
        memcpy(&word, at + i * sizeof word, sizeof word);
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}

void app_workload_scene(enum krn_view_kind view, const struct krn_scene *scene,
                        char text[APP_WORKLOAD_SCENE])
{
    const uint32_t count = (uint32_t)scene->count;
    uint64_t hash = hash_words(0xcbf29ce484222325u, &count, 1);
    hash = hash_words(hash, scene->spheres, count * (sizeof *scene->spheres / sizeof count));
    if (view == KRN_VIEW_LIGHT && scene->mirrors != NULL)
        hash = hash_words(hash, scene->mirrors, count);
    snprintf(text, APP_WORKLOAD_SCENE, "%016llx", (unsigned long long)hash);
}

void app_workload_point(double spheres, double bounces, char text[APP_WORKLOAD_POINT])
{
    size_t used = 0;
    text[0] = 0;
    if (spheres >= 0)
        used = (size_t)snprintf(text, APP_WORKLOAD_POINT, " at %.0f sphere%s", spheres,
                                spheres > 1 ? "s" : "");
    if (bounces >= 0 && used < APP_WORKLOAD_POINT)
        snprintf(text + used, APP_WORKLOAD_POINT - used, " %s %.0f bounce%s",
                 used > 0 ? "and" : "at", bounces, bounces > 1 || bounces < 1 ? "s" : "");
}

/* --- structures --- */

struct app_field {
    enum app_member member;
    enum { INT, SIZE, REAL, PERCENT, FLAG } type; /* PERCENT: a double from 0 to 1 */
    size_t offset;
};

static const struct app_field probe_fields[] = {
    {APP_P_BLOCK_THREADS, INT, offsetof(struct krn_probe, threads)},
    {APP_P_BLOCKS, INT, offsetof(struct krn_probe, blocks)},
    {APP_P_USEFUL_BYTES, REAL, offsetof(struct krn_probe, useful_bytes)},
    {APP_P_MOVED_BYTES, REAL, offsetof(struct krn_probe, moved_bytes)},
    {APP_P_FOOTPRINT_BYTES, REAL, offsetof(struct krn_probe, footprint_bytes)},
    {APP_P_IN_FLIGHT_BYTES, REAL, offsetof(struct krn_probe, in_flight_bytes)},
    {APP_P_SECTORS_PER_REQUEST, REAL, offsetof(struct krn_probe, sectors)},
    {APP_P_UNIFORM_SHARE, REAL, offsetof(struct krn_probe, uniform)},
    {APP_P_ADDRESSES_PER_READ, REAL, offsetof(struct krn_probe, addresses)},
    {APP_P_FLOPS, REAL, offsetof(struct krn_probe, flops)},
    {APP_P_OPERATIONS, REAL, offsetof(struct krn_probe, operations)},
    {APP_P_STEPS, REAL, offsetof(struct krn_probe, steps)},
    {APP_P_DOUBLE_PRECISION, FLAG, offsetof(struct krn_probe, double_precision)},
    {APP_P_COLD, FLAG, offsetof(struct krn_probe, cold)},
    {APP_P_BESIDE_MEMORY, FLAG, offsetof(struct krn_probe, beside_memory)},
};

static const struct app_field kernel_fields[] = {
    {APP_O_REGISTERS, INT, offsetof(struct krn_kernel_attributes, registers)},
    {APP_O_STATIC_SHARED_BYTES, SIZE, offsetof(struct krn_kernel_attributes, static_shared_bytes)},
    {APP_O_DYNAMIC_SHARED_BYTES, SIZE,
     offsetof(struct krn_kernel_attributes, dynamic_shared_bytes)},
    {APP_O_LOCAL_BYTES, SIZE, offsetof(struct krn_kernel_attributes, local_bytes)},
    {APP_O_CONSTANT_BYTES, SIZE, offsetof(struct krn_kernel_attributes, constant_bytes)},
    {APP_O_THREADS_MAX, INT, offsetof(struct krn_kernel_attributes, threads_max)},
    {APP_O_LAUNCH_THREADS, INT, offsetof(struct krn_kernel_attributes, threads)},
    {APP_O_LAUNCH_BLOCKS, REAL, offsetof(struct krn_kernel_attributes, blocks)},
    {APP_O_BLOCKS_PER_PROCESSOR, INT, offsetof(struct krn_kernel_attributes, blocks_per_processor)},
    {APP_O_OCCUPANCY_PERCENT, PERCENT, offsetof(struct krn_kernel_attributes, occupancy)},
};

static const struct app_field times_fields[] = {
    {APP_M_P5_MS, REAL, offsetof(struct krn_summary, p5)},
    {APP_M_P95_MS, REAL, offsetof(struct krn_summary, p95)},
    {APP_M_MIN_MS, REAL, offsetof(struct krn_summary, min)},
    {APP_M_MAX_MS, REAL, offsetof(struct krn_summary, max)},
    {APP_M_N, SIZE, offsetof(struct krn_summary, n)},
};

#define FIELDS(list, in, zeros)                                                                    \
    {                                                                                              \
        list, sizeof list / sizeof *list, in, zeros                                                \
    }

const struct app_fields app_fields_of_probe = FIELDS(probe_fields, APP_LIST_P, false),
                        app_fields_of_kernel = FIELDS(kernel_fields, APP_LIST_O, true),
                        app_fields_of_times = FIELDS(times_fields, APP_LIST_M, true);

const struct app_resource app_resources[APP_RESOURCES] = {
    {APP_O_REGISTERS, "registers", "registers per thread", ""},
    {APP_O_STATIC_SHARED_BYTES, "static shared", "shared memory per block, static", "bytes"},
    {APP_O_DYNAMIC_SHARED_BYTES, "dynamic shared", "shared memory per block, dynamic", "bytes"},
    {APP_O_CONSTANT_BYTES, "constant", "constant memory", "bytes"},
    {APP_O_LOCAL_BYTES, "spilled", "spilled per thread", "bytes"},
    {APP_O_LAUNCH_THREADS, "threads per block", "threads per block", ""},
    {APP_O_BLOCKS_PER_PROCESSOR, "blocks per SM", "blocks per multiprocessor", ""},
    {APP_O_OCCUPANCY_PERCENT, "occupancy", "occupancy", "%"}};

size_t app_fields_list(const struct app_fields *fields, const void *from,
                       struct app_pair pairs[APP_PAIRS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < fields->count; i++) {
        const struct app_field *field = &fields->list[i];
        const void *at = (const char *)from + field->offset;
        const double number = field->type == INT       ? *(const int *)at
                              : field->type == SIZE    ? (double)*(const size_t *)at
                              : field->type == REAL    ? *(const double *)at
                              : field->type == PERCENT ? 100.0 * *(const double *)at
                                                       : *(const bool *)at;
        if (number > 0 || fields->zeros)
            pairs[count++] = (struct app_pair){app_members[field->member].key, number, NULL};
    }
    return count;
}

void app_result_fields(const struct app_result *result, const struct app_fields *fields, void *to)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct app_field *field = &fields->list[i];
        const struct app_pair *pair = app_result_member(result, field->member);
        void *at = (char *)to + field->offset;
        if (pair == NULL || pair->text != NULL)
            continue;
        if (field->type == INT)
            *(int *)at = app_result_integer(result, field->member);
        else if (field->type == SIZE)
            *(size_t *)at = (size_t)fmax(pair->number, 0);
        else if (field->type == FLAG)
            *(bool *)at = pair->number > 0;
        else
            *(double *)at = field->type == PERCENT ? pair->number / 100.0 : pair->number;
    }
}
