/* Builds the tree: sorts the balls along a Hilbert curve, then takes eight neighbours as a leaf,
 * eight leaves as a node, and so on (I. Kamel, C. Faloutsos, On Packing R-trees, 1993). For large
 * pictures, pieces of the curve are first arranged in boxes. All threads share the sort, the
 * pieces, the leaves and the nodes above them; one thread adds up the sort's counts and makes the
 * few nodes of the higher levels. */
#include "cpu/light/rays.h"

#include <limits.h>

enum {
    WIDE = KRN_CPU_TREE_WIDE,
    DIGIT = KRN_CPU_TREE_DIGIT,
    PASSES = KRN_CPU_TREE_PASSES,
    VALUES = 1 << DIGIT,
    PIECE = KRN_CPU_TREE_NODES_PER_PIECE * WIDE * WIDE, /* balls */
    /* Primary rays per ball from which on they repay the time to arrange the ball: about 100 ns of
     * a core per ball, and 4 to 10 ns per primary ray (AMD EPYC of family 25, 960x540). */
    ARRANGE_RAYS = 16
};

struct build {
    const struct krn_cpu_light_scene *scene;
    const struct krn_cpu_tree *tree;
    struct krn_bounds bounds;
    float slack;
    int pass;
    bool arranges;
};

/* Returns the place of a cell on a Hilbert curve (J. Skilling, Programming the Hilbert Curve,
 * 2004), with DIGIT bits per axis. */
static inline uint32_t place_on_curve(uint32_t x, uint32_t y, uint32_t z)
{
    KRN_UNROLL
    for (int bit = DIGIT - 1; bit > 0; bit--) {
        const uint32_t low = (1u << bit) - 1u;
        x ^= low & (0u - (x >> bit & 1u));
        const uint32_t y_set = 0u - (y >> bit & 1u), y_swap = (x ^ y) & low & ~y_set;
        x ^= (low & y_set) ^ y_swap;
        y ^= y_swap;
        const uint32_t z_set = 0u - (z >> bit & 1u), z_swap = (x ^ z) & low & ~z_set;
        x ^= (low & z_set) ^ z_swap;
        z ^= z_swap;
    }
    y ^= x;
    z ^= y;
    uint32_t flip = 0, place = 0;
    KRN_UNROLL
    for (int bit = DIGIT - 1; bit > 0; bit--)
        flip ^= ((1u << bit) - 1u) & (0u - (z >> bit & 1u));
    x ^= flip;
    y ^= flip;
    z ^= flip;
    KRN_UNROLL
    for (int bit = 0; bit < DIGIT; bit++)
        place |= (x >> bit & 1u) << (3 * bit + 2) | (y >> bit & 1u) << (3 * bit + 1) |
                 (z >> bit & 1u) << (3 * bit);
    return place;
}

/* Returns the cell of a coordinate, 0 <= cell < VALUES. */
static inline uint32_t cell_of(float coordinate, float low, float per_unit)
{
    const float cell = (coordinate - low) * per_unit;
    const float within = cell > 0.0f ? cell : 0.0f;
    return (uint32_t)(int)(within < (float)(VALUES - 1) ? within : (float)(VALUES - 1));
}

static void count_digits(const struct build *build, int part, size_t first, size_t end)
{
    const uint32_t *keys = build->tree->keys[build->pass % 2];
    unsigned *digits = build->tree->digits + (size_t)part * VALUES;
    memset(digits, 0, VALUES * sizeof *digits);
    for (size_t i = first; i < end; i++)
        digits[keys[i] >> (build->pass * DIGIT) & (VALUES - 1)]++;
}

static void key_part(const void *context, int index, int thread)
{
    (void)thread;
    const struct build *build = context;
    const size_t count = (size_t)build->scene->count;
    const size_t first = krn_cpu_part(count, index, build->tree->parts),
                 end = krn_cpu_part(count, index + 1, build->tree->parts);
    const struct krn_ball *balls = build->scene->balls;
    const float extent = build->bounds.extent, per_unit = (float)VALUES / (2.0f * extent);
    const float low_y = build->bounds.centre - extent;
    uint32_t *keys = build->tree->keys[0];
    int *order = build->tree->order[0];
#pragma omp simd
    for (size_t i = first; i < end; i++) {
        keys[i] = place_on_curve(cell_of(balls[i].x, -extent, per_unit),
                                 cell_of(balls[i].y, low_y, per_unit),
                                 cell_of(balls[i].z, -extent, per_unit));
        order[i] = (int)i;
    }
    count_digits(build, index, first, end);
}

static void count_part(const void *context, int index, int thread)
{
    (void)thread;
    const struct build *build = context;
    const size_t count = (size_t)build->scene->count;
    count_digits(build, index, krn_cpu_part(count, index, build->tree->parts),
                 krn_cpu_part(count, index + 1, build->tree->parts));
}

/* Replaces the counts by the places where each part's elements begin. */
static void sum_digits(const struct krn_cpu_tree *tree)
{
    unsigned sum = 0;
    for (int value = 0; value < VALUES; value++)
        for (int part = 0; part < tree->parts; part++) {
            unsigned *at = &tree->digits[(size_t)part * VALUES + (size_t)value];
            const unsigned count = *at;
            *at = sum;
            sum += count;
        }
}

static void move_part(const void *context, int index, int thread)
{
    (void)thread;
    const struct build *build = context;
    const struct krn_cpu_tree *tree = build->tree;
    const int from = build->pass % 2, to = 1 - from;
    const size_t count = (size_t)build->scene->count,
                 end = krn_cpu_part(count, index + 1, tree->parts);
    unsigned *places = tree->digits + (size_t)index * VALUES;
    for (size_t i = krn_cpu_part(count, index, tree->parts); i < end; i++) {
        const uint32_t key = tree->keys[from][i];
        const unsigned place = places[key >> (build->pass * DIGIT) & (VALUES - 1)]++;
        tree->keys[to][place] = key;
        tree->order[to][place] = tree->order[from][i];
    }
}

static void fill_leaf(const struct build *build, int number, struct krn_cpu_leaf *leaf)
{
    const struct krn_cpu_light_scene *scene = build->scene;
    const int *order = build->tree->order[PASSES % 2];
    for (int c = 0; c < WIDE; c++) {
        const int i = number * WIDE + c;
        const int s = i < scene->count ? order[i] : -1;
        /* A place without a ball has the centre of the first one, but no size. */
        const struct krn_ball ball = scene->balls[s >= 0 ? s : leaf->sphere[0]],
                              sun = scene->sun_balls[s >= 0 ? s : leaf->sphere[0]];
        leaf->x[c] = ball.x;
        leaf->y[c] = ball.y;
        leaf->z[c] = ball.z;
        leaf->sun_x[c] = sun.x;
        leaf->sun_y[c] = sun.y;
        leaf->sun_z[c] = sun.z;
        leaf->square[c] = s >= 0 ? ball.radius_squared : -1.0f;
        leaf->reach[c] = s >= 0 ? scene->surfaces[s].radius + build->slack : -INFINITY;
        leaf->sphere[c] = s >= 0 ? s : INT_MAX;
    }
}

/* Sets child c of a node to a box that nothing hits. */
static void clear_child(struct krn_cpu_node *node, int c)
{
    for (int axis = 0; axis < 3; axis++) {
        node->box[KRN_CPU_LOW][axis][c] = INFINITY;
        node->box[KRN_CPU_HIGH][axis][c] = -INFINITY;
    }
    for (int axis = 0; axis < 2; axis++) {
        node->sun_low[axis][c] = INFINITY;
        node->sun_high[axis][c] = -INFINITY;
    }
    node->sun_top[c] = -INFINITY;
}

static inline void include(float *low, float *high, const float *lows, const float *highs)
{
    float least[WIDE], most[WIDE];
    memcpy(least, lows, sizeof least);
    memcpy(most, highs, sizeof most);
    *low = krn_cpu_least(least, WIDE);
    *high = krn_cpu_most(most, WIDE);
}

static inline void include_balls(float *low, float *high, const float *centre, const float *reach)
{
    float lows[WIDE], highs[WIDE];
    for (int c = 0; c < WIDE; c++) {
        lows[c] = centre[c] - reach[c];
        highs[c] = centre[c] + reach[c];
    }
    include(low, high, lows, highs);
}

static void bound_leaf(const struct krn_cpu_leaf *leaf, struct krn_cpu_node *node, int c)
{
    const float *const centres[3] = {leaf->x, leaf->y, leaf->z};
    for (int axis = 0; axis < 3; axis++)
        include_balls(&node->box[KRN_CPU_LOW][axis][c], &node->box[KRN_CPU_HIGH][axis][c],
                      centres[axis], leaf->reach);
    include_balls(&node->sun_low[0][c], &node->sun_high[0][c], leaf->sun_x, leaf->reach);
    include_balls(&node->sun_low[1][c], &node->sun_high[1][c], leaf->sun_y, leaf->reach);
    float ignored;
    include(&ignored, &node->sun_top[c], leaf->sun_z, leaf->sun_z);
}

static void bound_node(const struct krn_cpu_node *child, struct krn_cpu_node *node, int c)
{
    for (int axis = 0; axis < 3; axis++)
        include(&node->box[KRN_CPU_LOW][axis][c], &node->box[KRN_CPU_HIGH][axis][c],
                child->box[KRN_CPU_LOW][axis], child->box[KRN_CPU_HIGH][axis]);
    for (int axis = 0; axis < 2; axis++)
        include(&node->sun_low[axis][c], &node->sun_high[axis][c], child->sun_low[axis],
                child->sun_high[axis]);
    float ignored;
    include(&ignored, &node->sun_top[c], child->sun_top, child->sun_top);
}

/* A ball of a piece, and where its centre is. */
struct place {
    float centre[3];
    int sphere;
};

/* The balls of a piece of work, and scratch memory. */
struct piece {
    struct place places[PIECE], moved[PIECE];
    uint64_t keys[PIECE];
};

/* Returns the axis on which the centres lie farthest apart. */
static int longest_axis(const struct place *places, int count)
{
    float low[3], high[3];
    memcpy(low, places[0].centre, sizeof low);
    memcpy(high, places[0].centre, sizeof high);
    for (int i = 1; i < count; i++)
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = krn_cpu_lesser(low[axis], places[i].centre[axis]);
            high[axis] = krn_cpu_greater(high[axis], places[i].centre[axis]);
        }
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (high[axis] - low[axis] > high[longest] - low[longest])
            longest = axis;
    return longest;
}

/* Returns a number that grows with a coordinate; `index` decides between equal ones. */
static inline uint64_t key_of(float coordinate, int index)
{
    uint32_t bits;
    memcpy(&bits, &coordinate, sizeof bits);
    bits ^= 0x80000000u | (0u - (bits >> 31));
    return (uint64_t)bits << 32 | (uint32_t)index;
}

static inline void swap(uint64_t *a, uint64_t *b)
{
    const uint64_t held = *a;
    *a = *b;
    *b = held;
}

/* Moves the least `least` of `count` different keys to the front (C. A. R. Hoare, Find, 1961). The
 * inner loop has no branch that depends on a key. */
static void select_least(uint64_t *keys, int count, int least)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = low + (high - low) / 2, last = high - 1;
        if (keys[middle] < keys[low])
            swap(&keys[middle], &keys[low]);
        if (keys[last] < keys[low])
            swap(&keys[last], &keys[low]);
        if (keys[last] < keys[middle])
            swap(&keys[last], &keys[middle]);
        swap(&keys[low], &keys[middle]); /* the median of the three */
        const uint64_t pivot = keys[low];
        int end = low + 1; /* of the keys below the pivot */
        for (int i = low + 1; i < high; i++) {
            const uint64_t key = keys[i];
            keys[i] = keys[end];
            keys[end] = key;
            end += key < pivot;
        }
        const int at = end - 1;
        swap(&keys[low], &keys[at]);
        if (at == least)
            return;
        if (at < least)
            low = at + 1;
        else
            high = at;
    }
}

/* Arranges `count` places so that the first `half` lie on one side of a plane. */
static void halve(struct place *places, int count, int half, struct piece *piece)
{
    const int axis = longest_axis(places, count);
    for (int i = 0; i < count; i++)
        piece->keys[i] = key_of(places[i].centre[axis], i);
    select_least(piece->keys, count, half);
    for (int i = 0; i < count; i++)
        piece->moved[i] = places[(uint32_t)piece->keys[i]];
    memcpy(places, piece->moved, (size_t)count * sizeof *places);
}

/* Arranges the balls of a piece in compact boxes, because eight neighbours on the curve may lie in
 * a long row. Splits the balls where a subtree is full, as a VAMSplit tree does (D. A. White, R.
 * Jain, Similarity Indexing: Algorithms and Performance, 1996). */
static void arrange_piece(const struct build *build, int first)
{
    const struct krn_ball *balls = build->scene->balls;
    int *order = build->tree->order[PASSES % 2] + first;
    const int left = build->scene->count - first, count = left < PIECE ? left : PIECE;
    struct piece piece;
    for (int i = 0; i < count; i++) {
        const struct krn_ball ball = balls[order[i]];
        piece.places[i] = (struct place){{ball.x, ball.y, ball.z}, order[i]};
    }
    for (int half = PIECE / 2; half >= WIDE; half /= 2)
        for (int at = 0; at + half < count; at += 2 * half)
            halve(piece.places + at, count - at < 2 * half ? count - at : 2 * half, half, &piece);
    for (int i = 0; i < count; i++)
        order[i] = piece.places[i].sphere;
}

/* Makes the leaves of some nodes of level 0, and those nodes. */
static void make_leaves(const void *context, int index, int thread)
{
    (void)thread;
    const struct build *build = context;
    const struct krn_cpu_tree *tree = build->tree;
    const int first = index * KRN_CPU_TREE_NODES_PER_PIECE;
    if (build->arranges)
        arrange_piece(build, first * WIDE * WIDE);
    for (int n = first; n < first + KRN_CPU_TREE_NODES_PER_PIECE && n < tree->counts[0]; n++)
        for (int c = 0; c < WIDE; c++) {
            const int leaf = n * WIDE + c;
            if (leaf < tree->leaf_count) {
                fill_leaf(build, leaf, &tree->leaves[leaf]);
                bound_leaf(&tree->leaves[leaf], &tree->nodes[0][n], c);
            } else {
                clear_child(&tree->nodes[0][n], c);
            }
        }
}

static void make_level(const struct krn_cpu_tree *tree, int level)
{
    for (int n = 0; n < tree->counts[level]; n++)
        for (int c = 0; c < WIDE; c++) {
            const int child = n * WIDE + c;
            if (child < tree->counts[level - 1])
                bound_node(&tree->nodes[level - 1][child], &tree->nodes[level][n], c);
            else
                clear_child(&tree->nodes[level][n], c);
        }
}

void KRN_LEVEL(krn_cpu_tree_build)(struct krn_cpu_team *team,
                                   const struct krn_cpu_light_scene *scene,
                                   const struct krn_light_frame *frame, struct krn_bounds bounds,
                                   const struct krn_cpu_tree *tree)
{
    const double rays = (double)frame->width * frame->height * frame->samples;
    struct build build = {.scene = scene,
                          .tree = tree,
                          .bounds = bounds,
                          .slack = frame->slack,
                          .arranges = rays >= (double)ARRANGE_RAYS * scene->count};
    for (; build.pass < PASSES; build.pass++) {
        krn_cpu_team_share(team, tree->parts, build.pass == 0 ? key_part : count_part, &build);
        if (krn_cancelled()) /* then some keys or counts are missing */
            return;
        sum_digits(tree);
        krn_cpu_team_share(team, tree->parts, move_part, &build);
    }
    if (krn_cancelled())
        return;
    krn_cpu_team_share(team, krn_cpu_tree_pieces(tree), make_leaves, &build);
    for (int level = 1; level < tree->levels && !krn_cancelled(); level++)
        make_level(tree, level);
}
