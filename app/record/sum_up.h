/* app/record/sum_up.h - sums up what the processes of a result measured. */
#ifndef APP_SUM_UP_H
#define APP_SUM_UP_H

#include <jansson.h>
#include <stdbool.h>

/* Sums up a result's `processes` in its other members: metrics, trust, stop. Returns false when
 * memory is full. */
bool app_record_sum_up(json_t *result);

/* Returns the fraction of a metric's value by which the clock's tick may change it. median_ms: the
 * time that a rate follows from. 0: the tick is unknown, or another clock counts. */
double app_metric_widen(const char *metric, double value, double median_ms, double tick_ms);

#endif
