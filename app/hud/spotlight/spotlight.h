/* app/hud/spotlight/spotlight.h - draws the spotlight: one subject, large enough for the last row.
 */
#ifndef APP_SPOTLIGHT_H
#define APP_SPOTLIGHT_H

#include "hud/contents.h"
#include "hud/draw.h"
#include "hud/spotlight/place.h"

/* Draws the subject into its place; on the whole screen, also storage and time in one line at the
 * lower edge. Every text has at least 3 % of the shorter side of the frame, the number 8 %; in a
 * frame that is wider than high, that is its height. */
void app_spotlight_draw(const struct app_brush *brush, const struct app_spotlight_place *place,
                        const struct app_hud *hud);

#endif
