/* Where does constant memory win? The arrays program: each member of the spheres has an array. */
#include "spherescope.h"
using namespace teaching;

#ifndef MEMBER /* --bench where compiles this file for either memory, and packs the spheres so */
__constant__ sphere scene[2340];
#define MEMBER(n, member) scene[n].member
#endif

extern "C" __global__ void arrays(const sphere *spheres, frame f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray ray = ray_at(f, i, j);
    for (int n = 0; n < f.count; n++) {
        float dx = ray.x - MEMBER(n, x), dy = ray.y - MEMBER(n, y), radius = MEMBER(n, radius);
        float square = fmaf(-dx, dx, fmaf(-dy, dy, radius * radius));
        if (!(square > 0))
            continue;
        float chord = sqrtf(square), shade = chord / radius;
        if (chord + MEMBER(n, z) > ray.depth)
            ray = {ray.x, ray.y, chord + MEMBER(n, z), MEMBER(n, r) * shade,
                   MEMBER(n, g) * shade, MEMBER(n, b) * shade};
    }
    paint(f, i, j, ray);
}
