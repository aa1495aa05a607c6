/* app/hud/parts.h - the HUD's parts, one file each (inside the HUD only). */
#ifndef APP_HUD_PARTS_H
#define APP_HUD_PARTS_H

#include "command/keys.h"
#include "hud/contents.h"
#include "hud/draw.h"
#include "hud/layout.h"

/* The card of the mode on screen: storage, kernel, time, how it compares, and the trust light. */
void app_hud_main(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud);

/* Kernel time against frame, one colour a storage, with the launch floor. */
void app_hud_plot(const struct app_brush *brush, const struct ren_rect *card,
                  const struct app_hud *hud);

/* Scene, image, rate, frame, device, clock, blit, OpenGL, and what is wrong. Returns the card's
 * top, or the screen's bottom when there is none. */
float app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_hud *hud);

/* Draws the weightiest of the details in two lines, where the layout has a footer. */
void app_hud_footer(const struct app_brush *brush, const struct app_layout *layout,
                    const struct app_hud *hud);

/* Returns the hint at the help screen: "H help". */
struct app_key_hint app_hud_help_hint(void);

/* The card of a duel, in the place of the main one: ratio, verdict, interval, both times. */
void app_hud_duel(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud);

/* The line between the two pictures; with names of the sides when there is a HUD. */
void app_hud_divider(const struct app_brush *brush, const struct app_layout *layout,
                     const struct app_hud *hud);

/* The colour of a side of the duel: its storage's, and another one for B where both are equal. */
ren_colour app_hud_side_colour(const struct app_brush *brush, const struct app_state *state,
                               int side);

/* The help screen: every key, from the command table. */
void app_hud_help(const struct app_brush *brush, const struct app_layout *layout);

#endif
