/* The kernels of one instruction-set level: the plain loops, and the set of all kernels. */
#include "core/trace/pixel.h"
#include "cpu/trace/kernels.h"

/* Returns the first sphere from s on that the ray may hit; count when there is none. Most rays miss
 * most spheres. In a separate loop, a miss costs one taken branch instead of two and no register is
 * spilled, which makes the kernel 1.5 times as fast (gcc 12, Zen 4). */
static inline int next_candidate(const struct krn_sphere *spheres, const float *reaches, int s,
                                 int count, float ox, float oy)
{
    while (s < count && krn_misses(ox - spheres[s].x, oy - spheres[s].y, reaches[s]))
        s++;
    return s;
}

struct book {
    const struct krn_sphere *spheres;
    const float *reaches;
    int count;
    const struct krn_view *view;
    const struct krn_image *image;
};

enum { BOOK_PIXELS = 64, ROTATE_SPHERES = 1 << 10 };

/* The book kernel as a plain loop that tests every pixel against every sphere, in order. It is the
 * baseline and must remain plain. With a million spheres a row takes a second, so a cancelled frame
 * ends within a row. */
static void book_rows(const void *context, int index, int thread)
{
    (void)thread;
    const struct book *book = context;
    const struct krn_image *image = book->image;
    const struct krn_sphere *spheres = book->spheres;
    const float *reaches = book->reaches;
    const int count = book->count, width = book->view->width, height = book->view->height;
    const float unit = book->view->unit;
    const int first = index * KRN_CPU_BOOK_ROWS, end = first + KRN_CPU_BOOK_ROWS;
    for (int j = first; j < end && j < height; j++) {
        unsigned char *row = (unsigned char *)image->pixels + (size_t)j * image->pitch_bytes;
        const float oy = krn_ray(j, height, unit);
        for (int i = 0; i < width; i++) {
            if (i % BOOK_PIXELS == 0 && krn_cancelled())
                return;
            const float ox = krn_ray(i, width, unit);
            float red = 0.0f, green = 0.0f, blue = 0.0f, deepest = -INFINITY;
            for (int s = 0; (s = next_candidate(spheres, reaches, s, count, ox, oy)) < count; s++) {
                const struct krn_sphere *sphere = &spheres[s];
                const float hit =
                    krn_hit(ox - sphere->x, oy - sphere->y, sphere->radius * sphere->radius);
                if (hit > 0.0f) {
                    const float chord = sqrtf(hit);
                    if (chord + sphere->z > deepest) {
                        const float shade = chord / sphere->radius;
                        red = sphere->r * shade;
                        green = sphere->g * shade;
                        blue = sphere->b * shade;
                        deepest = chord + sphere->z;
                    }
                }
            }
            row[4 * i + 0] = krn_byte(red);
            row[4 * i + 1] = krn_byte(green);
            row[4 * i + 2] = krn_byte(blue);
            row[4 * i + 3] = 255;
        }
    }
}

static void book(struct krn_cpu_team *team, const struct krn_sphere *spheres, const float *reaches,
                 int count, const struct krn_view *view, const struct krn_image *image)
{
    const struct book book = {spheres, reaches, count, view, image};
    krn_cpu_team_share(team, krn_cpu_book_pieces(view), book_rows, &book);
}

struct rotation {
    const struct krn_sphere *spheres;
    struct krn_sphere *rotated;
    struct krn_packed *packed;
    struct krn_material *material;
    int count;
    struct krn_pose pose;
};

static void rotate_spheres(const void *context, int index, int thread)
{
    (void)thread;
    const struct rotation *rotation = context;
    const int first = index * ROTATE_SPHERES, left = rotation->count - first;
    const int end = first + (left < ROTATE_SPHERES ? left : ROTATE_SPHERES);
    for (int s = first; s < end; s++) {
        rotation->rotated[s] = krn_rotate(rotation->spheres[s], rotation->pose);
        rotation->packed[s] = krn_pack(rotation->rotated[s]);
        rotation->material[s] = krn_material_of(rotation->rotated[s]);
    }
}

static void rotate(struct krn_cpu_team *team, const struct krn_sphere *spheres,
                   struct krn_sphere *rotated, struct krn_packed *packed,
                   struct krn_material *material, int count, struct krn_pose pose)
{
    const struct rotation rotation = {spheres, rotated, packed, material, count, pose};
    krn_cpu_team_share(team, (count + ROTATE_SPHERES - 1) / ROTATE_SPHERES, rotate_spheres,
                       &rotation);
}

static void reach(const struct krn_sphere *spheres, float *reaches, int count)
{
    for (int s = 0; s < count; s++)
        reaches[s] = krn_reach(spheres[s].radius);
}

extern const struct krn_cpu_kernels KRN_LEVEL(krn_cpu_kernels);
const struct krn_cpu_kernels KRN_LEVEL(krn_cpu_kernels) = {
    .book = book,
    .reach = reach,
    .strip = KRN_LEVEL(krn_cpu_strip),
    .sort = KRN_LEVEL(krn_cpu_sort),
    .binned = KRN_LEVEL(krn_cpu_binned),
    .splat = KRN_LEVEL(krn_cpu_splat),
    .rotate = rotate,
};
