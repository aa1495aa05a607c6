/* Tables: the same cells in plain text and in Markdown, aligned by what a terminal shows. */
#include "expect.h"

#include "base/table.h"
#include "krn/memory.h"

#define TEN_TIMES(text) text text text text text text text text text text
#define HUNDRED_BLANKS TEN_TIMES(TEN_TIMES(" "))
#define TEN_LETTERS TEN_TIMES("x")
#define HUNDRED_LETTERS TEN_TIMES(TEN_LETTERS)
#define TWENTY_WORDS "word" TEN_TIMES(" word") " word word word word word word word word word"

static void print_text(FILE *out, const void *table)
{
    app_table_print(table, APP_STYLE_TEXT, out);
}

static void print_markdown(FILE *out, const void *table)
{
    app_table_print(table, APP_STYLE_MARKDOWN, out);
}

/* Cells end with a tabulator, rows and notes with a line. */
static const struct sample {
    const char *title, *about;
    struct app_column columns[4]; /* as many as have titles */
    const char *rows, *notes, *text, *markdown;
} samples[] = {
    {"Times",
     "A device, 5 processes",
     {{"mode", .key = ""},
      {"median", APP_ALIGN_RIGHT, .key = ""},
      {"empty", .key = ""},
      {"trust", .key = ""}},
     "book/global\t21.5 µs\na|b\t1.25 ms\t\tspread\n",
     "A note.\nA note.\nAnother note.\n",
     "Times\n"
     "A device, 5 processes\n"
     "  mode          median  trust\n"
     "  book/global  21.5 µs\n"
     "  a|b          1.25 ms  spread\n"
     "A note.\n"
     "Another note.\n",
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
     "Another note.\n"},
    /* Widths are those of a terminal; blanks in a row are one. */
    {"",
     "",
     {{"x", APP_ALIGN_RIGHT, .key = ""}, {"y", .key = ""}},
     "µµµ\t1\nabcd\tnew\r  line\n",
     "",
     "     x  y\n"
     "   µµµ  1\n"
     "  abcd  new line\n",
     "| x | y |\n"
     "| ---: | --- |\n"
     "| µµµ | 1 |\n"
     "| abcd | new line |\n"},
    /* Titles break where cells are narrow. */
    {"",
     "",
     {{"net speed", APP_ALIGN_RIGHT, .key = ""}, {"95 % interval", .key = ""}},
     "1.05 x\t[1, 2]\n",
     "",
     "     net  95 %\n"
     "   speed  interval\n"
     "  1.05 x  [1, 2]\n",
     "| net speed | 95 % interval |\n"
     "| ---: | --- |\n"
     "| 1.05 x | [1, 2] |\n"},
    /* Cells break where the line ends, not where there is room. */
    {"",
     "",
     {{"mode", .key = ""}, {"trust", .wrap = 10}},
     "one\tnear-floor not-settled spread low\ntwo\n",
     "",
     "  mode  trust\n"
     "  one   near-floor not-settled spread low\n"
     "  two\n",
     "| mode | trust |\n"
     "| --- | --- |\n"
     "| one | near-floor not-settled spread low |\n"
     "| two |  |\n"},
    {"",
     "",
     {{"mo", .key = ""}, {"trust", .wrap = 10}},
     HUNDRED_LETTERS "\tnear-floor not-settled spread low\ntwo\n",
     "",
     "  mo" HUNDRED_BLANKS "trust\n"
     "  " HUNDRED_LETTERS "  near-floor\n"
     "    " HUNDRED_BLANKS "not-settled\n"
     "    " HUNDRED_BLANKS "spread low\n"
     "  two\n",
     NULL},
    /* A part begins where the table says, if there are parts. */
    {"",
     "",
     {{"name", .key = ""}, {"one", .key = ""}, {"two", .begins = true}},
     "row\t1\t2\n",
     "",
     "  name  one  two\n"
     "  row   1    2\n",
     NULL},
    {"",
     "",
     {{"name", .key = ""}, {"one", .key = ""}, {"two", .begins = true}},
     "row\t1\t" HUNDRED_LETTERS TEN_LETTERS "\n",
     "",
     "  name  one\n"
     "  row   1\n"
     "\n"
     "  name  two\n"
     "  row   " HUNDRED_LETTERS TEN_LETTERS "\n",
     NULL},
    /* A table without columns is prose. */
    {"",
     "",
     {{NULL, .key = ""}},
     "",
     TWENTY_WORDS " word word\n",
     TWENTY_WORDS "\n  word word\n",
     TWENTY_WORDS " word word\n"},
};

/* Copies the text up to one of these characters, and moves *text behind it. */
static const char *next_of(const char **text, const char *ends, char copy[512])
{
    const size_t length = strcspn(*text, ends);
    snprintf(copy, 512, "%.*s", (int)length, *text);
    *text += length;
    return copy;
}

TEST(samples_are_printed)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *sample = &samples[i];
        struct app_table *table = app_table_new(sample->title);
        char copy[512];
        app_table_about(table, "%s", sample->about);
        for (int c = 0; c < 4 && sample->columns[c].title; c++)
            app_table_columns(table, &sample->columns[c], 1);
        for (const char *at = sample->rows; *at; at++) {
            app_table_row(table);
            for (bool more = true; more; at += more) {
                app_table_cell(table, "%s", next_of(&at, "\t\n", copy));
                more = *at == '\t';
            }
        }
        for (const char *at = sample->notes; *at; at++)
            app_table_note(table, "%s", next_of(&at, "\n", copy));
        TEST_FREED char *text = krn_printed(print_text, table),
                        *markdown = krn_printed(print_markdown, table);
        assert_string_equal(text, sample->text);
        if (sample->markdown)
            assert_string_equal(markdown, sample->markdown);
        app_table_free(table);
    }
}

static void print_html(FILE *out, const void *table)
{
    app_table_print(table, APP_STYLE_HTML, out);
}

static void print_brief(FILE *out, const void *table)
{
    app_table_print(table, APP_STYLE_HTML_BRIEF, out);
}

/* The same cells with references for what is markup elsewhere; only HTML has figures and what a tap
 * shows. */
TEST(html_has_figures_and_details)
{
    static const char whole[] =
        "<section>\n<h2>a &lt; b</h2>\n<figure></figure>\n<p>&amp;</p>\n"
        "<div class=\"wide\"><table>\n<thead><tr><th>mode</th><th class=\"right\">median</th></tr>"
        "</thead>\n<tbody>\n<tr><td>\"book's\"</td><td "
        "class=\"right\"><details><summary>"
        "1 ms</summary><svg></svg></details></td></tr>\n</tbody></table></div>\n"
        "<p class=\"note\">A &gt; note.</p>\n</section>\n";
    struct app_table *table = app_table_new("a < b");
    app_table_about(table, "&");
    app_table_figure(table, krn_copy("<figure></figure>\n"));
    app_table_column(table, "mode", APP_ALIGN_LEFT);
    app_table_column(table, "empty", APP_ALIGN_LEFT);
    app_table_column(table, "median", APP_ALIGN_RIGHT);
    app_table_row(table);
    app_table_cell(table, "\"book's\"");
    app_table_cell(table, "%s", "");
    app_table_cell(table, "1 ms");
    app_table_detail(table, NULL);
    app_table_detail(table, krn_copy("<svg></svg>"));
    app_table_note(table, "A > note.");
    TEST_FREED char *html = krn_printed(print_html, table),
                    *brief = krn_printed(print_brief, table),
                    *text = krn_printed(print_text, table);
    assert_string_equal(html, whole);
    assert_null(strstr(brief, "svg"));
    assert_non_null(strstr(brief, "<td class=\"right\">1 ms</td>"));
    assert_null(strstr(text, "svg"));
    app_table_free(table);
}

/* Each cell is the one that a writer gives for its column. */
static bool write_number(struct app_table *table, const struct app_column *column, const void *row)
{
    const int number = *(const int *)row + column->of;
    return number > 0 && app_table_cell(table, "%d", number);
}

/* A wide table continues below, and each part says which row is which. */
TEST(a_wide_table_has_parts)
{
    enum { COLUMNS = 20 };
    struct app_table *table = app_table_new("");
    int names = 0, titles = 0, longest = 0;
    app_table_column(table, "name", APP_ALIGN_LEFT);
    for (int c = 0; c < COLUMNS; c++) {
        char title[24];
        snprintf(title, sizeof title, "column-%02d", c);
        app_table_columns(table, &(struct app_column){title, APP_ALIGN_RIGHT, .of = c}, 1);
    }
    app_table_add(table, write_number, &(int){70});
    app_table_add(table, write_number, &(int){-18});
    TEST_FREED char *text = krn_printed(print_text, table);
    assert_non_null(strstr(text, "  70"));
    assert_non_null(strstr(text, "         1\n"));
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

TEST(widths_are_those_of_a_terminal)
{
    assert_int_equal(app_text_columns("µs"), 2);
    assert_int_equal(app_text_columns("1.5×, 512→128"), 13);
    assert_int_equal(app_text_columns("e\xcc\x81"), 1);
    assert_int_equal(app_text_columns("\xe6\xbc\xa2"), 2);
    assert_int_equal(app_text_columns("\xff\xc2"), 2); /* invalid bytes, one cut off by the end */
}
