#include "base/numbers.h"
#include "claims/claims.h"
#include "command/keys.h"
#include "hud/anatomy/panel.h"
#include "hud/draw.h"
#include "hud/pages/grid.h"
#include "hud/pages/panel.h"
#include "hud/parts.h"
#include "hud/spotlight/spoken.h"
#include "hud/story/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Draws how many claims hold, in digits that can be read from afar, and which part this is. */
static void draw_title(const struct app_brush *brush, struct ren_rect card, float x, float width,
                       const struct app_spotlight_place *place, const struct app_panels_view *view,
                       const struct app_recorded_view *stamp)
{
    const float u = brush->unit, y = card.y + 38.0f * u, right = x + width;
    const struct app_colours *c = brush->colours;
    int holds = 0, judged = 0;
    for (int i = 0; i < APP_CLAIM_COUNT && view && view->claims; i++) {
        holds += view->claims[i].now.verdict == APP_VERDICT_HOLDS;
        judged += view->claims[i].now.verdict != APP_VERDICT_NOT_MEASURED;
    }
    char number[32] = "–", part[32], next[48], device[160];
    if (judged > 0)
        snprintf(number, sizeof number, "%d/%d", holds, judged);
    float at = x + app_draw_text(brush, REN_FACE_MONO_BOLD, APP_BLOCK_NUMBER, x, y, REN_ALIGN_LEFT,
                                 c->text, number);
    snprintf(part, sizeof part, "Claims %d/%d", place->part, place->parts);
    app_key_hints("{page} next", next, sizeof next);
    at += 8.0f * u;
    float titled = app_draw_text(brush, REN_FACE_SANS_BOLD, 14.0f, right, card.y + 20.0f * u,
                                 REN_ALIGN_RIGHT, c->text, part);
    /* The stamp comes before the hint. */
    const float hint = ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, next);
    const float least = stamp ? app_stamp_least(brush, APP_PANEL_SMALL) : 0.0f;
    if (right - fmaxf(titled, hint) - 8.0f * u - at >= least)
        titled = fmaxf(titled, app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y,
                                             REN_ALIGN_RIGHT, c->quiet, next));
    const char *name = view && view->probes.device ? view->probes.device->name : "this device";
    snprintf(device, sizeof device, "on %s, this run", name);
    const char *const devices[] = {device, name, "", NULL};
    const char *const words[] = {judged > 0 ? "of the measured claims hold" : "no claim measured",
                                 judged > 0 ? "claims hold" : "none measured", "", NULL};
    const float room = right - titled - 8.0f * u - at;
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, 14.0f, at, card.y + 20.0f * u, room, c->text,
                      words);
    if (stamp)
        app_stamp_draw(brush, APP_PANEL_SMALL, at, y, REN_ALIGN_LEFT, room, stamp);
    else
        app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, at, y, room, c->quiet, devices);
}

/* Draws the text that the next claims come from. */
static void draw_group(const struct app_brush *brush, enum app_text text, float x, float width,
                       float y)
{
    char whole[192], brief[96];
    app_spoken_source(text, true, whole, sizeof whole);
    app_spoken_source(text, false, brief, sizeof brief);
    const char *const sources[] = {whole, brief, app_text_of(text)->author, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, 13.0f, x, y, width, brush->colours->text, sources);
}

/* Draws a claim: its sentence, or the board's shorter one, and below it number, interval, the
 * published number and the verdict. */
static void draw_row(const struct app_brush *brush, int claim, float x, float width, float y,
                     const struct app_spotlight_rows *rows, const struct app_panels_view *view)
{
    const struct app_claim_entry *entry = app_claim_entry_of((enum app_claim_id)claim);
    const struct app_colours *c = brush->colours;
    const float u = brush->unit, right = x + width, gap = 9.0f * u;
    struct app_spoken spoken;
    app_spoken_claim(view, claim, &spoken);
    /* The first wording that needs no more lines than there are. */
    const char *const wordings[] = {spoken.sentence, entry->claim, entry->shorter};
    int i = 0;
    while (i < 2 && app_draw_lines(brush, REN_FACE_SANS, 13.0f, 0.0f, 0.0f, width, rows->lines + 1,
                                   0, wordings[i], false) > rows->lines)
        i++;
    const int used = app_draw_lines(brush, REN_FACE_SANS, 13.0f, x, y + 13.0f * u, width,
                                    rows->lines, c->text, wordings[i], true);
    float below = y + (13.0f + 17.55f * (float)used + 2.0f) * u;
    const float verdict = rows->apart || !spoken.judged
                              ? 0.0f
                              : app_block_verdict(brush, 16.0f, right, below, 0.5f * width,
                                                  spoken.verdict, spoken.trust);
    float at = x, end = right - verdict - gap;
    const bool measured = spoken.verdict != APP_VERDICT_NOT_MEASURED;
    if (measured)
        at += gap + app_draw_text(brush, REN_FACE_MONO_BOLD, 15.0f, at, below, REN_ALIGN_LEFT,
                                  c->text, spoken.now);
    if (spoken.interval[0] && ren_text_width(brush->renderer, REN_FACE_MONO, APP_PANEL_SMALL * u,
                                             spoken.interval) <= end - at)
        at += gap + app_draw_text(brush, REN_FACE_MONO, APP_PANEL_SMALL, at, below, REN_ALIGN_LEFT,
                                  c->quiet, spoken.interval);
    if (rows->apart) {
        below += 19.0f * u;
        const float apart = !spoken.judged ? 0.0f
                                           : app_block_verdict(brush, 16.0f, right, below, width,
                                                               spoken.verdict, spoken.trust);
        at = x;
        end = right - apart - gap;
    }
    const bool numbered = strcmp(entry->then, "–") != 0;
    char whole[128], brief[64];
    snprintf(whole, sizeof whole, "%s%s%s%s", numbered ? "then " : "", numbered ? entry->then : "",
             numbered ? ", " : "", entry->device);
    snprintf(brief, sizeof brief, "%s%s", numbered ? "then " : "", numbered ? entry->then : "");
    if (!measured)
        snprintf(whole, sizeof whole, "%.*s", (int)strcspn(spoken.remark, ";"), spoken.remark);
    const char *const thens[] = {whole, measured ? brief : "", "", NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, at, below, end - at, c->quiet, thens);
}

/* Draws the part of the claims that the place names; view NULL: nothing was measured. stamp: of a
 * recorded view; NULL: the view is live. */
static void spotlight_claims(const struct app_brush *brush, const struct app_spotlight_place *place,
                             const struct app_panels_view *view,
                             const struct app_recorded_view *stamp)
{
    const struct ren_rect card = place->area;
    const float u = brush->unit, pad = APP_PANEL_PAD * u;
    const float x = card.x + pad, width = card.w - 2.0f * pad;
    struct app_spotlight_rows rows;
    app_spotlight_rows(card.w / u, card.h / u, &rows);
    app_draw_panel(brush, card);
    draw_title(brush, card, x, width, place, view, stamp);
    const int first = rows.first[place->part - 1], end = rows.first[place->part];
    float needed = rows.title;
    for (int i = first; i < end; i++) {
        const enum app_text text = app_claim_entry_of((enum app_claim_id)i)->text;
        needed += rows.row;
        if (i == first || text != app_claim_entry_of((enum app_claim_id)(i - 1))->text)
            needed += rows.group;
    }
    /* Rows share a part of what is left over. */
    const float airy = fminf(fmaxf(card.h / u - needed, 0.0f) / (float)(end - first), 10.0f) * u;
    float y = card.y + rows.title * u;
    for (int i = first; i < end; i++) {
        const enum app_text text = app_claim_entry_of((enum app_claim_id)i)->text;
        if (i == first || text != app_claim_entry_of((enum app_claim_id)(i - 1))->text) {
            draw_group(brush, text, x, width, y + 15.0f * u);
            y += rows.group * u;
        }
        ren_list_line(brush->list, x, y, x + width, y, fmaxf(1.0f, u), brush->colours->edge);
        draw_row(brush, i, x, width, y + 0.5f * airy + 2.0f * u, &rows, view);
        y += rows.row * u + airy;
    }
}

/* Lists and tables use more room by larger type, not by more curve: their least sizes, in units. */
static float lists_scale(enum krn_topic topic, float width, float height)
{
    static const float heights[KRN_TOPIC_COUNT] = {[KRN_TOPIC_SAXPY] = 225.0f,
                                                   [KRN_TOPIC_OPERANDS] = 175.0f,
                                                   [KRN_TOPIC_ACCESS] = 235.0f,
                                                   [KRN_TOPIC_ATOMICS] = 175.0f};
    const float least_width = 305.0f;
    return heights[topic] > 0.0f ? fmaxf(fminf(width / least_width, height / heights[topic]), 1.0f)
                                 : 1.0f;
}

/* Returns the numbers to show: those of the recorded run where one is on screen. */
static const struct app_panels_view *view_of(const struct app_hud *hud)
{
    return hud->panels && hud->panels->recorded ? &hud->panels->recorded->panels : hud->panels;
}

static void draw_story(const struct app_brush *brush, struct ren_rect card,
                       const struct app_story_view *story)
{
    const float u = brush->unit, pad = 12.0f * u;
    const struct ren_rect plot = {card.x + pad, card.y + 0.5f * pad, card.w - 2.0f * pad,
                                  card.h - pad};
    const bool none = story == NULL || story->least == 0 || app_trust_no_verdict(story->trust);
    app_draw_panel(brush, card);
    if (!none && app_story_plot(brush, plot, story->sweep, 0.0))
        return;
    const char *why = story && story->why[0]              ? story->why
                      : none && story && story->least > 0 ? app_trust_first(story->trust)
                                                          : "measuring the first points";
    app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, plot.x, card.y + 0.5f * card.h, plot.w, 3,
                   brush->colours->quiet, why, true);
}

/* Draws the picture of a subject, below or beside its words; topic < 0: of one that is no topic. */
static void draw_picture(const struct app_brush *brush, struct ren_rect card,
                         enum app_subject subject, int topic, const struct app_hud *hud)
{
    struct app_brush larger = *brush;
    if (subject == APP_SUBJECT_PLOT) {
        app_hud_plot(brush, &card, hud);
    } else if (subject == APP_SUBJECT_STORY) {
        draw_story(brush, card, hud->story);
    } else if (subject == APP_SUBJECT_ANATOMY) {
        app_anatomy_panel(brush, card, hud->anatomy);
    } else {
        larger.unit *=
            lists_scale((enum krn_topic)topic, card.w / brush->unit, card.h / brush->unit);
        app_page_panel(&larger, card, (enum krn_topic)topic, view_of(hud), hud->panels->recorded);
    }
}

/* Draws words and picture: side by side, or the words above. */
static void draw_both(const struct app_brush *given, const struct app_spotlight_place *place,
                      const struct app_spoken *spoken, const struct app_hud *hud)
{
    struct app_brush brush = *given;
    brush.unit = place->unit;
    const float gap = APP_SPOTLIGHT_INSET * brush.unit;
    const int topic = app_subject_topic(place->subject);
    struct ren_rect words = place->area, picture = place->area;
    if (place->area.w >= APP_SPOTLIGHT_COLUMN * brush.unit && topic >= 0) {
        words.w = floorf(0.36f * place->area.w);
        picture.x += words.w + gap;
        picture.w -= words.w + gap;
        app_draw_panel(&brush, words);
        app_block_tall(&brush, words, spoken);
    } else {
        words.h = app_block_flat(&brush, words, spoken, false);
        /* In a high frame, the words take more of the height, in larger letters. */
        const float high = floorf(0.4f * place->area.h);
        const bool tall =
            place->area.h >= 1.2f * place->area.w && words.h < 0.8f * high && topic >= 0;
        words.h = tall ? high : words.h;
        picture.y += words.h + gap;
        picture.h -= words.h + gap;
        app_draw_panel(&brush, words);
        if (tall)
            app_block_tall(&brush, words, spoken);
        else
            app_block_flat(&brush, words, spoken, true);
    }
    draw_picture(&brush, picture, place->subject, topic, hud);
}

/* Draws one side's storage and time at x; returns their end. */
static float draw_time(const struct app_brush *brush, float x, float y, ren_colour colour,
                       const char *name, const struct app_mode_time *time)
{
    const float u = brush->unit;
    const struct app_form form = {.quantity = APP_QUANTITY_TIME};
    x += 9.0f * u +
         app_draw_text(brush, REN_FACE_SANS_BOLD, 16.0f, x, y, REN_ALIGN_LEFT, colour, name);
    return x + 12.0f * u +
           app_draw_text(brush, REN_FACE_MONO_BOLD, 18.0f, x, y, REN_ALIGN_LEFT,
                         brush->colours->text, app_describe(time->median, form).text);
}

/* Draws what the main card says, in one line. */
static void draw_edge(const struct app_brush *brush, struct ren_rect card,
                      const struct app_hud *hud)
{
    const float u = brush->unit, right = card.x + card.w - 12.0f * u;
    const float y = card.y + 0.5f * card.h + 6.0f * u;
    const struct app_state *state = hud->state;
    char storage[32], kernel[32], name[40], hint[64];
    float x = card.x + 12.0f * u;
    app_draw_panel(brush, card);
    if (hud->now[0].recorded)
        x += 8.0f * u + app_stamp_small(brush, x, y, REN_ALIGN_LEFT);
    for (int side = 0; side < hud->sides; side++) {
        const struct krn_mode mode = hud->now[side].mode;
        app_hud_name(mode, mode, storage, sizeof storage);
        app_hud_kernel(mode, NULL, kernel, sizeof kernel);
        snprintf(name, sizeof name, "%s%s", hud->sides < 2 ? "" : side == 0 ? "A " : "B ", storage);
        x = draw_time(brush, x, y, app_hud_side_colour(brush, state, side), name, &hud->now[side]);
    }
    const float mark = app_draw_mark(brush, 13.0f, x, y, REN_ALIGN_LEFT, hud->trust);
    x += mark > 0.0f ? mark + 10.0f * u : 0.0f;
    app_key_hints("{page} next, {spotlight} ends", hint, sizeof hint);
    const float wide =
        ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, hint) + 12.0f * u;
    if (right - x >= wide)
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                      brush->colours->quiet, hint);
    const float room = right - x - wide;
    if (hud->sides < 2 &&
        ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, kernel) <= room)
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, y, REN_ALIGN_LEFT,
                      brush->colours->quiet, kernel);
}

void app_spotlight_draw(const struct app_brush *given, const struct app_spotlight_place *place,
                        const struct app_hud *hud)
{
    struct app_brush brush = *given;
    struct app_spoken spoken;
    brush.unit = place->unit;
    const int topic = app_subject_topic(place->subject), claim = app_subject_claim(place->subject);
    const bool other = place->subject == APP_SUBJECT_PLOT || place->subject == APP_SUBJECT_STORY ||
                       place->subject == APP_SUBJECT_ANATOMY;
    const struct app_panels_view *view = view_of(hud);
    if (!other && view->why && view->why[0]) {
        app_draw_panel(&brush, place->area);
        app_draw_lines(&brush, REN_FACE_SANS, APP_TEXT, place->area.x + 16.0f * brush.unit,
                       place->area.y + 0.4f * place->area.h, place->area.w - 32.0f * brush.unit, 8,
                       brush.colours->text, view->why, true);
    } else if (claim >= 0) {
        app_spoken_claim(view, claim, &spoken);
        app_draw_panel(&brush, place->area);
        app_block_tall(&brush, place->area, &spoken);
    } else if (topic >= 0 || other) {
        if (topic >= 0)
            app_spoken_topic(view, topic, &spoken);
        else if (place->subject == APP_SUBJECT_PLOT)
            app_spoken_kernel(hud, &spoken);
        else if (place->subject == APP_SUBJECT_STORY)
            app_spoken_story(hud, &spoken);
        else
            app_spoken_anatomy(hud, &spoken);
        draw_both(&brush, place, &spoken, hud);
    } else {
        spotlight_claims(&brush, place, view, hud->panels ? hud->panels->recorded : NULL);
    }
    if (!other && view && view != hud->panels)
        app_stamp_tape(&brush, place->area);
    if (place->edge.h > 0.0f)
        draw_edge(&brush, place->edge, hud);
}
