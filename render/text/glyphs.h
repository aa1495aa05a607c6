/* text/glyphs.h - turns characters into distance fields: fonts and the atlas. */
#pragma once

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

/* The embedded fonts (CMakeLists.txt). */
extern const char ren_font_Inter_Regular_otf[], ren_font_Inter_Bold_otf[];
extern const char ren_font_JetBrainsMono_Regular_ttf[], ren_font_JetBrainsMono_Bold_ttf[];
extern const size_t ren_font_Inter_Regular_otf_size, ren_font_Inter_Bold_otf_size;
extern const size_t ren_font_JetBrainsMono_Regular_ttf_size, ren_font_JetBrainsMono_Bold_ttf_size;

/* font.c: lists the system's fonts and makes distance fields of FreeType's outlines. */
struct ren_font_file {
    char *path; /* owned */
    int index;  /* as FT_New_Face takes it */
    bool tried;
    struct FT_FaceRec_ *face; /* NULL: not tried, or it cannot be opened */
};

/* Asks fontconfig for the system's fonts, a plain sans-serif one first, without those whose
 * characters are all in earlier ones. Returns their number, which is 0 without fontconfig; the
 * caller frees them. */
size_t ren_font_list(struct ren_font_file **files);

/* A rectangle of signed distances in texels, positive inside, clamped to plus and minus
 * REN_SPREAD_TEXELS. Its first texel's corner lies at (left, top) from the pen, y up. */
struct ren_field {
    int left, top, width, height;
    float *distance; /* width * height; owned */
};

/* Makes the field of the outline in face->glyph, which must be loaded at REN_EM_TEXELS pixels.
 * Fills by the non-zero winding rule; with `overlaps`, ignores edges inside other contours. Returns
 * false when there is no ink. */
struct FT_FaceRec_;
bool ren_font_field(struct FT_FaceRec_ *face, bool overlaps, struct ren_field *field);

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
struct ren_metrics ren_glyphs_metrics(const struct ren_glyphs *glyphs, enum ren_face face);

/* Returns the advance of a character at a size of 1 pixel; makes no distance field. */
float ren_glyphs_advance(struct ren_glyphs *glyphs, enum ren_face face, uint32_t character);

/* Returns the glyph, never NULL. The first use puts its distance field into the atlas. */
const struct ren_glyph *ren_glyphs_get(struct ren_glyphs *glyphs, enum ren_face face,
                                       uint32_t character);

/* Uploads new glyphs into the texture and binds it to the active unit. Errors: KRN_NO_MEMORY. */
enum krn_code ren_glyphs_bind(struct ren_glyphs *glyphs, struct krn_error *error);
