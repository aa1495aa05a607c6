/* The strip kernel: 8 pixels per thread; a sphere that misses their row is skipped for all. */
#include "spherescope.h"
using namespace teaching;

#define MINE_PIXELS 8
extern "C" __global__ void strip(const sphere *s, frame f) {
    int i = 8 * (threadIdx.x + blockIdx.x * blockDim.x);
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray rays[8];
    aim(rays, f, i, j);
    for (int n = 0; n < f.count; n++)
        if (fabsf(rays[0].y - s[n].y) <= s[n].radius)
            for (int k = 0; k < 8; k++)
                hit(rays[k], s[n]);
    paint(f, i, j, rays);
}
