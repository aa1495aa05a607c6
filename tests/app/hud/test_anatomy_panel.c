/* The frame anatomy's card: its texts fit and overlap nothing, in every size, whatever the frame;
 * the times are made up. */
#include "frames.h"
#include "screens.h"

#include "hud/anatomy/panel.h"

static const char *const frames_names[FRAMES_KINDS] = {"empty", "vsync",   "free",
                                                       "cpu",   "missing", "late"};

/* Draws one card. Text is at least 12 units high: its box has the height of its line. */
static void draw(const struct app_anatomy_view *view, struct ren_rect area)
{
    const struct ren_metrics face = ren_face_metrics(renderer, REN_FACE_SANS);
    const float u = screen.brush.unit;
    app_anatomy_panel(&screen.brush, area, view);
    screen_end("anatomy", u, false);
    for (int i = 0; i < screen.seen.text_count; i++)
        if (screen.seen.texts[i].h < 0.99f * 12.0f * u * (face.cap_height + 0.5f * face.descent))
            screen_error("too small:", screen.seen.words[i]);
}

TEST(test_every_card_fits)
{
    /* Areas in units, and pixels per unit; the first is the smallest. */
    static const struct {
        float w, h, unit;
    } areas[] = {{300.0f, 200.0f, 1.0f}, {300.0f, 200.0f, 2.5f}, {300.0f, 600.0f, 1.0f},
                 {640.0f, 220.0f, 1.0f}, {440.0f, 330.0f, 1.5f}, {1240.0f, 680.0f, 1.0f}};
    for (int kind = 0; kind < FRAMES_KINDS; kind++) {
        const struct app_anatomy_view view = frames_of((enum frames_kind)kind);
        for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
            const float u = areas[i].unit, w = areas[i].w * u, h = areas[i].h * u;
            screen.width = (int)w + 20;
            screen.height = (int)h + 20;
            screen_frame((enum app_theme)(i % APP_THEME_COUNT), u, frames_names[kind]);
            draw(&view, (struct ren_rect){10.0f, 10.0f, w, h});
        }
    }
    screens_done();
}

/* On the screen, in place of the panels. */
TEST(test_every_screen_fits)
{
    struct app_state state = app_state_default();
    state.anatomy = APP_ANATOMY_ON;
    for (int kind = 0; kind < FRAMES_KINDS; kind++) {
        const struct app_anatomy_view view = frames_of((enum frames_kind)kind);
        for (int at = 0; screen_at(at, &state); at++) {
            screen_begin(&state, frames_names[kind]);
            const struct app_layout *layout = &screen.layout;
            assert_true(layout->anatomy && !layout->story && layout->shown == APP_PANELS_OFF);
            draw(&view, layout->panels);
        }
    }
    screens_done();
    state.anatomy = APP_ANATOMY_RECORD; /* the panels stay */
    const struct app_layout layout = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(!layout.anatomy && layout.shown == APP_PANELS_FULL);
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
