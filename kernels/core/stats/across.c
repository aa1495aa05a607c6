/* Student's t and Welch's t over logarithms, one value per process. */
#include "krn/across.h"

#include <math.h>

double krn_student_quantile(double p, double freedom)
{
    const double tail = p < 0.5 ? p : 1.0 - p;
    if (!(tail > 0.0) || !(freedom > 0.0))
        return p < 0.5 ? -INFINITY : INFINITY;
    if (tail == 0.5)
        return 0.0;
    /* A page asks for the same few of them again and again, 8 us each. */
    static _Thread_local struct {
        double p, freedom, t;
    } known[4];
    static _Thread_local size_t next;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].p == p && known[i].freedom == freedom)
            return known[i].t;
    /* P(|T| > t) = I(x; f/2, 1/2) with x = f / (f + t^2), which grows with x. */
    double low = 0.0, high = 1.0;
    for (int step = 0; step < 60; step++) {
        const double middle = 0.5 * (low + high);
        if (krn_beta_cdf(middle, 0.5 * freedom, 0.5) < 2.0 * tail)
            low = middle;
        else
            high = middle;
    }
    const double x = 0.5 * (low + high), t = sqrt(freedom * (1.0 - x) / x);
    next = (next + 1) % (sizeof known / sizeof *known);
    known[next].p = p;
    known[next].freedom = freedom;
    known[next].t = p < 0.5 ? -t : t;
    return known[next].t;
}

double krn_tick_fraction(double tick, double value)
{
    return tick > 0.0 && value > 0.0 ? 0.5 * tick / value : 0.0;
}

/* Mean and variance of the logarithms of n values. */
struct logs {
    bool good; /* all values are positive and finite, and there is one at least */
    double mean, variance;
    double within; /* the largest share of the values that read the same tick */
};

/* Returns the largest share of n values that lie within a tick of each other, of twice `widen`; 1
 * for few values, which cannot tell. */
static double share_within(const double *each, size_t n, double widen)
{
    enum { FEW = 12 };
    const double less_than_tick = 1.5 * widen;
    size_t most = n < FEW ? n : 1;
    for (size_t i = 0; i < n && most < n; i++) {
        size_t near = 0;
        for (size_t j = 0; j < n; j++)
            near += each[j] >= each[i] && each[j] - each[i] <= less_than_tick;
        most = near > most ? near : most;
    }
    return n > 0 ? (double)most / (double)n : 1.0;
}

static struct logs logs_of(const double *values, size_t n, double widen)
{
    struct logs logs = {n > 0 && n <= KRN_PROCESSES_MAX, 0.0, 0.0, 1.0};
    double each[KRN_PROCESSES_MAX];
    for (size_t i = 0; logs.good && i < n; i++) {
        logs.good = values[i] > 0.0 && isfinite(values[i]);
        each[i] = logs.good ? log(values[i]) : 0.0;
        logs.mean += each[i] / (double)n;
    }
    for (size_t i = 0; logs.good && n > 1 && i < n; i++)
        logs.variance += (each[i] - logs.mean) * (each[i] - logs.mean) / (double)(n - 1);
    if (logs.good && widen > 0.0)
        logs.within = share_within(each, n, widen);
    return logs;
}

/* Fills in the interval: t standard errors around the mean, and the clock's part. */
static void set_interval(struct krn_across *across, double mean, double error, double freedom,
                         double level, double widen)
{
    const double half =
        krn_student_quantile(0.5 + 0.5 * level, freedom) * error + log1p(widen > 0.0 ? widen : 0.0);
    const double low = exp(mean - half), high = exp(mean + half);
    across->valid = low > 0.0 && isfinite(high); /* false also where half is not finite */
    if (!across->valid)
        return;
    across->low = low;
    across->high = high;
}

static struct krn_across sum_up(struct logs logs, size_t n, double level, double widen)
{
    struct krn_across across = {.processes = 0};
    if (!logs.good)
        return across;
    across.processes = n;
    across.value = across.low = across.high = exp(logs.mean);
    if (n < 2)
        return across;
    across.deviation = sqrt(logs.variance);
    set_interval(&across, logs.mean, sqrt(logs.variance / (double)n), (double)(n - 1), level,
                 logs.within * widen);
    return across;
}

struct krn_across krn_across(const double *values, size_t n, double level, double widen)
{
    return sum_up(logs_of(values, n, widen), n, level, widen);
}

struct krn_across krn_across_ratio(const double *a, size_t a_count, const double *b, size_t b_count,
                                   double level, double widen)
{
    const struct logs top = logs_of(a, a_count, 0.5 * widen),
                      bottom = logs_of(b, b_count, 0.5 * widen);
    struct krn_across across = {.processes = 0};
    if (!top.good || !bottom.good)
        return across;
    const double mean = top.mean - bottom.mean;
    across.processes = a_count < b_count ? a_count : b_count;
    across.value = across.low = across.high = exp(mean);
    if (across.processes < 2)
        return across;
    const double u = top.variance / (double)a_count, v = bottom.variance / (double)b_count;
    const double squares =
        u * u / (double)(a_count - 1) + v * v / (double)(b_count - 1); /* 0: all values agree */
    const double freedom =
        squares > 0.0 ? (u + v) * (u + v) / squares : (double)(a_count + b_count - 2);
    across.deviation = sqrt(0.5 * (top.variance + bottom.variance));
    set_interval(&across, mean, sqrt(u + v), freedom, level,
                 fmax(top.within, bottom.within) * widen);
    return across;
}
