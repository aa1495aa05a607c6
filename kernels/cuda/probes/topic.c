/* Functions that topics share: memory, caches, comparisons, reading back. */
#include "cuda/probes/topic.h"

#include <stdlib.h>

const double krn_cuda_warps[KRN_CUDA_WARP_POINTS] = {32, 64, 128, 256, 512, 1024};

struct krn_cuda_results krn_cuda_tabled(const struct krn_cuda_probes *probes, enum krn_topic topic,
                                        enum krn_cuda_type type, size_t count, size_t period,
                                        size_t at)
{
    const struct krn_cuda_table table = probes->tables[topic];
    return (struct krn_cuda_results){.type = type,
                                     .count = count,
                                     .period = period,
                                     .device = (const unsigned char *)table.device + at,
                                     .host = (const unsigned char *)table.host + at};
}

void krn_cuda_request_result(struct krn_cuda_probes *probes, size_t bytes)
{
    if (probes->result_bytes < bytes)
        probes->result_bytes = bytes;
}

size_t krn_cuda_at_least(size_t size, size_t least)
{
    return size >= least ? size : 0;
}

void *krn_cuda_carve(struct krn_cuda_probes *probes, size_t bytes)
{
    const size_t edge = 512, at = probes->carved_bytes;
    if (bytes == 0)
        return NULL;
    probes->carved_bytes += (bytes + edge - 1) / edge * edge;
    return probes->memory ? probes->memory + at : NULL;
}

void krn_cuda_probe_flush(struct krn_cuda_probes *probes)
{
    /* Writing evicts all other data. Reading then writes the dirty lines back to memory, so that
     * this does not happen during the run. */
    KRN_CUDA_DO(probes, cudaMemsetAsync(probes->flush, 1, probes->flush_bytes, probes->stream));
    KRN_CUDA_DO(probes,
                krn_cuda_touch(probes->flush, probes->flush_bytes, probes->unread, probes->stream));
}

struct krn_cuda_comparison krn_cuda_probe_comparison(const struct krn_cuda_probes *probes)
{
    const struct krn_cuda_comparison comparison = {probes->tally, probes->cycles,
                                                   &probes->mapped_on_device->verdict};
    return comparison;
}

double krn_cuda_probe_ms(const struct krn_cuda_probes *probes, double bytes)
{
    return bytes / (probes->gbps * 1e6);
}

double krn_cuda_elapsed(struct krn_cuda_probes *probes, cudaEvent_t from, cudaEvent_t to)
{
    float between = 0.0f;
    KRN_CUDA_DO(probes, cudaEventElapsedTime(&between, from, to));
    return (double)between;
}

/* Maximum number of bytes that verify reads back at a time, a multiple of the size of every
 * element. */
static const size_t piece_bytes = (size_t)16 << 20;

void krn_cuda_probe_read(struct krn_cuda_probes *probes, const void *device, size_t bytes,
                         void (*piece)(void *context, size_t offset, const void *data,
                                       size_t bytes),
                         void *context)
{
    void *data = malloc(bytes < piece_bytes ? bytes : piece_bytes);
    if (!data)
        probes->code = KRN_FAIL(probes->error, KRN_NO_MEMORY, "No memory to verify a measurement.");
    for (size_t at = 0; probes->code == KRN_OK && at < bytes; at += piece_bytes) {
        const size_t part = bytes - at < piece_bytes ? bytes - at : piece_bytes;
        KRN_CUDA_DO(probes, cudaMemcpyAsync(data, (const unsigned char *)device + at, part,
                                            cudaMemcpyDeviceToHost, probes->stream));
        KRN_CUDA_DO(probes, cudaStreamSynchronize(probes->stream));
        if (probes->code == KRN_OK)
            piece(context, at, data, part);
        if (probes->code == KRN_OK && krn_cancelled())
            probes->code = KRN_FAIL(probes->error, KRN_CANCELLED, "The comparison was cancelled.");
    }
    free(data);
}

static void collect(void *copy, size_t offset, const void *data, size_t bytes)
{
    memcpy((unsigned char *)copy + offset, data, bytes);
}

uint8_t *krn_cuda_probe_copy(struct krn_cuda_probes *probes, size_t bytes)
{
    uint8_t *copy = malloc(bytes);
    if (copy)
        krn_cuda_probe_read(probes, probes->result, bytes, collect, copy);
    else
        probes->code = KRN_FAIL(probes->error, KRN_NO_MEMORY, "No memory to verify a measurement.");
    return copy;
}
