/* app/hud/panels/names.h - names of curves and values inside a plot (inside the HUD only).
 *
 * A name stands on a patch of the background. It covers no other name, and no line that it was told
 * to avoid: a curve's own name may stand on that curve alone.
 */
#ifndef APP_HUD_PANEL_NAMES_H
#define APP_HUD_PANEL_NAMES_H

#include "hud/panels/parts.h"

/* The names in a plot so far, and the lines to avoid. */
struct app_panel_names {
    struct ren_rect boxes[16];
    int count;
    struct {
        float xy[4];
        const void *of; /* the curve; NULL: a line that stands alone */
    } pieces[512];
    int piece_count;
};

/* Returns an empty set. */
struct app_panel_names app_panel_names_none(void);

/* Add lines that names avoid: a curve, or the line from xy[0], xy[1] to xy[2], xy[3], in pixels, of
 * the curve `of`. */
void app_panel_avoid_curve(struct app_panel_names *names, const struct ren_axes *axes,
                           const struct app_panel_curve *curve);
void app_panel_avoid(struct app_panel_names *names, const float xy[4], const void *of);

/* Names a rising curve where it first reaches `level`, or at another free point of it, or beside
 * it. */
void app_panel_name_curve(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panel_curve *curve, double level, ren_colour colour,
                          const char *text, struct app_panel_names *names);

/* Names a curve beside its point `index`, or beside another point of it. */
void app_panel_name_point(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panel_curve *curve, size_t index, ren_colour colour,
                          const char *text, struct app_panel_names *names);

/* Draws a name at the free place inside the axes that is nearest to being centred on (x, y), in
 * pixels. Returns false, and draws nothing, when there is none within a few lines. */
bool app_panel_name_near(const struct app_brush *brush, const struct ren_axes *axes, float x,
                         float y, ren_colour colour, const char *text,
                         struct app_panel_names *names);

/* Draws a CPU's series "all" and "one" of a topic over 1 to 16 chains, each named near its point
 * `name_at`, or near its last point. */
void app_panel_threads(const struct app_brush *brush, struct ren_rect area,
                       const struct app_panels_view *view, enum krn_topic topic,
                       enum app_metric metric, size_t name_at);

/* Returns true when the line from xy[0], xy[1] to xy[2], xy[3] touches a box. */
bool app_panel_crosses(const float xy[4], struct ren_rect box);

#endif
