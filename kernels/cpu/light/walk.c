/* Walks the tree. Eight children are tested at once against a beam: a ray, or a packet of rays that
 * start at one point, whose directions form intervals (S. Boulos et al., Geometric and Arithmetic
 * Culling Methods for Entire Ray Packets, 2006). Reflected rays go alone. */
#include "cpu/light/rays.h"

enum { WIDE = KRN_CPU_TREE_WIDE, LANES = KRN_CPU_LANES, STACK = KRN_CPU_TREE_LEVELS * WIDE + 1 };

/* Rays from one point. The reciprocals of their directions lie in least..most on each axis, and
 * have one sign. */
struct beam {
    float origin[3], least[3], most[3];
    enum krn_cpu_side near[3], far[3]; /* the sides of a box that it meets first and last */
};

/* A ray that goes alone. */
struct lone_ray {
    struct krn_ray ray;
    float reciprocal[3]; /* of its direction */
    enum krn_cpu_side near[3], far[3];
};

/* A place that a walk has yet to visit; level -1 is a leaf. */
struct visit {
    float entry; /* least distance at which a ray of the beam enters its box */
    int level, index;
};

/* The bit of each child. A table, because not every level can shift by lane. */
static const unsigned bits[WIDE] = {1, 2, 4, 8, 16, 32, 64, 128};

static inline float reciprocal(float direction)
{
    const float least = 1e-20f; /* keeps the reciprocal finite for a ray parallel to a plane */
    return 1.0f / (fabsf(direction) < least ? copysignf(least, direction) : direction);
}

/* Sets one axis of a beam. Returns false when directions differ in sign. */
static inline bool set_axis(struct beam *beam, int axis, float origin, float least, float most)
{
    beam->origin[axis] = origin;
    beam->least[axis] = least;
    beam->most[axis] = most;
    beam->near[axis] = most < 0.0f ? KRN_CPU_HIGH : KRN_CPU_LOW;
    beam->far[axis] = most < 0.0f ? KRN_CPU_LOW : KRN_CPU_HIGH;
    return !(least < 0.0f && most > 0.0f);
}

static inline bool set_axis_of_packet(struct beam *beam, int axis, float origin,
                                      const float *directions)
{
    float least[LANES], most[LANES];
#pragma omp simd
    for (int k = 0; k < LANES; k++)
        least[k] = most[k] = reciprocal(directions[k]);
    return set_axis(beam, axis, origin, krn_cpu_least(least, LANES), krn_cpu_most(most, LANES));
}

/* Makes a beam of the packet at `at`, whose rays start at one point, if it can. */
static bool make_beam(const struct krn_cpu_rays *rays, int at, struct beam *beam)
{
    return set_axis_of_packet(beam, 0, rays->ox[at], rays->dx + at) &&
           set_axis_of_packet(beam, 1, rays->oy[at], rays->dy + at) &&
           set_axis_of_packet(beam, 2, rays->oz[at], rays->dz + at);
}

static struct lone_ray lone_ray(const struct krn_cpu_rays *rays, int k)
{
    struct lone_ray lone = {.ray = krn_cpu_ray_at(rays, k)};
    const float directions[3] = {rays->dx[k], rays->dy[k], rays->dz[k]};
    for (int axis = 0; axis < 3; axis++) {
        lone.reciprocal[axis] = reciprocal(directions[axis]);
        lone.near[axis] = lone.reciprocal[axis] < 0.0f ? KRN_CPU_HIGH : KRN_CPU_LOW;
        lone.far[axis] = lone.reciprocal[axis] < 0.0f ? KRN_CPU_LOW : KRN_CPU_HIGH;
    }
    return lone;
}

/* Returns the children, as bits, that a ray of the beam may enter before `limit`; sets the
 * distances of entry. */
static inline unsigned enter(const float box[KRN_CPU_SIDES][3][WIDE], const struct beam *beam,
                             float limit, float entries[WIDE])
{
    const float *near_x = box[beam->near[0]][0], *far_x = box[beam->far[0]][0];
    const float *near_y = box[beam->near[1]][1], *far_y = box[beam->far[1]][1];
    const float *near_z = box[beam->near[2]][2], *far_z = box[beam->far[2]][2];
    const float ox = beam->origin[0], oy = beam->origin[1], oz = beam->origin[2];
    const float lx = beam->least[0], ly = beam->least[1], lz = beam->least[2];
    const float mx = beam->most[0], my = beam->most[1], mz = beam->most[2];
    unsigned mask = 0;
#pragma omp simd reduction(| : mask)
    for (int c = 0; c < WIDE; c++) {
        const float nx = near_x[c] - ox, ny = near_y[c] - oy, nz = near_z[c] - oz;
        const float fx = far_x[c] - ox, fy = far_y[c] - oy, fz = far_z[c] - oz;
        const float entry = krn_cpu_greater(
            krn_cpu_greater(krn_cpu_lesser(nx * lx, nx * mx), krn_cpu_lesser(ny * ly, ny * my)),
            krn_cpu_greater(krn_cpu_lesser(nz * lz, nz * mz), 0.0f));
        const float leave = krn_cpu_lesser(
            krn_cpu_lesser(krn_cpu_greater(fx * lx, fx * mx), krn_cpu_greater(fy * ly, fy * my)),
            krn_cpu_greater(fz * lz, fz * mz));
        entries[c] = entry;
        mask |= bits[c] & (0u - (unsigned)((entry <= leave) & (entry <= limit)));
    }
    return mask;
}

/* Does the same for a ray that goes alone. */
static inline unsigned enter_alone(const float box[KRN_CPU_SIDES][3][WIDE],
                                   const struct lone_ray *lone, float limit, float entries[WIDE])
{
    const float *near_x = box[lone->near[0]][0], *far_x = box[lone->far[0]][0];
    const float *near_y = box[lone->near[1]][1], *far_y = box[lone->far[1]][1];
    const float *near_z = box[lone->near[2]][2], *far_z = box[lone->far[2]][2];
    const struct krn_vec origin = lone->ray.origin;
    const float rx = lone->reciprocal[0], ry = lone->reciprocal[1], rz = lone->reciprocal[2];
    unsigned mask = 0;
#pragma omp simd reduction(| : mask)
    for (int c = 0; c < WIDE; c++) {
        const float entry = krn_cpu_greater(
            krn_cpu_greater((near_x[c] - origin.x) * rx, (near_y[c] - origin.y) * ry),
            krn_cpu_greater((near_z[c] - origin.z) * rz, 0.0f));
        const float leave =
            krn_cpu_lesser(krn_cpu_lesser((far_x[c] - origin.x) * rx, (far_y[c] - origin.y) * ry),
                           krn_cpu_lesser((far_z[c] - origin.z) * rz, limit));
        entries[c] = entry;
        mask |= bits[c] & (0u - (unsigned)(entry <= leave));
    }
    return mask;
}

/* Tests the balls of a leaf whose boxes the beam may enter with a packet of rays. */
static void test_leaf(const struct krn_cpu_leaf *leaf, const struct beam *beam,
                      struct krn_cpu_rays *rays, int at, float limit,
                      const struct krn_light_frame *frame)
{
    float box[KRN_CPU_SIDES][3][WIDE], entries[WIDE];
#pragma omp simd
    for (int c = 0; c < WIDE; c++) {
        box[KRN_CPU_LOW][0][c] = leaf->x[c] - leaf->reach[c];
        box[KRN_CPU_LOW][1][c] = leaf->y[c] - leaf->reach[c];
        box[KRN_CPU_LOW][2][c] = leaf->z[c] - leaf->reach[c];
        box[KRN_CPU_HIGH][0][c] = leaf->x[c] + leaf->reach[c];
        box[KRN_CPU_HIGH][1][c] = leaf->y[c] + leaf->reach[c];
        box[KRN_CPU_HIGH][2][c] = leaf->z[c] + leaf->reach[c];
    }
    for (unsigned mask = enter(box, beam, limit, entries); mask != 0; mask &= mask - 1) {
        const int c = __builtin_ctz(mask);
        const struct krn_ball ball = {leaf->x[c], leaf->y[c], leaf->z[c], leaf->square[c]};
        krn_cpu_test_packet(rays, at, ball, leaf->sphere[c], frame->nearest, frame->slack);
    }
}

/* Returns the balls of a leaf, as bits, that a ray may hit. */
static inline unsigned test_balls(const struct krn_cpu_leaf *leaf, struct krn_ray ray)
{
    unsigned mask = 0;
#pragma omp simd reduction(| : mask)
    for (int c = 0; c < WIDE; c++) {
#ifdef __FP_FAST_FMAF
        const struct krn_ball ball = {leaf->x[c], leaf->y[c], leaf->z[c], leaf->square[c]};
        float along;
        const int hits = krn_chord(ray, ball, &along) > 0.0f;
#else
        const float enlarged = leaf->reach[c] > 0.0f ? leaf->reach[c] * leaf->reach[c] : -1.0f;
        const int hits = !krn_cpu_passes(ray, leaf->x[c], leaf->y[c], leaf->z[c], enlarged);
#endif
        mask |= bits[c] & (0u - (unsigned)hits);
    }
    return mask;
}

static inline void test_leaf_alone(const struct krn_cpu_leaf *leaf, struct krn_ray ray,
                                   float nearest, struct krn_hit *hit)
{
    for (unsigned mask = test_balls(leaf, ray); mask != 0; mask &= mask - 1) {
        const int c = __builtin_ctz(mask);
        const struct krn_ball ball = {leaf->x[c], leaf->y[c], leaf->z[c], leaf->square[c]};
        krn_nearest(ray, ball, leaf->sphere[c], nearest, hit);
    }
}

static inline struct visit child_of(struct visit parent, int c, const float entries[WIDE])
{
    return (struct visit){entries[c], parent.level - 1, parent.index * WIDE + c};
}

/* Puts a visit onto the stack, below the nearer ones from `bottom` on. Returns the new height. */
static inline int insert(struct visit *stack, int bottom, int height, struct visit visit)
{
    int at = height;
    for (; at > bottom && stack[at - 1].entry < visit.entry; at--)
        stack[at] = stack[at - 1];
    stack[at] = visit;
    return height + 1;
}

/* Puts the children of a node onto the stack, the nearest on top. Returns the new height. */
static int push(struct visit *stack, int height, unsigned mask, const float entries[WIDE],
                struct visit parent)
{
    const int bottom = height;
    for (; mask != 0; mask &= mask - 1)
        height = insert(stack, bottom, height, child_of(parent, __builtin_ctz(mask), entries));
    return height;
}

/* Finds the nearest hits of the packet at `at`. */
static void walk(const struct krn_cpu_tree *tree, const struct krn_light_frame *frame,
                 const struct beam *beam, struct krn_cpu_rays *rays, int at)
{
    struct visit stack[STACK]; /* not zeroed: that would take as long as some walks */
    stack[0] = (struct visit){0.0f, tree->levels - 1, 0};
    float farthest = INFINITY; /* of the hits so far */
    for (int height = 1; height > 0;) {
        const struct visit visit = stack[--height];
        const float limit = farthest + frame->slack;
        if (visit.entry > limit)
            continue;
        if (visit.level >= 0) {
            float entries[WIDE];
            const unsigned mask =
                enter(tree->nodes[visit.level][visit.index].box, beam, limit, entries);
            height = push(stack, height, mask, entries, visit);
            continue;
        }
        test_leaf(&tree->leaves[visit.index], beam, rays, at, limit, frame);
        float distances[LANES];
        memcpy(distances, rays->distance + at, sizeof distances);
        farthest = krn_cpu_most(distances, LANES);
    }
}

/* Finds the nearest hit of ray k alone. Goes to the nearest child of a node at once: only the
 * others take a place on the stack. */
static void walk_alone(const struct krn_cpu_tree *tree, const struct krn_light_frame *frame,
                       struct krn_cpu_rays *rays, int k)
{
    const struct lone_ray lone = lone_ray(rays, k);
    struct krn_hit hit = {rays->distance[k], rays->sphere[k]};
    struct visit stack[STACK], visit = {0.0f, tree->levels - 1, 0};
    int height = 0;
    for (;;) {
        unsigned mask = 0;
        float entries[WIDE];
        if (visit.level >= 0)
            mask = enter_alone(tree->nodes[visit.level][visit.index].box, &lone,
                               hit.distance + frame->slack, entries);
        else
            test_leaf_alone(&tree->leaves[visit.index], lone.ray, frame->nearest, &hit);
        if (mask != 0) {
            const struct visit parent = visit;
            const int c = __builtin_ctz(mask);
            visit = child_of(parent, c, entries);
            mask &= mask - 1;
            const int bottom = height;
            for (; mask != 0; mask &= mask - 1) {
                struct visit other = child_of(parent, __builtin_ctz(mask), entries);
                if (other.entry < visit.entry) {
                    const struct visit nearer = other;
                    other = visit;
                    visit = nearer;
                }
                height = insert(stack, bottom, height, other);
            }
            continue;
        }
        do {
            if (height == 0) {
                rays->distance[k] = hit.distance;
                rays->sphere[k] = hit.sphere;
                return;
            }
            visit = stack[--height];
        } while (visit.entry > hit.distance + frame->slack);
    }
}

void KRN_LEVEL(krn_cpu_tree_nearest)(const struct krn_cpu_light_picture *picture,
                                     struct krn_cpu_rays *rays)
{
    struct beam beam;
    for (int at = 0; at < rays->count && !krn_cancelled(); at += LANES)
        if (rays->coherent && make_beam(rays, at, &beam))
            walk(picture->tree, &picture->frame, &beam, rays, at);
        else
            for (int k = at; k < at + LANES && k < rays->count; k++)
                walk_alone(picture->tree, &picture->frame, rays, k);
}

/* Bounds of the origins of shadow rays in sun space: a rectangle in x and y, and the least z. */
struct area {
    float low[2], high[2], bottom;
};

/* Points of a packet that lie close together, as numbers that are 0 or 1, and their area. */
struct group {
    int within[LANES];
    int count;
    struct area area;
};

/* Makes the group of the points not yet `done` that lie within `reach` of point `first` of the
 * packet at `at`, and marks them. */
static void make_group(const struct krn_cpu_shadows *shadows, int at, int first, float reach,
                       int done[LANES], struct group *group)
{
    const float *x = shadows->x + at, *y = shadows->y + at, *z = shadows->z + at;
    const float x_at = x[first], y_at = y[first], z_at = z[first];
    float x0[LANES], x1[LANES], y0[LANES], y1[LANES], bottom[LANES];
    int count = 0, *within = group->within;
#pragma omp simd reduction(+ : count)
    for (int k = 0; k < LANES; k++) {
        const int in =
            (done[k] == 0) & (fabsf(x[k] - x_at) <= reach) & (fabsf(y[k] - y_at) <= reach);
        x0[k] = x1[k] = in ? x[k] : x_at;
        y0[k] = y1[k] = in ? y[k] : y_at;
        bottom[k] = in ? z[k] : z_at;
        within[k] = in;
        done[k] |= in;
        count += in;
    }
    group->count = count;
    group->area = (struct area){{krn_cpu_least(x0, LANES), krn_cpu_least(y0, LANES)},
                                {krn_cpu_most(x1, LANES), krn_cpu_most(y1, LANES)},
                                krn_cpu_least(bottom, LANES)};
}

static inline bool group_hidden(const struct krn_cpu_shadows *shadows, int at,
                                const struct group *group)
{
    int seen = 0;
#pragma omp simd reduction(| : seen)
    for (int k = 0; k < LANES; k++)
        seen |= group->within[k] & (shadows->hidden[at + k] == 0);
    return seen == 0;
}

/* Returns the children, as bits, that may hide a point of the area. */
static inline unsigned cover(const struct krn_cpu_node *node, const struct area *area)
{
    const float x0 = area->low[0], x1 = area->high[0], y0 = area->low[1], y1 = area->high[1];
    const float bottom = area->bottom;
    unsigned mask = 0;
#pragma omp simd reduction(| : mask)
    for (int c = 0; c < WIDE; c++)
        mask |=
            bits[c] & (0u - (unsigned)((node->sun_low[0][c] <= x1) & (node->sun_high[0][c] >= x0) &
                                       (node->sun_low[1][c] <= y1) & (node->sun_high[1][c] >= y0) &
                                       (node->sun_top[c] > bottom)));
    return mask;
}

static inline unsigned cover_leaf(const struct krn_cpu_leaf *leaf, const struct area *area)
{
    const float x0 = area->low[0], x1 = area->high[0], y0 = area->low[1], y1 = area->high[1];
    const float bottom = area->bottom;
    unsigned mask = 0;
#pragma omp simd reduction(| : mask)
    for (int c = 0; c < WIDE; c++) {
        const float reach = leaf->reach[c];
        mask |= bits[c] &
                (0u - (unsigned)((leaf->sun_x[c] - reach <= x1) & (leaf->sun_x[c] + reach >= x0) &
                                 (leaf->sun_y[c] - reach <= y1) & (leaf->sun_y[c] + reach >= y0) &
                                 (leaf->sun_z[c] > bottom)));
    }
    return mask;
}

/* Marks the points of a packet that the balls of a leaf hide. Points outside of the group may be
 * marked, too: the test is exact, whichever points are near. */
static inline void hide_group(const struct krn_cpu_leaf *leaf, unsigned mask,
                              struct krn_cpu_shadows *shadows, int at)
{
    for (; mask != 0; mask &= mask - 1) {
        const int c = __builtin_ctz(mask);
        const struct krn_ball ball = {leaf->sun_x[c], leaf->sun_y[c], leaf->sun_z[c],
                                      leaf->square[c]};
        krn_cpu_hide_packet(shadows, at, &ball, 1);
    }
}

static inline bool hides_one(const struct krn_cpu_leaf *leaf, unsigned mask, struct krn_vec point)
{
    for (; mask != 0; mask &= mask - 1) {
        const int c = __builtin_ctz(mask);
        const struct krn_ball ball = {leaf->sun_x[c], leaf->sun_y[c], leaf->sun_z[c],
                                      leaf->square[c]};
        if (krn_hides(point, ball))
            return true;
    }
    return false;
}

/* Marks the hidden points of a group of the packet at `at`. first: its only point, if alone. */
static void trace_shadows(const struct krn_cpu_tree *tree, const struct group *group,
                          struct krn_cpu_shadows *shadows, int at, int first)
{
    struct visit stack[STACK]; /* not zeroed: that would take a third of a reflected ray's time */
    stack[0] = (struct visit){0.0f, tree->levels - 1, 0};
    const int k = at + first;
    const struct krn_vec point = {shadows->x[k], shadows->y[k], shadows->z[k]};
    for (int height = 1; height > 0;) {
        const struct visit visit = stack[--height];
        if (visit.level >= 0) {
            for (unsigned mask = cover(&tree->nodes[visit.level][visit.index], &group->area);
                 mask != 0; mask &= mask - 1) {
                const struct visit child = {0.0f, visit.level - 1,
                                            visit.index * WIDE + __builtin_ctz(mask)};
                stack[height++] = child;
            }
            continue;
        }
        const struct krn_cpu_leaf *leaf = &tree->leaves[visit.index];
        const unsigned mask = cover_leaf(leaf, &group->area);
        if (mask == 0)
            continue;
        if (group->count > 1) {
            hide_group(leaf, mask, shadows, at);
            if (group_hidden(shadows, at, group))
                return;
        } else if (hides_one(leaf, mask, point)) {
            shadows->hidden[k] = 1;
            return;
        }
    }
}

void KRN_LEVEL(krn_cpu_tree_shadows)(const struct krn_cpu_light_picture *picture,
                                     struct krn_cpu_shadows *shadows)
{
    const float reach = picture->tree->batch_reach;
    for (int at = 0; at < shadows->count && !krn_cancelled(); at += LANES) {
        int done[LANES];
        struct group group;
        for (int k = 0; k < LANES; k++)
            done[k] = at + k >= shadows->count;
        for (int k = 0; k < LANES; k++)
            if (!done[k]) {
                make_group(shadows, at, k, reach, done, &group);
                trace_shadows(picture->tree, &group, shadows, at, k);
            }
    }
}
