/* The book's kernel: the spheres in constant memory. */
#include "spherescope.h"
using namespace teaching;

__constant__ sphere scene[2340];
extern "C" __global__ void book(const sphere *s, frame f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray ray = ray_at(f, i, j);
    for (int n = 0; n < f.count; n++)
        hit(ray, scene[n]);
    paint(f, i, j, ray);
}
