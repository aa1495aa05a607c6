/* Memory of the CPU's probes: taken once, never more than was allowed. */
#include "cpu/probes/probes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pages' edges, so that arrays lie to each other as on any machine. */
enum { PAGE = 4096 };

static const size_t floats_most = (size_t)1 << 26, floats_least = (size_t)1 << 10;
static const size_t line_bytes_most = (size_t)256 << 20, line_bytes_least = (size_t)1 << 10;

/* Beyond the last-level cache where the system tells its size. Walks want 64 MiB. */
static size_t chase_bytes(void)
{
    size_t bytes = (size_t)64 << 20;
#ifdef _SC_LEVEL3_CACHE_SIZE
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    const size_t wanted = cache > 0 ? 4 * (size_t)cache : 0;
    while (bytes < wanted && bytes < line_bytes_most)
        bytes *= 2;
#endif
    return bytes;
}

static size_t rounded(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* NULL where it is not allowed; *failed where the system has none. */
static void *take(struct krn_cpu_blocks *blocks, size_t bytes, bool *failed)
{
    bytes = rounded(bytes);
    if (bytes == 0 || bytes > blocks->left)
        return NULL;
    void *memory = aligned_alloc(PAGE, bytes);
    if (memory)
        blocks->left -= bytes;
    else
        *failed = true;
    return memory;
}

/* The large arrays: the largest is halved until all of them fit. */
static void take_large(struct krn_cpu_blocks *b, bool reads, bool writes, size_t line_bytes,
                       bool *failed)
{
    size_t floats = reads ? floats_most : 0;
    const size_t arrays = writes ? 2 : 1;
    for (;;) {
        const size_t stream = floats > 0 ? arrays * rounded((floats + KRN_CPU_PAD) * 4) : 0;
        if (stream + line_bytes <= b->left)
            break;
        if (stream >= line_bytes)
            floats = floats > floats_least ? floats / 2 : 0;
        else
            line_bytes = line_bytes > line_bytes_least ? line_bytes / 2 : 0;
    }
    if (floats > 0)
        b->x = take(b, (floats + KRN_CPU_PAD) * 4, failed);
    if (floats > 0 && writes)
        b->y = take(b, floats * 4, failed);
    if (line_bytes > 0)
        b->lines = take(b, line_bytes, failed);
    b->floats = b->x ? floats : 0;
    b->line_count = b->lines ? line_bytes / KRN_LINE_BYTES : 0;
}

enum krn_code krn_cpu_blocks_alloc(struct krn_cpu_probes *probes, unsigned topics, size_t bytes_max,
                                   struct krn_error *error)
{
    struct krn_cpu_blocks *b = &probes->blocks;
    const size_t threads = (size_t)probes->threads;
    const bool ilp = topics & 1u << KRN_TOPIC_ILP, access = topics & 1u << KRN_TOPIC_ACCESS;
    const bool writes = topics & (1u << KRN_TOPIC_SAXPY | 1u << KRN_TOPIC_TRANSFER);
    const bool memlat = topics & 1u << KRN_TOPIC_MEMLAT;
    const bool constant = topics & 1u << KRN_TOPIC_CONSTANT;
    bool failed = false;
    b->left = bytes_max;
    if (ilp) {
        const size_t lanes = KRN_CPU_CHAINS * (size_t)probes->kernels->width;
        b->start = take(b, (2 + threads) * lanes * sizeof *b->start, &failed);
        b->expected_ends = b->start ? b->start + lanes : NULL;
        b->ends = b->start ? b->start + 2 * lanes : NULL;
    }
    if (memlat || constant) {
        b->at = take(b, threads * KRN_CPU_CHAINS * sizeof *b->at, &failed);
    }
    if (access) {
        b->sums = take(b, KRN_CPU_LOGICAL * sizeof *b->sums, &failed);
        b->numbers = take(b, (KRN_CPU_CUBES + 3 * KRN_CPU_LOGICAL) * sizeof *b->numbers, &failed);
        b->cubes = b->numbers ? b->numbers + KRN_CPU_CUBES : NULL;
        b->expected_cubes = b->numbers ? b->cubes + KRN_CPU_LOGICAL : NULL;
    }
    const size_t walk = constant ? (size_t)64 << 20 : 0;
    take_large(b, writes || (access && b->sums), writes,
               !b->at   ? 0
               : memlat ? chase_bytes()
                        : walk,
               &failed);
    if (failed)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the panels' probes, %zu MiB.",
                        (bytes_max - b->left) >> 20);
    return KRN_OK;
}

void krn_cpu_blocks_free(struct krn_cpu_blocks *blocks)
{
    free(blocks->x);
    free(blocks->y);
    free(blocks->lines);
    free(blocks->at);
    free(blocks->numbers);
    free(blocks->sums);
    free(blocks->start);
    memset(blocks, 0, sizeof *blocks);
}
