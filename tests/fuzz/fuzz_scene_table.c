/* Scene files that are no JSON: the first byte of the input chooses the format. */
#include "scene_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"scene.csv", "scene.xyz", "scene.pdb"};
    if (size > 0)
        input_scene(data + 1, size - 1, names[data[0] == 'c' ? 0 : data[0] == 'x' ? 1 : 2]);
    return 0;
}
