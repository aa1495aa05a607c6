/* Times loops of empty pieces, and finds the step of the host's clock. */
#include "cpu/runtime/team.h"

#include "core/base/clock.h"

#include <string.h>
#include <time.h>

/* Samples per overhead, and the time after which the least number of them is enough. */
enum { SAMPLES = 31, LEAST = 9, WARM_UP = 3 };
static const double enough_ms = 1.0;

static void nothing(const void *context, int index, int thread)
{
    (void)context;
    (void)index;
    (void)thread;
}

static double run_once(struct krn_cpu_team *team, const struct krn_cpu_jobs *jobs)
{
    const double start = krn_clock_ms();
    for (int i = 0; i < jobs->count; i++)
        if (jobs->pieces[i] > 0)
            krn_cpu_team_share(team, jobs->pieces[i], nothing, NULL);
        else
            krn_cpu_team_each(team, nothing, NULL);
    return krn_clock_ms() - start;
}

static struct krn_overhead measure(struct krn_cpu_team *team, const struct krn_cpu_jobs *jobs)
{
    double samples[SAMPLES];
    int n = 0;
    const double start = krn_clock_ms();
    for (int i = 0; i < WARM_UP; i++)
        (void)run_once(team, jobs);
    while (n < SAMPLES && (n < LEAST || krn_clock_ms() - start < enough_ms))
        samples[n++] = run_once(team, jobs);
    return (struct krn_overhead){krn_summarise(samples, (size_t)n).median,
                                 krn_interval_of(samples, (size_t)n)};
}

static bool same_jobs(const struct krn_cpu_jobs *a, const struct krn_cpu_jobs *b)
{
    return a->count == b->count &&
           memcmp(a->pieces, b->pieces, (size_t)a->count * sizeof *a->pieces) == 0;
}

struct krn_overhead krn_cpu_overhead(struct krn_cpu_overheads *overheads, struct krn_cpu_team *team,
                                     const struct krn_cpu_jobs *jobs)
{
    for (unsigned i = 0; i < overheads->measured && i < KRN_CPU_JOBS_KEPT; i++)
        if (overheads->kept[i].team == team && same_jobs(&overheads->kept[i].jobs, jobs))
            return overheads->kept[i].overhead;
    struct krn_cpu_kept *kept = &overheads->kept[overheads->measured++ % KRN_CPU_JOBS_KEPT];
    *kept = (struct krn_cpu_kept){team, *jobs, measure(team, jobs)};
    return kept->overhead;
}

static long long clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

void krn_cpu_durations(double ns[KRN_CPU_DURATIONS])
{
    for (int i = 0; i < KRN_CPU_DURATIONS; i++) {
        const long long start = clock_ns();
        /* Durations of different lengths, which are more likely to be neighbours. */
        for (volatile int wait = 0; wait < i % 16; wait++)
            continue;
        ns[i] = (double)(clock_ns() - start);
    }
}

double krn_cpu_tick_of(const double ns[KRN_CPU_DURATIONS])
{
    const double rounding_ns = 0.5, ms_per_ns = 1e-6;
    double least_step = 0.0;
    bool stood_still = false;
    for (int i = 0; i < KRN_CPU_DURATIONS; i++) {
        stood_still = stood_still || ns[i] == 0.0;
        if (ns[i] > 0.0 && !(least_step > 0.0 && least_step <= ns[i]))
            least_step = ns[i];
    }
    return (stood_still ? least_step : krn_tick_of(ns, KRN_CPU_DURATIONS, rounding_ns)) * ms_per_ns;
}

double krn_cpu_tick_ms(void)
{
    double ns[KRN_CPU_DURATIONS];
    krn_cpu_durations(ns);
    return krn_cpu_tick_of(ns);
}
