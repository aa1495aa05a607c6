/* kernels/cuda/light/kernels.h - C wrappers over the kernels of the light view. Launches use the
 * given stream and return cudaPeekAtLastError(). The caller checks shapes and bounds. */
#pragma once

#include "core/light/light.h"
#include "cuda/trace/kernels.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The rotated scene as the light view reads it, in device memory. Each array has one element per
 * sphere and is aligned to 16 bytes. */
struct krn_cuda_lit {
    struct krn_ball *balls;   /* as rays are tested against them */
    struct krn_ball *suns;    /* the same spheres in sun space, for shadow rays */
    struct float4 *tints;     /* r, g, b, radius: what a hit needs besides */
    float *mirrors;           /* share of mirrored light */
    struct krn_srgb *table;   /* one table */
    unsigned long long *rays; /* counts of krn_cuda_light_rays */
    /* Textures over balls and suns, with one float4 per sphere; 0 until a mode that reads them is
     * prepared. */
    cudaTextureObject_t balls_texture, suns_texture;
};

/* What a launch needs besides the scene. */
struct krn_cuda_lit_frame {
    struct krn_light_frame light;
    struct krn_bounds bounds;
    struct krn_cuda_frame image;
};

/* Launches one kernel that tests every ray against every sphere. */
typedef cudaError_t krn_cuda_brute(const struct krn_cuda_lit *lit,
                                   const struct krn_cuda_lit_frame *frame, cudaStream_t stream);

/* The spheres lie in global memory, are read through __ldg, are staged in shared memory, lie in the
 * constant bank of its own file, and are read through textures. */
krn_cuda_brute krn_cuda_brute_global, krn_cuda_brute_readonly, krn_cuda_brute_shared,
    krn_cuda_brute_constant, krn_cuda_brute_texture;
/* Returns the shape of these launches. */
struct krn_cuda_shape krn_cuda_light_shape(const struct krn_cuda_lit_frame *frame);

/* Gets the address of the constant bank in device memory. It holds KRN_CUDA_CONSTANT_BALLS balls,
 * then as many of sun space. */
enum { KRN_CUDA_CONSTANT_BALLS = KRN_CONSTANT_BYTES / (2 * 16) };
cudaError_t krn_cuda_brute_constant_bank(void **bank);

/* Writes rotated spheres in every form of *lit. *light gives the axes of sun space. */
cudaError_t krn_cuda_light_pose(const struct krn_sphere *posed, int count,
                                const struct krn_light_frame *light, const struct krn_cuda_lit *lit,
                                cudaStream_t stream);

/* A node of the tree, 64 bytes: the boxes of its two children, of which a thread reads 128 bits at
 * a time. A child >= 0 is a node; a child < 0 is the sphere ~child. */
struct krn_cuda_node {
    struct {
        float low_x, high_x, low_y, high_y;
    } boxes[2];
    struct {
        float low_z, high_z;
    } depths[2];
    int child0, child1, unused0, unused1;
};

/* X(array, elements per sphere): the arrays of the tree, without the scratch of the sort. */
#define KRN_CUDA_TREE_ARRAYS(X)                                                                    \
    X(nodes, 1), X(codes, 1), X(codes_sorted, 1), X(spheres, 1), X(spheres_sorted, 1),             \
        X(parents, 2), X(visits, 1)

/* The tree and what its build needs, in device memory. Node 0 is the root. */
struct krn_cuda_tree {
    struct krn_cuda_node *nodes;    /* one per sphere; the last is not used */
    unsigned *codes, *codes_sorted; /* one per sphere: its place on a Morton curve */
    int *spheres, *spheres_sorted;  /* their numbers, in the order of the codes */
    int *parents;                   /* of nodes, then of leaves */
    unsigned *visits;               /* threads that have reached a node */
    void *scratch;                  /* of the sort */
    size_t scratch_bytes;
    cudaTextureObject_t texture; /* over nodes, with four float4 each; 0: not prepared */
};

/* Bits of a code, the same number for each axis. */
enum { KRN_CUDA_CODE_BITS = 30 };
/* Gets the size of the sort's scratch memory. */
cudaError_t krn_cuda_tree_scratch(int count, size_t *bytes);
/* Builds the tree of the rotated scene. A frame of the tree kernel queues at most
 * KRN_CUDA_TREE_LAUNCHES_MAX kernels, memsets and copies: four kernels and a copy of its own, and
 * the passes of the sort over four digits of 8 bits with their memsets. */
enum { KRN_CUDA_TREE_LAUNCHES_MAX = 17 };
cudaError_t krn_cuda_tree_build(const struct krn_cuda_lit *lit, const struct krn_cuda_tree *tree,
                                const struct krn_cuda_lit_frame *frame, cudaStream_t stream);

/* Launches one kernel that finds hits through the tree. The shape is krn_cuda_light_shape's. */
typedef cudaError_t krn_cuda_tree_trace(const struct krn_cuda_lit *lit,
                                        const struct krn_cuda_tree *tree,
                                        const struct krn_cuda_lit_frame *frame,
                                        cudaStream_t stream);
krn_cuda_tree_trace krn_cuda_tree_global, krn_cuda_tree_readonly, krn_cuda_tree_constant,
    krn_cuda_tree_texture;

/* Gets the address of the tree's constant bank in device memory. It holds KRN_CUDA_CONSTANT_LEAVES
 * nodes, then as many balls, then as many of sun space. */
enum { KRN_CUDA_CONSTANT_LEAVES = KRN_CONSTANT_BYTES / (64 + 2 * 16) };
cudaError_t krn_cuda_tree_constant_bank(void **bank);

/* Adds the numbers of the picture's rays to lit->rays: traced[0..KRN_BOUNCES_MAX], then shadow
 * likewise. With pixel_rays, writes the number of rays of each pixel there instead, row by row. The
 * tree has been built. */
enum { KRN_CUDA_RAY_COUNTS = 2 * (KRN_BOUNCES_MAX + 1) };
cudaError_t krn_cuda_light_rays(const struct krn_cuda_lit *lit, const struct krn_cuda_tree *tree,
                                const struct krn_cuda_lit_frame *frame, uint32_t *pixel_rays,
                                cudaStream_t stream);

/* The reads of a picture's warps in one bounce. A read is the n-th one of all lanes whose rays take
 * n steps or more: warps are counted as if their lanes ran in lock-step, so the numbers follow from
 * the picture alone. A GPU's lanes may drift apart for a while, which makes more reads of fewer
 * lanes. */
struct krn_cuda_warp_reads {
    unsigned long long reads;     /* of rays of both kinds */
    unsigned long long uniform;   /* of these, reads whose lanes all read one address */
    unsigned long long addresses; /* different ones per read, added up */
};
/* The most spheres of a scene whose reads are counted. */
enum { KRN_CUDA_READS_SPHERES = 512 };
/* Add the reads of a picture to `reads` in device memory, KRN_BOUNCES_MAX + 1 elements: those of
 * nodes by the tree kernel, whose tree has been built, and those of spheres by the brute kernel. */
cudaError_t krn_cuda_tree_reads(const struct krn_cuda_lit *lit, const struct krn_cuda_tree *tree,
                                const struct krn_cuda_lit_frame *frame,
                                struct krn_cuda_warp_reads *reads, cudaStream_t stream);
cudaError_t krn_cuda_brute_reads(const struct krn_cuda_lit *lit,
                                 const struct krn_cuda_lit_frame *frame,
                                 struct krn_cuda_warp_reads *reads, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
