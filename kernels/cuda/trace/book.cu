/* The book's kernel with the spheres in global memory, read through the read-only path, staged in
 * shared memory; and through a linear texture: CUDA by Example, chapter 7, with texture objects
 * instead of its texture references. A texture is a view of the rotated spheres in global memory,
 * so nothing is copied; tex1Dfetch neither filters nor converts, so every bit is kept. */
#include "cuda/trace/book.cuh"

namespace
{

/* Neither const nor __restrict__, so that the compiler cannot turn the loads into read-only
 * ones. */
struct global_storage {
    krn_sphere *spheres;
    __device__ __forceinline__ float get(int s, float krn_sphere::*member) const
    {
        return spheres[s].*member;
    }
};

struct readonly_storage {
    const krn_sphere *spheres;
    __device__ __forceinline__ float get(int s, float krn_sphere::*member) const
    {
        return __ldg(&(spheres[s].*member));
    }
};

struct shared_storage {
    const krn_sphere *staged;
    __device__ __forceinline__ float get(int s, float krn_sphere::*member) const
    {
        return staged[s].*member;
    }
};

/* Seven texels of one float per sphere, because no texel is 28 bytes wide. */
struct texture_storage {
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

/* Spheres staged at a time: 28 KiB, so that several blocks share a multiprocessor. */
enum { STAGE = 1024, FLOATS = sizeof(krn_sphere) / sizeof(float) };

template <class Costs>
__global__ void __launch_bounds__(krn_book::SIDE *krn_book::SIDE)
    trace_shared(const krn_sphere *spheres, krn_cuda_frame frame, Costs costs)
{
    __shared__ krn_sphere staged[STAGE];
    costs.begin();
    const int i = (int)(threadIdx.x + blockIdx.x * krn_book::SIDE);
    const int j = (int)(threadIdx.y + blockIdx.y * krn_book::SIDE);
    const int rank = (int)(threadIdx.x + threadIdx.y * krn_book::SIDE);
    krn_book::ray ray = krn_book::ray_at(i, j, frame);
    const shared_storage storage = {staged};

    /* Threads beyond the edge of the image stage spheres too, because every thread must reach the
     * barriers. */
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        const float *from = (const float *)(spheres + first);
        __syncthreads();
        for (int f = rank; f < count * FLOATS; f += krn_book::SIDE * krn_book::SIDE)
            ((float *)staged)[f] = from[f];
        __syncthreads();
        for (int s = 0; s < count; s++)
            krn_book::intersect(ray, storage, s);
    }
    if (i < frame.width && j < frame.height) {
        krn_book::store(ray, i, j, frame);
        costs.end();
        costs.write(frame, i, j);
    }
}

} // namespace

krn_cuda_shape krn_cuda_book_shape(int, krn_cuda_frame frame)
{
    const dim3 grid = krn_book::grid_of(frame);
    return {grid.x, grid.y, krn_book::SIDE, krn_book::SIDE, 0};
}

cudaError_t krn_cuda_book_global(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                 uint32_t *cycles, cudaStream_t stream)
{
    return krn_book::launch(global_storage{posed->scene.spheres}, frame, cycles, stream);
}

cudaError_t krn_cuda_book_global_load(void)
{
    return krn_book::load<global_storage>();
}

cudaError_t krn_cuda_book_readonly(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                   uint32_t *cycles, cudaStream_t stream)
{
    return krn_book::launch(readonly_storage{posed->scene.spheres}, frame, cycles, stream);
}

cudaError_t krn_cuda_book_shared(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                 uint32_t *cycles, cudaStream_t stream)
{
    return krn_costs::with(cycles, [&](auto costs) {
        trace_shared<<<krn_book::grid_of(frame), dim3(krn_book::SIDE, krn_book::SIDE), 0, stream>>>(
            posed->scene.spheres, frame, costs);
    });
}

cudaError_t krn_cuda_book_texture(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                  uint32_t *cycles, cudaStream_t stream)
{
    return krn_book::launch(texture_storage{posed->spheres_texture}, frame, cycles, stream);
}

cudaError_t krn_cuda_book_tests(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                uint32_t *costs, cudaStream_t stream)
{
    krn_book::trace<<<krn_book::grid_of(frame), dim3(krn_book::SIDE, krn_book::SIDE), 0, stream>>>(
        global_storage{posed->scene.spheres}, frame, krn_costs::tests{{costs, 0}});
    return cudaPeekAtLastError();
}
