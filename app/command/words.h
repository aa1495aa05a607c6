/* app/command/words.h - the words on screen and what they mean, for the help screen and
 * docs/reference.md. */
#ifndef APP_WORDS_H
#define APP_WORDS_H

#include <stddef.h>

struct app_word {
    const char *term, *meaning; /* one line each */
};

/* Returns the table, in the order of the help screen, and its length. */
const struct app_word *app_words(size_t *count);

#endif
