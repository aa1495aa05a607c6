/* kernels/core/trace/palette.h - the colours of the heat map, for both backends. */
#ifndef KRN_PALETTE_H
#define KRN_PALETTE_H

#include "core/trace/pixel.h"

enum { KRN_PALETTE_STEPS = 256 };

/* RGBA8 from no cost to the upper end of the scale, red in the lowest byte. */
struct krn_palette {
    uint32_t rgba[KRN_PALETTE_STEPS];
};

/* Returns the entry of a cost on a scale > 0, to the nearest step. */
KRN_FN int krn_palette_step(uint32_t cost, uint32_t scale)
{
    const uint64_t top = KRN_PALETTE_STEPS - 1;
    return cost >= scale ? (int)top : (int)((cost * top + scale / 2) / scale);
}

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the colours. */
void krn_palette_make(struct krn_palette *palette);

#ifdef __cplusplus
}
#endif
#endif
