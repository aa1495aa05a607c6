#include "hud/anatomy/panel.h"

#include "base/numbers.h"
#include "hud/anatomy/parts.h"
#include "hud/theme.h"

#include <math.h>
#include <stdio.h>

/* Sizes in units. The card is drawn for this size, and scales with a larger one. */
static const float card_width = 560.0f, card_height = 470.0f, pad = 12.0f, small_text = 12.0f,
                   note_line = 17.6f, low_card = 300.0f;
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
    const float wanted = 1.3f * 13.5f * (float)app_anatomy_rows(view) * u;
    const float bars =
        0.5f * (bottom - y - wanted) - 0.5f * app_anatomy_lanes(&brush, area, 0.0f, view, false);
    const float high = floorf(fminf(fmaxf(bars, 20.0f * u), 52.0f * u));
    const struct ren_rect lanes = {x, y, width, 0.0f};
    y += app_anatomy_lanes(&brush, lanes, high, view, true) + 4.0f * u;
    app_anatomy_table(&brush, (struct ren_rect){x, y, width, bottom - y - 4.0f * u}, view);
    y = bottom + 11.0f * u;
    for (int i = 0; i < note_count; i++)
        y += note_line * u *
             (float)app_draw_lines(&brush, REN_FACE_SANS, small_text + 1.0f, x, y, width,
                                   most_lines, brush.colours->quiet, notes[i], true);
}
