/* The book's picture as a reader of the book would write it for a CPU: one plain loop over all
 * spheres in order. It shares only the sphere's layout with the project. test_plain_loop compiles
 * it once per instruction-set level that it compares. */
#include "krn/scene.h"

#include <math.h>

void PLAIN_LOOP(const struct krn_sphere *spheres, int count, int side, unsigned char *pixels);

void PLAIN_LOOP(const struct krn_sphere *spheres, int count, int side, unsigned char *pixels)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            const float ox = (float)(x - side / 2), oy = (float)(y - side / 2);
            float r = 0, g = 0, b = 0, deepest = -INFINITY;
            for (int s = 0; s < count; s++) {
                const float dx = ox - spheres[s].x, dy = oy - spheres[s].y;
                const float radius = spheres[s].radius;
                if (dx * dx + dy * dy < radius * radius) {
                    const float dz = sqrtf(radius * radius - dx * dx - dy * dy);
                    if (dz + spheres[s].z > deepest) {
                        const float shade = dz / radius;
                        r = spheres[s].r * shade;
                        g = spheres[s].g * shade;
                        b = spheres[s].b * shade;
                        deepest = dz + spheres[s].z;
                    }
                }
            }
            unsigned char *pixel = pixels + 4 * (y * side + x);
            pixel[0] = (unsigned char)(int)(r * 255);
            pixel[1] = (unsigned char)(int)(g * 255);
            pixel[2] = (unsigned char)(int)(b * 255);
            pixel[3] = 255;
        }
    }
}
