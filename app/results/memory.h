/* app/results/memory.h - the memory of a results record: blocks and texts that are freed at once.
 */
#ifndef APP_RESULTS_MEMORY_H
#define APP_RESULTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct app_results_memory;

/* Returns an empty memory; NULL when there is none. */
struct app_results_memory *app_results_memory_new(void);
void app_results_memory_free(struct app_results_memory *memory); /* accepts NULL */

/* Returns zeroed memory that lives as long as *memory; NULL when there is none. */
void *app_results_take(struct app_results_memory *memory, size_t count, size_t size);

/* Returns a text with the same characters that lives as long as *memory. Equal texts are kept once,
 * as a rule: a record repeats the names of its members in every result. "" when there is no memory,
 * which app_results_memory_full tells from then on. */
const char *app_results_keep(struct app_results_memory *memory, const char *text);

/* Returns true when the memory has refused a block or a text. */
bool app_results_memory_full(const struct app_results_memory *memory);

#endif
