/* kernels/cpu/runtime/overhead.h - the time that a team takes for jobs without work, which is part
 * of every kernel time. */
#ifndef KRN_CPU_OVERHEAD_H
#define KRN_CPU_OVERHEAD_H

#include "cpu/runtime/team.h"

enum { KRN_CPU_JOBS_MAX = 8, KRN_CPU_JOBS_KEPT = 16 };

/* The jobs of a kernel, one after another: the number of pieces of krn_cpu_team_share, or 0 for
 * krn_cpu_team_each. No job: two readings of the clock with nothing between them. */
struct krn_cpu_jobs {
    int count;
    int pieces[KRN_CPU_JOBS_MAX];
};

/* The overheads that were measured, the newest KRN_CPU_JOBS_KEPT of them. Zeroed, there are none.
 */
struct krn_cpu_overheads {
    struct krn_cpu_kept {
        const struct krn_cpu_team *team;
        struct krn_cpu_jobs jobs;
        double ms;
    } kept[KRN_CPU_JOBS_KEPT];
    unsigned measured; /* overheads measured so far */
};

/* Returns the median time of a few dozen runs of these jobs without work, in ms, between two
 * readings of the monotonic clock. Measures it at the first call with these jobs. */
double krn_cpu_overhead(struct krn_cpu_overheads *overheads, struct krn_cpu_team *team,
                        const struct krn_cpu_jobs *jobs);

/* Measures durations between two readings of the monotonic clock, in whole ns, most of them of
 * different lengths. */
enum { KRN_CPU_DURATIONS = 256 };
void krn_cpu_durations(double ns[KRN_CPU_DURATIONS]);

/* Returns the tick that follows from them, in ms, as krn_cpu_tick_ms does. */
double krn_cpu_tick_of(const double ns[KRN_CPU_DURATIONS]);

/* Measures the tick of the monotonic clock, in ms. Where the clock stands still between two
 * readings, it is the smallest step of the clock; else, the smallest difference between two
 * durations. Both are counted in whole nanoseconds, so nothing is rounded. */
double krn_cpu_tick_ms(void);

#endif
