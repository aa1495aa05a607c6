/* app/base/memory.h - small allocations, which do not fail.
 *
 * When memory is full, the first call frees a reserve and ends the run as a signal does
 * (base/interrupt.h): what was measured is written, as incomplete. Without anything to keep, and
 * when the reserve is used up, the process ends with a sentence. What may be large is allocated
 * with malloc and checked: images, scenes and the files that are read.
 */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Allocates the reserve. Without it, a call that fails ends the process. */
void app_memory_begin(void);

/* Returns zeroed memory for `count` elements, to be freed; also for none. */
void *app_alloc(size_t count, size_t size);

/* Returns `memory`, which may be NULL, with room for `count` elements; the new ones are not set. */
void *app_grow(void *memory, size_t count, size_t size);

/* Returns a copy of a text, to be freed. */
char *app_copy(const char *text);

/* Returns what `write` prints to a stream, to be freed. */
char *app_printed(void (*write)(FILE *out, const void *context), const void *context);
