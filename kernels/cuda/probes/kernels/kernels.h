/* kernels/cuda/probes/kernels/kernels.h - C wrappers over the topics' kernels (private to
 * kernels/cuda/probes). Launches use the given stream and return cudaPeekAtLastError(). */
#pragma once

#include "core/probes/cycle.h"
#include "cuda/light/kernels.h"
#include "cuda/probes/data.h"

#include "krn/access.h"

#include <cuda_runtime_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a run leaves, and what it has to be: element i equals element i % period of both arrays, or
 * krn_probe_word(i, 0) where the elements are words. */
enum krn_cuda_type {
    KRN_CUDA_WORDS,
    KRN_CUDA_UINTS,
    KRN_CUDA_FLOATS,
    KRN_CUDA_DOUBLES,
    KRN_CUDA_SUMS
};
struct krn_cuda_results {
    enum krn_cuda_type type;
    size_t count, period;
    const void *device, *host; /* host: for the default of verify alone */
    void *actual;              /* on the device; NULL: `result` of struct krn_cuda_probes */
};

/* Compares the elements bit by bit with their expected values and then writes the verdict. */
cudaError_t krn_cuda_compare(struct krn_cuda_comparison comparison, struct krn_cuda_results results,
                             cudaStream_t stream);

/* Reads `bytes` bytes, a multiple of 16, and drops them: this loads them into the L2 cache or
 * evicts others. A value that it writes to *unread has no meaning. */
cudaError_t krn_cuda_touch(const void *memory, size_t bytes, unsigned *unread, cudaStream_t stream);

/* Fills `words` with krn_probe_word(i, salt). */
cudaError_t krn_cuda_fill_words(uint32_t *words, size_t count, uint32_t salt, cudaStream_t stream);

/* Numbers of updates of y: runs of end[k] elements have updated the elements below end[k] count[k]
 * times. */
enum { KRN_CUDA_SAXPY_SIZES = 5 };
struct krn_cuda_updates {
    unsigned end[KRN_CUDA_SAXPY_SIZES], count[KRN_CUDA_SAXPY_SIZES];
};

/* Compares y with its expected values after these updates. */
cudaError_t krn_cuda_compare_saxpy(struct krn_cuda_comparison comparison, const float *y,
                                   size_t count, struct krn_cuda_updates updates,
                                   cudaStream_t stream);

/* Fill arrays with the contents that data.h defines. */
cudaError_t krn_cuda_fill_x(float *x, size_t count, cudaStream_t stream);
cudaError_t krn_cuda_fill_y(float *y, size_t count, cudaStream_t stream);
cudaError_t krn_cuda_fill_digits(int *digits, size_t count, cudaStream_t stream);

/* y = a x + y, the published kernel: one element per thread. */
cudaError_t krn_cuda_saxpy(int n, int threads, float a, const float *x, float *y,
                           cudaStream_t stream);
/* The same with 16 bytes per load; n is a multiple of KRN_CUDA_VECTOR_TILE. */
enum { KRN_CUDA_VECTOR_THREADS = 256, KRN_CUDA_VECTOR_TILE = 4 * KRN_CUDA_VECTOR_THREADS };
cudaError_t krn_cuda_saxpy_vector(size_t n, float a, const float *x, float *y, cudaStream_t stream);

/* Waits for `cycles` cycles of the multiprocessor's clock with one thread, then writes the word of
 * data.h to words[index]. */
cudaError_t krn_cuda_wait_and_write(long long cycles, unsigned index, uint32_t *words,
                                    cudaStream_t stream);

/* Adds up the cubes of KRN_CUDA_SUM_ELEMENTS numbers with one block; writes the sum of each thread
 * to result and the cycles of thread 0 to *cycles. A thread of LOADS8 has 8 loads of 16 bytes in
 * flight. When numbers is NULL, this and the next three calls compute the numbers of data.h instead
 * of reading them, which gives the expected sums. */
enum { KRN_CUDA_SUM_ELEMENTS = 1 << 20, KRN_CUDA_SUM_THREADS = 1024 };
enum krn_cuda_order { KRN_CUDA_SUM_CHUNK, KRN_CUDA_SUM_STRIDED, KRN_CUDA_SUM_LOADS8 };
cudaError_t krn_cuda_sum(enum krn_cuda_order how, const int *numbers, unsigned long long *result,
                         long long *cycles, cudaStream_t stream);

/* The same with the whole GPU: one sum per block of KRN_CUDA_WHOLE_THREADS threads. Strided: a
 * block adds up KRN_CUDA_WHOLE_TILE elements, and `elements` is a multiple of them. Chunk: a thread
 * adds up `chunk` adjacent elements. */
enum { KRN_CUDA_WHOLE_THREADS = 256, KRN_CUDA_WHOLE_TILE = KRN_CUDA_WHOLE_THREADS * 4 * 8 };
cudaError_t krn_cuda_whole_strided(const int *numbers, size_t elements, unsigned long long *result,
                                   cudaStream_t stream);
cudaError_t krn_cuda_whole_chunk(const int *numbers, unsigned chunk, unsigned blocks,
                                 unsigned long long *result, cudaStream_t stream);

/* Reads `reads` elements by a pattern, one per logical thread; a block reads KRN_CUDA_PATTERN_TILE
 * of them in order. `elements` is a power of two. */
enum { KRN_CUDA_PATTERN_TILE = KRN_CUDA_WHOLE_THREADS * 8 };
cudaError_t krn_cuda_pattern(enum krn_pattern pattern, unsigned parameter, const int *numbers,
                             size_t elements, size_t reads, unsigned long long *result,
                             cudaStream_t stream);

/* Executes rounds * (KRN_CUDA_ILP_BODY / chains) dependent multiply-adds in each of the 1, 2, 3, 4
 * or 8 chains of a thread; writes the end of every chain to out. */
enum { KRN_CUDA_ILP_BODY = 256 };
cudaError_t krn_cuda_ilp(int chains, int blocks, int threads, int rounds, float *out,
                         long long *cycles, cudaStream_t stream);

/* The same for 1, 2, 4 or 8 chains in blocks of KRN_CUDA_PEAK_THREADS threads, with
 * KRN_CUDA_PEAK_BODY multiply-adds per round, in single or, with `dual`, in double precision. */
enum { KRN_CUDA_PEAK_BODY = 512, KRN_CUDA_PEAK_THREADS = 512 };
cudaError_t krn_cuda_peak(bool dual, int chains, int blocks, int rounds, void *out,
                          cudaStream_t stream);

/* Executes multiply-adds a = a * m + k in KRN_CUDA_OPERAND_CHAINS chains per thread, `rounds` times
 * KRN_CUDA_REGISTER_BODY with every k in a register, or `rounds` times KRN_CUDA_SHARED_BODY with
 * every k loaded from shared memory, 4 or 16 bytes per load. table: KRN_CUDA_OPERAND_WORDS addends
 * and a factor per lane. Writes the end of every chain to out. */
enum {
    KRN_CUDA_OPERAND_CHAINS = 8,
    KRN_CUDA_REGISTER_BODY = 256,
    KRN_CUDA_SHARED_BODY = 64,
    KRN_CUDA_OPERAND_WORDS = 4096 /* 16 KiB of shared memory per block */
};
enum krn_cuda_operand_memory {
    KRN_CUDA_FROM_REGISTERS,
    KRN_CUDA_FROM_SHARED,
    KRN_CUDA_FROM_SHARED16
};
cudaError_t krn_cuda_operands(enum krn_cuda_operand_memory memory, const float *table, int blocks,
                              int threads, int rounds, float *out, cudaStream_t stream);

/* Copies rounds x blocks x threads x loads items of `width` bytes: in each round, a thread has
 * `loads` loads in flight. `shared` bytes of shared memory per block keep other blocks off its
 * multiprocessor; prepare permits that size. */
cudaError_t krn_cuda_memlat_prepare(int loads, int width, int shared);
cudaError_t krn_cuda_memlat(int loads, int width, int blocks, int threads, int shared, int rounds,
                            const void *from, void *to, cudaStream_t stream);

/* Reads a table of words from global memory or, when table is NULL, from the constant bank. The
 * lanes of a warp read `addresses` different addresses, 1 to 32: the words of a row in turn. Writes
 * the sum of each thread to out. */
cudaError_t krn_cuda_reads(const uint32_t *table, int addresses, int blocks, int threads,
                           int rounds, uint32_t *out, cudaStream_t stream);
/* Walks through a table of `bytes` bytes with one warp, which first reads all of it once; writes
 * the cycles of the walk to *cycles. */
cudaError_t krn_cuda_walk(const uint32_t *table, unsigned bytes, int steps, uint32_t *out,
                          long long *cycles, cudaStream_t stream);
/* Gets the address of the constant bank in device memory; it has KRN_CUDA_TABLE_BYTES bytes. */
enum { KRN_CUDA_TABLE_BYTES = 64 << 10 };
cudaError_t krn_cuda_reads_bank(void **bank);

/* Each thread t adds 1 + t % 32 to a counter `rounds` times, a multiple of 16. The number of the
 * counter is t >> shift, where t counts the threads of the grid for counters in global memory and
 * those of the block for counters in shared memory. At the end, each block writes its shared
 * counters to `counters`, one block after another. threads: at most 1024 per block, a multiple of
 * 32. */
enum krn_cuda_counters {
    KRN_CUDA_ONE_COUNTER = 31, /* the shift */
    KRN_CUDA_COUNTER_PER_WARP = 5,
    KRN_CUDA_COUNTER_PER_THREAD = 0
};
cudaError_t krn_cuda_atomics(bool shared, enum krn_cuda_counters shift, int blocks, int threads,
                             int rounds, uint32_t *counters, cudaStream_t stream);

/* Each warp of one block reads words of shared memory `steps` times, a multiple of 16: its lanes
 * are `stride` words apart, at most 33, and each read gives the offset of the lane's next one,
 * which is krn_probe_next. Writes the last offset of each thread to out, and the cycles of all
 * reads to *cycles. */
enum { KRN_CUDA_BANKS_WORDS = 2048 };
cudaError_t krn_cuda_banks(unsigned stride, int threads, int steps, uint32_t *out,
                           long long *cycles, cudaStream_t stream);

/* Chains of dependent reads: each line of a table has a word, in the slot of the chain, that holds
 * the index of the next word. The order of the lines is that of the cycle. */
enum {
    KRN_CUDA_CHAIN_LINE = 128, /* bytes per line */
    KRN_CUDA_CHAIN_SLOTS = KRN_CUDA_CHAIN_LINE / 4,
    KRN_CUDA_CHAIN_THREADS = 1024
};
enum krn_cuda_chain_memory { KRN_CUDA_CHAIN_L1, KRN_CUDA_CHAIN_L2, KRN_CUDA_CHAIN_SHARED };

/* Permits `shared` bytes of shared memory, and asks for as much L1 cache as there is elsewhere. */
cudaError_t krn_cuda_chain_prepare(int shared);
cudaError_t krn_cuda_chain_fill(struct krn_cycle cycle, uint32_t slot, uint32_t *table,
                                cudaStream_t stream);
/* Writes the expected word, and another one to *out. */
cudaError_t krn_cuda_chain_expect(uint32_t word, uint32_t *expected, uint32_t *out,
                                  cudaStream_t stream);
/* Reads `bytes` bytes, a multiple of 16, into L2 by one multiprocessor. Writes numbers without a
 * meaning to the KRN_CUDA_CHAIN_THREADS words after *out. */
cudaError_t krn_cuda_chain_warm(const void *memory, size_t bytes, uint32_t *out,
                                cudaStream_t stream);
/* Follows the chain with one thread for steps + 1 reads from word `start` on, steps a multiple of
 * 16; writes the last word to *out and the cycles of `steps` reads to *cycles. Before that, the
 * other threads of the block read the chain's words of the first `lines` lines, or copy them to
 * shared memory, where the indices count lines. */
cudaError_t krn_cuda_chain(enum krn_cuda_chain_memory where, const uint32_t *table, uint32_t slot,
                           uint32_t lines, uint32_t start, int steps, uint32_t *out,
                           long long *cycles, cudaStream_t stream);

/* Runs a program of assets/kernels/where-*.cu on spheres that lie at `memory`, or in the constant
 * bank where that is NULL, packed as the program reads them; image.count is at most
 * KRN_CUDA_WHERE_SPHERES. */
enum krn_cuda_where {
    KRN_CUDA_WHERE_BOOK,
    KRN_CUDA_WHERE_PLAIN,
    KRN_CUDA_WHERE_VECTOR,
    KRN_CUDA_WHERE_ARRAYS,
    KRN_CUDA_WHERE_PROGRAMS
};
enum { KRN_CUDA_WHERE_SPHERES = 2000, KRN_CUDA_WHERE_BYTES = 28 * KRN_CUDA_WHERE_SPHERES };
cudaError_t krn_cuda_where(enum krn_cuda_where program, const void *memory,
                           struct krn_cuda_frame image, cudaStream_t stream);
/* Packs spheres into KRN_CUDA_WHERE_BYTES bytes of host memory, aligned to 16. */
void krn_cuda_where_pack(enum krn_cuda_where program, const struct krn_sphere *spheres, int count,
                         void *memory);
/* Gets the address of the constant bank in device memory; it has KRN_CUDA_WHERE_BYTES bytes. */
cudaError_t krn_cuda_where_bank(void **bank);

/* The light view's kernels with the scene in a constant bank of the probes, so that the picture on
 * screen keeps its own. The bank has the layout of krn_cuda_tree_constant_bank. */
krn_cuda_tree_trace krn_cuda_bounces_tree;
krn_cuda_brute krn_cuda_bounces_brute;
cudaError_t krn_cuda_bounces_bank(void **bank);

#ifdef __cplusplus
}
#endif
