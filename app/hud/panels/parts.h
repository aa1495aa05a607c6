/* app/hud/panels/parts.h - what the side panels are made of (inside the HUD only).
 *
 * A panel is the drawing function of one topic, in a file of its own; its titles and its one number
 * are the topic's (topics/topic.h). It gets the room under the panel's title. Nothing here shows a
 * digit for what was not measured.
 */
#ifndef APP_HUD_PANEL_PARTS_H
#define APP_HUD_PANEL_PARTS_H

#include "hud/draw.h"
#include "measure/panels.h"
#include "topics/topics.h"

#include "ren/plot.h"

/* In units. Smaller text than this is not read from the back of a room. */
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

/* The panel of a topic: app_panel_NAME, for every topic of krn/topics.h. */
struct app_panel {
    enum krn_topic topic;
    app_panel_draw *draw;
};

/* The claims board with all its columns, and as a column of lines with intervals or without; each
 * with its title. */
app_panel_draw app_panel_claims, app_panel_claims_narrow, app_panel_claims_compact;

/* True for the numbers of a GPU. */
bool app_panel_warps(const struct app_panels_view *view);

/* A value and its unit, "–" and no unit when it is not there; in the unit of `like` when given. */
struct app_number app_panel_number_of(enum app_metric metric, struct app_estimate estimate,
                                      const struct app_estimate *like);

/* "[4.36, 4.38]", in the unit of the value; "" where there is none. */
void app_panel_spread(enum app_metric metric, struct app_estimate estimate, char *text,
                      size_t size);

/* A number in large digits on the baseline y and its unit beside it; returns where they end. Not
 * there: a dash. */
float app_panel_headline(const struct app_brush *brush, float size, float x, float y,
                         const char *value, const char *unit);

/* Left text in a quiet colour, right text in tabular digits, both cut to their room. */
void app_panel_row(const struct app_brush *brush, float x, float right, float y, const char *label,
                   const char *value);

/* "20·2²⁰", "2²⁸", "1 KiB"; bytes with their unit, powers of two short. */
void app_panel_elements(double elements, char *text, size_t size);
void app_panel_bytes(double bytes, char *text, size_t size);

struct app_panel_tick {
    double at;
    const char *text; /* NULL: a line without a text */
};

/* What a plot needs; x is log2 of the data's where log_x. */
struct app_panel_axes {
    double x_low, x_high, y_high;
    bool log_x;
    const struct app_panel_tick *x;
    int x_count;
    const struct app_panel_tick *y;
    int y_count;
};

/* Grid, tick texts and the mapping, in `area` with room for the texts. */
struct ren_axes app_panel_axes(const struct app_brush *brush, struct ren_rect area,
                               const struct app_panel_axes *spec);

/* Digits without zeros that say nothing after the point: "2.5", "0". */
void app_panel_digits(double value, char *text, size_t size);

/* Ticks 0, half and all of y_high; texts must have room for three. */
void app_panel_ticks(double y_high, char texts[3][24], struct app_panel_tick ticks[3]);

/* A measured curve of a series and, with `log_x`, its x as log2. Returns the points. */
struct app_panel_curve {
    double x[APP_PANEL_POINTS], y[APP_PANEL_POINTS];
    size_t n;
};
void app_panel_curve(const struct app_panels_view *view, enum krn_topic topic, const char *series,
                     enum app_metric metric, bool log_x, struct app_panel_curve *curve);

/* The greatest y of several curves; 0: no curve has a point. */
double app_panel_greatest(const struct app_panel_curve *curves, int count);

/* Axes from the first to the last tick of x, which is logarithmic, and from 0 to a round number
 * above `most`. */
struct ren_axes app_panel_axes_to(const struct app_brush *brush, struct ren_rect area,
                                  const struct app_panel_tick *x, int x_count, double most);

/* A CPU's series "all" and "one" of a topic over chains 1 to 16, each named near its point
 * `name_at`, or its last one. */
void app_panel_threads(const struct app_brush *brush, struct ren_rect area,
                       const struct app_panels_view *view, enum krn_topic topic,
                       enum app_metric metric, size_t name_at);

void app_panel_line(const struct app_brush *brush, const struct ren_axes *axes,
                    const struct app_panel_curve *curve, bool dashed, ren_colour colour);

/* A curve's name on a patch of the ground, centred on (x, y) pixels, kept inside the axes. */
void app_panel_tag(const struct app_brush *brush, const struct ren_axes *axes, float x, float y,
                   ren_colour colour, const char *text);

/* Where names stand in a plot already. */
struct app_panel_names {
    struct ren_rect boxes[8];
    int count;
};

/* Names a rising curve where it first reaches `level`, or above or below that where another name
 * stands; not at all where there is no room. */
void app_panel_name_curve(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panel_curve *curve, double level, ren_colour colour,
                          const char *text, struct app_panel_names *names);

/* Names any curve beside its point `index`, or beside another one where a name stands there. */
void app_panel_name_point(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panel_curve *curve, size_t index, ren_colour colour,
                          const char *text, struct app_panel_names *names);

/* The x (as in the curve) at which a curve first reaches y, between its points; NAN: never. */
double app_panel_reaches(const struct app_panel_curve *curve, double y);

struct app_panel_words {
    char text[64];
};

/* Returns "not measured yet", with the key that starts a round where none is running. */
struct app_panel_words app_panel_not_yet(const struct app_panels_view *view);

/* The least number of samples of the topic's measured probes; 0: none was measured. */
size_t app_panel_samples(const struct app_panels_view *view, enum krn_topic topic);

/* How old the topic's readings are, seconds; of: NULL, or the one probe that is shown. What runs
 * between frames is as old as the newest of its kind: the next round replaces all of them, and the
 * age of each would swing with its turn. What nobody measures until it is asked for, and everything
 * in a hold, keeps its number for any time: of these the oldest counts. 0: nothing was measured. */
double app_panel_age(const struct app_panels_view *view, enum krn_topic topic,
                     const struct app_probe_result *of);

/* "2 min ago"; "" while it is so young that the next reading may be on its way. */
void app_panel_age_text(double age_s, char *text, size_t size);

/* The colour of the i-th curve; curves carry names too. */
ren_colour app_panel_colour(const struct app_brush *brush, int i);

#endif
