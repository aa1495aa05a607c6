/* Comparisons of equal programs, drawn from the medians of recorded processes in
 * assets/runs/nvidia-h200-processes.csv (support/processes_table.py makes it): at most 1 verdict in
 * 200 is false. Exits with 77 when there are no processes to draw from. */
#include "noise.h"
#include "processes.h"

#include "model/verdict.h"
#include "records/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 5, COMPARISONS = 100 };

static bool skipped;

/* Draws 2 * SIDE different processes of n. */
static void draw(size_t n, size_t chosen[2 * SIDE], uint64_t *seed)
{
    for (size_t i = 0; i < 2 * SIDE; i++) {
        bool again = true;
        while (again) {
            chosen[i] = test_below(seed, n);
            again = false;
            for (size_t j = 0; j < i; j++)
                again = again || chosen[j] == chosen[i];
        }
    }
}

/* Compares two sides of processes by one column. The other side is `faster` times as fast as
 * recorded. */
static enum app_verdict compare(const size_t *first, const size_t *other, size_t column,
                                double faster)
{
    double a[SIDE], b[SIDE];
    for (size_t i = 0; i < SIDE; i++) {
        a[i] = test_table.medians[first[i]][column];
        b[i] = test_table.medians[other[i]][column] / faster;
    }
    const double widen = krn_tick_fraction(test_table.tick_ms[column], a[0]);
    const struct app_comparison comparison = app_compare_times(
        app_estimate_of_processes(a, SIDE, widen), app_estimate_of_processes(b, SIDE, widen), 1.0);
    return comparison.verdict;
}

static bool claims(enum app_verdict verdict)
{
    return verdict == APP_VERDICT_FASTER || verdict == APP_VERDICT_SLOWER;
}

TEST(test_recorded_medians)
{
    if (!test_table_read()) {
        skipped = true;
        skip();
    }
    assert_true(test_table.processes >= 4 * SIDE && test_table.columns > 0);
    uint64_t seed = 1;
    size_t all = 0, same = 0, found = 0, wrong = 0;
    for (int i = 0; i < COMPARISONS; i++) {
        size_t chosen[2 * SIDE];
        draw(test_table.processes, chosen, &seed);
        for (size_t c = 0; c < test_table.columns; c++, all++) {
            const enum app_verdict verdict = compare(chosen, chosen + SIDE, c, 1.0);
            wrong += claims(verdict);
            same += verdict == APP_VERDICT_SAME;
            found += compare(chosen, chosen + SIDE, c, 1.02) == APP_VERDICT_FASTER;
        }
    }
    print_message("%d comparisons of %d processes a side: %zu of %zu verdicts are false, %zu SAME; "
                  "2 %% is found in %zu\n",
                  COMPARISONS, SIDE, wrong, all, same, found);
    assert_true(200 * wrong <= all);
}

/* Measures a program in processes of the H200, `faster` times as fast, until its interval is narrow
 * for a band of 1 %, or for a minute. What the clock's ticks hide of the recorded medians is drawn
 * at random. */
static struct app_estimate measure_narrow(size_t column, double faster, struct test_noise *noise,
                                          uint64_t *seed, int *taken)
{
    enum { MINUTE = 100 };
    const double tick = test_table.tick_ms[column];
    double each[MINUTE];
    struct app_estimate time = {.valid = false};
    for (int n = 0, look = app_narrow_look(0); !app_is_narrow(&time, 1.0) && n < MINUTE;
         look = app_narrow_look(n)) {
        for (; n < look && n < MINUTE; n++) {
            const double ms = test_table.medians[test_below(seed, test_table.processes)][column];
            each[n] = tick * rint((ms / tick + test_uniform(noise) - 0.5) / faster);
        }
        time = app_estimate_of_processes(each, (size_t)n, krn_tick_fraction(tick, each[0]));
        *taken = n;
    }
    return time;
}

/* Stops on the width of each side, as --narrow does. The truth is in the band's middle, at its
 * edges, a hair to either side, or 2 %. TEST_NARROW_RUNS sets the number of comparisons. */
TEST(stopping_on_width_tells_no_more_falsehoods)
{
    static const struct {
        double faster;
        enum app_verdict right; /* besides CAN'T TELL */
    } truths[] = {{1.0, APP_VERDICT_SAME},
                  {1.0099, APP_VERDICT_SAME},
                  {1.0101, APP_VERDICT_FASTER},
                  {1.0 / 1.0101, APP_VERDICT_SLOWER},
                  {1.02, APP_VERDICT_FASTER}};
    const char *asked = getenv("TEST_NARROW_RUNS");
    const int runs = asked ? atoi(asked) : 10;
    struct test_noise noise = test_noise_seed(39);
    uint64_t seed = 39;
    if (test_table.processes == 0)
        skip();
    for (size_t t = 0; t < sizeof truths / sizeof *truths; t++) {
        size_t all = 0, right = 0, wrong = 0, processes = 0;
        for (int run = 0; run < runs; run++)
            for (size_t c = 0; c < test_table.columns; c++, all++) {
                int taken[2] = {0};
                const struct app_estimate a = measure_narrow(c, 1.0, &noise, &seed, &taken[0]),
                                          b = measure_narrow(c, truths[t].faster, &noise, &seed,
                                                             &taken[1]);
                const enum app_verdict verdict = app_compare_times(a, b, 1.0).verdict;
                right += verdict == truths[t].right;
                wrong += verdict != truths[t].right && verdict != APP_VERDICT_CANT_TELL;
                processes += (size_t)(taken[0] + taken[1]);
            }
        print_message("%.4f times as fast, %.0f processes per side: of %zu verdicts %.1f %% right, "
                      "%.2f %% false\n",
                      truths[t].faster, (double)processes / 2.0 / (double)all, all,
                      100.0 * (double)right / (double)all, 100.0 * (double)wrong / (double)all);
        assert_true(200 * wrong <= all);
        assert_true((t > 0 && t < 4) || 10 * right >= 9 * all);
    }
}

int main(void)
{
    const int failed = tests_run(NULL, NULL);
    return failed != 0 ? failed : skipped ? TEST_SKIPPED : 0;
}
