#include "record/record_json.h"

#include "base/memory.h"
#include "judge/probe_result.h"
#include "judge/trust.h"

#include "krn/across.h"
#include "krn/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value of a metric of several processes. */
enum rule {
    RULE_CENTRE, /* geometric mean and interval; with a value that is not positive, the mean */
    RULE_MIDDLE, /* the same without an interval: nothing is claimed about it */
    RULE_LEAST,
    RULE_GREATEST,
    RULE_SUM,
    RULE_POOLED, /* quantile of the samples of all processes */
    RULE_DROP    /* the interval of one run */
};

static const struct {
    const char *key;
    enum rule rule;
    double quantile; /* RULE_POOLED */
} special[] = {
    {"low_ms", RULE_DROP, 0},
    {"high_ms", RULE_DROP, 0},
    {"min_ms", RULE_LEAST, 0},
    {"max_ms", RULE_GREATEST, 0},
    {"p5_ms", RULE_POOLED, 0.05},
    {"p95_ms", RULE_POOLED, 0.95},
    {"n", RULE_SUM, 0},
    {"gate_drops", RULE_SUM, 0},
    {"max_error", RULE_GREATEST, 0},
    {"tick_ms", RULE_GREATEST, 0},
    {"blocks", RULE_SUM, 0},
    {"block_pairs", RULE_GREATEST, 0},
    {"flops", RULE_MIDDLE, 0},
    {"bytes", RULE_MIDDLE, 0},
    {"intensity", RULE_MIDDLE, 0},
    {"rays", RULE_MIDDLE, 0},
    {"overhead_ms", RULE_MIDDLE, 0},
    {"a_overhead_ms", RULE_MIDDLE, 0},
    {"b_overhead_ms", RULE_MIDDLE, 0},
    {"claims", RULE_SUM, 0},
    {"aa_n", RULE_SUM, 0},
    {"aa_claims", RULE_SUM, 0},
    {"seconds", RULE_SUM, 0},
    {"first_claim_s", RULE_LEAST, 0},
    {"first_claim_n", RULE_LEAST, 0},
};

static bool ends_with(const char *key, const char *end)
{
    const size_t n = strlen(key), m = strlen(end);
    return n > m && strcmp(key + n - m, end) == 0;
}

static enum rule rule_of(const char *key, double *quantile)
{
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(key, special[i].key) == 0) {
            *quantile = special[i].quantile;
            return special[i].rule;
        }
    return ends_with(key, "_low") || ends_with(key, "_high") ? RULE_DROP : RULE_CENTRE;
}

/* Returns true for a metric in clock cycles of a multiprocessor, which tick much finer. */
static bool is_of_cycles(const char *metric)
{
    static const enum app_metric cycles[] = {APP_METRIC_CYCLES, APP_METRIC_CYCLES_PER_STEP,
                                             APP_METRIC_OF_PEAK_CYCLES};
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
        if (strcmp(metric, app_metric_key(cycles[i])) == 0)
            return true;
    return false;
}

double app_metric_widen(const char *metric, const struct app_metric_times *times)
{
    if (strcmp(metric, "ratio") == 0)
        return krn_tick_fraction(times->tick_ms, times->a_ms) +
               krn_tick_fraction(times->tick_ms, times->b_ms);
    const double ms = ends_with(metric, "_ms") ? times->value : times->median_ms;
    return is_of_cycles(metric) ? 0 : krn_tick_fraction(times->tick_ms, ms);
}

/* Collects a metric of the processes that have it; returns how many do. */
static size_t collect(const json_t *processes, const char *key, double values[KRN_PROCESSES_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(processes) && n < KRN_PROCESSES_MAX; i++) {
        const json_t *metrics = json_object_get(json_array_get(processes, i), "metrics");
        const json_t *value = json_object_get(metrics, key);
        if (json_is_number(value))
            values[n++] = json_number_value(value);
    }
    return n;
}

static double greatest(const json_t *processes, const char *key)
{
    double values[KRN_PROCESSES_MAX], most = 0;
    const size_t n = collect(processes, key, values);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, values[i]);
    return most;
}

static double centre(const json_t *processes, const char *key)
{
    double values[KRN_PROCESSES_MAX];
    const size_t n = collect(processes, key, values);
    return krn_across(values, n, KRN_INTERVAL_LEVEL, 0).value;
}

/* Returns a quantile of all samples; NaN: there are none. */
static double pool(const json_t *processes, double quantile)
{
    size_t count = 0, n = 0;
    for (size_t i = 0; i < json_array_size(processes); i++)
        count += json_array_size(json_object_get(json_array_get(processes, i), "samples_ms"));
    if (count == 0)
        return NAN;
    double *samples = app_alloc(count, sizeof *samples);
    for (size_t i = 0; i < json_array_size(processes); i++) {
        const json_t *array = json_object_get(json_array_get(processes, i), "samples_ms");
        for (size_t j = 0; j < json_array_size(array); j++)
            samples[n++] = json_number_value(json_array_get(array, j));
    }
    krn_sort(samples, n);
    const double value = krn_quantile_sorted(samples, n, quantile);
    free(samples);
    return value;
}

static void put_number(json_t *metrics, const char *key, double number)
{
    if (isfinite(number))
        json_object_set_new(metrics, key, app_json_from_number(number));
}

/* Adds the ends of the interval of a metric. */
static void put_interval(json_t *metrics, const char *key, struct krn_across across)
{
    char low[96], high[96];
    const bool time = strcmp(key, "median_ms") == 0;
    snprintf(low, sizeof low, "%.80s_low", key);
    snprintf(high, sizeof high, "%.80s_high", key);
    if (across.valid) {
        put_number(metrics, time ? "low_ms" : low, across.low);
        put_number(metrics, time ? "high_ms" : high, across.high);
    }
}

struct krn_across app_record_across(const json_t *processes, const char *metric, double level)
{
    double values[KRN_PROCESSES_MAX];
    const size_t n = collect(processes, metric, values);
    const struct app_metric_times times = {.value = krn_across(values, n, level, 0).value,
                                           .median_ms = centre(processes, "median_ms"),
                                           .a_ms = centre(processes, "a_median_ms"),
                                           .b_ms = centre(processes, "b_median_ms"),
                                           .tick_ms = greatest(processes, "tick_ms")};
    return krn_across(values, n, level, app_metric_widen(metric, &times));
}

static void put_centre(const json_t *processes, json_t *metrics, const char *key,
                       const double *values, size_t n, bool has_interval)
{
    double sum = 0;
    bool positive = true;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
        positive = positive && values[i] > 0;
    }
    /* One process keeps its value to the last bit. */
    if (!positive || n == 1) {
        put_number(metrics, key, sum / (double)n);
        return;
    }
    const struct krn_across across = app_record_across(processes, key, KRN_INTERVAL_LEVEL);
    put_number(metrics, key, across.value);
    if (has_interval)
        put_interval(metrics, key, across);
}

static void put_metric(const json_t *processes, json_t *metrics, const char *key)
{
    double values[KRN_PROCESSES_MAX], quantile = 0;
    const size_t n = collect(processes, key, values);
    const enum rule rule = rule_of(key, &quantile);
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
        sum += values[i];
    }
    switch (rule) {
    case RULE_LEAST:
        put_number(metrics, key, least);
        break;
    case RULE_GREATEST:
        put_number(metrics, key, most);
        break;
    case RULE_SUM:
        put_number(metrics, key, sum);
        break;
    case RULE_POOLED:
        put_number(metrics, key, n == 1 ? sum : pool(processes, quantile));
        break;
    case RULE_CENTRE:
    case RULE_MIDDLE:
        if (n > 0)
            put_centre(processes, metrics, key, values, n, rule == RULE_CENTRE);
        break;
    case RULE_DROP:
        break;
    }
}

static void sum_up_metrics(const json_t *processes, json_t *metrics)
{
    for (size_t i = 0; i < json_array_size(processes); i++) {
        const char *key;
        json_t *value, *members = json_object_get(json_array_get(processes, i), "metrics");
        json_object_foreach(members, key, value)
        {
            if (json_object_get(metrics, key) == NULL)
                put_metric(processes, metrics, key);
        }
    }
}

/* Returns true when several processes settle a doubt that single ones had: one that verified the
 * result does so for all, and three are three runs, however few samples each has. */
static bool settles(const json_t *result, const char *id)
{
    enum { RUNS_ENOUGH = 3 };
    if (strcmp(id, app_trust_entry(APP_TRUST_NOT_VERIFIED)->id) == 0)
        return json_is_true(json_object_get(result, "verified"));
    return strcmp(id, app_trust_entry(APP_TRUST_FEW_SAMPLES)->id) == 0 &&
           json_array_size(json_object_get(result, "processes")) >= RUNS_ENOUGH;
}

/* Removes the doubts that the processes together settle. */
static void settle(const json_t *result, json_t *trust)
{
    for (size_t i = json_array_size(trust); i-- > 0;) {
        const char *id = json_string_value(json_array_get(trust, i));
        if (id != NULL && settles(result, id))
            json_array_remove(trust, i);
    }
}

/* Appends the texts of `more` that `list` lacks. */
static void unite(json_t *list, const json_t *more)
{
    for (size_t i = 0; i < json_array_size(more); i++) {
        json_t *text = json_array_get(more, i);
        bool known = false;
        for (size_t j = 0; j < json_array_size(list) && !known; j++)
            known = json_equal(json_array_get(list, j), text) == 1;
        if (!known)
            json_array_append(list, text);
    }
}

/* Returns the rule that ended the processes: "time" if it ended any, else "count", else "narrow";
 * NULL if one was interrupted. */
static const char *stop_of(const json_t *processes)
{
    static const char *const rules[] = {"narrow", "count", "time"};
    size_t worst = 0;
    for (size_t i = 0; i < json_array_size(processes); i++) {
        const char *stop = json_string_value(json_object_get(json_array_get(processes, i), "stop"));
        size_t rule = 0;
        while (rule < sizeof rules / sizeof *rules &&
               (stop == NULL || strcmp(stop, rules[rule]) != 0))
            rule++;
        if (rule == sizeof rules / sizeof *rules)
            return NULL;
        worst = rule > worst ? rule : worst;
    }
    return json_array_size(processes) > 0 ? rules[worst] : NULL;
}

void app_record_sum_up(json_t *result)
{
    const json_t *processes = json_object_get(result, "processes");
    json_t *metrics = json_object(), *trust = json_array();
    json_object_set_new(result, "metrics", metrics);
    json_object_set_new(result, "trust", trust);
    sum_up_metrics(processes, metrics);
    for (size_t i = 0; i < json_array_size(processes); i++)
        unite(trust, json_object_get(json_array_get(processes, i), "trust"));
    if (json_array_size(processes) > 1)
        settle(result, trust);
    const char *stop = stop_of(processes);
    json_object_del(result, "stop");
    if (stop != NULL)
        json_object_set_new(result, "stop", json_string(stop));
}
