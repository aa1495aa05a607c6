/* app/hud/panels/parts.h - the parts that side panels share (inside the HUD only).
 *
 * A panel is the drawing function of one topic, in a file of its own; its titles and its headline
 * number belong to the topic (topics/topic.h). It draws below the panel's title. No part shows a
 * digit for a value that was not measured.
 */
#ifndef APP_HUD_PANEL_PARTS_H
#define APP_HUD_PANEL_PARTS_H

#include "hud/draw.h"
#include "measure/panels.h"
#include "topics/topic.h"

#include "ren/plot.h"

/* In units. Text below APP_PANEL_SMALL cannot be read from the back of a room. */
enum {
    APP_PANEL_PAD = 12,
    APP_PANEL_GAP = 8,
    APP_PANEL_SMALL = 12,
    APP_PANEL_TEXT = 13,
    APP_PANEL_TITLE = 16,
    APP_PANEL_NUMBER = 34
};

enum { APP_PANEL_POINTS = 64 }; /* of a curve */

typedef void app_panel_draw(const struct app_brush *brush, struct ren_rect area,
                            const struct app_panels_view *view);

/* A topic's panel: app_panel_NAME, for every topic of krn/topics.h. */
struct app_panel {
    enum krn_topic topic;
    app_panel_draw *draw;
};

/* Returns true when the numbers are a GPU's. */
bool app_panel_warps(const struct app_panels_view *view);

/* Draws a number in large digits on the baseline y with its unit; returns their right end. With
 * reasons that allow no verdict, draws "WRONG" or "DO NOT QUOTE" in its place. */
float app_panel_headline(const struct app_brush *brush, float size, float x, float y,
                         const struct app_described *said);

/* The reasons to doubt a topic's numbers. */
struct app_panel_doubt {
    unsigned reasons; /* of all its measured probes */
    char text[80];    /* the most serious one: "in the L2 cache", "4 of 10: in the L2 cache"; "" */
};
struct app_panel_doubt app_panel_doubt(const struct app_panels_view *view, enum krn_topic topic);

/* Draws a label on the left in a quiet colour and a value on the right in tabular digits, both cut
 * to their room. */
void app_panel_row(const struct app_brush *brush, float x, float right, float y, const char *label,
                   const char *value);

/* Writes a number of elements, "20·2²⁰" or "2²⁸". */
void app_panel_elements(double elements, char *text, size_t size);

struct app_panel_tick {
    double at;
    const char *text; /* NULL: a tick without a label */
};

/* A plot's ranges and ticks. With log_x, x_low and x_high are log2 of the data's x. */
struct app_panel_axes {
    double x_low, x_high, y_high;
    bool log_x;
    const struct app_panel_tick *x;
    int x_count;
    const struct app_panel_tick *y;
    int y_count;
};

/* Draws the grid and the tick labels inside `area`; returns the axes that map data to pixels. */
struct ren_axes app_panel_axes(const struct app_brush *brush, struct ren_rect area,
                               const struct app_panel_axes *spec);

/* Writes a number without trailing zeros after the point: "2.5", "0". */
void app_panel_digits(double value, char *text, size_t size);

/* Fills ticks at 0, y_high / 2 and y_high; texts holds their labels. */
void app_panel_ticks(double y_high, char texts[3][24], struct app_panel_tick ticks[3]);

/* Collects the measured points of a series; with `log_x`, x becomes its log2. */
struct app_panel_curve {
    double x[APP_PANEL_POINTS], y[APP_PANEL_POINTS];
    size_t n;
};
void app_panel_curve(const struct app_panels_view *view, enum krn_topic topic, const char *series,
                     enum app_metric metric, bool log_x, struct app_panel_curve *curve);

/* Returns the greatest y of several curves; 0: no curve has a point. */
double app_panel_greatest(const struct app_panel_curve *curves, int count);

/* Draws axes from the first to the last tick of x, which is logarithmic, and from 0 to a round
 * number above `most`. */
struct ren_axes app_panel_axes_to(const struct app_brush *brush, struct ren_rect area,
                                  const struct app_panel_tick *x, int x_count, double most);

void app_panel_line(const struct app_brush *brush, const struct ren_axes *axes,
                    const struct app_panel_curve *curve, bool dashed, ren_colour colour);

/* Draws a dashed level over the whole width of the axes. */
void app_panel_level(const struct app_brush *brush, const struct ren_axes *axes, double y,
                     float width, float dash, ren_colour colour);

/* Draws a dashed upright line at x, in pixels. */
void app_panel_upright(const struct app_brush *brush, float x, float bottom, float top,
                       ren_colour colour);

/* Returns the x, as in the curve, at which a curve first reaches y, interpolated; NAN: never. */
double app_panel_reaches(const struct app_panel_curve *curve, double y);

struct app_panel_words {
    char text[64];
};

/* Returns "not measured yet", followed by the key that starts a round unless a round is running. */
struct app_panel_words app_panel_not_yet(const struct app_panels_view *view);

/* Says how to get a number that is missing while others of its topic are there: "ratio: press B
 * (takes over 2 ms)"; "ratio: not measured yet" where the next turn or the round brings it. */
struct app_panel_words app_panel_ask(const struct app_panels_view *view, enum krn_topic topic,
                                     const char *what);

/* Returns the least number of samples among the topic's measured probes; 0: none was measured. */
size_t app_panel_samples(const struct app_panels_view *view, enum krn_topic topic);

/* Returns the age of the topic's readings in seconds, or of probe `of` alone when it is not NULL;
 * 0: none was measured. Probes that run between frames count with the newest of them: the next turn
 * replaces every one, and single ages would swing. Probes that run on request only, and every probe
 * during a hold, keep their numbers; of these the oldest counts. */
double app_panel_age(const struct app_panels_view *view, enum krn_topic topic,
                     const struct app_probe_result *of);

/* Writes "2 min ago"; "" for an age at which the next reading may be under way. */
void app_panel_age_text(double age_s, char *text, size_t size);

/* Returns the colour of the i-th curve and of its name. */
ren_colour app_panel_colour(const struct app_brush *brush, int i);

#endif
