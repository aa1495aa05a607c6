/* What several parts of the screen share: names, places, an axis with dots; and two small parts. */
#include "hud/parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static void upper(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text);
}

void app_hud_name(struct krn_mode mode, struct krn_mode other, char *text, size_t size)
{
    const bool pixels = krn_kernel_has_pixels(mode.kernel);
    const bool kernels = mode.kernel != other.kernel ||
                         (pixels && mode.pixels_per_thread != other.pixels_per_thread);
    const bool storages = mode.storage != other.storage || !kernels;
    char k[16] = "";
    if (pixels)
        snprintf(k, sizeof k, " %d", mode.pixels_per_thread);
    snprintf(text, size, "%s%s%s%s", storages ? krn_storage_name(mode.storage) : "",
             storages && kernels ? " " : "", kernels ? krn_kernel_name(mode.kernel) : "",
             kernels ? k : "");
    upper(text);
}

void app_hud_device(const struct app_hud *hud, bool recorded, char *text, size_t size)
{
    enum { MOST = 36 }; /* characters, in whole words */
    const char *name = recorded ? hud->recorded->name : hud->device->name, *end = name;
    /* Memory, cores and edition are in the details: "80GB HBM3", "64-Core Processor". */
    for (const char *at = name; *at; end = at) {
        const char *word = at + strspn(at, " "), *unit = word + strspn(word, "0123456789");
        at = word + strcspn(word, " ");
        if ((unit > word && (strncmp(unit, "GB", 2) == 0 || strncmp(unit, "-Core", 5) == 0)) ||
            (end > name && at - name > MOST))
            break;
    }
    snprintf(text, size, "%.*s", (int)(end - name), name);
}

ren_colour app_hud_side_colour(const struct app_brush *brush, const struct app_state *state,
                               int side)
{
    const enum krn_storage a = state->spec.mode.storage, b = state->spec.duel.other.storage;
    return side == 1 && a == b ? brush->colours->text : brush->colours->storages[side == 0 ? a : b];
}

const struct app_mode_time *app_hud_worse(const struct app_hud *hud)
{
    return &hud->now[hud->sides == 2
                         ? app_verified_worse(hud->now[0].verified, hud->now[1].verified)
                         : 0];
}

void app_hud_source(const struct app_recorded_view *recorded, char *text, size_t size)
{
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int year, month, day;
    if (sscanf(recorded->date, "%4d-%2d-%2d", &year, &month, &day) == 3 && month >= 1 &&
        month <= 12)
        snprintf(text, size, "recorded, %s, %d %s %d", recorded->name, day, months[month - 1],
                 year);
    else
        snprintf(text, size, "recorded, %s", recorded->name);
}

/* Returns where a value lies on an axis: of factors about "the same", or of sizes from zero to
 * `end`. */
float app_hud_place(struct ren_rect axis, bool factor, double end, double value)
{
    const double share = factor ? 0.5 + 0.5 * log(value) / log(end) : value / end;
    return axis.x + axis.w * (float)fmin(fmax(share, 0.0), 1.0);
}

void app_hud_draw_dot(const struct app_brush *brush, float x, float y, float radius, bool hollow,
                      ren_colour colour)
{
    const struct ren_rect box = {x - radius, y - radius, 2.0f * radius, 2.0f * radius};
    if (hollow)
        ren_list_outline(brush->list, box, radius, fmaxf(1.5f, 0.3f * radius), colour);
    else
        ren_list_fill(brush->list, box, radius, colour);
}

void app_hud_side(const struct app_claim_entry *entry, char *text, size_t size)
{
    snprintf(text, size, "%.*s", (int)strcspn(entry->claim, " "), entry->claim);
    text[0] = (char)tolower((unsigned char)text[0]);
}

void app_hud_axis(const struct app_brush *brush, struct ren_rect area, bool factor,
                  const char *side, const struct app_hud_dot *dots, int count)
{
    const struct app_colours *c = brush->colours;
    const float u = brush->unit, size = APP_TYPE_BODY, wide = fmaxf(2.0f, 2.0f * u),
                row = fminf(fmaxf(0.5f * (area.h - 116.0f * u), 25.0f * u), 36.0f * u);
    const struct ren_rect axis = {area.x + 70.0f * u, area.y + area.h - 56.0f * u,
                                  area.w - 140.0f * u, 0.0f};
    char ends[3][64] = {"0", "same speed", ""};
    double most = factor ? 1.8 : 0.0, end = 2.0;
    for (int i = 0; i < count; i++)
        if (dots[i].value > 0.0)
            most = fmax(most, factor ? fmax(dots[i].value, 1.0 / dots[i].value) : dots[i].value);
    for (int i = 0; factor && end < 1.1 * most; i++)
        end *= i % 3 == 1 ? 2.5 : 2.0; /* 2, 4, 10, 20, 40, 100 */
    end = factor ? end : 1.2 * most;
    if (factor) {
        app_format(ends[0], sizeof ends[0], "%s%s%.3g× slower", side, side[0] ? " " : "", end);
        app_format(ends[2], sizeof ends[2], "%s%s%.3g× faster", side, side[0] ? " " : "", end);
    }
    if (side[0] &&
        2.3f * ren_text_width(brush->renderer, REN_FACE_SANS, size * u, ends[0]) > 0.8f * area.w)
        for (int i = 0; i < 3; i += 2)
            memmove(ends[i], ends[i] + strlen(side) + 1, strlen(ends[i]) - strlen(side));
    ren_list_line(brush->list, axis.x, axis.y, axis.x + axis.w, axis.y, wide, c->quiet);
    for (int i = 0; i < (factor ? 3 : 1); i++) {
        const float x = axis.x + 0.5f * (float)i * axis.w, tick = (i == 1 ? 30.0f : 12.0f) * u;
        ren_list_line(brush->list, x, axis.y - tick, x, axis.y + 12.0f * u, wide, c->quiet);
        const float half = 0.5f * ren_text_width(brush->renderer, REN_FACE_SANS, size * u, ends[i]);
        app_draw_text(brush, REN_FACE_SANS, size,
                      fminf(fmaxf(x, area.x + half), area.x + area.w - half), axis.y + 42.0f * u,
                      REN_ALIGN_CENTRE, c->quiet, ends[i]);
    }
    for (int i = 0; i < count; i++) {
        if (!(dots[i].value > 0.0))
            continue;
        const float x = app_hud_place(axis, factor, end, dots[i].value),
                    y = axis.y - 34.0f * u - row * (float)i,
                    half = 0.5f * ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u,
                                                 dots[i].name);
        if (i > 0)
            ren_list_line(brush->list, x, y + 8.0f * u, x, axis.y - 13.0f * u, wide,
                          dots[i].colour);
        /* Beside the line that leads from a higher name to its dot. */
        float at = fminf(fmaxf(x, area.x + half), area.x + area.w - half);
        for (int j = i + 1; j < count; j++) {
            const float line = app_hud_place(axis, factor, end, dots[j].value),
                        clear = half + 8.0f * u;
            if (dots[j].value > 0.0 && fabsf(line - at) < clear)
                at =
                    line > x || line + clear + half > area.x + area.w ? line - clear : line + clear;
        }
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, at, y, REN_ALIGN_CENTRE, dots[i].colour,
                      dots[i].name);
        app_hud_draw_dot(brush, x, axis.y, 13.0f * u, dots[i].hollow, dots[i].colour);
    }
}

void app_hud_author(enum app_text text, const char *device, bool title, char *out, size_t size)
{
    const struct app_text_entry *entry = app_text_of(text);
    char author[64];
    snprintf(author, sizeof author, "%s", entry->author);
    author[0] = (char)toupper((unsigned char)author[0]);
    /* Two authors are joined by a comma in the table. */
    const char *comma = strstr(author, ", ");
    const int first = comma ? (int)(comma - author) : (int)strlen(author);
    const bool dated = isdigit((unsigned char)entry->published[0]),
               named = strncmp(device, "any ", 4) != 0 && strncmp(device, "other ", 6) != 0;
    snprintf(out, size, "%.*s%s%s%s%s%s%s%s%s", first, author, comma ? " and " : "",
             comma ? comma + 2 : "", title ? ", " : "", title ? entry->title : "",
             dated ? ", " : "", dated ? entry->published : "", named ? ", on a " : "",
             named ? device : "");
}

void app_hud_claim_parts(const struct app_brush *brush, struct ren_rect area,
                         const struct app_claim *claim)
{
    struct app_bar bars[APP_CLAIM_PARTS];
    struct app_brush own = *brush;
    const struct app_pen pen = app_draw_pen(&own);
    for (int i = 0; i < claim->part_count; i++)
        bars[i] = (struct app_bar){.key = "",
                                   .name = claim->parts[i].name,
                                   .text = claim->parts[i].text,
                                   .ink = claim->parts[i].fails ? APP_INK_BAD : APP_INK_GOOD,
                                   .value = claim->parts[i].value,
                                   .strong = true};
    area.y += 12.0f * brush->unit;
    area.h -= 12.0f * brush->unit;
    const float least = 0.7f * APP_TYPE_BODY * brush->unit;
    if (app_bars_draw(&pen, area, APP_TYPE_BODY * brush->unit,
                      "threads: 4 chains may need at most half; shorter is better", 0.0, bars,
                      (size_t)claim->part_count) < least * (float)claim->part_count)
        app_draw_left_out(brush);
}

/* --- the page of the frame anatomy: what bounds a frame, and its longest phases --- */

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
