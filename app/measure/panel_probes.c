/* app/measure/panel_probes.c - chooses a topic's next probe, and judges every reading. */
#include "measure/panel_probes.h"

#include "base/process.h"
#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

/* The samples of a probe in a round, which the board's interval needs, but for pairs; and the most
 * runs, some of which may give no reading. */
enum { ASKED_RUNS = APP_BOARD_SAMPLES, MOST_RUNS = 2 * (APP_WHERE_PAIRS + 1) };

void app_panel_probes_close(struct app_panel_probes *side)
{
    krn_probes_close(side->probes);
    free(side->results);
    free(side->slots);
    free(side->sampler.items);
    memset(side, 0, sizeof *side);
}

/* Returns the bytes that live panels may take: they must not crowd out the picture's. */
static size_t bytes_for(const struct krn_device_info *info)
{
    const size_t part = info->can.host_processors ? 16 : 8;
    const size_t least = (size_t)64 << 20;
    return info->memory_bytes / part > least ? info->memory_bytes / part : least;
}

static bool seems_long(const struct app_panel_slot *slot, const struct krn_probe *probe)
{
    const bool guess = probe->expected_ms > APP_SLICE_MS;
    const size_t n = slot->runs < APP_PANEL_LAST ? slot->runs : APP_PANEL_LAST;
    double sorted[APP_PANEL_LAST];
    if (n == 0)
        return guess;
    memcpy(sorted, slot->last_ms, n * sizeof *sorted);
    krn_sort(sorted, n);
    return sorted[(n - 1) / 2] > APP_SLICE_MS && (n > 1 || guess);
}

/* --- the probes as a source --- */

static enum krn_code start(void *self, int item, struct krn_error *error)
{
    struct app_panel_probes *side = self;
    const enum krn_code code = krn_probe_start(side->probes, item, error);
    if (code == KRN_OK || code == KRN_LOST)
        return code;
    /* The other probes continue, whatever the reason. */
    char *reason = side->refused[side->results[item].probe->topic];
    if (reason[0] == 0)
        snprintf(reason, sizeof side->refused[0], "%s", error->text);
    return KRN_REFUSED;
}

/* Measures a probe's overhead after its first run, when its kernel is loaded; its time is part of
 * the run's slice. An overhead that cannot be measured stays unknown. */
static void measure_overhead(struct app_panel_probes *side, int item, struct app_reading *reading)
{
    struct app_panel_slot *slot = &side->slots[item];
    struct krn_error unread;
    if (slot->overhead_tried || side->hold)
        return;
    const double start_ms = app_clock_ms();
    (void)krn_probe_overhead(side->probes, item, &slot->sum.overhead, &unread);
    slot->overhead_tried = true;
    reading->slice_ms += app_clock_ms() - start_ms;
}

static enum app_poll poll(void *self, int item, struct app_reading *reading)
{
    struct app_panel_probes *side = self;
    const enum app_poll outcome =
        app_probe_source_poll(side->probes, reading, &side->check, &side->drops);
    if (outcome == APP_POLL_TAKEN)
        measure_overhead(side, item, reading);
    return outcome;
}

/* Takes the verdict of a run's check; a wrong result stays wrong. */
static void take_check(struct app_result *result, struct app_probe_sum *sum,
                       const struct krn_check *check)
{
    if (result->verified == APP_VERIFIED_FALSE)
        return;
    sum->check = *check;
    const enum app_verified verdict = app_check_verdict(check);
    if (verdict != APP_VERIFIED_UNKNOWN)
        result->verified = verdict;
    if (verdict != APP_VERIFIED_TRUE)
        app_check_text(check, sum->verified_text, sizeof sum->verified_text);
}

/* Adds a reading to a probe's samples. */
static void add_sample(struct app_panel_slot *slot, bool cycles, const struct app_reading *reading)
{
    if (!krn_series_push(&slot->ms, reading->ms))
        return;
    (void)app_report_samples(&slot->ms, slot->samples_ms);
    if (cycles)
        (void)krn_series_push(&slot->cycles, reading->second);
}

/* Sums up a probe's newest samples, and finds the reasons to doubt them. */
static void sum_up(struct app_panel_probes *side, int item)
{
    const struct app_probes_view view = {.device = &side->device,
                                         .ceilings = krn_ceilings_of(&side->device)};
    const struct app_item *of = &side->sampler.items[item];
    struct app_panel_slot *slot = &side->slots[item];
    struct app_result *result = &side->results[item];
    const struct krn_summary summaries[] = {krn_series_summary(&slot->ms),
                                            krn_series_summary(&slot->cycles)};
    const struct krn_interval intervals[] = {krn_series_interval(&slot->ms),
                                             krn_series_interval(&slot->cycles)};
    struct app_trust_facts facts = side->evidence;
    slot->sum.process.samples_ms = slot->samples_ms;
    result->board_ms = krn_interval_order(slot->ms.sorted, slot->ms.count, APP_BOARD_LEVEL);
    result->board_cycles =
        krn_interval_order(slot->cycles.sorted, slot->cycles.count, APP_BOARD_LEVEL);
    result->regime = app_regime_name(app_regime_of(of->busy, of->readings));
    app_probe_sum_up(result, &slot->sum, summaries, intervals, of->late);
    app_trust_series(&facts, &slot->ms);
    app_trust_dropped(&facts, of->late, slot->ms.total);
    result->trust.reasons = app_probe_judge(&view, result, facts);
}

static void take(void *self, int item, const struct app_reading *reading, bool counts)
{
    struct app_panel_probes *side = self;
    struct app_panel_slot *slot = &side->slots[item];
    struct app_result *result = &side->results[item];
    slot->slice_ms = reading->slice_ms;
    slot->last_ms[slot->runs++ % APP_PANEL_LAST] = reading->slice_ms;
    slot->is_long = seems_long(slot, result->probe);
    if (side->hold)
        return;
    take_check(result, &slot->sum, &side->check);
    if (counts)
        add_sample(slot, result->probe->has_cycles, reading);
    sum_up(side, item);
}

static const struct app_source panel_source = {.start = start, .poll = poll, .take = take};

/* --- opening and choosing --- */

void app_panel_probes_open(struct app_panel_probes *side, struct krn_device *device, bool all)
{
    struct krn_error error;
    side->tried = true;
    side->why[0] = 0;
    side->device = *krn_device_describe(device);
    /* One row of one page would hide the recorded run's. */
    const unsigned topics = side->device.backend == KRN_BACKEND_GL ? 0 : KRN_TOPICS_ALL;
    if (krn_probes_open(device, topics, bytes_for(&side->device), &side->probes, &error) !=
        KRN_OK) {
        snprintf(side->why, sizeof side->why, "No panels: %s", error.text);
        side->probes = NULL;
        return;
    }
    side->all = all;
    if (all)
        app_probes_add_gl(side->probes, device);
    const size_t n = (size_t)krn_probes_count(side->probes);
    side->results = krn_alloc(n, sizeof *side->results);
    side->slots = krn_alloc(n, sizeof *side->slots);
    struct app_item *items = krn_alloc(n, sizeof *items);
    side->sampler = (struct app_sampler){.source = &panel_source,
                                         .self = side,
                                         .items = items,
                                         .count = (int)n,
                                         .turns = {.warm_up = 1}};
    side->count = (int)n;
    for (int i = 0; i < side->count; i++) {
        app_probe_begin(&side->results[i], &side->slots[i].sum, side->probes, i);
        side->slots[i].is_long = seems_long(&side->slots[i], side->results[i].probe);
    }
}

double app_panel_slice_ms(const struct app_panel_probes *side, int index)
{
    const double took = side->slots[index].slice_ms;
    return took > 0.0 ? took : side->results[index].probe->expected_ms;
}

static bool is_refused(const struct app_panel_probes *side, int index)
{
    return side->sampler.items[index].refused[0] != 0;
}

/* Returns true when the board judges a claim by the topic's probes. Other measurements judge what
 * it says about constant memory. */
static bool is_judged(int topic)
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        if ((int)app_claim_entry_of((enum app_claim_id)i)->topic == topic)
            return topic != KRN_TOPIC_CONSTANT;
    return false;
}

/* Returns how many runs of a round a probe lacks. A topic that the board does not judge needs no
 * more samples of a probe whose interval is narrow. */
static int lacks(const struct app_panel_probes *side, int index)
{
    const struct krn_series *ms = &side->slots[index].ms;
    const enum krn_topic topic = side->results[index].probe->topic;
    const int runs = (int)side->sampler.items[index].runs,
              asked = app_topics[topic]->pairs ? APP_WHERE_PAIRS : ASKED_RUNS,
              left = asked - (int)ms->count;
    if (is_refused(side, index) || left <= 0 || runs >= MOST_RUNS)
        return 0;
    const struct krn_interval i = krn_series_interval(ms);
    const bool narrow = i.valid && i.high - i.low < APP_MEASURE_WIDTH * i.low;
    return narrow && !is_judged((int)topic) ? 0 : left + (runs == 0);
}

int app_panel_round(const struct app_panel_probes *side, int *runs)
{
    const double least_ms = 1e-3; /* of a run */
    double left_ms[KRN_TOPIC_COUNT] = {0.0};
    int next = -1;
    *runs = 0;
    for (int i = 0; i < side->count; i++) {
        const int left = lacks(side, i);
        left_ms[side->results[i].probe->topic] += left * (least_ms + app_panel_slice_ms(side, i));
        *runs += left;
    }
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
        if (left_ms[topic] > 0.0 &&
            (next < 0 || is_judged(topic) > is_judged(next) ||
             (is_judged(topic) == is_judged(next) && left_ms[topic] < left_ms[next])))
            next = topic;
    return next;
}

int app_panel_next(struct app_panel_probes *side, int topic, bool again)
{
    const bool pairs = app_topics[topic]->pairs;
    int found = -1, quick = -1; /* quick: of pairs that lack runs, the one with the least x */
    for (int i = 0; i < side->count && (found < 0 || pairs); i++) {
        const int at = (side->next[topic] + i) % side->count;
        if ((int)side->results[at].probe->topic != topic)
            continue;
        const bool lacking = lacks(side, at) > 0;
        if (again ? !lacking : is_refused(side, at) || side->slots[at].is_long)
            continue;
        if (found < 0)
            found = at;
        if (pairs && lacking &&
            (quick < 0 || side->results[at].probe->x < side->results[quick].probe->x))
            quick = at;
    }
    if (quick >= 0)
        found = quick;
    if (found >= 0)
        side->next[topic] = (found + 1) % side->count;
    return found;
}

void app_panel_forget(struct app_panel_probes *side)
{
    memset(side->refused, 0, sizeof side->refused);
    for (int i = 0; i < side->count; i++) {
        struct app_panel_slot *slot = &side->slots[i];
        krn_series_clear(&slot->ms);
        krn_series_clear(&slot->cycles);
        side->sampler.items[i].refused[0] = 0;
        app_sampler_begin_turn(&side->sampler, i);
        slot->sum.process.n = 0;
        memset(&slot->sum.check, 0, sizeof slot->sum.check);
        side->results[i].trust.reasons = 0;
        side->results[i].verified = APP_VERIFIED_UNKNOWN;
    }
}

bool app_panel_all_refused(const struct app_panel_probes *side)
{
    for (int i = 0; i < side->count; i++)
        if (!is_refused(side, i) && (side->slots[i].ms.count > 0 || !side->slots[i].is_long))
            return false;
    return side->count > 0;
}

const char *app_panel_refusal(const struct app_panel_probes *side, int topic)
{
    if (side->refused[topic][0] != 0)
        return side->refused[topic];
    return side->probes != NULL ? krn_probes_why(side->probes, (enum krn_topic)topic) : NULL;
}
