#include "hud/anatomy/parts.h"

#include "base/numbers.h"
#include "base/value.h"
#include "hud/theme.h"

#include <math.h>
#include <stdio.h>

/* Sizes in units. */
static const float label_width = 36.0f, small_text = 12.0f, axis_height = 20.0f, lane_gap = 6.0f,
                   inset = 4.0f, cut_width = 14.0f;

/* A wait that takes more than this part of the frame is cut off. */
static const double long_wait = 0.5;

ren_colour app_anatomy_colour(const struct app_brush *brush, enum app_phase phase)
{
    const struct app_colours *colours = brush->colours;
    switch (phase) {
    case APP_PHASE_KERNEL:
        return colours->curves[0];
    case APP_PHASE_POSE:
    case APP_PHASE_PICTURE:
        return colours->curves[1];
    case APP_PHASE_PANELS:
    case APP_PHASE_COPY:
        return colours->curves[2];
    case APP_PHASE_MAP:
    case APP_PHASE_LAYOUT:
        return colours->curves[3];
    case APP_PHASE_OVERLAY:
        return colours->curves[4];
    case APP_PHASE_SWAP:
        return colours->faint;
    default:
        return colours->quiet;
    }
}

ren_colour app_anatomy_ink(const struct app_brush *brush, enum app_phase phase)
{
    return phase == APP_PHASE_SWAP ? brush->colours->text
                                   : (ren_colour)brush->colours->background << 8 | 0xff;
}

/* The axis: milliseconds to pixels. */
struct axis {
    float x, width;
    double end_ms; /* at the right end */
    bool cut;      /* the frame goes on to the right of it */
};

static struct axis axis_of(struct ren_rect area, float u, const struct app_anatomy_view *view)
{
    const struct app_lane *cpu = &view->frame.lanes[APP_LANE_CPU],
                          *gpu = &view->frame.lanes[APP_LANE_GPU];
    struct axis axis = {area.x + label_width * u, area.w - label_width * u,
                        fmax(cpu->span_ms, gpu->span_ms), false};
    double busy_ms = 0.0;
    for (int lane = 0; lane < APP_LANES; lane++) {
        const struct app_lane *of = &view->frame.lanes[lane];
        for (int i = 0; i < of->count; i++)
            if (of->parts[i].phase != APP_PHASE_SWAP)
                busy_ms = fmax(busy_ms, of->parts[i].end_ms);
    }
    if (busy_ms > 0.0 && axis.end_ms - busy_ms > long_wait * axis.end_ms) {
        axis.end_ms = 1.25 * busy_ms;
        axis.cut = true;
    }
    return axis;
}

static float place(const struct axis *axis, double ms)
{
    return axis->x +
           axis->width * (float)fmin(fmax(axis->end_ms > 0.0 ? ms / axis->end_ms : 0.0, 0.0), 1.0);
}

/* Draws the name of a part into its rectangle, or its number where the name is too wide. */
static void draw_name(const struct app_brush *brush, struct ren_rect part, enum app_phase phase,
                      bool host_kernel)
{
    const float u = brush->unit, size = fminf(fmaxf(0.32f * part.h / u, small_text), 15.0f);
    const float y = part.y + part.h / 2.0f + 0.36f * size * u;
    char number[16];
    snprintf(number, sizeof number, "%d", (int)phase + 1);
    const char *const texts[] = {app_phase_words(phase, host_kernel), number};
    for (int i = 0; i < 2; i++) {
        const float width = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, texts[i]);
        if (width + 2.0f * inset * u > part.w)
            continue;
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, part.x + part.w / 2.0f, y, REN_ALIGN_CENTRE,
                      app_anatomy_ink(brush, phase), texts[i]);
        return;
    }
}

static void draw_lane(const struct app_brush *brush, const struct axis *axis, float y, float high,
                      const struct app_anatomy_view *view, enum app_lane_id id)
{
    const float u = brush->unit, hair = fmaxf(1.0f, floorf(u));
    const struct app_lane *lane = &view->frame.lanes[id];
    const struct ren_rect whole = {axis->x, y, place(axis, lane->span_ms) - axis->x, high};
    app_draw_text(brush, REN_FACE_SANS_BOLD, 15.0f, axis->x - 6.0f * u, y + high / 2.0f + 5.0f * u,
                  REN_ALIGN_RIGHT, brush->colours->text, id == APP_LANE_CPU ? "CPU" : "GPU");
    /* Gaps are what shows between the parts. */
    ren_list_outline(brush->list, whole, 0.0f, hair, brush->colours->edge);
    for (int i = 0; i < lane->count; i++) {
        const struct app_part *part = &lane->parts[i];
        struct ren_rect box = {place(axis, part->begin_ms), y, 0.0f, high};
        if (part->begin_ms >= axis->end_ms)
            continue;
        box.w = fmaxf(place(axis, part->end_ms) - box.x, 1.0f);
        ren_list_fill(brush->list, box, 0.0f, app_anatomy_colour(brush, part->phase));
        /* A line between neighbours, so that colour is not all that divides them. */
        ren_list_fill(brush->list, (struct ren_rect){box.x, y, fminf(hair, 0.25f * box.w), high},
                      0.0f, (ren_colour)brush->colours->background << 8 | 0xff);
        if (axis->cut)
            box.w = fminf(box.w, axis->x + axis->width - cut_width * u - box.x);
        draw_name(brush, box, part->phase, view->host_kernel);
    }
    if (id == APP_LANE_GPU && lane->count == 0) {
        const char *const texts[] = {view->missing, "no times", NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, small_text, whole.x + inset * u,
                          y + high / 2.0f + 4.0f * u, whole.w - 2.0f * inset * u,
                          brush->colours->quiet, view->missing[0] ? texts : texts + 1);
    }
}

/* Draws the mark of an axis that is cut: two slanted lines through both lanes. */
static void draw_cut(const struct app_brush *brush, const struct axis *axis, float top,
                     float bottom)
{
    const float u = brush->unit, x = axis->x + axis->width - 11.0f * u;
    for (int i = 0; i < 2; i++) {
        const float at = x + 5.0f * u * (float)i;
        ren_list_line(brush->list, at, bottom + 3.0f * u, at + 4.0f * u, top - 3.0f * u, 2.0f * u,
                      brush->colours->text);
    }
}

/* Returns a step of 1, 2 or 5 times a power of ten that gives at most `most` steps. */
static double step_of(double end_ms, double most)
{
    const double raw = end_ms / most, power = pow(10.0, floor(log10(raw)));
    const double digit = raw / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static void draw_axis(const struct app_brush *brush, const struct axis *axis, float y,
                      double span_ms)
{
    const float u = brush->unit, baseline = y + 14.0f * u;
    char end[64];
    if (!(axis->end_ms > 0.0))
        return;
    const struct app_number length = app_number_time(span_ms);
    snprintf(end, sizeof end, "%s%s %s", axis->cut ? "… " : "", length.value, length.unit);
    const float right = axis->x + axis->width;
    const float free = right - 10.0f * u -
                       app_draw_text(brush, REN_FACE_SANS_BOLD, small_text, right, baseline,
                                     REN_ALIGN_RIGHT, brush->colours->text, end);
    const double step = step_of(axis->end_ms, fmax(axis->width / (64.0f * u), 1.0));
    for (int i = 0; i * step < axis->end_ms; i++) {
        const struct app_number ms = app_number_time_as(i * step, axis->end_ms);
        char text[48];
        if (i == 0)
            snprintf(text, sizeof text, "0");
        else
            app_format(text, sizeof text, "%g %s", step * i * (ms.unit[0] == 'm' ? 1.0 : 1e3),
                       ms.unit[0] == 'm' ? "ms" : "µs");
        const float x = place(axis, i * step);
        const float width = ren_text_width(brush->renderer, REN_FACE_SANS, small_text * u, text);
        const float left = i == 0 ? x : x - width / 2.0f;
        if (left + width > free)
            break;
        ren_list_fill(brush->list, (struct ren_rect){x, y, fmaxf(1.0f, floorf(u)), 3.0f * u}, 0.0f,
                      brush->colours->quiet);
        app_draw_text(brush, REN_FACE_SANS, small_text, left, baseline, REN_ALIGN_LEFT,
                      brush->colours->quiet, text);
    }
}

float app_anatomy_lanes(const struct app_brush *brush, struct ren_rect area, float high,
                        const struct app_anatomy_view *view, bool draw)
{
    const float u = brush->unit, taken = 2.0f * high + (lane_gap + axis_height) * u;
    if (!draw)
        return taken;
    const struct axis axis = axis_of(area, u, view);
    const float second = area.y + high + lane_gap * u;
    draw_lane(brush, &axis, area.y, high, view, APP_LANE_CPU);
    draw_lane(brush, &axis, second, high, view, APP_LANE_GPU);
    if (axis.cut)
        draw_cut(brush, &axis, area.y, second + high);
    draw_axis(
        brush, &axis, second + high + 2.0f * u,
        fmax(view->frame.lanes[APP_LANE_CPU].span_ms, view->frame.lanes[APP_LANE_GPU].span_ms));
    return taken;
}
