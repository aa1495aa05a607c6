/* app/hud/sweep/picture.h - draws the plot of a sweep's record over the whole picture. */
#ifndef APP_SWEEP_PICTURE_H
#define APP_SWEEP_PICTURE_H

#include "hud/draw.h"
#include "judge/estimate.h"
#include "print/sweep.h"

#include "krn/mode.h"

#include <stdbool.h>

/* Draws a title, what was measured on which device, and the curves: in the book view kernel time
 * against the spheres, for each kernel and storage. In the light view, time and rays per second
 * against the spheres or the bounces, for each kernel and storage; when both vary, rays per second
 * against the spheres, for up to five numbers of bounces, a chart per kernel. `state` has the
 * picture's size. */
void app_sweep_picture(const struct app_brush *brush, float width, float height,
                       const struct app_results *results, const struct app_sweep *sweep,
                       const struct app_state *state);

enum {
    APP_CHARTS = 2,
    APP_CHART_X = 24, /* values of x */
    APP_CHART_LINES = KRN_KERNEL_COUNT * KRN_STORAGE_COUNT
};

struct app_chart_line {
    char name[40];
    ren_colour colour;
    bool dashed;
    bool wrong;                          /* a picture is wrong: the name gets a mark */
    struct app_estimate at[APP_CHART_X]; /* by x; not valid: no point */
};

struct app_sweep_chart {
    char title[96];
    const char *names; /* heads the names of the lines; NULL: they need none */
    void (*write)(double value, char *text, size_t size); /* a number of y */
    struct app_chart_line lines[APP_CHART_LINES];
    int count;
};

/* All charts have the same x. */
struct app_charts {
    int x[APP_CHART_X]; /* ascending */
    int x_count;        /* 1 at least */
    bool logarithmic;   /* x; y always is */
    bool same_y;        /* every chart has the same range of y, so that heights compare */
    const char *x_title, *x_short; /* the short one where the axis is narrow */
    struct app_sweep_chart charts[APP_CHARTS];
    int count;
};

#endif
