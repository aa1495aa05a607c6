/* Operand bandwidth: how many times more operands registers deliver than shared memory (on a CPU,
 * than the first-level cache), with a bar and a number for each. */
#include "hud/panels/parts.h"

#include <math.h>
#include <stdio.h>

/* Draws a memory's name, its rate, and a bar whose length is the rate over `most`. */
static void draw_memory(const struct app_brush *brush, struct ren_rect area, float pitch,
                        const char *const *names, struct app_estimate rate, double most,
                        ren_colour colour)
{
    const float u = brush->unit, y = area.y + 11.0f * u;
    const struct app_colours *c = brush->colours;
    const struct app_number number =
        app_describe(rate, app_metric_form(APP_METRIC_GBPS, 0.0)).number;
    char text[64];
    snprintf(text, sizeof text, "%s %s", number.value, number.unit);
    const float width = app_draw_text(brush, REN_FACE_MONO_BOLD, APP_PANEL_TITLE, area.x + area.w,
                                      y, REN_ALIGN_RIGHT, c->text, text);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_TEXT, area.x, y, area.w - width - 8.0f * u,
                      c->text, names);
    struct ren_rect bar = {area.x, y + 6.0f * u, area.w,
                           fminf(fmaxf(pitch - 26.0f * u, 6.0f * u), 16.0f * u)};
    app_draw_shape(brush, bar, 2.0f * u, (c->faint & 0xffffff00u) | 0x60u);
    if (!rate.valid || !(most > 0.0))
        return;
    bar.w = fmaxf(bar.w * (float)fmin(rate.value / most, 1.0), 2.0f * u);
    ren_list_fill(brush->list, bar, 2.0f * u, colour);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    const bool warps = app_panel_warps(view);
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_OPERANDS, &view->probes, &analysis);
    const struct app_estimate registers = app_finding(&analysis, "registers")->value,
                              shared = app_finding(&analysis, "shared")->value,
                              ratio = app_finding(&analysis, "ratio")->value,
                              rate = app_finding(&analysis, "rate")->value;
    const struct app_described said = app_describe(ratio, (struct app_form){.unit = "×"});
    char text[192], shorter[64];
    if (ratio.valid) {
        const float x = 12.0f * u + app_panel_headline(brush, APP_PANEL_NUMBER, area.x,
                                                       area.y + 28.0f * u, &said);
        const float width = area.x + area.w - x;
        const char *const of[] = {warps ? "operands per time, registers / shared memory"
                                        : "operands per time, registers / L1 cache",
                                  warps ? "registers / shared memory" : "registers / L1 cache",
                                  warps ? "registers / shared" : "registers / L1", NULL};
        snprintf(shorter, sizeof shorter, "multiply-adds %s×",
                 app_number_plain(rate.valid ? rate.value : -1.0, "").value);
        snprintf(text, sizeof text, "%s%s%s", said.interval, said.interval[0] ? "  " : "", shorter);
        const char *const beside[] = {text, shorter, NULL};
        if (!app_trust_no_verdict(ratio.trust)) {
            app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, area.y + 12.0f * u,
                              width, c->text, of);
            app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, x, area.y + 28.0f * u, width,
                              c->quiet, beside);
        }
    } else {
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, area.x, area.y + 22.0f * u, REN_ALIGN_LEFT,
                      c->quiet, app_panel_ask(view, KRN_TOPIC_OPERANDS, "ratio").text);
    }
    static const char *const registers_of[] = {"registers, 12 bytes per multiply-add",
                                               "registers, 3 operands", "registers", NULL},
                             *const shared_of[] = {"shared memory, bytes loaded", "shared memory",
                                                   "shared", NULL},
                             *const cache_of[] = {"L1 cache, bytes loaded", "L1 cache", NULL};
    const float top = 38.0f * u, pitch = fminf((area.h - top) / 2.0f, 52.0f * u);
    const double most =
        fmax(registers.valid ? registers.value : 0.0, shared.valid ? shared.value : 0.0);
    draw_memory(brush, (struct ren_rect){area.x, area.y + top, area.w, pitch}, pitch, registers_of,
                registers, most, c->curves[2]);
    draw_memory(brush, (struct ren_rect){area.x, area.y + top + pitch, area.w, pitch}, pitch,
                warps ? shared_of : cache_of, shared, most,
                warps ? c->storages[KRN_STORAGE_SHARED] : c->curves[4]);
}

const struct app_panel app_panel_operands = {KRN_TOPIC_OPERANDS, draw};
