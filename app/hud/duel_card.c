#include "base/numbers.h"
#include "base/value.h"
#include "command/mode.h"
#include "hud/draw.h"
#include "hud/parts.h"
#include "judge/trust.h"
#include "judge/verdict.h"
#include "measure/duel_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct krn_mode mode_of(const struct app_state *state, int side)
{
    return side == 0 ? state->mode : state->duel.other;
}

ren_colour app_hud_side_colour(const struct app_brush *brush, const struct app_state *state,
                               int side)
{
    const enum krn_storage a = state->mode.storage, b = state->duel.other.storage;
    return side == 1 && a == b ? brush->colours->text : brush->colours->storages[side == 0 ? a : b];
}

void app_hud_side_name(const struct app_state *state, int side, char *text, size_t size)
{
    char name[48];
    app_hud_name(mode_of(state, side), mode_of(state, 1 - side), name, sizeof name);
    snprintf(text, size, "%c %s", "AB"[side], name);
}

/* Draws "A BOOK vs B STRIP 8", smaller where it would be wider than the card. */
static void draw_names(const struct app_brush *brush, const struct app_state *state, float x,
                       float y, float right)
{
    const float u = brush->unit, gap = 9.0f * u;
    char names[2][64];
    float wide =
        4.0f * gap + ren_text_width(brush->renderer, REN_FACE_SANS, APP_TEXT_LARGE * u, "vs");
    float size = 24.0f;
    for (int side = 0; side < 2; side++) {
        app_hud_side_name(state, side, names[side], sizeof names[side]);
        wide += ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, names[side]);
    }
    size *= fminf((right - x) / wide, 1.0f);
    for (int side = 0; side < 2; side++) {
        if (side == 1)
            x += app_draw_text(brush, REN_FACE_SANS, fminf(size, APP_TEXT_LARGE), x, y,
                               REN_ALIGN_LEFT, brush->colours->quiet, "vs") +
                 gap;
        x += app_draw_text(brush, REN_FACE_SANS_BOLD, size, x, y, REN_ALIGN_LEFT,
                           app_hud_side_colour(brush, state, side), names[side]) +
             gap;
    }
}

/* Writes the most serious reason to doubt the duel, with the sides that have it: "B: near floor".
 */
static void describe_doubt(const struct app_hud *hud, char *text, size_t size)
{
    static const char *const sides[] = {"", "A: ", "B: ", "A and B: "};
    const unsigned first = hud->trust & ~(hud->trust - 1); /* its lowest bit */
    const int which =
        (hud->now[0].median.trust & first ? 1 : 0) + (hud->now[1].median.trust & first ? 2 : 0);
    snprintf(text, size, "%s%s", sides[which], app_trust_first(hud->trust));
}

/* Draws the ratio in large digits and the verdict beside it, as large as the room allows; one that
 * is not firm yet with "so far" below it. */
static void draw_ratio(const struct app_brush *brush, const struct app_hud *hud,
                       const struct app_described *said, float x, float y, float right)
{
    const struct app_colours *c = brush->colours;
    const struct app_verdict_entry *verdict = app_verdict_entry(said->verdict);
    const bool so_far = hud->duel && hud->duel->so_far != hud->duel->verdict;
    const ren_colour colour = hud->now[0].recorded                     ? c->stamp
                              : said->verdict == APP_VERDICT_WANDERING ? c->quiet
                                                                       : c->text;
    const float u = brush->unit, largest = 24.0f;
    const float digits = app_draw_number(brush, REN_FACE_SANS_BOLD, APP_TEXT_NUMBER, x - 2.0f * u,
                                         y, colour, said->number.value);
    if (said->estimate.valid)
        app_draw_text(brush, REN_FACE_SANS, 32.0f, x + digits + 6.0f * u, y, REN_ALIGN_LEFT, colour,
                      "×");
    const float room = right - x - digits - 40.0f * u;
    const float width =
        ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, largest * u, verdict->word);
    const float size = width > room ? fmaxf(largest * room / width, APP_TEXT_SMALL) : largest;
    app_draw_text(brush, REN_FACE_SANS_BOLD, size, right, y - (so_far ? 14.0f * u : 0.0f),
                  REN_ALIGN_RIGHT, app_sense_colour(c, verdict->sense), verdict->word);
    if (so_far)
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, right, y + 3.0f * u, REN_ALIGN_RIGHT,
                      c->quiet, "so far");
}

/* Draws the verdict as a sentence, or why there is none, and the band of indifference. */
static void draw_sentence(const struct app_brush *brush, const struct app_hud *hud, float x,
                          float y, float right)
{
    const bool none = app_trust_no_verdict(hud->trust);
    const struct krn_duel_result *duel = hud->duel;
    char text[256] = "A against B, each measured by itself", doubt[96], band[32];
    const char *const texts[] = {text,
                                 duel && none ? "No verdict"
                                 : duel && duel->verdict == KRN_RATIO_WANDERING
                                     ? "A and B wander apart"
                                     : "A against B",
                                 NULL};
    describe_doubt(hud, doubt, sizeof doubt);
    if (duel && none)
        snprintf(text, sizeof text, "No verdict. %s", doubt);
    else if (duel)
        app_duel_sentence(duel, text, sizeof text);
    app_format(band, sizeof band, "band %g %%", hud->band_percent);
    if (duel)
        right -= 8.0f * brush->unit + app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, right, y,
                                                    REN_ALIGN_RIGHT, brush->colours->quiet, band);
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, right - x, brush->colours->text,
                      texts);
}

/* Draws the interval, or why there is none, and the number of pairs or processes. known: it may be
 * told. */
static void draw_interval(const struct app_brush *brush, const struct app_hud *hud,
                          const char *interval, bool known, float x, float y, float right)
{
    const struct krn_duel_result *duel = hud->duel;
    const size_t processes = hud->comparison.measured_by[0];
    char text[128] = "no interval", whole[192];
    if (known)
        snprintf(text, sizeof text, "95 %% %s", interval);
    if (duel)
        snprintf(whole, sizeof whole, "%s%s, %zu pairs", text,
                 known                                  ? (duel->firm ? "" : " so far")
                 : app_trust_no_verdict(hud->trust)     ? ""
                 : duel->verdict == KRN_RATIO_WANDERING ? " until the run is longer"
                                                        : " yet",
                 duel->pairs);
    else if (known && processes > 0)
        snprintf(whole, sizeof whole, "%s, %zu process%s", text, processes,
                 processes > 1 ? "es" : "");
    else
        snprintf(whole, sizeof whole, "%s", text);
    const char *const texts[] = {whole, text, NULL};
    app_draw_text_fit(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, y, right - x, brush->colours->quiet,
                      texts);
}

/* Draws the bar at the card's left edge in both colours: A's above, B's below. */
static void draw_accents(const struct app_brush *brush, const struct app_state *state,
                         struct ren_rect card)
{
    const float u = brush->unit, half = card.h / 2.0f - APP_RADIUS * u;
    for (int side = 0; side < 2; side++)
        ren_list_fill(
            brush->list,
            (struct ren_rect){card.x, card.y + APP_RADIUS * u + (float)side * half, 5.0f * u, half},
            2.0f * u, app_hud_side_colour(brush, state, side));
}

/* Draws the trust light, and left of it the stamp of a recorded run, or the first reason to doubt
 * the duel unless the sentence has it. */
static void draw_top(const struct app_brush *brush, struct ren_rect card, const struct app_hud *hud,
                     float x)
{
    const float u = brush->unit, y = card.y + 21.0f * u;
    const float light = app_hud_trust(brush, card, hud->trust);
    if (hud->now[0].recorded) {
        app_stamp_tape(brush, card);
        app_stamp_draw(brush, 12.0f, x, card.y + 19.0f * u, REN_ALIGN_LEFT, light - x - 10.0f * u,
                       hud->recorded);
        return;
    }
    char text[96];
    describe_doubt(hud, text, sizeof text);
    const char *const texts[] = {text, app_trust_first(hud->trust), NULL};
    if (text[0] && !app_trust_no_verdict(hud->trust))
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, light - 9.0f * u - x,
                          app_trust_colour(brush, app_trust_level(hud->trust)), texts);
}

/* Draws the median of each side, with the mode's name where there is room for it. */
static void draw_medians(const struct app_brush *brush, const struct app_hud *hud, float x, float y,
                         float right)
{
    char text[320], shorter[160], modes[2][APP_MODE_TEXT_MAX];
    struct app_described ms[2];
    struct app_form form = {.quantity = APP_QUANTITY_TIME, .like = hud->time_like_ms};
    for (int side = 0; side < 2; side++) {
        const struct app_mode_time *now = &hud->now[side];
        form.like = app_number_keep_unit(form.like, now->ms.median);
        ms[side] = app_describe(now->median, form);
        app_mode_text(now->mode, modes[side], sizeof modes[side]);
    }
    snprintf(text, sizeof text, "A %s %s, B %s %s", modes[0], ms[0].text, modes[1], ms[1].text);
    snprintf(shorter, sizeof shorter, "A %s, B %s", ms[0].text, ms[1].text);
    const char *const texts[] = {text, shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x, brush->colours->quiet,
                      texts);
}

void app_hud_duel(const struct app_brush *given, const struct app_layout *layout,
                  const struct app_hud *hud)
{
    const struct ren_rect card = layout->main;
    if (hud->sides < 2)
        return;
    app_draw_card(given, card);
    struct app_brush own = *given, *const brush = &own;
    const struct app_colours *c = own.colours;
    own.unit = card.h / APP_HUD_HEIGHT;
    const float u = own.unit, right = card.x + card.w - APP_PAD * u;
    const float x = card.x + (APP_PAD + 6.0f) * u;
    const bool recorded = hud->now[0].recorded;
    draw_accents(brush, hud->state, card);
    draw_top(brush, card, hud, x);
    draw_names(brush, hud->state, x, card.y + (recorded ? 50.0f : 47.0f) * u, right);
    float y = card.y + 108.0f * u;
    const char *missing = hud->now[hud->now[0].missing[0] == 0].missing;
    if (missing[0]) {
        app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, right - x, 4, c->stamp,
                       missing, true);
        return;
    }
    const struct app_form form = {.digits = APP_DIGITS_RATIO, .verdict = hud->comparison.verdict};
    const struct app_described said = app_describe(hud->comparison.ratio, form);
    const enum app_verdict none = recorded ? APP_VERDICT_NONE : app_trust_no_verdict(hud->trust);
    if (none)
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, x, y, REN_ALIGN_LEFT, c->bad,
                      app_verdict_word(none));
    else
        draw_ratio(brush, hud, &said, x, y, right);
    y += 29.0f * u;
    draw_sentence(brush, hud, x, y, right);
    y += 26.0f * u;
    draw_interval(brush, hud, said.interval, !none && said.interval[0], x, y, right);
    draw_medians(brush, hud, x, y + 26.0f * u, right);
}

static const float chip_height = 34.0f;

/* Returns where the divider ends: cards are translucent, and over the picture it ends above the
 * plot. */
static float divider_bottom(const struct app_layout *layout, bool hud)
{
    const struct ren_rect picture = layout->picture, plot = layout->plot;
    const bool over =
        hud && !layout->column && plot.x < picture.x + picture.w && picture.x < plot.x + plot.w;
    return over ? fminf(plot.y, picture.y + picture.h) : picture.y + picture.h;
}

struct ren_rect app_hud_chips(const struct app_layout *layout)
{
    const float u = layout->unit, high = chip_height * u;
    const struct ren_rect picture = layout->picture;
    const float bottom = fminf(divider_bottom(layout, true),
                               layout->footer.w > 0.0f ? layout->footer.y : layout->pane.h) -
                         APP_MARGIN * u;
    return (struct ren_rect){picture.x, bottom - high, picture.w, high};
}

/* Draws the sides' names beside the divider; where the picture has no room for both, their letters,
 * and where it has none for a letter, nothing. */
static void draw_chips(const struct app_brush *brush, const struct app_layout *layout,
                       const struct app_state *state, float divider)
{
    const float u = brush->unit, gap = 10.0f * u;
    const struct ren_rect row = app_hud_chips(layout);
    const float rooms[2] = {divider - row.x - gap, row.x + row.w - divider - gap};
    char names[2][64];
    float widths[2];
    for (int brief = 0; brief < 2; brief++) {
        for (int side = 0; side < 2; side++) {
            app_hud_side_name(state, side, names[side], sizeof names[side]);
            names[side][brief ? 1 : sizeof names[side] - 1] = '\0';
            widths[side] = 2.0f * gap + ren_text_width(brush->renderer, REN_FACE_SANS_BOLD,
                                                       APP_TEXT_LARGE * u, names[side]);
        }
        if (widths[0] <= rooms[0] && widths[1] <= rooms[1])
            break;
    }
    for (int side = 0; side < 2; side++) {
        const struct ren_rect chip = {side == 0 ? divider - gap - widths[0] : divider + gap, row.y,
                                      widths[side], row.h};
        if (widths[side] > rooms[side])
            continue;
        app_draw_card(brush, chip);
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, chip.x + gap,
                      chip.y + chip.h - 10.0f * u, REN_ALIGN_LEFT,
                      app_hud_side_colour(brush, state, side), names[side]);
    }
}

void app_hud_divider(const struct app_brush *brush, const struct app_layout *layout,
                     const struct app_hud *hud)
{
    const float u = brush->unit, wide = fmaxf(2.0f, roundf(2.0f * u));
    const struct ren_rect picture = layout->picture;
    const float x = roundf(picture.x + (float)hud->state->duel.divider * picture.w);
    const bool over = hud->state->hud && !layout->column;
    const float below = divider_bottom(layout, hud->state->hud);
    /* Beside panels the picture is small, and the main card may cover its middle. */
    const struct ren_rect card = layout->main;
    const bool under = over && layout->panels.w > 0.0f && x > card.x - 2.0f * wide &&
                       x < card.x + card.w + 2.0f * wide;
    const float top = under ? fmaxf(card.y + card.h, picture.y) : picture.y;
    const float height = fmaxf(below - top, 0.0f);
    /* A white line with dark edges is visible on any picture. */
    ren_list_fill(brush->list, (struct ren_rect){x - 1.5f * wide, top, 3.0f * wide, height}, 0.0f,
                  0x000000a0);
    ren_list_fill(brush->list, (struct ren_rect){x - 0.5f * wide, top, wide, height}, 0.0f,
                  0xffffffff);
    if (!hud->state->hud)
        return;
    draw_chips(brush, layout, hud->state, x);
}
