/* app/hud/rows.h - the details of a run in words, for the details card and the footer. */
#ifndef APP_HUD_ROWS_H
#define APP_HUD_ROWS_H

#include "base/numbers.h"
#include "hud/contents.h"

/* A row: a label and its text, in at most two lines. No label: a warning. */
struct app_hud_row {
    const char *label;
    const char *brief; /* the same in a few words; NULL: there are none */
    bool grave;        /* drawn in the colour of what is wrong */
    char text[400];
};

enum { APP_HUD_ROWS = 20, APP_HUD_REASONS = 3 };

/* Writes all rows in the order of their weight: where room is short, the last ones are left out.
 * Returns how many there are. */
int app_hud_describe(const struct app_hud *hud, struct app_hud_row rows[APP_HUD_ROWS]);

/* Names what keeps the frame rate where it is. */
const char *app_hud_limit(const struct app_hud *hud);

/* Returns the counted rays of the light view per second; "n/a" as long as they or the kernel's time
 * are not known. */
struct app_number app_hud_rays_per_s(const struct app_hud *hud);

/* Writes "4 bounces, 1 sample". */
void app_hud_light_words(const struct krn_light *light, char *text, size_t size);

/* Writes clocks, power and temperature: "1980 MHz, 127 W, 40 °C"; unknown ones are left out. */
void app_hud_describe_clocks(const struct app_hud *hud, struct app_hud_row *row);

/* Writes the verdict on the picture and its age; with a recorded run's numbers, the verdict on the
 * recorded pictures as well. */
void app_hud_describe_picture(const struct app_hud *hud, struct app_hud_row *row);

/* Writes the gravest reasons of the trust light that no other row tells; returns how many rows. */
int app_hud_describe_trust(const struct app_hud *hud, struct app_hud_row rows[APP_HUD_REASONS + 1]);

/* Returns true when the picture reaches OpenGL by another way than the one asked for. On the CPU
 * backend there is one way only, so nothing is missed. */
bool app_hud_blit_fell(const struct app_hud *hud);

#endif
