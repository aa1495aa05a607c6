/* The main card: storage, kernel, the time in large digits, and how it compares. */
#include "base/numbers.h"
#include "command/keys.h"
#include "hud/draw.h"
#include "hud/parts.h"
#include "judge/trust.h"
#include "judge/verdict.h"

#include <ctype.h>
#include <stdio.h>

static void upper(char *text)
{
    for (; *text; text++)
        *text = (char)toupper((unsigned char)*text);
}

/* Writes "book kernel", "strip kernel, K 8" or "tree kernel, 4 bounces, 1 sample". */
static void describe_kernel(struct krn_mode mode, const struct krn_light *light, char *text,
                            size_t size)
{
    char words[48];
    app_hud_light_words(light, words, sizeof words);
    if (krn_mode_view(mode) == KRN_VIEW_LIGHT)
        snprintf(text, size, "%s kernel, %s", krn_kernel_name(mode.kernel), words);
    else if (krn_kernel_has_pixels(mode.kernel))
        snprintf(text, size, "%s kernel, K %d", krn_kernel_name(mode.kernel),
                 mode.pixels_per_thread);
    else
        snprintf(text, size, "%s kernel", krn_kernel_name(mode.kernel));
}

/* Writes the same where there is less room: "book", "strip, K 8", "tree, 4 bounces". */
static void brief_kernel(struct krn_mode mode, const struct krn_light *light, char *text,
                         size_t size)
{
    if (krn_mode_view(mode) == KRN_VIEW_LIGHT)
        snprintf(text, size, "%s, %d bounce%s", krn_kernel_name(mode.kernel), light->bounces,
                 light->bounces == 1 ? "" : "s");
    else if (krn_kernel_has_pixels(mode.kernel))
        snprintf(text, size, "%s, K %d", krn_kernel_name(mode.kernel), mode.pixels_per_thread);
    else
        snprintf(text, size, "%s", krn_kernel_name(mode.kernel));
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

static float width_of(const struct app_brush *brush, enum ren_face face, float size,
                      const char *text)
{
    return ren_text_width(brush->renderer, face, size * brush->unit, text);
}

/* Writes the name of the mode that this one is compared with: whatever differs, with the backend.
 */
static void name_before(const struct app_hud *hud, char *text, size_t size)
{
    const struct app_hud_before *before = &hud->before;
    char name[48], backend[16] = "";
    app_hud_name(before->mode, hud->state->mode, name, sizeof name);
    if (before->backend != hud->state->backend)
        snprintf(backend, sizeof backend, "%s ", krn_backend_name(before->backend));
    upper(backend);
    snprintf(text, size, "%s%s", backend, name);
}

/* The comparison's words behind the ratio: "[0.81, 0.85]", "SLOWER", "than", "GLOBAL", "(6.2 µs)",
 * "; same caches"; where there is less room, some are "". */
struct wording {
    const char *interval, *verdict, *than, *name, *was, *note;
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
    return room_of(brush, REN_FACE_MONO, APP_TEXT_SMALL, wording->interval, space) +
           room_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, wording->verdict, space) +
           room_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, wording->than, space) +
           room_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, wording->name, space) +
           room_of(brush, REN_FACE_MONO, APP_TEXT_SMALL, wording->was, space) +
           room_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, wording->note, 0.0f);
}

/* Chooses the longest wording that fits into `room` pixels, else the shortest. What all storages
 * share on this backend comes before the name of the other one. */
static struct wording choose_wording(const struct app_brush *brush, const struct wording *all,
                                     float space, float room)
{
    const char *interval = all->interval, *verdict = all->verdict, *note = all->note;
    const struct wording tries[] = {
        *all,
        {interval, verdict, all->than, all->name, "", note},
        {interval, verdict, note[0] ? "" : all->than, note[0] ? "" : all->name, "", note},
        {"", verdict, all->than, all->name, "", note},
        {interval, verdict, "", "", "", ""},
        {"", verdict, "", "", "", ""},
    };
    enum { TRIES = sizeof tries / sizeof *tries };
    int i = 0;
    while (i + 1 < TRIES && width_of_wording(brush, &tries[i], space) > room)
        i++;
    return tries[i];
}

/* Compares with the mode before, from a recorded run or from both modes' current samples. */
static struct app_comparison compare(const struct app_hud *hud)
{
    const struct app_hud_before *before = &hud->before;
    if (!before->valid)
        return (struct app_comparison){.verdict = APP_VERDICT_CANT_TELL};
    if (hud->play)
        return app_compare_times(hud->recorded_before.median, hud->shown.modes[0].median,
                                 app_engine_band_percent(hud->engine));
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
static void refuse_comparison(const struct app_brush *brush, unsigned reasons, const char *name,
                              ren_colour colour, float x, float y, float right)
{
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x +=
        space + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, REN_ALIGN_LEFT,
                              brush->colours->bad, app_verdict_word(app_trust_no_verdict(reasons)));
    const float room =
        right - x - space - width_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, name);
    const bool fits = width_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, "no ratio to") <= room;
    x += space + app_draw_text(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, REN_ALIGN_LEFT,
                               brush->colours->quiet, fits ? "no ratio to" : "vs");
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, right - x, colour, name);
}

/* Draws the comparison with the mode before: "0.83× [0.81, 0.85] SLOWER than GLOBAL (6.2 µs)". Less
 * than half the speed reads better as the inverse: "22.0× [21.8, 22.2] SLOWER than STRIP 16". */
static void draw_comparison(const struct app_brush *brush, const struct app_hud *hud, float x,
                            float y, float right)
{
    const struct app_hud_before *before = &hud->before;
    const struct app_colours *c = brush->colours;
    struct app_comparison toggle = compare(hud);
    if (!toggle.ratio.valid || !toggle.ratio.has_interval) {
        hint_comparison(brush, before->valid, x, y);
        return;
    }
    char name[64];
    name_before(hud, name, sizeof name);
    const ren_colour colour = c->storages[before->mode.storage];
    const unsigned reasons = hud->trust | before->trust;
    if (app_trust_no_verdict(reasons)) {
        refuse_comparison(brush, reasons, name, colour, x, y, right);
        return;
    }
    if (toggle.verdict == APP_VERDICT_SLOWER && toggle.ratio.value < 0.5)
        toggle.ratio = app_estimate_into(1.0, toggle.ratio);
    const struct app_described said = app_describe(
        toggle.ratio,
        (struct app_form){.unit = "×", .digits = APP_DIGITS_RATIO, .verdict = toggle.verdict});
    const struct app_verdict_entry *verdict = app_verdict_entry(toggle.verdict);
    const bool claims =
        toggle.verdict == APP_VERDICT_FASTER || toggle.verdict == APP_VERDICT_SLOWER;
    char was[64];
    const struct krn_summary left =
        krn_series_summary(app_engine_series(hud->engine, before->backend, before->mode));
    const struct app_number old =
        app_number_time_as(hud->play ? hud->recorded_before.ms.median : left.median,
                           app_number_keep_unit(hud->time_like_ms, left.median));
    snprintf(was, sizeof was, "(%s %s)", old.value, old.unit);
    /* On the CPU every storage is the same memory, and a difference is not the storage's. */
    const bool caches = hud->device->can.host_processors && !hud->play &&
                        before->backend == hud->state->backend &&
                        before->mode.storage != hud->state->mode.storage;
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x += space + app_draw_text(brush, REN_FACE_MONO_BOLD, APP_TEXT_LARGE, x, y, REN_ALIGN_LEFT,
                               c->text, said.text);
    const struct wording all = {said.interval, verdict->word, claims ? "than" : "as",
                                name,          was,           caches ? "; same caches" : ""};
    const struct wording wording = choose_wording(brush, &all, space, right - x);
    const struct {
        enum ren_face face;
        ren_colour colour;
        const char *text;
    } parts[] = {{REN_FACE_MONO, c->quiet, wording.interval},
                 {REN_FACE_SANS_BOLD, app_sense_colour(c, verdict->sense), wording.verdict},
                 {REN_FACE_SANS, c->quiet, wording.than},
                 {REN_FACE_SANS_BOLD, colour, wording.name},
                 {REN_FACE_MONO, c->quiet, wording.was},
                 {REN_FACE_SANS, c->quiet, wording.note}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i].text[0])
            continue;
        x -= parts[i].text[0] == ';' ? space : 0.0f;
        x += space + app_draw_text_in(brush, parts[i].face, APP_TEXT_SMALL, x, y, right - x,
                                      parts[i].colour, parts[i].text);
    }
}

float app_hud_trust(const struct app_brush *brush, struct ren_rect card, unsigned reasons)
{
    const float u = brush->unit, dot = 11.0f * u, gap = 6.0f * u;
    const enum app_trust_level level = app_trust_level(reasons);
    const float y = card.y + 21.0f * u;
    float x = card.x + card.w - APP_PAD * u;
    char words[48];
    app_trust_sum(reasons, words, sizeof words);
    x -= gap + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, REN_ALIGN_RIGHT,
                             app_trust_colour(brush, level), words);
    const float mark = app_draw_mark(brush, APP_TEXT_SMALL, x, y, REN_ALIGN_RIGHT, reasons);
    if (mark > 0.0f)
        return x - mark;
    ren_list_fill(brush->list, (struct ren_rect){x - dot, y - dot, dot, dot}, dot / 2.0f,
                  app_trust_colour(brush, level));
    return x - dot;
}

/* Returns the width of a text whose digits all take the room of the widest, as app_draw_number
 * draws it. */
static float width_of_number(const struct app_brush *brush, const char *text)
{
    char widest[192];
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof widest; i++)
        widest[i] = (char)(text[i] >= '0' && text[i] <= '9' ? '0' : text[i]);
    widest[i] = '\0';
    return width_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, widest);
}

/* Draws "median of 240, 95 % [27.3, 27.5], p5–p95 27.1–28.0": the median's 95 % interval, then the
 * 5th to the 95th percentile. Where they do not fit, there are fewer words. */
static void draw_spread(const struct app_brush *brush, const struct app_hud *hud,
                        const struct krn_summary *now, float x, float y, float right)
{
    const struct app_estimate *recorded = &hud->shown.modes[0].median;
    const struct krn_interval interval =
        hud->play ? (struct krn_interval){recorded->has_interval, recorded->low, recorded->high}
                  : krn_interval_widen(krn_series_interval(app_engine_series(
                                           hud->engine, hud->state->backend, hud->state->mode)),
                                       hud->tick_ms);
    const double like_ms = app_number_keep_unit(hud->time_like_ms, now->median);
    const struct app_number p5 = app_number_time_as(now->p5, like_ms),
                            p95 = app_number_time_as(now->p95, like_ms);
    enum { TEXTS = 5 };
    char within[80], range[64], texts[TEXTS][192];
    snprintf(within, sizeof within, "95 %% %s",
             app_number_time_interval(interval.low, interval.high, now->median, like_ms).text);
    snprintf(range, sizeof range, "%s–%s", p5.value, p95.value);
    snprintf(texts[0], sizeof texts[0], "median of %zu, %s, p5–p95 %s", now->n, within, range);
    snprintf(texts[1], sizeof texts[1], "of %zu, %s, p5–p95 %s", now->n, within, range);
    snprintf(texts[2], sizeof texts[2], "n %zu, %s, p5–p95 %s", now->n, within, range);
    snprintf(texts[3], sizeof texts[3], "median of %zu, %s", now->n, within);
    snprintf(texts[4], sizeof texts[4], "n %zu, %s", now->n, within);
    if (now->n == 0)
        snprintf(texts[0], sizeof texts[0], "no sample yet");
    else if (!interval.valid)
        snprintf(texts[0], sizeof texts[0], "median of %zu", now->n);
    int i = 0;
    while (interval.valid && i + 1 < TEXTS && width_of_number(brush, texts[i]) > right - x)
        i++;
    app_draw_number(brush, REN_FACE_SANS, APP_TEXT_SMALL, x, y, brush->colours->quiet, texts[i]);
}

void app_hud_held(const struct app_brush *brush, const struct app_layout *layout)
{
    const struct ren_rect box = layout->held;
    const float u = box.h / APP_HELD_HEIGHT;
    if (box.w <= 0.0f)
        return;
    const struct app_colours *c = brush->colours;
    struct app_brush own = *brush;
    own.unit = u;
    char text[64];
    app_key_hints("{hold} goes on", text, sizeof text);
    app_draw_card(brush, box);
    ren_list_fill(brush->list, box, APP_RADIUS * u, c->warn);
    const float y = box.y + 0.5f * box.h +
                    0.5f * APP_TEXT_TITLE * u *
                        ren_face_metrics(brush->renderer, REN_FACE_SANS_BOLD).cap_height;
    app_draw_text(&own, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, box.x + (APP_PAD + 6.0f) * u, y,
                  REN_ALIGN_LEFT, c->panel | 0xffu, "HELD");
    app_draw_text(&own, REN_FACE_SANS, APP_TEXT_LARGE, box.x + box.w - APP_PAD * u, y,
                  REN_ALIGN_RIGHT, c->panel | 0xffu, text);
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

static void name_storage(struct krn_mode mode, char *name, size_t size)
{
    snprintf(name, size, "%s", krn_storage_name(mode.storage));
    upper(name);
}

static void draw_title(const struct app_brush *brush, const struct app_state *state, float x,
                       float y, float right)
{
    const struct krn_mode mode = state->mode;
    const struct krn_light light = app_engine_view(state).light;
    char name[32], text[64], shorter[64];
    name_storage(mode, name, sizeof name);
    describe_kernel(mode, &light, text, sizeof text);
    brief_kernel(mode, &light, shorter, sizeof shorter);
    const char *const kernel[] = {text, shorter, krn_kernel_name(mode.kernel), NULL};
    x += 12.0f * brush->unit + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, x, y,
                                             REN_ALIGN_LEFT, brush->colours->storages[mode.storage],
                                             name);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_LARGE, x, y, right - x, brush->colours->quiet,
                      kernel);
}

static void draw_median(const struct app_brush *brush, const struct krn_summary *now,
                        double like_ms, ren_colour colour, float x, float y)
{
    const float u = brush->unit;
    const struct app_number median =
        app_number_time_as(now->n ? now->median : -1.0, app_number_keep_unit(like_ms, now->median));
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
    const float light = app_hud_trust(brush, card, hud->trust);
    /* The stamp of a recorded run, and a storage's name below the trust light, as in a wide font,
     * move the rest down a little. */
    char name[32];
    name_storage(mode, name, sizeof name);
    const bool low = hud->play || width_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, name) >
                                      light - x - 10.0f * u;
    float y = card.y + (low ? 55.0f : 48.0f) * u;
    draw_title(brush, hud->state, x, y, right);
    y += (low ? 63.0f : 66.0f) * u;
    draw_median(brush, &hud->kernel, hud->time_like_ms,
                hud->play ? own.colours->stamp : own.colours->text, x, y);
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
