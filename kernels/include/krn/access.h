/* krn/access.h - access patterns of warps, and the number of sectors that they touch.
 *
 * Pure arithmetic. Kernels, tables and drawings share it, so that they agree. Source of the terms:
 * NVIDIA, Nsight Compute documentation, "sectors per request". Global memory is transferred in
 * aligned sectors of 32 bytes; a request is one load instruction of one warp. On the CPU, a request
 * is a vector of lanes, and a sector is a cache line.
 *
 * Thread safety: every function may be called from any thread.
 */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KRN_LANES = 32, KRN_SECTOR_BYTES = 32, KRN_LINE_BYTES = 64 };

/* The mapping from the threads of a grid to the 4-byte elements of an array. */
enum krn_pattern {
    KRN_PATTERN_OFFSET,    /* thread t reads element t + parameter; 0 is best */
    KRN_PATTERN_STRIDE,    /* thread t reads element t * parameter; 1 is best */
    KRN_PATTERN_RANDOM,    /* thread t reads the element that a hash of t selects */
    KRN_PATTERN_BROADCAST, /* all lanes of a warp read the same element */
    KRN_PATTERN_CHUNK,     /* as the stride; each thread owns `parameter` consecutive elements */
    KRN_PATTERN_COUNT
};

/* Returns the number of different sectors that `count` lanes touch. Lane i reads element lanes[i]
 * of element_bytes bytes; the array starts at a sector boundary. Requires 1 <= count <= KRN_LANES,
 * 1 <= element_bytes <= sector_bytes, and sector_bytes a power of two. */
int krn_sectors(const uint64_t *lanes, int count, int element_bytes, int sector_bytes);

/* Returns the mean of krn_sectors over the first `warps` warps of the pattern. */
double krn_pattern_sectors(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                           int warps, int sector_bytes);

#ifdef __cplusplus
}
#endif
