/* Scene files. */
#include "scene_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input_scene(data, size, "scene.json");
    return 0;
}
