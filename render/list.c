/* Cuts shapes and text into instances of one rectangle; draws them or a kept layer in one call. */
#include "ren/list.h"

#include "gl/gl.h"
#include "krn/memory.h"
#include "ren/utf8.h"
#include "state.h"
#include "text/glyphs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whole pixels of the frame, from its top left corner. */
struct place {
    int x, y, w, h;
};

/* A part of the frame that is kept in a texture while it stays as it is. */
struct layer {
    GLuint program, texture, framebuffer;
    GLint rect;
    int width, height; /* of the texture; 0: none */
};

/* Makes texture and framebuffer of this size, and leaves the framebuffer bound on success. */
static bool resize(struct layer *layer, int width, int height)
{
    GLenum status = GL_FRAMEBUFFER_COMPLETE;
    ren_gl_try();
    if (layer->framebuffer == 0)
        REN_GL(glGenFramebuffers(1, &layer->framebuffer));
    REN_GL(glBindFramebuffer(GL_FRAMEBUFFER, layer->framebuffer));
    if (width != layer->width || height != layer->height) {
        layer->width = layer->height = 0;
        if (layer->texture == 0)
            REN_GL(glGenTextures(1, &layer->texture));
        REN_GL(glBindTexture(GL_TEXTURE_2D, layer->texture));
        REN_GL(glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                            NULL));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST));
        REN_GL(glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                      layer->texture, 0));
        REN_GL_VALUE(status, glCheckFramebufferStatus(GL_FRAMEBUFFER));
    }
    if (ren_gl_tried() != GL_NO_ERROR || status != GL_FRAMEBUFFER_COMPLETE)
        return false;
    layer->width = width;
    layer->height = height;
    return true;
}

/* Makes the texture as large as the place, clears it to opaque `rgb`, and directs drawing to it.
 * Returns false, with the frame still bound, when OpenGL gives no such texture. */
static bool layer_begin(struct layer *layer, const struct ren_renderer *renderer,
                        struct place place, unsigned rgb)
{
    const int most = renderer->info.texture_size_max;
    if (place.w > most || place.h > most)
        return false;
    if (!resize(layer, place.w, place.h)) {
        ren_frame_bind(renderer);
        return false;
    }
    /* Shapes keep the coordinates of the frame. */
    REN_GL(glViewport(-place.x, place.y + place.h - renderer->height, renderer->width,
                      renderer->height));
    REN_GL(glClearColor((float)(rgb >> 16 & 255) / 255.0f, (float)(rgb >> 8 & 255) / 255.0f,
                        (float)(rgb & 255) / 255.0f, 1.0f));
    REN_GL(glClear(GL_COLOR_BUFFER_BIT));
    return true;
}

static void layer_draw(const struct layer *layer, struct ren_renderer *renderer, struct place place)
{
    const float width = (float)renderer->width, height = (float)renderer->height;
    const float left = (float)place.x, right = (float)(place.x + place.w), top = (float)place.y,
                bottom = (float)(place.y + place.h);
    REN_GL(glUseProgram(layer->program));
    REN_GL(glUniform4f(layer->rect, 2.0f * left / width - 1.0f, 1.0f - 2.0f * bottom / height,
                       2.0f * right / width - 1.0f, 1.0f - 2.0f * top / height));
    REN_GL(glBindTexture(GL_TEXTURE_2D, layer->texture));
    REN_GL(glBindVertexArray(renderer->empty_vao));
    REN_GL(glDrawArrays(GL_TRIANGLE_STRIP, 0, 4));
    renderer->draws++;
}

/* The kinds of items, and the contents of their fields (shaders/overlay.*):
 *              box              extra                            size
 *   FILL       x, y, w, h       radius, -, part, edge            -
 *   OUTLINE    x, y, w, h       radius, width, part, edge        -
 *   LINE       x0, y0, x1, y1   -                                half the width
 *   SEGMENT    x0, y0, x1, y1   normals of the joints at both    half the width
 *   GLYPH      x, y, w, h       texel of the top left corner     pixels per em
 *   PLAIN      x, y, w, h       -                                -
 * A part is 0 for the whole shape, 1..4 for its top, bottom, left and right strip between the
 * corners, 5..8 for its corners. An edge is the side of a corner in whole pixels. PLAIN fills whole
 * pixels, with no edge to compute. */
enum kind { KIND_FILL, KIND_OUTLINE, KIND_LINE, KIND_SEGMENT, KIND_GLYPH, KIND_PLAIN };
enum { PARTS = 8 };

struct item {
    float box[4];
    float extra[4];
    uint8_t colour[4];
    float size;
    uint32_t kind;
};

enum { ITEMS_FIRST = 4096 };

struct ren_list {
    struct ren_glyphs *glyphs;
    struct item *items;
    size_t count, capacity;
    GLuint program, vao, buffer;
    size_t buffer_bytes;
    GLint frame_uniform, origin_uniform;

    struct layer layer;
    bool layered; /* this frame has a layer: the items first..end - 1 */
    size_t layer_first, layer_end;
    struct place place;
    unsigned layer_rgb;
    /* What the layer's texture shows. */
    struct {
        bool valid;
        struct item *items;
        size_t count;
        struct place place;
        unsigned rgb;
    } kept;
};

static void attribute(GLuint location, GLint n, GLenum type, GLboolean normalised, size_t offset)
{
    /* GL takes an offset into the bound buffer as a pointer. */
    const void *at = (const void *)offset; /* NOLINT(performance-no-int-to-ptr) */
    REN_GL(glEnableVertexAttribArray(location));
    if (type == GL_UNSIGNED_INT)
        REN_GL(glVertexAttribIPointer(location, n, type, sizeof(struct item), at));
    else
        REN_GL(glVertexAttribPointer(location, n, type, normalised, sizeof(struct item), at));
    REN_GL(glVertexAttribDivisor(location, 1));
}

enum krn_code ren_list_new(struct ren_list **list, struct ren_glyphs *glyphs,
                           struct krn_error *error)
{
    *list = NULL;
    struct ren_list *made = krn_alloc(1, sizeof *made);
    made->glyphs = glyphs;
    enum krn_code code = ren_program_make(ren_shader_picture_vert, ren_shader_picture_frag,
                                          &made->layer.program, error);
    KRN_THEN(code, ren_program_make(ren_shader_overlay_vert, ren_shader_overlay_frag,
                                    &made->program, error));
    if (code != KRN_OK) {
        ren_list_free(made);
        return code;
    }
    GLint atlas, field;
    REN_GL_VALUE(made->layer.rect, glGetUniformLocation(made->layer.program, "rect"));
    REN_GL_VALUE(made->frame_uniform, glGetUniformLocation(made->program, "frame"));
    REN_GL_VALUE(made->origin_uniform, glGetUniformLocation(made->program, "origin"));
    REN_GL_VALUE(atlas, glGetUniformLocation(made->program, "atlas"));
    REN_GL_VALUE(field, glGetUniformLocation(made->program, "field"));
    REN_GL(glUseProgram(made->program));
    REN_GL(glUniform1i(atlas, 0));
    REN_GL(glUniform2f(field, REN_EM_TEXELS, REN_SPREAD_TEXELS));

    REN_GL(glGenVertexArrays(1, &made->vao));
    REN_GL(glGenBuffers(1, &made->buffer));
    REN_GL(glBindVertexArray(made->vao));
    REN_GL(glBindBuffer(GL_ARRAY_BUFFER, made->buffer));
    attribute(0, 4, GL_FLOAT, GL_FALSE, offsetof(struct item, box));
    attribute(1, 4, GL_FLOAT, GL_FALSE, offsetof(struct item, extra));
    attribute(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, offsetof(struct item, colour));
    attribute(3, 1, GL_FLOAT, GL_FALSE, offsetof(struct item, size));
    attribute(4, 1, GL_UNSIGNED_INT, GL_FALSE, offsetof(struct item, kind));
    REN_GL(glBindVertexArray(0));
    *list = made;
    return KRN_OK;
}

void ren_list_free(struct ren_list *list)
{
    if (!list)
        return;
    REN_GL(glDeleteVertexArrays(1, &list->vao));
    REN_GL(glDeleteBuffers(1, &list->buffer));
    REN_GL(glDeleteProgram(list->program));
    REN_GL(glDeleteFramebuffers(1, &list->layer.framebuffer));
    REN_GL(glDeleteTextures(1, &list->layer.texture));
    REN_GL(glDeleteProgram(list->layer.program));
    free(list->kept.items);
    free(list->items);
    free(list);
}

struct ren_list *ren_list_begin(struct ren_renderer *renderer)
{
    renderer->list->count = 0;
    renderer->list->layered = false;
    return renderer->list;
}

/* Appends an item with kind and colour set and the rest zero. */
static struct item *item_add(struct ren_list *list, enum kind kind, ren_colour colour)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : ITEMS_FIRST;
        list->items = krn_grow(list->items, list->capacity, sizeof *list->items);
    }
    struct item *item = &list->items[list->count++];
    *item = (struct item){.colour = {(uint8_t)(colour >> 24), (uint8_t)(colour >> 16),
                                     (uint8_t)(colour >> 8), (uint8_t)colour},
                          .kind = kind};
    return item;
}

static bool is_finite4(float a, float b, float c, float d)
{
    return isfinite(a) && isfinite(b) && isfinite(c) && isfinite(d);
}

/* Returns false for shapes that cover no pixel and for coordinates that are not finite. */
static bool is_visible(struct ren_rect rect, ren_colour colour)
{
    return (colour & 255) != 0 && is_finite4(rect.x, rect.y, rect.w, rect.h) && rect.w > 0.0f &&
           rect.h > 0.0f;
}

static float radius_fit(struct ren_rect rect, float radius)
{
    return fmaxf(fminf(radius, fminf(rect.w, rect.h) / 2), 0.0f);
}

static void box_set(struct item *item, struct ren_rect rect)
{
    item->box[0] = rect.x;
    item->box[1] = rect.y;
    item->box[2] = rect.w;
    item->box[3] = rect.h;
}

/* Appends the parts first..last of a shape. */
static void parts_add(struct ren_list *list, enum kind kind, struct ren_rect rect, float radius,
                      float width, int first, int last, float edge, ren_colour colour)
{
    for (int part = first; part <= last; part++) {
        struct item *item = item_add(list, kind, colour);
        box_set(item, rect);
        item->extra[0] = radius;
        item->extra[1] = width;
        item->extra[2] = (float)part;
        item->extra[3] = edge;
    }
}

/* Appends a fill. The inner pixels of a large one have an item without edges: a GPU for computing
 * shades few pixels at a time, and cards are most of what an overlay covers. */
void ren_list_fill(struct ren_list *list, struct ren_rect rect, float radius, ren_colour colour)
{
    if (!is_visible(rect, colour))
        return;
    radius = radius_fit(rect, radius);
    const float edge = ceilf(radius) + 1.0f, enough = 2.0f * edge + 32.0f;
    const float left = floorf(rect.x) + edge, top = floorf(rect.y) + edge,
                right = ceilf(rect.x + rect.w) - edge, bottom = ceilf(rect.y + rect.h) - edge;
    if (rect.w < enough || rect.h < enough || !is_finite4(left, top, right, bottom)) {
        parts_add(list, KIND_FILL, rect, radius, 0.0f, 0, 0, 0.0f, colour);
        return;
    }
    parts_add(list, KIND_FILL, rect, radius, edge - 1.0f, 1, PARTS, edge, colour);
    box_set(item_add(list, KIND_PLAIN, colour),
            (struct ren_rect){left, top, right - left, bottom - top});
}

void ren_list_outline(struct ren_list *list, struct ren_rect rect, float radius, float width,
                      ren_colour colour)
{
    if (!is_visible(rect, colour) || !(width > 0.0f))
        return;
    float shorter = fminf(rect.w, rect.h);
    if (2 * width >= shorter) {
        ren_list_fill(list, rect, radius, colour);
        return;
    }
    radius = radius_fit(rect, radius);
    /* Sides and corners are items of their own, unless the corners leave nothing between them. */
    const float edge = ceilf(fmaxf(radius, width)) + 1.0f;
    const bool small = shorter <= 2.0f * edge + 2.0f;
    parts_add(list, KIND_OUTLINE, rect, radius, width, small ? 0 : 1, small ? 0 : PARTS, edge,
              colour);
}

static struct item *line_add(struct ren_list *list, enum kind kind, float x0, float y0, float x1,
                             float y1, float width, ren_colour colour)
{
    struct item *item = item_add(list, kind, colour);
    box_set(item, (struct ren_rect){x0, y0, x1, y1});
    item->size = width / 2;
    return item;
}

void ren_list_line(struct ren_list *list, float x0, float y0, float x1, float y1, float width,
                   ren_colour colour)
{
    if ((colour & 255) == 0 || !is_finite4(x0, y0, x1, y1) || !(width > 0.0f) ||
        (x0 == x1 && y0 == y1))
        return;
    line_add(list, KIND_LINE, x0, y0, x1, y1, width, colour);
}

/* Computes the normal of the line that separates two segments of directions a and b. */
static void joint_normal(const float a[2], const float b[2], float normal[2])
{
    normal[0] = a[0] + b[0];
    normal[1] = a[1] + b[1];
    if (normal[0] * normal[0] + normal[1] * normal[1] < 1e-6f) { /* the curve turns straight back */
        normal[0] = -a[1];
        normal[1] = a[0];
    }
}

void ren_list_polyline(struct ren_list *list, const float *xy, size_t n, float width,
                       ren_colour colour)
{
    if ((colour & 255) == 0 || !(width > 0.0f))
        return;
    /* Opaque segments may overlap. Separating them is exact only where they are longer than wide,
     * and curves of many samples have shorter ones. */
    bool parted = (colour & 255) != 255;
    struct item *last = NULL;
    float last_direction[2] = {0, 0};
    bool begun = false;
    float x0 = 0, y0 = 0;
    for (size_t i = 0; i < n; i++) {
        float x1 = xy[2 * i], y1 = xy[2 * i + 1];
        if (!isfinite(x1) || !isfinite(y1))
            continue;
        const double dx = x1 - x0, dy = y1 - y0;
        float length = begun ? (float)sqrt(dx * dx + dy * dy) : 0.0f;
        if (begun && !(length > 1e-4f && isfinite(length)))
            continue;
        if (begun) {
            struct item *item = line_add(list, KIND_SEGMENT, x0, y0, x1, y1, width, colour);
            float direction[2] = {(x1 - x0) / length, (y1 - y0) / length};
            if (parted && item != list->items &&
                last_direction[0] * last_direction[0] + last_direction[1] * last_direction[1] >
                    0.0f) {
                last = item - 1; /* growing the list may have moved it */
                joint_normal(last_direction, direction, item->extra);
                last->extra[2] = item->extra[0];
                last->extra[3] = item->extra[1];
            }
            last_direction[0] = direction[0];
            last_direction[1] = direction[1];
        }
        x0 = x1;
        y0 = y1;
        begun = true;
    }
    if (begun && last_direction[0] == 0.0f && last_direction[1] == 0.0f)
        line_add(list, KIND_SEGMENT, x0, y0, x0, y0, width, colour); /* a dot */
}

static float text_width(struct ren_glyphs *glyphs, enum ren_face face, float size, const char *utf8)
{
    float width = 0.0f;
    for (uint32_t c = ren_utf8_next(&utf8); c != 0; c = ren_utf8_next(&utf8))
        width += ren_glyphs_advance(glyphs, face, c) * size;
    return width;
}

float ren_text_width(const struct ren_renderer *renderer, enum ren_face face, float size,
                     const char *utf8)
{
    return text_width(renderer->glyphs, face, size, utf8);
}

struct ren_metrics ren_face_metrics(const struct ren_renderer *renderer, enum ren_face face)
{
    return ren_glyphs_metrics(renderer->glyphs, face);
}

float ren_list_text(struct ren_list *list, enum ren_face face, float size, float x, float y,
                    enum ren_align align, ren_colour colour, const char *utf8)
{
    if (!is_finite4(x, y, size, size) || !(size > 0.0f))
        return 0.0f;
    float width = text_width(list->glyphs, face, size, utf8);
    if ((colour & 255) == 0)
        return width;
    if (align == REN_ALIGN_CENTRE)
        x -= width / 2;
    else if (align == REN_ALIGN_RIGHT)
        x -= width;
    y = roundf(y); /* a baseline between pixels would blur the lower edges of the letters */
    for (uint32_t c = ren_utf8_next(&utf8); c != 0; c = ren_utf8_next(&utf8)) {
        const struct ren_glyph *glyph = ren_glyphs_get(list->glyphs, face, c);
        if (glyph->w > 0.0f) {
            struct item *item = item_add(list, KIND_GLYPH, colour);
            box_set(item, (struct ren_rect){x + glyph->x * size, y + glyph->y * size,
                                            glyph->w * size, glyph->h * size});
            item->extra[0] = glyph->u;
            item->extra[1] = glyph->v;
            item->size = size;
        }
        x += glyph->advance * size;
    }
    return width;
}

void ren_list_layer_begin(struct ren_list *list, struct ren_rect rect, unsigned rgb)
{
    const int left = (int)roundf(rect.x), top = (int)roundf(rect.y);
    list->place = (struct place){left, top, (int)roundf(rect.x + rect.w) - left,
                                 (int)roundf(rect.y + rect.h) - top};
    list->layered = list->place.w > 0 && list->place.h > 0;
    list->layer_first = list->layer_end = list->count;
    list->layer_rgb = rgb;
    /* Where there is no layer, this is what the frame is cleared to. */
    ren_list_fill(
        list,
        (struct ren_rect){(float)left, (float)top, (float)list->place.w, (float)list->place.h},
        0.0f, rgb << 8 | 0xff);
}

void ren_list_layer_end(struct ren_list *list)
{
    list->layer_end = list->count;
}

/* Draws `count` items from `first` on, in one call, into what is bound; (x, y) is its lower left
 * corner in the frame, counted from below. */
static enum krn_code draw_items(struct ren_renderer *renderer, struct ren_list *list, size_t first,
                                size_t count, int x, int y, struct krn_error *error)
{
    if (count == 0)
        return KRN_OK;
    enum krn_code code = ren_glyphs_bind(list->glyphs, error);
    if (code != KRN_OK)
        return code;
    REN_GL(glUseProgram(list->program));
    /* A window that Mesa's software OpenGL has resized keeps the old height in gl_FragCoord until a
     * uniform changes. */
    REN_GL(glUniform2f(list->frame_uniform, 0.0f, 0.0f));
    REN_GL(glUniform2f(list->frame_uniform, (float)renderer->width, (float)renderer->height));
    REN_GL(glUniform2f(list->origin_uniform, (float)x, (float)y));
    REN_GL(glBindVertexArray(list->vao));
    REN_GL(glBindBuffer(GL_ARRAY_BUFFER, list->buffer));
    size_t bytes = count * sizeof *list->items;
    if (bytes > list->buffer_bytes)
        list->buffer_bytes = list->capacity * sizeof *list->items;
    ren_gl_try();
    /* New storage spares the driver a wait for the last frame. */
    REN_GL(glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)list->buffer_bytes, NULL, GL_STREAM_DRAW));
    REN_GL(glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)bytes, list->items + first));
    GLenum failed = ren_gl_tried();
    if (failed != GL_NO_ERROR)
        return KRN_FAIL(error, failed == GL_OUT_OF_MEMORY ? KRN_NO_MEMORY : KRN_FAILED,
                        "OpenGL took no drawing list of %zu items (%s): %s.", count,
                        ren_gl_error_name(failed), ren_gl_cure(failed));
    REN_GL(glEnable(GL_BLEND));
    REN_GL(glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA));
    REN_GL(glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count));
    renderer->draws++;
    REN_GL(glDisable(GL_BLEND));
    REN_GL(glBindVertexArray(0));
    return KRN_OK;
}

static bool is_kept(const struct ren_list *list)
{
    const size_t count = list->layer_end - list->layer_first;
    return list->kept.valid && list->kept.count == count && list->kept.rgb == list->layer_rgb &&
           memcmp(&list->kept.place, &list->place, sizeof list->place) == 0 &&
           memcmp(list->kept.items, list->items + list->layer_first, count * sizeof *list->items) ==
               0;
}

/* Notes what the layer's texture shows. */
static void keep(struct ren_list *list)
{
    const size_t count = list->layer_end - list->layer_first;
    list->kept.items = krn_grow(list->kept.items, count, sizeof *list->items);
    memcpy(list->kept.items, list->items + list->layer_first, count * sizeof *list->items);
    list->kept.count = count;
    list->kept.rgb = list->layer_rgb;
    list->kept.place = list->place;
    list->kept.valid = true;
}

/* Brings the layer's texture up to date. *usable is false when there is none. */
static enum krn_code update_layer(struct ren_renderer *renderer, struct ren_list *list,
                                  bool *usable, struct krn_error *error)
{
    const struct place place = list->place;
    *usable = true;
    if (is_kept(list))
        return KRN_OK;
    list->kept.valid = false;
    *usable = layer_begin(&list->layer, renderer, place, list->layer_rgb);
    if (!*usable)
        return KRN_OK;
    /* The first item is the ground, to which the texture was cleared. */
    const enum krn_code code =
        draw_items(renderer, list, list->layer_first + 1, list->layer_end - list->layer_first - 1,
                   place.x, renderer->height - place.y - place.h, error);
    ren_frame_bind(renderer);
    if (code == KRN_OK)
        keep(list);
    return code;
}

enum krn_code ren_list_draw(struct ren_renderer *renderer, struct ren_list *list,
                            struct krn_error *error)
{
    if (list->count == 0 || renderer->width == 0 || renderer->height == 0)
        return KRN_OK;
    bool layered = list->layered && list->layer_end > list->layer_first;
    enum krn_code code = layered ? update_layer(renderer, list, &layered, error) : KRN_OK;
    size_t first = 0;
    if (code == KRN_OK && layered) {
        code = draw_items(renderer, list, 0, list->layer_first, 0, 0, error);
        layer_draw(&list->layer, renderer, list->place);
        first = list->layer_end;
    }
    return KRN_THEN(code, draw_items(renderer, list, first, list->count - first, 0, 0, error));
}
