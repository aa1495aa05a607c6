#include "hud/talk.h"

#include "base/value.h"
#include "hud/draw.h"
#include "judge/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sizes in units of 1/720 of the frame's height. */
static const float caption_size = 33.0f, body_size = 22.0f, headline_size = 58.0f,
                   lines_size = 26.0f, small_size = 22.0f;
static const float pad_x = 34.0f, pad_top = 12.0f, pad_bottom = 14.0f, gap = 8.0f;
static const float row_height = 40.0f, box_height = 50.0f, reveal_height = 122.0f;
/* Narrower frames have one column of answers, and the step's number in a line of its own. */
static const float wide = 800.0f, number_width = 204.0f, number_height = 22.0f;
/* The largest part of the frame's height that a strip may take, of a wide and of a high frame; type
 * shrinks beyond it. */
static const float most_wide = 0.5f, most_high = 0.65f;
enum { WRAPPED_MAX = 8 };

/* The strip while it is laid out, from its top downwards. */
struct flow {
    const struct app_brush *brush;
    const struct app_talk_shown *shown;
    float x, y, width; /* pixels, of the text */
    bool draw;
};

static void write_text(struct flow *flow, enum ren_face face, float size, ren_colour colour,
                       const char *text)
{
    const float u = flow->brush->unit;
    const int lines = app_draw_lines(flow->brush, face, size, flow->x, flow->y + size * u,
                                     flow->width, WRAPPED_MAX, colour, text, flow->draw);
    flow->y += (float)lines * 1.35f * size * u;
}

static void write_caption(struct flow *flow, const char *text)
{
    if (text[0] != 0)
        write_text(flow, REN_FACE_SANS_BOLD, caption_size, flow->brush->colours->text, text);
}

static void write_body(struct flow *flow)
{
    const struct app_talk_step *step = flow->shown->step;
    for (int i = 0; i < step->body_count; i++)
        write_text(flow, REN_FACE_SANS, body_size, flow->brush->colours->quiet, step->body[i]);
}

/* ---- an open question ---- */

static void draw_answer(const struct flow *flow, int i, float x, float y, float width)
{
    const struct app_brush *brush = flow->brush;
    const struct app_colours *c = brush->colours;
    const float u = brush->unit, side = 30.0f * u;
    const bool chosen = flow->shown->view->choice == i + 1;
    const struct ren_rect chip = {x, y, side, side};
    char number[16];
    snprintf(number, sizeof number, "%d", i + 1);
    if (chosen)
        ren_list_fill(brush->list, chip, 5.0f * u, c->text);
    ren_list_outline(brush->list, chip, 5.0f * u, fmaxf(1.0f, 1.5f * u), c->quiet);
    app_draw_text(brush, REN_FACE_SANS_BOLD, body_size, x + 0.5f * side, y + 23.0f * u,
                  REN_ALIGN_CENTRE, chosen ? c->panel | 0xffu : c->text, number);
    app_draw_text_in(brush, chosen ? REN_FACE_SANS_BOLD : REN_FACE_SANS, body_size,
                     x + side + 12.0f * u, y + 23.0f * u, width - side - 24.0f * u, c->text,
                     flow->shown->step->question.answers[i].text);
}

/* Returns the number of columns in which no answer is cut, at most three. */
static int columns_of(const struct flow *flow)
{
    const struct app_talk_question *question = &flow->shown->step->question;
    const float u = flow->brush->unit;
    float widest = 0.0f;
    for (int i = 0; i < question->answer_count; i++)
        widest = fmaxf(widest, ren_text_width(flow->brush->renderer, REN_FACE_SANS_BOLD,
                                              body_size * u, question->answers[i].text));
    int columns = 3;
    while (columns > 1 && flow->width / (float)columns < widest + 58.0f * u)
        columns--;
    return columns;
}

static void write_answers(struct flow *flow)
{
    const int count = flow->shown->step->question.answer_count, columns = columns_of(flow);
    const int rows = (count + columns - 1) / columns;
    const float u = flow->brush->unit, width = flow->width / (float)columns;
    flow->y += gap * u;
    for (int i = 0; flow->draw && i < count; i++)
        draw_answer(flow, i, flow->x + (float)(i / rows) * width,
                    flow->y + (float)(i % rows) * row_height * u, width);
    flow->y += (float)rows * row_height * u;
}

/* Draws the number that is being typed, its unit and its range. */
static void draw_input(const struct flow *flow)
{
    const struct app_brush *brush = flow->brush;
    const struct app_colours *c = brush->colours;
    const struct app_talk_question *question = &flow->shown->step->question;
    const struct app_talk_view *view = flow->shown->view;
    const float u = brush->unit, baseline = flow->y + 37.0f * u;
    const struct ren_rect box = {flow->x, flow->y, 190.0f * u, 46.0f * u};
    char range[96];
    ren_list_outline(brush->list, box, 6.0f * u, fmaxf(1.0f, 1.5f * u),
                     view->committed ? c->text : c->quiet);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, caption_size, box.x + 12.0f * u, baseline,
                     box.w - 20.0f * u, c->text, view->typed);
    const float unit =
        app_draw_text(brush, REN_FACE_SANS_BOLD, caption_size, box.x + box.w + 12.0f * u, baseline,
                      REN_ALIGN_LEFT, c->text, question->unit);
    app_format(range, sizeof range, "%g to %g", question->lowest, question->highest);
    const bool beside = flow->width >= (wide - number_width) * u;
    const float left = beside ? box.x + box.w + unit + 36.0f * u : flow->x;
    app_draw_text_in(brush, REN_FACE_SANS, body_size, left, baseline + (beside ? -3.0f : 38.0f) * u,
                     flow->x + flow->width - left,
                     flow->shown->guess.out_of_range ? c->warn : c->quiet, range);
}

static void write_question(struct flow *flow)
{
    const struct app_talk_question *question = &flow->shown->step->question;
    write_caption(flow, question->text);
    if (question->asks == APP_ASKS_CHOICE) {
        write_answers(flow);
        return;
    }
    flow->y += gap * flow->brush->unit;
    if (flow->draw)
        draw_input(flow);
    flow->y += box_height * flow->brush->unit;
    if (flow->width < (wide - number_width) * flow->brush->unit)
        flow->y += 1.35f * body_size * flow->brush->unit;
}

/* ---- a question that is answered ---- */

/* Draws a text as large as `width` pixels allow, at most as the headline; one that does not even
 * fit as a caption, in two smaller lines. */
static void draw_headline(const struct app_brush *brush, float x, float y, float width,
                          ren_colour colour, const char *text)
{
    const float needed =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, headline_size * brush->unit, text);
    const float size = needed > width ? headline_size * width / needed : headline_size;
    if (size >= caption_size)
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, x, y, REN_ALIGN_LEFT, colour, text);
    else
        app_draw_lines(brush, REN_FACE_SANS_BOLD, lines_size, x, y - 27.0f * brush->unit, width, 2,
                       colour, text, true);
}

static ren_colour outcome_colour(const struct app_colours *c, enum app_talk_outcome outcome)
{
    return outcome == APP_GUESS_RIGHT ? c->good : outcome == APP_GUESS_WRONG ? c->warn : c->quiet;
}

static void draw_guess(const struct flow *flow, float x, float width)
{
    const struct app_brush *brush = flow->brush;
    const struct app_colours *c = brush->colours;
    const struct app_talk_guess *guess = &flow->shown->guess;
    const float u = brush->unit, y = flow->y;
    app_draw_text_in(brush, REN_FACE_SANS, body_size, x, y + 20.0f * u, width, c->quiet,
                     "Your guess");
    if (guess->text[0] == 0)
        app_draw_text_in(brush, REN_FACE_SANS, caption_size, x, y + 70.0f * u, width, c->quiet,
                         "none");
    else
        draw_headline(brush, x, y + 78.0f * u, width, c->text, guess->text);
    /* Where "measured: Slower" has no room, "Slower" has. */
    const char *colon = strstr(guess->comment, ": ");
    const char *const comments[] = {guess->comment, colon ? colon + 2 : guess->comment, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, body_size, x, y + 110.0f * u, width,
                      outcome_colour(c, guess->outcome), comments);
}

/* Draws who measured it. */
static void draw_device(const struct flow *flow, float x, float y, float width, const char *device,
                        bool recorded)
{
    char label[160];
    snprintf(label, sizeof label, recorded ? "%s, recorded" : "Measured on %s", device);
    const char *const labels[] = {label, device, NULL};
    app_draw_text_fit(flow->brush, REN_FACE_SANS, body_size, x, y, width,
                      flow->brush->colours->quiet, labels);
}

static void draw_measured(const struct flow *flow, float x, float width,
                          const struct app_talk_measured *measured, const char *device)
{
    const struct app_brush *brush = flow->brush;
    const struct app_described *said = &measured->said;
    const struct app_colours *c = brush->colours;
    const float u = brush->unit, y = flow->y, below = y + 110.0f * u;
    const unsigned recorded = APP_TRUST_BIT(APP_TRUST_RECORDED);
    draw_device(flow, x, y + 20.0f * u, width, device, said->estimate.trust & recorded);
    if (!measured->valid) {
        app_draw_lines(brush, REN_FACE_SANS, body_size, x, y + 62.0f * u, width, 2, c->quiet,
                       measured->why, true);
        return;
    }
    draw_headline(brush, x, y + 78.0f * u, width, c->text, said->text);
    float at = x;
    const float verdict =
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, body_size, at, below, x + width - at, c->text,
                         app_verdict_entry(said->verdict)->says);
    at += verdict + (verdict > 0.0f ? 12.0f * u : 0.0f);
    /* The interval is shown whole or not at all. */
    const float needed =
        ren_text_width(brush->renderer, REN_FACE_SANS, body_size * u, said->interval);
    if (at + needed <= x + width)
        app_draw_text(brush, REN_FACE_SANS, body_size, at, below, REN_ALIGN_LEFT, c->quiet,
                      said->interval);
}

/* Draws the machine's measurement and, where there is one, the recorded one, side by side. */
static void draw_answers(const struct flow *flow, float x, float width)
{
    const struct app_talk_shown *shown = flow->shown;
    const float space = 24.0f * flow->brush->unit, half = 0.5f * (width + space);
    if (!shown->recorded_device) {
        draw_measured(flow, x, width, &shown->measured, shown->device);
        return;
    }
    draw_measured(flow, x, half - space, &shown->measured, shown->device);
    draw_measured(flow, x + half, half - space, &shown->recorded, shown->recorded_device);
}

/* Draws guess and measurements side by side, or one above the other where there is no room. */
static void write_reveal(struct flow *flow)
{
    const struct app_talk_step *step = flow->shown->step;
    const float u = flow->brush->unit, height = reveal_height * u;
    const bool beside = flow->width >= (wide - number_width) * u;
    const float part = !beside                        ? 0.0f
                       : flow->shown->recorded_device ? 0.3f * flow->width
                                                      : 0.5f * flow->width;
    if (beside) /* a narrow frame lacks the room: the question has been read by now */
        write_text(flow, REN_FACE_SANS_BOLD, body_size, flow->brush->colours->quiet,
                   step->question.text);
    flow->y += beside ? gap * u : 0.0f;
    if (flow->draw)
        draw_guess(flow, flow->x, beside ? part - 28.0f * u : flow->width);
    flow->y += beside ? 0.0f : height;
    if (flow->draw)
        draw_answers(flow, flow->x + part, flow->width - part);
    flow->y += height;
    write_caption(flow, step->reveal);
}

/* ---- the strip ---- */

/* Writes "3/12" and "minute 4 of 15". */
static void describe_place(const struct app_talk_shown *shown, char place[32], char time[48])
{
    const double before = app_talk_minutes_before(shown->talk, shown->view->step);
    snprintf(place, 32, "%d/%d", shown->view->step + 1, shown->talk->step_count);
    app_format(time, 48, "minute %.0f of %.0f", floor(before) + 1.0, ceil(shown->talk->minutes));
}

static void write_place(struct flow *flow, float right, float top)
{
    const struct app_brush *brush = flow->brush;
    const float u = brush->unit;
    char place[32], time[48], both[96];
    describe_place(flow->shown, place, time);
    if (right > 0.0f) {
        if (!flow->draw)
            return;
        app_draw_text(brush, REN_FACE_SANS_BOLD, small_size, right, top + 19.0f * u,
                      REN_ALIGN_RIGHT, brush->colours->quiet, place);
        app_draw_text(brush, REN_FACE_SANS, small_size, right, top + 39.0f * u, REN_ALIGN_RIGHT,
                      brush->colours->quiet, time);
        return;
    }
    snprintf(both, sizeof both, "%s · %s", place, time);
    if (flow->draw)
        app_draw_text_in(brush, REN_FACE_SANS, small_size, flow->x, flow->y + 17.0f * u,
                         flow->width, brush->colours->quiet, both);
    flow->y += number_height * u;
}

/* Lays out the strip from its top, draws it if asked, and returns its height. */
static float lay_out(const struct app_brush *brush, const struct app_talk_shown *shown, float top,
                     float width, bool draw)
{
    const struct app_talk_step *step = shown->step;
    const float u = brush->unit;
    const bool beside = width >= wide * u;
    const float inner = width - 2.0f * pad_x * u;
    struct flow flow = {.brush = brush,
                        .shown = shown,
                        .x = pad_x * u,
                        .y = top + pad_top * u,
                        .width = beside ? inner - number_width * u : inner,
                        .draw = draw};
    if (step->question.asks != APP_ASKS_NOTHING && shown->view->revealed) {
        write_reveal(&flow);
    } else {
        write_caption(&flow, step->caption);
        write_body(&flow);
        if (step->question.asks != APP_ASKS_NOTHING)
            write_question(&flow);
    }
    write_place(&flow, beside ? width - pad_x * u : 0.0f, top + pad_top * u);
    const float least = (pad_top + 48.0f) * u;
    return ceilf(fmaxf(flow.y, top + least) + pad_bottom * u - top);
}

static bool says_nothing(const struct app_talk_step *step)
{
    return step->caption[0] == 0 && step->body_count == 0 &&
           step->question.asks == APP_ASKS_NOTHING;
}

/* Sets the unit with which the strip takes no more than its part of the frame; returns its height.
 */
static float fit(struct app_brush *brush, const struct app_talk_shown *shown, float width,
                 float height)
{
    brush->unit = height / 720.0f;
    const float most = width < height ? most_high : most_wide;
    float taken = lay_out(brush, shown, 0.0f, width, false);
    for (int i = 0; i < 40 && taken > most * height; i++) {
        brush->unit *= 0.96f;
        taken = lay_out(brush, shown, 0.0f, width, false);
    }
    return taken;
}

float app_hud_talk_height(const struct ren_renderer *renderer, const struct app_talk *talk,
                          const struct app_talk_view *view, float width, float height)
{
    struct app_brush brush = {.renderer = renderer};
    const struct app_talk_shown shown = {
        .talk = talk, .step = &talk->steps[view->step], .view = view, .device = ""};
    static const struct app_colours none;
    brush.colours = &none;
    return says_nothing(shown.step) ? 0.0f : fit(&brush, &shown, width, height);
}

void app_hud_talk(const struct app_brush *given, struct ren_rect strip, float height,
                  const struct app_talk_shown *shown)
{
    struct app_brush brush = *given;
    if (says_nothing(shown->step))
        return;
    fit(&brush, shown, strip.w, height);
    const float u = brush.unit, inset = 6.0f * u;
    const struct ren_rect card = {inset, strip.y, strip.w - 2.0f * inset, strip.h - inset};
    app_draw_panel(&brush, card);
    ren_list_fill(
        brush.list,
        (struct ren_rect){card.x + 10.0f * u, card.y + 12.0f * u, 5.0f * u, card.h - 24.0f * u},
        2.0f * u, brush.colours->curves[0]);
    lay_out(&brush, shown, strip.y, strip.w, true);
}
