/* krn/cancel.h - abandons what the host's processors compute: frames, probes and reference pictures
 * of any length end within some milliseconds.
 *
 * From krn_cancel on, work on the host's processors is left undone and its output is undefined: the
 * CPU backend's functions that render, hash, measure or verify return KRN_CANCELLED. Kernels that
 * run on a GPU are not affected.
 */
#ifndef KRN_CANCEL_H
#define KRN_CANCEL_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Abandons the work in progress and all work that begins later. May be called from any thread and
 * from a signal handler. */
void krn_cancel(void);

/* Returns true from krn_cancel until krn_cancel_end. */
bool krn_cancelled(void);

/* Allows work again. Call it while no work is in progress. */
void krn_cancel_end(void);

#ifdef __cplusplus
}
#endif
#endif
