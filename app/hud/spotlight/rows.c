#include "hud/spotlight/rows.h"

#include "claims/claims.h"
#include "command/keys.h"
#include "hud/panels/parts.h"
#include "hud/recorded/stamp.h"
#include "hud/spotlight/blocks.h"

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
        holds += view->claims[i].verdict == APP_CLAIM_HOLDS;
        judged += view->claims[i].verdict != APP_CLAIM_NOT_MEASURED;
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
    const bool measured = spoken.verdict != APP_CLAIM_NOT_MEASURED;
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

void app_spotlight_claims(const struct app_brush *brush, const struct app_spotlight_place *place,
                          const struct app_panels_view *view, const struct app_recorded_view *stamp)
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
