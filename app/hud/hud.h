/* app/hud/hud.h - draws cards, plot, panels, notices and help over and beside the picture. */
#ifndef APP_HUD_H
#define APP_HUD_H

#include "hud/contents.h"
#include "hud/layout.h"

#include "ren/list.h"

/* Appends the HUD to list. */
void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud);

#endif
