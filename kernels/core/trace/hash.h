/* kernels/core/trace/hash.h - the hash of a picture, the same on every backend.
 *
 * The hash is the sum, modulo 2^64, of every pixel mixed with its place. A GPU may add the terms in
 * any order. The mixing is the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, Fast
 * Splittable Pseudorandom Number Generators, 2014). Common subset of C11 and C++17.
 */
#ifndef KRN_HASH_H
#define KRN_HASH_H

#include "core/trace/pixel.h"

/* Returns the term of a pixel. place: its number in row order; rgba: its bytes, the first one
 * lowest. */
KRN_FN unsigned long long krn_hash_pixel(unsigned long long place, unsigned rgba)
{
    unsigned long long x = (place + 1) * 0x9e3779b97f4a7c15ull + rgba;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

#endif
