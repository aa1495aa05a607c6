/* app/hud/parts.h - the cards of the HUD and their rows (inside app/hud only). */
#ifndef APP_HUD_PARTS_H
#define APP_HUD_PARTS_H

#include "command/keys.h"
#include "hud/contents.h"
#include "hud/draw.h"
#include "hud/layout.h"

/* Draws the main card: storage, kernel, time, its spread, the comparison with the mode before, and
 * the trust light. */
void app_hud_main(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud);

/* Draws the banner of held numbers, where the layout has one. */
void app_hud_held(const struct app_brush *brush, const struct app_layout *layout);

/* Writes what tells a mode from another one: "CONSTANT", "STRIP 8", or "CONSTANT STRIP 8"; its
 * storage where they are equal. */
void app_hud_name(struct krn_mode mode, struct krn_mode other, char *text, size_t size);

/* Writes "book kernel", "strip kernel, K 8" or, with a light, "tree kernel, 4 bounces, 1 sample".
 */
void app_hud_kernel(struct krn_mode mode, const struct krn_light *light, char *text, size_t size);

/* Draws the trust light in a card's upper right corner: a word, and before it a dot when nothing
 * speaks against the numbers, else their mark. Returns its left end. */
float app_hud_trust(const struct app_brush *brush, struct ren_rect card, unsigned reasons);

/* Draws kernel time against frame, one colour per storage, with the time of an empty kernel. */
void app_hud_plot(const struct app_brush *brush, const struct ren_rect *card,
                  const struct app_hud *hud);

/* Draws the legend of the heat map, where the layout has one: what the colours mean, with scale and
 * unit, the costs of the picture, the mode, and how it was measured; and the cost of the pixel
 * under the mouse pointer. */
void app_hud_heat(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_heat *heat);

/* Returns the strip above the legend in which the cost under the mouse pointer has its card. */
struct ren_rect app_hud_heat_pointed(struct ren_rect legend);

/* Draws scene, image, rate, frame, device, clock, blit, OpenGL, and warnings. Returns the card's
 * top, or the pane's bottom when there is no card. */
float app_hud_details(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_hud *hud);

/* Draws the weightiest of the details in two lines, where the layout has a footer. */
void app_hud_footer(const struct app_brush *brush, const struct app_layout *layout,
                    const struct app_hud *hud);

/* Returns the key of the help screen as a hint: "H help". */
struct app_key_hint app_hud_help_hint(void);

/* Draws the card of a duel in place of the main card: ratio, verdict, interval, both times. */
void app_hud_duel(const struct app_brush *brush, const struct app_layout *layout,
                  const struct app_hud *hud);

/* Draws the line between the two pictures, with the names of the sides when the HUD is on. */
void app_hud_divider(const struct app_brush *brush, const struct app_layout *layout,
                     const struct app_hud *hud);

/* Writes the name of a side with what tells it from the other: "A BOOK", "B STRIP 8". */
void app_hud_side_name(const struct app_state *state, int side, char *text, size_t size);

/* Returns the strip of the picture in which the divider has the names of its sides. */
struct ren_rect app_hud_chips(const struct app_layout *layout);

/* Returns the colour of a side of the duel: its storage's, and another one for B where both are
 * equal. */
ren_colour app_hud_side_colour(const struct app_brush *brush, const struct app_state *state,
                               int side);

/* Draws a page of the help screen: every key, from the command table; the words on screen; how
 * every number is computed, from the topics; or how verdicts are reached. */
void app_hud_help(const struct app_brush *brush, const struct app_layout *layout,
                  enum app_help_page page);

/* Draws the device card over the whole screen: the device's properties, and what the kernel on
 * screen takes of a multiprocessor. */
void app_hud_device(const struct app_brush *brush, const struct app_layout *layout,
                    const struct app_hud *hud);

/* A row: a label and its text, in at most two lines. No label: a warning. */
struct app_hud_row {
    const char *label;
    const char *brief; /* the same in a few words; NULL: there are none */
    bool grave;        /* drawn in the colour of what is wrong */
    char text[400];
};

/* The rows of a device with everything to tell, the reasons, and "and 2 more". */
enum { APP_HUD_REASONS = 3, APP_HUD_ROWS = 17 + APP_HUD_REASONS + 1 };

/* Writes all rows in the order of their weight: where room is short, the last ones are left out.
 * Returns how many there are. */
int app_hud_describe(const struct app_hud *hud, struct app_hud_row rows[APP_HUD_ROWS]);

/* Names what keeps the frame rate where it is. */
const char *app_hud_limit(const struct app_hud *hud);

/* Writes "4 bounces, 1 sample". */
void app_hud_light_words(const struct krn_light *light, char *text, size_t size);

/* Returns the side whose picture decides for all that is on screen: in a duel the worse one. */
const struct app_mode_time *app_hud_worse(const struct app_hud *hud);

/* Writes the verdict on the picture and its age; with a recorded run's numbers, the verdict on the
 * recorded pictures as well. */
void app_hud_describe_picture(const struct app_hud *hud, struct app_hud_row *row);

#endif
