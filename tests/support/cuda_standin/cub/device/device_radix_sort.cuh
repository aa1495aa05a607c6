/* tests/support/cuda_standin/cub/device/device_radix_sort.cuh - the sort of pairs that the tree
 * kernel takes from CUB, as a kernel of one thread. */
#pragma once

#include <algorithm>
#include <vector>

namespace cub
{

struct DeviceRadixSort {
    template <class K, class V>
    static void sort(const K *keys, K *keys_out, const V *values, V *values_out, int count, K mask)
    {
        std::vector<int> order((size_t)count);
        for (int i = 0; i < count; i++)
            order[(size_t)i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [=](int a, int b) { return (keys[a] & mask) < (keys[b] & mask); });
        for (int i = 0; i < count; i++) {
            keys_out[i] = keys[order[(size_t)i]];
            values_out[i] = values[order[(size_t)i]];
        }
    }

    /* Without scratch memory, only tells how much the sort needs. */
    template <class K, class V>
    static cudaError_t SortPairs(void *scratch, size_t &bytes, const K *keys, K *keys_out,
                                 const V *values, V *values_out, int count, int begin_bit,
                                 int end_bit, cudaStream_t stream)
    {
        if (scratch == nullptr) {
            bytes = 1;
            return cudaSuccess;
        }
        const K mask = ((K)1 << end_bit) - ((K)1 << begin_bit);
        standin_launch("cub::DeviceRadixSort", sort<K, V>, dim3(1), dim3(1), 0, stream, keys,
                       keys_out, values, values_out, count, mask);
        return cudaPeekAtLastError();
    }
};

} // namespace cub
