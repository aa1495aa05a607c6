/* The legend of the heat map: its texts are whole and inside it on every screen, it tells quantity,
 * mode, costs and how they were found, and it covers no other card. */
#include "screens.h"

#include "hud/parts.h"

#include <math.h>
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

static bool apart(struct ren_rect a, struct ren_rect b)
{
    return a.w <= 0.0f || b.w <= 0.0f || !overlap(a, b, 0.5f);
}

TEST(the_legend_is_whole)
{
    struct app_state state = app_state_default();
    for (int at = 0; screen_at(at, &state); at++)
        for (int i = 0; i < LEGENDS * APP_PANELS_COUNT; i++) {
            const struct legend *legend = &legends[i % LEGENDS];
            state.heat = legend->heat.quantity;
            state.mode = legend->heat.mode;
            state.panels = (enum app_panels)(i / LEGENDS);
            screen_begin(&state, legend->name);
            const struct app_layout *layout = &screen.layout;
            app_hud_heat(&screen.brush, layout, &legend->heat);
            screen_end("heat", layout->legend.h / APP_LEGEND_HEIGHT, true);
            for (int m = 0; m < 7; m++)
                screen_must(legend->musts[m], true);
            const struct ren_rect pointed = app_hud_heat_pointed(layout->legend);
            if (!apart(layout->legend, layout->main) || !apart(layout->legend, layout->footer) ||
                !inside(layout->legend, layout->pane, 0.5f) || !apart(pointed, layout->main) ||
                (!layout->column &&
                 (!apart(layout->legend, layout->plot) || !apart(layout->legend, layout->details) ||
                  !apart(pointed, layout->plot))))
                screen_error("the legend", "covers a card, or leaves the pane");
        }
    screens_done();
}

/* Without a heat map there is no legend, and the cards are where they were. */
TEST(without_heat_there_is_none)
{
    struct app_state state = app_state_default(), duel = state;
    duel.heat = KRN_HEAT_TESTS;
    duel.duel.on = true;
    for (int at = 0; screen_at(at, &state) && screen_at(at, &duel); at++) {
        const struct app_layout layout = app_layout_make(&state, screen.width, screen.height, 1.0f),
                                other = app_layout_make(&duel, screen.width, screen.height, 1.0f);
        assert_true(layout.legend.w <= 0.0f);
        assert_memory_equal(&layout, &other, sizeof layout);
    }
}

/* The legend's colours are those that the picture has. */
TEST(colours_are_the_pictures)
{
    for (int i = 0; i <= 64; i++) {
        const uint32_t legend = app_theme_heat(i / 64.0), picture = krn_heat_colour(i / 64.0);
        for (int channel = 0; channel < 4; channel++)
            assert_int_equal(legend >> (24 - 8 * channel) & 255, picture >> 8 * channel & 255);
    }
}

int main(int argc, char **argv)
{
    return screens_run(argc, argv, NULL, NULL);
}
