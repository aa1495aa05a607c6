/* Where does constant memory win? The plain program: a branch skips a sphere that the ray misses. */
#include "spherescope.h"
using namespace teaching;

#ifndef SPHERE /* --bench where compiles this file for either memory */
__constant__ sphere scene[2340];
#define SPHERE(n) scene[n]
#endif

extern "C" __global__ void plain(const sphere *spheres, frame f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray ray = ray_at(f, i, j);
    for (int n = 0; n < f.count; n++)
        hit(ray, SPHERE(n));
    paint(f, i, j, ray);
}
