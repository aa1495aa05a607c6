#include "measure/probe_source.h"

#include "topics/topics.h"

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
