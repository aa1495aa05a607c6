/* tests/support/cuda_standin/cub/block/block_scan.cuh - the sum over a block that the binned kernel
 * takes from CUB. */
#pragma once

namespace cub
{

template <class T, int THREADS>
struct BlockScan {
    struct TempStorage {
        T of[THREADS];
    };
    explicit BlockScan(TempStorage &storage) : storage(storage)
    {
    }
    /* Returns in *before the sum over the threads before this one, in *all the sum over all. */
    void ExclusiveSum(T mine, T &before, T &all)
    {
        storage.of[threadIdx.x] = mine;
        __syncthreads();
        before = all = 0;
        for (unsigned i = 0; i < THREADS; i++) {
            before += i < threadIdx.x ? storage.of[i] : 0;
            all += storage.of[i];
        }
        __syncthreads();
    }
    TempStorage &storage;
};

} // namespace cub
