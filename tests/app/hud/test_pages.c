/* The rooms of panels and pages: the layout of a frame, the places on a page, and which page shows
 * which topic and claim. */
#include "seen.h"

#include "claims/list.h"
#include "command/state.h"
#include "hud/layout.h"
#include "hud/pages/grid.h"
#include "hud/pages/pages.h"
#include "hud/theme.h"

#include <math.h>
#include <string.h>

static struct app_state state_of(enum app_panels panels, enum app_theme theme)
{
    struct app_state state = app_state_default();
    state.panels = panels;
    state.theme = theme;
    return state;
}

TEST(test_layout)
{
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
            const bool below = l.panels.y > 0.0f;
            assert_true(below ? l.pane.h + l.panels.h == l.screen.h
                              : l.pane.w + l.panels.w == l.screen.w);
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

/* Checks the places on a page: apart from each other, inside the area, and at least as large as a
 * panel needs. */
static void check_cells(const struct app_page_needs *needs, struct ren_rect area, float u)
{
    struct app_cells cells;
    app_cells_make(needs, area, u, &cells);
    assert_true(u > 0.0f && inside(cells.heading, area, 0.01f));
    if (needs->rows > 0) {
        const int rows = needs->rows, groups = needs->groups;
        assert_true(inside(cells.board, area, 0.01f));
        assert_true(cells.board.h / u >=
                    (float)rows * app_row_height[cells.lines] + (float)groups * app_group_height);
    }
    for (int i = 0; i < needs->panels; i++) {
        const struct ren_rect cell = cells.panels[i];
        assert_true(inside(cell, area, 0.01f));
        assert_true(cell.w >= 299.9f * u && cell.h >= 137.9f * needs->weights[i] * u);
        assert_false(overlap(cell, cells.heading, 0.01f));
        assert_false(needs->rows > 0 && overlap(cell, cells.board, 0.01f));
        for (int before = 0; before < i; before++)
            assert_false(overlap(cell, cells.panels[before], 0.01f));
    }
}

/* Whatever a page shows, everything on it has its room. */
TEST(test_cells)
{
    static const struct ren_rect areas[] = {{488.0f, 0.0f, 792.0f, 720.0f},
                                            {1.0f, 2.0f, 400.0f, 1280.0f},
                                            {0.0f, 0.0f, 1600.0f, 1080.0f}};
    for (size_t a = 0; a < sizeof areas / sizeof *areas; a++)
        for (int panels = 0; panels <= APP_CELLS_MAX; panels++)
            for (int rows = panels == 0; rows <= 20; rows++) {
                struct app_page_needs needs = {.panels = panels, .rows = rows};
                for (int i = 0; i < panels; i++)
                    needs.weights[i] = i == rows % APP_CELLS_MAX ? 1.6f : 1.0f;
                needs.groups = panels == 0 ? APP_TEXT_COUNT : 0;
                check_cells(&needs, areas[a], app_cells_unit(&needs, areas[a].w, areas[a].h));
            }
}

/* Every topic is on the page of its text, every claim there and on the first page. */
TEST(test_pages)
{
    int topics[KRN_TOPIC_COUNT] = {0}, claims[APP_CLAIM_COUNT] = {0};
    for (int page = 0; page < APP_PAGE_COUNT; page++) {
        struct app_page_contents contents;
        app_page_contents((enum app_panels_page)page, true, &contents);
        assert_int_equal(contents.text == NULL, page == APP_PAGE_CLAIMS);
        if (contents.text)
            assert_string_equal(contents.text->id, app_page_names[(enum app_panels_page)page]);
        for (int i = 0; i < contents.panel_count; i++)
            topics[contents.panels[i]]++;
        for (int i = 0; i < contents.row_count; i++)
            claims[contents.rows[i]]++;
        assert_int_equal(contents.story, page == APP_PAGE_BOOK);
        assert_int_equal(contents.needs.panels, contents.panel_count + contents.story);
    }
    for (int i = 0; i < KRN_TOPIC_COUNT; i++)
        assert_int_equal(topics[i], 1);
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        assert_int_equal(claims[i], 2);
}

/* Checks the parts of a page in an area: together they have everything, once and in order, and each
 * fits at the type's size. Returns the pixels per unit. */
static float check_parts(enum app_panels_page page, struct ren_rect area,
                         const struct app_page_type *type, int *parts)
{
    struct app_page_contents whole, part;
    int panels = 0, rows = 0, stories = 0;
    app_page_contents(page, true, &whole);
    app_page_part(page, true, area.w, area.h, type, 1, &part);
    *parts = part.parts;
    assert_in_range(*parts, 1, APP_PARTS_MAX);
    for (int i = 1; i <= *parts; i++) {
        const float unit = part.unit;
        app_page_part(page, true, area.w, area.h, type, i, &part);
        assert_true(part.unit == unit && part.part == i && part.parts == *parts);
        assert_true(part.needs.panels + part.needs.rows > 0);
        assert_int_equal(part.needs.panels, part.panel_count + part.story);
        assert_int_equal(part.needs.rows, part.row_count);
        for (int p = 0; p < part.panel_count; p++)
            assert_ptr_equal(part.panels[p], whole.panels[panels++]);
        for (int row = 0; row < part.row_count; row++)
            assert_int_equal(part.rows[row], whole.rows[rows++]);
        stories += part.story;
        check_cells(&part.needs, area, part.unit);
    }
    assert_int_equal(panels, whole.panel_count);
    assert_int_equal(rows, whole.row_count);
    assert_int_equal(stories, whole.story);
    app_page_part(page, true, area.w, area.h, type, *parts + 3, &part); /* too many: the last one */
    assert_int_equal(part.part, *parts);
    return part.unit;
}

/* Type never shrinks to make room: what does not fit moves to further parts. Theme and HUD size
 * enlarge it. */
TEST(test_parts)
{
    static const int windows[][2] = {{1280, 720},  {1920, 1080}, {3840, 2160},
                                     {1080, 1920}, {1024, 768},  {720, 1280}};
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        for (int page = 0; page < APP_PAGE_COUNT; page++) {
            const float height = (float)windows[w][1];
            const bool wide = 9 * windows[w][0] == 16 * windows[w][1];
            float units[2][APP_THEME_COUNT];
            int parts[2][APP_THEME_COUNT];
            for (int i = 0; i < 2 * APP_THEME_COUNT; i++) {
                struct app_state state =
                    state_of(APP_PANELS_FULL, (enum app_theme)(i % APP_THEME_COUNT));
                state.page = (enum app_panels_page)page;
                state.hud_scale = i < APP_THEME_COUNT ? 1.0 : 1.5;
                const struct app_layout l =
                    app_layout_make(&state, windows[w][0], windows[w][1], 1.0f);
                assert_int_equal(l.shown, APP_PANELS_FULL);
                int *count = &parts[i / APP_THEME_COUNT][i % APP_THEME_COUNT];
                units[i / APP_THEME_COUNT][i % APP_THEME_COUNT] =
                    check_parts((enum app_panels_page)page, l.panels, &l.type, count);
                assert_int_equal(l.parts, *count);
            }
            const float dark = units[0][APP_THEME_DARK];
            assert_true(12.0f * dark >= 0.017f * height);
            assert_true(units[0][APP_THEME_PROJECTOR] >= 1.199f * dark);
            assert_true(units[0][APP_THEME_LIGHT] == dark);
            if (wide) {
                assert_int_equal(parts[0][APP_THEME_DARK], 1);
                assert_true(units[1][APP_THEME_DARK] >= 1.499f * dark);
            }
            assert_true(units[1][APP_THEME_DARK] > dark);
            assert_true(parts[1][APP_THEME_PROJECTOR] >= parts[0][APP_THEME_PROJECTOR]);
        }
}

/* In a high window, the page has all of the width below the picture, which shares the rest with the
 * cards: half of the width each, so that their type is not small. */
TEST(test_portrait)
{
    for (int theme = 0; theme < APP_THEME_COUNT; theme++) {
        const struct app_state state = state_of(APP_PANELS_FULL, (enum app_theme)theme);
        const struct app_layout l = app_layout_make(&state, 1080, 1920, 1.0f);
        assert_true(l.panels.w == 1080.0f && l.panels.h >= 0.6f * 1920.0f);
        assert_true(l.picture.w <= 0.5f * l.pane.w && l.column);
        assert_true(l.unit >= 1.2f);
        assert_true(l.main.w + l.picture.w + 3.0f * APP_MARGIN * l.unit >= 0.95f * l.pane.w);
    }
}

/* The sizes of frame at which the panels fit. */
TEST(test_fits)
{
    static const struct {
        int width, height;
        float content;
        enum app_panels wanted, shown;
    } cases[] = {
        {1280, 720, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {1920, 1080, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {3840, 2160, 2.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {960, 540, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {720, 1280, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {1080, 1920, 2.0f, APP_PANELS_FULL, APP_PANELS_FULL},
        {900, 540, 1.0f, APP_PANELS_FULL, APP_PANELS_FULL},
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
            fail_msg("%dx%d: %s", cases[i].width, cases[i].height, app_panels_names[l.shown]);
    }
    const struct app_state full = state_of(APP_PANELS_FULL, APP_THEME_DARK);
    const struct app_layout l = app_layout_make(&full, 1920, 1080, 1.0f);
    assert_true(l.panels.w / l.screen.w >= 0.6f && l.panels.w / l.screen.w <= 0.62f);
}

/* Without panels, the layout of a frame equals that of a program without panels. */
TEST(test_off)
{
    const struct app_state state = state_of(APP_PANELS_OFF, APP_THEME_DARK);
    const struct app_layout l = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(l.unit == 1.0f && l.column && l.footer.w == 0.0f);
    assert_true(l.pane.w == 1280.0f && l.pane.h == 720.0f && l.panels.w == 0.0f);
    assert_true(l.picture.x == 560.0f && l.picture.y == 0.0f && l.picture.w == 720.0f);
    assert_true(l.main.x == 16.0f && l.main.y == 16.0f && l.main.w == 528.0f);
    assert_true(l.main.h == 220.0f && l.plot.y == 248.0f && l.plot.h == 456.0f);
    assert_true(l.details.x == 16.0f && l.details.h == 332.0f && l.details.y == 372.0f);
}
