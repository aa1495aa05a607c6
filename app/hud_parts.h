/* app/hud_parts.h - the HUD's parts, one file each (inside the HUD only). */
#ifndef APP_HUD_PARTS_H
#define APP_HUD_PARTS_H

#include "draw.h"
#include "hud.h"

/* The launch floor of the device that renders. */
double app_hud_floor_ms(const struct app_hud *hud);

/* Kernel time against frame, one colour a storage, with the launch floor. */
void app_hud_plot(const struct app_brush *brush, const struct ren_rect *card,
                  const struct app_hud *hud);

/* Scene, image, rate, frame, device, clock, blit, OpenGL, and what is wrong. Returns the card's
 * top, or the screen's bottom when there is none. */
float app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_hud *hud);

/* The help screen: every key, from the command table. */
void app_hud_help(const struct app_brush *brush, const struct app_layout *layout);

#endif
