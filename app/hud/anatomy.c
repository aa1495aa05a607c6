/* The page of the frame anatomy: what bounds a frame, and its longest phases. */
#include "hud/contents.h"

#include "base/numbers.h"
#include "hud/parts.h"

#include <stdio.h>

enum { LONGEST = 5 };

/* Lists the longest phases of CPU and GPU as bars; returns how many. */
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
            .key = lane == APP_LANE_CPU ? "CPU" : "GPU",
            .name = app_phase_words((enum app_phase)phase, view->host_kernel),
            .text = texts[n],
            .ink = phase == APP_PHASE_SWAP ? APP_INK_QUIET
                                           : APP_INK_CURVE + (lane == APP_LANE_CPU ? 2 : 0),
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
    char message[160] = "Collecting frames", device[128];
    app_hud_device(hud, false, device, sizeof device);
    if (view && view->frames > 0) {
        const struct app_number ms = app_number_time(view->span_ms);
        snprintf(message, sizeof message, "Median frame: %s %s, limited by %s", ms.value, ms.unit,
                 view->limit ? view->limit : "nothing known");
    }
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, size, area.x, area.y + size * u,
                                     area.w, 3, c->text, message, true);
    if (!view || view->frames == 0)
        return;
    const float top = (1.35f * (float)lines * size + 16.0f) * u, bottom = 44.0f * u;
    struct app_bar bars[LONGEST];
    char texts[LONGEST][64];
    const size_t n = list_phases(view, bars, texts);
    app_bars_draw(&pen, (struct ren_rect){area.x, area.y + top, area.w, area.h - top - bottom},
                  (wide ? APP_TYPE_LARGE : APP_TYPE_BODY) * u, "of a frame; shorter is better", 0.0,
                  bars, n);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, area.x, area.y + area.h - 4.0f * u,
                     area.w, c->quiet,
                     view->missing[0]    ? view->missing
                     : view->software_gl ? "software OpenGL, drawn by the CPU"
                                         : device);
}
