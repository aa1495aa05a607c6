/* app/hud/story/panel.h - the story plot's card: title, sentences, curves and captions. */
#ifndef APP_STORY_PANEL_H
#define APP_STORY_PANEL_H

#include "hud/draw.h"
#include "measure/panels.h"
#include "story/story.h"

/* Draws the card into `area`, in pixels; its text scales with the area. view NULL: nothing was
 * measured. device: the name of the one that measures. panels: measurements of the constant cache;
 * NULL: there are none. In a small area, captions are left out. */
void app_story_panel(const struct app_brush *brush, struct ren_rect area,
                     const struct app_story_view *view, const char *device,
                     const struct app_panels_view *panels);

#endif
