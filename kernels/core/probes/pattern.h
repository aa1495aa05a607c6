/* kernels/core/probes/pattern.h - the patterns of krn/access.h, by which the kernels of both
 * backends read. Common subset of C11 and C++17. */
#pragma once

#include "core/trace/pixel.h"
#include "krn/access.h"

/* Returns a hash of 64 bits. No two inputs have the same one (Stafford's variant 13 of
 * MurmurHash3's finaliser). */
KRN_FN uint64_t krn_scramble(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/* Returns the element that a thread reads; elements is a power of two, and larger indices wrap
 * around. */
KRN_FN uint64_t krn_pattern_element(enum krn_pattern pattern, uint64_t parameter, uint64_t thread,
                                    uint64_t elements)
{
    uint64_t at = 0;
    switch (pattern) {
    case KRN_PATTERN_OFFSET:
        at = thread + parameter;
        break;
    case KRN_PATTERN_STRIDE:
    case KRN_PATTERN_CHUNK:
        at = thread * parameter;
        break;
    case KRN_PATTERN_RANDOM:
        at = krn_scramble(thread);
        break;
    default:
        at = thread / KRN_LANES;
        break;
    }
    return at & (elements - 1);
}
