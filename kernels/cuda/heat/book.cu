/* Clock cycles of the book's kernel with the spheres in global memory, read through the read-only
 * path, and staged in shared memory, as in cuda/trace/book.cu; and its sphere tests. */
#include "cuda/heat/book.cuh"

namespace
{

using krn_heat::SIDE;

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

enum { STAGE = 1024, FLOATS = sizeof(krn_sphere) / sizeof(float) };

__global__ void __launch_bounds__(SIDE *SIDE)
    book_cycles_shared(const krn_sphere *spheres, krn_cuda_frame frame, uint32_t *costs)
{
    __shared__ krn_sphere staged[STAGE];
    const uint32_t start = krn_heat::clock_now();
    const int i = (int)(threadIdx.x + blockIdx.x * SIDE);
    const int j = (int)(threadIdx.y + blockIdx.y * SIDE);
    const int rank = (int)(threadIdx.x + threadIdx.y * SIDE);
    krn_book::ray ray = krn_book::ray_at(i, j, frame);
    const shared_storage storage = {staged};
    for (int first = 0; first < frame.count; first += STAGE) {
        const int count = min((int)STAGE, frame.count - first);
        const float *from = (const float *)(spheres + first);
        __syncthreads();
        for (int f = rank; f < count * FLOATS; f += SIDE * SIDE)
            ((float *)staged)[f] = from[f];
        __syncthreads();
        for (int s = 0; s < count; s++)
            krn_book::intersect(ray, storage, s);
    }
    if (i >= frame.width || j >= frame.height)
        return;
    krn_book::store(ray, i, j, frame);
    costs[(size_t)j * (size_t)frame.width + (size_t)i] = krn_heat::clock_now() - start;
}

/* Counts in the book's loop over all spheres. */
__global__ void __launch_bounds__(SIDE *SIDE)
    book_tests(global_storage storage, krn_cuda_frame frame, uint32_t *costs)
{
    const int i = (int)(threadIdx.x + blockIdx.x * SIDE);
    const int j = (int)(threadIdx.y + blockIdx.y * SIDE);
    if (i >= frame.width || j >= frame.height)
        return;
    krn_book::ray ray = krn_book::ray_at(i, j, frame);
    uint32_t tests = 0;
    for (int s = 0; s < frame.count; s++) {
        krn_book::intersect(ray, storage, s);
        tests++;
    }
    krn_book::store(ray, i, j, frame);
    costs[(size_t)j * (size_t)frame.width + (size_t)i] = tests;
}

} // namespace

cudaError_t krn_cuda_heat_book_global(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                      uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_book(global_storage{posed->scene.spheres}, frame, costs, stream);
}

cudaError_t krn_cuda_heat_book_readonly(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                        uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_book(readonly_storage{posed->scene.spheres}, frame, costs, stream);
}

cudaError_t krn_cuda_heat_book_shared(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                      uint32_t *costs, cudaStream_t stream)
{
    book_cycles_shared<<<krn_book::grid_of(frame), dim3(SIDE, SIDE), 0, stream>>>(
        posed->scene.spheres, frame, costs);
    return cudaPeekAtLastError();
}

cudaError_t krn_cuda_heat_book_tests(const krn_cuda_posed *posed, int, krn_cuda_frame frame,
                                     uint32_t *costs, cudaStream_t stream)
{
    book_tests<<<krn_book::grid_of(frame), dim3(SIDE, SIDE), 0, stream>>>(
        global_storage{posed->scene.spheres}, frame, costs);
    return cudaPeekAtLastError();
}
