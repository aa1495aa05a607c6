/* The curves of the story plot: on their page, and as the picture of a sweep's record. */
#include "hud/parts.h"

#include "print/print.h"

#include <math.h>
#include <string.h>

/* Writes the names of the curves whose pictures are wrong; "" when none is. */
static void list_wrong(const struct app_sweep *sweep, char *text, size_t size)
{
    text[0] = 0;
    for (int k = 0; k < KRN_KERNEL_COUNT; k++)
        for (int s = 0; s < KRN_STORAGE_COUNT; s++)
            if (sweep->wrong[k][s])
                app_append(text, size, text[0] ? ", " : "", "%s%s/%s",
                           text[0] ? "" : "✗ wrong picture: ", krn_kernel_name((enum krn_kernel)k),
                           krn_storage_name((enum krn_storage)s));
}

/* Writes whose times these are, and how far the measurement is. */
static void write_source(const struct app_story_view *view, const char *device, char *text,
                         size_t size)
{
    if (view->recorded)
        app_hud_source(view->recorded, text, size);
    else if (view->done || !view->begun)
        snprintf(text, size, "on %s", device);
    else
        app_format(text, size, "%s %.0f %%", view->paused ? "paused at" : "filling",
                   floor(100.0 * view->progress));
}

/* Finds the time of the user's kernel, where it is on screen with a scene of the plot's. Its name
 * is NULL: there is none. Returns true when its picture has the plot's size, too. */
static bool find_own(const struct app_hud *hud, const struct app_story_view *view,
                     struct app_mark *own)
{
    const struct app_state *state = hud->state;
    struct app_state plotted = app_state_default();
    plotted.spec.recipe.count = state->spec.recipe.count;
    own->name = NULL;
    for (int side = 0; side < hud->sides && app_state_same_scene(state, &plotted); side++) {
        const struct app_mode_time *now = &hud->now[side];
        if (now->mode.kernel == KRN_KERNEL_MINE && hud->mine && !now->recorded &&
            now->median.valid && app_trust_no_verdict(now->median.trust) == APP_VERDICT_NONE)
            *own = (struct app_mark){hud->mine->file,
                                     (enum app_ink)(APP_INK_STORAGE + (int)now->mode.storage),
                                     state->spec.recipe.count, now->median.value, false};
    }
    return state->spec.width == view->width && state->spec.height == view->height &&
           app_state_unit(state) == app_state_unit(&plotted);
}

void app_hud_story(const struct app_brush *brush, struct ren_rect area, bool wide,
                   const struct app_hud *hud)
{
    static const struct app_story_view nothing;
    const struct app_story_view *view = hud->story ? hud->story : &nothing;
    const struct app_colours *c = brush->colours;
    const float u = brush->unit;
    struct app_mark own;
    const bool comparable = find_own(hud, view, &own),
               barred = view->least > 0 && app_trust_no_verdict(view->trust);
    char text[APP_NOTICE_MAX] = "", hinted[APP_NOTICE_MAX], source[192], device[128];
    if (view->least > 0)
        list_wrong(view->sweep, text, sizeof text);
    const bool wrong = text[0] != 0;
    if (!wrong && !barred && view->headline.count > 0)
        snprintf(text, sizeof text, "%s", view->headline.text[view->headline.count - 1]);
    else if (!wrong)
        snprintf(text, sizeof text, "Kernel time against the number of spheres");
    const float size = wide ? APP_TYPE_TITLE : APP_TYPE_LARGE;
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, size, area.x, area.y + size * u,
                                     area.w, 3, wrong ? c->bad : c->text, text, true);
    float y = area.y + (1.35f * (float)lines * size + 8.0f) * u;
    const float bottom = area.y + area.h - 40.0f * u;
    app_hud_device(hud, false, device, sizeof device);
    write_source(view, device, source, sizeof source);
    const size_t length = strlen(source);
    if (view->recorded || view->done)
        snprintf(source + length, sizeof source - length, "; medians");
    if (own.name && !comparable)
        app_key_hints("{follow}: your kernel in the plot's size", source, sizeof source);
    else if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, source) > area.w)
        source[length] = 0;
    app_draw_text_in(
        brush, REN_FACE_SANS, APP_TYPE_BODY,
        area.x + area.w -
            fminf(ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, source) + 1.0f,
                  area.w),
        bottom + 32.0f * u, area.w, c->quiet, source);
    const struct ren_rect plot = {area.x, y, area.w, bottom - y};
    struct app_brush pencil = *brush;
    const struct app_pen pen = app_draw_pen(&pencil);
    if (view->least > 0 && !barred &&
        app_story_plot(&pen, plot, APP_TYPE_BODY * u, view->sweep, 0.0, &view->headline,
                       own.name && comparable ? &own : NULL))
        return;
    if (view->least > 0 && !barred)
        app_draw_left_out(brush);
    if (barred)
        snprintf(text, sizeof text, "Do not quote: %s. {measure} measures again.",
                 app_trust_first(view->trust));
    else
        snprintf(text, sizeof text, "%s",
                 view->why[0]  ? view->why
                 : view->begun ? "measuring the first points"
                               : APP_NOT_YET);
    app_key_hints(text, hinted, sizeof hinted);
    app_draw_lines(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x, y + 40.0f * u, area.w, 4, c->quiet,
                   hinted, true);
}

/* --- the picture of a sweep's record --- */

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
