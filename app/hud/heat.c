/* The legend of the heat map: a sentence, the colours with the ends of their scale, and the pixel
 * under the mouse pointer. */
#include "hud/contents.h"

#include "base/numbers.h"
#include "hud/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* Writes what the map says. */
static void write_sentence(const struct app_heat *heat, char *text, size_t size)
{
    static const char *const whats[KRN_HEAT_COUNT] = {"", "tests", "clock cycles a warp takes",
                                                      "rays"};
    const char *what = whats[heat->quantity];
    char mean[32], most[32];
    format_cost(heat->costs.mean, mean, sizeof mean);
    format_cost(heat->costs.most, most, sizeof most);
    if (heat->costs.least == heat->costs.most && heat->quantity == KRN_HEAT_TESTS)
        snprintf(text, size, "Every pixel tests all %s spheres", most);
    else if (heat->quantity == KRN_HEAT_CYCLES)
        snprintf(text, size, "%s %s, %s at most", mean, what, most);
    else
        snprintf(text, size, "%s %s a pixel, %s at most", mean, what, most);
}

void app_hud_heat(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_heat *heat)
{
    enum { STEPS = 64 };
    const struct ren_rect corner = app_hud_corner(layout);
    const float u = brush->unit, pad = APP_PAD * u, width = fminf(corner.w, 480.0f * u),
                height = (corner.h < 138.0f * u ? 60.0f : 138.0f) * u;
    const struct ren_rect card = {corner.x + corner.w - width, corner.y + corner.h - height, width,
                                  height},
                          bar = {card.x + pad, card.y + 56.0f * u, width - 2.0f * pad, 30.0f * u};
    char text[128], scale[48], pointed[96];
    if (width < 200.0f * u || corner.h < height)
        return;
    app_draw_card(brush, card);
    write_sentence(heat, text, sizeof text);
    if (ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TYPE_BODY * u, text) > bar.w)
        text[strcspn(text, ",")] = 0;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, bar.x, card.y + 38.0f * u, bar.w,
                     brush->colours->text, text);
    if (corner.h < 138.0f * u)
        return;
    /* Each colour reaches to the end, so that no seam is left where the next begins. */
    for (int i = 0; i < STEPS; i++) {
        const float from = bar.w * (float)i / STEPS;
        ren_list_fill(brush->list, (struct ren_rect){bar.x + from, bar.y, bar.w - from, bar.h},
                      0.0f, app_theme_heat(i / (STEPS - 1.0)));
    }
    /* A line at the mean, dark on both sides so that it is seen on every colour. */
    const float mean = bar.x + bar.w * fminf((float)(heat->costs.mean / heat->scale), 1.0f);
    ren_list_line(brush->list, mean, bar.y - 3.0f * u, mean, bar.y + bar.h, 5.0f * u, 0x000000ff);
    ren_list_line(brush->list, mean, bar.y - 3.0f * u, mean, bar.y + bar.h, 2.0f * u, 0xffffffff);
    const float y = bar.y + bar.h + 28.0f * u;
    format_cost((double)heat->scale, scale, sizeof scale);
    if (heat->costs.most > heat->scale)
        strcat(scale, " or more");
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, bar.x, y, REN_ALIGN_LEFT,
                  brush->colours->quiet, "0");
    const float ends = app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, bar.x + bar.w, y,
                                     REN_ALIGN_RIGHT, brush->colours->quiet, scale);
    if (!heat->at.valid)
        return;
    format_cost((double)heat->at.cost, scale, sizeof scale);
    snprintf(pointed, sizeof pointed, "pixel %d, %d: %s", heat->at.column, heat->at.row, scale);
    if (ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TYPE_BODY * u, pointed) +
            2.0f * ends + 20.0f * u <=
        bar.w)
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, bar.x + 0.5f * bar.w, y,
                      REN_ALIGN_CENTRE, brush->colours->text, pointed);
}
