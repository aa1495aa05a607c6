/* The story plot's card: its texts fit and overlap nothing, whatever is measured. `test_story_plot
 * mono` runs the same tests with a monospaced font only. PANELS_PICTURES=FOLDER writes every screen
 * to FOLDER as PNG, for inspection; the times on them are made up. */
#include "mono_font.h"
#include "offscreen.h"
#include "panel_boards.h"
#include "saved.h"
#include "seen.h"
#include "story_boards.h"

#include "hud/layout.h"
#include "hud/story/panel.h"
#include "hud/theme.h"
#include "judge/trust.h"

#include <math.h>
#include <stdlib.h>

/* Draws one card and returns the number of errors of its layout. */
static int draw(const struct app_story_view *view, const struct ren_rect *area, int width,
                int height, enum app_theme theme, const char *name)
{
    static struct seen seen;
    static struct board board; /* it tells the size of the constant cache */
    fill_gpu(&board);
    const struct app_draw_witness witness = seen_begin(&seen);
    const struct app_colours *colours = app_theme_colours(theme);
    struct ren_list *list = test_frame_begin(width, height, colours->background);
    const struct app_brush brush = {renderer, list, colours, 1.0f, &witness};
    const char *device = view->curves.one_storage ? "AMD EPYC 9654" : "NVIDIA H200";
    app_story_panel(&brush, *area, view, device, &board.view);
    test_save(list, width, height, "story", name);
    return seen_wrong(&seen, area->w / APP_STORY_WIDTH, fonts[0] == 0, name);
}

static void test_every_board_fits(void **unused)
{
    (void)unused;
    static const int sizes[][2] = {{1280, 720}, {3840, 2160}, {1024, 768}, {1920, 1080}};
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        struct app_story_view *view = story_board_of((enum kind)kind);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct app_state state = app_state_default();
            char name[96];
            state.story = true;
            state.theme = i == 3 ? APP_THEME_LIGHT : APP_THEME_DARK;
            const struct app_layout layout =
                app_layout_make(&state, sizes[i][0], sizes[i][1], 1.0f);
            assert_true(layout.story && layout.shown == APP_PANELS_OFF);
            assert_true(layout.pane.w + layout.panels.w == (float)sizes[i][0]);
            snprintf(name, sizeof name, "%s%s_%dx%d", fonts, kind_names[kind], sizes[i][0],
                     sizes[i][1]);
            wrong += draw(view, &layout.panels, sizes[i][0], sizes[i][1], state.theme, name);
        }
        /* A cell on a page of panels. */
        static const struct ren_rect cells[] = {{10, 10, 600, 260}, {10, 10, 300, 190}};
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
            char name[96];
            snprintf(name, sizeof name, "%s%s_cell%zu", fonts, kind_names[kind], i);
            wrong += draw(view, &cells[i], 640, 300, APP_THEME_DARK, name);
        }
        free(view);
    }
    assert_int_equal(wrong, 0);
}

/* The window has to be large enough; else nothing takes the panels' place. */
static void test_a_small_window_has_no_plot(void **unused)
{
    (void)unused;
    struct app_state state = app_state_default();
    state.story = true;
    const struct app_layout layout = app_layout_make(&state, 500, 300, 1.0f);
    assert_true(!layout.story && layout.panels.w == 0.0f && layout.shown == APP_PANELS_OFF);
    state.story = false;
    assert_false(app_layout_make(&state, 1280, 720, 1.0f).story);
}

int main(int argc, char **argv)
{
    const int unable = mono_screen_open(argc, argv);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_board_fits),
                                       cmocka_unit_test(test_a_small_window_has_no_plot)};
    const int failed = cmocka_run_group_tests_name("story_plot", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
