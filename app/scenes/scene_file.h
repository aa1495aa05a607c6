/* app/scenes/scene_file.h - reads scenes from files: JSON, tables and molecules. The file's suffix
 * tells the format; docs/formats.md describes all of them.
 *
 * A JSON file is in scene units:
 * {"schema": "spherescope-scene-1", "name": "optional",
 *  "spheres": [{"center": [x, y, z], "radius": r, "color": [r, g, b]}, ...]}
 * krn/scene.h has the ranges. Unknown and repeated members are errors. The other formats have
 * lengths of any unit, which become scene units: the scene is centred and scaled (sphere_list.h).
 */
#pragma once

#include "scenes/sphere_list.h"

#include "krn/error.h"
#include "krn/scene.h"

#include <stddef.h>

/* Reads the scene file at path. On success *scene and *note are overwritten, and the caller frees
 * the scene with krn_scene_free; on failure they are untouched. Errors: KRN_REFUSED or KRN_FAILED
 * with a sentence that names file and line, KRN_NO_MEMORY. */
enum krn_code app_scene_read(const char *path, struct krn_scene *scene, struct app_scene_note *note,
                             struct krn_error *error);

/* The same for a regular file, below a folder unless that is NULL; see app_read_regular. */
enum krn_code app_scene_read_regular(const char *path, const char *folder, struct krn_scene *scene,
                                     struct app_scene_note *note, struct krn_error *error);

/* Does the same with a text of `length` bytes, which error messages call `source`, and whose format
 * the suffix of `source` tells. text[length] must be a zero byte. */
enum krn_code app_scene_parse(const char *text, size_t length, const char *source,
                              struct krn_scene *scene, struct app_scene_note *note,
                              struct krn_error *error);
