/* SAXPY, y = a x + y: the best kernel in large digits, the article's kernel with the article's own
 * numbers beside, every size below. */
#include "hud/panels/parts.h"

#include "base/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 5, LINES = 3 };

/* A line of the table: one series over all sizes. */
struct line {
    const char *label, *series;
};

/* The second line of a GPU needs room for all three. */
static const struct line cuda_lines[] = {{"article 512", "published"},
                                         {"article 256", "published256"},
                                         {"vector", "vector"}},
                         cpu_lines[] = {{"all", "vector"}, {"one", "vector/one"}, {"copy", "copy"}};

/* Collects the sizes that the device offers, ascending. */
static int sizes_of(const struct app_panels_view *view, const char *series, double sizes[COLUMNS])
{
    int count = 0;
    for (int i = 0; i < view->probes.count && count < COLUMNS; i++) {
        const struct krn_probe *probe = view->probes.results[i].probe;
        if (probe->topic == KRN_TOPIC_SAXPY && strcmp(probe->series, series) == 0)
            sizes[count++] = probe->x;
    }
    return count;
}

static struct app_estimate rate_of(const struct app_panels_view *view, const char *series,
                                   double elements)
{
    return app_metric_of(&view->probes,
                         app_probe_result_find(&view->probes, KRN_TOPIC_SAXPY, series, elements),
                         APP_METRIC_GBPS);
}

/* Draws the part of the bandwidth that is reached, with a tick at the article's level if both are
 * percentages of the theoretical bandwidth. */
static void draw_bar(const struct app_brush *brush, struct ren_rect bar, double percent, bool tick)
{
    const float u = brush->unit;
    const struct app_colours *c = brush->colours;
    app_draw_shape(brush, bar, 3.0f * u, (c->faint & 0xffffff00u) | 0x60u);
    struct ren_rect filled = bar;
    filled.w *= (float)(fmin(fmax(percent, 0.0), 100.0) / 100.0);
    ren_list_fill(brush->list, filled, 3.0f * u, c->curves[2]);
    if (!tick)
        return;
    const float x = bar.x + bar.w * (float)(app_claim_entry_of(APP_CLAIM_SAXPY)->claimed / 100.0);
    ren_list_fill(brush->list,
                  (struct ren_rect){x - 2.5f * u, bar.y - 4.0f * u, 5.0f * u, bar.h + 8.0f * u},
                  0.0f, c->panel);
    ren_list_fill(brush->list,
                  (struct ren_rect){x - 1.5f * u, bar.y - 4.0f * u, 3.0f * u, bar.h + 8.0f * u},
                  0.0f, c->text);
}

/* Draws a line's numbers, right-aligned at the columns' ends. */
static void draw_cells(const struct app_brush *brush, const struct app_panels_view *view,
                       const char *series, struct app_form form, double published_size,
                       const double *sizes, const float *ends, int columns, float y)
{
    for (int i = 0; i < columns; i++) {
        const struct app_estimate at = rate_of(view, series, sizes[i]);
        /* The published size is bold. */
        const bool own = sizes[i] == published_size;
        app_draw_text(brush, own ? REN_FACE_MONO_BOLD : REN_FACE_MONO, APP_PANEL_SMALL, ends[i], y,
                      REN_ALIGN_RIGHT, brush->colours->text, app_describe(at, form).number.value);
    }
}

/* Draws the table from the baseline y on, on a GPU with both of the article's block sizes or with
 * the second alone; returns the baseline of the line below it. */
static float draw_table(const struct app_brush *brush, struct ren_rect area, float y, float pitch,
                        const struct app_panels_view *view, bool both,
                        const struct app_probe_result *published)
{
    const float u = brush->unit;
    const double published_size = published ? published->probe->x : 0.0;
    struct line lines[LINES];
    int count = 0;
    for (int i = 0; i < LINES; i++)
        if (both || i != 1)
            lines[count++] = app_panel_warps(view) ? cuda_lines[i] : cpu_lines[i];
    double sizes[COLUMNS];
    const int columns = sizes_of(view, lines[0].series, sizes);
    /* All numbers have the unit of the greatest. */
    struct app_estimate like = {0};
    for (int row = 0; row < count; row++)
        for (int i = 0; i < columns; i++) {
            const struct app_estimate at = rate_of(view, lines[row].series, sizes[i]);
            if (at.valid && (!like.valid || at.value > like.value))
                like = at;
        }
    const struct app_form form = app_metric_form(APP_METRIC_GBPS, like.value);
    const struct app_number greatest = app_describe(like, form).number;
    /* Each column is as wide as its head or its digits; the gaps share the spare width. */
    const char *const first[] = {lines[0].label, lines[1].label, lines[count - 1].label, "GB/s",
                                 NULL};
    float labels = app_draw_widest(brush, REN_FACE_SANS, APP_PANEL_SMALL, first);
    char heads[COLUMNS][32];
    float ends[COLUMNS], columns_width = 0.0f;
    for (int i = 0; i < columns; i++) {
        app_panel_elements(sizes[i], heads[i], sizeof heads[i]);
        const char *const digits[] = {"0.000", NULL}, *const head[] = {heads[i], NULL};
        ends[i] = fmaxf(app_draw_widest(brush, REN_FACE_SANS, APP_PANEL_SMALL, head),
                        app_draw_widest(brush, REN_FACE_MONO_BOLD, APP_PANEL_SMALL, digits));
        columns_width += ends[i];
    }
    const float gap =
        columns ? fmaxf((area.w - labels - columns_width) / (float)columns, 0.0f) : 0.0f;
    float x = area.x + labels;
    for (int i = 0; i < columns; i++)
        ends[i] = x += gap + ends[i];
    app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, REN_ALIGN_LEFT,
                  brush->colours->quiet, greatest.unit);
    for (int i = 0; i < columns; i++)
        app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, ends[i], y, REN_ALIGN_RIGHT,
                      brush->colours->quiet, heads[i]);
    for (int row = 0; row < count; row++) {
        y += pitch;
        app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, labels + 0.5f * u,
                         brush->colours->quiet, lines[row].label);
        draw_cells(brush, view, lines[row].series, form, published_size, sizes, ends, columns, y);
    }
    return y + pitch + 2.0f * u;
}

/* Draws "max error 0", the greatest error of all runs, and on a CPU "article's kernel 2.3 GFLOP/s".
 */
static void draw_last(const struct app_brush *brush, struct ren_rect area, float y,
                      const struct app_panels_view *view, const struct app_probe_result *published)
{
    const struct app_probes_view *probes = &view->probes;
    double error = 0.0;
    for (int i = 0; i < probes->count; i++)
        if (probes->results[i].probe->topic == KRN_TOPIC_SAXPY && probes->results[i].n > 0)
            error = fmax(error, probes->results[i].check.max_error);
    char text[96], digits[24];
    app_panel_digits(error, digits, sizeof digits);
    if (isfinite(error))
        snprintf(text, sizeof text, "max error %s", digits);
    else
        snprintf(text, sizeof text, "max error: not a number");
    const float width = app_draw_text(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x + area.w, y,
                                      REN_ALIGN_RIGHT, brush->colours->quiet, text);
    if (app_panel_warps(view))
        return;
    const struct app_estimate work = app_metric_of(probes, published, APP_METRIC_GFLOPS);
    const struct app_number flops =
        app_describe(work, app_metric_form(APP_METRIC_GFLOPS, 0.0)).number;
    snprintf(text, sizeof text, "article's kernel %s %s", flops.value, flops.unit);
    const char *const texts[] = {text, strstr(text, "kernel"), NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y,
                      area.w - width - 8.0f * brush->unit, brush->colours->quiet, texts);
}

/* What the article's kernel reaches here, and what the article gives for its Tesla M2050; the same
 * in fewer and fewer words. */
enum { LENGTHS = 3 };
struct comparison {
    char here[LENGTHS][64];
    const char *published[LENGTHS];
};

/* Returns the first length at which both texts fit on one line, at least the last one. */
static int fitting_length(const struct app_brush *brush, float width, const struct comparison *both)
{
    const float u = brush->unit, size = APP_PANEL_SMALL * u, gap = 10.0f * u;
    int i = 0;
    while (i + 1 < LENGTHS &&
           ren_text_width(brush->renderer, REN_FACE_SANS, size, both->here[i]) + gap +
                   ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size, both->published[i]) >
               width)
        i++;
    return i;
}

/* Draws both texts on one line, as long as they fit, or with `stacked` on two lines, `pitch` apart,
 * where the longer ones do not fit on one. Returns the last baseline. */
static float draw_comparison(const struct app_brush *brush, struct ren_rect area, float y,
                             float pitch, bool stacked, const struct comparison *both)
{
    const struct app_colours *c = brush->colours;
    int i = fitting_length(brush, area.w, both);
    stacked = stacked && i + 1 == LENGTHS;
    i = stacked ? 0 : i;
    const char *const here[] = {both->here[i], both->here[LENGTHS - 1], NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, area.x, y, area.w, c->text, here);
    y += stacked ? pitch : 0.0f;
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, area.x + area.w, y, REN_ALIGN_RIGHT,
                  c->quiet, both->published[i]);
    return y;
}

/* Writes "3110 of 4814 GB/s, 64.6 %" in three lengths; "–" in place of what is not known. */
static void describe(struct comparison *both, const char *subject, const char *unit,
                     struct app_estimate rate, double most, struct app_estimate percent)
{
    char of[32] = "", share[32] = "", now[32] = "–";
    const bool known = rate.valid && !app_trust_no_verdict(rate.trust);
    if (most > 0.0)
        app_format(of, sizeof of, " of %.0f", most);
    if (known)
        app_format(now, sizeof now, "%.0f", rate.value);
    if (known && percent.valid)
        app_format(share, sizeof share, ", %s %%", app_number_plain(percent.value, "").value);
    for (int i = 0; i < LENGTHS; i++)
        app_format(both->here[i], sizeof both->here[i], "%s%s%s %s%s", i > 0 ? "" : subject, now,
                   of, unit, i + 1 < LENGTHS ? share : "");
}

/* Draws what the article says about the bandwidth, and about the arithmetic if there is room;
 * returns the last baseline. */
static float draw_article(const struct app_brush *brush, struct ren_rect area, float y, float pitch,
                          const struct app_panels_view *view, bool stacked, bool arithmetic,
                          const struct app_probe_result *published)
{
    const struct app_probes_view *probes = &view->probes;
    struct comparison both = {.published = {"M2050: 110.4 of 148 GB/s, 74.6 %",
                                            "M2050: 110.4 of 148 GB/s, 74.6 %", "M2050: 74.6 %"}};
    describe(&both, "article's kernel: ", "GB/s", app_metric_of(probes, published, APP_METRIC_GBPS),
             probes->ceilings.bandwidth_gbps,
             app_metric_of(probes, published, APP_METRIC_OF_THEORETICAL));
    y = draw_comparison(brush, area, y, pitch, stacked, &both);
    if (!arithmetic)
        return y;
    both.published[0] = "M2050: of 1030 GFLOP/s, double 515";
    both.published[1] = "M2050: of 1030, double 515";
    both.published[2] = "M2050: 1030, 515";
    describe(&both, "its arithmetic: ", "GFLOP/s",
             app_metric_of(probes, published, APP_METRIC_GFLOPS), probes->ceilings.gflops,
             app_metric_of(probes, published, APP_METRIC_OF_COMPUTED));
    return draw_comparison(brush, area, y + pitch, pitch, false, &both);
}

/* Draws, beside the headline, the percentage reached and the size, and below it the rate's
 * interval; where the percentage is that of a copy, its interval. */
static void draw_beside(const struct app_brush *brush, float x, float right, float top,
                        struct app_estimate rate, struct app_estimate part,
                        const struct app_probe_result *best, bool warps)
{
    const float u = brush->unit, y = top + 12.0f * u;
    const struct app_colours *c = brush->colours;
    if (!rate.valid)
        return;
    char size[24], text[96], shorter[64] = "", spread[104];
    app_panel_elements(best->probe->x, size, sizeof size);
    float end = x;
    if (part.valid) {
        snprintf(text, sizeof text, "%s %%", app_number_plain(part.value, "").value);
        end += 7.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, x, y,
                                        REN_ALIGN_LEFT, c->text, text);
    }
    const bool of_copy = part.valid && !warps;
    const char *kernel = warps                                           ? ""
                         : strcmp(best->probe->series, "published") == 0 ? "article "
                                                                         : "";
    snprintf(text, sizeof text, "%sat %s", of_copy ? "of a copy " : kernel, size);
    snprintf(shorter, sizeof shorter, "%s%s", of_copy ? "of a copy" : "at ", of_copy ? "" : size);
    const char *const where[] = {text, shorter, of_copy ? "of copy" : NULL, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_PANEL_SMALL, end, y, right - end, c->quiet, where);
    const struct app_described said =
        of_copy ? app_describe(part, (struct app_form){.unit = "%"})
                : app_describe(rate, app_metric_form(APP_METRIC_GBPS, 0.0));
    snprintf(spread, sizeof spread, "%s%s", said.interval, of_copy && said.interval[0] ? " %" : "");
    app_draw_text_in(brush, REN_FACE_MONO, APP_PANEL_SMALL, x, top + 28.0f * u, right - x, c->quiet,
                     spread);
}

static void draw(const struct app_brush *brush, struct ren_rect area,
                 const struct app_panels_view *view)
{
    const float u = brush->unit, right = area.x + area.w;
    const struct app_colours *c = brush->colours;
    const struct app_probes_view *probes = &view->probes;
    const bool warps = app_panel_warps(view);
    struct app_analysis analysis;
    app_topic_analyse(KRN_TOPIC_SAXPY, probes, &analysis);
    const struct app_probe_result *best = app_finding(&analysis, "best")->of,
                                  *published = app_finding(&analysis, "published")->of;
    const struct app_estimate rate = app_finding(&analysis, "best")->value,
                              part = app_finding(&analysis, "share")->value;
    const struct app_described shown = app_describe(rate, app_metric_form(APP_METRIC_GBPS, 0.0));
    float x = area.x;
    if (rate.valid)
        x = 12.0f * u +
            app_panel_headline(brush, APP_PANEL_NUMBER, area.x, area.y + 28.0f * u, &shown);
    else
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, area.x, area.y + 22.0f * u, REN_ALIGN_LEFT,
                      c->quiet, app_panel_ask(view, KRN_TOPIC_SAXPY, "rate").text);
    if (!app_trust_no_verdict(rate.trust))
        draw_beside(brush, x, right, area.y, rate, part, best, warps);

    /* A GPU's least lines: one of the article, the head of the table, and two kernels. Then come
     * the line of arithmetic, the kernel with 256 threads, a second line of the article where its
     * bandwidth needs one, and the last line. A CPU has no line of the article and three kernels.
     * The gaps share the spare height. */
    const float line = 15.0f * u, above = 46.0f * u;
    const int fitting = (int)floorf((area.h - above) / line), least = 4, most = 8;
    const int lines = warps ? (fitting < least ? least : fitting > most ? most : fitting) : 5;
    const float spare = (area.h - above - (float)lines * line) / (float)(lines + 1);
    const float airy = fminf(fmaxf(spare, 0.0f), 7.0f * u), pitch = line + airy;
    const struct ren_rect bar = {area.x, area.y + 37.0f * u + 0.5f * airy, area.w, 9.0f * u};
    draw_bar(brush, bar, part.valid ? part.value : 0.0, warps);
    float y = bar.y + bar.h - u;
    if (warps)
        y = draw_article(brush, area, y + pitch, pitch, view, lines > least + 2, lines > least,
                         published);
    y = draw_table(brush, area, y + pitch + u, pitch, view, !warps || lines > least + 1, published);
    if (y <= area.y + area.h + u)
        draw_last(brush, area, y, view, published);
}

const struct app_panel app_panel_saxpy = {KRN_TOPIC_SAXPY, draw};
