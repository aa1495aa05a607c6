/* app/base/json_read.h - a reader for untrusted JSON whose errors name the file and the place in
 * it.
 *
 * A reader holds a position in a JSON text. Functions that fail fill the reader's error and return
 * its code.
 */
#pragma once

#include "krn/error.h"

#include <jansson.h>
#include <stddef.h>

enum { APP_JSON_STEPS_MAX = 8 };

/* One step from a value to a value inside it: a member when key is not NULL, else an element. */
struct app_json_step {
    const char *key;
    size_t element;
};

struct app_json_reader {
    const char *text;
    size_t length;
    const char *source; /* the name of the text in messages: a file name */
    struct krn_error *error;
    struct app_json_step steps[APP_JSON_STEPS_MAX]; /* the path from the outermost value */
    size_t depth; /* the number of steps; those beyond the array are counted, not kept */
};

/* The largest text that the parser accepts; it limits the memory that a hostile file can make it
 * allocate. */
struct app_json_bounds {
    size_t bytes;
    size_t depth;  /* nesting of brackets and braces */
    size_t values; /* brackets, braces, commas and colons: at least half the number of values */
};

/* Makes the allocations of JSON values small ones (krn/memory.h), but for those of a text that is
 * read. Call it before there are values. */
void app_json_begin(void);

/* Parses the reader's text. The caller releases *root with json_decref.
 * Errors: KRN_REFUSED (not JSON, or out of bounds), KRN_NO_MEMORY. */
enum krn_code app_json_load(const struct app_json_reader *reader,
                            const struct app_json_bounds *bounds, json_t **root);

/* app_json_enter moves into the member `key` of an object or, when key is NULL, into an element of
 * an array. app_json_leave moves back out. */
void app_json_enter(struct app_json_reader *reader, const char *key, size_t element);
void app_json_leave(struct app_json_reader *reader);

/* Returns KRN_REFUSED with the message "FILE: spheres[3].radius WHAT." */
__attribute__((format(printf, 2, 3))) enum krn_code
app_json_fail(const struct app_json_reader *reader, const char *what, ...);

/* Finds a member that `object`, which is the value at the reader's position, must have, of the
 * given type. Errors: KRN_REFUSED. */
enum krn_code app_json_require(struct app_json_reader *reader, const json_t *object,
                               const char *key, json_type type, json_t **value);

/* Checks that every member of `object`, which is the value at the reader's position, has a name in
 * `known`, a list that ends with NULL. Errors: KRN_REFUSED. */
enum krn_code app_json_check_members(const struct app_json_reader *reader, const json_t *object,
                                     const char *const *known);
