/* app/base/interrupt.h - a flag that SIGINT and SIGTERM set.
 *
 * Long loops poll it, stop early, and write their results marked as incomplete.
 */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers. The first signal sets the flag; a second one of the same kind has its
 * default effect and ends the process. */
void app_interrupt_catch(void);

/* Returns true once a signal has arrived. */
bool app_interrupted(void);

#endif
