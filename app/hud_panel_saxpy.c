/* SAXPY, y = a x + y: the best kernel large, the text's own one beside it, every size below. */
#include "hud_panel_parts.h"

#include "value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 5 };

static const double seed_percent = 74.6, seed_elements = 20.0 * 1048576.0;

/* A line of the table: one series over the sizes. */
struct line {
    const char *label, *series;
};

static const struct line cuda_lines[] = {{"seed's", "seed"}, {"vector", "vector"}},
                         cpu_lines[] = {{"all", "vector"}, {"one", "vector/one"}, {"copy", "copy"}};

/* The sizes that the device offers, ascending. */
static int sizes_of(const struct app_panels_view *view, const char *series, double sizes[COLUMNS])
{
    int count = 0;
    for (int i = 0; i < view->probes.count && count < COLUMNS; i++) {
        const struct krn_probe *probe = view->probes.probed[i].probe;
        if (probe->topic == KRN_TOPIC_SAXPY && strcmp(probe->series, series) == 0)
            sizes[count++] = probe->x;
    }
    return count;
}

/* The faster of two kernels at their greatest size, or NULL. */
static const struct app_probed *best_of(const struct app_panels_view *view, const char *first,
                                        const char *second)
{
    const struct app_probes_view *probes = &view->probes;
    const struct app_probed *a = app_probed_find(probes, KRN_TOPIC_SAXPY, first, -1.0),
                            *b = app_probed_find(probes, KRN_TOPIC_SAXPY, second, -1.0);
    const struct app_estimate at_a = app_metric_of(probes, a, APP_METRIC_GBPS),
                              at_b = app_metric_of(probes, b, APP_METRIC_GBPS);
    if (!at_b.there)
        return at_a.there ? a : NULL;
    return at_a.there && at_a.value > at_b.value ? a : b;
}

/* How much of the room is filled, with the text's own level as a tick where the rooms are of one
 * kind. */
static void draw_bar(const struct app_brush *brush, struct ren_rect bar, double percent, bool tick)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    ren_list_fill(brush->list, bar, 3.0f * u, (c->faint & 0xffffff00u) | 0x60u);
    struct ren_rect filled = bar;
    filled.w *= (float)(fmin(fmax(percent, 0.0), 100.0) / 100.0);
    ren_list_fill(brush->list, filled, 3.0f * u, c->storage[KRN_STORAGE_GLOBAL]);
    if (!tick)
        return;
    const float x = bar.x + bar.w * (float)(seed_percent / 100.0);
    ren_list_fill(brush->list,
                  (struct ren_rect){x - 2.5f * u, bar.y - 4.0f * u, 5.0f * u, bar.h + 8.0f * u},
                  0.0f, c->panel);
    ren_list_fill(brush->list,
                  (struct ren_rect){x - 1.5f * u, bar.y - 4.0f * u, 3.0f * u, bar.h + 8.0f * u},
                  0.0f, c->storage[KRN_STORAGE_CONSTANT]);
}

static struct app_estimate rate_of(const struct app_panels_view *view, const char *series,
                                   double elements)
{
    return app_metric_of(&view->probes,
                         app_probed_find(&view->probes, KRN_TOPIC_SAXPY, series, elements),
                         APP_METRIC_GBPS);
}

/* Rows of the table from the baseline y on; returns the next one's. */
static float draw_table(const struct app_brush *brush, struct ren_rect area, float y, float pitch,
                        const struct app_panels_view *view)
{
    const float u = brush->unit, right = area.x + area.w, labels = 52.0f * u;
    const bool cuda = app_panel_cuda(view);
    const struct line *lines = cuda ? cuda_lines : cpu_lines;
    const int count = cuda ? 2 : 3;
    double sizes[COLUMNS];
    const int columns = sizes_of(view, lines[0].series, sizes);
    const float step = (area.w - labels) / COLUMNS;
    char text[32];
    /* One unit for all: that of the greatest. */
    struct app_estimate like = {0};
    for (int row = 0; row < count; row++)
        for (int i = 0; i < columns; i++) {
            const struct app_estimate at = rate_of(view, lines[row].series, sizes[i]);
            if (at.there && (!like.there || at.value > like.value))
                like = at;
        }
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, REN_ALIGN_LEFT,
                  brush->colours->quiet, app_panel_number_of(APP_METRIC_GBPS, like, NULL).unit);
    for (int i = 0; i < columns; i++) {
        app_panel_elements(sizes[i], text, sizeof text);
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL,
                      right - (float)(columns - 1 - i) * step, y, REN_ALIGN_RIGHT,
                      brush->colours->quiet, text);
    }
    for (int row = 0; row < count; row++) {
        y += pitch;
        app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, labels - 4.0f * u,
                         brush->colours->quiet, lines[row].label);
        for (int i = 0; i < columns; i++) {
            const struct app_estimate at = rate_of(view, lines[row].series, sizes[i]);
            /* The text's own size stands out. */
            const bool own = sizes[i] == seed_elements;
            app_draw_text(brush, own ? REN_FACE_MONO_BOLD : REN_FACE_MONO, APP_PANEL_SMALL,
                          right - (float)(columns - 1 - i) * step, y, REN_ALIGN_RIGHT,
                          brush->colours->text,
                          app_panel_number_of(APP_METRIC_GBPS, at, &like).value);
        }
    }
    return y + pitch + 2.0f * u;
}

/* "max error 0 · 503 GFLOP/s": the greatest of all runs' errors, the text's kernel's arithmetic. */
static void draw_last(const struct app_brush *brush, struct ren_rect area, float y,
                      const struct app_panels_view *view)
{
    const struct app_probes_view *probes = &view->probes;
    double error = 0.0;
    for (int i = 0; i < probes->count; i++)
        if (probes->probed[i].probe->topic == KRN_TOPIC_SAXPY && probes->probed[i].n > 0)
            error = fmax(error, probes->probed[i].check.max_error);
    const struct app_probed *seed = app_probed_find(probes, KRN_TOPIC_SAXPY, "seed", seed_elements);
    const struct app_estimate work = app_metric_of(probes, seed, APP_METRIC_GFLOPS);
    const struct app_number flops = app_metric_number(APP_METRIC_GFLOPS, work);
    char text[96], digits[24];
    app_panel_digits(error, digits, sizeof digits);
    if (isfinite(error))
        snprintf(text, sizeof text, "max error %s", digits);
    else
        snprintf(text, sizeof text, "max error: not a number");
    const float width = app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x + area.w, y,
                                      REN_ALIGN_RIGHT, brush->colours->quiet, text);
    snprintf(text, sizeof text, "seed's %s %s", flops.value, work.there ? flops.unit : "");
    app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y,
                     area.w - width - 8.0f * brush->unit, brush->colours->quiet, text);
}

void app_panel_saxpy(const struct app_brush *brush, struct ren_rect area,
                     const struct app_panels_view *view)
{
    const float u = brush->unit, right = area.x + area.w;
    const struct app_colours *c = brush->colours;
    const struct app_probes_view *probes = &view->probes;
    const bool cuda = app_panel_cuda(view);
    const struct app_probed *best = best_of(view, "seed", "vector");
    const struct app_estimate rate = app_metric_of(probes, best, APP_METRIC_GBPS);
    const struct app_number shown = app_metric_number(APP_METRIC_GBPS, rate);
    float x = area.x;
    if (rate.there)
        x = 12.0f * u + app_panel_headline(brush, APP_PANEL_NUMBER, area.x, area.y + 28.0f * u,
                                           shown.value, shown.unit);
    else
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, area.x, area.y + 22.0f * u, REN_ALIGN_LEFT,
                      c->quiet, app_panel_not_yet(view));
    /* On the CPU, which tells no theoretical bandwidth, the copy of the same run is the room. */
    struct app_estimate part;
    struct app_number whole = {"", ""};
    if (cuda) {
        const double gbps = probes->ceilings.bandwidth_gbps;
        const struct app_estimate room = {gbps > 0.0, false, gbps, gbps, gbps};
        part = app_metric_of(probes, best, APP_METRIC_OF_THEORETICAL);
        whole = app_metric_number(APP_METRIC_GBPS, room);
    } else {
        part = app_estimate_ratio(
            rate, app_metric_of(probes, best_of(view, "copy", "copy"), APP_METRIC_GBPS));
        part.value *= 100.0;
    }
    char text[96];
    const struct app_number percent = app_number_plain(part.there ? part.value : -1.0, "");
    float end = x;
    if (part.there) {
        snprintf(text, sizeof text, "%s %%%s", percent.value, cuda ? "" : " of a copy");
        end += 7.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, x,
                                        area.y + 12.0f * u, REN_ALIGN_LEFT, c->text, text);
    }
    if (rate.there) {
        char size[24];
        app_panel_elements(best->probe->x, size, sizeof size);
        snprintf(text, sizeof text, "at %s", size);
        if (end + ren_text_width(brush->renderer, REN_FACE_SANS, APP_PANEL_SMALL * u, text) <=
            right)
            app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, end, area.y + 12.0f * u,
                          REN_ALIGN_LEFT, c->quiet, text);
    }
    app_panel_spread(APP_METRIC_GBPS, rate, text, sizeof text);
    app_draw_text_in(brush, REN_FACE_MONO, APP_PANEL_SMALL, x, area.y + 28.0f * u, right - x,
                     c->quiet, text);

    /* What is left of the height goes between the lines. */
    const float airy = fminf(fmaxf((area.h - 130.0f * u) / 5.0f, 0.0f), 7.0f * u);
    const struct ren_rect bar = {area.x, area.y + 37.0f * u + 0.5f * airy, area.w, 9.0f * u};
    draw_bar(brush, bar, part.there ? part.value : 0.0, cuda);
    float y = bar.y + bar.h;
    if (cuda) {
        y += 14.0f * u + airy;
        if (part.there)
            snprintf(text, sizeof text, "of %s %s theoretical", whole.value, whole.unit);
        else
            snprintf(text, sizeof text, "theoretical: not known");
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, REN_ALIGN_LEFT, c->quiet,
                      text);
        snprintf(text, sizeof text, "M2050: %.1f %%", seed_percent);
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, right, y, REN_ALIGN_RIGHT,
                      c->storage[KRN_STORAGE_CONSTANT], text);
    }
    y = draw_table(brush, area, y + 17.0f * u + airy, 15.0f * u + airy, view);
    if (y <= area.y + area.h + u)
        draw_last(brush, area, y, view);
}
