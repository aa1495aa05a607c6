/* Three clocks. */
#include "hud/panels/parts.h"

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    (void)brush;
    (void)area;
    (void)view;
}

const struct app_panel app_panel_timer = {KRN_TOPIC_TIMER, draw};
