/* Clock cycles of the book's kernel and the strip kernel through linear textures, as in
 * cuda/trace/texture.cu. */
#include "cuda/heat/book.cuh"
#include "cuda/heat/strip.cuh"

namespace
{

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

struct strip_storage {
    cudaTextureObject_t texture;
    __device__ __forceinline__ krn_packed at(int s) const
    {
        return krn_strip::packed_of(tex1Dfetch<float4>(texture, s));
    }
};

} // namespace

cudaError_t krn_cuda_heat_book_texture(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                       uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_book(book_storage{posed->spheres_texture}, frame, costs, stream);
}

cudaError_t krn_cuda_heat_strip_texture(const krn_cuda_posed *posed, int k, krn_cuda_frame frame,
                                        uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_strip(strip_storage{posed->packed_texture}, k, posed->scene, frame,
                                  costs, stream);
}
