/* The page of the story plot: what the curves say, and the curves. */
#include "hud/contents.h"

#include "base/value.h"
#include "command/keys.h"
#include "hud/parts.h"
#include "hud/plot.h"

#include <math.h>
#include <stdio.h>
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

void app_hud_story(const struct app_brush *brush, struct ren_rect area, bool wide,
                   const struct app_hud *hud)
{
    static const struct app_story_view nothing;
    const struct app_story_view *view = hud->story ? hud->story : &nothing;
    const struct app_colours *c = brush->colours;
    const float u = brush->unit;
    const bool barred = view->least > 0 && app_trust_no_verdict(view->trust);
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
    if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, source) > area.w)
        source[length] = 0;
    app_draw_text_in(
        brush, REN_FACE_SANS, APP_TYPE_BODY,
        area.x + area.w -
            fminf(ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, source) + 1.0f,
                  area.w),
        bottom + 32.0f * u, area.w, c->quiet, source);
    const struct ren_rect plot = {area.x, y, area.w, bottom - y};
    if (view->least > 0 && !barred &&
        app_story_plot(brush, plot, APP_TYPE_BODY, view->sweep, 0.0, true))
        return;
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
