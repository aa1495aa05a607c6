/* The picture of a sweep's record: its curves below what was measured on which device. */
#include "hud/parts.h"

#include "print/print.h"

#include <stdio.h>

/* Returns true when a mode has rays per second that may be compared. */
static bool has_rate(const struct app_sweep *sweep)
{
    bool some = false;
    for (int m = 0; m < KRN_MODES_MAX; m++)
        for (int i = 0; i < sweep->points; i++)
            some = some || (app_sweep_has_verdict(&sweep->cells[i][m]) &&
                            app_sweep_rate(&sweep->cells[i][m]).valid);
    return some;
}

static const char *title_of(const struct app_sweep *sweep)
{
    static const char *const titles[2][2] = {
        {"Kernel time against sphere count", "Kernel time against bounces"},
        {"Kernel time and rays per second against sphere count",
         "Kernel time and rays per second against bounces"}};
    return app_sweep_has_both(sweep) ? "Rays per second against sphere count, by bounces"
                                     : titles[has_rate(sweep)][sweep->bounces.count > 1];
}

/* Writes what all points share of the view: "strip with its fastest K", or "light view, 4 bounces".
 */
static void describe_view(const struct app_sweep *sweep, char *text, size_t size)
{
    const int spheres = sweep->spheres.at[0], bounces = sweep->bounces.at[0];
    char one_count[32] = "", some[48] = "";
    if (sweep->spheres.count == 1)
        snprintf(one_count, sizeof one_count, ", %d sphere%s", spheres, spheres == 1 ? "" : "s");
    if (sweep->bounces.count == 1)
        snprintf(some, sizeof some, ", %d bounce%s", bounces, bounces == 1 ? "" : "s");
    else if (app_sweep_has_both(sweep) && sweep->bounces.count > APP_PLOT_BOUNCES)
        snprintf(some, sizeof some, "; lines for %d of %d bounce counts", APP_PLOT_BOUNCES,
                 sweep->bounces.count);
    if (sweep->view == KRN_VIEW_BOOK)
        snprintf(text, size, "strip with its fastest K");
    else
        snprintf(text, size, "light view%s%s", one_count, some);
}

/* Returns why there is no plot. */
static const char *find_hindrance(const struct app_sweep *sweep)
{
    bool some = false;
    for (int i = 0; i < sweep->points; i++)
        some = some || app_sweep_fastest(sweep, i, -1, -1, -1) >= 0;
    if (!some)
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
    const struct ren_rect area = {left, top, width - 2.0f * left, height - top - left};
    char text[512], view[96], intervals[64] = "intervals of this run";
    snprintf(text, sizeof text, "%s%s", title_of(sweep), results->complete ? "" : ", incomplete");
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, 26.0f, left, 44.0f * u, area.w,
                     brush->colours->text, text);
    if (results->run.processes > 1)
        snprintf(intervals, sizeof intervals, "95 %% intervals across %d processes",
                 results->run.processes);
    describe_view(sweep, view, sizeof view);
    snprintf(text, sizeof text, "%s, %s; %dx%d pixels; times by %s, %s; %s", device->name,
             krn_backend_name(device->backend), state->spec.width, state->spec.height,
             device->clock, intervals, view);
    app_draw_text_in(brush, REN_FACE_SANS, 16.0f, left, 70.0f * u, area.w, brush->colours->quiet,
                     text);
    struct app_brush own = *brush;
    const struct app_pen pen = app_draw_pen(&own);
    if (sweep->view == KRN_VIEW_BOOK
            ? !app_story_plot(&pen, area, 15.0f * u, sweep, 0.0, NULL, NULL)
            : !app_light_plot(&pen, area, 18.0f * u, sweep))
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, 20.0f, left, 120.0f * u, area.w,
                         brush->colours->warn, find_hindrance(sweep));
}
