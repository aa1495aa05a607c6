/* The legend of the heat map: its texts are whole and inside it on every screen, it tells quantity,
 * mode, costs and how they were found, and it covers no other card. PANELS_PICTURES=FOLDER writes
 * every screen to FOLDER as PNG. */
#include "offscreen.h"
#include "saved.h"
#include "seen.h"

#include "hud/layout.h"
#include "hud/parts.h"

#include <math.h>
#include <stdlib.h>

static const int sizes[][2] = {{1280, 720}, {1920, 1080}, {3840, 2160}, {1080, 1920}, {1024, 768}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const struct legend {
    const char *name;
    struct app_heat heat;
    const char *musts[7];
} legends[] = {
    {"tests",
     {.valid = true,
      .quantity = KRN_HEAT_TESTS,
      .mode = {KRN_KERNEL_BINNED, KRN_STORAGE_GLOBAL, 1},
      .costs = {0, 7, 0.369, 386000, 1048576},
      .scale = 8},
     {"tests", "binned/global", "min 0", "mean 0.369", "max 7", "not the timed one", "tests"}},
    {"one",
     {.valid = true,
      .quantity = KRN_HEAT_TESTS,
      .mode = {KRN_KERNEL_BOOK, KRN_STORAGE_CONSTANT, 1},
      .costs = {1, 1, 1.0, 1048576, 1048576},
      .scale = 1,
      .at = {.valid = true, .column = 5, .row = 1023, .cost = 1}},
     {"tests", "book/constant", "min 1", "mean 1", "max 1", "not the timed one",
      "1 test at x 5, y 1023"}},
    {"rays",
     {.valid = true,
      .quantity = KRN_HEAT_RAYS,
      .mode = {KRN_KERNEL_TREE, KRN_STORAGE_READONLY, 1},
      .costs = {1, 9, 2.34, 2453667, 1048576},
      .scale = 10,
      .at = {.valid = true, .column = 5, .row = 7, .cost = 9}},
     {"ays", "tree/readonly", "min 1", "mean 2.34", "max 9", "not the timed one",
      "9 rays at x 5, y 7"}},
    {"cycles",
     {.valid = true,
      .quantity = KRN_HEAT_CYCLES,
      .mode = {KRN_KERNEL_STRIP, KRN_STORAGE_CONSTANT, 16},
      .costs = {1834, 2345678, 345678.9, 362000000000, 1048576},
      .scale = 3000000,
      .at = {.valid = true, .column = 16383, .row = 16383, .cost = 2345678}},
     {"ycles", "strip/constant/16", "min 1834", "mean 346 k", "max 2.35 M", "not the timed one",
      "2.35 M cycles at x 16383, y 16383"}},
};
enum { LEGENDS = sizeof legends / sizeof *legends };

static int lacking(const struct seen *seen, const struct legend *legend, const char *name)
{
    int wrong = 0;
    for (int m = 0; m < 7; m++) {
        bool there = false;
        for (int t = 0; t < seen->text_count; t++)
            there = there || strstr(seen->words[t], legend->musts[m]) != NULL;
        if (!there) {
            print_error("%s: no \"%s\"\n", name, legend->musts[m]);
            wrong++;
        }
    }
    return wrong;
}

static bool apart(struct ren_rect a, struct ren_rect b)
{
    return a.w <= 0.0f || b.w <= 0.0f || !overlap(a, b, 0.5f);
}

static void the_legend_is_whole(void **unused)
{
    (void)unused;
    static struct seen seen;
    int wrong = 0;
    for (int i = 0; i < LEGENDS * SIZES * APP_THEME_COUNT * APP_PANELS_COUNT; i++) {
        const struct legend *legend = &legends[i % LEGENDS];
        const int *size = sizes[i / LEGENDS % SIZES];
        struct app_state state = app_state_default();
        state.heat = legend->heat.quantity;
        state.mode = legend->heat.mode;
        state.theme = (enum app_theme)(i / LEGENDS / SIZES % APP_THEME_COUNT);
        state.panels = (enum app_panels)(i / LEGENDS / SIZES / APP_THEME_COUNT);
        const struct app_layout layout = app_layout_make(&state, size[0], size[1], 1.0f);
        const struct app_draw_witness witness = seen_begin(&seen);
        const struct app_colours *colours = app_theme_colours(state.theme);
        struct ren_list *list = test_frame_begin(size[0], size[1], colours->background);
        const struct app_brush brush = {renderer, list, colours, layout.unit, &witness};
        app_hud_heat(&brush, &layout, &legend->heat);
        char name[160];
        snprintf(name, sizeof name, "%s_%s_%s_%dx%d", legend->name, app_theme_name(state.theme),
                 app_panels_name(state.panels), size[0], size[1]);
        test_save(list, size[0], size[1], "heat", name);
        wrong += seen_wrong(&seen, layout.legend.h / APP_LEGEND_HEIGHT, true, name) +
                 lacking(&seen, legend, name);
        const bool clear =
            apart(layout.legend, layout.main) && apart(layout.legend, layout.footer) &&
            (layout.column || apart(layout.legend, layout.plot)) &&
            (layout.column || apart(layout.legend, layout.details)) &&
            inside(layout.legend, layout.pane, 0.5f) &&
            apart(app_hud_heat_pointed(layout.legend), layout.main) &&
            (layout.column || apart(app_hud_heat_pointed(layout.legend), layout.plot));
        if (!clear) {
            print_error("%s: the legend covers a card, or leaves the pane\n", name);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

/* Without a heat map there is no legend, and the cards are where they were. */
static void without_heat_there_is_none(void **unused)
{
    (void)unused;
    for (int i = 0; i < SIZES; i++) {
        struct app_state state = app_state_default();
        const struct app_layout layout = app_layout_make(&state, sizes[i][0], sizes[i][1], 1.0f);
        assert_true(layout.legend.w <= 0.0f);
        state.heat = KRN_HEAT_TESTS;
        state.duel.on = true;
        const struct app_layout duel = app_layout_make(&state, sizes[i][0], sizes[i][1], 1.0f);
        assert_memory_equal(&layout, &duel, sizeof layout);
    }
}

/* The legend's colours are those that the picture has. */
static void colours_are_the_pictures(void **unused)
{
    (void)unused;
    for (int i = 0; i <= 64; i++) {
        const uint32_t legend = app_theme_heat(i / 64.0), picture = krn_heat_colour(i / 64.0);
        for (int channel = 0; channel < 4; channel++)
            assert_int_equal(legend >> (24 - 8 * channel) & 255, picture >> 8 * channel & 255);
    }
}

int main(void)
{
    const int unable = test_screen_open(-1);
    if (unable)
        return unable;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_legend_is_whole),
        cmocka_unit_test(without_heat_there_is_none),
        cmocka_unit_test(colours_are_the_pictures),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    test_screen_close();
    return failed;
}
