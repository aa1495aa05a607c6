#include "hud/spotlight/place.h"

#include "claims/claims.h"

#include <math.h>

/* The frame's height in units: 12 of 400 are 3 %. */
static const float height_units = 400.0f;

void app_spotlight_rows(float width, float height, struct app_spotlight_rows *rows)
{
    *rows = (struct app_spotlight_rows){
        .lines = width >= 600.0f   ? 1
                 : width >= 300.0f ? 2
                                   : 3,
        .apart = width < 300.0f,
        .group = 22.0f,
        .title = 50.0f,
    };
    rows->row = 17.5f * (float)rows->lines + (rows->apart ? 40.0f : 20.0f) + 8.0f;
    float used = INFINITY;
    for (int i = 0; i < APP_CLAIM_COUNT; i++) {
        const enum app_text text = app_claim_entry_of((enum app_claim_id)i)->text;
        const bool begins = i == 0 || text != app_claim_entry_of((enum app_claim_id)(i - 1))->text;
        float more = rows->row + (begins ? rows->group : 0.0f);
        if (used + more > height) {
            rows->first[rows->parts++] = i;
            more = rows->row + rows->group; /* the heading of the group is repeated */
            used = rows->title;
        }
        used += more;
    }
    rows->first[rows->parts] = APP_CLAIM_COUNT;
}

enum app_subject app_spotlight_of_page(const struct app_page_contents *contents)
{
    return contents->panel_count > 0 ? app_subject_of_topic((int)contents->panels[0])
           : contents->story         ? APP_SUBJECT_STORY
                                     : APP_SUBJECT_CLAIMS;
}

float app_spotlight_least_width(float height)
{
    return APP_SPOTLIGHT_WIDTH * height / height_units;
}

/* Gives a QR code a corner of the whole screen: beside the subject, or below it in a high frame.
 * Its modules need pixels, however small the frame is. */
static void place_code(struct app_spotlight_place *place, float inset)
{
    const float part = 0.27f, least_pixels = 210.0f, most_part = 0.4f;
    const bool beside = place->area.w >= place->area.h;
    const float length = beside ? place->area.w : place->area.h;
    const float side = fmaxf(part * fminf(place->area.w, place->area.h), least_pixels);
    if (side > most_part * length || side > fminf(place->area.w, place->area.h))
        return;
    place->code = (struct ren_rect){place->area.x + place->area.w - side,
                                    place->area.y + place->area.h - side, side, side};
    place->area.w -= beside ? side + inset : 0.0f;
    place->area.h -= beside ? 0.0f : side + inset;
}

void app_spotlight_place(const struct app_state *state, enum app_subject page, float height,
                         struct ren_rect area, struct app_spotlight_place *place)
{
    float u = fminf(height / height_units, area.w / APP_SPOTLIGHT_WIDTH);
    const float inset = APP_SPOTLIGHT_INSET * u;
    *place = (struct app_spotlight_place){.shown = state->spotlight, .unit = u, .parts = 1};
    place->subject = state->subject == APP_SUBJECT_PAGE ? page : state->subject;
    place->area = (struct ren_rect){area.x + inset, area.y + inset, area.w - 2.0f * inset,
                                    area.h - 2.0f * inset};
    if (state->spotlight == APP_SPOTLIGHT_WHOLE && state->hud) {
        place->edge = place->area;
        place->edge.h = APP_SPOTLIGHT_EDGE * u;
        place->edge.y = area.y + area.h - inset - place->edge.h;
        place->area.h -= place->edge.h + inset;
    }
    if (state->spotlight == APP_SPOTLIGHT_WHOLE && state->qr)
        place_code(place, inset);
    u = place->unit = fminf(u, place->area.w / (APP_SPOTLIGHT_WIDTH - 2.0f * APP_SPOTLIGHT_INSET));
    if (place->subject == APP_SUBJECT_CLAIMS) {
        struct app_spotlight_rows rows;
        app_spotlight_rows(place->area.w / u, place->area.h / u, &rows);
        place->parts = rows.parts;
    }
    place->part = state->subject_part < place->parts ? state->subject_part : place->parts;
}
