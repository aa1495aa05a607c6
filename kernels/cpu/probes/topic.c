#include "cpu/probes/topic.h"

#include <stdlib.h>

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
