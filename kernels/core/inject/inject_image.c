#include "core/inject/inject_image.h"

#include <stdlib.h>
#include <string.h>

struct krn_inject_image {
    enum krn_storage storage;
    struct krn_scene right, wrong;
    struct krn_pose pose;
    bool wrong_in_place;
};

/* The storage to be wrong in; KRN_STORAGE_COUNT: none. */
static enum krn_storage asked_for(void)
{
    const char *name = getenv("SPHERESCOPE_FAULT");
    int storage = 0;
    while (storage < KRN_STORAGE_COUNT &&
           !(name && strcmp(name, krn_storage_name((enum krn_storage)storage)) == 0))
        storage++;
    return (enum krn_storage)storage;
}

static enum krn_code copy(struct krn_scene *to, const struct krn_scene *from,
                          struct krn_error *error)
{
    struct krn_scene made = {NULL, 0};
    const enum krn_code code = krn_scene_alloc(&made, from->count, error);
    if (code != KRN_OK)
        return code;
    memcpy(made.spheres, from->spheres, (size_t)from->count * sizeof *from->spheres);
    krn_scene_free(to);
    *to = made;
    return KRN_OK;
}

/* The sphere that reaches farthest forward is seen, as long as nobody turns it away. */
static void spoil(struct krn_scene *scene)
{
    struct krn_sphere *front = scene->spheres;
    for (int i = 1; i < scene->count; i++)
        if (scene->spheres[i].z + scene->spheres[i].radius > front->z + front->radius)
            front = &scene->spheres[i];
    front->r = front->r < 0.5f ? 1.0f : 0.0f;
    front->g = front->g < 0.5f ? 1.0f : 0.0f;
}

enum krn_code krn_inject_image_set_scene(struct krn_device *device, const struct krn_scene *scene,
                                         struct krn_error *error)
{
    const enum krn_storage storage = asked_for();
    if (storage == KRN_STORAGE_COUNT)
        return KRN_OK;
    if (!device->fault) {
        device->fault = calloc(1, sizeof *device->fault);
        if (!device->fault)
            return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a fault.");
    }
    device->fault->storage = storage;
    device->fault->pose = (struct krn_pose){1.0f, 0.0f};
    device->fault->wrong_in_place = false;
    enum krn_code code = copy(&device->fault->right, scene, error);
    if (code == KRN_OK)
        code = copy(&device->fault->wrong, scene, error);
    if (code == KRN_OK)
        spoil(&device->fault->wrong);
    return code;
}

void krn_inject_image_set_pose(struct krn_inject_image *fault, struct krn_pose pose)
{
    fault->pose = pose;
}

enum krn_code krn_inject_image_prepare(struct krn_device *device, struct krn_mode mode,
                                       struct krn_error *error)
{
    struct krn_inject_image *fault = device->fault;
    const bool wrong = mode.storage == fault->storage;
    if (wrong == fault->wrong_in_place)
        return KRN_OK;
    enum krn_code code =
        device->ops->set_scene(device, wrong ? &fault->wrong : &fault->right, error);
    if (code == KRN_OK)
        code = device->ops->set_pose(device, fault->pose, error);
    fault->wrong_in_place = wrong;
    return code;
}

void krn_inject_image_close(struct krn_device *device)
{
    if (!device->fault)
        return;
    krn_scene_free(&device->fault->right);
    krn_scene_free(&device->fault->wrong);
    free(device->fault);
    device->fault = NULL;
}
