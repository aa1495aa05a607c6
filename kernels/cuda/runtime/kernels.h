/* kernels/cuda/runtime/kernels.h - C wrappers over kernels that several topics use. Those of the
 * first group serve every frame and are not timed themselves. Each launches on the given stream and
 * returns cudaPeekAtLastError(). */
#pragma once

#include "krn/device.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the hash of the image's pixels to *sum, in device memory. */
cudaError_t krn_cuda_hash(const struct krn_image *image, unsigned long long *sum,
                          cudaStream_t stream);

/* Holds the stream until *ticket (host memory mapped into the device) reaches `number` or `cycles`
 * cycles of the multiprocessor's clock have passed; in the latter case, writes number to *gave_up
 * (mapped host memory as well). */
cudaError_t krn_cuda_gate(const volatile unsigned *ticket, volatile unsigned *gave_up,
                          unsigned number, long long cycles, cudaStream_t stream);

/* The shape of a launch: its grid, its blocks and its dynamic shared memory per block. */
struct krn_cuda_shape {
    unsigned blocks_x, blocks_y, threads_x, threads_y, shared_bytes;
};

/* Launches an empty kernel, to measure its time and to find out whether this build has code for the
 * device. */
cudaError_t krn_cuda_empty(const struct krn_cuda_shape *shape, cudaStream_t stream);

/* Reduces a shape to the blocks that the current device holds at once, in one row: `resident` per
 * multiprocessor of the kernel itself, or fewer; 0: as many as of the empty one. Later blocks of a
 * longer kernel start while earlier ones work, so their start costs it no time of its own. */
cudaError_t krn_cuda_first_wave(struct krn_cuda_shape *shape, unsigned resident);

/* Launches a kernel of one thread that waits for `cycles` cycles of the multiprocessor's clock. */
cudaError_t krn_cuda_wait(long long cycles, cudaStream_t stream);

/* Gives each of `count` ranges its place in one array: end[i] holds the number of its elements, and
 * end[count] is 0. Afterwards start[i] and end[i] are the first place of range i, and end[count] is
 * the sum. The ranges may have any order. */
struct krn_cuda_ranges {
    unsigned *start, *end;
};
cudaError_t krn_cuda_place(int count, struct krn_cuda_ranges ranges, cudaStream_t stream);

/* Sorts pairs by the lowest `bits` bits of their keys; equal keys keep their order. With `scratch`
 * NULL, finds the size of the scratch memory instead. */
cudaError_t krn_cuda_sort_pairs(void *scratch, size_t *bytes, const unsigned *keys,
                                unsigned *keys_sorted, const int *values, int *values_sorted,
                                int count, int bits, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
