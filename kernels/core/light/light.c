#include "krn/light.h"

#include <math.h>
#include <stddef.h>

struct krn_light krn_light_default(void)
{
    const struct krn_light start = {{-24.0f, 9.0f, 2.7f}, 4, 1};
    return start;
}

bool krn_samples_valid(int samples)
{
    return samples == 1 || samples == 4 || samples == 16;
}

enum krn_code krn_light_check(const struct krn_light *light, struct krn_error *error)
{
    const struct {
        const char *name;
        float value, low, high;
    } fields[] = {
        {"yaw", light->camera.yaw, -KRN_YAW_MAX, KRN_YAW_MAX},
        {"pitch", light->camera.pitch, KRN_PITCH_MIN, KRN_PITCH_MAX},
        {"distance", light->camera.distance, KRN_DISTANCE_MIN, KRN_DISTANCE_MAX},
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        if (!(fields[f].value >= fields[f].low && fields[f].value <= fields[f].high))
            return KRN_FAIL(error, KRN_REFUSED, "The camera's %s is %g, but must lie in %g to %g.",
                            fields[f].name, (double)fields[f].value, (double)fields[f].low,
                            (double)fields[f].high);
    if (light->bounces < 0 || light->bounces > KRN_BOUNCES_MAX)
        return KRN_FAIL(error, KRN_REFUSED, "A ray may bounce 0 to %d times, not %d.",
                        KRN_BOUNCES_MAX, light->bounces);
    if (!krn_samples_valid(light->samples))
        return KRN_FAIL(error, KRN_REFUSED, "A pixel has 1, 4 or 16 samples, not %d.",
                        light->samples);
    return KRN_OK;
}

struct krn_bounds krn_bounds_of(const struct krn_scene *scene)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < scene->count; i++) {
        const double y = (double)scene->spheres[i].y, r = (double)scene->spheres[i].radius;
        low = fmin(low, y - r);
        high = fmax(high, y + r);
    }
    const double centre = 0.5 * (low + high);
    double extent = 0.0;
    for (int i = 0; i < scene->count; i++) {
        const struct krn_sphere *s = &scene->spheres[i];
        const double x = (double)s->x, y = (double)s->y - centre, z = (double)s->z;
        extent = fmax(extent, sqrt(x * x + y * y + z * z) + (double)s->radius);
    }
    return (struct krn_bounds){(float)low, (float)centre, (float)extent};
}

unsigned long long krn_rays_sum(const struct krn_rays *rays)
{
    unsigned long long sum = 0;
    for (int b = 0; b <= KRN_BOUNCES_MAX; b++)
        sum += rays->traced[b] + rays->shadow[b];
    return sum;
}
