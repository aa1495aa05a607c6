#include "ren/utf8.h"
#include "text/glyphs.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATLAS_WIDTH = 2048,
    ATLAS_HEIGHT_FIRST = 512,
    ATLAS_HEIGHT_MOST = 4096,
    GUTTER = 1, /* empty texels between glyphs, so that filtering reads no neighbour */
    GLYPHS_MOST = 16384,
    SLOTS_FIRST = 1024 /* a power of two */
};

struct slot {
    uint32_t key; /* character and face; KEY_FREE: none */
    bool rendered;
    struct ren_glyph glyph;
};

#define KEY_FREE UINT32_MAX

struct ren_glyphs {
    FT_Library library;
    FT_Face faces[REN_FACE_COUNT]; /* NULL: built-in glyphs */
    struct ren_metrics metrics[REN_FACE_COUNT];
    const char *notice;

    struct slot *slots; /* open addressing, at most half full */
    size_t slot_count, slots_used;
    struct ren_glyph scratch; /* the last glyph that found no free slot */

    uint16_t *texels; /* the texture's content, whether uploaded or not */
    int width, height, height_most;
    int shelf_x, shelf_y, shelf_height;         /* where the next glyph goes */
    int dirty_x0, dirty_y0, dirty_x1, dirty_y1; /* not uploaded yet; x0 == x1: nothing */
    GLuint texture;
    int texture_height;
};

static bool is_bold(enum ren_face face)
{
    return face == REN_FACE_SANS_BOLD || face == REN_FACE_MONO_BOLD;
}

static bool is_mono(enum ren_face face)
{
    return face == REN_FACE_MONO || face == REN_FACE_MONO_BOLD;
}

static FT_Face face_open(FT_Library library, const struct ren_font_file *file)
{
    FT_Face face;
    if (!file->path[0] || FT_New_Face(library, file->path, file->index, &face) != 0)
        return NULL;
    if (!FT_IS_SCALABLE(face) || FT_Select_Charmap(face, FT_ENCODING_UNICODE) != 0 ||
        FT_Set_Pixel_Sizes(face, 0, REN_EM_TEXELS) != 0) {
        FT_Done_Face(face);
        return NULL;
    }
    return face;
}

static struct ren_metrics face_metrics(FT_Face face)
{
    float em = (float)face->units_per_EM;
    struct ren_metrics metrics = {(float)face->ascender / em, (float)-face->descender / em, 0.7f};
    if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) == 0 && face->glyph->metrics.horiBearingY > 0)
        metrics.cap_height = (float)face->glyph->metrics.horiBearingY / em;
    return metrics;
}

static void fonts_open(struct ren_glyphs *glyphs)
{
    struct ren_font_file files[REN_FACE_COUNT];
    glyphs->notice = ren_font_find(files);
    if (FT_Init_FreeType(&glyphs->library) != 0) {
        glyphs->library = NULL;
        glyphs->notice = "FreeType could not be started, so plain built-in glyphs are drawn.";
    }
    for (int i = 0; i < REN_FACE_COUNT; i++) {
        glyphs->metrics[i] = ren_builtin_metrics();
        glyphs->faces[i] = glyphs->library ? face_open(glyphs->library, &files[i]) : NULL;
        if (glyphs->faces[i])
            glyphs->metrics[i] = face_metrics(glyphs->faces[i]);
        else if (files[i].path[0])
            glyphs->notice = "A font file could not be read, so plain built-in glyphs stand in "
                             "for it; fc-cache -f may help.";
    }
}

static bool slots_alloc(struct slot **slots, size_t count)
{
    *slots = malloc(count * sizeof **slots);
    if (!*slots)
        return false;
    for (size_t i = 0; i < count; i++)
        (*slots)[i].key = KEY_FREE;
    return true;
}

static struct slot *slot_find(struct slot *slots, size_t count, uint32_t key)
{
    size_t i = (key * UINT32_C(2654435769)) & (count - 1);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): slots_alloc() has set every key. */
    while (slots[i].key != key && slots[i].key != KEY_FREE)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static bool slots_grow(struct ren_glyphs *glyphs)
{
    struct slot *larger;
    if (!slots_alloc(&larger, glyphs->slot_count * 2))
        return false;
    for (size_t i = 0; i < glyphs->slot_count; i++) {
        if (glyphs->slots[i].key != KEY_FREE)
            *slot_find(larger, glyphs->slot_count * 2, glyphs->slots[i].key) = glyphs->slots[i];
    }
    free(glyphs->slots);
    glyphs->slots = larger;
    glyphs->slot_count *= 2;
    return true;
}

enum krn_code ren_glyphs_new(struct ren_glyphs **glyphs, int texture_size_max,
                             struct krn_error *error)
{
    *glyphs = NULL;
    struct ren_glyphs *made = calloc(1, sizeof *made);
    if (!made)
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the glyphs.");
    made->width = texture_size_max < ATLAS_WIDTH ? texture_size_max : ATLAS_WIDTH;
    made->height = ATLAS_HEIGHT_FIRST;
    made->height_most = texture_size_max < ATLAS_HEIGHT_MOST ? texture_size_max : ATLAS_HEIGHT_MOST;
    made->shelf_x = GUTTER;
    made->shelf_y = GUTTER;
    made->slot_count = SLOTS_FIRST;
    made->texels = calloc((size_t)made->height * (size_t)made->width, sizeof *made->texels);
    if (!made->texels || !slots_alloc(&made->slots, made->slot_count)) {
        ren_glyphs_free(made);
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the glyphs.");
    }
    REN_GL(glGenTextures(1, &made->texture));
    fonts_open(made);
    *glyphs = made;
    return KRN_OK;
}

void ren_glyphs_free(struct ren_glyphs *glyphs)
{
    if (!glyphs)
        return;
    for (int i = 0; i < REN_FACE_COUNT; i++) {
        if (glyphs->faces[i])
            FT_Done_Face(glyphs->faces[i]);
    }
    if (glyphs->library)
        FT_Done_FreeType(glyphs->library);
    if (glyphs->texture)
        REN_GL(glDeleteTextures(1, &glyphs->texture));
    free(glyphs->slots);
    free(glyphs->texels);
    free(glyphs);
}

const char *ren_glyphs_notice(const struct ren_glyphs *glyphs)
{
    return glyphs->notice;
}

struct ren_metrics ren_glyphs_metrics(const struct ren_glyphs *glyphs, enum ren_face face)
{
    return glyphs->metrics[face];
}

/* Doubles the atlas' height; the texture follows at the next bind. */
static bool atlas_grow(struct ren_glyphs *glyphs)
{
    int height = glyphs->height * 2;
    if (height > glyphs->height_most)
        return false;
    size_t old = (size_t)glyphs->width * (size_t)glyphs->height;
    uint16_t *texels = realloc(glyphs->texels, old * 2 * sizeof *texels);
    if (!texels)
        return false;
    memset(texels + old, 0, old * sizeof *texels);
    glyphs->texels = texels;
    glyphs->height = height;
    return true;
}

/* Finds room for w x h texels; fills shelves from top to bottom. */
static bool atlas_place(struct ren_glyphs *glyphs, int w, int h, int *x, int *y)
{
    if (w + 2 * GUTTER > glyphs->width)
        return false;
    if (glyphs->shelf_x + w + GUTTER > glyphs->width) {
        glyphs->shelf_y += glyphs->shelf_height + GUTTER;
        glyphs->shelf_x = GUTTER;
        glyphs->shelf_height = 0;
    }
    while (glyphs->shelf_y + h + GUTTER > glyphs->height) {
        if (!atlas_grow(glyphs))
            return false;
    }
    *x = glyphs->shelf_x;
    *y = glyphs->shelf_y;
    glyphs->shelf_x += w + GUTTER;
    if (h > glyphs->shelf_height)
        glyphs->shelf_height = h;

    bool clean = glyphs->dirty_x0 == glyphs->dirty_x1;
    if (clean || *x < glyphs->dirty_x0)
        glyphs->dirty_x0 = *x;
    if (clean || *y < glyphs->dirty_y0)
        glyphs->dirty_y0 = *y;
    if (clean || *x + w > glyphs->dirty_x1)
        glyphs->dirty_x1 = *x + w;
    if (clean || *y + h > glyphs->dirty_y1)
        glyphs->dirty_y1 = *y + h;
    return true;
}

/* Copies a field into the atlas and computes the glyph's quad. */
static void field_place(struct ren_glyphs *glyphs, struct ren_glyph *glyph,
                        const struct ren_field *field)
{
    int x, y;
    if (!atlas_place(glyphs, field->width, field->height, &x, &y))
        return;
    glyph->x = (float)field->left / REN_EM_TEXELS;
    glyph->y = (float)-field->top / REN_EM_TEXELS;
    glyph->w = (float)field->width / REN_EM_TEXELS;
    glyph->h = (float)field->height / REN_EM_TEXELS;
    glyph->u = (float)x;
    glyph->v = (float)y;
    const float *from = field->distance;
    for (int j = 0; j < field->height; j++) {
        uint16_t *to = glyphs->texels + (size_t)(y + j) * (size_t)glyphs->width + (size_t)x;
        for (int i = 0; i < field->width; i++)
            *to++ = (uint16_t)(32767.5f + *from++ * (32767.0f / REN_SPREAD_TEXELS) + 0.5f);
    }
}

static const struct ren_glyph *glyph_get(struct ren_glyphs *glyphs, enum ren_face face,
                                         uint32_t character, bool render);

/* Makes a glyph from the first source that has the character: the face, the built-in table, the
 * other face of the same weight, or the box. */
static void glyph_make(struct ren_glyphs *glyphs, enum ren_face face, uint32_t character,
                       bool render, struct ren_glyph *glyph)
{
    memset(glyph, 0, sizeof *glyph);
    glyph->advance = REN_BUILTIN_ADVANCE;
    FT_Face font = glyphs->faces[face];
    FT_Face other = glyphs->faces[(face + REN_FACE_MONO) % REN_FACE_COUNT];
    bool is_control = character < 32 || character == 127;
    struct ren_builtin_shape shape;
    struct ren_field field = {0};
    if (!font || is_control || FT_Get_Char_Index(font, character) == 0) {
        if (ren_builtin_shape(character, is_bold(face), &shape)) {
            if (font && is_mono(face))
                glyph->advance = ren_glyphs_advance(glyphs, face, '0');
            if (render && ren_builtin_field(&shape, &field))
                field_place(glyphs, glyph, &field);
            free(field.distance);
            return;
        }
        if (!other || is_control || FT_Get_Char_Index(other, character) == 0) {
            *glyph = *glyph_get(glyphs, face, REN_CHARACTER_UNKNOWN, render);
            return;
        }
        font = other;
    }
    if (FT_Load_Char(font, character, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0)
        return;
    glyph->advance = (float)font->glyph->linearHoriAdvance / (65536.0f * REN_EM_TEXELS);
    if (render && ren_font_field(font, FT_HAS_MULTIPLE_MASTERS(font), &field))
        field_place(glyphs, glyph, &field);
    free(field.distance);
}

static const struct ren_glyph *glyph_get(struct ren_glyphs *glyphs, enum ren_face face,
                                         uint32_t character, bool render)
{
    uint32_t key = character | (uint32_t)face << 24;
    struct slot *slot = slot_find(glyphs->slots, glyphs->slot_count, key);
    if (slot->key == key && (slot->rendered || !render))
        return &slot->glyph;
    if (slot->key != key && glyphs->slots_used >= GLYPHS_MOST && character != REN_CHARACTER_UNKNOWN)
        return glyph_get(glyphs, face, REN_CHARACTER_UNKNOWN, render);

    struct ren_glyph glyph;
    glyph_make(glyphs, face, character, render, &glyph);
    if (glyphs->slots_used * 2 >= glyphs->slot_count && !slots_grow(glyphs)) {
        glyphs->scratch = glyph;
        return &glyphs->scratch;
    }
    slot = slot_find(glyphs->slots, glyphs->slot_count, key); /* glyph_make may move slots */
    if (slot->key == KEY_FREE)
        glyphs->slots_used++;
    slot->key = key;
    slot->glyph = glyph;
    slot->rendered = render;
    return &slot->glyph;
}

float ren_glyphs_advance(struct ren_glyphs *glyphs, enum ren_face face, uint32_t character)
{
    return glyph_get(glyphs, face, character, false)->advance;
}

const struct ren_glyph *ren_glyphs_get(struct ren_glyphs *glyphs, enum ren_face face,
                                       uint32_t character)
{
    return glyph_get(glyphs, face, character, true);
}

enum krn_code ren_glyphs_bind(struct ren_glyphs *glyphs, struct krn_error *error)
{
    REN_GL(glBindTexture(GL_TEXTURE_2D, glyphs->texture));
    REN_GL(glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0));
    if (glyphs->texture_height != glyphs->height) {
        ren_gl_try();
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE));
        REN_GL(glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0));
        REN_GL(glTexImage2D(GL_TEXTURE_2D, 0, GL_R16, glyphs->width, glyphs->height, 0, GL_RED,
                            GL_UNSIGNED_SHORT, glyphs->texels));
        GLenum failed = ren_gl_tried();
        if (failed != GL_NO_ERROR)
            return KRN_FAIL(error, failed == GL_OUT_OF_MEMORY ? KRN_NO_MEMORY : KRN_FAILED,
                            "OpenGL made no %d x %d texture for glyphs (%s): %s.", glyphs->width,
                            glyphs->height, ren_gl_error_name(failed), ren_gl_cure(failed));
        glyphs->texture_height = glyphs->height;
    } else if (glyphs->dirty_x0 != glyphs->dirty_x1) {
        const uint16_t *first = glyphs->texels + (size_t)glyphs->dirty_y0 * (size_t)glyphs->width +
                                (size_t)glyphs->dirty_x0;
        REN_GL(glPixelStorei(GL_UNPACK_ALIGNMENT, 2));
        REN_GL(glPixelStorei(GL_UNPACK_ROW_LENGTH, glyphs->width));
        REN_GL(glTexSubImage2D(GL_TEXTURE_2D, 0, glyphs->dirty_x0, glyphs->dirty_y0,
                               glyphs->dirty_x1 - glyphs->dirty_x0,
                               glyphs->dirty_y1 - glyphs->dirty_y0, GL_RED, GL_UNSIGNED_SHORT,
                               first));
        REN_GL(glPixelStorei(GL_UNPACK_ROW_LENGTH, 0));
        REN_GL(glPixelStorei(GL_UNPACK_ALIGNMENT, 4));
    }
    glyphs->dirty_x0 = glyphs->dirty_x1 = 0;
    return KRN_OK;
}
