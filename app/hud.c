#include "hud.h"

#include "hud_panels.h"
#include "hud_parts.h"
#include "numbers.h"
#include "trust.h"
#include "value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Fewer samples than this make no median worth comparing. */
enum { ENOUGH = 20 };

static void upper(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text);
}

/* "book kernel", "strip kernel, K 8". */
static void describe_kernel(struct krn_mode mode, char *text, size_t size)
{
    if (mode.kernel == KRN_KERNEL_STRIP)
        snprintf(text, size, "%s kernel, K %d", krn_kernel_name(mode.kernel),
                 mode.pixels_per_thread);
    else
        snprintf(text, size, "%s kernel", krn_kernel_name(mode.kernel));
}

double app_hud_floor_ms(const struct app_hud *hud)
{
    return krn_device_floors(app_engine_device(hud->engine, hud->state)).launch_ms;
}

/* "0.87× the speed of GLOBAL": after a toggle, old value, new value, ratio. */
static void draw_comparison(const struct app_brush *brush, const struct app_hud *hud,
                            const struct krn_summary *now, float x, float y)
{
    const struct app_hud_before *before = &hud->before;
    if (!before->there || now->n < ENOUGH || now->median <= 0.0) {
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, x, y, REN_ALIGN_LEFT, brush->colours->quiet,
                      before->there ? "comparing…" : "1 2 3 4: another storage");
        return;
    }
    char name[64], kernel[32], ratio[32], was[64];
    /* What changed, and the storage's own colour beside it. */
    describe_kernel(before->mode, kernel, sizeof kernel);
    const bool other_kernel = before->mode.kernel != hud->state->mode.kernel ||
                              before->mode.pixels_per_thread != hud->state->mode.pixels_per_thread;
    const bool other_backend = before->backend != hud->state->backend;
    snprintf(name, sizeof name, "%s%s%s%s%s",
             other_backend ? krn_backend_name(before->backend) : "", other_backend ? " " : "",
             krn_storage_name(before->mode.storage), other_kernel ? " " : "",
             other_kernel ? kernel : "");
    upper(name);
    const double speed = before->median_ms / now->median;
    const struct app_number times = app_number_plain(speed, "");
    const struct app_number old = app_number_time(before->median_ms);
    snprintf(ratio, sizeof ratio, "%s×", times.value);
    snprintf(was, sizeof was, "(%s %s)", old.value, old.unit);
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x += space + app_draw_text(brush, REN_FACE_MONO_BOLD, APP_TEXT_LARGE, x, y, REN_ALIGN_LEFT,
                               brush->colours->text, ratio);
    x += space + app_draw_text(brush, REN_FACE_SANS, APP_TEXT, x, y, REN_ALIGN_LEFT,
                               brush->colours->quiet, "the speed of");
    x += space + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, REN_ALIGN_LEFT,
                               brush->colours->storage[before->mode.storage], name);
    app_draw_text(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, y, REN_ALIGN_LEFT, brush->colours->quiet,
                  was);
}

/* The trust light in a card's upper right corner: a dot, round when all is well, and a word. */
static void draw_trust(const struct app_brush *brush, struct ren_rect card, unsigned reasons)
{
    const float u = brush->unit, dot = 11.0f * u;
    const enum app_trust_level level = app_trust_level(reasons);
    const ren_colour colours[] = {brush->colours->good, brush->colours->warn, brush->colours->bad};
    const char *word = app_trust_word(level);
    const float right = card.x + card.w - APP_PAD * u, y = card.y + 21.0f * u;
    const float width =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_SMALL * u, word);
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, right, y, REN_ALIGN_RIGHT,
                  colours[level], word);
    ren_list_fill(brush->list, (struct ren_rect){right - width - dot - 6.0f * u, y - dot, dot, dot},
                  level == APP_TRUST_GREEN ? dot / 2.0f : 2.0f * u, colours[level]);
}

/* "[27.3, 27.5] median of 240, 27.1–28.0": the median's 95 % interval, then 5th to 95th percentile.
 */
static void describe_spread(const struct app_hud *hud, const struct krn_summary *now, char *text,
                            size_t size)
{
    const struct krn_interval interval =
        krn_series_interval(app_engine_series(hud->engine, hud->state->backend, hud->state->mode));
    const struct app_number p5 = app_number_time_as(now->p5, now->median),
                            p95 = app_number_time_as(now->p95, now->median),
                            low = app_number_time_as(interval.low, now->median),
                            high = app_number_time_as(interval.high, now->median);
    const char *held = hud->state->hold ? "HELD " : "";
    if (now->n == 0)
        snprintf(text, size, "%sno sample yet", held);
    else if (interval.there)
        snprintf(text, size, "%s[%s, %s] median of %zu, %s–%s", held, low.value, high.value, now->n,
                 p5.value, p95.value);
    else
        snprintf(text, size, "%smedian of %zu", held, now->n);
}

/* Storage, kernel, the time in large digits, its spread, and how it compares. */
static void draw_main_card(const struct app_brush *given, const struct app_layout *layout,
                           const struct app_hud *hud)
{
    const struct ren_rect card = layout->main;
    app_draw_card(given, card);
    /* All that stands on this card grows with it. */
    struct app_brush own = *given, *const brush = &own;
    own.unit = card.h / APP_HUD_HEIGHT;
    const float u = own.unit;
    const struct app_colours *c = own.colours;
    const enum krn_storage storage = hud->state->mode.storage;
    /* The accent as a bar too: it marks the card from afar. */
    ren_list_fill(brush->list,
                  (struct ren_rect){card.x, card.y + APP_RADIUS * u, 5.0f * u,
                                    card.h - 2.0f * APP_RADIUS * u},
                  2.0f * u, c->storage[storage]);

    const float x = card.x + (APP_PAD + 6.0f) * u;
    float y = card.y + 48.0f * u;
    char name[32], text[160];
    snprintf(name, sizeof name, "%s", krn_storage_name(storage));
    upper(name);
    const float width = app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, x, y,
                                      REN_ALIGN_LEFT, c->storage[storage], name);
    describe_kernel(hud->state->mode, text, sizeof text);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT_LARGE, x + width + 12.0f * u, y, REN_ALIGN_LEFT,
                  c->quiet, text);

    const struct krn_summary now = hud->kernel;
    const struct app_number median = app_number_time(now.n ? now.median : -1.0);
    y += 66.0f * u;
    const float digits = app_draw_number(brush, REN_FACE_SANS_BOLD, APP_TEXT_NUMBER, x - 2.0f * u,
                                         y, c->text, median.value);
    if (now.n)
        app_draw_text(brush, REN_FACE_SANS, 32.0f, x + digits + 10.0f * u, y, REN_ALIGN_LEFT,
                      c->text, median.unit);

    y += 32.0f * u;
    describe_spread(hud, &now, text, sizeof text);
    app_draw_text_in(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, y, card.x + card.w - APP_PAD * u - x,
                     c->quiet, text);
    y += 32.0f * u;
    draw_comparison(brush, hud, &now, x, y);
    draw_trust(brush, card, hud->trust);
}

/* A sentence in the middle, above `bottom`. */
static void draw_notice(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud, float bottom)
{
    if (!hud->notice || !hud->notice[0])
        return;
    const float u = brush->unit;
    /* Over the picture, whatever the cards take. */
    const float left = layout->column ? layout->picture.x : 0.0f;
    const float room = layout->pane.w - left;
    const float most = fminf(room - 2.0f * APP_MARGIN * u, 760.0f * u);
    const float wanted =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_LARGE * u, hud->notice) +
        (2.0f * APP_PAD + 14.0f) * u;
    const float width = fminf(most, wanted);
    const float inner = width - (2.0f * APP_PAD + 12.0f) * u;
    const int lines = app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, 0, 0, inner, 4, 0,
                                     hud->notice, false);
    const float height = ((float)lines * 1.35f * APP_TEXT_LARGE + 22.0f) * u;
    const struct ren_rect card = {floorf(left + (room - width) / 2.0f), bottom - height, width,
                                  height};
    const ren_colour colour =
        hud->tone == APP_TONE_WARNED ? brush->colours->warn : brush->colours->good;
    app_draw_card(brush, card);
    ren_list_fill(
        brush->list,
        (struct ren_rect){card.x + 8.0f * u, card.y + 8.0f * u, 4.0f * u, card.h - 16.0f * u},
        2.0f * u, colour);
    app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, card.x + (APP_PAD + 8.0f) * u,
                   card.y + 31.0f * u, inner, 4, brush->colours->text, hud->notice, true);
}

void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud)
{
    const struct app_brush brush = {renderer, list, app_theme_colours(hud->state->theme),
                                    layout->unit, NULL};
    float bottom = layout->screen.h - APP_MARGIN * brush.unit;
    if (hud->state->duel.on)
        app_hud_divider(&brush, layout, hud);
    if (layout->panels.w > 0.0f && hud->panels)
        app_hud_panels(&brush, &layout->panels, layout->shown, hud->panels);
    if (hud->state->hud) {
        if (hud->state->duel.on)
            app_hud_duel(&brush, layout, hud);
        else
            draw_main_card(&brush, layout, hud);
        struct ren_rect plot = layout->plot;
        const float details = app_hud_details(&brush, layout, hud);
        if (layout->column)
            plot.h = details - APP_GAP * brush.unit - plot.y;
        else
            bottom = plot.y - APP_GAP * brush.unit;
        app_hud_plot(&brush, &plot, hud);
        app_hud_footer(&brush, layout, hud);
    }
    draw_notice(&brush, layout, hud, bottom);
    if (hud->state->help)
        app_hud_help(&brush, layout);
}
