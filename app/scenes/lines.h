/* app/scenes/lines.h - reads a text line by line, with messages that name the line. */
#ifndef APP_SCENE_LINES_H
#define APP_SCENE_LINES_H

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

struct app_lines {
    const char *source; /* the text's name in messages */
    const char *next, *end;
    size_t number;    /* of the line that was read last, 1 for the first; 0: none yet */
    const char *line; /* not terminated, without its line end */
    size_t length;
    struct krn_error *error;
};

/* Begins before the first line of a text of `length` bytes; leaves out a byte order mark. */
struct app_lines app_lines_begin(const char *text, size_t length, const char *source,
                                 struct krn_error *error);

/* Moves to the next line. Returns false at the end. */
bool app_lines_next(struct app_lines *lines);

/* Returns KRN_REFUSED with the message "FILE, line 12: WHAT." */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
enum krn_code
app_lines_fail(const struct app_lines *lines, const char *what, ...);

/* A short piece of a line, without the blanks around it. */
struct app_field {
    char text[40];
};

/* Copies bytes begin..end-1 of the line, or those of them that it has. A piece that does not fit is
 * cut and ends in '?', so that no part of a number passes for the number. A zero byte becomes '?'.
 */
struct app_field app_lines_field(const struct app_lines *lines, size_t begin, size_t end);

/* Copies the next piece between blanks, from *at on, and moves *at behind it; "" at the end. */
struct app_field app_lines_word(const struct app_lines *lines, size_t *at);

/* Reads a field as a number from low to high, which messages call `name`. Errors: KRN_REFUSED. */
enum krn_code app_lines_number(const struct app_lines *lines, const struct app_field *field,
                               const char *name, double low, double high, double *number);

#endif
