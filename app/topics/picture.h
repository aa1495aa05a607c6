/* app/topics/picture.h - what a topic's numbers say, as one sentence and one chart, whatever it is
 * drawn on (topics/chart.h).
 */
#pragma once

#include "model/probe_result.h"
#include "topics/chart.h"

enum {
    APP_PICTURE_SERIES = KRN_KERNEL_COUNT * KRN_STORAGE_COUNT + 2,
    APP_PICTURE_POINTS = 64,
    APP_PICTURE_LEVELS = 4,
    APP_PICTURE_MARKS = 40,
    APP_PICTURE_BANDS = 2,
    APP_PICTURE_BARS = 8,
    APP_PICTURE_TEXT = 64
};

/* What a topic's picture is made of. */
struct app_picture_facts {
    const struct app_probes_view *probes;
    int addresses; /* per warp, that the picture of constant memory marks; at least 1 */
    const struct app_mode_work *modes; /* of the ray tracer, for the roofline */
    int mode_count;
};

/* A picture with the memory of everything that its chart points to: do not copy it. */
struct app_picture {
    char sentence[160]; /* what the numbers say; "": too little was measured yet, or it is wrong */
    struct app_chart chart;
    struct app_bar bars[APP_PICTURE_BARS]; /* in place of the chart; bar_count 0: none */
    const char *caption;                   /* of the bars: what their lengths are; of a sweep */
    size_t bar_count;
    double full;      /* of the bars; 0: the greatest */
    const char *sure; /* what its intervals are; NULL: their width at 95 % */
    struct app_series series[APP_PICTURE_SERIES];
    struct app_level levels[APP_PICTURE_LEVELS];
    struct app_mark marks[APP_PICTURE_MARKS];
    struct app_band bands[APP_PICTURE_BANDS];
    struct {
        double x[APP_PICTURE_POINTS], y[APP_PICTURE_POINTS], low[APP_PICTURE_POINTS],
            high[APP_PICTURE_POINTS];
    } points[APP_PICTURE_SERIES];
    char texts[2 * (APP_PICTURE_BARS + APP_PICTURE_SERIES) + APP_PICTURE_MARKS + APP_PICTURE_BANDS]
              [APP_PICTURE_TEXT];
    size_t text_count;
};

/* Returns the widest interval of a picture: half of it, in percent of its number; 0: it has none.
 */
double app_picture_widest(const struct app_picture *picture);

/* Make a topic's picture of the probes in `facts`, and draw it below its sentence; false: it has no
 * room. */
void app_picture_make(enum krn_topic topic, const struct app_picture_facts *facts,
                      struct app_picture *picture);
bool app_picture_draw(const struct app_pen *pen, struct ren_rect area, float size,
                      const struct app_picture *picture);

/* --- for topics and sweeps; what has no room in a picture is left out --- */

/* Empties a picture, and returns a copy of a text that it keeps. */
void app_picture_begin(struct app_picture *picture);
const char *app_picture_keep(struct app_picture *picture, const char *text);

void app_picture_axes(struct app_picture *picture, struct app_axis x, struct app_axis y);

/* Adds the measured points of a series of probes, with their intervals, and returns it. */
struct app_series *app_picture_curve(struct app_picture *picture,
                                     const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, enum app_member metric, const char *name,
                                     enum app_ink ink);

/* Add an empty series, whose name is copied, and a point to the last one, unless it is not valid.
 */
struct app_series *app_picture_line(struct app_picture *picture, const char *name,
                                    enum app_ink ink);
void app_picture_point(struct app_picture *picture, double x, struct app_estimate y);

void app_picture_level(struct app_picture *picture, const char *name, double y);

/* Adds a dot whose name is copied. */
void app_picture_mark(struct app_picture *picture, const char *name, enum app_ink ink, double x,
                      double y, bool hollow);

/* Adds a band, whose name is copied. */
void app_picture_band(struct app_picture *picture, const char *name, double low, double high);

/* Adds a bar for a number, with a text behind it; both texts are copied. */
void app_picture_bar(struct app_picture *picture, const char *name, enum app_ink ink,
                     struct app_estimate value, const char *text);

/* Adds a bar for a metric of a probe, with its number. */
void app_picture_metric(struct app_picture *picture, const char *name, enum app_ink ink,
                        const struct app_probes_view *view, const struct app_result *result,
                        enum app_member metric);

/* Writes the sentence unless a number that it rests on, of `count`, is missing or may not be
 * quoted. */
void app_picture_say(struct app_picture *picture, const struct app_estimate *numbers, size_t count,
                     const char *format, ...);
