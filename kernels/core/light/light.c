/* What all rays of a picture share, and the table that encodes linear light. */
#include "krn/light.h"
#include "core/light/frame.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct krn_light krn_light_default(void)
{
    const struct krn_light start = {{-24.0f, 9.0f, 2.7f}, 4, 1};
    return start;
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
    if (light->samples != 1 && light->samples != 4 && light->samples != 16)
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

static const double degree = 3.14159265358979323846 / 180.0;

static struct krn_vec vec(double x, double y, double z)
{
    return (struct krn_vec){(float)x, (float)y, (float)z};
}

void krn_light_frame_make(struct krn_light_frame *frame, const struct krn_light *light,
                          struct krn_bounds bounds, int width, int height)
{
    memset(frame, 0, sizeof *frame);
    frame->width = width;
    frame->height = height;
    frame->bounces = light->bounces;
    frame->samples = light->samples;

    const double yaw = (double)light->camera.yaw * degree, cy = cos(yaw), sy = sin(yaw);
    const double pitch = (double)light->camera.pitch * degree, cp = cos(pitch), sp = sin(pitch);
    const double extent = (double)bounds.extent;
    const double away = (double)light->camera.distance * extent;
    frame->eye = vec(away * cp * sy, (double)bounds.centre + away * sp, away * cp * cy);
    frame->forward = vec(-cp * sy, -sp, -cp * cy);
    const double pixel = 2.0 * tan(0.5 * KRN_FIELD_DEGREES * degree) / height;
    frame->right = vec(pixel * cy, 0.0, -pixel * sy);
    frame->up = vec(-pixel * sp * sy, pixel * cp, -pixel * sp * cy);

    /* The sun stands to the left behind the camera's start. */
    const double azimuth = -52.0 * degree, altitude = 44.0 * degree;
    const double ca = cos(azimuth), sa = sin(azimuth), ch = cos(altitude), sh = sin(altitude);
    frame->sun = vec(ch * sa, sh, ch * ca);
    frame->east = vec(ca, 0.0, -sa);
    frame->axis = vec(-sh * sa, ch, -sh * ca);

    frame->ground = bounds.ground;
    frame->farthest = 18.0f * bounds.extent;
    frame->haze = 1.0f / frame->farthest;
    /* Rounding errors grow with the coordinates, and a scene may lie far above the origin. */
    frame->slack = bounds.extent * 0x1p-14f + fabsf(bounds.centre) * 0x1p-21f;
    frame->nearest = 2.0f * frame->slack;
    frame->checks = (float)(10.0 / extent);
    frame->blur = (float)(pixel * 10.0 / extent);
}

/* Returns the fifth root of x, 0 < x <= 1, by Newton's method. */
static double fifth_root(double x)
{
    double root = 1.0;
    for (int i = 0; i < 100; i++) {
        const double fourth = root * root * root * root;
        root -= (root * fourth - x) / (5.0 * fourth);
    }
    return root;
}

/* Returns the linear value of an encoded one, 0..1 (IEC 61966-2-1). */
static double decoded(double encoded)
{
    if (encoded <= 0.04045)
        return encoded / 12.92;
    const double base = (encoded + 0.055) / 1.055;
    const double root = fifth_root(base);
    return base * base * root * root; /* base^2.4 */
}

void krn_srgb_make(struct krn_srgb *table)
{
    int byte = 0;
    for (int step = 0; step < KRN_SRGB_STEPS; step++) {
        const double root = step / (double)(KRN_SRGB_STEPS - 1), linear = root * root;
        while (byte < 255 && linear > decoded((byte + 0.5) / 255.0))
            byte++;
        table->bytes[step] = (uint8_t)byte;
    }
}
