#include "table/table.h"

#include "base/memory.h"

#include "ren/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1024, INDENT = 2, GAP = 2, PROSE = 100 };

/* Texts in the order in which they were appended. */
struct texts {
    char **at;
    size_t count, room;
};

struct column {
    char *title;
    enum app_align align;
    size_t wrap;  /* 0: a cell is one line */
    bool begins;  /* a part, if there are parts */
    size_t width; /* of the widest line, set while printing */
};

struct app_table {
    char *title;
    struct texts abouts, notes;
    struct column *columns;
    size_t count, room; /* columns */
    struct texts cells; /* row by row; NULL: empty */
    size_t rows, used;  /* used: cells of the last row */
};

/* --- widths --- */

static size_t character_columns(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } wide[] = {{0x1100, 0x115f},   {0x2e80, 0xa4cf},  {0xac00, 0xd7a3}, {0xf900, 0xfaff},
                {0xfe30, 0xfe6f},   {0xff00, 0xff60},  {0xffe0, 0xffe6}, {0x1f300, 0x1f64f},
                {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
    if (code >= 0x300 && code <= 0x36f) /* combining */
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        if (code >= wide[i].first && code <= wide[i].last)
            return 2;
    return 1;
}

/* Returns the columns of the characters before `end`. */
static size_t columns_until(const char *text, const char *end)
{
    size_t columns = 0;
    while (text < end)
        columns += character_columns(ren_utf8_next(&text));
    return columns;
}

size_t app_text_columns(const char *text)
{
    return columns_until(text, text + strlen(text));
}

/* --- building --- */

/* Copies a text with one space for blanks and control characters in a row. */
static char *copy_text(const char *text)
{
    char *copy = app_copy(text), *to = copy;
    bool blank = false;
    for (const char *from = text; *from; from++) {
        const bool space = (unsigned char)*from <= ' ' || *from == 0x7f;
        if (space && !blank)
            *to++ = ' ';
        else if (!space)
            *to++ = *from;
        blank = space;
    }
    *to = 0;
    return copy;
}

/* Appends a text; an empty one becomes NULL. */
static void append(struct texts *texts, const char *text)
{
    if (texts->count == texts->room) {
        texts->room = 2 * texts->room + 16;
        texts->at = app_grow(texts->at, texts->room, sizeof *texts->at);
    }
    texts->at[texts->count++] = text[0] ? copy_text(text) : NULL;
}

static void release(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->at[i]);
    free(texts->at);
}

struct app_table *app_table_new(const char *title)
{
    struct app_table *table = app_alloc(1, sizeof *table);
    table->title = copy_text(title);
    return table;
}

void app_table_free(struct app_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->columns[i].title);
    free(table->columns);
    release(&table->abouts);
    release(&table->notes);
    release(&table->cells);
    free(table->title);
    free(table);
}

void app_table_about(struct app_table *table, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    append(&table->abouts, text);
}

void app_table_note(struct app_table *table, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < table->notes.count; i++)
        if (table->notes.at[i] && strcmp(table->notes.at[i], text) == 0)
            return;
    append(&table->notes, text);
}

void app_table_column(struct app_table *table, const char *title, enum app_align align)
{
    if (table->count == table->room) {
        table->room = 2 * table->room + 8;
        table->columns = app_grow(table->columns, table->room, sizeof *table->columns);
    }
    table->columns[table->count++] = (struct column){.title = copy_text(title), .align = align};
}

void app_table_wrap(struct app_table *table, size_t width)
{
    if (table->count > 0)
        table->columns[table->count - 1].wrap = width;
}

void app_table_part(struct app_table *table)
{
    if (table->count > 0)
        table->columns[table->count - 1].begins = true;
}

/* Fills the last row up with empty cells. */
static void finish_row(struct app_table *table)
{
    for (; table->rows > 0 && table->used < table->count; table->used++)
        append(&table->cells, "");
}

void app_table_row(struct app_table *table)
{
    finish_row(table);
    table->rows++;
    table->used = 0;
}

void app_table_cell(struct app_table *table, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (table->rows == 0 || table->used == table->count)
        return;
    table->used++;
    append(&table->cells, text);
}

/* --- printing --- */

static const char *cell_of(const struct app_table *table, size_t row, size_t column)
{
    const size_t i = row * table->count + column;
    const char *text = i < table->cells.count ? table->cells.at[i] : NULL;
    return text ? text : "";
}

static bool has_content(const struct app_table *table, size_t column)
{
    for (size_t row = 0; row < table->rows; row++)
        if (cell_of(table, row, column)[0])
            return true;
    return table->rows == 0;
}

/* Returns the end of the first line of `text`, broken between words; width 0: at its end only. A
 * word that is wider has a line of its own. */
static const char *line_end(const char *text, size_t width)
{
    const char *end = text, *at = text;
    while (*at) {
        at += strspn(at, " ");
        at += strcspn(at, " ");
        if (width > 0 && end > text && columns_until(text, at) > width)
            break;
        end = at;
    }
    return end;
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " ");
}

/* Returns the widest line of a cell broken at `wrap`, the widest word with wrap 1. */
static size_t cell_width(const char *text, size_t wrap)
{
    size_t most = 0;
    for (const char *end; *text; text = skip_spaces(end)) {
        end = line_end(text, wrap);
        const size_t width = columns_until(text, end);
        most = width > most ? width : most;
    }
    return most;
}

static void measure_column(struct column *column, const struct app_table *table, size_t c)
{
    column->width = cell_width(column->title, 1);
    for (size_t row = 0; row < table->rows; row++) {
        const size_t width = cell_width(cell_of(table, row, c), column->wrap);
        column->width = width > column->width ? width : column->width;
    }
}

static void print_spaces(size_t n, FILE *out)
{
    fprintf(out, "%*s", (int)n, "");
}

/* The columns of one part of a plain table. */
struct part {
    const struct column *columns;
    const size_t *which;
    size_t count;
};

/* Prints one row, whose cells may have several lines: as many as the column's `wrap` makes of them
 * or, in a title, its width. */
static void print_text_row(const struct part *part, const char **cells, bool titles, FILE *out)
{
    for (bool more = true; more;) {
        size_t skipped = INDENT; /* blanks not printed yet, so that none ends a line */
        more = false;
        for (size_t i = 0; i < part->count; i++) {
            const struct column *column = &part->columns[part->which[i]];
            const char *text = cells[i],
                       *end = line_end(text, titles ? column->width : column->wrap);
            const size_t blank = column->width - columns_until(text, end);
            skipped += column->align == APP_ALIGN_RIGHT ? blank : 0;
            if (end > text) {
                print_spaces(skipped, out);
                fprintf(out, "%.*s", (int)(end - text), text);
                skipped = 0;
            }
            skipped += (column->align == APP_ALIGN_RIGHT ? 0 : blank) + GAP;
            cells[i] = skip_spaces(end);
            more = more || cells[i][0];
        }
        fputc('\n', out);
    }
}

static void print_text_part(const struct app_table *table, const struct part *part,
                            const char **cells, FILE *out)
{
    for (size_t i = 0; i < part->count; i++)
        cells[i] = part->columns[part->which[i]].title;
    print_text_row(part, cells, true, out);
    for (size_t row = 0; row < table->rows; row++) {
        for (size_t i = 0; i < part->count; i++)
            cells[i] = cell_of(table, row, part->which[i]);
        print_text_row(part, cells, false, out);
    }
}

/* Returns the number of columns in the part that begins with shown[from], besides the first. */
static size_t part_length(const struct column *columns, const size_t *shown, size_t count,
                          size_t from)
{
    size_t whole = INDENT + columns[shown[0]].width, width = whole, next = from;
    for (size_t i = from; i < count; i++)
        whole += GAP + columns[shown[i]].width;
    for (; next < count; next++) {
        width += GAP + columns[shown[next]].width;
        if (next > from &&
            (width > APP_TABLE_WIDTH || (whole > APP_TABLE_WIDTH && columns[shown[next]].begins)))
            break;
    }
    return next - from;
}

/* Gives the rest of the line to the columns of a part that break their cells. */
static void widen_part(const struct app_table *table, struct column *columns, const size_t *which,
                       size_t count)
{
    size_t width = INDENT;
    for (size_t i = 0; i < count; i++)
        width += columns[which[i]].width + (i > 0 ? GAP : 0);
    for (size_t i = 0; i < count && width < APP_TABLE_WIDTH; i++) {
        struct column *column = &columns[which[i]];
        if (column->wrap == 0)
            continue;
        width -= column->width;
        column->wrap = APP_TABLE_WIDTH - width;
        measure_column(column, table, which[i]);
        width += column->width;
    }
}

/* Prints the columns that `shown` lists, in as many parts as the width requires. */
static void print_text_rows(const struct app_table *table, struct column *columns, size_t *shown,
                            size_t count, const char **cells, FILE *out)
{
    size_t from = 1;
    do {
        const size_t length = part_length(columns, shown, count, from);
        if (from > 1)
            fputc('\n', out);
        /* The first column takes the place before the part's own. */
        const size_t before = shown[from - 1];
        shown[from - 1] = shown[0];
        widen_part(table, columns, shown + from - 1, length + 1);
        const struct part part = {columns, shown + from - 1, length + 1};
        print_text_part(table, &part, cells, out);
        shown[from - 1] = before;
        from += length;
    } while (from < count);
}

static void print_markdown_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strchr("|*<`\\", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_markdown_rows(const struct app_table *table, const size_t *shown, size_t count,
                                FILE *out)
{
    fputs("|", out);
    for (size_t i = 0; i < count; i++) {
        fputc(' ', out);
        print_markdown_text(table->columns[shown[i]].title, out);
        fputs(" |", out);
    }
    fputs("\n|", out);
    for (size_t i = 0; i < count; i++)
        fputs(table->columns[shown[i]].align == APP_ALIGN_RIGHT ? " ---: |" : " --- |", out);
    for (size_t row = 0; row < table->rows; row++) {
        fputs("\n|", out);
        for (size_t i = 0; i < count; i++) {
            fputc(' ', out);
            print_markdown_text(cell_of(table, row, shown[i]), out);
            fputs(" |", out);
        }
    }
    fputc('\n', out);
}

/* Prints a paragraph, in plain text with line breaks; later lines are indented. */
static void print_paragraph(const char *text, enum app_style style, FILE *out)
{
    if (style == APP_STYLE_MARKDOWN) {
        print_markdown_text(text, out);
        fputc('\n', out);
        return;
    }
    size_t indent = 0;
    for (const char *end; *text; text = skip_spaces(end)) {
        end = line_end(text, PROSE - indent);
        print_spaces(indent, out);
        fprintf(out, "%.*s\n", (int)(end - text), text);
        indent = INDENT;
    }
}

static void print_paragraphs(const struct texts *texts, bool *first, enum app_style style,
                             FILE *out)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!texts->at[i])
            continue;
        if (style == APP_STYLE_MARKDOWN && !*first)
            fputc('\n', out);
        print_paragraph(texts->at[i], style, out);
        *first = false;
    }
}

void app_table_print(const struct app_table *table, enum app_style style, FILE *out)
{
    size_t *shown = app_alloc(table->count, sizeof *shown), count = 0;
    const char **cells = app_alloc(table->count, sizeof *cells);
    struct column *columns = app_alloc(table->count, sizeof *columns);
    bool first = true;
    for (size_t c = 0; c < table->count; c++) {
        columns[c] = table->columns[c];
        if (has_content(table, c))
            shown[count++] = c;
    }
    if (table->title[0]) {
        fprintf(out, "%s%s\n", style == APP_STYLE_MARKDOWN ? "### " : "", table->title);
        first = false;
    }
    print_paragraphs(&table->abouts, &first, style, out);
    if (count > 0 && style == APP_STYLE_MARKDOWN) {
        fputs(first ? "" : "\n", out);
        print_markdown_rows(table, shown, count, out);
        first = false;
    } else if (count > 0) {
        for (size_t c = 0; c < table->count; c++)
            measure_column(&columns[c], table, c);
        print_text_rows(table, columns, shown, count, cells, out);
    }
    print_paragraphs(&table->notes, &first, style, out);
    free(shown);
    free(cells);
    free(columns);
}
