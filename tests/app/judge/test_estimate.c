/* Ratios of estimates: which processes make a pair. */
#include "expect.h"

#include "judge/estimate.h"

#include <math.h>

static struct app_estimate numbered(const double *each, const int *numbers, size_t n)
{
    struct app_estimate estimate = app_estimate_of_processes(each, n, 0.0);
    for (size_t i = 0; i < n; i++)
        estimate.number[i] = numbers[i];
    return estimate;
}

/* Processes drift by factors of two; each measured a side that takes three times as long. */
TEST(the_same_processes_make_pairs)
{
    const struct app_estimate a = numbered((double[]){3.0, 6.0, 24.0}, (int[]){1, 2, 4}, 3),
                              b = numbered((double[]){1.0, 4.0, 8.0}, (int[]){1, 3, 4}, 3),
                              all =
                                  numbered((double[]){1.0, 2.0, 4.0, 8.0}, (int[]){1, 2, 3, 4}, 4);
    const struct app_estimate two = app_estimate_ratio(a, b), three = app_estimate_ratio(a, all);
    assert_true(two.processes == 2 && two.number[0] == 1 && two.number[1] == 4);
    assert_true(three.processes == 3 && three.number[2] == 4);
    for (size_t i = 0; i < 2; i++) {
        const struct app_estimate r = i == 0 ? two : three;
        assert_true(r.has_interval && fabs(r.low - 3.0) < 1e-12 && fabs(r.high - 3.0) < 1e-12);
        assert_true(app_estimate_verdict_interval(r).valid);
    }
}

/* Groups that share one process or none leave the ratio without an interval. */
TEST(strangers_make_no_interval)
{
    const struct app_estimate a = numbered((double[]){3.0, 3.1}, (int[]){1, 2}, 2);
    for (int first = 2; first <= 3; first++) {
        const struct app_estimate b = numbered((double[]){1.0, 1.1}, (int[]){first, first + 1}, 2);
        const struct app_estimate ratio = app_estimate_ratio(a, b);
        assert_true(ratio.valid && !ratio.has_interval);
        assert_true(fabs(ratio.value - a.value / b.value) < 1e-12);
        assert_false(app_estimate_verdict_interval(ratio).valid);
    }
}
