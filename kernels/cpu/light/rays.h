/* kernels/cpu/light/rays.h - the rays of a tile, and the two ways to find what they hit. */
#pragma once

#include "core/trace/pixel.h"
#include "cpu/light/kernels.h"
#include "cpu/trace/kernels.h"

#include <stdalign.h>

enum { KRN_CPU_LIGHT_RAYS = KRN_CPU_LIGHT_TILE * KRN_CPU_LIGHT_TILE, KRN_CPU_LIGHT_ALIGN = 64 };

/* Rays and their nearest hits so far. The arrays are filled up to whole packets of KRN_CPU_LANES
 * with copies of the last ray. */
struct krn_cpu_rays {
    alignas(KRN_CPU_LIGHT_ALIGN) float ox[KRN_CPU_LIGHT_RAYS];
    float oy[KRN_CPU_LIGHT_RAYS], oz[KRN_CPU_LIGHT_RAYS];
    float dx[KRN_CPU_LIGHT_RAYS], dy[KRN_CPU_LIGHT_RAYS], dz[KRN_CPU_LIGHT_RAYS];
    float distance[KRN_CPU_LIGHT_RAYS];
    int sphere[KRN_CPU_LIGHT_RAYS];
    int count;
    bool coherent; /* the rays start at one point, and neighbours have similar directions */
};

/* Origins of shadow rays in sun space, padded to whole packets likewise. */
struct krn_cpu_shadows {
    alignas(KRN_CPU_LIGHT_ALIGN) float x[KRN_CPU_LIGHT_RAYS];
    float y[KRN_CPU_LIGHT_RAYS], z[KRN_CPU_LIGHT_RAYS];
    int hidden[KRN_CPU_LIGHT_RAYS];
    int count;
};

static inline float krn_cpu_lesser(float a, float b)
{
    return a < b ? a : b;
}

static inline float krn_cpu_greater(float a, float b)
{
    return a > b ? a : b;
}

/* Return the least and the greatest of `count` values, a power of two, and overwrite them. Halves
 * are compared with each other, since not every compiler vectorises a reduction to these. */
static inline float krn_cpu_least(float *values, int count)
{
    for (int half = count / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            values[k] = krn_cpu_lesser(values[k], values[k + half]);
    return values[0];
}

static inline float krn_cpu_most(float *values, int count)
{
    for (int half = count / 2; half > 0; half /= 2)
        for (int k = 0; k < half; k++)
            values[k] = krn_cpu_greater(values[k], values[k + half]);
    return values[0];
}

static inline struct krn_ray krn_cpu_ray_at(const struct krn_cpu_rays *rays, int k)
{
    const struct krn_ray ray = {{rays->ox[k], rays->oy[k], rays->oz[k]},
                                {rays->dx[k], rays->dy[k], rays->dz[k]}};
    return ray;
}

/* Tests one ball with one ray of a packet. */
static inline void krn_cpu_test_ray(struct krn_cpu_rays *rays, int k, struct krn_ball ball,
                                    int sphere, float nearest)
{
    struct krn_hit hit = {rays->distance[k], rays->sphere[k]};
    krn_nearest(krn_cpu_ray_at(rays, k), ball, sphere, nearest, &hit);
    rays->distance[k] = hit.distance;
    rays->sphere[k] = hit.sphere;
}

/* Without a fused multiply-add in hardware, krn_fma is slow and does not vectorise. For such a
 * target, a test in plain arithmetic comes first. It enlarges the ball by frame.slack, which is far
 * more than its rounding errors, and rejects nearly all balls that a ray misses. */
static inline float krn_cpu_enlarged(float radius_squared, float slack)
{
    const float radius = sqrtf(radius_squared > 0.0f ? radius_squared : 0.0f) + slack;
    return radius_squared > 0.0f ? radius * radius : -1.0f;
}

static inline bool krn_cpu_passes(struct krn_ray ray, float x, float y, float z, float enlarged)
{
    const float tx = x - ray.origin.x, ty = y - ray.origin.y, tz = z - ray.origin.z;
    const float along = tx * ray.direction.x + ty * ray.direction.y + tz * ray.direction.z;
    const float ux = tx - along * ray.direction.x, uy = ty - along * ray.direction.y,
                uz = tz - along * ray.direction.z;
    return ux * ux + uy * uy + uz * uz > enlarged;
}

/* Returns true when at least one ray of the packet at `at` may hit one of `balls` balls. */
static inline bool krn_cpu_packet_hits(const struct krn_cpu_rays *rays, int at,
                                       const struct krn_ball *balls, int count, float slack)
{
    int any = 0;
#ifdef __FP_FAST_FMAF
    (void)slack;
#pragma omp simd reduction(| : any)
    for (int k = at; k < at + KRN_CPU_LANES; k++) {
        KRN_UNROLL
        for (int s = 0; s < count; s++) {
            float along;
            any |= krn_chord(krn_cpu_ray_at(rays, k), balls[s], &along) > 0.0f;
        }
    }
#else
    for (int s = 0; s < count; s++) {
        const float enlarged = krn_cpu_enlarged(balls[s].radius_squared, slack);
#pragma omp simd reduction(| : any)
        for (int k = at; k < at + KRN_CPU_LANES; k++)
            any |= !krn_cpu_passes(krn_cpu_ray_at(rays, k), balls[s].x, balls[s].y, balls[s].z,
                                   enlarged);
    }
#endif
    return any != 0;
}

/* Tests one ball with all rays of a packet, as krn_nearest does. */
static inline void krn_cpu_test_packet(struct krn_cpu_rays *rays, int at, struct krn_ball ball,
                                       int sphere, float nearest, float slack)
{
#ifdef __FP_FAST_FMAF
    (void)slack;
    float *restrict best = rays->distance;
    int *restrict winner = rays->sphere;
#pragma omp simd
    for (int k = at; k < at + KRN_CPU_LANES; k++) {
        float along;
        const float square = krn_chord(krn_cpu_ray_at(rays, k), ball, &along);
        const float distance = along - sqrtf(square > 0.0f ? square : 0.0f);
        const int valid = (square > 0.0f) & (distance > nearest);
        const int closer = (distance < best[k]) | ((distance == best[k]) & (sphere < winner[k]));
        best[k] = valid & closer ? distance : best[k];
        winner[k] = valid & closer ? sphere : winner[k];
    }
#else
    const float enlarged = krn_cpu_enlarged(ball.radius_squared, slack);
    for (int k = at; k < at + KRN_CPU_LANES; k++)
        if (!krn_cpu_passes(krn_cpu_ray_at(rays, k), ball.x, ball.y, ball.z, enlarged))
            krn_cpu_test_ray(rays, k, ball, sphere, nearest);
#endif
}

/* Marks the points of a packet that `count` balls hide from the sun. */
static inline void krn_cpu_hide_packet(struct krn_cpu_shadows *shadows, int at,
                                       const struct krn_ball *balls, int count)
{
#ifdef __FP_FAST_FMAF
#pragma omp simd
    for (int k = at; k < at + KRN_CPU_LANES; k++) {
        const struct krn_vec point = {shadows->x[k], shadows->y[k], shadows->z[k]};
        int hidden = shadows->hidden[k];
        KRN_UNROLL
        for (int s = 0; s < count; s++)
            hidden |= (krn_hit(balls[s].x - point.x, balls[s].y - point.y,
                               balls[s].radius_squared) > 0.0f) &
                      (balls[s].z > point.z);
        shadows->hidden[k] = hidden;
    }
#else
    for (int s = 0; s < count; s++) {
        const float square = balls[s].radius_squared;
        const float reach = square > 0.0f ? square * (1.0f + 0x1p-20f) : -1.0f;
        int any = 0;
#pragma omp simd reduction(| : any)
        for (int k = at; k < at + KRN_CPU_LANES; k++) {
            const int misses =
                krn_misses(balls[s].x - shadows->x[k], balls[s].y - shadows->y[k], reach);
            any |= (misses == 0) & (balls[s].z > shadows->z[k]) & (shadows->hidden[k] == 0);
        }
        for (int k = at; any && k < at + KRN_CPU_LANES; k++) {
            const struct krn_vec point = {shadows->x[k], shadows->y[k], shadows->z[k]};
            shadows->hidden[k] = shadows->hidden[k] || krn_hides(point, balls[s]);
        }
    }
#endif
}

static inline bool krn_cpu_all_hidden(const struct krn_cpu_shadows *shadows, int at)
{
    int seen = 0;
#pragma omp simd reduction(| : seen)
    for (int k = at; k < at + KRN_CPU_LANES; k++)
        seen |= shadows->hidden[k] == 0;
    return seen == 0;
}

/* Find the nearest hits of all rays; mark the points that lie in shadow. Cancelled, they return
 * early. */
void KRN_LEVEL(krn_cpu_brute_nearest)(const struct krn_cpu_light_picture *picture,
                                      struct krn_cpu_rays *rays);
void KRN_LEVEL(krn_cpu_brute_shadows)(const struct krn_cpu_light_picture *picture,
                                      struct krn_cpu_shadows *shadows);
void KRN_LEVEL(krn_cpu_tree_nearest)(const struct krn_cpu_light_picture *picture,
                                     struct krn_cpu_rays *rays);
void KRN_LEVEL(krn_cpu_tree_shadows)(const struct krn_cpu_light_picture *picture,
                                     struct krn_cpu_shadows *shadows);

void KRN_LEVEL(krn_cpu_tree_build)(struct krn_cpu_team *team,
                                   const struct krn_cpu_light_scene *scene,
                                   const struct krn_light_frame *frame, struct krn_bounds bounds,
                                   const struct krn_cpu_tree *tree);
