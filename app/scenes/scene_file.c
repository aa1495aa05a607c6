/* app/scenes/scene_file.c - finds a scene's reader by its suffix, and reads the file; scenes in
 * JSON, with the place of every mistake. */
#include "scenes/scenes.h"

#include "base/files.h"
#include "base/json_read.h"
#include "base/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* --- JSON --- */

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

static enum krn_code read_json(const char *text, size_t length, const char *source,
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

/* --- all formats --- */

#define GZIP ".gz"

/* The suffixes, in any case, which GZIP may follow. The Protein Data Bank names its files .ent, and
 * biological assemblies .pdb1. */
static const struct {
    const char *suffix;
    app_scene_reader *read;
} formats[] = {
    {".json", read_json},
    {".csv", app_scene_read_table},
    {".tsv", app_scene_read_table},
    {".txt", app_scene_read_table},
    {".xyz", app_scene_read_xyz},
    {".extxyz", app_scene_read_xyz},
    {".pdb", app_scene_read_pdb},
    {".ent", app_scene_read_pdb},
    {".pdb1", app_scene_read_pdb},
    {".cif", app_scene_read_mmcif},
    {".mmcif", app_scene_read_mmcif},
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* Returns true when the first `length` bytes of a name end in a suffix. */
static bool ends_in(const char *name, size_t length, const char *suffix)
{
    const size_t n = strlen(suffix);
    return length > n && strncasecmp(name + length - n, suffix, n) == 0;
}

/* Returns the reader of the format that a name tells; NULL: it tells none. */
static app_scene_reader *reader_of(const char *name)
{
    const size_t all = strlen(name), length = ends_in(name, all, GZIP) ? all - strlen(GZIP) : all;
    for (size_t i = 0; i < FORMATS; i++)
        if (ends_in(name, length, formats[i].suffix))
            return formats[i].read;
    return NULL;
}

static enum krn_code refuse_name(const char *name, struct krn_error *error)
{
    char list[160] = "";
    for (size_t i = 0; i < FORMATS; i++)
        app_append(list, sizeof list, i + 1 < FORMATS ? ", " : " or ", "%s", formats[i].suffix);
    return KRN_FAIL(error, KRN_REFUSED,
                    "%s is in no known format: scene files end in %s, perhaps with " GZIP
                    " behind it; a pipe has JSON.",
                    app_shorten(name).text, list);
}

/* Parses a text in a format; NULL: unknown. */
static enum krn_code parse_as(app_scene_reader *reader, const char *text, size_t length,
                              const char *source, struct krn_scene *scene,
                              struct app_scene_note *note, struct krn_error *error)
{
    struct krn_scene read = {.spheres = NULL};
    struct app_scene_note own = {""};
    enum krn_code code =
        reader != NULL ? app_text_begin(&text, &length, source, error) : refuse_name(source, error);
    KRN_THEN(code, reader(text, length, source, &read, &own, error));
    KRN_THEN(code, krn_scene_check(&read, error));
    if (code == KRN_OK) {
        *scene = read;
        *note = own;
    } else {
        krn_scene_free(&read);
    }
    return code;
}

enum krn_code app_scene_parse(const char *text, size_t length, const char *source,
                              struct krn_scene *scene, struct app_scene_note *note,
                              struct krn_error *error)
{
    return parse_as(reader_of(source), text, length, source, scene, note, error);
}

enum krn_code app_scene_read(const char *path, struct krn_scene *scene, struct app_scene_note *note,
                             struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    struct stat status;
    app_scene_reader *reader = reader_of(path);
    const bool there = reader == NULL && stat(path, &status) == 0;
    const bool nameless = there && (!S_ISREG(status.st_mode) || strncmp(path, "/dev/", 5) == 0);
    if (there && !nameless)
        return refuse_name(path, error);
    enum krn_code code = app_read_file(path, APP_SCENE_BYTES_MAX, &text, &length, error);
    if (nameless && code == KRN_OK && (length == 0 || strchr("{[ \t\r\n\xef\xfe\xff", text[0])))
        reader = read_json;
    KRN_THEN(code, parse_as(reader, text, length, path, scene, note, error));
    free(text);
    return code;
}

enum krn_code app_scene_read_regular(const char *path, const char *folder, struct krn_scene *scene,
                                     struct app_scene_note *note, struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    enum krn_code code = app_read_regular(path, folder, APP_SCENE_BYTES_MAX, &text, &length, error);
    KRN_THEN(code, app_scene_parse(text, length, path, scene, note, error));
    free(text);
    return code;
}
