/* app/measure/probe_run.c - samples a topic's probes, and compares whole results. */
#include "measure/report.h"

#include "base/process.h"
#include "krn/memory.h"

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

enum app_verified app_check_verdict(const struct krn_check *check)
{
    if (check->wrong > 0.0 || !(check->max_error == 0.0))
        return APP_VERIFIED_FALSE;
    return check->compared > 0.0 ? APP_VERIFIED_TRUE : APP_VERIFIED_UNKNOWN;
}

void app_probes_add_gl(struct krn_probes *probes, const struct krn_device *device)
{
    const struct krn_device_info *info = krn_device_describe(device);
    struct krn_device *gl;
    struct krn_error unread; /* one row of five */
    if (info->backend != KRN_BACKEND_CUDA ||
        krn_backend_get(KRN_BACKEND_GL)->connect(0, &gl, &unread) != KRN_OK)
        return;
    /* OpenGL names a GPU with its bus and more behind. */
    if (strncmp(krn_device_describe(gl)->name, info->name, strlen(info->name)) == 0)
        (void)krn_probes_beside(probes, gl, 1u << KRN_TOPIC_WHERE, &unread);
    else
        krn_device_close(gl);
}

void app_probe_begin(struct app_result *result, struct app_probe_sum *sum,
                     const struct krn_probes *probes, int index)
{
    const struct krn_probe *probe = krn_probes_at(probes, index);
    const struct krn_device *device = krn_probes_device(probes, index);
    sum->tick_ms = probe->other_clock ? 0.0 : krn_device_overheads(device).tick_ms;
    sum->process.process = 1;
    *result = (struct app_result){
        .benchmark = krn_topic_name(probe->topic),
        .variant = probe->series,
        .backend = krn_device_describe(device)->backend,
        .regime = app_regime_name(APP_REGIME_UNKNOWN),
        .scope = probe->scope,
        .verified_reason = sum->verified_text,
        .complete = true,
        .processes = &sum->process,
        .process_count = 1,
        .probe = probe,
    };
}

unsigned app_probe_judge(const struct app_probes_view *view, const struct app_result *result,
                         struct app_trust_facts facts)
{
    const struct krn_probe *probe = result->probe;
    const double overhead_ms = app_result_number(result, APP_M_OVERHEAD_MS, 0.0);
    const double l2_bytes = (double)view->device->l2_bytes;
    facts.has_picture = true;
    facts.verified = result->verified;
    if (overhead_ms > 0.0 || probe->no_overhead)
        facts.overhead_ms = overhead_ms;
    /* One block does not reach the bandwidth of any memory: it shows latencies, in caches too. */
    if (app_topics[probe->topic]->streams && !probe->cold && probe->blocks != 1) {
        facts.bytes = probe->footprint_bytes;
        facts.l2_bytes = l2_bytes;
    }
    /* Data that fits into a cache may well be read faster than memory allows. */
    const struct app_estimate part = app_metric_of(view, result, APP_M_OF_THEORETICAL_PERCENT);
    if (part.valid && (probe->cold || probe->footprint_bytes > l2_bytes)) {
        facts.rate = part.value;
        facts.rate_possible = 100.0;
    }
    return app_result_samples(result) > 0 ? app_trust_find(&facts) : 0;
}

/* Runs of one probe per turn. The very first run loads the kernel, and the first run of each turn
 * finds the caches filled by another probe. */
enum { TURN = 10, WARM_UP = 1, PAIRS_LONGER = 3 };

void app_check_text(const struct krn_check *check, char *text, size_t size)
{
    if (check->wrong > 0.0)
        app_format(text, size, "%.0f of %.0f values are wrong, the first at %.0f: %g, not %g",
                   check->wrong, check->compared, check->first, check->actual, check->expected);
    else
        app_format(text, size, "%.0f values compared, all equal", check->compared);
}

enum { PROBE_SAMPLES = 300 };

/* A source whose items are the probes of a topic. */
struct topic {
    struct krn_device *device;
    struct krn_probes *probes;
    enum krn_topic id;
    struct app_item *items;
    struct app_result *results; /* view.results */
    struct app_probe_sum *sums;
    double *samples; /* PROBE_SAMPLES times and as many cycles of each */
    struct app_probes_view view;
    struct krn_telemetry_reading telemetry; /* when the last sample was taken */
    struct krn_check check;                 /* the newest run's */
    unsigned long drops;                    /* runs that were dropped so far */
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
    struct app_result *result = &topic->results[item];
    struct app_probe_sum *sum = &topic->sums[item];
    (void)reading;
    if (!counts || result->verified == APP_VERIFIED_FALSE)
        return;
    sum->check = topic->check;
    if (app_check_verdict(&topic->check) != APP_VERIFIED_FALSE)
        return;
    result->verified = APP_VERIFIED_FALSE;
    app_check_text(&sum->check, sum->verified_text, sizeof sum->verified_text);
}

/* A run that gave no reading has failed: the device says why. */
static enum krn_code explain_probe(void *self, int item, struct krn_error *error)
{
    const struct topic *topic = self;
    if (krn_probes_device(topic->probes, item) != topic->device)
        return KRN_OK; /* its next start is refused */
    const enum krn_code code = krn_device_sync(topic->device, error);
    return code == KRN_OK ? KRN_FAIL(error, KRN_FAILED, "A run of %s gave no time.",
                                     krn_probes_at(topic->probes, item)->series)
                          : code;
}

static void describe_probe(void *self, int item, size_t samples, char *text, size_t size)
{
    const struct topic *topic = self;
    const struct app_result *result = &topic->results[item];
    snprintf(text, size, "%-10s %-20s %3zu samples", result->benchmark, result->variant, samples);
}

static const struct app_source probe_source = {.start = start_probe,
                                               .poll = poll_probe,
                                               .explain = explain_probe,
                                               .take = take_check,
                                               .describe = describe_probe};

/* Samples every probe within the rule. */
static enum krn_code sample(struct topic *topic, const struct krn_stop_rule *rule,
                            const struct app_plan *plan, double most_s,
                            struct krn_telemetry *telemetry, struct krn_error *error)
{
    const int count = topic->view.count > 0 ? topic->view.count : 1;
    int *order = krn_alloc((size_t)count, sizeof *order);
    app_plan_order(plan->seed, order, topic->view.count);
    const bool pairs = app_topics[topic->id]->pairs;
    struct app_sampler sampler = {
        .source = &probe_source,
        .self = topic,
        .items = topic->items,
        .count = topic->view.count,
        .turns = {.first = pairs                               ? 1
                           : rule->at_most < APP_FIRST_SAMPLES ? (int)rule->at_most
                                                               : APP_FIRST_SAMPLES,
                  .samples = pairs ? 1 : TURN,
                  .warm_up = WARM_UP,
                  .limit_s = rule->seconds / count / 2.0,
                  .late_counts = true,
                  .settle_every = TURN},
        .rule = *rule,
        .most_s = most_s,
        .order = order,
        .progress = plan->progress,
    };
    const enum krn_code code = app_sampler_run(&sampler, telemetry, &topic->telemetry, error);
    free(order);
    topic->view.clock_mhz = topic->telemetry.clock_mhz;
    return code;
}

/* Measures the overhead of every probe that has samples, right after them. An overhead that cannot
 * be measured stays unknown. Errors: KRN_LOST. */
static enum krn_code measure_overheads(struct topic *topic, struct krn_error *error)
{
    for (int i = 0; i < topic->view.count; i++) {
        if (topic->items[i].n == 0 || app_must_stop())
            continue;
        if (krn_probe_overhead(topic->probes, i, &topic->sums[i].overhead, error) == KRN_LOST)
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
static enum krn_code verify(struct topic *topic, const struct app_plan *plan, double end_s,
                            struct krn_error *error)
{
    for (int i = 0; i < topic->view.count; i++) {
        struct app_result *result = &topic->results[i];
        struct app_probe_sum *sum = &topic->sums[i];
        struct krn_check check;
        if (topic->items[i].n == 0 || result->verified == APP_VERIFIED_FALSE)
            continue;
        char text[APP_PROGRESS_MAX];
        snprintf(text, sizeof text, "%-10s %-20s compared with the host", result->benchmark,
                 result->variant);
        app_progress_show(plan->progress, text);
        const char *why = leaves_unverified(plan, end_s, result->probe);
        const enum krn_code code =
            why ? KRN_CANCELLED : krn_probe_verify(topic->probes, i, &check, error);
        if (code == KRN_CANCELLED) {
            snprintf(sum->verified_text, sizeof sum->verified_text,
                     "not verified: %s; the runs' own checks passed",
                     why ? why : leaves_unverified(plan, end_s, result->probe));
            continue;
        }
        if (code == KRN_REFUSED)
            app_format(sum->verified_text, sizeof sum->verified_text, "not verified: %s",
                       error->text);
        if (code == KRN_REFUSED)
            continue;
        if (code != KRN_OK)
            return code;
        sum->check = check;
        result->verified = app_check_verdict(&check);
        app_check_text(&check, sum->verified_text, sizeof sum->verified_text);
    }
    app_progress_clear(plan->progress);
    return KRN_OK;
}

/* Sums up the samples of a probe, and judges them. */
static void sum_up(struct topic *topic, int i, bool on_battery)
{
    const struct app_item *item = &topic->items[i];
    struct app_result *result = &topic->results[i];
    struct app_probe_sum *sum = &topic->sums[i];
    const size_t cycles = result->probe->has_cycles ? item->n : 0;
    const struct krn_summary summaries[] = {krn_summarise(item->ms, item->n),
                                            krn_summarise(item->second, cycles)};
    const struct krn_interval intervals[] = {krn_interval_of(item->ms, item->n),
                                             krn_interval_of(item->second, cycles)};
    struct app_trust_facts facts = {
        .on_battery = on_battery,
        .overhead_ms = krn_device_overheads(krn_probes_device(topic->probes, i)).empty_kernel_ms};
    sum->process.samples_ms = item->ms;
    sum->process.cycles = cycles > 0 ? item->second : NULL;
    sum->process.stop = item->stop == KRN_STOP_NOT ? NULL : krn_stop_name(item->stop);
    result->regime = app_regime_name(app_regime_of(item->busy, item->readings));
    app_probe_sum_up(result, sum, summaries, intervals, item->late);
    app_trust_telemetry(&facts, &topic->telemetry, true);
    app_trust_samples(&facts, item->ms, item->n);
    app_trust_dropped(&facts, item->late, item->n);
    result->trust.reasons = app_probe_judge(&topic->view, result, facts);
}

/* Allocates the results and the items whose samples go into them. */
static void prepare(struct topic *topic)
{
    const struct krn_device_info *device = krn_device_describe(topic->device);
    const size_t n = (size_t)krn_probes_count(topic->probes);
    topic->items = krn_alloc(n, sizeof *topic->items);
    topic->results = krn_alloc(n, sizeof *topic->results);
    topic->sums = krn_alloc(n, sizeof *topic->sums);
    topic->samples = krn_alloc(n, 2 * PROBE_SAMPLES * sizeof *topic->samples);
    for (size_t i = 0; i < n; i++) {
        app_probe_begin(&topic->results[i], &topic->sums[i], topic->probes, (int)i);
        topic->items[i].ms = &topic->samples[2 * PROBE_SAMPLES * i];
        topic->items[i].second = topic->items[i].ms + PROBE_SAMPLES;
        topic->items[i].room = PROBE_SAMPLES;
    }
    topic->view =
        (struct app_probes_view){device, krn_ceilings_of(device), 0.0, topic->results, (int)n, 0.0};
}

/* Adds the results, and sentences about those that are missing or have few samples. */
static void add_results(struct topic *topic, struct app_results *results)
{
    const bool on_battery = app_on_battery();
    const char *name = krn_topic_name(topic->id), *why = krn_probes_why(topic->probes, topic->id);
    struct app_report_few few = {.few = 0};
    char text[400];
    for (int i = 0; i < topic->view.count; i++) {
        const struct krn_probe *probe = topic->results[i].probe;
        sum_up(topic, i, on_battery);
        app_report_add_probe(results, &topic->view, &topic->results[i]);
        app_format(text, sizeof text, "%s at %s %.0f", probe->series, probe->axis, probe->x);
        app_report_count(&few, topic->items[i].n, topic->items[i].stop, text);
    }
    app_report_note_few(results, name, &few);
    if (why == NULL)
        return;
    snprintf(text, sizeof text, "%s: some series are left out: %s", name, why);
    app_results_note(results, text);
}

enum krn_code app_probe_run_topic(struct krn_device *device, struct krn_telemetry *telemetry,
                                  enum krn_topic id, const struct app_plan *plan,
                                  struct app_results *results, struct krn_error *error)
{
    const bool count = plan->frames > 0 && plan->frames < PROBE_SAMPLES;
    const double start_s = app_clock_s();
    struct krn_stop_rule rule = {
        .width = count ? 0.0 : APP_MEASURE_WIDTH,
        .at_least = KRN_SETTLED_SAMPLES,
        .at_most = count ? (size_t)plan->frames : PROBE_SAMPLES,
    };
    struct topic topic = {.device = device, .id = id};
    enum krn_code code = krn_probes_open(device, 1u << id, 0, &topic.probes, error);
    if (code != KRN_OK)
        return code;
    if (id == KRN_TOPIC_WHERE)
        app_probes_add_gl(topic.probes, device);
    prepare(&topic);
    const struct app_times times = app_plan_times(
        plan, start_s, APP_PROBE_SECONDS * (app_topics[id]->pairs ? PAIRS_LONGER : 1.0));
    rule.seconds = times.seconds;
    code = sample(&topic, &rule, plan, times.most_s, telemetry, error);
    KRN_THEN(code, measure_overheads(&topic, error));
    KRN_THEN(code, verify(&topic, plan, times.end_s, error));
    if (code == KRN_OK)
        add_results(&topic, results);
    krn_probes_close(topic.probes);
    free(topic.items);
    free(topic.results);
    free(topic.sums);
    free(topic.samples);
    return code;
}
