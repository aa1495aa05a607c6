/* The side panels: they are inside their room, all their texts fit, and no panel shows a digit for
 * a value that was not measured. */
#include "panel_boards.h"
#include "screens.h"

#include "command/state.h"
#include "hud/pages/grid.h"
#include "hud/pages/pages.h"
#include "hud/pages/panel.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- screens ---- */

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

/* Draws a part of a page of the screen and adds what is drawn to the record. */
static void draw(struct part part, const struct app_panels_view *view)
{
    const struct app_layout *layout = &screen.layout;
    const struct app_page_choice choice = {layout->shown, part.page, part.part, layout->type};
    app_hud_panels(&screen.brush, &layout->panels, &choice, view, &story);
}

/* Begins a small screen, dark. */
static void begin_small(enum app_panels panels)
{
    struct app_state state = state_of(panels, APP_THEME_DARK);
    (void)screen_at(0, &state);
    screen_begin(&state, "small");
}

/* Draws all pages on it, to check the words alone. */
static void draw_small(enum app_panels panels, const struct app_panels_view *view)
{
    begin_small(panels);
    for (int page = 0; page < APP_PAGE_COUNT; page++)
        draw((struct part){(enum app_panels_page)page, 1}, view);
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
static void check_texts(float u, bool whole)
{
    screen_end("panels", u, whole);
    screen_cards_apart();
    for (int c = 0; c < screen.seen.card_count; c++)
        assert_true(inside(screen.seen.cards[c], screen.layout.panels, 0.5f));
}

/* Checks that the smallest text can be read from the back of a room: 1.7 % of the window's height,
 * times the scale of theme and HUD, up to where a single panel fills the page. */
static void check_size(void)
{
    const struct app_layout *layout = &screen.layout;
    const float least = 0.017f * layout->type.scale * layout->screen.h;
    const struct ren_metrics sans = ren_face_metrics(renderer, REN_FACE_SANS);
    for (int t = 0; t < screen.seen.text_count && layout->shown == APP_PANELS_FULL; t++)
        if (screen.seen.texts[t].h / (sans.cap_height + 0.5f * sans.descent) < 0.999f * least)
            screen_error("too small:", screen.seen.words[t]);
}

/* Returns true when a straight line touches a box: a point of it, of many, lies inside. */
static bool crosses(const float xy[4], struct ren_rect box)
{
    enum { POINTS = 400 };
    for (int i = 0; i <= POINTS; i++) {
        const float t = (float)i / POINTS, x = xy[0] + t * (xy[2] - xy[0]),
                    y = xy[1] + t * (xy[3] - xy[1]);
        if (x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h)
            return true;
    }
    return false;
}

/* Checks that no line of a chart crosses a text. */
static void check_curves(float u)
{
    const struct seen *seen = &screen.seen;
    for (int t = 0; t < seen->text_count; t++) {
        struct ren_rect box = seen->texts[t];
        box.x += 0.5f * u;
        box.w -= u;
        box.y += 0.3f * u;
        box.h -= 0.6f * u;
        for (int i = 0; i < seen->piece_count; i++) {
            if (!crosses(seen->pieces[i].xy, box))
                continue;
            screen_error("a curve crosses", seen->words[t]);
            break;
        }
    }
}

/* Checks that nothing is drawn between the cards. */
static void check_background(enum app_theme theme)
{
    const unsigned ground = app_theme_colours(theme)->background;
    unsigned char *rgba = test_alloc(4 * (size_t)screen.width * (size_t)screen.height);
    test_frame_end(screen.list, rgba);
    for (int i = 0; i < screen.width * screen.height; i++) {
        const unsigned char *p = rgba + 4 * (size_t)i;
        bool covered = ((unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2]) == ground;
        const int x = i % screen.width, y = i / screen.width;
        for (int c = 0; c < screen.seen.card_count && !covered; c++)
            covered = overlap((struct ren_rect){(float)x, (float)y, 1.0f, 1.0f},
                              screen.seen.cards[c], -1.0f);
        if (!covered)
            fail_msg("something is drawn between the cards at %d, %d", x, y);
    }
    free(rgba);
}

/* Draws all parts of all pages of a board on the screen and checks them. */
static void check_pages(int index, const struct app_panels_view *view,
                        const struct app_state *state)
{
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        struct part part = {(enum app_panels_page)page, 1};
        int parts = 1;
        for (; part.part <= parts; part.part++) {
            screen_begin(state, boards[index].name);
            if (view->recorded)
                app_layout_pair(&screen.layout, state);
            parts = contents_of(&screen.layout, part).parts;
            snprintf(screen.name, sizeof screen.name, "%s%s_%s_%s%d_%s_%.0f%%_%dx%d", fonts,
                     boards[index].name, app_panels_names[state->panels], app_page_names[part.page],
                     part.part, app_theme_names[state->theme], 100.0 * state->hud_scale,
                     screen.width, screen.height);
            draw(part, view);
            const float u = unit_of(&screen.layout, part, view);
            check_texts(u, boards[index].whole);
            check_curves(u);
            check_size();
            /* Pixels are read only where they are few. */
            if (screen.width == 1280 && state->theme == APP_THEME_DARK && state->hud_scale == 1.0)
                check_background(state->theme);
        }
    }
}

/* Checks every part of every board's pages. */
TEST(test_every_board)
{
    static struct board board;
    for (int i = 0; i < (int)(sizeof boards / sizeof *boards); i++) {
        struct app_state state = app_state_default();
        boards[i].fill(&board);
        for (int at = 0; screen_at(at, &state); at++)
            for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
                state.panels = (enum app_panels)panels;
                state.hud_scale = 1.0;
                check_pages(i, &board.view, &state);
                state.hud_scale = 1.5;
                if (at % 3 == 0 && panels == APP_PANELS_FULL)
                    check_pages(i, &board.view, &state);
            }
    }
    screens_done();
}

/* Every curve of a GPU's plots has its name, and every kernel on the roofline; a window that is
 * small or not 16 by 9 may have no room for one. */
TEST(test_names_of_curves)
{
    static const char *const names[] = {
        "constant", "global",  "predicted", "past L1", "in order",   "the slides: 400",
        "strip",    "binned",  "book",      "SAXPY",   "cubes",      "Tesla M2050",
        "tree",     "brute",   "measured",  "double",  "same speed", "pinned, back",
        "1 load",   "8 loads", "1 chain",   "4 chains"};
    static struct board board;
    struct app_state state = state_of(APP_PANELS_FULL, APP_THEME_DARK);
    fill_gpu(&board);
    for (int at = 0; screen_at(at, &state); at++) {
        if (9 * screen.width != 16 * screen.height || screen.width < 1920 ||
            state.theme != APP_THEME_DARK)
            continue;
        screen_begin(&state, "names");
        for (int page = 0; page < APP_PAGE_COUNT; page++) {
            struct part part = {(enum app_panels_page)page, 1};
            const int parts = contents_of(&screen.layout, part).parts;
            for (; part.part <= parts; part.part++)
                draw(part, &board.view);
        }
        for (size_t i = 0; i < sizeof names / sizeof *names && !fonts[0]; i++)
            screen_must(names[i], true);
    }
    screens_done();
}

/* Before any measurement, each topic says so, and the only digits are those of published
 * numbers. */
TEST(test_no_digits)
{
    static struct board board;
    fill_empty(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        draw_small((enum app_panels)panels, &board.view);
        assert_int_equal(seen_count(&screen.seen, "not measured yet"), topics_of(&board));
        assert_int_equal(seen_count(&screen.seen, "not measured"),
                         topics_of(&board) + 2 * APP_CLAIM_COUNT);
        for (int t = 0; t < screen.seen.text_count; t++) {
            const char *word = screen.seen.words[t];
            if (!isdigit((unsigned char)word[0]))
                continue;
            int number, pages;
            bool of_text = sscanf(word, "%d/%d", &number, &pages) == 2;
            for (int i = 0; i < APP_CLAIM_COUNT; i++) {
                const struct app_claim_entry *of = app_claim_entry_of((enum app_claim_id)i);
                of_text = of_text || strcmp(word, of->then) == 0 || strcmp(word, of->device) == 0 ||
                          strcmp(word, of->shorter) == 0;
            }
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
        count += h200()->panels.claims[contents->rows[i]].now.verdict == APP_VERDICT_NOT_MEASURED;
    return count;
}

/* Without a GPU, no row is blank where the record has a number, and every card with recorded
 * numbers is stamped: the first card of a part is its heading; the cards of this device say so. */
TEST(test_stamps)
{
    static struct board board;
    fill_recorded_first(&board);
    for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
        const struct app_state state = state_of((enum app_panels)panels, APP_THEME_DARK);
        int rows = 0, missing = 0, stamped = 0, own = 0;
        for (int page = 0; page < APP_PAGE_COUNT; page++) {
            struct part part = {(enum app_panels_page)page, 1};
            int parts = 1;
            for (; part.part <= parts; part.part++) {
                begin_small(state.panels);
                app_layout_pair(&screen.layout, &state);
                draw(part, &board.view);
                rows += seen_count(&screen.seen, "REC") - seen_count(&screen.seen, "RECORDED");
                const struct app_page_contents contents = contents_of(&screen.layout, part);
                parts = contents.parts;
                const bool any = unrecorded(&contents) < contents.row_count;
                for (int c = 1; c < screen.seen.card_count; c++) {
                    const bool live = starts_on(&screen.seen, c, "this ") >= 1 &&
                                      starts_on(&screen.seen, c, "REC") == 0;
                    const bool plot = starts_on(&screen.seen, c, "story") == 1;
                    if (any && !live && !plot && starts_on(&screen.seen, c, "REC") == 0)
                        fail_msg("%s: a card of %s, part %d, has no stamp",
                                 app_panels_names[state.panels], app_page_names[part.page],
                                 part.part);
                    stamped += any && !live && !plot;
                    own += live;
                }
                assert_int_equal(seen_count(&screen.seen, "not measured") -
                                     seen_count(&screen.seen, "not measured yet"),
                                 unrecorded(&contents));
                missing += unrecorded(&contents);
            }
        }
        assert_true(rows + missing >= 2 * APP_CLAIM_COUNT);
        assert_true(stamped >= APP_PAGE_COUNT);
        assert_true(own > 0 || panels == APP_PANELS_COMPACT);
    }
}

/* Counts the marks on all full pages, which are squares. */
static int marks_of(const struct app_panels_view *view)
{
    int count = 0;
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        const struct part part = {(enum app_panels_page)page, 1};
        begin_small(APP_PANELS_FULL);
        const float side = 12.0f * unit_of(&screen.layout, part, view);
        draw(part, view);
        for (int s = 0; s < screen.seen.shape_count; s++)
            count += fabsf(screen.seen.shapes[s].w - side) < 0.01f &&
                     fabsf(screen.seen.shapes[s].h - side) < 0.01f;
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
TEST(test_says_why_not)
{
    static struct board board;
    fill_gpu(&board);
    assert_int_equal(marks_of(&board.view), 0);
    fill_doubted(&board);
    assert_int_equal(marks_of(&board.view), doubted_topics(&board) + 2 * APP_CLAIM_COUNT);
    draw_small(APP_PANELS_FULL, &board.view);
    if (!fonts[0]) /* the wider font leaves less room */
        assert_true(seen_count(&screen.seen, "near floor") > 2);
    assert_int_equal(seen_count(&screen.seen, "DO NOT QUOTE"), 0);
    fill_throttled(&board);
    assert_int_equal(marks_of(&board.view), 0); /* frames and words say it */
    draw_small(APP_PANELS_FULL, &board.view);
    assert_int_equal(seen_count(&screen.seen, "DO NOT QUOTE: throttled"), topics_of(&board));
    assert_int_equal(seen_count(&screen.seen, "✗ DO NOT QUOTE"),
                     topics_of(&board) + 2 * APP_CLAIM_COUNT);
}

/* Boards of any width, with one line per row or two: their texts fit. */
TEST(test_boards)
{
    static struct board board;
    static const float widths[] = {608.0f, 570.0f, 300.0f};
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
            screen.width = (int)width + 16;
            screen.height = (int)high + 16;
            screen_frame(APP_THEME_DARK, 1.0f, boards[i].name);
            boards[i].fill(&board);
            app_board_draw(&screen.brush, card, &contents, lines, &board.view);
            screen_end("board", 1.0f, boards[i].whole);
            for (int row = 0; row < contents.row_count; row++) {
                const int claim = contents.rows[row];
                const struct app_claim *shown = board.view.recorded
                                                    ? &board.view.recorded->panels.claims[claim]
                                                    : &board.claims[claim];
                assert_true(seen_count(&screen.seen, app_verdict_word(shown->now.verdict)) >= 1);
            }
        }
    screens_done();
}

/* The words of boards. Kept numbers show their age, and those that are measured continuously show
 * none. The reason why a topic is missing replaces "not measured yet". A note that is too long for
 * its row leaves its first part, or the second number. On a CPU, the panel, its headline number and
 * the board refer to one thread: 5.2 / 0.58 ms. */
TEST(test_words)
{
    enum { TOPICS = -1, SOME = -2, PAGES = -3, ANY = -4 };
    static const struct {
        void (*fill)(struct board *board);
        double age_s; /* 0: the ages on the board */
        const char *text;
        int compact, full; /* how often; TOPICS: once per topic, SOME: at least once, ANY: it does
                              not matter */
    } cases[] = {
        {fill_gpu, 4.9, " ago", 0, 0},
        {fill_gpu, 5.1, "5 s ago", TOPICS, TOPICS},
        {fill_gpu, 119.0, "2 min ago", TOPICS, TOPICS},
        {fill_gpu, 5.0 * 3600.0, "5 h ago", TOPICS, TOPICS},
        {fill_gpu, 72.0 * 3600.0, "3 d ago", TOPICS, TOPICS},
        {fill_old, 0.0, "95 min ago", TOPICS, TOPICS},
        {fill_old_cpu, 0.0, "7 s ago", TOPICS, TOPICS},
        {fill_empty, 300.0, " ago", 0, 0},
        {fill_kept, 0.0, "4 min ago", 1, 1},
        {fill_kept, 0.0, "2 min ago", 0, 1},
        {fill_kept, 0.0, " ago", 1, 2},
        {fill_refused, 0.0, "No such memory.", 1, 1},
        {fill_refused, 0.0, "The host has no 256 MiB", 1, 1},
        {fill_refused, 0.0, "not measured yet", 0, 0},
        {fill_refused, 0.0, "Refused", 0, 0},
        {fill_wrong, 0.0, "✗ WRONG RESULT", 1, 1},
        {fill_wrong, 0.0, "40 %", PAGES, PAGES},
        {fill_slow, 0.0, "B measures it", ANY, 4}, /* the kernel and the window */
        {fill_cpu, 0.0, "B measures it", ANY, 2},
        {fill_cpu, 0.0, "here 1.00×", ANY, 2},
        {fill_cpu, 0.0, "8.97", 1, 1},
        {fill_cpu, 0.0, "0.112", SOME, SOME}, /* the interval, where it has room */
        {fill_cpu, 0.0, "one thread", SOME, SOME},
        {fill_gpu, 0.0, "396 TB/s", ANY, 1},
    };
    static struct board board;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cases[i].fill(&board);
        if (cases[i].age_s > 0.0)
            set_ages(&board, cases[i].age_s);
        for (int panels = APP_PANELS_COMPACT; panels <= APP_PANELS_FULL; panels++) {
            const int count = panels == APP_PANELS_FULL ? cases[i].full : cases[i].compact;
            draw_small((enum app_panels)panels, &board.view);
            const int found = seen_count(&screen.seen, cases[i].text);
            const int wanted = count == TOPICS  ? topics_of(&board)
                               : count == PAGES ? APP_PAGE_COUNT
                                                : count;
            if (count == SOME ? found == 0 : count != ANY && found != wanted)
                fail_msg("%s: %d times \"%s\"", app_panels_names[(enum app_panels)panels], found,
                         cases[i].text);
        }
    }
}

/* Intervals whose ends are orders of magnitude away stay on their charts. */
TEST(test_far_ends)
{
    static struct board board;
    void (*const fill[])(struct board *) = {fill_gpu, fill_cpu};
    struct app_state screen_state = state_of(APP_PANELS_FULL, APP_THEME_DARK);
    for (int i = 0; screen_at(i / 2 / APP_PAGE_COUNT, &screen_state); i++) {
        const struct part part = {(enum app_panels_page)(i / 2 % APP_PAGE_COUNT), 1};
        screen_begin(&screen_state, "far ends");
        if (screen.layout.shown == APP_PANELS_OFF || part.page == APP_PAGE_CLAIMS)
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
            board.claims[c].now.interval[0] = '\0'; /* written by the rows of the claims */
        draw(part, &board.view);
        check_texts(unit_of(&screen.layout, part, &board.view), true);
    }
    screens_done();
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
