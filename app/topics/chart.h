/* app/topics/chart.h - pictures of numbers, whatever they are drawn on: a pen, and one chart.
 *
 * A chart is described by values: axes, series, levels, marks. It finds its ranges, its ticks and
 * the places of all its texts, and draws them with a pen: the screen's, or that of a file of SVG.
 * It knows neither OpenGL nor colours: an ink says what a colour means, and the pen has its theme.
 */
#pragma once

#include "krn/mode.h"
#include "ren/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What a colour means. */
enum app_ink {
    APP_INK_TEXT,
    APP_INK_QUIET,
    APP_INK_FAINT, /* of lines; too weak for text */
    APP_INK_GOOD,
    APP_INK_BAD,
    APP_INK_STORAGE,                                     /* and the next ones: of each storage */
    APP_INK_CURVE = APP_INK_STORAGE + KRN_STORAGE_COUNT, /* and the next ones: of what is none */
    APP_INKS = APP_INK_CURVE + 5
};

/* Where shapes and texts go, in pixels, origin top left, y down. */
struct app_pen {
    void (*line)(void *to, const float *xy, size_t n, float width, float dash, enum app_ink ink);
    void (*disc)(void *to, float x, float y, float radius, bool hollow, enum app_ink ink);
    void (*bar)(void *to, struct ren_rect rect, enum app_ink ink);
    /* size: of the type; x is the end that `align` names, y the baseline. */
    void (*text)(void *to, bool bold, float size, float x, float y, enum ren_align align,
                 enum app_ink ink, const char *utf8);
    float (*width)(void *to, bool bold, float size, const char *utf8);
    void *to;
};

/* What the numbers of an axis are. */
enum app_axis_kind {
    APP_AXIS_PLAIN,
    APP_AXIS_TIME, /* ms */
    APP_AXIS_RATE, /* per second */
    APP_AXIS_PERCENT,
    APP_AXIS_BYTES,
    APP_AXIS_FACTOR /* 2 is "2×" */
};

enum app_axis_scale {
    APP_SCALE_LINEAR,
    APP_SCALE_LOG,
    APP_SCALE_POWERS /* logarithmic, with ticks at powers of two */
};

struct app_axis {
    const char *title; /* "": none */
    enum app_axis_kind kind;
    enum app_axis_scale scale;
    double low, high; /* the ends; both 0: found from the data */
};

/* Returns an axis whose ends are found from the data. */
static inline struct app_axis app_axis(const char *title, enum app_axis_kind kind,
                                       enum app_axis_scale scale)
{
    return (struct app_axis){title, kind, scale, 0, 0};
}

struct app_series {
    const char *name;  /* written where the line ends; "": nowhere */
    const char *brief; /* in its place where room is short; NULL: the same, "": none */
    enum app_ink ink;
    const double *x, *y;      /* n of each; a point that is not finite is left out */
    const double *low, *high; /* intervals of y; NULL: there are none */
    size_t n;
    bool dashed;
    bool bare;   /* without dots at its points */
    bool strong; /* the one that the picture is about */
};

/* A horizontal line over the whole width, named at its right end. */
struct app_level {
    const char *name;
    enum app_ink ink;
    double y;
    float dash; /* in sizes of the type; 0: none */
};

/* A dot of its own, such as a published number, with its name beside it. */
struct app_mark {
    const char *name;
    enum app_ink ink;
    double x, y;
    bool hollow;
};

/* A range of x, marked by a line at each end, with its name above. */
struct app_band {
    const char *name;
    double low, high;
};

struct app_chart {
    struct app_axis x, y;
    /* Names of n rows in place of the numbers of y, the first at y = n, the last at 1, and NULL
     * behind them; NULL: there are none. */
    const char *const *rows;
    const struct app_series *series;
    size_t series_count;
    const struct app_level *levels;
    size_t level_count;
    const struct app_mark *marks;
    size_t mark_count;
    bool named; /* a mark whose name has no room is left out, too */
    const struct app_band *bands;
    size_t band_count;
    const char *not_yet; /* said in the middle as long as nothing has a point, over the axes where
                            their ends are known; NULL: APP_NOT_YET, in their place alone */
};

#define APP_NOT_YET "not measured yet"

enum { APP_CHART_LINES_MAX = 32, APP_CHART_TICKS_MAX = 24, APP_CHART_MARKS_MAX = 64 };

/* Draws a chart that fills `area`, with type of `size` pixels. Returns false, and draws nothing,
 * when there is no room. At most APP_CHART_LINES_MAX series and levels are named, and at most
 * APP_CHART_MARKS_MAX marks drawn. */
bool app_chart_draw(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_chart *chart);

/* One row of bars: what its length says is written behind it. */
struct app_bar {
    const char *key; /* before the name: the key that chooses it; "": none */
    const char *name, *text;
    enum app_ink ink;
    double value, low, high; /* 0: not measured yet, and its place stays empty; low and high: 0,
                                there is no interval */
    bool strong;
};

/* Draws rows of bars from the top of `area` below a caption, which says what their lengths are, the
 * last of its parts where room is short, "": none; on one scale from 0 to `full`, 0: to the
 * greatest. Rows and type are larger in a high area, and smaller in one too low for all of them.
 * Returns the height that they take. */
float app_bars_draw(const struct app_pen *pen, struct ren_rect area, float size,
                    const char *caption, double full, const struct app_bar *bars, size_t count);

/* --- SVG --- */

struct app_svg {
    FILE *out;
    bool page; /* it is a part of an HTML page, whose style sheet has the colours by name */
};

/* Begins a picture of that size in pixels, in the colours of a light page, which app_svg_end ends.
 * The pen writes into svg->out; *svg must outlive it. */
struct app_pen app_svg_begin(struct app_svg *svg, float width, float height);
void app_svg_end(struct app_svg *svg);

/* Writes these colours as declarations of a style sheet: "--text:#12151b;". */
void app_svg_colours(FILE *out);
