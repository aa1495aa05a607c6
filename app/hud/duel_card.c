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

/* Draws a difference that is not firm yet: the verdict, and below it "so far". */
static void draw_so_far(const struct app_brush *brush, const char *verdict, ren_colour colour,
                        float size, float y, float right)
{
    const float u = brush->unit;
    app_draw_text(brush, REN_FACE_SANS_BOLD, size, right, y - 14.0f * u, REN_ALIGN_RIGHT, colour,
                  verdict);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, right, y + 3.0f * u, REN_ALIGN_RIGHT,
                  brush->colours->quiet, "so far");
}

/* Returns the decimals of the ratio and its interval. */
static int decimals_of(const struct krn_duel_result *result)
{
    return app_number_ratio_decimals(result->ratio, krn_ratio_claims(result->so_far));
}

/* Draws the ratio in large digits and the verdict beside it. */
static void draw_ratio(const struct app_brush *brush, const struct krn_duel_result *result, float x,
                       float y, float right)
{
    const struct app_colours *c = brush->colours;
    const ren_colour of_ratio = result->verdict == KRN_RATIO_WANDERING ? c->quiet : c->text;
    const float u = brush->unit;
    const struct app_number number =
        app_number_fixed(result->blocks > 0 ? result->ratio : -1.0, decimals_of(result), "");
    const char *ratio = number.value;
    const float digits = app_draw_number(brush, REN_FACE_SANS_BOLD, APP_TEXT_NUMBER, x - 2.0f * u,
                                         y, of_ratio, ratio);
    if (result->blocks > 0)
        app_draw_text(brush, REN_FACE_SANS, 32.0f, x + digits + 6.0f * u, y, REN_ALIGN_LEFT,
                      of_ratio, "×");
    /* The verdict is as large as the room allows. */
    const struct app_verdict_entry *so_far = app_verdict_entry(app_verdict_of_duel(result->so_far));
    const char *verdict = so_far->word;
    const float room = right - x - digits - 40.0f * u, largest = 24.0f;
    const float width = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, largest * u, verdict);
    const float size = width > room ? fmaxf(largest * room / width, APP_TEXT_SMALL) : largest;
    if (result->so_far != result->verdict)
        draw_so_far(brush, verdict, app_sense_colour(c, so_far->sense), size, y, right);
    else
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, right, y, REN_ALIGN_RIGHT,
                      app_sense_colour(c, so_far->sense), verdict);
}

/* Draws the interval, or why there is none; judged: a verdict may be given. */
static void draw_interval(const struct app_brush *brush, const struct krn_duel_result *result,
                          bool judged, float x, float y, float right)
{
    const struct app_interval_text interval =
        app_number_interval(result->low, result->high, result->ratio, decimals_of(result));
    char text[256], shorter[128];
    if (judged && result->valid) {
        app_format(text, sizeof text, "95 %% %s%s, %zu pairs", interval.text,
                   result->firm ? "" : " so far", result->pairs);
        app_format(shorter, sizeof shorter, "95 %% %s", interval.text);
    } else {
        app_format(text, sizeof text, "no interval%s, %zu pairs",
                   !judged                                  ? ""
                   : result->verdict == KRN_RATIO_WANDERING ? " until the run is longer"
                                                            : " yet",
                   result->pairs);
        app_format(shorter, sizeof shorter, "no interval");
    }
    const char *const texts[] = {text, shorter, NULL};
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

/* Writes the most serious reason to doubt the duel, with the sides that have it: "B: near floor".
 */
static void describe_doubt(const struct app_hud *hud, char *text, size_t size)
{
    static const char *const sides[] = {"", "A: ", "B: ", "A and B: "};
    const unsigned first = hud->trust & ~(hud->trust - 1); /* its lowest bit */
    const int which = (hud->side_trust[0] & first ? 1 : 0) + (hud->side_trust[1] & first ? 2 : 0);
    snprintf(text, size, "%s%s", sides[which], app_trust_first(hud->trust));
}

/* Draws the trust light, and left of it the first reason, unless the sentence has it. */
static void draw_doubt(const struct app_brush *brush, struct ren_rect card,
                       const struct app_hud *hud, float x)
{
    char text[96];
    const float end = app_hud_trust(brush, card, hud->trust) - 9.0f * brush->unit;
    describe_doubt(hud, text, sizeof text);
    const char *const texts[] = {text, app_trust_first(hud->trust), NULL};
    if (text[0] && !app_trust_no_verdict(hud->trust))
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, card.y + 21.0f * brush->unit,
                          end - x, app_trust_colour(brush, app_trust_level(hud->trust)), texts);
}

/* Draws the verdict as a sentence, or why there is none, and the band of indifference. */
static void draw_sentence(const struct app_brush *brush, const struct app_hud *hud,
                          const struct krn_duel_result *result, float x, float y, float right)
{
    char text[256], doubt[96], band[32];
    const double band_percent = app_engine_band_percent(hud->engine);
    describe_doubt(hud, doubt, sizeof doubt);
    if (app_trust_no_verdict(hud->trust))
        snprintf(text, sizeof text, "No verdict. %s", doubt);
    else
        app_duel_sentence(result, text, sizeof text);
    app_format(band, sizeof band, "band %g %%", band_percent);
    const float taken = app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, right, y,
                                      REN_ALIGN_RIGHT, brush->colours->quiet, band);
    const bool wanders = result->verdict == KRN_RATIO_WANDERING;
    const char *const sentence[] = {text,
                                    app_trust_no_verdict(hud->trust) ? "No verdict"
                                    : wanders                        ? "A and B wander apart"
                                                                     : "A against B",
                                    NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y,
                      right - x - taken - 8.0f * brush->unit, brush->colours->text, sentence);
}

/* Draws the median of each side, with the mode's name where there is room for it. */
static void draw_medians(const struct app_brush *brush, const struct app_duel *duel,
                         double time_like_ms, float x, float y, float right)
{
    char text[256], shorter[128], modes[2][APP_MODE_TEXT_MAX];
    struct app_number ms[2];
    double like_ms = time_like_ms;
    for (int side = 0; side < 2; side++) {
        const struct krn_summary times = krn_series_summary(&duel->sides[side]);
        const double median = times.n ? times.median : -1.0;
        like_ms = app_number_keep_unit(like_ms, median);
        ms[side] = app_number_time_as(median, like_ms);
        app_mode_text(duel->modes[side], modes[side], sizeof modes[side]);
    }
    snprintf(text, sizeof text, "A %s %s %s, B %s %s %s", modes[0], ms[0].value, ms[0].unit,
             modes[1], ms[1].value, ms[1].unit);
    snprintf(shorter, sizeof shorter, "A %s %s, B %s %s", ms[0].value, ms[0].unit, ms[1].value,
             ms[1].unit);
    const char *const texts[] = {text, shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x, brush->colours->quiet,
                      texts);
}

/* Draws the ratio of two recorded modes with its interval and verdict, or why there is none. */
static void draw_recorded(const struct app_brush *brush, const struct app_hud *hud, float x,
                          float y, float right)
{
    const struct app_recorded_mode *modes = hud->shown.modes;
    const struct app_colours *c = brush->colours;
    const float u = brush->unit;
    if (!modes[0].valid || !modes[1].valid) {
        app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, right - x, 4, c->stamp,
                       modes[modes[0].valid].missing, true);
        return;
    }
    /* A is compared with B. */
    const struct app_comparison comparison =
        app_compare_times(modes[1].median, modes[0].median, app_engine_band_percent(hud->engine));
    char text[256], shorter[128], names[2][APP_MODE_TEXT_MAX];
    struct app_number ms[2];
    const struct app_described said =
        app_describe(comparison.ratio, (struct app_form){.verdict = comparison.verdict});
    const float digits = app_draw_number(brush, REN_FACE_SANS_BOLD, APP_TEXT_NUMBER, x - 2.0f * u,
                                         y, c->stamp, said.text);
    app_draw_text(brush, REN_FACE_SANS, 32.0f, x + digits + 6.0f * u, y, REN_ALIGN_LEFT, c->stamp,
                  "×");
    const struct app_verdict_entry *verdict = app_verdict_entry(comparison.verdict);
    app_draw_text(brush, REN_FACE_SANS_BOLD, 24.0f, right, y, REN_ALIGN_RIGHT,
                  app_sense_colour(c, verdict->sense), verdict->word);
    y += 29.0f * u;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, right - x, c->text,
                     "A against B, each measured by itself");
    y += 26.0f * u;
    const size_t processes = comparison.measured_by[0];
    char by[40] = "";
    if (processes > 0)
        snprintf(by, sizeof by, ", %zu process%s", processes, processes > 1 ? "es" : "");
    if (said.interval[0])
        snprintf(text, sizeof text, "%s 95 %%%s", said.interval, by);
    else
        snprintf(text, sizeof text, "no interval");
    app_draw_text_in(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, y, right - x, c->quiet, text);
    y += 26.0f * u;
    for (int side = 0; side < 2; side++) {
        ms[side] = app_number_time(modes[side].ms.median);
        app_mode_text(modes[side].mode, names[side], sizeof names[side]);
    }
    snprintf(text, sizeof text, "A %s %s %s, B %s %s %s", names[0], ms[0].value, ms[0].unit,
             names[1], ms[1].value, ms[1].unit);
    snprintf(shorter, sizeof shorter, "A %s %s, B %s %s", ms[0].value, ms[0].unit, ms[1].value,
             ms[1].unit);
    const char *const texts[] = {text, shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, right - x, c->quiet, texts);
}

/* Draws the card of a duel from a recorded run. */
static void draw_recorded_card(const struct app_brush *brush, const struct app_hud *hud,
                               struct ren_rect card, float x, float right)
{
    const float u = brush->unit, light = app_hud_trust(brush, card, hud->trust);
    draw_accents(brush, hud->state, card);
    app_stamp_tape(brush, card);
    app_stamp_draw(brush, 12.0f, x, card.y + 19.0f * u, REN_ALIGN_LEFT, light - x - 10.0f * u,
                   hud->recorded);
    draw_names(brush, hud->state, x, card.y + 50.0f * u, right);
    draw_recorded(brush, hud, x, card.y + 108.0f * u, right);
}

void app_hud_duel(const struct app_brush *given, const struct app_layout *layout,
                  const struct app_hud *hud)
{
    const struct ren_rect card = layout->main;
    const struct app_duel *duel = app_engine_duel(hud->engine);
    if (!duel && !hud->play)
        return;
    app_draw_card(given, card);
    struct app_brush own = *given, *const brush = &own;
    own.unit = card.h / APP_HUD_HEIGHT;
    const float u = own.unit, right = card.x + card.w - APP_PAD * u;
    const float x = card.x + (APP_PAD + 6.0f) * u;
    if (hud->play) {
        draw_recorded_card(brush, hud, card, x, right);
        return;
    }
    const struct krn_duel_result *result = krn_duel_result_of(&duel->statistic);
    draw_accents(brush, hud->state, card);
    const enum app_verdict none = app_trust_no_verdict(hud->trust);
    draw_doubt(brush, card, hud, x);
    float y = card.y + 47.0f * u;
    draw_names(brush, hud->state, x, y, right);
    y += 61.0f * u;
    if (none)
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, x, y, REN_ALIGN_LEFT,
                      brush->colours->bad, app_verdict_word(none));
    else
        draw_ratio(brush, result, x, y, right);
    y += 29.0f * u;
    draw_sentence(brush, hud, result, x, y, right);
    y += 26.0f * u;
    draw_interval(brush, result, !none, x, y, right);
    y += 26.0f * u;
    draw_medians(brush, duel, hud->time_like_ms, x, y, right);
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

/* Returns the width of a side's chip. brief: it has the side's letter alone. */
static float chip_width(const struct app_brush *brush, const struct app_state *state, int side,
                        bool brief)
{
    char name[64];
    app_hud_side_name(state, side, name, sizeof name);
    name[brief ? 1 : sizeof name - 1] = '\0';
    return 20.0f * brush->unit +
           ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TEXT_LARGE * brush->unit, name);
}

/* Draws the sides' names beside the divider; where the picture has no room for both, their letters,
 * and where it has none for a letter, nothing. */
static void draw_chips(const struct app_brush *brush, const struct app_layout *layout,
                       const struct app_state *state, float divider)
{
    const float u = brush->unit, gap = 10.0f * u;
    const struct ren_rect row = app_hud_chips(layout);
    const float rooms[2] = {divider - row.x - gap, row.x + row.w - divider - gap};
    bool brief = false;
    for (int side = 0; side < 2; side++)
        brief = brief || chip_width(brush, state, side, false) > rooms[side];
    for (int side = 0; side < 2; side++) {
        const float width = chip_width(brush, state, side, brief);
        const struct ren_rect chip = {side == 0 ? divider - gap - width : divider + gap, row.y,
                                      width, row.h};
        char name[64];
        if (width > rooms[side])
            continue;
        app_hud_side_name(state, side, name, sizeof name);
        name[brief ? 1 : sizeof name - 1] = '\0';
        app_draw_card(brush, chip);
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_LARGE, chip.x + gap,
                      chip.y + chip.h - 10.0f * u, REN_ALIGN_LEFT,
                      app_hud_side_colour(brush, state, side), name);
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
