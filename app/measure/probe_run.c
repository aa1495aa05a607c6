#include "measure/probe_run.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/value.h"
#include "measure/mode_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Runs of one probe before the next one has its turn. */
enum { TURN = 10 };

/* A short sleep between looks: a run is some tenths of a millisecond, and a core that only looks
 * would be one core less for a backend that computes on them. */
static void breathe(void)
{
    const struct timespec little = {0, 20000};
    nanosleep(&little, NULL);
}

void app_check_text(const struct krn_check *check, char *text, size_t size)
{
    if (check->wrong > 0.0)
        app_format(text, size, "%.0f of %.0f values are wrong, the first at %.0f: %g, not %g",
                   check->wrong, check->compared, check->first, check->actual, check->expected);
    else
        app_format(text, size, "%.0f values compared, all equal", check->compared);
}

/* One run, waited for. *there is false when it gave no reading. */
static enum krn_code run_once(struct krn_device *device, struct krn_probes *probes, int index,
                              struct krn_probe_reading *reading, bool *there,
                              struct krn_error *error)
{
    enum krn_code code = krn_probe_start(probes, index, error);
    *there = false;
    while (code == KRN_OK && krn_probe_busy(probes) && !*there) {
        *there = krn_probe_poll(probes, reading);
        if (!*there && krn_probe_busy(probes))
            breathe();
    }
    /* A run that gave nothing has failed: the device says with what. */
    if (code == KRN_OK && !*there) {
        code = krn_device_sync(device, error);
        if (code == KRN_OK)
            code = KRN_FAIL(error, KRN_FAILED, "A run of %s gave no time.",
                            krn_probes_at(probes, index)->series);
    }
    return code;
}

static void take(struct app_probe_result *probed, struct app_probe_samples *samples,
                 const struct krn_probe_reading *reading)
{
    if (samples->n < APP_PROBE_SAMPLES) {
        samples->ms[samples->n] = reading->ms;
        samples->cycles[samples->n++] = reading->cycles;
    }
    if (probed->verified != APP_VERIFIED_FALSE)
        probed->check = reading->check;
    if (app_check_verdict(&reading->check) == APP_VERIFIED_FALSE) {
        probed->verified = APP_VERIFIED_FALSE;
        app_check_text(&probed->check, samples->verified_text, sizeof samples->verified_text);
    }
}

/* Median and interval of what a probe has. */
static void sum_up(struct app_probe_result *probed, const struct app_probe_samples *samples)
{
    const struct krn_interval none = {false, 0.0, 0.0};
    const bool cycles = probed->probe->has_cycles;
    probed->n = samples->n;
    probed->ms = krn_summarise(samples->ms, samples->n);
    probed->ms_interval = krn_interval_of(samples->ms, samples->n);
    probed->cycles = krn_summarise(samples->cycles, cycles ? samples->n : 0);
    probed->cycles_interval = cycles ? krn_interval_of(samples->cycles, samples->n) : none;
}

/* After each sample: what came before the samples settled is dropped, and the probe may be done.
 * Looks at growing counts only: each is a chance to find the interval narrow by luck. */
static void look_at(struct app_probe_result *probed, struct app_probe_samples *samples,
                    const struct krn_stop_rule *rule, double seconds)
{
    const struct krn_interval none = {false, 0.0, 0.0};
    const bool look = samples->n % TURN == 0, drop = rule->width > 0.0;
    if (look && !samples->settled && krn_settled(samples->ms, samples->n)) {
        const size_t early = samples->n - KRN_SETTLED_SAMPLES;
        samples->settled = true;
        if (drop && early > 0) {
            samples->n = KRN_SETTLED_SAMPLES;
            memmove(samples->ms, samples->ms + early, samples->n * sizeof *samples->ms);
            memmove(samples->cycles, samples->cycles + early, samples->n * sizeof *samples->cycles);
        }
    }
    if (look)
        sum_up(probed, samples);
    const bool believe = look && samples->settled;
    samples->stop = krn_stop_check(rule, samples->n, believe ? probed->ms.median : 0.0,
                                   believe ? probed->ms_interval : none, seconds);
}

/* Up to TURN samples of one probe. */
static enum krn_code take_turn(struct krn_device *device, struct krn_probes *probes, int index,
                               const struct krn_stop_rule *rule, double start,
                               struct app_probe_run *run, struct krn_error *error)
{
    struct app_probe_samples *samples = &run->samples[index];
    struct app_probe_result *probed = &run->probed[index];
    /* The first run of all loads; the first of a turn meets the caches of another probe. */
    for (int i = -1; i < TURN && samples->stop == KRN_STOP_NOT && !app_interrupted(); i++) {
        struct krn_probe_reading reading;
        bool there;
        const double before = app_clock_s();
        const enum krn_code code = run_once(device, probes, index, &reading, &there, error);
        if (code != KRN_OK)
            return code;
        /* Beside a long run loading is nothing, and there is no time for two. */
        const bool late = app_clock_s() - start >= rule->seconds;
        if (i >= 0 || (late && app_clock_s() - before > 0.01) || (late && samples->n == 0))
            take(probed, samples, &reading);
        if (samples->n > 0)
            look_at(probed, samples, rule, app_clock_s() - start);
    }
    return KRN_OK;
}

static enum krn_code sample(struct krn_device *device, struct krn_probes *probes,
                            const struct krn_stop_rule *rule, FILE *progress,
                            struct app_probe_run *run, struct krn_error *error)
{
    const double start = app_clock_s();
    enum krn_code code = KRN_OK;
    for (bool more = true; more && code == KRN_OK && !app_interrupted();) {
        more = false;
        for (int i = 0; i < run->view.count && code == KRN_OK && !app_interrupted(); i++) {
            if (run->samples[i].stop != KRN_STOP_NOT)
                continue;
            code = take_turn(device, probes, i, rule, start, run, error);
            more = more || run->samples[i].stop == KRN_STOP_NOT;
            if (progress)
                fprintf(progress, "\r%-10s %-20s %3zu samples", krn_topic_name(run->topic),
                        run->probes[i].series, run->samples[i].n);
            if (progress)
                fflush(progress);
        }
    }
    if (progress)
        fprintf(progress, "\r%60s\r", "");
    run->seconds = app_clock_s() - start;
    return code;
}

/* Whole results against the host's. */
static enum krn_code verify(struct krn_probes *probes, struct app_probe_run *run,
                            struct krn_error *error)
{
    for (int i = 0; i < run->view.count; i++) {
        struct app_probe_result *probed = &run->probed[i];
        struct krn_check check;
        if (probed->n == 0 || probed->verified == APP_VERIFIED_FALSE || app_interrupted())
            continue;
        const enum krn_code code = krn_probe_verify(probes, i, &check, error);
        if (code != KRN_OK)
            return code;
        probed->check = check;
        probed->verified = app_check_verdict(&check);
        app_check_text(&check, run->samples[i].verified_text, sizeof run->samples[i].verified_text);
    }
    return KRN_OK;
}

static enum krn_code prepare(struct krn_device *device, const struct krn_probes *probes,
                             struct app_probe_run *run, struct krn_error *error)
{
    const size_t n = (size_t)krn_probes_count(probes);
    run->device = *krn_device_describe(device);
    run->empty_kernel_ms = krn_device_overheads(device).empty_kernel_ms;
    run->probes = malloc((n > 0 ? n : 1) * sizeof *run->probes);
    run->probed = calloc(n > 0 ? n : 1, sizeof *run->probed);
    run->samples = calloc(n > 0 ? n : 1, sizeof *run->samples);
    if (run->probes == NULL || run->probed == NULL || run->samples == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the samples of %zu probes.", n);
    for (size_t i = 0; i < n; i++) {
        run->probes[i] = *krn_probes_at(probes, (int)i);
        run->probed[i].probe = &run->probes[i];
    }
    run->view = (struct app_probes_view){&run->device, krn_ceilings_of(&run->device), 0.0,
                                         run->probed, (int)n};
    return KRN_OK;
}

enum krn_code app_probe_run_topic(struct krn_device *device, struct krn_telemetry *telemetry,
                                  enum krn_topic topic, int frames, double seconds, FILE *progress,
                                  struct app_probe_run *run, struct krn_error *error)
{
    const bool count = frames > 0 && frames < APP_PROBE_SAMPLES;
    const struct krn_stop_rule rule = {
        .width = count ? 0.0 : APP_MEASURE_WIDTH,
        .seconds = seconds,
        .at_least = KRN_SETTLED_SAMPLES,
        .at_most = count ? (size_t)frames : APP_PROBE_SAMPLES,
    };
    memset(run, 0, sizeof *run);
    run->topic = topic;
    struct krn_probes *probes = NULL;
    enum krn_code code = krn_probes_open(device, 1u << topic, 0, &probes, error);
    if (code != KRN_OK)
        return code;
    const char *why = krn_probes_why(probes, topic);
    snprintf(run->left_out, sizeof run->left_out, "%s", why ? why : "");
    code = prepare(device, probes, run, error);
    if (code == KRN_OK) {
        krn_telemetry_mark(telemetry);
        code = sample(device, probes, &rule, progress, run, error);
        /* Clocks as they were a moment ago, before the device cools down. */
        krn_telemetry_wait(telemetry, 0.5);
        krn_telemetry_read(telemetry, &run->telemetry);
        run->view.clock_mhz = run->telemetry.clock_mhz;
        for (int i = 0; i < run->view.count; i++)
            sum_up(&run->probed[i], &run->samples[i]);
    }
    if (code == KRN_OK)
        code = verify(probes, run, error);
    krn_probes_close(probes);
    return code;
}

void app_probe_run_free(struct app_probe_run *run)
{
    free(run->probes);
    free(run->probed);
    free(run->samples);
    memset(run, 0, sizeof *run);
}

bool app_probe_run_right(const struct app_probe_run *run)
{
    for (int i = 0; i < run->view.count; i++)
        if (run->probed[i].verified == APP_VERIFIED_FALSE)
            return false;
    return true;
}

struct app_probes_view app_probe_runs_view(const struct app_probe_run *runs, int count)
{
    struct app_probes_view view = {NULL, {0.0, 0.0, 0.0}, 0.0, NULL, 0};
    size_t all = 0;
    for (int i = 0; i < count; i++)
        all += (size_t)runs[i].view.count;
    struct app_probe_result *probed = malloc((all > 0 ? all : 1) * sizeof *probed);
    if (probed == NULL)
        return view;
    for (int i = 0; i < count; i++) {
        if (runs[i].view.count == 0)
            continue;
        memcpy(probed + view.count, runs[i].probed, (size_t)runs[i].view.count * sizeof *probed);
        view.device = runs[i].view.device;
        view.ceilings = runs[i].view.ceilings;
        view.clock_mhz = runs[i].view.clock_mhz;
        view.count += runs[i].view.count;
    }
    view.probed = probed;
    return view;
}
