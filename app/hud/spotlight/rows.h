/* app/hud/spotlight/rows.h - draws the claims in the spotlight, a part at a time. */
#ifndef APP_SPOTLIGHT_ROWS_H
#define APP_SPOTLIGHT_ROWS_H

#include "hud/draw.h"
#include "hud/spotlight/place.h"
#include "measure/panels.h"

/* Draws the part of the claims that the place names; view NULL: nothing was measured. */
void app_spotlight_claims(const struct app_brush *brush, const struct app_spotlight_place *place,
                          const struct app_panels_view *view);

#endif
