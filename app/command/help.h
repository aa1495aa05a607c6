/* app/command/help.h - texts made from the command table: --help, the help screen, the README's
 * tables. */
#ifndef APP_HELP_H
#define APP_HELP_H

#include "command/command.h"

/* The title of a section: "The scene". */
const char *app_section_title(enum app_section section);

/* One line of the help screen. */
struct app_help_line {
    enum app_section section; /* lines of one section follow each other */
    char keys[48];            /* "1-4", "F or F11", "Ctrl + or Ctrl =" */
    const char *text;
};

enum { APP_HELP_LINES_MAX = 64 };

/* Fills lines, at most APP_HELP_LINES_MAX; returns how many there are. */
size_t app_help_keys(struct app_help_line lines[APP_HELP_LINES_MAX]);

/* A key's name as help shows it: "Space", "Ctrl +", "F11". */
void app_key_name(int key, bool ctrl, char *text, size_t size);

/* What "nominal tests/s" means, in one line: help and help screen say it. */
const char *app_help_formula(void);

/* The text of --help, to be freed by the caller; NULL when memory is full. */
char *app_help_text(void);

/* The README's tables as Markdown, without the markers that enclose them there; to be freed. */
char *app_help_markdown_keys(void);
char *app_help_markdown_options(void);

#endif
