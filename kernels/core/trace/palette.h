/* kernels/core/trace/palette.h - the colours of the heat map, for both backends. */
#pragma once

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

/* Returns a colour with the light and shade of a pixel of the picture: from 43 % of it where the
 * picture is black to all of it where it is white. Both are RGBA8. */
KRN_FN uint32_t krn_palette_shade(uint32_t colour, uint32_t picture)
{
    const uint32_t red = picture & 0xff, green = picture >> 8 & 0xff, blue = picture >> 16 & 0xff;
    const uint32_t light = (54 * red + 183 * green + 19 * blue) / 256,
                   part = 110 + 146 * light / 255;
    return (colour & 0xff) * part / 256 | ((colour >> 8 & 0xff) * part / 256) << 8 |
           ((colour >> 16 & 0xff) * part / 256) << 16 | 0xff000000u;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the colours. */
void krn_palette_make(struct krn_palette *palette);

#ifdef __cplusplus
}
#endif
