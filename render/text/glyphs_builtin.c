#include "ren/utf8.h"
#include "text/glyphs.h"

#include <math.h>
#include <stdlib.h>

/* A glyph is a list of strokes parted by blanks; a stroke is a list of points of two characters:
 * x as a digit, 0 left to 6 right, and y as a letter, a (-3) over d (0, the baseline) and j (6, top
 * of small letters) to m (9, top of capitals) and n. A capital letter marks a control point of a
 * quadratic curve; between two of them lies a point halfway. One point alone is a dot. */
struct builtin {
    uint32_t character;
    const char *strokes;
};

static const struct builtin table[] = {
    {' ', ""},
    {'!', "3m3g 3d"},
    {'"', "2m2k 4m4k"},
    {'#', "2m1d 5m4d 0j6j 0g6g"},
    {'$', "6k6M3m0M0k0I6H6f6D3d0D0f 3n3c"},
    {'%', "6m0d 1m0M0K1k2K2M1m 5f4F4D5d6D6F5f"},
    {'&', "6d1j0M3m6M4j1h0H0f0D2d5D6h"},
    {'\'', "3m3k"},
    {'(', "4n1J1F4b"},
    {')', "2n5J5F2b"},
    {'*', "3m3i 1l5j 5l1j"},
    {'+', "3k3e 0h6h"},
    {',', "3d3c2b"},
    {'-', "1h5h"},
    {'.', "3d"},
    {'/', "6m0c"},
    {'0', "3m0M0D3d6D6M3m 3i3h"},
    {'1', "1k3m3d 1d5d"},
    {'2', "0k0M3m6M6k6I0d6d"},
    {'3', "0k0M3m6M6k6I3i2i 3i6I6f6D3d0D0f"},
    {'4', "4d4m0f6f"},
    {'5', "6m1m0i1J3j6J6g6D3d0D0f"},
    {'6', "5m0L0g0D3d6D6g6J3j0J0g"},
    {'7', "0m6m2d"},
    {'8', "3m0M0I3i6I6M3m 3i0I0D3d6D6I3i"},
    {'9', "1d6E6j6M3m0M0j0G3g6G6j"},
    {':', "3i 3d"},
    {';', "3i 3d3c2b"},
    {'<', "5k0h5e"},
    {'=', "0i6i 0f6f"},
    {'>', "1k6h1e"},
    {'?', "0k0M3m6M6k6I3h3g 3d"},
    {'@', "5d3d0D0M3m6M6h6F5f4F4h 4h4J2J2h2F4F4h"},
    {'A', "0d3m6d 1g5g"},
    {'B', "0i3i 0d0m3m5M5I3i6I6D3d0d"},
    {'C', "6k6M3m0M0D3d6D6f"},
    {'D', "0d0m2m6M6D2d0d"},
    {'E', "6m0m0d6d 0i5i"},
    {'F', "6m0m0d 0i5i"},
    {'G', "6k6M3m0M0D3d6D6f6h4h"},
    {'H', "0m0d 6m6d 0i6i"},
    {'I', "1m5m 3m3d 1d5d"},
    {'J', "5m5f5D3d0D0f"},
    {'K', "0m0d 6m0g 2i6d"},
    {'L', "0m0d6d"},
    {'M', "0d0m3g6m6d"},
    {'N', "0d0m6d6m"},
    {'O', "3m0M0D3d6D6M3m"},
    {'P', "0d0m3m6M6H3h0h"},
    {'Q', "3m0M0D3d6D6M3m 4f6c"},
    {'R', "0d0m3m6M6H3h0h 3h6d"},
    {'S', "6k6M3m0M0k0I6H6f6D3d0D0f"},
    {'T', "0m6m 3m3d"},
    {'U', "0m0f0D3d6D6f6m"},
    {'V', "0m3d6m"},
    {'W', "0m1d3j5d6m"},
    {'X', "0m6d 6m0d"},
    {'Y', "0m3h6m 3h3d"},
    {'Z', "0m6m0d6d"},
    {'[', "4n2n2b4b"},
    {'\\', "0m6c"},
    {']', "2n4n4b2b"},
    {'^', "1i3m5i"},
    {'_', "0b6b"},
    {'`', "2n4l"},
    {'a', "1i1J3j6J6h6d 6g3g0G0D2d5D6f"},
    {'b', "0m0d 3j0J0D3d6D6J3j"},
    {'c', "6i5J3j0J0D3d5D6e"},
    {'d', "6m6d 3j0J0D3d6D6J3j"},
    {'e', "0g6g6J3j0J0D3d5D6e"},
    {'f', "5m3M3k3d 1j5j"},
    {'g', "3j0J0D3d6D6J3j 6j6c6A3a1A0b"},
    {'h', "0m0d 0g0J3j6J6g6d"},
    {'i', "1j3j3d 1d5d 3l"},
    {'j', "2j4j4c4A2a1a 4l"},
    {'k', "0m0d 5j0e 2g6d"},
    {'l', "1m3m3f3D5d"},
    {'m', "0j0d 0g0J3J3g3d 3g3J6J6g6d"},
    {'n', "0j0d 0g0J3j6J6g6d"},
    {'o', "3j0J0D3d6D6J3j"},
    {'p', "0j0a 3j0J0D3d6D6J3j"},
    {'q', "6j6a 3j0J0D3d6D6J3j"},
    {'r', "1j1d 1g1J4j5J6i"},
    {'s', "6i5J3j0J0H6F6D3d1D0e"},
    {'t', "2l2f2D4d5d 0j5j"},
    {'u', "0j0g0D3d6D6g 6j6d"},
    {'v', "0j3d6j"},
    {'w', "0j1d3i5d6j"},
    {'x', "0j6d 6j0d"},
    {'y', "0j3d 6j2b0b"},
    {'z', "0j6j0d6d"},
    {'{', "4n3N3k3H1h3H3e3B4b"},
    {'|', "3n3b"},
    {'}', "2n3N3k3H5h3H3e3B2b"},
    {'~', "0g1J3h5F6i"},
    {0x00A0, ""},                 /* no-break space */
    {0x00B0, "3m1M1J3j5J5M3m"},   /* degree */
    {0x00B1, "3l3f 0i6i 0d6d"},   /* plus-minus */
    {0x00B2, "1l1M3m5M5l5K1h5h"}, /* superscripts: two, three, one, zero */
    {0x00B3, "1m5m3k5K5i5H3h1H1i"},
    {0x00B5, "0j0a 0g0D3d6D6g 6j6d"}, /* micro */
    {0x00B7, "3h"},                   /* middle dot */
    {0x00B9, "1l3m3h 1h5h"},
    {0x00D7, "1j5f 5j1f"},            /* times */
    {0x03BC, "0j0a 0g0D3d6D6g 6j6d"}, /* mu */
    {0x2009, ""},                     /* thin space */
    {0x2013, "0h6h"},                 /* en dash */
    {0x2014, "0h6h"},                 /* em dash */
    {0x2019, "3m3k"},                 /* apostrophe */
    {0x201C, "2m2k 4m4k"},            /* double quotes */
    {0x201D, "2m2k 4m4k"},
    {0x2026, "0d 3d 6d"}, /* ellipsis */
    {0x202F, ""},         /* narrow no-break space */
    {0x2070, "3m1M1H3h5H5M3m"},
    {0x2190, "6h0h 2j0h2f"}, /* arrows: left, up, right, down */
    {0x2191, "3m3d 1k3m5k"},
    {0x2192, "0h6h 4j6h4f"},
    {0x2193, "3m3d 1f3d5f"},
    {0x2212, "0h6h"},                  /* minus */
    {0x2248, "0i1K3i5G6j 0f1H3f5D6g"}, /* almost equal */
    {0x2264, "5l0i5f 0d5d"},           /* at most */
    {0x2265, "1l6i1f 1d6d"},           /* at least */
    {0x2713, "0g2d6l"},                /* check mark */
    {0x2717, "0l6d 6l0d"},             /* ballot x */
    {REN_CHARACTER_UNKNOWN, "0d0m6m6d0d"},
};

#define HALF_WIDTH 0.0425f
#define HALF_WIDTH_BOLD 0.066f
#define HALF_WIDTH_DENSE 0.036f /* for the two densest glyphs */
#define DOT_GROWTH 1.3f         /* a dot looks smaller than a stroke of its width */
#define INK_WIDTH 0.48f
#define CAP_HEIGHT 0.72f

enum { CURVE_STEPS = 12 };

struct point {
    float x, y;
    bool control;
};

/* Reads a point of a stroke; returns false at the stroke's end. Insets the point, so that the outer
 * edges of strokes of any width lie on the same lines. */
static bool point_read(const char **at, float half_width, struct point *point)
{
    const char *s = *at;
    if (s[0] == '\0' || s[0] == ' ')
        return false;
    point->control = s[1] < 'a';
    int y = point->control ? s[1] - 'D' : s[1] - 'd';
    point->x = REN_BUILTIN_ADVANCE / 2 + (float)(s[0] - '3') * (INK_WIDTH - 2 * half_width) / 6;
    point->y = half_width + (float)y * (CAP_HEIGHT - 2 * half_width) / 9;
    *at = s + 2;
    return true;
}

static void segment_add(struct ren_builtin_shape *shape, float x0, float y0, float x1, float y1)
{
    if (shape->count < REN_BUILTIN_SEGMENTS_MAX)
        shape->segments[shape->count++] = (struct ren_builtin_segment){x0, y0, x1, y1};
}

static void curve_add(struct ren_builtin_shape *shape, struct point a, struct point control,
                      struct point b)
{
    float x0 = a.x, y0 = a.y;
    for (int i = 1; i <= CURVE_STEPS; i++) {
        float t = (float)i / CURVE_STEPS, s = 1.0f - t;
        float x1 = s * s * a.x + 2.0f * s * t * control.x + t * t * b.x;
        float y1 = s * s * a.y + 2.0f * s * t * control.y + t * t * b.y;
        segment_add(shape, x0, y0, x1, y1);
        x0 = x1;
        y0 = y1;
    }
}

static void stroke_add(struct ren_builtin_shape *shape, const char **at)
{
    struct point last, next, control = {0};
    if (!point_read(at, shape->half_width, &last))
        return;
    bool curved = false, alone = true;
    while (point_read(at, shape->half_width, &next)) {
        alone = false;
        if (!next.control) {
            if (curved)
                curve_add(shape, last, control, next);
            else
                segment_add(shape, last.x, last.y, next.x, next.y);
            last = next;
        } else if (curved) {
            struct point half = {(control.x + next.x) / 2, (control.y + next.y) / 2, false};
            curve_add(shape, last, control, half);
            last = half;
        }
        curved = next.control;
        control = next;
    }
    if (alone)
        segment_add(shape, last.x, last.y, last.x, last.y);
}

struct ren_metrics ren_builtin_metrics(void)
{
    return (struct ren_metrics){0.95f, 0.25f, CAP_HEIGHT};
}

bool ren_builtin_shape(uint32_t character, bool bold, struct ren_builtin_shape *shape)
{
    size_t low = 0, high = sizeof table / sizeof table[0];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table[middle].character < character)
            low = middle + 1;
        else
            high = middle;
    }
    shape->count = 0;
    shape->half_width = bold ? HALF_WIDTH_BOLD : HALF_WIDTH;
    if (character == '@' || character == '%')
        shape->half_width = bold ? HALF_WIDTH : HALF_WIDTH_DENSE;
    if (low == sizeof table / sizeof table[0] || table[low].character != character)
        return false;
    const char *at = table[low].strokes;
    while (*at) {
        stroke_add(shape, &at);
        while (*at == ' ')
            at++;
    }
    return true;
}

/* Returns the signed distance in em from (x, y) to the edge of the strokes: positive inside, -reach
 * at least. */
static float shape_distance(const struct ren_builtin_shape *shape, float x, float y, float reach)
{
    float nearest = -reach;
    for (int i = 0; i < shape->count; i++) {
        const struct ren_builtin_segment *s = &shape->segments[i];
        float dx = s->x1 - s->x0, dy = s->y1 - s->y0, px = x - s->x0, py = y - s->y0;
        float length2 = dx * dx + dy * dy;
        float half = length2 > 0.0f ? shape->half_width : shape->half_width * DOT_GROWTH;
        float t = length2 > 0.0f ? (px * dx + py * dy) / length2 : 0.0f;
        t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
        float qx = px - t * dx, qy = py - t * dy, square = qx * qx + qy * qy;
        float beyond = half - nearest;
        if (square < beyond * beyond)
            nearest = half - sqrtf(square);
    }
    return nearest;
}

bool ren_builtin_field(const struct ren_builtin_shape *shape, struct ren_field *field)
{
    field->distance = NULL;
    if (shape->count == 0)
        return false;
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int i = 0; i < shape->count; i++) {
        const struct ren_builtin_segment *s = &shape->segments[i];
        x0 = fminf(x0, fminf(s->x0, s->x1));
        y0 = fminf(y0, fminf(s->y0, s->y1));
        x1 = fmaxf(x1, fmaxf(s->x0, s->x1));
        y1 = fmaxf(y1, fmaxf(s->y0, s->y1));
    }
    float margin = REN_SPREAD_TEXELS + DOT_GROWTH * shape->half_width * REN_EM_TEXELS;
    field->left = (int)floorf(x0 * REN_EM_TEXELS - margin);
    field->top = (int)ceilf(y1 * REN_EM_TEXELS + margin);
    field->width = (int)ceilf(x1 * REN_EM_TEXELS + margin) - field->left;
    field->height = field->top - (int)floorf(y0 * REN_EM_TEXELS - margin);
    size_t count = (size_t)field->width * (size_t)field->height;
    field->distance = malloc(count * sizeof *field->distance);
    if (!field->distance)
        return false;
    const float reach = (float)REN_SPREAD_TEXELS / REN_EM_TEXELS;
    float *at = field->distance;
    for (int j = 0; j < field->height; j++) {
        for (int i = 0; i < field->width; i++) {
            float x = ((float)(field->left + i) + 0.5f) / REN_EM_TEXELS;
            float y = ((float)(field->top - j) - 0.5f) / REN_EM_TEXELS;
            float distance = shape_distance(shape, x, y, reach) * REN_EM_TEXELS;
            *at++ = fminf(distance, REN_SPREAD_TEXELS);
        }
    }
    return true;
}
