#include "base/numbers.h"
#include "heat/heat.h"
#include "hud/parts.h"

#include <math.h>
#include <stdio.h>

/* Formats a cost: whole numbers without decimals, and from 100 000 on with k, M or G. */
static void format_cost(double cost, char *text, size_t size)
{
    static const struct {
        double least, unit;
        const char *prefix;
    } prefixes[] = {{1e9, 1e9, " G"}, {1e6, 1e6, " M"}, {1e5, 1e3, " k"}, {0.0, 1.0, ""}};
    int i = 0;
    while (cost < prefixes[i].least)
        i++;
    const double value = cost / prefixes[i].unit;
    const bool whole = value == rint(value) && value < 1e5;
    snprintf(text, size, "%s%s",
             whole ? app_number_fixed(value, 0, "").value : app_number_plain(value, "").value,
             prefixes[i].prefix);
}

/* Draws the colours from left to right, from no cost to the end of the scale. Each one reaches to
 * the end, so that no seam is left where the next begins between two pixels. */
static void draw_colours(const struct app_brush *brush, struct ren_rect bar)
{
    enum { STEPS = 64 };
    for (int i = 0; i < STEPS; i++) {
        const float from = bar.w * (float)i / STEPS;
        ren_list_fill(brush->list, (struct ren_rect){bar.x + from, bar.y, bar.w - from, bar.h},
                      0.0f, app_theme_heat(i / (STEPS - 1.0)));
    }
}

/* Returns the number of equal parts of a scale whose ends are whole and round. */
static int parts_of(uint32_t scale)
{
    uint32_t digit = scale;
    while (digit >= 10)
        digit /= 10;
    switch (digit) {
    case 1:
        return scale >= 10 ? 5 : 1;
    case 2:
        return scale >= 10 ? 4 : 2;
    case 6:
        return 3;
    case 8:
        return 4;
    default:
        return (int)digit;
    }
}

/* Draws ticks below the colours, with their costs. */
static void draw_ticks(const struct app_brush *brush, struct ren_rect bar, uint32_t scale)
{
    const int ticks = parts_of(scale);
    const float u = brush->unit, y = bar.y + bar.h;
    for (int i = 0; i <= ticks; i++) {
        char text[32];
        const float x = bar.x + bar.w * (float)i / (float)ticks;
        format_cost((double)scale * i / ticks, text, sizeof text);
        ren_list_line(brush->list, x, y, x, y + 5.0f * u, fmaxf(1.0f, 1.5f * u),
                      brush->colours->quiet);
        app_draw_text(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, y + 20.0f * u,
                      i == 0       ? REN_ALIGN_LEFT
                      : i == ticks ? REN_ALIGN_RIGHT
                                   : REN_ALIGN_CENTRE,
                      brush->colours->text, text);
    }
}

/* Draws a line across the colours at the mean, dark on both sides so that it is seen on each of
 * them. */
static void draw_mean(const struct app_brush *brush, struct ren_rect bar,
                      const struct app_heat *heat)
{
    const float u = brush->unit, share = (float)(heat->costs.mean / heat->scale);
    const float x = bar.x + bar.w * fminf(share, 1.0f), top = bar.y - 3.0f * u;
    ren_list_line(brush->list, x, top, x, bar.y + bar.h, 5.0f * u, 0x000000ff);
    ren_list_line(brush->list, x, top, x, bar.y + bar.h, 2.0f * u, 0xffffffff);
}

/* Draws what the pixel under the mouse pointer costs on a card above the legend, and a wedge below
 * the colours at its place on the scale. */
static void draw_pointed(const struct app_brush *brush, struct ren_rect legend, struct ren_rect bar,
                         const struct app_heat *heat)
{
    const float u = brush->unit, share = (float)heat->at.cost / (float)heat->scale;
    const float x = bar.x + bar.w * fminf(share, 1.0f);
    const bool one = heat->at.cost == 1;
    const char *unit = heat->quantity == KRN_HEAT_CYCLES ? "cycles"
                       : heat->quantity == KRN_HEAT_RAYS ? (one ? "ray" : "rays")
                       : one                             ? "test"
                                                         : "tests";
    char cost[32], text[96];
    for (int i = 0; i < 5; i++)
        ren_list_fill(brush->list,
                      (struct ren_rect){x - (float)(i + 1) * u, bar.y - (float)(i + 1) * u,
                                        2.0f * (float)(i + 1) * u, u},
                      0.0f, brush->colours->text);
    format_cost((double)heat->at.cost, cost, sizeof cost);
    snprintf(text, sizeof text, "%s %s at x %d, y %d", cost, unit, heat->at.column, heat->at.row);
    const float wide =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_LARGE * u, text);
    const float rounding = 0.5f; /* pixels: the card may be just as wide as its text */
    struct ren_rect card = app_hud_heat_pointed(legend);
    card.w = fminf(wide + 2.0f * (APP_PAD + 6.0f) * u, card.w);
    app_draw_card(brush, card);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, card.x + (APP_PAD + 6.0f) * u,
                     card.y + 25.0f * u, card.w - 2.0f * (APP_PAD + 6.0f) * u + rounding,
                     brush->colours->text, text);
}

struct ren_rect app_hud_heat_pointed(struct ren_rect legend)
{
    const float u = legend.h / APP_LEGEND_HEIGHT, high = 36.0f * u;
    return (struct ren_rect){legend.x, legend.y - high - 0.5f * APP_GAP * u, legend.w, high};
}

/* Writes what is counted and how, in several lengths. */
static void describe(const struct app_heat *heat, char texts[3][160])
{
    if (heat->quantity != KRN_HEAT_CYCLES) {
        snprintf(texts[0], sizeof texts[0], "counted by a kernel of its own, not the timed one");
        snprintf(texts[1], sizeof texts[1], "counted by its own kernel, not the timed one");
    } else {
        const int pixels = app_heat_pixels_per_warp(heat->mode);
        snprintf(texts[0], sizeof texts[0],
                 "measured for %d pixels at a time, in a kernel of its own, not the timed one",
                 pixels);
        snprintf(texts[1], sizeof texts[1], "%d pixels per warp; own kernel, not the timed one",
                 pixels);
    }
    snprintf(texts[2], sizeof texts[2], "own kernel, not the timed one");
}

void app_hud_heat(const struct app_brush *screen, const struct app_layout *layout,
                  const struct app_heat *heat)
{
    const struct ren_rect card = layout->legend;
    if (card.w <= 0.0f)
        return;
    struct app_brush own = *screen;
    own.unit = card.h / APP_LEGEND_HEIGHT;
    const struct app_brush *const brush = &own;
    const float u = brush->unit, x = card.x + (APP_PAD + 6.0f) * u;
    const float width = card.w - (2.0f * APP_PAD + 12.0f) * u;
    char mode[64], least[32], mean[32], most[32], how[3][160], costs[160];
    app_draw_card(brush, card);
    float y = card.y + 25.0f * u;
    krn_mode_name(heat->mode, mode, sizeof mode);
    const float right = app_draw_text(brush, REN_FACE_SANS, APP_TEXT, x + width, y, REN_ALIGN_RIGHT,
                                      brush->colours->quiet, mode);
    static const char *const titles[KRN_HEAT_COUNT][3] = {
        [KRN_HEAT_TESTS] = {"Sphere tests per pixel", "Tests per pixel", NULL},
        [KRN_HEAT_CYCLES] = {"Clock cycles of each pixel's warp", "Cycles per warp", NULL},
        [KRN_HEAT_RAYS] = {"Rays per pixel", "Rays", NULL},
    };
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, width - right - 12.0f * u,
                      brush->colours->text, titles[heat->quantity]);
    const struct ren_rect bar = {x, card.y + 36.0f * u, width, 20.0f * u};
    draw_colours(brush, bar);
    draw_mean(brush, bar, heat);
    draw_ticks(brush, bar, heat->scale);
    if (heat->at.valid)
        draw_pointed(brush, card, bar, heat);
    format_cost(heat->costs.least, least, sizeof least);
    format_cost(heat->costs.mean, mean, sizeof mean);
    format_cost(heat->costs.most, most, sizeof most);
    snprintf(costs, sizeof costs, "min %s · mean %s (white line) · max %s", least, mean, most);
    y = bar.y + bar.h + 42.0f * u;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, width, brush->colours->text,
                     costs);
    describe(heat, how);
    const char *const texts[] = {how[0], how[1], how[2], NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y + 21.0f * u, width,
                      brush->colours->quiet, texts);
}
