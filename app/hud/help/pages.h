/* app/hud/help/pages.h - draws the pages of the help screen, one file each (inside app/hud/help
 * only). */
#ifndef APP_HUD_HELP_PAGES_H
#define APP_HUD_HELP_PAGES_H

#include "hud/help/area.h"

/* Draw a page: every key, from the command table; the words on screen, with every reason for
 * caution; how every number is computed, from the topics; how verdicts are reached. */
void app_help_draw_keys(const struct app_brush *given, const struct app_layout *layout);
void app_help_draw_words(const struct app_brush *given, const struct app_layout *layout);
void app_help_draw_formulas(const struct app_brush *given, const struct app_layout *layout);
void app_help_draw_verdicts(const struct app_brush *given, const struct app_layout *layout);

#endif
