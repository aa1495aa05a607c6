/* kernels/cpu/runtime/team.h - the threads of the CPU backend.
 *
 * An OpenMP parallel loop ends when every thread has passed its barrier. On a machine that is busy
 * with other programs, one thread may have no core, and a frame of 20 us takes a time slice of
 * 10 ms. In addition, libgomp's threads spin for milliseconds before they yield, which only the
 * environment can change, before the program starts. A team's loop ends when the work is done:
 * whichever thread has a core takes the next piece, and a late thread finds no piece and is not
 * waited for. A thread without work spins for 20 us, then sleeps.
 *
 * One thread at a time calls a team; it is the team's thread 0. A team of NULL is that thread
 * alone.
 */
#pragma once

#include "krn/device.h"
#include "krn/error.h"

#include <stddef.h>
#include <stdint.h>

struct krn_cpu_team;

/* A piece of work. index is the number of the piece or of the thread (see below), thread the number
 * of the thread that runs it, counted from 0. Results are written through pointers in the context.
 */
typedef void krn_cpu_work(const void *context, int index, int thread);

/* Returns the number of threads of a team: the processors that this process may run on, or
 * OMP_NUM_THREADS, which users of clusters expect to be honoured. */
int krn_cpu_team_wanted(void);

/* Starts the threads. Where the system refuses some of them, the team is smaller. Errors:
 * KRN_NO_MEMORY. */
enum krn_code krn_cpu_team_open(struct krn_cpu_team **team, struct krn_error *error);

/* Ends and frees the threads; NULL is allowed. */
void krn_cpu_team_close(struct krn_cpu_team *team);

/* Returns the number of threads, the caller among them. */
int krn_cpu_team_size(const struct krn_cpu_team *team);

/* Calls work once for each index in 0..pieces-1, in ascending order, each on whichever thread is
 * free. After krn_cancel, the pieces that have not begun are left out. */
void krn_cpu_team_share(struct krn_cpu_team *team, int pieces, krn_cpu_work *work,
                        const void *context);

/* Calls work once on every thread, all at the same time: index and thread are the same number. */
void krn_cpu_team_each(struct krn_cpu_team *team, krn_cpu_work *work, const void *context);

/* Hands work to every thread but the caller's, which each call it once: index and thread are the
 * same number, from 1 on. Returns without waiting for them; *context must stay as it is until
 * krn_cpu_team_await has returned, which is the next call of the team. A team of one thread has
 * nobody to hand work to: neither call does anything. */
void krn_cpu_team_hand_over(struct krn_cpu_team *team, krn_cpu_work *work, const void *context);
void krn_cpu_team_await(struct krn_cpu_team *team);

/* Returns KRN_CANCELLED when the work that has just ended may have been abandoned. */
static inline enum krn_code krn_check_cancelled(struct krn_error *why)
{
    return krn_cancelled() ? KRN_FAIL(why, KRN_CANCELLED, "The work was cancelled.") : KRN_OK;
}

/* Returns the first element of part `index` when `count` elements are divided into `parts`. */
static inline size_t krn_cpu_part(size_t count, int index, int parts)
{
    return count / (size_t)parts * (size_t)index +
           count % (size_t)parts * (size_t)index / (size_t)parts;
}

/* Returns a number of a processor's cache, such as "level" or "size", which is in bytes; the first
 * one of a list. index: as Linux counts the caches, instructions' included. -1: the system does not
 * tell, or its number is negative or absurdly large. */
int64_t krn_cpu_cache_number(long processor, int index, const char *which);

/* --- the time that a team takes for jobs without work, which is part of every kernel time --- */

enum { KRN_CPU_JOBS_MAX = 8, KRN_CPU_JOBS_KEPT = 16 };

/* The jobs of a kernel, one after another: the number of pieces of krn_cpu_team_share, or 0 for
 * krn_cpu_team_each. No job: two readings of the clock with nothing between them. */
struct krn_cpu_jobs {
    int count;
    int pieces[KRN_CPU_JOBS_MAX];
};

/* The newest KRN_CPU_JOBS_KEPT overheads that were measured. Zeroed, there are none. */
struct krn_cpu_overheads {
    struct krn_cpu_kept {
        const struct krn_cpu_team *team;
        struct krn_cpu_jobs jobs;
        struct krn_overhead overhead;
    } kept[KRN_CPU_JOBS_KEPT];
    unsigned measured; /* overheads measured so far */
};

/* Returns the median time of a few dozen runs of these jobs without work between two
 * readings of the monotonic clock. Measures it at the first call with these jobs. */
struct krn_overhead krn_cpu_overhead(struct krn_cpu_overheads *overheads, struct krn_cpu_team *team,
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
