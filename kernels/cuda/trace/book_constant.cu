/* The book's kernel with the spheres in constant memory. The bank of 64 KiB belongs to this file
 * alone: every .cu file is a module with its own bank, and the largest scene fills it. */
#include "cuda/trace/book.cuh"

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

cudaError_t krn_cuda_book_constant(const krn_cuda_posed *, int, krn_cuda_frame frame,
                                   uint32_t *cycles, cudaStream_t stream)
{
    return krn_book::launch(constant_storage{}, frame, cycles, stream);
}

cudaError_t krn_cuda_book_constant_load(void)
{
    void *address = nullptr;
    const cudaError_t status = krn_book::load<constant_storage>();
    return status == cudaSuccess ? cudaGetSymbolAddress(&address, bank) : status;
}

cudaError_t krn_cuda_book_constant_upload(const krn_sphere *spheres, int count)
{
    return cudaMemcpyToSymbol(bank, spheres, (size_t)count * sizeof *spheres);
}

cudaError_t krn_cuda_book_constant_bank(void **address)
{
    return cudaGetSymbolAddress(address, bank);
}
