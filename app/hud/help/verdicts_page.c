#include "hud/help/pages.h"

#include "hud/pages/board.h"

#include <stdio.h>

void app_help_draw_verdicts(const struct app_brush *given, const struct app_layout *layout)
{
    static const char *const notes[] = {
        "With one process, the interval is that of this run; with several, it is at 99 %.",
        "Every result is verified on every run; where it is not, the row says so.",
        "! beside a verdict: there are reasons to doubt the number; the remark names the first."};
    enum { NOTES = sizeof notes / sizeof *notes };
    const float line = 30.0f, word = 180.0f, width = 940.0f;
    const struct app_help_area page =
        app_help_open(given, layout, width, 130.0f + line * (float)(APP_CLAIM_VERDICTS + NOTES),
                      "How verdicts are reached", "{help} or {leave} closes", APP_HELP_VERDICTS);
    const struct app_brush *brush = &page.brush;
    const float u = brush->unit;
    float y = page.y + 14.0f * u;
    for (int verdict = 0; verdict < APP_CLAIM_VERDICTS; verdict++) {
        const enum app_claim_verdict of = (enum app_claim_verdict)verdict;
        char text[64];
        snprintf(text, sizeof text, "%s %s", app_claim_sign(of), app_claim_verdict_name(of));
        y += line * u;
        app_help_draw_in(brush, REN_FACE_SANS_BOLD, page.x, y, word - 12.0f,
                         app_claim_colour(brush->colours, of), text);
        app_help_draw(brush, REN_FACE_SANS, page.x + word * u, y, width - word - 4.0f * APP_PAD,
                      app_claim_verdict_rule(of));
    }
    y += 14.0f * u;
    for (int i = 0; i < NOTES; i++) {
        y += line * u;
        app_help_draw_in(brush, REN_FACE_SANS, page.x, y, width - 4.0f * APP_PAD,
                         brush->colours->quiet, notes[i]);
    }
}
