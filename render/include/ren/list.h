/* ren/list.h - a drawing list: plain data first, few draw calls afterwards.
 *
 * Callers append rectangles, lines and text in painter's order; ren_list_draw uploads the whole
 * list into one buffer and draws it over the frame. The list knows no benchmark and no theme.
 * Coordinates are framebuffer pixels, origin top left, y down. Colours are 0xRRGGBBAA, not
 * premultiplied.
 */
#pragma once

#include "krn/error.h"

#include <stddef.h>
#include <stdint.h>

/* --- rectangles and colours --- */

typedef uint32_t ren_colour; /* 0xRRGGBBAA */

/* Framebuffer pixels, origin top left, y down. */
struct ren_rect {
    float x, y, w, h;
};

/* --- the list --- */

struct ren_renderer;
struct ren_list;

/* The typefaces that text is drawn in. */
enum ren_face {
    REN_FACE_SANS,
    REN_FACE_SANS_BOLD,
    REN_FACE_MONO, /* tabular: every digit has the same advance */
    REN_FACE_MONO_BOLD,
    REN_FACE_COUNT
};

/* Vertical measures of a face at 1 pixel size; multiply by the size. */
struct ren_metrics {
    float ascent, descent; /* above and below the baseline, both > 0 */
    float cap_height;      /* of "H" */
};

enum ren_align { REN_ALIGN_LEFT, REN_ALIGN_CENTRE, REN_ALIGN_RIGHT };

/* Empties the renderer's list and returns it. It belongs to the renderer and grows as needed. */
struct ren_list *ren_list_begin(struct ren_renderer *renderer);

void ren_list_fill(struct ren_list *list, struct ren_rect rect, float radius, ren_colour colour);
/* Appends an outline, which lies inside rect. */
void ren_list_outline(struct ren_list *list, struct ren_rect rect, float radius, float width,
                      ren_colour colour);
void ren_list_line(struct ren_list *list, float x0, float y0, float x1, float y1, float width,
                   ren_colour colour);
/* Appends a line through n points, given as x, y pairs; joints are round. */
void ren_list_polyline(struct ren_list *list, const float *xy, size_t n, float width,
                       ren_colour colour);
/* Appends UTF-8 text on the baseline y; align says which end of the text x is. Unknown characters
 * are drawn as a box. Returns the advance width in pixels. */
float ren_list_text(struct ren_list *list, enum ren_face face, float size, float x, float y,
                    enum ren_align align, ren_colour colour, const char *utf8);

float ren_text_width(const struct ren_renderer *renderer, enum ren_face face, float size,
                     const char *utf8);
struct ren_metrics ren_face_metrics(const struct ren_renderer *renderer, enum ren_face face);

/* Begin and end a layer: what is appended in between lies within `rect`, rounded to whole pixels,
 * over the opaque ground `rgb`. It is kept in a texture, and drawn again only when it has changed:
 * a page of panels has thousands of shapes and mostly stays as it is. A list has at most one layer.
 * Where OpenGL gives no texture for it, it is drawn with the rest. */
void ren_list_layer_begin(struct ren_list *list, struct ren_rect rect, unsigned rgb);
void ren_list_layer_end(struct ren_list *list);

/* Draws everything appended since ren_list_begin over the current frame, in one call; in up to four
 * where there is a layer. */
enum krn_code ren_list_draw(struct ren_renderer *renderer, struct ren_list *list,
                            struct krn_error *error);
