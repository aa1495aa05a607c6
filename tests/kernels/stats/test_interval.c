/* Intervals of the median, compared with tabulated ranks and by their coverage; the rule for
 * settled samples; the stop rule. */
#include "expect.h"
#include "noise.h"
#include "timing.h"

#include <stdio.h>
#include <time.h>

#include "krn/stats.h"

/* The pairs of times that the page of --html judges in a browser, too (program/pages_measure.py):
 * word, clock's step, interval and ratio of their logarithms, and the pairs. */
TEST(pairs_of_the_page)
{
    const struct {
        const char *word;
        enum krn_ratio_verdict verdict;
    } words[] = {{"faster", KRN_RATIO_FASTER},
                 {"slower", KRN_RATIO_SLOWER},
                 {"same", KRN_RATIO_SAME},
                 {"open", KRN_RATIO_CANNOT_TELL}};
    enum { MOST = 64 };
    FILE *file = fopen(TEST_SOURCE_DIR "/tests/program/measured_pairs.txt", "r");
    assert_non_null(file);
    size_t lines = 0;
    char word[8];
    double tick, low, ratio, high;
    for (; fscanf(file, "%7s %lf %lf %lf %lf", word, &tick, &low, &ratio, &high) == 5; lines++) {
        double a[MOST], b[MOST], logs[MOST];
        size_t n = 0;
        while (n < MOST && fscanf(file, "%lf %lf", &a[n], &b[n]) == 2) {
            logs[n] = log(a[n] / b[n]);
            n++;
        }
        krn_sort(a, n);
        krn_sort(b, n);
        krn_sort(logs, n);
        const double step =
            0.5 * tick *
            (1.0 / krn_quantile_sorted(a, n, 0.5) + 1.0 / krn_quantile_sorted(b, n, 0.5));
        const struct krn_interval of_logs = krn_interval_order(logs, n, 1.0 - 0.01 / 28.0),
                                  interval = {of_logs.valid, exp(of_logs.low - step),
                                              exp(of_logs.high + step)};
        assert_true(interval.valid && fabs(interval.low - low) < 1e-8 &&
                    fabs(interval.high - high) < 1e-8);
        assert_true(fabs(exp(krn_quantile_sorted(logs, n, 0.5)) - ratio) < 1e-8);
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            assert_int_equal(strcmp(word, words[w].word) == 0,
                             krn_ratio_judge(interval, 1.01) == words[w].verdict);
    }
    assert_true(feof(file) && lines == sizeof words / sizeof *words);
    fclose(file);
}

/* Ranks of the 95 % and 99 % sign-test intervals, computed independently from
 * P(Binomial(n, 1/2) < r). */
TEST(ranks_of_the_sign_test)
{
    static const struct {
        size_t n, r95, r99;
    } known[] = {
        {1, 0, 0},     {5, 0, 0},       {6, 1, 0},       {7, 1, 0},  {8, 1, 1},
        {9, 2, 1},     {10, 2, 1},      {20, 6, 4},      {25, 8, 6}, {50, 18, 16},
        {100, 40, 37}, {240, 105, 100}, {500, 228, 221},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(krn_interval_rank(known[i].n, 0.95), known[i].r95);
        assert_int_equal(krn_interval_rank(known[i].n, 0.99), known[i].r99);
    }
    /* For large n, the normal approximation gives the rank. */
    const double rank = (double)krn_interval_rank(1000000, 0.95);
    assert_true(fabs(rank - (500000.5 - 1.959964 * 500.0)) < 1.5);
    assert_int_equal(krn_interval_rank(100, 1.0), 0);
    assert_int_equal(krn_interval_rank(100, 0.0), 0);
}

/* Two stamps of a ticking clock at a random phase: without the tick the interval of nearly constant
 * times misses the truth almost always. */
TEST(the_tick_is_covered)
{
    enum { RUNS = 2000, SAMPLES = 60 };
    const double tick = 0.032, jitters[3] = {0.0, 0.005, 0.02};
    for (int j = 0; j < 3; j++) {
        struct test_noise noise = test_noise_seed(70 + (uint64_t)j);
        int bare = 0, wide = 0;
        for (int run = 0; run < RUNS; run++) {
            double us[SAMPLES];
            const double truth = 2.0 + test_uniform(&noise);
            for (int i = 0; i < SAMPLES; i++) {
                const double start = 100.0 * test_uniform(&noise),
                             stop = start + truth + jitters[j] * test_normal(&noise);
                us[i] = tick * (floor(stop / tick) - floor(start / tick));
            }
            const struct krn_interval i = krn_interval_of(us, SAMPLES),
                                      w = krn_interval_widen(i, tick);
            assert_true(w.high - w.low >= tick * (1.0 - 1e-9));
            bare += i.low <= truth && truth <= i.high;
            wide += w.low <= truth && truth <= w.high;
        }
        print_message("tick 32 ns, jitter %.0f ns: coverage %.1f %%, with the tick %.1f %%\n",
                      1e3 * jitters[j], 100.0 * bare / RUNS, 100.0 * wide / RUNS);
        assert_true(wide >= 0.95 * RUNS);
    }
    assert_false(krn_interval_widen((struct krn_interval){false, 0.0, 0.0}, 1.0).valid);
}

TEST(known_vectors)
{
    double sorted[100], equal[50];
    for (int i = 0; i < 100; i++)
        sorted[i] = i + 1;
    for (int i = 0; i < 50; i++)
        equal[i] = 3.5;
    struct krn_interval interval = krn_interval_order(sorted, 100, 0.95);
    assert_true(interval.valid && interval.low == 40.0 && interval.high == 61.0);
    interval = krn_interval_order(sorted, 6, 0.95);
    assert_true(interval.valid && interval.low == 1.0 && interval.high == 6.0);
    assert_false(krn_interval_order(sorted, 5, 0.95).valid);
    /* A board of 16 claims at 99 %. */
    assert_true(krn_interval_rank(11, 1.0 - 0.01 / 16) == 0);
    assert_true(krn_interval_rank(12, 1.0 - 0.01 / 16) == 1);
    assert_false(krn_interval_order(sorted, 0, 0.95).valid);
    assert_false(krn_interval_bootstrap(sorted, 5, 0.95).valid);
    assert_false(krn_interval_of(NULL, 0).valid);

    interval = krn_interval_bootstrap(equal, 50, 0.95);
    assert_true(interval.valid && interval.low == 3.5 && interval.high == 3.5);
    interval = krn_interval_bootstrap(sorted, 100, 0.95);
    assert_true(interval.low > 40.0 && interval.low < 42.0);
    assert_true(fabs(interval.low + interval.high - 101.0) < 1e-9);
    /* A single outlier changes nothing. */
    sorted[99] = 1e9;
    const struct krn_interval again = krn_interval_bootstrap(sorted, 100, 0.95);
    assert_true(again.low == interval.low && again.high == interval.high);
    const double mixed[] = {4, 2, 6, 1, 3, 5};
    const struct krn_interval of = krn_interval_of(mixed, 6),
                              sixth = krn_interval_bootstrap(sorted, 6, 0.95);
    assert_true(of.valid && of.low == sixth.low && of.high == sixth.high);
}

TEST(beta_against_sums)
{
    /* I(p; k, n - k + 1) = P(Binomial(n, p) >= k). */
    for (int n = 1; n <= 40; n++)
        for (int k = 1; k <= n; k++)
            for (double p = 0.05; p < 1.0; p += 0.09) {
                double sum = 0.0;
                for (int i = k; i <= n; i++)
                    sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) - lgamma(n - i + 1.0) +
                               i * log(p) + (n - i) * log1p(-p));
                assert_true(fabs(krn_beta_cdf(p, k, n - k + 1.0) - sum) < 1e-11);
            }
    assert_true(krn_beta_cdf(0.0, 2, 3) == 0.0 && krn_beta_cdf(1.0, 2, 3) == 1.0);
    assert_true(fabs(krn_beta_cdf(0.5, 5000.5, 5000.5) - 0.5) < 1e-9);
}

/* Distributions that resemble the times of GPUs and CPUs. */
static double lognormal(struct test_noise *noise)
{
    return exp(0.5 * test_normal(noise));
}

static double tail(struct test_noise *noise)
{
    return 1.0 + test_exponential(noise) - log(2.0);
}

static double outliers(struct test_noise *noise)
{
    const double base = exp(0.01 * test_normal(noise));
    return test_uniform(noise) < 0.045 ? base + 5.0 : base;
}

/* Returns the share of runs whose interval contains the median. */
static double coverage(double (*draw)(struct test_noise *), size_t n, double median, bool headless,
                       uint64_t seed)
{
    enum { RUNS = 2000, MOST = 500 };
    struct test_noise noise = test_noise_seed(seed);
    double samples[MOST];
    int held = 0;
    for (int run = 0; run < RUNS; run++) {
        for (size_t i = 0; i < n; i++)
            samples[i] = draw(&noise);
        krn_sort(samples, n);
        const struct krn_interval interval = headless ? krn_interval_bootstrap(samples, n, 0.95)
                                                      : krn_interval_order(samples, n, 0.95);
        assert_true(interval.valid && interval.low <= interval.high);
        held += interval.low <= median && median <= interval.high;
    }
    return (double)held / RUNS;
}

/* Returns the median of the third distribution. Its base has median 1, and 4.5 % of the samples are
 * far above, so its median is the base's quantile 0.5 / 0.955. */
static double outliers_median(void)
{
    /* Phi^-1(0.5 / 0.955) by its Taylor series at 1/2, up to the cubic term. */
    const double z = (0.5 / 0.955 - 0.5) * sqrt(2.0 * 3.14159265358979323846);
    return exp(0.01 * (z + z * z * z / 6.0));
}

TEST(intervals_hold_the_truth)
{
    const struct {
        const char *name;
        double (*draw)(struct test_noise *);
        double median;
    } kinds[] = {
        {"lognormal", lognormal, 1.0},
        {"exponential", tail, 1.0},
        {"outliers", outliers, outliers_median()},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t n = 50; n <= 500; n *= 10)
            for (uint64_t seed = 1; seed <= 3; seed++) {
                const double boot = coverage(kinds[k].draw, n, kinds[k].median, true, seed),
                             order = coverage(kinds[k].draw, n, kinds[k].median, false, seed);
                print_message("%-11s n = %3zu: bootstrap %.2f %%, order statistics %.2f %%\n",
                              kinds[k].name, n, 100.0 * boot, 100.0 * order);
                assert_true(boot >= 0.93 && boot <= 0.97);
                /* The interval of whole ranks guarantees a minimum coverage. */
                assert_true(order >= 0.93 && order <= 0.985);
            }
}

TEST(settled_after_warm_up)
{
    double samples[240];
    struct krn_series series = {.count = 0};
    for (int i = 0; i < 240; i++) {
        samples[i] = 1.0 + 0.5 * exp(-i / 20.0) + 0.01 * (i % 3);
        krn_series_push(&series, samples[i]);
    }
    assert_false(krn_settled(samples, 59));
    assert_false(krn_settled(samples, 60));
    assert_true(krn_settled(samples, 240));
    assert_true(krn_series_settled(&series));
    size_t first = 60;
    while (!krn_settled(samples, first))
        first++;
    print_message("settled after %zu samples\n", first);
    assert_true(first > 80 && first < 160);

    /* Changes just below and just above 2 %, up and down; a single outlier is not a change. */
    for (int up = 0; up < 2; up++) {
        for (int i = 0; i < 60; i++)
            samples[i] = (i < 30) != (up == 1) ? 1.0199 : 1.0;
        assert_true(krn_settled(samples, 60));
        for (int i = 0; i < 60; i++)
            samples[i] = (i < 30) != (up == 1) ? 1.0201 : 1.0;
        assert_false(krn_settled(samples, 60));
    }
    for (int i = 0; i < 60; i++)
        samples[i] = i < 30 ? 1.0 : 1.0051;
    assert_true(krn_settled(samples, 60));
    assert_false(krn_settled_within(samples, 60, 0.005));
    assert_true(krn_settled_within(samples, 60, 0.0052));
    for (int i = 0; i < 60; i++)
        samples[i] = i == 40 ? 50.0 : 1.0;
    assert_true(krn_settled(samples, 60));
    series.count = 0;
    assert_false(krn_series_settled(&series));
}

/* Returns how many of `runs` simulated runs of n samples wander. Samples scatter by `scatter`; a
 * tenth of them is 30 % longer; in the course of the run they rise by `drift`; a part that scatters
 * by `slow` is the same for `memory` samples. */
static int count_wandering(int runs, int n, double scatter, double drift, double slow, int memory)
{
    enum { MOST = 240 };
    double samples[MOST];
    int found = 0;
    for (int run = 0; run < runs; run++) {
        struct test_noise noise = test_noise_seed((uint64_t)(run + 1));
        double shift = 0.0;
        for (int i = 0; i < n; i++) {
            if (i % memory == 0)
                shift = slow * test_normal(&noise);
            samples[i] = (1.0 + scatter * test_normal(&noise) + drift * i / n + shift) *
                         (test_uniform(&noise) < 0.1 ? 1.3 : 1.0);
        }
        found += krn_wanders(samples, (size_t)n);
    }
    return found;
}

TEST(wandering_is_slow_drift)
{
    enum { RUNS = 2000 };
    static const int ns[] = {KRN_SETTLED_SAMPLES, 240};
    for (int i = 0; i < 2; i++) {
        const int n = ns[i];
        const int still = count_wandering(RUNS, n, 0.05, 0.0, 0.0, 1),
                  fast = count_wandering(RUNS, n, 0.01, 0.0, 0.03, n / 30),
                  less = count_wandering(RUNS, n, 0.001, 0.005, 0.0, 1),
                  drifts = count_wandering(RUNS, n, 0.01, 0.05, 0.0, 1),
                  regimes = count_wandering(RUNS, n, 0.002, 0.0, 0.03, n / 3);
        printf("%d samples, of %d runs wander: still %d, shifts of %d samples %d, drift of 0.5 %% "
               "%d, of 5 %% %d, three regimes %d\n",
               n, RUNS, still, n / 30, fast, less, drifts, regimes);
        assert_true(still < RUNS / 100 && fast < RUNS / 50 && less < RUNS / 100);
        assert_true(drifts > RUNS * 9 / 10 && regimes > RUNS * 6 / 10);
    }
    struct krn_series series = {.count = 0};
    for (int i = 0; i < 59; i++)
        krn_series_push(&series, 1.0 + i);
    assert_false(krn_series_wanders(&series));
    krn_series_push(&series, 60.0);
    assert_true(krn_series_wanders(&series));
    assert_true(krn_wanders(series.samples, 60));
    assert_false(krn_wanders(series.samples, 59));
}

TEST(stops_and_says_why)
{
    const struct krn_stop_rule rule = {0.01, 2.0, 60, 200};
    const struct krn_interval none = {false, 0.0, 0.0}, narrow = {true, 0.996, 1.005},
                              wide = {true, 0.99, 1.01};
    assert_int_equal(krn_stop_check(&rule, 0, 0.0, none, 0.0), KRN_STOP_NOT);
    assert_int_equal(krn_stop_check(&rule, 59, 1.0, narrow, 0.1), KRN_STOP_NOT);
    assert_int_equal(krn_stop_check(&rule, 60, 1.0, narrow, 0.1), KRN_STOP_NARROW);
    assert_int_equal(krn_stop_check(&rule, 60, 1.0, wide, 0.1), KRN_STOP_NOT);
    assert_int_equal(krn_stop_check(&rule, 60, 1.0, wide, 2.0), KRN_STOP_TIME);
    assert_int_equal(krn_stop_check(&rule, 5, 1.0, none, 2.5), KRN_STOP_TIME);
    assert_int_equal(krn_stop_check(&rule, 200, 1.0, wide, 0.1), KRN_STOP_FULL);
    const struct krn_stop_rule never = {0.0, 2.0, 60, 200};
    assert_int_equal(krn_stop_check(&never, 100, 1.0, narrow, 0.1), KRN_STOP_NOT);
    assert_string_equal(krn_stop_name(KRN_STOP_NARROW), "narrow");
    assert_string_equal(krn_stop_name(KRN_STOP_TIME), "time");
    assert_string_equal(krn_stop_name(KRN_STOP_FULL), "count");
    assert_string_equal(krn_stop_name((enum krn_stop)99), "n/a");
}

/* The statistics of a frame: one more sample, a summary, an interval. */
TEST(a_frame_costs_little)
{
    test_needs_timing();
    enum { FRAMES = 20000 };
    struct test_noise noise = test_noise_seed(5);
    struct krn_series series = {.count = 0};
    struct timespec start, stop;
    double sum = 0.0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int i = 0; i < FRAMES; i++) {
        krn_series_push(&series, 1.0 + test_uniform(&noise));
        sum += krn_series_summary(&series).median + krn_series_interval(&series).low;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &stop);
    const double us = ((double)(stop.tv_sec - start.tv_sec) * 1e6 +
                       (double)(stop.tv_nsec - start.tv_nsec) * 1e-3) /
                      FRAMES;
    print_message("%.2f us per frame (checksum %.3g)\n", us, sum);
    assert_true(us < 25.0);
}
