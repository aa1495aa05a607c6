#include "hud/help/pages.h"

#include "command/keys.h"
#include "command/words.h"

#include <math.h>
#include <stdio.h>

/* In units: a line, the widths of the two columns, and of the terms in each. */
static const float line = 29.0f, words_width = 592.0f, term_width = 116.0f, reasons_width = 762.0f,
                   reason_width = 184.0f;

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

/* Draws every reason to doubt a number, most serious first, in the colour of its level. */
static void draw_reasons(const struct app_brush *brush, float x, float y)
{
    const float u = brush->unit;
    draw_heading(brush, x, y, "Reasons to doubt a number, the most serious first");
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        char sentence[APP_NOTICE_MAX];
        app_key_hints(entry->sentence, sentence, sizeof sentence);
        y += line * u;
        app_help_draw_in(brush, REN_FACE_SANS_BOLD, x, y, reason_width - 8.0f,
                         app_trust_colour(brush, entry->level), entry->words);
        app_help_draw(brush, REN_FACE_SANS, x + reason_width * u, y, reasons_width - reason_width,
                      sentence);
    }
}

void app_help_draw_words(const struct app_brush *given, const struct app_layout *layout)
{
    size_t count;
    (void)app_words(&count);
    const float lines = fmaxf((float)count, (float)APP_TRUST_COUNT) + 1.0f;
    const struct app_help_area page = app_help_open(
        given, layout, words_width + reasons_width + 5.0f * APP_PAD, lines * line + 92.0f,
        "Words on screen", "{help} formulas · {leave} closes", APP_HELP_WORDS);
    const float u = page.brush.unit, y = page.y + 34.0f * u;
    draw_terms(&page.brush, page.x, y);
    draw_reasons(&page.brush, page.x + (words_width + APP_PAD) * u, y);
}
