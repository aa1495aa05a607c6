#include "hud/parts.h"

#include "command/help.h"
#include "command/keys.h"
#include "hud/pages/board.h"
#include "topics/topics.h"

#include <math.h>
#include <stdio.h>

static const float size = APP_TEXT, step = 24.0f, heading = 34.0f, key_width = 130.0f,
                   column_width = 520.0f;

/* Returns the height of the lines first..end-1 in units, headings included. */
static float height_of(const struct app_help_line *lines, size_t first, size_t end)
{
    float height = 0.0f;
    for (size_t i = first; i < end; i++)
        height += step + (i == first || lines[i].section != lines[i - 1].section ? heading : 0.0f);
    return height;
}

/* Returns the first line of the second column: that of a section, so that both columns are about
 * equally high. */
static size_t split(const struct app_help_line *lines, size_t count)
{
    size_t best = count;
    float lowest = height_of(lines, 0, count);
    for (size_t i = 1; i < count; i++) {
        if (lines[i].section == lines[i - 1].section)
            continue;
        const float height = fmaxf(height_of(lines, 0, i), height_of(lines, i, count));
        if (height < lowest) {
            lowest = height;
            best = i;
        }
    }
    return best;
}

/* Draws a whole text, in smaller letters where `room` units are too narrow for it. */
static void draw_whole_in(const struct app_brush *brush, enum ren_face face, float x, float y,
                          float room, ren_colour colour, const char *text)
{
    const float pixels = size * brush->unit;
    const float wanted = ren_text_width(brush->renderer, face, pixels, text) / brush->unit;
    app_draw_text(brush, face, wanted > room ? size * room / wanted : size, x, y, REN_ALIGN_LEFT,
                  colour, text);
}

static void draw_whole(const struct app_brush *brush, enum ren_face face, float x, float y,
                       float room, const char *text)
{
    draw_whole_in(brush, face, x, y, room, brush->colours->text, text);
}

static void draw_column(const struct app_brush *brush, const struct app_help_line *lines,
                        size_t first, size_t end, float x, float y)
{
    const float u = brush->unit;
    for (size_t i = first; i < end; i++) {
        if (i == first || lines[i].section != lines[i - 1].section) {
            y += heading * u;
            app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y - 4.0f * u, REN_ALIGN_LEFT,
                          brush->colours->quiet, app_section_title(lines[i].section));
        }
        y += step * u;
        draw_whole(brush, REN_FACE_SANS_BOLD, x, y, key_width - 8.0f, lines[i].keys);
        draw_whole(brush, REN_FACE_SANS, x + key_width * u, y, column_width - key_width,
                   lines[i].text);
    }
}

struct app_key_hint app_hud_help_hint(void)
{
    struct app_key_hint hint;
    app_key_hints("{help} help", hint.text, sizeof hint.text);
    return hint;
}

/* An open page of the help: everything on it is scaled to fit the window. */
struct page {
    struct app_brush brush;
    float x, y; /* below its title, pixels */
    float bottom;
};

/* Draws the ground, the title and the keys of a page of width x height units, whatever the HUD's
 * size. */
static struct page open_page(const struct app_brush *given, const struct app_layout *layout,
                             float width, float height, const char *title, const char *keys,
                             enum app_help_page number)
{
    struct page page = {.brush = *given};
    const float fit = fminf(layout->screen.w / (width + 2.0f * APP_MARGIN),
                            layout->screen.h / (height + 2.0f * APP_MARGIN));
    page.brush.unit = fminf(fmaxf(given->unit, 0.97f * fit), fit);
    const struct app_brush *brush = &page.brush;
    const float u = brush->unit;
    const struct ren_rect card = {floorf((layout->screen.w - width * u) / 2.0f),
                                  floorf((layout->screen.h - height * u) / 2.0f), width * u,
                                  height * u};
    /* The rest of the screen is dimmed, and nothing shines through the text. */
    const ren_colour ground = brush->colours->background << 8;
    ren_list_fill(brush->list, layout->screen, 0.0f, ground | 0xa0);
    ren_list_fill(brush->list, card, APP_RADIUS * u, ground | 0xff);
    app_draw_card(brush, card);
    page.x = card.x + 2.0f * APP_PAD * u;
    page.y = card.y + 44.0f * u;
    page.bottom = card.y + card.h - 20.0f * u;
    char hints[96], text[128];
    app_key_hints(keys, hints, sizeof hints);
    snprintf(text, sizeof text, "%s · %d/%d", hints, (int)number + 1, (int)APP_HELP_PAGES);
    app_draw_text(brush, REN_FACE_SANS_BOLD, 26.0f, page.x, page.y, REN_ALIGN_LEFT,
                  brush->colours->text, title);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT, card.x + card.w - 2.0f * APP_PAD * u, page.y,
                  REN_ALIGN_RIGHT, brush->colours->quiet, text);
    return page;
}

static void draw_keys(const struct app_brush *given, const struct app_layout *layout)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    const size_t count = app_help_keys(lines);
    const size_t second = split(lines, count);
    const float high = fmaxf(height_of(lines, 0, second), height_of(lines, second, count));
    const struct page page =
        open_page(given, layout, 2.0f * column_width + APP_PAD * 5.0f, high + 116.0f, "Keys",
                  "{help} formulas · {leave} closes", APP_HELP_KEYS);
    const struct app_brush *brush = &page.brush;
    draw_column(brush, lines, 0, second, page.x, page.y);
    draw_column(brush, lines, second, count, page.x + (column_width + APP_PAD) * brush->unit,
                page.y);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, page.x, page.bottom, REN_ALIGN_LEFT,
                  brush->colours->quiet, app_help_formula());
}

/* ---- how every number is computed ---- */

static const float formula_step = 21.0f, topic_step = 27.0f, formulas_width = 610.0f;

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
                                      REN_ALIGN_LEFT, brush->colours->series[APP_BLUE],
                                      entry->subject);
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
                draw_whole(brush, REN_FACE_SANS, x + 12.0f * u, y + (high - 4.0f) * u,
                           width - 12.0f, of->formulas[i]);
        }
    }
    return high;
}

static void draw_formulas(const struct app_brush *given, const struct app_layout *layout)
{
    float heights[APP_TEXT_COUNT], all = 0.0f, left = 0.0f;
    for (int text = 0; text < APP_TEXT_COUNT; text++)
        all += heights[text] = draw_text_formulas(NULL, (enum app_text)text, 0.0f, 0.0f);
    /* The first column takes texts as long as that makes the higher column lower. */
    int first = 0;
    while (first < APP_TEXT_COUNT &&
           fmaxf(left + heights[first], all - left - heights[first]) < fmaxf(left, all - left))
        left += heights[first++];
    const struct page page = open_page(
        given, layout, 2.0f * formulas_width + 5.0f * APP_PAD, fmaxf(left, all - left) + 80.0f,
        "How every number is computed", "{help} verdicts · {leave} closes", APP_HELP_FORMULAS);
    float x = page.x, y = page.y + 4.0f * page.brush.unit;
    for (int text = 0; text < APP_TEXT_COUNT; text++) {
        if (text == first) {
            x += (formulas_width + APP_PAD) * page.brush.unit;
            y = page.y + 4.0f * page.brush.unit;
        }
        y += page.brush.unit * draw_text_formulas(&page.brush, (enum app_text)text, x, y);
    }
}

static void draw_verdicts(const struct app_brush *given, const struct app_layout *layout)
{
    static const char *const notes[] = {
        "With one process, the interval is that of this run; with several, it is at 99 %.",
        "Every result is verified on every run; where it is not, the row says so.",
        "! beside a verdict: there are reasons to doubt the number; the remark names the first."};
    enum { NOTES = sizeof notes / sizeof *notes };
    const float line = 30.0f, word = 180.0f, width = 940.0f;
    const struct page page =
        open_page(given, layout, width, 130.0f + line * (float)(APP_CLAIM_VERDICTS + NOTES),
                  "How verdicts are reached", "{help} or {leave} closes", APP_HELP_VERDICTS);
    const struct app_brush *brush = &page.brush;
    const float u = brush->unit;
    float y = page.y + 14.0f * u;
    for (int verdict = 0; verdict < APP_CLAIM_VERDICTS; verdict++) {
        const enum app_claim_verdict of = (enum app_claim_verdict)verdict;
        char text[64];
        snprintf(text, sizeof text, "%s %s", app_board_sign(of), app_claim_verdict_name(of));
        y += line * u;
        draw_whole_in(brush, REN_FACE_SANS_BOLD, page.x, y, word - 12.0f,
                      app_board_colour(brush, of), text);
        draw_whole(brush, REN_FACE_SANS, page.x + word * u, y, width - word - 4.0f * APP_PAD,
                   app_claim_verdict_rule(of));
    }
    y += 14.0f * u;
    for (int i = 0; i < NOTES; i++) {
        y += line * u;
        draw_whole_in(brush, REN_FACE_SANS, page.x, y, width - 4.0f * APP_PAD,
                      brush->colours->quiet, notes[i]);
    }
}

void app_hud_help(const struct app_brush *brush, const struct app_layout *layout,
                  enum app_help_page page)
{
    if (page == APP_HELP_FORMULAS)
        draw_formulas(brush, layout);
    else if (page == APP_HELP_VERDICTS)
        draw_verdicts(brush, layout);
    else
        draw_keys(brush, layout);
}
