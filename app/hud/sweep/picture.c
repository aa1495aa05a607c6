#include "hud/sweep/picture.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "command/mode.h"
#include "hud/story/plot.h"

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
static bool find_values(const struct app_charts *charts, const struct app_sweep_chart *chart, double *low,
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
static float names_width(const struct app_brush *brush, const struct app_sweep_chart *chart)
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
                       const struct app_sweep_chart *chart, struct drawn *drawn, int count)
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
                       const struct app_charts *charts, const struct app_sweep_chart *chart)
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

/* Draws the charts side by side in `area`, or one above another, each with its lines' names at
 * their right ends, none over another; where there is no room for all of them, the last one alone.
 * Charts without a point are left out. Returns the number of charts drawn. */
static int charts_draw(const struct app_brush *brush, struct ren_rect area,
                       const struct app_charts *charts)
{
    const float u = brush->unit;
    const struct app_sweep_chart *shown[APP_CHARTS];
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

_Static_assert((int)APP_SWEEP_COUNTS <= (int)APP_CURVE_COUNTS, "a plot has room for every count");
_Static_assert((int)APP_SWEEP_COUNTS <= (int)APP_CHART_X, "a chart has room for every count");

/* Returns the cell's median with every reason to doubt it. */
static struct app_estimate median_of(const struct app_sweep_cell *cell)
{
    struct app_estimate median = cell->median;
    if (cell->result)
        median.trust |= cell->result->trust.reasons;
    return median;
}

/* --- the book view --- */

/* Draws the curves. Returns false when there is none, or no room. */
static bool draw_curves(const struct app_brush *brush, struct ren_rect area,
                        const struct app_sweep *sweep)
{
    struct app_curves *curves = app_alloc(1, sizeof *curves);
    app_curves_begin(curves, sweep->view, sweep->spheres.at, sweep->spheres.count, false);
    for (int m = 0; m < KRN_MODES; m++)
        for (int at = 0; at < sweep->points; at++) {
            const struct app_estimate median = median_of(&sweep->cells[m][at]);
            if (sweep->cells[m][at].result)
                app_curves_offer(curves, krn_mode_at(m), at, &median);
        }
    const bool drawn = app_story_plot(brush, area, curves, 0.0);
    free(curves);
    return drawn;
}

/* --- the light view --- */

/* More lines than these cannot be told apart in the last row: the table has them all. */
enum { BOUNCE_LINES = APP_CURVE_COLOURS };

/* Chooses the bounces that have a line: all of them, or the first three, the fifth and the last,
 * because the first reflections change the most. Returns their number. */
static int choose_bounces(const struct app_sweep *sweep, int chosen[BOUNCE_LINES])
{
    const int count = sweep->bounces.count;
    static const int first[] = {0, 1, 2, 4};
    if (count > BOUNCE_LINES) {
        memcpy(chosen, first, sizeof first);
        chosen[BOUNCE_LINES - 1] = count - 1;
        return BOUNCE_LINES;
    }
    for (int i = 0; i < count; i++)
        chosen[i] = i;
    return count;
}

/* Puts a cell's time or rate into a line, unless it allows no verdict. */
static void put(struct app_chart_line *line, int at, const struct app_sweep_cell *cell, bool rate)
{
    const struct app_estimate median = median_of(cell);
    line->wrong = line->wrong || (median.trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
    if (cell->result && app_sweep_has_verdict(cell))
        line->at[at] = rate ? app_sweep_rate(cell) : median;
}

/* Puts what the fastest storage of a kernel reached at a point into a line, which is wrong if one
 * of the kernel's pictures is. */
static void put_fastest(struct app_chart_line *line, int at, const struct app_sweep *sweep,
                        int point, enum krn_kernel kernel, bool rate)
{
    const int fastest = app_sweep_fastest(sweep, point, (int)kernel, -1);
    if (fastest >= 0)
        put(line, at, &sweep->cells[fastest][point], rate);
    for (int m = 0; m < KRN_MODES; m++)
        if (krn_mode_at(m).kernel == kernel)
            line->wrong = line->wrong || (median_of(&sweep->cells[m][point]).trust &
                                          APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
}

/* Returns the first measured mode of a kernel: where all storages read the same caches, it stands
 * for the others. */
static int first_of(const struct app_sweep *sweep, enum krn_kernel kernel)
{
    int m = 0;
    while (m < KRN_MODES - 1 && !(sweep->measured[m] && krn_mode_at(m).kernel == kernel))
        m++;
    return m;
}

/* Makes a line of every mode; where all storages read the same caches, of every kernel. */
static void add_modes(const struct app_brush *brush, const struct app_results *results,
                      const struct app_sweep *sweep, bool rate, struct app_sweep_chart *chart)
{
    const bool distinct = results->device.can.distinct_storages;
    for (int m = 0; m < KRN_MODES; m++) {
        const struct krn_mode mode = krn_mode_at(m);
        if (!sweep->measured[m] || (!distinct && first_of(sweep, mode.kernel) != m))
            continue;
        struct app_chart_line *line = &chart->lines[chart->count++];
        snprintf(line->name, sizeof line->name, "%s%s%s", krn_kernel_name(mode.kernel),
                 distinct ? "/" : "", distinct ? krn_storage_name(mode.storage) : "");
        line->colour = brush->colours->storages[mode.storage];
        line->dashed = mode.kernel == app_mode_first(sweep->view).kernel;
        for (int at = 0; at < sweep->points; at++) {
            if (distinct)
                put(line, at, &sweep->cells[m][at], rate);
            else
                put_fastest(line, at, sweep, at, mode.kernel, rate);
        }
    }
}

/* Makes a chart of the times and one of the rates. */
static void chart_modes(const struct app_brush *brush, const struct app_results *results,
                        const struct app_sweep *sweep, struct app_charts *charts)
{
    struct app_sweep_chart *times = &charts->charts[0], *rates = &charts->charts[1];
    charts->count = 2;
    snprintf(times->title, sizeof times->title, "median kernel time");
    snprintf(rates->title, sizeof rates->title, "rays per second");
    times->write = app_number_time_tick;
    rates->write = app_number_rate_tick;
    add_modes(brush, results, sweep, false, times);
    add_modes(brush, results, sweep, true, rates);
}

/* Makes a line for a number of bounces: the kernel's fastest storage at each number of spheres. */
static void add_bounces(const struct app_brush *brush, const struct app_sweep *sweep,
                        enum krn_kernel kernel, int bounces, struct app_sweep_chart *chart)
{
    struct app_chart_line *line = &chart->lines[chart->count];
    snprintf(line->name, sizeof line->name, "%d", sweep->bounces.at[bounces]);
    line->colour = brush->colours->curves[chart->count];
    line->dashed = chart->count % 2 == 1; /* neighbours differ in more than lightness */
    chart->count++;
    for (int i = 0; i < sweep->spheres.count; i++)
        put_fastest(line, i, sweep, i * sweep->bounces.count + bounces, kernel, true);
}

/* Makes a chart of the rates for every kernel. */
static void chart_kernels(const struct app_brush *brush, const struct app_results *results,
                          const struct app_sweep *sweep, struct app_charts *charts)
{
    int chosen[BOUNCE_LINES];
    const int lines = choose_bounces(sweep, chosen);
    charts->same_y = true;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT && charts->count < APP_CHARTS; kernel++) {
        int storages = 0;
        for (int m = 0; m < KRN_MODES; m++)
            storages += sweep->measured[m] && (int)krn_mode_at(m).kernel == kernel;
        if (storages == 0)
            continue;
        struct app_sweep_chart *chart = &charts->charts[charts->count++];
        snprintf(chart->title, sizeof chart->title, "rays per second, %s%s",
                 krn_kernel_name((enum krn_kernel)kernel),
                 results->device.can.distinct_storages && storages > 1 ? ", fastest storage" : "");
        chart->names = "bounces";
        chart->write = app_number_rate_tick;
        for (int b = 0; b < lines; b++)
            add_bounces(brush, sweep, (enum krn_kernel)kernel, chosen[b], chart);
    }
}

/* Draws the charts. Returns false when there is none, or no room. */
static bool draw_charts(const struct app_brush *brush, struct ren_rect area,
                        const struct app_results *results, const struct app_sweep *sweep)
{
    const bool over_spheres = sweep->spheres.count > 1 || sweep->bounces.count == 1;
    const struct app_sweep_values *values = over_spheres ? &sweep->spheres : &sweep->bounces;
    struct app_charts *charts = app_alloc(1, sizeof *charts);
    charts->x_count = values->count;
    for (int i = 0; i < values->count; i++)
        charts->x[i] = values->at[i];
    charts->logarithmic = over_spheres;
    charts->x_title = over_spheres ? "number of spheres (logarithmic)" : "number of bounces";
    charts->x_short = over_spheres ? "spheres" : "bounces";
    if (app_sweep_has_both(sweep))
        chart_kernels(brush, results, sweep, charts);
    else
        chart_modes(brush, results, sweep, charts);
    const bool drawn = charts_draw(brush, area, charts) > 0;
    free(charts);
    return drawn;
}

/* --- the picture --- */

/* Returns true when a mode has rays per second that may be compared. */
static bool has_rate(const struct app_sweep *sweep)
{
    bool some = false;
    for (int m = 0; m < KRN_MODES; m++)
        for (int i = 0; i < sweep->points; i++)
            some = some || (app_sweep_has_verdict(&sweep->cells[m][i]) &&
                            app_sweep_rate(&sweep->cells[m][i]).valid);
    return some;
}

static const char *title_of(const struct app_sweep *sweep)
{
    const bool over_bounces = sweep->bounces.count > 1;
    if (sweep->view == KRN_VIEW_LIGHT && app_sweep_has_both(sweep))
        return "Rays per second against sphere count, by bounces";
    if (sweep->view == KRN_VIEW_LIGHT && has_rate(sweep))
        return over_bounces ? "Kernel time and rays per second against bounces"
                            : "Kernel time and rays per second against sphere count";
    return over_bounces ? "Kernel time against bounces" : "Kernel time against sphere count";
}

/* Writes what all points share of the view: "strip with its fastest K", or "light view, 4 bounces".
 */
static void describe_view(const struct app_sweep *sweep, char *text, size_t size)
{
    char bounces[48] = "", spheres[32] = "";
    if (sweep->bounces.count == 1)
        snprintf(bounces, sizeof bounces, ", %d bounce%s", sweep->bounces.at[0],
                 sweep->bounces.at[0] == 1 ? "" : "s");
    if (app_sweep_has_both(sweep) && sweep->bounces.count > BOUNCE_LINES)
        snprintf(bounces, sizeof bounces, "; lines for %d of %d bounce counts", BOUNCE_LINES,
                 sweep->bounces.count);
    if (sweep->spheres.count == 1)
        snprintf(spheres, sizeof spheres, ", %d sphere%s", sweep->spheres.at[0],
                 sweep->spheres.at[0] == 1 ? "" : "s");
    if (sweep->view == KRN_VIEW_BOOK)
        snprintf(text, size, "strip with its fastest K");
    else
        snprintf(text, size, "light view%s%s", spheres, bounces);
}

/* Returns true when a mode has a time that may be compared. */
static bool has_verdict(const struct app_sweep *sweep)
{
    bool some = false;
    for (int i = 0; i < sweep->points; i++)
        some = some || app_sweep_fastest(sweep, i, -1, -1) >= 0;
    return some;
}

/* Returns why there is no plot. */
static const char *find_hindrance(const struct app_sweep *sweep)
{
    if (!has_verdict(sweep))
        return "No mode has a time that may be quoted.";
    if (app_sweep_has_both(sweep) && !has_rate(sweep)) /* its charts have nothing but rates */
        return "Rays were not counted: there are no rates to plot.";
    return "The picture is too small for a plot.";
}

void app_sweep_picture(const struct app_brush *brush, float width, float height,
                       const struct app_results *results, const struct app_sweep *sweep,
                       const struct app_state *state)
{
    const struct krn_device_info *device = &results->device;
    const float u = brush->unit, left = 24.0f * u, top = 84.0f * u;
    const struct ren_rect area = {left, top, width - 2.0f * left, height - top};
    char text[512], view[96], intervals[64] = "intervals of this run";
    snprintf(text, sizeof text, "%s%s", title_of(sweep), results->complete ? "" : ", incomplete");
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, 26.0f, left, 44.0f * u, area.w,
                     brush->colours->text, text);
    if (results->run.processes > 1)
        snprintf(intervals, sizeof intervals, "95 %% intervals across %d processes",
                 results->run.processes);
    describe_view(sweep, view, sizeof view);
    snprintf(text, sizeof text, "%s, %s; %dx%d pixels; times by %s, %s; %s", device->name,
             krn_backend_name(device->backend), state->width, state->height, device->clock,
             intervals, view);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TEXT, left, 70.0f * u, area.w, brush->colours->quiet,
                     text);
    if (sweep->view == KRN_VIEW_BOOK ? !draw_curves(brush, area, sweep)
                                     : !draw_charts(brush, area, results, sweep))
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, left, 120.0f * u, area.w,
                         brush->colours->warn, find_hindrance(sweep));
}
