/* kernels/cuda/probes/topics/kernels.h - narrow C wrappers over the topics' kernels (inside
 * kernels/cuda/probes only). */
#ifndef KRN_CUDA_PROBE_KERNELS_H
#define KRN_CUDA_PROBE_KERNELS_H

#include "cuda/probes/compare.h"

#include "krn/access.h"

#include <cuda_runtime_api.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How often the elements under `end` were updated by runs of that size; they add up. */
enum { KRN_CUDA_SAXPY_SIZES = 5 };
struct krn_cuda_updates {
    unsigned end[KRN_CUDA_SAXPY_SIZES], count[KRN_CUDA_SAXPY_SIZES];
};

/* Compares y after these updates with what it must be. */
cudaError_t krn_cuda_compare_saxpy(struct krn_cuda_judge judge, const float *y, size_t count,
                                   struct krn_cuda_updates updates, cudaStream_t stream);

/* Arrays as data.h has them. */
cudaError_t krn_cuda_fill_x(float *x, size_t count, cudaStream_t stream);
cudaError_t krn_cuda_fill_y(float *y, size_t count, cudaStream_t stream);
cudaError_t krn_cuda_fill_digits(int *digits, size_t count, cudaStream_t stream);

/* y = a x + y with 16 bytes a load; n is a multiple of KRN_CUDA_VECTOR_TILE. */
enum { KRN_CUDA_VECTOR_THREADS = 256, KRN_CUDA_VECTOR_TILE = 4 * KRN_CUDA_VECTOR_THREADS };
cudaError_t krn_cuda_saxpy_vector(size_t n, float a, const float *x, float *y, cudaStream_t stream);

/* Sums of cubes of KRN_CUDA_SUM_ELEMENTS numbers by one block; LOADS8 takes 8 x 16 bytes at once:
 * each thread's sum into result, the cycles of thread 0 into *cycles. numbers NULL: of those that
 * probe_data.h has, made and not read, for what is expected; so with the next three too. */
enum { KRN_CUDA_SUM_ELEMENTS = 1 << 20, KRN_CUDA_SUM_THREADS = 1024 };
enum krn_cuda_order { KRN_CUDA_SUM_CHUNK, KRN_CUDA_SUM_STRIDED, KRN_CUDA_SUM_LOADS8 };
cudaError_t krn_cuda_sum(enum krn_cuda_order how, const int *numbers, unsigned long long *result,
                         long long *cycles, cudaStream_t stream);

/* The same over the whole GPU: a sum for each block, blocks of KRN_CUDA_WHOLE_THREADS. Strided:
 * elements is a multiple of KRN_CUDA_WHOLE_TILE, what a block adds up. Chunk: `chunk` neighbouring
 * elements a thread. */
enum { KRN_CUDA_WHOLE_THREADS = 256, KRN_CUDA_WHOLE_TILE = KRN_CUDA_WHOLE_THREADS * 4 * 8 };
cudaError_t krn_cuda_whole_strided(const int *numbers, size_t elements, unsigned long long *result,
                                   cudaStream_t stream);
cudaError_t krn_cuda_whole_chunk(const int *numbers, unsigned chunk, unsigned blocks,
                                 unsigned long long *result, cudaStream_t stream);

/* `reads` elements by a pattern, one a logical thread; a block does KRN_CUDA_PATTERN_TILE of them
 * in order. elements is a power of two. */
enum { KRN_CUDA_PATTERN_TILE = KRN_CUDA_WHOLE_THREADS * 8 };
cudaError_t krn_cuda_pattern(enum krn_pattern pattern, unsigned parameter, const int *numbers,
                             size_t elements, size_t reads, unsigned long long *result,
                             cudaStream_t stream);

/* rounds x KRN_CUDA_ILP_BODY / chains dependent multiply-adds in each of a thread's chains, one of
 * 1, 2, 3, 4, 8; every chain's end into out. */
enum { KRN_CUDA_ILP_BODY = 256 };
cudaError_t krn_cuda_ilp(int chains, int blocks, int threads, int rounds, float *out,
                         long long *cycles, cudaStream_t stream);

/* Copies rounds x blocks x threads x loads items of `width` bytes: in each round a thread has that
 * many loads in flight. `shared` bytes of shared memory a block keep other blocks off its
 * multiprocessor; prepare allows so many. */
cudaError_t krn_cuda_memlat_prepare(int loads, int width, int shared);
cudaError_t krn_cuda_memlat(int loads, int width, int blocks, int threads, int shared, int rounds,
                            const void *from, void *to, cudaStream_t stream);

/* Reads of a table of words from this file's own constant bank (table NULL) or global memory: lanes
 * have `addresses` different ones a warp, a power of two; each thread's sum into out. */
cudaError_t krn_cuda_reads(const uint32_t *table, int addresses, int blocks, int threads,
                           int rounds, uint32_t *out, cudaStream_t stream);
/* One warp walks a table of so many bytes after having read all of it once; the cycles of the walk
 * go into *cycles. */
cudaError_t krn_cuda_walk(const uint32_t *table, unsigned bytes, int steps, uint32_t *out,
                          long long *cycles, cudaStream_t stream);
/* Where that bank lies in device memory: KRN_CUDA_TABLE_BYTES. */
enum { KRN_CUDA_TABLE_BYTES = 64 << 10 };
cudaError_t krn_cuda_reads_bank(void **bank);

/* Atomic adds, `rounds` (a multiple of 16) by each thread to the counter thread >> shift of the
 * grid, in global memory, or of its block, in shared memory; there every block writes its counters
 * to `counters`, one block's after the other's, at the end. Thread t adds 1 + t % 32 each time.
 * threads: at most 1024 per block, a multiple of 32. */
enum krn_cuda_counters {
    KRN_CUDA_ONE_COUNTER = 31, /* the shift */
    KRN_CUDA_COUNTER_PER_WARP = 5,
    KRN_CUDA_COUNTER_PER_THREAD = 0
};
cudaError_t krn_cuda_atomics_global(enum krn_cuda_counters shift, int blocks, int threads,
                                    int rounds, uint32_t *counters, cudaStream_t stream);
cudaError_t krn_cuda_atomics_shared(enum krn_cuda_counters shift, int blocks, int threads,
                                    int rounds, uint32_t *counters, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
