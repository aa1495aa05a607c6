#include "hud/story/axes.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>

void app_story_span_y(struct ren_axes *axes, double low, double high)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double below = pow(10.0, floor(log10(low))), above = pow(10.0, floor(log10(high)));
    for (int s = 0; s < 3; s++)
        if (below * steps[s] <= low)
            axes->y_low = log10(below * steps[s]);
    for (int s = 3; s >= 1; s--)
        if (above * steps[s] > high)
            axes->y_high = log10(above * steps[s]);
}

double app_story_x(int value, bool logarithmic)
{
    return logarithmic ? log10(value) : value;
}

void app_story_span_x(struct ren_axes *axes, const int *values, int count, bool logarithmic)
{
    const double first = app_story_x(values[0], logarithmic),
                 last = app_story_x(values[count - 1], logarithmic);
    const double pad = count == 1 ? 0.3 : 0.02 * (last - first);
    axes->x_low = first - pad;
    axes->x_high = last + pad;
}

void app_story_levels(const struct app_brush *brush, const struct ren_axes *axes,
                      void (*write)(double value, char *text, size_t size), float size)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const float u = brush->unit, right = axes->area.x + axes->area.w;
    /* Numbers of 1 and 2 times a power of ten stand nearest. */
    const bool wide = log10(2.0) / (axes->y_high - axes->y_low) * axes->area.h < 1.3f * size * u;
    for (int power = (int)floor(axes->y_low) - 1; power <= (int)ceil(axes->y_high); power++)
        for (int s = 0; s < 3; s++) {
            const double at = power + log10(steps[s]);
            if (at < axes->y_low - 1e-9 || at > axes->y_high + 1e-9)
                continue;
            const float y = ren_plot_y(axes, at);
            char text[32];
            write(pow(10.0, power) * steps[s], text, sizeof text);
            ren_list_line(brush->list, axes->area.x, y, right, y, fmaxf(1.0f, u),
                          brush->colours->edge);
            if (s == 0 || !wide)
                app_draw_text(brush, REN_FACE_MONO, size, axes->area.x - 8.0f * u,
                              y + size * u / 3.0f, REN_ALIGN_RIGHT, brush->colours->quiet, text);
        }
}

void app_story_ticks(const struct app_brush *brush, const struct ren_axes *axes, const int *values,
                     int count, bool logarithmic, float size)
{
    const float u = brush->unit, bottom = axes->area.y + axes->area.h, clear = 12.0f * u;
    const int last = count - 1;
    char text[32];
    snprintf(text, sizeof text, "%d", values[last]);
    const float end = ren_plot_x(axes, app_story_x(values[last], logarithmic)) -
                      ren_text_width(brush->renderer, REN_FACE_MONO, size * u, text) / 2.0f;
    float taken = -1e9f;
    for (int i = 0; i <= last; i++) {
        const float x = ren_plot_x(axes, app_story_x(values[i], logarithmic));
        ren_list_line(brush->list, x, axes->area.y, x, bottom + 6.0f * u, fmaxf(1.0f, u),
                      brush->colours->edge);
        snprintf(text, sizeof text, "%d", values[i]);
        const float half = ren_text_width(brush->renderer, REN_FACE_MONO, size * u, text) / 2.0f;
        if (i < last && (x - half < taken + clear || x + half + clear > end))
            continue;
        app_draw_text(brush, REN_FACE_MONO, size, x, bottom + (size + 7.0f) * u, REN_ALIGN_CENTRE,
                      brush->colours->quiet, text);
        taken = x + half;
    }
}
