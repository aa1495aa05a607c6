#include "krn/reference.h"
#include "core/light/colours.h"
#include "core/light/reference_tree.h"
#include "krn/error.h"

#include <stdlib.h>

/* A ray in float deviates from the same ray in double, and every reflection makes the deviation
 * larger. This renderer follows each ray as a beam: the ray in double, with bounds of the errors
 * in float of its origin and its direction. A colour has a bound of its error too; where rays of
 * the beam could hit different things, the bound holds for whatever they see. */

/* Pixels between two checks of krn_cancelled(). */
enum { PIXELS_PER_CHECK = 64 };

/* No ray gathers more light than that of the sun's disc and of a surface before it. */
static const double light_most = 20.0;
/* Bounds, in units of KRN_ROUNDING, of the errors of a new direction and of a normal. */
static const double direction_roundings = 4.0, normal_roundings = 3.0;
/* Share of a sum of colours that float may lose. */
static const double colour_rounding = 1e-5;
/* Greatest error of the kernels' table of sRGB, which has 1024 steps, in bytes. */
static const double table_error = 0.19;
/* Beams with a greater angle, in radians, are given up: the bounds are of first order. */
static const double angle_most = 0.2;

/* Light, and a bound of its error in float. */
struct glow {
    struct krn_dvec light, error;
};

struct painter {
    const struct krn_scene *scene;
    struct krn_light_frame frame;
    struct krn_ref_tree tree;
    struct krn_dvec sun;
};

/* A path from the eye. */
struct path {
    struct krn_ref_beam beam;
    const struct krn_ref_sphere *self; /* the sphere that the beam starts on; NULL: the eye */
    struct krn_dvec weight;            /* share of further light that counts */
    struct glow gathered;
    bool lost; /* the error covers all further light; the light is computed on all the same */
};

static struct krn_dvec scaled(struct krn_dvec a, double factor)
{
    return (struct krn_dvec){a.x * factor, a.y * factor, a.z * factor};
}

static struct krn_dvec times(struct krn_dvec a, struct krn_dvec b)
{
    return (struct krn_dvec){a.x * b.x, a.y * b.y, a.z * b.z};
}

static struct krn_dvec mix(struct krn_dvec a, struct krn_dvec b, double t)
{
    return krn_dalong(scaled(a, 1.0 - t), t, b);
}

static struct krn_dvec grey(double value)
{
    return (struct krn_dvec){value, value, value};
}

/* Returns the absolute difference of the components. */
static struct krn_dvec apart(struct krn_dvec a, struct krn_dvec b)
{
    return (struct krn_dvec){fabs(a.x - b.x), fabs(a.y - b.y), fabs(a.z - b.z)};
}

/* Returns how much more a power of x, 0..1, can be when x is off by `error`. */
static double power_error(double x, int exponent, double error)
{
    return pow(fmax(x, 0.0) + error, exponent) - pow(fmax(x, 0.0), exponent);
}

/* Returns the error of the cosine between two directions that is `cosine`, when the angle is off by
 * `error`. */
static double cosine_error(double cosine, double error)
{
    return error * (sqrt(fmax(1.0 - cosine * cosine, 0.0)) + error);
}

static void gather(struct path *path, struct glow glow)
{
    path->gathered.light = krn_dalong(path->gathered.light, 1.0, times(path->weight, glow.light));
    path->gathered.error = krn_dalong(path->gathered.error, 1.0, times(path->weight, glow.error));
}

/* Gives a path up: from here on, float may see anything. */
static void lose(struct path *path)
{
    if (!path->lost)
        path->gathered.error = krn_dalong(path->gathered.error, light_most, path->weight);
    path->lost = true;
}

/* Returns the light of the sky in a direction that is off by `error`, and whose length is off by
 * `stretch`. */
static struct glow sky(const struct painter *painter, struct krn_dvec direction, double error,
                       double stretch)
{
    static const struct krn_vec horizon_colour = KRN_SKY_HORIZON, zenith_colour = KRN_SKY_ZENITH;
    static const struct krn_vec glow_colour = KRN_SKY_GLOW, disc_colour = KRN_SUN_DISC;
    const struct krn_dvec horizon = krn_dvec_of(horizon_colour);
    const struct krn_dvec zenith = krn_dvec_of(zenith_colour);
    const struct krn_dvec halo = krn_dvec_of(glow_colour), disc = krn_dvec_of(disc_colour);
    error += direction_roundings * KRN_ROUNDING;
    const double low = 1.0 - fmax(direction.y, 0.0);
    const double to_sun = krn_ddot(direction, painter->sun);
    const double off = cosine_error(to_sun, error) + stretch + 3.0 * KRN_ROUNDING;
    const double bright = pow(fmax(to_sun, 0.0), 32);
    const double edge = (double)KRN_SUN_COSINE;

    struct glow glow;
    glow.light = krn_dalong(mix(zenith, horizon, low * low * low), bright, halo);
    glow.error = scaled(apart(horizon, zenith), power_error(low, 3, error + stretch));
    glow.error = krn_dalong(glow.error, power_error(to_sun, 32, off), halo);
    if (to_sun > edge)
        glow.light = krn_dalong(glow.light, 1.0, disc);
    if (fabs(to_sun - edge) <= off)
        glow.error = krn_dalong(glow.error, 1.0, disc);
    return glow;
}

/* Returns the light from the whole sky and the ground on a surface. */
static struct krn_dvec ambient(double normal_y)
{
    static const struct krn_vec below = KRN_LIGHT_BELOW, above = KRN_LIGHT_ABOVE;
    return mix(krn_dvec_of(below), krn_dvec_of(above), 0.5 + 0.5 * normal_y);
}

static struct krn_dvec sunlight(void)
{
    static const struct krn_vec light = KRN_SUNLIGHT;
    return krn_dvec_of(light);
}

/* Adds light of the sun that reaches a point, which is known to within `error`, unless a sphere is
 * in the way. */
static void gather_sun(const struct painter *painter, struct path *path, struct krn_dvec point,
                       double error, struct glow glow)
{
    bool sure;
    if (krn_ref_hidden(&painter->tree, &painter->frame, point, error, &sure)) {
        if (sure)
            return;
        glow.error = krn_dalong(glow.error, 1.0, glow.light);
        glow.light = grey(0.0);
    } else if (!sure) {
        glow.error = krn_dalong(glow.error, 1.0, glow.light);
    }
    gather(path, glow);
}

/* Returns the distance to the next line between checks, along one axis. */
static double to_line(double at)
{
    return fabs(at - nearbyint(at));
}

/* A hit of the plane. */
struct ground_hit {
    struct krn_dvec point;
    double distance;
    double nearest, farthest; /* distances that float may give */
    double slope;             /* cosine of the angle to the plane's normal */
    double across;            /* error of the point in the plane */
};

/* Returns the sum of the light that the plane sends towards the path from everywhere but the sun,
 * and sets *lit to its light of the sun, unless the point is in shadow. */
static struct glow ground(const struct painter *painter, const struct krn_ref_beam *beam,
                          const struct ground_hit *hit, struct glow *lit)
{
    static const struct krn_vec dark_colour = KRN_CHECK_DARK, bright_colour = KRN_CHECK_BRIGHT;
    const struct krn_dvec dark = krn_dvec_of(dark_colour), bright = krn_dvec_of(bright_colour);
    const struct krn_light_frame *frame = &painter->frame;
    const double checks = (double)frame->checks, haze_scale = (double)frame->haze;
    const double along = fmax(hit->farthest - hit->distance, hit->distance - hit->nearest);

    const double u = hit->point.x * checks, v = hit->point.z * checks;
    const double off = hit->across * checks + 3.0 * KRN_ROUNDING * (fabs(u) + fabs(v));
    const bool odd = fmod(fabs(floor(u) + floor(v)), 2.0) != 0.0;
    const double span = hit->distance * (double)frame->blur / hit->slope;
    const double span_error = span * (along / hit->distance + beam->angle / hit->slope +
                                      direction_roundings * KRN_ROUNDING);
    const double keep = 1.0 - pow(fmin(span, 1.0), 4);
    const double keep_most = 1.0 - pow(fmin(fmax(span - span_error, 0.0), 1.0), 4);
    const struct krn_dvec tones = apart(bright, dark);
    const bool decided = to_line(u) > off && to_line(v) > off;
    const double unsure = decided ? 0.5 * power_error(fmin(span, 1.0), 4, span_error) : keep_most;
    const struct krn_dvec checker = mix(mix(dark, bright, 0.5), odd ? dark : bright, keep);
    const struct krn_dvec checker_error = scaled(tones, unsure);

    const double far = hit->distance * haze_scale, haze = far * far;
    const double haze_error = power_error(far, 2, along * haze_scale + KRN_ROUNDING);
    const struct krn_dvec level = {beam->direction.x, 0.0, beam->direction.z};
    const struct glow air = sky(painter, level, beam->angle, 0.0);
    const struct krn_dvec near = times(checker, ambient(1.0));
    const struct krn_dvec near_error = times(checker_error, ambient(1.0));
    const struct glow glow = {mix(near, air.light, haze),
                              krn_dalong(mix(near_error, air.error, fmin(haze, 1.0)), haze_error,
                                         apart(near, air.light))};

    const struct krn_dvec sunny = scaled(sunlight(), (double)frame->sun.y);
    const double clear = 1.0 - haze;
    lit->light = scaled(times(checker, sunny), clear);
    lit->error =
        krn_dalong(scaled(times(checker_error, sunny), clear), haze_error, times(checker, sunny));
    return glow;
}

/* Returns where a path hits the plane, which may be nowhere: then its distances are HUGE_VAL. */
static struct ground_hit find_ground(const struct painter *painter, const struct krn_ref_beam *beam)
{
    const double level = (double)painter->frame.ground;
    const double height = beam->origin.y - level, slope = -beam->direction.y;
    const double height_error =
        beam->shift + 2.0 * KRN_ROUNDING * (fabs(beam->origin.y) + fabs(level));
    const double slope_error = beam->angle + 2.0 * KRN_ROUNDING;
    const double rounding = direction_roundings * KRN_ROUNDING;
    const double steepest = slope + slope_error, flattest = slope - slope_error;
    struct ground_hit hit = {
        .distance = HUGE_VAL, .nearest = HUGE_VAL, .farthest = HUGE_VAL, .slope = slope};
    if (steepest <= 0.0)
        return hit;
    /* A point below the plane is hit at a negative distance, and so not at all. */
    hit.nearest = fmax(height - height_error, 0.0) / steepest * (1.0 - rounding);
    if (height + height_error <= 0.0)
        hit.farthest = 0.0;
    else if (flattest > 0.0)
        hit.farthest = (height + height_error) / flattest * (1.0 + rounding);
    if (slope > 0.0)
        hit.distance = height / slope;
    return hit;
}

/* Ends a path that hits no sphere: on the plane or in the sky. */
static void shade_miss(const struct painter *painter, struct path *path)
{
    const struct krn_light_frame *frame = &painter->frame;
    const struct krn_ref_beam *beam = &path->beam;
    const double nearest = (double)frame->nearest, farthest = (double)frame->farthest;
    struct ground_hit hit = find_ground(painter, beam);
    const bool is_ground = hit.distance > nearest && hit.distance < farthest;
    const bool surely_ground = hit.nearest > nearest && hit.farthest < farthest;
    const bool surely_sky = hit.nearest > farthest || hit.farthest < nearest;
    if (!is_ground) {
        struct glow glow = sky(painter, beam->direction, beam->angle, 0.0);
        if (!surely_sky && hit.nearest > 0.8 * farthest) {
            /* Haze hides most of the plane, so that it looks much like the sky. */
            const struct krn_dvec level = {beam->direction.x, 0.0, beam->direction.z};
            const struct glow air = sky(painter, level, beam->angle, 0.0);
            const double clear = 1.0 - pow(hit.nearest / farthest, 2);
            glow.error = krn_dalong(
                krn_dalong(glow.error, 1.0, air.error), 1.0,
                krn_dalong(grey(2.0 * fmax(clear, 0.0)), 1.0, apart(glow.light, air.light)));
        } else if (!surely_sky) {
            lose(path);
        }
        gather(path, glow);
        return;
    }
    /* Errors of the beam become longer where it hits the plane at a small angle. */
    const double flattest = hit.slope - beam->angle - 2.0 * KRN_ROUNDING;
    hit.point = krn_dalong(beam->origin, hit.distance, beam->direction);
    hit.point.y = (double)frame->ground;
    if (flattest <= 0.25 * hit.slope) {
        lose(path);
    } else {
        const double reach = hit.distance * (beam->angle + 2.0 * KRN_ROUNDING) + beam->spread;
        hit.across = reach / flattest +
                     KRN_ROUNDING * (4.0 * hit.distance + fabs(hit.point.x) + fabs(hit.point.z) +
                                     2.0 * (fabs(beam->origin.y) + fabs(hit.point.y)) / flattest);
    }
    struct glow lit, glow = ground(painter, beam, &hit, &lit);
    if (!surely_ground && hit.nearest > 0.8 * farthest) {
        const struct glow air = sky(painter, beam->direction, beam->angle, 0.0);
        glow.error = krn_dalong(krn_dalong(glow.error, 1.0, air.error), 1.0,
                                krn_dalong(lit.light, 1.0, apart(glow.light, air.light)));
    } else if (!surely_ground) {
        lose(path);
    }
    gather(path, glow);
    gather_sun(painter, path, hit.point, hit.across, lit);
}

/* Returns what a direction sees when no sphere is in its way, without the checks. */
static struct glow surroundings(const struct painter *painter, struct krn_dvec direction,
                                double error, double stretch)
{
    static const struct krn_vec ground_colour = KRN_GROUND_GLOW;
    const struct krn_dvec below = krn_dvec_of(ground_colour);
    struct glow glow = sky(painter, direction, error, stretch);
    error += stretch;
    const double share = fmin(fmax(-8.0 * direction.y, 0.0), 1.0);
    const double most = fmin(fmax(8.0 * (error - direction.y), 0.0), 1.0);
    const double least = fmin(fmax(8.0 * (-error - direction.y), 0.0), 1.0);
    glow.error =
        krn_dalong(scaled(glow.error, 1.0 - least), most - least, apart(glow.light, below));
    glow.light = mix(glow.light, below, share);
    return glow;
}

/* Continues a path on a sphere; returns true when it is reflected. */
static bool shade_sphere(const struct painter *painter, struct path *path,
                         const struct krn_ref_hit *hit, bool last)
{
    const struct krn_ref_sphere *at = hit->sphere;
    const struct krn_sphere *sphere = &painter->scene->spheres[at->number];
    const double mirror =
        painter->scene->mirrors ? (double)painter->scene->mirrors[at->number] : 0.0;
    const struct krn_dvec from = path->beam.direction;
    const struct krn_dvec point = krn_dalong(path->beam.origin, hit->distance, from);
    const struct krn_dvec normal = scaled(krn_dalong(point, -1.0, at->centre), 1.0 / at->radius);
    const double facing = krn_ddot(normal, from);
    const struct krn_dvec mirrored = krn_dalong(from, -2.0 * facing, normal);

    const double rounding = KRN_ROUNDING * (krn_dlength(point) + hit->distance);
    const double slip = hypot(hit->across, hit->along) + rounding;
    const double depth = 6.0 * KRN_ROUNDING * (hit->distance + at->radius) + rounding + at->error;
    const double normal_error = slip / at->radius + normal_roundings * KRN_ROUNDING;
    const double angle = path->beam.angle + 2.0 * normal_error + direction_roundings * KRN_ROUNDING;
    /* A point off the surface gives a normal of another length, and that a reflected direction. */
    const double stretch = 4.0 * (depth / at->radius + normal_roundings * KRN_ROUNDING);

    const struct krn_dvec tint = {(double)sphere->r, (double)sphere->g, (double)sphere->b};
    const struct krn_dvec matt = scaled(times(tint, tint), 1.0 - mirror);
    const struct glow diffuse = {
        times(matt, ambient(normal.y)),
        times(matt, scaled(apart(ambient(1.0), ambient(-1.0)), 0.5 * normal_error))};
    gather(path, diffuse);

    const double facing_error = cosine_error(facing, normal_error + path->beam.angle) +
                                normal_error * fabs(facing) + 4.0 * KRN_ROUNDING;
    const double edge = fmax(1.0 + facing, 0.0);
    const double glaze = (1.0 - mirror) * (double)KRN_COAT;
    const double least = (double)KRN_COAT_FACING;
    const double coat = ((1.0 - least) * pow(edge, 5) + least) * glaze;
    const double coat_error = (1.0 - least) * power_error(edge, 5, facing_error) * glaze;
    const struct krn_dvec reflected = scaled(mix(grey(1.0), tint, (double)KRN_MIRROR_TINT), mirror);
    const bool reflects = mirror > 0.0 && !last;
    const struct krn_dvec shine =
        krn_dalong(grey(coat), mirror > 0.0 && last ? 1.0 : 0.0, reflected);
    const struct glow around = surroundings(painter, mirrored, angle, stretch);
    const struct glow shown = {times(shine, around.light),
                               krn_dalong(times(shine, around.error), coat_error,
                                          krn_dalong(around.light, 1.0, around.error))};
    gather(path, shown);

    const double sunny = krn_ddot(normal, painter->sun);
    const double sunny_error = normal_error + 3.0 * KRN_ROUNDING;
    const double towards = fmax(krn_ddot(mirrored, painter->sun), 0.0);
    const double towards_error = cosine_error(towards, angle) + stretch + 3.0 * KRN_ROUNDING;
    if (sunny > -sunny_error) {
        const double gloss = (double)KRN_GLOSS * pow(towards, 64);
        const double gloss_error = (double)KRN_GLOSS * power_error(towards, 64, towards_error);
        struct glow lit = {
            times(krn_dalong(scaled(matt, fmax(sunny, 0.0)), gloss, grey(1.0)), sunlight()),
            times(krn_dalong(scaled(matt, sunny_error), gloss_error, grey(1.0)), sunlight())};
        if (sunny <= sunny_error) {
            /* Float may find that the surface faces away from the sun. */
            lit.error = krn_dalong(lit.error, 1.0, lit.light);
            if (sunny <= 0.0)
                lit.light = grey(0.0);
        }
        gather_sun(painter, path, point, slip, lit);
    }
    if (!reflects)
        return false;
    path->weight = times(path->weight, reflected);
    path->self = at;
    /* The point slips along the sphere, so that the reflected beam is as wide as the other one, but
     * for the sphere's curvature and for rounding along the beam. */
    const double bend = slip * slip / at->radius;
    path->beam.spread = fmin(hit->across + bend, slip) + depth;
    path->beam.shift = slip + depth;
    path->beam.origin = point;
    path->beam.direction = scaled(mirrored, 1.0 / krn_dlength(mirrored));
    path->beam.angle = angle;
    return true;
}

/* Starts the path of one sample of pixel (i, j). */
static struct path start(const struct painter *painter, int i, int j, int sample)
{
    const struct krn_light_frame *frame = &painter->frame;
    double reversed = 0.5 / frame->samples; /* the Hammersley set: bits about the binary point */
    for (int bit = 1, value = frame->samples / 2; bit < frame->samples; bit *= 2, value /= 2)
        reversed += sample & bit ? (double)value / frame->samples : 0.0;
    const double u = i + (sample + 0.5) / frame->samples - 0.5 * frame->width;
    const double v = j + reversed - 0.5 * frame->height;
    const struct krn_dvec towards =
        krn_dalong(krn_dalong(krn_dvec_of(frame->forward), u, krn_dvec_of(frame->right)), v,
                   krn_dvec_of(frame->up));
    struct path path = {.weight = grey(1.0)};
    path.beam.origin = krn_dvec_of(frame->eye);
    path.beam.direction = scaled(towards, 1.0 / krn_dlength(towards));
    path.beam.angle = 3.0 * KRN_ROUNDING;
    return path;
}

/* Follows one sample of pixel (i, j) and returns its light. */
static struct glow trace(const struct painter *painter, int i, int j, int sample)
{
    struct path path = start(painter, i, j, sample);
    for (int bounce = 0;; bounce++) {
        if (path.beam.angle > angle_most)
            lose(&path);
        if (path.lost)
            path.beam.angle = path.beam.spread = path.beam.shift = 0.0;
        const struct krn_ref_hit hit =
            krn_ref_nearest(&painter->tree, &path.beam, path.self, (double)painter->frame.nearest);
        if (!hit.sure)
            lose(&path);
        if (!hit.sphere) {
            shade_miss(painter, &path);
            return path.gathered;
        }
        if (!shade_sphere(painter, &path, &hit, bounce == painter->frame.bounces))
            return path.gathered;
    }
}

/* Returns the byte, not yet rounded, of linear light: exposed as in K. Narkowicz, ACES Filmic Tone
 * Mapping Curve, 2015, and encoded as in IEC 61966-2-1. */
static double encoded(double light)
{
    const double x = fmax(light, 0.0) * (double)KRN_EXPOSURE;
    const double curve = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14);
    const double linear = fmin(curve, 1.0);
    return 255.0 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055);
}

/* Sets one channel of a pixel; returns true when float may give a byte that differs by more than
 * krn_reference_compare accepts. */
static bool set_channel(uint8_t *byte, double light, double error)
{
    error += light * colour_rounding;
    *byte = (uint8_t)(encoded(light) + 0.5);
    return encoded(light + error) + table_error >= *byte + 1.5 ||
           encoded(light - error) - table_error <= *byte - 1.5;
}

/* Renders one pixel; returns true when float cannot decide it. */
static bool paint(const struct painter *painter, int i, int j, uint8_t *rgba)
{
    struct glow sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const double share = 1.0 / painter->frame.samples;
    for (int k = 0; k < painter->frame.samples; k++) {
        const struct glow glow = trace(painter, i, j, k);
        sum.light = krn_dalong(sum.light, share, glow.light);
        sum.error = krn_dalong(sum.error, share, glow.error);
    }
    const bool red = set_channel(&rgba[0], sum.light.x, sum.error.x);
    const bool green = set_channel(&rgba[1], sum.light.y, sum.error.y);
    const bool blue = set_channel(&rgba[2], sum.light.z, sum.error.z);
    rgba[3] = 255;
    return red || green || blue;
}

static bool always(void *context)
{
    (void)context;
    return true;
}

enum krn_code krn_reference_light(struct krn_reference *reference, const struct krn_scene *scene,
                                  struct krn_pose pose, const struct krn_view *view,
                                  struct krn_error *error)
{
    return krn_reference_light_while(reference, scene, pose, view, always, NULL, error);
}

/* Continues while neither the caller nor krn_cancel stops it. */
struct stop {
    bool (*go_on)(void *context);
    void *context;
    bool cancelled;
};

static bool goes_on(void *context)
{
    struct stop *stop = context;
    /* Once cancelled, always: another thread may end the cancelling while this one works. */
    stop->cancelled = stop->cancelled || krn_cancelled();
    return !stop->cancelled && stop->go_on(stop->context);
}

enum krn_code krn_reference_light_while(struct krn_reference *reference,
                                        const struct krn_scene *scene, struct krn_pose pose,
                                        const struct krn_view *view, bool (*go_on)(void *context),
                                        void *context, struct krn_error *error)
{
    const size_t pixels = (size_t)view->width * (size_t)view->height;
    struct krn_reference made = {view->width, view->height, calloc(pixels, 4), calloc(pixels, 1)};
    struct stop stop = {go_on, context, false};
    struct painter painter = {.scene = scene};
    if (!made.rgba || !made.undecidable) {
        krn_reference_free(&made);
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a reference picture of %dx%d pixels.",
                        view->width, view->height);
    }
    krn_light_frame_make(&painter.frame, &view->light, krn_bounds_of(scene), view->width,
                         view->height);
    painter.sun = krn_dvec_of(painter.frame.sun);
    enum krn_code code = krn_ref_tree_build(&painter.tree, scene, pose, goes_on, &stop, error);
    for (size_t p = 0; code == KRN_OK && p < pixels; p++) {
        if (p % PIXELS_PER_CHECK == 0 && !goes_on(&stop))
            code = KRN_FAIL(error, KRN_REFUSED, "The reference picture was cancelled.");
        else
            made.undecidable[p] = paint(&painter, (int)(p % (size_t)view->width),
                                        (int)(p / (size_t)view->width), made.rgba + 4 * p);
    }
    krn_ref_tree_free(&painter.tree);
    if (code == KRN_OK) {
        *reference = made;
        return KRN_OK;
    }
    krn_reference_free(&made);
    return stop.cancelled ? KRN_FAIL(error, KRN_CANCELLED, "The reference picture was cancelled.")
                          : code;
}
