/* Tables: the same cells in plain text and in Markdown, aligned by what a terminal shows. */
#include "expect.h"

#include "table/table.h"

#include <stdlib.h>
#include <string.h>

/* Prints a table into a text, to be freed. */
static char *printed(const struct app_table *table, enum app_style style)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    app_table_print(table, style, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_printed(const struct app_table *table, enum app_style style,
                           const char *expected)
{
    TEST_FREED char *text = printed(table, style);
    assert_string_equal(text, expected);
}

static struct app_table *times(void)
{
    struct app_table *table = app_table_new("Times");
    app_table_about(table, "A device, %d processes", 5);
    app_table_column(table, "mode", APP_ALIGN_LEFT);
    app_table_column(table, "median", APP_ALIGN_RIGHT);
    app_table_column(table, "empty", APP_ALIGN_LEFT);
    app_table_column(table, "trust", APP_ALIGN_LEFT);
    app_table_row(table);
    app_table_cell(table, "book/global");
    app_table_cell(table, "%.1f µs", 21.5);
    app_table_row(table);
    app_table_cell(table, "a|b");
    app_table_cell(table, "%.2f ms", 1.25);
    app_table_cell(table, "%s", "");
    app_table_cell(table, "spread");
    app_table_note(table, "A note.");
    app_table_note(table, "A note.");
    app_table_note(table, "Another note.");
    return table;
}

TEST(plain_text_is_aligned)
{
    struct app_table *table = times();
    assert_printed(table, APP_STYLE_TEXT,
                   "Times\n"
                   "A device, 5 processes\n"
                   "  mode          median  trust\n"
                   "  book/global  21.5 µs\n"
                   "  a|b          1.25 ms  spread\n"
                   "A note.\n"
                   "Another note.\n");
    app_table_free(table);
}

TEST(markdown_has_the_same_cells)
{
    struct app_table *table = times();
    assert_printed(table, APP_STYLE_MARKDOWN,
                   "### Times\n"
                   "\n"
                   "A device, 5 processes\n"
                   "\n"
                   "| mode | median | trust |\n"
                   "| --- | ---: | --- |\n"
                   "| book/global | 21.5 µs |  |\n"
                   "| a\\|b | 1.25 ms | spread |\n"
                   "\n"
                   "A note.\n"
                   "\n"
                   "Another note.\n");
    app_table_free(table);
}

TEST(widths_are_those_of_a_terminal)
{
    assert_int_equal(app_text_columns("µs"), 2);
    assert_int_equal(app_text_columns("1.5×, 512→128"), 13);
    assert_int_equal(app_text_columns("e\xcc\x81"), 1);
    assert_int_equal(app_text_columns("\xe6\xbc\xa2"), 2);
    assert_int_equal(app_text_columns("\xff\xc2"), 2); /* invalid bytes, one cut off by the end */
    struct app_table *table = app_table_new("");
    app_table_column(table, "x", APP_ALIGN_RIGHT);
    app_table_column(table, "y", APP_ALIGN_LEFT);
    app_table_row(table);
    app_table_cell(table, "µµµ");
    app_table_cell(table, "1");
    app_table_row(table);
    app_table_cell(table, "abcd");
    app_table_cell(table, "new\n  line");
    assert_printed(table, APP_STYLE_TEXT,
                   "     x  y\n"
                   "   µµµ  1\n"
                   "  abcd  new line\n");
    app_table_free(table);
}

/* Cells break where the line ends, not where there is room. */
TEST(long_cells_break_between_words)
{
    enum { NAME = 100 };
    char name[NAME + 1], expected[1024];
    memset(name, 'x', NAME);
    name[NAME] = 0;
    for (int narrow = 0; narrow < 2; narrow++) {
        struct app_table *table = app_table_new("");
        app_table_column(table, "mode", APP_ALIGN_LEFT);
        app_table_column(table, "trust", APP_ALIGN_LEFT);
        app_table_wrap(table, 10);
        app_table_row(table);
        app_table_cell(table, "%s", narrow ? name : "one");
        app_table_cell(table, "near-floor not-settled spread low");
        app_table_row(table);
        app_table_cell(table, "two");
        if (narrow)
            snprintf(expected, sizeof expected,
                     "  mode%*s  trust\n"
                     "  %s  near-floor\n"
                     "  %*s  not-settled\n"
                     "  %*s  spread low\n"
                     "  two\n",
                     NAME - 4, "", name, NAME, "", NAME, "");
        else
            snprintf(expected, sizeof expected,
                     "  mode  trust\n"
                     "  one   near-floor not-settled spread low\n"
                     "  two\n");
        assert_printed(table, APP_STYLE_TEXT, expected);
        snprintf(expected, sizeof expected,
                 "| mode | trust |\n"
                 "| --- | --- |\n"
                 "| %s | near-floor not-settled spread low |\n"
                 "| two |  |\n",
                 narrow ? name : "one");
        assert_printed(table, APP_STYLE_MARKDOWN, expected);
        app_table_free(table);
    }
}

/* A wide table continues below, and each part says which row is which. */
TEST(a_wide_table_has_parts)
{
    enum { COLUMNS = 20 };
    struct app_table *table = app_table_new("");
    app_table_column(table, "name", APP_ALIGN_LEFT);
    for (int c = 0; c < COLUMNS; c++) {
        char title[24];
        snprintf(title, sizeof title, "column-%02d", c);
        app_table_column(table, title, APP_ALIGN_RIGHT);
    }
    app_table_row(table);
    app_table_cell(table, "row");
    for (int c = 0; c < COLUMNS; c++)
        app_table_cell(table, "%d", c);
    TEST_FREED char *text = printed(table, APP_STYLE_TEXT);
    int names = 0, titles = 0, longest = 0;
    for (char *rest = text, *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        names += strncmp(line, "  name", 6) == 0;
        longest = (int)strlen(line) > longest ? (int)strlen(line) : longest;
        for (const char *at = line; (at = strstr(at, "column")) != NULL; at++)
            titles++;
    }
    assert_int_equal(names, 2);
    assert_int_equal(titles, COLUMNS);
    assert_in_range(longest, APP_TABLE_WIDTH - 11, APP_TABLE_WIDTH);
    app_table_free(table);
}

/* A part begins where the table says, so that columns that belong together stay together. */
TEST(a_part_begins_where_asked)
{
    struct app_table *table = app_table_new("");
    app_table_column(table, "name", APP_ALIGN_LEFT);
    app_table_column(table, "one", APP_ALIGN_LEFT);
    app_table_column(table, "two", APP_ALIGN_LEFT);
    app_table_part(table);
    app_table_row(table);
    app_table_cell(table, "row");
    app_table_cell(table, "%s", "1");
    app_table_cell(table, "%s", "2");
    assert_printed(table, APP_STYLE_TEXT,
                   "  name  one  two\n"
                   "  row   1    2\n");
    app_table_free(table);

    table = app_table_new("");
    app_table_column(table, "name", APP_ALIGN_LEFT);
    app_table_column(table, "one", APP_ALIGN_LEFT);
    app_table_column(table, "two", APP_ALIGN_LEFT);
    app_table_part(table);
    app_table_row(table);
    app_table_cell(table, "row");
    app_table_cell(table, "%s", "1");
    app_table_cell(table, "%0110d", 2);
    char expected[512];
    snprintf(expected, sizeof expected,
             "  name  one\n"
             "  row   1\n"
             "\n"
             "  name  two\n"
             "  row   %0110d\n",
             2);
    assert_printed(table, APP_STYLE_TEXT, expected);
    app_table_free(table);
}

TEST(titles_break_where_cells_are_narrow)
{
    struct app_table *table = app_table_new("");
    app_table_column(table, "net speed", APP_ALIGN_RIGHT);
    app_table_column(table, "95 % interval", APP_ALIGN_LEFT);
    app_table_row(table);
    app_table_cell(table, "1.05 x");
    app_table_cell(table, "[1, 2]");
    assert_printed(table, APP_STYLE_TEXT,
                   "     net  95 %\n"
                   "   speed  interval\n"
                   "  1.05 x  [1, 2]\n");
    assert_printed(table, APP_STYLE_MARKDOWN,
                   "| net speed | 95 % interval |\n"
                   "| ---: | --- |\n"
                   "| 1.05 x | [1, 2] |\n");
    app_table_free(table);
}

TEST(a_table_without_columns_is_prose)
{
    struct app_table *table = app_table_new("");
    app_table_note(table, "%s",
                   "word word word word word word word word word word word word word "
                   "word word word word word word word word word");
    assert_printed(table, APP_STYLE_TEXT,
                   "word word word word word word word word word word word word word word word "
                   "word word word word word\n"
                   "  word word\n");
    app_table_free(table);
}
