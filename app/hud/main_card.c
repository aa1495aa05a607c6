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

void app_hud_kernel(struct krn_mode mode, const struct krn_light *light, char *text, size_t size)
{
    char words[48] = "";
    if (light && krn_mode_view(mode) == KRN_VIEW_LIGHT)
        app_hud_light_words(light, words, sizeof words);
    else if (krn_kernel_has_pixels(mode.kernel))
        snprintf(words, sizeof words, "K %d", mode.pixels_per_thread);
    snprintf(text, size, "%s kernel%s%s", krn_kernel_name(mode.kernel), words[0] ? ", " : "",
             words);
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
    const struct app_mode_time *before = &hud->before;
    char name[48], backend[16] = "";
    app_hud_name(before->mode, hud->now[0].mode, name, sizeof name);
    if (before->backend != hud->now[0].backend)
        snprintf(backend, sizeof backend, "%s ", krn_backend_name(before->backend));
    upper(backend);
    snprintf(text, size, "%s%s", backend, name);
}

/* Draws "WRONG no ratio to GLOBAL": one of the modes has a reason that allows no verdict. */
static void refuse_comparison(const struct app_brush *brush, enum app_verdict none,
                              const char *name, ren_colour colour, float x, float y, float right)
{
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x += space + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT, x, y, REN_ALIGN_LEFT,
                               brush->colours->bad, app_verdict_word(none));
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
    const struct app_mode_time *before = &hud->before;
    const struct app_colours *c = brush->colours;
    struct app_comparison toggle = hud->comparison;
    if (!toggle.ratio.valid || !toggle.ratio.has_interval) {
        char text[48];
        app_key_hints(before->valid ? "comparing…" : "{storage}: another storage", text,
                      sizeof text);
        app_draw_text(brush, REN_FACE_SANS, APP_TEXT, x, y, REN_ALIGN_LEFT, c->quiet, text);
        return;
    }
    char name[64];
    name_before(hud, name, sizeof name);
    const ren_colour colour = c->storages[before->mode.storage];
    const enum app_verdict none = app_trust_no_verdict(toggle.ratio.trust);
    if (none) {
        refuse_comparison(brush, none, name, colour, x, y, right);
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
    const struct app_number old = app_number_time_as(
        before->ms.median, app_number_keep_unit(hud->time_like_ms, before->ms.median));
    snprintf(was, sizeof was, "(%s %s)", old.value, old.unit);
    /* On the CPU every storage is the same memory, and a difference is not the storage's. */
    const bool caches = hud->device->can.host_processors && !before->recorded &&
                        before->backend == hud->now[0].backend &&
                        before->mode.storage != hud->now[0].mode.storage;
    const struct {
        enum ren_face face;
        ren_colour colour;
        const char *text;
    } parts[] = {{REN_FACE_MONO, c->quiet, said.interval},
                 {REN_FACE_SANS_BOLD, app_sense_colour(c, verdict->sense), verdict->word},
                 {REN_FACE_SANS, c->quiet, claims ? "than" : "as"},
                 {REN_FACE_SANS_BOLD, colour, name},
                 {REN_FACE_MONO, c->quiet, was},
                 {REN_FACE_SANS, c->quiet, "; same caches"}};
    /* The longest wording that fits; what all storages share on this backend comes before the name
     * of the other one. */
    enum { INTERVAL = 1, VERDICT = 2, NAME = 4 | 8, WAS = 16, NOTE = 32, PARTS = 6, TRIES = 6 };
    const unsigned note = caches ? NOTE : 0, whole = INTERVAL | VERDICT | NAME | note,
                   tries[TRIES] = {whole | WAS,
                                   whole,
                                   caches ? INTERVAL | VERDICT | NOTE : whole,
                                   VERDICT | NAME | note,
                                   INTERVAL | VERDICT,
                                   VERDICT};
    const float space = 0.3f * APP_TEXT_LARGE * brush->unit;
    x += space + app_draw_text(brush, REN_FACE_MONO_BOLD, APP_TEXT_LARGE, x, y, REN_ALIGN_LEFT,
                               c->text, said.text);
    int chosen = 0;
    for (; chosen + 1 < TRIES; chosen++) {
        float wide = 0.0f;
        for (int i = 0; i < PARTS; i++)
            if (tries[chosen] >> i & 1)
                wide += width_of(brush, parts[i].face, APP_TEXT_SMALL, parts[i].text) +
                        (1 << i == NOTE ? 0.0f : space);
        if (wide <= right - x)
            break;
    }
    for (int i = 0; i < PARTS; i++) {
        if (!(tries[chosen] >> i & 1))
            continue;
        x -= 1 << i == NOTE ? space : 0.0f;
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
    char widest[256];
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof widest; i++)
        widest[i] = (char)(text[i] >= '0' && text[i] <= '9' ? '0' : text[i]);
    widest[i] = '\0';
    return width_of(brush, REN_FACE_SANS, APP_TEXT_SMALL, widest);
}

/* Draws "median of 240, 95 % [27.3, 27.5], p5–p95 27.1–28.0": the median's 95 % interval, then the
 * 5th to the 95th percentile. Where they do not fit, there are fewer words. */
static void draw_spread(const struct app_brush *brush, const struct app_hud *hud, float x, float y,
                        float right)
{
    const struct krn_summary *now = &hud->now[0].ms;
    const double like_ms = app_number_keep_unit(hud->time_like_ms, now->median);
    const struct app_described said = app_describe(
        hud->now[0].median, (struct app_form){.quantity = APP_QUANTITY_TIME, .like = like_ms});
    const struct app_number p5 = app_number_time_as(now->p5, like_ms),
                            p95 = app_number_time_as(now->p95, like_ms);
    enum { TEXTS = 5 };
    char within[112], range[64], texts[TEXTS][256];
    snprintf(within, sizeof within, "95 %% %s", said.interval);
    snprintf(range, sizeof range, "%s–%s", p5.value, p95.value);
    snprintf(texts[0], sizeof texts[0], "median of %zu, %s, p5–p95 %s", now->n, within, range);
    snprintf(texts[1], sizeof texts[1], "of %zu, %s, p5–p95 %s", now->n, within, range);
    snprintf(texts[2], sizeof texts[2], "n %zu, %s, p5–p95 %s", now->n, within, range);
    snprintf(texts[3], sizeof texts[3], "median of %zu, %s", now->n, within);
    snprintf(texts[4], sizeof texts[4], "n %zu, %s", now->n, within);
    if (now->n == 0)
        snprintf(texts[0], sizeof texts[0], "no sample yet");
    else if (!said.interval[0])
        snprintf(texts[0], sizeof texts[0], "median of %zu", now->n);
    int i = 0;
    while (said.interval[0] && i + 1 < TEXTS && width_of_number(brush, texts[i]) > right - x)
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

static void draw_title(const struct app_brush *brush, const struct app_state *state, float x,
                       float y, float right)
{
    const struct krn_mode mode = state->mode;
    const int bounces = state->light.bounces;
    const char *const kernel = krn_kernel_name(mode.kernel);
    char name[32], text[64], shorter[64] = "";
    app_hud_name(mode, mode, name, sizeof name);
    app_hud_kernel(mode, &state->light, text, sizeof text);
    if (app_state_view(state) == KRN_VIEW_LIGHT)
        snprintf(shorter, sizeof shorter, "%s, %d bounce%s", kernel, bounces,
                 bounces == 1 ? "" : "s");
    else if (krn_kernel_has_pixels(mode.kernel))
        snprintf(shorter, sizeof shorter, "%s, K %d", kernel, mode.pixels_per_thread);
    else
        snprintf(shorter, sizeof shorter, "%s", kernel);
    const char *const kernels[] = {text, shorter, kernel, NULL};
    x += 12.0f * brush->unit + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, x, y,
                                             REN_ALIGN_LEFT, brush->colours->storages[mode.storage],
                                             name);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TEXT_LARGE, x, y, right - x, brush->colours->quiet,
                      kernels);
}

static void draw_median(const struct app_brush *brush, const struct app_hud *hud, ren_colour colour,
                        float x, float y)
{
    const float u = brush->unit;
    const struct app_estimate median = hud->now[0].median;
    const struct app_number number =
        app_describe(median, (struct app_form){.quantity = APP_QUANTITY_TIME,
                                               .like = app_number_keep_unit(hud->time_like_ms,
                                                                            median.value)})
            .number;
    const float digits = app_draw_number(brush, REN_FACE_SANS_BOLD, APP_TEXT_NUMBER, x - 2.0f * u,
                                         y, colour, number.value);
    if (median.valid)
        app_draw_text(brush, REN_FACE_SANS, 32.0f, x + digits + 10.0f * u, y, REN_ALIGN_LEFT,
                      colour, number.unit);
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
    const struct app_mode_time *now = &hud->now[0];
    const struct krn_mode mode = hud->state->mode;
    draw_accent(brush, card, own.colours->storages[mode.storage]);
    const float light = app_hud_trust(brush, card, hud->trust), room = light - x - 10.0f * u;
    /* The stamp of a recorded run, and a storage's name below the trust light, as in a wide font,
     * move the rest down a little. */
    char name[32];
    app_hud_name(mode, mode, name, sizeof name);
    const bool low =
        now->recorded || width_of(brush, REN_FACE_SANS_BOLD, APP_TEXT_TITLE, name) > room;
    float y = card.y + (low ? 55.0f : 48.0f) * u;
    draw_title(brush, hud->state, x, y, right);
    y += (low ? 63.0f : 66.0f) * u;
    draw_median(brush, hud, now->recorded ? own.colours->stamp : own.colours->text, x, y);
    if (now->recorded) {
        app_stamp_tape(brush, card);
        app_stamp_draw(brush, 12.0f, x, card.y + 19.0f * u, REN_ALIGN_LEFT, room, hud->recorded);
    }
    y += 32.0f * u;
    if (now->missing[0]) {
        app_draw_lines(brush, REN_FACE_SANS_BOLD, APP_TEXT_SMALL, x, y, right - x, 3,
                       own.colours->stamp, now->missing, true);
        return;
    }
    draw_spread(brush, hud, x, y, right);
    y += 32.0f * u;
    draw_comparison(brush, hud, x, y, right);
}
