/* text/glyphs.h - turns characters into distance fields: fonts, built-in glyphs and the atlas. */
#ifndef REN_GLYPHS_H
#define REN_GLYPHS_H

#include "gl/gl.h"
#include "krn/error.h"
#include "ren/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    REN_EM_TEXELS = 80,   /* size at which distance fields are made */
    REN_SPREAD_TEXELS = 8 /* distance at which a field ends */
};

/* font.c: finds the file of each face and makes distance fields of FreeType's outlines. */
struct ren_font_file {
    char path[1024]; /* "": none */
    int index;       /* as FT_New_Face takes it */
};

/* Asks fontconfig for the file of every face and leaves the path "" where it has none.
 * SPHERESCOPE_FONTS=builtin in the environment leaves all of them "". Returns the reason when a
 * face is missing, else "". */
const char *ren_font_find(struct ren_font_file files[REN_FACE_COUNT]);

/* A rectangle of signed distances in texels, positive inside, clamped to plus and minus
 * REN_SPREAD_TEXELS. Its first texel's corner lies at (left, top) from the pen, y up. */
struct ren_field {
    int left, top, width, height;
    float *distance; /* width * height; owned */
};

/* Makes the field of the outline in face->glyph, which must be loaded at REN_EM_TEXELS pixels.
 * Fills by the non-zero winding rule; with `overlaps`, ignores edges inside other contours. Returns
 * false when there is no ink, or no memory. */
struct FT_FaceRec_;
bool ren_font_field(struct FT_FaceRec_ *face, bool overlaps, struct ren_field *field);

/* glyphs_builtin.c: the project's own plain glyphs, strokes of one width in cells of one width. All
 * lengths in em, y up from the baseline. */
#define REN_BUILTIN_ADVANCE 0.6f
enum { REN_BUILTIN_SEGMENTS_MAX = 200 };

struct ren_builtin_segment {
    float x0, y0, x1, y1; /* equal ends: a dot */
};

struct ren_builtin_shape {
    float half_width;
    int count; /* 0: a blank */
    struct ren_builtin_segment segments[REN_BUILTIN_SEGMENTS_MAX];
};

struct ren_metrics ren_builtin_metrics(void);

/* Looks a character up; returns false when the table lacks it. REN_CHARACTER_UNKNOWN is in it. */
bool ren_builtin_shape(uint32_t character, bool bold, struct ren_builtin_shape *shape);

/* Makes its distance field; returns false for a blank, or without memory. */
bool ren_builtin_field(const struct ren_builtin_shape *shape, struct ren_field *field);

/* glyph_atlas.c: keeps the glyphs of all faces in one texture. */
struct ren_glyph {
    float advance;    /* in pixels, at a size of 1 pixel */
    float x, y, w, h; /* quad at a size of 1 pixel, relative to the pen, y down; w = 0: blank */
    float u, v;       /* texel of the quad's top left corner; its size is w, h times
                         REN_EM_TEXELS */
};

struct ren_glyphs;

enum krn_code ren_glyphs_new(struct ren_glyphs **glyphs, int texture_size_max,
                             struct krn_error *error);
void ren_glyphs_free(struct ren_glyphs *glyphs);
const char *ren_glyphs_notice(const struct ren_glyphs *glyphs);
struct ren_metrics ren_glyphs_metrics(const struct ren_glyphs *glyphs, enum ren_face face);

/* Returns the advance of a character at a size of 1 pixel; makes no distance field. */
float ren_glyphs_advance(struct ren_glyphs *glyphs, enum ren_face face, uint32_t character);

/* Returns the glyph, never NULL. The first use puts its distance field into the atlas. */
const struct ren_glyph *ren_glyphs_get(struct ren_glyphs *glyphs, enum ren_face face,
                                       uint32_t character);

/* Uploads new glyphs into the texture and binds it to the active unit. Errors: KRN_NO_MEMORY. */
enum krn_code ren_glyphs_bind(struct ren_glyphs *glyphs, struct krn_error *error);

#endif
