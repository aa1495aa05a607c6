/* times.h - the timer queries' lifetime, for renderer.c (inside render/ only). */
#ifndef REN_TIMES_STATE_H
#define REN_TIMES_STATE_H

struct ren_times;

void ren_times_free(struct ren_times *times); /* NULL is fine */

#endif
