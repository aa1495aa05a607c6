/* krn/reference.h - an independent reference renderer that verifies every kernel.
 *
 * It renders in double precision, sphere by sphere into a depth buffer: precision and loop order
 * differ from the kernels', and no code is shared. It marks the pixels that float cannot decide,
 * where a silhouette or a depth crossing is closer than the rounding error of the float
 * computation, which it bounds.
 *
 * Thread safety: functions on different references may run at the same time.
 */
#pragma once

#include "krn/device.h"
#include "krn/error.h"
#include "krn/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct krn_reference {
    int width, height;
    uint8_t *rgba;        /* 4 * width * height bytes in rows of 4 * width; owned */
    uint8_t *undecidable; /* width * height flags, 1 where float cannot decide; owned */
};

/* Renders the scene, rotated by pose. The cost is proportional to the pixels that the spheres
 * cover. Calls go_on(context), unless it is NULL, before each sphere and stops with KRN_REFUSED
 * when it returns false. Errors: also KRN_NO_MEMORY, and KRN_CANCELLED after krn_cancel. */
enum krn_code krn_reference_render(struct krn_reference *reference, const struct krn_scene *scene,
                                   struct krn_pose pose, const struct krn_view *view,
                                   bool (*go_on)(void *context), void *context,
                                   struct krn_error *error);

/* Renders likewise, but only `count` rows of the view, which become the reference's rows: by brute
 * force, every pixel of a row for every sphere that reaches the row. */
enum krn_code krn_reference_rows(struct krn_reference *reference, const struct krn_scene *scene,
                                 struct krn_pose pose, const struct krn_view *view, const int *rows,
                                 int count, bool (*go_on)(void *context), void *context,
                                 struct krn_error *error);

/* Frees the pictures and zeroes the reference. */
void krn_reference_free(struct krn_reference *reference);

/* The result of a comparison. */
struct krn_verdict {
    size_t compared;    /* pixels compared: all but the undecidable ones */
    size_t undecidable; /* pixels not compared */
    size_t wrong;       /* pixels with a channel off by more than 1 of 255, or with alpha != 255 */
    int first_x, first_y;           /* the first wrong pixel in row order; -1 when none */
    uint8_t expected[4], actual[4]; /* colours of the first wrong pixel */
};

/* Compares an image of the same size, in rows of 4 * width bytes, with the reference. After
 * krn_cancel, the verdict covers a part of the image. */
struct krn_verdict krn_reference_compare(const struct krn_reference *reference,
                                         const uint8_t *rgba);

/* Tests of a ray and a sphere that krn_reference_light does at most; one takes some 1.5 ns. */
#define KRN_REFERENCE_TESTS 3e8

/* Compares a picture of the light view, with the camera, bounces and samples of view->light, with
 * rays in double precision that are tested against every sphere. Shares with the kernels the
 * numbers that define the picture, but no arithmetic of rays. Compares as many rows as
 * KRN_REFERENCE_TESTS allow, spread over the picture, with the first and the last; or a part of the
 * pixels of 64 rows. A pixel that differs is undecidable when paths beside
 * its own, as float may follow them, bring other colours. go_on and errors are those of
 * krn_reference_render; go_on is called before each path. */
enum krn_code krn_reference_light(const struct krn_scene *scene, struct krn_pose pose,
                                  const struct krn_view *view, const uint8_t *rgba,
                                  bool (*go_on)(void *context), void *context,
                                  struct krn_verdict *verdict, struct krn_error *error);
