#include "krn/reference.h"
#include "core/light/colours.h"
#include "core/light/frame.h"
#include "krn/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The spheres in a bounding volume hierarchy in double, and its queries.
 *
 * A query follows a beam: the ray in double, with bounds of how far the same ray in float may be
 * off. It returns what the ray in double hits, and whether every ray in the beam hits the same. */

/* Rounding to float is off by at most this share of a number. */
#define ROUNDING 0x1p-24

struct dvec {
    double x, y, z;
};

static struct dvec dvec_of(struct krn_vec vec)
{
    return (struct dvec){(double)vec.x, (double)vec.y, (double)vec.z};
}

#define COLOUR(...) dvec_of((struct krn_vec){__VA_ARGS__})

static double dot(struct dvec a, struct dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length_of(struct dvec a)
{
    return sqrt(dot(a, a));
}

/* Returns a + t * b. */
static struct dvec moved(struct dvec a, double t, struct dvec b)
{
    return (struct dvec){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

/* A rotated sphere. */
struct ref_sphere {
    struct dvec centre;
    double radius;
    double error;  /* greatest error of the rotation in float, scene units */
    double length; /* of the vector to the centre */
    int number;    /* in the scene */
};

struct ref_node {
    struct dvec low, high; /* of the box about all its spheres, with their errors */
    int first, count;      /* its spheres; count is 0 for an inner node */
    int second;            /* an inner node's second child; the first one follows the node */
};

/* Zeroed: empty. */
struct ref_tree {
    struct ref_sphere *spheres; /* owned */
    struct ref_node *nodes;     /* owned */
    int nodes_count;
};

/* A ray, and bounds of the errors of the same ray in float. */
struct ref_beam {
    struct dvec origin, direction; /* of length 1 */
    double spread;                 /* error of the origin across the direction, scene units */
    double shift;                  /* error of the origin in all, scene units */
    double angle;                  /* error of the direction, radians */
};

/* The nearest hit of a beam. */
struct ref_hit {
    const struct ref_sphere *sphere; /* NULL: none */
    double distance;
    double across, along; /* errors of the point of the hit across the beam, and along it */
    bool sure;            /* every ray in the beam hits this sphere first, or none */
};

enum {
    LEAF_SPHERES = 4,
    STACK_NODES = 64,        /* the tree halves its spheres, so it is at most 20 nodes deep */
    SPHERES_PER_CHECK = 4096 /* nodes with more spheres ask whether to go on */
};

/* Bounds of the float arithmetic, in units of ROUNDING: the number of roundings on the way,
 * rounded up. */
static const double across_roundings = 3.0; /* of the vector to a centre, across the ray */
static const double along_roundings = 6.0;  /* of a distance, with the direction's length */
static const double square_roundings = 4.0; /* of the squares in a chord */
static const double sun_roundings = 5.0;    /* of a point in sun space */

static double axis_of(struct dvec v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double greatest(double a, double b)
{
    return a > b ? a : b;
}

/* The pose is given in float; the rotation is computed in double. */
static struct ref_sphere placed(const struct krn_sphere *sphere, struct krn_pose pose, int number)
{
    const double c = (double)pose.cosine, s = (double)pose.sine;
    const double x = (double)sphere->x, y = (double)sphere->y, z = (double)sphere->z;
    struct ref_sphere at = {.radius = (double)sphere->radius, .number = number};
    at.centre = (struct dvec){x * c + z * s, y, z * c - x * s};
    at.length = length_of(at.centre);
    /* The identity changes no bit. */
    at.error = s != 0.0 ? 3.0 * ROUNDING * (fabs(x) + fabs(z)) : 0.0;
    return at;
}

/* Moves the spheres before `middle` along an axis before it, and the others after it
 * (C. A. R. Hoare, Algorithm 65: Find, 1961). */
static void halve(struct ref_sphere *spheres, int count, int middle, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const double pivot = axis_of(spheres[low + (high - low) / 2].centre, axis);
        int i = low, j = high;
        while (i <= j) {
            while (axis_of(spheres[i].centre, axis) < pivot)
                i++;
            while (axis_of(spheres[j].centre, axis) > pivot)
                j--;
            if (i <= j) {
                const struct ref_sphere other = spheres[i];
                spheres[i++] = spheres[j];
                spheres[j--] = other;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

struct builder {
    struct ref_tree *tree;
    bool (*go_on)(void *context);
    void *context;
    bool stopped;
};

static void build_node(struct builder *builder, int first, int count)
{
    struct ref_tree *tree = builder->tree;
    if (count > SPHERES_PER_CHECK && !builder->stopped)
        builder->stopped = !builder->go_on(builder->context);
    if (builder->stopped)
        return;
    struct ref_node *node = &tree->nodes[tree->nodes_count++];
    struct dvec low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = first; i < first + count; i++) {
        const struct ref_sphere *s = &tree->spheres[i];
        const double reach = s->radius + s->error;
        low = (struct dvec){least(low.x, s->centre.x - reach), least(low.y, s->centre.y - reach),
                            least(low.z, s->centre.z - reach)};
        high = (struct dvec){greatest(high.x, s->centre.x + reach),
                             greatest(high.y, s->centre.y + reach),
                             greatest(high.z, s->centre.z + reach)};
    }
    *node = (struct ref_node){low, high, first, count, 0};
    if (count <= LEAF_SPHERES)
        return;
    const struct dvec size = moved(high, -1.0, low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int half = count / 2;
    halve(tree->spheres + first, count, half, axis);
    node->count = 0;
    build_node(builder, first, half);
    node->second = tree->nodes_count;
    build_node(builder, first + half, count - half);
}

/* Builds the tree; calls go_on(context) now and then. Errors: KRN_NO_MEMORY, KRN_REFUSED (go_on
 * returned false). The caller frees the tree also after an error. */
static enum krn_code ref_tree_build(struct ref_tree *tree, const struct krn_scene *scene,
                                    struct krn_pose pose, bool (*go_on)(void *context),
                                    void *context, struct krn_error *error)
{
    /* A leaf has at least two spheres, or is the only node; so there are fewer nodes than spheres,
     * or one. */
    const size_t count = (size_t)scene->count;
    memset(tree, 0, sizeof *tree);
    tree->spheres = malloc(count * sizeof *tree->spheres);
    tree->nodes = malloc((count + 1) * sizeof *tree->nodes);
    if (!tree->spheres || !tree->nodes)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a reference of %d spheres.",
                        scene->count);
    for (int i = 0; i < scene->count; i++)
        tree->spheres[i] = placed(&scene->spheres[i], pose, i);
    struct builder builder = {tree, go_on, context, false};
    build_node(&builder, 0, scene->count);
    if (builder.stopped)
        return KRN_FAIL(error, KRN_REFUSED, "The reference picture was cancelled.");
    return KRN_OK;
}

static void ref_tree_free(struct ref_tree *tree)
{
    free(tree->spheres);
    free(tree->nodes);
    memset(tree, 0, sizeof *tree);
}

/* Narrows the part *near..*far of a ray to that between two planes. Comparisons are false for NaN,
 * which a ray within a plane gives; it narrows nothing. */
static void clip(double low, double high, double inverse, double *near, double *far)
{
    const double a = low * inverse, b = high * inverse;
    const double enter = a > b ? b : a, leave = a > b ? a : b;
    if (enter > *near)
        *near = enter;
    if (leave < *far)
        *far = leave;
}

/* Returns the distance at which a beam may enter a node's box at the earliest; HUGE_VAL: never. */
static double entry(const struct ref_node *node, const struct ref_beam *beam, struct dvec inverse)
{
    const struct dvec low = moved(node->low, -1.0, beam->origin);
    const struct dvec high = moved(node->high, -1.0, beam->origin);
    const double far_end = greatest(fabs(low.x), fabs(high.x)) +
                           greatest(fabs(low.y), fabs(high.y)) +
                           greatest(fabs(low.z), fabs(high.z));
    const double wide =
        beam->spread + beam->shift + far_end * (beam->angle + 2.0 * along_roundings * ROUNDING);
    double near = 0.0, far = HUGE_VAL;
    clip(low.x - wide, high.x + wide, inverse.x, &near, &far);
    clip(low.y - wide, high.y + wide, inverse.y, &near, &far);
    clip(low.z - wide, high.z + wide, inverse.z, &near, &far);
    return near <= far ? near : HUGE_VAL;
}

static struct dvec inverse_of(struct dvec v)
{
    return (struct dvec){1.0 / v.x, 1.0 / v.y, 1.0 / v.z};
}

/* The search for the nearest hit. */
struct search {
    const struct ref_tree *tree;
    const struct ref_beam *beam;
    const struct ref_sphere *self; /* is ignored */
    struct dvec inverse;           /* of the beam's direction */
    double nearest;
    struct ref_hit best;
    double best_high; /* greatest distance that float may give the best hit */
    /* The smallest and the second smallest distance that float may give a sphere, and the sphere of
     * the smallest. */
    double rival_low, second_low;
    const struct ref_sphere *rival;
};

/* Tests a sphere. Errors of the beam displace its line by `across` at the hit, and turn it about
 * the hit; the turn changes the hit only where the line leaves the sphere's front. */
static void test(struct search *search, const struct ref_sphere *sphere)
{
    const struct ref_beam *beam = search->beam;
    const struct dvec to = moved(sphere->centre, -1.0, beam->origin);
    const double middle = dot(to, beam->direction);
    const double radius = sphere->radius, length = length_of(to);
    const double fixed = beam->spread + sphere->error + across_roundings * ROUNDING * length;
    const double off = length_of(moved(to, -middle, beam->direction));
    const double at_middle = fixed + fabs(middle) * beam->angle;
    if (off > radius * (1.0 + square_roundings * ROUNDING) + at_middle)
        return;
    const double square = radius * radius - off * off;
    const double rounding = square_roundings * ROUNDING * (radius * radius + off * off);
    const double widest = square + rounding + 2.0 * off * at_middle;
    const double ahead = along_roundings * ROUNDING * length + sphere->error;
    const double half_widest = sqrt(greatest(widest, 0.0));

    double low = middle - half_widest - ahead, high = middle + half_widest + ahead;
    double distance = HUGE_VAL, across = at_middle, along = half_widest + ahead;
    bool sure = false;
    if (square > 0.0) {
        const double half = sqrt(square);
        distance = middle - half;
        const double at_hit = fixed + fabs(distance) * beam->angle;
        const double least_square = square - rounding - (2.0 * off + at_hit) * at_hit;
        const double least_half = least_square > 0.0 ? sqrt(least_square) : 0.0;
        if (least_half > 1.5 * beam->angle * radius) {
            sure = true;
            across = at_hit;
            along = half - least_half + ahead;
            low = distance - along;
            high = distance + along;
        }
    }
    if (high + beam->shift < search->nearest)
        return;
    if (low - beam->shift <= search->nearest)
        sure = false;
    if (low < search->rival_low) {
        search->second_low = search->rival_low;
        search->rival_low = low;
        search->rival = sphere;
    } else if (low < search->second_low) {
        search->second_low = low;
    }
    if (square > 0.0 && distance > search->nearest &&
        (!search->best.sphere || distance < search->best.distance ||
         (distance == search->best.distance && sphere->number < search->best.sphere->number))) {
        search->best = (struct ref_hit){sphere, distance, across, along, sure};
        search->best_high = high;
    }
}

/* Tests the spheres below a node that the beam enters at `from`, the nearer child first. What is
 * pruned lies behind everything that float may give the best hit. */
static void visit_nearest(struct search *search, int at, double from)
{
    const struct ref_node *nodes = search->tree->nodes, *node = &nodes[at];
    if (!(from < HUGE_VAL) || from > search->best_high)
        return;
    for (int i = node->first; i < node->first + node->count; i++)
        if (&search->tree->spheres[i] != search->self)
            test(search, &search->tree->spheres[i]);
    if (node->count > 0)
        return;
    const double one = entry(&nodes[at + 1], search->beam, search->inverse);
    const double two = entry(&nodes[node->second], search->beam, search->inverse);
    const bool swap = two <= one;
    visit_nearest(search, swap ? node->second : at + 1, swap ? two : one);
    visit_nearest(search, swap ? at + 1 : node->second, swap ? one : two);
}

/* Returns the nearest hit at a distance above `nearest`. Ignores the sphere `self`, on which the
 * beam starts; NULL: none. */
static struct ref_hit ref_nearest(const struct ref_tree *tree, const struct ref_beam *beam,
                                  const struct ref_sphere *self, double nearest)
{
    struct search search = {.tree = tree,
                            .beam = beam,
                            .self = self,
                            .nearest = nearest,
                            .best_high = HUGE_VAL,
                            .rival_low = HUGE_VAL,
                            .second_low = HUGE_VAL};
    search.inverse = inverse_of(beam->direction);
    visit_nearest(&search, 0, entry(&tree->nodes[0], beam, search.inverse));
    if (!search.best.sphere) {
        search.best.sure = search.rival == NULL;
    } else {
        const double other =
            search.rival == search.best.sphere ? search.second_low : search.rival_low;
        search.best.sure = search.best.sure && other > search.best_high;
    }
    return search.best;
}

/* Returns true when a sphere hides the sun from a point that is known to within `error`; *sure is
 * set to false when that cannot be decided. */
static bool ref_hidden(const struct ref_tree *tree, const struct krn_light_frame *frame,
                       struct dvec point, double error, bool *sure)
{
    const struct dvec east = dvec_of(frame->east), axis = dvec_of(frame->axis);
    const struct dvec sun = dvec_of(frame->sun), inverse = inverse_of(sun);
    const double own = sun_roundings * ROUNDING * length_of(point) + error;
    /* The axes are rounded too, so that the ray bends a little. */
    const struct ref_beam beam = {point, sun, own, own, 0x1p-20};
    bool hidden = false;
    *sure = true;
    int stack[STACK_NODES], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int at = stack[--depth];
        const struct ref_node *node = &tree->nodes[at];
        if (!(entry(node, &beam, inverse) < HUGE_VAL))
            continue;
        if (node->count == 0) {
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            const struct ref_sphere *s = &tree->spheres[i];
            const struct dvec to = moved(s->centre, -1.0, point);
            const double off = hypot(dot(to, east), dot(to, axis));
            const double before = dot(to, sun);
            const double margin =
                own + 1.5 * s->error + sun_roundings * ROUNDING * (s->length + s->radius);
            if (off > s->radius + margin || before < -margin)
                continue;
            if (off < s->radius - margin && before > margin) {
                *sure = true;
                return true;
            }
            *sure = false;
            hidden = hidden || (off < s->radius && before > 0.0);
        }
    }
    return hidden;
}

/* A ray in float deviates from the same ray in double, and every reflection makes the deviation
 * larger. This renderer follows each ray as a beam: the ray in double, with bounds of the errors
 * in float of its origin and its direction. A colour has a bound of its error too; where rays of
 * the beam could hit different things, the bound holds for whatever they see. */

/* Pixels between two checks of krn_cancelled(). */
enum { PIXELS_PER_CHECK = 64 };

/* No ray gathers more light than that of the sun's disc and of a surface before it. */
static const double light_most = 20.0;
/* Bounds, in units of ROUNDING, of the errors of a new direction and of a normal. */
static const double direction_roundings = 4.0, normal_roundings = 3.0;
/* Share of a sum of colours that float may lose. */
static const double colour_rounding = 1e-5;
/* Greatest error of the kernels' table of sRGB, which has 1024 steps, in bytes. */
static const double table_error = 0.19;
/* Beams with a greater angle, in radians, are given up: the bounds are of first order. */
static const double angle_most = 0.2;

/* Light, and a bound of its error in float. */
struct glow {
    struct dvec light, error;
};

struct painter {
    const struct krn_scene *scene;
    struct krn_light_frame frame;
    struct ref_tree tree;
    struct dvec sun;
};

/* A path from the eye. */
struct path {
    struct ref_beam beam;
    const struct ref_sphere *self; /* the sphere that the beam starts on; NULL: the eye */
    struct dvec weight;            /* share of further light that counts */
    struct glow gathered;
    bool lost; /* the error covers all further light; the light is computed on all the same */
};

static struct dvec scaled(struct dvec a, double factor)
{
    return (struct dvec){a.x * factor, a.y * factor, a.z * factor};
}

static struct dvec times(struct dvec a, struct dvec b)
{
    return (struct dvec){a.x * b.x, a.y * b.y, a.z * b.z};
}

static struct dvec mix(struct dvec a, struct dvec b, double t)
{
    return moved(scaled(a, 1.0 - t), t, b);
}

static struct dvec grey(double value)
{
    return (struct dvec){value, value, value};
}

/* Returns the absolute difference of the components. */
static struct dvec apart(struct dvec a, struct dvec b)
{
    return (struct dvec){fabs(a.x - b.x), fabs(a.y - b.y), fabs(a.z - b.z)};
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
    path->gathered.light = moved(path->gathered.light, 1.0, times(path->weight, glow.light));
    path->gathered.error = moved(path->gathered.error, 1.0, times(path->weight, glow.error));
}

/* Gives a path up: from here on, float may see anything. */
static void lose(struct path *path)
{
    if (!path->lost)
        path->gathered.error = moved(path->gathered.error, light_most, path->weight);
    path->lost = true;
}

/* Returns the light of the sky in a direction that is off by `error`, and whose length is off by
 * `stretch`. */
static struct glow sky(const struct painter *painter, struct dvec direction, double error,
                       double stretch)
{
    const struct dvec horizon = COLOUR(KRN_SKY_HORIZON), zenith = COLOUR(KRN_SKY_ZENITH);
    const struct dvec halo = COLOUR(KRN_SKY_GLOW), disc = COLOUR(KRN_SUN_DISC);
    error += direction_roundings * ROUNDING;
    const double low = 1.0 - fmax(direction.y, 0.0);
    const double to_sun = dot(direction, painter->sun);
    const double off = cosine_error(to_sun, error) + stretch + 3.0 * ROUNDING;
    const double bright = pow(fmax(to_sun, 0.0), 32);
    const double edge = (double)KRN_SUN_COSINE;

    struct glow glow;
    glow.light = moved(mix(zenith, horizon, low * low * low), bright, halo);
    glow.error = scaled(apart(horizon, zenith), power_error(low, 3, error + stretch));
    glow.error = moved(glow.error, power_error(to_sun, 32, off), halo);
    if (to_sun > edge)
        glow.light = moved(glow.light, 1.0, disc);
    if (fabs(to_sun - edge) <= off)
        glow.error = moved(glow.error, 1.0, disc);
    return glow;
}

/* Returns the light from the whole sky and the ground on a surface. */
static struct dvec ambient(double normal_y)
{
    return mix(COLOUR(KRN_LIGHT_BELOW), COLOUR(KRN_LIGHT_ABOVE), 0.5 + 0.5 * normal_y);
}

static struct dvec sunlight(void)
{
    return COLOUR(KRN_SUNLIGHT);
}

/* Adds light of the sun that reaches a point, which is known to within `error`, unless a sphere is
 * in the way. */
static void gather_sun(const struct painter *painter, struct path *path, struct dvec point,
                       double error, struct glow glow)
{
    bool sure;
    if (ref_hidden(&painter->tree, &painter->frame, point, error, &sure)) {
        if (sure)
            return;
        glow.error = moved(glow.error, 1.0, glow.light);
        glow.light = grey(0.0);
    } else if (!sure) {
        glow.error = moved(glow.error, 1.0, glow.light);
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
    struct dvec point;
    double distance;
    double nearest, farthest; /* distances that float may give */
    double slope;             /* cosine of the angle to the plane's normal */
    double across;            /* error of the point in the plane */
};

/* Returns the sum of the light that the plane sends towards the path from everywhere but the sun,
 * and sets *lit to its light of the sun, unless the point is in shadow. */
static struct glow ground(const struct painter *painter, const struct ref_beam *beam,
                          const struct ground_hit *hit, struct glow *lit)
{
    const struct dvec dark = COLOUR(KRN_CHECK_DARK), bright = COLOUR(KRN_CHECK_BRIGHT);
    const struct krn_light_frame *frame = &painter->frame;
    const double checks = (double)frame->checks, haze_scale = (double)frame->haze;
    const double along = fmax(hit->farthest - hit->distance, hit->distance - hit->nearest);

    const double u = hit->point.x * checks, v = hit->point.z * checks;
    const double off = hit->across * checks + 3.0 * ROUNDING * (fabs(u) + fabs(v));
    const bool odd = fmod(fabs(floor(u) + floor(v)), 2.0) != 0.0;
    const double span = hit->distance * (double)frame->blur / hit->slope;
    const double span_error =
        span * (along / hit->distance + beam->angle / hit->slope + direction_roundings * ROUNDING);
    const double keep = 1.0 - pow(fmin(span, 1.0), 4);
    const double keep_most = 1.0 - pow(fmin(fmax(span - span_error, 0.0), 1.0), 4);
    const struct dvec tones = apart(bright, dark);
    const bool decided = to_line(u) > off && to_line(v) > off;
    const double unsure = decided ? 0.5 * power_error(fmin(span, 1.0), 4, span_error) : keep_most;
    const struct dvec checker = mix(mix(dark, bright, 0.5), odd ? dark : bright, keep);
    const struct dvec checker_error = scaled(tones, unsure);

    const double far = hit->distance * haze_scale, haze = far * far;
    const double haze_error = power_error(far, 2, along * haze_scale + ROUNDING);
    const struct dvec level = {beam->direction.x, 0.0, beam->direction.z};
    const struct glow air = sky(painter, level, beam->angle, 0.0);
    const struct dvec near = times(checker, ambient(1.0));
    const struct dvec near_error = times(checker_error, ambient(1.0));
    const struct glow glow = {
        mix(near, air.light, haze),
        moved(mix(near_error, air.error, fmin(haze, 1.0)), haze_error, apart(near, air.light))};

    const struct dvec sunny = scaled(sunlight(), (double)frame->sun.y);
    const double clear = 1.0 - haze;
    lit->light = scaled(times(checker, sunny), clear);
    lit->error =
        moved(scaled(times(checker_error, sunny), clear), haze_error, times(checker, sunny));
    return glow;
}

/* Returns where a path hits the plane, which may be nowhere: then its distances are HUGE_VAL. */
static struct ground_hit find_ground(const struct painter *painter, const struct ref_beam *beam)
{
    const double level = (double)painter->frame.ground;
    const double height = beam->origin.y - level, slope = -beam->direction.y;
    const double height_error = beam->shift + 2.0 * ROUNDING * (fabs(beam->origin.y) + fabs(level));
    const double slope_error = beam->angle + 2.0 * ROUNDING;
    const double rounding = direction_roundings * ROUNDING;
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
    const struct ref_beam *beam = &path->beam;
    const double nearest = (double)frame->nearest, farthest = (double)frame->farthest;
    struct ground_hit hit = find_ground(painter, beam);
    const bool is_ground = hit.distance > nearest && hit.distance < farthest;
    const bool surely_ground = hit.nearest > nearest && hit.farthest < farthest;
    const bool surely_sky = hit.nearest > farthest || hit.farthest < nearest;
    if (!is_ground) {
        struct glow glow = sky(painter, beam->direction, beam->angle, 0.0);
        if (!surely_sky && hit.nearest > 0.8 * farthest) {
            /* Haze hides most of the plane, so that it looks much like the sky. */
            const struct dvec level = {beam->direction.x, 0.0, beam->direction.z};
            const struct glow air = sky(painter, level, beam->angle, 0.0);
            const double clear = 1.0 - pow(hit.nearest / farthest, 2);
            glow.error =
                moved(moved(glow.error, 1.0, air.error), 1.0,
                      moved(grey(2.0 * fmax(clear, 0.0)), 1.0, apart(glow.light, air.light)));
        } else if (!surely_sky) {
            lose(path);
        }
        gather(path, glow);
        return;
    }
    /* Errors of the beam become longer where it hits the plane at a small angle. */
    const double flattest = hit.slope - beam->angle - 2.0 * ROUNDING;
    hit.point = moved(beam->origin, hit.distance, beam->direction);
    hit.point.y = (double)frame->ground;
    if (flattest <= 0.25 * hit.slope) {
        lose(path);
    } else {
        const double reach = hit.distance * (beam->angle + 2.0 * ROUNDING) + beam->spread;
        hit.across = reach / flattest +
                     ROUNDING * (4.0 * hit.distance + fabs(hit.point.x) + fabs(hit.point.z) +
                                 2.0 * (fabs(beam->origin.y) + fabs(hit.point.y)) / flattest);
    }
    struct glow lit, glow = ground(painter, beam, &hit, &lit);
    if (!surely_ground && hit.nearest > 0.8 * farthest) {
        const struct glow air = sky(painter, beam->direction, beam->angle, 0.0);
        glow.error = moved(moved(glow.error, 1.0, air.error), 1.0,
                           moved(lit.light, 1.0, apart(glow.light, air.light)));
    } else if (!surely_ground) {
        lose(path);
    }
    gather(path, glow);
    gather_sun(painter, path, hit.point, hit.across, lit);
}

/* Returns what a direction sees when no sphere is in its way, without the checks. */
static struct glow surroundings(const struct painter *painter, struct dvec direction, double error,
                                double stretch)
{
    const struct dvec below = COLOUR(KRN_GROUND_GLOW);
    struct glow glow = sky(painter, direction, error, stretch);
    error += stretch;
    const double share = fmin(fmax(-8.0 * direction.y, 0.0), 1.0);
    const double most = fmin(fmax(8.0 * (error - direction.y), 0.0), 1.0);
    const double least = fmin(fmax(8.0 * (-error - direction.y), 0.0), 1.0);
    glow.error = moved(scaled(glow.error, 1.0 - least), most - least, apart(glow.light, below));
    glow.light = mix(glow.light, below, share);
    return glow;
}

/* Continues a path on a sphere; returns true when it is reflected. */
static bool shade_sphere(const struct painter *painter, struct path *path,
                         const struct ref_hit *hit, bool last)
{
    const struct ref_sphere *at = hit->sphere;
    const struct krn_sphere *sphere = &painter->scene->spheres[at->number];
    const double mirror =
        painter->scene->mirrors ? (double)painter->scene->mirrors[at->number] : 0.0;
    const struct dvec from = path->beam.direction;
    const struct dvec point = moved(path->beam.origin, hit->distance, from);
    const struct dvec normal = scaled(moved(point, -1.0, at->centre), 1.0 / at->radius);
    const double facing = dot(normal, from);
    const struct dvec mirrored = moved(from, -2.0 * facing, normal);

    const double rounding = ROUNDING * (length_of(point) + hit->distance);
    const double slip = hypot(hit->across, hit->along) + rounding;
    const double depth = 6.0 * ROUNDING * (hit->distance + at->radius) + rounding + at->error;
    const double normal_error = slip / at->radius + normal_roundings * ROUNDING;
    const double angle = path->beam.angle + 2.0 * normal_error + direction_roundings * ROUNDING;
    /* A point off the surface gives a normal of another length, and that a reflected direction. */
    const double stretch = 4.0 * (depth / at->radius + normal_roundings * ROUNDING);

    const struct dvec tint = {(double)sphere->r, (double)sphere->g, (double)sphere->b};
    const struct dvec matt = scaled(times(tint, tint), 1.0 - mirror);
    const struct glow diffuse = {
        times(matt, ambient(normal.y)),
        times(matt, scaled(apart(ambient(1.0), ambient(-1.0)), 0.5 * normal_error))};
    gather(path, diffuse);

    const double facing_error = cosine_error(facing, normal_error + path->beam.angle) +
                                normal_error * fabs(facing) + 4.0 * ROUNDING;
    const double edge = fmax(1.0 + facing, 0.0);
    const double glaze = (1.0 - mirror) * (double)KRN_COAT;
    const double least = (double)KRN_COAT_FACING;
    const double coat = ((1.0 - least) * pow(edge, 5) + least) * glaze;
    const double coat_error = (1.0 - least) * power_error(edge, 5, facing_error) * glaze;
    const struct dvec reflected = scaled(mix(grey(1.0), tint, (double)KRN_MIRROR_TINT), mirror);
    const bool reflects = mirror > 0.0 && !last;
    const struct dvec shine = moved(grey(coat), mirror > 0.0 && last ? 1.0 : 0.0, reflected);
    const struct glow around = surroundings(painter, mirrored, angle, stretch);
    const struct glow shown = {
        times(shine, around.light),
        moved(times(shine, around.error), coat_error, moved(around.light, 1.0, around.error))};
    gather(path, shown);

    const double sunny = dot(normal, painter->sun);
    const double sunny_error = normal_error + 3.0 * ROUNDING;
    const double towards = fmax(dot(mirrored, painter->sun), 0.0);
    const double towards_error = cosine_error(towards, angle) + stretch + 3.0 * ROUNDING;
    if (sunny > -sunny_error) {
        const double gloss = (double)KRN_GLOSS * pow(towards, 64);
        const double gloss_error = (double)KRN_GLOSS * power_error(towards, 64, towards_error);
        struct glow lit = {
            times(moved(scaled(matt, fmax(sunny, 0.0)), gloss, grey(1.0)), sunlight()),
            times(moved(scaled(matt, sunny_error), gloss_error, grey(1.0)), sunlight())};
        if (sunny <= sunny_error) {
            /* Float may find that the surface faces away from the sun. */
            lit.error = moved(lit.error, 1.0, lit.light);
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
    path->beam.direction = scaled(mirrored, 1.0 / length_of(mirrored));
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
    const struct dvec towards =
        moved(moved(dvec_of(frame->forward), u, dvec_of(frame->right)), v, dvec_of(frame->up));
    struct path path = {.weight = grey(1.0)};
    path.beam.origin = dvec_of(frame->eye);
    path.beam.direction = scaled(towards, 1.0 / length_of(towards));
    path.beam.angle = 3.0 * ROUNDING;
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
        const struct ref_hit hit =
            ref_nearest(&painter->tree, &path.beam, path.self, (double)painter->frame.nearest);
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
        sum.light = moved(sum.light, share, glow.light);
        sum.error = moved(sum.error, share, glow.error);
    }
    const bool red = set_channel(&rgba[0], sum.light.x, sum.error.x);
    const bool green = set_channel(&rgba[1], sum.light.y, sum.error.y);
    const bool blue = set_channel(&rgba[2], sum.light.z, sum.error.z);
    rgba[3] = 255;
    return red || green || blue;
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
    return !stop->cancelled && (!stop->go_on || stop->go_on(stop->context));
}

enum krn_code krn_reference_light(struct krn_reference *reference, const struct krn_scene *scene,
                                  struct krn_pose pose, const struct krn_view *view,
                                  bool (*go_on)(void *context), void *context,
                                  struct krn_error *error)
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
    painter.sun = dvec_of(painter.frame.sun);
    enum krn_code code = ref_tree_build(&painter.tree, scene, pose, goes_on, &stop, error);
    for (size_t p = 0; code == KRN_OK && p < pixels; p++) {
        if (p % PIXELS_PER_CHECK == 0 && !goes_on(&stop))
            code = KRN_FAIL(error, KRN_REFUSED, "The reference picture was cancelled.");
        else
            made.undecidable[p] = paint(&painter, (int)(p % (size_t)view->width),
                                        (int)(p / (size_t)view->width), made.rgba + 4 * p);
    }
    ref_tree_free(&painter.tree);
    if (code == KRN_OK) {
        *reference = made;
        return KRN_OK;
    }
    krn_reference_free(&made);
    return stop.cancelled ? KRN_FAIL(error, KRN_CANCELLED, "The reference picture was cancelled.")
                          : code;
}
