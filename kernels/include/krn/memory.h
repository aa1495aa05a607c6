/* krn/memory.h - small allocations, which do not fail.
 *
 * When memory is full, the first call frees a reserve and ends the run as a signal does: what was
 * measured is written, as incomplete. Without anything to keep, and when the reserve is used up,
 * the process ends with a sentence. What may be large is allocated with malloc and checked: images,
 * scenes, the memory that threads work in and the files that are read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Allocates the reserve. end: ends the run, and the process where `more` is false: the reserve has
 * been used up. Without this call, an allocation that fails aborts the process. */
void krn_memory_begin(void (*end)(bool more));

/* Returns zeroed memory for `count` elements, to be freed; also for none. */
void *krn_alloc(size_t count, size_t size);

/* Returns `memory`, which may be NULL, with room for `count` elements; the new ones are not set. */
void *krn_grow(void *memory, size_t count, size_t size);

/* Returns a copy of a text, to be freed. */
char *krn_copy(const char *text);

/* Returns what `write` prints to a stream, to be freed. */
char *krn_printed(void (*write)(FILE *out, const void *context), const void *context);
