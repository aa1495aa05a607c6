/* kernels/cuda/heat/kernels.h - C wrappers over the kernels of the heat map. Launches use the given
 * stream and return cudaPeekAtLastError(). The caller checks shapes and bounds.
 *
 * Each kernel follows one of cuda/trace with the same grid and the same functions, in a file of its
 * own: it renders the same picture into frame.pixels and writes the cost of every pixel to
 * costs[row * width + column]. */
#ifndef KRN_CUDA_HEAT_KERNELS_H
#define KRN_CUDA_HEAT_KERNELS_H

#include "cuda/trace/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Measures the clock cycles of a kernel with k pixels per thread. */
typedef cudaError_t krn_cuda_heat_launch(const struct krn_cuda_posed *posed, int k,
                                         struct krn_cuda_frame frame, uint32_t *costs,
                                         cudaStream_t stream);
krn_cuda_heat_launch krn_cuda_heat_book_global, krn_cuda_heat_book_readonly,
    krn_cuda_heat_book_shared, krn_cuda_heat_book_constant, krn_cuda_heat_book_texture;
krn_cuda_heat_launch krn_cuda_heat_strip_global, krn_cuda_heat_strip_readonly,
    krn_cuda_heat_strip_shared, krn_cuda_heat_strip_constant, krn_cuda_heat_strip_texture;

/* Count the sphere tests of the book's kernel, of the strip kernel from the storages that lanes
 * scan, and from constant memory. The book's kernel is the same from every storage. */
krn_cuda_heat_launch krn_cuda_heat_book_tests, krn_cuda_heat_scan_tests,
    krn_cuda_heat_constant_tests;

/* Get the addresses of the constant banks of these kernels in device memory: every file of kernels
 * has its own. The caller copies the rotated spheres into them. */
cudaError_t krn_cuda_heat_book_bank(void **bank);
cudaError_t krn_cuda_heat_strip_bank(void **bank);

/* Finds the costs of the binned kernel from sorted lists: its clock cycles or its tests. */
cudaError_t krn_cuda_heat_binned(struct krn_cuda_scene scene, struct krn_tiles tiles,
                                 struct krn_cuda_bins bins, struct krn_cuda_frame frame,
                                 uint32_t *costs, bool cycles, cudaStream_t stream);

/* Sums of costs in device memory. */
struct krn_cuda_heat_sums {
    unsigned long long sum;
    unsigned least, most;
};
cudaError_t krn_cuda_heat_sum(const uint32_t *costs, size_t pixels, struct krn_cuda_heat_sums *sums,
                              cudaStream_t stream);

/* Writes the palette's colours (KRN_PALETTE_STEPS, in device memory) of the costs into the image.
 */
cudaError_t krn_cuda_heat_colours(const uint32_t *costs, uint32_t scale, const uint32_t *palette,
                                  const struct krn_image *image, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
