/* app/table/table.h - a table of text cells, printed as plain text or as Markdown.
 *
 * Both styles print the same cells. A column in which every cell is empty is left out, so a column
 * that rarely has something to say costs nothing. Texts are UTF-8, and widths are those on a
 * terminal: µ is one column wide. Blanks and control characters in a row become one space.
 */
#ifndef APP_TABLE_H
#define APP_TABLE_H

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum app_style { APP_STYLE_TEXT, APP_STYLE_MARKDOWN };
enum app_align { APP_ALIGN_LEFT, APP_ALIGN_RIGHT };

/* Plain text is at most this many columns wide, unless one column alone is wider. A wider table is
 * printed in parts, each of which repeats the first column; titles wider than their cells break
 * between words. */
enum { APP_TABLE_WIDTH = 120 };

struct app_table;

/* Creates a table without columns. title: its heading, "": none. */
struct app_table *app_table_new(const char *title);
void app_table_free(struct app_table *table);

#if defined(__GNUC__)
#define APP_TABLE_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define APP_TABLE_FORMAT
#endif

/* Appends a paragraph below the title. Formats as app_format does. */
APP_TABLE_FORMAT void app_table_about(struct app_table *table, const char *format, ...);

/* Appends a paragraph below the rows; prints one note once. */
APP_TABLE_FORMAT void app_table_note(struct app_table *table, const char *format, ...);

/* Appends a column; rows must not have begun. */
void app_table_column(struct app_table *table, const char *title, enum app_align align);

/* Makes plain text break the cells of the last column appended into lines of at most `width`, or
 * more where the line has room. */
void app_table_wrap(struct app_table *table, size_t width);

/* Makes the last column appended the first one of a part, if plain text needs parts. */
void app_table_part(struct app_table *table);

/* Begins a row. */
void app_table_row(struct app_table *table);

/* Appends a cell to the row; the cells that it lacks at its end are empty. */
APP_TABLE_FORMAT void app_table_cell(struct app_table *table, const char *format, ...);

/* Prints title, paragraphs, rows and notes. A table without columns prints no rows. */
void app_table_print(const struct app_table *table, enum app_style style, FILE *out);

/* Returns the number of terminal columns that a UTF-8 text takes. */
size_t app_text_columns(const char *text);

#endif
