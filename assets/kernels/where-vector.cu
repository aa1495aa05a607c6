/* Where does constant memory win? The vector program: one read of 16 bytes tells whether the ray
 * hits a sphere; the colour is read on a hit. */
#include "spherescope.h"
using namespace teaching;

#ifndef PLACE /* --bench where compiles this file for either memory, and packs the spheres so */
__constant__ sphere scene[2340];
#define PLACE(n) make_float4(scene[n].x, scene[n].y, scene[n].z, scene[n].radius)
#define TINT(n) scene[n]
#endif

extern "C" __global__ void vector(const sphere *spheres, frame f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray ray = ray_at(f, i, j);
    for (int n = 0; n < f.count; n++) {
        float4 at = PLACE(n);
        float dx = ray.x - at.x, dy = ray.y - at.y;
        float square = fmaf(-dx, dx, fmaf(-dy, dy, at.w * at.w));
        if (!(square > 0))
            continue;
        float chord = sqrtf(square), shade = chord / at.w;
        if (chord + at.z > ray.depth)
            ray = {ray.x, ray.y, chord + at.z, TINT(n).r * shade, TINT(n).g * shade,
                   TINT(n).b * shade};
    }
    paint(f, i, j, ray);
}
