/* The story plot's card: its texts fit and overlap nothing, whatever is measured; the times are
 * made up. */
#include "screens.h"

#include "panel_boards.h"
#include "story_boards.h"

#include "hud/story/plot.h"

/* Draws one card. */
static void draw(const struct app_story_view *view, const struct ren_rect *area)
{
    static struct board board; /* it tells the size of the constant cache */
    const char *device = view->curves.one_storage ? "AMD EPYC 9654" : "NVIDIA H200";
    fill_gpu(&board);
    app_story_panel(&screen.brush, *area, view, device, &board.view);
    screen_end("story", area->w / APP_STORY_WIDTH, fonts[0] == 0);
}

TEST(test_every_board_fits)
{
    struct app_state state = app_state_default();
    state.story = true;
    for (int kind = 0; kind < KINDS; kind++) {
        TEST_FREED struct app_story_view *view = story_board_of((enum kind)kind);
        for (int at = 0; screen_at(at, &state); at++) {
            if (screen.width < screen.height)
                continue;
            screen_begin(&state, kind_names[kind]);
            const struct app_layout *layout = &screen.layout;
            assert_true(layout->story && layout->shown == APP_PANELS_OFF);
            assert_true(layout->pane.w + layout->panels.w == (float)screen.width);
            screen.brush.unit = 1.0f;
            draw(view, &layout->panels);
        }
        /* A cell on a page of panels. */
        static const struct ren_rect cells[] = {{10, 10, 600, 260}, {10, 10, 300, 190}};
        for (int i = 0; i < 2; i++) {
            screen.width = 640;
            screen.height = 300;
            screen_frame(APP_THEME_DARK, 1.0f, kind_names[kind]);
            draw(view, &cells[i]);
        }
    }
    screens_done();
}

/* The window has to be large enough; else nothing takes the panels' place. */
TEST(test_a_small_window_has_no_plot)
{
    struct app_state state = app_state_default();
    state.story = true;
    const struct app_layout layout = app_layout_make(&state, 500, 300, 1.0f);
    assert_true(!layout.story && layout.panels.w == 0.0f && layout.shown == APP_PANELS_OFF);
    state.story = false;
    assert_false(app_layout_make(&state, 1280, 720, 1.0f).story);
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
