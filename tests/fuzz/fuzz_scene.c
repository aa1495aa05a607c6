/* Scene files. */
#include "input.h"

#include "engine/scene_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct krn_error error = {0};
    struct krn_scene scene = {.spheres = NULL};
    char *text = input_text(data, size);
    const enum krn_code code = app_scene_parse(text, size, "scene.json", &scene, &error);
    if (code == KRN_OK) {
        input_check(krn_scene_check(&scene, &error) == KRN_OK, "a scene that can be rendered");
    } else {
        input_check(scene.spheres == NULL && code == error.code, "a refusal leaves no scene");
        input_check_sentence(error.text);
    }
    krn_scene_free(&scene);
    free(text);
    return 0;
}
