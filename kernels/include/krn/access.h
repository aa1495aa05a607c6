/* krn/access.h - which elements the lanes of a warp read, and how many sectors that touches.
 *
 * Pure arithmetic, the same on host and device: what a kernel reads, what a screen draws and what a
 * table counts come from it. Source of the term: NVIDIA, Nsight Compute documentation, "sectors per
 * request": global memory moves in aligned sectors of 32 bytes; a request is one load of one warp.
 * On the CPU a request is a vector of lanes and the sector its cache line.
 */
#ifndef KRN_ACCESS_H
#define KRN_ACCESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { KRN_LANES = 32, KRN_SECTOR_BYTES = 32, KRN_LINE_BYTES = 64 };

/* How a grid of threads walks an array of 4-byte elements. */
enum krn_pattern {
    KRN_PATTERN_OFFSET,    /* thread t reads element t + parameter; 0 is the ideal */
    KRN_PATTERN_STRIDE,    /* thread t reads element t * parameter; 1 is the ideal */
    KRN_PATTERN_RANDOM,    /* thread t reads an element drawn by a hash of t */
    KRN_PATTERN_BROADCAST, /* all lanes of a warp read one element */
    KRN_PATTERN_CHUNK,     /* as the stride, the parameter being what one thread owns */
    KRN_PATTERN_COUNT
};

/* "offset", "stride", "random", "broadcast", "chunk"; never NULL. */
const char *krn_pattern_name(enum krn_pattern pattern);

/* The elements that lanes 0..KRN_LANES-1 of the first warp read, out of `elements` (a power of two,
 * at least KRN_LANES). */
void krn_pattern_lanes(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                       uint64_t lanes[KRN_LANES]);

/* How many different sectors of sector_bytes (a power of two) the lanes touch, each reading
 * element_bytes from element lanes[i] on; the array begins at a sector's edge. 1 <= count <=
 * KRN_LANES, 1 <= element_bytes <= sector_bytes. */
int krn_sectors(const uint64_t *lanes, int count, int element_bytes, int sector_bytes);

/* Mean of krn_sectors over the first `warps` warps of the pattern, 4-byte elements. */
double krn_pattern_sectors(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                           int warps, int sector_bytes);

#ifdef __cplusplus
}
#endif
#endif
