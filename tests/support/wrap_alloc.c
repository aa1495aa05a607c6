/* The program's own allocations, which the linker brings here (--wrap), so that tests can make each
 * of them fail: SPHERESCOPE_FAIL=any-alloc:N (krn/error.h). Those of libraries, and the small ones
 * of krn/memory.h, are not touched. */
#include "krn/error.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static void end(void)
{
    krn_fail_calls(NULL);
}

/* After main, gcov allocates, too, and does not survive a failure. */
__attribute__((constructor)) static void begin(void)
{
    (void)atexit(end);
}

static bool fails(const char *call)
{
    if (!krn_call_fails(KRN_API_ALLOC, call))
        return false;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return fails("malloc()") ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails("calloc()") ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    return fails("realloc()") ? NULL : __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return fails("aligned_alloc()") ? NULL : __real_aligned_alloc(alignment, bytes);
}
