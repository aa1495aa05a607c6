/* Clock cycles of the book's kernel with the spheres in constant memory, in the bank of this
 * file. */
#include "cuda/heat/book.cuh"

namespace
{

__constant__ krn_sphere bank[KRN_CONSTANT_SPHERES];

struct constant_storage {
    __device__ __forceinline__ float get(int s, float krn_sphere::*member) const
    {
        return bank[s].*member;
    }
};

} // namespace

cudaError_t krn_cuda_heat_book_constant(const krn_cuda_posed *, int, krn_cuda_frame frame,
                                        uint32_t *costs, cudaStream_t stream)
{
    return krn_heat::launch_book(constant_storage{}, frame, costs, stream);
}

cudaError_t krn_cuda_heat_book_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
