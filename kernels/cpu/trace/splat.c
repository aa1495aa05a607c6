/* The splat kernel on the CPU: a thread takes a strip of rows and writes every sphere's pixels in
 * it, in the scene's order, so that the first of equal depths stays. */
#include "core/trace/tiles.h"
#include "cpu/trace/vectors.h"

enum { CHECK = 512 };

struct frame {
    const struct krn_cpu_scene *scene;
    const struct krn_view *view;
    const struct krn_image *image;
    const struct krn_cpu_scratch *scratch;
};

/* Returns the thread's memory for a row of its strip. */
static struct krn_cpu_scratch row_of(const struct krn_cpu_scratch *own, int row, int stride)
{
    const size_t at = (size_t)row * (size_t)stride;
    return (struct krn_cpu_scratch){
        .x = own->x, own->deepest + at, own->chord + at, .winner = own->winner + at};
}

static void splat(const struct frame *f, int s, int y0, int y1, int stride,
                  const struct krn_cpu_scratch *own)
{
    const struct krn_view *view = f->view;
    const struct krn_packed sphere = f->scene->packed[s];
    const float per_unit = 1.0f / view->unit;
    int low, high, left, right;
    krn_pixel_span(sphere.y, sqrtf(sphere.square), per_unit, view->height, &low, &high);
    low = low > y0 ? low : y0;
    high = high < y1 - 1 ? high : y1 - 1;
    for (int j = low; j <= high; j++) {
        const float residual =
            krn_row_residual(krn_ray(j, view->height, view->unit) - sphere.y, sphere.square);
        if (!(residual > 0.0f))
            continue;
        const struct krn_cpu_scratch row = row_of(own, j - y0, stride);
        krn_pixel_reach(sphere.x, sqrtf(residual), per_unit, view->width, &left, &right);
        if (right < left)
            continue;
        for (int at = left & ~(LANES - 1); at <= right; at += LANES)
            intersect(&row, at, sphere.x, sphere.z, residual, s);
    }
}

static void splat_strip(const void *context, int index, int thread)
{
    const struct frame *f = context;
    const struct krn_view *view = f->view;
    const struct krn_cpu_scratch *own = &f->scratch[thread];
    const int y0 = index * KRN_CPU_SPLAT_ROWS, end = y0 + KRN_CPU_SPLAT_ROWS,
              y1 = end < view->height ? end : view->height, stride = vectors_up(view->width);
    const float first = krn_ray(y0, view->height, view->unit),
                last = krn_ray(y1 - 1, view->height, view->unit);
    for (int k = 0; k < stride; k++)
        own->x[k] = krn_ray(k, view->width, view->unit);
    for (int k = 0; k < (y1 - y0) * stride; k++) {
        own->deepest[k] = -INFINITY;
        own->winner[k] = KRN_NO_SPHERE;
    }
    for (int s = 0; s < f->scene->count && (s % CHECK != 0 || !krn_cancelled()); s++) {
        const struct krn_packed sphere = f->scene->packed[s];
        if (krn_row_residual(krn_axis_distance(first, last, sphere.y), sphere.square) > 0.0f)
            splat(f, s, y0, y1, stride, own);
    }
    for (int j = y0; j < y1; j++) {
        const struct krn_cpu_scratch row = row_of(own, j - y0, stride);
        unsigned char *to = (unsigned char *)f->image->pixels + (size_t)j * f->image->pitch_bytes;
        finish_row(f->scene, &row, view->width, (uint32_t *)(void *)to);
    }
}

void KRN_LEVEL(krn_cpu_splat)(struct krn_cpu_team *team, const struct krn_cpu_scene *scene,
                              const struct krn_view *view, const struct krn_image *image,
                              const struct krn_cpu_scratch *scratch)
{
    const struct frame frame = {scene, view, image, scratch};
    krn_cpu_team_share(team, krn_cpu_splat_pieces(view), splat_strip, &frame);
}
