/* app/measure/probe_source.h - what headless runs and live panels have in common as sources of
 * probes (inside app/measure only). */
#ifndef APP_PROBE_SOURCE_H
#define APP_PROBE_SOURCE_H

#include "measure/sampler.h"

#include "krn/probe.h"

/* Takes the reading of the run under way; its second number is the clock cycles. *check: what the
 * check of the run saw. *drops: the number of dropped runs before this one (krn_probe_gate_drops);
 * updated. */
enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check, unsigned long *drops);

#endif
