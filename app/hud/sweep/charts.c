#include "hud/sweep/charts.h"

#include "hud/story/axes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In units. The text is larger than that of the story plot: the charts have the whole picture. */
enum {
    TEXT = 18,
    TITLE = 21,
    LEAST_NAME = 13, /* the smallest text of a name */
    LEFT = 88,       /* numbers of y */
    TOP = 48,
    BOTTOM = 66,
    LEADER = 20,     /* from the axes to a name */
    GAP = 36,        /* between two charts */
    NARROWEST = 160, /* axes */
    LOWEST = 80
};

/* From one name to the next, in heights of their text. */
static const float name_step = 1.25f;

/* What is drawn of one line. */
struct drawn {
    const struct app_chart_line *line;
    float end_x, end_y; /* of its last point */
    float name_y;
};

static bool has_point(const struct app_estimate *at)
{
    return at->valid && at->value > 0.0;
}

/* Widens *low and *high to the values of a chart. Returns false when there is none. */
static bool find_values(const struct app_charts *charts, const struct app_chart *chart, double *low,
                        double *high)
{
    bool some = false;
    for (int l = 0; l < chart->count; l++)
        for (int i = 0; i < charts->x_count; i++) {
            const struct app_estimate *at = &chart->lines[l].at[i];
            if (!has_point(at))
                continue;
            *low = fmin(*low, at->value);
            *high = fmax(*high, at->value);
            some = true;
        }
    return some;
}

static void write_name(const struct app_chart_line *line, char *text, size_t size)
{
    snprintf(text, size, "%s%s", line->name, line->wrong ? " ✗" : "");
}

/* Returns the width that a chart needs right of its axes. */
static float names_width(const struct app_brush *brush, const struct app_chart *chart)
{
    const float u = brush->unit;
    float widest = 0.0f;
    for (int l = 0; l < chart->count; l++) {
        char name[64];
        write_name(&chart->lines[l], name, sizeof name);
        widest = fmaxf(widest, ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, TEXT * u, name));
    }
    if (chart->names)
        widest =
            fmaxf(widest, ren_text_width(brush->renderer, REN_FACE_SANS, TEXT * u, chart->names));
    return widest + LEADER * u;
}

/* Returns the end of an interval on the y axis, cut to the axes. */
static float y_of(const struct ren_axes *axes, double value)
{
    return ren_plot_y(axes, fmin(fmax(log10(value), axes->y_low), axes->y_high));
}

/* Draws a line with its points and their intervals, and returns where it ends. */
static struct drawn draw_line(const struct app_brush *brush, const struct ren_axes *axes,
                              const struct app_charts *charts, const struct app_chart_line *line)
{
    const float u = brush->unit, wide = fmaxf(1.5f, 2.5f * u), r = 4.0f * u;
    struct drawn drawn = {.line = line};
    double x[APP_CHART_X], y[APP_CHART_X];
    size_t n = 0;
    for (int i = 0; i < charts->x_count; i++) {
        const struct app_estimate *at = &line->at[i];
        if (!has_point(at))
            continue;
        x[n] = app_story_x(charts->x[i], charts->logarithmic);
        y[n] = log10(at->value);
        drawn.end_x = ren_plot_x(axes, x[n]);
        drawn.end_y = ren_plot_y(axes, y[n]);
        n++;
        if (at->has_interval && at->low > 0.0)
            ren_list_line(brush->list, drawn.end_x, y_of(axes, at->low), drawn.end_x,
                          y_of(axes, at->high), fmaxf(1.0f, u), line->colour);
        ren_list_fill(brush->list,
                      (struct ren_rect){drawn.end_x - r, drawn.end_y - r, 2.0f * r, 2.0f * r},
                      line->dashed ? 0.0f : r, line->colour);
    }
    if (line->dashed)
        ren_plot_dashed(brush->list, axes, x, y, n, wide, 8.0f * u, line->colour);
    else
        ren_plot_curve(brush->list, axes, x, y, n, wide, line->colour);
    return drawn;
}

static int by_end(const void *a, const void *b)
{
    const struct drawn *p = a, *q = b;
    return p->end_y < q->end_y ? -1 : p->end_y > q->end_y;
}

/* Draws the names in the order in which the lines end, each with a thin line to that end. */
static void draw_names(const struct app_brush *brush, const struct ren_axes *axes,
                       const struct app_chart *chart, struct drawn *drawn, int count)
{
    const struct ren_rect *area = &axes->area;
    const float u = brush->unit, x = area->x + area->w + LEADER * u;
    const float step = fminf(1.3f * TEXT * u, area->h / (float)count),
                size = fmaxf(fminf(TEXT, step / u / name_step), LEAST_NAME);
    qsort(drawn, (size_t)count, sizeof *drawn, by_end);
    float next = area->y, most = area->y + area->h;
    for (int i = 0; i < count; i++) {
        drawn[i].name_y = fmaxf(drawn[i].end_y, next);
        next = drawn[i].name_y + step;
    }
    for (int i = count - 1; i >= 0; i--) {
        drawn[i].name_y = fminf(drawn[i].name_y, most);
        most = drawn[i].name_y - step;
    }
    for (int i = 0; i < count; i++) {
        const struct app_chart_line *line = drawn[i].line;
        char name[64];
        write_name(line, name, sizeof name);
        ren_list_line(brush->list, drawn[i].end_x, drawn[i].end_y, x - 4.0f * u, drawn[i].name_y,
                      fmaxf(1.0f, u), brush->colours->faint);
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, x, drawn[i].name_y + 0.35f * size * u,
                      REN_ALIGN_LEFT, line->wrong ? brush->colours->bad : line->colour, name);
    }
    if (chart->names)
        app_draw_text(brush, REN_FACE_SANS, TEXT, x, area->y - 16.0f * u, REN_ALIGN_LEFT,
                      brush->colours->quiet, chart->names);
}

static void draw_chart(const struct app_brush *brush, const struct ren_axes *axes,
                       const struct app_charts *charts, const struct app_chart *chart)
{
    const struct ren_rect *area = &axes->area;
    const float u = brush->unit;
    struct drawn drawn[APP_CHART_LINES];
    int count = 0;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, TITLE, area->x - LEFT * u, area->y - 16.0f * u,
                     area->w + LEFT * u, brush->colours->text, chart->title);
    app_story_levels(brush, axes, chart->write, TEXT);
    app_story_ticks(brush, axes, charts->x, charts->x_count, charts->logarithmic, TEXT);
    const bool whole =
        ren_text_width(brush->renderer, REN_FACE_SANS, TEXT * u, charts->x_title) <= area->w;
    app_draw_text(brush, REN_FACE_SANS, TEXT, area->x + area->w / 2.0f,
                  area->y + area->h + 54.0f * u, REN_ALIGN_CENTRE, brush->colours->text,
                  whole ? charts->x_title : charts->x_short);
    for (int l = 0; l < chart->count; l++) {
        bool some = false;
        for (int i = 0; i < charts->x_count; i++)
            some = some || has_point(&chart->lines[l].at[i]);
        if (some)
            drawn[count++] = draw_line(brush, axes, charts, &chart->lines[l]);
    }
    draw_names(brush, axes, chart, drawn, count);
}

int app_charts_draw(const struct app_brush *brush, struct ren_rect area,
                    const struct app_charts *charts)
{
    const float u = brush->unit;
    const struct app_chart *shown[APP_CHARTS];
    double low[APP_CHARTS], high[APP_CHARTS], least = INFINITY, most = 0.0;
    float names = 0.0f;
    int count = 0, lines = 0;
    for (int c = 0; c < charts->count; c++) {
        low[count] = INFINITY;
        high[count] = 0.0;
        if (!find_values(charts, &charts->charts[c], &low[count], &high[count]))
            continue;
        least = fmin(least, low[count]);
        most = fmax(most, high[count]);
        names = fmaxf(names, names_width(brush, &charts->charts[c]));
        lines = charts->charts[c].count > lines ? charts->charts[c].count : lines;
        shown[count++] = &charts->charts[c];
    }
    if (count == 0)
        return 0;
    /* Every chart has the same size, so that slopes compare: side by side, one above another, or
     * the last one alone. */
    const float lowest = fmaxf(LOWEST, name_step * LEAST_NAME * (float)lines);
    const float least_w = names + (LEFT + NARROWEST) * u, least_h = (TOP + BOTTOM + lowest) * u;
    const float n = (float)count, gaps = (n - 1.0f) * GAP * u;
    const bool beside = area.w - gaps >= n * least_w, above = !beside && area.h >= n * least_h;
    const int first = beside || above ? 0 : count - 1;
    const float w = beside ? (area.w - gaps) / n : area.w, h = above ? area.h / n : area.h;
    if (w < least_w || h < least_h)
        return 0;
    for (int c = first; c < count; c++) {
        const float at = (float)(c - first);
        struct ren_axes axes;
        memset(&axes, 0, sizeof axes);
        axes.area = (struct ren_rect){area.x + LEFT * u + (beside ? at * (w + GAP * u) : 0.0f),
                                      area.y + TOP * u + (above ? at * h : 0.0f),
                                      w - names - LEFT * u, h - (TOP + BOTTOM) * u};
        app_story_span_y(&axes, charts->same_y ? least : low[c], charts->same_y ? most : high[c]);
        app_story_span_x(&axes, charts->x, charts->x_count, charts->logarithmic);
        draw_chart(brush, &axes, charts, shown[c]);
    }
    return count - first;
}
