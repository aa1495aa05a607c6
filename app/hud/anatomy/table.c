#include "hud/anatomy/parts.h"

#include "base/numbers.h"
#include "base/value.h"
#include "hud/theme.h"

#include <math.h>
#include <stdio.h>

/* Sizes in units. */
static const float least_text = 12.0f, most_text = 16.0f, swatch = 20.0f, wide_table = 440.0f,
                   name_gap = 6.0f;

/* A row: a phase, or what no phase covers, or the sum. */
struct row {
    const char *name;
    int phase; /* -1: no swatch */
    double cpu_ms, gpu_ms;
    bool strong;
};

enum { ROWS = APP_PHASE_COUNT + 2, COLUMNS = 4 };

/* A column of numbers: its right end in pixels, and its header; NULL: it is left out. */
struct column {
    float right;
    const char *header;
};

static double longest(const struct row *row)
{
    return fmax(row->cpu_ms, row->gpu_ms);
}

static int rows_of(const struct app_anatomy_view *view, struct row rows[ROWS])
{
    int n = 0;
    for (int phase = 0; phase < APP_PHASE_COUNT; phase++) {
        const struct row row = {app_phase_words((enum app_phase)phase, view->host_kernel), phase,
                                view->phases_ms[APP_LANE_CPU][phase],
                                view->phases_ms[APP_LANE_GPU][phase], false};
        if (longest(&row) > 0.0)
            rows[n++] = row;
    }
    rows[n++] = (struct row){"other, gaps", -1, view->gaps_ms[APP_LANE_CPU],
                             view->gaps_ms[APP_LANE_GPU], false};
    rows[n++] = (struct row){"whole lane", -1, view->spans_ms[APP_LANE_CPU],
                             view->spans_ms[APP_LANE_GPU], true};
    return n;
}

int app_anatomy_rows(const struct app_anatomy_view *view)
{
    struct row rows[ROWS];
    return rows_of(view, rows) + 1;
}

/* Leaves out the shortest phases until there are `most` rows; the kernel and the sum stay. */
static int keep_longest(struct row rows[ROWS], int n, int most)
{
    while (n > most && n > 1) {
        int least = rows[0].phase == APP_PHASE_KERNEL && n > 2;
        for (int i = 1; i < n - 1; i++)
            if (rows[i].phase != APP_PHASE_KERNEL && longest(&rows[i]) < longest(&rows[least]))
                least = i;
        for (int i = least; i < n - 1; i++)
            rows[i] = rows[i + 1];
        n--;
    }
    return n;
}

static void draw_time(const struct app_brush *brush, enum ren_face face, float size, float right,
                      float y, ren_colour colour, double ms)
{
    app_draw_text(brush, face, size, right, y, REN_ALIGN_RIGHT, colour,
                  app_number_plain(ms > 0.0 ? 1e3 * ms : -1.0, "").value);
}

static void draw_share(const struct app_brush *brush, enum ren_face face, float size, float right,
                       float y, ren_colour colour, double share)
{
    char text[32];
    if (!(share > 0.0))
        return;
    if (share < 0.001)
        snprintf(text, sizeof text, "< 0.1");
    else
        app_format(text, sizeof text, "%.1f", 100.0 * share);
    app_draw_text(brush, face, size, right, y, REN_ALIGN_RIGHT, colour, text);
}

static void draw_swatch(const struct app_brush *brush, float x, float y, float size, int phase)
{
    const float u = brush->unit, side = 1.1f * size * u;
    const struct ren_rect box = {x, y - 0.92f * side, fmaxf(side, 18.0f * u), side};
    char number[16];
    snprintf(number, sizeof number, "%d", phase + 1);
    ren_list_fill(brush->list, box, 2.0f * u, app_anatomy_colour(brush, (enum app_phase)phase));
    app_draw_text(brush, REN_FACE_SANS_BOLD, least_text, box.x + box.w / 2.0f,
                  box.y + box.h / 2.0f + 0.36f * least_text * u, REN_ALIGN_CENTRE,
                  app_anatomy_ink(brush, (enum app_phase)phase), number);
}

static void draw_row(const struct app_brush *brush, const struct row *row, float x, float y,
                     float size, const struct column columns[COLUMNS], const double spans_ms[2])
{
    const float u = brush->unit;
    const enum ren_face face = row->strong ? REN_FACE_SANS_BOLD : REN_FACE_SANS;
    const ren_colour colour = brush->colours->text, quiet = brush->colours->quiet;
    const double times[2] = {row->cpu_ms, row->gpu_ms};
    if (row->phase >= 0)
        draw_swatch(brush, x, y, size, row->phase);
    const float left = x + (swatch + name_gap) * u;
    app_draw_text_in(brush, face, size, left, y, columns[0].right - 4.0f * size * u - left, colour,
                     row->name);
    for (int lane = 0; lane < 2; lane++) {
        draw_time(brush, face, size, columns[2 * lane].right, y, colour, times[lane]);
        if (columns[2 * lane + 1].header)
            draw_share(brush, face, size, columns[2 * lane + 1].right, y, quiet,
                       spans_ms[lane] > 0.0 ? times[lane] / spans_ms[lane] : 0.0);
    }
}

void app_anatomy_table(const struct app_brush *brush, struct ren_rect area,
                       const struct app_anatomy_view *view)
{
    const float u = brush->unit;
    struct row rows[ROWS];
    int n = rows_of(view, rows);
    const float least_row = 1.3f * least_text * u;
    n = keep_longest(rows, n, (int)(area.h / least_row) - 1);
    if (n < 2)
        return;
    const float high = fminf(area.h / (float)(n + 1), 1.5f * most_text * u);
    const float size = fminf(fmaxf(0.68f * high / u, least_text), most_text);
    const bool wide = area.w >= wide_table * u;
    const float right = area.x + area.w, digits = 3.9f * size * u, share = 3.4f * size * u;
    /* CPU, its share, GPU, its share; a narrow table has the first share at the end. */
    const struct column narrow_columns[COLUMNS] = {{right - share - digits, "CPU µs"},
                                                   {right, "CPU %"},
                                                   {right - share, "GPU µs"},
                                                   {0.0f, NULL}},
                        wide_columns[COLUMNS] = {{right - 2.0f * share - 1.4f * digits, "CPU µs"},
                                                 {right - share - 1.4f * digits, "%"},
                                                 {right - share, "GPU µs"},
                                                 {right, "%"}};
    const struct column *columns = wide ? wide_columns : narrow_columns;
    float y = area.y + 0.72f * high;
    for (int i = 0; i < COLUMNS; i++)
        if (columns[i].header)
            app_draw_text(brush, REN_FACE_SANS, fmaxf(least_text, 0.85f * size), columns[i].right,
                          y, REN_ALIGN_RIGHT, brush->colours->quiet, columns[i].header);
    for (int i = 0; i < n; i++) {
        y += high;
        draw_row(brush, &rows[i], area.x, y, size, columns, view->spans_ms);
    }
}
