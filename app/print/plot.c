/* The story plot and the plots of the light view: which lines there are, in which charts. */
#include "print/print.h"

#include "spec/state.h"

#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURES = 2 };

/* Begins a chart over the values of x, whose axis holds all of them, measured or not, so that it
 * stands still. */
static void begin(struct app_picture *picture, const struct app_sweep_values *values,
                  bool over_spheres, bool rate)
{
    const double first = values->at[0], last = values->at[values->count - 1];
    app_picture_begin(picture);
    picture->caption = rate ? "rays per second" : "median kernel time";
    app_picture_axes(picture,
                     (struct app_axis){over_spheres ? "spheres" : "bounces", APP_AXIS_PLAIN,
                                       over_spheres ? APP_SCALE_LOG : APP_SCALE_LINEAR, first,
                                       last},
                     app_axis("", rate ? APP_AXIS_RATE : APP_AXIS_TIME, APP_SCALE_LOG));
    if (values->count == 1) {
        picture->chart.x.low = first / 2.0;
        picture->chart.x.high = first * 2.0 + 1.0;
    }
}

/* Returns true when a picture of a kernel is wrong, from one storage or, with storage -1, from
 * any. */
static bool is_wrong(const struct app_sweep *sweep, int point, enum krn_kernel kernel, int storage)
{
    bool wrong = false;
    for (int m = 0; m < KRN_MODES_MAX; m++)
        wrong = wrong ||
                (krn_mode_at(m).kernel == kernel &&
                 (storage < 0 || (int)krn_mode_at(m).storage == storage) &&
                 (sweep->cells[point][m].median.trust & APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE)));
    return wrong;
}

/* Adds a line of what the fastest mode of a kernel reached, from one storage or, with storage -1,
 * from any, at all points or, where both axes vary, at those of one number of bounces; nothing
 * where no time has a verdict. It gets a mark if one of the pictures is wrong. brief: its name
 * where room is short; "": it has none there. */
static struct app_series *add_line(struct app_picture *picture, const char *name, const char *brief,
                                   enum app_ink ink, const struct app_sweep *sweep,
                                   enum krn_kernel kernel, int storage, int bounces, bool rate)
{
    const bool over_bounces = sweep->spheres.count == 1 && sweep->bounces.count > 1;
    const int step = app_sweep_has_both(sweep) ? sweep->bounces.count : 1;
    char text[APP_PICTURE_TEXT];
    bool wrong = false;
    for (int at = bounces; at < sweep->points; at += step)
        wrong = wrong || is_wrong(sweep, at, kernel, storage);
    snprintf(text, sizeof text, "%.47s%s", name, wrong ? " ✗" : "");
    struct app_series *line = app_picture_line(picture, text, wrong ? APP_INK_BAD : ink);
    line->brief = app_picture_keep(picture, brief);
    for (int at = bounces; at < sweep->points; at += step) {
        const int fastest = app_sweep_fastest(sweep, at, (int)kernel, storage, -1);
        struct app_estimate shown = {.valid = false};
        if (fastest >= 0)
            shown = rate ? app_sweep_rate(&sweep->cells[at][fastest])
                         : sweep->cells[at][fastest].median;
        if (shown.value > 0.0)
            app_picture_point(
                picture, over_bounces ? app_sweep_bounces(sweep, at) : app_sweep_spheres(sweep, at),
                shown);
    }
    return line;
}

/* Makes a line of each kernel and storage of the view; of each kernel where all storages read the
 * same caches. all: also of those that were not measured. */
static void make_lines(const struct app_sweep *sweep, bool all, bool rate,
                       struct app_picture *picture)
{
    for (int k = 0; k < KRN_KERNEL_COUNT; k++) {
        const struct krn_kernel_info *info = krn_kernel_describe((enum krn_kernel)k);
        bool measured[KRN_STORAGE_COUNT] = {false}, first = true;
        for (int m = 0; m < KRN_MODES_MAX; m++)
            if ((int)krn_mode_at(m).kernel == k && sweep->measured[m])
                measured[sweep->one_storage ? 0 : krn_mode_at(m).storage] = true;
        for (int s = 0; s < (sweep->one_storage ? 1 : KRN_STORAGE_COUNT); s++) {
            char name[48];
            if (info->view != sweep->view || !(info->storages >> s & 1) ||
                !((all && k != KRN_KERNEL_MINE) || measured[s]))
                continue;
            snprintf(name, sizeof name, "%s%s%s", info->name, sweep->one_storage ? "" : "/",
                     sweep->one_storage ? "" : krn_storage_name((enum krn_storage)s));
            /* A kernel with one storage needs no colour to tell its curves apart. */
            struct app_series *line = add_line(
                picture, name, first ? info->name : "",
                KRN_BITS(info->storages) == 1 ? APP_INK_TEXT : (enum app_ink)(APP_INK_STORAGE + s),
                sweep, (enum krn_kernel)k, sweep->one_storage ? -1 : s, 0, rate);
            line->dashed = (enum krn_kernel)k == app_mode_first(sweep->view).kernel;
            line->strong = info->bins && sweep->view == KRN_VIEW_BOOK;
            first = false;
        }
    }
}

static bool has_points(const struct app_picture *picture)
{
    bool some = false;
    for (size_t i = 0; i < picture->chart.series_count; i++)
        some = some || picture->series[i].n > 0;
    return some;
}

/* --- the story plot --- */

/* Adds the line of the limit, where it was measured. */
static void add_limit(struct app_picture *picture, const struct app_sweep *sweep)
{
    struct app_series *line = app_picture_line(picture, "limit", APP_INK_QUIET);
    line->bare = true;
    for (int i = 0; i < sweep->points; i++)
        if (sweep->limit_ms[i] > 0.0)
            app_picture_point(picture, sweep->spheres.at[i],
                              app_estimate_plain(sweep->limit_ms[i]));
    if (line->n == 0)
        picture->chart.series_count--;
}

/* Adds the bands of the constant cache, if its size is known, and of constant memory: from the
 * number of spheres of the book's kernel to that of the strip kernel that fit. */
static void add_bands(struct app_picture *picture, double cache_bytes)
{
    const struct krn_kernel_info *book = krn_kernel_describe(KRN_KERNEL_BOOK),
                                 *strip = krn_kernel_describe(KRN_KERNEL_STRIP);
    char name[48];
    if (cache_bytes > 0.0) {
        app_format(name, sizeof name, "constant cache, %.0f KiB", cache_bytes / 1024.0);
        app_picture_band(picture, name, floor(cache_bytes / book->sphere_bytes),
                         floor(cache_bytes / strip->sphere_bytes));
    }
    app_picture_band(picture, "constant memory full", KRN_CONSTANT_SPHERES, KRN_CONSTANT_PACKED);
}

/* Makes the lines of an audience: the book's kernel from the two memories that the book compares,
 * and every other kernel from its fastest storage; with a mark on the kernel that sorts. */
static void make_few(const struct app_sweep *sweep, int sorted_from, struct app_picture *picture)
{
    for (int k = 0; k < KRN_KERNEL_COUNT; k++) {
        const struct krn_kernel_info *info = krn_kernel_describe((enum krn_kernel)k);
        const bool book = k == KRN_KERNEL_BOOK && !sweep->one_storage;
        if (k == KRN_KERNEL_MINE) /* the measured kernels of the talk */
            continue;
        for (int i = 0; info->view == sweep->view && i < 1 + book; i++) {
            const enum krn_storage storage = i ? KRN_STORAGE_CONSTANT : KRN_STORAGE_GLOBAL;
            char name[48];
            snprintf(name, sizeof name, "%s%s%s", info->name, book ? ", " : "",
                     book ? krn_storage_name(storage) : "");
            struct app_series *line =
                add_line(picture, name, name,
                         book ? (enum app_ink)(APP_INK_STORAGE + (int)storage) : APP_INK_TEXT,
                         sweep, (enum krn_kernel)k, book ? (int)storage : -1, 0, false);
            line->dashed = k == KRN_KERNEL_STRIP;
            line->strong = info->bins;
            const int fastest = info->bins && sorted_from >= 0
                                    ? app_sweep_fastest(sweep, sorted_from, k, -1, -1)
                                    : -1;
            if (fastest < 0)
                continue;
            app_format(name, sizeof name, "from %d on", app_sweep_spheres(sweep, sorted_from));
            app_picture_mark(picture, name, APP_INK_TEXT, app_sweep_spheres(sweep, sorted_from),
                             sweep->cells[sorted_from][fastest].median.value, true);
        }
    }
}

bool app_story_plot(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_sweep *sweep, double cache_bytes,
                    const struct app_story_headline *few, const struct app_mark *users)
{
    struct app_picture *picture = krn_alloc(1, sizeof *picture);
    begin(picture, &sweep->spheres, true, false);
    picture->chart.y.title = picture->caption;
    if (few)
        make_few(sweep, few->sorted_from, picture);
    else
        make_lines(sweep, true, false, picture);
    if (has_points(picture))
        add_limit(picture, sweep);
    if (users != NULL && has_points(picture)) {
        app_picture_line(picture, users->name, users->ink)->strong = true;
        app_picture_point(picture, users->x, app_estimate_plain(users->y));
    }
    if (!sweep->one_storage && !few)
        add_bands(picture, cache_bytes);
    const bool drawn = has_points(picture) && app_picture_draw(pen, area, size, picture);
    free(picture);
    return drawn;
}

/* --- the picture of a sweep in the light view --- */

/* Chooses the bounces that have a line: all of them, or the first three, the fifth and the last,
 * because the first reflections change the most. Returns their number. */
static int choose_bounces(const struct app_sweep *sweep, int chosen[APP_PLOT_BOUNCES])
{
    const int count = sweep->bounces.count;
    static const int first[] = {0, 1, 2, 4};
    if (count > APP_PLOT_BOUNCES) {
        memcpy(chosen, first, sizeof first);
        chosen[APP_PLOT_BOUNCES - 1] = count - 1;
        return APP_PLOT_BOUNCES;
    }
    for (int i = 0; i < count; i++)
        chosen[i] = i;
    return count;
}

/* Makes a chart of the rates for every kernel, with a line for a number of bounces: what the
 * fastest storage reached at each number of spheres. Returns how many. */
static int chart_kernels(const struct app_sweep *sweep, struct app_picture figures[FIGURES])
{
    int chosen[APP_PLOT_BOUNCES], count = 0;
    const int lines = choose_bounces(sweep, chosen);
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT && count < FIGURES; kernel++) {
        int storages = 0;
        for (int m = 0; m < KRN_MODES_MAX; m++)
            storages += sweep->measured[m] && (int)krn_mode_at(m).kernel == kernel;
        if (storages == 0)
            continue;
        struct app_picture *picture = &figures[count++];
        char name[APP_PICTURE_TEXT], brief[16];
        begin(picture, &sweep->spheres, true, true);
        snprintf(name, sizeof name, "rays per second, %s%s",
                 krn_kernel_name((enum krn_kernel)kernel),
                 !sweep->one_storage && storages > 1 ? ", fastest storage" : "");
        picture->caption = app_picture_keep(picture, name);
        for (int b = 0; b < lines; b++) {
            const int bounces = sweep->bounces.at[chosen[b]];
            snprintf(name, sizeof name, "%d bounce%s", bounces, bounces == 1 ? "" : "s");
            snprintf(brief, sizeof brief, "%d", bounces);
            /* Neighbours differ in more than lightness. */
            add_line(picture, name, brief, (enum app_ink)(APP_INK_CURVE + b), sweep,
                     (enum krn_kernel)kernel, -1, chosen[b], true)
                ->dashed = b % 2 == 1;
        }
    }
    return count;
}

/* Gives all charts the same range of y, so that heights compare. */
static void share_y(struct app_picture *figures, int count)
{
    double low = INFINITY, high = 0.0;
    for (int f = 0; f < count; f++)
        for (size_t l = 0; l < figures[f].chart.series_count; l++)
            for (size_t i = 0; i < figures[f].series[l].n; i++) {
                low = fmin(low, figures[f].points[l].y[i]);
                high = fmax(high, figures[f].points[l].y[i]);
            }
    for (int f = 0; f < count && low < high; f++) {
        figures[f].chart.y.low = 0.9 * low;
        figures[f].chart.y.high = 1.1 * high;
    }
}

/* Draws the charts that have a point side by side, or one above another, or the last one alone, as
 * there is room. Returns false when there is none, or no room. */
static bool draw_figures(const struct app_pen *pen, struct ren_rect area, float size,
                         struct app_picture *figures, int count)
{
    const float gap = 2.0f * size, least_w = 26.0f * size, least_h = 13.0f * size;
    struct app_picture *shown[FIGURES];
    int n = 0;
    for (int f = 0; f < count; f++)
        if (has_points(&figures[f]))
            shown[n++] = &figures[f];
    const float all = (float)n;
    const bool beside = area.w >= all * least_w, above = !beside && area.h >= all * least_h;
    const int first = beside || above || n == 0 ? 0 : n - 1;
    const float w = beside ? (area.w - (all - 1.0f) * gap) / all : area.w,
                h = above ? area.h / all : area.h;
    bool drawn = false;
    for (int f = first; f < n; f++) {
        const float at = (float)(f - first), x = area.x + (beside ? at * (w + gap) : 0.0f),
                    y = area.y + (above ? at * h : 0.0f);
        if (!app_picture_draw(pen, (struct ren_rect){x, y + 1.6f * size, w, h - 2.1f * size}, size,
                              shown[f]))
            continue;
        pen->text(pen->to, true, 7.0f / 6.0f * size, x, y + 1.2f * size, REN_ALIGN_LEFT,
                  APP_INK_TEXT, shown[f]->caption);
        drawn = true;
    }
    return drawn;
}

bool app_light_plot(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_sweep *sweep)
{
    const bool over_spheres = sweep->spheres.count > 1 || sweep->bounces.count == 1;
    struct app_picture *figures = krn_alloc(FIGURES, sizeof *figures);
    int count = 0;
    if (app_sweep_has_both(sweep)) {
        count = chart_kernels(sweep, figures);
        share_y(figures, count);
    } else {
        for (int rate = 0; rate < FIGURES; rate++) {
            begin(&figures[count], over_spheres ? &sweep->spheres : &sweep->bounces, over_spheres,
                  rate);
            make_lines(sweep, false, rate, &figures[count++]);
        }
    }
    const bool drawn = draw_figures(pen, area, size, figures, count);
    free(figures);
    return drawn;
}
