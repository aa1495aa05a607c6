/* app/command/help.h - builds help texts from the command table: --help, the help screen and the
 * tables of docs/reference.md. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "command/command.h"

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

/* Returns the definitions of "nominal tests/s" and "rays/s", one line, for --help and the help
 * screen. */
const char *app_help_formula(void);

/* Returns the text of --help, to be freed by the caller; NULL when memory is full. */
char *app_help_text(void);

/* Return the tables of docs/reference.md as Markdown, without the markers that enclose them there;
 * to be freed by the caller, NULL when memory is full. */
char *app_help_markdown_keys(void);
char *app_help_markdown_options(void);
char *app_help_markdown_benches(void);
char *app_help_markdown_words(void);

#endif
