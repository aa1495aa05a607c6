/* app/results/memory.h - the memory of a results record: blocks and texts that are freed at once.
 */
#ifndef APP_RESULTS_MEMORY_H
#define APP_RESULTS_MEMORY_H

#include <stddef.h>

struct app_results_memory;

/* Returns an empty memory. */
struct app_results_memory *app_results_memory_new(void);
void app_results_memory_free(struct app_results_memory *memory); /* accepts NULL */

/* Returns zeroed memory that lives as long as *memory. */
void *app_results_take(struct app_results_memory *memory, size_t count, size_t size);

/* Returns a text with the same characters that lives as long as *memory. Equal texts are kept once,
 * as a rule: a record repeats the names of its members in every result. */
const char *app_results_keep(struct app_results_memory *memory, const char *text);

#endif
