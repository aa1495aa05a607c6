/* app/hud/spotlight/place.h - where the spotlight is, what it shows there, and in how many parts.
 */
#ifndef APP_SPOTLIGHT_PLACE_H
#define APP_SPOTLIGHT_PLACE_H

#include "claims/claims.h"
#include "command/state.h"
#include "hud/pages/pages.h"

#include "ren/geometry.h"

/* In units of which 12 are 3 % of the frame's height, or in one that is higher than wide, of its
 * width at least. */
enum {
    APP_SPOTLIGHT_INSET = 8,
    APP_SPOTLIGHT_EDGE = 28,   /* the line of the main card, below a whole screen */
    APP_SPOTLIGHT_WIDTH = 330, /* the least */
    APP_SPOTLIGHT_COLUMN = 560 /* a wider area has text and picture side by side */
};

struct app_spotlight_place {
    enum app_spotlight shown; /* the whole screen in place of a side that has no room */
    enum app_subject subject; /* never `page` */
    int part, parts;          /* from 1 */
    struct ren_rect area;     /* pixels, without the line at the edge */
    struct ren_rect edge;     /* that line; no height: there is none */
    struct ren_rect code;     /* room for a QR code on the whole screen; no width: there is none */
    float unit;               /* pixels per unit */
};

/* Rows of the claims in the spotlight: the sizes in units, and where each part begins. */
struct app_spotlight_rows {
    int lines;  /* of a sentence */
    bool apart; /* the verdict has a line of its own */
    float row, group, title;
    int first[APP_CLAIM_COUNT + 1], parts;
};

/* Divides all claims into parts for a card of width x height units. */
void app_spotlight_rows(float width, float height, struct app_spotlight_rows *rows);

/* Returns the first subject of a part of a page: its first topic, or the claims. */
enum app_subject app_spotlight_of_page(const struct app_page_contents *contents);

/* Returns the least width of the spotlight beside the picture in a frame of that height, pixels. */
float app_spotlight_least_width(float height);

/* Places the spotlight in `area` of a frame of `height` pixels. */
void app_spotlight_place(const struct app_state *state, enum app_subject page, float height,
                         struct ren_rect area, struct app_spotlight_place *place);

#endif
