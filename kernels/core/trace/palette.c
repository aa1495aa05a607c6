/* The ramp of the heat map, from nearly black over blue and green to yellow.
 *
 * The idea is that of matplotlib's viridis (S. van der Walt, N. Smith, 2015): lightness rises in
 * equal steps, so that equal differences in cost look equal, in a grey print too, and the hue runs
 * from blue to yellow, which colour-blind eyes tell apart. The values are this project's own: 17
 * colours in Oklab (B. Ottosson, 2020) with lightness from 0.16 to 0.94, hue from 292 to 105
 * degrees, and chroma of 0.16 or as much as sRGB has there. */
#include "core/trace/palette.h"

#include "krn/heat.h"

static const unsigned char anchors[][3] = {
    {17, 0, 47},    {20, 0, 79},    {12, 8, 111},   {0, 45, 100},    {0, 63, 103},
    {0, 79, 111},   {5, 96, 118},   {3, 112, 127},  {8, 130, 133},   {4, 147, 138},
    {0, 166, 138},  {11, 185, 131}, {77, 200, 120}, {128, 212, 110}, {172, 223, 102},
    {213, 232, 97}, {251, 241, 99},
};
enum { SPANS = sizeof anchors / sizeof *anchors - 1 };

/* Returns the colour at a place 0..SPANS between the anchors. */
static uint32_t colour_at(double place)
{
    const int span = place < SPANS ? (int)place : SPANS - 1;
    const double part = place - span;
    uint32_t rgba = 0xff000000u;
    for (int channel = 0; channel < 3; channel++) {
        const double from = anchors[span][channel], to = anchors[span + 1][channel];
        rgba |= (uint32_t)lround(from + (to - from) * part) << 8 * channel;
    }
    return rgba;
}

void krn_palette_make(struct krn_palette *palette)
{
    for (int i = 0; i < KRN_PALETTE_STEPS; i++)
        palette->rgba[i] = colour_at((double)i * SPANS / (KRN_PALETTE_STEPS - 1));
}

uint32_t krn_heat_colour(double share)
{
    const double clipped = share > 0.0 ? fmin(share, 1.0) : 0.0;
    const double step = round(clipped * (KRN_PALETTE_STEPS - 1));
    return colour_at(step * SPANS / (KRN_PALETTE_STEPS - 1));
}
