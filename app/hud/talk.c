/* The strip of a talk, and the page of a question. */
#include "hud/parts.h"

#include <math.h>
#include <string.h>

/* In units. */
static const float caption_size = APP_TYPE_LARGE, body_size = APP_TYPE_BODY, pad = 18.0f,
                   place_width = 76.0f; /* of the step's number */

/* In units: of the line for the speaker, at the bottom. */
static const float notice_height = 24.0f;

/* The part of a frame's height that a strip takes at most; its type shrinks beyond it. */
static const float most_part = 0.3f;

enum { WRAPPED_MAX = 6 };

/* Returns the step's caption: before the reveal of a question its text, then what the talk says to
 * the answer. */
static const char *caption_of(const struct app_talk_step *step, bool revealed)
{
    return step->question.asks == APP_ASKS_NOTHING ? step->caption
           : revealed && step->reveal[0]           ? step->reveal
           : step->caption[0]                      ? step->caption
                                                   : step->question.text;
}

/* Lays out a strip from its top, draws it if asked, and returns the height of its text. */
static float lay_out(const struct app_brush *brush, const struct app_talk_step *step, bool revealed,
                     int count, float top, float width, bool draw)
{
    const float u = brush->unit, margin = APP_MARGIN * u,
                inner = width - 2.0f * margin - place_width * u;
    char text[256];
    float y = top + pad * u;
    app_talk_fill_in(caption_of(step, revealed), count, text, sizeof text);
    int lines =
        app_draw_lines(brush, REN_FACE_SANS_BOLD, caption_size, margin, y + 0.9f * caption_size * u,
                       inner, WRAPPED_MAX, brush->colours->text, text, draw);
    y += 1.35f * caption_size * u * (float)lines;
    for (int i = 0; i < step->body_count && step->question.asks == APP_ASKS_NOTHING; i++) {
        app_talk_fill_in(step->body[i], count, text, sizeof text);
        lines = app_draw_lines(brush, REN_FACE_SANS, body_size, margin, y + body_size * u, inner,
                               WRAPPED_MAX, brush->colours->quiet, text, draw);
        y += 1.35f * body_size * u * (float)lines;
    }
    return y - top + notice_height * u;
}

/* Returns the height of the highest strip of a talk. */
static float highest(const struct app_brush *brush, const struct app_talk *talk, float width)
{
    float most = 0.0f;
    for (int i = 0; i < talk->step_count; i++)
        for (int revealed = 0; revealed < 2; revealed++)
            if (caption_of(&talk->steps[i], revealed)[0])
                most =
                    fmaxf(most, lay_out(brush, &talk->steps[i], revealed, 0, 0.0f, width, false));
    return most;
}

/* Sets the unit with which no strip of the talk takes more than its part of the frame; returns
 * their height. */
static float fit(struct app_brush *brush, const struct app_talk *talk, float width, float height)
{
    float taken = highest(brush, talk, width);
    for (int i = 0; i < 40 && taken > most_part * height; i++) {
        brush->unit *= 0.96f;
        taken = highest(brush, talk, width);
    }
    return ceilf(taken);
}

float app_hud_talk_height(const struct ren_renderer *renderer, const struct app_talk *talk,
                          float unit, float width, float height)
{
    static const struct app_colours none;
    struct app_brush brush = {.renderer = renderer, .colours = &none, .unit = unit};
    return fit(&brush, talk, width, height);
}

void app_hud_talk(const struct app_brush *given, struct ren_rect strip,
                  const struct app_talk_shown *shown, const char *notice)
{
    struct app_brush brush = *given;
    fit(&brush, shown->talk, strip.w, strip.y + strip.h);
    const float u = brush.unit;
    char place[32];
    ren_list_fill(brush.list, strip, 0.0f, (ren_colour)brush.colours->background << 8 | 0xffu);
    if (brush.witness)
        brush.witness->card(brush.witness->context, strip);
    ren_list_line(brush.list, strip.x, strip.y, strip.x + strip.w, strip.y, fmaxf(1.0f, u),
                  brush.colours->faint);
    snprintf(place, sizeof place, "%d/%d", shown->view->step + 1, shown->talk->step_count);
    const float right = strip.x + strip.w - APP_MARGIN * u;
    app_draw_text(&brush, REN_FACE_SANS, body_size, right, strip.y + strip.h - 0.8f * pad * u,
                  REN_ALIGN_RIGHT, brush.colours->quiet, place);
    lay_out(&brush, shown->step, shown->view->revealed, shown->spheres, strip.y, strip.w, true);
    app_draw_text_in(&brush, REN_FACE_SANS, APP_TYPE_DETAIL, APP_MARGIN * u,
                     strip.y + strip.h - 0.4f * notice_height * u,
                     strip.w - (2.0f * APP_MARGIN + place_width) * u, brush.colours->quiet, notice);
}

/* ---- the page of a question ---- */

/* A question while its page is drawn. */
struct question {
    struct app_brush brush;
    const struct app_talk_shown *shown;
    const struct app_talk_measured *answer; /* NULL: it is not revealed */
    struct ren_rect area;
};

/* Returns the axis of a question about a number: of factors, or of sizes; false: it has none. */
static bool axis_of(const struct question *question, bool *factor)
{
    const struct app_talk_question *of = &question->shown->step->question;
    *factor = strcmp(of->unit, "×") == 0;
    return of->asks == APP_ASKS_NUMBER;
}

/* Returns true when the interval of a ratio contains 1, so that it names no side. */
static bool is_open(const struct app_estimate *ratio)
{
    return ratio->has_interval && ratio->low < 1.0 && ratio->high > 1.0;
}

/* Writes how sure a number is: "1.20 to 1.21×"; of a ratio below 1, of its reciprocal. */
static void write_sure(const struct app_described *said, bool factor, char *text, size_t size)
{
    const struct app_estimate *number = &said->estimate;
    const bool slower = factor && number->value < 1.0;
    text[0] = 0;
    if (!factor && said->interval[0])
        snprintf(text, size, "%s, ", said->interval);
    if (!factor || !number->valid || !number->has_interval || !(number->low > 0.0) ||
        is_open(number)) /* it is the number */
        return;
    const struct app_number low = app_number_plain(slower ? 1.0 / number->high : number->low, ""),
                            high = app_number_plain(slower ? 1.0 / number->low : number->high, "");
    if (strcmp(low.value, high.value) != 0)
        snprintf(text, size, "%s to %s×, ", low.value, high.value);
}

void app_hud_measured(const struct app_described *said, bool factor, char *text, size_t size)
{
    const struct app_estimate *ratio = &said->estimate;
    const double value = ratio->value;
    if (!factor || !ratio->valid || !(value > 0.0))
        snprintf(text, size, "%s", said->text);
    else if (said->verdict == APP_VERDICT_SAME && is_open(ratio))
        app_format(text, size, "within %.1f %%", 100.0 * fmax(ratio->high - 1.0, 1.0 - ratio->low));
    else if (is_open(ratio))
        app_format(text, size, "%s× slower to %s× faster",
                   app_number_plain(1.0 / ratio->low, "").value,
                   app_number_plain(ratio->high, "").value);
    else
        app_format(text, size, "%s× %s", app_number_plain(fmax(value, 1.0 / value), "").value,
                   value < 1.0 ? "slower" : "faster");
}

/* Draws the claim that the question is about, or the modes that it compares; returns the next
 * place. */
static float draw_claim(const struct question *question, float y)
{
    const struct app_brush *brush = &question->brush;
    const struct app_talk_source *source = &question->shown->step->question.source;
    const float u = brush->unit;
    char author[256];
    if (source->kind == APP_SOURCE_CLAIM) {
        const struct app_claim_entry *entry = app_claim_entry_of(source->claim);
        char brief[256], says[256];
        app_hud_author(entry->text, entry->device, true, author, sizeof author);
        app_hud_author(entry->text, entry->device, false, brief, sizeof brief);
        const char *const authors[] = {author, brief, NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, question->area.x, y + 20.0f * u,
                          question->area.w, brush->colours->quiet, authors);
        snprintf(says, sizeof says, "%s: %s", app_text_of(entry->text)->speaker, entry->says);
        const int lines =
            app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, question->area.x,
                           y + 60.0f * u, question->area.w, 3, brush->colours->text, says, true);
        return y + (40.0f + 1.35f * APP_TYPE_LARGE * (float)lines) * u;
    }
    char names[2][64];
    app_hud_name(source->modes[0], source->modes[1], names[0], sizeof names[0]);
    app_hud_name(source->modes[1], source->modes[0], names[1], sizeof names[1]);
    if (source->kind == APP_SOURCE_TIME)
        snprintf(author, sizeof author, "%s", names[0]);
    else
        snprintf(author, sizeof author, "%s against %s, %d spheres", names[0], names[1],
                 question->shown->spheres);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, question->area.x, y + 28.0f * u,
                     question->area.w, brush->colours->text, author);
    return y + 44.0f * u;
}

/* Draws what was measured in the place that the page keeps for it. */
static void draw_answer(const struct question *question, const char *source, float y)
{
    const struct app_brush *brush = &question->brush;
    const struct app_colours *c = brush->colours;
    const struct app_talk_shown *shown = question->shown;
    const struct app_talk_measured *answer = question->answer;
    const float u = brush->unit, x = question->area.x, width = question->area.w;
    bool factor;
    axis_of(question, &factor);
    if (!answer) {
        const char *guess = shown->guess.text;
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, x, y + 44.0f * u, width,
                         guess[0] ? c->text : c->quiet, guess[0] ? guess : "?");
        return;
    }
    if (!answer->valid) {
        app_draw_lines(brush, REN_FACE_SANS, APP_TYPE_BODY, x, y + 30.0f * u, width, 3, c->quiet,
                       answer->why, true);
        return;
    }
    const struct app_verdict_entry *verdict = app_verdict_entry(answer->said.verdict);
    char number[128], text[256], sure[400];
    const bool ratio = shown->step->question.source.kind == APP_SOURCE_RATIO;
    app_hud_measured(&answer->said, factor || ratio, number, sizeof number);
    /* Of a claim about several numbers, all of them. */
    const struct app_claim *claim = shown->claim;
    for (int i = 0; claim && i < claim->part_count; i++) {
        char part[32];
        app_format(part, sizeof part, "%.0f", claim->parts[i].value);
        if (i == 0)
            number[0] = 0;
        app_append(number, sizeof number, ", ", "%s",
                   i + 1 < claim->part_count ? part : claim->parts[i].text);
    }
    const bool speaks = verdict->says[0] && answer->said.verdict != APP_VERDICT_FASTER &&
                        answer->said.verdict != APP_VERDICT_SLOWER;
    snprintf(text, sizeof text, "%s%s%s", number, speaks ? ": " : "", speaks ? verdict->says : "");
    const ren_colour colour = verdict->word[0] ? app_sense_colour(c, verdict->sense) : c->text;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, x, y + 44.0f * u, width, colour,
                     text);
    char within[128];
    write_sure(&answer->said, factor || ratio, within, sizeof within);
    snprintf(sure, sizeof sure, "%s%s%s", within, source,
             shown->guess.outcome == APP_GUESS_RIGHT ? "; your guess was right" : "");
    app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, x, y + 80.0f * u, width, c->text, sure);
}

/* Returns true when an answer is the one that was measured. */
static bool is_right(const struct question *question, const struct app_talk_answer *answer)
{
    const struct app_talk_measured *measured = question->answer;
    if (!measured || !measured->valid)
        return false;
    return answer->bounded ? measured->said.estimate.value >= answer->from &&
                                 measured->said.estimate.value <= answer->to
                           : answer->verdict == measured->said.verdict;
}

/* Draws the answers of a choice in rows, the chosen one and, once it is known, the right one. */
static void draw_choice(const struct question *question, float y)
{
    const struct app_brush *brush = &question->brush;
    const struct app_colours *c = brush->colours;
    const struct app_talk_question *of = &question->shown->step->question;
    const struct app_claim *claim = question->shown->claim;
    const float u = brush->unit, parts = claim ? 80.0f * u : 0.0f,
                row = fminf(52.0f * u, (question->area.y + question->area.h - y - parts) /
                                           (float)of->answer_count);
    for (int i = 0; i < of->answer_count; i++) {
        const bool chosen = question->shown->view->choice == i + 1,
                   right = is_right(question, &of->answers[i]);
        const float top = y + (float)i * row, side = fminf(36.0f * u, 0.9f * row);
        const struct ren_rect chip = {question->area.x, top, side, side};
        char number[16], text[96];
        snprintf(number, sizeof number, "%d", i + 1);
        snprintf(text, sizeof text, "%s%s%s", of->answers[i].text, chosen ? "  (your guess)" : "",
                 right ? "  ✓" : "");
        if (chosen)
            ren_list_fill(brush->list, chip, 6.0f * u, c->text);
        ren_list_outline(brush->list, chip, 6.0f * u, fmaxf(1.0f, 2.0f * u), c->quiet);
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, chip.x + 0.5f * side,
                      top + 0.5f * side + 8.0f * u, REN_ALIGN_CENTRE,
                      chosen ? c->panel | 0xffu : c->text, number);
        app_draw_text_in(brush, chosen || right ? REN_FACE_SANS_BOLD : REN_FACE_SANS, APP_TYPE_BODY,
                         chip.x + side + 16.0f * u, top + 0.5f * side + 8.0f * u,
                         question->area.w - side - 16.0f * u, right ? c->good : c->text, text);
    }
    const float below = y + (float)of->answer_count * row;
    const struct ren_rect rest = {question->area.x, below, question->area.w,
                                  question->area.y + question->area.h - below};
    if (question->answer && question->answer->valid && claim)
        app_hud_claim_parts(brush, rest, claim);
}

/* Draws the axis: the published number, the room's guess, and the measured one. */
static void draw_number(const struct question *question, bool factor, float y)
{
    const struct app_brush *brush = &question->brush;
    const struct app_colours *c = brush->colours;
    const struct app_talk_shown *shown = question->shown;
    const struct app_talk_question *of = &shown->step->question;
    const struct app_talk_measured *answer = question->answer;
    const struct app_claim_entry *entry =
        of->source.kind == APP_SOURCE_CLAIM ? app_claim_entry_of(of->source.claim) : NULL;
    char names[3][256] = {"", "", ""}, number[64] = "", side[32] = "";
    double guess = 0.0;
    (void)app_parse_real(shown->view->typed, &guess);
    if (entry) {
        app_hud_side(entry, side, sizeof side);
        snprintf(names[0], sizeof names[0], "%s, %s", entry->device, entry->then);
    }
    if (shown->view->typed[0])
        snprintf(names[1], sizeof names[1], "your guess, %s%s%s", shown->view->typed,
                 strcmp(of->unit, "×") == 0 ? "" : " ", of->unit);
    const bool known = answer && answer->valid && answer->said.estimate.valid;
    const double unit_ms = of->source.kind == APP_SOURCE_TIME ? app_talk_unit_ms(of->unit) : 1.0;
    if (known) {
        app_hud_measured(&answer->said, factor, number, sizeof number);
        snprintf(names[2], sizeof names[2], "measured, %s", number);
    }
    const ren_colour colour =
        known && app_verdict_word(answer->said.verdict)[0]
            ? app_sense_colour(c, app_verdict_entry(answer->said.verdict)->sense)
            : c->text;
    const struct app_hud_dot dots[] = {
        {entry ? entry->claimed : 0.0, names[0], c->quiet, true},
        {guess, names[1], c->text, true},
        {known ? answer->said.estimate.value / unit_ms : 0.0, names[2], colour, false}};
    const float room = question->area.y + question->area.h - y,
                high = fminf(room, 250.0f * brush->unit);
    const struct ren_rect area = {question->area.x, y + 0.5f * (room - high), question->area.w,
                                  high};
    app_hud_axis(brush, area, factor, entry ? side : "", dots, 3);
    if (!shown->view->typed[0] && !answer) {
        char range[96];
        app_format(range, sizeof range, "type a number from %g to %g %s", of->lowest, of->highest,
                   of->unit);
        app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, question->area.x, y, question->area.w,
                         c->quiet, range);
    }
}

void app_hud_question(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_talk_shown *shown, const char *source)
{
    const float u = brush->unit, margin = APP_MARGIN * u;
    const struct ren_rect screen = layout->screen;
    struct question question = {
        *brush,
        shown,
        shown->view->revealed ? app_talk_answer(shown) : NULL,
        {margin, margin, screen.w - 2.0f * margin, screen.h - 1.6f * margin}};
    ren_list_fill(brush->list, screen, 0.0f, (ren_colour)brush->colours->background << 8 | 0xffu);
    if (brush->witness)
        brush->witness->card(brush->witness->context, screen);
    bool factor;
    float y = draw_claim(&question, question.area.y);
    draw_answer(&question, source, y + 8.0f * u);
    y += 92.0f * u;
    if (axis_of(&question, &factor))
        draw_number(&question, factor, y);
    else
        draw_choice(&question, y + 16.0f * u);
}
