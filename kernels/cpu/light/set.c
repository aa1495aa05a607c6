/* The light view's kernels of one instruction-set level: pictures in tiles, and the set of all
 * kernels. All paths of a tile advance by one bounce at a time, so that the rays of a bounce fill
 * packets. */
#include "cpu/light/rays.h"

enum { SIDE = KRN_CPU_LIGHT_TILE, RAYS = KRN_CPU_LIGHT_RAYS, BLOCK = 4, ARRANGE_SPHERES = 1 << 10 };
_Static_assert((int)BLOCK *(int)BLOCK == (int)KRN_CPU_LANES, "a packet is a square of pixels");

struct tracer {
    void (*nearest)(const struct krn_cpu_light_picture *, struct krn_cpu_rays *);
    void (*shadows)(const struct krn_cpu_light_picture *, struct krn_cpu_shadows *);
    const struct krn_cpu_light_picture *picture;
};

/* The paths of one sample of a tile's pixels, and the pixels that they belong to. */
struct tile {
    struct krn_path paths[RAYS];
    struct krn_vec lit[RAYS]; /* what the sun adds, by path */
    int active[RAYS];         /* the paths that go on */
    int in_light[RAYS];       /* the paths of the shadow rays */
    struct krn_rays counts;
    uint32_t pixel_rays[RAYS];
    struct krn_cpu_rays rays;
    struct krn_cpu_shadows shadows;
};

static int round_up(int count)
{
    return (count + KRN_CPU_LANES - 1) / KRN_CPU_LANES * KRN_CPU_LANES;
}

static void set_rays(struct tile *tile, int count, bool coherent)
{
    struct krn_cpu_rays *rays = &tile->rays;
    rays->count = count;
    rays->coherent = coherent;
    for (int k = 0; k < round_up(count); k++) {
        const struct krn_ray ray = tile->paths[tile->active[k < count ? k : count - 1]].ray;
        rays->ox[k] = ray.origin.x;
        rays->oy[k] = ray.origin.y;
        rays->oz[k] = ray.origin.z;
        rays->dx[k] = ray.direction.x;
        rays->dy[k] = ray.direction.y;
        rays->dz[k] = ray.direction.z;
        rays->distance[k] = INFINITY;
        rays->sphere[k] = -1;
    }
}

/* Shades every hit; returns the number of paths that go on, in tile->active. */
static int shade(const struct krn_cpu_light_picture *picture, struct tile *tile, int count,
                 int bounce)
{
    const struct krn_light_frame *frame = &picture->frame;
    const struct krn_cpu_light_scene *scene = &picture->scene;
    struct krn_cpu_shadows *shadows = &tile->shadows;
    const bool last = bounce == frame->bounces;
    int lights = 0, left = 0;
    for (int k = 0; k < count; k++) {
        const int p = tile->active[k], s = tile->rays.sphere[k];
        const struct krn_bounce next =
            s < 0 ? krn_shade_miss(frame, &tile->paths[p])
                  : krn_shade_sphere(frame, &tile->paths[p], tile->rays.distance[k],
                                     scene->balls[s], scene->surfaces[s], last);
        if (next.faces_sun) {
            const struct krn_vec point = krn_sun_space(frame, next.point);
            shadows->x[lights] = point.x;
            shadows->y[lights] = point.y;
            shadows->z[lights] = point.z;
            shadows->hidden[lights] = 0;
            tile->lit[p] = next.lit;
            tile->in_light[lights++] = p;
        }
        if (next.reflects)
            tile->active[left++] = p;
    }
    shadows->count = lights;
    for (int k = lights; lights > 0 && k < round_up(lights); k++) {
        shadows->x[k] = shadows->x[lights - 1];
        shadows->y[k] = shadows->y[lights - 1];
        shadows->z[k] = shadows->z[lights - 1];
        shadows->hidden[k] = 0;
    }
    return left;
}

/* Adds one ray to each of these paths' pixels. */
static void count_rays(uint32_t *pixel_rays, const int *paths, int count)
{
    for (int k = 0; k < count; k++)
        pixel_rays[paths[k]]++;
}

/* Follows the active paths to their ends. */
static void follow(const struct tracer *tracer, struct tile *tile, int count)
{
    for (int bounce = 0; count > 0 && !krn_cancelled(); bounce++) {
        set_rays(tile, count, bounce == 0);
        tracer->nearest(tracer->picture, &tile->rays);
        tile->counts.traced[bounce] += (unsigned)count;
        if (tracer->picture->pixel_rays)
            count_rays(tile->pixel_rays, tile->active, count);
        count = shade(tracer->picture, tile, count, bounce);
        tile->counts.shadow[bounce] += (unsigned)tile->shadows.count;
        if (tracer->picture->pixel_rays)
            count_rays(tile->pixel_rays, tile->in_light, tile->shadows.count);
        if (tile->shadows.count == 0)
            continue;
        tracer->shadows(tracer->picture, &tile->shadows);
        for (int k = 0; k < tile->shadows.count; k++) {
            const int p = tile->in_light[k];
            if (!tile->shadows.hidden[k])
                tile->paths[p].gathered = krn_along(tile->paths[p].gathered, 1.0f, tile->lit[p]);
        }
    }
}

static void add_counts(struct krn_cpu_ray_counts *counts, const struct krn_rays *rays)
{
    for (int b = 0; b <= KRN_BOUNCES_MAX; b++) {
        atomic_fetch_add(&counts->traced[b], rays->traced[b]);
        atomic_fetch_add(&counts->shadow[b], rays->shadow[b]);
    }
}

static void trace_tile(const void *context, int index, int thread)
{
    (void)thread;
    const struct tracer *tracer = context;
    const struct krn_cpu_light_picture *picture = tracer->picture;
    const struct krn_light_frame *frame = &picture->frame;
    const int columns = (frame->width + SIDE - 1) / SIDE;
    const int left = index % columns * SIDE, low = index / columns * SIDE;
    struct tile tile;
    struct krn_vec sums[RAYS];
    int x[RAYS], y[RAYS], pixels = 0;
    for (int i = 0; i < RAYS; i++) { /* square by square, so that a packet is a square */
        const int block = i / KRN_CPU_LANES, within = i % KRN_CPU_LANES;
        const int column = left + block % (SIDE / BLOCK) * BLOCK + within % BLOCK;
        const int row = low + block / (SIDE / BLOCK) * BLOCK + within / BLOCK;
        if (column >= frame->width || row >= frame->height)
            continue;
        x[pixels] = column;
        y[pixels] = row;
        sums[pixels++] = krn_vec_of(0.0f, 0.0f, 0.0f);
    }
    memset(&tile.counts, 0, sizeof tile.counts);
    memset(tile.pixel_rays, 0, sizeof tile.pixel_rays);
    for (int sample = 0; sample < frame->samples; sample++) {
        for (int p = 0; p < pixels; p++) {
            const struct krn_path path = {
                krn_primary(frame, x[p], y[p], sample), {0.0f, 0.0f, 0.0f}, {1.0f, 1.0f, 1.0f}};
            tile.paths[p] = path;
            tile.active[p] = p;
        }
        follow(tracer, &tile, pixels);
        if (krn_cancelled())
            return;
        for (int p = 0; p < pixels; p++)
            sums[p] = krn_along(sums[p], 1.0f, tile.paths[p].gathered);
    }
    for (int p = 0; picture->image && p < pixels; p++) {
        unsigned char *row =
            (unsigned char *)picture->image->pixels + (size_t)y[p] * picture->image->pitch_bytes;
        ((uint32_t *)(void *)row)[x[p]] = krn_light_rgba(frame, &picture->srgb, sums[p]);
    }
    for (int p = 0; picture->pixel_rays && p < pixels; p++)
        picture->pixel_rays[(size_t)y[p] * (size_t)frame->width + (size_t)x[p]] =
            tile.pixel_rays[p];
    if (picture->counts)
        add_counts(picture->counts, &tile.counts);
}

static void share(struct krn_cpu_team *team, const struct tracer *tracer)
{
    const struct krn_light_frame *frame = &tracer->picture->frame;
    krn_cpu_team_share(team, krn_cpu_light_tiles(frame->width, frame->height), trace_tile, tracer);
}

static void brute(struct krn_cpu_team *team, const struct krn_cpu_light_picture *picture)
{
    share(team, &(struct tracer){KRN_LEVEL(krn_cpu_brute_nearest), KRN_LEVEL(krn_cpu_brute_shadows),
                                 picture});
}

static void tree(struct krn_cpu_team *team, const struct krn_cpu_light_picture *picture)
{
    share(team, &(struct tracer){KRN_LEVEL(krn_cpu_tree_nearest), KRN_LEVEL(krn_cpu_tree_shadows),
                                 picture});
}

struct arrangement {
    const struct krn_light_frame *frame;
    const struct krn_sphere *spheres;
    const float *mirrors;
    int count;
    struct krn_ball *balls, *sun_balls;
    struct krn_surface *surfaces;
};

static void arrange_spheres(const void *context, int index, int thread)
{
    (void)thread;
    const struct arrangement *to = context;
    const int first = index * ARRANGE_SPHERES, left = to->count - first;
    const int end = first + (left < ARRANGE_SPHERES ? left : ARRANGE_SPHERES);
    for (int s = first; s < end; s++) {
        const struct krn_sphere sphere = to->spheres[s];
        const struct krn_surface surface = {sphere.r, sphere.g, sphere.b, sphere.radius,
                                            to->mirrors[s]};
        to->balls[s] = krn_ball_of(sphere);
        to->sun_balls[s] = krn_sun_ball_of(to->frame, sphere);
        to->surfaces[s] = surface;
    }
}

static void arrange(struct krn_cpu_team *team, const struct krn_light_frame *frame,
                    const struct krn_sphere *spheres, const float *mirrors, int count,
                    struct krn_ball *balls, struct krn_ball *sun_balls,
                    struct krn_surface *surfaces)
{
    const struct arrangement to = {frame, spheres, mirrors, count, balls, sun_balls, surfaces};
    const struct krn_ball none = {0.0f, 0.0f, 0.0f, -1.0f};
    for (int s = count; s < count + KRN_CPU_LIGHT_GROUP; s++)
        balls[s] = sun_balls[s] = none;
    krn_cpu_team_share(team, (count + ARRANGE_SPHERES - 1) / ARRANGE_SPHERES, arrange_spheres, &to);
}

extern const struct krn_cpu_light_kernels KRN_LEVEL(krn_cpu_light_kernels);
const struct krn_cpu_light_kernels KRN_LEVEL(krn_cpu_light_kernels) = {
    .arrange = arrange,
    .brute = brute,
    .build = KRN_LEVEL(krn_cpu_tree_build),
    .tree = tree,
    .tree_nearest = KRN_LEVEL(krn_cpu_tree_nearest),
    .tree_shadows = KRN_LEVEL(krn_cpu_tree_shadows),
};
