/* Statistics of vectors whose results were computed by hand. */
#include "pictures.h"

static void check(const double *samples, size_t n, double min, double p5, double median, double p95,
                  double max)
{
    const struct krn_summary s = krn_summarise(samples, n);
    assert_int_equal(s.n, n);
    assert_true(fabs(s.min - min) < 1e-12);
    assert_true(fabs(s.p5 - p5) < 1e-12);
    assert_true(fabs(s.median - median) < 1e-12);
    assert_true(fabs(s.p95 - p95) < 1e-12);
    assert_true(fabs(s.max - max) < 1e-12);
}

TEST(known_vectors)
{
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7}, equal[] = {5, 5, 5, 5};
    check(odd, 3, 1, 1.1, 2, 2.9, 3);
    /* The median of an even count is the mean of elements n/2-1 and n/2. */
    check(even, 4, 1, 1.15, 2.5, 3.85, 4);
    check(one, 1, 7, 7, 7, 7, 7);
    check(equal, 4, 5, 5, 5, 5, 5);
    double outlier[101];
    for (int i = 0; i <= 100; i++)
        outlier[i] = 100 - i;
    check(outlier, 101, 0, 5, 50, 95, 100);
    outlier[0] = 1e9;
    check(outlier, 101, 0, 5, 50, 95, 1e9);
    assert_int_equal(krn_summarise(NULL, 0).n, 0);
}

TEST(ring_keeps_the_newest)
{
    struct krn_series series = {.count = 0};
    assert_int_equal(krn_series_summary(&series).n, 0);
    for (int i = 0; i < 3 * KRN_SERIES_CAPACITY + 5; i++)
        assert_true(krn_series_push(&series, i));
    assert_int_equal(series.count, KRN_SERIES_CAPACITY);
    assert_int_equal(series.total, 3 * KRN_SERIES_CAPACITY + 5);
    assert_true(krn_series_at(&series, 0) == 2 * KRN_SERIES_CAPACITY + 5);
    assert_true(krn_series_at(&series, KRN_SERIES_CAPACITY - 1) == 3 * KRN_SERIES_CAPACITY + 4);
    assert_true(krn_series_summary(&series).min == 2 * KRN_SERIES_CAPACITY + 5);
    krn_series_clear(&series);
    assert_int_equal(series.count, 0);
}

TEST(nothing_but_numbers)
{
    struct krn_series series = {.count = 0};
    assert_false(krn_series_push(&series, NAN));
    assert_false(krn_series_push(&series, INFINITY));
    assert_false(krn_series_push(&series, -1.0));
    assert_int_equal(series.count, 0);
    assert_true(krn_series_push(&series, 0.0));
    assert_int_equal(series.count, 1);
}
