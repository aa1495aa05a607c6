/* Scene files that are no JSON: the first byte of the input chooses the format. */
#include "scene_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {
        ['c'] = "scene.csv", ['m'] = "scene.cif", ['p'] = "scene.pdb", ['x'] = "scene.xyz"};
    if (size > 0 && data[0] < sizeof names / sizeof *names && names[data[0]] != NULL)
        input_scene(data + 1, size - 1, names[data[0]]);
    return 0;
}
