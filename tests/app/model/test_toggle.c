/* The comparison of the mode on screen with the one that was left: how often it is wrong, on
 * samples that depend on each other, and what it costs. TEST_TOGGLE_RUNS sets the number of runs
 * (seeds 1, 2, ...). */
#include "expect.h"
#include "machine.h"
#include "timing.h"

#include <stdio.h>
#include <time.h>

#include "model/verdict.h"

static struct krn_series left, now;

/* Fills a series with samples about `ms`, of which neighbours have the correlation `kept`. */
static void fill(struct krn_series *series, struct test_noise *noise, int n, double ms,
                 double spread, double kept)
{
    double x = test_normal(noise);
    krn_series_clear(series);
    for (int i = 0; i < n; i++) {
        x = kept * x + sqrt(1.0 - kept * kept) * test_normal(noise);
        assert_true(krn_series_push(series, ms * exp(spread * x)));
    }
}

static struct app_comparison compare(double tick_ms, double band_percent)
{
    return app_toggle_compare((struct app_toggle_side){&left, tick_ms},
                              (struct app_toggle_side){&now, tick_ms}, band_percent);
}

TEST(equal_modes_are_not_called_different)
{
    const char *asked = getenv("TEST_TOGGLE_RUNS");
    const int runs = asked && atoi(asked) > 0 ? atoi(asked) : 1000;
    static const struct {
        double kept, claimed, missed; /* at most these shares */
    } cases[] = {{0.0, 0.01, 0.05}, {0.3, 0.01, 0.05}, {0.6, 0.01, 0.05}, {0.9, 0.015, 0.08}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int claimed = 0, missed = 0;
        for (int run = 0; run < runs; run++) {
            struct test_noise noise = test_noise_seed((uint64_t)run + 1);
            fill(&left, &noise, 240, 0.02, 0.05, cases[c].kept);
            fill(&now, &noise, 240, 0.02, 0.05, cases[c].kept);
            const struct app_comparison toggle = compare(0.0, 0.0);
            assert_true(toggle.ratio.valid && toggle.ratio.low <= toggle.ratio.value &&
                        toggle.ratio.value <= toggle.ratio.high);
            claimed += toggle.verdict == APP_VERDICT_FASTER || toggle.verdict == APP_VERDICT_SLOWER;
            missed += toggle.ratio.low > 1.0 || toggle.ratio.high < 1.0;
        }
        print_message("neighbours correlated by %.1f: %.2f %% of %d claim a difference at band 0, "
                      "the interval misses 1 in %.1f %%\n",
                      cases[c].kept, 100.0 * claimed / runs, runs, 100.0 * missed / runs);
        assert_true(test_tail(claimed, runs, cases[c].claimed) > 1e-4);
        assert_true(test_tail(missed, runs, cases[c].missed) > 1e-4);
    }
}

TEST(differences_have_their_sign)
{
    static const struct {
        double left_ms, now_ms;
        enum app_verdict verdict;
    } cases[] = {{1.0, 1.2, APP_VERDICT_SLOWER},
                 {1.2, 1.0, APP_VERDICT_FASTER},
                 {1.0, 1.001, APP_VERDICT_SAME},
                 {1.0, 1.01, APP_VERDICT_CANT_TELL}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_noise noise = test_noise_seed(5);
        fill(&left, &noise, 240, cases[c].left_ms, 0.01, 0.0);
        fill(&now, &noise, 240, cases[c].now_ms, 0.01, 0.0);
        const struct app_comparison toggle = compare(0.0, 1.0);
        assert_int_equal(toggle.verdict, cases[c].verdict);
        const double truth = cases[c].left_ms / cases[c].now_ms;
        assert_true(toggle.ratio.low < truth && truth < toggle.ratio.high);
        assert_true(toggle.ratio.high / toggle.ratio.low < 1.02);
    }
}

/* A side that drifts widens the interval by its drift, and there is no verdict. */
TEST(drift_is_no_difference)
{
    struct test_noise noise = test_noise_seed(2);
    fill(&left, &noise, 240, 1.0, 0.002, 0.0);
    krn_series_clear(&now);
    for (int i = 0; i < 240; i++)
        krn_series_push(&now, 0.99 + 0.04 * i / 240.0 + 0.002 * test_normal(&noise));
    const struct app_comparison toggle = compare(0.0, 1.0);
    assert_true(toggle.ratio.valid && toggle.ratio.high / toggle.ratio.low > 1.015);
    assert_int_equal(toggle.verdict, APP_VERDICT_WANDERING);
}

/* Few samples give no ratio; without noise, half a tick per side remains. */
TEST(few_samples_and_ticks)
{
    struct test_noise noise = test_noise_seed(1);
    fill(&left, &noise, APP_TOGGLE_SAMPLES, 0.01, 0.0, 0.0);
    fill(&now, &noise, APP_TOGGLE_SAMPLES - 1, 0.01, 0.0, 0.0);
    assert_false(compare(0.0, 1.0).ratio.valid);
    fill(&now, &noise, APP_TOGGLE_SAMPLES, 0.01, 0.0, 0.0);
    const struct app_comparison exact = compare(0.0, 1.0), coarse = compare(0.001, 1.0);
    assert_int_equal(exact.verdict, APP_VERDICT_SAME);
    assert_true(exact.ratio.high - exact.ratio.low < 1e-9);
    assert_int_equal(coarse.verdict, APP_VERDICT_CANT_TELL);
    assert_true(fabs(coarse.ratio.high - 1.1) < 1e-6 && fabs(1.0 / coarse.ratio.low - 1.1) < 1e-6);
    krn_series_push(&now, 0.0);
    assert_false(compare(0.0, 1.0).ratio.valid);
}

/* Sides that are far apart are judged from 6 samples on; overlapping or near ones are not. */
TEST(far_apart)
{
    static const struct {
        double left_ms, now_ms;
        size_t n;
        enum app_verdict verdict;
    } cases[] = {{992.0, 12.7, 6, APP_VERDICT_FASTER},
                 {3.2, 43.9, 6, APP_VERDICT_SLOWER},
                 {992.0, 12.7, 5, APP_VERDICT_CANT_TELL},
                 {1.9, 1.0, 6, APP_VERDICT_CANT_TELL}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        krn_series_clear(&left);
        krn_series_clear(&now);
        for (size_t i = 0; i < cases[c].n; i++) {
            krn_series_push(&left, cases[c].left_ms * (1.0 + 0.01 * (double)i));
            krn_series_push(&now, cases[c].now_ms * (1.0 + 0.01 * (double)i));
        }
        const struct app_comparison toggle = compare(0.0, 1.0);
        assert_int_equal(toggle.verdict, cases[c].verdict);
        assert_int_equal(toggle.ratio.valid, cases[c].verdict != APP_VERDICT_CANT_TELL);
        krn_series_push(&now, cases[c].left_ms);
        assert_int_equal(compare(0.0, 1.0).verdict, APP_VERDICT_CANT_TELL);
    }
}

static double thread_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

TEST(it_is_cheap)
{
    test_needs_timing();
    enum { TIMES = 2000 };
    struct test_noise noise = test_noise_seed(1);
    fill(&left, &noise, 240, 1.0, 0.01, 0.5);
    fill(&now, &noise, 240, 1.01, 0.01, 0.5);
    static double us[TIMES];
    for (int i = 0; i < TIMES; i++) {
        const double before = thread_us();
        assert_true(compare(0.0, 1.0).ratio.valid);
        us[i] = thread_us() - before;
    }
    krn_sort(us, TIMES);
    print_message("p50 %.2f us, p99 %.2f us, max %.1f us\n", us[TIMES / 2], us[TIMES * 99 / 100],
                  us[TIMES - 1]);
    assert_true(us[TIMES / 2] < 100.0);
}
