/* app/record/sum_up.h - sums up what the processes of a result measured. */
#ifndef APP_SUM_UP_H
#define APP_SUM_UP_H

#include "krn/across.h"

#include <jansson.h>

/* Sums up a result's `processes` in its other members: metrics, trust, stop. */
void app_record_sum_up(json_t *result);

/* Returns the metric of a result's processes, summed up at `level` and widened by the clock's tick.
 */
struct krn_across app_record_across(const json_t *processes, const char *metric, double level);

/* What the clock's part of a metric follows from; a number is 0 where it is unknown. */
struct app_metric_times {
    double value;      /* of the metric; for a time, in ms */
    double median_ms;  /* the time that a rate follows from */
    double a_ms, b_ms; /* the times that a duel's "ratio" follows from: both tick */
    double tick_ms;
};

/* Returns the fraction of a metric's value by which the clock's tick may change it. 0: the tick is
 * unknown, or another clock counts. */
double app_metric_widen(const char *metric, const struct app_metric_times *times);

#endif
