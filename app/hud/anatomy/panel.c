#include "hud/anatomy/panel.h"

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

/* Returns the colour of a phase; phases that follow each other differ. */
static ren_colour anatomy_colour(const struct app_brush *brush, enum app_phase phase)
{
    const struct app_colours *colours = brush->colours;
    switch (phase) {
    case APP_PHASE_KERNEL:
        return colours->curves[0];
    case APP_PHASE_POSE:
    case APP_PHASE_PICTURE:
        return colours->curves[1];
    case APP_PHASE_PANELS:
    case APP_PHASE_COPY:
        return colours->curves[2];
    case APP_PHASE_MAP:
    case APP_PHASE_LAYOUT:
        return colours->curves[3];
    case APP_PHASE_OVERLAY:
        return colours->curves[4];
    case APP_PHASE_SWAP:
        return colours->faint;
    default:
        return colours->quiet;
    }
}

static ren_colour anatomy_ink(const struct app_brush *brush, enum app_phase phase)
{
    return phase == APP_PHASE_SWAP ? brush->colours->text
                                   : (ren_colour)brush->colours->background << 8 | 0xff;
}

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

/* Returns the number of rows that the whole table has, with its header. */
static int anatomy_rows(const struct app_anatomy_view *view)
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
    ren_list_fill(brush->list, box, 2.0f * u, anatomy_colour(brush, (enum app_phase)phase));
    app_draw_text(brush, REN_FACE_SANS_BOLD, least_text, box.x + box.w / 2.0f,
                  box.y + box.h / 2.0f + 0.36f * least_text * u, REN_ALIGN_CENTRE,
                  anatomy_ink(brush, (enum app_phase)phase), number);
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

/* Draws the table of phases into `area`: the rows that fit, those of the longest phases. */
static void anatomy_table(const struct app_brush *brush, struct ren_rect area,
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

/* Sizes in units. */
static const float label_width = 36.0f, small_text = 12.0f, axis_height = 20.0f, lane_gap = 6.0f,
                   inset = 4.0f, cut_width = 14.0f;

/* A wait that takes more than this part of the frame is cut off. */
static const double long_wait = 0.5;

/* The axis: milliseconds to pixels. */
struct axis {
    float x, width;
    double end_ms; /* at the right end */
    bool cut;      /* the frame goes on to the right of it */
};

static struct axis axis_of(struct ren_rect area, float u, const struct app_anatomy_view *view)
{
    const struct app_lane *cpu = &view->frame.lanes[APP_LANE_CPU],
                          *gpu = &view->frame.lanes[APP_LANE_GPU];
    struct axis axis = {area.x + label_width * u, area.w - label_width * u,
                        fmax(cpu->span_ms, gpu->span_ms), false};
    double busy_ms = 0.0;
    for (int lane = 0; lane < APP_LANES; lane++) {
        const struct app_lane *of = &view->frame.lanes[lane];
        for (int i = 0; i < of->count; i++)
            if (of->parts[i].phase != APP_PHASE_SWAP)
                busy_ms = fmax(busy_ms, of->parts[i].end_ms);
    }
    if (busy_ms > 0.0 && axis.end_ms - busy_ms > long_wait * axis.end_ms) {
        axis.end_ms = 1.25 * busy_ms;
        axis.cut = true;
    }
    return axis;
}

static float place(const struct axis *axis, double ms)
{
    return axis->x +
           axis->width * (float)fmin(fmax(axis->end_ms > 0.0 ? ms / axis->end_ms : 0.0, 0.0), 1.0);
}

/* Draws the name of a part into its rectangle, or its number where the name is too wide. */
static void draw_name(const struct app_brush *brush, struct ren_rect part, enum app_phase phase,
                      bool host_kernel)
{
    const float u = brush->unit, size = fminf(fmaxf(0.32f * part.h / u, small_text), 15.0f);
    const float y = part.y + part.h / 2.0f + 0.36f * size * u;
    char number[16];
    snprintf(number, sizeof number, "%d", (int)phase + 1);
    const char *const texts[] = {app_phase_words(phase, host_kernel), number};
    for (int i = 0; i < 2; i++) {
        const float width = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, texts[i]);
        if (width + 2.0f * inset * u > part.w)
            continue;
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, part.x + part.w / 2.0f, y, REN_ALIGN_CENTRE,
                      anatomy_ink(brush, phase), texts[i]);
        return;
    }
}

static void draw_lane(const struct app_brush *brush, const struct axis *axis, float y, float high,
                      const struct app_anatomy_view *view, enum app_lane_id id)
{
    const float u = brush->unit, hair = fmaxf(1.0f, floorf(u));
    const struct app_lane *lane = &view->frame.lanes[id];
    const struct ren_rect whole = {axis->x, y, place(axis, lane->span_ms) - axis->x, high};
    app_draw_text(brush, REN_FACE_SANS_BOLD, 15.0f, axis->x - 6.0f * u, y + high / 2.0f + 5.0f * u,
                  REN_ALIGN_RIGHT, brush->colours->text, id == APP_LANE_CPU ? "CPU" : "GPU");
    /* Gaps are what shows between the parts. */
    ren_list_outline(brush->list, whole, 0.0f, hair, brush->colours->edge);
    for (int i = 0; i < lane->count; i++) {
        const struct app_part *part = &lane->parts[i];
        struct ren_rect box = {place(axis, part->begin_ms), y, 0.0f, high};
        if (part->begin_ms >= axis->end_ms)
            continue;
        box.w = fmaxf(place(axis, part->end_ms) - box.x, 1.0f);
        ren_list_fill(brush->list, box, 0.0f, anatomy_colour(brush, part->phase));
        /* A line between neighbours, so that colour is not all that divides them. */
        ren_list_fill(brush->list, (struct ren_rect){box.x, y, fminf(hair, 0.25f * box.w), high},
                      0.0f, (ren_colour)brush->colours->background << 8 | 0xff);
        if (axis->cut)
            box.w = fminf(box.w, axis->x + axis->width - cut_width * u - box.x);
        draw_name(brush, box, part->phase, view->host_kernel);
    }
    if (id == APP_LANE_GPU && lane->count == 0) {
        const char *const texts[] = {view->missing, "no times", NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, small_text, whole.x + inset * u,
                          y + high / 2.0f + 4.0f * u, whole.w - 2.0f * inset * u,
                          brush->colours->quiet, view->missing[0] ? texts : texts + 1);
    }
}

/* Draws the mark of an axis that is cut: two slanted lines through both lanes. */
static void draw_cut(const struct app_brush *brush, const struct axis *axis, float top,
                     float bottom)
{
    const float u = brush->unit, x = axis->x + axis->width - 11.0f * u;
    for (int i = 0; i < 2; i++) {
        const float at = x + 5.0f * u * (float)i;
        ren_list_line(brush->list, at, bottom + 3.0f * u, at + 4.0f * u, top - 3.0f * u, 2.0f * u,
                      brush->colours->text);
    }
}

/* Returns a step of 1, 2 or 5 times a power of ten that gives at most `most` steps. */
static double step_of(double end_ms, double most)
{
    const double raw = end_ms / most, power = pow(10.0, floor(log10(raw)));
    const double digit = raw / power;
    return power * (digit <= 1.0 ? 1.0 : digit <= 2.0 ? 2.0 : digit <= 5.0 ? 5.0 : 10.0);
}

static void draw_axis(const struct app_brush *brush, const struct axis *axis, float y,
                      double span_ms)
{
    const float u = brush->unit, baseline = y + 14.0f * u;
    char end[64];
    if (!(axis->end_ms > 0.0))
        return;
    const struct app_number length = app_number_time(span_ms);
    snprintf(end, sizeof end, "%s%s %s", axis->cut ? "… " : "", length.value, length.unit);
    const float right = axis->x + axis->width;
    const float free = right - 10.0f * u -
                       app_draw_text(brush, REN_FACE_SANS_BOLD, small_text, right, baseline,
                                     REN_ALIGN_RIGHT, brush->colours->text, end);
    const double step = step_of(axis->end_ms, fmax(axis->width / (64.0f * u), 1.0));
    for (int i = 0; i * step < axis->end_ms; i++) {
        const struct app_number ms = app_number_time_as(i * step, axis->end_ms);
        char text[48];
        if (i == 0)
            snprintf(text, sizeof text, "0");
        else
            app_format(text, sizeof text, "%g %s", step * i * (ms.unit[0] == 'm' ? 1.0 : 1e3),
                       ms.unit[0] == 'm' ? "ms" : "µs");
        const float x = place(axis, i * step);
        const float width = ren_text_width(brush->renderer, REN_FACE_SANS, small_text * u, text);
        const float left = i == 0 ? x : x - width / 2.0f;
        if (left + width > free)
            break;
        ren_list_fill(brush->list, (struct ren_rect){x, y, fmaxf(1.0f, floorf(u)), 3.0f * u}, 0.0f,
                      brush->colours->quiet);
        app_draw_text(brush, REN_FACE_SANS, small_text, left, baseline, REN_ALIGN_LEFT,
                      brush->colours->quiet, text);
    }
}

/* Draws both lanes and their axis at the top of `area`, each lane `high` pixels high. Returns the
 * height that they take, in pixels; without `draw`, only that. A long wait at the end of the frame
 * is cut off, with a mark. */
static float anatomy_lanes(const struct app_brush *brush, struct ren_rect area, float high,
                           const struct app_anatomy_view *view, bool draw)
{
    const float u = brush->unit, taken = 2.0f * high + (lane_gap + axis_height) * u;
    if (!draw)
        return taken;
    const struct axis axis = axis_of(area, u, view);
    const float second = area.y + high + lane_gap * u;
    draw_lane(brush, &axis, area.y, high, view, APP_LANE_CPU);
    draw_lane(brush, &axis, second, high, view, APP_LANE_GPU);
    if (axis.cut)
        draw_cut(brush, &axis, area.y, second + high);
    draw_axis(
        brush, &axis, second + high + 2.0f * u,
        fmax(view->frame.lanes[APP_LANE_CPU].span_ms, view->frame.lanes[APP_LANE_GPU].span_ms));
    return taken;
}

/* Sizes in units. The card is drawn for this size, and scales with a larger one. */
static const float card_width = 560.0f, card_height = 470.0f, pad = 12.0f, note_line = 17.6f,
                   low_card = 300.0f;
enum { most_lines = 3 }; /* of a note */

/* Draws title, length of the frame and limit; returns the next baseline. */
static float draw_title(const struct app_brush *brush, struct ren_rect card,
                        const struct app_anatomy_view *view)
{
    const float u = brush->unit, y = card.y + 24.0f * u, right = card.x + card.w - pad * u;
    char texts[3][96] = {"", "", ""};
    if (view && view->frames > 0) {
        const struct app_number ms = app_number_time(view->length_ms);
        const double fps = view->length_ms > 0.0 ? 1e3 / view->length_ms : -1.0;
        snprintf(texts[0], sizeof texts[0], "%s %s, %s fps, limited by %s", ms.value, ms.unit,
                 app_number_plain(fps, "").value, view->limit ? view->limit : "n/a");
        snprintf(texts[1], sizeof texts[1], "%s %s: %s", ms.value, ms.unit,
                 view->limit ? view->limit : "n/a");
        snprintf(texts[2], sizeof texts[2], "%s %s", ms.value, ms.unit);
    }
    const float title = app_draw_text(brush, REN_FACE_SANS_BOLD, 17.0f, card.x + pad * u, y,
                                      REN_ALIGN_LEFT, brush->colours->text, "Frame anatomy");
    const float room = right - (card.x + pad * u + title + 10.0f * u);
    /* The most words that fit, in letters of 14 or else of 12 units. */
    for (int i = 0; i < 6; i++) {
        const char *text = texts[i / 2];
        const float size = i % 2 == 0 ? 14.0f : small_text;
        if (i < 5 && ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, text) > room)
            continue;
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, right, y, REN_ALIGN_RIGHT,
                      brush->colours->text, text);
        break;
    }
    return y;
}

/* Writes what the card has to say about its clocks and processors; returns how many notes. */
static int notes_of(const struct app_anatomy_view *view, char notes[4][200])
{
    int n = 0;
    char device[64] = "", gl[64] = "";
    if (view->missing[0])
        snprintf(notes[n++], sizeof notes[0], "%s", view->missing);
    if (view->host_kernel)
        snprintf(notes[n++], sizeof notes[0],
                 "The kernel runs on the CPU: the GPU's lane has OpenGL alone.");
    if (view->software_gl)
        snprintf(notes[n++], sizeof notes[0],
                 "OpenGL is software (%.60s): both lanes are one processor.", view->gl);
    if (view->device_tie_ms > 0.0) {
        const struct app_number tie = app_number_time(view->device_tie_ms);
        snprintf(device, sizeof device, "CUDA ±%s %s", tie.value, tie.unit);
    }
    if (view->gl_tie_ms > 0.0) {
        const struct app_number tie = app_number_time(view->gl_tie_ms);
        snprintf(gl, sizeof gl, "%sOpenGL ±%s %s", device[0] ? ", " : "", tie.value, tie.unit);
    }
    if (device[0] || gl[0])
        snprintf(notes[n++], sizeof notes[0], "Against the host's clock: %s%s.", device, gl);
    return n;
}

static void draw_nothing(const struct app_brush *brush, struct ren_rect card)
{
    const float u = brush->unit;
    app_draw_lines(brush, REN_FACE_SANS, APP_TEXT, card.x + pad * u, card.y + 60.0f * u,
                   card.w - 2.0f * pad * u, 2, brush->colours->quiet, "collecting frames", true);
}

void app_anatomy_panel(const struct app_brush *given, struct ren_rect area,
                       const struct app_anatomy_view *view)
{
    struct app_brush brush = *given;
    if (area.w <= 0.0f || area.h <= 0.0f)
        return;
    brush.unit = fmaxf(given->unit, fminf(area.w / card_width, area.h / card_height));
    const float u = brush.unit, x = area.x + pad * u, width = area.w - 2.0f * pad * u;
    app_draw_panel(&brush, area);
    float y = draw_title(&brush, area, view);
    if (!view || view->frames == 0) {
        draw_nothing(&brush, area);
        return;
    }
    const bool low = area.h < low_card * u;
    char notes[4][200], about[2][160];
    const int note_count = low ? 0 : notes_of(view, notes);
    if (!low) {
        snprintf(about[0], sizeof about[0],
                 "Lanes: one frame, of median length. Table: medians of %d frames.", view->frames);
        snprintf(about[1], sizeof about[1], "Lanes: one frame. Table: medians.");
        const char *const texts[] = {about[0], about[1], NULL};
        y += 19.0f * u;
        app_draw_text_fit(&brush, REN_FACE_SANS, small_text + 1.0f, x, y, width,
                          brush.colours->quiet, texts);
    }
    y += 12.0f * u;
    int note_lines = 0;
    for (int i = 0; i < note_count; i++)
        note_lines += app_draw_lines(&brush, REN_FACE_SANS, small_text + 1.0f, 0.0f, 0.0f, width,
                                     most_lines, 0, notes[i], false);
    const float bottom = area.y + area.h - (8.0f + note_line * (float)note_lines) * u;
    /* The lanes take what the table leaves them. */
    const float wanted = 1.3f * 13.5f * (float)anatomy_rows(view) * u;
    const float bars =
        0.5f * (bottom - y - wanted) - 0.5f * anatomy_lanes(&brush, area, 0.0f, view, false);
    const float high = floorf(fminf(fmaxf(bars, 20.0f * u), 52.0f * u));
    const struct ren_rect lanes = {x, y, width, 0.0f};
    y += anatomy_lanes(&brush, lanes, high, view, true) + 4.0f * u;
    anatomy_table(&brush, (struct ren_rect){x, y, width, bottom - y - 4.0f * u}, view);
    y = bottom + 11.0f * u;
    for (int i = 0; i < note_count; i++)
        y += note_line * u *
             (float)app_draw_lines(&brush, REN_FACE_SANS, small_text + 1.0f, x, y, width,
                                   most_lines, brush.colours->quiet, notes[i], true);
}
