/* ren/plot.h - appends curves and their markers to a drawing list. Knows no units. */
#ifndef REN_PLOT_H
#define REN_PLOT_H

#include "ren/list.h"

/* A linear mapping of data to pixels; x_low < x_high, y_low < y_high. For another scale, map the
 * data and the ends first (log2 x). */
struct ren_axes {
    struct ren_rect area;
    double x_low, x_high, y_low, y_high;
};

/* Appends a curve through n points (x, y). It breaks at a point that is not finite. Points
 * outside the axes are clipped to the area. */
void ren_plot_curve(struct ren_list *list, const struct ren_axes *axes, const double *x,
                    const double *y, size_t n, float width, ren_colour colour);

/* Appends a dashed horizontal line at y across the area; nothing when y lies outside. */
void ren_plot_level(struct ren_list *list, const struct ren_axes *axes, double y, float width,
                    float dash, ren_colour colour);

/* Returns a round upper end of a scale (1, 1.5, 2, 3, 5 or 7 times a power of ten) that is >=
 * value; 1 when value is not finite or not positive. */
double ren_plot_nice(double value);

float ren_plot_x(const struct ren_axes *axes, double x);
float ren_plot_y(const struct ren_axes *axes, double y);

#endif
