#include "measure/panel_probes.h"

#include "measure/panels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs of every probe in a round that was asked for, and of those that take more than a slice. */
enum { ASKED_RUNS = 10, ASKED_LONG_RUNS = 3 };

void app_panel_probes_close(struct app_panel_probes *side)
{
    krn_probes_close(side->probes);
    free(side->probed);
    free(side->slots);
    memset(side, 0, sizeof *side);
}

/* The memory that live panels take: the measurements must not crowd out the picture's. */
static size_t bytes_for(const struct krn_device_info *info)
{
    const size_t part = info->can.host_processors ? 16 : 8;
    const size_t least = (size_t)64 << 20;
    return info->memory_bytes / part > least ? info->memory_bytes / part : least;
}

static bool seems_long(const struct app_panel_slot *slot, const struct krn_probe *probe)
{
    const bool guess = probe->expected_ms > APP_SLICE_MS;
    const size_t n = slot->taken_runs < APP_PANEL_LAST ? slot->taken_runs : APP_PANEL_LAST;
    double sorted[APP_PANEL_LAST];
    if (n == 0)
        return guess;
    memcpy(sorted, slot->last_ms, n * sizeof *sorted);
    krn_sort(sorted, n);
    return sorted[(n - 1) / 2] > APP_SLICE_MS && (n > 1 || guess);
}

void app_panel_probes_open(struct app_panel_probes *side, struct krn_device *device)
{
    struct krn_error error;
    side->tried = true;
    side->why[0] = 0;
    side->device = *krn_device_describe(device);
    if (krn_probes_open(device, KRN_TOPICS_ALL, bytes_for(&side->device), &side->probes, &error) !=
        KRN_OK) {
        snprintf(side->why, sizeof side->why, "No panels: %s", error.text);
        side->probes = NULL;
        return;
    }
    const size_t n = (size_t)krn_probes_count(side->probes);
    side->probed = calloc(n > 0 ? n : 1, sizeof *side->probed);
    side->slots = calloc(n > 0 ? n : 1, sizeof *side->slots);
    if (side->probed == NULL || side->slots == NULL) {
        app_panel_probes_close(side);
        side->tried = true;
        snprintf(side->why, sizeof side->why, "No panels: no memory for their samples.");
        return;
    }
    side->count = (int)n;
    for (int i = 0; i < side->count; i++) {
        side->probed[i].probe = krn_probes_at(side->probes, i);
        side->slots[i].is_long = seems_long(&side->slots[i], side->probed[i].probe);
    }
}

double app_panel_slice_ms(const struct app_panel_probes *side, int index)
{
    const double took = side->slots[index].slice_ms;
    return took > 0.0 ? took : side->probed[index].probe->expected_ms;
}

bool app_panel_is_long(const struct app_panel_probes *side, int index)
{
    return side->slots[index].is_long;
}

unsigned app_panel_asked_runs(const struct app_panel_probes *side, int index)
{
    return app_panel_is_long(side, index) ? ASKED_LONG_RUNS : ASKED_RUNS;
}

int app_panel_next(struct app_panel_probes *side, int topic, bool again)
{
    for (int i = 0; i < side->count; i++) {
        const int at = (side->next[topic] + i) % side->count;
        if ((int)side->probed[at].probe->topic != topic)
            continue;
        if (side->slots[at].refused)
            continue;
        if (again ? side->slots[at].runs > app_panel_asked_runs(side, at)
                  : app_panel_is_long(side, at))
            continue;
        side->next[topic] = (at + 1) % side->count;
        return at;
    }
    return -1;
}

static void forget(struct app_panel_slot *slot, struct app_probe_result *probed)
{
    krn_series_clear(&slot->ms);
    krn_series_clear(&slot->cycles);
    slot->runs = 0;
    slot->refused = false;
    probed->n = 0;
    probed->verified = APP_VERIFIED_UNKNOWN;
    memset(&probed->check, 0, sizeof probed->check);
}

int app_panel_forget(struct app_panel_probes *side)
{
    int runs = 0;
    memset(side->refused, 0, sizeof side->refused);
    for (int i = 0; i < side->count; i++) {
        forget(&side->slots[i], &side->probed[i]);
        runs += (int)app_panel_asked_runs(side, i) + 1;
    }
    return runs;
}

bool app_panel_round_done(const struct app_panel_probes *side)
{
    for (int i = 0; i < side->count; i++)
        if (!side->slots[i].refused && side->slots[i].runs <= app_panel_asked_runs(side, i))
            return false;
    return true;
}

void app_panel_started(struct app_panel_probes *side, int index)
{
    side->slots[index].runs++;
}

void app_panel_refuse(struct app_panel_probes *side, int index, const char *why)
{
    char *reason = side->refused[side->probed[index].probe->topic];
    side->slots[index].refused = true;
    if (reason[0] == 0)
        snprintf(reason, sizeof side->refused[0], "%s", why);
}

bool app_panel_all_refused(const struct app_panel_probes *side)
{
    for (int i = 0; i < side->count; i++)
        if (!side->slots[i].refused && (side->probed[i].n > 0 || !app_panel_is_long(side, i)))
            return false;
    return side->count > 0;
}

const char *app_panel_refusal(const struct app_panel_probes *side, int topic)
{
    if (side->refused[topic][0] != 0)
        return side->refused[topic];
    return side->probes != NULL ? krn_probes_why(side->probes, (enum krn_topic)topic) : NULL;
}

void app_panel_add_reading(struct app_panel_probes *side, const struct krn_probe_reading *reading,
                           bool hold, double now_s)
{
    struct app_panel_slot *slot = &side->slots[reading->probe];
    struct app_probe_result *probed = &side->probed[reading->probe];
    const bool first = slot->runs <= 1;
    slot->slice_ms = reading->slice_ms;
    slot->last_ms[slot->taken_runs++ % APP_PANEL_LAST] = reading->slice_ms;
    slot->is_long = seems_long(slot, probed->probe);
    if (hold)
        return;
    if (probed->verified != APP_VERIFIED_FALSE) {
        probed->check = reading->check;
        const enum app_verified verdict = app_check_verdict(&reading->check);
        if (verdict != APP_VERIFIED_UNKNOWN)
            probed->verified = verdict;
    }
    if (first || !krn_series_push(&slot->ms, reading->ms))
        return;
    slot->taken_s = now_s;
    probed->ms = krn_series_summary(&slot->ms);
    probed->ms_interval = krn_series_interval(&slot->ms);
    probed->n = probed->ms.n;
    if (!probed->probe->has_cycles || !krn_series_push(&slot->cycles, reading->cycles))
        return;
    probed->cycles = krn_series_summary(&slot->cycles);
    probed->cycles_interval = krn_series_interval(&slot->cycles);
}
