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
#ifndef KRN_CPU_TEAM_H
#define KRN_CPU_TEAM_H

#include "krn/error.h"

#include <stddef.h>

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

/* Returns the first element of part `index` when `count` elements are divided into `parts`. */
static inline size_t krn_cpu_part(size_t count, int index, int parts)
{
    return count / (size_t)parts * (size_t)index +
           count % (size_t)parts * (size_t)index / (size_t)parts;
}

#endif
