/* app/measure/probe_run.c - samples a topic's probes, and compares whole results. */
#include "measure/probe_run.h"

#include "base/clock.h"
#include "base/environment.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/value.h"
#include "measure/mode_run.h"
#include "topics/topic.h"

#include <stdlib.h>
#include <string.h>

enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check, unsigned long *drops)
{
    struct krn_probe_reading run;
    if (!krn_probe_poll(probes, &run)) {
        const bool late = krn_probe_gate_drops(probes) > *drops;
        *drops = krn_probe_gate_drops(probes);
        return krn_probe_busy(probes) ? APP_POLL_BUSY : late ? APP_POLL_LATE : APP_POLL_LOST;
    }
    *reading = (struct app_reading){run.ms, run.cycles, run.slice_ms, run.busy};
    *check = run.check;
    return APP_POLL_TAKEN;
}

double app_probe_tick_ms(const struct krn_probe *probe, const struct krn_device *device)
{
    return probe->other_clock ? 0.0 : krn_device_overheads(device).tick_ms;
}

unsigned app_probe_judge(const struct app_probes_view *view, const struct app_probe_result *result,
                         struct app_trust_facts facts)
{
    const struct krn_probe *probe = result->probe;
    const double l2_bytes = (double)view->device->l2_bytes;
    facts.has_picture = true;
    facts.verified = result->verified;
    if (result->overhead_ms > 0.0 || probe->no_overhead)
        facts.overhead_ms = result->overhead_ms;
    /* One block does not reach the bandwidth of any memory: it shows latencies, in caches too. */
    if (app_topic_of(probe->topic)->streams && !probe->cold && probe->blocks != 1) {
        facts.bytes = probe->footprint_bytes;
        facts.l2_bytes = l2_bytes;
    }
    /* Data that fits into a cache may well be read faster than memory allows. */
    const struct app_estimate part = app_metric_of(view, result, APP_METRIC_OF_THEORETICAL);
    if (part.valid && (probe->cold || probe->footprint_bytes > l2_bytes)) {
        facts.rate = part.value;
        facts.rate_possible = 100.0;
    }
    return result->n > 0 ? app_trust_find(&facts) : 0;
}

/* Runs of one probe per turn. The very first run loads the kernel, and the first run of each turn
 * finds the caches filled by another probe. */
enum { TURN = 10, WARM_UP = 1 };

void app_check_text(const struct krn_check *check, char *text, size_t size)
{
    if (check->wrong > 0.0)
        app_format(text, size, "%.0f of %.0f values are wrong, the first at %.0f: %g, not %g",
                   check->wrong, check->compared, check->first, check->actual, check->expected);
    else
        app_format(text, size, "%.0f values compared, all equal", check->compared);
}

/* A source whose items are the probes of a topic. */
struct topic {
    struct krn_device *device;
    struct krn_probes *probes;
    struct app_probe_run *run;
    struct app_item *items;
    struct krn_check check; /* the newest run's */
    unsigned long drops;    /* runs that were dropped so far */
};

static enum krn_code start_probe(void *self, int item, struct krn_error *error)
{
    const struct topic *topic = self;
    return krn_probe_start(topic->probes, item, error);
}

static enum app_poll poll_probe(void *self, int item, struct app_reading *reading)
{
    struct topic *topic = self;
    (void)item;
    return app_probe_source_poll(topic->probes, reading, &topic->check, &topic->drops);
}

/* Keeps the check of the newest sample, or the first one that was wrong. */
static void take_check(void *self, int item, const struct app_reading *reading, bool counts)
{
    const struct topic *topic = self;
    struct app_probe_result *result = &topic->run->results[item];
    (void)reading;
    if (!counts || result->verified == APP_VERIFIED_FALSE)
        return;
    result->check = topic->check;
    if (app_check_verdict(&topic->check) != APP_VERIFIED_FALSE)
        return;
    result->verified = APP_VERIFIED_FALSE;
    app_check_text(&result->check, result->verified_text, sizeof result->verified_text);
}

/* A run that gave no reading has failed: the device says why. */
static enum krn_code explain_probe(void *self, int item, struct krn_error *error)
{
    const struct topic *topic = self;
    const enum krn_code code = krn_device_sync(topic->device, error);
    return code == KRN_OK ? KRN_FAIL(error, KRN_FAILED, "A run of %s gave no time.",
                                     krn_probes_at(topic->probes, item)->series)
                          : code;
}

static void describe_probe(void *self, int item, size_t samples, char *text, size_t size)
{
    const struct topic *topic = self;
    snprintf(text, size, "%-10s %-20s %3zu samples", krn_topic_name(topic->run->topic),
             topic->run->probes[item].series, samples);
}

static const struct app_source probe_source = {.start = start_probe,
                                               .poll = poll_probe,
                                               .explain = explain_probe,
                                               .take = take_check,
                                               .describe = describe_probe};

/* Fills in what follows from a probe's samples. */
static void sum_up(struct app_probe_result *result, const struct app_item *item)
{
    const struct krn_interval none = {false, 0.0, 0.0};
    const bool cycles = result->probe->has_cycles;
    result->samples_ms = item->ms;
    result->samples_cycles = cycles ? item->second : NULL;
    result->stop = item->stop;
    result->gate_drops = item->late;
    result->regime = app_regime_of(item->busy, item->readings);
    result->n = item->n;
    result->ms = krn_summarise(item->ms, item->n);
    result->ms_interval = krn_interval_of(item->ms, item->n);
    result->ms_board = app_board_interval(item->ms, item->n);
    result->cycles = krn_summarise(item->second, cycles ? item->n : 0);
    result->cycles_interval = cycles ? krn_interval_of(item->second, item->n) : none;
    result->cycles_board = cycles ? app_board_interval(item->second, item->n) : none;
}

/* Samples every probe within the rule. */
static enum krn_code sample(struct topic *topic, const struct krn_stop_rule *rule,
                            const struct app_plan *plan, double most_s,
                            struct krn_telemetry *telemetry, struct krn_error *error)
{
    struct app_probe_run *run = topic->run;
    const int count = run->view.count > 0 ? run->view.count : 1;
    int *order = app_alloc((size_t)count, sizeof *order);
    app_plan_order(plan->seed, order, run->view.count);
    struct app_sampler sampler = {
        .source = &probe_source,
        .self = topic,
        .items = topic->items,
        .count = run->view.count,
        .turns = {.first =
                      rule->at_most < APP_FIRST_SAMPLES ? (int)rule->at_most : APP_FIRST_SAMPLES,
                  .samples = TURN,
                  .warm_up = WARM_UP,
                  .limit_s = rule->seconds / count / 2.0,
                  .late_counts = true,
                  .settle_every = TURN},
        .rule = *rule,
        .most_s = most_s,
        .order = order,
        .progress = plan->progress,
    };
    const enum krn_code code = app_sampler_run(&sampler, telemetry, &run->telemetry, error);
    free(order);
    run->seconds = sampler.seconds;
    run->view.clock_mhz = run->telemetry.clock_mhz;
    for (int i = 0; i < run->view.count; i++)
        sum_up(&run->results[i], &topic->items[i]);
    return code;
}

/* Measures the overhead of every probe that has samples, right after them. An overhead that cannot
 * be measured stays unknown. Errors: KRN_LOST. */
static enum krn_code measure_overheads(struct krn_probes *probes, struct app_probe_run *run,
                                       struct krn_error *error)
{
    for (int i = 0; i < run->view.count; i++) {
        struct app_probe_result *result = &run->results[i];
        if (result->n == 0 || app_must_stop())
            continue;
        if (krn_probe_overhead(probes, i, &result->overhead_ms, error) == KRN_LOST)
            return KRN_LOST;
    }
    return KRN_OK;
}

/* Returns why a probe's whole result is not compared, a part of a sentence; NULL: it is. */
static const char *leaves_unverified(const struct app_plan *plan, double end_s,
                                     const struct krn_probe *probe)
{
    const double cheap_bytes = 16 << 20; /* compared in some 20 ms */
    return app_interrupted()                           ? "interrupted"
           : app_must_stop() || app_clock_s() >= end_s ? "the time was up"
           : plan->repeats && probe->footprint_bytes > cheap_bytes
               ? "process 1 compares the whole result"
               : NULL;
}

/* Compares whole results with the host's, until end_s. */
static enum krn_code verify(struct krn_probes *probes, const struct app_plan *plan, double end_s,
                            struct app_probe_run *run, struct krn_error *error)
{
    for (int i = 0; i < run->view.count; i++) {
        struct app_probe_result *result = &run->results[i];
        struct krn_check check;
        if (result->n == 0 || result->verified == APP_VERIFIED_FALSE)
            continue;
        char text[APP_PROGRESS_MAX];
        snprintf(text, sizeof text, "%-10s %-20s compared with the host",
                 krn_topic_name(run->topic), run->probes[i].series);
        app_progress_show(plan->progress, text);
        const char *why = leaves_unverified(plan, end_s, &run->probes[i]);
        const enum krn_code code = why ? KRN_CANCELLED : krn_probe_verify(probes, i, &check, error);
        if (code == KRN_CANCELLED) {
            snprintf(result->verified_text, sizeof result->verified_text,
                     "not verified: %s; the runs' own checks passed",
                     why ? why : leaves_unverified(plan, end_s, &run->probes[i]));
            continue;
        }
        if (code != KRN_OK)
            return code;
        result->check = check;
        result->verified = app_check_verdict(&check);
        app_check_text(&check, result->verified_text, sizeof result->verified_text);
    }
    app_progress_clear(plan->progress);
    return KRN_OK;
}

static void judge(struct app_probe_run *run)
{
    const bool on_battery = app_on_battery();
    for (int i = 0; i < run->view.count; i++) {
        struct app_probe_result *result = &run->results[i];
        struct app_trust_facts facts = {.on_battery = on_battery,
                                        .overhead_ms = run->empty_kernel_ms};
        app_trust_telemetry(&facts, &run->telemetry, true);
        app_trust_samples(&facts, result->samples_ms, result->n);
        app_trust_dropped(&facts, result->gate_drops, result->n);
        result->trust = app_probe_judge(&run->view, result, facts);
    }
}

/* Allocates the results and the items whose samples go into them. */
static void prepare(struct topic *topic)
{
    struct app_probe_run *run = topic->run;
    const struct krn_probes *probes = topic->probes;
    const size_t n = (size_t)krn_probes_count(probes);
    run->device = *krn_device_describe(topic->device);
    run->empty_kernel_ms = krn_device_overheads(topic->device).empty_kernel_ms;
    topic->items = app_alloc(n, sizeof *topic->items);
    run->probes = app_alloc(n, sizeof *run->probes);
    run->results = app_alloc(n, sizeof *run->results);
    run->samples = app_alloc(n, 2 * APP_PROBE_SAMPLES * sizeof *run->samples);
    for (size_t i = 0; i < n; i++) {
        run->probes[i] = *krn_probes_at(probes, (int)i);
        run->results[i].probe = &run->probes[i];
        run->results[i].tick_ms = app_probe_tick_ms(&run->probes[i], topic->device);
        topic->items[i].ms = &run->samples[2 * APP_PROBE_SAMPLES * i];
        topic->items[i].second = topic->items[i].ms + APP_PROBE_SAMPLES;
        topic->items[i].room = APP_PROBE_SAMPLES;
    }
    run->view = (struct app_probes_view){
        &run->device, krn_ceilings_of(&run->device), 0.0, run->results, (int)n, 0.0};
}

enum krn_code app_probe_run_topic(struct krn_device *device, struct krn_telemetry *telemetry,
                                  enum krn_topic topic, const struct app_plan *plan,
                                  struct app_probe_run *run, struct krn_error *error)
{
    const bool count = plan->frames > 0 && plan->frames < APP_PROBE_SAMPLES;
    const double start_s = app_clock_s();
    struct krn_stop_rule rule = {
        .width = count ? 0.0 : APP_MEASURE_WIDTH,
        .at_least = KRN_SETTLED_SAMPLES,
        .at_most = count ? (size_t)plan->frames : APP_PROBE_SAMPLES,
    };
    memset(run, 0, sizeof *run);
    run->topic = topic;
    struct topic of_run = {.device = device, .run = run};
    enum krn_code code = krn_probes_open(device, 1u << topic, 0, &of_run.probes, error);
    if (code != KRN_OK)
        return code;
    const char *why = krn_probes_why(of_run.probes, topic);
    snprintf(run->left_out, sizeof run->left_out, "%s", why ? why : "");
    prepare(&of_run);
    const struct app_times times = app_plan_times(plan, start_s, APP_PROBE_SECONDS);
    rule.seconds = times.seconds;
    code = sample(&of_run, &rule, plan, times.most_s, telemetry, error);
    if (code == KRN_OK)
        code = measure_overheads(of_run.probes, run, error);
    if (code == KRN_OK)
        code = verify(of_run.probes, plan, times.end_s, run, error);
    judge(run);
    free(of_run.items);
    krn_probes_close(of_run.probes);
    return code;
}

void app_probe_run_free(struct app_probe_run *run)
{
    free(run->probes);
    free(run->results);
    free(run->samples);
    memset(run, 0, sizeof *run);
}
