#include "scenes/scene_file.h"

#include "base/files.h"
#include "scenes/sphere_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A file with another suffix, or without one, is JSON. */
static const struct {
    const char *suffix; /* in any case */
    app_scene_reader *read;
} formats[] = {
    {".json", app_scene_read_json}, {".csv", app_scene_read_table}, {".tsv", app_scene_read_table},
    {".txt", app_scene_read_table}, {".xyz", app_scene_read_xyz},   {".extxyz", app_scene_read_xyz},
    {".pdb", app_scene_read_pdb},   {".ent", app_scene_read_pdb}, /* the name that the Protein Data
                                                                     Bank gives its files */
    {".pdb1", app_scene_read_pdb}, /* and that of a biological assembly */
};

static app_scene_reader *reader_of(const char *source)
{
    const size_t length = strlen(source);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const size_t n = strlen(formats[i].suffix);
        if (length > n && strcasecmp(source + length - n, formats[i].suffix) == 0)
            return formats[i].read;
    }
    return app_scene_read_json;
}

enum krn_code app_scene_parse(const char *text, size_t length, const char *source,
                              struct krn_scene *scene, struct app_scene_note *note,
                              struct krn_error *error)
{
    struct krn_scene read = {.spheres = NULL};
    struct app_scene_note own = {""};
    enum krn_code code = reader_of(source)(text, length, source, &read, &own, error);
    if (code == KRN_OK)
        code = krn_scene_check(&read, error);
    if (code == KRN_OK) {
        *scene = read;
        *note = own;
    } else {
        krn_scene_free(&read);
    }
    return code;
}

/* Parses the text that was read, and frees it. */
static enum krn_code parse_read(enum krn_code code, char *text, size_t length, const char *path,
                                struct krn_scene *scene, struct app_scene_note *note,
                                struct krn_error *error)
{
    if (code == KRN_OK)
        code = app_scene_parse(text, length, path, scene, note, error);
    free(text);
    return code;
}

enum krn_code app_scene_read(const char *path, struct krn_scene *scene, struct app_scene_note *note,
                             struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    const enum krn_code code = app_read_file(path, APP_SCENE_BYTES_MAX, &text, &length, error);
    return parse_read(code, text, length, path, scene, note, error);
}

enum krn_code app_scene_read_regular(const char *path, const char *folder, struct krn_scene *scene,
                                     struct app_scene_note *note, struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    const enum krn_code code =
        app_read_regular(path, folder, APP_SCENE_BYTES_MAX, &text, &length, error);
    return parse_read(code, text, length, path, scene, note, error);
}
