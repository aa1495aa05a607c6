/* The texture of distance fields: makes a glyph when it is first drawn, and keeps it. */
#include "krn/memory.h"
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
    FT_Face faces[REN_FACE_COUNT];
    struct ren_metrics metrics[REN_FACE_COUNT];
    bool listed;                 /* the system's fonts are known */
    struct ren_font_file *files; /* the system's fonts */
    size_t file_count;

    struct slot *slots; /* open addressing, at most half full */
    size_t slot_count, slots_used;

    uint16_t *texels; /* the texture's content, whether uploaded or not */
    int width, height, height_most;
    int shelf_x, shelf_y, shelf_height;         /* where the next glyph goes */
    int dirty_x0, dirty_y0, dirty_x1, dirty_y1; /* not uploaded yet; x0 == x1: nothing */
    GLuint texture;
    int texture_height;
};

/* Prepares a face that FreeType has opened; NULL where it is of no use here. */
static FT_Face face_prepare(FT_Face face)
{
    if (FT_IS_SCALABLE(face) && FT_Select_Charmap(face, FT_ENCODING_UNICODE) == 0 &&
        FT_Set_Pixel_Sizes(face, 0, REN_EM_TEXELS) == 0)
        return face;
    FT_Done_Face(face);
    return NULL;
}

static struct ren_metrics face_metrics(FT_Face face)
{
    float em = (float)face->units_per_EM;
    struct ren_metrics metrics = {(float)face->ascender / em, (float)-face->descender / em, 0.7f};
    if (FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE) == 0 && face->glyph->metrics.horiBearingY > 0)
        metrics.cap_height = (float)face->glyph->metrics.horiBearingY / em;
    return metrics;
}

static bool fonts_open(struct ren_glyphs *glyphs)
{
    const struct {
        const char *bytes;
        size_t size;
    } fonts[REN_FACE_COUNT] = {
        [REN_FACE_SANS] = {ren_font_Inter_Regular_otf, ren_font_Inter_Regular_otf_size},
        [REN_FACE_SANS_BOLD] = {ren_font_Inter_Bold_otf, ren_font_Inter_Bold_otf_size},
        [REN_FACE_MONO] = {ren_font_JetBrainsMono_Regular_ttf,
                           ren_font_JetBrainsMono_Regular_ttf_size},
        [REN_FACE_MONO_BOLD] = {ren_font_JetBrainsMono_Bold_ttf,
                                ren_font_JetBrainsMono_Bold_ttf_size},
    };
    if (FT_Init_FreeType(&glyphs->library) != 0)
        return false;
    for (int i = 0; i < REN_FACE_COUNT; i++) {
        FT_Face face;
        if (FT_New_Memory_Face(glyphs->library, (const FT_Byte *)fonts[i].bytes,
                               (FT_Long)fonts[i].size, 0, &face) != 0 ||
            !(glyphs->faces[i] = face_prepare(face)))
            return false;
        glyphs->metrics[i] = face_metrics(face);
    }
    return true;
}

/* Returns a font of the system that has the character, and its glyph's index; NULL: none has. */
static FT_Face system_face(struct ren_glyphs *glyphs, uint32_t character, FT_UInt *index)
{
    if (!glyphs->listed)
        glyphs->file_count = ren_font_list(&glyphs->files);
    glyphs->listed = true;
    for (size_t i = 0; i < glyphs->file_count; i++) {
        struct ren_font_file *file = &glyphs->files[i];
        FT_Face face;
        if (!file->tried && FT_New_Face(glyphs->library, file->path, file->index, &face) == 0)
            file->face = face_prepare(face);
        file->tried = true;
        if (file->face && (*index = FT_Get_Char_Index(file->face, character)) != 0)
            return file->face;
    }
    return NULL;
}

static struct slot *slots_alloc(size_t count)
{
    struct slot *slots = krn_alloc(count, sizeof *slots);
    for (size_t i = 0; i < count; i++)
        slots[i].key = KEY_FREE;
    return slots;
}

static struct slot *slot_find(struct slot *slots, size_t count, uint32_t key)
{
    size_t i = (key * UINT32_C(2654435769)) & (count - 1);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): slots_alloc() has set every key. */
    while (slots[i].key != key && slots[i].key != KEY_FREE)
        i = (i + 1) & (count - 1);
    return &slots[i];
}

static void slots_grow(struct ren_glyphs *glyphs)
{
    struct slot *larger = slots_alloc(glyphs->slot_count * 2);
    for (size_t i = 0; i < glyphs->slot_count; i++) {
        if (glyphs->slots[i].key != KEY_FREE)
            *slot_find(larger, glyphs->slot_count * 2, glyphs->slots[i].key) = glyphs->slots[i];
    }
    free(glyphs->slots);
    glyphs->slots = larger;
    glyphs->slot_count *= 2;
}

enum krn_code ren_glyphs_new(struct ren_glyphs **glyphs, int texture_size_max,
                             struct krn_error *error)
{
    *glyphs = NULL;
    struct ren_glyphs *made = krn_alloc(1, sizeof *made);
    made->width = texture_size_max < ATLAS_WIDTH ? texture_size_max : ATLAS_WIDTH;
    made->height = ATLAS_HEIGHT_FIRST;
    made->height_most = texture_size_max < ATLAS_HEIGHT_MOST ? texture_size_max : ATLAS_HEIGHT_MOST;
    made->shelf_x = GUTTER;
    made->shelf_y = GUTTER;
    made->slot_count = SLOTS_FIRST;
    made->texels = krn_alloc((size_t)made->height * (size_t)made->width, sizeof *made->texels);
    made->slots = slots_alloc(made->slot_count);
    if (!fonts_open(made)) {
        ren_glyphs_free(made);
        return KRN_FAIL(error, KRN_NO_MEMORY, "Out of memory for the glyphs.");
    }
    REN_GL(glGenTextures(1, &made->texture));
    *glyphs = made;
    return KRN_OK;
}

void ren_glyphs_free(struct ren_glyphs *glyphs)
{
    if (!glyphs)
        return;
    FT_Done_FreeType(glyphs->library); /* with the faces */
    for (size_t i = 0; i < glyphs->file_count; i++)
        free(glyphs->files[i].path);
    free(glyphs->files);
    if (glyphs->texture)
        REN_GL(glDeleteTextures(1, &glyphs->texture));
    free(glyphs->slots);
    free(glyphs->texels);
    free(glyphs);
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

/* Makes a glyph from the first font that has the character: the face, the other face of the same
 * weight, one of the system, or else the face's box. */
static void glyph_make(struct ren_glyphs *glyphs, enum ren_face face, uint32_t character,
                       bool render, struct ren_glyph *glyph)
{
    const bool is_box = character < 32 || character == 127 || character == REN_CHARACTER_UNKNOWN;
    FT_Face font = glyphs->faces[face];
    FT_UInt index = is_box ? 0 : FT_Get_Char_Index(font, character);
    struct ren_field field = {0};
    if (!is_box && index == 0) {
        FT_Face other = glyphs->faces[(face + REN_FACE_MONO) % REN_FACE_COUNT];
        index = FT_Get_Char_Index(other, character);
        if (index == 0)
            other = system_face(glyphs, character, &index);
        font = other ? other : font;
    }
    memset(glyph, 0, sizeof *glyph);
    if (FT_Load_Glyph(font, index, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP) != 0)
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
    if (glyphs->slots_used * 2 >= glyphs->slot_count)
        slots_grow(glyphs);
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
