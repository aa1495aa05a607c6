/* Wraps a device, so that the pictures of one storage have a wrong sphere, or are rounded
 * otherwise: SPHERESCOPE_FAULT=constant, constant-rounded (in few pixels) or constant-rough (in
 * many). */
#include "core/device/backend.h"
#include "krn/memory.h"

#include <stdlib.h>
#include <string.h>

/* The functions that replace those of a device. */
struct wrapper {
    struct krn_device_ops ops; /* device->ops points here: the first member */
    const struct krn_device_ops *inner;
    enum krn_storage storage; /* the storage that gets the wrong scene */
    float brighter;           /* colours of the wrong scene over the right ones; 1: see spoil */
    struct krn_scene right, wrong;
    struct krn_pose pose;
    bool wrong_in_place;
};

static struct wrapper *wrapper_of(const struct krn_device *device)
{
    return (struct wrapper *)device->ops;
}

static enum krn_code copy(struct krn_scene *to, const struct krn_scene *from,
                          struct krn_error *error)
{
    struct krn_scene made = {.spheres = NULL};
    const enum krn_code code = krn_scene_copy(&made, from, error);
    if (code != KRN_OK)
        return code;
    krn_scene_free(to);
    *to = made;
    return KRN_OK;
}

/* Changes the colour of the front sphere, which is visible in every image without rotation; or
 * makes all colours a little brighter. */
static void spoil(struct krn_scene *scene, float brighter)
{
    struct krn_sphere *front = scene->spheres;
    for (int i = 0; i < scene->count; i++) {
        scene->spheres[i].r *= brighter;
        scene->spheres[i].g *= brighter;
        scene->spheres[i].b *= brighter;
    }
    if (brighter > 1.0f)
        return;
    for (int i = 1; i < scene->count; i++)
        if (scene->spheres[i].z + scene->spheres[i].radius > front->z + front->radius)
            front = &scene->spheres[i];
    front->r = front->r < 0.5f ? 1.0f : 0.0f;
    front->g = front->g < 0.5f ? 1.0f : 0.0f;
}

static enum krn_code set_scene(struct krn_device *device, const struct krn_scene *scene,
                               struct krn_error *error)
{
    struct wrapper *wrapper = wrapper_of(device);
    enum krn_code code = wrapper->inner->set_scene(device, scene, error);
    KRN_THEN(code, copy(&wrapper->right, scene, error));
    KRN_THEN(code, copy(&wrapper->wrong, scene, error));
    if (code != KRN_OK)
        return code;
    wrapper->pose = (struct krn_pose){1.0f, 0.0f};
    wrapper->wrong_in_place = false;
    spoil(&wrapper->wrong, wrapper->brighter);
    return KRN_OK;
}

static enum krn_code set_pose(struct krn_device *device, struct krn_pose pose,
                              struct krn_error *error)
{
    wrapper_of(device)->pose = pose;
    return wrapper_of(device)->inner->set_pose(device, pose, error);
}

/* Makes the right or the wrong scene current, as the mode's storage requires. */
static enum krn_code exchange(struct krn_device *device, struct krn_mode mode,
                              struct krn_error *error)
{
    struct wrapper *wrapper = wrapper_of(device);
    const bool wrong = mode.storage == wrapper->storage;
    if (wrong == wrapper->wrong_in_place)
        return KRN_OK;
    enum krn_code code =
        wrapper->inner->set_scene(device, wrong ? &wrapper->wrong : &wrapper->right, error);
    KRN_THEN(code, wrapper->inner->set_pose(device, wrapper->pose, error));
    wrapper->wrong_in_place = wrong;
    return code;
}

static enum krn_code render(struct krn_device *device, struct krn_mode mode,
                            const struct krn_view *view, const struct krn_image *image,
                            uint64_t tag, struct krn_error *error)
{
    enum krn_code code = exchange(device, mode, error);
    return KRN_THEN(code, wrapper_of(device)->inner->render(device, mode, view, image, tag, error));
}

static enum krn_code batch(struct krn_device *device, struct krn_mode mode,
                           const struct krn_view *view, const struct krn_image *image, int count,
                           double *ms, struct krn_error *error)
{
    enum krn_code code = exchange(device, mode, error);
    return KRN_THEN(code,
                    wrapper_of(device)->inner->batch(device, mode, view, image, count, ms, error));
}

static void unwrap_and_close(struct krn_device *device)
{
    struct wrapper *wrapper = wrapper_of(device);
    device->ops = wrapper->inner;
    krn_scene_free(&wrapper->right);
    krn_scene_free(&wrapper->wrong);
    free(wrapper);
    device->ops->close(device);
}

void krn_inject_image(struct krn_device *device)
{
    const char *name = getenv("SPHERESCOPE_FAULT");
    const size_t length = name ? strcspn(name, "-") : 0;
    int storage = 0;
    while (storage < KRN_STORAGE_COUNT &&
           !(name && strlen(krn_storage_name((enum krn_storage)storage)) == length &&
             strncmp(name, krn_storage_name((enum krn_storage)storage), length) == 0))
        storage++;
    if (storage == KRN_STORAGE_COUNT)
        return;
    struct wrapper *wrapper = krn_alloc(1, sizeof *wrapper);
    wrapper->inner = device->ops;
    wrapper->storage = (enum krn_storage)storage;
    wrapper->brighter = strcmp(name + length, "-rounded") == 0 ? 1.0f + 0x1p-20f
                        : strcmp(name + length, "-rough") == 0 ? 1.0f + 0x1p-12f
                                                               : 1.0f;
    wrapper->ops = *device->ops;
    wrapper->ops.set_scene = set_scene;
    wrapper->ops.set_pose = set_pose;
    wrapper->ops.render = render;
    wrapper->ops.batch = batch;
    wrapper->ops.close = unwrap_and_close;
    device->ops = &wrapper->ops;
}
