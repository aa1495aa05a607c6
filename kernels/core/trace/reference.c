/* The book view in double, with bounds of float's rounding at every step. */
#include "krn/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds, in double, of the rounding errors that the kernels make in float. Every bound is generous
 * by a small factor: one undecidable pixel too many does no harm, one too few is a false alarm. */
static const double float_ulp = 1.1920928955078125e-7; /* 2^-23 */

/* Pixels between two looks at krn_cancelled(). */
enum { PIXELS_PER_CHECK = 1 << 16 };

/* A pixel of the depth buffer. It is decidable when rounding in float cannot change the winner: the
 * least possible depth of the winner is above the greatest possible depth of all others. */
struct surface {
    double depth; /* depth of the winner so far; -inf: background */
    double low;   /* least depth that float arithmetic may give the winner */
    double rival; /* greatest depth that it may give any other surface */
    int unsure;   /* the winner is on its silhouette, or its shade is not known to a byte */
};

/* A sphere rotated by the pose. The pose is given in float, the rotation is computed in double;
 * rotation_error bounds the error of the rotation in float on each axis. */
struct placed {
    double x, y, z, radius, rotation_error;
};

static struct placed place(const struct krn_sphere *sphere, struct krn_pose pose)
{
    const double c = (double)pose.cosine, s = (double)pose.sine;
    const double x = (double)sphere->x, z = (double)sphere->z;
    struct placed placed = {x * c + z * s, (double)sphere->y, z * c - x * s, (double)sphere->radius,
                            0.0};
    placed.rotation_error = float_ulp * (fabs(x) + fabs(z));
    return placed;
}

static uint8_t shade_byte(float colour, double shade)
{
    return (uint8_t)((double)colour * shade * 255.0);
}

/* Computes the range of pixel indices that [low, high] scene units can touch, clipped to
 * 0..pixels-1. */
static void pixel_range(double low, double high, double unit, int pixels, int *first, int *last)
{
    const double half = pixels / 2; /* truncated, as in krn_view */
    const double from = floor(low / unit + half) - 1.0, to = ceil(high / unit + half) + 1.0;
    *first = from < 0.0 ? 0 : from > pixels ? pixels : (int)from;
    *last = to > pixels - 1 ? pixels - 1 : to < -1.0 ? -1 : (int)to;
}

/* What is drawn: all rows of the view, or `count` of them. */
struct drawing {
    const struct krn_view *view;
    const int *rows; /* NULL: all */
    int count;
};

/* Draws a sphere; a cancelled one is left incomplete. Chosen rows are drawn whole. */
static void draw_sphere(struct krn_reference *reference, struct surface *surfaces,
                        const struct krn_sphere *sphere, const struct placed *at,
                        const struct drawing *drawing)
{
    const double unit = (double)drawing->view->unit;
    const int height = drawing->view->height;
    int left = 0, right = reference->width - 1, bottom, top;
    pixel_range(at->y - at->radius, at->y + at->radius, unit, height, &bottom, &top);
    if (drawing->rows == NULL)
        pixel_range(at->x - at->radius, at->x + at->radius, unit, reference->width, &left, &right);
    const double squared = at->radius * at->radius;
    const int first = drawing->rows == NULL ? bottom : 0,
              last = drawing->rows == NULL ? top : drawing->count - 1;

    for (int j = first; j <= last && !krn_cancelled(); j++) {
        const int row = drawing->rows == NULL ? j : drawing->rows[j];
        if (row < bottom || row > top)
            continue;
        const double oy = (row - height / 2) * unit;
        const double dy = oy - at->y;
        const double dy_error = float_ulp * (fabs(oy) + fabs(dy));
        for (int i = left; i <= right; i++) {
            const double ox = (i - reference->width / 2) * unit;
            const double dx = ox - at->x;
            const double dx_error = float_ulp * (fabs(ox) + fabs(dx)) + at->rotation_error;
            const double hit = squared - dx * dx - dy * dy;
            const double hit_error = 2.0 * (fabs(dx) * dx_error + fabs(dy) * dy_error) +
                                     float_ulp * (squared + dx * dx + dy * dy);
            if (hit < -hit_error)
                continue;

            const size_t pixel = (size_t)j * (size_t)reference->width + (size_t)i;
            struct surface *surface = &surfaces[pixel];
            const double chord = hit > 0.0 ? sqrt(hit) : 0.0;
            const double shade = chord / at->radius;
            /* d sqrt(h) = dh / (2 sqrt(h)), and near 0 at most sqrt(dh). */
            const double chord_error =
                fmin(sqrt(hit_error), chord > 0.0 ? hit_error / (2.0 * chord) : HUGE_VAL) +
                float_ulp * chord;
            const double depth = chord + at->z;
            const double error =
                chord_error + at->rotation_error + float_ulp * (fabs(at->z) + fabs(depth));
            /* On the silhouette, float may give background; inside, the error of the shade must be
             * well below one byte. */
            const int unsure = hit <= hit_error || chord_error / at->radius * 255.0 > 0.9;

            if (depth <= surface->depth || hit <= 0.0) {
                surface->rival = fmax(surface->rival, depth + error);
                continue;
            }
            uint8_t *rgba = reference->rgba + 4 * pixel;
            rgba[0] = shade_byte(sphere->r, shade);
            rgba[1] = shade_byte(sphere->g, shade);
            rgba[2] = shade_byte(sphere->b, shade);
            /* The previous winner has its own error, which `low` tells. */
            if (surface->depth > -HUGE_VAL)
                surface->rival = fmax(surface->rival, 2.0 * surface->depth - surface->low);
            surface->depth = depth;
            surface->low = depth - error;
            surface->unsure = unsure;
        }
    }
}

/* Asks once in so many pixels whether the work is cancelled, and remembers it. */
static bool is_cancelled(bool *cancelled, size_t pixel)
{
    *cancelled = *cancelled || (pixel % PIXELS_PER_CHECK == 0 && krn_cancelled());
    return *cancelled;
}

enum krn_code krn_reference_render(struct krn_reference *reference, const struct krn_scene *scene,
                                   struct krn_pose pose, const struct krn_view *view,
                                   bool (*go_on)(void *context), void *context,
                                   struct krn_error *error)
{
    return krn_reference_rows(reference, scene, pose, view, NULL, view->height, go_on, context,
                              error);
}

enum krn_code krn_reference_rows(struct krn_reference *reference, const struct krn_scene *scene,
                                 struct krn_pose pose, const struct krn_view *view, const int *rows,
                                 int count, bool (*go_on)(void *context), void *context,
                                 struct krn_error *error)
{
    const struct drawing drawing = {view, rows, count};
    const size_t pixels = (size_t)view->width * (size_t)count;
    struct krn_reference made = {view->width, count, calloc(pixels, 4), calloc(pixels, 1)};
    struct surface *surfaces = malloc(pixels * sizeof *surfaces);
    if (!made.rgba || !made.undecidable || !surfaces) {
        krn_reference_free(&made);
        free(surfaces);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a reference picture of %dx%d pixels.",
                        view->width, count);
    }
    const struct surface background = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 0};
    /* Once cancelled, always: another thread may end the cancelling while this one works. */
    bool cancelled = false;
    for (size_t i = 0; i < pixels && !is_cancelled(&cancelled, i); i++) {
        made.rgba[4 * i + 3] = 255;
        surfaces[i] = background;
    }
    for (int i = 0; i < scene->count && !is_cancelled(&cancelled, 0); i++) {
        if (go_on && !go_on(context)) {
            krn_reference_free(&made);
            free(surfaces);
            return KRN_FAIL(error, KRN_REFUSED, "The reference picture was cancelled.");
        }
        const struct placed at = place(&scene->spheres[i], pose);
        draw_sphere(&made, surfaces, &scene->spheres[i], &at, &drawing);
    }
    for (size_t i = 0; i < pixels && !is_cancelled(&cancelled, i); i++) {
        const struct surface *s = &surfaces[i];
        made.undecidable[i] = (uint8_t)(s->unsure || (s->rival > -HUGE_VAL && s->rival >= s->low));
    }
    free(surfaces);
    if (is_cancelled(&cancelled, 0)) {
        krn_reference_free(&made);
        return KRN_FAIL(error, KRN_CANCELLED, "The reference picture was cancelled.");
    }
    *reference = made;
    return KRN_OK;
}

void krn_reference_free(struct krn_reference *reference)
{
    free(reference->rgba);
    free(reference->undecidable);
    memset(reference, 0, sizeof *reference);
}

struct krn_verdict krn_reference_compare(const struct krn_reference *reference, const uint8_t *rgba)
{
    struct krn_verdict verdict = {.first_x = -1, .first_y = -1};
    const size_t pixels = (size_t)reference->width * (size_t)reference->height;
    for (size_t i = 0; i < pixels && (i % PIXELS_PER_CHECK != 0 || !krn_cancelled()); i++) {
        const uint8_t *expected = reference->rgba + 4 * i, *actual = rgba + 4 * i;
        if (reference->undecidable[i]) {
            verdict.undecidable++;
            continue;
        }
        verdict.compared++;
        int off = actual[3] != 255;
        for (int c = 0; c < 3; c++)
            off |= abs((int)expected[c] - (int)actual[c]) > 1;
        if (off && verdict.wrong++ == 0) {
            verdict.first_x = (int)(i % (size_t)reference->width);
            verdict.first_y = (int)(i / (size_t)reference->width);
            memcpy(verdict.expected, expected, 4);
            memcpy(verdict.actual, actual, 4);
        }
    }
    return verdict;
}
