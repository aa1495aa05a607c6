/* app/scenes/formats.h - the formats of scene files, behind scene_file.h. */
#ifndef APP_SCENE_FORMATS_H
#define APP_SCENE_FORMATS_H

#include "krn/error.h"
#include "krn/scene.h"

#include <stddef.h>

/* Each reads a scene from a text of `length` bytes, which messages call `source`; text[length] is a
 * zero byte. On success *scene is overwritten; on failure it is untouched. Errors: KRN_REFUSED with
 * a sentence that names source and line, KRN_NO_MEMORY. */
typedef enum krn_code app_scene_reader(const char *text, size_t length, const char *source,
                                       struct krn_scene *scene, struct krn_error *error);

app_scene_reader app_scene_read_json;
app_scene_reader app_scene_read_csv;
app_scene_reader app_scene_read_xyz;
app_scene_reader app_scene_read_pdb;

#endif
