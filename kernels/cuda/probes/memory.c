/* All memory of the probes, taken at once and filled. */
#include "cuda/probes/probes.h"

#include <stdlib.h>
#include <string.h>

/* The largest arrays, where nothing shrinks them. */
static const size_t saxpy_most = (size_t)1 << 28, numbers_most = (size_t)1 << 28,
                    copy_most = (size_t)1 << 29, transfer_most = (size_t)1 << 28;
enum { HALVINGS = 28 };

/* A piece of the memory; with none taken yet, only what it adds. */
static void *carve(const struct krn_cuda_probes *probes, size_t *used, size_t bytes)
{
    const size_t edge = 512, at = *used;
    if (bytes == 0)
        return NULL;
    *used += (bytes + edge - 1) / edge * edge;
    return probes->memory ? probes->memory + at : NULL;
}

static size_t at_least(size_t size, size_t least)
{
    return size >= least ? size : 0;
}

/* Every topic's sizes with the largest halved so often. */
static void plan_sizes(struct krn_cuda_probes *probes, int halvings, size_t bytes_max)
{
    const struct krn_device_info *info = probes->info;
    const size_t mebi = (size_t)1 << 20, l2 = info->l2_bytes > 0 ? info->l2_bytes : 32 * mebi;
    const unsigned topics = probes->topics;
    probes->saxpy_elements =
        topics >> KRN_TOPIC_SAXPY & 1 ? at_least(saxpy_most >> halvings, mebi) : 0;
    probes->numbers_count = topics >> KRN_TOPIC_ACCESS & 1
                                ? at_least(numbers_most >> halvings, KRN_CUDA_SUM_ELEMENTS)
                                : 0;
    probes->copy_bytes = topics >> KRN_TOPIC_MEMLAT & 1 ? at_least(copy_most >> halvings, mebi) : 0;
    probes->transfer_bytes =
        topics >> KRN_TOPIC_TRANSFER & 1 ? at_least(transfer_most >> halvings, 4096) : 0;
    /* What overwrites the caches: not at the cost of all the rest. */
    const bool flush =
        (probes->numbers_count > 0 || probes->copy_bytes > 0) && 2 * l2 <= bytes_max / 4;
    probes->flush_bytes = flush ? (2 * l2 + mebi - 1) / mebi * mebi : 0;
    /* Eight chains of every thread that is resident at once, or the blocks' sums. */
    const size_t chains = (size_t)info->processors * (size_t)info->threads_per_processor * 8 * 4;
    const size_t blocks = probes->numbers_count / KRN_CUDA_PATTERN_TILE;
    probes->result_bytes = chains;
    if (probes->result_bytes < blocks * 8)
        probes->result_bytes = blocks * 8;
    if (probes->result_bytes < mebi / 8)
        probes->result_bytes = mebi / 8;
    probes->sums_room =
        probes->numbers_count > 0 ? 3 * KRN_CUDA_SUM_THREADS + 3 * blocks + mebi / 4 : 0;
}

static size_t carve_all(struct krn_cuda_probes *probes)
{
    size_t used = 0;
    probes->x = carve(probes, &used, 4 * probes->saxpy_elements);
    probes->y = carve(probes, &used, 4 * probes->saxpy_elements);
    probes->numbers = carve(probes, &used, 4 * probes->numbers_count);
    probes->from = carve(probes, &used, probes->copy_bytes);
    probes->to = carve(probes, &used, probes->copy_bytes);
    probes->remote = carve(probes, &used, probes->transfer_bytes);
    probes->flush = carve(probes, &used, probes->flush_bytes);
    probes->result = carve(probes, &used, probes->result_bytes);
    probes->sums = carve(probes, &used, 8 * probes->sums_room);
    probes->tables = carve(probes, &used, 4 * KRN_CUDA_TABLE_WORDS);
    probes->tally = carve(probes, &used, sizeof *probes->tally);
    probes->cycles = carve(probes, &used, sizeof *probes->cycles);
    probes->unread = carve(probes, &used, sizeof *probes->unread);
    return used;
}

static enum krn_code take_device(struct krn_cuda_probes *probes, size_t bytes_max,
                                 struct krn_error *error)
{
    for (int i = 0; i <= HALVINGS; i++) {
        plan_sizes(probes, i, bytes_max);
        probes->memory_bytes = carve_all(probes);
        if (probes->memory_bytes > bytes_max)
            continue;
        void *memory = NULL;
        const enum krn_code code = KRN_CUDA(cudaMalloc(&memory, probes->memory_bytes), error);
        if (code == KRN_NO_MEMORY)
            continue;
        probes->memory = memory;
        if (code == KRN_OK)
            (void)carve_all(probes);
        return code;
    }
    return KRN_FAIL(error, KRN_NO_MEMORY,
                    "The panels need %zu MiB of the device's memory at least.",
                    (probes->memory_bytes >> 20) + 1);
}

static enum krn_code take_host(struct krn_cuda_probes *probes, struct krn_error *error)
{
    void *host = NULL, *device = NULL;
    enum krn_code code =
        KRN_CUDA(cudaHostAlloc(&host, sizeof *probes->mapped, cudaHostAllocMapped), error);
    probes->mapped = host;
    if (code == KRN_OK) {
        memset(host, 0, sizeof *probes->mapped);
        atomic_init(&probes->mapped->ticket, 0);
        code = KRN_CUDA(cudaHostGetDevicePointer(&device, host, 0), error);
        probes->mapped_on_device = device;
        probes->gate.stream = probes->stream;
        probes->gate.ticket = &probes->mapped->ticket;
        probes->gate.on_device = (const unsigned *)&probes->mapped_on_device->ticket;
    }
    probes->host_tables = malloc(4 * KRN_CUDA_TABLE_WORDS);
    if (code == KRN_OK && !probes->host_tables)
        code = KRN_FAIL(error, KRN_NO_MEMORY, "No memory for the panels' tables.");
    return code;
}

/* Where the host has no such memory, or must not lock so much of it, there are no transfers, and
 * the other topics need none. */
static enum krn_code take_transfers(struct krn_cuda_probes *probes, struct krn_error *error)
{
    if (probes->transfer_bytes == 0)
        return KRN_OK;
    void *pinned = NULL;
    enum krn_code code =
        KRN_CUDA(cudaHostAlloc(&pinned, probes->transfer_bytes, cudaHostAllocDefault), error);
    probes->pinned = pinned;
    if (code != KRN_OK && code != KRN_NO_MEMORY)
        return code;
    probes->pageable = malloc(probes->transfer_bytes);
    probes->host_unknown = true; /* filled by the first run that wants it */
    if (code == KRN_OK && probes->pageable)
        return KRN_OK;
    (void)KRN_FAIL(error, KRN_NO_MEMORY, "The host has no %zu MiB for transfers, page-locked.",
                   probes->transfer_bytes >> 20);
    krn_probes_refuse(&probes->base, KRN_TOPIC_TRANSFER, error);
    probes->transfer_bytes = 0;
    return KRN_OK;
}

static enum krn_code fill_arrays(struct krn_cuda_probes *probes, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (probes->x)
        code = KRN_CUDA(krn_cuda_fill_x(probes->x, probes->saxpy_elements, probes->stream), error);
    probes->y_unknown = true; /* the same */
    if (code == KRN_OK && probes->numbers)
        code = KRN_CUDA(
            krn_cuda_fill_digits(probes->numbers, probes->numbers_count, probes->stream), error);
    if (code == KRN_OK && probes->from)
        code = KRN_CUDA(
            krn_cuda_fill_words(probes->from, probes->copy_bytes / 4, 0, probes->stream), error);
    if (code == KRN_OK && probes->flush)
        code =
            KRN_CUDA(cudaMemsetAsync(probes->flush, 0, probes->flush_bytes, probes->stream), error);
    if (code == KRN_OK)
        code = KRN_CUDA(cudaMemsetAsync(probes->cycles, 0, sizeof *probes->cycles, probes->stream),
                        error);
    if (code == KRN_OK)
        code = KRN_CUDA(krn_cuda_reads_bank(&probes->bank), error);
    if (code != KRN_OK)
        return code;
    memset(probes->host_tables, 0, 4 * KRN_CUDA_TABLE_WORDS);
    krn_cuda_constant_tables(probes->host_tables);
    krn_cuda_ilp_tables(probes->host_tables);
    return KRN_CUDA(cudaMemcpyAsync(probes->tables, probes->host_tables, 4 * KRN_CUDA_TABLE_WORDS,
                                    cudaMemcpyHostToDevice, probes->stream),
                    error);
}

enum krn_code krn_cuda_probes_alloc(struct krn_cuda_probes *probes, size_t bytes_max,
                                    struct krn_error *error)
{
    enum krn_code code = take_device(probes, bytes_max, error);
    if (code == KRN_OK)
        code = take_host(probes, error);
    if (code == KRN_OK)
        code = take_transfers(probes, error);
    cudaEvent_t *const events[] = {&probes->slice_start, &probes->start, &probes->stop,
                                   &probes->slice_stop};
    for (int i = 0; code == KRN_OK && i < 4; i++)
        code = KRN_CUDA(cudaEventCreate(events[i]), error);
    return code == KRN_OK ? fill_arrays(probes, error) : code;
}

void krn_cuda_probes_free(struct krn_cuda_probes *probes)
{
    const cudaEvent_t events[] = {probes->slice_start, probes->start, probes->stop,
                                  probes->slice_stop};
    for (int i = 0; i < 4; i++)
        if (events[i])
            cudaEventDestroy(events[i]);
    cudaFree(probes->memory);
    if (probes->mapped)
        cudaFreeHost(probes->mapped);
    if (probes->pinned)
        cudaFreeHost(probes->pinned);
    free(probes->pageable);
    free(probes->host_tables);
    (void)cudaGetLastError();
}
