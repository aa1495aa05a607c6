#include "hud/help/pages.h"

#include "command/keys.h"
#include "command/words.h"

#include <math.h>
#include <stdio.h>

/* In units: a line, the widths of the two lists, and of the terms in each. */
static const float line = 27.0f, words_width = 592.0f, term_width = 116.0f, reasons_width = 640.0f,
                   reason_width = 192.0f;
enum { SENTENCE_LINES = 2 };

static void draw_heading(const struct app_brush *brush, float x, float y, const char *text)
{
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, REN_ALIGN_LEFT, brush->colours->quiet,
                  text);
}

static void draw_terms(const struct app_brush *brush, float x, float y)
{
    const float u = brush->unit;
    size_t count;
    const struct app_word *words = app_words(&count);
    draw_heading(brush, x, y, "On screen");
    for (size_t i = 0; i < count; i++) {
        y += line * u;
        app_help_draw(brush, REN_FACE_SANS_BOLD, x, y, term_width - 8.0f, words[i].term);
        app_help_draw(brush, REN_FACE_SANS, x + term_width * u, y, words_width - term_width - 16.0f,
                      words[i].meaning);
    }
}

/* Draws every reason to doubt a number, most serious first, in the colour of its level, and returns
 * their height in units with that of the heading. draw false: measures only. */
static float draw_reasons(const struct app_brush *brush, float x, float y, bool draw)
{
    const float u = brush->unit, room = reasons_width - reason_width;
    float high = line;
    if (draw)
        draw_heading(brush, x, y, "Reasons to doubt a number, the most serious first");
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        char sentence[APP_NOTICE_MAX];
        app_key_hints(entry->sentence, sentence, sizeof sentence);
        if (draw) {
            app_help_draw_in(brush, REN_FACE_SANS_BOLD, x, y + high * u, reason_width - 8.0f,
                             app_trust_colour(brush, entry->level), entry->words);
            app_help_draw_lines(brush, x + reason_width * u, y + high * u, room, SENTENCE_LINES,
                                brush->colours->text, sentence);
        }
        high += line +
                APP_HELP_MORE * (float)(app_help_lines(brush, room, SENTENCE_LINES, sentence) - 1);
    }
    return high;
}

void app_help_draw_words(const struct app_brush *given, const struct app_layout *layout)
{
    size_t count;
    (void)app_words(&count);
    const float words = ((float)count + 1.0f) * line, around = 92.0f, between = 20.0f,
                reasons = draw_reasons(given, 0.0f, 0.0f, false);
    /* Side by side, or one above the other in a window that is higher than wide. */
    const float widths[2] = {words_width + reasons_width + 5.0f * APP_PAD,
                             fmaxf(words_width, reasons_width) + 4.0f * APP_PAD},
                heights[2] = {fmaxf(words, reasons) + around, words + between + reasons + around};
    const bool above =
        app_help_unit(layout, widths[1], heights[1]) > app_help_unit(layout, widths[0], heights[0]);
    const struct app_help_area page =
        app_help_open(given, layout, widths[above], heights[above], "Words on screen",
                      "{help} formulas · {leave} closes", APP_HELP_WORDS);
    const float u = page.brush.unit, y = page.y + 34.0f * u;
    draw_terms(&page.brush, page.x, y);
    draw_reasons(&page.brush, page.x + (above ? 0.0f : (words_width + APP_PAD) * u),
                 y + (above ? (words + between) * u : 0.0f), true);
}
