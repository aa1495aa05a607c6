/* krn/reference.h - an independent picture to hold every kernel against.
 *
 * Double precision, sphere by sphere into a depth buffer: other precision, other loop order and no
 * line in common with the kernels. It marks the pixels that float cannot decide: a silhouette or a
 * depth crossing closer than the rounding error that its own computation bounds.
 */
#ifndef KRN_REFERENCE_H
#define KRN_REFERENCE_H

#include "krn/device.h"
#include "krn/error.h"
#include "krn/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct krn_reference {
    int width, height;
    uint8_t *rgba;        /* 4 * width * height bytes, rows 4 * width apart; owned */
    uint8_t *undecidable; /* width * height flags, 1 where float cannot decide; owned */
};

/* Renders scene turned by pose. Cost: the pixels that the spheres cover, not pixels x spheres.
 * Errors: KRN_NO_MEMORY. */
enum krn_code krn_reference_render(struct krn_reference *reference, const struct krn_scene *scene,
                                   struct krn_pose pose, const struct krn_view *view,
                                   struct krn_error *error);

/* The same, given up (KRN_REFUSED) as soon as go_on(context), asked before each sphere, says false.
 */
enum krn_code krn_reference_render_while(struct krn_reference *reference,
                                         const struct krn_scene *scene, struct krn_pose pose,
                                         const struct krn_view *view, bool (*go_on)(void *context),
                                         void *context, struct krn_error *error);
void krn_reference_free(struct krn_reference *reference);

/* What a comparison over the whole image found. */
struct krn_verdict {
    size_t compared;    /* pixels held against the reference, undecidable ones left out */
    size_t undecidable; /* pixels left out */
    size_t wrong;       /* pixels off by more than 1 in 255 in any channel, or with alpha != 255 */
    int first_x, first_y;           /* the first wrong pixel in row order; -1 when none */
    uint8_t expected[4], actual[4]; /* there */
};

/* Compares rgba (rows 4 * width bytes apart, same size) with the reference. */
struct krn_verdict krn_reference_compare(const struct krn_reference *reference,
                                         const uint8_t *rgba);

#ifdef __cplusplus
}
#endif
#endif
