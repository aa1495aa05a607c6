/* A kernel that executes a trap instruction: a fault that no later call of CUDA survives. */
extern "C" {
#include "trap.h"
}

__global__ void trap(void)
{
    __trap();
}

extern "C" int test_trap(void)
{
    trap<<<1, 1>>>();
    return (int)cudaDeviceSynchronize();
}
