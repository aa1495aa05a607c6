/* Peak arithmetic: the greatest rates of single and double precision, each with its percentage of
 * the computed peak and with the peak of the article's GPU. */
#include "hud/panels/parts.h"

#include "base/value.h"

#include <stdio.h>

/* One precision: the keys of its findings, its name, and the peak that the article gives for its
 * Tesla M2050. */
static const struct precision {
    const char *key, *percent_key, *name, *published;
} precisions[] = {{"ffma", "ffma percent", "single", "M2050: 1030 GFLOP/s"},
                  {"dfma", "dfma percent", "double", "M2050: 515 GFLOP/s"}};

enum { PRECISIONS = sizeof precisions / sizeof *precisions };

/* Writes "98.4 % of 66.9 TFLOP/s", or "at 512 bits" where the peak is not known, and the first half
 * of it. */
static void describe_share(const struct app_panels_view *view, const struct app_finding *best,
                           struct app_estimate percent, char *text, size_t size, char *shorter,
                           size_t shorter_size)
{
    const struct krn_ceilings *most = &view->probes.ceilings;
    const double gflops = best->of->probe->double_precision ? most->gflops_double : most->gflops;
    const struct app_number whole = app_metric_number(
        APP_METRIC_GFLOPS, (struct app_estimate){.valid = gflops > 0.0, .value = gflops});
    if (percent.valid) {
        snprintf(shorter, shorter_size, "%s %%", app_number_plain(percent.value, "").value);
        app_format(text, size, "%s of %s %s", shorter, whole.value, whole.unit);
        return;
    }
    snprintf(shorter, shorter_size, "peak not known");
    if (app_panel_warps(view))
        snprintf(text, size, "computed peak not known");
    else
        snprintf(text, size, "at %.0f bits, computed peak not known", best->of->probe->x);
}

/* Draws one precision: the number in large digits, and two lines beside it. */
static void draw_precision(const struct app_brush *brush, struct ren_rect row,
                           const struct app_panels_view *view, const struct app_analysis *analysis,
                           const struct precision *precision)
{
    const float u = brush->unit, right = row.x + row.w, y = row.y + 28.0f * u;
    const struct app_colours *c = brush->colours;
    const struct app_finding *best = app_finding(analysis, precision->key);
    const struct app_estimate percent = app_finding(analysis, precision->percent_key)->value;
    const struct app_number shown = app_metric_number(APP_METRIC_GFLOPS, best->value);
    if (!best->value.valid) {
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, row.x, row.y + 22.0f * u, REN_ALIGN_LEFT,
                      c->quiet, app_panel_not_yet(view).text);
        return;
    }
    const float x = 12.0f * u + app_panel_headline(brush, APP_PANEL_NUMBER, row.x, y, shown.value,
                                                   shown.unit, best->value.trust);
    char share[80], shorter[32], named[120];
    describe_share(view, best, percent, share, sizeof share, shorter, sizeof shorter);
    app_format(named, sizeof named, "%s: %s", precision->name, share);
    const char *const texts[] = {named, share, shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_PANEL_TEXT, x, row.y + 13.0f * u, right - x,
                      c->text, texts);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, x, row.y + 29.0f * u, right - x,
                     c->series[APP_ORANGE], precision->published);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const float height = area.h / (float)PRECISIONS;
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_PEAK, &view->probes, &analysis);
    for (int i = 0; i < PRECISIONS; i++) {
        const struct ren_rect row = {area.x, area.y + (float)i * height, area.w, height};
        draw_precision(brush, row, view, &analysis, &precisions[i]);
    }
}

const struct app_panel app_panel_peak = {KRN_TOPIC_PEAK, draw};
