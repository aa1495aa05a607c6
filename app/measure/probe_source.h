/* app/measure/probe_source.h - what headless runs and live panels have in common as sources of
 * probes (inside app/measure only). */
#ifndef APP_PROBE_SOURCE_H
#define APP_PROBE_SOURCE_H

#include "judge/probe_result.h"
#include "judge/trust.h"
#include "measure/sampler.h"

#include "krn/probe.h"

/* Takes the reading of the run under way; its second number is the clock cycles. *check: what the
 * check of the run saw. *drops: the number of dropped runs before this one (krn_probe_gate_drops);
 * updated. */
enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check, unsigned long *drops);

/* Returns the tick of the clock that a probe's ms are read from; 0: unknown. */
double app_probe_tick_ms(const struct krn_probe *probe, const struct krn_device *device);

/* Returns the reasons to doubt a probe's result. facts: what is known of the device and of the
 * result's samples; the rest follows from the probe. */
unsigned app_probe_judge(const struct app_probes_view *view, const struct app_probe_result *result,
                         struct app_trust_facts facts);

#endif
