/* The counts of krn_work_count equal those of kernels that run thread by thread and count each
 * operation where they do it. */
#include "core/trace/pixel.h"
#include "core/trace/tiles.h"

#include "expect.h"

#include "krn/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, SIDE_MAX = 1100, SPHERES_MAX = 4200 };

struct setup {
    struct krn_scene scene;
    struct krn_packed packed[SPHERES_MAX];
    struct krn_view view;
    struct krn_pose pose;
};

static void set_up(struct setup *setup, int spheres, float radius_max, int width, int height,
                   double time_s)
{
    const struct krn_scene_recipe recipe = {spheres, 7, 3.0f, radius_max};
    memset(setup, 0, sizeof *setup);
    TEST_OK(krn_scene_generate(&setup->scene, &recipe, &error));
    setup->view =
        (struct krn_view){.width = width, .height = height, .unit = 1024.0f / (float)height};
    setup->pose = krn_pose_at(time_s);
    for (int s = 0; s < spheres; s++)
        setup->packed[s] = krn_pack(krn_rotate(setup->scene.spheres[s], setup->pose));
}

static double counted(const struct setup *setup, enum krn_backend_id backend,
                      enum krn_kernel kernel, enum krn_storage storage, int k)
{
    struct krn_works works;
    TEST_OK(krn_work_count(backend, &setup->scene, setup->pose, &setup->view, 0.0, &works, &error));
    assert_int_equal(works.rows, setup->view.height);
    assert_int_equal(works.rows_all, setup->view.height);
    return works.modes[krn_mode_index((struct krn_mode){kernel, storage, k})].flops;
}

/* --- arithmetic that counts --- */

static double ops;

static float add(float a, float b)
{
    ops += 1;
    return a + b;
}

static float mul(float a, float b)
{
    ops += 1;
    return a * b;
}

static float root(float a)
{
    ops += 1;
    return sqrtf(a);
}

static float fma_of(float x, float y, float z)
{
    ops += 2;
    return krn_fma(x, y, z);
}

static float ray(int pixel, int pixels, float unit)
{
    return mul((float)(pixel - pixels / 2), unit);
}

static float row_of(float dy, float square)
{
    return fma_of(-dy, dy, square);
}

static float pixel_of(float dx, float row)
{
    return fma_of(-dx, dx, row);
}

static float distance(float first, float last, float centre)
{
    const float below = add(first, -centre), above = add(centre, -last);
    const float far = below > above ? below : above;
    return far > 0.0f ? far : 0.0f;
}

static float box_of(struct krn_packed sphere, float x0, float x1, float y0, float y1)
{
    const float row = row_of(distance(y0, y1, sphere.y), sphere.square);
    return pixel_of(distance(x0, x1, sphere.x), row);
}

/* --- the book's kernel --- */

static double book_gpu(const struct setup *setup)
{
    const struct krn_view *view = &setup->view;
    ops = 0.0;
    for (int j = 0; j < view->height; j++)
        for (int i = 0; i < view->width; i++) {
            const float x = ray(i, view->width, view->unit), y = ray(j, view->height, view->unit);
            float deepest = -INFINITY;
            for (int s = 0; s < setup->scene.count; s++) {
                const struct krn_packed *sphere = &setup->packed[s];
                const float radius = setup->scene.spheres[s].radius;
                const float square = mul(radius, radius);
                const float hit = pixel_of(add(x, -sphere->x), row_of(add(y, -sphere->y), square));
                if (!(hit > 0.0f))
                    continue;
                const float chord = root(hit);
                ops += 1; /* the division */
                const float depth = add(chord, sphere->z);
                if (depth > deepest) {
                    ops += 3;
                    deepest = depth;
                }
            }
            ops += 3; /* krn_byte */
        }
    return ops;
}

static double book_cpu(const struct setup *setup)
{
    const struct krn_view *view = &setup->view;
    ops = 0.0;
    for (int j = 0; j < view->height; j++) {
        const float y = ray(j, view->height, view->unit);
        for (int i = 0; i < view->width; i++) {
            const float x = ray(i, view->width, view->unit);
            float deepest = -INFINITY;
            for (int s = 0; s < setup->scene.count; s++) {
                const struct krn_packed *sphere = &setup->packed[s];
                const float reach = sphere->square;
                /* krn_misses */
                if (pixel_of(add(x, -sphere->x), row_of(add(y, -sphere->y), reach)) <= 0.0f)
                    continue;
                const float radius = setup->scene.spheres[s].radius;
                const float hit =
                    pixel_of(add(x, -sphere->x), row_of(add(y, -sphere->y), mul(radius, radius)));
                assert_true(hit > 0.0f);
                const float depth = add(root(hit), sphere->z);
                if (depth > deepest) {
                    ops += 1 + 3;
                    deepest = depth;
                }
            }
            ops += 3;
        }
    }
    return ops;
}

/* --- the strip kernel on a GPU --- */

struct warp {
    float x[LANES][16], y, first, last, deepest[LANES][16];
    int winner[LANES][16];
};

static void begin(struct warp *warp, const struct setup *setup, int left, int row, int k)
{
    const struct krn_view *view = &setup->view;
    for (int lane = 0; lane < LANES; lane++) {
        warp->y = ray(row, view->height, view->unit);
        warp->first = ray(left, view->width, view->unit);
        warp->last = ray(left + LANES * k - 1, view->width, view->unit);
        for (int i = 0; i < k; i++) {
            warp->x[lane][i] = ray(left + lane + LANES * i, view->width, view->unit);
            warp->deepest[lane][i] = -INFINITY;
            warp->winner[lane][i] = -1;
        }
    }
}

static float least_of(const struct warp *warp, int k)
{
    float least = INFINITY;
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < k; i++)
            least = fminf(least, warp->deepest[lane][i]);
    return least;
}

static void update(struct warp *warp, int lane, int i, float chord, float z, int s)
{
    const float depth = add(chord, z);
    if (depth > warp->deepest[lane][i]) {
        warp->deepest[lane][i] = depth;
        warp->winner[lane][i] = s;
    }
}

static void intersect_in_turn(struct warp *warp, struct krn_packed sphere, int k, int s)
{
    const float row = krn_row_residual(warp->y - sphere.y, sphere.square);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < k; i++) {
            const float residual = pixel_of(add(warp->x[lane][i], -sphere.x), row);
            if (residual > 0.0f)
                update(warp, lane, i, root(residual), sphere.z, s);
        }
}

/* vote: a batch is computed when any lane hits it. */
static void intersect_batches(struct warp *warp, struct krn_packed sphere, int k, bool vote, int s)
{
    const float row = krn_row_residual(warp->y - sphere.y, sphere.square);
    const int batch = k < 4 ? k : 4;
    for (int from = 0; from < k; from += batch) {
        float residual[LANES][4];
        bool hits[LANES] = {false}, any = false;
        for (int lane = 0; lane < LANES; lane++)
            for (int i = 0; i < batch; i++) {
                residual[lane][i] = pixel_of(add(warp->x[lane][from + i], -sphere.x), row);
                hits[lane] = hits[lane] || residual[lane][i] > 0.0f;
                any = any || hits[lane];
            }
        for (int lane = 0; lane < LANES; lane++)
            for (int i = 0; i < batch && (vote ? any : hits[lane]); i++) {
                const bool hit = residual[lane][i] > 0.0f;
                const float chord = root(hit ? residual[lane][i] : 0.0f);
                update(warp, lane, from + i, hit ? chord : -INFINITY, sphere.z, s);
            }
    }
}

static void shade(const struct warp *warp, int k, bool keep)
{
    const int batch = k < 4 ? k : 4;
    for (int from = 0; from < k; from += batch) {
        bool any = false;
        for (int lane = 0; lane < LANES; lane++)
            for (int i = from; i < from + batch; i++)
                any = any || warp->winner[lane][i] >= 0;
        for (int lane = 0; lane < LANES; lane++)
            for (int i = from; i < from + batch; i++)
                if (keep ? any : warp->winner[lane][i] >= 0)
                    ops += (keep ? 0 : 6 + 1) + 1 + 3 + 6;
    }
}

static double strip_scan(const struct setup *setup, int k)
{
    static struct warp warp;
    const int count = setup->scene.count, wide = LANES * k;
    const struct krn_packed none = {0.0f, -1.0f, 0.0f, 0.0f};
    ops = 0.0;
    for (int j = 0; j < setup->view.height; j++)
        for (int left = 0; left < setup->view.width; left += wide) {
            begin(&warp, setup, left, j, k);
            float least = -INFINITY;
            for (int s = 0; s < count; s += LANES) {
                bool candidate[LANES];
                for (int lane = 0; lane < LANES; lane++) {
                    const struct krn_packed mine =
                        s + lane < count ? setup->packed[s + lane] : none;
                    const float row = row_of(add(warp.y, -mine.y), mine.square);
                    const float nearest = pixel_of(distance(warp.first, warp.last, mine.x), row);
                    candidate[lane] = nearest > 0.0f;
                    if (k >= 4 && candidate[lane])
                        candidate[lane] =
                            !(nearest >= 0x1p-101f && add(root(nearest), mine.z) <= least);
                }
                for (int lane = 0; lane < LANES; lane++) {
                    if (!candidate[lane])
                        continue;
                    if (k == 1)
                        intersect_in_turn(&warp, setup->packed[s + lane], k, s + lane);
                    else
                        intersect_batches(&warp, setup->packed[s + lane], k, true, s + lane);
                }
                least = least_of(&warp, k);
            }
            shade(&warp, k, count <= 320 && k > 1);
        }
    return ops;
}

static double strip_constant(const struct setup *setup, int k)
{
    static struct warp warp;
    const int count = setup->scene.count, wide = LANES * k;
    ops = 0.0;
    for (int j = 0; j < setup->view.height; j++)
        for (int left = 0; left < setup->view.width; left += wide) {
            begin(&warp, setup, left, j, k);
            for (int s = 0; s < count; s++) {
                const struct krn_packed sphere = setup->packed[s];
                float row = 0.0f, nearest = 0.0f;
                for (int lane = 0; lane < LANES; lane++)
                    row = row_of(add(warp.y, -sphere.y), sphere.square);
                if (!(row > 0.0f))
                    continue;
                for (int lane = 0; lane < LANES; lane++) {
                    row = row_of(add(warp.y, -sphere.y), sphere.square);
                    nearest = pixel_of(distance(warp.first, warp.last, sphere.x), row);
                }
                if (!(nearest > 0.0f))
                    continue;
                if (k < 8)
                    intersect_in_turn(&warp, sphere, k, s);
                else
                    intersect_batches(&warp, sphere, k, false, s);
            }
            shade(&warp, k, count <= 320 && k > 1);
        }
    return ops;
}

/* --- the binned kernel --- */

static void reach_of_tiles(void)
{
    ops += 1 + 2 * (1 + 4 + 4 + 4 + 1);
}

static bool hits_tile(struct krn_tiles tiles, struct krn_packed sphere, int column, int row)
{
    const int side = 1 << tiles.shift;
    const float x0 = ray(column * side, tiles.width, tiles.unit),
                x1 = ray(column * side + side - 1, tiles.width, tiles.unit),
                y0 = ray(row * side, tiles.height, tiles.unit),
                y1 = ray(row * side + side - 1, tiles.height, tiles.unit);
    return box_of(sphere, x0, x1, y0, y1) > 0.0f;
}

/* Counts both passes of the sort, and lists the spheres of each tile. */
static void sort(const struct setup *setup, struct krn_tiles tiles, int threads, int *lists,
                 int *lengths)
{
    memset(lengths, 0, sizeof *lengths * (size_t)(tiles.columns * tiles.rows));
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < setup->scene.count; s++) {
            for (int t = 0; t < threads; t++)
                reach_of_tiles();
            const struct krn_tile_range range = krn_tile_reach(tiles, setup->packed[s]);
            for (int row = range.low; row <= range.high; row++)
                for (int column = range.left; column <= range.right; column++) {
                    const int tile = row * tiles.columns + column;
                    if (hits_tile(tiles, setup->packed[s], column, row) && pass == 1)
                        lists[tile * SPHERES_MAX + lengths[tile]++] = s;
                }
        }
}

static struct krn_tile_plan plan_of(const struct setup *setup, int shift, double per_pixel)
{
    struct krn_sizes sizes;
    krn_sizes_count(&sizes, &setup->scene);
    return krn_tiles_plan(&sizes, &setup->view, shift, per_pixel);
}

struct box {
    float x[LANES][4], y[LANES], deepest[LANES][4];
    int winner[LANES][4];
};

static float intersect_box(struct box *box, struct krn_packed sphere, int s)
{
    float least = INFINITY;
    for (int lane = 0; lane < LANES; lane++) {
        const float row = row_of(add(box->y[lane], -sphere.y), sphere.square);
        float residual[4];
        bool any = false;
        for (int k = 0; k < 4; k++) {
            residual[k] = pixel_of(add(box->x[lane][k], -sphere.x), row);
            any = any || residual[k] > 0.0f;
        }
        for (int k = 0; k < 4 && any; k++) {
            const bool hit = residual[k] > 0.0f;
            const float depth = add(root(hit ? residual[k] : 0.0f), sphere.z);
            if (hit && (depth > box->deepest[lane][k] ||
                        (depth == box->deepest[lane][k] && s < box->winner[lane][k]))) {
                box->deepest[lane][k] = depth;
                box->winner[lane][k] = s;
            }
        }
        for (int k = 0; k < 4; k++)
            least = fminf(least, box->deepest[lane][k]);
    }
    return least;
}

static void trace_box(const struct setup *setup, int box_x, int box_y, const int *list, int length)
{
    const struct krn_view *view = &setup->view;
    static struct box box;
    float x0 = 0.0f, x1 = 0.0f, y0 = 0.0f, y1 = 0.0f, least = -INFINITY;
    bool any = false;
    for (int lane = 0; lane < LANES; lane++) {
        const int i = box_x + lane % 4 * 4, j = box_y + lane / 4;
        box.y[lane] = ray(j, view->height, view->unit);
        for (int k = 0; k < 4; k++) {
            box.x[lane][k] = ray(i + k, view->width, view->unit);
            box.deepest[lane][k] = i + k < view->width && j < view->height ? -INFINITY : INFINITY;
            box.winner[lane][k] = -1;
        }
        x0 = ray(box_x, view->width, view->unit);
        x1 = ray(box_x + 15, view->width, view->unit);
        y0 = ray(box_y, view->height, view->unit);
        y1 = ray(box_y + 7, view->height, view->unit);
    }
    for (int first = 0; first < length; first += LANES) {
        float bound[LANES];
        bool candidate[LANES];
        for (int lane = 0; lane < LANES; lane++) {
            candidate[lane] = first + lane < length;
            if (!candidate[lane])
                continue;
            const struct krn_packed sphere = setup->packed[list[first + lane]];
            const float residual = box_of(sphere, x0, x1, y0, y1);
            bound[lane] = add(root(residual), sphere.z);
            candidate[lane] = residual > 0.0f && bound[lane] >= least;
        }
        for (;;) {
            int next = -1;
            for (int lane = 0; lane < LANES; lane++)
                if (candidate[lane] && (next < 0 || bound[lane] > bound[next]))
                    next = lane;
            if (next < 0)
                break;
            any = true;
            least = intersect_box(&box, setup->packed[list[first + next]], list[first + next]);
            for (int lane = 0; lane < LANES; lane++)
                candidate[lane] = candidate[lane] && lane != next && bound[lane] >= least;
        }
    }
    for (int lane = 0; lane < LANES; lane++)
        if (any && box_y + lane / 4 < view->height)
            ops += 4 * (1 + 3 + 6);
}

/* Every tile tests every sphere once; a block computes the rays of its tile, as a box does. */
static void scan(const struct setup *setup, struct krn_tiles tiles, int *lists, int *lengths)
{
    memset(lengths, 0, sizeof *lengths * (size_t)(tiles.columns * tiles.rows));
    for (int tile = 0; tile < tiles.columns * tiles.rows; tile++)
        for (int s = 0; s < setup->scene.count; s++) {
            const double before = ops;
            if (hits_tile(tiles, setup->packed[s], tile % tiles.columns, tile / tiles.columns))
                lists[tile * SPHERES_MAX + lengths[tile]++] = s;
            ops = before + 8;
        }
}

static double binned_gpu(const struct setup *setup)
{
    struct krn_sizes sizes;
    krn_sizes_count(&sizes, &setup->scene);
    const struct krn_tile_plan plan = krn_tiles_plan_cuda(&sizes, &setup->view);
    const struct krn_tiles tiles = plan.tiles;
    assert_true(plan.scanned == (setup->scene.count <= 4096));
    const size_t all = (size_t)(tiles.columns * tiles.rows);
    TEST_FREED int *lists = malloc(all * SPHERES_MAX * sizeof *lists),
                   *lengths = malloc(all * sizeof *lengths);
    assert_true(lists && lengths);
    ops = 0.0;
    if (plan.scanned)
        scan(setup, tiles, lists, lengths);
    else
        sort(setup, tiles, plan.per_sphere > 8.0 ? 32 : 4, lists, lengths);
    for (int y = 0; y < setup->view.height; y += 8)
        for (int x = 0; x < setup->view.width; x += 16) {
            const int tile = (y >> tiles.shift) * tiles.columns + (x >> tiles.shift);
            trace_box(setup, x, y, lists + (size_t)tile * SPHERES_MAX, lengths[tile]);
        }
    return ops;
}

/* --- strip and binned on a CPU --- */

enum { VECTOR = 16, BAND = 8 };

static void trace_cpu_box(const struct setup *setup, const int *list, int length, int left,
                          int right, int top, int bottom)
{
    const struct krn_view *view = &setup->view;
    static float deepest[SIDE_MAX + VECTOR], xs[SIDE_MAX + VECTOR];
    int candidates[SPHERES_MAX], count = 0;
    const float x0 = ray(left, view->width, view->unit),
                x1 = ray(right - 1, view->width, view->unit),
                y0 = ray(top, view->height, view->unit),
                y1 = ray(bottom - 1, view->height, view->unit);
    for (int i = 0; i < length; i++)
        if (box_of(setup->packed[list[i]], x0, x1, y0, y1) > 0.0f)
            candidates[count++] = list[i];
    const int pixels = (right - left + VECTOR - 1) / VECTOR * VECTOR;
    for (int i = 0; i < pixels; i++)
        xs[i] = ray(left + i, view->width, view->unit);
    for (int j = top; j < bottom; j++) {
        const float y = ray(j, view->height, view->unit);
        for (int i = 0; i < pixels; i++)
            deepest[i] = -INFINITY;
        for (int c = 0; c < count; c++) {
            const struct krn_packed sphere = setup->packed[candidates[c]];
            const float row = row_of(add(y, -sphere.y), sphere.square);
            if (!(row > 0.0f))
                continue;
            int first, last;
            ops += 1 + (1 + 4 + 4 + 4 + 1);
            krn_pixel_reach(sphere.x, sqrtf(row), 1.0f / view->unit, view->width, &first, &last);
            first = (first > left ? first : left) - left;
            last = (last < right - 1 ? last : right - 1) - left;
            for (int at = first / VECTOR * VECTOR; at <= last; at += VECTOR)
                for (int i = at; i < at + VECTOR; i++) {
                    const float square = pixel_of(add(xs[i], -sphere.x), row);
                    const float depth = add(root(square > 0.0f ? square : 0.0f), sphere.z);
                    if (square > 0.0f && depth > deepest[i])
                        deepest[i] = depth;
                }
        }
        for (int at = 0; at < pixels; at += VECTOR) {
            bool any = false;
            for (int i = at; i < at + VECTOR; i++)
                any = any || deepest[i] > -INFINITY;
            ops += any ? VECTOR * (1 + 3 + 3) : 0;
        }
    }
}

static double strip_cpu(const struct setup *setup)
{
    int list[SPHERES_MAX];
    const int height = setup->view.height;
    for (int s = 0; s < setup->scene.count; s++)
        list[s] = s;
    ops = 0.0;
    for (int y = 0; y < height; y += BAND)
        trace_cpu_box(setup, list, setup->scene.count, 0, setup->view.width, y,
                      y + BAND < height ? y + BAND : height);
    return ops;
}

static double binned_cpu(const struct setup *setup)
{
    const struct krn_tiles tiles =
        plan_of(setup, KRN_CPU_TILE_SHIFT, KRN_CPU_ENTRY_OVER_PIXEL).tiles;
    const size_t all = (size_t)(tiles.columns * tiles.rows);
    const int width = setup->view.width, height = setup->view.height, side = 1 << tiles.shift;
    TEST_FREED int *lists = malloc(all * SPHERES_MAX * sizeof *lists),
                   *lengths = malloc(all * sizeof *lengths);
    assert_true(lists && lengths);
    ops = 0.0;
    sort(setup, tiles, 1, lists, lengths);
    for (int y = 0; y < height; y += BAND)
        for (int column = 0; column < tiles.columns; column++) {
            const int tile = (y >> tiles.shift) * tiles.columns + column;
            const int right = (column + 1) * side;
            trace_cpu_box(setup, lists + (size_t)tile * SPHERES_MAX, lengths[tile], column * side,
                          right < width ? right : width, y, y + BAND < height ? y + BAND : height);
        }
    return ops;
}

/* --- the comparisons --- */

/* A small scene, whose chords are kept, and one in which spheres are occluded; images with widths
 * that no run divides. */
static const struct {
    int spheres;
    float radius_max;
    int width, height;
    double time_s;
} cases[] = {{20, 120.0f, 96, 64, 0.0},   {45, 300.0f, 530, 41, 7.0}, {400, 90.0f, 700, 40, 3.0},
             {700, 400.0f, 300, 24, 0.0}, {333, 4.0f, 600, 80, 11.0}, {513, 60.0f, 150, 70, 5.0},
             {4097, 30.0f, 96, 48, 2.0}};

enum { CASES = sizeof cases / sizeof *cases };

static void each_case(void (*check)(const struct setup *setup))
{
    static struct setup setup;
    for (int i = 0; i < CASES; i++) {
        set_up(&setup, cases[i].spheres, cases[i].radius_max, cases[i].width, cases[i].height,
               cases[i].time_s);
        check(&setup);
        krn_scene_free(&setup.scene);
    }
}

static void expect(double actual, double expected)
{
    if (actual != expected)
        fail_msg("%.0f operations instead of %.0f", actual, expected);
}

static void check_book(const struct setup *setup)
{
    for (int s = 0; s < KRN_STORAGE_COUNT; s++)
        expect(counted(setup, KRN_BACKEND_CUDA, KRN_KERNEL_BOOK, (enum krn_storage)s, 1),
               book_gpu(setup));
    expect(counted(setup, KRN_BACKEND_CPU, KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1),
           book_cpu(setup));
}

static void check_strip(const struct setup *setup)
{
    for (int n = 0; n < KRN_PIXELS_COUNT; n++) {
        const int k = krn_pixels_at(n);
        const double scan = strip_scan(setup, k), constant = strip_constant(setup, k);
        for (int s = 0; s < KRN_STORAGE_COUNT; s++)
            expect(counted(setup, KRN_BACKEND_CUDA, KRN_KERNEL_STRIP, (enum krn_storage)s, k),
                   s == KRN_STORAGE_CONSTANT ? constant : scan);
        expect(counted(setup, KRN_BACKEND_CPU, KRN_KERNEL_STRIP, KRN_STORAGE_GLOBAL, k),
               strip_cpu(setup));
    }
}

static void check_binned(const struct setup *setup)
{
    expect(counted(setup, KRN_BACKEND_CUDA, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1),
           binned_gpu(setup));
    expect(counted(setup, KRN_BACKEND_CPU, KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1),
           binned_cpu(setup));
}

/* The comparison of each kernel that has a count. */
static void (*const checks[KRN_KERNEL_COUNT])(const struct setup *setup) = {
    [KRN_KERNEL_BOOK] = check_book,
    [KRN_KERNEL_STRIP] = check_strip,
    [KRN_KERNEL_BINNED] = check_binned,
};

TEST(every_count_is_compared)
{
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        if (krn_kernel_describe((enum krn_kernel)k)->view == KRN_VIEW_BOOK && !checks[k] &&
            k != KRN_KERNEL_SPLAT && k != KRN_KERNEL_MINE) /* have no count */
            fail_msg("The operations of the %s kernel are compared with nothing.",
                     krn_kernel_name((enum krn_kernel)k));
}

TEST(book_is_counted)
{
    each_case(checks[KRN_KERNEL_BOOK]);
}

TEST(strip_is_counted)
{
    each_case(checks[KRN_KERNEL_STRIP]);
}

TEST(binned_is_counted)
{
    each_case(checks[KRN_KERNEL_BINNED]);
}

/* Sampled rows stand for all rows, and the limit of steps limits the rows. */
TEST(sampled_rows_stand_for_all)
{
    static struct setup setup;
    struct krn_works all, some, least;
    set_up(&setup, 500, 120.0f, 640, 480, 0.0);
    const double per_row = krn_work_steps_per_row(&setup.scene, &setup.view);
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const enum krn_backend_id backend = (enum krn_backend_id)id;
        TEST_OK(krn_work_count(backend, &setup.scene, setup.pose, &setup.view, 0.0, &all, &error));
        TEST_OK(krn_work_count(backend, &setup.scene, setup.pose, &setup.view, 120.0 * per_row,
                               &some, &error));
        TEST_OK(
            krn_work_count(backend, &setup.scene, setup.pose, &setup.view, 1.0, &least, &error));
        assert_int_equal(some.rows, 120);
        assert_int_equal(least.rows, 8);
        for (int m = 0; m < KRN_MODES; m++) {
            if (krn_mode_view(krn_mode_at(m)) != KRN_VIEW_BOOK)
                continue;
            if (krn_mode_at(m).kernel != KRN_KERNEL_SPLAT)
                assert_true(fabs(some.modes[m].flops / all.modes[m].flops - 1.0) < 0.03);
            assert_true(some.modes[m].bytes == all.modes[m].bytes);
        }
    }
    krn_scene_free(&setup.scene);
}

/* The light view's work has no count: it follows from what its rays hit. */
TEST(bytes_are_compulsory)
{
    static struct setup setup;
    struct krn_works works;
    set_up(&setup, 20, 120.0f, 64, 48, 0.0);
    TEST_OK(krn_work_count(KRN_BACKEND_CUDA, &setup.scene, setup.pose, &setup.view, 0.0, &works,
                           &error));
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        const bool counted = krn_mode_view(mode) == KRN_VIEW_BOOK;
        assert_true((works.modes[m].flops > 0.0) == (counted && mode.kernel != KRN_KERNEL_SPLAT));
        assert_true(works.modes[m].bytes ==
                    (counted ? 4 * 64 * 48 + 20 * (mode.kernel == KRN_KERNEL_BOOK ? 28 : 32) : 0));
    }
    krn_scene_free(&setup.scene);
}
