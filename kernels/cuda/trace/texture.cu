/* The book's kernel and the strip kernel through linear textures: CUDA by Example, chapter 7, with
 * texture objects instead of its texture references. A texture is a view of the rotated spheres in
 * global memory, so nothing is copied; tex1Dfetch neither filters nor converts, so every bit is
 * kept. */
#include "cuda/trace/book.cuh"
#include "cuda/trace/strip_scan.cuh"

namespace
{

/* Seven texels of one float per sphere, because no texel is 28 bytes wide. */
struct book_storage {
    cudaTextureObject_t texture;
    __device__ __forceinline__ float get(int s, float krn_sphere::*member) const
    {
        const int at = member == &krn_sphere::r        ? 0
                       : member == &krn_sphere::b      ? 1
                       : member == &krn_sphere::g      ? 2
                       : member == &krn_sphere::radius ? 3
                       : member == &krn_sphere::x      ? 4
                       : member == &krn_sphere::y      ? 5
                                                       : 6;
        return tex1Dfetch<float>(texture, KRN_CUDA_SPHERE_TEXELS * s + at);
    }
};
static_assert(sizeof(krn_sphere) == KRN_CUDA_SPHERE_TEXELS * sizeof(float) &&
                  offsetof(krn_sphere, g) == 2 * sizeof(float) &&
                  offsetof(krn_sphere, z) == 6 * sizeof(float),
              "the texels' order");

/* One texel of four floats per packed sphere. */
struct strip_storage {
    cudaTextureObject_t texture;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return krn_strip::packed_of(tex1Dfetch<float4>(texture, s));
    }
};

} // namespace

cudaError_t krn_cuda_book_texture(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                  uint32_t *cycles, cudaStream_t stream)
{
    return krn_book::launch(book_storage{posed->spheres_texture}, frame, cycles, stream);
}

cudaError_t krn_cuda_strip_texture(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                   uint32_t *cycles, cudaStream_t stream)
{
    return krn_strip::launch_from(strip_storage{posed->packed_texture}, k, posed->scene, frame,
                                  cycles, stream);
}
