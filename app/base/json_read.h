/* app/base/json_read.h - reading JSON that somebody else wrote: every error is a sentence with a
 * line.
 *
 * A reader is a place in a text. Functions that fail fill the reader's error and return its code.
 */
#ifndef APP_JSON_READ_H
#define APP_JSON_READ_H

#include "base/json_text.h"

#include "krn/error.h"

#include <jansson.h>
#include <stddef.h>

enum { APP_JSON_STEPS_MAX = 8 };

struct app_json_reader {
    const char *text;
    size_t length;
    const char *source; /* what sentences call the text */
    struct krn_error *error;
    struct app_json_step steps[APP_JSON_STEPS_MAX]; /* where in the text it is */
    size_t depth;
};

/* What a text may hold; it bounds what the parser can be made to allocate. */
struct app_json_bounds {
    size_t bytes;
    size_t depth;  /* of brackets and braces */
    size_t values; /* brackets, braces, commas and colons */
};

/* Parses the reader's text. Errors: KRN_REFUSED, KRN_NO_MEMORY. */
enum krn_code app_json_load(const struct app_json_reader *reader,
                            const struct app_json_bounds *bounds, json_t **root);

/* Goes into a member (key) or, with key NULL, an element; and back. */
void app_json_enter(struct app_json_reader *reader, const char *key, size_t element);
void app_json_leave(struct app_json_reader *reader);

/* KRN_REFUSED: "FILE, line 12: spheres[3].radius WHAT." */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
enum krn_code
app_json_fail(const struct app_json_reader *reader, const char *what, ...);

/* Refuses members of the object at the reader's place that are none of `known`, ended by NULL. */
enum krn_code app_json_check_members(const struct app_json_reader *reader, const json_t *object,
                                     const char *const *known);

#endif
