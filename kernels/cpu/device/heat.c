/* The sphere tests of each pixel. The counts follow cpu/trace/set.c and cpu/trace/strip.c, which
 * contain none of this: the book's loop tests every sphere; the other kernels intersect the spheres
 * of a band of rows, or of a tile's list, with those vectors of a row that they can cover. K orders
 * that work and changes no count. */
#include "cpu/device/cpu.h"

#include "core/trace/palette.h"

enum { LANES = KRN_CPU_LANES, CHECK = 512 };

/* Pixels x0..x1-1, y0..y1-1. */
struct box {
    int x0, x1, y0, y1;
};

/* The data that all pieces of a frame share. */
struct frame {
    const struct krn_cpu_memory *memory;
    const struct krn_view *view;
    uint32_t *costs;
};

static void fill_rows(const void *context, int index, int thread)
{
    (void)thread;
    const struct frame *f = context;
    const int width = f->view->width, first = index * KRN_CPU_BOOK_ROWS;
    for (int j = first; j < first + KRN_CPU_BOOK_ROWS && j < f->view->height; j++)
        for (int i = 0; i < width; i++)
            f->costs[(size_t)j * (size_t)width + (size_t)i] = (uint32_t)f->memory->count;
}

static struct frame frame_of(const struct krn_cpu_device *cpu, const struct krn_view *view)
{
    return (struct frame){&cpu->memory, view, cpu->heat};
}

void krn_cpu_count_book(const struct krn_cpu_device *cpu, const struct krn_view *view)
{
    const struct frame frame = frame_of(cpu, view);
    krn_cpu_team_share(cpu->team, krn_cpu_book_pieces(view), fill_rows, &frame);
}

/* Adds 1 to every pixel of the row from the first to the last vector that the sphere can cover: the
 * difference of neighbours is changed at both ends. */
static void add_sphere(const struct krn_view *view, struct krn_packed sphere, float residual,
                       struct box box, int *change)
{
    int first, last;
    krn_pixel_reach(sphere.x, sqrtf(residual), 1.0f / view->unit, view->width, &first, &last);
    first = (first > box.x0 ? first : box.x0) - box.x0;
    last = (last < box.x1 - 1 ? last : box.x1 - 1) - box.x0;
    if (last < first)
        return;
    const int end = (last | (LANES - 1)) + 1, width = box.x1 - box.x0;
    change[first & ~(LANES - 1)]++;
    if (end < width)
        change[end]--;
}

static void count_row(const struct frame *f, int candidates, struct box box, int j,
                      const struct krn_cpu_scratch *own)
{
    const int width = box.x1 - box.x0;
    const float oy = krn_ray(j, f->view->height, f->view->unit);
    int *change = own->winner;
    memset(change, 0, (size_t)width * sizeof *change);
    for (int i = 0; i < candidates; i++) {
        if (i % CHECK == 0 && krn_cancelled())
            return;
        const struct krn_packed sphere = f->memory->packed[own->candidates[i]];
        const float residual = krn_row_residual(oy - sphere.y, sphere.square);
        if (residual > 0.0f)
            add_sphere(f->view, sphere, residual, box, change);
    }
    uint32_t *row = f->costs + (size_t)j * (size_t)f->view->width + (size_t)box.x0;
    int tests = 0;
    for (int i = 0; i < width; i++) {
        tests += change[i];
        row[i] = (uint32_t)tests;
    }
}

/* Counts in a box, whose spheres are those of list (NULL: all). */
static void count_box(const struct frame *f, const int *list, int count, struct box box,
                      const struct krn_cpu_scratch *own)
{
    const struct krn_view *view = f->view;
    const float x0 = krn_ray(box.x0, view->width, view->unit);
    const float x1 = krn_ray(box.x1 - 1, view->width, view->unit);
    const float y0 = krn_ray(box.y0, view->height, view->unit);
    const float y1 = krn_ray(box.y1 - 1, view->height, view->unit);
    int candidates = 0;
    for (int i = 0; i < count; i++) {
        const int s = list ? list[i] : i;
        own->candidates[candidates] = s;
        candidates += krn_box_residual(f->memory->packed[s], x0, x1, y0, y1) > 0.0f;
    }
    for (int j = box.y0; j < box.y1; j++)
        count_row(f, candidates, box, j, own);
}

static int least_of(int a, int b)
{
    return a < b ? a : b;
}

static void count_band(const void *context, int band, int thread)
{
    const struct frame *f = context;
    const int y0 = band * KRN_CPU_BAND;
    const struct box box = {0, f->view->width, y0, least_of(y0 + KRN_CPU_BAND, f->view->height)};
    count_box(f, NULL, f->memory->count, box, &f->memory->scratch[thread]);
}

static void count_tile(const void *context, int tile, int thread)
{
    const struct frame *f = context;
    const struct krn_tiles tiles = f->memory->bins.tiles;
    const int side = 1 << tiles.shift;
    const int x0 = tile % tiles.columns * side, top = tile / tiles.columns * side;
    const int bottom = least_of(top + side, f->view->height);
    const size_t first = f->memory->bins.start[tile], end = f->memory->bins.start[tile + 1];
    for (int y0 = top; y0 < bottom; y0 += KRN_CPU_BAND) {
        const struct box box = {x0, least_of(x0 + side, f->view->width), y0,
                                least_of(y0 + KRN_CPU_BAND, bottom)};
        count_box(f, f->memory->bins.entries + first, (int)(end - first), box,
                  &f->memory->scratch[thread]);
    }
}

void krn_cpu_count_strip(const struct krn_cpu_device *cpu, const struct krn_view *view)
{
    const struct frame frame = frame_of(cpu, view);
    krn_cpu_team_share(cpu->team, krn_cpu_strip_pieces(view), count_band, &frame);
}

void krn_cpu_count_binned(const struct krn_cpu_device *cpu, const struct krn_view *view)
{
    const struct krn_cpu_memory *m = &cpu->memory;
    const struct krn_cpu_scene scene = {m->rotated, m->packed, m->material, m->count};
    const struct frame frame = frame_of(cpu, view);
    cpu->kernels->sort(cpu->team, &scene, &m->bins);
    if (!krn_cancelled()) /* else the bins are incomplete */
        krn_cpu_team_share(cpu->team, m->bins.tiles.columns * m->bins.tiles.rows, count_tile,
                           &frame);
}

void krn_cpu_heat_sum(const uint32_t *tests, size_t pixels, struct krn_heat_costs *costs)
{
    uint64_t sum = 0;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < pixels; i++) {
        sum += tests[i];
        least = tests[i] < least ? tests[i] : least;
        most = tests[i] > most ? tests[i] : most;
    }
    costs->sum = sum;
    costs->least = least;
    costs->most = most;
}

struct painting {
    const uint32_t *costs;
    const struct krn_image *image;
    uint32_t scale;
    struct krn_palette palette;
};

enum { PAINT_ROWS = 16 };

static void paint_rows(const void *context, int index, int thread)
{
    (void)thread;
    const struct painting *p = context;
    const struct krn_image *image = p->image;
    const int width = image->width, first = index * PAINT_ROWS;
    for (int j = first; j < first + PAINT_ROWS && j < image->height; j++) {
        const uint32_t *costs = p->costs + (size_t)j * (size_t)width;
        uint32_t *row = (void *)((unsigned char *)image->pixels + (size_t)j * image->pitch_bytes);
        for (int i = 0; i < width; i++)
            row[i] =
                krn_palette_shade(p->palette.rgba[krn_palette_step(costs[i], p->scale)], row[i]);
    }
}

void krn_cpu_heat_paint(struct krn_cpu_team *team, const uint32_t *costs, uint32_t scale,
                        const struct krn_image *image)
{
    struct painting painting = {.costs = costs, .image = image, .scale = scale};
    krn_palette_make(&painting.palette);
    krn_cpu_team_share(team, (image->height + PAINT_ROWS - 1) / PAINT_ROWS, paint_rows, &painting);
}
