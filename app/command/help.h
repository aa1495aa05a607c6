/* app/command/help.h - builds help texts from the command table: --help, the help screen and the
 * tables of docs/reference.md, the manual page, and the completions of shells. */
#pragma once

#include "command/command.h"
#include "command/run.h"

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

/* One row of help: an option, a key, a benchmark, a word or an exit code. */
struct app_help_row {
    bool option, code;            /* code: the term is typed as it is */
    const char *section;          /* the title of the options' section that begins here; or NULL */
    char term[APP_HELP_TEXT_MAX]; /* "--spheres N", "F or F11" */
    const char *text;
    char limits[APP_HELP_TEXT_MAX]; /* "1..1000000, default 20"; "": none */
};

/* Prints every row of a part: options, keys, benchmarks, words or exits, as docs/reference.md names
 * its tables. Returns false when there is no such part. */
bool app_help_each(const char *part, FILE *out,
                   void (*print)(FILE *out, const struct app_help_row *row));

/* Returns the definitions of "of limit" and "rays/s", one line, for --help and the help
 * screen. */
const char *app_help_formula(void);

/* Writes the text of --help. */
void app_help_write(FILE *out);

/* Writes a part as a table of Markdown. Returns false when there is no such part. */
bool app_help_markdown(FILE *out, const char *part);

struct app_word {
    const char *term, *meaning; /* one line each */
};

/* Returns the table, in the order of the help screen, and its length. */
const struct app_word *app_words(size_t *count);

/* --- what write_manual.c writes when the project is built --- */

/* Writes the page spherescope(1). date is that of the release: "2026-11-23". */
void app_manual_page(FILE *out, const char *date);

/* Write a completion of every option and its values. */
void app_completion_bash(FILE *out);
void app_completion_zsh(FILE *out);
void app_completion_fish(FILE *out);
