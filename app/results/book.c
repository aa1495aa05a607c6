#include "results/book.h"

#include <math.h>

/* Returns the samples that both processes have. */
static size_t common(const struct app_result_process *a, const struct app_result_process *b)
{
    return a->n < b->n ? a->n : b->n;
}

/* Returns the geometric mean of the ratios of one process. */
static double ratio_of(const struct app_result_process *a, const struct app_result_process *b)
{
    const size_t n = common(a, b);
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += log(a->samples_ms[i] / b->samples_ms[i]);
    return n > 0 ? exp(sum / (double)n) : 0.0;
}

/* Returns half the clock's tick as a fraction of the time. */
static double widen_of(const struct app_result_read *result)
{
    return krn_tick_fraction(app_pairs_number(result->metrics, "tick_ms", 0.0),
                             app_pairs_number(result->metrics, "median_ms", 0.0));
}

struct app_estimate app_results_book_ratio(const struct app_result_read *global,
                                           const struct app_result_read *other)
{
    struct app_estimate ratio = {.valid = false};
    double each[KRN_PROCESSES_MAX];
    size_t n = 0;
    if (!global || !other)
        return ratio;
    const struct app_result_process *a = global->processes, *b = other->processes;
    if (global->process_count > 1 || other->process_count > 1) {
        for (size_t i = 0; i < global->process_count; i++)
            if ((b = app_result_process(other, a[i].process)) != NULL)
                each[n++] = ratio_of(&a[i], b);
    } else {
        for (; n < common(a, b) && n < KRN_PROCESSES_MAX; n++)
            each[n] = a->samples_ms[n] / b->samples_ms[n];
    }
    for (size_t i = 0; i < n; i++)
        if (!(each[i] > 0.0) || !isfinite(each[i]))
            return ratio;
    if (n > 0)
        ratio = app_estimate_of_processes(each, n, widen_of(global) + widen_of(other));
    ratio.trust = global->trust.reasons | other->trust.reasons;
    return ratio;
}
