/* Clips curves to their area, in runs of finite points. */
#include "ren/list.h"

#include <math.h>

float ren_plot_x(const struct ren_axes *axes, double x)
{
    double t = (x - axes->x_low) / (axes->x_high - axes->x_low);
    return (float)(axes->area.x + t * axes->area.w);
}

float ren_plot_y(const struct ren_axes *axes, double y)
{
    double t = (y - axes->y_low) / (axes->y_high - axes->y_low);
    return (float)(axes->area.y + (1.0 - t) * axes->area.h);
}

double ren_plot_nice(double value)
{
    static const double steps[] = {1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0};
    if (!isfinite(value) || value <= 0.0)
        return 1.0;
    double power = pow(10.0, floor(log10(value)));
    if (power == 0.0) /* the power of ten underflows */
        return value;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        double nice = steps[i] * power;
        if (nice >= value)
            return isfinite(nice) ? nice : value;
    }
    return 10.0 * power >= value ? 10.0 * power : value;
}

/* Clips a segment to the area (Liang and Barsky); returns false when it lies outside. */
static bool clip(const struct ren_rect *area, double p[4])
{
    double dx = p[2] - p[0], dy = p[3] - p[1], enter = 0.0, leave = 1.0;
    double right = (double)area->x + (double)area->w, bottom = (double)area->y + (double)area->h;
    const double step[4] = {-dx, dx, -dy, dy};
    const double room[4] = {p[0] - (double)area->x, right - p[0], p[1] - (double)area->y,
                            bottom - p[1]};
    for (int i = 0; i < 4; i++) {
        if (step[i] == 0.0) {
            if (room[i] < 0.0)
                return false;
            continue;
        }
        double t = room[i] / step[i];
        if (step[i] < 0.0)
            enter = fmax(enter, t);
        else
            leave = fmin(leave, t);
    }
    if (enter > leave)
        return false;
    p[2] = p[0] + leave * dx;
    p[3] = p[1] + leave * dy;
    p[0] += enter * dx;
    p[1] += enter * dy;
    return true;
}

enum { RUN_MAX = 256 };

/* Collects consecutive points into one polyline, so that their joints are round. */
struct run {
    struct ren_list *list;
    float width;
    ren_colour colour;
    size_t n;
    float xy[2 * RUN_MAX];
};

static void run_flush(struct run *run)
{
    if (run->n > 0)
        ren_list_polyline(run->list, run->xy, run->n, run->width, run->colour);
    run->n = 0;
}

static void run_add(struct run *run, double x, double y)
{
    if (run->n == RUN_MAX) {
        float last[2] = {run->xy[2 * RUN_MAX - 2], run->xy[2 * RUN_MAX - 1]};
        run_flush(run);
        run->xy[0] = last[0];
        run->xy[1] = last[1];
        run->n = 1;
    }
    run->xy[2 * run->n] = (float)x;
    run->xy[2 * run->n + 1] = (float)y;
    run->n++;
}

void ren_plot_curve(struct ren_list *list, const struct ren_axes *axes, const double *x,
                    const double *y, size_t n, float width, ren_colour colour)
{
    const struct ren_rect *area = &axes->area;
    double x_scale = area->w / (axes->x_high - axes->x_low);
    double y_scale = area->h / (axes->y_high - axes->y_low);
    if (!isfinite(x_scale) || !isfinite(y_scale))
        return;
    struct run run = {.list = list, .width = width, .colour = colour};
    bool have = false, joined = false; /* a previous point exists; it is part of the run */
    double px0 = 0, py0 = 0;
    for (size_t i = 0; i < n; i++) {
        double px = area->x + (x[i] - axes->x_low) * x_scale;
        double py = area->y + area->h - (y[i] - axes->y_low) * y_scale;
        if (!isfinite(px) || !isfinite(py)) {
            have = false;
            joined = false;
            run_flush(&run);
            continue;
        }
        /* A sample between two gaps becomes a segment of no length. */
        bool alone = !have && (i + 1 == n || !isfinite(x[i + 1]) || !isfinite(y[i + 1]));
        double cut[4] = {have ? px0 : px, have ? py0 : py, px, py};
        if ((have || alone) && clip(area, cut)) {
            bool entered = cut[0] != px0 || cut[1] != py0;
            if (!joined || entered) {
                run_flush(&run);
                run_add(&run, cut[0], cut[1]);
            }
            run_add(&run, cut[2], cut[3]);
            joined = cut[2] == px && cut[3] == py;
        } else {
            joined = false;
        }
        have = true;
        px0 = px;
        py0 = py;
    }
    run_flush(&run);
}

void ren_plot_level(struct ren_list *list, const struct ren_axes *axes, double y, float width,
                    float dash, ren_colour colour)
{
    if (!(y >= axes->y_low && y <= axes->y_high))
        return;
    /* Aligned to the pixel grid, a thin line is as dark as a thick one. */
    float thick = fmaxf(roundf(width), 1.0f);
    float top = roundf(ren_plot_y(axes, y) - thick / 2);
    float right = axes->area.x + axes->area.w;
    float step = dash > 0.0f ? fmaxf(2 * dash, 2.0f) : axes->area.w;
    float length = dash > 0.0f ? fmaxf(dash, 1.0f) : axes->area.w;
    for (float x = axes->area.x; x < right && step > 0.0f; x += step)
        ren_list_fill(list, (struct ren_rect){x, top, fminf(length, right - x), thick}, 0, colour);
}
