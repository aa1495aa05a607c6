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

/* How a chart is drawn, in units. The text of a sweep's is larger: it has the whole picture. */
struct look {
    float text, title, least_name; /* the text, and the smallest of a name */
    enum ren_face face;            /* of a name */
    float left;                    /* of the axes: numbers of y */
    float key;                     /* before a name: the length of a piece of the curve; 0: none */
    float name_line, name_room; /* from one name to the next; what they may need beyond the axes */
    float name_down;            /* their baseline, in heights of the text */
    float x_title;              /* the baseline of the title of x, below the axes */
    float width, dash, mark;
};

static const struct look story_look = {.text = APP_TEXT_SMALL,
                                       .least_name = 12.0f,
                                       .face = REN_FACE_SANS,
                                       .left = 70.0f,
                                       .key = 26.0f,
                                       .name_line = 21.0f,
                                       .name_room = 0.8f * 21.0f,
                                       .name_down = 0.33f,
                                       .x_title = 43.0f,
                                       .width = 2.0f,
                                       .dash = 7.0f,
                                       .mark = 3.5f};
static const struct look sweep_look = {.text = 18.0f,
                                       .title = 21.0f,
                                       .least_name = 13.0f,
                                       .face = REN_FACE_SANS_BOLD,
                                       .left = 88.0f,
                                       .name_line = 1.3f * 18.0f,
                                       .name_down = 0.35f,
                                       .x_title = 54.0f,
                                       .width = 2.5f,
                                       .dash = 8.0f,
                                       .mark = 4.0f};

/* From one name to the next, in heights of their text; in units, the room between the axes and the
 * end of a name's leader. */
static const float name_step = 1.25f, leader = 16.0f;

/* Returns the room between the axes and a name, in units. */
static float room_before(const struct look *look)
{
    return leader + look->key + (look->key > 0.0f ? 12.0f : 4.0f);
}

enum { CHARTS = 2, LINES = KRN_KERNEL_COUNT * KRN_STORAGE_COUNT };

/* A point of a line; value 0: there is none. Without an interval, low and high are the value. */
struct dot {
    double value, low, high;
};

struct line {
    char name[48];
    enum krn_kernel kernel;
    ren_colour colour;
    bool dashed, thick;
    bool wrong;                      /* a picture is wrong: the name gets a mark */
    struct dot at[APP_SWEEP_COUNTS]; /* by x */
};

struct chart {
    char title[96];
    const char *names; /* heads the names of the lines; NULL: they need none */
    void (*write)(double value, char *text, size_t size); /* a number of y */
    struct line lines[LINES];
    int count;
};

/* All charts have the same x. */
struct charts {
    struct app_sweep_values x; /* one at least */
    bool logarithmic;          /* x; y always is */
    bool same_y;               /* every chart has the same range of y, so that heights compare */
    const char *x_title, *x_short; /* the short one where the axis is narrow */
    struct chart charts[CHARTS];
    int count;
};

/* --- axes --- */

/* One chart while it is drawn. */
struct plot {
    const struct app_brush *brush;
    const struct look *look;
    const struct app_sweep_values *x;
    bool logarithmic;     /* x */
    struct ren_axes axes; /* decimal logarithms, or the values of x */
};

static double place_of(const struct plot *plot, int value)
{
    return plot->logarithmic ? log10(value) : value;
}

/* Sets the ends of the axes: of x about all values, whether they are measured or not, so that the
 * axis stands still; of y to 1, 2 or 5 times a power of ten about low and high. */
static void span(struct plot *plot, double low, double high)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    struct ren_axes *axes = &plot->axes;
    const double below = pow(10.0, floor(log10(low))), above = pow(10.0, floor(log10(high)));
    for (int s = 0; s < 3; s++)
        if (below * steps[s] <= low)
            axes->y_low = log10(below * steps[s]);
    for (int s = 3; s >= 1; s--)
        if (above * steps[s] > high)
            axes->y_high = log10(above * steps[s]);
    const double first = place_of(plot, plot->x->at[0]),
                 last = place_of(plot, plot->x->at[plot->x->count - 1]);
    const double pad = plot->x->count == 1 ? 0.3 : 0.02 * (last - first);
    axes->x_low = first - pad;
    axes->x_high = last + pad;
}

/* Draws a level at 1, 2 and 5 times every power of ten, and what it is at the left. */
static void draw_levels(const struct plot *plot, void (*write)(double, char *, size_t))
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const struct app_brush *brush = plot->brush;
    const struct ren_axes *axes = &plot->axes;
    const float u = brush->unit, right = axes->area.x + axes->area.w, size = plot->look->text;
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

/* Draws a tick at every value of x, and its number where it stands clear of its neighbour and of
 * the last number; and the title of x, unless it is NULL, or the short one where there is no room.
 */
static void draw_ticks(const struct plot *plot, const char *title, const char *short_title)
{
    const struct app_brush *brush = plot->brush;
    const struct ren_axes *axes = &plot->axes;
    const float u = brush->unit, bottom = axes->area.y + axes->area.h, clear = 12.0f * u,
                size = plot->look->text;
    const int last = plot->x->count - 1;
    char text[32];
    snprintf(text, sizeof text, "%d", plot->x->at[last]);
    const float end = ren_plot_x(axes, place_of(plot, plot->x->at[last])) -
                      ren_text_width(brush->renderer, REN_FACE_MONO, size * u, text) / 2.0f;
    float taken = -1e9f;
    for (int i = 0; i <= last; i++) {
        const float x = ren_plot_x(axes, place_of(plot, plot->x->at[i]));
        ren_list_line(brush->list, x, axes->area.y, x, bottom + 6.0f * u, fmaxf(1.0f, u),
                      brush->colours->edge);
        snprintf(text, sizeof text, "%d", plot->x->at[i]);
        const float half = ren_text_width(brush->renderer, REN_FACE_MONO, size * u, text) / 2.0f;
        if (i < last && (x - half < taken + clear || x + half + clear > end))
            continue;
        app_draw_text(brush, REN_FACE_MONO, size, x, bottom + (size + 7.0f) * u, REN_ALIGN_CENTRE,
                      brush->colours->quiet, text);
        taken = x + half;
    }
    if (title == NULL)
        return;
    const bool whole =
        ren_text_width(brush->renderer, REN_FACE_SANS, size * u, title) <= axes->area.w;
    app_draw_text(brush, REN_FACE_SANS, size, axes->area.x + axes->area.w / 2.0f,
                  bottom + plot->look->x_title * u, REN_ALIGN_CENTRE, brush->colours->text,
                  whole ? title : short_title);
}

/* --- lines and their names --- */

/* Sets a point of a line to what the fastest mode of a kernel reached, from one storage or, with
 * storage -1, from any; leaves it out where no time has a verdict. The line is wrong if a picture
 * of these modes is. */
static void put(struct line *line, int at, const struct app_sweep *sweep, int point,
                enum krn_kernel kernel, int storage, bool rate)
{
    const int fastest = app_sweep_fastest(sweep, point, (int)kernel, storage, -1);
    struct app_estimate shown = {.valid = false};
    if (fastest >= 0)
        shown = rate ? app_sweep_rate(&sweep->cells[point][fastest])
                     : sweep->cells[point][fastest].median;
    const bool interval = shown.has_interval && shown.low > 0.0;
    if (shown.valid)
        line->at[at] = (struct dot){shown.value, interval ? shown.low : shown.value,
                                    interval ? shown.high : shown.value};
    for (int m = 0; m < KRN_MODES; m++)
        if (krn_mode_at(m).kernel == kernel &&
            (storage < 0 || (int)krn_mode_at(m).storage == storage))
            line->wrong = line->wrong || (sweep->cells[point][m].median.trust &
                                          APP_TRUST_BIT(APP_TRUST_WRONG_PICTURE));
}

/* Makes a line of each kernel and storage of the view; of each kernel where all storages read the
 * same caches. all: also of those that were not measured. */
static void make_lines(const struct app_brush *brush, const struct app_sweep *sweep, bool all,
                       bool rate, struct chart *chart)
{
    for (int k = 0; k < KRN_KERNEL_COUNT; k++) {
        const struct krn_kernel_info *info = krn_kernel_describe((enum krn_kernel)k);
        bool measured[KRN_STORAGE_COUNT] = {false};
        for (int m = 0; m < KRN_MODES; m++)
            if ((int)krn_mode_at(m).kernel == k && sweep->measured[m])
                measured[sweep->one_storage ? 0 : krn_mode_at(m).storage] = true;
        for (int s = 0; s < (sweep->one_storage ? 1 : KRN_STORAGE_COUNT); s++) {
            if (info->view != sweep->view || !(info->storages >> s & 1) || !(all || measured[s]))
                continue;
            struct line *line = &chart->lines[chart->count++];
            snprintf(line->name, sizeof line->name, "%s%s%s", info->name,
                     sweep->one_storage ? "" : "/",
                     sweep->one_storage ? "" : krn_storage_name((enum krn_storage)s));
            line->kernel = (enum krn_kernel)k;
            line->dashed = line->kernel == app_mode_first(sweep->view).kernel;
            line->thick = info->bins && sweep->view == KRN_VIEW_BOOK;
            /* A kernel with one storage needs no colour to tell its curves apart. */
            line->colour =
                KRN_BITS(info->storages) == 1 ? brush->colours->text : brush->colours->storages[s];
            for (int at = 0; at < sweep->points; at++)
                put(line, at, sweep, at, line->kernel, sweep->one_storage ? -1 : s, rate);
        }
    }
}

/* Widens *low and *high to the values of a line. Returns false when it has none. */
static bool widen(const struct line *line, int count, double *low, double *high)
{
    bool some = false;
    for (int i = 0; i < count; i++) {
        if (!(line->at[i].value > 0.0))
            continue;
        *low = fmin(*low, line->at[i].value);
        *high = fmax(*high, line->at[i].value);
        some = true;
    }
    return some;
}

/* Returns a place on the y axis, cut to the axes. */
static float y_of(const struct ren_axes *axes, double value)
{
    return ren_plot_y(axes, fmin(fmax(log10(value), axes->y_low), axes->y_high));
}

/* Draws a dashed polyline; the pattern goes on round its corners. */
static void draw_dashed(struct ren_list *list, const float *xy, size_t n, float width, float dash,
                        ren_colour colour)
{
    float done = 0.0f; /* position in the pattern: a dash, then a gap of the same length */
    for (size_t i = 0; i + 1 < n; i++) {
        const float *a = &xy[2 * i], dx = a[2] - a[0], dy = a[3] - a[1];
        const float length = hypotf(dx, dy);
        for (float at = 0.0f; at < length;) {
            const bool on = done < dash;
            const float left = (on ? dash : 2.0f * dash) - done;
            const float to = fminf(at + fmaxf(left, 0.5f), length);
            if (on)
                ren_list_line(list, a[0] + dx * at / length, a[1] + dy * at / length,
                              a[0] + dx * to / length, a[1] + dy * to / length, width, colour);
            done += to - at;
            if (done >= 2.0f * dash - 0.25f)
                done = 0.0f;
            at = to;
        }
    }
}

/* A line in pixels, with the ends of its intervals. */
struct trace {
    float xy[2 * APP_SWEEP_COUNTS], low[APP_SWEEP_COUNTS], high[APP_SWEEP_COUNTS];
    size_t n;
};

/* Draws a polyline, and on each point its interval and a mark: dashed ones with squares, others
 * with dots. */
static void draw_trace(const struct plot *plot, const struct line *line, const struct trace *trace)
{
    const struct look *look = plot->look;
    struct ren_list *list = plot->brush->list;
    const float u = plot->brush->unit, r = (look->mark + (line->thick ? 1.0f : 0.0f)) * u;
    const float wide = fmaxf(1.5f, (line->thick ? 2.0f : 1.0f) * look->width * u);
    if (line->dashed)
        draw_dashed(list, trace->xy, trace->n, wide, look->dash * u, line->colour);
    else
        ren_list_polyline(list, trace->xy, trace->n, wide, line->colour);
    for (size_t i = 0; i < trace->n; i++) {
        const float x = trace->xy[2 * i], y = trace->xy[2 * i + 1];
        if (trace->low[i] > trace->high[i])
            ren_list_line(list, x, trace->low[i], x, trace->high[i], fmaxf(1.0f, u), line->colour);
        ren_list_fill(list, (struct ren_rect){x - r, y - r, 2.0f * r, 2.0f * r},
                      line->dashed ? 0.0f : r, line->colour);
    }
}

/* What is drawn of one line. */
struct drawn {
    const struct line *line;
    float end_x, end_y; /* of its last point */
    float name_y;
};

/* Draws the lines that have points, and writes where they end. Returns their number. */
static int draw_lines(const struct plot *plot, const struct chart *chart, struct drawn drawn[LINES])
{
    const struct ren_axes *axes = &plot->axes;
    int count = 0;
    for (int l = 0; l < chart->count; l++) {
        const struct line *line = &chart->lines[l];
        struct trace trace = {.n = 0};
        for (int i = 0; i < plot->x->count; i++) {
            const struct dot *at = &line->at[i];
            if (!(at->value > 0.0))
                continue;
            trace.xy[2 * trace.n] = ren_plot_x(axes, place_of(plot, plot->x->at[i]));
            trace.xy[2 * trace.n + 1] = ren_plot_y(axes, log10(at->value));
            trace.low[trace.n] = y_of(axes, at->low);
            trace.high[trace.n++] = y_of(axes, at->high);
        }
        if (trace.n == 0)
            continue;
        draw_trace(plot, line, &trace);
        drawn[count++] = (struct drawn){
            .line = line, .end_x = trace.xy[2 * trace.n - 2], .end_y = trace.xy[2 * trace.n - 1]};
    }
    return count;
}

static int by_end(const void *a, const void *b)
{
    const struct drawn *p = a, *q = b;
    return p->end_y < q->end_y ? -1 : p->end_y > q->end_y;
}

static void write_name(const struct line *line, char *text, size_t size)
{
    snprintf(text, size, "%s%s", line->name, line->wrong ? " ✗" : "");
}

/* Returns the width of the widest name. */
static float names_width(const struct app_brush *brush, const struct look *look,
                         const struct chart *chart)
{
    float widest = 0.0f;
    for (int l = 0; l < chart->count; l++) {
        char name[64];
        write_name(&chart->lines[l], name, sizeof name);
        widest = fmaxf(widest,
                       ren_text_width(brush->renderer, look->face, look->text * brush->unit, name));
    }
    return widest;
}

/* Draws the names in the order in which the lines end, none over another, each with a thin line to
 * that end and, if the look has one, a piece of its curve. */
static void draw_names(const struct plot *plot, struct drawn *drawn, int count)
{
    const struct app_brush *brush = plot->brush;
    const struct look *look = plot->look;
    const struct ren_rect *area = &plot->axes.area;
    const float u = brush->unit, x = area->x + area->w;
    const float room = (area->h + look->name_room * u) / (float)count;
    const float step = fminf(look->name_line * u, room),
                size = fmaxf(fminf(look->text, step / u / name_step), look->least_name);
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
        const struct line *line = drawn[i].line;
        const float y = drawn[i].name_y;
        char name[64];
        write_name(line, name, sizeof name);
        ren_list_line(brush->list, drawn[i].end_x, drawn[i].end_y, x + leader * u, y,
                      fmaxf(1.0f, u), brush->colours->faint);
        if (look->key > 0.0f) {
            const float from = x + leader * u;
            const struct trace key = {.xy = {from + 4.0f * u, y, from + (4.0f + look->key) * u, y},
                                      .n = 2};
            draw_trace(plot, line, &key);
        }
        app_draw_text(brush, look->face, size, x + room_before(look) * u,
                      y + look->name_down * size * u, REN_ALIGN_LEFT,
                      line->wrong ? brush->colours->bad : line->colour, name);
    }
}

/* --- charts of a sweep --- */

enum {
    TOP = 48,
    BOTTOM = 66,
    GAP = 36,        /* between two charts */
    NARROWEST = 160, /* axes */
    LOWEST = 80
};

/* Draws the charts side by side in `area`, or one above another, each with its lines' names at
 * their right ends, none over another; where there is no room for all of them, the last one alone.
 * Charts without a point are left out. Returns the number of charts drawn. */
static int charts_draw(const struct app_brush *brush, struct ren_rect area,
                       const struct charts *charts)
{
    const struct look *look = &sweep_look;
    const float u = brush->unit;
    const struct chart *shown[CHARTS];
    double low[CHARTS], high[CHARTS], least = INFINITY, most = 0.0;
    float names = 0.0f;
    int count = 0, lines = 0;
    for (int c = 0; c < charts->count; c++) {
        const struct chart *chart = &charts->charts[c];
        bool some = false;
        low[count] = INFINITY;
        high[count] = 0.0;
        for (int l = 0; l < chart->count; l++)
            some = widen(&chart->lines[l], charts->x.count, &low[count], &high[count]) || some;
        if (!some)
            continue;
        least = fmin(least, low[count]);
        most = fmax(most, high[count]);
        names = fmaxf(names, names_width(brush, look, chart));
        if (chart->names)
            names = fmaxf(names, ren_text_width(brush->renderer, REN_FACE_SANS, look->text * u,
                                                chart->names));
        lines = chart->count > lines ? chart->count : lines;
        shown[count++] = chart;
    }
    if (count == 0)
        return 0;
    names += room_before(look) * u;
    /* Every chart has the same size, so that slopes compare: side by side, one above another, or
     * the last one alone. */
    const float lowest = fmaxf(LOWEST, name_step * look->least_name * (float)lines);
    const float least_w = names + (look->left + NARROWEST) * u,
                least_h = (TOP + BOTTOM + lowest) * u;
    const float n = (float)count, gaps = (n - 1.0f) * GAP * u;
    const bool beside = area.w - gaps >= n * least_w, above = !beside && area.h >= n * least_h;
    const int first = beside || above ? 0 : count - 1;
    const float w = beside ? (area.w - gaps) / n : area.w, h = above ? area.h / n : area.h;
    if (w < least_w || h < least_h)
        return 0;
    for (int c = first; c < count; c++) {
        const float at = (float)(c - first);
        struct plot plot = {brush, look, &charts->x, charts->logarithmic, {.x_low = 0.0}};
        struct drawn drawn[LINES];
        plot.axes.area =
            (struct ren_rect){area.x + look->left * u + (beside ? at * (w + GAP * u) : 0.0f),
                              area.y + TOP * u + (above ? at * h : 0.0f),
                              w - names - look->left * u, h - (TOP + BOTTOM) * u};
        const struct ren_rect *axes = &plot.axes.area;
        span(&plot, charts->same_y ? least : low[c], charts->same_y ? most : high[c]);
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, look->title, axes->x - look->left * u,
                         axes->y - 16.0f * u, axes->w + look->left * u, brush->colours->text,
                         shown[c]->title);
        draw_levels(&plot, shown[c]->write);
        draw_ticks(&plot, charts->x_title, charts->x_short);
        draw_names(&plot, drawn, draw_lines(&plot, shown[c], drawn));
        if (shown[c]->names)
            app_draw_text(brush, REN_FACE_SANS, look->text,
                          axes->x + axes->w + room_before(look) * u, axes->y - 16.0f * u,
                          REN_ALIGN_LEFT, brush->colours->quiet, shown[c]->names);
    }
    return count - first;
}

/* --- the story plot --- */

/* In units: the room round the axes. */
enum {
    STORY_TOP = 46,
    STORY_BOTTOM = 50,
    LOW_TOP = 28, /* without the titles of the axes */
    LOW_BOTTOM = 28,
    LOW = 260,    /* a lower area has no room for them, */
    NARROW = 400, /* and a narrower one none for a name per curve */
    LOW_NAMES = 70,
    LEAST_GAP = 5 /* the smallest gap between names in a row */
};

/* Draws a band from the number of spheres of the book's kernel to that of the strip kernel that fit
 * into some bytes, and its name above, right of `from`. Returns the name's right end. */
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
    const float width = ren_text_width(brush->renderer, REN_FACE_SANS, plot->look->text * u, name);
    const float most = axes->area.x + axes->area.w - width;
    const float x = fminf(fmaxf((x0 + x1 - width) / 2.0f, from), most);
    if (x < from)
        return from;
    app_draw_text(brush, REN_FACE_SANS, plot->look->text, x, top - 8.0f * u, REN_ALIGN_LEFT,
                  brush->colours->quiet, name);
    return x + width + 12.0f * u;
}

/* Draws the bands of the constant cache, if its size is known, and of constant memory. */
static void draw_bands(const struct plot *plot, double cache_bytes)
{
    const struct krn_kernel_info *book = krn_kernel_describe(KRN_KERNEL_BOOK),
                                 *strip = krn_kernel_describe(KRN_KERNEL_STRIP);
    float from = plot->axes.area.x;
    char name[48];
    if (cache_bytes > 0.0) {
        app_format(name, sizeof name, "constant cache, %.0f KiB", cache_bytes / 1024.0);
        from = draw_band(plot, floor(cache_bytes / book->sphere_bytes),
                         floor(cache_bytes / strip->sphere_bytes), from, name);
    }
    draw_band(plot, KRN_CONSTANT_SPHERES, KRN_CONSTANT_PACKED, from, "constant memory full");
}

/* Draws the name of a kernel beside the middle of its curves' ends, below those above it. */
static void draw_kernels(const struct plot *plot, const struct drawn *drawn, int count)
{
    const struct app_brush *brush = plot->brush;
    const struct ren_rect *area = &plot->axes.area;
    const float u = brush->unit, step = 1.3f * APP_TEXT_SMALL * u;
    float sums[KRN_KERNEL_COUNT] = {0.0f}, next = area->y;
    int counts[KRN_KERNEL_COUNT] = {0};
    for (int i = 0; i < count; i++) {
        sums[drawn[i].line->kernel] += drawn[i].end_y;
        counts[drawn[i].line->kernel]++;
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
    const float size = width <= area.w
                           ? APP_TEXT_SMALL
                           : fmaxf(APP_TEXT_SMALL * area.w / width, plot->look->least_name);
    const float smaller = size / APP_TEXT_SMALL;
    gap = fminf(gap * smaller, fmaxf((area.w - names * smaller) / GAPS, LEAST_GAP * u));
    for (int storage = 0; storage < KRN_STORAGE_COUNT; storage++)
        x += app_draw_text(brush, REN_FACE_SANS_BOLD, size, x, plot->axes.area.y - 9.0f * u,
                           REN_ALIGN_LEFT, brush->colours->storages[storage],
                           krn_storage_name((enum krn_storage)storage)) +
             gap;
}

bool app_story_plot(const struct app_brush *brush, struct ren_rect area,
                    const struct app_sweep *sweep, double cache_bytes)
{
    static const char *const titles[] = {"median kernel time of a frame (logarithmic)",
                                         "median kernel time", NULL};
    const float u = brush->unit;
    const struct look *look = &story_look;
    struct plot plot = {brush, look, &sweep->spheres, true, {.x_low = 0.0}};
    struct drawn drawn[LINES];
    struct chart *chart = app_alloc(1, sizeof *chart);
    double least = INFINITY, most = 0.0;
    bool some = false;
    make_lines(brush, sweep, true, false, chart);
    for (int l = 0; l < chart->count; l++)
        some = widen(&chart->lines[l], sweep->points, &least, &most) || some;
    /* In a small area, without the titles of the axes, and with one name per kernel. */
    const bool low = area.h < LOW * u || area.w < NARROW * u;
    const int above = !low ? STORY_TOP : sweep->one_storage ? LOW_TOP / 2 : LOW_TOP;
    const float top = (float)above * u, bottom = (low ? LOW_BOTTOM : STORY_BOTTOM) * u;
    const float right =
        low ? LOW_NAMES * u : names_width(brush, look, chart) + (room_before(look) + 4.0f) * u;
    plot.axes.area = (struct ren_rect){area.x + look->left * u, area.y + top,
                                       area.w - look->left * u - right, area.h - top - bottom};
    some = some && plot.axes.area.w >= 40.0f * u && plot.axes.area.h >= 40.0f * u;
    if (some) {
        span(&plot, least, most);
        if (!low)
            app_draw_text_fit(brush, REN_FACE_SANS, look->text, area.x, area.y + 16.0f * u, area.w,
                              brush->colours->text, titles);
        if (!low && !sweep->one_storage)
            draw_bands(&plot, cache_bytes);
        draw_levels(&plot, app_number_time_tick);
        draw_ticks(&plot, low ? NULL : "number of spheres (logarithmic)", "spheres");
        const int count = draw_lines(&plot, chart, drawn);
        if (!low)
            draw_names(&plot, drawn, count);
        else
            draw_kernels(&plot, drawn, count);
        if (low && !sweep->one_storage)
            draw_storages(&plot, area);
    }
    free(chart);
    return some;
}

/* --- the picture of a sweep in the light view --- */

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

/* Makes a chart of the rates for every kernel, with a line for a number of bounces: what the
 * fastest storage reached at each number of spheres. */
static void chart_kernels(const struct app_brush *brush, const struct app_sweep *sweep,
                          struct charts *charts)
{
    int chosen[BOUNCE_LINES];
    const int lines = choose_bounces(sweep, chosen);
    charts->same_y = true;
    for (int kernel = 0; kernel < KRN_KERNEL_COUNT && charts->count < CHARTS; kernel++) {
        int storages = 0;
        for (int m = 0; m < KRN_MODES; m++)
            storages += sweep->measured[m] && (int)krn_mode_at(m).kernel == kernel;
        if (storages == 0)
            continue;
        struct chart *chart = &charts->charts[charts->count++];
        snprintf(chart->title, sizeof chart->title, "rays per second, %s%s",
                 krn_kernel_name((enum krn_kernel)kernel),
                 !sweep->one_storage && storages > 1 ? ", fastest storage" : "");
        chart->names = "bounces";
        chart->write = app_number_rate_tick;
        for (int b = 0; b < lines; b++) {
            struct line *line = &chart->lines[chart->count++];
            snprintf(line->name, sizeof line->name, "%d", sweep->bounces.at[chosen[b]]);
            line->colour = brush->colours->curves[b];
            line->dashed = b % 2 == 1; /* neighbours differ in more than lightness */
            for (int i = 0; i < sweep->spheres.count; i++)
                put(line, i, sweep, i * sweep->bounces.count + chosen[b], (enum krn_kernel)kernel,
                    -1, true);
        }
    }
}

/* Draws the charts. Returns false when there is none, or no room. */
static bool draw_charts(const struct app_brush *brush, struct ren_rect area,
                        const struct app_sweep *sweep)
{
    const bool over_spheres = sweep->spheres.count > 1 || sweep->bounces.count == 1;
    const struct app_sweep_values *values = over_spheres ? &sweep->spheres : &sweep->bounces;
    struct charts *charts = app_alloc(1, sizeof *charts);
    charts->x = *values;
    charts->logarithmic = over_spheres;
    charts->x_title = over_spheres ? "number of spheres (logarithmic)" : "number of bounces";
    charts->x_short = over_spheres ? "spheres" : "bounces";
    for (int rate = 0; rate < CHARTS && !app_sweep_has_both(sweep); rate++) {
        struct chart *chart = &charts->charts[charts->count++];
        snprintf(chart->title, sizeof chart->title, "%s",
                 rate ? "rays per second" : "median kernel time");
        chart->write = rate ? app_number_rate_tick : app_number_time_tick;
        make_lines(brush, sweep, false, rate, chart);
    }
    if (app_sweep_has_both(sweep))
        chart_kernels(brush, sweep, charts);
    const bool drawn = charts_draw(brush, area, charts) > 0;
    free(charts);
    return drawn;
}

/* Returns true when a mode has rays per second that may be compared. */
static bool has_rate(const struct app_sweep *sweep)
{
    bool some = false;
    for (int m = 0; m < KRN_MODES; m++)
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
    else if (app_sweep_has_both(sweep) && sweep->bounces.count > BOUNCE_LINES)
        snprintf(some, sizeof some, "; lines for %d of %d bounce counts", BOUNCE_LINES,
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
    if (sweep->view == KRN_VIEW_BOOK ? !app_story_plot(brush, area, sweep, 0.0)
                                     : !draw_charts(brush, area, sweep))
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, left, 120.0f * u, area.w,
                         brush->colours->warn, find_hindrance(sweep));
}
