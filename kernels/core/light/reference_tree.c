#include "core/light/reference_tree.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAF_SPHERES = 4,
    STACK_NODES = 64,        /* the tree halves its spheres, so it is at most 20 nodes deep */
    SPHERES_PER_CHECK = 4096 /* nodes with more spheres ask whether to go on */
};

/* Bounds of the float arithmetic, in units of KRN_ROUNDING: the number of roundings on the way,
 * rounded up. */
static const double across_roundings = 3.0; /* of the vector to a centre, across the ray */
static const double along_roundings = 6.0;  /* of a distance, with the direction's length */
static const double square_roundings = 4.0; /* of the squares in a chord */
static const double sun_roundings = 5.0;    /* of a point in sun space */

static double axis_of(struct krn_dvec v, int axis)
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
static struct krn_ref_sphere placed(const struct krn_sphere *sphere, struct krn_pose pose,
                                    int number)
{
    const double c = (double)pose.cosine, s = (double)pose.sine;
    const double x = (double)sphere->x, y = (double)sphere->y, z = (double)sphere->z;
    struct krn_ref_sphere at = {.radius = (double)sphere->radius, .number = number};
    at.centre = (struct krn_dvec){x * c + z * s, y, z * c - x * s};
    at.length = krn_dlength(at.centre);
    /* The identity changes no bit. */
    at.error = s != 0.0 ? 3.0 * KRN_ROUNDING * (fabs(x) + fabs(z)) : 0.0;
    return at;
}

/* Moves the spheres before `middle` along an axis before it, and the others after it
 * (C. A. R. Hoare, Algorithm 65: Find, 1961). */
static void halve(struct krn_ref_sphere *spheres, int count, int middle, int axis)
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
                const struct krn_ref_sphere other = spheres[i];
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
    struct krn_ref_tree *tree;
    bool (*go_on)(void *context);
    void *context;
    bool stopped;
};

static void build_node(struct builder *builder, int first, int count)
{
    struct krn_ref_tree *tree = builder->tree;
    if (count > SPHERES_PER_CHECK && !builder->stopped)
        builder->stopped = !builder->go_on(builder->context);
    if (builder->stopped)
        return;
    struct krn_ref_node *node = &tree->nodes[tree->nodes_count++];
    struct krn_dvec low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int i = first; i < first + count; i++) {
        const struct krn_ref_sphere *s = &tree->spheres[i];
        const double reach = s->radius + s->error;
        low =
            (struct krn_dvec){least(low.x, s->centre.x - reach), least(low.y, s->centre.y - reach),
                              least(low.z, s->centre.z - reach)};
        high = (struct krn_dvec){greatest(high.x, s->centre.x + reach),
                                 greatest(high.y, s->centre.y + reach),
                                 greatest(high.z, s->centre.z + reach)};
    }
    *node = (struct krn_ref_node){low, high, first, count, 0};
    if (count <= LEAF_SPHERES)
        return;
    const struct krn_dvec size = krn_dalong(high, -1.0, low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int half = count / 2;
    halve(tree->spheres + first, count, half, axis);
    node->count = 0;
    build_node(builder, first, half);
    node->second = tree->nodes_count;
    build_node(builder, first + half, count - half);
}

enum krn_code krn_ref_tree_build(struct krn_ref_tree *tree, const struct krn_scene *scene,
                                 struct krn_pose pose, bool (*go_on)(void *context), void *context,
                                 struct krn_error *error)
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

void krn_ref_tree_free(struct krn_ref_tree *tree)
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
static double entry(const struct krn_ref_node *node, const struct krn_ref_beam *beam,
                    struct krn_dvec inverse)
{
    const struct krn_dvec low = krn_dalong(node->low, -1.0, beam->origin);
    const struct krn_dvec high = krn_dalong(node->high, -1.0, beam->origin);
    const double far_end = greatest(fabs(low.x), fabs(high.x)) +
                           greatest(fabs(low.y), fabs(high.y)) +
                           greatest(fabs(low.z), fabs(high.z));
    const double wide =
        beam->spread + beam->shift + far_end * (beam->angle + 2.0 * along_roundings * KRN_ROUNDING);
    double near = 0.0, far = HUGE_VAL;
    clip(low.x - wide, high.x + wide, inverse.x, &near, &far);
    clip(low.y - wide, high.y + wide, inverse.y, &near, &far);
    clip(low.z - wide, high.z + wide, inverse.z, &near, &far);
    return near <= far ? near : HUGE_VAL;
}

static struct krn_dvec inverse_of(struct krn_dvec v)
{
    return (struct krn_dvec){1.0 / v.x, 1.0 / v.y, 1.0 / v.z};
}

/* The search for the nearest hit. */
struct search {
    const struct krn_ref_beam *beam;
    double nearest;
    struct krn_ref_hit best;
    double best_high; /* greatest distance that float may give the best hit */
    /* The smallest and the second smallest distance that float may give a sphere, and the sphere of
     * the smallest. */
    double rival_low, second_low;
    const struct krn_ref_sphere *rival;
};

/* Tests a sphere. Errors of the beam displace its line by `across` at the hit, and turn it about
 * the hit; the turn changes the hit only where the line leaves the sphere's front. */
static void test(struct search *search, const struct krn_ref_sphere *sphere)
{
    const struct krn_ref_beam *beam = search->beam;
    const struct krn_dvec to = krn_dalong(sphere->centre, -1.0, beam->origin);
    const double middle = krn_ddot(to, beam->direction);
    const double radius = sphere->radius, length = krn_dlength(to);
    const double fixed = beam->spread + sphere->error + across_roundings * KRN_ROUNDING * length;
    const double off = krn_dlength(krn_dalong(to, -middle, beam->direction));
    const double at_middle = fixed + fabs(middle) * beam->angle;
    if (off > radius * (1.0 + square_roundings * KRN_ROUNDING) + at_middle)
        return;
    const double square = radius * radius - off * off;
    const double rounding = square_roundings * KRN_ROUNDING * (radius * radius + off * off);
    const double widest = square + rounding + 2.0 * off * at_middle;
    const double ahead = along_roundings * KRN_ROUNDING * length + sphere->error;
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
        search->best = (struct krn_ref_hit){sphere, distance, across, along, sure};
        search->best_high = high;
    }
}

struct krn_ref_hit krn_ref_nearest(const struct krn_ref_tree *tree, const struct krn_ref_beam *beam,
                                   const struct krn_ref_sphere *self, double nearest)
{
    struct search search = {.beam = beam,
                            .nearest = nearest,
                            .best_high = HUGE_VAL,
                            .rival_low = HUGE_VAL,
                            .second_low = HUGE_VAL};
    const struct krn_dvec inverse = inverse_of(beam->direction);
    struct {
        int node;
        double entry;
    } stack[STACK_NODES];
    int depth = 0;
    stack[depth].node = 0;
    stack[depth++].entry = entry(&tree->nodes[0], beam, inverse);
    while (depth > 0) {
        const int at = stack[--depth].node;
        /* What is pruned lies behind everything that float may give the best hit. */
        if (!(stack[depth].entry < HUGE_VAL) || stack[depth].entry > search.best_high)
            continue;
        const struct krn_ref_node *node = &tree->nodes[at];
        if (node->count > 0) {
            for (int i = node->first; i < node->first + node->count; i++)
                if (&tree->spheres[i] != self)
                    test(&search, &tree->spheres[i]);
            continue;
        }
        const double one = entry(&tree->nodes[at + 1], beam, inverse);
        const double two = entry(&tree->nodes[node->second], beam, inverse);
        const bool swap = one < two; /* the nearer one is popped first */
        stack[depth].node = swap ? node->second : at + 1;
        stack[depth++].entry = swap ? two : one;
        stack[depth].node = swap ? at + 1 : node->second;
        stack[depth++].entry = swap ? one : two;
    }
    if (!search.best.sphere) {
        search.best.sure = search.rival == NULL;
    } else {
        const double other =
            search.rival == search.best.sphere ? search.second_low : search.rival_low;
        search.best.sure = search.best.sure && other > search.best_high;
    }
    return search.best;
}

bool krn_ref_hidden(const struct krn_ref_tree *tree, const struct krn_light_frame *frame,
                    struct krn_dvec point, double error, bool *sure)
{
    const struct krn_dvec east = krn_dvec_of(frame->east), axis = krn_dvec_of(frame->axis);
    const struct krn_dvec sun = krn_dvec_of(frame->sun), inverse = inverse_of(sun);
    const double own = sun_roundings * KRN_ROUNDING * krn_dlength(point) + error;
    /* The axes are rounded too, so that the ray bends a little. */
    const struct krn_ref_beam beam = {point, sun, own, own, 0x1p-20};
    bool hidden = false;
    *sure = true;
    int stack[STACK_NODES], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int at = stack[--depth];
        const struct krn_ref_node *node = &tree->nodes[at];
        if (!(entry(node, &beam, inverse) < HUGE_VAL))
            continue;
        if (node->count == 0) {
            stack[depth++] = node->second;
            stack[depth++] = at + 1;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++) {
            const struct krn_ref_sphere *s = &tree->spheres[i];
            const struct krn_dvec to = krn_dalong(s->centre, -1.0, point);
            const double off = hypot(krn_ddot(to, east), krn_ddot(to, axis));
            const double before = krn_ddot(to, sun);
            const double margin =
                own + 1.5 * s->error + sun_roundings * KRN_ROUNDING * (s->length + s->radius);
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
