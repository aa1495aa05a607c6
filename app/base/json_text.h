/* app/base/json_text.h - which line of a JSON text a value stands on.
 *
 * The parser keeps no lines, so a sentence about a value looks for it again in the text. The text
 * must be well-formed JSON; on any other the answer is some line of it.
 */
#ifndef APP_JSON_TEXT_H
#define APP_JSON_TEXT_H

#include <stddef.h>

/* One step from a value to one inside it: a member when key is not NULL, else an element. */
struct app_json_step {
    const char *key;
    size_t element;
};

/* The line, from 1, of the value that `count` steps lead to from the text's outermost value; where
 * they lead nowhere, that of the last value on the way. Members are compared as written, escapes
 * included. */
size_t app_json_line(const char *text, size_t length, const struct app_json_step *steps,
                     size_t count);

/* What a text holds, counted without building it. A text that is not JSON is counted too. */
struct app_json_size {
    size_t values;    /* brackets, braces, commas and colons: at least half of the values */
    size_t depth;     /* of brackets and braces */
    size_t deep_line; /* the first line on which depth is more than `most_depth` */
};
struct app_json_size app_json_measure(const char *text, size_t length, size_t most_depth);

#endif
