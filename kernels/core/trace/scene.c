/* Random scenes from PCG32, the book's among them, and the pose. */
#include "krn/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PCG32, XSH RR variant: M. E. O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically
 * Good Algorithms for Random Number Generation, HMC-CS-2014-0905. */
struct pcg32 {
    uint64_t state, increment;
};

static uint32_t pcg32_next(struct pcg32 *generator)
{
    const uint64_t old = generator->state;
    generator->state = old * 6364136223846793005u + generator->increment;
    const uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
    const uint32_t rotation = (uint32_t)(old >> 59);
    return (shifted >> rotation) | (shifted << ((32u - rotation) & 31u));
}

/* The streams of a seed: one for the spheres, one for their mirrors. */
enum { SPHERES_STREAM = 54, MIRRORS_STREAM = 55 };

static struct pcg32 pcg32_seeded(uint64_t seed, uint64_t stream)
{
    struct pcg32 generator = {0u, (stream << 1) | 1u};
    pcg32_next(&generator);
    generator.state += seed;
    pcg32_next(&generator);
    return generator;
}

/* Returns a uniform number in [0, top). Its factor has 24 random bits, so that the factor is always
 * exact and never 1. */
static float uniform(struct pcg32 *generator, float top)
{
    return (float)(pcg32_next(generator) >> 8) * 0x1p-24f * top;
}

struct krn_scene_recipe krn_scene_book(void)
{
    const struct krn_scene_recipe book = {KRN_BOOK_SPHERES, KRN_BOOK_SEED, KRN_BOOK_RADIUS_MIN,
                                          KRN_BOOK_RADIUS_MAX};
    return book;
}

enum krn_code krn_scene_alloc(struct krn_scene *scene, int count, struct krn_error *error)
{
    if (count < KRN_SPHERES_MIN || count > KRN_SPHERES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "A scene holds %d to %d spheres, not %d.",
                        KRN_SPHERES_MIN, KRN_SPHERES_MAX, count);
    struct krn_sphere *spheres = calloc((size_t)count, sizeof *spheres);
    float *mirrors = calloc((size_t)count, sizeof *mirrors);
    if (!spheres || !mirrors) {
        free(spheres);
        free(mirrors);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a scene of %d spheres.", count);
    }
    scene->spheres = spheres;
    scene->mirrors = mirrors;
    scene->count = count;
    return KRN_OK;
}

enum krn_code krn_scene_generate(struct krn_scene *scene, const struct krn_scene_recipe *recipe,
                                 struct krn_error *error)
{
    /* Written so that NaN fails. */
    if (!(recipe->radius_min >= KRN_RADIUS_MIN && recipe->radius_max <= KRN_RADIUS_MAX &&
          recipe->radius_min <= recipe->radius_max))
        return KRN_FAIL(error, KRN_REFUSED, "Radii must lie in %g to %g, the smaller one first.",
                        (double)KRN_RADIUS_MIN, (double)KRN_RADIUS_MAX);
    const enum krn_code code = krn_scene_alloc(scene, recipe->count, error);
    if (code != KRN_OK)
        return code;

    struct pcg32 generator = pcg32_seeded(recipe->seed, SPHERES_STREAM);
    struct pcg32 mirrors = pcg32_seeded(recipe->seed, MIRRORS_STREAM);
    const float span = recipe->radius_max - recipe->radius_min;
    for (int i = 0; i < recipe->count; i++) {
        struct krn_sphere *sphere = &scene->spheres[i];
        sphere->r = uniform(&generator, 1.0f);
        sphere->g = uniform(&generator, 1.0f);
        sphere->b = uniform(&generator, 1.0f);
        sphere->x = uniform(&generator, 1000.0f) - 500.0f;
        sphere->y = uniform(&generator, 1000.0f) - 500.0f;
        sphere->z = uniform(&generator, 1000.0f) - 500.0f;
        sphere->radius = uniform(&generator, span) + recipe->radius_min;
        const float chance = uniform(&mirrors, 3.0f), share = uniform(&mirrors, 0.5f) + 0.35f;
        scene->mirrors[i] = chance < 1.0f ? share : 0.0f;
    }
    return KRN_OK;
}

enum krn_code krn_scene_copy(struct krn_scene *copy, const struct krn_scene *scene,
                             struct krn_error *error)
{
    const enum krn_code code = krn_scene_alloc(copy, scene->count, error);
    if (code != KRN_OK)
        return code;
    memcpy(copy->spheres, scene->spheres, (size_t)scene->count * sizeof *scene->spheres);
    if (scene->mirrors)
        memcpy(copy->mirrors, scene->mirrors, (size_t)scene->count * sizeof *scene->mirrors);
    return KRN_OK;
}

enum krn_code krn_scene_check(const struct krn_scene *scene, struct krn_error *error)
{
    if (!scene->spheres || scene->count < KRN_SPHERES_MIN || scene->count > KRN_SPHERES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "A scene holds %d to %d spheres, not %d.",
                        KRN_SPHERES_MIN, KRN_SPHERES_MAX, scene->count);
    for (int i = 0; i < scene->count; i++) {
        const struct krn_sphere *s = &scene->spheres[i];
        const struct {
            const char *name;
            float value, low, high;
        } fields[] = {
            {"r", s->r, 0.0f, 1.0f},
            {"g", s->g, 0.0f, 1.0f},
            {"b", s->b, 0.0f, 1.0f},
            {"radius", s->radius, KRN_RADIUS_MIN, KRN_RADIUS_MAX},
            {"x", s->x, -KRN_COORDINATE_MAX, KRN_COORDINATE_MAX},
            {"y", s->y, -KRN_COORDINATE_MAX, KRN_COORDINATE_MAX},
            {"z", s->z, -KRN_COORDINATE_MAX, KRN_COORDINATE_MAX},
            {"mirror", scene->mirrors ? scene->mirrors[i] : 0.0f, 0.0f, 1.0f},
        };
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
            if (!(fields[f].value >= fields[f].low && fields[f].value <= fields[f].high))
                return KRN_FAIL(error, KRN_REFUSED,
                                "Sphere %d: %s is %g, but must lie in %g to %g.", i, fields[f].name,
                                (double)fields[f].value, (double)fields[f].low,
                                (double)fields[f].high);
    }
    return KRN_OK;
}

void krn_scene_free(struct krn_scene *scene)
{
    free(scene->spheres);
    free(scene->mirrors);
    scene->spheres = NULL;
    scene->mirrors = NULL;
    scene->count = 0;
}

struct krn_pose krn_pose_at(double time_s)
{
    const double turns = time_s / KRN_TURN_SECONDS;
    /* Drops whole turns first, so that an hour of motion loses no precision. */
    const double angle = (turns - floor(turns)) * 6.283185307179586476925;
    const struct krn_pose pose = {(float)cos(angle), (float)sin(angle)};
    return pose;
}
