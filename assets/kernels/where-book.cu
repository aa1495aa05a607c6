/* Where does constant memory win? The book's program: a miss is a depth that loses, as a hit is. */
#include "spherescope.h"

#ifndef SPHERE /* --bench where compiles this file for either memory */
__constant__ sphere scene[2340];
#define SPHERE(n) scene[n]
#endif

extern "C" __global__ void book(const sphere *spheres, frame f) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= f.width || j >= f.height)
        return;
    float x = (i - f.width / 2) * f.unit, y = (j - f.height / 2) * f.unit;
    float red = 0, green = 0, blue = 0, deepest = -INFINITY;
    for (int n = 0; n < f.count; n++) {
        float dx = x - SPHERE(n).x, dy = y - SPHERE(n).y, radius = SPHERE(n).radius;
        float square = fmaf(-dx, dx, fmaf(-dy, dy, radius * radius));
        float shade = 0, depth = -INFINITY;
        if (square > 0) {
            shade = sqrtf(square) / radius;
            depth = sqrtf(square) + SPHERE(n).z;
        }
        if (depth > deepest) {
            red = SPHERE(n).r * shade;
            green = SPHERE(n).g * shade;
            blue = SPHERE(n).b * shade;
            deepest = depth;
        }
    }
    unsigned char *pixel = f.pixels + j * f.pitch + 4 * i;
    pixel[0] = red * 255;
    pixel[1] = green * 255;
    pixel[2] = blue * 255;
    pixel[3] = 255;
}
