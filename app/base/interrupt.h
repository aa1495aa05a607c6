/* app/base/interrupt.h - flags that signals and a time limit set.
 *
 * Long loops poll them, stop early, and write their results marked as incomplete. Work on the
 * host's processors is abandoned at once (krn/cancel.h).
 */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers of SIGINT, SIGTERM and SIGHUP. The first signal sets the flag; one that
 * arrives half a second later or more ends the process. Ignores SIGPIPE and SIGXFSZ: a closed pipe
 * and a limit on the size of files are failed writes. */
void app_interrupt_catch(void);

/* Returns true once a signal has arrived. */
bool app_interrupted(void);

/* Sets a time limit, in seconds from now; 0 removes it. */
void app_interrupt_after(double seconds);

/* Allows work on the host's processors again, for `seconds`: for the last frame of an interrupted
 * run. */
void app_interrupt_allow(double seconds);

/* Returns true when nothing more may be measured: after a signal, or when the time limit is up. */
bool app_must_stop(void);

#endif
