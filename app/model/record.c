/* app/model/record.c - a record under construction: its memory and its results, how a result sums
 * up its processes, and how the records of several processes become one.
 */
#include "model/model.h"

#include "base/complain.h"
#include "model/verdict.h"

#include "krn/duel.h"
#include "krn/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */

/* Pieces that are freed together. */
struct app_results_memory {
    struct app_results_memory *next;
    double bytes[]; /* aligned for all that a record holds */
};

void *app_results_take(struct app_results *results, size_t count, size_t size)
{
    struct app_results_memory *piece = krn_alloc(1, sizeof *piece + count * size);
    piece->next = results->memory->next;
    results->memory->next = piece;
    return piece->bytes;
}

const char *app_results_keep(struct app_results *results, const char *text)
{
    char *copy = app_results_take(results, strlen(text) + 1, 1);
    memcpy(copy, text, strlen(text) + 1);
    if (!app_is_printable(copy, false))
        app_make_printable(copy);
    return copy;
}

const char *app_results_key(struct app_results *results, const char *key)
{
    const char *known = app_member_key(key);
    return known != NULL ? known : app_results_keep(results, key);
}

static struct app_texts keep_texts(struct app_results *results, struct app_texts list)
{
    const char **copy = app_results_take(results, list.count, sizeof *copy);
    for (size_t i = 0; i < list.count; i++)
        copy[i] = app_results_keep(results, list.texts[i]);
    return (struct app_texts){copy, list.count};
}

/* Appends a text that the list lacks. */
static void unite(struct app_results *results, struct app_texts *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->texts[i], text) == 0)
            return;
    const char **longer = app_results_take(results, list->count + 1, sizeof *longer);
    if (list->count > 0)
        memcpy(longer, list->texts, list->count * sizeof *longer);
    longer[list->count++] = app_results_keep(results, text);
    list->texts = longer;
}

void app_results_begin(struct app_results *results, const struct app_environment *from)
{
    memset(results, 0, sizeof *results);
    results->memory = krn_alloc(1, sizeof *results->memory);
    results->version = app_results_keep(results, from->version);
    results->git = app_results_keep(results, from->git);
    results->host = app_results_keep(results, from->host);
    results->os = app_results_keep(results, from->os);
    results->system = app_results_keep(results, from->system);
    results->cpu = app_results_keep(results, from->cpu);
    results->time_utc = app_results_keep(results, from->time_utc);
    results->cpu_threads = from->cpu_threads;
    results->cpu_quota = from->cpu_quota;
    results->argv = keep_texts(
        results, (struct app_texts){(const char *const *)from->argv, (size_t)from->argc});
    results->run.processes_asked = results->run.processes = 1;
    results->complete = true;
}

void app_results_set_state(struct app_results *results, const struct app_state *state,
                           const struct krn_scene *scene, const char *note)
{
    struct app_results_picture *picture = &results->picture;
    struct krn_error ignored;
    picture->state = *state;
    if (state->spec.scene != APP_SCENE_FILE)
        return;
    for (int view = 0; view < KRN_VIEW_COUNT; view++)
        app_workload_scene((enum krn_view_kind)view, scene, picture->scene_hash[view]);
    snprintf(picture->scene_note, sizeof picture->scene_note, "%s", note);
    if (scene->count <= APP_RECORD_SPHERES_MAX)
        (void)krn_scene_copy(&picture->scene, scene, &ignored);
}

void app_results_free(struct app_results *results)
{
    for (struct app_results_memory *block = results->memory; block != NULL;) {
        struct app_results_memory *next = block->next;
        free(block);
        block = next;
    }
    free(results->results);
    free(results->by_key);
    free(results->by_name);
    krn_scene_free(&results->picture.scene);
    memset(results, 0, sizeof *results);
}

void app_results_note(struct app_results *results, const char *sentence)
{
    unite(results, &results->notes, sentence);
}

/* --- pairs --- */

bool app_results_beyond(double number)
{
    const double size = fabs(number);
    return !(size <= APP_RESULTS_NUMBER_MAX) || (size > 0 && size < APP_RESULTS_NUMBER_MIN);
}

/* Returns a number with the digits that a file keeps. */
static double kept_number(double number)
{
    char text[APP_PAIR_NUMBER];
    double kept = number;
    (void)app_parse_real(app_pair_text(&(struct app_pair){"", number, NULL}, text), &kept);
    return kept;
}

static void add_pair(struct app_results *results, struct app_pair *pairs, size_t *count,
                     const struct app_pair *pair)
{
    if (pair->text == NULL && app_results_beyond(pair->number))
        return;
    pairs[(*count)++] = (struct app_pair){
        app_results_key(results, pair->key), pair->text == NULL ? kept_number(pair->number) : 0,
        pair->text != NULL ? app_results_keep(results, pair->text) : NULL};
}

static struct app_pairs keep_pairs(struct app_results *results, struct app_pairs list)
{
    struct app_pair *copy = app_results_take(results, list.count, sizeof *copy);
    struct app_pairs kept = {copy, 0};
    for (size_t i = 0; i < list.count; i++)
        add_pair(results, copy, &kept.count, &list.pairs[i]);
    return kept;
}

static int by_pair_key(const void *a, const void *b)
{
    const struct app_pair *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

/* Prints a list so that equal lists, in any order, give equal texts. */
static void print_pairs(FILE *out, struct app_pairs list)
{
    const struct app_pair *sorted[APP_PAIRS_MAX];
    char number[APP_PAIR_NUMBER];
    for (size_t i = 0; i < list.count; i++)
        sorted[i] = &list.pairs[i];
    qsort(sorted, list.count, sizeof *sorted, by_pair_key);
    fputc('{', out);
    for (size_t i = 0; i < list.count; i++) {
        /* A text may hold any character: its length tells where it ends. */
        const char *value = app_pair_text(sorted[i], number);
        fprintf(out, "%s%s%zu:%s,", sorted[i]->key, sorted[i]->text != NULL ? "=" : "#",
                strlen(value), value);
    }
    fputc('}', out);
}

static void print_key(FILE *out, const void *context)
{
    const struct app_result *result = context;
    fprintf(out, "%zu:%s %s", strlen(result->benchmark), result->benchmark,
            krn_backend_name(result->backend));
    print_pairs(out, result->workload);
    fprintf(out, "%zu:%s %s", strlen(result->variant), result->variant, result->regime);
    print_pairs(out, result->parameters);
}

static void set_key(struct app_results *results, struct app_result *result)
{
    char *key = krn_printed(print_key, result);
    result->key = app_results_keep(results, key);
    free(key);
}

/* --- summing up --- */

const struct app_result_process *app_result_process(const struct app_result *result, int number)
{
    for (size_t i = 0; result != NULL && i < result->process_count; i++)
        if (result->processes[i].process == number)
            return &result->processes[i];
    return NULL;
}

size_t app_result_samples(const struct app_result *result)
{
    size_t n = 0;
    for (size_t i = 0; result != NULL && i < result->process_count; i++)
        n += result->processes[i].n;
    return n;
}

size_t app_result_pool(const struct app_result *result, bool cycles, double *all)
{
    size_t n = 0;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *process = &result->processes[i];
        const double *from = cycles ? process->cycles : process->samples_ms;
        if (from != NULL && process->n > 0)
            memcpy(all + n, from, process->n * sizeof *all);
        n += from != NULL ? process->n : 0;
    }
    return n;
}

static bool ends_with(const char *key, const char *end)
{
    const size_t n = strlen(key), m = strlen(end);
    return n > m && strcmp(key + n - m, end) == 0;
}

static enum app_member_sum sum_of(const char *key)
{
    for (int i = 0; i < APP_MEMBERS_COUNT; i++)
        if (app_members[i].list == APP_LIST_M && strcmp(key, app_members[i].key) == 0)
            return app_members[i].sum;
    return ends_with(key, "_low") || ends_with(key, "_high") ? APP_SUM_NONE : APP_SUM_CENTRE;
}

/* Collects a metric of the processes that have it; returns how many do. */
static size_t collect(const struct app_result *result, const char *key,
                      double values[KRN_PROCESSES_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_pair *pair = app_pairs_find(result->processes[i].metrics, key);
        if (pair != NULL)
            values[n++] = pair->number;
    }
    return n;
}

/* Returns the geometric mean of a metric; 0: no process has it, or one that is not positive. */
static double centre_of(const struct app_result *result, const char *key)
{
    double values[KRN_PROCESSES_MAX];
    const size_t n = collect(result, key, values);
    return krn_across(values, n, KRN_INTERVAL_LEVEL, 0).value;
}

double app_result_widen(const struct app_result *result, const char *metric)
{
    /* A multiprocessor's cycles tick much finer. */
    static const enum app_member cycles[] = {APP_M_CYCLES, APP_M_CYCLES_PER_STEP,
                                             APP_M_OF_PEAK_PERCENT};
    double ticks[KRN_PROCESSES_MAX], tick_ms = 0;
    const size_t n = collect(result, app_members[APP_M_TICK_MS].key, ticks);
    for (size_t i = 0; i < n; i++)
        tick_ms = fmax(tick_ms, ticks[i]);
    if (strcmp(metric, app_members[APP_M_RATIO].key) == 0)
        return krn_tick_fraction(tick_ms, centre_of(result, app_members[APP_M_A_MEDIAN_MS].key)) +
               krn_tick_fraction(tick_ms, centre_of(result, app_members[APP_M_B_MEDIAN_MS].key));
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
        if (strcmp(metric, app_members[cycles[i]].key) == 0)
            return 0;
    return krn_tick_fraction(
        tick_ms,
        centre_of(result, ends_with(metric, "_ms") ? metric : app_members[APP_M_MEDIAN_MS].key));
}

static struct krn_across across_of(const struct app_result *result, const char *metric,
                                   double level)
{
    double values[KRN_PROCESSES_MAX];
    const size_t n = collect(result, metric, values);
    return krn_across(values, n, level, app_result_widen(result, metric));
}

/* Returns a quantile of all samples; NaN: there are none. */
static double quantile_of(const struct app_result *result, double quantile)
{
    double *samples = krn_alloc(app_result_samples(result), sizeof *samples);
    const size_t n = app_result_pool(result, false, samples);
    krn_sort(samples, n);
    const double value = n > 0 ? krn_quantile_sorted(samples, n, quantile) : NAN;
    free(samples);
    return value;
}

/* The metrics that sum up the processes. */
struct sum {
    struct app_results *results;
    struct app_pair *pairs;
    size_t count;
};

static void put(struct sum *sum, const char *key, double number)
{
    add_pair(sum->results, sum->pairs, &sum->count, &(struct app_pair){key, number, NULL});
}

/* Writes the key of an end of a metric's interval, also of one whose key the table lacks. */
static void bound_key(const char *metric, bool high, char *key, size_t size)
{
    if (strcmp(metric, app_members[APP_M_MEDIAN_MS].key) == 0)
        snprintf(key, size, "%s", app_member_bound(APP_M_MEDIAN_MS, high));
    else
        snprintf(key, size, "%.80s_%s", metric, high ? "high" : "low");
}

/* Adds the value of a metric, and the ends of its interval where one is claimed. */
static void put_metric(struct sum *sum, const struct app_result *result, const char *key)
{
    double values[KRN_PROCESSES_MAX], least = INFINITY, most = -INFINITY, total = 0;
    const size_t n = collect(result, key, values);
    const enum app_member_sum rule = sum_of(key);
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
        total += values[i];
    }
    if (rule == APP_SUM_NONE)
        return;
    /* One process keeps its value to the last bit. */
    const bool centre = (rule == APP_SUM_CENTRE || rule == APP_SUM_MIDDLE) && least > 0 && n > 1;
    const struct krn_across across =
        centre ? across_of(result, key, KRN_INTERVAL_LEVEL) : (struct krn_across){.valid = false};
    put(sum, key,
        centre                                             ? across.value
        : rule == APP_SUM_LEAST                            ? least
        : rule == APP_SUM_GREATEST                         ? most
        : rule == APP_SUM_P5 && n > 1                      ? quantile_of(result, 0.05)
        : rule == APP_SUM_P95 && n > 1                     ? quantile_of(result, 0.95)
        : rule == APP_SUM_CENTRE || rule == APP_SUM_MIDDLE ? total / (double)n
                                                           : total);
    for (int end = 0; end < 2 && rule == APP_SUM_CENTRE && across.valid; end++) {
        char bound[96];
        bound_key(key, end == 1, bound, sizeof bound);
        put(sum, bound, end == 1 ? across.high : across.low);
    }
}

/* Returns the metrics of all processes together. */
static struct app_pairs sum_up_metrics(struct app_results *results, const struct app_result *result)
{
    enum { EACH = 3 }; /* value, low, high */
    size_t most = 0;
    for (size_t i = 0; i < result->process_count; i++)
        most += EACH * result->processes[i].metrics.count;
    struct sum sum = {.results = results, .pairs = krn_alloc(most, sizeof *sum.pairs)};
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_pairs own = result->processes[i].metrics;
        for (size_t m = 0; m < own.count; m++)
            if (app_pairs_find((struct app_pairs){sum.pairs, sum.count}, own.pairs[m].key) == NULL)
                put_metric(&sum, result, own.pairs[m].key);
    }
    struct app_pair *kept = app_results_take(results, sum.count, sizeof *kept);
    if (sum.count > 0)
        memcpy(kept, sum.pairs, sum.count * sizeof *kept);
    free(sum.pairs);
    return (struct app_pairs){kept, sum.count};
}

/* Returns the rule that ended the processes: "time" if it ended any, else "count", else "narrow";
 * NULL if one was interrupted. */
static const char *stop_of(const struct app_result *result)
{
    static const char *const rules[] = {"narrow", "count", "time"};
    size_t worst = 0;
    for (size_t i = 0; i < result->process_count; i++) {
        const char *stop = result->processes[i].stop;
        size_t rule = 0;
        while (rule < sizeof rules / sizeof *rules &&
               (stop == NULL || strcmp(stop, rules[rule]) != 0))
            rule++;
        if (rule == sizeof rules / sizeof *rules)
            return NULL;
        worst = rule > worst ? rule : worst;
    }
    return rules[worst];
}

static void sum_up(struct app_results *results, struct app_result *result)
{
    enum { RUNS_ENOUGH = 3 };
    result->metrics = sum_up_metrics(results, result);
    result->trust = (struct app_results_trust){.reasons = 0};
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_results_trust *own = &result->processes[i].trust;
        result->trust.reasons |= own->reasons;
        for (size_t o = 0; o < own->others.count; o++)
            unite(results, &result->trust.others, own->others.texts[o]);
    }
    /* Several processes settle doubts that single ones had: one that verified the result does so
     * for all, and three are three runs, however few samples each has. */
    if (result->process_count > 1 && result->verified == APP_VERIFIED_TRUE)
        result->trust.reasons &= ~APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED);
    if (result->process_count >= RUNS_ENOUGH)
        result->trust.reasons &= ~APP_TRUST_BIT(APP_TRUST_FEW_SAMPLES);
    result->stop = stop_of(result);
}

/* Returns the interval of the median of samples at APP_BOARD_LEVEL. Invalid below
 * APP_BOARD_SAMPLES. */
static struct krn_interval board_interval(const double *samples, size_t n)
{
    double *sorted = krn_alloc(n, sizeof *sorted);
    if (n > 0)
        memcpy(sorted, samples, n * sizeof *sorted);
    krn_sort(sorted, n);
    const struct krn_interval interval = krn_interval_order(sorted, n, APP_BOARD_LEVEL);
    free(sorted);
    return interval;
}

static void set_probe(struct app_results *results, struct app_result *result)
{
    const char *axis = app_result_text(result, APP_P_AXIS);
    const struct app_result_process *only = result->processes;
    int topic = 0;
    while (topic < KRN_TOPIC_COUNT &&
           strcmp(result->benchmark, krn_topic_name((enum krn_topic)topic)) != 0)
        topic++;
    if (topic == KRN_TOPIC_COUNT || axis == NULL)
        return;
    struct krn_probe *probe = app_results_take(results, 1, sizeof *probe);
    *probe = (struct krn_probe){.topic = (enum krn_topic)topic,
                                .axis = axis,
                                .x = app_pairs_number(result->parameters, axis, 0),
                                .scope = result->scope};
    app_result_fields(result, &app_fields_of_probe, probe);
    snprintf(probe->series, sizeof probe->series, "%s", result->variant);
    result->probe = probe;
    if (result->process_count == 1 && only->n > 0)
        result->board_ms = board_interval(only->samples_ms, only->n);
    if (result->process_count == 1 && only->cycles != NULL)
        result->board_cycles = board_interval(only->cycles, only->n);
}

void app_result_finish(struct app_results *results, struct app_result *result)
{
    set_key(results, result);
    set_probe(results, result);
}

/* --- adding --- */

struct app_result *app_results_append(struct app_results *results)
{
    if (results->count == results->capacity) {
        results->capacity = results->capacity > 0 ? 2 * results->capacity : 64;
        results->results = krn_grow(results->results, results->capacity, sizeof *results->results);
    }
    struct app_result *added = &results->results[results->count++];
    memset(added, 0, sizeof *added);
    return added;
}

/* Copies the samples that are finite, with their cycles. */
static void keep_samples(struct app_results *results, const struct app_result_process *from,
                         struct app_result_process *to)
{
    double *ms = app_results_take(results, from->n, sizeof *ms),
           *cycles =
               from->cycles != NULL ? app_results_take(results, from->n, sizeof *cycles) : NULL;
    to->n = 0;
    for (size_t i = 0; i < from->n; i++) {
        if (!isfinite(from->samples_ms[i]) || (cycles != NULL && !isfinite(from->cycles[i])))
            continue;
        if (cycles != NULL)
            cycles[to->n] = kept_number(from->cycles[i]);
        ms[to->n++] = kept_number(from->samples_ms[i]);
    }
    to->samples_ms = ms;
    to->cycles = cycles;
}

static void keep_process(struct app_results *results, const struct app_result_process *from,
                         struct app_result_process *to)
{
    to->process = from->process;
    keep_samples(results, from, to);
    to->metrics = keep_pairs(results, from->metrics);
    to->outcome = keep_pairs(results, from->outcome);
    to->trust =
        (struct app_results_trust){from->trust.reasons, keep_texts(results, from->trust.others)};
    to->stop = from->stop != NULL ? app_results_keep(results, from->stop) : NULL;
}

static struct app_result *keep_result(struct app_results *results, const struct app_result *from)
{
    struct app_result *to = app_results_append(results);
    to->benchmark = app_results_keep(results, from->benchmark);
    to->variant = app_results_keep(results, from->variant);
    to->backend = from->backend;
    to->regime = app_results_keep(results, from->regime != NULL ? from->regime : "n/a");
    to->workload = keep_pairs(results, from->workload);
    to->parameters = keep_pairs(results, from->parameters);
    to->outcome = keep_pairs(results, from->outcome);
    to->scope = app_results_keep(results, from->scope);
    to->verified = from->verified;
    const char *reason = from->verified_reason != NULL ? from->verified_reason : "";
    to->verified_reason = from->verified == APP_VERIFIED_TRUE ? NULL
                          : reason[0] == 0                    ? "not checked"
                                                              : app_results_keep(results, reason);
    to->complete = from->complete;
    return to;
}

void app_results_add(struct app_results *results, const struct app_result *result)
{
    struct app_result_process measured = result->processes[0],
                              *process = app_results_take(results, 1, sizeof *process);
    struct app_result *added = keep_result(results, result);
    measured.process = 1;
    measured.outcome = result->outcome;
    measured.trust = result->trust;
    keep_process(results, &measured, process);
    added->processes = process;
    added->process_count = 1;
    sum_up(results, added);
    app_result_finish(results, added);
    results->complete = results->complete && added->complete;
}

static int by_key(const void *left, const void *right)
{
    const struct app_result *const *a = left, *const *b = right;
    const int order = strcmp((*a)->key, (*b)->key);
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int by_name(const void *left, const void *right)
{
    const struct app_result *const *a = left, *const *b = right;
    const int benchmark = strcmp((*a)->benchmark, (*b)->benchmark),
              variant = strcmp((*a)->variant, (*b)->variant);
    return benchmark != 0 ? benchmark : variant != 0 ? variant : (*a > *b) - (*a < *b);
}

void app_results_sort(struct app_results *results)
{
    results->by_key = krn_grow(results->by_key, results->count, sizeof *results->by_key);
    results->by_name = krn_grow(results->by_name, results->count, sizeof *results->by_name);
    for (size_t i = 0; i < results->count; i++)
        results->by_key[i] = results->by_name[i] = &results->results[i];
    qsort(results->by_key, results->count, sizeof *results->by_key, by_key);
    qsort(results->by_name, results->count, sizeof *results->by_name, by_name);
}

/* --- results under construction --- */

void app_draft_begin(struct app_draft *draft, struct app_results *results, const char *benchmark,
                     const char *variant, enum krn_backend_id backend)
{
    draft->results = results;
    draft->measured = (struct app_result_process){.process = 1};
    draft->result = (struct app_result){
        .benchmark = benchmark,
        .variant = variant,
        .backend = backend,
        .workload = {draft->pairs[APP_LIST_W], 0},
        .parameters = {draft->pairs[APP_LIST_P], 0},
        .outcome = {draft->pairs[APP_LIST_O], 0},
        .complete = true,
        .processes = &draft->measured,
        .process_count = 1,
    };
    draft->measured.metrics.pairs = draft->pairs[APP_LIST_M];
}

static void put_pair(struct app_draft *draft, enum app_member_list list, struct app_pair pair)
{
    struct app_pairs *const lists[APP_LIST_COUNT] = {
        &draft->result.workload, &draft->result.parameters, &draft->result.outcome,
        &draft->measured.metrics};
    if (pair.text == NULL && !isfinite(pair.number))
        return;
    draft->pairs[list][lists[list]->count++] = pair;
}

void app_put(struct app_draft *draft, enum app_member member, double number)
{
    put_pair(draft, app_members[member].list,
             (struct app_pair){app_members[member].key, number, NULL});
}

void app_put_known(struct app_draft *draft, enum app_member member, double number)
{
    if (number > 0)
        app_put(draft, member, number);
}

void app_put_text(struct app_draft *draft, enum app_member member, const char *text)
{
    if (text != NULL)
        put_pair(
            draft, app_members[member].list,
            (struct app_pair){app_members[member].key, 0, app_results_keep(draft->results, text)});
}

void app_put_key(struct app_draft *draft, enum app_member_list list, const char *key, double number)
{
    put_pair(draft, list, (struct app_pair){app_results_keep(draft->results, key), number, NULL});
}

void app_put_interval(struct app_draft *draft, enum app_member member, double value,
                      struct krn_interval interval)
{
    app_put(draft, member, value);
    for (int end = 0; end < 2 && interval.valid; end++)
        put_pair(draft, APP_LIST_M,
                 (struct app_pair){app_member_bound(member, end == 1),
                                   end == 1 ? interval.high : interval.low, NULL});
}

void app_put_fields(struct app_draft *draft, const struct app_fields *fields, const void *from)
{
    struct app_pair pairs[APP_PAIRS_MAX];
    const size_t count = app_fields_list(fields, from, pairs);
    for (size_t i = 0; i < count; i++)
        put_pair(draft, fields->in, pairs[i]);
}

void app_put_workload(struct app_draft *draft, const struct app_state *state,
                      enum krn_view_kind view, const char *scene, int spheres)
{
    const struct krn_scene_recipe *recipe = &state->spec.recipe;
    const struct krn_light *light = &state->spec.light;
    char text[64];
    app_put_text(draft, APP_W_SCENE, scene[0] != 0 ? scene : NULL);
    app_put(draft, APP_W_SPHERES, spheres);
    if (state->spec.scene == APP_SCENE_RANDOM) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)recipe->seed);
        app_put_text(draft, APP_W_SEED, text);
        app_put(draft, APP_W_RADIUS_MIN, (double)recipe->radius_min);
        app_put(draft, APP_W_RADIUS_MAX, (double)recipe->radius_max);
    }
    app_put(draft, APP_W_WIDTH, state->spec.width);
    app_put(draft, APP_W_HEIGHT, state->spec.height);
    if (view == KRN_VIEW_LIGHT) {
        app_format(text, sizeof text, "%.9g:%.9g:%.9g", (double)light->camera.yaw,
                   (double)light->camera.pitch, (double)light->camera.distance);
        app_put_text(draft, APP_W_VIEW, krn_view_name(KRN_VIEW_LIGHT));
        app_put_text(draft, APP_W_CAMERA, text);
        app_put_text(draft, APP_W_CAMERA_PATH, state->spec.camera_path ? "on" : NULL);
        app_put(draft, APP_W_BOUNCES, light->bounces);
        app_put(draft, APP_W_SAMPLES, light->samples);
    } else if (state->spec.zoom > 0) {
        app_put(draft, APP_W_ZOOM, state->spec.zoom);
    } else {
        app_put_text(draft, APP_W_ZOOM, "fit");
    }
    if (state->spec.motion)
        app_put_text(draft, APP_W_POSE_S, "moving");
    else
        app_put(draft, APP_W_POSE_S, state->spec.motion_s);
}

/* --- merging --- */

enum { NOTES_MAX = 8 };

/* Returns the result that measured the same and has no entry of this process yet; the regime may
 * differ by chance. `hint` is the likely index. NULL: there is none. */
static struct app_result *find_partner(struct app_results *results, const struct app_result *result,
                                       int process, size_t hint)
{
    for (size_t i = 0; i < results->count; i++) {
        struct app_result *partner = &results->results[(hint + i) % results->count];
        if (app_result_process(partner, process) == NULL && partner->backend == result->backend &&
            strcmp(partner->benchmark, result->benchmark) == 0 &&
            strcmp(partner->variant, result->variant) == 0 &&
            app_pairs_equal(partner->workload, result->workload) &&
            app_pairs_equal(partner->parameters, result->parameters))
            return partner;
    }
    return NULL;
}

/* Joins the other result's members but its processes. The outcome keeps what both say alike. */
static void join(struct app_results *results, struct app_result *to, const struct app_result *from)
{
    struct app_pair *outcome = app_results_take(results, to->outcome.count, sizeof *outcome);
    size_t count = 0;
    for (size_t i = 0; i < to->outcome.count; i++) {
        const struct app_pair *own = &to->outcome.pairs[i],
                              *other = app_pairs_find(from->outcome, own->key);
        if (other != NULL && app_pair_equal(own, other))
            outcome[count++] = *own;
    }
    to->outcome = (struct app_pairs){outcome, count};
    to->complete = to->complete && from->complete;
    if (strcmp(to->regime, from->regime) != 0)
        to->regime = app_regime_name(APP_REGIME_MIXED);
    /* Wrong beats verified beats unknown. */
    if (from->verified == APP_VERIFIED_FALSE
            ? to->verified != APP_VERIFIED_FALSE
            : from->verified == APP_VERIFIED_TRUE && to->verified == APP_VERIFIED_UNKNOWN) {
        to->verified = from->verified;
        to->verified_reason =
            from->verified_reason != NULL ? app_results_keep(results, from->verified_reason) : NULL;
    }
}

/* Adds the results of a record of one process, one of `count` records. */
static void add_results(struct app_results *results, const struct app_results *more, int number,
                        size_t count)
{
    for (size_t i = 0; i < more->count; i++) {
        const struct app_result *result = &more->results[i];
        struct app_result_process own = result->processes[0];
        struct app_result *to = find_partner(results, result, number, i);
        if (to != NULL) {
            join(results, to, result);
        } else {
            to = keep_result(results, result);
            to->processes = app_results_take(results, count, sizeof *to->processes);
        }
        own.process = number;
        keep_process(results, &own,
                     (struct app_result_process *)&to->processes[to->process_count++]);
    }
}

static void set_outcome(struct app_results *results, struct app_result *result,
                        enum app_member member, double number, const char *text)
{
    const char *key = app_members[member].key;
    struct app_pair *outcome =
        app_results_take(results, result->outcome.count + 1, sizeof *outcome);
    size_t count = 0;
    for (size_t i = 0; i < result->outcome.count; i++)
        if (strcmp(result->outcome.pairs[i].key, key) != 0)
            outcome[count++] = result->outcome.pairs[i];
    outcome[count++] = (struct app_pair){key, number, text};
    result->outcome = (struct app_pairs){outcome, count};
}

/* Judges the ratios of all processes, and counts those that wander and those whose A/A duel claims
 * a difference. One process keeps its own verdict. */
static void judge_duel(struct app_results *results, struct app_result *result)
{
    const unsigned reasons =
        result->trust.reasons |
        (result->verified == APP_VERIFIED_FALSE ? APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE) : 0);
    const enum app_verdict none = app_trust_no_verdict(reasons);
    int wandering = 0, distrusted = 0, same = 0;
    for (size_t i = 0; i < result->process_count; i++) {
        const struct app_result_process *own = &result->processes[i];
        const enum app_verdict verdict = app_verdict_of_word(app_process_text(own, APP_O_VERDICT));
        wandering += verdict == APP_VERDICT_WANDERING;
        same += verdict == APP_VERDICT_SAME_CACHES;
        distrusted += app_process_member(own, APP_O_DISTRUSTED) != NULL;
    }
    if (wandering > 0)
        set_outcome(results, result, APP_O_WANDERING, wandering, NULL);
    if (distrusted > 0)
        set_outcome(results, result, APP_O_DISTRUSTED, distrusted, NULL);
    if (none == APP_VERDICT_NONE && result->process_count < 2)
        return;
    const struct krn_across across =
        across_of(result, app_members[APP_M_RATIO].key, KRN_VERDICT_LEVEL);
    const double band = app_result_number(result, APP_P_BAND_PERCENT, 0);
    const struct krn_interval interval = {across.valid, across.low, across.high};
    set_outcome(results, result, APP_O_VERDICT, 0,
                app_verdict_word(none   ? none
                                 : same ? APP_VERDICT_SAME_CACHES
                                        : app_verdict_ratio(interval, band)));
}

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
    double rank[5]; /* backend, benchmark, spheres, bounces, mode */
    size_t index;   /* the place in which it was first seen */
};

static struct place place_in_tables(const struct app_result *result, size_t index)
{
    struct krn_mode mode;
    return (struct place){
        {result->backend != KRN_BACKEND_CUDA, rank_of_benchmark(result->benchmark),
         app_result_number(result, APP_W_SPHERES, 0), app_result_number(result, APP_W_BOUNCES, 0),
         app_result_mode(result, &mode) ? krn_mode_index(mode) : 0},
        index};
}

static int compare_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    for (size_t i = 0; i < sizeof a->rank / sizeof *a->rank; i++)
        if (a->rank[i] < b->rank[i] || a->rank[i] > b->rank[i])
            return a->rank[i] < b->rank[i] ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

/* Puts the results in the order of the tables. */
static void put_in_order(struct app_results *results)
{
    const size_t n = results->count;
    struct place *places = krn_alloc(n, sizeof *places);
    struct app_result *sorted = krn_alloc(n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        places[i] = place_in_tables(&results->results[i], i);
    qsort(places, n, sizeof *places, compare_places);
    for (size_t i = 0; i < n; i++)
        sorted[i] = results->results[places[i].index];
    free(places);
    free(results->results);
    results->results = sorted;
    results->capacity = n;
}

/* Returns a number of the result's workload if other results of the benchmark have another one;
 * else -1. */
static double coordinate(const struct app_results *results, const struct app_result *result,
                         enum app_member member)
{
    const double own = app_result_number(result, member, -1);
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *other = &results->results[i];
        const double number = app_result_number(other, member, own);
        if ((number < own || number > own) && strcmp(other->benchmark, result->benchmark) == 0)
            return own;
    }
    return -1;
}

/* Adds a note on each result that some processes lack, up to a few. Returns true if there are any.
 * A note tells what distinguishes a result from others of the same name: " at bytes 4096" for a
 * probe of a series, " at 20 spheres" for a point of a sweep. */
static bool note_missing(struct app_results *results, size_t records)
{
    size_t count = 0;
    char note[256], where[APP_WORKLOAD_POINT];
    for (size_t i = 0; i < results->count; i++) {
        const struct app_result *result = &results->results[i];
        if (result->process_count == records || ++count > NOTES_MAX)
            continue;
        const char *axis = app_result_text(result, APP_P_AXIS);
        if (axis != NULL && app_pairs_find(result->parameters, axis) != NULL)
            snprintf(where, sizeof where, " at %s %.0f", axis,
                     app_pairs_number(result->parameters, axis, 0));
        else
            app_workload_point(coordinate(results, result, APP_W_SPHERES),
                               coordinate(results, result, APP_W_BOUNCES), where);
        snprintf(note, sizeof note, "%s %s%s: %zu of %zu processes measured it.", result->benchmark,
                 result->variant, where, result->process_count, records);
        app_results_note(results, note);
    }
    if (count > NOTES_MAX) {
        snprintf(note, sizeof note, "The same holds for %zu more results.", count - NOTES_MAX);
        app_results_note(results, note);
    }
    return count > 0;
}

/* Copies what the caller knows of the run, and the devices of its processes. */
static void describe_run(struct app_results *merged, const struct app_results *records,
                         size_t count, const struct app_merge_run *run)
{
    struct app_results_failure *failed =
        app_results_take(merged, run->failed_count, sizeof *failed);
    struct app_results_device *devices = app_results_take(merged, count, sizeof *devices);
    for (size_t i = 0; i < run->failed_count; i++)
        failed[i] = (struct app_results_failure){run->failed[i].process,
                                                 app_results_keep(merged, run->failed[i].why)};
    merged->run = (struct app_results_run){.processes_asked = run->processes_asked,
                                           .processes = (int)count,
                                           .has_seed = run->has_seed,
                                           .seed = run->seed,
                                           .failed = failed,
                                           .failed_count = run->failed_count,
                                           .seconds = run->seconds,
                                           .devices = devices};
    for (size_t i = 0; i < count; i++)
        if (records[i].has_device)
            devices[merged->run.device_count++] = (struct app_results_device){
                .process = run->process != NULL ? run->process[i] : (int)i + 1,
                .ordinal = records[i].device.ordinal,
                .time_utc = app_results_keep(merged, records[i].time_utc),
                .name = app_results_keep(merged, records[i].device.name),
                .pci_id = app_results_keep(merged, records[i].device.pci_id),
                .telemetry = records[i].telemetry};
}

static enum krn_code check_records(const struct app_results *records, size_t count,
                                   struct krn_error *error)
{
    if (count < 1 || count > KRN_PROCESSES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "1 to %d records can be merged, not %zu.",
                        KRN_PROCESSES_MAX, count);
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < records[i].count; r++)
            if (records[i].results[r].process_count != 1)
                return KRN_FAIL(error, KRN_REFUSED, "process %zu is not a record of one process.",
                                i + 1);
    return KRN_OK;
}

/* Merges records that have been checked. All but the results is the first one's. */
static void merge(struct app_results *records, size_t count, const struct app_merge_run *run,
                  struct app_results *merged)
{
    *merged = records[0];
    merged->results = NULL;
    merged->count = merged->capacity = 0;
    merged->by_key = merged->by_name = NULL;
    describe_run(merged, records, count, run);
    for (size_t i = 0; i < count; i++) {
        add_results(merged, &records[i], run->process != NULL ? run->process[i] : (int)i + 1,
                    count);
        merged->complete = merged->complete && records[i].complete;
        merged->trust.reasons |= records[i].trust.reasons;
        for (size_t t = 0; t < records[i].trust.others.count; t++)
            unite(merged, &merged->trust.others, records[i].trust.others.texts[t]);
        for (size_t n = 0; n < records[i].notes.count; n++)
            app_results_note(merged, records[i].notes.texts[n]);
    }
    records[0].memory = NULL; /* the merged one owns both */
    records[0].picture.scene = (struct krn_scene){.spheres = NULL};
    for (size_t i = 0; i < merged->count; i++) {
        sum_up(merged, &merged->results[i]);
        if (strcmp(merged->results[i].benchmark, "duel") == 0)
            judge_duel(merged, &merged->results[i]);
        app_result_finish(merged, &merged->results[i]);
    }
    put_in_order(merged);
    const bool missing = note_missing(merged, count);
    merged->complete = merged->complete && !missing && !run->incomplete && run->failed_count == 0;
    if (run->argc > 0)
        merged->argv = keep_texts(
            merged, (struct app_texts){(const char *const *)run->argv, (size_t)run->argc});
    app_results_sort(merged);
}

enum krn_code app_results_merge(struct app_results *records, size_t count,
                                const struct app_merge_run *run, struct app_results *merged,
                                struct krn_error *error)
{
    const enum krn_code code = check_records(records, count, error);
    if (code != KRN_OK)
        return code;
    merge(records, count, run, merged);
    for (size_t i = 0; i < count; i++)
        app_results_free(&records[i]);
    return KRN_OK;
}
