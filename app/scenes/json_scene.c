/* app/scenes/json_scene.c - scenes in JSON, with the place of every mistake. */
#include "base/json_read.h"
#include "base/value.h"
#include "scenes/scenes.h"

#include <string.h>

#define SCHEMA "spherescope-scene-1"

static const struct app_json_bounds bounds = {
    .bytes = APP_SCENE_BYTES_MAX,
    .depth = APP_SCENE_DEPTH_MAX,
    .values = APP_SCENE_VALUES_MAX,
};

/* Reads the number at the reader's place, which must lie in low..high. */
static enum krn_code read_number(const struct app_json_reader *reader, const json_t *value,
                                 double low, double high, float *number)
{
    if (value == NULL)
        return app_json_fail(reader, "is missing");
    const double parsed = json_number_value(value);
    if (!json_is_number(value) || !(parsed >= low && parsed <= high)) {
        char range[64];
        app_format(range, sizeof range, "%.7g to %.7g", low, high);
        return app_json_fail(reader, "must be a number from %s", range);
    }
    *number = (float)parsed;
    return KRN_OK;
}

/* Reads a member that is a number or, where `count` is more than 1, an array of numbers. */
static enum krn_code read_member(struct app_json_reader *reader, const json_t *sphere,
                                 const char *key, size_t count, double low, double high,
                                 float *numbers)
{
    const json_t *value = json_object_get(sphere, key);
    enum krn_code code = KRN_OK;
    app_json_enter(reader, key, 0);
    if (count == 1)
        code = read_number(reader, value, low, high, numbers);
    else if (!json_is_array(value) || json_array_size(value) != count)
        code = app_json_fail(
            reader, value == NULL ? "is missing" : "must be an array of %zu numbers", count);
    for (size_t i = 0; i < count && count > 1 && code == KRN_OK; i++) {
        app_json_enter(reader, NULL, i);
        code = read_number(reader, json_array_get(value, i), low, high, &numbers[i]);
        app_json_leave(reader);
    }
    app_json_leave(reader);
    return code;
}

static enum krn_code read_sphere(struct app_json_reader *reader, const json_t *value,
                                 struct krn_sphere *sphere, float *mirror)
{
    static const char *const members[] = {"center", "radius", "color", "mirror", NULL};
    const double most = KRN_COORDINATE_MAX;
    float center[3] = {0}, color[3] = {0};
    if (!json_is_object(value))
        return app_json_fail(reader, "must be an object with center, radius and color");
    enum krn_code code = app_json_check_members(reader, value, members);
    KRN_THEN(code, read_member(reader, value, "center", 3, -most, most, center));
    KRN_THEN(code, read_member(reader, value, "color", 3, 0, 1, color));
    KRN_THEN(code, read_member(reader, value, "radius", 1, (double)KRN_RADIUS_MIN,
                               (double)KRN_RADIUS_MAX, &sphere->radius));
    if (code == KRN_OK && json_object_get(value, "mirror") != NULL)
        code = read_member(reader, value, "mirror", 1, 0, 1, mirror);
    sphere->x = center[0];
    sphere->y = center[1];
    sphere->z = center[2];
    sphere->r = color[0];
    sphere->g = color[1];
    sphere->b = color[2];
    return code;
}

static enum krn_code read_spheres(struct app_json_reader *reader, const json_t *spheres,
                                  struct krn_scene *scene)
{
    const size_t count = json_array_size(spheres);
    if (spheres == NULL)
        return app_json_fail(reader, "is missing");
    if (!json_is_array(spheres) || count < KRN_SPHERES_MIN || count > KRN_LARGE_SPHERES)
        return app_json_fail(reader, "must be an array of %d to %d spheres", KRN_SPHERES_MIN,
                             KRN_LARGE_SPHERES);
    enum krn_code code = krn_scene_alloc(scene, (int)count, reader->error);
    for (size_t i = 0; i < count && code == KRN_OK; i++) {
        app_json_enter(reader, NULL, i);
        code =
            read_sphere(reader, json_array_get(spheres, i), &scene->spheres[i], &scene->mirrors[i]);
        app_json_leave(reader);
    }
    return code;
}

static enum krn_code read_root(struct app_json_reader *reader, const json_t *root,
                               struct krn_scene *scene)
{
    static const char *const members[] = {"schema", "name", "spheres", NULL};
    const json_t *schema = json_object_get(root, "schema"), *name = json_object_get(root, "name");
    if (!json_is_object(root))
        return app_json_fail(reader, "must be an object with schema and spheres");
    app_json_enter(reader, "schema", 0);
    if (!json_is_string(schema) || strcmp(json_string_value(schema), SCHEMA) != 0)
        return app_json_fail(reader, "must be \"" SCHEMA "\"");
    app_json_leave(reader);
    const enum krn_code code = app_json_check_members(reader, root, members);
    if (code != KRN_OK)
        return code;
    app_json_enter(reader, "name", 0);
    if (name != NULL && !json_is_string(name))
        return app_json_fail(reader, "must be a string");
    app_json_leave(reader);
    app_json_enter(reader, "spheres", 0);
    return read_spheres(reader, json_object_get(root, "spheres"), scene);
}

enum krn_code app_scene_read_json(const char *text, size_t length, const char *source,
                                  struct krn_scene *scene, struct app_scene_note *note,
                                  struct krn_error *error)
{
    (void)note;
    struct app_json_reader reader = {
        .text = text, .length = length, .source = source, .error = error};
    json_t *root = NULL;
    struct krn_scene read = {.spheres = NULL};
    enum krn_code code = app_json_load(&reader, &bounds, &root);
    if (code != KRN_OK)
        return code;
    code = read_root(&reader, root, &read);
    json_decref(root);
    if (code == KRN_OK)
        *scene = read;
    else
        krn_scene_free(&read);
    return code;
}
