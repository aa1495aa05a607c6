/* Draws a chart with a pen: axes, ticks, and a place for every name that hides no line. */
#include "topics/chart.h"

#include "base/numbers.h"
#include "base/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In sizes of the type. */
static const float line_height = 1.3f, tick_gap = 0.5f, name_gap = 0.7f, wide = 0.17f,
                   strong_wide = 0.27f, dot = 0.27f, hair = 0.075f;

/* --- axes --- */

struct tick {
    double at;
    char text[24]; /* "": a line without a number */
};

/* An axis with its ends and ticks. */
struct ruler {
    const struct app_axis *axis;
    double low, high; /* on its scale */
    struct tick ticks[APP_CHART_TICKS_MAX];
    size_t count;
};

/* Returns a value on the axis' scale. NaN: it has none. */
static double scaled(const struct app_axis *axis, double value)
{
    return axis->scale == APP_SCALE_LINEAR ? value : value > 0.0 ? log10(value) : NAN;
}

/* Widens the ends, on the axis' scale, by a value. */
static void widen(const struct app_axis *axis, double value, double *low, double *high)
{
    const double at = scaled(axis, value);
    if (!isfinite(at))
        return;
    *low = fmin(*low, at);
    *high = fmax(*high, at);
}

/* Returns the largest of 1, 2, 5 times a power of ten that is at most `value`; up: the least that
 * is at least it. */
static double round_step(double value, bool up)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    const double power = pow(10.0, floor(log10(value) + 1e-9)), share = value / power;
    double step = 1.0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (up && steps[i] >= share * (1.0 - 1e-9))
            return steps[i] * power;
        if (steps[i] <= share * (1.0 + 1e-9))
            step = steps[i];
    }
    return step * power;
}

static const double beyond = 1.02;

/* Rounds the ends outwards. */
static void round_ends(struct ruler *ruler, double low, double high)
{
    const struct app_axis *axis = ruler->axis;
    if (axis->scale == APP_SCALE_LINEAR) {
        const double most = high > 0.0 ? high : 1.0;
        ruler->low = fmin(low, 0.0);
        ruler->high =
            round_step(most / 5.0, true) * ceil(most / round_step(most / 5.0, true) - 1e-9);
    } else if (axis->scale == APP_SCALE_POWERS) {
        ruler->low = low;
        ruler->high = high > low ? high : low + log10(2.0);
    } else {
        /* A value a little beyond a round one is drawn on it. */
        ruler->low = log10(round_step(beyond * pow(10.0, low), false));
        ruler->high = log10(round_step(pow(10.0, high) / beyond, true));
        if (!(ruler->high > ruler->low))
            ruler->high = ruler->low + 1.0;
    }
}

/* Returns false when there is nothing to draw on the axis, nor ends for it. */
static bool find_ends(struct ruler *ruler, const struct app_chart *chart, bool is_x)
{
    const struct app_axis *axis = ruler->axis;
    double low = INFINITY, high = -INFINITY;
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct app_series *series = &chart->series[s];
        for (size_t i = 0; i < series->n; i++) {
            if (!isfinite(series->x[i]) || !isfinite(series->y[i]))
                continue;
            widen(axis, is_x ? series->x[i] : series->y[i], &low, &high);
            if (!is_x && series->low)
                widen(axis, series->low[i], &low, &high);
            if (!is_x && series->high)
                widen(axis, series->high[i], &low, &high);
        }
    }
    for (size_t i = 0; i < chart->level_count && !is_x; i++)
        widen(axis, chart->levels[i].y, &low, &high);
    for (size_t i = 0; i < chart->mark_count; i++)
        widen(axis, is_x ? chart->marks[i].x : chart->marks[i].y, &low, &high);
    const bool some = low <= high, given = axis->low < axis->high;
    if (!some)
        low = high = axis->scale == APP_SCALE_LINEAR ? 1.0 : 0.0;
    round_ends(ruler, low, high);
    if (given) {
        ruler->low = scaled(axis, axis->low);
        ruler->high = scaled(axis, axis->high);
    }
    return some || given;
}

static void write_tick(const struct app_axis *axis, double value, char *text, size_t size)
{
    static void (*const writers[])(double value, char *text,
                                   size_t size) = {[APP_AXIS_TIME] = app_number_time_tick,
                                                   [APP_AXIS_RATE] = app_number_rate_tick,
                                                   [APP_AXIS_BYTES] = app_number_bytes,
                                                   [APP_AXIS_FACTOR] = NULL};
    if (writers[axis->kind] != NULL)
        writers[axis->kind](value, text, size);
    else
        app_format(text, size,
                   axis->kind == APP_AXIS_PERCENT  ? "%.3g %%"
                   : axis->kind == APP_AXIS_FACTOR ? "%.3g×"
                   : value >= 1e6                  ? "%.3g"
                                                   : "%.6g",
                   value);
}

/* Adds a tick that lies on the axis. */
static void add_tick(struct ruler *ruler, double value, bool named)
{
    const double at = scaled(ruler->axis, value), end = 1e-6 * (ruler->high - ruler->low);
    struct tick *tick = &ruler->ticks[ruler->count];
    if (at < ruler->low - end || at > ruler->high + end || ruler->count == APP_CHART_TICKS_MAX)
        return;
    tick->at = at;
    tick->text[0] = '\0';
    /* Zero in a unit reads as a plain one. */
    if (named && value == 0.0)
        memcpy(tick->text, "0", sizeof "0");
    else if (named)
        write_tick(ruler->axis, value, tick->text, sizeof tick->text);
    ruler->count++;
}

/* Chooses ticks of which `most` may have a number. */
static void find_ticks(struct ruler *ruler, double most)
{
    const double span = ruler->high - ruler->low;
    ruler->count = 0;
    if (ruler->axis->scale == APP_SCALE_LINEAR) {
        const double step = round_step(span / fmax(most, 1.0), true);
        for (double at = ceil(ruler->low / step - 1e-9); at * step <= ruler->high + 1e-9 * span;
             at++)
            add_tick(ruler, at * step, true);
        return;
    }
    if (ruler->axis->scale == APP_SCALE_POWERS) {
        const double two = log10(2.0), every = fmax(1.0, ceil(span / two / fmax(most, 1.0)));
        for (double at = ceil(ruler->low / two - 1e-9); at * two <= ruler->high + 1e-9; at += every)
            add_tick(ruler, pow(2.0, at), true);
        return;
    }
    /* 1, 2 and 5 of every power of ten; the powers alone; or every second of them, and so on. */
    static const double parts[] = {1.0, 2.0, 5.0};
    const bool all = 3.0 * span <= most;
    const double every = fmax(1.0, ceil(span / fmax(most, 1.0)));
    for (double power = floor(ruler->low); power <= ruler->high + 1e-9; power++)
        for (size_t i = 0; i < (all ? 3u : 1u); i++)
            add_tick(ruler, parts[i] * pow(10.0, power), fmod(power, every) == 0.0);
}

/* Puts a tick with its name at each row. */
static void name_rows(struct ruler *ruler, const char *const *rows)
{
    int n = 0;
    while (rows[n] != NULL)
        n++;
    for (ruler->count = 0; n > 0; n--, rows++) {
        struct tick *tick = &ruler->ticks[ruler->count];
        add_tick(ruler, n, false);
        snprintf(tick->text, sizeof tick->text, "%s", *rows);
    }
}

static float widest_tick(const struct app_pen *pen, const struct ruler *ruler, float size)
{
    float widest = 0.0f;
    for (size_t i = 0; i < ruler->count; i++)
        widest = fmaxf(widest, pen->width(pen->to, false, size, ruler->ticks[i].text));
    return widest;
}

/* --- drawing --- */

/* A chart being drawn. */
struct plot {
    const struct app_pen *pen;
    const struct app_chart *chart;
    float size;
    struct ren_rect whole, area; /* with and within the axes */
    bool low;                    /* the titles of both axes share the line below */
    struct ruler x, y;
    struct ren_rect names[APP_CHART_LINES_MAX]; /* of levels, within the axes */
    size_t name_count;
};

static float place(const struct ruler *ruler, double at)
{
    return (float)((at - ruler->low) / (ruler->high - ruler->low));
}

static float x_of(const struct plot *plot, double x)
{
    return plot->area.x + place(&plot->x, scaled(plot->x.axis, x)) * plot->area.w;
}

/* Cuts to the axes, as the end of an interval may lie beyond. */
static float y_of(const struct plot *plot, double y)
{
    const float share = place(&plot->y, scaled(plot->y.axis, y));
    return plot->area.y + plot->area.h * (1.0f - fminf(fmaxf(share, 0.0f), 1.0f));
}

static bool has_point(const struct plot *plot, double x, double y)
{
    const double at_x = scaled(plot->x.axis, x), at_y = scaled(plot->y.axis, y);
    const double end_x = 0.02 * (plot->x.high - plot->x.low),
                 end_y = 0.02 * (plot->y.high - plot->y.low);
    return at_x >= plot->x.low - end_x && at_x <= plot->x.high + end_x &&
           at_y >= plot->y.low - end_y && at_y <= plot->y.high + end_y;
}

static void stroke(const struct plot *plot, float x0, float y0, float x1, float y1, float width,
                   float dash, enum app_ink ink)
{
    const float xy[] = {x0, y0, x1, y1};
    plot->pen->line(plot->pen->to, xy, 2, fmaxf(1.0f, width * plot->size), dash * plot->size, ink);
}

/* Returns true when numbers of that width do not fit below the x axis. */
static bool crowded(const struct plot *plot, float width)
{
    double last = -INFINITY;
    for (size_t i = 0; i < plot->x.count; i++) {
        const double x = place(&plot->x, plot->x.ticks[i].at) * plot->area.w;
        if (plot->x.ticks[i].text[0] == '\0')
            continue;
        if (x - last < width + 0.5 * plot->size)
            return true;
        last = x;
    }
    return false;
}

/* Returns the size, at most `size`, at which a text fits into a width. */
static float fitting(const struct app_pen *pen, bool bold, float size, const char *text, float room)
{
    return size * fminf(1.0f, room / fmaxf(pen->width(pen->to, bold, size, text), 1.0f));
}

/* Writes the title of an axis, smaller where that makes it fit; one that is far too wide is left
 * out. Returns its width. */
static float write_title(const struct plot *plot, const char *title, float x, float y,
                         enum ren_align align, float room)
{
    static const float least = 0.95f;
    const struct app_pen *pen = plot->pen;
    const float size = fitting(pen, false, plot->size, title, room);
    if (size < least * plot->size)
        return 0.0f;
    pen->text(pen->to, false, size, x, y, align, APP_INK_QUIET, title);
    return pen->width(pen->to, false, size, title);
}

/* Draws the grid, the numbers and the titles. */
static void draw_axes(const struct plot *plot)
{
    const struct app_pen *pen = plot->pen;
    const struct ren_rect *area = &plot->area;
    const float size = plot->size, bottom = area->y + area->h, right = area->x + area->w;
    for (size_t i = 0; i < plot->y.count; i++) {
        const struct tick *tick = &plot->y.ticks[i];
        const float y = area->y + area->h * (1.0f - place(&plot->y, tick->at));
        stroke(plot, area->x, y, right, y, hair, 0.0f, APP_INK_FAINT);
        pen->text(pen->to, false, size, area->x - tick_gap * size, y + 0.36f * size,
                  REN_ALIGN_RIGHT, APP_INK_QUIET, tick->text);
    }
    for (size_t i = 0; i < plot->x.count; i++) {
        const struct tick *tick = &plot->x.ticks[i];
        const float x = area->x + area->w * place(&plot->x, tick->at);
        stroke(plot, x, bottom, x, bottom + 0.3f * size, hair, 0.0f, APP_INK_QUIET);
        const float half = 0.5f * pen->width(pen->to, false, size, tick->text);
        pen->text(pen->to, false, size, fmaxf(x, plot->whole.x + half), bottom + 1.35f * size,
                  REN_ALIGN_CENTRE, APP_INK_QUIET, tick->text);
    }
    stroke(plot, area->x, bottom, right, bottom, hair, 0.0f, APP_INK_QUIET);
    const char *across = plot->x.axis->title;
    char up[96];
    app_format(up, sizeof up, plot->low && plot->y.axis->title[0] ? "↑ %s" : "%s",
               plot->y.axis->title);
    const float room = right - plot->whole.x, title = bottom + (1.35f + line_height) * size;
    const float taken = write_title(plot, across, right, title, REN_ALIGN_RIGHT, room);
    if (plot->low)
        write_title(plot, up, plot->whole.x, title, REN_ALIGN_LEFT, room - taken - size);
    else
        write_title(plot, up, area->x, area->y - 0.75f * size, REN_ALIGN_LEFT,
                    plot->whole.x + plot->whole.w - area->x);
}

/* The name of a line, and where the line ends. */
struct ending {
    const char *name;
    enum app_ink ink;
    bool strong;
    float x, y, name_y;
};

static int by_height(const void *a, const void *b)
{
    const struct ending *p = a, *q = b;
    return p->y < q->y ? -1 : p->y > q->y;
}

/* Draws a series; returns false when it has no point on the axes. */
static bool draw_series(const struct plot *plot, const struct app_series *series,
                        struct ending *ending)
{
    const struct app_pen *pen = plot->pen;
    const float size = plot->size, width = (series->strong ? strong_wide : wide) * size;
    float *xy = calloc(series->n + 1, 2 * sizeof *xy);
    size_t n = 0;
    for (size_t i = 0; xy != NULL && i < series->n; i++) {
        if (!has_point(plot, series->x[i], series->y[i]))
            continue;
        const float x = x_of(plot, series->x[i]), y = y_of(plot, series->y[i]);
        xy[2 * n] = x;
        xy[2 * n++ + 1] = y;
        if (series->low && series->high && series->low[i] > 0.0)
            stroke(plot, x, y_of(plot, series->low[i]), x, y_of(plot, series->high[i]), hair, 0.0f,
                   series->ink);
    }
    if (n > 1)
        pen->line(pen->to, xy, n, width, series->dashed ? 0.6f * size : 0.0f, series->ink);
    /* Where points are dense, the line alone is clearer. */
    const bool sparse = n > 0 && plot->area.w / (float)n > 1.2f * size;
    for (size_t i = 0; i < n && !series->bare && (sparse || n == 1); i++)
        pen->disc(pen->to, xy[2 * i], xy[2 * i + 1], (series->strong ? 1.3f : 1.0f) * dot * size,
                  false, series->ink);
    if (n > 0)
        *ending = (struct ending){
            .ink = series->ink, .strong = series->strong, .x = xy[2 * n - 2], .y = xy[2 * n - 1]};
    if (n > 0 && plot->chart->rows != NULL) { /* the row's line leads to its name */
        ending->x = plot->area.x + plot->area.w;
        ending->y = y_of(plot, round(series->y[series->n - 1]));
    }
    free(xy);
    return n > 0;
}

/* Writes the names in the order in which the lines end, none over another, as near to the ends as
 * that allows; a thin line leads to an end that is far. Where there is no room for all, the last
 * ones of the list are left out, the strong ones last. */
static void draw_names(const struct plot *plot, struct ending *endings, size_t count)
{
    const struct app_pen *pen = plot->pen;
    const struct ren_rect *area = &plot->area;
    const float size = plot->size, right = area->x + area->w, x = right + name_gap * size;
    const float step = 1.1f * size;
    const size_t room = (size_t)(area->h / step) + 1;
    float next = area->y, most = area->y + area->h;
    for (size_t i = count; i-- > 0 && count > room;)
        if (!endings[i].strong)
            memmove(&endings[i], &endings[i + 1], (--count - i) * sizeof *endings);
    count = count < room ? count : room;
    qsort(endings, count, sizeof *endings, by_height);
    for (size_t i = 0; i < count; i++) {
        endings[i].name_y = fmaxf(endings[i].y, next);
        next = endings[i].name_y + step;
    }
    for (size_t i = count; i-- > 0;) {
        endings[i].name_y = fminf(endings[i].name_y, most);
        most = endings[i].name_y - step;
    }
    for (size_t i = 0; i < count; i++) {
        const struct ending *e = &endings[i];
        if (e->x < right - size || fabsf(e->name_y - e->y) > 0.6f * size)
            stroke(plot, e->x + 0.4f * size, e->y, x - 0.2f * size, e->name_y, hair, 0.0f,
                   APP_INK_FAINT);
        pen->text(pen->to, e->strong, size, x, e->name_y + 0.36f * size, REN_ALIGN_LEFT, e->ink,
                  e->name);
    }
}

static bool overlap(struct ren_rect a, struct ren_rect b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/* Returns true when a straight line touches a box (Liang and Barsky's clipping). */
static bool touches(const float a[2], const float b[2], struct ren_rect box)
{
    const float d[2] = {b[0] - a[0], b[1] - a[1]}, low[2] = {box.x, box.y},
                high[2] = {box.x + box.w, box.y + box.h};
    float enter = 0.0f, leave = 1.0f;
    for (int i = 0; i < 2; i++) {
        if (d[i] == 0.0f) {
            if (a[i] < low[i] || a[i] > high[i])
                return false;
            continue;
        }
        const float t0 = (low[i] - a[i]) / d[i], t1 = (high[i] - a[i]) / d[i];
        enter = fmaxf(enter, fminf(t0, t1));
        leave = fminf(leave, fmaxf(t0, t1));
    }
    return enter <= leave;
}

/* Returns true when a line of the chart touches a box. */
static bool on_line(const struct plot *plot, struct ren_rect box)
{
    const struct app_chart *chart = plot->chart;
    for (size_t s = 0; s < chart->series_count; s++) {
        const struct app_series *series = &chart->series[s];
        float last[2];
        bool has_last = false;
        for (size_t i = 0; i < series->n; i++) {
            if (!has_point(plot, series->x[i], series->y[i]))
                continue;
            const float at[2] = {x_of(plot, series->x[i]), y_of(plot, series->y[i])};
            if (has_last && touches(last, at, box))
                return true;
            memcpy(last, at, sizeof last);
            has_last = true;
        }
    }
    const size_t rows = chart->rows != NULL ? plot->y.count : 0;
    for (size_t i = 0; i < chart->level_count + rows; i++) {
        const float y =
            i >= rows ? y_of(plot, chart->levels[i - rows].y)
                      : plot->area.y + plot->area.h * (1.0f - place(&plot->y, plot->y.ticks[i].at));
        if (y >= box.y && y <= box.y + box.h)
            return true;
    }
    for (size_t i = 0; i < chart->band_count; i++)
        for (int end = 0; end < 2; end++) {
            const struct app_band *band = &chart->bands[i];
            const float x = x_of(plot, end ? band->high : band->low);
            if (x >= box.x && x <= box.x + box.w)
                return true;
        }
    return false;
}

static bool within(const struct plot *plot, struct ren_rect box)
{
    const struct ren_rect *area = &plot->area;
    return box.x >= area->x && box.x + box.w <= area->x + area->w && box.y >= area->y &&
           box.y + box.h <= area->y + area->h;
}

/* Draws the dots of their own, and beside each its name, where no line, dot or name is; a name that
 * has no place is left out, and in a chart of named marks its dot. */
static void draw_marks(const struct plot *plot)
{
    enum { BOXES = 2 * APP_CHART_MARKS_MAX + APP_CHART_LINES_MAX };
    const struct app_chart *chart = plot->chart;
    const struct app_pen *pen = plot->pen;
    const float size = plot->size, radius = 1.3f * dot * size;
    struct ren_rect boxes[BOXES];
    size_t count = plot->name_count;
    memcpy(boxes, plot->names, count * sizeof *boxes);
    for (size_t i = 0; i < chart->mark_count && i < APP_CHART_MARKS_MAX; i++) {
        const struct app_mark *mark = &chart->marks[i];
        if (!has_point(plot, mark->x, mark->y))
            continue;
        const float x = x_of(plot, mark->x), y = y_of(plot, mark->y);
        boxes[count++] = (struct ren_rect){x - radius, y - radius, 2.0f * radius, 2.0f * radius};
        if (!chart->named)
            pen->disc(pen->to, x, y, radius, mark->hollow, mark->ink);
    }
    for (size_t i = 0; i < chart->mark_count && i < APP_CHART_MARKS_MAX; i++) {
        const struct app_mark *mark = &chart->marks[i];
        if (mark->name[0] == '\0' || !has_point(plot, mark->x, mark->y))
            continue;
        /* Right, left, above, below, aslant; then farther away. */
        static const float ways[][2] = {{1, 0},   {-1, 0}, {0, -1}, {0, 1},
                                        {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
        static const size_t count_ways = sizeof ways / sizeof *ways;
        const float x = x_of(plot, mark->x), y = y_of(plot, mark->y),
                    length = pen->width(pen->to, false, size, mark->name);
        for (size_t way = 0; way < 3 * count_ways; way++) {
            const float *to = ways[way % count_ways],
                        away = 0.5f * (float)(way / count_ways) * size;
            const struct ren_rect box = {
                x - 0.5f * length + to[0] * (0.5f * length + 0.6f * size + away),
                y - 0.5f * size + to[1] * (1.1f * size + away), length, size};
            bool free = within(plot, box) && !on_line(plot, box);
            for (size_t b = 0; b < count && free; b++)
                free = !overlap(boxes[b], box);
            if (!free)
                continue;
            boxes[count++] = box;
            if (chart->named)
                pen->disc(pen->to, x, y, radius, mark->hollow, mark->ink);
            pen->text(pen->to, false, size, box.x, box.y + 0.86f * size, REN_ALIGN_LEFT, mark->ink,
                      mark->name);
            break;
        }
    }
}

/* Returns a line's name, or the one for where room is short. */
static const char *name_of(const struct app_series *series, bool brief)
{
    return brief && series->brief ? series->brief : series->name;
}

/* Returns the width of the widest name. */
static float names_width(const struct app_pen *pen, const struct app_chart *chart, bool brief,
                         float size)
{
    float widest = 0.0f;
    for (size_t i = 0; i < chart->series_count; i++)
        widest = fmaxf(widest, pen->width(pen->to, chart->series[i].strong, size,
                                          name_of(&chart->series[i], brief)));
    for (size_t i = 0; i < chart->level_count; i++)
        widest = fmaxf(widest, pen->width(pen->to, false, size, chart->levels[i].name));
    return widest > 0.0f ? widest + name_gap * size : 0.0f;
}

/* Draws the bands with their names above the axes, right of the title, as far as there is room. */
static void draw_bands(const struct plot *plot)
{
    const struct app_chart *chart = plot->chart;
    const struct app_pen *pen = plot->pen;
    const struct ren_rect *area = &plot->area;
    const float size = plot->size;
    float from = area->x + pen->width(pen->to, false, size, chart->y.title) + size;
    for (size_t i = 0; i < chart->band_count; i++) {
        const struct app_band *band = &chart->bands[i];
        const float x0 = x_of(plot, band->low), x1 = x_of(plot, band->high),
                    wide_name = pen->width(pen->to, false, size, band->name),
                    x = fminf(fmaxf(0.5f * (x0 + x1 - wide_name), from),
                              area->x + area->w - wide_name);
        if (!(x0 > area->x && x1 < area->x + area->w))
            continue;
        stroke(plot, x0, area->y, x0, area->y + area->h, hair, 0.0f, APP_INK_FAINT);
        stroke(plot, x1, area->y, x1, area->y + area->h, hair, 0.0f, APP_INK_FAINT);
        if (x < from || plot->low) /* low: there is no line above the axes */
            continue;
        pen->text(pen->to, false, size, x, area->y - 0.75f * size, REN_ALIGN_LEFT, APP_INK_QUIET,
                  band->name);
        from = x + wide_name + size;
    }
}

/* Writes the name of a level above its left end. Returns false when something is in the way there.
 */
static bool name_level(struct plot *plot, const struct app_level *level, float y)
{
    const struct app_pen *pen = plot->pen;
    const float size = plot->size;
    const struct ren_rect box = {plot->area.x + 0.5f * size, y - 1.2f * size,
                                 pen->width(pen->to, false, size, level->name), size};
    bool free = level->name[0] && box.y > plot->area.y && !on_line(plot, box) &&
                plot->name_count < APP_CHART_LINES_MAX;
    for (size_t i = 0; i < plot->chart->mark_count && free; i++) {
        const struct app_mark *mark = &plot->chart->marks[i];
        free = !overlap((struct ren_rect){x_of(plot, mark->x) - size, y_of(plot, mark->y) - size,
                                          2.0f * size, 2.0f * size},
                        box);
    }
    if (!free)
        return false;
    plot->names[plot->name_count++] = box;
    pen->text(pen->to, false, size, box.x, y - 0.4f * size, REN_ALIGN_LEFT, level->ink,
              level->name);
    return true;
}

static void say_not_yet(const struct app_pen *pen, struct ren_rect area, float size,
                        const struct app_chart *chart)
{
    pen->text(pen->to, false, size, area.x + 0.5f * area.w, area.y + 0.5f * area.h,
              REN_ALIGN_CENTRE, APP_INK_QUIET, chart->not_yet ? chart->not_yet : APP_NOT_YET);
}

bool app_chart_draw(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_chart *chart)
{
    struct plot plot = {.pen = pen, .chart = chart, .size = size, .whole = area};
    struct ending endings[APP_CHART_LINES_MAX];
    size_t count = 0;
    plot.x.axis = &chart->x;
    plot.y.axis = &chart->y;
    const bool across = find_ends(&plot.x, chart, true), up = find_ends(&plot.y, chart, false);
    if (!across || !up) {
        say_not_yet(pen, area, size, chart);
        return true;
    }
    const bool titled = chart->x.title[0] || chart->y.title[0];
    plot.low = titled && area.h < 9.5f * size;
    const float above = (!plot.low && chart->y.title[0] ? 0.75f + line_height : 0.5f) * size,
                below = (plot.low || chart->x.title[0] ? 1.5f + line_height : 1.7f) * size;
    if (chart->rows != NULL)
        name_rows(&plot.y, chart->rows);
    else
        find_ticks(&plot.y, (area.h - above - below) / (2.2f * size));
    const bool brief = names_width(pen, chart, false, size) > 0.3f * area.w;
    const float left = widest_tick(pen, &plot.y, size) + tick_gap * size,
                names = fmaxf(names_width(pen, chart, brief, size), 0.8f * size);
    plot.area = (struct ren_rect){area.x + left, area.y + above, area.w - left - names,
                                  area.h - above - below};
    const float least = chart->rows != NULL ? fmaxf(2.0f, 1.3f * (float)plot.y.count) : 2.0f;
    if (plot.area.w < 4.0f * size || plot.area.h < least * size)
        return false;
    double most = plot.area.w / (3.0f * size);
    do
        find_ticks(&plot.x, most);
    while (crowded(&plot, widest_tick(pen, &plot.x, size)) && (most *= 0.8) >= 1.0);
    draw_axes(&plot);
    draw_bands(&plot);
    for (size_t i = 0; i < chart->level_count; i++) {
        const struct app_level *level = &chart->levels[i];
        const float y = y_of(&plot, level->y), right = plot.area.x + plot.area.w;
        if (!isfinite(scaled(&chart->y, level->y)))
            continue;
        stroke(&plot, plot.area.x, y, right, y, 0.6f * wide, level->dash, level->ink);
        if (name_level(&plot, level, y))
            continue;
        if (level->name[0] && count < APP_CHART_LINES_MAX)
            endings[count++] = (struct ending){level->name, level->ink, false, right, y, y};
    }
    bool some = false;
    for (size_t i = 0; i < chart->series_count; i++) {
        struct ending ending;
        if (!draw_series(&plot, &chart->series[i], &ending))
            continue;
        some = true;
        ending.name = name_of(&chart->series[i], brief);
        if (ending.name[0] && count < APP_CHART_LINES_MAX)
            endings[count++] = ending;
    }
    draw_marks(&plot);
    if (!some && chart->not_yet)
        say_not_yet(pen, plot.area, size, chart);
    draw_names(&plot, endings, count);
    return true;
}

/* --- bars --- */

float app_bars_draw(const struct app_pen *pen, struct ren_rect area, float size,
                    const char *caption, double full, const struct app_bar *bars, size_t count)
{
    static const float usual = 3.0f, most = 5.0f, largest = 1.5f; /* a row, in sizes; of the type */
    float keys = 0.0f, names = 0.0f, texts = 0.0f;
    const float rows = (float)(count > 0 ? count : 1), least = 1.2f;
    size = fminf(size, fmaxf(area.h, 0.0f) / (least * rows));
    for (size_t i = 0; i < count; i++) {
        keys = fmaxf(keys, pen->width(pen->to, true, size, bars[i].key));
        names = fmaxf(names, pen->width(pen->to, bars[i].strong, size, bars[i].name));
        texts = fmaxf(texts, pen->width(pen->to, true, size, bars[i].text));
        full = fmax(full, fmax(bars[i].value, bars[i].high));
    }
    keys += keys > 0.0f ? 0.6f * size : 0.0f;
    /* Where room is short, its last part. */
    while (strstr(caption, "; ") && pen->width(pen->to, false, size, caption) > area.w)
        caption = strstr(caption, "; ") + 2;
    if (caption[0] && area.h >= (least * rows + 1.6f) * size) {
        pen->text(pen->to, false, size, area.x, area.y + 0.9f * size, REN_ALIGN_LEFT, APP_INK_QUIET,
                  caption);
        area.y += 1.6f * size;
        area.h -= 1.6f * size;
    }
    const float words = keys + names + texts + 1.2f * size,
                grown =
                    fminf(fminf(area.h / (usual * size * rows), 0.5f * area.w / words), largest);
    if (grown > 1.0f) {
        size *= grown;
        keys *= grown;
        names *= grown;
        texts *= grown;
    }
    /* In a narrow area the bar stands below its name. */
    const float beside = area.w - keys - names - texts - 1.2f * size;
    const bool below = beside < 0.35f * area.w && area.h >= 1.9f * size * (float)count;
    const float step = fminf(area.h / rows, (grown > 1.0f ? most : usual) * size);
    const float x = area.x + keys + (below ? 0.0f : names + 0.6f * size),
                room = below ? area.w - keys : fmaxf(beside, 0.0f);
    for (size_t i = 0; i < count; i++) {
        const struct app_bar *bar = &bars[i];
        const float top = area.y + (float)i * step, high = below ? step - 1.4f * size : 0.7f * step,
                    middle = below ? top + 1.25f * size + 0.5f * high : top + 0.5f * step,
                    y = below ? top + 0.95f * size : middle + 0.36f * size;
        const bool measured = bar->value > 0.0;
        const float gap = 0.6f * size,
                    text = below ? fitting(pen, true, size, bar->text, 0.5f * area.w) : size,
                    left = area.w - keys - gap - pen->width(pen->to, true, text, bar->text),
                    name = below ? fitting(pen, bar->strong, size, bar->name, left) : size;
        pen->text(pen->to, true, size, area.x, y, REN_ALIGN_LEFT, APP_INK_TEXT, bar->key);
        pen->text(pen->to, bar->strong, name, area.x + keys, y, REN_ALIGN_LEFT,
                  measured ? bar->ink : APP_INK_QUIET, bar->name);
        const float length = measured ? fmaxf((float)(bar->value / full) * room, 1.0f) : 0.0f;
        float end = x + length;
        if (measured)
            pen->bar(pen->to, (struct ren_rect){x, middle - 0.5f * high, length, high}, bar->ink);
        if (bar->low > 0.0 && bar->high > bar->low) {
            const float low = x + (float)(bar->low / full) * room,
                        last = x + (float)(bar->high / full) * room, cap = 0.3f * size;
            const float lines[][4] = {{low, middle, last, middle},
                                      {low, middle - cap, low, middle + cap},
                                      {last, middle - cap, last, middle + cap}};
            /* A shorter one is read as a part of the number. */
            for (size_t l = 0; l < 3 && last - low > 0.5f * size; l++)
                pen->line(pen->to, lines[l], 2, fmaxf(1.0f, 0.12f * size), 0.0f, APP_INK_TEXT);
            end = fmaxf(end, last);
        }
        pen->text(pen->to, measured, text, below ? area.x + area.w : end + 0.5f * size, y,
                  below ? REN_ALIGN_RIGHT : REN_ALIGN_LEFT, measured ? APP_INK_TEXT : APP_INK_QUIET,
                  bar->text);
    }
    return (float)count * step;
}
