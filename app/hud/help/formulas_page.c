#include "hud/help/pages.h"

#include "hud/pages/board.h"
#include "topics/topics.h"

#include <math.h>

static const float heading = APP_HELP_HEADING, formula_step = 21.0f, topic_step = 27.0f,
                   formulas_width = 610.0f;

/* Draws a text's topics with their formulas, and returns their height in units. Without a brush,
 * only measures. */
static float draw_text_formulas(const struct app_brush *brush, enum app_text text, float x, float y)
{
    const float u = brush ? brush->unit : 1.0f;
    const float width = formulas_width - 12.0f;
    const struct app_text_entry *entry = app_text_of(text);
    float high = heading;
    char source[192], brief[96];
    const char *const sources[] = {source, brief, NULL};
    app_board_source(entry, true, source, sizeof source);
    app_board_source(entry, false, brief, sizeof brief);
    if (brush) {
        const float used =
            10.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y + (high - 6.0f) * u,
                                      REN_ALIGN_LEFT, brush->colours->text, entry->subject);
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x + used, y + (high - 6.0f) * u,
                          width * u - used, brush->colours->quiet, sources);
    }
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        const struct app_topic *of = app_topic_of((enum krn_topic)topic);
        if (of->text != text || !of->formulas[0])
            continue;
        high += topic_step;
        if (brush)
            app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y + (high - 4.0f) * u,
                          REN_ALIGN_LEFT, brush->colours->text, of->panel_title);
        for (int i = 0; i < APP_FORMULAS_MAX && of->formulas[i]; i++) {
            high += formula_step;
            if (brush)
                app_help_draw(brush, REN_FACE_SANS, x + 12.0f * u, y + (high - 4.0f) * u,
                              width - 12.0f, of->formulas[i]);
        }
    }
    return high;
}

void app_help_draw_formulas(const struct app_brush *given, const struct app_layout *layout)
{
    float heights[APP_TEXT_COUNT], all = 0.0f, left = 0.0f;
    for (int text = 0; text < APP_TEXT_COUNT; text++)
        all += heights[text] = draw_text_formulas(NULL, (enum app_text)text, 0.0f, 0.0f);
    /* The first column takes texts as long as that makes the higher column lower. */
    int first = 0;
    while (first < APP_TEXT_COUNT &&
           fmaxf(left + heights[first], all - left - heights[first]) < fmaxf(left, all - left))
        left += heights[first++];
    /* One column in a window that is higher than wide. */
    float width = 2.0f * formulas_width + 5.0f * APP_PAD, height = fmaxf(left, all - left) + 80.0f;
    const float narrow = formulas_width + 9.0f * APP_PAD; /* the title and the keys need it */
    if (app_help_unit(layout, narrow, all + 80.0f) > app_help_unit(layout, width, height)) {
        width = narrow;
        height = all + 80.0f;
        first = APP_TEXT_COUNT;
    }
    const struct app_help_area page =
        app_help_open(given, layout, width, height, "How numbers are computed",
                      "{help} verdicts · {leave} closes", APP_HELP_FORMULAS);
    float x = page.x, y = page.y + 4.0f * page.brush.unit;
    for (int text = 0; text < APP_TEXT_COUNT; text++) {
        if (text == first) {
            x += (formulas_width + APP_PAD) * page.brush.unit;
            y = page.y + 4.0f * page.brush.unit;
        }
        y += page.brush.unit * draw_text_formulas(&page.brush, (enum app_text)text, x, y);
    }
}
