/* What several processes say together: quantiles of Student's t against tabulated ones, and the
 * coverage and false verdicts of simulated processes. */
#include "expect.h"
#include "noise.h"

#include <stdio.h>

#include "krn/across.h"

/* Two-sided quantiles as printed in tables of Student's t. */
TEST(tabulated_quantiles)
{
    static const struct {
        double freedom, q975, q995;
    } known[] = {
        {1, 12.7062, 63.6567}, {2, 4.30265, 9.92484},  {4, 2.77645, 4.60409},
        {8, 2.30600, 3.35539}, {30, 2.04227, 2.75000}, {1e6, 1.95997, 2.57584},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double f = known[i].freedom;
        assert_true(fabs(krn_student_quantile(0.975, f) / known[i].q975 - 1.0) < 1e-4);
        assert_true(fabs(krn_student_quantile(0.995, f) / known[i].q995 - 1.0) < 1e-4);
        assert_true(fabs(krn_student_quantile(0.025, f) / -known[i].q975 - 1.0) < 1e-4);
    }
    assert_true(fabs(krn_student_quantile(0.5, 3.0)) < 1e-9);
    assert_true(isinf(krn_student_quantile(1.0, 3.0)));
}

TEST(known_values)
{
    const double values[4] = {1.0, 2.0, 4.0, 8.0}, bad[2] = {1.0, 0.0};
    struct krn_across across = krn_across(values, 4, 0.95, 0.0);
    assert_true(across.valid && across.processes == 4);
    assert_true(fabs(across.value - sqrt(8.0)) < 1e-12);
    /* mean 1.5 log 2, standard deviation log 2 * sqrt(5/3), t(3) = 3.18245 */
    const double half = 3.18245 * log(2.0) * sqrt(5.0 / 3.0) / 2.0;
    assert_true(fabs(log(across.high / across.value) - half) < 1e-4);
    assert_true(fabs(log(across.value / across.low) - half) < 1e-4);
    across = krn_across(values, 1, 0.95, 0.0);
    assert_true(!across.valid && across.processes == 1 && across.value == 1.0);
    assert_int_equal(krn_across(bad, 2, 0.95, 0.0).processes, 0);
    assert_int_equal(krn_across(values, 0, 0.95, 0.0).processes, 0);
    assert_false(krn_across_ratio(values, 4, values, 1, 0.95, 0.0).valid);
}

/* Processes that all read the same tick still leave the tick open. */
TEST(the_tick_widens)
{
    const double same[3] = {5.0, 5.0, 5.0};
    const struct krn_across across = krn_across(same, 3, 0.95, 0.01);
    assert_true(fabs(across.low - 5.0 / 1.01) < 1e-12 && fabs(across.high - 5.05) < 1e-12);
    const struct krn_across ratio = krn_across_ratio(same, 3, same, 2, 0.95, 0.02);
    assert_true(fabs(ratio.high - 1.02) < 1e-12);
}

enum noise_kind { NORMAL, SKEWED, HEAVY, TWO_STATES, KINDS };
static const char *const kind_names[KINDS] = {"normal", "skewed", "heavy-tailed", "two states"};

/* The median of one process whose expected logarithm is 0 and whose scale is `scale`. */
static double process(struct test_noise *noise, enum noise_kind kind, double scale)
{
    double x = test_normal(noise);
    if (kind == SKEWED)
        x = test_exponential(noise) - 1.0;
    else if (kind == HEAVY)
        x /= sqrt((test_exponential(noise) + test_exponential(noise)) / 2.0); /* t with 4 */
    else if (kind == TWO_STATES)
        x = 0.3 * x + (test_uniform(noise) < 0.5 ? -1.0 : 1.0);
    return exp(scale * x);
}

/* A test fails when a rate is above its bound by more than chance explains: five standard errors
 * of the simulation. */
static double allowance(double rate, int runs)
{
    return 5.0 * sqrt(rate * (1.0 - rate) / runs);
}

/* A tick hides what all processes read alike, and averages out over processes that scatter. */
TEST(ticks_average_out)
{
    enum { PROCESSES = 40 };
    const double tick = 0.01;
    double same[PROCESSES], spread[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        same[i] = 1.0;
        spread[i] = 1.0 + tick * (i % 8 - 3.5);
    }
    assert_true(krn_across(same, PROCESSES, 0.95, 0.5 * tick).high >= 1.0 + 0.5 * tick);
    assert_true(krn_across(same, 5, 0.95, 0.5 * tick).high >= 1.0 + 0.5 * tick);
    const struct krn_across plain = krn_across(spread, PROCESSES, 0.95, 0.0),
                            wide = krn_across(spread, PROCESSES, 0.95, 0.5 * tick);
    assert_true(wide.high > plain.high && wide.high < plain.high + 0.1 * tick);
    assert_true(krn_across_ratio(spread, PROCESSES, same, PROCESSES, 0.95, tick).high > 1.0 + tick);
}

TEST(coverage)
{
    enum { RUNS = 4000, PROCESSES = 5 };
    for (int kind = 0; kind < KINDS; kind++) {
        struct test_noise noise = test_noise_seed(1000 + (uint64_t)kind);
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            double values[PROCESSES];
            for (int i = 0; i < PROCESSES; i++)
                values[i] = process(&noise, (enum noise_kind)kind, 0.01);
            const struct krn_across across = krn_across(values, PROCESSES, 0.95, 0.0);
            covered += across.low <= 1.0 && across.high >= 1.0;
        }
        const double rate = (double)covered / RUNS;
        print_message("%s processes, %d each: the 95 %% interval covers in %.1f %% of %d runs\n",
                      kind_names[kind], PROCESSES, 100.0 * rate, RUNS);
        /* A skewed or two-state distribution costs some coverage with five processes. */
        const double least = kind == SKEWED ? 0.86 : kind == TWO_STATES ? 0.93 : 0.95;
        assert_true(rate >= least - allowance(least, RUNS));
    }
}

/* Equal groups whose processes are offset by 1 and 3 %: verdicts at band 1. */
TEST(false_verdicts)
{
    enum { RUNS = 20000, PROCESSES = 5 };
    const double band = log(1.01), offsets[2] = {0.01, 0.03}, most = 1.0 / 200.0;
    for (int o = 0; o < 2; o++)
        for (int kind = 0; kind < KINDS; kind++) {
            struct test_noise noise = test_noise_seed(2000 + (uint64_t)(o * KINDS + kind));
            int wrong = 0;
            for (int run = 0; run < RUNS; run++) {
                double a[PROCESSES], b[PROCESSES];
                for (int i = 0; i < PROCESSES; i++) {
                    a[i] = process(&noise, (enum noise_kind)kind, offsets[o]);
                    b[i] = process(&noise, (enum noise_kind)kind, offsets[o]);
                }
                const struct krn_across ratio =
                    krn_across_ratio(a, PROCESSES, b, PROCESSES, KRN_VERDICT_LEVEL, 0.0);
                wrong += log(ratio.low) > band || log(ratio.high) < -band;
            }
            const double rate = (double)wrong / RUNS;
            print_message("equal groups, processes %.0f %% apart, %s: %.2f %% false verdicts\n",
                          100.0 * offsets[o], kind_names[kind], 100.0 * rate);
            assert_true(rate <= most + allowance(most, RUNS));
        }
}

/* A true difference of 2 %, with processes 0.2 % apart, is found with five a side. */
TEST(power)
{
    enum { RUNS = 4000, PROCESSES = 5 };
    const double apart[3] = {0.001, 0.002, 0.004};
    for (int k = 0; k < 3; k++) {
        struct test_noise noise = test_noise_seed(3000 + (uint64_t)k);
        int found = 0;
        for (int run = 0; run < RUNS; run++) {
            double a[PROCESSES], b[PROCESSES];
            for (int i = 0; i < PROCESSES; i++) {
                a[i] = 1.02 * process(&noise, NORMAL, apart[k]);
                b[i] = process(&noise, NORMAL, apart[k]);
            }
            found +=
                krn_across_ratio(a, PROCESSES, b, PROCESSES, KRN_VERDICT_LEVEL, 0.0).low > 1.01;
        }
        const double rate = (double)found / RUNS, least = k < 2 ? 0.99 : 0.5;
        print_message("2 %% with processes %.1f %% apart: found in %.1f %%\n", 100.0 * apart[k],
                      100.0 * rate);
        assert_true(rate >= least);
    }
}
