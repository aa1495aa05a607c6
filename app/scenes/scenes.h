/* app/scenes/scenes.h - reads scenes from files: JSON, tables and molecules. The file's suffix
 * tells the format; docs/formats.md describes all of them.
 *
 * A JSON file is in scene units:
 * {"schema": "spherescope-scene-1", "name": "optional",
 *  "spheres": [{"center": [x, y, z], "radius": r, "color": [r, g, b]}, ...]}
 * krn/scene.h has the ranges. Unknown and repeated members are errors. The other formats have
 * lengths of any unit, which become scene units: the scene is centred and scaled (struct
 * app_sphere_list).
 */
#pragma once

#include "base/value.h"
#include "krn/error.h"
#include "krn/scene.h"

#include <stdbool.h>
#include <stddef.h>

/* A sentence on what of a file is not in its scene, and on what its reader chose; "": nothing. */
struct app_scene_note {
    char text[APP_SCENE_NOTE_MAX];
};

/* Reads the scene file at path. On success *scene and *note are overwritten, and the caller frees
 * the scene with krn_scene_free; on failure they are untouched. Errors: KRN_REFUSED or KRN_FAILED
 * with a sentence that names file and line, KRN_NO_MEMORY. */
enum krn_code app_scene_read(const char *path, struct krn_scene *scene, struct app_scene_note *note,
                             struct krn_error *error);

/* The same for a regular file, below a folder unless that is NULL; see app_read_regular. */
enum krn_code app_scene_read_regular(const char *path, const char *folder, struct krn_scene *scene,
                                     struct app_scene_note *note, struct krn_error *error);

/* Does the same with a text of `length` bytes, which error messages call `source`, and whose format
 * the suffix of `source` tells. text[length] must be a zero byte. */
enum krn_code app_scene_parse(const char *text, size_t length, const char *source,
                              struct krn_scene *scene, struct app_scene_note *note,
                              struct krn_error *error);

/* --- inside the room: the spheres of a file that is read, in its unit of length --- */

struct app_lines {
    const char *source; /* the text's name in messages */
    const char *next, *end;
    size_t number;    /* of the line that was read last, 1 for the first; 0: none yet */
    const char *line; /* not terminated, without its line end */
    size_t length;
    struct krn_error *error;
};

/* Begins before the first line of a text of `length` bytes. */
struct app_lines app_lines_begin(const char *text, size_t length, const char *source,
                                 struct krn_error *error);

/* Moves to the next line, which LF, CR, or both end. Returns false at the end. */
bool app_lines_next(struct app_lines *lines);

/* Returns KRN_REFUSED with the message "FILE, line 12: WHAT." */
__attribute__((format(printf, 2, 3))) enum krn_code app_lines_fail(const struct app_lines *lines,
                                                                   const char *what, ...);

/* A short piece of a line, without the blanks around it. */
struct app_field {
    char text[40];
};

/* Copies bytes begin..end-1 of the line, or those of them that it has. A piece that does not fit is
 * cut and ends in '?', so that no part of a number passes for the number. */
struct app_field app_lines_field(const struct app_lines *lines, size_t begin, size_t end);

/* Returns how many blanks there are from a place of the line on. */
size_t app_lines_blanks(const struct app_lines *lines, size_t at);

/* Copies the next piece between blanks, from *at on, and moves *at behind it; "" at the end. */
struct app_field app_lines_word(const struct app_lines *lines, size_t *at);

/* Reads a field as a number of a scene file, which may begin with '+' and have Fortran's D in the
 * place of E. Returns false when it is none. */
bool app_field_number(const struct app_field *field, double *number);

/* Reads a field as a number from low to high, which messages call `name`. Errors: KRN_REFUSED. */
enum krn_code app_lines_number(const struct app_lines *lines, const struct app_field *field,
                               const char *name, double low, double high, double *number);

#define APP_LENGTH_MAX 1e12  /* of coordinates and radii, in the file's unit */
#define APP_LENGTH_MIN 1e-12 /* of radii */
#define APP_COLOUR_MAX 255.0

/* The distance from the scene's centre within which every sphere lies, in scene units: at zoom fit,
 * the image shows 512, and in the light view any distance is shown alike. */
#define APP_FRAME_RADIUS 480.0

struct app_ball {
    double x, y, z, radius; /* in the file's unit */
    float red, green, blue, mirror;
    size_t line; /* that it was read from */
};

struct app_sphere_list {
    struct app_ball *balls; /* owned, `count` of them */
    int count, capacity;
};

/* Appends a sphere. Errors: KRN_REFUSED (more than KRN_LARGE_SPHERES), KRN_NO_MEMORY. */
enum krn_code app_sphere_list_add(struct app_sphere_list *list, const struct app_lines *lines,
                                  const struct app_ball *ball);

/* Makes colours to 255 colours to 1, if the greatest one shows that they are: *scaled. Errors:
 * KRN_REFUSED (it is slightly over 1). */
enum krn_code app_sphere_list_scale_colours(struct app_sphere_list *list,
                                            const struct app_lines *lines, bool *scaled);

/* Makes the scene: the centre of the box that contains all spheres becomes the origin, and the
 * farthest surface is APP_FRAME_RADIUS away from it, so that the scene stays in the picture while
 * it turns. Errors: KRN_REFUSED (no spheres, or one is too small beside the scene), KRN_NO_MEMORY.
 */
enum krn_code app_sphere_list_frame(const struct app_sphere_list *list,
                                    const struct app_lines *lines, struct krn_scene *scene);

void app_sphere_list_free(struct app_sphere_list *list);

/* Each reads a scene from a text of `length` bytes, which messages call `source`; text[length] is a
 * zero byte, and no other is. On success *scene is overwritten; on failure it is untouched. *note
 * is empty before. Errors: KRN_REFUSED with a sentence that names source and line, KRN_NO_MEMORY.
 */
typedef enum krn_code app_scene_reader(const char *text, size_t length, const char *source,
                                       struct krn_scene *scene, struct app_scene_note *note,
                                       struct krn_error *error);

app_scene_reader app_scene_read_table;
app_scene_reader app_scene_read_xyz;
app_scene_reader app_scene_read_pdb;
app_scene_reader app_scene_read_mmcif;

struct app_element {
    const char *symbol;
    float radius; /* van der Waals, in angstrom */
    float red, green, blue;
};

/* Returns the element with that symbol, in any case, or with that atomic number; D is hydrogen.
 * NULL: there is none, or no radius of it is published. */
const struct app_element *app_element_find(const char *symbol);

/* Limits of what is read from scene files; docs/formats.md prints the numbers. */
enum {
    APP_SCENE_BYTES_MAX = 1 << 30,                 /* plain and unpacked */
    APP_SCENE_DEPTH_MAX = 4,                       /* scene, spheres, sphere, center */
    APP_SCENE_VALUES_MAX = 16 * KRN_LARGE_SPHERES, /* a sphere takes 13 */
};
