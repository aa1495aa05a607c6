/* app/hud/spotlight/rows.h - draws the claims in the spotlight, a part at a time. */
#ifndef APP_SPOTLIGHT_ROWS_H
#define APP_SPOTLIGHT_ROWS_H

#include "hud/draw.h"
#include "hud/spotlight/place.h"
#include "measure/panels.h"
#include "recorded/recorded.h"

/* Draws the part of the claims that the place names; view NULL: nothing was measured. stamp: of a
 * recorded view; NULL: the view is live. */
void app_spotlight_claims(const struct app_brush *brush, const struct app_spotlight_place *place,
                          const struct app_panels_view *view,
                          const struct app_recorded_view *stamp);

#endif
