/* Counts the sectors of 32 bytes that a warp reads in a pattern. */
#include "krn/access.h"

#include "core/probes/pattern.h"

#include <stdbool.h>

/* Computes the elements that the lanes of one warp read. */
static void warp_lanes(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                       uint64_t warp, uint64_t lanes[KRN_LANES])
{
    for (int lane = 0; lane < KRN_LANES; lane++)
        lanes[lane] =
            krn_pattern_element(pattern, parameter, warp * KRN_LANES + (uint64_t)lane, elements);
}

void krn_pattern_lanes(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                       uint64_t lanes[KRN_LANES])
{
    warp_lanes(pattern, parameter, elements, 0, lanes);
}

int krn_sectors(const uint64_t *lanes, int count, int element_bytes, int sector_bytes)
{
    uint64_t seen[2 * KRN_LANES];
    int n = 0;
    for (int lane = 0; lane < count; lane++) {
        const uint64_t begin = lanes[lane] * (uint64_t)element_bytes;
        /* An element may extend over two sectors: that of its first and that of its last byte. */
        const uint64_t touched[2] = {begin / (uint64_t)sector_bytes,
                                     (begin + (uint64_t)element_bytes - 1) /
                                         (uint64_t)sector_bytes};
        for (int end = 0; end < 2; end++) {
            bool known = false;
            for (int i = 0; i < n && !known; i++)
                known = seen[i] == touched[end];
            if (!known)
                seen[n++] = touched[end];
        }
    }
    return n;
}

double krn_pattern_sectors(enum krn_pattern pattern, uint64_t parameter, uint64_t elements,
                           int warps, int sector_bytes)
{
    const int element_bytes = 4;
    long long sum = 0;
    for (int warp = 0; warp < warps; warp++) {
        uint64_t lanes[KRN_LANES];
        warp_lanes(pattern, parameter, elements, (uint64_t)warp, lanes);
        sum += krn_sectors(lanes, KRN_LANES, element_bytes, sector_bytes);
    }
    return warps > 0 ? (double)sum / warps : 0.0;
}
