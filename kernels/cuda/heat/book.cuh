/* kernels/cuda/heat/book.cuh - the book's kernel (cuda/trace/book.cuh) between two readings of the
 * clock. */
#ifndef KRN_HEAT_BOOK_CUH
#define KRN_HEAT_BOOK_CUH

#include "cuda/heat/cycles.cuh"
#include "cuda/heat/kernels.h"
#include "cuda/trace/book.cuh"

namespace krn_heat
{

using krn_book::SIDE;

template <class Storage>
__global__ void __launch_bounds__(SIDE *SIDE)
    book_cycles(Storage storage, krn_cuda_frame frame, uint32_t *costs)
{
    const uint32_t start = clock_now();
    const int i = (int)(threadIdx.x + blockIdx.x * SIDE);
    const int j = (int)(threadIdx.y + blockIdx.y * SIDE);
    if (i >= frame.width || j >= frame.height)
        return;
    krn_book::ray ray = krn_book::ray_at(i, j, frame);
    for (int s = 0; s < frame.count; s++)
        krn_book::intersect(ray, storage, s);
    krn_book::store(ray, i, j, frame);
    costs[(size_t)j * (size_t)frame.width + (size_t)i] = clock_now() - start;
}

template <class Storage>
cudaError_t launch_book(Storage storage, const krn_cuda_frame &frame, uint32_t *costs,
                        cudaStream_t stream)
{
    book_cycles<<<krn_book::grid_of(frame), dim3(SIDE, SIDE), 0, stream>>>(storage, frame, costs);
    return cudaPeekAtLastError();
}

} // namespace krn_heat

#endif
