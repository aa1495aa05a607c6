/* The page of the frame anatomy: what bounds a frame, its two lanes, and its longest phases. */
#include "hud/contents.h"

#include "base/numbers.h"
#include "hud/parts.h"

#include <math.h>
#include <stdio.h>

/* A wait that takes more than this part of the frame is cut off. */
static const double long_wait = 0.5;

enum { LONGEST = 5 };

/* The colour of a phase; phases that follow each other differ. */
static enum app_ink ink_of(enum app_phase phase)
{
    static const int curve[APP_PHASE_COUNT] = {
        [APP_PHASE_POSE] = 2,   [APP_PHASE_PICTURE] = 2, [APP_PHASE_PANELS] = 3,
        [APP_PHASE_COPY] = 3,   [APP_PHASE_MAP] = 4,     [APP_PHASE_LAYOUT] = 4,
        [APP_PHASE_KERNEL] = 1, [APP_PHASE_OVERLAY] = 5};
    return phase == APP_PHASE_SWAP ? APP_INK_FAINT
           : curve[phase] > 0      ? (enum app_ink)(APP_INK_CURVE + curve[phase] - 1)
                                   : APP_INK_QUIET;
}

/* The axis: milliseconds to pixels. */
struct axis {
    float x, width;
    double end_ms; /* at the right end */
    bool cut;      /* the frame goes on to the right of it */
};

static struct axis axis_of(float x, float width, const struct app_anatomy_view *view)
{
    struct axis axis = {x, width, 0.0, false};
    double busy_ms = 0.0;
    for (int lane = 0; lane < APP_LANES; lane++) {
        const struct app_lane *of = &view->frame.lanes[lane];
        axis.end_ms = fmax(axis.end_ms, of->span_ms);
        for (int i = 0; i < of->count; i++)
            if (of->parts[i].phase != APP_PHASE_SWAP)
                busy_ms = fmax(busy_ms, of->parts[i].end_ms);
    }
    axis.cut = busy_ms > 0.0 && axis.end_ms - busy_ms > long_wait * axis.end_ms;
    axis.end_ms = axis.cut ? 1.25 * busy_ms : axis.end_ms;
    return axis;
}

static float place(const struct axis *axis, double ms)
{
    return axis->x +
           axis->width * (float)fmin(fmax(axis->end_ms > 0.0 ? ms / axis->end_ms : 0.0, 0.0), 1.0);
}

/* Draws a lane: its parts, each with its name where it fits. */
static void draw_lane(const struct app_brush *brush, const struct app_pen *pen,
                      const struct axis *axis, float y, float high,
                      const struct app_anatomy_view *view, enum app_lane_id id)
{
    const float u = brush->unit, size = APP_TYPE_BODY * u,
                baseline = y + 0.5f * high + 0.36f * size;
    const struct app_lane *lane = &view->frame.lanes[id];
    pen->text(pen->to, true, size, axis->x - 0.5f * size, baseline, REN_ALIGN_RIGHT, APP_INK_TEXT,
              id == APP_LANE_CPU ? "CPU" : "GPU");
    for (int i = 0; i < lane->count; i++) {
        const struct app_part *part = &lane->parts[i];
        if (part->begin_ms >= axis->end_ms)
            continue;
        const char *words = app_phase_words(part->phase, view->host_kernel);
        struct ren_rect box = {place(axis, part->begin_ms), y, 0.0f, high};
        box.w = fmaxf(place(axis, part->end_ms) - box.x, 1.0f);
        pen->bar(pen->to, box, ink_of(part->phase));
        const ren_colour ink = part->phase == APP_PHASE_SWAP
                                   ? brush->colours->text
                                   : (ren_colour)brush->colours->background << 8 | 0xff;
        if (pen->width(pen->to, true, size, words) + size <= box.w)
            app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, box.x + 0.5f * box.w, baseline,
                          REN_ALIGN_CENTRE, ink, words);
    }
    if (id == APP_LANE_GPU && lane->count == 0) {
        const char *const texts[] = {view->missing[0] ? view->missing : "no times", "no times",
                                     NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, axis->x + 0.5f * size, baseline,
                          axis->width - size, brush->colours->quiet, texts);
    }
}

/* Lists the longest phases of both lanes as bars; returns how many. */
static size_t list_phases(const struct app_anatomy_view *view, struct app_bar bars[LONGEST],
                          char texts[LONGEST][64])
{
    bool taken[APP_LANES][APP_PHASE_COUNT] = {{false}};
    size_t n = 0;
    for (; n < LONGEST; n++) {
        int lane = -1, phase = 0;
        for (int l = 0; l < APP_LANES; l++)
            for (int p = 0; p < APP_PHASE_COUNT; p++)
                if (!taken[l][p] && view->phases_ms[l][p] > 0.0 &&
                    (lane < 0 || view->phases_ms[l][p] > view->phases_ms[lane][phase])) {
                    lane = l;
                    phase = p;
                }
        if (lane < 0)
            break;
        taken[lane][phase] = true;
        const struct app_number ms = app_number_time(view->phases_ms[lane][phase]);
        snprintf(texts[n], sizeof texts[n], "%s %s", ms.value, ms.unit);
        bars[n] = (struct app_bar){
            .key = view->frame.lanes[APP_LANE_GPU].count == 0 ? "" /* all are the CPU's */
                   : lane == APP_LANE_CPU                     ? "CPU"
                                                              : "GPU",
            .name = app_phase_words((enum app_phase)phase, view->host_kernel),
            .text = texts[n],
            .ink = phase == APP_PHASE_SWAP ? APP_INK_QUIET : ink_of((enum app_phase)phase),
            .value = view->phases_ms[lane][phase]};
    }
    return n;
}

void app_hud_anatomy(const struct app_brush *brush, struct ren_rect area, bool wide,
                     const struct app_hud *hud)
{
    const struct app_anatomy_view *view = hud->anatomy;
    const struct app_colours *c = brush->colours;
    struct app_brush own = *brush;
    const struct app_pen pen = app_draw_pen(&own);
    const float u = brush->unit, size = wide ? APP_TYPE_TITLE : APP_TYPE_LARGE;
    char message[160] = "Collecting frames", note[200], device[128];
    app_hud_device(hud, false, device, sizeof device);
    if (view && view->frames > 0) {
        const struct app_number ms = app_number_time(view->length_ms);
        snprintf(message, sizeof message, "Median frame: %s %s, limited by %s", ms.value, ms.unit,
                 view->limit ? view->limit : "nothing known");
    }
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, size, area.x, area.y + size * u,
                                     area.w, 3, c->text, message, true);
    if (!view || view->frames == 0)
        return;
    float y = area.y + (1.35f * (float)lines * size + 16.0f) * u;
    const float high = fminf(80.0f * u, 0.16f * area.h), gap = 8.0f * u;
    const float label =
        pen.width(pen.to, true, APP_TYPE_BODY * u, "GPU") + 0.6f * APP_TYPE_BODY * u;
    const struct axis axis = axis_of(area.x + label, area.w - label, view);
    for (int lane = 0; lane < APP_LANES; lane++, y += high + gap)
        draw_lane(brush, &pen, &axis, y, high, view, (enum app_lane_id)lane);
    const struct app_number end = app_number_time(axis.end_ms);
    snprintf(note, sizeof note, "%s %s%s", end.value, end.unit, axis.cut ? ", then it waits" : "");
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, axis.x, y + 22.0f * u, REN_ALIGN_LEFT,
                  c->quiet, "0");
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, axis.x + axis.width, y + 22.0f * u,
                  REN_ALIGN_RIGHT, c->quiet, note);
    y += 44.0f * u;
    struct app_bar bars[LONGEST];
    char texts[LONGEST][64];
    const size_t n = list_phases(view, bars, texts);
    const float bottom = area.y + area.h - 44.0f * u;
    app_bars_draw(&pen, (struct ren_rect){area.x, y, area.w, bottom - y}, APP_TYPE_BODY * u, 0.0,
                  bars, n);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x, area.y + area.h - 4.0f * u,
                     area.w, c->quiet,
                     view->software_gl ? "software OpenGL: both lanes are the CPU" : device);
}
