#include "hud/parts.h"
#include "hud/rows.h"

#include <math.h>
#include <string.h>

static const float label_width = 66.0f, line_height = 1.35f * APP_TEXT_SMALL;

static int draw_row(const struct app_brush *brush, const struct app_hud_row *row, float x, float y,
                    float width, bool draw)
{
    const float indent = row->label ? label_width * brush->unit : 20.0f * brush->unit;
    const ren_colour colour = row->grave   ? brush->colours->bad
                              : row->label ? brush->colours->text
                                           : brush->colours->warn;
    if (draw)
        app_draw_text(brush, row->label ? REN_FACE_SANS : REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y,
                      REN_ALIGN_LEFT, row->label ? brush->colours->quiet : colour,
                      row->label ? row->label : "!");
    return app_draw_lines(brush, REN_FACE_SANS, APP_TEXT_SMALL, x + indent, y, width - indent,
                          row->label ? 2 : 3, colour, row->text, draw);
}

/* Returns the row to leave out where room is short: warnings beyond the gravest, whose number the
 * trust light tells, once few labelled rows are left; before that the last labelled one. */
static int row_to_leave_out(const struct app_hud_row *rows, int count)
{
    enum { KEPT = 6 };
    int labelled = 0, warnings = 0, last_labelled = 0;
    for (int i = 0; i < count; i++) {
        labelled += rows[i].label != NULL;
        warnings += rows[i].label == NULL;
        last_labelled = rows[i].label ? i : last_labelled;
    }
    return warnings > 0 && labelled <= (warnings > 1 ? KEPT : 1) ? count - 1 : last_labelled;
}

float app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_hud *hud)
{
    struct ren_rect card = layout->details;
    if (card.w <= 0.0f)
        return layout->pane.h;
    const float u = brush->unit, inner = card.w - (2.0f * APP_PAD + 6.0f) * u;
    struct app_hud_row rows[APP_HUD_ROWS];
    int count = app_hud_describe(hud, rows);
    /* The card is as high as its rows need; where that is too high, rows are left out. */
    const int room = (int)((card.h / u - 44.0f) / line_height);
    int lines = 0;
    for (int i = 0; i < count; i++)
        lines += draw_row(brush, &rows[i], 0, 0, inner, false);
    while (lines > room && count > 0) {
        const int i = row_to_leave_out(rows, count);
        lines -= draw_row(brush, &rows[i], 0, 0, inner, false);
        memmove(&rows[i], &rows[i + 1], (size_t)(--count - i) * sizeof *rows);
    }
    if (count == 0)
        return layout->pane.h;
    card.h = fminf(card.h, ((float)lines * line_height + 44.0f) * u);
    if (layout->column)
        card.y = layout->details.y + layout->details.h - card.h;
    app_draw_card(brush, card);
    const float x = card.x + (APP_PAD + 6.0f) * u;
    float y = card.y + 24.0f * u;
    for (int i = 0; i < count; i++)
        y += (float)draw_row(brush, &rows[i], x, y, inner, true) * line_height * u;
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, card.x + card.w - APP_PAD * u,
                  card.y + card.h - 12.0f * u, REN_ALIGN_RIGHT, brush->colours->text,
                  app_hud_help_hint().text);
    return card.y;
}
