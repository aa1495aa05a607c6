/* kernels/cuda/trace/kernels.h - C wrappers over the ray tracer's kernels. Launches use the given
 * stream and return cudaPeekAtLastError(). The caller checks shapes and bounds. */
#pragma once

#include "core/trace/pixel.h"
#include "core/trace/tiles.h"
#include "cuda/runtime/kernels.h"
#include "krn/mine.h"
#include "krn/properties.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of a ray-tracing kernel, passed by value. */
struct krn_cuda_frame {
    unsigned char *pixels; /* device memory, RGBA8 */
    int pitch_bytes;
    int width, height;
    float unit;
    int count; /* spheres */
};

/* The rotated scene in device memory, in every form that a kernel reads. Each array has one element
 * per sphere. */
struct krn_cuda_scene {
    struct krn_sphere *spheres;
    struct krn_packed *packed;
    struct krn_material *material;
};

struct krn_cuda_posed {
    struct krn_cuda_scene scene;
    int count;
    /* Textures over scene.spheres, with KRN_CUDA_SPHERE_TEXELS floats per sphere, and over
     * scene.packed, with one float4 per sphere; 0 until a mode that reads them is prepared. */
    cudaTextureObject_t spheres_texture, packed_texture;
};
enum { KRN_CUDA_SPHERE_TEXELS = 7 };

/* Launches one kernel over the posed scene, with k pixels per thread. With `costs`, device memory
 * of frame.width * frame.height elements, the same kernel also writes what each pixel costs: clock
 * cycles, or sphere tests where the name says so; the timed launches pass NULL. */
typedef cudaError_t krn_cuda_launch(const struct krn_cuda_posed *posed, int k,
                                    struct krn_cuda_frame frame, uint32_t *costs,
                                    cudaStream_t stream);

/* The book's kernel, k = 1, with the spheres in global memory, through __ldg, staged in shared
 * memory, in the constant bank of its own file (`posed` is ignored), and through a texture. */
krn_cuda_launch krn_cuda_book_global, krn_cuda_book_readonly, krn_cuda_book_shared,
    krn_cuda_book_constant, krn_cuda_book_texture;
/* Counts the sphere tests of the book's kernel, which are the same from every storage. */
krn_cuda_launch krn_cuda_book_tests;
/* Returns the shape of the book's launches. */
struct krn_cuda_shape krn_cuda_book_shape(int k, struct krn_cuda_frame frame);
/* Load a kernel, and for constant memory its bank, into the context without launching it. */
cudaError_t krn_cuda_book_global_load(void);
cudaError_t krn_cuda_book_constant_load(void);
/* Copies spheres into that bank with cudaMemcpyToSymbol, as the book does. */
cudaError_t krn_cuda_book_constant_upload(const struct krn_sphere *spheres, int count);
/* Gets the address of that bank in device memory; it holds KRN_CONSTANT_SPHERES spheres. */
cudaError_t krn_cuda_book_constant_bank(void **bank);

/* The strip kernel, from the same storages. From constant memory, it reads scene.packed only to
 * shade winners, and not even then when it has kept their chords. */
krn_cuda_launch krn_cuda_strip_global, krn_cuda_strip_readonly, krn_cuda_strip_shared,
    krn_cuda_strip_constant, krn_cuda_strip_texture;
/* Count the candidates that a warp intersects with its run: from constant memory, and from the
 * other storages, where with four or more pixels per thread it rejects what the run occludes. */
krn_cuda_launch krn_cuda_strip_constant_tests, krn_cuda_strip_tests;
/* Gets the address of the strip's constant bank in device memory; it holds KRN_CONSTANT_PACKED
 * packed spheres. */
cudaError_t krn_cuda_strip_constant_bank(void **bank);

/* The lists of the binned kernel, in device memory. */
struct krn_cuda_bins {
    unsigned *start, *end; /* range of each tile's list in entries; end[tiles]: the total */
    int *entries;          /* indices of spheres */
    int share;             /* threads that sort one sphere: 4 or 32 */
};

/* Sort the spheres into the lists; trace from the lists, with cycles as for krn_cuda_launch; trace
 * and count the spheres that a warp intersects with its box. */
cudaError_t krn_cuda_binned_sort(struct krn_cuda_scene scene, int count, struct krn_tiles tiles,
                                 struct krn_cuda_bins bins, cudaStream_t stream);
cudaError_t krn_cuda_binned_trace(struct krn_cuda_scene scene, struct krn_tiles tiles,
                                  struct krn_cuda_bins bins, struct krn_cuda_frame frame,
                                  uint32_t *cycles, cudaStream_t stream);
cudaError_t krn_cuda_binned_tests(struct krn_cuda_scene scene, struct krn_tiles tiles,
                                  struct krn_cuda_bins bins, struct krn_cuda_frame frame,
                                  uint32_t *costs, cudaStream_t stream);
/* Traces in one launch, without lists: every block scans all spheres for those of its tile. The
 * plan says scanned, and the scene has at most KRN_CUDA_SCAN_SPHERES spheres. */
cudaError_t krn_cuda_binned_scan(struct krn_cuda_scene scene, struct krn_tiles tiles,
                                 struct krn_cuda_frame frame, cudaStream_t stream);

/* The splat kernel's memory on the device, and its plan. */
enum { KRN_CUDA_SPLAT_BLOCK = 4, KRN_CUDA_SPLAT_PLANES = 2 };
struct krn_cuda_splat_state {
    unsigned turn;                      /* of the frame, 1 to 255 */
    unsigned blocks;                    /* of the shading that are done */
    float plane[KRN_CUDA_SPLAT_PLANES]; /* depths, the nearest first */
};
struct krn_cuda_splat {
    unsigned long long *keys; /* of each pixel */
    unsigned *least;          /* of each block of pixels: the least key's upper half */
    struct krn_cuda_splat_state *state;
    int pitch;                          /* keys per row, a multiple of the block and of a batch */
    int planes;                         /* 0: all spheres at once */
    float share[KRN_CUDA_SPLAT_PLANES]; /* of the spheres before each plane */
    float far;                          /* no depth of a centre is farther from 0 */
    int lanes;                          /* that write a sphere: 8, 16 or 32 */
    int per_warp, shares;               /* spheres of a warp; warps that share a sphere's rows */
};

/* Renders a frame. With `costs`, device memory of width * height zeros, also counts the pixels that
 * each sphere tests. */
cudaError_t krn_cuda_splat_launch(struct krn_cuda_scene scene, struct krn_cuda_splat splat,
                                  struct krn_cuda_frame frame, uint32_t *costs,
                                  cudaStream_t stream);
/* The most kernels that it queues. */
enum { KRN_CUDA_SPLAT_LAUNCHES = 3 + 2 * KRN_CUDA_SPLAT_PLANES };

/* The user's kernel, which the driver has loaded. Zeroed, there is none. */
struct krn_cuda_mine {
    void *module, *function;  /* the driver's handles */
    struct krn_sphere *scene; /* its constant memory; NULL: it reads global memory */
    int room;                 /* spheres there */
    void *guard;              /* struct krn_mine_guard of a kernel that is tried; else NULL */
    int shape[3];             /* threads of a block in x and y, pixels per thread */
};

/* Loads a kernel in the place of *mine, after the frames on the stream; NULL: unloads that. */
enum krn_code krn_cuda_mine_load(struct krn_cuda_mine *mine, const struct krn_mine *from,
                                 cudaStream_t stream, struct krn_error *error);
void krn_cuda_mine_close(struct krn_cuda_mine *mine);
/* Launches it over posed spheres, and returns the shape of the launch. */
enum krn_code krn_cuda_mine_launch(const struct krn_cuda_mine *mine,
                                   const struct krn_sphere *spheres, struct krn_cuda_frame frame,
                                   cudaStream_t stream, struct krn_error *error);
struct krn_cuda_shape krn_cuda_mine_shape(const struct krn_cuda_mine *mine,
                                          struct krn_cuda_frame frame);
/* Describes that launch, as krn_cuda_capture does those of the program's own kernels: the runtime
 * does not know what the driver has loaded. */
enum krn_code krn_cuda_mine_describe(const struct krn_cuda_mine *mine, struct krn_cuda_frame frame,
                                     struct krn_kernel_attributes *kernel, struct krn_error *error);

/* Writes krn_rotate(spheres[i], pose) to `posed`, in every form. */
cudaError_t krn_cuda_rotate(const struct krn_sphere *spheres, struct krn_cuda_scene posed,
                            int count, struct krn_pose pose, cudaStream_t stream);

/* Reads posed.packed once and writes `batches` times KRN_CUDA_BATCH pixels: the limit of a picture
 * (krn_device_limit). */
cudaError_t krn_cuda_limit(struct krn_cuda_scene posed, int count, void *pixels, int batches,
                           cudaStream_t stream);
struct krn_cuda_shape krn_cuda_limit_shape(int count, int batches);

/* Sum up the costs of a frame, and write their colours of the palette (KRN_PALETTE_STEPS, in device
 * memory) into its image. */
struct krn_cuda_heat_sums {
    unsigned long long sum;
    unsigned least, most;
};
cudaError_t krn_cuda_heat_sum(const uint32_t *costs, size_t pixels, struct krn_cuda_heat_sums *sums,
                              cudaStream_t stream);
cudaError_t krn_cuda_heat_colours(const uint32_t *costs, uint32_t scale, const uint32_t *palette,
                                  const struct krn_image *image, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
