/* The main card: storage, kernel, the time in large digits, and how it compares. */
#include "base/numbers.h"
#include "command/keys.h"
#include "hud/parts.h"
#include "hud/recorded/stamp.h"
#include "judge/toggle.h"
#include "judge/trust.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

static void upper(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text);
}

/* Writes "book kernel" or "strip kernel, K 8". */
static void describe_kernel(struct krn_mode mode, char *text, size_t size)
{
    if (krn_kernel_has_pixels(mode.kernel))
        snprintf(text, size, "%s kernel, K %d", krn_kernel_name(mode.kernel),
                 mode.pixels_per_thread);
    else
        snprintf(text, size, "%s kernel", krn_kernel_name(mode.kernel));
}

/* Writes the same where there is less room: "book", "strip, K 8". */
static void brief_kernel(struct krn_mode mode, char *text, size_t size)
{
    if (krn_kernel_has_pixels(mode.kernel))
        snprintf(text, size, "%s, K %d", krn_kernel_name(mode.kernel), mode.pixels_per_thread);
    else
        snprintf(text, size, "%s", krn_kernel_name(mode.kernel));
}

static float width_of(const struct app_brush *brush, enum ren_face face, float size,
                      const char *text)
{
    return ren_text_width(brush->renderer, face, size * brush->unit, text);
}

/* The name of the mode that this one is compared with: its storage, and whatever differs. */
struct words {
    char name[96], shorter[96];
};

static void find_words(const struct app_hud *hud, struct words *words)
{
    const struct app_hud_before *before = &hud->before;
    const struct krn_mode *was = &before->mode, *is = &hud->state->mode;
    char kernel[32] = "", brief[32] = "", storage[48];
    if (was->kernel != is->kernel || was->pixels_per_thread != is->pixels_per_thread) {
        describe_kernel(*was, kernel, sizeof kernel);
        brief_kernel(*was, brief, sizeof brief);
    }
    const bool other_backend = before->backend != hud->state->backend;
    snprintf(storage, sizeof storage, "%s%s%s",
             other_backend ? krn_backend_name(before->backend) : "", other_backend ? " " : "",
             krn_storage_name(was->storage));
    snprintf(words->name, sizeof words->name, "%s%s%s", storage, kernel[0] ? " " : "", kernel);
    snprintf(words->shorter, sizeof words->shorter, "%s%s%s", storage, brief[0] ? " " : "", brief);
    upper(words->name);
    upper(words->shorter);
}

/* The comparison's words behind the ratio: "[0.81, 0.85]", "SLOWER", "than", "GLOBAL", "(6.2 µs)";
 * where there is less room, the other mode's name comes first: "GLOBAL", "[0.81, 0.85]", "SLOWER".
 */
struct wording {
    const char *first, *interval, *verdict, *than, *name, *was;
};

/* Returns the width of a text and the space behind it; 0 for "". */
static float room_of(const struct app_brush *brush, enum ren_face face, float size,
                     const char *text, float space)
{
    return text[0] ? width_of(brush, face, size, text) + space : 0.0f;
}

static float width_of_wording(const struct app_brush *brush, const struct wording *wording,
                              float space)
{
    return room_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, wording->first, space) +
           room_of(brush, REN_FACE_MONO, APP_TEXT_SMALL, wording->interval, space) +
           room_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, wording->verdict, space) +
           room_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, wording->than, space) +
           room_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, wording->name, space) +
           room_of(brush, REN_FACE_MONO, APP_TEXT_SMALL, wording->was, 0.0f);
}

/* Chooses the longest wording that fits into `room` pixels, else the shortest. */
static struct wording choose_wording(const struct app_brush *brush, const struct words *words,
                                     const struct wording *all, float space, float room)
{
    const char *interval = all->interval, *verdict = all->verdict;
    const struct wording tries[] = {
        *all,
        {"", interval, verdict, all->than, words->name, ""},
        {"", interval, verdict, all->than, words->shorter, ""},
        {words->shorter, interval, verdict, "", "", ""},
        {"", interval, verdict, "", "", ""},
        {"", "", verdict, "", "", ""},
    };
    enum { TRIES = sizeof tries / sizeof *tries };
    int i = 0;
    while (i + 1 < TRIES && width_of_wording(brush, &tries[i], space) > room)
        i++;
    return tries[i];
}

/* Compares with the mode before, from a recorded run. */
static struct app_toggle compare_recorded(const struct app_hud *hud)
{
    const struct app_comparison comparison = app_replay_compare(
        &hud->recorded_before, &hud->shown.modes[0], app_engine_band_percent(hud->engine));
    return (struct app_toggle){comparison.valid, comparison.ratio, comparison.low, comparison.high,
                               app_replay_verdict(comparison.verdict)};
}

/* Compares with the mode before, from both modes' current samples. */
static struct app_toggle compare(const struct app_hud *hud)
{
    const struct app_hud_before *before = &hud->before;
    if (!before->valid)
        return (struct app_toggle){.valid = false};
    if (hud->play)
        return compare_recorded(hud);
    const struct app_toggle_side
        left = {app_engine_series(hud->engine, before->backend, before->mode), before->tick_ms},
        now = {app_engine_series(hud->engine, hud->state->backend, hud->state->mode), hud->tick_ms};
    return app_toggle_compare(left, now, app_engine_band_percent(hud->engine));
}

static void hint_comparison(const struct app_brush *brush, bool before, float x, float y)
{
    char text[48];
    app_key_hints(before ? "comparing…" : "{storage}: another storage", text, sizeof text);
    app_draw_text(brush, REN_FACE_SANS, APP_TEXT, x, y, REN_ALIGN_LEFT, brush->colours->quiet,
                  text);
}

/* Draws "WRONG no ratio to GLOBAL": one of the modes has a reason that allows no verdict. */
static void refuse_comparison(const struct app_brush *brush, unsigned reasons,
                              const struct words *words, ren_colour colour, float x, float y,
                              float right)
{
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x += space + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, REN_ALIGN_LEFT,
                               brush->colours->bad, app_trust_no_verdict(reasons));
    const float room =
        right - x - space - width_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, words->shorter);
    const bool fits = width_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, "no ratio to") <= room;
    x += space + app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, REN_ALIGN_LEFT,
                               brush->colours->quiet, fits ? "no ratio to" : "vs");
    const char *const names[] = {words->name, words->shorter, NULL};
    app_draw_text_fit(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, right - x, colour, names);
}

/* Draws the comparison with the mode before: "0.83× [0.81, 0.85] SLOWER than GLOBAL (6.2 µs)". */
static void draw_comparison(const struct app_brush *brush, const struct app_hud *hud, float x,
                            float y, float right)
{
    const struct app_hud_before *before = &hud->before;
    const struct app_colours *c = brush->colours;
    const struct app_toggle toggle = compare(hud);
    if (!toggle.valid) {
        hint_comparison(brush, before->valid, x, y);
        return;
    }
    struct words words;
    find_words(hud, &words);
    const unsigned reasons = hud->trust | before->trust;
    if (app_trust_no_verdict(reasons)) {
        refuse_comparison(brush, reasons, &words, c->storages[before->mode.storage], x, y, right);
        return;
    }
    char ratio[32], interval[64], was[64];
    const int decimals = app_number_decimals(toggle.ratio, toggle.high - toggle.low);
    const struct krn_summary left =
        krn_series_summary(app_engine_series(hud->engine, before->backend, before->mode));
    const struct app_number old =
        app_number_time(hud->play ? hud->recorded_before.ms.median : left.median);
    snprintf(ratio, sizeof ratio, "%s×", app_number_fixed(toggle.ratio, decimals, "").value);
    snprintf(interval, sizeof interval, "[%s, %s]",
             app_number_fixed(toggle.low, decimals, "").value,
             app_number_fixed(toggle.high, decimals, "").value);
    snprintf(was, sizeof was, "(%s %s)", old.value, old.unit);
    const char *verdict = krn_duel_verdict_name(toggle.verdict);
    const bool claims = krn_duel_claims(toggle.verdict);
    const ren_colour colour = app_duel_colour(c, toggle.verdict);
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x += space + app_draw_text(brush, REN_FACE_MONO_BOLD, APP_TEXT_LARGE, x, y, REN_ALIGN_LEFT,
                               c->text, ratio);
    const struct wording all = {"", interval, verdict, claims ? "than" : "as", words.name, was};
    const struct wording wording = choose_wording(brush, &words, &all, space, right - x);
    const struct {
        enum ren_face face;
        ren_colour colour;
        const char *text;
    } parts[] = {{REN_FACE_SANS_BOLD, c->storages[before->mode.storage], wording.first},
                 {REN_FACE_MONO, c->quiet, wording.interval},
                 {REN_FACE_SANS_BOLD, colour, wording.verdict},
                 {REN_FACE_SANS, c->quiet, wording.than},
                 {REN_FACE_SANS_BOLD, c->storages[before->mode.storage], wording.name},
                 {REN_FACE_MONO, c->quiet, wording.was}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].text[0])
            x += space + app_draw_text_in(brush, parts[i].face, APP_TEXT_SMALL, x, y, right - x,
                                          parts[i].colour, parts[i].text);
}

float app_hud_trust(const struct app_brush *brush, struct ren_rect card, unsigned reasons)
{
    const float u = brush->unit, dot = 11.0f * u, gap = 6.0f * u;
    const enum app_trust_level level = app_trust_level(reasons);
    const float y = card.y + 21.0f * u;
    float x = card.x + card.w - APP_PAD * u;
    x -= gap + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, REN_ALIGN_RIGHT,
                             app_trust_colour(brush, level), app_trust_word(level));
    const float mark = app_draw_mark(brush, APP_TEXT_SMALL, x, y, REN_ALIGN_RIGHT, reasons);
    if (mark > 0.0f)
        return x - mark;
    ren_list_fill(brush->list, (struct ren_rect){x - dot, y - dot, dot, dot}, dot / 2.0f,
                  app_trust_colour(brush, level));
    return x - dot;
}

/* Draws "[27.3, 27.5] median of 240, 27.1–28.0": the median's 95 % interval, then the 5th to the
 * 95th percentile. Where they do not fit, there are fewer words. */
static void draw_spread(const struct app_brush *brush, const struct app_hud *hud,
                        const struct krn_summary *now, float x, float y, float right)
{
    const struct app_estimate *recorded = &hud->shown.modes[0].median;
    const struct krn_interval interval =
        hud->play ? (struct krn_interval){recorded->has_interval, recorded->low, recorded->high}
                  : krn_interval_widen(krn_series_interval(app_engine_series(
                                           hud->engine, hud->state->backend, hud->state->mode)),
                                       hud->tick_ms);
    const struct app_number p5 = app_number_time_as(now->p5, now->median),
                            p95 = app_number_time_as(now->p95, now->median),
                            low = app_number_time_as(interval.low, now->median),
                            high = app_number_time_as(interval.high, now->median);
    const char *held = hud->state->hold ? "HELD " : "";
    char text[160], shorter[160], least[160];
    if (now->n == 0) {
        snprintf(text, sizeof text, "%sno sample yet", held);
    } else if (!interval.valid) {
        snprintf(text, sizeof text, "%smedian of %zu", held, now->n);
    } else {
        snprintf(text, sizeof text, "%s[%s, %s] median of %zu, %s–%s", held, low.value, high.value,
                 now->n, p5.value, p95.value);
    }
    snprintf(shorter, sizeof shorter, "%s[%s, %s] n %zu, %s–%s", held, low.value, high.value,
             now->n, p5.value, p95.value);
    snprintf(least, sizeof least, "%s[%s, %s] n %zu", held, low.value, high.value, now->n);
    const bool whole = now->n > 0 && interval.valid;
    const char *const texts[] = {text, whole ? shorter : NULL, least, NULL};
    app_draw_text_fit(brush, REN_FACE_MONO, APP_TEXT_SMALL, x, y, right - x, brush->colours->quiet,
                      texts);
}

/* Draws the bar at the card's left edge; in the storage's colour it can be told from afar. */
static void draw_accent(const struct app_brush *brush, struct ren_rect card, ren_colour colour)
{
    const float u = brush->unit;
    ren_list_fill(brush->list,
                  (struct ren_rect){card.x, card.y + APP_RADIUS * u, 5.0f * u,
                                    card.h - 2.0f * APP_RADIUS * u},
                  2.0f * u, colour);
}

static void draw_title(const struct app_brush *brush, struct krn_mode mode, float x, float y,
                       float right)
{
    char name[32], text[64], shorter[64];
    snprintf(name, sizeof name, "%s", krn_storage_name(mode.storage));
    upper(name);
    describe_kernel(mode, text, sizeof text);
    brief_kernel(mode, shorter, sizeof shorter);
    const char *const kernel[] = {text, shorter, NULL};
    x += 12.0f * brush->unit + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, x, y,
                                             REN_ALIGN_LEFT, brush->colours->storages[mode.storage],
                                             name);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_LARGE, x, y, right - x, brush->colours->quiet,
                      kernel);
}

static void draw_median(const struct app_brush *brush, const struct krn_summary *now,
                        ren_colour colour, float x, float y)
{
    const float u = brush->unit;
    const struct app_number median = app_number_time(now->n ? now->median : -1.0);
    const float digits = app_draw_number(brush, REN_FACE_SANS_BOLD, APP_TEXT_NUMBER, x - 2.0f * u,
                                         y, colour, median.value);
    if (now->n)
        app_draw_text(brush, REN_FACE_SANS, 32.0f, x + digits + 10.0f * u, y, REN_ALIGN_LEFT,
                      colour, median.unit);
}

/* Draws the stamp of a recorded run in the card's upper left corner. */
static void draw_stamp(const struct app_brush *brush, const struct app_hud *hud,
                       struct ren_rect card, float x, float light)
{
    app_stamp_tape(brush, card);
    app_stamp_draw(brush, 12.0f, x, card.y + 19.0f * brush->unit, REN_ALIGN_LEFT,
                   light - x - 10.0f * brush->unit, hud->recorded);
}

void app_hud_main(const struct app_brush *given, const struct app_layout *layout,
                  const struct app_hud *hud)
{
    const struct ren_rect card = layout->main;
    app_draw_card(given, card);
    /* Everything on this card grows with it. */
    struct app_brush own = *given, *const brush = &own;
    own.unit = card.h / APP_HUD_HEIGHT;
    const float u = own.unit;
    const float x = card.x + (APP_PAD + 6.0f) * u, right = card.x + card.w - APP_PAD * u;
    const struct krn_mode mode = hud->state->mode;
    draw_accent(brush, card, own.colours->storages[mode.storage]);
    /* The stamp of a recorded run moves the rest down a little. */
    float y = card.y + (hud->play ? 55.0f : 48.0f) * u;
    draw_title(brush, mode, x, y, right);
    y += (hud->play ? 63.0f : 66.0f) * u;
    draw_median(brush, &hud->kernel, hud->play ? own.colours->stamp : own.colours->text, x, y);
    const float light = app_hud_trust(brush, card, hud->trust);
    if (hud->play)
        draw_stamp(brush, hud, card, x, light);
    y += 32.0f * u;
    if (hud->play && !hud->shown.modes[0].valid) {
        app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, right - x, 3,
                       own.colours->stamp, hud->shown.modes[0].missing, true);
        return;
    }
    draw_spread(brush, hud, &hud->kernel, x, y, right);
    y += 32.0f * u;
    draw_comparison(brush, hud, x, y, right);
}
