/* The book's kernel: CUDA by Example, 6.2. */
#include "spherescope.h"

extern "C" __global__ void book(const sphere *spheres, frame frame)
{
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    const int j = threadIdx.y + blockIdx.y * blockDim.y;
    if (i >= frame.width || j >= frame.height)
        return;
    const float x = (i - frame.width / 2) * frame.unit, y = (j - frame.height / 2) * frame.unit;
    float red = 0, green = 0, blue = 0, deepest = -INFINITY;
    for (int s = 0; s < frame.count; s++) {
        const float dx = x - spheres[s].x, dy = y - spheres[s].y, r = spheres[s].radius;
        const float square = fmaf(-dx, dx, fmaf(-dy, dy, r * r));
        if (square > 0) {
            const float chord = sqrtf(square), depth = chord + spheres[s].z;
            if (depth > deepest) {
                red = spheres[s].r * (chord / r);
                green = spheres[s].g * (chord / r);
                blue = spheres[s].b * (chord / r);
                deepest = depth;
            }
        }
    }
    unsigned char *pixel = frame.pixels + j * frame.pitch + 4 * i;
    pixel[0] = red * 255;
    pixel[1] = green * 255;
    pixel[2] = blue * 255;
    pixel[3] = 255;
}
