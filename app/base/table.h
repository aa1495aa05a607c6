/* app/base/table.h - a table of text cells, printed as plain text, Markdown or HTML.
 *
 * All styles print the same cells. A column in which every cell is empty is left out, so a column
 * that rarely has something to say costs nothing. Texts are UTF-8, and widths are those on a
 * terminal: µ is one column wide. Blanks and control characters in a row become one space.
 */
#pragma once

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum app_style {
    APP_STYLE_TEXT,
    APP_STYLE_MARKDOWN,
    APP_STYLE_HTML,
    APP_STYLE_HTML_BRIEF /* without what a tap shows */
};
enum app_align { APP_ALIGN_LEFT, APP_ALIGN_RIGHT };

/* Plain text is at most this many columns wide, unless one column alone is wider. A wider table is
 * printed in parts, each of which repeats the first column; titles wider than their cells break
 * between words. */
enum { APP_TABLE_WIDTH = 120 };

struct app_table;

/* A column. The writer of the cells decides what `shows`, `key` and `of` mean. */
struct app_column {
    const char *title;
    enum app_align align;
    int shows;       /* the kind of its cells */
    const char *key; /* which one of that kind, by name */
    int of;          /* the same by number */
    size_t wrap;     /* plain text breaks its cells into lines of at most that width, or more where
                        the line has room; 0: a cell is one line */
    bool begins;     /* it is the first of a part, if plain text needs parts */
};

/* The arguments for an array of columns. */
#define APP_COLUMNS(array) (array), sizeof(array) / sizeof *(array)

/* Adds a cell for that column and row. Returns false where the cell stays empty. */
typedef bool app_table_writer(struct app_table *table, const struct app_column *column,
                              const void *row);

/* Creates a table without columns. title: its heading, "": none. */
struct app_table *app_table_new(const char *title);
void app_table_free(struct app_table *table);

#define APP_TABLE_FORMAT __attribute__((format(printf, 2, 3)))

/* Appends a paragraph below the title. Formats as app_format does. */
APP_TABLE_FORMAT void app_table_about(struct app_table *table, const char *format, ...);

/* Appends a paragraph below the rows; prints one note once. */
APP_TABLE_FORMAT void app_table_note(struct app_table *table, const char *format, ...);

/* Append columns; rows must not have begun. Titles are copied, keys are not. */
void app_table_columns(struct app_table *table, const struct app_column *columns, size_t count);
void app_table_column(struct app_table *table, const char *title, enum app_align align);

/* Appends a row with a cell for every column. */
void app_table_add(struct app_table *table, app_table_writer *write, const void *row);

/* Begins a row. */
void app_table_row(struct app_table *table);

/* Appends a cell to the row; the cells that it lacks at its end are empty. Returns true, for
 * writers. */
APP_TABLE_FORMAT bool app_table_cell(struct app_table *table, const char *format, ...);

/* Take markup, which HTML alone prints, and free it: a figure below the title, or what a tap on the
 * last cell shows. NULL is fine. */
void app_table_figure(struct app_table *table, char *markup);
void app_table_detail(struct app_table *table, char *markup);

/* Prints title, paragraphs, rows and notes. A table without columns prints no rows. */
void app_table_print(const struct app_table *table, enum app_style style, FILE *out);

/* Returns the number of terminal columns that a UTF-8 text takes. */
size_t app_text_columns(const char *text);
