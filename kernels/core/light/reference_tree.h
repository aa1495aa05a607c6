/* kernels/core/light/reference_tree.h - the spheres of the reference renderer of the light view, in
 * a bounding volume hierarchy in double, and its queries.
 *
 * A query follows a beam: the ray in double, with bounds of how far the same ray in float may be
 * off. It returns what the ray in double hits, and whether every ray in the beam hits the same.
 */
#ifndef KRN_LIGHT_REFERENCE_TREE_H
#define KRN_LIGHT_REFERENCE_TREE_H

#include "core/light/frame.h"
#include "krn/scene.h"

#include <math.h>
#include <stdbool.h>

/* Rounding to float is off by at most this share of a number. */
#define KRN_ROUNDING 0x1p-24

struct krn_dvec {
    double x, y, z;
};

static inline struct krn_dvec krn_dvec_of(struct krn_vec vec)
{
    return (struct krn_dvec){(double)vec.x, (double)vec.y, (double)vec.z};
}

static inline double krn_ddot(struct krn_dvec a, struct krn_dvec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double krn_dlength(struct krn_dvec a)
{
    return sqrt(krn_ddot(a, a));
}

/* Returns a + t * b. */
static inline struct krn_dvec krn_dalong(struct krn_dvec a, double t, struct krn_dvec b)
{
    return (struct krn_dvec){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}

/* A rotated sphere. */
struct krn_ref_sphere {
    struct krn_dvec centre;
    double radius;
    double error;  /* greatest error of the rotation in float, scene units */
    double length; /* of the vector to the centre */
    int number;    /* in the scene */
};

struct krn_ref_node {
    struct krn_dvec low, high; /* of the box about all its spheres, with their errors */
    int first, count;          /* its spheres; count is 0 for an inner node */
    int second;                /* an inner node's second child; the first one follows the node */
};

/* Zeroed: empty. */
struct krn_ref_tree {
    struct krn_ref_sphere *spheres; /* owned */
    struct krn_ref_node *nodes;     /* owned */
    int nodes_count;
};

/* A ray, and bounds of the errors of the same ray in float. */
struct krn_ref_beam {
    struct krn_dvec origin, direction; /* of length 1 */
    double spread;                     /* error of the origin across the direction, scene units */
    double shift;                      /* error of the origin in all, scene units */
    double angle;                      /* error of the direction, radians */
};

/* The nearest hit of a beam. */
struct krn_ref_hit {
    const struct krn_ref_sphere *sphere; /* NULL: none */
    double distance;
    double across, along; /* errors of the point of the hit across the beam, and along it */
    bool sure;            /* every ray in the beam hits this sphere first, or none */
};

/* Builds the tree; calls go_on(context) now and then. Errors: KRN_NO_MEMORY, KRN_REFUSED (go_on
 * returned false). The caller frees the tree also after an error. */
enum krn_code krn_ref_tree_build(struct krn_ref_tree *tree, const struct krn_scene *scene,
                                 struct krn_pose pose, bool (*go_on)(void *context), void *context,
                                 struct krn_error *error);
void krn_ref_tree_free(struct krn_ref_tree *tree);

/* Returns the nearest hit at a distance above `nearest`. Ignores the sphere `self`, on which the
 * beam starts; NULL: none. */
struct krn_ref_hit krn_ref_nearest(const struct krn_ref_tree *tree, const struct krn_ref_beam *beam,
                                   const struct krn_ref_sphere *self, double nearest);

/* Returns true when a sphere hides the sun from a point that is known to within `error`; *sure is
 * set to false when that cannot be decided. */
bool krn_ref_hidden(const struct krn_ref_tree *tree, const struct krn_light_frame *frame,
                    struct krn_dvec point, double error, bool *sure);

#endif
