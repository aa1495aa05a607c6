/* The story plot's card: its texts fit and overlap nothing, whatever is measured. `test_story_plot
 * mono` runs the same tests with a monospaced font only. PANELS_PICTURES=FOLDER writes every screen
 * to FOLDER as PNG, for inspection; the times on them are made up. */
#include "mono_font.h"
#include "offscreen.h"
#include "seen.h"

#include "hud/layout.h"
#include "hud/story/panel.h"
#include "hud/theme.h"
#include "judge/trust.h"

#include "ren/png.h"

#include <math.h>
#include <stdlib.h>

/* Kinds of boards. */
enum kind { EMPTY, FILLING, COMPLETE, WRONG, CPU, STOPPED, THROTTLED, KINDS };
static const char *const kind_names[KINDS] = {"empty", "filling", "complete", "wrong",
                                              "cpu",   "stopped", "throttled"};

static struct app_estimate made_up(double ms, unsigned trust)
{
    const struct krn_interval interval = {true, 0.99 * ms, 1.02 * ms};
    struct app_estimate estimate = app_estimate_of_run(ms, interval, 0.0);
    estimate.trust = trust;
    return estimate;
}

/* Returns a plausible time of a mode on a GPU, or on a CPU. */
static double time_of(struct krn_mode mode, int spheres, bool cpu)
{
    static const double by_storage[KRN_STORAGE_COUNT] = {1.0, 0.97, 0.62, 0.8, 1.6};
    const double n = spheres;
    if (mode.kernel == KRN_KERNEL_BOOK)
        return cpu ? 0.4 * n : 0.004 + 0.0011 * n * by_storage[mode.storage];
    if (mode.kernel == KRN_KERNEL_STRIP)
        return (cpu ? 0.004 * n : 0.004 + 0.00012 * n * (1.0 + 0.02 * by_storage[mode.storage])) *
               (1.0 + 0.1 * fabs(mode.pixels_per_thread - 8.0));
    return cpu ? 0.3 + 0.01 * n : 0.02 + 0.00008 * n;
}

static struct app_story_view *board_of(enum kind kind)
{
    const struct app_story_plan plan = app_story_plan_default();
    struct app_story_view *view = calloc(1, sizeof *view);
    assert_non_null(view);
    view->width = plan.width;
    view->height = plan.height;
    view->begun = kind != EMPTY;
    view->done = kind == COMPLETE || kind == CPU;
    view->progress = kind == FILLING ? 0.37 : 1.0;
    app_curves_begin(&view->curves, plan.counts, plan.count, kind == CPU);
    if (kind == STOPPED)
        snprintf(view->why, sizeof view->why,
                 "No memory for the image: cudaMalloc failed with out of memory.");
    for (int m = 0; m < KRN_MODES && kind != EMPTY && kind != STOPPED; m++)
        for (int at = 0; at < plan.count; at++) {
            const struct krn_mode mode = krn_mode_at(m);
            struct krn_error error;
            const bool wrong = kind == WRONG && mode.storage == KRN_STORAGE_CONSTANT;
            const struct app_estimate ms =
                made_up(time_of(mode, plan.counts[at], kind == CPU),
                        wrong               ? APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)
                        : kind == THROTTLED ? APP_TRUST_BIT(APP_TRUST_THROTTLED)
                                            : 0);
            if (krn_mode_check(mode, plan.counts[at], &error) != KRN_OK ||
                (kind == FILLING && (at + m) % 3 == 1) || (kind == CPU && ms.value > 100.0))
                continue;
            app_curves_offer(&view->curves, mode, at, &ms);
            view->least = 6;
            view->trust |= ms.trust | (kind == FILLING ? APP_TRUST_BIT(APP_TRUST_NEAR_FLOOR) : 0);
        }
    if (kind == CPU)
        snprintf(view->left_out, sizeof view->left_out,
                 "Left out, over 100 ms per frame: book from 500 spheres.");
    app_story_headline_of(&view->curves, 1.0, &view->headline);
    return view;
}

static void save(struct ren_list *list, int width, int height, const char *name)
{
    const char *folder = getenv("PANELS_PICTURES");
    char path[512];
    struct krn_error error;
    if (folder == NULL)
        return;
    unsigned char *rgba = malloc(4 * (size_t)width * (size_t)height);
    assert_non_null(rgba);
    test_frame_end(list, rgba);
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    assert_int_equal(
        ren_png_write(path, &(struct ren_png){width, height, rgba, "", NULL}, true, &error),
        KRN_OK);
    free(rgba);
}

/* Draws one card and returns the number of errors of its layout. */
static int draw(const struct app_story_view *view, const struct ren_rect *area, int width,
                int height, enum app_theme theme, const char *name)
{
    static struct seen seen;
    const struct app_draw_witness witness = seen_begin(&seen);
    const struct app_colours *colours = app_theme_colours(theme);
    struct ren_list *list = test_frame_begin(width, height, colours->background);
    const struct app_brush brush = {renderer, list, colours, 1.0f, &witness};
    const char *device = view->curves.one_storage ? "AMD EPYC 9654" : "NVIDIA H200";
    app_story_panel(&brush, *area, view, device, NULL);
    save(list, width, height, name);
    return seen_wrong(&seen, area->w / APP_STORY_WIDTH, fonts[0] == 0, name);
}

static void test_every_board_fits(void **unused)
{
    (void)unused;
    static const int sizes[][2] = {{1280, 720}, {3840, 2160}, {1024, 768}, {1920, 1080}};
    int wrong = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        struct app_story_view *view = board_of((enum kind)kind);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct app_state state = app_state_default();
            char name[96];
            state.story = true;
            state.theme = i == 3 ? APP_THEME_LIGHT : APP_THEME_DARK;
            const struct app_layout layout =
                app_layout_make(&state, sizes[i][0], sizes[i][1], 1.0f);
            assert_true(layout.story && layout.shown == APP_PANELS_OFF);
            assert_true(layout.pane.w + layout.panels.w == (float)sizes[i][0]);
            snprintf(name, sizeof name, "%sstory_%s_%dx%d", fonts, kind_names[kind], sizes[i][0],
                     sizes[i][1]);
            wrong += draw(view, &layout.panels, sizes[i][0], sizes[i][1], state.theme, name);
        }
        /* A cell on a page of panels. */
        static const struct ren_rect cells[] = {{10, 10, 600, 260}, {10, 10, 300, 190}};
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
            char name[96];
            snprintf(name, sizeof name, "%sstory_%s_cell%zu", fonts, kind_names[kind], i);
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
