/* The presenter's window: time against the plan, what comes next, notes and slide. */
#include "hud/parts.h"

#include <math.h>
#include <string.h>

/* Sizes in units of 1/540 of the view's height, or less where it is narrow. */
static const float margin = 24.0f, large = 30.0f, medium = 22.0f, small = 17.0f;
static const float next_height = 118.0f;

/* Writes "4:05". */
static void write_minutes(double seconds, char text[16])
{
    const long whole = lround(fmax(seconds, 0.0));
    snprintf(text, 16, "%ld:%02ld", whole / 60 % 10000, whole % 60);
}

/* Returns what a step is about: its caption, its question or its name. */
static const char *headline_of(const struct app_talk_step *step)
{
    return step->caption[0] != 0                     ? step->caption
           : step->question.asks != APP_ASKS_NOTHING ? step->question.text
                                                     : step->id;
}

/* Draws the step's number, the time of day, and the time so far against the plan. */
static void draw_top(const struct app_brush *brush, float width,
                     const struct app_presenter_shown *shown)
{
    const struct app_colours *c = brush->colours;
    const struct app_talk *talk = shown->talk;
    const int step = shown->view->step;
    const float u = brush->unit, y = (margin + 26.0f) * u, right = width - margin * u;
    const double due_s = 60.0 * app_talk_minutes_before(talk, step + 1);
    char place[48], elapsed[16], due[16], time[64];
    snprintf(place, sizeof place, "Step %d of %d%s", step + 1, talk->step_count,
             !shown->view->on     ? " (left)"
             : shown->view->blank ? " (black)"
                                  : "");
    write_minutes(shown->elapsed_s, elapsed);
    write_minutes(due_s, due);
    snprintf(time, sizeof time, "%s, step ends at %s", elapsed, due);
    app_draw_text(brush, REN_FACE_SANS_BOLD, large, margin * u, y, REN_ALIGN_LEFT, c->text, place);
    app_draw_text(brush, REN_FACE_SANS_BOLD, large, right, y, REN_ALIGN_RIGHT, c->text,
                  shown->clock);
    app_draw_text(brush, REN_FACE_SANS, medium, margin * u, y + 34.0f * u, REN_ALIGN_LEFT,
                  shown->elapsed_s > due_s ? c->warn : c->quiet, time);
    /* Spent as a bar, planned up to the end of this step as a mark on it. */
    const struct ren_rect all = {margin * u, y + 46.0f * u, right - margin * u, 8.0f * u};
    const double plan_s = fmax(60.0 * talk->minutes, 1.0);
    struct ren_rect spent = all;
    spent.w *= (float)fmin(shown->elapsed_s / plan_s, 1.0);
    ren_list_fill(brush->list, all, 0.0f, c->faint);
    ren_list_fill(brush->list, spent, 0.0f, shown->elapsed_s > due_s ? c->warn : c->text);
    ren_list_fill(brush->list,
                  (struct ren_rect){all.x + all.w * (float)fmin(due_s / plan_s, 1.0) - u,
                                    all.y - 4.0f * u, 3.0f * u, all.h + 8.0f * u},
                  0.0f, c->text);
}

/* Writes what the next press does: it shows the answer, with the room's guess, or goes on. */
static void write_next(const struct app_presenter_shown *shown, char *title, char *text,
                       size_t size)
{
    const struct app_talk *talk = shown->talk;
    const struct app_talk_view *view = shown->view;
    const struct app_talk_step *step = &talk->steps[view->step];
    text[0] = 0;
    if (step->question.asks != APP_ASKS_NOTHING && !view->revealed) {
        const struct app_talk_measured *answer =
            shown->shown ? app_talk_answer(shown->shown) : NULL;
        const char *guess = shown->shown ? shown->shown->guess.text : "";
        snprintf(title, size, "The next press shows the answer%s%s",
                 guess[0] ? "; the guess is " : "", guess);
        const bool claim = step->question.source.kind == APP_SOURCE_CLAIM,
                   ratio = step->question.source.kind == APP_SOURCE_RATIO ||
                           strcmp(step->question.unit, "×") == 0;
        if (answer && answer->valid) {
            const char *says = app_verdict_entry(answer->said.verdict)->says;
            app_hud_measured(&answer->said, ratio, text, size);
            if (claim && says[0])
                app_append(text, size, ": ", "%s", says);
            return;
        }
        snprintf(text, size, "%s", answer && answer->why[0] ? answer->why : "not measured yet");
        return;
    }
    const bool last = view->step + 1 >= talk->step_count;
    snprintf(title, size, "%s", last ? "The last step" : "The next press");
    if (!last)
        app_talk_fill_in(headline_of(&talk->steps[view->step + 1]), shown->spheres[1], text, size);
}

enum { NOTE_LINES = 60 };

/* Returns the size of type in which the notes fit into the area, at most the normal one. */
static float notes_size(const struct app_brush *brush, struct ren_rect area, const char *notes)
{
    float size = medium;
    for (; size > 9.0f; size -= 1.0f) {
        const int lines =
            app_draw_lines(brush, REN_FACE_SANS, size, 0, 0, area.w, NOTE_LINES, 0, notes, false);
        if ((float)lines * 1.35f * size * brush->unit <= area.h)
            break;
    }
    return size;
}

/* Places the slide at the left of the area or, where it is larger there, on top of it, and leaves
 * *area to the notes. It is smaller, or there is none, where they would not be readable. */
static struct ren_rect place_slide(const struct app_brush *brush, struct ren_rect *area,
                                   float aspect, const char *notes)
{
    const float u = brush->unit, gap = margin * u, readable = fmaxf(14.0f, 12.0f / u);
    for (float part = 0.45f; part > 0.22f && aspect > 0.0f; part -= 0.05f) {
        const float beside = fminf(part * area->w, area->h * aspect),
                    above = fminf(part * area->h * aspect, area->w);
        struct ren_rect slide = {area->x, area->y, roundf(fmaxf(beside, above)), 0.0f};
        struct ren_rect rest = *area;
        slide.h = roundf(slide.w / aspect);
        if (beside >= above) {
            rest.x += slide.w + gap;
            rest.w -= slide.w + gap;
        } else {
            rest.y += slide.h + gap;
            rest.h -= slide.h + gap;
        }
        if (notes_size(brush, rest, notes) >= readable) {
            *area = rest;
            return slide;
        }
    }
    return (struct ren_rect){0.0f, 0.0f, 0.0f, 0.0f};
}

struct ren_rect app_hud_presenter(const struct app_brush *given, float width, float height,
                                  const struct app_presenter_shown *shown)
{
    struct app_brush own = *given, *const brush = &own;
    own.unit = fminf(height / 540.0f, width / 600.0f);
    const struct app_colours *c = brush->colours;
    const struct app_talk *talk = shown->talk;
    const struct app_talk_step *step = &talk->steps[shown->view->step];
    const float u = own.unit, x = margin * u, inner = width - 2.0f * x;
    app_draw_panel(brush, (struct ren_rect){0.0f, 0.0f, width, height});
    draw_top(brush, width, shown);
    float y = (margin + 116.0f) * u;
    char headline[256];
    app_talk_fill_in(headline_of(step), shown->spheres[0], headline, sizeof headline);
    const int lines =
        app_draw_lines(brush, REN_FACE_SANS_BOLD, medium, x, y, inner, 2, c->quiet, headline, true);
    y += ((float)lines * 1.35f * medium - 6.0f) * u;
    const float below = height - next_height * u;
    const float warning = shown->warning[0] != 0 ? 1.35f * small * u : 0.0f;
    app_draw_text_in(brush, REN_FACE_SANS, small, x, below - 12.0f * u, inner, c->warn,
                     shown->warning);
    struct ren_rect notes = {roundf(x), roundf(y), inner, below - y - 12.0f * u - warning};
    const struct ren_rect slide = place_slide(brush, &notes, shown->slide_aspect, step->notes);
    if (slide.w > 0.0f) {
        const float edge = fmaxf(1.0f, roundf(u));
        app_draw_shape(brush,
                       (struct ren_rect){slide.x - edge, slide.y - edge, slide.w + 2.0f * edge,
                                         slide.h + 2.0f * edge},
                       0.0f, c->faint);
    }
    const float size = notes_size(brush, notes, step->notes);
    app_draw_lines(brush, REN_FACE_SANS, size, notes.x, notes.y + size * u, notes.w, NOTE_LINES,
                   c->text, step->notes, true);
    ren_list_fill(brush->list, (struct ren_rect){x, below, inner, fmaxf(1.0f, u)}, 0.0f, c->faint);
    char title[256], next[256];
    write_next(shown, title, next, sizeof next);
    app_draw_text_in(brush, REN_FACE_SANS, small, x, below + 30.0f * u, inner, c->quiet, title);
    app_draw_lines(brush, REN_FACE_SANS_BOLD, medium, x, below + 62.0f * u, inner, 2, c->text, next,
                   true);
    return slide;
}
