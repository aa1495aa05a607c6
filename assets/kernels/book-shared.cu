/* The book's kernel: every block stages the spheres in shared memory. */
#include "spherescope.h"
using namespace teaching;

extern "C" __global__ void book(const sphere *s, frame f) {
    __shared__ sphere tile[256];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    ray ray = ray_at(f, i, j);
    for (int n = 0; n < f.count; n++) {
        if (n % 256 == 0)
            stage(tile, &s[n], f.count - n);
        hit(ray, tile[n % 256]);
    }
    paint(f, i, j, ray);
}
