#include "hud/sweep/picture.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "command/mode.h"
#include "hud/story/axes.h"
#include "hud/story/plot.h"
#include "hud/sweep/charts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                      const struct app_sweep *sweep, bool rate, struct app_chart *chart)
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
    struct app_chart *times = &charts->charts[0], *rates = &charts->charts[1];
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
                        enum krn_kernel kernel, int bounces, struct app_chart *chart)
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
        struct app_chart *chart = &charts->charts[charts->count++];
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
    const bool drawn = app_charts_draw(brush, area, charts) > 0;
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
