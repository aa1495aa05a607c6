/* kernels/cuda/trace/kernels.h - narrow C wrappers over the ray tracer's kernels. Each only
 * launches, on the stream given, and returns what a peek after the launch says; shapes and bounds
 * are the caller's to check. */
#ifndef KRN_CUDA_TRACE_KERNELS_H
#define KRN_CUDA_TRACE_KERNELS_H

#include "core/trace/tiles.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Everything that a ray-tracing kernel is told, by value. */
struct krn_cuda_frame {
    unsigned char *pixels; /* device memory, RGBA8 */
    int pitch_bytes;
    int width, height;
    float unit;
    int count; /* spheres */
};

/* The scene on the device, posed, in every form that a kernel reads; count of each. */
struct krn_cuda_scene {
    struct krn_sphere *spheres;
    struct krn_packed *packed;
    struct krn_material *material;
};

struct krn_cuda_posed {
    struct krn_cuda_scene scene;
    int count;
    /* Over scene.spheres, KRN_CUDA_SPHERE_TEXELS floats each, and over scene.packed, one float4
     * each; 0 until a kernel is about to read them. */
    cudaTextureObject_t spheres_texture, packed_texture;
};
enum { KRN_CUDA_SPHERE_TEXELS = 7 };

/* Launches one kernel over the posed scene, with k pixels per thread. */
typedef cudaError_t krn_cuda_launch(const struct krn_cuda_posed *posed, int k,
                                    struct krn_cuda_frame frame, cudaStream_t stream);

/* The book's kernel, k = 1: from plain global memory, through __ldg, staged into shared memory,
 * from its file's own constant bank, where posed is not read, and through a texture. */
krn_cuda_launch krn_cuda_book_global, krn_cuda_book_readonly, krn_cuda_book_shared,
    krn_cuda_book_constant, krn_cuda_book_texture;
/* The book's cudaMemcpyToSymbol into that bank. */
cudaError_t krn_cuda_book_constant_upload(const struct krn_sphere *spheres, int count);
/* The bank's place in device memory: KRN_CONSTANT_SPHERES spheres. */
cudaError_t krn_cuda_book_constant_bank(void **bank);

/* The strip, from the same storages. From constant memory, packed spheres are read for winners
 * alone, and not even for those where their chords were kept. */
krn_cuda_launch krn_cuda_strip_global, krn_cuda_strip_readonly, krn_cuda_strip_shared,
    krn_cuda_strip_constant, krn_cuda_strip_texture;
/* The place in device memory of the strip's bank: KRN_CONSTANT_PACKED packed spheres. */
cudaError_t krn_cuda_strip_constant_bank(void **bank);

/* The tiles' lists of the binned kernel, in device memory. */
struct krn_cuda_bins {
    unsigned *start, *end; /* one a tile, and one more at `end`: each list's place in entries */
    int *entries;          /* spheres by their numbers */
    int share;             /* threads that sort one sphere: 4 or 32 */
};

/* Tiles are this large at least: a warp's pixels lie in one. */
enum { KRN_CUDA_TILE_SHIFT = 4 };

/* Fills the lists; then traces from them. */
cudaError_t krn_cuda_binned_sort(struct krn_cuda_scene scene, int count, struct krn_tiles tiles,
                                 struct krn_cuda_bins bins, cudaStream_t stream);
cudaError_t krn_cuda_binned_trace(struct krn_cuda_scene scene, struct krn_tiles tiles,
                                  struct krn_cuda_bins bins, struct krn_cuda_frame frame,
                                  cudaStream_t stream);

/* Fills `posed` with krn_rotate(spheres[i], pose), in every form. */
cudaError_t krn_cuda_rotate(const struct krn_sphere *spheres, struct krn_cuda_scene posed,
                            int count, struct krn_pose pose, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
