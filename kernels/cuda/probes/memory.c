/* Allocates all memory of the probes at once: the topics plan their arrays, carve them out of one
 * allocation and fill them. */
#include "cuda/probes/memory.h"

#include "cuda/runtime/mapped.h"

#include <stdlib.h>

enum { HALVINGS = 28 };

static const size_t mebi = (size_t)1 << 20;

static void plan(struct krn_cuda_probes *probes, int halvings, size_t bytes_max)
{
    const size_t l2 = probes->info->l2_bytes > 0 ? probes->info->l2_bytes : 32 * mebi;
    probes->flush_requested = false;
    probes->result_bytes = mebi / 8;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        if (probes->topics[t] && probes->topics[t]->plan)
            probes->topics[t]->plan(probes, halvings);
    /* The buffer that overwrites the caches must not take the memory of the arrays. */
    const bool fits = 2 * l2 <= bytes_max / 4;
    probes->flush_bytes = probes->flush_requested && fits ? (2 * l2 + mebi - 1) / mebi * mebi : 0;
}

/* Hands out the memory; before it is allocated, only adds up its size. */
static void carve(struct krn_cuda_probes *probes)
{
    probes->carved_bytes = 0;
    for (int t = 0; t < KRN_TOPIC_COUNT; t++)
        if (probes->topics[t] && probes->topics[t]->carve)
            probes->topics[t]->carve(probes);
    probes->flush = krn_cuda_carve(probes, probes->flush_bytes);
    probes->result = krn_cuda_carve(probes, probes->result_bytes);
    probes->tally = krn_cuda_carve(probes, sizeof *probes->tally);
    probes->cycles = krn_cuda_carve(probes, sizeof *probes->cycles);
    probes->unread = krn_cuda_carve(probes, sizeof *probes->unread);
}

static enum krn_code alloc_device(struct krn_cuda_probes *probes, size_t bytes_max,
                                  struct krn_error *error)
{
    for (int i = 0; i <= HALVINGS; i++) {
        plan(probes, i, bytes_max);
        carve(probes);
        probes->memory_bytes = probes->carved_bytes;
        if (probes->memory_bytes > bytes_max)
            continue;
        void *memory = NULL;
        const enum krn_code code = KRN_CUDA(cudaMalloc(&memory, probes->memory_bytes), error);
        if (code == KRN_NO_MEMORY)
            continue;
        probes->memory = memory;
        if (code == KRN_OK)
            carve(probes);
        return code;
    }
    return KRN_FAIL(error, KRN_NO_MEMORY,
                    "The panels need at least %zu MiB of the device's memory.",
                    (probes->memory_bytes >> 20) + 1);
}

static enum krn_code alloc_host(struct krn_cuda_probes *probes, struct krn_error *error)
{
    void *host, *device;
    const enum krn_code code = krn_cuda_alloc_mapped(sizeof *probes->mapped, &host, &device, error);
    probes->mapped = host;
    if (code == KRN_OK) {
        probes->mapped_on_device = device;
        probes->gate.stream = probes->stream;
        probes->gate.page = &probes->mapped->gate;
        probes->gate.on_device = &probes->mapped_on_device->gate;
    }
    return code;
}

static enum krn_code fill(struct krn_cuda_probes *probes, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    for (int t = 0; code == KRN_OK && t < KRN_TOPIC_COUNT; t++)
        if (probes->topics[t] && probes->topics[t]->fill)
            code = probes->topics[t]->fill(probes, error);
    if (code == KRN_OK && probes->flush)
        code =
            KRN_CUDA(cudaMemsetAsync(probes->flush, 0, probes->flush_bytes, probes->stream), error);
    return code == KRN_OK ? KRN_CUDA(cudaMemsetAsync(probes->cycles, 0, sizeof *probes->cycles,
                                                     probes->stream),
                                     error)
                          : code;
}

enum krn_code krn_cuda_probes_alloc(struct krn_cuda_probes *probes, size_t bytes_max,
                                    struct krn_error *error)
{
    enum krn_code code = alloc_device(probes, bytes_max, error);
    if (code == KRN_OK)
        code = alloc_host(probes, error);
    cudaEvent_t *const events[] = {&probes->slice_start, &probes->start, &probes->stop,
                                   &probes->slice_stop};
    for (int i = 0; code == KRN_OK && i < 4; i++)
        code = KRN_CUDA(cudaEventCreate(events[i]), error);
    if (code == KRN_OK)
        code = krn_cuda_overhead_open(&probes->overhead, &probes->gate, error);
    return code == KRN_OK ? fill(probes, error) : code;
}

void krn_cuda_probes_free(struct krn_cuda_probes *probes)
{
    const cudaEvent_t events[] = {probes->slice_start, probes->start, probes->stop,
                                  probes->slice_stop};
    for (int i = 0; i < 4; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
    krn_cuda_overhead_close(&probes->overhead);
    cudaFree(probes->memory);
    if (probes->mapped)
        cudaFreeHost(probes->mapped);
    for (int t = 0; t < KRN_TOPIC_COUNT; t++) {
        if (probes->topics[t] && probes->topics[t]->release)
            probes->topics[t]->release(probes);
        free(probes->state[t]);
    }
    (void)cudaGetLastError();
}
