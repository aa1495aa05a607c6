/* The chart: its ends, ticks, names and places, as a pen that remembers sees them; and SVG. */
#include "expect.h"

#include "topics/chart.h"

#include <math.h>
#include <stdio.h>

enum { SEEN = 256, SIZE = 10 };

/* What was drawn. A character is as wide as half its height. */
static struct {
    struct ren_rect boxes[SEEN];
    char texts[SEEN][64];
    size_t count;
    struct ren_rect bars[16];
    size_t bars_count, discs, hollow, dashed;
} seen;

static float width_of(void *to, bool bold, float size, const char *utf8)
{
    size_t n = 0;
    (void)to;
    (void)bold;
    for (; *utf8; utf8++)
        n += ((unsigned char)*utf8 & 0xc0) != 0x80;
    return 0.5f * size * (float)n;
}

static void see_text(void *to, bool bold, float size, float x, float y, enum ren_align align,
                     enum app_ink ink, const char *utf8)
{
    const float width = width_of(to, bold, size, utf8), before = align == REN_ALIGN_LEFT     ? 0.0f
                                                                 : align == REN_ALIGN_CENTRE ? 0.5f
                                                                                             : 1.0f;
    (void)ink;
    if (utf8[0] == '\0')
        return;
    assert_true(seen.count < SEEN);
    seen.boxes[seen.count] =
        (struct ren_rect){x - before * width, y - 0.72f * size, width, 0.72f * size};
    snprintf(seen.texts[seen.count++], sizeof *seen.texts, "%s", utf8);
}

static void see_line(void *to, const float *xy, size_t n, float width, float dash, enum app_ink ink)
{
    (void)to;
    (void)ink;
    assert_true(n >= 2 && width > 0.0f);
    for (size_t i = 0; i < 2 * n; i++)
        assert_true(isfinite(xy[i]));
    seen.dashed += dash > 0.0f;
}

static void see_disc(void *to, float x, float y, float radius, bool hollow, enum app_ink ink)
{
    (void)to;
    (void)ink;
    assert_true(isfinite(x) && isfinite(y) && radius > 0.0f);
    seen.discs++;
    seen.hollow += hollow;
}

static void see_bar(void *to, struct ren_rect rect, enum app_ink ink)
{
    (void)to;
    (void)ink;
    seen.bars[seen.bars_count++] = rect;
}

static const struct app_pen pen = {see_line, see_disc, see_bar, see_text, width_of, NULL};
static const struct ren_rect area = {20.0f, 30.0f, 400.0f, 240.0f};

static int count_of(const char *text)
{
    int count = 0;
    for (size_t i = 0; i < seen.count; i++)
        count += strcmp(seen.texts[i], text) == 0;
    return count;
}

static struct ren_rect box_of(const char *text)
{
    for (size_t i = 0; i < seen.count; i++)
        if (strcmp(seen.texts[i], text) == 0)
            return seen.boxes[i];
    fail_msg("no text \"%s\"", text);
    return area;
}

/* Draws, and checks that all texts are within the area and apart. */
static void draw(const struct app_chart *chart)
{
    memset(&seen, 0, sizeof seen);
    app_chart_draw(&pen, area, SIZE, chart);
    for (size_t i = 0; i < seen.count; i++) {
        const struct ren_rect *a = &seen.boxes[i];
        if (a->x < area.x - 0.5f * (float)SIZE ||
            a->x + a->w > area.x + area.w + 0.5f * (float)SIZE || a->y < area.y - 0.5f ||
            a->y + a->h > area.y + area.h + 0.5f)
            fail_msg("\"%s\" leaves the area", seen.texts[i]);
        for (size_t j = 0; j < i; j++) {
            const struct ren_rect *b = &seen.boxes[j];
            if (a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h &&
                b->y < a->y + a->h)
                fail_msg("\"%s\" lies on \"%s\"", seen.texts[i], seen.texts[j]);
        }
    }
}

/* Each axis: its data, and numbers that it has and does not have. */
TEST(test_axes)
{
    static const struct {
        struct app_axis axis;
        double low, high;
        const char *has[4], *lacks;
    } cases[] = {
        {{"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0}, 3, 97, {"0", "20", "100"}, "97"},
        {{"", APP_AXIS_PERCENT, APP_SCALE_LINEAR, 0, 120}, 3, 97, {"0", "100 %", "120 %"}, "140 %"},
        {{"", APP_AXIS_TIME, APP_SCALE_LOG, 0, 0}, 0.004, 3.9, {"10 µs", "1 ms"}, "10 ms"},
        {{"", APP_AXIS_TIME, APP_SCALE_LOG, 0, 0}, 1e-3, 1e9, {"10 µs", "1 ms"}, "1 µs"},
        {{"", APP_AXIS_RATE, APP_SCALE_LOG, 0, 0}, 2e9, 7e13, {"10 G", "100 T"}, "7e+13"},
        {{"", APP_AXIS_FACTOR, APP_SCALE_LOG, 0, 0}, 0.998, 31.0, {"1×", "50×"}, "0.5×"},
        {{"", APP_AXIS_BYTES, APP_SCALE_POWERS, 0, 0}, 1024, 1 << 20, {"1 KiB", "1 MiB"}, "1024"},
        {{"", APP_AXIS_PLAIN, APP_SCALE_POWERS, 0, 0}, 1, 16, {"1", "2", "16"}, "3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double x[] = {1.0, 2.0}, y[] = {cases[i].low, cases[i].high};
        const struct app_series series = {.name = "", .x = x, .y = y, .n = 2};
        const struct app_chart chart = {.x = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 1000, 2000},
                                        .y = cases[i].axis,
                                        .series = &series,
                                        .series_count = 1};
        draw(&chart);
        for (size_t h = 0; h < 4 && cases[i].has[h]; h++)
            if (count_of(cases[i].has[h]) != 1)
                fail_msg("case %zu has no \"%s\"", i, cases[i].has[h]);
        assert_int_equal(count_of(cases[i].lacks), 0);
        /* The same below. */
        const struct app_series turned = {.name = "", .x = y, .y = x, .n = 2};
        const struct app_chart other = {.x = cases[i].axis,
                                        .y = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 1000, 2000},
                                        .series = &turned,
                                        .series_count = 1};
        draw(&other);
        assert_true(seen.count > 4);
    }
}

/* Names stand at their lines' ends, in their order, also where many end at one place; levels have
 * theirs; a line that ends early has its name at the right, too. */
TEST(test_names)
{
    enum { LINES = 12 };
    static const char *const names[LINES] = {"one",   "two",   "three", "four", "five",   "six",
                                             "seven", "eight", "nine",  "ten",  "eleven", "twelve"};
    struct app_series series[LINES];
    const double x[] = {1.0, 2.0, 3.0};
    double y[LINES][3];
    for (int i = 0; i < LINES; i++) {
        y[i][0] = y[i][1] = 1.0;
        y[i][2] = 5.0 + 1e-3 * i;
        series[i] = (struct app_series){
            .name = names[i], .x = x, .y = y[i], .n = i == 3 ? 2 : 3, .strong = i == 0};
    }
    const struct app_level level = {"level", APP_INK_QUIET, 2.0, 0.5f};
    const struct app_chart chart = {.x = {"across", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0},
                                    .y = {"up", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0},
                                    .series = series,
                                    .series_count = LINES,
                                    .levels = &level,
                                    .level_count = 1,
                                    .not_yet = "measuring"};
    draw(&chart);
    for (int i = 0; i < LINES; i++)
        assert_int_equal(count_of(names[i]), 1);
    assert_true(box_of("twelve").y < box_of("one").y);
    assert_true(box_of("one").y < box_of("four").y);
    assert_true(box_of("level").x < box_of("one").x); /* above its left end */
    assert_true(count_of("up") == 1 && count_of("across") == 1 && count_of("measuring") == 0);
    assert_int_equal(seen.dashed, 1);
}

/* Without a point, the chart says so; points that are not finite, beyond the ends of an axis or
 * without a logarithm are left out, and an axis stays whole. */
TEST(test_missing)
{
    const double x[] = {1.0, 2.0, NAN, 4.0, 50.0}, y[] = {-1.0, NAN, 3.0, 0.0, 2.0};
    struct app_series series = {.name = "line", .x = x, .y = y, .n = 4};
    const struct app_chart chart = {.x = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 1, 10},
                                    .y = {"", APP_AXIS_TIME, APP_SCALE_LOG, 0, 0},
                                    .series = &series,
                                    .series_count = 1,
                                    .not_yet = "measuring"};
    draw(&chart);
    assert_true(count_of("measuring") == 1 && count_of("line") == 0 && seen.discs == 0);
    series.n = 5;
    draw(&chart);
    assert_int_equal(count_of("measuring"), 1);
    memset(&seen, 0, sizeof seen);
    app_chart_draw(&pen, (struct ren_rect){0, 0, 30, 20}, SIZE, &chart);
    assert_int_equal(seen.count, 0); /* no room */
    /* Without ends for an axis, that is all. */
    struct app_chart none = chart;
    series.n = 0;
    none.not_yet = NULL;
    draw(&none);
    assert_true(seen.count == 1 && count_of(APP_NOT_YET) == 1);
}

/* A mark's name stands beside it, off the lines; one that finds no place is left out. */
TEST(test_marks)
{
    const double x[] = {0.0, 10.0}, y[] = {0.0, 10.0};
    const struct app_series series = {.name = "line", .x = x, .y = y, .n = 2};
    struct app_mark marks[40];
    for (int i = 0; i < 40; i++)
        marks[i] =
            (struct app_mark){i < 2 ? "dot" : "crowd", APP_INK_TEXT, i < 2 ? 2.0 + 5.0 * i : 5.0,
                              i < 2 ? 2.0 + 5.0 * i : 5.0, i == 0};
    const struct app_chart chart = {.x = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0},
                                    .y = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0},
                                    .series = &series,
                                    .series_count = 1,
                                    .marks = marks,
                                    .mark_count = 40};
    draw(&chart);
    assert_int_equal(count_of("dot"), 2);
    assert_true(count_of("crowd") >= 2 && count_of("crowd") < 13);
    assert_int_equal(seen.hollow, 1);
}

/* Lengths are in proportion; what was not measured has its text and no bar. */
TEST(test_bars)
{
    const struct app_bar bars[] = {
        {.key = "1", .name = "global", .text = "22 µs", .value = 22.0, .low = 21.0, .high = 23.0},
        {.key = "2", .name = "constant", .text = "44 µs", .value = 44.0, .strong = true},
        {.key = "3", .name = "shared", .text = "never"}};
    memset(&seen, 0, sizeof seen);
    const float high = app_bars_draw(&pen, area, SIZE, "", 0.0, bars, 3);
    assert_true(seen.bars_count == 2 && high <= area.h && count_of("never") == 1);
    assert_float_equal(2.0f * seen.bars[0].w, seen.bars[1].w, 0.01f);
    assert_true(box_of("44 µs").x > seen.bars[1].x + seen.bars[1].w);
    assert_true(box_of("44 µs").x + box_of("44 µs").w <= area.x + area.w + 0.5f);
    memset(&seen, 0, sizeof seen);
    (void)app_bars_draw(&pen, area, SIZE, "share; longer is better", 88.0, bars, 3);
    assert_true(seen.bars[1].x + 2.5f * seen.bars[1].w > box_of("44 µs").x);
}

/* The file has every text, escaped, and one end for each beginning. */
TEST(test_svg)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    const double x[] = {1.0, 2.0}, y[] = {1.5, 2.5};
    const struct app_series series = {.name = "a < b & c", .x = x, .y = y, .n = 2, .dashed = true};
    const struct app_chart chart = {.x = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0},
                                    .y = {"", APP_AXIS_PLAIN, APP_SCALE_LINEAR, 0, 0},
                                    .series = &series,
                                    .series_count = 1};
    const struct app_bar bar = {.key = "", .name = "bar", .text = "1", .value = 1.0};
    struct app_svg to = {out, false};
    const struct app_pen svg = app_svg_begin(&to, 400, 300);
    app_chart_draw(&svg, area, SIZE, &chart);
    (void)app_bars_draw(&svg, area, SIZE, "", 0.0, &bar, 1);
    app_svg_end(&to);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "a &lt; b &amp; c"));
    assert_non_null(strstr(text, "stroke-dasharray"));
    assert_non_null(strstr(text, "<rect x="));
    assert_int_equal(strncmp(text, "<svg ", 5), 0);
    assert_string_equal(text + length - 7, "</svg>\n");
    int open = 0;
    for (const char *at = text; *at; at++)
        open += *at == '<' ? (at[1] == '/' ? -1 : 1) : at[0] == '/' && at[1] == '>' ? -1 : 0;
    assert_int_equal(open, 0);
    free(text);
}

int main(void)
{
    return tests_run(NULL, NULL);
}
