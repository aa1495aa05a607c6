/* kernels/core/device/tick.h - the tick of a clock, from its readings (private to kernels/). */
#ifndef KRN_TICK_H
#define KRN_TICK_H

/* Returns the smallest difference between two of n readings that is larger than `rounding`, in
 * their unit; 0 when there is none. Readings that differ by less are the same number of ticks, and
 * rounded differently on their way. The result is a multiple of the tick, and the tick itself when
 * the readings are so close together that two of them are neighbours. */
double krn_tick_of(const double *readings, int n, double rounding);

#endif
