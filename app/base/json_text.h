/* app/base/json_text.h - line numbers and size of a JSON text.
 *
 * The parser does not record line numbers, so an error message searches the text again for its
 * value. The text should be well-formed JSON; for any other text the result is one of its lines.
 */
#ifndef APP_JSON_TEXT_H
#define APP_JSON_TEXT_H

#include <stddef.h>

/* One step from a value to a value inside it: a member when key is not NULL, else an element. */
struct app_json_step {
    const char *key;
    size_t element;
};

/* Returns the line, counted from 1, of the value that `count` steps reach from the text's outermost
 * value. If a step finds no value, returns the line of the last value reached. Member names are
 * compared as written, without decoding escapes. */
size_t app_json_line(const char *text, size_t length, const struct app_json_step *steps,
                     size_t count);

/* The size of a text, counted without parsing it. A text that is not JSON is counted too. */
struct app_json_size {
    size_t values;    /* brackets, braces, commas and colons: at least half the number of values */
    size_t depth;     /* the deepest nesting of brackets and braces */
    size_t deep_line; /* the first line whose depth exceeds max_depth; 0 when none does */
};
struct app_json_size app_json_measure(const char *text, size_t length, size_t max_depth);

#endif
