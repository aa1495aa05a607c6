/* The duel's test on simulated runs, checked on every frame: how often it claims a difference that
 * does not exist, how soon it finds one that does, and that it estimates the same at every frame
 * rate. The rates in krn/duel.h and docs/measuring.md come from TEST_DUEL_RUNS=2000 (the number of
 * runs per machine; seeds 1, 2, ...), without which the runs are few. A rate fails its bound when
 * the bound makes so many failures less likely than 1 in 10000. */
#include "expect.h"
#include "machine.h"

#include <stdio.h>

static struct krn_duel duel;

static int runs_of_each(int quick)
{
    const char *asked = getenv("TEST_DUEL_RUNS");
    return asked && atoi(asked) > 0 ? atoi(asked) : quick;
}

static void assert_at_most(int count, int runs, double rate)
{
    if (test_tail(count, runs, rate) < 1e-4)
        fail_msg("%d of %d, which is more than %g %%", count, runs, 100.0 * rate);
}

static void assert_at_least(int count, int runs, double rate)
{
    if (test_tail(runs - count, runs, 1.0 - rate) < 1e-4)
        fail_msg("%d of %d, which is less than %g %%", count, runs, 100.0 * rate);
}

struct counts {
    int seen, claimed, wandering, missed, missed_firm;
};

/* Runs duels of equal sides, 12 s each, and prints what they show. */
static struct counts count_equals(const struct test_machine *m, double band, int runs)
{
    struct counts counts = {0};
    for (int i = 0; i < runs; i++) {
        const struct test_run run = test_duel_run(&duel, m, 1.0, 12.0, band, (uint64_t)i + 1);
        counts.seen += run.seen_s >= 0.0;
        counts.claimed += run.claimed_s >= 0.0;
        counts.wandering += run.result.verdict == KRN_RATIO_WANDERING;
        counts.missed += !run.held;
        counts.missed_firm += !run.held_firm;
    }
    const double percent = 100.0 / runs;
    print_message("A/A %-36s %5.0f/s band %g: claimed %.2f %%, seen so far %.2f %%; wandering "
                  "%.1f %%; the interval misses 1 at some look %.1f %%, after 11 s %.1f %%\n",
                  m->name, m->fps, band, percent * counts.claimed, percent * counts.seen,
                  percent * counts.wandering, percent * counts.missed,
                  percent * counts.missed_firm);
    return counts;
}

/* Sides whose readings are independent, or depend on each other for 0.05 s at most. */
TEST(steady_sides_show_no_difference)
{
    const int runs = runs_of_each(10);
    struct test_machine machines[7] = {test_gpu, test_gpu, test_gpu, test_gpu,
                                       test_gpu, test_cpu, test_cpu};
    machines[1].name = "20 us, steps of 32 ns";
    machines[1].a_ms = 0.02013;
    machines[1].outlier_ms = 0.01;
    machines[1].quantum_ms = 0.000032;
    machines[2].name = "20 us, steps of 0.5 us";
    machines[2].a_ms = 0.02013;
    machines[2].outlier_ms = 0.01;
    machines[3].fps = 1000;
    machines[4].name = "GPU, wandering 0.75 % for 0.05 s";
    machines[4].wander = 0.0075;
    machines[4].wander_s = 0.05;
    machines[6].name = "CPU, loaded";
    machines[6].spread = 0.08;
    machines[6].outliers = 0.08;
    machines[6].outlier_ms = 8.0;
    machines[6].drift = 0.2;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        for (int band = 0; band < 2; band++) {
            const struct counts counts = count_equals(&machines[i], band, runs);
            assert_at_most(counts.claimed, runs, 0.01);
            assert_at_most(counts.seen, runs, 0.01);
            assert_at_most(counts.missed, runs, 0.05);
            assert_at_most(counts.wandering, runs, 0.05);
        }
    }
}

/* Sides that wander apart slowly. */
TEST(wandering_sides_are_not_claimed_to_differ)
{
    const int runs = runs_of_each(6);
    static const double fps[] = {60, 200, 1000};
    int total = 0, claimed = 0;
    for (int rate = 0; rate < 3; rate++) {
        struct test_machine machines[11] = {[0] = test_cpu};
        struct test_machine base = test_gpu;
        base.spread = 0.01;
        base.fps = fps[rate];
        for (int i = 1; i < 11; i++)
            machines[i] = base;
        machines[0].name = "CPU, wandering 3 % for 0.25 s";
        machines[0].spread = 0.05;
        machines[0].wander = 0.03;
        machines[0].wander_s = 0.25;
        machines[1].name = "GPU, wandering 0.75 % for 0.25 s";
        machines[1].wander = 0.0075;
        machines[1].wander_s = 0.25;
        machines[2].name = "GPU, fine, wandering 0.3 % for 1 s"; /* an H200 with 20 us kernels */
        machines[2].spread = 0.0075;
        machines[2].wander = 0.003;
        machines[2].wander_s = 1.0;
        static const double constants[] = {0.05, 0.25, 1.0, 5.0};
        static const char *const names[] = {"wandering 1 % for 0.05 s", "wandering 1 % for 0.25 s",
                                            "wandering 1 % for 1 s", "wandering 1 % for 5 s"};
        for (int i = 0; i < 4; i++) {
            machines[3 + i].name = names[i];
            machines[3 + i].wander = 0.01;
            machines[3 + i].wander_s = constants[i];
        }
        for (int i = 7; i < 10; i++) {
            machines[i].regime = 0.02;
            machines[i].regime_s = 2.0;
        }
        machines[7].name = "B 2 % slower for 2 s at a time";
        machines[7].regimes = TEST_REGIMES_ONE;
        machines[8].name = "either 2 % slower for 2 s at a time";
        machines[8].regimes = TEST_REGIMES_BOTH;
        machines[9].name = "B at another level, sd 2 %, for 2 s";
        machines[9].regimes = TEST_REGIMES_NORMAL;
        for (int i = 0; i < 10; i++) {
            const struct counts counts = count_equals(&machines[i], 1.0, runs);
            claimed += counts.claimed;
            total += runs;
            /* Levels with a standard deviation of 2 % go beyond the regimes of 2 % that the test
             * promises to withstand. */
            assert_at_most(counts.claimed, runs, i == 9 ? 0.02 : 0.01);
            assert_at_most(counts.missed_firm, runs, 0.05);
            /* 5 s cannot be averaged out in 12 s, 0.05 s can. */
            if (i == 6)
                assert_at_least(counts.wandering, runs, 0.8);
            if (i == 3)
                assert_at_most(counts.wandering, runs, 0.02);
        }
    }
    print_message("%d of %d claim a difference\n", claimed, total);
    assert_at_most(claimed, total, 0.01);
}

TEST(a_difference_is_found)
{
    const int runs = runs_of_each(30);
    const struct {
        const struct test_machine *machine;
        double fps, spread, a_ms, ratio, within_s;
        double band, share; /* share of the runs that see the difference */
    } cases[] = {
        {&test_gpu, 200, 0.003, 0.2, 1.01, 2, 0.25, 0.9},
        {&test_gpu, 1000, 0.003, 0.2, 1 / 1.01, 2, 0.25, 0.9},
        {&test_gpu, 200, 0.005, 0.2, 1.02, 3, 1, 0.97},
        {&test_gpu, 200, 0.01, 0.2, 1.02, 3, 1, 0.97},
        {&test_gpu, 200, 0.01, 1, 1 / 1.02, 3, 1, 0.97},
        {&test_gpu, 1000, 0.01, 0.2, 1.02, 3, 1, 0.97},
        {&test_cpu, 30, 0.03, 9, 1.05, 5, 1, 0.95},
        {&test_cpu, 40, 0.03, 9, 1 / 1.05, 5, 1, 0.97},
        {&test_cpu, 40, 0.05, 9, 1.05, 5, 1, 0.85},
        {&test_cpu, 60, 0.05, 9, 1.05, 5, 1, 0.95},
        {&test_cpu, 40, 0.07, 9, 1.05, 5, 1, 0.4},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct test_machine m = *cases[c].machine;
        m.fps = cases[c].fps;
        m.spread = cases[c].spread;
        m.a_ms = cases[c].a_ms;
        int found = 0, right = 0;
        double mean_s = 0.0;
        for (int i = 0; i < runs; i++) {
            const struct test_run run = test_duel_run(&duel, &m, cases[c].ratio, cases[c].within_s,
                                                      cases[c].band, (uint64_t)i + 1);
            found += run.seen_s >= 0.0;
            mean_s += (run.seen_s >= 0.0 ? run.seen_s : cases[c].within_s) / runs;
            right += run.seen_s >= 0.0 &&
                     run.seen == (cases[c].ratio > 1.0 ? KRN_RATIO_FASTER : KRN_RATIO_SLOWER);
        }
        print_message("%s, %g ms, %g frames/s, spread %.1f %%, band %g %%: a ratio of %.3f seen "
                      "in %.1f %% of %d runs within %.0f s, after %.2f s\n",
                      m.name, m.a_ms, m.fps, 100.0 * m.spread, cases[c].band, cases[c].ratio,
                      100.0 * found / runs, runs, cases[c].within_s, mean_s);
        assert_at_least(found, runs, cases[c].share);
        assert_int_equal(right, found);
    }
}

/* What is seen so far becomes firm. */
TEST(a_difference_becomes_firm)
{
    const int runs = runs_of_each(30);
    struct test_machine m = test_gpu;
    m.spread = 0.01;
    int firm = 0;
    for (int i = 0; i < runs; i++) {
        const struct test_run run = test_duel_run(&duel, &m, 1.02, 12.0, 1.0, (uint64_t)i + 1);
        assert_true(run.claimed_s < 0.0 || run.claimed_s > KRN_DUEL_FIRM_S);
        firm += run.result.verdict == KRN_RATIO_FASTER;
    }
    print_message("2 %% firm after 12 s in %d of %d\n", firm, runs);
    assert_at_least(firm, runs, 0.98);
    /* Wandering does not hide a large difference, which is firm at once. */
    m.fps = 2000;
    m.spread = 0.0075;
    m.wander = 0.003;
    m.wander_s = 1.0;
    int at_once = 0, still = 0;
    const int fewer = runs < 200 ? runs : 200;
    for (int i = 0; i < fewer; i++) {
        const struct test_run run = test_duel_run(&duel, &m, 1.2, 3.0, 1.0, (uint64_t)i + 1);
        at_once += run.claimed_s >= 0.0 && run.claimed_s < 2.0;
        still += run.result.verdict == KRN_RATIO_FASTER;
    }
    print_message("20 %% firm within 2 s in %d of %d, to the end in %d\n", at_once, fewer, still);
    assert_at_least(at_once, fewer, 0.97);
    assert_at_least(still, fewer, 0.97);
}

/* The estimate does not depend on how many pairs per second arrive. */
TEST(the_estimate_keeps_its_meaning)
{
    struct test_machine machines[4];
    for (int i = 0; i < 4; i++)
        machines[i] = (struct test_machine){.a_ms = 1.0, .spread = 0.01};
    machines[0].name = "10 % of B's readings 30 % slow";
    machines[0].b_slow_share = 0.1;
    machines[0].b_slow = 0.3;
    machines[1].name = "30 % of B's readings on a clock 10 % slow";
    machines[1].b_slow_share = 0.3;
    machines[1].b_slow = 0.1;
    machines[2].name = "B with Pareto noise, exponent 2";
    machines[2].b_pareto = 2.0;
    machines[3].name = "B with Pareto noise, exponent 1.2";
    machines[3].b_pareto = 1.2;
    for (int i = 0; i < 4; i++) {
        double ratio[2] = {0.0, 0.0}, deviation = 0.0;
        for (int fast = 0; fast < 2; fast++) {
            struct test_machine m = machines[i];
            m.fps = fast ? 10000 : 60;
            const int runs = runs_of_each(500) / (fast ? 250 : 5);
            double squares = 0.0;
            for (int run = 0; run < runs; run++) {
                const double found =
                    log(test_duel_run(&duel, &m, 1.0, 10.0, 1.0, (uint64_t)run + 1).result.ratio);
                ratio[fast] += found / runs;
                squares += found * found / runs;
            }
            if (!fast)
                deviation = sqrt((squares - ratio[0] * ratio[0]) / (runs - 1));
        }
        print_message("%-42s 60 pairs/s %.4f (+/- %.4f), 10000 pairs/s %.4f\n", machines[i].name,
                      exp(ratio[0]), deviation, exp(ratio[1]));
        assert_true(fabs(ratio[1] - ratio[0]) < 0.0015 + 4.0 * deviation);
        assert_true(ratio[0] > 0.005);
    }
}
