/* app/engine/scene_source.h - makes the scene that a state names: a generated one, or one that is
 * read from a file.
 *
 * The command line may name a pipe, whose writer the start then waits for. Once something is shown,
 * a scene file is a regular one, so that no pipe can stop the show.
 */
#ifndef APP_SCENE_SOURCE_H
#define APP_SCENE_SOURCE_H

#include "base/limits.h"
#include "command/state.h"

#include "krn/error.h"
#include "krn/scene.h"

#include <stdbool.h>

/* Returns the real path of the folder in which a scene file must lie or below, also behind symbolic
 * links; NULL: it may lie anywhere. */
typedef const char *app_scene_folder(const void *context, const char *path);

/* Zeroed, it reads every file. */
struct app_scene_source {
    bool started;                /* a scene has been made and taken */
    char path[APP_PATH_MAX];     /* of the file that `scene` takes the place of; "": none */
    struct krn_scene scene;      /* its own copy */
    app_scene_folder *folder_of; /* NULL: files may lie anywhere */
    const void *context;
};

/* Puts a copy of a scene in the place of the file at `path`, which is then never opened. Errors:
 * KRN_NO_MEMORY. */
enum krn_code app_scene_source_set(struct app_scene_source *source, const char *path,
                                   const struct krn_scene *scene, struct krn_error *error);

/* Makes the state's scene, which the caller frees with krn_scene_free. Errors, with a sentence that
 * names the file: KRN_REFUSED, KRN_FAILED, KRN_NO_MEMORY; *scene is then untouched. */
enum krn_code app_scene_source_make(const struct app_scene_source *source,
                                    const struct app_state *state, struct krn_scene *scene,
                                    struct krn_error *error);

/* Frees what app_scene_source_set has copied. */
void app_scene_source_free(struct app_scene_source *source);

#endif
