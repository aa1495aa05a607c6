#include "hud/story/plot.h"

#include "base/memory.h"
#include "base/numbers.h"
#include "base/value.h"
#include "command/mode.h"

#include "ren/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* In units: the room round the axes, and the names of the curves. */
enum {
    LEFT = 70,
    TOP = 46,
    BOTTOM = 50,
    LOW_TOP = 28, /* without the titles of the axes */
    LOW_BOTTOM = 28,
    LOW = 260,       /* a lower area has no room for them, */
    NARROW = 400,    /* and a narrower one none for a name per curve */
    LEAST_NAME = 12, /* the smallest text of a name */
    LEAST_GAP = 5,   /* the smallest gap between names in a row */
    NAME_LINE = 21,
    LEADER = 16, /* from the axes to a name's key */
    KEY = 30
};

/* One curve in pixels. */
struct line {
    const struct app_curve *curve;
    ren_colour colour;
    float xy[2 * APP_CURVE_COUNTS];
    float ends[APP_CURVE_COUNTS][2]; /* y of the ends of the interval */
    size_t n;
    float name_y;
};

struct plot {
    const struct app_brush *brush;
    const struct app_curves *curves;
    bool low;             /* no titles of the axes, and one name per kernel */
    struct ren_axes axes; /* decimal logarithms of counts and of times in ms */
    struct line lines[APP_CURVES];
    int count;
};

/* Sets the axes' ends: of x to all counts, whether they are measured or not, so that the axis
 * stands still. False when there is no point. */
static bool find_range(struct plot *plot)
{
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < plot->curves->n; i++)
        for (int at = 0; at < plot->curves->count; at++) {
            const struct app_estimate *ms = &plot->curves->curves[i].ms[at];
            if (ms->valid && ms->value > 0.0) {
                low = fmin(low, ms->value);
                high = fmax(high, ms->value);
            }
        }
    if (!(high > 0.0))
        return false;
    app_story_span_y(&plot->axes, low, high);
    app_story_span_x(&plot->axes, plot->curves->counts, plot->curves->count, true);
    return true;
}

static void draw_counts(const struct plot *plot)
{
    const struct app_brush *brush = plot->brush;
    const struct ren_axes *axes = &plot->axes;
    const float u = brush->unit;
    app_story_ticks(brush, axes, plot->curves->counts, plot->curves->count, true, APP_TEXT_SMALL);
    if (plot->low)
        return;
    const char *const title = "number of spheres (logarithmic)";
    const bool whole =
        ren_text_width(brush->renderer, REN_FACE_SANS, APP_TEXT_SMALL * u, title) <= axes->area.w;
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, axes->area.x + axes->area.w / 2.0f,
                  axes->area.y + axes->area.h + 43.0f * u, REN_ALIGN_CENTRE, brush->colours->text,
                  whole ? title : "spheres");
}

/* Draws a band from the number of spheres of 28 bytes to that of 16 bytes that fit into some bytes,
 * and its name above, right of `from`. Returns the name's right end. */
static float draw_band(const struct plot *plot, double book, double packed, float from,
                       const char *name)
{
    const struct app_brush *brush = plot->brush;
    const struct ren_axes *axes = &plot->axes;
    const float u = brush->unit, top = axes->area.y, high = axes->area.h;
    const double low = log10(book), end = log10(packed);
    if (low <= axes->x_low || end >= axes->x_high)
        return from;
    const float x0 = ren_plot_x(axes, low), x1 = ren_plot_x(axes, end);
    const ren_colour edge = brush->colours->quiet;
    ren_list_fill(brush->list, (struct ren_rect){x0, top, x1 - x0, high}, 0.0f,
                  (brush->colours->faint & 0xffffff00u) | 0x30u);
    ren_list_line(brush->list, x0, top, x0, top + high, fmaxf(1.0f, u), edge);
    ren_list_line(brush->list, x1, top, x1, top + high, fmaxf(1.0f, u), edge);
    const float width = ren_text_width(brush->renderer, REN_FACE_SANS, APP_TEXT_SMALL * u, name);
    const float most = axes->area.x + axes->area.w - width;
    const float x = fminf(fmaxf((x0 + x1 - width) / 2.0f, from), most);
    if (x < from)
        return from;
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, top - 8.0f * u, REN_ALIGN_LEFT,
                  brush->colours->quiet, name);
    return x + width + 12.0f * u;
}

static void draw_bands(const struct plot *plot, double cache_bytes)
{
    const struct krn_kernel_info *book = krn_kernel_describe(KRN_KERNEL_BOOK),
                                 *strip = krn_kernel_describe(KRN_KERNEL_STRIP);
    float from = plot->axes.area.x;
    char name[48];
    if (plot->curves->one_storage || plot->low)
        return;
    if (cache_bytes > 0.0) {
        app_format(name, sizeof name, "constant cache, %.0f KiB", cache_bytes / 1024.0);
        from = draw_band(plot, floor(cache_bytes / book->sphere_bytes),
                         floor(cache_bytes / strip->sphere_bytes), from, name);
    }
    draw_band(plot, KRN_CONSTANT_SPHERES, KRN_CONSTANT_PACKED, from, "constant memory full");
}

/* Draws a dashed polyline; the pattern goes on round its corners. */
static void draw_dashed(const struct app_brush *brush, const struct line *line, float width,
                        float dash)
{
    float done = 0.0f; /* position in the pattern: a dash, then a gap of the same length */
    for (size_t i = 0; i + 1 < line->n; i++) {
        const float *a = &line->xy[2 * i], dx = a[2] - a[0], dy = a[3] - a[1];
        const float length = hypotf(dx, dy);
        for (float at = 0.0f; at < length;) {
            const bool on = done < dash;
            const float left = (on ? dash : 2.0f * dash) - done;
            const float to = fminf(at + fmaxf(left, 0.5f), length);
            if (on)
                ren_list_line(brush->list, a[0] + dx * at / length, a[1] + dy * at / length,
                              a[0] + dx * to / length, a[1] + dy * to / length, width,
                              line->colour);
            done += to - at;
            if (done >= 2.0f * dash - 0.25f)
                done = 0.0f;
            at = to;
        }
    }
}

/* Draws a curve: the book kernel's dashed with squares, the others solid with dots, thicker where
 * spheres are sorted. */
static void draw_line(const struct app_brush *brush, const struct line *line)
{
    const float u = brush->unit;
    const bool book = line->curve->kernel == KRN_KERNEL_BOOK;
    const bool sorts = krn_kernel_describe(line->curve->kernel)->bins;
    if (book)
        draw_dashed(brush, line, fmaxf(1.5f, 2.0f * u), 7.0f * u);
    else
        ren_list_polyline(brush->list, line->xy, line->n, fmaxf(1.5f, (sorts ? 4.0f : 2.0f) * u),
                          line->colour);
    for (size_t i = 0; i < line->n; i++) {
        const float r = (sorts ? 4.5f : 3.5f) * u, x = line->xy[2 * i];
        ren_list_line(brush->list, x, line->ends[i][0], x, line->ends[i][1], fmaxf(1.0f, u),
                      line->colour);
        const struct ren_rect dot = {x - r, line->xy[2 * i + 1] - r, 2 * r, 2 * r};
        ren_list_fill(brush->list, dot, book ? 0.0f : r, line->colour);
    }
}

/* Returns the height of a time, at most at the end of the axis. */
static float plot_y_within(const struct ren_axes *axes, double ms)
{
    return ren_plot_y(axes, fmin(fmax(log10(ms), axes->y_low), axes->y_high));
}

static void make_lines(struct plot *plot)
{
    for (int c = 0; c < plot->curves->n; c++) {
        struct line *line = &plot->lines[plot->count];
        const struct app_curve *curve = &plot->curves->curves[c];
        memset(line, 0, sizeof *line);
        line->curve = curve;
        /* A kernel with one storage needs no colour to tell its curves apart. */
        line->colour = KRN_BITS(krn_kernel_describe(curve->kernel)->storages) == 1
                           ? plot->brush->colours->text
                           : plot->brush->colours->storages[curve->storage];
        for (int at = 0; at < plot->curves->count; at++) {
            const struct app_estimate *ms = &curve->ms[at];
            if (!ms->valid || !(ms->value > 0.0))
                continue;
            const float y = ren_plot_y(&plot->axes, log10(ms->value));
            line->xy[2 * line->n] = ren_plot_x(&plot->axes, log10(plot->curves->counts[at]));
            line->xy[2 * line->n + 1] = y;
            line->ends[line->n][0] = ms->has_interval ? plot_y_within(&plot->axes, ms->low) : y;
            line->ends[line->n][1] = ms->has_interval ? plot_y_within(&plot->axes, ms->high) : y;
            line->n++;
        }
        plot->count += line->n > 0;
    }
}

/* Writes the name of a curve: kernel and storage, or the kernel alone. */
static void name_of(const struct app_curves *curves, const struct app_curve *curve, char *text,
                    size_t size)
{
    snprintf(text, size, "%s%s%s%s", krn_kernel_name(curve->kernel), curves->one_storage ? "" : "/",
             curves->one_storage ? "" : krn_storage_name(curve->storage), curve->wrong ? " ✗" : "");
}

/* Returns the width of the names right of the axes, with their keys. */
static float names_width(const struct app_brush *brush, const struct app_curves *curves)
{
    const float u = brush->unit;
    float widest = 0.0f;
    for (int i = 0; i < curves->n; i++) {
        char name[APP_MODE_TEXT_MAX];
        name_of(curves, &curves->curves[i], name, sizeof name);
        widest =
            fmaxf(widest, ren_text_width(brush->renderer, REN_FACE_SANS, APP_TEXT_SMALL * u, name));
    }
    return widest + (LEADER + KEY + 12) * u;
}

static int by_end(const void *a, const void *b)
{
    const struct line *p = a, *q = b;
    const float d = p->xy[2 * p->n - 1] - q->xy[2 * q->n - 1];
    return d < 0.0f ? -1 : d > 0.0f;
}

/* Draws the names in the order in which the curves end, at least one line apart, each with a line
 * to its curve. */
static void draw_names(struct plot *plot)
{
    const struct app_brush *brush = plot->brush;
    const struct ren_rect *area = &plot->axes.area;
    const float u = brush->unit;
    qsort(plot->lines, (size_t)plot->count, sizeof *plot->lines, by_end);
    const float room = (area->h + 0.8f * NAME_LINE * u) / (float)plot->count;
    const float step = fminf(NAME_LINE * u, room),
                size = fmaxf(fminf(APP_TEXT_SMALL, step / u / 1.25f), LEAST_NAME);
    float next = area->y;
    for (int i = 0; i < plot->count; i++) {
        struct line *line = &plot->lines[i];
        line->name_y = fmaxf(line->xy[2 * line->n - 1], next);
        next = line->name_y + step;
    }
    float most = area->y + area->h;
    for (int i = plot->count - 1; i >= 0; i--) {
        plot->lines[i].name_y = fminf(plot->lines[i].name_y, most);
        most = plot->lines[i].name_y - step;
    }
    for (int i = 0; i < plot->count; i++) {
        const struct line *line = &plot->lines[i];
        const float x = area->x + area->w + LEADER * u, y = line->name_y;
        char name[APP_MODE_TEXT_MAX];
        name_of(plot->curves, line->curve, name, sizeof name);
        ren_list_line(brush->list, line->xy[2 * line->n - 2], line->xy[2 * line->n - 1], x, y,
                      fmaxf(1.0f, u), brush->colours->faint);
        /* A piece of the curve as a key, then its name. */
        struct line key = {.curve = line->curve, .colour = line->colour, .n = 2};
        key.xy[0] = x + 4.0f * u;
        key.xy[2] = x + KEY * u;
        key.xy[1] = key.xy[3] = y;
        for (size_t end = 0; end < 4; end++)
            key.ends[end / 2][end % 2] = y;
        draw_line(brush, &key);
        app_draw_text(brush, REN_FACE_SANS, size, x + (KEY + 8.0f) * u, y + 0.33f * size * u,
                      REN_ALIGN_LEFT, line->curve->wrong ? brush->colours->bad : line->colour,
                      name);
    }
}

/* Draws the name of a kernel beside the middle of its curves' ends, below those above it. */
static void draw_kernels(const struct plot *plot)
{
    const struct app_brush *brush = plot->brush;
    const struct ren_rect *area = &plot->axes.area;
    const float u = brush->unit, step = 1.3f * APP_TEXT_SMALL * u;
    float sums[KRN_KERNEL_COUNT] = {0.0f}, next = area->y;
    int counts[KRN_KERNEL_COUNT] = {0};
    for (int i = 0; i < plot->count; i++) {
        const struct line *line = &plot->lines[i];
        sums[line->curve->kernel] += line->xy[2 * line->n - 1];
        counts[line->curve->kernel]++;
    }
    for (int done = 0; done < KRN_KERNEL_COUNT; done++) {
        int top = -1;
        for (int k = 0; k < KRN_KERNEL_COUNT; k++)
            if (counts[k] > 0 &&
                (top < 0 || sums[k] / (float)counts[k] < sums[top] / (float)counts[top]))
                top = k;
        if (top < 0)
            return;
        const float y = fmaxf(sums[top] / (float)counts[top], next);
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, area->x + area->w + 8.0f * u,
                      y + 0.33f * APP_TEXT_SMALL * u, REN_ALIGN_LEFT, brush->colours->text,
                      krn_kernel_name((enum krn_kernel)top));
        next = y + step;
        counts[top] = 0;
    }
}

/* Draws the names of the storages above the axes, each in its colour; in `area`, where the axes are
 * too narrow for them. In a narrow area, first the names become smaller, then the gaps alone. */
static void draw_storages(const struct plot *plot, struct ren_rect area)
{
    enum { GAPS = KRN_STORAGE_COUNT - 1 };
    const struct app_brush *brush = plot->brush;
    const float u = brush->unit;
    float gap = 12.0f * u, names = 0.0f;
    for (int storage = 0; storage < KRN_STORAGE_COUNT; storage++)
        names += ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_SMALL * u,
                                krn_storage_name((enum krn_storage)storage));
    const float width = names + GAPS * gap, room = area.x + area.w - plot->axes.area.x;
    float x = width <= room ? plot->axes.area.x : fmaxf(area.x + area.w - width, area.x);
    const float size =
        width <= area.w ? APP_TEXT_SMALL : fmaxf(APP_TEXT_SMALL * area.w / width, LEAST_NAME);
    const float smaller = size / APP_TEXT_SMALL;
    gap = fminf(gap * smaller, fmaxf((area.w - names * smaller) / GAPS, LEAST_GAP * u));
    for (int storage = 0; storage < KRN_STORAGE_COUNT && !plot->curves->one_storage; storage++)
        x += app_draw_text(brush, REN_FACE_SANS_BOLD, size, x, plot->axes.area.y - 9.0f * u,
                           REN_ALIGN_LEFT, brush->colours->storages[storage],
                           krn_storage_name((enum krn_storage)storage)) +
             gap;
}

bool app_story_plot(const struct app_brush *brush, struct ren_rect area,
                    const struct app_curves *curves, double cache_bytes)
{
    const float u = brush->unit;
    struct plot *plot = app_alloc(1, sizeof *plot);
    plot->brush = brush;
    plot->curves = curves;
    plot->low = area.h < LOW * u || area.w < NARROW * u;
    const int above = plot->low ? (curves->one_storage ? LOW_TOP / 2 : LOW_TOP) : TOP;
    const float top = (float)above * u, bottom = (plot->low ? LOW_BOTTOM : BOTTOM) * u;
    const float right = plot->low ? 70.0f * u : names_width(brush, curves);
    plot->axes.area = (struct ren_rect){area.x + LEFT * u, area.y + top, area.w - LEFT * u - right,
                                        area.h - top - bottom};
    const bool drawn =
        plot->axes.area.w >= 40.0f * u && plot->axes.area.h >= 40.0f * u && find_range(plot);
    if (drawn) {
        static const char *const titles[] = {"median kernel time of a frame (logarithmic)",
                                             "median kernel time", NULL};
        if (!plot->low)
            app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, area.x, area.y + 16.0f * u,
                              area.w, brush->colours->text, titles);
        draw_bands(plot, cache_bytes);
        app_story_levels(brush, &plot->axes, app_number_time_tick, APP_TEXT_SMALL);
        draw_counts(plot);
        make_lines(plot);
        for (int i = 0; i < plot->count; i++)
            draw_line(brush, &plot->lines[i]);
        if (plot->low) {
            draw_kernels(plot);
            draw_storages(plot, area);
        } else {
            draw_names(plot);
        }
    }
    free(plot);
    return drawn;
}
