/* app/command/help.h - builds help texts from the command table: --help, the help screen and the
 * tables of docs/reference.md. manual/manual.h builds the manual page and the completions. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "command/command.h"

#include <stddef.h>
#include <stdio.h>

/* Returns the title of a section: "Scene". */
const char *app_section_title(enum app_section section);

/* One line of the help screen. */
struct app_help_line {
    enum app_section section; /* lines of one section follow each other */
    char keys[48];            /* "1-4", "F or F11", "Ctrl + or Ctrl =" */
    const char *text;
};

enum { APP_HELP_LINES_MAX = 64 };

/* Fills lines, at most APP_HELP_LINES_MAX; returns their number. */
size_t app_help_keys(struct app_help_line lines[APP_HELP_LINES_MAX]);

enum { APP_HELP_TEXT_MAX = 256 };

/* Writes an option with its value's placeholder: "--spheres N". */
void app_help_flag(const struct app_command_entry *entry, char *text, size_t size);

/* Writes range and default of an option: "1..1000000, default 20"; either part may be missing. */
void app_help_limits(const struct app_command_entry *entry, char *text, size_t size);

/* An exit code of the program (command/options.h), in a word and in a sentence. */
struct app_help_exit {
    int code;
    const char *word, *meaning;
};

/* Returns the exit codes, from 0. */
const struct app_help_exit *app_help_exits(size_t *count);

/* Returns the definitions of "nominal tests/s" and "rays/s", one line, for --help and the help
 * screen. */
const char *app_help_formula(void);

/* Writes the text of --help. */
void app_help_write(FILE *out);

/* Writes a table of docs/reference.md as Markdown, by its name there: words, keys, options,
 * benchmarks, exits. Returns false when there is no such table. */
bool app_help_markdown(FILE *out, const char *table);

struct app_word {
    const char *term, *meaning; /* one line each */
};

/* Returns the table, in the order of the help screen, and its length. */
const struct app_word *app_words(size_t *count);

#endif
