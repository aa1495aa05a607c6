#include "base/numbers.h"
#include "command/mode.h"
#include "hud/draw.h"
#include "hud/parts.h"

#include "ren/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a legend names: a storage in the plot, or a side of the duel. */
struct entry {
    ren_colour colour;
    bool own;                /* it is on screen: its name stays longest */
    char name[64], brief[8]; /* brief: the digit of its key, or the side's letter */
};

/* Lists the storages in the plot or, in a duel, its sides. Returns how many there are. */
static int list_entries(const struct app_brush *brush, const struct app_hud *hud,
                        struct entry entries[KRN_STORAGE_COUNT])
{
    const struct app_state *state = hud->state;
    bool seen[KRN_STORAGE_COUNT] = {false};
    int count = 0;
    for (int side = 0; state->duel.on && side < 2; side++) {
        struct entry *entry = &entries[count++];
        *entry = (struct entry){.colour = app_hud_side_colour(brush, state, side),
                                .brief = {"AB"[side]}};
        app_hud_side_name(state, side, entry->name, sizeof entry->name);
    }
    for (int i = 0; i < hud->trace->count; i++)
        seen[hud->trace->mode[i].storage] = true;
    for (int s = 0; !state->duel.on && s < KRN_STORAGE_COUNT; s++) {
        if (!seen[s])
            continue;
        struct entry *entry = &entries[count++];
        *entry = (struct entry){.colour = brush->colours->storages[s],
                                .own = s == (int)state->mode.storage};
        snprintf(entry->name, sizeof entry->name, "%s", krn_storage_name((enum krn_storage)s));
        snprintf(entry->brief, sizeof entry->brief, "%d", s + 1);
    }
    return count;
}

/* Draws the names in the plot with their colours, right-aligned on the baseline y; returns their
 * left end. Where they would reach beyond `left`, there are fewer names. */
static float draw_legend(const struct app_brush *brush, const struct app_hud *hud, float left,
                         float right, float y)
{
    enum { ALL, OWN, NONE };
    const float u = brush->unit, square = 11.0f * u;
    struct entry entries[KRN_STORAGE_COUNT];
    const char *names[KRN_STORAGE_COUNT];
    const int count = list_entries(brush, hud, entries);
    for (int naming = ALL; naming <= NONE; naming++) {
        float wide = 0.0f;
        for (int i = 0; i < count; i++) {
            const struct entry *entry = &entries[i];
            names[i] = naming == ALL || (naming == OWN && entry->own) ? entry->name : entry->brief;
            wide += 31.0f * u +
                    ren_text_width(brush->renderer, REN_FACE_SANS, APP_TEXT_SMALL * u, names[i]);
        }
        if (wide <= right - left)
            break;
    }
    for (int i = count - 1; i >= 0; i--) {
        right -= app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, right, y, REN_ALIGN_RIGHT,
                               entries[i].colour, names[i]) +
                 6.0f * u + square;
        ren_list_fill(brush->list, (struct ren_rect){right, y - square, square, square}, 2.0f * u,
                      entries[i].colour);
        right -= 14.0f * u;
    }
    return right;
}

static void draw_scale(const struct app_brush *brush, const struct ren_axes *axes, double like_ms)
{
    const float u = brush->unit;
    for (int t = 0; t <= 2; t++) {
        const double value = axes->y_high * t / 2.0;
        const float level = ren_plot_y(axes, value);
        ren_list_line(brush->list, axes->area.x, level, axes->area.x + axes->area.w, level,
                      fmaxf(1.0f, u), brush->colours->edge);
        app_draw_text(brush, REN_FACE_MONO, 13.0f, axes->area.x - 8.0f * u, level + 4.5f * u,
                      REN_ALIGN_RIGHT, brush->colours->quiet,
                      t == 0 ? "0" : app_number_time_as(value, like_ms).value);
    }
}

/* Draws the time of an empty kernel, and its name in the header from x on, where no curve crosses
 * it, if the line stands clear of zero and there is room left of `right`. */
static void draw_empty_kernel(const struct app_brush *brush, const struct ren_axes *axes,
                              double empty_kernel_ms, float x, float y, float right)
{
    static const char name[] = "launch floor";
    const float u = brush->unit, level = ren_plot_y(axes, empty_kernel_ms), key = 18.0f * u;
    ren_plot_level(brush->list, axes, empty_kernel_ms, fmaxf(1.0f, 1.5f * u), 6.0f * u,
                   brush->colours->quiet);
    const float wide =
        key + 6.0f * u + ren_text_width(brush->renderer, REN_FACE_SANS, 13.0f * u, name);
    if (!(empty_kernel_ms < axes->y_high) || axes->area.y + axes->area.h - level <= 6.0f * u ||
        x + wide > right)
        return;
    for (int dash = 0; dash < 2; dash++)
        ren_list_fill(brush->list,
                      (struct ren_rect){x + (float)dash * 12.0f * u, y - 5.5f * u, 6.0f * u,
                                        fmaxf(1.0f, 1.5f * u)},
                      0.0f, brush->colours->quiet);
    app_draw_text(brush, REN_FACE_SANS, 13.0f, x + key + 6.0f * u, y, REN_ALIGN_LEFT,
                  brush->colours->quiet, name);
}

/* Draws the curves of one side: of frames without a duel (-1), of A (0) or of B (1). Consecutive
 * samples of one mode form one curve; the other side's samples between them do not end it. */
static void draw_side(const struct app_brush *brush, const struct ren_axes *axes,
                      const struct app_hud *hud, int side)
{
    const struct app_trace *trace = hud->trace;
    double xs[APP_TRACE_CAPACITY], ys[APP_TRACE_CAPACITY];
    const int shift = APP_TRACE_CAPACITY - trace->count;
    for (int i = 0; i < trace->count;) {
        const int first = app_trace_index(trace, i);
        if (trace->side[first] != side) {
            i++;
            continue;
        }
        size_t n = 0;
        for (; i < trace->count; i++) {
            const int at = app_trace_index(trace, i);
            if (side >= 0 && trace->side[at] == 1 - side)
                continue;
            if (trace->side[at] != side || !krn_mode_equal(trace->mode[at], trace->mode[first]) ||
                trace->backend[at] != trace->backend[first])
                break;
            xs[n] = shift + i;
            ys[n++] = fmin(trace->ms[at], axes->y_high);
        }
        ren_plot_curve(brush->list, axes, xs, ys, n, fmaxf(1.5f, 2.0f * brush->unit),
                       side == 1 && hud->state->duel.on &&
                               trace->mode[first].storage == hud->state->mode.storage
                           ? brush->colours->text
                           : brush->colours->storages[trace->mode[first].storage]);
    }
}

/* Returns the upper end of the scale. A single slow frame must not flatten the curve, so the scale
 * follows the 95th percentile; the newest frames are always inside. */
static double scale_top(const struct app_trace *trace)
{
    enum { NEWEST = 9 };
    double samples[NEWEST];
    const int newest = trace->count < NEWEST ? trace->count : NEWEST;
    if (newest == 0)
        return 1.0;
    for (int i = 0; i < newest; i++)
        samples[i] = trace->ms[app_trace_index(trace, trace->count - newest + i)];
    const double now = krn_summarise(samples, (size_t)newest).median,
                 all = krn_quantile_sorted(trace->sorted, (size_t)trace->count, 0.95);
    return ren_plot_nice(1.15 * fmax(all, now));
}

/* Draws the ghost: the recorded median of the mode on screen, on another device, as a dashed line
 * with its name, or as its name alone where the scale shows no line. */
static void draw_ghost(const struct app_brush *brush, const struct ren_axes *axes,
                       const struct app_hud *hud)
{
    const struct app_mode_time *mode = &hud->ghost;
    const float u = brush->unit, clear = 6.0f * u;
    if (!mode->valid || hud->now[0].recorded || hud->state->duel.on ||
        strcmp(hud->recorded->name, hud->device->name) == 0)
        return;
    const struct app_number median = app_number_time(mode->ms.median);
    const float low = axes->area.y + axes->area.h, y = ren_plot_y(axes, mode->ms.median);
    const bool line = mode->ms.median < axes->y_high && low - y > clear;
    char text[160];
    snprintf(text, sizeof text, "%s %s %s", hud->recorded->shorter, median.value, median.unit);
    if (line)
        ren_plot_level(brush->list, axes, mode->ms.median, fmaxf(1.5f, 2.0f * u), 9.0f * u,
                       brush->colours->stamp);
    const bool below = line && y - axes->area.y < 22.0f * u;
    const float at = !line ? low - clear : below ? y + 17.0f * u : y - clear;
    /* Off the scale, the newest frames and the launch floor's name keep their place. */
    const float floor_y = ren_plot_y(axes, hud->empty_kernel_ms);
    const bool left = !line && low - floor_y <= clear;
    app_stamp_text(brush, 12.0f, left ? axes->area.x + clear : axes->area.x + axes->area.w, at,
                   left ? REN_ALIGN_LEFT : REN_ALIGN_RIGHT, text);
}

/* Draws the stamp of a recorded run behind the title or, where the legend is there, above the
 * axis. */
static void draw_stamp(const struct app_brush *brush, struct ren_rect card,
                       const struct app_hud *hud, const struct ren_axes *axes, float title,
                       float legend, float y)
{
    const float u = brush->unit, gap = 10.0f * u;
    const float least = app_stamp_least(brush, 12.0f);
    app_stamp_tape(brush, card);
    if (legend - gap - title - gap >= least)
        app_stamp_draw(brush, 12.0f, title + gap, y, REN_ALIGN_LEFT, legend - 2.0f * gap - title,
                       hud->recorded);
    else
        app_stamp_draw(brush, 12.0f, axes->area.x + gap, axes->area.y + axes->area.h - gap,
                       REN_ALIGN_LEFT, axes->area.w - 2.0f * gap, hud->recorded);
}

void app_hud_plot(const struct app_brush *brush, const struct ren_rect *card,
                  const struct app_hud *hud)
{
    const float u = brush->unit;
    const struct app_trace *trace = hud->trace;
    const double top = scale_top(trace);

    app_draw_card(brush, *card);
    const double like_ms = app_number_keep_unit(hud->time_like_ms, top);
    char text[64];
    const float x = card->x + (APP_PAD + 6.0f) * u, right = card->x + card->w - APP_PAD * u,
                y = card->y + 26.0f * u;
    snprintf(text, sizeof text, "Kernel time, %s", app_number_time(like_ms).unit);
    const float title = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y,
                                      REN_ALIGN_LEFT, brush->colours->text, text);
    const float legend = draw_legend(brush, hud, x + title, right, y);

    const float ticks = 44.0f * u;
    const struct ren_axes axes = {
        {x + ticks, card->y + 42.0f * u, right - x - ticks, card->h - 60.0f * u},
        0.0,
        APP_TRACE_CAPACITY - 1,
        0.0,
        top};
    if (axes.area.h < 20.0f * u)
        return;
    draw_scale(brush, &axes, like_ms);
    draw_empty_kernel(brush, &axes, hud->empty_kernel_ms, x + title + 14.0f * u, y, legend);
    for (int side = 1; side >= -1; side--)
        draw_side(brush, &axes, hud, side);
    draw_ghost(brush, &axes, hud);
    if (hud->now[0].recorded)
        draw_stamp(brush, *card, hud, &axes, x + title, legend, y);
}
