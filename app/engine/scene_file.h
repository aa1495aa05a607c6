/* app/engine/scene_file.h - scenes as JSON files.
 *
 * {"schema": "spherescope-scene-1", "name": "optional",
 *  "spheres": [{"center": [x, y, z], "radius": r, "color": [r, g, b]}, ...]}
 * Scene units; colours 0..1. Ranges as in krn/scene.h. Unknown and repeated members are errors.
 */
#ifndef APP_SCENE_FILE_H
#define APP_SCENE_FILE_H

#include "krn/error.h"
#include "krn/scene.h"

#include <stddef.h>

enum { APP_SCENE_BYTES_MAX = 256 * 1024 * 1024 };

/* Reads path. *scene is overwritten on success, untouched on failure; to be freed with
 * krn_scene_free. Errors: KRN_REFUSED or KRN_FAILED with a sentence that names file and line,
 * KRN_NO_MEMORY. */
enum krn_code app_scene_read(const char *path, struct krn_scene *scene, struct krn_error *error);

/* The same for a text of `length` bytes; source is what sentences call it. text[length] must be
 * readable (a zero byte). */
enum krn_code app_scene_parse(const char *text, size_t length, const char *source,
                              struct krn_scene *scene, struct krn_error *error);

#endif
