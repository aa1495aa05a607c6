/* ren/geometry.h - rectangles and colours of the screen. */
#ifndef REN_GEOMETRY_H
#define REN_GEOMETRY_H

#include <stdint.h>

typedef uint32_t ren_colour; /* 0xRRGGBBAA */

/* Framebuffer pixels, origin top left, y down. */
struct ren_rect {
    float x, y, w, h;
};

#endif
