/* Finds a font for every character: the embedded ones, and others that fontconfig knows. */
#include "text/glyphs.h"

#include "krn/memory.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t ren_font_list(struct ren_font_file **files)
{
    /* The functions of fontconfig, which is loaded only here, as its manual declares them. */
    struct {
        int count, room;
        void **patterns;
    } *set = NULL;
    void *(*config_load)(void), *(*name_parse)(const char *);
    void *(*font_sort)(void *config, void *pattern, int trim, void *charset, int *result);
    void (*config_destroy)(void *), (*pattern_destroy)(void *), (*set_destroy)(void *);
    void (*default_substitute)(void *pattern);
    int (*config_substitute)(void *config, void *pattern, int kind);
    int (*get_string)(void *pattern, const char *object, int number, char **text);
    int (*get_integer)(void *pattern, const char *object, int number, int *value);
    const struct {
        const char *name;
        void *function;
    } calls[] = {{"FcInitLoadConfigAndFonts", &config_load},
                 {"FcConfigDestroy", &config_destroy},
                 {"FcNameParse", &name_parse},
                 {"FcPatternDestroy", &pattern_destroy},
                 {"FcConfigSubstitute", &config_substitute},
                 {"FcDefaultSubstitute", &default_substitute},
                 {"FcFontSort", &font_sort},
                 {"FcFontSetDestroy", &set_destroy},
                 {"FcPatternGetString", &get_string},
                 {"FcPatternGetInteger", &get_integer}};
    *files = NULL;
    void *library = dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_LOCAL); /* stays open */
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        void *symbol = library ? dlsym(library, calls[i].name) : NULL;
        if (!symbol)
            return 0;
        /* POSIX has a function's address in a void *; C has no cast between the two. */
        memcpy(calls[i].function, &symbol, sizeof symbol);
    }

    /* A configuration of its own leaves that of other users in this process alone. */
    void *config = config_load();
    if (!config)
        return 0;
    size_t count = 0;
    /* The index identifies a named instance, not a variable font's whole range. */
    void *pattern = name_parse("sans-serif:outline=true:variable=false");
    int result;
    if (pattern) {
        config_substitute(config, pattern, 0);
        default_substitute(pattern);
        set = font_sort(config, pattern, 1, NULL, &result);
        pattern_destroy(pattern);
    }
    if (set) {
        *files = krn_alloc((size_t)set->count, sizeof **files);
        for (int i = 0; i < set->count; i++) {
            char *path;
            if (get_string(set->patterns[i], "file", 0, &path) != 0)
                continue;
            struct ren_font_file *file = &(*files)[count++];
            get_integer(set->patterns[i], "index", 0, &file->index);
            file->path = krn_copy(path);
        }
        set_destroy(set);
    }
    config_destroy(config);
    return count;
}

enum { FIELD_MOST = 1000 /* texels, each way */ };

struct edge {
    float x0, y0, x1, y1; /* texels, y up */
    bool hidden;          /* inside another contour, so no edge of the glyph */
};

struct edges {
    struct edge *items;
    size_t count, capacity;
    float x, y; /* the pen */
};

static void edge_to(struct edges *edges, float x, float y)
{
    if (edges->count == edges->capacity) {
        edges->capacity = edges->capacity ? edges->capacity * 2 : 128;
        edges->items = krn_grow(edges->items, edges->capacity, sizeof *edges->items);
    }
    if (x != edges->x || y != edges->y)
        edges->items[edges->count++] = (struct edge){edges->x, edges->y, x, y, false};
    edges->x = x;
    edges->y = y;
}

static float texels(FT_Pos position)
{
    return (float)position / 64.0f;
}

/* FreeType's callbacks; a result other than 0 would stop the walk. */
static int on_move(const FT_Vector *to, void *edges)
{
    ((struct edges *)edges)->x = texels(to->x);
    ((struct edges *)edges)->y = texels(to->y);
    return 0;
}

static int on_line(const FT_Vector *to, void *edges)
{
    edge_to(edges, texels(to->x), texels(to->y));
    return 0;
}

/* Returns the number of steps that keep a curve within a thirtieth of a texel, from its control
 * polygon's length. */
static int curve_steps(float length)
{
    return 2 + (int)(2.5f * sqrtf(fminf(length, FIELD_MOST)));
}

/* Returns what hypotf() does, which needs a C library of 2022. */
static float length_of(float x, float y)
{
    return (float)sqrt((double)x * x + (double)y * y);
}

static int on_cubic(const FT_Vector *a, const FT_Vector *b, const FT_Vector *to, void *data)
{
    struct edges *edges = data;
    const float x0 = edges->x, y0 = edges->y, ax = texels(a->x), ay = texels(a->y);
    const float bx = texels(b->x), by = texels(b->y), x1 = texels(to->x), y1 = texels(to->y);
    int steps = curve_steps(length_of(ax - x0, ay - y0) + length_of(bx - ax, by - ay) +
                            length_of(x1 - bx, y1 - by));
    for (int i = 1; i <= steps; i++) {
        float t = (float)i / (float)steps, s = 1.0f - t;
        float w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;
        edge_to(edges, w0 * x0 + w1 * ax + w2 * bx + w3 * x1,
                w0 * y0 + w1 * ay + w2 * by + w3 * y1);
    }
    return 0;
}

static int on_conic(const FT_Vector *control, const FT_Vector *to, void *data)
{
    struct edges *edges = data;
    const float x0 = edges->x, y0 = edges->y, cx = texels(control->x), cy = texels(control->y);
    const float x1 = texels(to->x), y1 = texels(to->y);
    int steps = curve_steps(length_of(cx - x0, cy - y0) + length_of(x1 - cx, y1 - cy));
    for (int i = 1; i <= steps; i++) {
        float t = (float)i / (float)steps, s = 1.0f - t;
        float w0 = s * s, w1 = 2 * s * t, w2 = t * t;
        edge_to(edges, w0 * x0 + w1 * cx + w2 * x1, w0 * y0 + w1 * cy + w2 * y1);
    }
    return 0;
}

/* Returns the direction in which an edge crosses the horizontal at y: +1 upwards, -1 downwards, 0
 * not at all. An end on the horizontal counts for one of two neighbouring edges only. */
static int crossing(const struct edge *edge, float y, float *x)
{
    if ((edge->y0 <= y) == (edge->y1 <= y))
        return 0;
    *x = edge->x0 + (y - edge->y0) / (edge->y1 - edge->y0) * (edge->x1 - edge->x0);
    return edge->y1 > edge->y0 ? 1 : -1;
}

static bool is_inside(const struct edges *edges, float x, float y)
{
    int winding = 0;
    for (size_t i = 0; i < edges->count; i++) {
        float at;
        int direction = crossing(&edges->items[i], y, &at);
        if (direction != 0 && at < x)
            winding += direction;
    }
    return winding != 0;
}

/* Splits the edges into pieces of at most one texel, so that each lies on one side of a crossing,
 * and hides the pieces that have ink on both sides. */
static void edges_hide(struct edges *edges)
{
    struct edges cut = {0};
    for (size_t i = 0; i < edges->count; i++) {
        const struct edge *e = &edges->items[i];
        int pieces = 1 + (int)length_of(e->x1 - e->x0, e->y1 - e->y0);
        cut.x = e->x0;
        cut.y = e->y0;
        for (int k = 1; k <= pieces; k++) {
            float t = (float)k / (float)pieces;
            edge_to(&cut, e->x0 + t * (e->x1 - e->x0), e->y0 + t * (e->y1 - e->y0));
        }
    }
    for (size_t i = 0; i < cut.count; i++) {
        struct edge *e = &cut.items[i];
        float x = (e->x0 + e->x1) / 2, y = (e->y0 + e->y1) / 2;
        float dx = e->x1 - e->x0, dy = e->y1 - e->y0, reach = 0.03f / length_of(dx, dy);
        e->hidden = is_inside(edges, x - dy * reach, y + dx * reach) &&
                    is_inside(edges, x + dy * reach, y - dx * reach);
    }
    free(edges->items);
    *edges = cut;
}

/* Lowers the squared distances around an edge. */
static void field_near(struct ren_field *field, const struct edge *e)
{
    float low_x = fminf(e->x0, e->x1) - REN_SPREAD_TEXELS - (float)field->left;
    float high_x = fmaxf(e->x0, e->x1) + REN_SPREAD_TEXELS - (float)field->left;
    float low_y = (float)field->top - fmaxf(e->y0, e->y1) - REN_SPREAD_TEXELS;
    float high_y = (float)field->top - fminf(e->y0, e->y1) + REN_SPREAD_TEXELS;
    int i0 = low_x > 0 ? (int)low_x : 0, j0 = low_y > 0 ? (int)low_y : 0;
    int i1 = high_x < (float)field->width ? (int)ceilf(high_x) : field->width;
    int j1 = high_y < (float)field->height ? (int)ceilf(high_y) : field->height;
    float dx = e->x1 - e->x0, dy = e->y1 - e->y0, inverse = 1.0f / (dx * dx + dy * dy);
    for (int j = j0; j < j1; j++) {
        float *row = field->distance + (size_t)j * (size_t)field->width;
        float py = (float)(field->top - j) - 0.5f - e->y0;
        for (int i = i0; i < i1; i++) {
            float px = (float)(field->left + i) + 0.5f - e->x0;
            float t = (px * dx + py * dy) * inverse;
            t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
            float qx = px - t * dx, qy = py - t * dy, square = qx * qx + qy * qy;
            /* NOLINTNEXTLINE(clang-analyzer-core.*): every distance is set before. */
            row[i] = square < row[i] ? square : row[i];
        }
    }
}

/* Turns squared distances into signed ones, row by row, by the winding number. */
static void field_sign(struct ren_field *field, const struct edges *edges)
{
    for (int j = 0; j < field->height; j++) {
        float *row = field->distance + (size_t)j * (size_t)field->width;
        float y = (float)(field->top - j) - 0.5f;
        int winding[FIELD_MOST] = {0}; /* changes, at the first texel right of each crossing */
        for (size_t k = 0; k < edges->count; k++) {
            float x;
            int direction = crossing(&edges->items[k], y, &x);
            if (direction != 0)
                winding[(int)ceilf(x - (float)field->left - 0.5f)] += direction;
        }
        int sum = 0;
        for (int i = 0; i < field->width; i++) {
            sum += winding[i];
            /* NOLINTNEXTLINE(clang-analyzer-core.*): every distance is set. */
            row[i] = sum != 0 ? sqrtf(row[i]) : -sqrtf(row[i]);
        }
    }
}

bool ren_font_field(struct FT_FaceRec_ *face, bool overlaps, struct ren_field *field)
{
    static const FT_Outline_Funcs walk = {on_move, on_line, on_conic, on_cubic, 0, 0};
    field->distance = NULL;
    FT_GlyphSlot slot = face->glyph;
    struct edges edges = {0};
    if (slot->format != FT_GLYPH_FORMAT_OUTLINE ||
        FT_Outline_Decompose(&slot->outline, &walk, &edges) != 0 || edges.count == 0)
        goto done;
    overlaps = overlaps || (slot->outline.flags & FT_OUTLINE_OVERLAP) != 0;
    if (overlaps)
        edges_hide(&edges);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): FreeType has called on_move(), which fills them. */
    float x0 = edges.items[0].x0, y0 = edges.items[0].y0, x1 = x0, y1 = y0;
    for (size_t i = 0; i < edges.count; i++) {
        const struct edge *e = &edges.items[i];
        x0 = fminf(x0, e->x1);
        y0 = fminf(y0, e->y1);
        x1 = fmaxf(x1, e->x1);
        y1 = fmaxf(y1, e->y1);
    }
    field->left = (int)floorf(x0) - REN_SPREAD_TEXELS;
    field->top = (int)ceilf(y1) + REN_SPREAD_TEXELS;
    field->width = (int)ceilf(x1) + REN_SPREAD_TEXELS - field->left;
    field->height = field->top - (int)floorf(y0) + REN_SPREAD_TEXELS;
    if (field->width > FIELD_MOST || field->height > FIELD_MOST) /* larger than any real glyph */
        goto done;
    size_t count = (size_t)field->width * (size_t)field->height;
    field->distance = krn_alloc(count, sizeof *field->distance);
    for (size_t i = 0; i < count; i++)
        field->distance[i] = REN_SPREAD_TEXELS * REN_SPREAD_TEXELS;
    for (size_t i = 0; i < edges.count; i++) {
        if (!edges.items[i].hidden)
            field_near(field, &edges.items[i]);
    }
    field_sign(field, &edges);
done:
    free(edges.items);
    return field->distance != NULL;
}
