/* app/measure/sampler.c - first samples of every item, then turns until each is done. */
#include "measure/sampler.h"

#include "base/process.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* A warm-up run that takes longer counts when the time is up. */
static const double long_run_s = 0.01;

/* An item without a sample is never done: after so many lost readings in a row, waiting is vain. */
enum { LOST_MAX = 200 };

static double now_s(const struct app_sampler *sampler)
{
    return sampler->source->clock_s ? sampler->source->clock_s(sampler->self) : app_clock_s();
}

static double seconds_so_far(const struct app_sampler *sampler)
{
    return now_s(sampler) - sampler->start_s;
}

/* --- one run --- */

void app_sampler_begin_turn(struct app_sampler *sampler, int item)
{
    sampler->items[item].runs = 0;
    sampler->turn_s = now_s(sampler);
}

bool app_sampler_busy(const struct app_sampler *sampler)
{
    return sampler->running > 0;
}

enum krn_code app_sampler_start(struct app_sampler *sampler, int item, struct krn_error *error)
{
    sampler->run_s = now_s(sampler);
    const enum krn_code code = sampler->source->start(sampler->self, item, error);
    if (code == KRN_REFUSED) {
        snprintf(sampler->items[item].refused, sizeof sampler->items[item].refused, "%s",
                 error->text);
        return KRN_OK;
    }
    if (code != KRN_OK)
        return code;
    sampler->items[item].runs++;
    sampler->running = item + 1;
    return KRN_OK;
}

/* Returns true when the run that has just ended is a sample. */
static bool counts(const struct app_sampler *sampler, const struct app_item *item)
{
    const struct app_turns *turns = &sampler->turns;
    const double now = now_s(sampler);
    if (item->runs > (unsigned)turns->warm_up)
        return true;
    if (turns->long_s > 0.0 && now - sampler->turn_s >= turns->long_s)
        return true;
    return turns->late_counts && seconds_so_far(sampler) >= sampler->rule.seconds &&
           (item->n == 0 || now - sampler->run_s > long_run_s);
}

enum app_poll app_sampler_poll(struct app_sampler *sampler, struct app_reading *reading)
{
    if (sampler->running == 0)
        return APP_POLL_LOST;
    const int index = sampler->running - 1;
    *reading = (struct app_reading){.ms = 0.0};
    const enum app_poll poll = sampler->source->poll(sampler->self, index, reading);
    if (poll == APP_POLL_BUSY)
        return poll;
    sampler->running = 0;
    struct app_item *item = &sampler->items[index];
    item->late += poll == APP_POLL_LATE;
    if (poll != APP_POLL_TAKEN)
        return poll;
    item->readings++;
    item->busy += reading->busy;
    const bool sample = counts(sampler, item);
    if (sample && item->n < item->room) {
        item->ms[item->n] = reading->ms;
        item->second[item->n] = reading->second;
    }
    item->n += sample;
    if (sampler->source->take)
        sampler->source->take(sampler->self, index, reading, sample);
    return poll;
}

/* --- all items in turns --- */

/* A short sleep between polls: a core that only polls would be one core less for a backend that
 * computes on them. */
static void nap(void)
{
    const struct timespec little = {0, 20000};
    nanosleep(&little, NULL);
}

/* Starts one run and waits for it. */
static enum krn_code run_once(struct app_sampler *sampler, int index, struct krn_error *error)
{
    const enum krn_code code = app_sampler_start(sampler, index, error);
    if (code != KRN_OK || !app_sampler_busy(sampler))
        return code;
    struct app_reading reading;
    enum app_poll poll;
    while ((poll = app_sampler_poll(sampler, &reading)) == APP_POLL_BUSY)
        nap();
    struct app_item *item = &sampler->items[index];
    item->lost = poll == APP_POLL_TAKEN ? 0 : item->lost + 1;
    if (poll == APP_POLL_LOST && sampler->source->explain) {
        const enum krn_code why = sampler->source->explain(sampler->self, index, error);
        if (why != KRN_OK)
            return why;
    }
    if (item->lost >= LOST_MAX && poll == APP_POLL_LATE)
        return KRN_FAIL(error, KRN_FAILED,
                        "%d runs in a row gave no time: the host launched each one too late. This "
                        "machine may be overloaded, or a debugger slows the program down.",
                        LOST_MAX);
    if (item->lost >= LOST_MAX)
        return KRN_FAIL(error, KRN_FAILED, "%d runs in a row gave no time.", LOST_MAX);
    return KRN_OK;
}

/* Drops the samples from before the newest ones settled. */
static void drop_early(struct app_item *item)
{
    const size_t early = item->n - KRN_SETTLED_SAMPLES;
    item->n = KRN_SETTLED_SAMPLES;
    memmove(item->ms, item->ms + early, item->n * sizeof *item->ms);
    memmove(item->second, item->second + early, item->n * sizeof *item->second);
}

/* Returns true when the newest samples have settled: they must not drift by more than half of the
 * width that the interval is to have, or a warm-up would end narrow and wrong. */
static bool has_settled(const struct app_sampler *sampler, const struct app_item *item)
{
    const double half = 0.5 * sampler->rule.width;
    return krn_settled_within(item->ms, item->n,
                              half > 0.0 && half < KRN_SETTLED_WITHIN ? half : KRN_SETTLED_WITHIN);
}

/* Decides, after each run, whether the item has settled and is done. Checks the interval only at
 * growing numbers of samples: every check is a chance to find it narrow by luck. */
static enum krn_stop judge(const struct app_sampler *sampler, struct app_item *item)
{
    const struct app_turns *turns = &sampler->turns;
    const bool settle = turns->settle_every > 0 && item->n % turns->settle_every == 0;
    if (settle && !item->settled && has_settled(sampler, item)) {
        item->settled = true;
        if (sampler->rule.width > 0.0)
            drop_early(item);
    }
    const bool look = item->settled && item->n % (size_t)turns->samples == 0;
    const struct krn_interval none = {false, 0.0, 0.0};
    const enum krn_stop stop = krn_stop_check(
        &sampler->rule, item->n, look ? krn_summarise(item->ms, item->n).median : 0.0,
        look ? krn_interval_of(item->ms, item->n) : none, seconds_so_far(sampler));
    return stop == KRN_STOP_TIME && item->n < (size_t)turns->first ? KRN_STOP_NOT : stop;
}

static bool is_done(const struct app_item *item)
{
    return item->refused[0] != 0 || item->stop != KRN_STOP_NOT;
}

/* Returns true when no run may start any more. */
static bool is_over(const struct app_sampler *sampler)
{
    return app_must_stop() || (sampler->most_s > 0.0 && seconds_so_far(sampler) >= sampler->most_s);
}

static void show_progress(struct app_sampler *sampler, int index)
{
    char text[APP_PROGRESS_MAX];
    if (!sampler->progress || !sampler->progress->out || !sampler->source->describe)
        return;
    sampler->source->describe(sampler->self, index, sampler->items[index].n, text, sizeof text);
    app_progress_show(sampler->progress, text);
}

/* Runs one item until it has `samples` more samples, is done, or its turn has lasted limit_s. */
static enum krn_code take_turn(struct app_sampler *sampler, int index, size_t samples,
                               double limit_s, struct krn_error *error)
{
    struct app_item *item = &sampler->items[index];
    const size_t runs = (size_t)sampler->turns.warm_up + samples;
    app_sampler_begin_turn(sampler, index);
    show_progress(sampler, index);
    for (size_t i = 0; i < runs && !is_done(item) && !is_over(sampler); i++) {
        const enum krn_code code = run_once(sampler, index, error);
        if (code != KRN_OK)
            return code;
        if (sampler->source->judge)
            item->stop = sampler->source->judge(sampler->self, index, seconds_so_far(sampler));
        else if (item->n > 0)
            item->stop = judge(sampler, item);
        const double turn_s = now_s(sampler) - sampler->turn_s;
        if (limit_s > 0.0 && turn_s >= limit_s && item->n > 0)
            break;
    }
    if (item->runs > 0)
        item->each_s = (now_s(sampler) - sampler->turn_s) / item->runs;
    return KRN_OK;
}

static bool lacks_first(const struct app_sampler *sampler, const struct app_item *item)
{
    return !is_done(item) && item->n < (size_t)sampler->turns.first;
}

/* Returns the item that needs the least time for the rest of its first samples; -1: none does. */
static int next_first(const struct app_sampler *sampler)
{
    int next = -1;
    double least_s = 0.0;
    for (int i = 0; i < sampler->count; i++) {
        const struct app_item *item = &sampler->items[i];
        const double s = item->each_s * (double)((size_t)sampler->turns.first - item->n);
        if (lacks_first(sampler, item) && (next < 0 || s < least_s)) {
            next = i;
            least_s = s;
        }
    }
    return next;
}

/* Gives every item its first samples: in a turn of limited time each, then as many items as
 * possible the rest. */
static enum krn_code take_first(struct app_sampler *sampler, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    const size_t first = (size_t)sampler->turns.first;
    for (int i = 0; code == KRN_OK && i < sampler->count && !is_over(sampler); i++) {
        const int index = sampler->order ? sampler->order[i] : i;
        if (lacks_first(sampler, &sampler->items[index]))
            code = take_turn(sampler, index, first, sampler->turns.limit_s, error);
    }
    for (int i; code == KRN_OK && !is_over(sampler) && (i = next_first(sampler)) >= 0;)
        code = take_turn(sampler, i, first - sampler->items[i].n, 0.0, error);
    return code;
}

static enum krn_code run_all(struct app_sampler *sampler, struct krn_error *error)
{
    enum krn_code code = sampler->turns.first > 0 ? take_first(sampler, error) : KRN_OK;
    for (bool more = true; more && code == KRN_OK;) {
        more = false;
        for (int i = 0; code == KRN_OK && i < sampler->count && !is_over(sampler); i++) {
            const int index = sampler->order ? sampler->order[i] : i;
            if (is_done(&sampler->items[index]))
                continue;
            code = take_turn(sampler, index, (size_t)sampler->turns.samples, sampler->turns.limit_s,
                             error);
            more = more || !is_done(&sampler->items[index]);
        }
        more = more && !is_over(sampler);
    }
    for (int i = 0; code == KRN_OK && i < sampler->count && !app_interrupted(); i++)
        if (!is_done(&sampler->items[i]))
            sampler->items[i].stop = KRN_STOP_TIME;
    return code;
}

enum krn_code app_sampler_run(struct app_sampler *sampler, struct krn_telemetry *monitor,
                              struct krn_telemetry_reading *telemetry, struct krn_error *error)
{
    krn_telemetry_mark(monitor);
    sampler->start_s = now_s(sampler);
    enum krn_code code = run_all(sampler, error);
    if (code == KRN_CANCELLED) /* the samples before the cancelled run are whole */
        code = KRN_OK;
    sampler->seconds = seconds_so_far(sampler);
    app_progress_clear(sampler->progress);
    krn_telemetry_wait(monitor, app_must_stop() ? 0.05 : 0.5);
    krn_telemetry_read(monitor, telemetry);
    return code;
}

/* --- plans --- */

struct app_times app_plan_times(const struct app_plan *plan, double start_s, double usual_s)
{
    /* Parts of the time for all samples and for first samples; verification has the rest. */
    const double usual_part = 0.65, most_part = 0.75, least_s = 0.005, usual_times = 5.0;
    if (plan->seconds <= 0.0)
        return (struct app_times){usual_s, usual_times * usual_s, HUGE_VAL};
    const double left_s = fmax(plan->seconds - (app_clock_s() - start_s), least_s);
    return (struct app_times){usual_part * left_s, most_part * left_s, start_s + plan->seconds};
}

static void swap(int *order, int i, int j)
{
    const int kept = order[i];
    order[i] = order[j];
    order[j] = kept;
}

uint64_t app_plan_seed(uint64_t seed, bool reversed)
{
    const uint64_t twice = 2 * seed;
    return (twice != 0 ? twice : 2) + (reversed ? 1 : 0);
}

void app_plan_order(uint64_t seed, int *order, int count)
{
    /* The generator of G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators
     * (2014), and the shuffle of R. Durstenfeld, Algorithm 235 (1964). */
    uint64_t state = seed / 2;
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; seed != 0 && i > 0; i--) {
        state += 0x9e3779b97f4a7c15ull;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        swap(order, i, (int)(z % (uint64_t)(i + 1)));
    }
    for (int i = 0; seed % 2 == 1 && i < count / 2; i++)
        swap(order, i, count - 1 - i);
}
