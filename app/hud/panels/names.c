#include "hud/panels/names.h"

#include <math.h>

struct app_panel_names app_panel_names_none(void)
{
    struct app_panel_names names;
    names.count = names.piece_count = 0;
    return names;
}

void app_panel_avoid(struct app_panel_names *names, const float xy[4], const void *of)
{
    if (names->piece_count == (int)(sizeof names->pieces / sizeof *names->pieces))
        return;
    for (int i = 0; i < 4; i++)
        names->pieces[names->piece_count].xy[i] = xy[i];
    names->pieces[names->piece_count++].of = of;
}

void app_panel_avoid_curve(struct app_panel_names *names, const struct ren_axes *axes,
                           const struct app_panel_curve *curve)
{
    for (size_t i = 0; i < curve->n; i++) {
        const size_t next = i + 1 < curve->n ? i + 1 : i; /* a single point is a dot */
        const float xy[4] = {ren_plot_x(axes, curve->x[i]), ren_plot_y(axes, curve->y[i]),
                             ren_plot_x(axes, curve->x[next]), ren_plot_y(axes, curve->y[next])};
        app_panel_avoid(names, xy, curve);
    }
}

bool app_panel_crosses(const float xy[4], struct ren_rect box)
{
    /* The part of the line, from 0 to 1, that is inside both pairs of edges (Liang and Barsky). */
    float from = 0.0f, to = 1.0f;
    const float dx = xy[2] - xy[0], dy = xy[3] - xy[1];
    const float steps[4] = {-dx, dx, -dy, dy}, rooms[4] = {xy[0] - box.x, box.x + box.w - xy[0],
                                                           xy[1] - box.y, box.y + box.h - xy[1]};
    for (int i = 0; i < 4; i++) {
        if (steps[i] == 0.0f) {
            if (rooms[i] < 0.0f)
                return false;
            continue;
        }
        const float at = rooms[i] / steps[i];
        if (steps[i] < 0.0f)
            from = fmaxf(from, at);
        else
            to = fminf(to, at);
    }
    return from <= to;
}

/* Returns the patch under a name centred on (x, y), moved inside the axes. */
static struct ren_rect patch_of(const struct app_brush *brush, const struct ren_axes *axes, float x,
                                float y, const char *text)
{
    const float u = brush->unit, pixels = APP_PANEL_SMALL * u;
    const float width = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, pixels, text);
    const float cap = ren_face_metrics(brush->renderer, REN_FACE_SANS_BOLD).cap_height * pixels;
    const struct ren_rect *area = &axes->area;
    x = fminf(fmaxf(x, area->x + width / 2.0f + u), area->x + area->w - width / 2.0f);
    y = fminf(fmaxf(y, area->y + cap / 2.0f), area->y + area->h - cap / 2.0f - 2.0f * u);
    return (struct ren_rect){x - width / 2.0f - 2.0f * u, y - cap / 2.0f - 2.0f * u,
                             width + 4.0f * u, cap + 4.0f * u};
}

static void draw_patch(const struct app_brush *brush, struct ren_rect patch, ren_colour colour,
                       const char *text)
{
    const float u = brush->unit;
    ren_list_fill(brush->list, patch, 2.0f * u, brush->colours->panel);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_PANEL_SMALL, patch.x + 2.0f * u,
                  patch.y + patch.h - 2.0f * u, REN_ALIGN_LEFT, colour, text);
}

/* Returns true when a patch covers no name and no line but those of `own`. */
static bool is_free(const struct app_brush *brush, const struct app_panel_names *names,
                    struct ren_rect box, const void *own)
{
    /* The patch may hide a little of a line beside the text. */
    const float u = brush->unit;
    const struct ren_rect text = {box.x + u, box.y + 1.5f * u, box.w - 2.0f * u, box.h - 1.8f * u};
    for (int i = 0; i < names->count; i++) {
        const struct ren_rect o = names->boxes[i];
        if (box.x < o.x + o.w && o.x < box.x + box.w && box.y < o.y + o.h && o.y < box.y + box.h)
            return false;
    }
    for (int i = 0; i < names->piece_count; i++)
        if ((!own || names->pieces[i].of != own) && app_panel_crosses(names->pieces[i].xy, text))
            return false;
    return true;
}

/* Draws a name on a patch if it is free and there is room in the set. */
static bool draw_free(const struct app_brush *brush, struct ren_rect patch, const void *own,
                      ren_colour colour, const char *text, struct app_panel_names *names)
{
    if (names->count == (int)(sizeof names->boxes / sizeof *names->boxes) ||
        !is_free(brush, names, patch, own))
        return false;
    names->boxes[names->count++] = patch;
    draw_patch(brush, patch, colour, text);
    return true;
}

bool app_panel_name_near(const struct app_brush *brush, const struct ren_axes *axes, float x,
                         float y, ren_colour colour, const char *text,
                         struct app_panel_names *names)
{
    enum { FARTHEST = 20 };
    const float step = 4.0f * brush->unit;
    /* Nearest first; to the sides, then below and above. */
    for (int far = 0; far <= FARTHEST; far++)
        for (int row = 0; row <= far; row++)
            for (int signs = 0; signs < 4; signs++) {
                const float dx = (float)(far - row) * (signs & 1 ? step : -step),
                            dy = (float)row * (signs & 2 ? -step : step);
                if (draw_free(brush, patch_of(brush, axes, x + dx, y + dy, text), NULL, colour,
                              text, names))
                    return true;
            }
    return false;
}

void app_panel_name_curve(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panel_curve *curve, double level, ren_colour colour,
                          const char *text, struct app_panel_names *names)
{
    enum { TRIES = 20 };
    float x = 0.0f, y = 0.0f;
    if (curve->n == 0)
        return;
    for (int i = 0; i < TRIES; i++) {
        /* 1, 0.9, 1.1, 0.8, 1.2 times the level, and so on. */
        const double part = 1.0 + 0.1 * ((i + 1) / 2) * (i % 2 ? -1.0 : 1.0);
        const double wanted = fmax(part * level, curve->y[0]),
                     reached = app_panel_reaches(curve, wanted);
        if (!isfinite(reached) && i > 0)
            continue;
        const double at_x = isfinite(reached) ? reached : curve->x[curve->n - 1],
                     at_y = isfinite(reached) ? wanted : curve->y[curve->n - 1];
        const float beside = curve->n == 1 ? 10.0f * brush->unit : 0.0f; /* of a dot */
        const float px = ren_plot_x(axes, at_x) + beside, py = ren_plot_y(axes, at_y);
        if (draw_free(brush, patch_of(brush, axes, px, py, text), curve->n > 1 ? curve : NULL,
                      colour, text, names))
            return;
        if (i == 0) {
            x = px;
            y = py;
        }
    }
    (void)app_panel_name_near(brush, axes, x, y, colour, text, names);
}

void app_panel_name_point(const struct app_brush *brush, const struct ren_axes *axes,
                          const struct app_panel_curve *curve, size_t index, ren_colour colour,
                          const char *text, struct app_panel_names *names)
{
    const float away = 12.0f * brush->unit;
    for (size_t i = 0; i < 2 * curve->n; i++) {
        const size_t at = (index + i / 2) % curve->n;
        const float x = ren_plot_x(axes, curve->x[at]), y = ren_plot_y(axes, curve->y[at]);
        if (draw_free(brush, patch_of(brush, axes, x, i % 2 ? y - away : y + away, text), NULL,
                      colour, text, names))
            return;
    }
    if (curve->n > 0)
        (void)app_panel_name_near(brush, axes, ren_plot_x(axes, curve->x[index % curve->n]),
                                  ren_plot_y(axes, curve->y[index % curve->n]), colour, text,
                                  names);
}

void app_panel_threads(const struct app_brush *brush, struct ren_rect area,
                       const struct app_panels_view *view, enum krn_topic topic,
                       enum app_metric metric, size_t name_at)
{
    enum { SERIES = 2 };
    static const char *const series[SERIES] = {"all", "one"}, *const names[SERIES] = {"all threads",
                                                                                      "one"};
    static const struct app_panel_tick x[] = {
        {1.0, "1"}, {2.0, "2"}, {4.0, "4"}, {8.0, "8"}, {16.0, "16"}};
    struct app_panel_curve curves[SERIES];
    for (int s = 0; s < SERIES; s++)
        app_panel_curve(view, topic, series[s], metric, true, &curves[s]);
    const struct ren_axes axes = app_panel_axes_to(brush, area, x, (int)(sizeof x / sizeof *x),
                                                   app_panel_greatest(curves, SERIES));
    for (int s = SERIES - 1; s >= 0; s--)
        app_panel_line(brush, &axes, &curves[s], s == 1, app_panel_colour(brush, 3 * s));
    struct app_panel_names placed = app_panel_names_none();
    for (int s = 0; s < SERIES; s++)
        app_panel_avoid_curve(&placed, &axes, &curves[s]);
    for (int s = 0; s < SERIES; s++) {
        const size_t last = curves[s].n > 0 ? curves[s].n - 1 : 0;
        app_panel_name_point(brush, &axes, &curves[s], name_at < last ? name_at : last,
                             app_panel_colour(brush, 3 * s), names[s], &placed);
    }
}
