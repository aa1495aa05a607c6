#include "engine/trace.h"

void app_trace_push(struct app_trace *trace, enum krn_backend_id backend,
                    const struct krn_reading *reading, int side)
{
    trace->side[trace->next] = (signed char)side;
    if (trace->count == APP_TRACE_CAPACITY)
        krn_sorted_remove(trace->sorted, (size_t)trace->count--, trace->ms[trace->next]);
    krn_sorted_insert(trace->sorted, (size_t)trace->count++, reading->ms);
    trace->ms[trace->next] = reading->ms;
    trace->mode[trace->next] = reading->mode;
    trace->backend[trace->next] = backend;
    trace->next = (trace->next + 1) % APP_TRACE_CAPACITY;
}

int app_trace_index(const struct app_trace *trace, int i)
{
    return (trace->next + APP_TRACE_CAPACITY - trace->count + i) % APP_TRACE_CAPACITY;
}
