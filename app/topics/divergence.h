/* app/topics/divergence.h - the predicted and the measured slow-down of reads at 1 to 32 addresses
 * per warp. */
#ifndef APP_DIVERGENCE_H
#define APP_DIVERGENCE_H

#include "model/probe_result.h"

#include "krn/access.h"

/* The memories that the lanes of a warp read from. */
enum app_divergent { APP_DIVERGENT_CONSTANT, APP_DIVERGENT_GLOBAL, APP_DIVERGENTS };

/* Returns the time of `addresses` addresses per warp over that of one; not valid before both were
 * measured. */
struct app_estimate app_divergence_measured(const struct app_probes_view *view,
                                            enum app_divergent memory, int addresses);

/* Returns the slow-down that the hardware's rules give: constant memory delivers one address after
 * another; the cache of global memory delivers the adjacent words of a warp, which are no longer
 * than one of its lines of 128 bytes, in one pass. */
double app_divergence_predicted(enum app_divergent memory, int addresses);

#endif
