/* The frame anatomy's card: its texts fit and overlap nothing, in every size, whatever the frame.
 * `test_anatomy_panel mono` runs the same tests with a monospaced font only. PANELS_PICTURES=FOLDER
 * writes every card to FOLDER as PNG, for inspection; the times on them are made up. */
#include "frames.h"
#include "mono_font.h"
#include "offscreen.h"
#include "saved.h"
#include "seen.h"

#include "hud/anatomy/panel.h"
#include "hud/layout.h"
#include "hud/theme.h"

#include <stdlib.h>

static const char *const frames_names[FRAMES_KINDS] = {"empty", "vsync",   "free",
                                                       "cpu",   "missing", "late"};

/* Draws one card and returns the number of errors of its layout. Text is at least 12 units high:
 * its box has the height of its line. */
static int draw(const struct app_anatomy_view *view, struct ren_rect area, float unit, int width,
                int height, enum app_theme theme, const char *name)
{
    static struct seen seen;
    const struct app_draw_witness witness = seen_begin(&seen);
    const struct app_colours *colours = app_theme_colours(theme);
    struct ren_list *list = test_frame_begin(width, height, colours->background);
    const struct app_brush brush = {renderer, list, colours, unit, &witness};
    const struct ren_metrics face = ren_face_metrics(renderer, REN_FACE_SANS);
    int wrong = 0;
    app_anatomy_panel(&brush, area, view);
    test_save(list, width, height, "anatomy", name);
    for (int i = 0; i < seen.text_count; i++)
        if (seen.texts[i].h < 0.99f * 12.0f * unit * (face.cap_height + 0.5f * face.descent)) {
            print_error("%s: \"%s\" is too small\n", name, seen.words[i]);
            wrong++;
        }
    return wrong + seen_wrong(&seen, unit, false, name);
}

static void test_every_card_fits(void **unused)
{
    (void)unused;
    /* Areas in units, and pixels per unit; the first is the smallest. */
    static const struct {
        float w, h, unit;
    } areas[] = {{300.0f, 200.0f, 1.0f}, {300.0f, 200.0f, 2.5f}, {300.0f, 600.0f, 1.0f},
                 {640.0f, 220.0f, 1.0f}, {440.0f, 330.0f, 1.5f}, {1240.0f, 680.0f, 1.0f}};
    int wrong = 0;
    for (int kind = 0; kind < FRAMES_KINDS; kind++) {
        const struct app_anatomy_view view = frames_of((enum frames_kind)kind);
        for (size_t i = 0; i < sizeof areas / sizeof *areas; i++) {
            const float u = areas[i].unit, w = areas[i].w * u, h = areas[i].h * u;
            char name[96];
            snprintf(name, sizeof name, "%sanatomy_%s_%zu", fonts, frames_names[kind], i);
            wrong += draw(&view, (struct ren_rect){10.0f, 10.0f, w, h}, u, (int)w + 20, (int)h + 20,
                          (enum app_theme)(i % APP_THEME_COUNT), name);
        }
    }
    assert_int_equal(wrong, 0);
}

/* On the screen, in place of the panels. */
static void test_every_screen_fits(void **unused)
{
    (void)unused;
    static const int sizes[][2] = {{1280, 720}, {3840, 2160}, {1920, 1080}, {1080, 1920}};
    int wrong = 0;
    for (int kind = 0; kind < FRAMES_KINDS; kind++) {
        const struct app_anatomy_view view = frames_of((enum frames_kind)kind);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct app_state state = app_state_default();
            char name[96];
            state.anatomy = APP_ANATOMY_ON;
            state.theme = i == 2 ? APP_THEME_PROJECTOR : i == 3 ? APP_THEME_LIGHT : APP_THEME_DARK;
            const struct app_layout layout =
                app_layout_make(&state, sizes[i][0], sizes[i][1], 1.0f);
            assert_true(layout.anatomy && !layout.story && layout.shown == APP_PANELS_OFF);
            snprintf(name, sizeof name, "%sanatomy_%s_%dx%d", fonts, frames_names[kind],
                     sizes[i][0], sizes[i][1]);
            wrong += draw(&view, layout.panels, layout.unit, sizes[i][0], sizes[i][1], state.theme,
                          name);
        }
    }
    assert_int_equal(wrong, 0);
    struct app_state state = app_state_default();
    state.anatomy = APP_ANATOMY_RECORD; /* the panels stay */
    const struct app_layout layout = app_layout_make(&state, 1280, 720, 1.0f);
    assert_true(!layout.anatomy && layout.shown == APP_PANELS_FULL);
}

int main(int argc, char **argv)
{
    const int unable = mono_screen_open(argc, argv);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_card_fits),
                                       cmocka_unit_test(test_every_screen_fits)};
    const int failed = cmocka_run_group_tests_name("anatomy_panel", tests, NULL, NULL);
    test_screen_close();
    return failed;
}
