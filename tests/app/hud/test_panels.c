/* The side panels: they are inside their room, all their texts fit, and no panel shows a digit for
 * a value that was not measured. `test_panels mono` runs the same tests with a monospaced font
 * only. PANELS_PICTURES=FOLDER writes every screen to FOLDER as PNG, for inspection, and
 * PANELS_ONLY=TEXT only those with TEXT in their names. */
#include "mono_font.h"
#include "offscreen.h"
#include "panel_boards.h"
#include "seen.h"

#include "command/state.h"
#include "hud/layout.h"
#include "hud/pages/board.h"
#include "hud/pages/grid.h"
#include "hud/pages/pages.h"
#include "hud/panels/names.h"
#include "hud/theme.h"

#include "ren/png.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- screens ---- */

static const int sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160},
                               {1024, 768}, {2560, 1080}, {720, 1280}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct app_state state_of(enum app_panels panels, enum app_theme theme)
{
    struct app_state state = app_state_default();
    state.panels = panels;
    state.theme = theme;
    return state;
}

/* Draws a card in place of the story's plot. */
static void draw_story(const struct app_brush *brush, struct ren_rect card, const void *data,
                       const struct app_panels_view *view)
{
    (void)data;
    (void)view;
    app_draw_panel(brush, card);
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_TEXT, card.x + 12.0f * brush->unit,
                  card.y + 21.0f * brush->unit, REN_ALIGN_LEFT, brush->colours->text, "story");
}
static const struct app_cell story = {draw_story, NULL};

/* A part of a page. */
struct part {
    enum app_panels_page page;
    int part;
};

/* Returns the contents of a part on a screen. */
static struct app_page_contents contents_of(const struct app_layout *layout, struct part part)
{
    struct app_page_contents contents;
    if (layout->shown == APP_PANELS_FULL)
        app_page_part(part.page, true, layout->panels.w, layout->panels.h, &layout->type, part.part,
                      &contents);
    else
        app_page_contents(part.page, false, &contents);
    return contents;
}

/* Draws a part of a page of one screen and adds what is drawn to the record; copies the frame to
 * `rgba` when given. */
static void draw(const struct app_layout *layout, enum app_theme theme, struct part part,
                 const struct app_panels_view *view, struct seen *seen, unsigned char *rgba)
{
    const struct app_draw_witness witness = {see_text, see_card, see_shape, see_piece, seen};
    const struct app_colours *colours = app_theme_colours(theme);
    struct ren_list *list =
        test_frame_begin((int)layout->screen.w, (int)layout->screen.h, colours->background);
    const struct app_brush brush = {renderer, list, colours, layout->unit, &witness};
    const struct app_page_choice choice = {layout->shown, part.page, part.part, layout->type};
    app_hud_panels(&brush, &layout->panels, &choice, view, &story);
    if (rgba)
        test_frame_end(list, rgba);
}

/* Draws all pages on the smallest screen, dark, to check the words alone. */
static void draw_small(enum app_panels panels, const struct app_panels_view *view,
                       struct seen *seen)
{
    const struct app_state screen = state_of(panels, APP_THEME_DARK);
    const struct app_layout layout = app_layout_make(&screen, 1280, 720, 1.0f);
    seen_begin(seen);
    for (int page = 0; page < APP_PAGE_COUNT; page++)
        draw(&layout, APP_THEME_DARK, (struct part){(enum app_panels_page)page, 1}, view, seen,
             NULL);
}

/* Returns the pixels per unit of a part of a page. */
static float unit_of(const struct app_layout *layout, struct part part,
                     const struct app_panels_view *view)
{
    struct app_cells cells;
    const bool full = layout->shown == APP_PANELS_FULL;
    if (view->why[0] && !full)
        return layout->panels.w / APP_COMPACT_WIDTH;
    if (view->why[0])
        return layout->type.scale * fmaxf(layout->panels.w / APP_PANELS_WIDTH, layout->type.least);
    const struct app_page_contents contents = contents_of(layout, part);
    if (full)
        return contents.unit;
    app_cells_make_column(&contents.needs, layout->panels, &cells);
    return cells.unit;
}

/* Checks that the cards are inside the panels' room and apart, with their texts inside them. */
static int check_texts(const struct app_layout *layout, float u, const struct seen *seen,
                       bool whole, const char *name)
{
    for (int c = 0; c < seen->card_count; c++) {
        assert_true(inside(seen->cards[c], layout->panels, 0.5f));
        for (int d = 0; d < c; d++)
            assert_false(overlap(seen->cards[c], seen->cards[d], 0.5f));
    }
    return seen_wrong(seen, u, whole, name);
}

/* Checks that the smallest text can be read from the back of a room: 1.7 % of the window's height,
 * times the scale of theme and HUD, up to where a single panel fills the page. */
static int check_size(const struct app_layout *layout, const struct seen *seen, const char *name)
{
    if (layout->shown != APP_PANELS_FULL)
        return 0;
    const float least = 0.017f * layout->type.scale;
    const struct ren_metrics sans = ren_face_metrics(renderer, REN_FACE_SANS);
    int wrong = 0;
    for (int t = 0; t < seen->text_count; t++) {
        const float pixels = seen->texts[t].h / (sans.cap_height + 0.5f * sans.descent);
        if (pixels >= 0.999f * least * layout->screen.h)
            continue;
        print_error("%s: \"%s\" has %.2f %% of the height\n", name, seen->words[t],
                    (double)(100.0f * pixels / layout->screen.h));
        wrong++;
    }
    return wrong;
}

/* Checks that no curve crosses a text: a curve's number may stand on that curve, on a patch that is
 * drawn after it. */
static int check_curves(const struct seen *seen, float u, const char *name)
{
    int wrong = 0;
    for (int t = 0; t < seen->text_count; t++) {
        struct ren_rect box = seen->texts[t];
        const void *own = NULL;
        const bool number = strlen(seen->words[t]) <= 2;
        box.x += 0.5f * u;
        box.w -= u;
        box.y += 0.3f * u;
        box.h -= 0.6f * u;
        for (int i = 0; i < seen->piece_count; i++) {
            const struct seen_piece *piece = &seen->pieces[i];
            if (!app_panel_crosses(piece->xy, box))
                continue;
            const bool below = piece->after <= t && piece->of && (!own || own == piece->of);
            own = piece->of;
            if (number && below)
                continue;
            print_error("%s: a curve crosses \"%s\"\n", name, seen->words[t]);
            wrong++;
            break;
        }
    }
    return wrong;
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

/* Draws a part of a page of a screen and returns the number of errors. */
static int check_screen(int board_index, const struct app_panels_view *view,
                        const struct app_layout *layout, const struct app_state *state,
                        struct part part)
{
    static struct seen seen;
    const char *folder = getenv("PANELS_PICTURES"), *only = getenv("PANELS_ONLY");
    const int size[2] = {(int)layout->screen.w, (int)layout->screen.h};
    char name[160];
    snprintf(name, sizeof name, "%s%s_%s_%s%d_%s_%.0f%%_%dx%d", fonts, boards[board_index].name,
             app_panels_name(state->panels), app_page_name(part.page), part.part,
             app_theme_name(state->theme), 100.0 * state->hud_scale, size[0], size[1]);
    if (only && !strstr(name, only))
        folder = NULL;
    /* Read pixels only where they are few or requested; the recording needs none. */
    const bool check = size[0] == sizes[0][0] && state->theme == APP_THEME_DARK;
    unsigned char *rgba = check || folder ? malloc(4 * (size_t)size[0] * (size_t)size[1]) : NULL;
    seen_begin(&seen);
    draw(layout, state->theme, part, view, &seen, rgba);
    if (folder) {
        char path[512];
        struct krn_error error;
        snprintf(path, sizeof path, "%s/panels_%s.png", folder, name);
        assert_int_equal(
            ren_png_write(path, &(struct ren_png){size[0], size[1], rgba, "", NULL}, true, &error),
            KRN_OK);
    }
    if (check)
        check_background(layout, state->theme, &seen, rgba);
    free(rgba);
    const float u = unit_of(layout, part, view);
    return check_texts(layout, u, &seen, boards[board_index].whole, name) +
           check_curves(&seen, u, name) + check_size(layout, &seen, name);
}

/* Draws all parts of all pages of a screen and returns the number of errors. */
static int check_pages(int board_index, const struct app_panels_view *view, const int *size,
                       const struct app_state *state)
{
    struct app_layout layout = app_layout_make(state, size[0], size[1], 1.0f);
    int wrong = 0;
    if (view->recorded)
        app_layout_pair(&layout, state);
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        struct part part = {(enum app_panels_page)page, 1};
        const int parts = contents_of(&layout, part).parts;
        for (; part.part <= parts; part.part++)
            wrong += check_screen(board_index, view, &layout, state, part);
    }
    return wrong;
}

/* Checks every part of a board's pages at every size. The dark and the light theme have the same
 * layout, so two sizes are enough for the light one. */
static void each_screen(int board_index)
{
    static struct board board;
    int wrong = 0;
    boards[board_index].fill(&board);
    for (int s = 0; s < SIZES; s++)
        for (int theme = 0; theme < APP_THEME_COUNT; theme++)
            for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
                struct app_state state = state_of((enum app_panels)panels, (enum app_theme)theme);
                if (theme == APP_THEME_LIGHT && s > 1)
                    continue;
                wrong += check_pages(board_index, &board.view, sizes[s], &state);
                state.hud_scale = 1.5;
                if (s < 1 && theme != APP_THEME_LIGHT && panels == APP_PANELS_FULL)
                    wrong += check_pages(board_index, &board.view, sizes[s], &state);
            }
    assert_int_equal(wrong, 0);
}

/* Defines test_NAME, which checks all screens of the boards from `first` to `last`. */
#define TEST_BOARDS(name, first, last)                                                             \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        for (int i = first; i <= last; i++)                                                        \
            each_screen(i);                                                                        \
    }
TEST_BOARDS(gpu, 0, 0)
TEST_BOARDS(cpu, 1, 1)
TEST_BOARDS(empty, 2, 2)
TEST_BOARDS(wrong, 3, 3)
TEST_BOARDS(wide, 4, 4)
TEST_BOARDS(why, 5, 5)
TEST_BOARDS(partial, 6, 6)
TEST_BOARDS(busy, 7, 7)
TEST_BOARDS(slow, 8, 8)
TEST_BOARDS(old, 9, 10)
TEST_BOARDS(cached, 13, 13)
TEST_BOARDS(doubted, 14, 16)
TEST_BOARDS(kept, 11, 11)
TEST_BOARDS(refused, 12, 12)
TEST_BOARDS(recorded, 17, 18)

static int texts_with(const struct seen *seen, const char *part)
{
    int count = 0;
    for (int t = 0; t < seen->text_count; t++)
        count += strstr(seen->words[t], part) != NULL;
    return count;
}

/* Every curve of a GPU's plots has its name, and every kernel on the roofline; a window that is not
 * 16 by 9 may have no room for one. */
static void test_names_of_curves(void **state)
{
    (void)state;
    static const char *const names[] = {"8",           "4",      "3",     "2",     "1",
                                        "constant",    "global", "L1",    "L2",    "slides: 400+",
                                        "in order",    "672",    "39.0",  "288",   "strip",
                                        "binned",      "book",   "SAXPY", "cubes", "launch",
                                        "M2050: 1030", "tree",   "brute"};
    static struct board board;
    static struct seen seen;
    fill_gpu(&board);
    for (size_t s = 0; s < SIZES; s++) {
        if (9 * sizes[s][0] != 16 * sizes[s][1])
            continue;
        const struct app_state screen = state_of(APP_PANELS_FULL, APP_THEME_DARK);
        const struct app_layout layout = app_layout_make(&screen, sizes[s][0], sizes[s][1], 1.0f);
        seen_begin(&seen);
        for (int page = 0; page < APP_PAGE_COUNT; page++) {
            struct part part = {(enum app_panels_page)page, 1};
            const int parts = contents_of(&layout, part).parts;
            for (; part.part <= parts; part.part++)
                draw(&layout, APP_THEME_DARK, part, &board.view, &seen, NULL);
        }
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (texts_with(&seen, names[i]) == 0 && !fonts[0])
                fail_msg("%dx%d: no \"%s\"", sizes[s][0], sizes[s][1], names[i]);
    }
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
        assert_int_equal(texts_with(&seen, "not measured yet"), topics_of(&board));
        assert_int_equal(texts_with(&seen, "not measured"),
                         topics_of(&board) + 2 * APP_CLAIM_COUNT);
        for (int t = 0; t < seen.text_count; t++) {
            const char *word = seen.words[t];
            if (!isdigit((unsigned char)word[0]))
                continue;
            bool of_text = strstr(word, " lanes on ") != NULL; /* a subtitle */
            int number, pages;
            of_text = of_text || sscanf(word, "%d/%d", &number, &pages) == 2;
            for (int i = 0; i < APP_CLAIM_COUNT; i++)
                of_text = of_text || strcmp(word, unmeasured[i].then) == 0 ||
                          strcmp(word, unmeasured[i].device) == 0 ||
                          strcmp(word, app_claim_entry_of((enum app_claim_id)i)->shorter) == 0;
            if (!of_text)
                fail_msg("\"%s\" was not measured", word);
        }
    }
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Counts the texts on a card that begin like this. */
static int starts_on(const struct seen *seen, int card, const char *with)
{
    int count = 0;
    for (int t = 0; t < seen->text_count; t++)
        count += starts(seen->words[t], with) && inside(seen->texts[t], seen->cards[card], 0.5f);
    return count;
}

/* Returns the number of a page's claims that the shipped run has no number for. */
static int unrecorded(const struct app_page_contents *contents)
{
    int count = 0;
    for (int i = 0; i < contents->row_count; i++)
        count += h200()->panels.claims[contents->rows[i]].verdict == APP_CLAIM_NOT_MEASURED;
    return count;
}

/* Without a GPU, no row is blank where the record has a number, and every card with recorded
 * numbers is stamped: the first card of a part is its heading; the cards of this device say so. */
static void test_stamps(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_recorded_first(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        const struct app_state screen = state_of((enum app_panels)panels, APP_THEME_DARK);
        struct app_layout layout = app_layout_make(&screen, 1280, 720, 1.0f);
        app_layout_pair(&layout, &screen);
        int rows = 0, missing = 0, stamped = 0, own = 0;
        for (int page = 0; page < APP_PAGE_COUNT; page++) {
            struct part part = {(enum app_panels_page)page, 1};
            const int parts = contents_of(&layout, part).parts;
            for (; part.part <= parts; part.part++) {
                seen_begin(&seen);
                draw(&layout, APP_THEME_DARK, part, &board.view, &seen, NULL);
                rows += texts_with(&seen, "REC") - texts_with(&seen, "RECORDED");
                const struct app_page_contents contents = contents_of(&layout, part);
                const bool any = unrecorded(&contents) < contents.row_count;
                for (int c = 1; c < seen.card_count; c++) {
                    const bool live =
                        starts_on(&seen, c, "this ") >= 1 && starts_on(&seen, c, "REC") == 0;
                    const bool plot = starts_on(&seen, c, "story") == 1;
                    if (any && !live && !plot && starts_on(&seen, c, "REC") == 0)
                        fail_msg("%s: a card of %s, part %d, has no stamp",
                                 app_panels_name(screen.panels), app_page_name(part.page),
                                 part.part);
                    stamped += any && !live && !plot;
                    own += live;
                }
                assert_int_equal(texts_with(&seen, "not measured") -
                                     texts_with(&seen, "not measured yet"),
                                 unrecorded(&contents));
                missing += unrecorded(&contents);
            }
        }
        assert_true(rows + missing >= 2 * APP_CLAIM_COUNT);
        assert_true(stamped >= APP_PAGE_COUNT);
        assert_true(own > 0 || panels == APP_PANELS_COMPACT);
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
        assert_int_equal(texts_with(&seen, "40 %"), APP_PAGE_COUNT);
    }
}

/* Counts the marks on all full pages, which are squares. */
static int marks_of(const struct app_panels_view *view)
{
    static struct seen seen;
    const struct app_state screen = state_of(APP_PANELS_FULL, APP_THEME_DARK);
    const struct app_layout layout = app_layout_make(&screen, 1280, 720, 1.0f);
    int count = 0;
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        const struct part part = {(enum app_panels_page)page, 1};
        const float side = 12.0f * unit_of(&layout, part, view);
        seen_begin(&seen);
        draw(&layout, APP_THEME_DARK, part, view, &seen, NULL);
        for (int s = 0; s < seen.shape_count; s++)
            count +=
                fabsf(seen.shapes[s].w - side) < 0.01f && fabsf(seen.shapes[s].h - side) < 0.01f;
    }
    return count;
}

/* Returns the number of topics with a probe that there are reasons to doubt. */
static int doubted_topics(const struct board *board)
{
    bool doubted[KRN_TOPIC_COUNT] = {false};
    int count = 0;
    for (int i = 0; i < board->count; i++)
        doubted[board->probes[i].topic] |= board->results[i].trust != 0;
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
        count += doubted[topic];
    return count;
}

/* Every panel whose numbers have reasons has a mark and, where there is room, the first reason; red
 * ones have words in place of headlines and of verdicts. A claim is on two pages. */
static void test_says_why_not(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_gpu(&board);
    assert_int_equal(marks_of(&board.view), 0);
    fill_doubted(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(marks_of(&board.view), doubted_topics(&board) + 2 * APP_CLAIM_COUNT);
    if (!fonts[0]) { /* the wider font leaves less room */
        assert_true(texts_with(&seen, "in the L2 cache") >= 1);
        assert_true(texts_with(&seen, "near floor") > 2); /* two panels, and claims with room */
        assert_int_equal(texts_with(&seen, "few samples"), 1);
        assert_int_equal(texts_with(&seen, "wandering"), 1);
    }
    const int digits = texts_with(&seen, "4.37");
    assert_int_equal(texts_with(&seen, "DO NOT QUOTE"), 0);
    fill_throttled(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(marks_of(&board.view), 0); /* frames and words say it */
    assert_int_equal(texts_with(&seen, "DO NOT QUOTE: throttled"), topics_of(&board));
    assert_int_equal(texts_with(&seen, "✗ DO NOT QUOTE"), topics_of(&board) + 2 * APP_CLAIM_COUNT);
    assert_int_equal(texts_with(&seen, "4.37"), digits - 1); /* the headline has gone */
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        fill_wrong(&board);
        draw_small((enum app_panels)panels, &board.view, &seen);
        assert_int_equal(texts_with(&seen, "✗ WRONG RESULT"), 1);
    }
}

/* A note that is too long for its row leaves its first part, or the second number. */
static void test_short_notes(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    fill_slow(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "B measures it"), 4); /* the kernel and the window */
    fill_cpu(&board);
    draw_small(APP_PANELS_FULL, &board.view, &seen);
    assert_int_equal(texts_with(&seen, "B measures it"), 2);
    assert_int_equal(texts_with(&seen, "here 1.00×"), 2);
}

/* Boards of any width, with one line per row or two: their texts fit. */
static void test_boards(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    static const float widths[] = {608.0f, 570.0f, 300.0f};
    const float u = 1.0f;
    int wrong = 0;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        for (int t = 0; t < APP_PAGE_COUNT * 3 * 2; t++) {
            struct app_page_contents contents;
            const int lines = t / APP_PAGE_COUNT / 3 + 1;
            const float width = widths[t / APP_PAGE_COUNT % 3];
            if (lines == 1 && !app_cells_wide(width))
                continue;
            app_page_contents((enum app_panels_page)(t % APP_PAGE_COUNT), false, &contents);
            const float high = app_board_title_height + 20.0f +
                               (float)contents.needs.groups * app_group_height +
                               (float)contents.row_count * app_row_height[lines];
            const struct ren_rect card = {8.0f, 8.0f, width, high};
            const struct app_draw_witness witness = seen_begin(&seen);
            const struct app_colours *colours = app_theme_colours(APP_THEME_DARK);
            struct ren_list *list =
                test_frame_begin((int)width + 16, (int)high + 16, colours->background);
            const struct app_brush brush = {renderer, list, colours, u, &witness};
            boards[i].fill(&board);
            app_board_draw(&brush, card, &contents, lines, &board.view);
            wrong += seen_wrong(&seen, u, boards[i].whole, boards[i].name);
            for (int row = 0; row < contents.row_count; row++) {
                const int claim = contents.rows[row];
                const struct app_claim *shown = board.view.recorded
                                                    ? &board.view.recorded->panels.claims[claim]
                                                    : &board.claims[claim];
                assert_true(texts_with(&seen, app_claim_verdict_name(shown->verdict)) >= 1);
            }
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
    assert_int_equal(texts_with(&seen, "article at 2²⁰"), 1);
}

/* The panel of constant reads compares the measured slow-down with the predicted one at the chosen
 * number of addresses, and draws 32 lanes above as many addresses. The operands' ratio is large,
 * and the tutorial's units stand beside its sums. */
static void test_numbers_of_the_texts(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    int shapes[2];
    fill_gpu(&board);
    for (int i = 0; i < 2; i++) {
        board.view.addresses = i == 0 ? 8 : 16;
        draw_small(APP_PANELS_FULL, &board.view, &seen);
        assert_int_equal(texts_with(&seen, i == 0 ? "predicted 8.0×" : "predicted 16.0×"), 1);
        shapes[i] = seen.shape_count;
    }
    assert_int_equal(shapes[1], shapes[0] + 8);
    assert_int_equal(texts_with(&seen, "396 TB/s"), 1);
    assert_int_equal(texts_with(&seen, "chunk 7.17 GiB/s"), 1);
    assert_int_equal(texts_with(&seen, "coalesced 89.9 GiB/s"), 1);
    if (!fonts[0]) /* the wider font leaves less room */
        assert_int_equal(texts_with(&seen, "1059429 cycles = 535 µs"), 1);
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
    enum { ALL = -1 }; /* one per topic */
    static const struct {
        void (*fill)(struct board *board);
        double age_s; /* < 0: the ages on the board */
        const char *text;
        int compact, full;
    } cases[] = {
        {fill_gpu, 4.9, " ago", 0, 0},
        {fill_gpu, 5.1, "5 s ago", ALL, ALL},
        {fill_gpu, 119.0, "2 min ago", ALL, ALL},
        {fill_gpu, 5.0 * 3600.0, "5 h ago", ALL, ALL},
        {fill_gpu, 72.0 * 3600.0, "3 d ago", ALL, ALL},
        {fill_old, -1.0, "95 min ago", ALL, ALL},
        {fill_old_cpu, -1.0, "7 s ago", ALL, ALL},
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
            const int count = panels == APP_PANELS_FULL ? cases[i].full : cases[i].compact;
            draw_small((enum app_panels)panels, &board.view, &seen);
            assert_int_equal(texts_with(&seen, cases[i].text),
                             count == ALL ? topics_of(&board) : count);
        }
    }
}

/* Ends that are orders of magnitude away are shown as beyond a limit, and fit. */
static void test_far_ends(void **state)
{
    (void)state;
    static struct board board;
    static struct seen seen;
    void (*const fill[])(struct board *) = {fill_gpu, fill_cpu};
    int wrong = 0, far = 0;
    for (int i = 0; i < 2 * SIZES * APP_PAGE_COUNT; i++) {
        const int *size = sizes[i / 2 % SIZES];
        const struct part part = {(enum app_panels_page)(i / 2 / SIZES), 1};
        const struct app_state screen = state_of(APP_PANELS_FULL, APP_THEME_DARK);
        const struct app_layout layout = app_layout_make(&screen, size[0], size[1], 1.0f);
        if (layout.shown == APP_PANELS_OFF || part.page == APP_PAGE_CLAIMS)
            continue;
        fill[i % 2](&board);
        for (int r = 0; r < board.count; r++) {
            struct app_probe_result *result = &board.results[r];
            result->ms_interval.low *= 1e-4;
            result->ms_interval.high *= 1e4;
            result->cycles_interval.low *= 1e-4;
            result->cycles_interval.high *= 1e4;
        }
        for (int c = 0; c < APP_CLAIM_COUNT; c++)
            board.claims[c].interval[0] = '\0'; /* written by the rows of the claims */
        seen_begin(&seen);
        draw(&layout, APP_THEME_DARK, part, &board.view, &seen, NULL);
        char name[64];
        snprintf(name, sizeof name, "far ends, page %d, %dx%d", (int)part.page, size[0], size[1]);
        wrong += check_texts(&layout, unit_of(&layout, part, &board.view), &seen, true, name);
        for (int t = 0; t < seen.text_count; t++) {
            const char *const begin = strchr(seen.words[t], '[');
            if (begin == NULL || !isdigit((unsigned char)begin[strcspn(begin, "0123456789")]))
                continue;
            far += begin[1] == '<' && strchr(begin, '>') != NULL;
            if (begin[1] != '<' || strchr(begin, '>') == NULL) {
                print_error("%s: %s\n", name, seen.words[t]);
                wrong++;
            }
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(far > 10);
}

int main(int argc, char **argv)
{
    const int unable = mono_screen_open(argc, argv);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_curves),
        cmocka_unit_test(test_no_digits),
        cmocka_unit_test(test_says_wrong),
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_why),
        cmocka_unit_test(test_partial),
        cmocka_unit_test(test_cached),
        cmocka_unit_test(test_busy),
        cmocka_unit_test(test_slow),
        cmocka_unit_test(test_old),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_doubted),
        cmocka_unit_test(test_says_why_not),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_says_refused),
        cmocka_unit_test(test_ages),
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_short_notes),
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_fonts),
        cmocka_unit_test(test_of_copy),
        cmocka_unit_test(test_far_ends),
        cmocka_unit_test(test_one_transfer),
        cmocka_unit_test(test_numbers_of_the_texts),
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_stamps),
    };
    int failed = cmocka_run_group_tests_name("panels", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
