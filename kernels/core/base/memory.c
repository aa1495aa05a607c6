/* Small allocations that do not fail: a reserve pays for the end of the run. */
#define _DEFAULT_SOURCE /* reallocarray */
#include "krn/memory.h"

#include "krn/error.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the results of a run take until they are written and shown. */
static const size_t reserve_bytes = (size_t)16 << 20;
static _Atomic(void *) reserve;
static void (*end_run)(bool more);

void krn_memory_begin(void (*end)(bool more))
{
    end_run = end;
    atomic_store(&reserve, malloc(reserve_bytes));
}

static void run_out(void)
{
    void *kept = atomic_exchange(&reserve, NULL);
    if (end_run == NULL)
        abort();
    end_run(kept != NULL);
    free(kept);
}

void *krn_grow(void *memory, size_t count, size_t size)
{
    void *larger = NULL;
    if (!krn_call_fails(KRN_API_NONE, "krn_grow()"))
        larger = reallocarray(memory, count > 0 ? count : 1, size);
    while (larger == NULL) {
        run_out();
        larger = reallocarray(memory, count > 0 ? count : 1, size);
    }
    return larger;
}

void *krn_alloc(size_t count, size_t size)
{
    return memset(krn_grow(NULL, count, size), 0, count * size);
}

char *krn_copy(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    return memcpy(krn_grow(NULL, bytes, 1), text, bytes);
}

char *krn_printed(void (*write)(FILE *out, const void *context), const void *context)
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
