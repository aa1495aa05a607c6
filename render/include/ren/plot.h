/* ren/plot.h - curves as drawing-list entries: axes, series, markers. Knows no units. */
#ifndef REN_PLOT_H
#define REN_PLOT_H

#include "ren/list.h"

/* A mapping of data to pixels. y_low < y_high, x_low < x_high; linear on both axes: for others map
 * the data first (log2 x, and its ends). */
struct ren_axes {
    struct ren_rect area;
    double x_low, x_high, y_low, y_high;
};

/* One run of samples in one colour: n points (x, y). Not finite: the curve breaks there. Points
 * outside the axes are clipped to the area. */
void ren_plot_curve(struct ren_list *list, const struct ren_axes *axes, const double *x,
                    const double *y, size_t n, float width, ren_colour colour);

/* The same in dashes of `dash` pixels and gaps as long; the dashes go on across the points. */
void ren_plot_dashed(struct ren_list *list, const struct ren_axes *axes, const double *x,
                     const double *y, size_t n, float width, float dash, ren_colour colour);

/* An open circle about (x, y); nothing when the point is not finite or lies outside the axes. */
void ren_plot_circle(struct ren_list *list, const struct ren_axes *axes, double x, double y,
                     float radius, float width, ren_colour colour);

/* A horizontal line at y across the area, dashed, nothing when y lies outside. */
void ren_plot_level(struct ren_list *list, const struct ren_axes *axes, double y, float width,
                    float dash, ren_colour colour);

/* A "nice" upper end (1, 1.5, 2, 3, 5 or 7 times a power of ten) that is >= value; 1 when value is
 * not finite or not positive. */
double ren_plot_nice(double value);

float ren_plot_x(const struct ren_axes *axes, double x);
float ren_plot_y(const struct ren_axes *axes, double y);

#endif
