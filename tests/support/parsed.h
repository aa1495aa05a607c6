/* tests/support/parsed.h - helpers of tests of the command line: parsing words, and checks that
 * they are accepted or refused. */
#pragma once

#include "expect.h"

#include "command/command.h"
#include "command/options.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 16, TEXT_MAX = 2048 };

static struct app_state state;
static struct app_run run;

/* Parses the arguments up to NULL as a command line. */
static inline enum krn_code parse(const char *first, ...)
{
    static char *words[WORDS_MAX] = {(char *)"spherescope"};
    int n = 1;
    va_list more;
    va_start(more, first);
    for (const char *word = first; word != NULL && n < WORDS_MAX; word = va_arg(more, const char *))
        words[n++] = (char *)word;
    va_end(more);
    memset(&error, 0, sizeof error);
    return app_options_parse(n, words, &state, &run, &error);
}

#define assert_accepted(...)                                                                       \
    do {                                                                                           \
        if (parse(__VA_ARGS__, (const char *)NULL) != KRN_OK)                                      \
            fail_msg("%s", error.text);                                                            \
    } while (0)

/* Checks that the command line was refused with one line that contains `named`. */
static inline void check_refusal(enum krn_code code, const char *named, const char *value)
{
    if (code != KRN_REFUSED)
        fail_msg("%s \"%s\" was not refused", named, value);
    if (strstr(error.text, named) == NULL || strchr(error.text, '\n') != NULL)
        fail_msg("\"%s\" is no line about %s", error.text, named);
}

#define assert_refused(named, ...)                                                                 \
    check_refusal(parse(__VA_ARGS__, (const char *)NULL), (named), "...")
