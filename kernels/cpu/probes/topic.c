#include "cpu/probes/topic.h"

#include "cpu/runtime/team.h"

#include <stdlib.h>
#include <unistd.h>

void *krn_cpu_alloc(struct krn_cpu_probes *probes, size_t bytes)
{
    /* Arrays are aligned to pages, so that their relative alignment is the same on every run. */
    const size_t page = 4096, whole = (bytes + page - 1) / page * page;
    if (whole == 0 || whole > probes->bytes_left)
        return NULL;
    void *memory = probes->block_count < KRN_CPU_BLOCKS ? aligned_alloc(page, whole) : NULL;
    if (!memory) {
        probes->refused_bytes = whole;
        return NULL;
    }
    probes->bytes_left -= whole;
    probes->blocks[probes->block_count++] = memory;
    return memory;
}

/* Returns the bytes of all last-level caches; 0: not known. The C library's number may count caches
 * of a host that this virtual machine does not have. */
static size_t last_caches(void)
{
    enum { LAST = 3 }; /* its index */
    size_t bytes = 0;
    const long processors = sysconf(_SC_NPROCESSORS_CONF);
    for (long i = 0; i < processors; i++) {
        const int64_t size = krn_cpu_cache_number(i, LAST, "size");
        /* A cache that several processors share counts with the first of them. */
        if (size > 0 && krn_cpu_cache_number(i, LAST, "shared_cpu_list") == i)
            bytes += (size_t)size;
    }
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long known = bytes == 0 ? sysconf(_SC_LEVEL3_CACHE_SIZE) : -1;
    bytes = known > 0 ? (size_t)known : bytes;
#endif
    return bytes;
}

size_t krn_cpu_beyond_caches(void)
{
    const size_t least = (size_t)64 << 20, most = (size_t)256 << 20, wanted = 4 * last_caches();
    size_t bytes = least;
    while (bytes < wanted && bytes < most)
        bytes *= 2;
    return bytes;
}
