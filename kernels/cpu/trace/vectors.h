/* kernels/cpu/trace/vectors.h - pixels of a row as SIMD lanes: one sphere against a vector of them,
 * and their bytes. Loops over KRN_CPU_LANES pixels are written so that the compiler vectorises them
 * for the level's vector width. */
#pragma once

#include "core/trace/strip.h"
#include "cpu/trace/kernels.h"

#include <math.h>

enum { LANES = KRN_CPU_LANES };

static inline int vectors_up(int pixels)
{
    return (pixels + LANES - 1) / LANES * LANES;
}

/* Intersects one sphere with a vector of pixels. */
static inline void intersect(const struct krn_cpu_scratch *own, int at, float x, float z,
                             float residual, int sphere)
{
    const float *restrict ox = own->x + at;
    float *restrict deepest = own->deepest + at, *restrict chord = own->chord + at;
    int *restrict winner = own->winner + at;
#pragma omp simd
    for (int k = 0; k < LANES; k++) {
        const float square = krn_pixel_residual(ox[k] - x, residual);
        const float half = sqrtf(square > 0.0f ? square : 0.0f);
        const float depth = square > 0.0f ? half + z : -INFINITY;
        const int won = depth > deepest[k];
        deepest[k] = won ? depth : deepest[k];
        chord[k] = won ? half : chord[k];
        winner[k] = won ? sphere : winner[k];
    }
}

/* Writes a vector of pixels that all show the same sphere or none. */
static inline void finish_same(const float *restrict chord, struct krn_material material,
                               uint32_t *restrict to)
{
#pragma omp simd
    for (int k = 0; k < LANES; k++) {
        const float shade = chord[k] / material.radius;
        to[k] = krn_rgba_of(material, shade);
    }
}

static inline void finish_mixed(const float *restrict chord, const int *restrict winner,
                                const struct krn_material *material, uint32_t *restrict to)
{
#pragma omp simd
    for (int k = 0; k < LANES; k++) {
        const int s = winner[k] < 0 ? 0 : winner[k];
        const float shade = chord[k] / material[s].radius;
        to[k] = winner[k] < 0 ? KRN_RGBA_BLACK : krn_rgba_of(material[s], shade);
    }
}

static inline void finish_vector(const struct krn_cpu_scene *scene,
                                 const struct krn_cpu_scratch *own, int at, uint32_t *to)
{
    const int *winner = own->winner + at, first = winner[0];
    int others = 0;
#pragma omp simd reduction(| : others)
    for (int k = 0; k < LANES; k++)
        others |= winner[k] ^ first;
    if (others)
        finish_mixed(own->chord + at, winner, scene->material, to);
    else if (first >= 0)
        finish_same(own->chord + at, scene->material[first], to);
    else
        for (int k = 0; k < LANES; k++)
            to[k] = KRN_RGBA_BLACK;
}

static inline void finish_row(const struct krn_cpu_scene *scene, const struct krn_cpu_scratch *own,
                              int pixels, uint32_t *row)
{
    int at = 0;
    for (; at + LANES <= pixels; at += LANES)
        finish_vector(scene, own, at, row + at);
    if (at < pixels) {
        uint32_t last[LANES];
        finish_vector(scene, own, at, last);
        for (int k = 0; at + k < pixels; k++)
            row[at + k] = last[k];
    }
}
