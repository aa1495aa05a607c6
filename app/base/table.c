/* app/base/table.c - measures columns, breaks cells, and divides a table that is too wide. */
#include "base/table.h"

#include "base/value.h"

#include "krn/memory.h"
#include "ren/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1024, INDENT = 2, GAP = 2, PROSE = 100 };

/* Texts in the order in which they were appended. */
struct texts {
    char **at; /* NULL: an empty one */
    size_t count, room;
};

struct app_table {
    char *title;
    struct texts abouts, notes;
    struct app_column *columns;
    size_t count;
    struct texts cells; /* row by row; the first has the titles of the columns */
    size_t rows;        /* besides the titles */
    char *figure;
    struct texts details; /* of the cells up to the last that has one */
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
    char *copy = krn_copy(text), *to = copy;
    bool blank = false;
    for (const char *from = text; *from; from++) {
        const bool space = (unsigned char)*from <= ' ' || *from == 0x7f;
        if (!space || !blank)
            *to++ = space ? ' ' : *from;
        blank = space;
    }
    *to = 0;
    return copy;
}

static void append(struct texts *texts, const char *text)
{
    if (texts->count == texts->room) {
        texts->room = 2 * texts->room + 16;
        texts->at = krn_grow(texts->at, texts->room, sizeof *texts->at);
    }
    texts->at[texts->count++] = text[0] ? copy_text(text) : NULL;
}

static void append_format(struct texts *texts, const char *format, va_list arguments)
{
    char text[TEXT_MAX];
    vsnprintf(text, sizeof text, format, arguments);
    append(texts, text);
}

static void release(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        free(texts->at[i]);
    free(texts->at);
}

struct app_table *app_table_new(const char *title)
{
    struct app_table *table = krn_alloc(1, sizeof *table);
    table->title = copy_text(title);
    return table;
}

void app_table_free(struct app_table *table)
{
    free(table->columns);
    release(&table->abouts);
    release(&table->notes);
    release(&table->cells);
    release(&table->details);
    free(table->figure);
    free(table->title);
    free(table);
}

void app_table_about(struct app_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append_format(&table->abouts, format, arguments);
    va_end(arguments);
}

void app_table_note(struct app_table *table, const char *format, ...)
{
    struct texts *notes = &table->notes;
    va_list arguments;
    va_start(arguments, format);
    append_format(notes, format, arguments);
    va_end(arguments);
    char *last = notes->at[notes->count - 1];
    for (size_t i = 0; last && i + 1 < notes->count; i++)
        if (notes->at[i] && strcmp(notes->at[i], last) == 0) {
            free(last);
            notes->count--;
            return;
        }
}

void app_table_columns(struct app_table *table, const struct app_column *columns, size_t count)
{
    table->columns = krn_grow(table->columns, table->count + count, sizeof *table->columns);
    for (size_t i = 0; i < count; i++) {
        table->columns[table->count++] = columns[i];
        append(&table->cells, columns[i].title);
    }
}

void app_table_column(struct app_table *table, const char *title, enum app_align align)
{
    app_table_columns(table, &(struct app_column){title, .align = align}, 1);
}

/* Fills up with empty cells until there are that many. */
static void fill(struct app_table *table, size_t cells)
{
    while (table->cells.count < cells)
        append(&table->cells, "");
}

void app_table_row(struct app_table *table)
{
    table->rows++;
    fill(table, table->rows * table->count);
}

bool app_table_cell(struct app_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (table->rows > 0 && table->cells.count < (table->rows + 1) * table->count)
        append_format(&table->cells, format, arguments);
    va_end(arguments);
    return true;
}

void app_table_add(struct app_table *table, app_table_writer *write, const void *row)
{
    app_table_row(table);
    for (size_t c = 0; c < table->count; c++) {
        if (!write(table, &table->columns[c], row))
            append(&table->cells, "");
    }
}

void app_table_figure(struct app_table *table, char *markup)
{
    free(table->figure);
    table->figure = markup;
}

void app_table_detail(struct app_table *table, char *markup)
{
    while (markup && table->details.count < table->cells.count)
        append(&table->details, "");
    if (markup)
        table->details.at[table->cells.count - 1] = markup;
}

/* --- printing --- */

/* A column that is printed. */
struct shown {
    size_t column; /* its index */
    enum app_align align;
    size_t wrap, width; /* of cells and, besides, of the title's words */
    const char *rest;   /* what is still to be printed of a cell */
};

/* Returns a cell of a row, or of the titles with row 0. */
static const char *cell_of(const struct app_table *table, size_t row, size_t column)
{
    const size_t i = row * table->count + column;
    const char *text = i < table->cells.count ? table->cells.at[i] : NULL;
    return text ? text : "";
}

static bool has_content(const struct app_table *table, size_t column)
{
    for (size_t row = 1; row <= table->rows; row++)
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

/* Sets the width of a column: that of the widest line of its cells, and word of its title. */
static void measure(const struct app_table *table, struct shown *shown)
{
    shown->width = 0;
    for (size_t row = 0; row <= table->rows; row++) {
        const char *text = cell_of(table, row, shown->column);
        for (const char *end; *text; text = skip_spaces(end)) {
            end = line_end(text, row == 0 ? 1 : shown->wrap);
            const size_t width = columns_until(text, end);
            shown->width = width > shown->width ? width : shown->width;
        }
    }
}

static void print_spaces(size_t n, FILE *out)
{
    fprintf(out, "%*s", (int)n, "");
}

/* Prints one row of a part, whose cells may have several lines. */
static void print_text_row(const struct app_table *table, size_t row, struct shown *part,
                           size_t count, FILE *out)
{
    bool more = true;
    for (size_t i = 0; i < count; i++)
        part[i].rest = cell_of(table, row, part[i].column);
    while (more) {
        size_t skipped = INDENT; /* blanks not printed yet, so that none ends a line */
        more = false;
        for (size_t i = 0; i < count; i++) {
            struct shown *shown = &part[i];
            const char *end = line_end(shown->rest, row == 0 ? shown->width : shown->wrap);
            const size_t blank = shown->width - columns_until(shown->rest, end);
            skipped += shown->align == APP_ALIGN_RIGHT ? blank : 0;
            if (end > shown->rest) {
                print_spaces(skipped, out);
                fprintf(out, "%.*s", (int)(end - shown->rest), shown->rest);
                skipped = 0;
            }
            skipped += (shown->align == APP_ALIGN_RIGHT ? 0 : blank) + GAP;
            shown->rest = skip_spaces(end);
            more = more || shown->rest[0];
        }
        fputc('\n', out);
    }
}

/* Returns the number of columns in the part that begins with shown[from], besides the first. */
static size_t part_length(const struct app_table *table, const struct shown *shown, size_t count,
                          size_t from)
{
    size_t whole = INDENT + shown[0].width, width = whole, next = from;
    for (size_t i = from; i < count; i++)
        whole += GAP + shown[i].width;
    for (; next < count; next++) {
        width += GAP + shown[next].width;
        if (next > from && (width > APP_TABLE_WIDTH ||
                            (whole > APP_TABLE_WIDTH && table->columns[shown[next].column].begins)))
            break;
    }
    return next - from;
}

/* Gives the rest of the line to the columns of a part that break their cells. */
static void widen_part(const struct app_table *table, struct shown *part, size_t count)
{
    size_t width = INDENT;
    for (size_t i = 0; i < count; i++)
        width += part[i].width + (i > 0 ? GAP : 0);
    for (size_t i = 0; i < count && width < APP_TABLE_WIDTH; i++) {
        if (part[i].wrap == 0)
            continue;
        width -= part[i].width;
        part[i].wrap = APP_TABLE_WIDTH - width;
        measure(table, &part[i]);
        width += part[i].width;
    }
}

/* Prints the columns in as many parts as the width requires. */
static void print_text_rows(const struct app_table *table, struct shown *shown, size_t count,
                            FILE *out)
{
    for (size_t i = 0; i < count; i++)
        measure(table, &shown[i]);
    size_t from = 1;
    do {
        const size_t length = part_length(table, shown, count, from);
        /* The first column takes the place before the part's own, which are printed already. */
        struct shown *part = &shown[from - 1];
        if (from > 1)
            fputc('\n', out);
        *part = shown[0];
        widen_part(table, part, length + 1);
        for (size_t row = 0; row <= table->rows; row++)
            print_text_row(table, row, part, length + 1, out);
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

static void print_markdown_rows(const struct app_table *table, const struct shown *shown,
                                size_t count, FILE *out)
{
    for (size_t row = 0; row <= table->rows; row++) {
        fputs("|", out);
        for (size_t i = 0; i < count; i++) {
            fputc(' ', out);
            print_markdown_text(cell_of(table, row, shown[i].column), out);
            fputs(" |", out);
        }
        fputs(row == 0 ? "\n|" : "\n", out);
        for (size_t i = 0; row == 0 && i < count; i++)
            fputs(shown[i].align == APP_ALIGN_RIGHT ? " ---: |" : " --- |", out);
        fputs(row == 0 ? "\n" : "", out);
    }
}

/* Prints a cell, of row 0 as a head. What a tap shows makes the cell a summary of it. */
static void print_html_cell(const struct app_table *table, size_t row, const struct shown *shown,
                            bool brief, FILE *out)
{
    const char *text = cell_of(table, row, shown->column), *kind = row == 0 ? "th" : "td";
    const size_t i = row * table->count + shown->column;
    const char *detail = !brief && i < table->details.count ? table->details.at[i] : NULL;
    fprintf(out, "<%s%s>%s", kind,
            shown->align == APP_ALIGN_RIGHT                 ? " class=\"right\""
            : row > 0 && app_text_columns(text) > PROSE / 3 ? " class=\"long\""
                                                            : "",
            detail ? "<details><summary>" : "");
    app_write_markup(out, text);
    fprintf(out, "%s%s%s</%s>", detail ? "</summary>" : "", detail ? detail : "",
            detail ? "</details>" : "", kind);
}

static void print_html_paragraphs(const struct texts *texts, const char *begin, FILE *out)
{
    for (size_t i = 0; i < texts->count; i++) {
        if (!texts->at[i])
            continue;
        fputs(begin, out);
        app_write_markup(out, texts->at[i]);
        fputs("</p>\n", out);
    }
}

static void print_html(const struct app_table *table, const struct shown *shown, size_t count,
                       bool brief, FILE *out)
{
    fputs("<section>\n", out);
    if (table->title[0]) {
        fputs("<h2>", out);
        app_write_markup(out, table->title);
        fputs("</h2>\n", out);
    }
    fputs(table->figure ? table->figure : "", out);
    print_html_paragraphs(&table->abouts, "<p>", out);
    for (size_t row = 0; count > 0 && row <= table->rows; row++) {
        fputs(row == 0 ? "<div class=\"wide\"><table>\n<thead><tr>" : "<tr>", out);
        for (size_t i = 0; i < count; i++)
            print_html_cell(table, row, &shown[i], brief, out);
        fputs(row == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n", out);
    }
    fputs(count > 0 ? "</tbody></table></div>\n" : "", out);
    print_html_paragraphs(&table->notes, "<p class=\"note\">", out);
    fputs("</section>\n", out);
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
    struct shown *shown = krn_alloc(table->count, sizeof *shown);
    size_t count = 0;
    bool first = !table->title[0];
    for (size_t c = 0; c < table->count; c++)
        if (has_content(table, c))
            shown[count++] = (struct shown){
                .column = c, .align = table->columns[c].align, .wrap = table->columns[c].wrap};
    if (style >= APP_STYLE_HTML) {
        print_html(table, shown, count, style == APP_STYLE_HTML_BRIEF, out);
        free(shown);
        return;
    }
    if (table->title[0])
        fprintf(out, "%s%s\n", style == APP_STYLE_MARKDOWN ? "### " : "", table->title);
    print_paragraphs(&table->abouts, &first, style, out);
    if (count > 0 && style == APP_STYLE_MARKDOWN) {
        fputs(first ? "" : "\n", out);
        print_markdown_rows(table, shown, count, out);
        first = false;
    } else if (count > 0) {
        print_text_rows(table, shown, count, out);
    }
    print_paragraphs(&table->notes, &first, style, out);
    free(shown);
}
