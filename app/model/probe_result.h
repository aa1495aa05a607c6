/* app/model/probe_result.h - the results of a device's probes, and the metrics derived from them.
 *
 * One table defines each metric: its unit and its formula. Tables, records, panels and the claims
 * board all use it, so their numbers always agree.
 */
#pragma once

#include "model/model.h"
#include "model/verdict.h"

/* All probes of one device, in its order. */
struct app_probes_view {
    const struct krn_device_info *device;
    struct krn_ceilings ceilings;
    double clock_mhz;                 /* latest clock of the multiprocessors; 0: unknown */
    const struct app_result *results; /* each has a `probe`; without samples: not measured yet */
    int count;
    double level; /* of the intervals of app_metric_of; 0: KRN_INTERVAL_LEVEL */
};

/* Collects the probes of records, which must outlive them: of every topic those of the newest
 * record that has any. Device and clock are those of the first record that has probes. Returns
 * view->results, which the caller frees. */
struct app_result *app_results_probes(const struct app_results *records, size_t count,
                                      struct app_probes_view *view);

/* Returns a metric of probes, i < APP_PROBE_METRICS, in the order of records: the median first. */
enum { APP_PROBE_METRICS = 15 };
enum app_member app_probe_metric(int i);

/* Derives a metric from the times or cycles of a result. Not valid: it is not known, or result is
 * NULL. */
struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_result *result, enum app_member metric);

/* Returns a description for the head of a table: "GB/s", "percent of one multiprocessor's peak". */
const char *app_metric_words(enum app_member metric);

/* Returns how a metric is written: "3.02 TB/s", "62.8 %", each with 3 digits. like: as in struct
 * app_form. */
struct app_form app_metric_form(enum app_member metric, double like);

/* Returns whether a result is of a probe of this topic and, unless it is NULL, this series. */
bool app_result_is_of(const struct app_result *result, enum krn_topic topic, const char *series);

/* Returns the reasons to doubt any result of a topic. */
unsigned app_probes_trust(const struct app_probes_view *view, enum krn_topic topic);

/* Returns the probe with this topic, series and x; for x < 0, the one with the largest measured x,
 * else with the largest x. NULL when there is none. */
const struct app_result *app_probe_result_find(const struct app_probes_view *view,
                                               enum krn_topic topic, const char *series, double x);

/* Collects the measured points of a series, sorted by x. Returns their number, at most `capacity`.
 */
size_t app_probe_result_curve(const struct app_probes_view *view, enum krn_topic topic,
                              const char *series, enum app_member metric, double *x, double *y,
                              size_t capacity);
