#include "hud/panels/parts.h"

#include "base/value.h"
#include "command/keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool app_panel_warps(const struct app_panels_view *view)
{
    return view->probes.device && view->probes.device->can.warps;
}

float app_panel_headline(const struct app_brush *brush, float size, float x, float y,
                         const struct app_described *said)
{
    const float u = brush->unit;
    const char *unit = said->number.unit;
    const enum app_verdict none = app_trust_no_verdict(said->estimate.trust);
    if (none)
        return x + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_TITLE, x, y, REN_ALIGN_LEFT,
                                 brush->colours->bad, app_verdict_word(none));
    x += app_draw_number(brush, REN_FACE_SANS_BOLD, size, x, y, brush->colours->text,
                         said->number.value);
    if (!unit[0])
        return x;
    /* The × of a factor stays close to its digits. */
    x += (strcmp(unit, "×") == 0 ? 0.02f : 0.2f) * size * u;
    const float part = strcmp(unit, "×") == 0 ? 0.85f : 0.58f;
    return x + app_draw_text(brush, REN_FACE_SANS, fmaxf(part * size, APP_PANEL_SMALL), x, y,
                             REN_ALIGN_LEFT, brush->colours->text, unit);
}

struct app_panel_doubt app_panel_doubt(const struct app_panels_view *view, enum krn_topic topic)
{
    struct app_panel_doubt doubt = {.reasons = 0};
    int measured = 0, doubted = 0;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic == topic && result->n > 0)
            doubt.reasons |= result->trust;
    }
    const unsigned first = doubt.reasons & ~(doubt.reasons - 1); /* its lowest bit */
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic != topic || result->n == 0)
            continue;
        measured++;
        doubted += (result->trust & first) != 0;
    }
    if (doubted == measured)
        snprintf(doubt.text, sizeof doubt.text, "%s", app_trust_first(doubt.reasons));
    else if (doubted > 0)
        snprintf(doubt.text, sizeof doubt.text, "%d of %d: %s", doubted, measured,
                 app_trust_first(doubt.reasons));
    return doubt;
}

void app_panel_row(const struct app_brush *brush, float x, float right, float y, const char *label,
                   const char *value)
{
    const float width = app_draw_text(brush, REN_FACE_MONO, APP_PANEL_TEXT, right, y,
                                      REN_ALIGN_RIGHT, brush->colours->text, value);
    app_draw_text_in(brush, REN_FACE_SANS, APP_PANEL_TEXT, x, y,
                     right - width - 8.0f * brush->unit - x, brush->colours->quiet, label);
}

static void superscript(int power, char *text, size_t size)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (power >= 10)
        snprintf(text, size, "%s%s", digits[power / 10 % 10], digits[power % 10]);
    else
        snprintf(text, size, "%s", digits[power > 0 ? power : 0]);
}

void app_panel_elements(double elements, char *text, size_t size)
{
    char power[16];
    int exponent = 0;
    if (!(elements >= 1.0)) {
        snprintf(text, size, "–");
        return;
    }
    if (frexp(elements, &exponent) == 0.5) {
        superscript(exponent - 1, power, sizeof power);
        snprintf(text, size, "2%s", power);
    } else if (fmod(elements, 1048576.0) == 0.0) {
        superscript(20, power, sizeof power);
        app_format(text, size, "%.0f·2%s", elements / 1048576.0, power);
    } else {
        app_format(text, size, "%.3g", elements);
    }
}

void app_panel_digits(double value, char *text, size_t size)
{
    snprintf(text, size, "%s", app_number_plain(value, "").value);
    if (!strchr(text, '.'))
        return;
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == '0')
        text[--end] = '\0';
    if (end > 0 && text[end - 1] == '.')
        text[--end] = '\0';
}

void app_panel_ticks(double y_high, char texts[3][24], struct app_panel_tick ticks[3])
{
    for (int i = 0; i < 3; i++) {
        app_panel_digits(y_high * i / 2.0, texts[i], 24);
        ticks[i] = (struct app_panel_tick){y_high * i / 2.0, texts[i]};
    }
}

struct ren_axes app_panel_axes(const struct app_brush *brush, struct ren_rect area,
                               const struct app_panel_axes *spec)
{
    const float u = brush->unit, thin = fmaxf(1.0f, u), size = APP_PANEL_SMALL;
    float left = 0.0f;
    for (int i = 0; i < spec->y_count; i++)
        if (spec->y[i].text)
            left = fmaxf(left,
                         ren_text_width(brush->renderer, REN_FACE_MONO, size * u, spec->y[i].text));
    left += left > 0.0f ? 6.0f * u : 0.0f;
    const float cap = ren_face_metrics(brush->renderer, REN_FACE_MONO).cap_height * size * u;
    const struct ren_axes axes = {{area.x + left, area.y + 0.5f * cap, area.w - left,
                                   area.h - 0.5f * cap - (spec->x_count ? 17.0f * u : 0.5f * cap)},
                                  spec->x_low,
                                  spec->x_high,
                                  0.0,
                                  spec->y_high};
    const float bottom = axes.area.y + axes.area.h, right = axes.area.x + axes.area.w;
    for (int i = 0; i < spec->y_count; i++) {
        const float y = ren_plot_y(&axes, spec->y[i].at);
        ren_list_line(brush->list, axes.area.x, y, right, y, thin,
                      i == 0 ? brush->colours->faint : brush->colours->edge);
        if (spec->y[i].text)
            app_draw_text(brush, REN_FACE_MONO, size, axes.area.x - 6.0f * u, y + 0.5f * cap,
                          REN_ALIGN_RIGHT, brush->colours->quiet, spec->y[i].text);
    }
    for (int i = 0; i < spec->x_count; i++) {
        const double at = spec->log_x ? log2(spec->x[i].at) : spec->x[i].at;
        const float x = ren_plot_x(&axes, at);
        ren_list_line(brush->list, x, bottom, x, bottom + 3.0f * u, thin, brush->colours->faint);
        if (!spec->x[i].text)
            continue;
        /* Centred under its tick, and inside the panel. */
        const float width =
            ren_text_width(brush->renderer, REN_FACE_MONO, size * u, spec->x[i].text);
        const float start = fminf(fmaxf(x - width / 2.0f, area.x), right - width);
        app_draw_text(brush, REN_FACE_MONO, size, start, bottom + 15.0f * u, REN_ALIGN_LEFT,
                      brush->colours->quiet, spec->x[i].text);
    }
    return axes;
}

void app_panel_curve(const struct app_panels_view *view, enum krn_topic topic, const char *series,
                     enum app_metric metric, bool log_x, struct app_panel_curve *curve)
{
    double x[APP_PANEL_POINTS], y[APP_PANEL_POINTS];
    const size_t n =
        app_probe_result_curve(&view->probes, topic, series, metric, x, y, APP_PANEL_POINTS);
    curve->n = 0;
    for (size_t i = 0; i < n; i++) {
        if (log_x && !(x[i] > 0.0))
            continue;
        curve->x[curve->n] = log_x ? log2(x[i]) : x[i];
        curve->y[curve->n++] = y[i];
    }
}

double app_panel_greatest(const struct app_panel_curve *curves, int count)
{
    double most = 0.0;
    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < curves[k].n; i++)
            most = fmax(most, curves[k].y[i]);
    return most;
}

struct ren_axes app_panel_axes_to(const struct app_brush *brush, struct ren_rect area,
                                  const struct app_panel_tick *x, int x_count, double most)
{
    const double top = ren_plot_nice(1.05 * most);
    char texts[3][24];
    struct app_panel_tick y[3];
    app_panel_ticks(top, texts, y);
    const struct app_panel_axes spec = {.x_low = log2(x[0].at),
                                        .x_high = log2(x[x_count - 1].at),
                                        .y_high = top,
                                        .log_x = true,
                                        .x = x,
                                        .x_count = x_count,
                                        .y = y,
                                        .y_count = 3};
    return app_panel_axes(brush, area, &spec);
}

/* Tells the witness of a curve, as far as it is inside the axes. */
static void draw_pieces(const struct app_brush *brush, const struct ren_axes *axes,
                        const struct app_panel_curve *curve)
{
    const struct ren_rect *area = &axes->area;
    for (size_t i = 0; i + 1 < curve->n; i++) {
        float xy[4];
        for (size_t end = 0; end < 2; end++) {
            const float x = ren_plot_x(axes, curve->x[i + end]),
                        y = ren_plot_y(axes, curve->y[i + end]);
            xy[2 * end] = fminf(fmaxf(x, area->x), area->x + area->w);
            xy[2 * end + 1] = fminf(fmaxf(y, area->y), area->y + area->h);
        }
        app_draw_piece(brush, xy, curve);
    }
}

void app_panel_line(const struct app_brush *brush, const struct ren_axes *axes,
                    const struct app_panel_curve *curve, bool dashed, ren_colour colour)
{
    const float u = brush->unit, width = fmaxf(1.5f, 2.0f * u);
    draw_pieces(brush, axes, curve);
    if (dashed && curve->n > 1) {
        ren_plot_dashed(brush->list, axes, curve->x, curve->y, curve->n, width, 5.0f * u, colour);
        return;
    }
    ren_plot_curve(brush->list, axes, curve->x, curve->y, curve->n, width, colour);
    /* A single point is drawn as a dot. */
    if (curve->n == 1)
        ren_plot_circle(brush->list, axes, curve->x[0], curve->y[0], 3.0f * u, 3.0f * u, colour);
}

double app_panel_reaches(const struct app_panel_curve *curve, double y)
{
    for (size_t i = 0; i < curve->n; i++) {
        if (!(curve->y[i] >= y))
            continue;
        if (i == 0 || curve->y[i] == curve->y[i - 1])
            return curve->x[i];
        const double t = (y - curve->y[i - 1]) / (curve->y[i] - curve->y[i - 1]);
        return curve->x[i - 1] + t * (curve->x[i] - curve->x[i - 1]);
    }
    return NAN;
}

void app_panel_level(const struct app_brush *brush, const struct ren_axes *axes, double y,
                     float width, float dash, ren_colour colour)
{
    const float at = ren_plot_y(axes, y),
                xy[4] = {axes->area.x, at, axes->area.x + axes->area.w, at};
    ren_plot_level(brush->list, axes, y, width, dash, colour);
    if (y <= axes->y_high)
        app_draw_piece(brush, xy, NULL);
}

void app_panel_upright(const struct app_brush *brush, float x, float bottom, float top,
                       ren_colour colour)
{
    const float u = brush->unit, wide = fmaxf(1.5f * u, 1.0f), xy[4] = {x, bottom, x, top};
    app_draw_piece(brush, xy, NULL);
    for (float y = bottom; y - 3.0f * u >= top; y -= 5.0f * u)
        ren_list_fill(brush->list, (struct ren_rect){x - wide / 2.0f, y - 3.0f * u, wide, 3.0f * u},
                      0.0f, colour);
}

struct app_panel_words app_panel_not_yet(const struct app_panels_view *view)
{
    struct app_panel_words words;
    app_key_hints(view->again ? "not measured yet" : "not measured yet · key {measure}", words.text,
                  sizeof words.text);
    return words;
}

struct app_panel_words app_panel_ask(const struct app_panels_view *view, enum krn_topic topic,
                                     const char *what)
{
    struct app_panel_words words;
    char text[48] = "not measured yet";
    for (int i = 0; i < view->probes.count && !view->again; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic == topic && result->n == 0 && result->on_request)
            app_key_hints("press {measure} (takes over 2 ms)", text, sizeof text);
    }
    snprintf(words.text, sizeof words.text, "%s: %s", what, text);
    return words;
}

size_t app_panel_samples(const struct app_panels_view *view, enum krn_topic topic)
{
    size_t least = 0;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic == topic && result->n > 0 && (least == 0 || result->n < least))
            least = result->n;
    }
    return least;
}

double app_panel_age(const struct app_panels_view *view, enum krn_topic topic,
                     const struct app_probe_result *of)
{
    double kept = 0.0, newest = INFINITY;
    for (int i = 0; i < view->probes.count; i++) {
        const struct app_probe_result *result = &view->probes.results[i];
        if (result->probe->topic != topic || result->n == 0)
            continue;
        if (!result->on_request)
            newest = fmin(newest, result->age_s);
        else if (!of || result == of)
            kept = fmax(kept, result->age_s);
    }
    if (of && of->on_request)
        return kept;
    return isfinite(newest) ? fmax(kept, newest) : kept;
}

void app_panel_age_text(double age_s, char *text, size_t size)
{
    static const double young_s = 5.0;
    text[0] = '\0';
    if (age_s > young_s)
        app_number_age(age_s, text, size);
}

ren_colour app_panel_colour(const struct app_brush *brush, int i)
{
    return brush->colours->curves[(unsigned)i % APP_CURVE_COLOURS];
}
