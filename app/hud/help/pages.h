/* app/hud/help/pages.h - draws the pages of the help screen, one file each (inside app/hud/help
 * only). */
#ifndef APP_HUD_HELP_PAGES_H
#define APP_HUD_HELP_PAGES_H

#include "hud/draw.h"
#include "hud/layout.h"

/* In units: the heights of a section's heading, and of each further line of a text. */
enum { APP_HELP_HEADING = 34, APP_HELP_MORE = 20 };

/* An open page: everything on it is scaled to fit the window. */
struct app_help_area {
    struct app_brush brush;
    float x, y;   /* below its title, pixels */
    float bottom; /* the baseline of a last line, pixels */
};

/* Returns the pixels per unit at which a page of width x height units fits the screen. */
float app_help_unit(const struct app_layout *layout, float width, float height);

/* Draws the ground, the title and the keys of a page of width x height units, whatever the HUD's
 * size. keys: hints with the names of commands in braces. */
struct app_help_area app_help_open(const struct app_brush *given, const struct app_layout *layout,
                                   float width, float height, const char *title, const char *keys,
                                   enum app_help_page number);

/* Draw a whole text of ordinary size, in smaller letters where `room` units are too narrow for it;
 * the second in the text's colour. */
void app_help_draw_in(const struct app_brush *brush, enum ren_face face, float x, float y,
                      float room, ren_colour colour, const char *text);
void app_help_draw(const struct app_brush *brush, enum ren_face face, float x, float y, float room,
                   const char *text);

/* Return the number of lines that a text of ordinary size takes in `room` units, at most `most`,
 * and draw them. Where they are too few, the letters are smaller. */
int app_help_lines(const struct app_brush *brush, float room, int most, const char *text);
void app_help_draw_lines(const struct app_brush *brush, float x, float y, float room, int most,
                         ren_colour colour, const char *text);

/* Draw a page: every key, from the command table; the words on screen, with every reason for
 * caution; how every number is computed, from the topics; how verdicts are reached. */
void app_help_draw_keys(const struct app_brush *given, const struct app_layout *layout);
void app_help_draw_words(const struct app_brush *given, const struct app_layout *layout);
void app_help_draw_formulas(const struct app_brush *given, const struct app_layout *layout);
void app_help_draw_verdicts(const struct app_brush *given, const struct app_layout *layout);

#endif
