/* app/record/sum_up.h - sums up what the processes of a result measured. */
#ifndef APP_SUM_UP_H
#define APP_SUM_UP_H

#include "krn/across.h"

#include <jansson.h>
#include <stdbool.h>

/* Sums up a result's `processes` in its other members: metrics, trust, stop. Returns false when
 * memory is full. */
bool app_record_sum_up(json_t *result);

/* Returns the metric of a result's processes, summed up at `level` and widened by the clock's tick.
 */
struct krn_across app_record_across(const json_t *processes, const char *metric, double level);

/* Returns the fraction of a metric's value by which the clock's tick may change it. median_ms: the
 * time that a rate follows from. 0: the tick is unknown, or another clock counts. */
double app_metric_widen(const char *metric, double value, double median_ms, double tick_ms);

#endif
