/* app/scenes/scene_file.c - finds a scene's reader by its suffix, and reads the file. */
#include "scenes/scenes.h"

#include "base/files.h"
#include "base/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define GZIP ".gz"

/* The suffixes, in any case, which GZIP may follow. The Protein Data Bank names its files .ent, and
 * biological assemblies .pdb1. */
static const struct {
    const char *suffix;
    app_scene_reader *read;
} formats[] = {
    {".json", app_scene_read_json},   {".csv", app_scene_read_table},
    {".tsv", app_scene_read_table},   {".txt", app_scene_read_table},
    {".xyz", app_scene_read_xyz},     {".extxyz", app_scene_read_xyz},
    {".pdb", app_scene_read_pdb},     {".ent", app_scene_read_pdb},
    {".pdb1", app_scene_read_pdb},    {".cif", app_scene_read_mmcif},
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
        reader = app_scene_read_json;
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
