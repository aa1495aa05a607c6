/* app/scenes/sphere_list.h - the spheres of a file that is read, in the file's unit of length, and
 * the scene that they become.
 */
#ifndef APP_SPHERE_LIST_H
#define APP_SPHERE_LIST_H

#include "scenes/lines.h"

#include "krn/scene.h"

#define APP_LENGTH_MAX 1e12  /* of coordinates and radii, in the file's unit */
#define APP_LENGTH_MIN 1e-12 /* of radii */

/* The distance from the scene's centre within which every sphere lies, in scene units: at zoom fit,
 * the image shows 512, and in the light view any distance is shown alike. */
#define APP_FRAME_RADIUS 480.0

struct app_ball {
    double x, y, z, radius; /* in the file's unit */
    float red, green, blue, mirror;
    size_t line; /* that it was read from */
};

struct app_sphere_list {
    struct app_ball *balls; /* owned, `count` of them */
    int count, capacity;
};

/* Appends a sphere. Errors: KRN_REFUSED (more than KRN_SPHERES_MAX), KRN_NO_MEMORY. */
enum krn_code app_sphere_list_add(struct app_sphere_list *list, const struct app_lines *lines,
                                  const struct app_ball *ball);

/* Makes the scene: the centre of the box that contains all spheres becomes the origin, and the
 * farthest surface is APP_FRAME_RADIUS away from it, so that the scene stays in the picture while
 * it turns. Errors: KRN_REFUSED (no spheres, or one is too small beside the scene), KRN_NO_MEMORY.
 */
enum krn_code app_sphere_list_frame(const struct app_sphere_list *list,
                                    const struct app_lines *lines, struct krn_scene *scene);

void app_sphere_list_free(struct app_sphere_list *list);

#endif
