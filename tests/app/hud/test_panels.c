/* The side panels: they are inside their room, all their texts fit, and no panel shows a digit for
 * a value that was not measured. `test_panels mono` runs the same tests with a monospaced font
 * only. PANELS_PICTURES=FOLDER writes every screen to FOLDER as PNG, for inspection. */
#include "mono_font.h"
#include "offscreen.h"
#include "panel_boards.h"
#include "seen.h"

#include "command/state.h"
#include "hud/layout.h"
#include "hud/panels/cells.h"
#include "hud/panels/grid.h"
#include "hud/panels/parts.h"
#include "hud/theme.h"

#include "ren/png.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- screens ---- */

static const int sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 768}, {2560, 1080}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct app_state state_of(enum app_panels panels, enum app_theme theme)
{
    struct app_state state = app_state_default();
    state.panels = panels;
    state.theme = theme;
    return state;
}

/* Draws one screen's panels and records what is drawn; copies the frame to `rgba` when given. */
static void draw(const struct app_layout *layout, enum app_theme theme,
                 const struct app_panels_view *view, struct seen *seen, unsigned char *rgba)
{
    const struct app_draw_witness witness = seen_begin(seen);
    const struct app_colours *colours = app_theme_colours(theme);
    struct ren_list *list =
        test_frame_begin((int)layout->screen.w, (int)layout->screen.h, colours->background);
    const struct app_brush brush = {renderer, list, colours, layout->unit, &witness};
    app_hud_panels(&brush, &layout->panels, layout->shown, view);
    if (rgba)
        test_frame_end(list, rgba);
}

/* Draws the panels on the smallest screen, dark, to check the words alone. */
static void draw_small(enum app_panels panels, const struct app_panels_view *view,
                       struct seen *seen)
{
    const struct app_state screen = state_of(panels, APP_THEME_DARK);
    const struct app_layout layout = app_layout_make(&screen, 1280, 720, 1.0f);
    draw(&layout, APP_THEME_DARK, view, seen, NULL);
}

/* Checks that the cards are inside the panels' room and apart, with their texts inside them. */
static int check_texts(const struct app_layout *layout, const struct seen *seen, bool whole,
                       const char *name)
{
    const float u =
        layout->shown == APP_PANELS_FULL ? layout->panels.w / APP_PANELS_WIDTH : layout->unit;
    for (int c = 0; c < seen->card_count; c++) {
        assert_true(inside(seen->cards[c], layout->panels, 0.5f));
        for (int d = 0; d < c; d++)
            assert_false(overlap(seen->cards[c], seen->cards[d], 0.5f));
    }
    return seen_wrong(seen, u, whole, name);
}

static void check_background(const struct app_layout *layout, enum app_theme theme,
                             const struct seen *seen, const unsigned char *rgba)
{
    const int width = (int)layout->screen.w, height = (int)layout->screen.h;
    const unsigned ground = app_theme_colours(theme)->background;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const struct ren_rect pixel = {(float)x, (float)y, 1.0f, 1.0f};
            bool covered = false;
            for (int c = 0; c < seen->card_count && !covered; c++)
                covered = overlap(pixel, seen->cards[c], -1.0f);
            const unsigned char *p = rgba + 4 * ((size_t)y * (size_t)width + (size_t)x);
            if (!covered && ((unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2]) != ground)
                fail_msg("something is drawn between the cards at %d, %d", x, y);
        }
    }
}

static void each_screen(int board_index)
{
    static struct board board;
    static struct seen seen;
    const char *folder = getenv("PANELS_PICTURES");
    int wrong = 0;
    boards[board_index].fill(&board);
    for (int s = 0; s < SIZES; s++) {
        for (int theme = 0; theme < APP_THEME_COUNT; theme++) {
            for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
                const struct app_state state =
                    state_of((enum app_panels)panels, (enum app_theme)theme);
                const struct app_layout layout =
                    app_layout_make(&state, sizes[s][0], sizes[s][1], 1.0f);
                char name[160];
                snprintf(name, sizeof name, "%s%s_%s_%s_%dx%d", fonts, boards[board_index].name,
                         app_panels_name((enum app_panels)panels),
                         app_theme_name((enum app_theme)theme), sizes[s][0], sizes[s][1]);
                /* Read pixels only where they are few or requested; the recording needs none. */
                const bool pixels = s == 0 || folder;
                unsigned char *rgba =
                    pixels ? malloc(4 * (size_t)sizes[s][0] * (size_t)sizes[s][1]) : NULL;
                draw(&layout, (enum app_theme)theme, &board.view, &seen, rgba);
                if (folder) {
                    char path[512];
                    struct krn_error error;
                    snprintf(path, sizeof path, "%s/panels_%s.png", folder, name);
                    assert_int_equal(
                        ren_png_write(path,
                                      &(struct ren_png){sizes[s][0], sizes[s][1], rgba, "", NULL},
                                      true, &error),
                        KRN_OK);
                }
                if (rgba && s == 0)
                    check_background(&layout, (enum app_theme)theme, &seen, rgba);
                free(rgba);
                wrong += check_texts(&layout, &seen, boards[board_index].whole, name);
            }
        }
    }
    assert_int_equal(wrong, 0);
}

static void test_gpu(void **state)
{
    (void)state;
    each_screen(0);
}

static void test_cpu(void **state)
{
    (void)state;
    each_screen(1);
}

static void test_empty(void **state)
{
    (void)state;
    each_screen(2);
}

static void test_wrong(void **state)
{
    (void)state;
    each_screen(3);
}

static void test_wide(void **state)
{
    (void)state;
    each_screen(4);
}

static void test_why(void **state)
{
    (void)state;
    each_screen(5);
}

static void test_partial(void **state)
{
    (void)state;
    each_screen(6);
}

static void test_busy(void **state)
{
    (void)state;
    each_screen(7);
}

static void test_slow(void **state)
{
    (void)state;
    each_screen(8);
}

static void test_old(void **state)
{
    (void)state;
    each_screen(9);
    each_screen(10);
}

static void test_cached(void **state)
{
    (void)state;
    each_screen(13);
}

static void test_doubted(void **state)
{
    (void)state;
    each_screen(14);
    each_screen(15);
    each_screen(16);
}

static void test_kept(void **state)
{
    (void)state;
    each_screen(11);
}

static void test_refused(void **state)
{
    (void)state;
    each_screen(12);
}

static int texts_with(const struct seen *seen, const char *part)
{
    int count = 0;
    for (int t = 0; t < seen->text_count; t++)
        count += strstr(seen->words[t], part) != NULL;
    return count;
}

/* Before any measurement, each topic says so, and the only digits are those of published
 * numbers. */
static void test_no_digits(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_empty(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        draw_small((enum app_panels)panels, &board.view, &seen);
        assert_int_equal(texts_with(&seen, "not measured yet"), KRN_TOPIC_COUNT);
        assert_int_equal(texts_with(&seen, "not measured"), KRN_TOPIC_COUNT + APP_CLAIM_COUNT);
        for (int t = 0; t < seen.text_count; t++) {
            const char *word = seen.words[t];
            if (!isdigit((unsigned char)word[0]))
                continue;
            bool of_text = strstr(word, " lanes on ") != NULL; /* a subtitle */
            for (int i = 0; i < APP_CLAIM_COUNT; i++)
                of_text = of_text || strcmp(word, unmeasured[i].then) == 0 ||
                          strcmp(word, unmeasured[i].device) == 0;
            if (!of_text)
                fail_msg("\"%s\" was not measured", word);
        }
    }
}

/* The reason why a topic is missing replaces "not measured yet", and appears nowhere else. */
static void test_says_refused(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_refused(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        draw_small((enum app_panels)panels, &board.view, &seen);
        assert_int_equal(texts_with(&seen, "No such memory."), 1);
        assert_int_equal(texts_with(&seen, "The host has no 256 MiB"), 1);
        assert_int_equal(texts_with(&seen, "not measured yet"), 0);
        assert_int_equal(texts_with(&seen, "Refused"), 0);
    }
}

static void test_says_wrong(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_wrong(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        draw_small((enum app_panels)panels, &board.view, &seen);
        assert_int_equal(texts_with(&seen, "WRONG RESULT"), 1);
        assert_int_equal(texts_with(&seen, "measuring again 40 %"), 1);
    }
}

/* Counts the marks, which are squares. */
static int marks_of(const struct seen *seen, float side)
{
    int count = 0;
    for (int s = 0; s < seen->shape_count; s++)
        count += fabsf(seen->shapes[s].w - side) < 0.01f && fabsf(seen->shapes[s].h - side) < 0.01f;
    return count;
}

/* Every panel whose numbers have reasons has a mark and, where there is room, the first reason; red
 * ones have words in place of headlines and of verdicts. */
static void test_says_why_not(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    const struct app_state screen = state_of(APP_PANELS_FULL, APP_THEME_DARK);
    const struct app_layout layout = app_layout_make(&screen, 1280, 720, 1.0f);
    const float side = 12.0f * layout.panels.w / APP_PANELS_WIDTH;
    fill_gpu(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(marks_of(&seen, side), 0);
    fill_doubted(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(marks_of(&seen, side), KRN_TOPIC_COUNT - 1 + APP_CLAIM_COUNT);
    if (!fonts[0]) { /* the wider font leaves less room */
        assert_int_equal(texts_with(&seen, "4 of 10: in the L2 cache"), 1);
        assert_true(texts_with(&seen, "near floor") > 2); /* two panels, and claims with room */
        assert_int_equal(texts_with(&seen, "few samples"), 1);
        assert_int_equal(texts_with(&seen, "wandering"), 1);
    }
    const int digits = texts_with(&seen, "4.37");
    assert_int_equal(texts_with(&seen, "DO NOT QUOTE"), 0);
    fill_throttled(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(marks_of(&seen, side), 0); /* frames and words say it */
    assert_int_equal(texts_with(&seen, "DO NOT QUOTE: throttled"), KRN_TOPIC_COUNT);
    assert_int_equal(texts_with(&seen, "✗ DO NOT QUOTE"), KRN_TOPIC_COUNT + APP_CLAIM_COUNT);
    assert_int_equal(texts_with(&seen, "4.37"), digits - 1); /* the headline has gone */
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        fill_wrong(&board);
        draw_small((enum app_panels)panels, &board.view, &seen);
        assert_int_equal(texts_with(&seen, "✗ WRONG RESULT"), 1);
    }
}

/* A note that is too long for the narrow board leaves its first part, or the second number. */
static void test_short_notes(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_slow(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "B measures it"), 2); /* the kernel and the window */
    fill_cpu(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "B measures it"), 1);
    assert_int_equal(texts_with(&seen, "here 1.00×"), 1);
}

/* The board with all columns, which an even number of panels gives: its texts fit. */
static void test_wide_board(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    const float u = 1.0f;
    const struct ren_rect card = {8.0f, 8.0f, 600.0f, 206.0f};
    int wrong = 0;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        const struct app_draw_witness witness = seen_begin(&seen);
        const struct app_colours *colours = app_theme_colours(APP_THEME_DARK);
        struct ren_list *list = test_frame_begin(616, 222, colours->background);
        const struct app_brush brush = {renderer, list, colours, u, &witness};
        boards[i].fill(&board);
        app_panel_claims(&brush, card, &board.view);
        wrong += seen_wrong(&seen, u, boards[i].whole, boards[i].name);
        assert_true(texts_with(&seen, app_claim_verdict_name(board.claims[0].verdict)) >= 1);
    }
    assert_int_equal(wrong, 0);
}

/* On a CPU, the panel, its headline number and the board refer to one thread: 5.2 / 0.58 ms. */
static void test_one_thread(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_cpu(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        draw_small((enum app_panels)panels, &board.view, &seen);
        assert_int_equal(texts_with(&seen, "8.97"), 1);
        assert_true(texts_with(&seen, "0.112") >= 1); /* the interval, where it has room */
        assert_true(texts_with(&seen, "one thread") >= 1);
        assert_int_equal(texts_with(&seen, "8.74×"), panels == APP_PANELS_FULL);
    }
}

/* The percentage of a copy is shown only at the greatest size and with its interval: in caches,
 * SAXPY may be faster than the copy. Numbers of smaller sizes name their size. */
static void test_of_copy(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_cpu(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "89.7 %"), 1); /* 19.1 of 21.3 */
    assert_int_equal(texts_with(&seen, " copy"), 1);
    assert_int_equal(texts_with(&seen, "] %"), 1);
    for (int i = 0; i < board.count; i++)
        board.results[i].ms_interval.valid = false;
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "89.7 %"), 0);
    assert_int_equal(texts_with(&seen, "at 2²⁶"), 1);
    fill_cached(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, " copy"), 0);
    assert_int_equal(texts_with(&seen, "] %"), 0);
    assert_int_equal(texts_with(&seen, "published at 2²⁰"), 1);
}

/* The panel shows the unit GB/s once, at the top, even when only the smallest transfer has been
 * measured. */
static void test_one_transfer(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_gpu(&board);
    for (int i = 0; i < board.count; i++)
        if (board.probes[i].topic == KRN_TOPIC_TRANSFER && board.probes[i].x > 4096.0)
            board.results[i].n = 0;
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "0.663"), 1); /* pinned up: 4 KiB in 6.17 us */
    assert_int_equal(texts_with(&seen, "663"), 1);
}

/* Kept numbers show their age; numbers that are measured continuously show none. */
static void test_ages(void **state)
{
    (void)state;
    static const struct {
        void (*fill)(struct board *board);
        double age_s; /* < 0: the ages on the board */
        const char *text;
        int compact, full;
    } cases[] = {
        {fill_gpu, 4.9, " ago", 0, 0},
        {fill_gpu, 5.1, "5 s ago", KRN_TOPIC_COUNT, KRN_TOPIC_COUNT},
        {fill_gpu, 119.0, "2 min ago", KRN_TOPIC_COUNT, KRN_TOPIC_COUNT},
        {fill_gpu, 5.0 * 3600.0, "5 h ago", KRN_TOPIC_COUNT, KRN_TOPIC_COUNT},
        {fill_gpu, 72.0 * 3600.0, "3 d ago", KRN_TOPIC_COUNT, KRN_TOPIC_COUNT},
        {fill_old, -1.0, "95 min ago", KRN_TOPIC_COUNT, KRN_TOPIC_COUNT},
        {fill_old_cpu, -1.0, "7 s ago", KRN_TOPIC_COUNT, KRN_TOPIC_COUNT},
        {fill_empty, 300.0, " ago", 0, 0},
        {fill_kept, -1.0, "4 min ago", 1, 1},
        {fill_kept, -1.0, "2 min ago", 0, 1},
        {fill_kept, -1.0, " ago", 1, 2},
    };
    static struct board board;
    static struct seen seen;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cases[i].fill(&board);
        if (cases[i].age_s >= 0.0)
            set_ages(&board, cases[i].age_s);
        for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
            draw_small((enum app_panels)panels, &board.view, &seen);
            assert_int_equal(texts_with(&seen, cases[i].text),
                             panels == APP_PANELS_FULL ? cases[i].full : cases[i].compact);
        }
    }
}

/* ---- layout ---- */

static void test_layout(void **unused)
{
    (void)unused;
    static const int windows[][2] = {{320, 240},   {640, 480},   {800, 600},   {1024, 768},
                                     {1280, 720},  {1366, 768},  {1920, 1080}, {1080, 1920},
                                     {2560, 1080}, {3840, 2160}, {5120, 1440}, {64, 64}};
    static const double scales[] = {0.5, 1.0, 1.5, 3.0};
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        for (int i = 0; i < 4 * APP_THEME_COUNT * 3 * 2; i++) {
            struct app_state state =
                state_of((enum app_panels)(i % 3), (enum app_theme)(i / 3 % 3));
            state.hud_scale = scales[i / 9 % 4];
            const float content = i / 36 ? 2.0f : 1.0f;
            const struct app_layout l =
                app_layout_make(&state, windows[w][0], windows[w][1], content);
            assert_true(l.shown <= state.panels);
            assert_int_equal(l.shown != APP_PANELS_OFF, l.panels.w > 0.0f);
            assert_true(inside(l.pane, l.screen, 0.0f) && inside(l.panels, l.screen, 0.0f));
            assert_false(overlap(l.pane, l.panels, 0.0f));
            assert_true(inside(l.picture, l.pane, 0.51f));
            assert_true(l.pane.w + l.panels.w == l.screen.w);
            assert_true(l.panels.w == floorf(l.panels.w));
            if (windows[w][0] < 320)
                continue;
            assert_true(inside(l.main, l.pane, 0.51f) && inside(l.plot, l.pane, 0.51f));
            if (l.footer.w > 0.0f) {
                assert_true(l.shown != APP_PANELS_OFF && l.details.w <= 0.0f);
                assert_true(inside(l.footer, l.pane, 0.51f));
                assert_false(overlap(l.footer, l.plot, 0.0f));
            }
            if (l.shown != APP_PANELS_OFF && !l.column)
                assert_false(overlap(l.main, l.plot, 0.0f));
        }
    }
}

/* For any number of panels, each has its room, apart from the others and from the board, in reading
 * order, and at least as high as a panel needs. */
static void test_cells(void **unused)
{
    (void)unused;
    for (int count = 1; count <= APP_CELLS_MAX; count++)
        for (int grow = 0; grow < 3; grow++) {
            const float u = 1.5f, high = app_cells_height(count) - 2.0f * APP_GAP;
            const struct ren_rect area = {7.0f, 11.0f, (APP_PANELS_WIDTH - 2.0f * APP_GAP) * u,
                                          (high + 200.0f * (float)grow) * u};
            struct app_cells cells;
            app_cells_make(area, u, count, &cells);
            assert_true(inside(cells.board, area, 0.01f));
            assert_true(cells.board.h >= 199.9f * u);
            assert_int_equal(cells.narrow, count % 2);
            assert_true(app_cells_height(count + 1) >= app_cells_height(count));
            assert_true(app_cells_column_height(count + 1) >= app_cells_column_height(count));
            for (int i = 0; i < count; i++) {
                const struct ren_rect cell = cells.panels[i];
                assert_true(inside(cell, area, 0.01f));
                assert_true(cell.h >= 120.0f * u && cell.w >= 290.0f * u);
                assert_false(overlap(cell, cells.board, 0.01f));
                for (int before = 0; before < i; before++) {
                    const struct ren_rect other = cells.panels[before];
                    assert_false(overlap(cell, other, 0.01f));
                    assert_true(cell.y > other.y || (cell.y == other.y && cell.x > other.x));
                }
            }
        }
    assert_true(app_cells_height(7) == app_cells_height(6));
}

/* The sizes of frame at which the panels fit. */
static void test_fits(void **unused)
{
    (void)unused;
    static const struct {
        int width, height;
        float content;
        enum app_panels wanted, shown;
    } cases[] = {
        {1280, 720, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {1920, 1080, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {3840, 2160, 2.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {960, 540, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {900, 540, 1.0f, APP_PANELS_FULL, APP_PANELS_COMPACT},
        {640, 480, 1.0f, APP_PANELS_FULL, APP_PANELS_COMPACT},
        {1280, 720, 2.0f, APP_PANELS_FULL, APP_PANELS_OFF},
        {400, 300, 1.0f, APP_PANELS_FULL, APP_PANELS_OFF},
        {1280, 720, 1.0f, APP_PANELS_COMPACT, APP_PANELS_COMPACT},
        {1280, 720, 1.0f, APP_PANELS_OFF, APP_PANELS_OFF},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct app_state state = state_of(cases[i].wanted, APP_THEME_DARK);
        const struct app_layout l =
            app_layout_make(&state, cases[i].width, cases[i].height, cases[i].content);
        if (l.shown != cases[i].shown)
            fail_msg("%dx%d: %s", cases[i].width, cases[i].height, app_panels_name(l.shown));
    }
    const struct app_state full = state_of(APP_PANELS_FULL, APP_THEME_DARK);
    const struct app_layout l = app_layout_make(&full, 1920, 1080, 1.0f);
    assert_true(l.panels.w / l.screen.w >= 0.48f && l.panels.w / l.screen.w <= 0.5f);
}

/* Without panels, the layout of a frame equals that of a program without panels. */
static void test_off(void **unused)
{
    (void)unused;
    const struct app_state state = state_of(APP_PANELS_OFF, APP_THEME_DARK);
    const struct app_layout l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(l.unit == 1.0f && l.column && l.footer.w == 0.0f);
    assert_true(l.pane.w == 1280.0f && l.pane.h == 720.0f && l.panels.w == 0.0f);
    assert_true(l.picture.x == 560.0f && l.picture.y == 0.0f && l.picture.w == 720.0f);
    assert_true(l.main.x == 16.0f && l.main.y == 16.0f && l.main.w == 528.0f);
    assert_true(l.main.h == 220.0f && l.plot.y == 248.0f && l.plot.h == 456.0f);
    assert_true(l.details.x == 16.0f && l.details.h == 332.0f && l.details.y == 372.0f);
}

int main(int argc, char **argv)
{
    const int unable = mono_screen_open(argc, argv);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),       cmocka_unit_test(test_cells),
        cmocka_unit_test(test_fits),         cmocka_unit_test(test_off),
        cmocka_unit_test(test_no_digits),    cmocka_unit_test(test_says_wrong),
        cmocka_unit_test(test_gpu),          cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_empty),        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_wide),         cmocka_unit_test(test_why),
        cmocka_unit_test(test_partial),      cmocka_unit_test(test_cached),
        cmocka_unit_test(test_busy),         cmocka_unit_test(test_slow),
        cmocka_unit_test(test_old),          cmocka_unit_test(test_kept),
        cmocka_unit_test(test_doubted),      cmocka_unit_test(test_says_why_not),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_says_refused),
        cmocka_unit_test(test_ages),         cmocka_unit_test(test_wide_board),
        cmocka_unit_test(test_short_notes),  cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_fonts),        cmocka_unit_test(test_of_copy),
        cmocka_unit_test(test_one_transfer),
    };
    int failed = cmocka_run_group_tests_name("panels", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
