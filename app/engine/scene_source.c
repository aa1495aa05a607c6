#include "engine/scene_source.h"

#include "scenes/scene_file.h"

#include <stdio.h>
#include <string.h>

enum krn_code app_scene_source_set(struct app_scene_source *source, const char *path,
                                   const struct krn_scene *scene, struct krn_error *error)
{
    krn_scene_free(&source->scene);
    snprintf(source->path, sizeof source->path, "%s", path);
    return krn_scene_copy(&source->scene, scene, error);
}

static enum krn_code read_file(const struct app_scene_source *source, const char *path,
                               struct krn_scene *scene, struct krn_error *error)
{
    const char *folder = source->folder_of ? source->folder_of(source->context, path) : NULL;
    if (source->path[0] != 0 && strcmp(source->path, path) == 0)
        return krn_scene_copy(scene, &source->scene, error);
    return folder || source->started ? app_scene_read_regular(path, folder, scene, error)
                                     : app_scene_read(path, scene, error);
}

enum krn_code app_scene_source_make(const struct app_scene_source *source,
                                    const struct app_state *state, struct krn_scene *scene,
                                    struct krn_error *error)
{
    return state->scene == APP_SCENE_FILE ? read_file(source, state->scene_path, scene, error)
                                          : krn_scene_generate(scene, &state->recipe, error);
}

void app_scene_source_free(struct app_scene_source *source)
{
    krn_scene_free(&source->scene);
}
