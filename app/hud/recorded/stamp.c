#include "hud/recorded/stamp.h"

/* In units. */
static const float tape_height = 4.0f, dash = 12.0f, hole = 6.0f, pad = 4.0f;

void app_stamp_tape(const struct app_brush *brush, struct ren_rect card)
{
    const float u = brush->unit, inset = APP_RADIUS * u, inner = card.w - 2.0f * inset;
    const int count = (int)((inner + hole * u) / ((dash + hole) * u));
    const float step = count > 1 ? (inner - dash * u) / (float)(count - 1) : 0.0f;
    for (int i = 0; i < count; i++)
        ren_list_fill(
            brush->list,
            (struct ren_rect){card.x + inset + (float)i * step, card.y, dash * u, tape_height * u},
            0.0f, brush->colours->stamp);
}

/* Draws a stamp whose box is `above` and `below` sizes away from the baseline. */
static float draw_box(const struct app_brush *brush, float size, float x, float y,
                      enum ren_align align, float above, float below, const char *text)
{
    const float u = brush->unit;
    const float width =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, text) + 2.0f * pad * u;
    const float left = align == REN_ALIGN_RIGHT ? x - width : x;
    ren_list_fill(brush->list,
                  (struct ren_rect){left, y - above * size * u, width, (above + below) * size * u},
                  3.0f * u, brush->colours->stamp);
    app_draw_text(brush, REN_FACE_SANS_BOLD, size, left + pad * u, y, REN_ALIGN_LEFT,
                  brush->colours->stamp_text, text);
    return width;
}

float app_stamp_text(const struct app_brush *brush, float size, float x, float y,
                     enum ren_align align, const char *text)
{
    return draw_box(brush, size, x, y, align, 1.05f, 0.31f, text);
}

float app_stamp_least(const struct app_brush *brush, float size)
{
    return ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * brush->unit, "RECORDED") +
           2.0f * pad * brush->unit;
}

float app_stamp_draw(const struct app_brush *brush, float size, float x, float y,
                     enum ren_align align, float room, const struct app_recorded_view *recorded)
{
    const char *const texts[] = {recorded->stamp, recorded->shorter, "RECORDED", NULL};
    const char *const *text = texts;
    while (text[1] &&
           ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * brush->unit, *text) +
                   2.0f * pad * brush->unit >
               room)
        text++;
    return app_stamp_text(brush, size, x, y, align, *text);
}

float app_stamp_small(const struct app_brush *brush, float x, float y, enum ren_align align)
{
    /* Rows are close together. */
    return draw_box(brush, 12.0f, x, y, align, 0.93f, 0.19f, "REC");
}
