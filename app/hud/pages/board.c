#include "hud/pages/pages.h"

#include "base/value.h"
#include "hud/draw.h"
#include "judge/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Headings of a claim, the longest one first. */
struct headings {
    const char *list[3];
};

static struct headings headings_of(int claim)
{
    const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)claim);
    return (struct headings){{entry->claim, entry->shorter, NULL}};
}

/* A row on screen: of this device, or of a recorded run with this device's row beside it. */
struct shown {
    const struct app_claim *row;
    const struct app_claim *own; /* NULL: nothing stands beside the row */
    const char *noun;            /* of this device: "CPU" */
    bool stamped;                /* the row is recorded */
};

static struct shown shown_of(const struct app_panels_view *view, int claim)
{
    const struct app_claim *own = &view->claims[claim];
    if (!view->recorded)
        return (struct shown){own, NULL, "", false};
    const struct app_claim *row = &view->recorded->panels.claims[claim];
    /* That row is about recorded runs anyway. */
    const bool both = claim != APP_CLAIM_CONSTANT_OTHERS;
    if (row->now.verdict == APP_VERDICT_NOT_MEASURED &&
        own->now.verdict != APP_VERDICT_NOT_MEASURED)
        return (struct shown){own, NULL, "", false};
    return (struct shown){row, both ? own : NULL,
                          view->probes.device ? view->probes.device->can.noun : "device", true};
}

/* Draws the small stamp before a recorded number; returns its width with the gap behind it. */
static float draw_stamp(const struct app_brush *brush, const struct shown *shown, float x, float y)
{
    if (!shown->stamped || shown->row->now.verdict == APP_VERDICT_NOT_MEASURED)
        return 0.0f;
    return app_stamp_small(brush, x, y, REN_ALIGN_LEFT) + 5.0f * brush->unit;
}

static ren_colour number_colour(const struct app_brush *brush, const struct shown *shown)
{
    return shown->stamped ? brush->colours->stamp : brush->colours->text;
}

/* Draws the verdict, smaller where it would be wider than `room`, and on its left the mark of a row
 * with reasons to doubt it; a verdict that such a reason forbids says so itself. Returns their
 * width in pixels. */
static float draw_verdict(const struct app_brush *brush, float size, float right, float y,
                          float room, const struct shown *shown)
{
    const struct app_claim *row = shown->row;
    char text[48];
    const struct app_verdict_entry *verdict = app_verdict_entry(row->now.verdict);
    const unsigned trust = row->now.estimate.trust;
    const bool none = row->now.verdict == APP_VERDICT_NOT_MEASURED;
    const enum ren_face face = none ? REN_FACE_SANS : REN_FACE_SANS_BOLD;
    const float gap = 5.0f * brush->unit, wanted = none ? APP_PANEL_TEXT : size;
    snprintf(text, sizeof text, "%s%s%s", none ? "" : verdict->sign, none ? "" : " ",
             verdict->word);
    /* The row's stamp says that it is recorded. */
    const unsigned doubts = shown->stamped ? trust & ~APP_TRUST_BIT(APP_TRUST_RECORDED) : trust;
    const bool marked = !none && doubts != 0 && !app_trust_no_verdict(trust);
    const float mark = marked ? gap + 1.1f * wanted * brush->unit : 0.0f;
    const bool fits =
        ren_text_width(brush->renderer, face, wanted * brush->unit, text) + mark <= room;
    const float width =
        app_draw_text(brush, face, fits ? wanted : APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                      app_sense_colour(brush->colours, verdict->sense), text);
    if (!marked)
        return width;
    return width + gap +
           app_draw_mark(brush, APP_PANEL_SMALL, right - width - gap, y, REN_ALIGN_RIGHT, doubts);
}

/* Collects "then 1.5×, here 0.84×, low clock": the published number where `then` is set, the second
 * number, and the first reason to doubt the row; and shorter ones. A row that was not measured says
 * why, or nothing. */
static void collect_remarks(const struct app_claim *row, bool then, struct app_wordings *remarks)
{
    const unsigned trust = row->now.estimate.trust;
    const bool recorded = trust & APP_TRUST_BIT(APP_TRUST_RECORDED);
    const char *reason = recorded && !app_trust_no_verdict(trust)
                             ? "recorded" /* matters more than what was amiss there */
                             : app_trust_first(trust);
    const char *parts[4][3] = {
        {"", row->beside, reason}, {"", "", reason}, {"", row->beside, ""}, {"", "", ""}};
    const bool measured = row->now.verdict != APP_VERDICT_NOT_MEASURED;
    char published[48] = "";
    int count = 0;
    /* Some texts claim without a number. */
    if (strcmp(row->of->then, "–") != 0)
        snprintf(published, sizeof published, "then %s", row->of->then);
    for (int i = 0; i < 4; i++) {
        char *text = remarks->texts[count];
        parts[i][0] = then ? published : "";
        text[0] = 0;
        for (int part = 0; part < 3; part++)
            if (parts[i][part][0])
                app_append(text, sizeof remarks->texts[0], ", ", "%s", parts[i][part]);
        if (!measured) {
            /* The whole note, the second number, or the first part of the note. */
            const int first = (int)strcspn(row->note, ";");
            snprintf(text, sizeof remarks->texts[0], "%.*s", i == 2 ? first : 200,
                     i == 1 ? row->beside : row->note);
        }
        if (!measured && i == 3 && count == 0)
            snprintf(text, sizeof remarks->texts[0], "no sample yet");
        if (text[0])
            remarks->list[count++] = text;
    }
    remarks->list[count] = NULL;
}

/* Collects what this device measured itself, "this CPU 0.99× CAN'T TELL", or why it did not. */
static void collect_own(const struct shown *shown, struct app_wordings *remarks)
{
    const struct app_claim *own = shown->own;
    const size_t size = sizeof remarks->texts[0];
    char subject[48];
    snprintf(subject, sizeof subject, "this %s", shown->noun);
    if (own->now.verdict != APP_VERDICT_NOT_MEASURED) {
        app_described_words(&own->now, subject, shown->noun, remarks);
        return;
    }
    const char *note = own->note[0] ? own->note : "no sample yet";
    const int first = own->note[0] ? (int)strcspn(note, ";,") : 150;
    snprintf(remarks->texts[0], size, "%s: %.150s", subject, note);
    snprintf(remarks->texts[1], size, "%s: %.*s", subject, first, note);
    snprintf(remarks->texts[2], size, "%s: –", subject);
    for (int i = 0; i < 3; i++)
        remarks->list[i] = remarks->texts[i];
    remarks->list[3] = NULL;
}

/* Draws what stands beside a row, this device's own number or the row's remarks: the longest
 * wording that is no wider than `width`; none of them, nothing. */
static void draw_remark(const struct app_brush *brush, const struct shown *shown,
                        const struct app_claim *row, bool then, float x, float y, float width)
{
    struct app_wordings remarks;
    if (shown->own)
        collect_own(shown, &remarks);
    else
        collect_remarks(row, then, &remarks);
    int count = 0;
    while (remarks.list[count])
        count++;
    remarks.list[count] = "";
    remarks.list[count + 1] = NULL;
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y, width, brush->colours->quiet,
                      remarks.list);
}

/* Draws a number, smaller where it would be wider than `room`. */
static float draw_fitting(const struct app_brush *brush, enum ren_face face, float size, float x,
                          float y, enum ren_align align, float room, ren_colour colour,
                          const char *text)
{
    const float width = ren_text_width(brush->renderer, face, size * brush->unit, text);
    return app_draw_text(brush, face, width > room ? fmaxf(size * room / width, 9.0f) : size, x, y,
                         align, colour, text);
}

/* Draws the longest heading that is no wider than `room`, or the shortest one in smaller letters.
 */
static void draw_heading(const struct app_brush *brush, float size, float x, float y, float room,
                         const char *const *heading)
{
    while (heading[1] &&
           ren_text_width(brush->renderer, REN_FACE_SANS, size * brush->unit, heading[0]) > room)
        heading++;
    draw_fitting(brush, REN_FACE_SANS, size, x, y, REN_ALIGN_LEFT, room, brush->colours->text,
                 heading[0]);
}

/* Columns of a wide board: where each begins or ends, as a fraction of the width. Rows of one line
 * have the heading, the published number, the number, its interval and the verdict; rows of two
 * have them below the sentence, and a remark. */
static const float one_then = 0.345f, one_now = 0.585f, one_interval = 0.785f,
                   one_heading_end = 0.335f;
static const float two_interval = 0.15f, two_then = 0.375f, two_remark = 0.655f;

/* Draws a row in one line. */
static void draw_one(const struct app_brush *brush, const struct shown *shown,
                     const char *const *heading, float x, float width, float y)
{
    const struct app_claim *row = shown->row;
    const float u = brush->unit, right = x + width, gap = 7.0f * u;
    const struct app_colours *c = brush->colours;
    const float verdict = draw_verdict(brush, 13.5f, right, y, 0.24f * width, shown);
    draw_heading(brush, APP_PANEL_TEXT, x, y, one_heading_end * width, heading);
    const bool measured = row->now.verdict != APP_VERDICT_NOT_MEASURED;
    const float then = x + one_then * width, now = x + one_now * width;
    const float used = draw_fitting(brush, REN_FACE_MONO, APP_PANEL_TEXT, then, y, REN_ALIGN_LEFT,
                                    0.12f * width, c->quiet, row->of->then);
    if (!measured) {
        const struct shown alone = {row, NULL, "", false};
        const float from = then + fmaxf(used, 0.12f * width) + gap;
        draw_remark(brush, &alone, row, false, from, y, right - verdict - gap - from);
        return;
    }
    /* A long number begins behind the published one, and takes some of its interval's room. */
    const float least = then + used + gap, most = right - verdict - gap;
    const float wide =
        ren_text_width(brush->renderer, REN_FACE_MONO_BOLD, 14.0f * u, row->now.text);
    const float stamp = draw_stamp(brush, shown, fmaxf(now - wide - 30.0f * u, least), y);
    const float start =
        stamp > 0.0f ? fmaxf(now - wide - 30.0f * u, least) + stamp : fmaxf(now - wide, least);
    const float end =
        start + draw_fitting(brush, REN_FACE_MONO_BOLD, 14.0f, start, y, REN_ALIGN_LEFT,
                             most - start, number_colour(brush, shown), row->now.text);
    const float room = fminf(fmaxf(x + one_interval * width, end), most) - end - gap;
    if (!row->now.interval[0] || shown->own) {
        draw_remark(brush, shown, row, false, end + gap, y, most - end - gap);
    } else if (ren_text_width(brush->renderer, REN_FACE_MONO, APP_PANEL_SMALL * u,
                              row->now.interval) <= room)
        app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, end + gap, y, REN_ALIGN_LEFT, c->quiet,
                      row->now.interval);
}

/* Draws a row in two lines: the claim and the verdict, and below them the numbers and a remark. */
static void draw_two(const struct app_brush *brush, const struct shown *shown,
                     const char *const *heading, float x, float width, float y, float line)
{
    const struct app_claim *row = shown->row;
    const float u = brush->unit, right = x + width, gap = 8.0f * u, below = y + line;
    const struct app_colours *c = brush->colours;
    const bool measured = row->now.verdict != APP_VERDICT_NOT_MEASURED;
    const float verdict = draw_verdict(brush, 14.0f, right, y, 0.3f * width, shown);
    draw_heading(brush, 13.5f, x, y, width - verdict - gap, heading);
    const float interval = x + two_interval * width, remark = x + two_remark * width;
    float then = x + two_then * width;
    const float stamp = draw_stamp(brush, shown, x, below), number = x + stamp;
    const float now =
        number + gap +
        draw_fitting(brush, REN_FACE_MONO_BOLD, 14.0f, number, below, REN_ALIGN_LEFT,
                     then - gap - number, measured ? number_colour(brush, shown) : c->quiet,
                     row->now.text);
    const float from = fmaxf(now, interval + stamp);
    /* A long interval moves what follows it. */
    if (measured && row->now.interval[0])
        then = fmaxf(then, from + gap +
                               app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, from, below,
                                             REN_ALIGN_LEFT, c->quiet, row->now.interval));
    char text[96], brief[64];
    const bool numbered = strcmp(row->of->then, "–") != 0;
    snprintf(text, sizeof text, "%s%s%s%s", numbered ? "then " : "", numbered ? row->of->then : "",
             numbered && row->of->device[0] ? ", " : "", row->of->device);
    snprintf(brief, sizeof brief, "%s%s", numbered ? "then " : "", numbered ? row->of->then : "");
    const char *const texts[] = {text, brief, NULL};
    const float said = app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, then, below,
                                         remark - gap - then, c->quiet, texts);
    const float at = fmaxf(remark, then + said + gap);
    draw_remark(brush, shown, row, false, at, below, right - at);
}

/* Draws a row of a narrow board in two lines: the heading with the interval, if there is room, and
 * below them the number, remarks and the verdict. */
static void draw_narrow(const struct app_brush *brush, const struct shown *shown,
                        const char *const *heading, float x, float right, float y, float line)
{
    const struct app_claim *row = shown->row;
    const float u = brush->unit, gap = 7.0f * u;
    const struct app_colours *c = brush->colours;
    const bool measured = row->now.verdict != APP_VERDICT_NOT_MEASURED;
    struct app_claim rest = *row;
    const char *beside = row->now.interval[0] ? row->now.interval : row->beside;
    const enum ren_face face = row->now.interval[0] ? REN_FACE_MONO : REN_FACE_SANS;
    float interval = 0.0f;
    if (measured && beside[0])
        interval = gap + ren_text_width(brush->renderer, face, APP_PANEL_SMALL * u, beside);
    if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_TEXT * u, heading[1]) >
        right - x - interval)
        interval = 0.0f;
    if (interval > 0.0f)
        app_draw_text(brush, face, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT, c->quiet, beside);
    draw_heading(brush, APP_PANEL_TEXT, x, y, right - x - interval, heading);
    const float verdict = draw_verdict(brush, 13.0f, right, y + line, right - x, shown);
    float at = x + draw_stamp(brush, shown, x, y + line);
    if (measured)
        at += gap + draw_fitting(brush, REN_FACE_MONO_BOLD, 14.0f, at, y + line, REN_ALIGN_LEFT,
                                 right - at - verdict - gap, number_colour(brush, shown),
                                 row->now.text);
    /* What stands beside the heading is not said twice. */
    if (measured && interval > 0.0f && !row->now.interval[0])
        rest.beside[0] = 0;
    draw_remark(brush, shown, &rest, true, at, y + line, right - verdict - 4.0f * u - at);
}

void app_board_source(const struct app_text_entry *text, bool title, char *out, size_t size)
{
    if (title)
        snprintf(out, size, "%s, %s, %s", text->author, text->title, text->published);
    else
        snprintf(out, size, "%s, %s", text->author, text->published);
}

/* Draws the heading of a text's rows: its subject, its author and title. */
static void draw_group(const struct app_brush *brush, enum app_text text, float x, float right,
                       float y)
{
    const struct app_text_entry *entry = app_text_of(text);
    char whole[192], brief[96];
    app_board_source(entry, true, whole, sizeof whole);
    app_board_source(entry, false, brief, sizeof brief);
    const char *const sources[] = {whole, brief, entry->author, "", NULL};
    const float width = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TEXT, x, y,
                                      REN_ALIGN_LEFT, brush->colours->text, entry->subject);
    const float from = x + width + 8.0f * brush->unit;
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, from, y, right - from,
                      brush->colours->quiet, sources);
}

/* Removes the last words of *text until it is no wider than `width`; keeps two words. */
static void shorten(const struct app_brush *brush, float width, char *text)
{
    char *const first = strchr(text, ' ');
    char *last;
    while (first && (last = strrchr(text, ' ')) != first &&
           ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * brush->unit, text) >
               width)
        *last = 0;
}

void app_board_device(const struct app_brush *brush, float x, float y, float width,
                      const struct app_panels_view *view)
{
    const char *device = view->probes.device ? view->probes.device->name : "this device";
    char whole[160], brief[160], again[48];
    if (view->recorded && !view->again) {
        const float stamp =
            app_stamp_draw(brush, 12.0f, x, y, REN_ALIGN_LEFT, width, view->recorded);
        const float from = x + stamp + 7.0f * brush->unit;
        const char *noun = view->probes.device ? view->probes.device->can.noun : "device";
        snprintf(whole, sizeof whole, "beside this %s, %s", noun, device);
        snprintf(brief, sizeof brief, "beside this %s", noun);
        const char *const texts[] = {whole, brief, "", NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, from, y, x + width - from,
                          brush->colours->quiet, texts);
        return;
    }
    const double done = floor(100.0 * fmin(fmax(view->progress, 0.0), 1.0));
    /* The probes' numbers are of one process: they say nothing about another run. */
    snprintf(whole, sizeof whole, "on %s, this run", device);
    snprintf(brief, sizeof brief, "on %s", device);
    shorten(brush, width, brief);
    snprintf(again, sizeof again, "measuring again %.0f %%", done);
    const char *const names[] = {whole, brief, NULL}, *const rounds[] = {
                                                          again, again + strlen("measuring "),
                                                          again + strlen("measuring again "), NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y, width,
                      view->again ? brush->colours->warn : brush->colours->quiet,
                      view->again ? rounds : names);
}

void app_board_progress(const struct app_brush *brush, struct ren_rect card,
                        const struct app_panels_view *view)
{
    const float u = brush->unit, inner = card.w - 2.0f * APP_RADIUS * u;
    if (!view->again)
        return;
    struct ren_rect line = {card.x + APP_RADIUS * u, card.y, inner, 3.0f * u};
    ren_list_fill(brush->list, line, 0.0f, brush->colours->edge);
    line.w = inner * (float)fmin(fmax(view->progress, 0.0), 1.0);
    ren_list_fill(brush->list, line, 0.0f, brush->colours->warn);
}

/* Draws the board's own title, and names the columns of rows with one line. */
static void draw_title(const struct app_brush *brush, struct ren_rect card, float x, float width,
                       bool columns, const struct app_panels_view *view)
{
    const float y = card.y + 17.0f * brush->unit;
    const struct app_colours *c = brush->colours;
    const float title = 8.0f * brush->unit + app_draw_text(brush, REN_FACE_SANS_BOLD, 14.0f, x, y,
                                                           REN_ALIGN_LEFT, c->text, "Claims");
    app_board_device(brush, x + title, y, (columns ? one_heading_end * width : width) - title,
                     view);
    app_board_progress(brush, card, view);
    if (!columns)
        return;
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x + one_then * width, y, REN_ALIGN_LEFT,
                  c->quiet, "then");
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x + one_now * width, y, REN_ALIGN_RIGHT,
                  c->quiet, "now");
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x + width, y, REN_ALIGN_RIGHT, c->quiet,
                  "verdict");
}

/* Draws the line about the method at the bottom of the card, if a row has one; returns its
 * height. */
static float draw_method(const struct app_brush *brush, struct ren_rect card,
                         const struct app_page_contents *contents,
                         const struct app_panels_view *view)
{
    const float u = brush->unit, pad = APP_PANEL_PAD * u;
    for (int i = 0; i < contents->row_count; i++) {
        const struct app_claim *row = shown_of(view, contents->rows[i]).row;
        if (!row->method[0])
            continue;
        app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, card.x + pad,
                         card.y + card.h - 6.0f * u, card.w - 2.0f * pad, brush->colours->quiet,
                         row->method);
        return 15.0f * u;
    }
    return 0.0f;
}

void app_board_draw(const struct app_brush *brush, struct ren_rect card,
                    const struct app_page_contents *contents, int lines,
                    const struct app_panels_view *view)
{
    const float u = brush->unit, x = card.x + APP_PANEL_PAD * u;
    const float width = card.w - 2.0f * APP_PANEL_PAD * u;
    const bool wide = app_cells_wide(card.w / u), grouped = contents->needs.groups > 0;
    app_draw_panel(brush, card);
    if (view->recorded)
        app_stamp_tape(brush, card);
    if (!grouped)
        draw_title(brush, card, x, width, wide && lines == 1, view);
    const float method = draw_method(brush, card, contents, view);
    /* Rows and the headings of groups share the height. */
    const float title = grouped ? 2.0f * u : app_board_title_height * u;
    const float group = app_group_height / app_row_height[lines];
    const float parts = (float)contents->row_count + group * (float)contents->needs.groups;
    const float step = (card.h - title - method - 4.0f * u) / parts;
    const float line = lines == 1 ? 0.0f : fminf(0.46f * step, 20.0f * u);
    float y = card.y + title;
    for (int i = 0; i < contents->row_count; i++) {
        const struct shown shown = shown_of(view, contents->rows[i]);
        const struct app_claim *row = shown.row;
        const bool first = i == 0 || row->of->text != view->claims[contents->rows[i - 1]].of->text;
        if (grouped && first) {
            draw_group(brush, row->of->text, x, x + width, y + 0.72f * group * step);
            y += group * step;
        }
        const char *const *heading;
        const struct headings headings = headings_of(contents->rows[i]);
        heading = headings.list;
        ren_list_line(brush->list, x, y, x + width, y, fmaxf(1.0f, u), brush->colours->edge);
        const float baseline = y + 0.5f * (step - line) + 4.8f * u;
        if (!wide)
            draw_narrow(brush, &shown, heading, x, x + width, baseline, line);
        else if (lines == 1)
            draw_one(brush, &shown, heading, x, width, baseline);
        else
            draw_two(brush, &shown, heading, x, width, baseline, line);
        y += step;
    }
}
