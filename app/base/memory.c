/* app/base/memory.c - small allocations that do not fail: a reserve pays for the end of the run. */
#define _DEFAULT_SOURCE /* reallocarray */
#include "base/memory.h"

#include "base/interrupt.h"

#include "krn/error.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the results of a run take until they are written and shown. */
static const size_t reserve_bytes = (size_t)16 << 20;
static _Atomic(void *) reserve;

void app_memory_begin(void)
{
    atomic_store(&reserve, malloc(reserve_bytes));
}

/* Frees the reserve and ends the run; without a reserve, ends the process. */
static void run_out(void)
{
    void *kept = atomic_exchange(&reserve, NULL);
    app_interrupt_full(kept != NULL);
    free(kept);
}

void *app_grow(void *memory, size_t count, size_t size)
{
    void *larger = NULL;
    if (!krn_call_fails(KRN_API_NONE, "app_grow()"))
        larger = reallocarray(memory, count > 0 ? count : 1, size);
    while (larger == NULL) {
        run_out();
        larger = reallocarray(memory, count > 0 ? count : 1, size);
    }
    return larger;
}

void *app_alloc(size_t count, size_t size)
{
    return memset(app_grow(NULL, count, size), 0, count * size);
}

char *app_copy(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(app_grow(NULL, bytes, 1), text, bytes);
}

char *app_printed(void (*write)(FILE *out, const void *context), const void *context)
{
    for (;;) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        if (out != NULL)
            write(out, context);
        const bool whole = out != NULL && ferror(out) == 0;
        if (out != NULL && fclose(out) == 0 && whole)
            return text;
        free(text);
        run_out();
    }
}
