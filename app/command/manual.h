/* app/command/manual.h - writes the manual page and the completions of shells from the command
 * table. The program write_manual.c writes them when the project is built. */
#ifndef APP_MANUAL_H
#define APP_MANUAL_H

#include <stdio.h>

/* Writes the page spherescope(1). date is that of the release: "2026-11-23". */
void app_manual_page(FILE *out, const char *date);

/* Write a completion of every option and its values. */
void app_completion_bash(FILE *out);
void app_completion_zsh(FILE *out);
void app_completion_fish(FILE *out);

#endif
