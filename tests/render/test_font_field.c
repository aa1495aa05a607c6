/* Distance fields of outlines: the edges of contours that overlap, as those of variable fonts do,
 * lie inside the ink and must not show. */
#include "expect.h"

#include "text/glyphs.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <math.h>
#include <stdio.h>

static FT_Library library;
static FT_Face face;

static int open_face(void **unused)
{
    (void)unused;
    assert_int_equal(FT_Init_FreeType(&library), 0);
    assert_int_equal(FT_New_Memory_Face(library, (const FT_Byte *)ren_font_Inter_Regular_otf,
                                        (FT_Long)ren_font_Inter_Regular_otf_size, 0, &face),
                     0);
    return 0;
}

static int close_face(void **unused)
{
    (void)unused;
    FT_Done_FreeType(library); /* with the face */
    return 0;
}

static void load(FT_ULong character)
{
    assert_int_equal(FT_Set_Pixel_Sizes(face, 0, REN_EM_TEXELS), 0);
    assert_int_equal(FT_Load_Char(face, character, FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP), 0);
}

/* Replaces the outline in the slot by rectangles of x0, y0, x1, y1 in texels, drawn clockwise. */
static void load_rectangles(const int (*rectangles)[4], int count)
{
    static FT_Vector points[16];
    static char tags[16];
    static short ends[4];
    assert_true(count <= 4);
    load('H');
    for (int i = 0; i < count; i++) {
        const int *r = rectangles[i];
        const int corners[4][2] = {{r[0], r[1]}, {r[0], r[3]}, {r[2], r[3]}, {r[2], r[1]}};
        for (int k = 0; k < 4; k++) {
            points[4 * i + k] = (FT_Vector){64 * corners[k][0], 64 * corners[k][1]};
            tags[4 * i + k] = FT_CURVE_TAG_ON;
        }
        ends[i] = (short)(4 * i + 3);
    }
    face->glyph->outline.n_contours = (short)count;
    face->glyph->outline.n_points = (short)(4 * count);
    face->glyph->outline.points = points;
    face->glyph->outline.tags = (void *)tags;
    face->glyph->outline.contours = (void *)ends;
    face->glyph->outline.flags = FT_OUTLINE_NONE;
}

/* Returns the distance at the middle of the texel right of and above (x, y). */
static float at(const struct ren_field *field, int x, int y)
{
    const int column = x - field->left, row = field->top - 1 - y;
    assert_true(column >= 0 && column < field->width && row >= 0 && row < field->height);
    return field->distance[(size_t)row * (size_t)field->width + (size_t)column];
}

/* A cross of two bars: its middle is ink, and farther from an edge than the bars' sides are. */
TEST_WITH(test_hidden_edges, open_face, close_face)
{
    static const int cross[][4] = {{0, 20, 60, 32}, {24, 0, 36, 60}};
    struct ren_field plain, field;
    load_rectangles(cross, 2);
    assert_true(ren_font_field(face, false, &plain));
    load_rectangles(cross, 2);
    assert_true(ren_font_field(face, true, &field));
    assert_int_equal(field.width, plain.width);
    assert_int_equal(field.height, plain.height);
    assert_int_equal(field.left, -REN_SPREAD_TEXELS);
    assert_int_equal(field.top, 60 + REN_SPREAD_TEXELS);
    /* Beside the side of the upright bar, where the other bar crosses it. */
    assert_true(at(&plain, 24, 26) > 0.0f && at(&plain, 24, 26) < 1.0f);
    assert_true(at(&field, 24, 26) > 4.0f);
    /* Outside the crossing, both have the same edges. */
    assert_true(fabsf(at(&field, 24, 50) - 0.5f) < 0.02f);
    assert_true(fabsf(at(&field, 23, 50) + 0.5f) < 0.02f);
    assert_true(fabsf(at(&field, 5, 31) - 0.5f) < 0.02f);
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 60; x++) {
            const bool ink = (y >= 20 && y < 32) || (x >= 24 && x < 36);
            assert_int_equal(at(&field, x, y) > 0.0f, ink);
            assert_int_equal(at(&plain, x, y) > 0.0f, ink);
        }
    free(plain.distance);
    free(field.distance);

    /* A font may say itself that its outline overlaps. */
    load_rectangles(cross, 2);
    face->glyph->outline.flags |= FT_OUTLINE_OVERLAP;
    assert_true(ren_font_field(face, false, &field));
    assert_true(at(&field, 24, 26) > 4.0f);
    free(field.distance);
}

/* Where no contours overlap, looking for overlaps changes nothing. */
TEST_WITH(test_ordinary_glyphs, open_face, close_face)
{
    for (const char *c = "BHOaegt08&@"; *c != 0; c++) {
        struct ren_field plain, field;
        load((FT_ULong)*c);
        assert_true(ren_font_field(face, false, &plain));
        assert_true(ren_font_field(face, true, &field));
        assert_true(field.left == plain.left && field.top == plain.top);
        const int count = plain.width * plain.height;
        assert_int_equal(field.width * field.height, count);
        for (int i = 0; i < count; i++)
            assert_true(fabsf(field.distance[i] - plain.distance[i]) < 0.02f);
        free(plain.distance);
        free(field.distance);
    }
}

/* No ink, and an outline that no glyph has, give no field. */
TEST_WITH(test_no_field, open_face, close_face)
{
    static const int huge[][4] = {{0, 0, 1000, 10}};
    struct ren_field field;
    load(' ');
    assert_false(ren_font_field(face, false, &field));
    assert_null(field.distance);
    load_rectangles(huge, 1);
    assert_false(ren_font_field(face, false, &field));
    assert_null(field.distance);
    load('H');
    face->glyph->format = FT_GLYPH_FORMAT_BITMAP;
    assert_false(ren_font_field(face, true, &field));
    assert_null(field.distance);
}
