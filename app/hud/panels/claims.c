/* The claims board: each claim with its number then and now, and the verdict as a sign, a word and
 * a colour. */
#include "hud/panels/parts.h"

#include <math.h>
#include <stdio.h>

/* Short headings for the claims, and shorter ones where these do not fit; records have the full
 * sentences. */
static const char *const headings[APP_CLAIM_COUNT][3] = {
    [APP_CLAIM_CONSTANT_KERNEL] = {"Constant memory, the kernel", "Constant memory, kernel"},
    [APP_CLAIM_CONSTANT_WINDOW] = {"Constant memory, whole window", "Constant memory, window"},
    [APP_CLAIM_SAXPY] = {"SAXPY, of theoretical"},
    [APP_CLAIM_ACCESS] = {"Coalesced over chunked"},
    [APP_CLAIM_ILP] = {"ILP needs fewer threads"},
};

static ren_colour verdict_colour(const struct app_brush *brush, enum app_claim_verdict verdict)
{
    const struct app_colours *c = brush->colours;
    switch (verdict) {
    case APP_CLAIM_HOLDS:
        return c->good;
    case APP_CLAIM_INVERTED:
    case APP_CLAIM_FAILS:
        return c->bad;
    case APP_CLAIM_ABOVE:
    case APP_CLAIM_BELOW:
    case APP_CLAIM_CANT_TELL:
        return c->warn;
    default:
        return c->quiet;
    }
}

/* Returns a sign of a distinct shape for each verdict, so that colour is not the only clue. */
static const char *verdict_sign(enum app_claim_verdict verdict)
{
    switch (verdict) {
    case APP_CLAIM_HOLDS:
        return "✓";
    case APP_CLAIM_INVERTED:
        return "↔";
    case APP_CLAIM_FAILS:
        return "✗";
    case APP_CLAIM_ABOVE:
        return "↑";
    case APP_CLAIM_BELOW:
        return "↓";
    case APP_CLAIM_CANT_TELL:
        return "?";
    default:
        return "…";
    }
}

static void draw_verdict(const struct app_brush *brush, float size, float right, float y,
                         enum app_claim_verdict verdict)
{
    char text[48];
    const bool none = verdict == APP_CLAIM_NOT_MEASURED;
    snprintf(text, sizeof text, "%s%s%s", none ? "" : verdict_sign(verdict), none ? "" : " ",
             app_claim_verdict_name(verdict));
    app_draw_text(brush, none ? REN_FACE_SANS : REN_FACE_SANS_BOLD, none ? APP_PANEL_TEXT : size,
                  right, y, REN_ALIGN_RIGHT, verdict_colour(brush, verdict), text);
}

static void draw_title(const struct app_brush *brush, struct ren_rect card, float width,
                       const struct app_panels_view *view)
{
    const float u = brush->unit, x = card.x + APP_PANEL_PAD * u, y = card.y + 22.0f * u;
    const struct app_colours *c = brush->colours;
    char text[256];
    const float title = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, x, y,
                                      REN_ALIGN_LEFT, c->text, "Claims");
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
    }
    app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_TEXT, x + title + 9.0f * u, y,
                     width - title - 9.0f * u, view->again ? c->warn : c->quiet, text);
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
    draw_verdict(brush, 15.0f, right, y, row->verdict);
    const bool measured = row->verdict != APP_CLAIM_NOT_MEASURED;
    /* A remark, or the reason why there is no number. */
    app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y + line, claim, c->quiet,
                     row->note);
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
    const float step = (card.h - 32.0f * u) / APP_CLAIM_COUNT;
    /* Two lines per claim, close enough to read as one. */
    const float line = fminf(0.44f * step, 19.0f * u);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const float top = card.y + 30.0f * u + (float)i * step;
        ren_list_line(brush->list, x, top, x + width, top, fmaxf(1.0f, u), c->edge);
        draw_row(brush, &view->claims[i], headings[i], x, width,
                 top + 0.5f * (step - line) + 4.5f * u, line);
    }
}

/* Draws the interval to the right of a heading if the shortest heading leaves room; returns the
 * width that it occupies. */
static float draw_interval(const struct app_brush *brush, const struct app_claim *row,
                           const char *const *heading, float width, float right, float y)
{
    const float u = brush->unit, gap = 8.0f * u;
    const char *shortest = heading[1] ? heading[1] : heading[0];
    if (row->verdict == APP_CLAIM_NOT_MEASURED || !row->interval[0])
        return 0.0f;
    const float needed =
        gap + ren_text_width(brush->renderer, REN_FACE_MONO, APP_PANEL_SMALL * u, row->interval);
    if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_TEXT * u, shortest) >
        width - needed)
        return 0.0f;
    app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                  brush->colours->quiet, row->interval);
    return needed;
}

/* Draws two lines per claim, one claim under another. narrow: with intervals, and with the reason
 * for a missing number. */
static void draw_lines(const struct app_brush *brush, struct ren_rect card,
                       const struct app_panels_view *view, bool narrow)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    app_draw_panel(brush, card);
    const float x = card.x + APP_PANEL_PAD * u, right = card.x + card.w - APP_PANEL_PAD * u;
    draw_title(brush, card, right - x, view);
    const float verdicts = 94.0f; /* the widest verdict */
    const float step = (card.h - 34.0f * u) / APP_CLAIM_COUNT,
                line = fminf((narrow ? 0.5f : 0.45f) * step, 22.0f * u);
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const struct app_claim *row = &view->claims[i];
        const float top = card.y + 32.0f * u + (float)i * step;
        const float y = top + 0.5f * (step - line) + 4.5f * u;
        ren_list_line(brush->list, x, top, right, top, fmaxf(1.0f, u), c->edge);
        const float interval =
            narrow ? draw_interval(brush, row, headings[i], right - x, right, y) : 0.0f;
        app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_TEXT, x, y, right - x - interval, c->text,
                          headings[i]);
        draw_verdict(brush, APP_PANEL_TEXT, right, y + line, row->verdict);
        float at = x;
        if (row->verdict != APP_CLAIM_NOT_MEASURED)
            at += 10.0f * u + app_draw_text(brush, REN_FACE_MONO_BOLD, APP_PANEL_TITLE, x, y + line,
                                            REN_ALIGN_LEFT, c->text, row->now);
        char then[sizeof row->note];
        snprintf(then, sizeof then, "then %s", row->then);
        if (narrow && row->verdict == APP_CLAIM_NOT_MEASURED && row->note[0])
            snprintf(then, sizeof then, "%s", row->note);
        const float needed =
            ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, then);
        if (at + needed < right - verdicts * u)
            app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, at, y + line, REN_ALIGN_LEFT,
                          c->quiet, then);
    }
}

void app_panel_claims_narrow(const struct app_brush *brush, struct ren_rect card,
                             const struct app_panels_view *view)
{
    draw_lines(brush, card, view, true);
}

void app_panel_claims_compact(const struct app_brush *brush, struct ren_rect card,
                              const struct app_panels_view *view)
{
    draw_lines(brush, card, view, false);
}
