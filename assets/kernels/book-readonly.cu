/* The book's kernel: the spheres through the read-only path. */
#include "spherescope.h"
using namespace teaching;

extern "C" __global__ void book(const sphere *s, frame f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray ray = ray_at(f, i, j);
    for (int n = 0; n < f.count; n++)
        hit(ray, __ldg(&s[n]));
    paint(f, i, j, ray);
}
