/* app/engine/trace.h - the newest kernel times in the order of their frames. */
#ifndef APP_TRACE_H
#define APP_TRACE_H

#include "krn/device.h"
#include "krn/stats.h"

enum { APP_TRACE_CAPACITY = 480 };

/* Zeroed, it is empty. */
struct app_trace {
    double ms[APP_TRACE_CAPACITY];
    double sorted[APP_TRACE_CAPACITY]; /* the same times in ascending order */
    struct krn_mode mode[APP_TRACE_CAPACITY];
    enum krn_backend_id backend[APP_TRACE_CAPACITY];
    signed char side[APP_TRACE_CAPACITY]; /* of a duel: 0 is A, 1 is B; -1: no duel */
    int next, count;
};

/* Adds a reading; the oldest one makes room for it. side: as in struct app_trace. */
void app_trace_push(struct app_trace *trace, enum krn_backend_id backend,
                    const struct krn_reading *reading, int side);

/* Index of sample i; sample 0 is the oldest. */
int app_trace_index(const struct app_trace *trace, int i);

#endif
