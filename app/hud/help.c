/* Pages of help: the first keys, all keys, words, verdicts with the reasons to doubt, formulas. */
#include "hud/parts.h"

#include "command/command.h"

#include <math.h>
#include <string.h>

/* In units: the heights of a section's heading, and of each further line of a text. */
enum { HEADING = 34, MORE = 20 };
static const float help_text = 16.0f, small_text = 15.0f;

/* An open page: everything on it is scaled to fit the window. */
struct help_area {
    struct app_brush brush;
    float x, y;   /* below its title, pixels */
    float bottom; /* the baseline of a last line, pixels */
};

/* Draws a whole text of ordinary size, in smaller letters where `room` units are too narrow. */
static void help_draw_in(const struct app_brush *brush, enum ren_face face, float x, float y,
                         float room, ren_colour colour, const char *text)
{
    const float pixels = help_text * brush->unit;
    const float wanted = ren_text_width(brush->renderer, face, pixels, text) / brush->unit;
    app_draw_text(brush, face, wanted > room ? help_text * room / wanted : help_text, x, y,
                  REN_ALIGN_LEFT, colour, text);
}

static void help_draw(const struct app_brush *brush, enum ren_face face, float x, float y,
                      float room, const char *text)
{
    help_draw_in(brush, face, x, y, room, brush->colours->text, text);
}

/* Returns the number of lines that a text of ordinary size takes in `room` units, at most `most`.
 */
static int help_lines(const struct app_brush *brush, float room, int most, const char *text)
{
    const int lines = app_draw_lines(brush, REN_FACE_SANS, help_text, 0.0f, 0.0f,
                                     room * brush->unit, most, 0, text, false);
    return lines < 1 ? 1 : lines;
}

static void help_draw_lines(const struct app_brush *brush, float x, float y, float room, int most,
                            ren_colour colour, const char *text)
{
    const float u = brush->unit;
    const char *rest = text;
    for (int line = 0; *rest && line < most; line++) {
        /* The words that fit; the last line has all the others. */
        size_t taken = line + 1 == most ? strlen(rest) : 0;
        while (rest[taken]) {
            char words[256];
            const size_t next = taken + strspn(rest + taken, " "),
                         end = next + app_draw_word(rest + next); /* as help_lines() counts */
            snprintf(words, sizeof words, "%.*s", (int)end, rest);
            if (taken > 0 &&
                ren_text_width(brush->renderer, REN_FACE_SANS, help_text * u, words) > room * u)
                break;
            taken = end;
        }
        char words[256];
        snprintf(words, sizeof words, "%.*s", (int)taken, rest);
        help_draw_in(brush, REN_FACE_SANS, x, y + (float)line * MORE * u, room, colour, words);
        rest += taken + strspn(rest + taken, " ");
    }
}

/* Returns the pixels per unit at which a page of width x height units fits the screen. */
static float help_unit(const struct app_layout *layout, float width, float height)
{
    return fminf(layout->screen.w / (width + 2.0f * APP_MARGIN),
                 layout->screen.h / (height + 2.0f * APP_MARGIN));
}

/* Draws the ground, the title and the keys of a page of width x height units, whatever the HUD's
 * size. keys: hints with the names of commands in braces. */
static struct help_area help_open(const struct app_brush *given, const struct app_layout *layout,
                                  float width, float height, const char *title, const char *keys,
                                  enum app_help_page number)
{
    struct help_area page = {.brush = *given};
    const float fit = help_unit(layout, width, height);
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
    app_draw_text(brush, REN_FACE_SANS, help_text, card.x + card.w - 2.0f * APP_PAD * u, page.y,
                  REN_ALIGN_RIGHT, brush->colours->quiet, text);
    return page;
}

/* In units: a line, the widths of the two lists, and of the terms in each. */
static const float words_step = 27.0f, words_width = 592.0f, term_width = 116.0f,
                   reasons_width = 640.0f, reason_width = 192.0f;
enum { SENTENCE_LINES = 2 };

static void draw_heading(const struct app_brush *brush, float x, float y, const char *text)
{
    app_draw_text(brush, REN_FACE_SANS_BOLD, help_text, x, y, REN_ALIGN_LEFT, brush->colours->quiet,
                  text);
}

static void draw_terms(const struct app_brush *brush, float x, float y)
{
    const float u = brush->unit;
    size_t count;
    const struct app_word *words = app_words(&count);
    draw_heading(brush, x, y, "On screen");
    for (size_t i = 0; i < count; i++) {
        y += words_step * u;
        help_draw(brush, REN_FACE_SANS_BOLD, x, y, term_width - 8.0f, words[i].term);
        help_draw(brush, REN_FACE_SANS, x + term_width * u, y, words_width - term_width - 16.0f,
                  words[i].meaning);
    }
}

static ren_colour level_colour(const struct app_colours *c, enum app_trust_level level)
{
    return level == APP_TRUST_RED ? c->bad : level == APP_TRUST_GREEN ? c->good : c->warn;
}

/* Draws every reason to doubt a number, most serious first, in the colour of its level, and returns
 * their height in units with that of the heading. draw false: measures only. */
static float draw_reasons(const struct app_brush *brush, float x, float y, bool draw)
{
    const float u = brush->unit, room = reasons_width - reason_width;
    float high = words_step;
    if (draw)
        draw_heading(brush, x, y, "Reasons to doubt a number, the most serious first");
    for (int i = 0; i < APP_TRUST_COUNT; i++) {
        const struct app_trust_entry *entry = app_trust_entry((enum app_trust_reason)i);
        char sentence[APP_NOTICE_MAX];
        app_key_hints(entry->sentence, sentence, sizeof sentence);
        if (draw) {
            help_draw_in(brush, REN_FACE_SANS_BOLD, x, y + high * u, reason_width - 8.0f,
                         level_colour(brush->colours, entry->level), entry->words);
            help_draw_lines(brush, x + reason_width * u, y + high * u, room, SENTENCE_LINES,
                            brush->colours->text, sentence);
        }
        high += words_step + MORE * (float)(help_lines(brush, room, SENTENCE_LINES, sentence) - 1);
    }
    return high;
}

static void help_draw_words(const struct app_brush *given, const struct app_layout *layout)
{
    size_t count;
    (void)app_words(&count);
    const float words = ((float)count + 1.0f) * words_step, around = 92.0f, between = 20.0f,
                reasons = draw_reasons(given, 0.0f, 0.0f, false);
    /* Side by side, or one above the other in a window that is higher than wide. */
    const float widths[2] = {words_width + reasons_width + 5.0f * APP_PAD,
                             fmaxf(words_width, reasons_width) + 4.0f * APP_PAD},
                heights[2] = {fmaxf(words, reasons) + around, words + between + reasons + around};
    const bool above =
        help_unit(layout, widths[1], heights[1]) > help_unit(layout, widths[0], heights[0]);
    const struct help_area page =
        help_open(given, layout, widths[above], heights[above], "Words on screen",
                  "{help} formulas · {leave} closes", APP_HELP_WORDS);
    const float u = page.brush.unit, y = page.y + 34.0f * u;
    draw_terms(&page.brush, page.x, y);
    draw_reasons(&page.brush, page.x + (above ? 0.0f : (words_width + APP_PAD) * u),
                 y + (above ? (words + between) * u : 0.0f), true);
}

static void help_draw_verdicts(const struct app_brush *given, const struct app_layout *layout)
{
    static const char *const notes[] = {
        "Rows are judged together at 99 %, each at 99.94 %; of one process, by this run.",
        "Every result is verified on every run; where it is not, the row says so.",
        "Records have them in capitals: HOLDS, LARGER, INVERTED, CAN'T TELL."};
    enum { NOTES = sizeof notes / sizeof *notes };
    const float line = 30.0f, word = 180.0f, width = 940.0f;
    const struct help_area page =
        help_open(given, layout, width,
                  130.0f + line * (float)(APP_VERDICTS - APP_VERDICT_NOT_APPLICABLE + NOTES),
                  "How verdicts are reached", "{help} or {leave} closes", APP_HELP_VERDICTS);
    const struct app_brush *brush = &page.brush;
    const float u = brush->unit;
    float y = page.y + 14.0f * u;
    for (int verdict = APP_VERDICT_NOT_APPLICABLE; verdict < APP_VERDICTS; verdict++) {
        const struct app_verdict_entry *of = app_verdict_entry((enum app_verdict)verdict);
        char text[64];
        snprintf(text, sizeof text, "%s %s", of->sign, of->says);
        y += line * u;
        help_draw_in(brush, REN_FACE_SANS_BOLD, page.x, y, word - 12.0f,
                     app_sense_colour(brush->colours, of->sense), text);
        help_draw(brush, REN_FACE_SANS, page.x + word * u, y, width - word - 4.0f * APP_PAD,
                  of->rule);
    }
    y += 14.0f * u;
    for (int i = 0; i < NOTES; i++) {
        y += line * u;
        help_draw_in(brush, REN_FACE_SANS, page.x, y, width - 4.0f * APP_PAD, brush->colours->quiet,
                     notes[i]);
    }
}

static const float heading = HEADING, formula_step = 21.0f, topic_step = 27.0f,
                   formulas_width = 610.0f;

/* Draws a text's topics with their formulas, and returns their height in units. Without a brush,
 * only measures. */
static float draw_text_formulas(const struct app_brush *brush, enum app_text text, float x, float y)
{
    const float u = brush ? brush->unit : 1.0f;
    const float width = formulas_width - 12.0f;
    const struct app_text_entry *entry = app_text_of(text);
    float high = heading;
    char source[192];
    const char *const sources[] = {source, entry->author, NULL};
    app_hud_author(text, "any GPU", true, source, sizeof source);
    if (brush) {
        const float used = 10.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, help_text, x,
                                                     y + (high - 6.0f) * u, REN_ALIGN_LEFT,
                                                     brush->colours->text, entry->subject);
        app_draw_text_fit(brush, REN_FACE_SANS, small_text, x + used, y + (high - 6.0f) * u,
                          width * u - used, brush->colours->quiet, sources);
    }
    for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++) {
        const struct app_topic *of = app_topics[topic];
        if (of->text != text || !of->formulas[0])
            continue;
        high += topic_step;
        if (brush)
            app_draw_text(brush, REN_FACE_SANS_BOLD, small_text, x, y + (high - 4.0f) * u,
                          REN_ALIGN_LEFT, brush->colours->text, of->panel_title);
        for (int i = 0; i < APP_FORMULAS_MAX && of->formulas[i]; i++) {
            high += formula_step;
            if (brush)
                help_draw(brush, REN_FACE_SANS, x + 12.0f * u, y + (high - 4.0f) * u, width - 12.0f,
                          of->formulas[i]);
        }
    }
    return high;
}

static void help_draw_formulas(const struct app_brush *given, const struct app_layout *layout)
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
    if (help_unit(layout, narrow, all + 80.0f) > help_unit(layout, width, height)) {
        width = narrow;
        height = all + 80.0f;
        first = APP_TEXT_COUNT;
    }
    const struct help_area page =
        help_open(given, layout, width, height, "How numbers are computed",
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

/* In units; `more` is the height of each further line of a text. */
static const float step = 24.0f, more = MORE, key_width = 130.0f, column_width = 450.0f,
                   around = 116.0f;

enum { COLUMNS_MAX = 3, TEXT_LINES = 3 };

/* The lines of the page in columns: column i has those from first[i] to first[i + 1] - 1. Heights
 * are in units. Those of the lines are measured once: columns are filled a few hundred times. */
struct columns {
    const struct app_help_line *lines;
    float heights[APP_HELP_LINES_MAX];
    size_t count, first[COLUMNS_MAX + 1];
    int columns;
    float height; /* of the highest column */
};

/* Returns the second of two keys that stand below each other, because they are too wide side by
 * side: of "Ctrl PageUp Ctrl PageDown", "Ctrl PageDown"; NULL: there is room. */
static const char *second_key(const struct app_brush *brush, const struct app_help_line *line)
{
    const char *second = strstr(line->keys, " Ctrl ");
    const float width =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, help_text * brush->unit, line->keys);
    return second && width > (key_width - 8.0f) * brush->unit ? second + 1 : NULL;
}

static void draw_keys(const struct app_brush *brush, const struct app_help_line *line, float x,
                      float y)
{
    const char *second = second_key(brush, line);
    char first[sizeof line->keys];
    const size_t length = second ? (size_t)(second - line->keys) - 1 : strlen(line->keys);
    snprintf(first, sizeof first, "%.*s", (int)length, line->keys);
    help_draw(brush, REN_FACE_SANS_BOLD, x, y, key_width - 8.0f, first);
    if (second)
        help_draw(brush, REN_FACE_SANS_BOLD, x, y + more * brush->unit, key_width - 8.0f, second);
}

static float height_of_line(const struct app_brush *brush, const struct app_help_line *line)
{
    const int texts = help_lines(brush, column_width - key_width, TEXT_LINES, line->text);
    const int lines = texts < 2 && second_key(brush, line) ? 2 : texts;
    return step + more * (float)(lines - 1);
}

/* Fills columns of at most `height` units from the left; returns how many there are, at most one
 * too many. */
static int fill(struct columns *all, float height, int most)
{
    int columns = 0;
    float used = INFINITY;
    all->height = 0.0f;
    for (size_t i = 0; i < all->count; i++) {
        const bool begins = i == 0 || all->lines[i].section != all->lines[i - 1].section;
        const float high = all->heights[i];
        if (used + high + (begins ? heading : 0.0f) > height) {
            if (columns == most)
                return most + 1;
            all->first[columns++] = i;
            used = heading; /* a section that goes on in a new column repeats its heading */
        } else if (begins) {
            used += heading;
        }
        used += high;
        all->height = fmaxf(all->height, used);
    }
    all->first[columns] = all->count;
    return columns;
}

/* Divides the lines into a number of columns, none of them higher than need be. */
static void divide(struct columns *all, int columns)
{
    float height = heading + step;
    while (fill(all, height, columns) > columns)
        height += 0.5f * step;
    all->columns = columns;
}

static void draw_column(const struct app_brush *brush, const struct columns *all, int column,
                        float x, float y)
{
    const float u = brush->unit;
    for (size_t i = all->first[column]; i < all->first[column + 1]; i++) {
        const struct app_help_line *line = &all->lines[i];
        if (i == all->first[column] || line->section != all->lines[i - 1].section) {
            y += heading * u;
            app_draw_text(brush, REN_FACE_SANS_BOLD, help_text, x, y - 4.0f * u, REN_ALIGN_LEFT,
                          brush->colours->quiet, app_section_title(line->section));
        }
        draw_keys(brush, line, x, y + step * u);
        help_draw_lines(brush, x + key_width * u, y + step * u, column_width - key_width,
                        TEXT_LINES, brush->colours->text, line->text);
        y += height_of_line(brush, line) * u;
    }
}

static float width_of(int columns)
{
    return (float)columns * (column_width + APP_PAD) + APP_PAD * 3.0f;
}

static void help_draw_keys(const struct app_brush *given, const struct app_layout *layout)
{
    struct app_help_line lines[APP_HELP_LINES_MAX];
    struct columns all = {.lines = lines, .count = app_help_keys(lines)};
    float largest = 0.0f;
    int best = 1;
    for (size_t i = 0; i < all.count; i++)
        all.heights[i] = height_of_line(given, &lines[i]);
    for (int columns = 1; columns <= COLUMNS_MAX; columns++) {
        divide(&all, columns);
        const float unit = help_unit(layout, width_of(columns), all.height + around);
        if (unit > largest) {
            largest = unit;
            best = columns;
        }
    }
    divide(&all, best);
    const struct help_area page = help_open(given, layout, width_of(best), all.height + around,
                                            "Keys", "{help} words · {leave} closes", APP_HELP_KEYS);
    const struct app_brush *brush = &page.brush;
    for (int column = 0; column < best; column++)
        draw_column(brush, &all, column,
                    page.x + (float)column * (column_width + APP_PAD) * brush->unit, page.y);
    help_draw_in(brush, REN_FACE_SANS, page.x, page.bottom, width_of(best) - 4.0f * APP_PAD,
                 brush->colours->quiet, app_help_formula());
}

/* The first keys, in the order of a first talk or, in a talk, its own; as large as on any screen.
 */
static void help_draw_first(const struct app_brush *brush, const struct app_layout *layout,
                            bool talk)
{
    enum { ROWS = 7 };
    static const char *const all[2][ROWS][2] = {{{"{storage}", "another memory for the spheres"},
                                                 {"{duel}", "compare two of them"},
                                                 {"{kernel}", "another kernel, which does less"},
                                                 {"{spheres}", "more or fewer spheres"},
                                                 {"{panels} {page}", "pages of measurements"},
                                                 {"{screenshot}", "save picture and numbers"},
                                                 {"{help}", "all keys"}},
                                                {{"{talk-next}", "next step, or the answer"},
                                                 {"{talk-previous}", "step before"},
                                                 {"{talk-blank}", "black screen, and back"},
                                                 {"{home}", "back to what the step shows"},
                                                 {"{leave}", "leave the talk"},
                                                 {"{talk}", "return to its step"},
                                                 {"{help}", "all keys"}}};
    const char *const(*rows)[2] = all[talk];
    const float u = fminf(brush->unit, layout->screen.h / 440.0f), row = 50.0f * u;
    const struct app_brush own = {brush->renderer, brush->list, brush->colours, u, brush->witness};
    const float width = fminf(layout->screen.w - 2.0f * APP_MARGIN * u, 760.0f * u),
                height = row * ROWS + 2.0f * APP_PAD * u;
    const struct ren_rect card = {floorf(0.5f * (layout->screen.w - width)),
                                  floorf(0.5f * (layout->screen.h - height)), width, height};
    ren_list_fill(brush->list, layout->screen, 0.0f,
                  (ren_colour)brush->colours->background << 8 | 0xc0u);
    app_draw_card(&own, card);
    for (int i = 0; i < ROWS; i++) {
        const float y = card.y + APP_PAD * u + (float)i * row + 36.0f * u;
        char keys[64];
        app_key_hints(rows[i][0], keys, sizeof keys);
        app_draw_text(&own, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, card.x + 2.0f * APP_PAD * u, y,
                      REN_ALIGN_LEFT, brush->colours->text, keys);
        app_draw_text_in(&own, REN_FACE_SANS, APP_TYPE_LARGE, card.x + 220.0f * u, y,
                         width - (220.0f + APP_PAD) * u, brush->colours->quiet, rows[i][1]);
    }
}

void app_hud_help(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_state *state)
{
    static void (*const pages[APP_HELP_PAGES])(const struct app_brush *,
                                               const struct app_layout *) = {
        [APP_HELP_KEYS] = help_draw_keys,
        [APP_HELP_WORDS] = help_draw_words,
        [APP_HELP_FORMULAS] = help_draw_formulas,
        [APP_HELP_VERDICTS] = help_draw_verdicts,
    };
    const enum app_help_page page = state->look.help_page;
    if (page > APP_HELP_FIRST && page < APP_HELP_PAGES)
        pages[page](brush, layout);
    else
        help_draw_first(brush, layout, state->talk.on);
}
