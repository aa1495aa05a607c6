/* kernels/cuda/light/tree.cuh - finds hits and shadows through the tree, with the storage of nodes
 * and spheres as a template parameter.
 *
 * A node holds the boxes of its two children, as in T. Aila, S. Laine, Understanding the Efficiency
 * of Ray Traversal on GPUs, 2009, so that one visit tests both. The boxes are larger than the
 * spheres by more than the rounding errors of a test (krn_light_frame.slack), so no sphere that
 * krn_nearest or krn_hides would accept is left out, and the picture is that of the brute kernel.
 */
#pragma once

#include "cuda/light/path.cuh"

namespace krn_tree
{

/* The levels of a tree: one per bit of a Morton code, and of a sphere's number where codes are
 * equal. */
enum { NUMBER_BITS = 20, DEPTH = KRN_CUDA_CODE_BITS + NUMBER_BITS };
static_assert(KRN_LARGE_SPHERES <= 1 << NUMBER_BITS, "the stack holds the deepest tree");

/* A node as four words of 128 bits: x and y of each child's box, z of both, the children. */
struct node {
    float4 box0, box1, z;
    int child0, child1; /* >= 0: a node; else ~number of a sphere */
};

/* A line in the form in which boxes are tested: distance = plane * inverse - start. */
struct line {
    krn_vec inverse, start;
};

/* Returns 1 / direction, but a finite value for a ray that is parallel to a plane. That displaces
 * the ray by much less than the boxes' slack. */
__device__ __forceinline__ float inverse_of(float direction)
{
    return 1.0f / (fabsf(direction) < 0x1p-64f ? copysignf(0x1p-64f, direction) : direction);
}

__device__ __forceinline__ line line_of(krn_vec origin, krn_vec direction)
{
    const krn_vec inverse = {inverse_of(direction.x), inverse_of(direction.y),
                             inverse_of(direction.z)};
    return {inverse, krn_times(origin, inverse)};
}

/* Returns true when a line hits a box at a distance >= 0, and sets *enter. */
__device__ __forceinline__ bool hits(const line &line, float4 xy, float low_z, float high_z,
                                     float *enter)
{
    const float x0 = krn_fma(xy.x, line.inverse.x, -line.start.x),
                x1 = krn_fma(xy.y, line.inverse.x, -line.start.x),
                y0 = krn_fma(xy.z, line.inverse.y, -line.start.y),
                y1 = krn_fma(xy.w, line.inverse.y, -line.start.y),
                z0 = krn_fma(low_z, line.inverse.z, -line.start.z),
                z1 = krn_fma(high_z, line.inverse.z, -line.start.z);
    const float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
    *enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1));
    return *enter <= leave && leave >= 0.0f;
}

/* The children of a node whose boxes a line hits, and the distances at which it enters them. */
struct visits {
    bool first, second;
    float enter0, enter1;
};

__device__ __forceinline__ visits visits_of(const node &node, const line &line)
{
    visits visits;
    visits.first = hits(line, node.box0, node.z.x, node.z.y, &visits.enter0);
    visits.second = hits(line, node.box1, node.z.z, node.z.w, &visits.enter1);
    return visits;
}

template <class Storage>
struct finder {
    Storage storage;
    krn_vec sun;
    float slack;

    __device__ __forceinline__ bool any(bool alive) const
    {
        return alive;
    }

    __device__ __forceinline__ struct krn_hit nearest(bool, const struct krn_ray &ray,
                                                      float least) const
    {
        const line line = line_of(ray.origin, ray.direction);
        struct krn_hit hit = {INFINITY, -1};
        int stack[DEPTH];
        float enters[DEPTH];
        int top = 0, at = 0;
        for (;;) {
            const node node = storage.node(at);
            visits visit = visits_of(node, line);
            if (visit.first && node.child0 < 0) {
                krn_nearest(ray, storage.ball(~node.child0), ~node.child0, least, &hit);
                visit.first = false;
            }
            if (visit.second && node.child1 < 0) {
                krn_nearest(ray, storage.ball(~node.child1), ~node.child1, least, &hit);
                visit.second = false;
            }
            /* Visits a box at exactly the hit's distance, too: of equal distances, the smaller
             * number wins. */
            visit.first = visit.first && !(visit.enter0 - slack > hit.distance);
            visit.second = visit.second && !(visit.enter1 - slack > hit.distance);
            if (visit.first && visit.second) {
                const bool swap = visit.enter1 < visit.enter0;
                stack[top] = swap ? node.child0 : node.child1;
                enters[top++] = swap ? visit.enter0 : visit.enter1;
                at = swap ? node.child1 : node.child0;
            } else if (visit.first || visit.second) {
                at = visit.first ? node.child0 : node.child1;
            } else {
                do {
                    if (top == 0)
                        return hit;
                    top--;
                } while (enters[top] - slack > hit.distance);
                at = stack[top];
            }
        }
    }

    __device__ __forceinline__ bool hidden(bool wanted, krn_vec point, krn_vec in_sun_space) const
    {
        if (!wanted)
            return false;
        const line line = line_of(point, sun);
        int stack[DEPTH];
        int top = 0, at = 0;
        for (;;) {
            const node node = storage.node(at);
            visits visit = visits_of(node, line);
            if (visit.first && node.child0 < 0) {
                if (krn_hides(in_sun_space, storage.sun(~node.child0)))
                    return true;
                visit.first = false;
            }
            if (visit.second && node.child1 < 0) {
                if (krn_hides(in_sun_space, storage.sun(~node.child1)))
                    return true;
                visit.second = false;
            }
            if (visit.first && visit.second) {
                stack[top++] = node.child1;
                at = node.child0;
            } else if (visit.first || visit.second) {
                at = visit.first ? node.child0 : node.child1;
            } else {
                if (top == 0)
                    return false;
                at = stack[--top];
            }
        }
    }
};

template <class Storage>
finder<Storage> finder_of(const Storage &storage, const krn_cuda_lit_frame &frame)
{
    return {storage, frame.light.sun, frame.light.slack};
}

template <class Storage>
cudaError_t launch(const Storage &storage, const krn_cuda_lit &lit, const krn_cuda_lit_frame &frame,
                   cudaStream_t stream)
{
    return krn_paths::launch(finder_of(storage, frame), lit, frame, stream);
}

__device__ __forceinline__ node node_of(float4 box0, float4 box1, float4 z, float4 children)
{
    return {box0, box1, z, __float_as_int(children.x), __float_as_int(children.y)};
}

/* The read-only path, for the count of rays too. */
struct readonly_storage : krn_paths::readonly_balls {
    const float4 *nodes;
    __device__ __forceinline__ krn_tree::node node(int i) const
    {
        return node_of(__ldg(nodes + 4 * i), __ldg(nodes + 4 * i + 1), __ldg(nodes + 4 * i + 2),
                       __ldg(nodes + 4 * i + 3));
    }
};

inline readonly_storage readonly_of(const krn_cuda_lit &lit, const krn_cuda_tree &tree)
{
    return {krn_paths::readonly_of(lit), (const float4 *)tree.nodes};
}

} // namespace krn_tree
