/* tests/fuzz/scene_input.h - what the fuzz targets of scene files share. */
#pragma once

#include "input.h"

#include "scenes/scenes.h"

/* Parses an input as the scene file `name`, whose suffix chooses the format, and checks what the
 * parser promises. */
static inline void input_scene(const uint8_t *data, size_t size, const char *name)
{
    struct krn_error error = {0};
    struct krn_scene scene = {.spheres = NULL};
    struct app_scene_note note = {""};
    char *text = input_text(data, size);
    const enum krn_code code = app_scene_parse(text, size, name, &scene, &note, &error);
    input_answer(code == KRN_OK, error.text);
    if (code == KRN_OK)
        input_check(krn_scene_check(&scene, &error) == KRN_OK, "a scene that can be rendered");
    else
        input_check(scene.spheres == NULL && code == error.code, "a refusal leaves no scene");
    krn_scene_free(&scene);
    free(text);
}
