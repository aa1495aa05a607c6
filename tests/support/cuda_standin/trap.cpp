/* test_trap() without a GPU: the stand-in's device is lost as after a fault of a kernel. */
#include "standin.h"

extern "C" {
#include "trap.h"
}

extern "C" int test_trap(void)
{
    standin::lose();
    return (int)cudaDeviceSynchronize();
}
