/* The claims board: each claim with its number then and now, and the verdict as a sign, a word and
 * a colour. */
#include "hud/panels/parts.h"

#include "judge/trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Headings of a claim, the longest one first; records have the full sentences. */
enum { HEADINGS = 2 };

struct headings {
    const char *list[HEADINGS + 1];
};

static struct headings headings_of(int claim)
{
    const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)claim);
    return (struct headings){{entry->claim, entry->shorter, NULL}};
}

static ren_colour verdict_colour(const struct app_brush *brush, enum app_claim_verdict verdict)
{
    const struct app_colours *c = brush->colours;
    switch (verdict) {
    case APP_CLAIM_HOLDS:
        return c->good;
    case APP_CLAIM_INVERTED:
    case APP_CLAIM_FAILS:
    case APP_CLAIM_WRONG:
    case APP_CLAIM_DO_NOT_QUOTE:
        return c->bad;
    case APP_CLAIM_SMALLER:
    case APP_CLAIM_LARGER:
    case APP_CLAIM_ABOVE:
    case APP_CLAIM_BELOW:
    case APP_CLAIM_CANT_TELL:
        return c->warn;
    default:
        return c->quiet;
    }
}

/* Returns a sign for each verdict, so that colour is not the only clue. */
static const char *verdict_sign(enum app_claim_verdict verdict)
{
    switch (verdict) {
    case APP_CLAIM_HOLDS:
        return "✓";
    case APP_CLAIM_INVERTED:
        return "↔";
    case APP_CLAIM_FAILS:
    case APP_CLAIM_WRONG:
    case APP_CLAIM_DO_NOT_QUOTE:
        return "✗";
    case APP_CLAIM_LARGER:
    case APP_CLAIM_ABOVE:
        return "↑";
    case APP_CLAIM_SMALLER:
    case APP_CLAIM_BELOW:
        return "↓";
    case APP_CLAIM_CANT_TELL:
        return "?";
    default:
        return "…";
    }
}

/* Draws the verdict, smaller where it would be wider than `room`, and on its left the mark of a row
 * with reasons to doubt it; a verdict that such a reason forbids says so itself. Returns their
 * width in pixels. */
static float draw_verdict(const struct app_brush *brush, float size, float right, float y,
                          float room, const struct app_claim *row)
{
    char text[48];
    const enum app_claim_verdict verdict = row->verdict;
    const bool none = verdict == APP_CLAIM_NOT_MEASURED;
    const enum ren_face face = none ? REN_FACE_SANS : REN_FACE_SANS_BOLD;
    const float gap = 5.0f * brush->unit, wanted = none ? APP_PANEL_TEXT : size;
    snprintf(text, sizeof text, "%s%s%s", none ? "" : verdict_sign(verdict), none ? "" : " ",
             app_claim_verdict_name(verdict));
    const bool marked = !none && row->trust != 0 && !app_trust_no_verdict(row->trust);
    const float mark = marked ? gap + 1.1f * wanted * brush->unit : 0.0f;
    const bool fits =
        ren_text_width(brush->renderer, face, wanted * brush->unit, text) + mark <= room;
    const float width = app_draw_text(brush, face, fits ? wanted : APP_PANEL_SMALL, right, y,
                                      REN_ALIGN_RIGHT, verdict_colour(brush, verdict), text);
    if (!marked)
        return width;
    return width + gap +
           app_draw_mark(brush, APP_PANEL_SMALL, right - width - gap, y, REN_ALIGN_RIGHT,
                         row->trust);
}

/* Remarks of a row in few words, the longest one first. */
struct remarks {
    char texts[4][sizeof((struct app_claim *)0)->note];
    const char *list[5];
};

/* Collects "then 1.5×, here 0.84×, low clock": the published number where `then` is set, the second
 * number, and the first reason to doubt the row; and shorter ones. A row that was not measured says
 * why, or nothing. */
static void collect_remarks(const struct app_claim *row, bool then, struct remarks *remarks)
{
    const char *reason = app_trust_first(row->trust);
    const char *parts[4][3] = {
        {"", row->beside, reason}, {"", "", reason}, {"", row->beside, ""}, {"", "", ""}};
    const bool measured = row->verdict != APP_CLAIM_NOT_MEASURED;
    char published[48];
    int count = 0;
    snprintf(published, sizeof published, "then %s", row->then);
    for (int i = 0; i < 4; i++) {
        char *text = remarks->texts[count];
        parts[i][0] = then ? published : "";
        text[0] = 0;
        for (int part = 0; part < 3; part++) {
            const size_t used = strlen(text);
            if (parts[i][part][0])
                snprintf(text + used, sizeof remarks->texts[0] - used, "%s%s", used > 0 ? ", " : "",
                         parts[i][part]);
        }
        if (!measured) {
            /* The whole note, the second number, or the first part of the note. */
            const int first = (int)strcspn(row->note, ";");
            snprintf(text, sizeof remarks->texts[0], "%.*s", i == 2 ? first : 200,
                     i == 1 ? row->beside : row->note);
        }
        if (text[0])
            remarks->list[count++] = text;
    }
    remarks->list[count] = NULL;
}

/* Draws the first remark that is no wider than `width`; none of them, nothing. */
static void draw_remark(const struct app_brush *brush, const struct remarks *remarks, float x,
                        float y, float width)
{
    for (const char *const *text = remarks->list; *text; text++) {
        const float needed =
            ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * brush->unit, *text);
        if (needed > width)
            continue;
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y, REN_ALIGN_LEFT,
                      brush->colours->quiet, *text);
        return;
    }
}

/* The room for a line about the method below the rows, in units; 0: there is none to draw. */
static float method_height(const struct app_panels_view *view)
{
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        if (view->claims[i].method[0])
            return 14.0f;
    return 0.0f;
}

/* Draws the line about the method at the bottom of the card. */
static void draw_method(const struct app_brush *brush, struct ren_rect card,
                        const struct app_panels_view *view)
{
    const float u = brush->unit, pad = APP_PANEL_PAD * u;
    for (int i = 0; i < APP_CLAIM_COUNT; i++)
        if (view->claims[i].method[0])
            app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, card.x + pad,
                             card.y + card.h - 6.0f * u, card.w - 2.0f * pad, brush->colours->quiet,
                             view->claims[i].method);
}

static void draw_title(const struct app_brush *brush, struct ren_rect card, float width,
                       const struct app_panels_view *view)
{
    const float u = brush->unit, x = card.x + APP_PANEL_PAD * u, y = card.y + 22.0f * u;
    const struct app_colours *c = brush->colours;
    char text[256];
    const float gap = 9.0f * u;
    float left = x + gap +
                 app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, x, y, REN_ALIGN_LEFT,
                               c->text, "Claims");
    if (view->again) {
        /* A thin progress line along the board's top edge, and the progress in words. */
        const double done = fmin(fmax(view->progress, 0.0), 1.0);
        snprintf(text, sizeof text, "measuring again %.0f %%", floor(100.0 * done));
        const float inner = card.w - 2.0f * APP_RADIUS * u;
        struct ren_rect line = {card.x + APP_RADIUS * u, card.y, inner, 3.0f * u};
        ren_list_fill(brush->list, line, 0.0f, c->edge);
        line.w = inner * (float)done;
        ren_list_fill(brush->list, line, 0.0f, c->warn);
    } else {
        snprintf(text, sizeof text, "on %s",
                 view->probes.device ? view->probes.device->name : "this device");
        /* The probes' numbers are of one process: they say nothing about another run. */
        left += gap + app_draw_text(brush, REN_FACE_SANS, APP_PANEL_TEXT, left, y, REN_ALIGN_LEFT,
                                    c->quiet, "this run");
    }
    app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_TEXT, left, y, x + width - left,
                     view->again ? c->warn : c->quiet, text);
}

/* Right ends of the columns, as fractions of the board's inner width. */
static const float claim_end = 0.415f, then_end = 0.575f, now_end = 0.785f;

static void draw_row(const struct app_brush *brush, const struct app_claim *row,
                     const char *const *heading, float x, float width, float y, float line)
{
    const float u = brush->unit, right = x + width, gap = 12.0f * u;
    const struct app_colours *c = brush->colours;
    const float claim = claim_end * width - gap, then = x + claim_end * width,
                now = x + now_end * width, room = (then_end - claim_end) * width;
    app_draw_text_fit(brush, REN_FACE_SANS, 14.0f, x, y, claim, c->text, heading);
    app_draw_text_in(brush, REN_FACE_MONO, APP_PANEL_TEXT, then, y, room, c->quiet, row->then);
    app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, then, y + line, room, c->quiet,
                     row->device);
    draw_verdict(brush, 15.0f, right, y, right - now - gap, row);
    const bool measured = row->verdict != APP_CLAIM_NOT_MEASURED;
    /* A remark, or the reason why there is no number. */
    struct remarks remarks;
    collect_remarks(row, false, &remarks);
    draw_remark(brush, &remarks, x, y + line, claim);
    if (!measured)
        return;
    app_draw_text(brush, REN_FACE_MONO_BOLD, 15.0f, now, y, REN_ALIGN_RIGHT, c->text, row->now);
    app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, now, y + line, REN_ALIGN_RIGHT, c->quiet,
                  row->interval);
}

void app_panel_claims(const struct app_brush *brush, struct ren_rect card,
                      const struct app_panels_view *view)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    app_draw_panel(brush, card);
    const float x = card.x + APP_PANEL_PAD * u, width = card.w - 2.0f * APP_PANEL_PAD * u;
    draw_title(brush, card, claim_end * width - 12.0f * u, view);
    float y = card.y + 22.0f * u;
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x + claim_end * width, y, REN_ALIGN_LEFT,
                  c->quiet, "then");
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x + now_end * width, y, REN_ALIGN_RIGHT,
                  c->quiet, "now");
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x + width, y, REN_ALIGN_RIGHT, c->quiet,
                  "verdict");
    const float step = (card.h - (32.0f + method_height(view)) * u) / APP_CLAIM_COUNT;
    draw_method(brush, card, view);
    /* Two lines per claim, close enough to read as one. */
    const float line = fminf(0.44f * step, 19.0f * u);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const float top = card.y + 30.0f * u + (float)i * step;
        ren_list_line(brush->list, x, top, x + width, top, fmaxf(1.0f, u), c->edge);
        draw_row(brush, &view->claims[i], headings_of(i).list, x, width,
                 top + 0.5f * (step - line) + 4.5f * u, line);
    }
}

/* Draws the interval, or else the second number, to the right of a heading if the shortest heading
 * leaves room; returns the width that it occupies. */
static float draw_interval(const struct app_brush *brush, const struct app_claim *row,
                           const char *const *heading, float width, float right, float y)
{
    const float u = brush->unit, gap = 8.0f * u;
    const char *shortest = heading[0];
    for (int i = 0; i < HEADINGS; i++)
        shortest = heading[i] ? heading[i] : shortest;
    const char *text = row->interval[0] ? row->interval : row->beside;
    const enum ren_face face = row->interval[0] ? REN_FACE_MONO : REN_FACE_SANS;
    if (row->verdict == APP_CLAIM_NOT_MEASURED || !text[0])
        return 0.0f;
    const float needed = gap + ren_text_width(brush->renderer, face, APP_PANEL_SMALL * u, text);
    if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_TEXT * u, shortest) >
        width - needed)
        return 0.0f;
    app_draw_text(brush, face, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT, brush->colours->quiet,
                  text);
    return needed;
}

/* Draws a row's heading with its interval on the right, and below them its number, remarks and
 * verdict. lines: 2, or 3 with the interval and the second number in a line of their own. */
static void draw_line(const struct app_brush *brush, const struct app_claim *row,
                      const char *const *heading, float x, float right, float y, float line,
                      int lines)
{
    const float u = brush->unit, gap = 7.0f * u;
    const struct app_colours *c = brush->colours;
    const bool measured = row->verdict != APP_CLAIM_NOT_MEASURED;
    struct app_claim shown = *row;
    struct remarks remarks;
    const float interval =
        lines == 2 ? draw_interval(brush, row, heading, right - x, right, y) : 0.0f;
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_TEXT, x, y, right - x - interval, c->text,
                      heading);
    const float verdict =
        draw_verdict(brush, lines > 2 ? 13.0f : 12.5f, right, y + line, right - x, row);
    float at = x;
    if (measured)
        at += gap + app_draw_text(brush, REN_FACE_MONO_BOLD, lines > 2 ? 15.0f : 14.0f, x, y + line,
                                  REN_ALIGN_LEFT, c->text, row->now);
    /* What stands in another line is not said twice. */
    if (measured && (lines > 2 || (interval > 0.0f && !row->interval[0])))
        shown.beside[0] = 0;
    shown.trust = lines > 2 ? 0 : row->trust;
    collect_remarks(&shown, true, &remarks);
    if (measured || lines == 2)
        draw_remark(brush, &remarks, at, y + line, right - verdict - 4.0f * u - at);
    if (lines == 2)
        return;
    collect_remarks(row, false, &remarks);
    at = x;
    if (measured && row->interval[0])
        at += gap + app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, x, y + 2.0f * line,
                                  REN_ALIGN_LEFT, c->quiet, row->interval);
    draw_remark(brush, &remarks, at, y + 2.0f * line, right - at);
}

/* Draws the claims one under another, in two or three lines each. */
static void draw_lines(const struct app_brush *brush, struct ren_rect card,
                       const struct app_panels_view *view, int lines)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    app_draw_panel(brush, card);
    const float x = card.x + APP_PANEL_PAD * u, right = card.x + card.w - APP_PANEL_PAD * u;
    draw_title(brush, card, right - x, view);
    draw_method(brush, card, view);
    const float step = (card.h - (34.0f + method_height(view)) * u) / APP_CLAIM_COUNT,
                line = fminf(step / (float)lines, 22.0f * u);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const float top = card.y + 32.0f * u + (float)i * step;
        const float y = top + 0.5f * (step - (float)(lines - 1) * line) + 4.5f * u;
        ren_list_line(brush->list, x, top, right, top, fmaxf(1.0f, u), c->edge);
        draw_line(brush, &view->claims[i], headings_of(i).list, x, right, y, line, lines);
    }
}

void app_panel_claims_narrow(const struct app_brush *brush, struct ren_rect card,
                             const struct app_panels_view *view)
{
    draw_lines(brush, card, view, 2);
}

void app_panel_claims_compact(const struct app_brush *brush, struct ren_rect card,
                              const struct app_panels_view *view)
{
    draw_lines(brush, card, view, 3);
}
