/* app/measure/probe_run.h - measures one topic's probes without a window and verifies each against
 * the host; and what runs between frames share with it.
 */
#ifndef APP_PROBE_RUN_H
#define APP_PROBE_RUN_H

#include "measure/report.h"
#include "measure/sampler.h"
#include "model/probe_result.h"
#include "model/trust.h"

#include "krn/error.h"
#include "krn/interval.h"
#include "krn/probe.h"
#include "krn/telemetry.h"

/* Seconds of the samples of a topic when the caller sets no limit; of one in pairs three times as
 * many. */
#define APP_PROBE_SECONDS 2.0

/* Measures all probes of a topic and adds their results, and notes on what is missing. They take
 * turns of a few runs, or of one where they are compared in pairs, so that drift affects all of
 * them alike. The first run of a turn finds another probe's caches and is dropped, and so are a
 * probe's first samples once its newest ones have settled. A probe ends when the interval of its
 * median is narrower than APP_MEASURE_WIDTH, or with 300 samples; all end when the plan's time is
 * up. Before any probe has more, every probe has APP_FIRST_SAMPLES. 0 < plan->frames < 300: takes
 * exactly that many samples instead, unless the time is up. Then each probe runs once more, and its
 * whole result is compared with the host's. Errors: those of krn_probes_open and krn_probe_start;
 * then nothing is added. */
enum krn_code app_probe_run_topic(struct krn_device *device, struct krn_telemetry *telemetry,
                                  enum krn_topic topic, const struct app_plan *plan,
                                  struct app_results *results, struct krn_error *error);

/* Begins the result of a probe, which points into *sum, both zeroed. */
void app_probe_begin(struct app_result *result, struct app_probe_sum *sum,
                     const struct krn_probe *probe, const struct krn_device *device);

/* Returns the verdict on a run: FALSE when a value is wrong or the largest error is not zero, which
 * includes NaN; UNKNOWN when nothing was compared. */
enum app_verified app_check_verdict(const struct krn_check *check);

/* Writes the result of a check in words. */
void app_check_text(const struct krn_check *check, char *text, size_t size);

/* Takes the reading of the run under way; its second number is the clock cycles. *check: what the
 * check of the run saw. *drops: the number of dropped runs before this one (krn_probe_gate_drops);
 * updated. */
enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check, unsigned long *drops);

/* Returns the reasons to doubt a probe's result. facts: what is known of the device and of the
 * result's samples; the rest follows from the probe. */
unsigned app_probe_judge(const struct app_probes_view *view, const struct app_result *result,
                         struct app_trust_facts facts);

#endif
