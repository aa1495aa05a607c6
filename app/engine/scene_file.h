/* app/engine/scene_file.h - reads scenes from JSON files.
 *
 * {"schema": "spherescope-scene-1", "name": "optional",
 *  "spheres": [{"center": [x, y, z], "radius": r, "color": [r, g, b]}, ...]}
 * Lengths are in scene units, colours in 0..1; krn/scene.h has the ranges. Unknown and repeated
 * members are errors.
 */
#ifndef APP_SCENE_FILE_H
#define APP_SCENE_FILE_H

#include "krn/error.h"
#include "krn/scene.h"

#include <stddef.h>

enum {
    APP_SCENE_BYTES_MAX = 256 << 20,
    APP_SCENE_DEPTH_MAX = 4,                     /* scene, spheres, sphere, center */
    APP_SCENE_VALUES_MAX = 16 * KRN_SPHERES_MAX, /* a sphere takes 13 */
};

/* Reads the scene file at path. On success *scene is overwritten, and the caller frees it with
 * krn_scene_free; on failure it is untouched. Errors: KRN_REFUSED or KRN_FAILED with a sentence
 * that names file and line, KRN_NO_MEMORY. */
enum krn_code app_scene_read(const char *path, struct krn_scene *scene, struct krn_error *error);

/* Does the same with a text of `length` bytes, which error messages call `source`. text[length]
 * must be a zero byte. */
enum krn_code app_scene_parse(const char *text, size_t length, const char *source,
                              struct krn_scene *scene, struct krn_error *error);

#endif
