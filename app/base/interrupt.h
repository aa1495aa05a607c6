/* app/base/interrupt.h - SIGINT and SIGTERM: loops end, what was measured is written as incomplete.
 */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* From now on the two signals are taken note of; a second one ends the process as usual. */
void app_interrupt_catch(void);

bool app_interrupted(void);

#endif
