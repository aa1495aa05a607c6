/* What stands over the picture: one sentence, one number, and the bars that compare; notices; and
 * the pages, which have files of their own. */

#include "hud/parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- names ---- */

/* Writes what is measured, "Ray tracer (book kernel) on NVIDIA H100", in wordings that get shorter.
 */
static void name_measured(const struct app_hud *hud, struct app_wordings *words)
{
    const struct app_state *state = hud->state;
    const struct krn_mode mode = state->spec.mode;
    char kernel[64], device[128];
    app_hud_device(hud, hud->now[0].recorded, device, sizeof device);
    snprintf(kernel, sizeof kernel, "%s kernel",
             mode.kernel == KRN_KERNEL_MINE ? "your" : krn_kernel_name(mode.kernel));
    if (app_state_view(state) == KRN_VIEW_LIGHT)
        snprintf(kernel, sizeof kernel, "%s kernel, %d bounce%s", krn_kernel_name(mode.kernel),
                 state->spec.light.bounces, state->spec.light.bounces == 1 ? "" : "s");
    else if (krn_kernel_has_pixels(mode.kernel))
        snprintf(kernel, sizeof kernel, "%s kernel, %d pixel%s a thread",
                 krn_kernel_name(mode.kernel), mode.pixels_per_thread,
                 mode.pixels_per_thread == 1 ? "" : "s");
    snprintf(words->texts[0], sizeof *words->texts, "Ray tracer (%s) on %s", kernel, device);
    snprintf(words->texts[1], sizeof *words->texts, "%s on %s", kernel, device);
    snprintf(words->texts[2], sizeof *words->texts, "%s", device);
    snprintf(words->texts[3], sizeof *words->texts, "this %s", hud->device->can.noun);
    for (int i = 0; i < 4; i++)
        words->list[i] = words->texts[i];
    words->list[4] = NULL;
}

/* ---- the sentence of a comparison ---- */

/* A sentence with the name of its faster side, and what it is faster than. */
struct sentence {
    struct app_said said;
    char name[64], than[80]; /* "GLOBAL", "than CONSTANT"; "": neither is named */
    ren_colour colour;       /* of the name */
};

/* Writes the name of a side: of the user's kernel, its file; beside another backend, with its own.
 */
static void name_side(const struct app_hud *hud, const struct app_mode_time *side,
                      const struct app_mode_time *other, char *text, size_t size)
{
    static const char *const backends[KRN_BACKEND_COUNT] = {
        [KRN_BACKEND_CUDA] = "CUDA", [KRN_BACKEND_CPU] = "the CPU", [KRN_BACKEND_GL] = "OpenGL"};
    if (side->mode.kernel == KRN_KERNEL_MINE && hud->mine)
        snprintf(text, size, "%s", hud->mine->file);
    else
        app_hud_name(side->mode, other->mode, text, size);
    if (side->backend != other->backend)
        app_append(text, size, "", " on %s", backends[side->backend]);
}

static struct sentence make_sentence(const struct app_brush *brush, const struct app_hud *hud)
{
    const bool duel = hud->sides == 2;
    const struct app_mode_time *first = duel ? &hud->now[1] : &hud->before, *other = &hud->now[0];
    char names[2][64];
    name_side(hud, first, other, names[0], sizeof names[0]);
    name_side(hud, other, first, names[1], sizeof names[1]);
    const char *const both[] = {names[0], names[1]};
    struct sentence sentence = {.said =
                                    app_comparison_say(&hud->comparison, both, !other->recorded)};
    if (sentence.said.faster < 0)
        return sentence;
    const int faster = sentence.said.faster;
    snprintf(sentence.name, sizeof sentence.name, "%s", names[faster]);
    snprintf(sentence.than, sizeof sentence.than, "than %s", names[1 - faster]);
    sentence.colour =
        duel ? app_hud_side_colour(brush, hud->state, faster ? 0 : 1)
             : brush->colours->storages[faster ? other->mode.storage : first->mode.storage];
    return sentence;
}

/* Draws "GLOBAL is 20 % faster" in a size at which it fits into `width`; returns its width. x: of
 * its left end or, with draw_centred, of its middle. */
static float draw_sentence(const struct app_brush *brush, const struct sentence *sentence,
                           float size, float x, float y, float width, bool centred)
{
    const float space = sentence->name[0] ? 0.28f * size * brush->unit : 0.0f;
    const float name = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * brush->unit,
                                      sentence->name),
                rest = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * brush->unit,
                                      sentence->said.text);
    const float all = name + space + rest, shrink = fminf(width / fmaxf(all, 1.0f), 1.0f);
    const ren_colour colour = sentence->said.firm ? brush->colours->text : brush->colours->quiet;
    x -= centred ? 0.5f * shrink * all : 0.0f;
    app_draw_text(brush, REN_FACE_SANS_BOLD, shrink * size, x, y, REN_ALIGN_LEFT, sentence->colour,
                  sentence->name);
    app_draw_text(brush, REN_FACE_SANS_BOLD, shrink * size, x + shrink * (name + space), y,
                  REN_ALIGN_LEFT, colour, sentence->said.text);
    return shrink * all;
}

/* ---- the block ---- */

/* The block's sizes in units: wide with its bars, if need be less, or narrow without. */
enum { BLOCK_WIDE = 600, BLOCK_LEAST = 560, BLOCK_NARROW = 400, BLOCK_HEIGHT = 256 };

/* Returns the place of the block in the lower left corner of the pane. */
static struct ren_rect block_of(const struct app_layout *layout)
{
    const float u = layout->unit, margin = APP_MARGIN * u;
    const struct ren_rect pane = layout->pane;
    const float room = pane.w - 2.0f * margin;
    const float width = fminf(room, (room >= BLOCK_LEAST * u ? BLOCK_WIDE : BLOCK_NARROW) * u);
    return (struct ren_rect){pane.x + margin, pane.y + pane.h - margin - BLOCK_HEIGHT * u, width,
                             BLOCK_HEIGHT * u};
}

/* Returns the part of the pane right of the block or, where that is narrow, above it; things stand
 * in its lower right corner. */
static struct ren_rect corner_of(const struct app_layout *layout)
{
    const float u = layout->unit, margin = APP_MARGIN * u;
    const struct ren_rect pane = layout->pane, block = block_of(layout);
    const bool beside = pane.w - block.w >= 3.0f * margin + 240.0f * u;
    const float left = beside ? block.x + block.w + margin : pane.x + margin,
                bottom = beside ? pane.y + pane.h - margin : block.y - APP_GAP * u;
    return (struct ren_rect){left, pane.y + margin, pane.x + pane.w - margin - left,
                             bottom - pane.y - margin};
}

/* The bars of the block begin here, units. */
static const float bars_from = 330.0f, bars_top = 46.0f;

/* Draws a time in digits of that size, or smaller ones where it would be wider than `room` pixels.
 */
static void draw_time(const struct app_brush *brush, const struct app_mode_time *now,
                      double like_ms, float size, float x, float y, float room)
{
    const struct app_form form = {.quantity = APP_QUANTITY_TIME,
                                  .like = app_number_keep_unit(like_ms, now->median.value)};
    const struct app_number number = app_describe(now->median, form).number;
    const ren_colour colour = now->median.valid ? brush->colours->text : brush->colours->quiet;
    const float u = brush->unit, of_unit = fminf(size, APP_TYPE_TITLE), gap = 10.0f * u;
    /* All digits take the room of the widest. */
    char widest[sizeof number.value];
    snprintf(widest, sizeof widest, "%s", number.value);
    for (char *at = widest; *at; at++)
        *at = (char)(isdigit((unsigned char)*at) ? '0' : *at);
    const float unit =
                    ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, of_unit * u, number.unit),
                wanted = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, widest);
    size *= fminf((room - unit - gap) / wanted, 1.0f);
    const float digits =
        app_draw_number(brush, REN_FACE_SANS_BOLD, size, x, y, colour, number.value);
    if (now->median.valid)
        app_draw_text(brush, REN_FACE_SANS_BOLD, of_unit, x + digits + gap, y, REN_ALIGN_LEFT,
                      colour, number.unit);
}

/* Draws bars of the book's kernel and the user's. */
static void draw_bars_of_mine(const struct app_brush *brush, const struct app_hud *hud,
                              struct ren_rect area)
{
    const struct app_estimate *const times = hud->storages, *const own = &hud->now[0].median,
                                     *book = &times[KRN_STORAGE_GLOBAL];
    if (!book->valid)
        book = &times[hud->state->spec.mode.storage];
    if (!book->valid)
        return;
    struct app_bar bars[] = {
        {.name = "book",
         .ink = (enum app_ink)(APP_INK_STORAGE + (int)(book - times)),
         .value = book->value},
        {.name = "yours",
         .ink = (enum app_ink)(APP_INK_STORAGE + (int)hud->state->spec.mode.storage),
         .value = own->valid ? own->value : 0.0,
         .strong = true}};
    enum { COUNT = sizeof bars / sizeof *bars };
    char texts[COUNT][32];
    struct app_brush copy = *brush;
    const struct app_pen pen = app_draw_pen(&copy);
    for (int i = 0; i < COUNT; i++) {
        const double like = app_number_keep_unit(hud->time_like_ms, bars[i].value);
        snprintf(texts[i], sizeof texts[i], "%s",
                 bars[i].value > 0.0 ? app_number_time_as(bars[i].value, like).value : "");
        bars[i].key = "";
        bars[i].text = texts[i];
    }
    app_bars_draw(&pen, area, APP_TYPE_BODY * brush->unit, "", 0.0, bars, COUNT);
}

/* Draws a bar for each storage: its length is its time. */
static void draw_bars(const struct app_brush *brush, const struct app_hud *hud,
                      struct ren_rect area)
{
    struct app_bar bars[KRN_STORAGE_COUNT];
    char texts[KRN_STORAGE_COUNT][32], keys[KRN_STORAGE_COUNT][4];
    struct app_brush own = *brush;
    const struct app_pen pen = app_draw_pen(&own);
    for (int s = 0; s < KRN_STORAGE_COUNT; s++) {
        const struct app_estimate *time = &hud->storages[s];
        const double like = app_number_keep_unit(hud->time_like_ms, time->value);
        snprintf(keys[s], sizeof keys[s], "%d", s + 1);
        snprintf(texts[s], sizeof texts[s], "%s",
                 time->valid ? app_number_time_as(time->value, like).value : "");
        bars[s] = (struct app_bar){.key = keys[s],
                                   .name = krn_storage_name((enum krn_storage)s),
                                   .text = texts[s],
                                   .ink = (enum app_ink)(APP_INK_STORAGE + s),
                                   .value = time->valid ? time->value : 0.0,
                                   .strong = s == (int)hud->state->spec.mode.storage};
    }
    app_bars_draw(&pen, area, APP_TYPE_BODY * brush->unit, "", 0.0, bars, KRN_STORAGE_COUNT);
}

/* Returns why a time of this CPU is another one soon, in few words; "": it stays, as far as is
 * known. */
static const char *doubt_of(const struct app_hud *hud, const struct app_mode_time *now)
{
    const unsigned busy = APP_TRUST_BIT(APP_TRUST_CORES_BUSY), trust = now->median.trust;
    return now->recorded || !hud->device->can.host_processors
               ? ""
               : app_trust_first(trust & busy ? busy : trust & APP_TRUST_BIT(APP_TRUST_WANDERING));
}

/* Writes the badge: what changes how every number is read, in few words; "": nothing does. */
static const char *badge_of(const struct app_hud *hud, bool *grave)
{
    const enum app_verdict none = app_trust_no_verdict(hud->trust);
    *grave = none != APP_VERDICT_NONE;
    return *grave ? app_verdict_entry(none)->says
           : hud->device->can.host_processors && hud->fallback_reason && hud->fallback_reason[0] &&
                   !hud->now[0].recorded
               ? "CPU in a GPU's place"
               : "";
}

static void draw_block(const struct app_brush *brush, const struct app_layout *layout,
                       const struct app_hud *hud)
{
    const struct app_colours *c = brush->colours;
    const struct app_mode_time *now = &hud->now[0];
    const struct ren_rect card = block_of(layout);
    const float u = brush->unit, x = card.x + APP_PAD * u, right = card.x + card.w - APP_PAD * u;
    const bool wide = card.w >= BLOCK_LEAST * u;
    struct app_wordings measured;
    char name[48], picture[96] = "";
    bool grave;
    const bool mine = now->mode.kernel == KRN_KERNEL_MINE && hud->mine;
    app_draw_card(brush, card);
    name_measured(hud, &measured);
    float end = right;
    const char *badge = badge_of(hud, &grave);
    ren_colour badge_colour = c->text;
    if (grave) {
        badge_colour =
            app_sense_colour(c, app_verdict_entry(app_trust_no_verdict(hud->trust))->sense);
    } else if (mine || hud->verified.rounded > 0) {
        app_hud_picture(hud, !wide, picture, sizeof picture);
        badge = picture;
        badge_colour = c->good;
    }
    if (!grave && doubt_of(hud, now)[0]) {
        app_append(picture, sizeof picture, ", ", "%s", doubt_of(hud, now));
        badge = picture;
        badge_colour = c->warn;
    }
    if (badge[0])
        end -= 16.0f * u + app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, right,
                                         card.y + 36.0f * u, REN_ALIGN_RIGHT, badge_colour, badge);
    app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, x, card.y + 36.0f * u, end - x, c->quiet,
                      measured.list);
    name_side(hud, now, now, name, sizeof name);
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_TITLE, x, card.y + 86.0f * u,
                     (wide ? card.x + bars_from * u - 12.0f * u : right) - x,
                     c->storages[now->mode.storage], name);
    if (now->missing[0]) {
        app_draw_lines(brush, REN_FACE_SANS, APP_TYPE_BODY, x, card.y + 126.0f * u, right - x, 4,
                       c->text, now->missing, true);
        return;
    }
    draw_time(brush, now, hud->time_like_ms, APP_TYPE_HERO, x, card.y + 164.0f * u,
              (wide ? card.x + bars_from * u - 12.0f * u : right) - x);
    const struct ren_rect bars = {card.x + bars_from * u, card.y + bars_top * u,
                                  right - card.x - bars_from * u, 133.0f * u};
    if (wide && mine)
        draw_bars_of_mine(brush, hud, bars);
    else if (wide)
        draw_bars(brush, hud, bars);
    const struct sentence sentence = make_sentence(brush, hud);
    const float y = card.y + 210.0f * u;
    if (sentence.said.text[0]) {
        char sure[176];
        draw_sentence(brush, &sentence, APP_TYPE_LARGE, x, y, right - x, false);
        snprintf(sure, sizeof sure, "%s%s%s", sentence.than,
                 sentence.than[0] && sentence.said.sure[0] ? ", " : "", sentence.said.sure);
        const char *const sures[] = {sure, sentence.than, NULL};
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, x, y + 30.0f * u, right - x,
                          c->quiet, sures);
    } else if (hud->before.valid) {
        app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, x, y + 30.0f * u, REN_ALIGN_LEFT,
                      c->quiet, "settling");
    } else if (mine && now->of_limit.times > 0.0 &&
               !(now->median.trust & APP_TRUST_BIT(APP_TRUST_NOT_VERIFIED))) {
        static const char *const whats[] = {"limit: only read the spheres, write the picture",
                                            "limit: read and write only", NULL};
        char limit[48];
        snprintf(limit, sizeof limit, "%s%s× the limit", now->of_limit.least ? "over " : "",
                 app_number_plain(now->of_limit.times, "").value);
        app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, x, y, right - x, c->text,
                         limit);
        app_draw_text_fit(brush, REN_FACE_SANS, APP_TYPE_BODY, x, y + 30.0f * u, right - x,
                          c->quiet, whats);
    } else if (wide) {
        app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, x, y + 30.0f * u, REN_ALIGN_LEFT,
                      c->quiet, "kernel time; shorter is faster");
    }
}

/* ---- the duel ---- */

static const float duel_card = 136.0f, side_card = 136.0f;

static float draw_duel(const struct app_brush *brush, const struct app_layout *layout,
                       const struct app_hud *hud)
{
    const struct app_colours *c = brush->colours;
    const struct ren_rect pane = layout->pane;
    const float u = brush->unit, margin = APP_MARGIN * u, pad = APP_PAD * u,
                room = pane.w - 2.0f * margin, middle = pane.x + 0.5f * pane.w;
    const struct app_mode_time *const sides = hud->now;
    const struct sentence sentence = make_sentence(brush, hud);
    const char *missing = sides[sides[0].missing[0] == 0].missing;
    const bool crosses = sides[0].backend != sides[1].backend;
    const int own = sides[0].mode.kernel == KRN_KERNEL_MINE   ? 0
                    : sides[1].mode.kernel == KRN_KERNEL_MINE ? 1
                                                              : -1; /* the side of the user's */
    char sure[320], shorter[176], what[192], brief[64], device[128];
    app_hud_device(hud, sides[0].recorded, device, sizeof device);
    if (sides[0].recorded)
        app_hud_source(hud->recorded, what, sizeof what);
    else
        snprintf(what, sizeof what, "%s",
                 crosses ? "the same picture, in turns; times without their launch"
                         : "each draws the whole picture; half of each is shown");
    snprintf(brief, sizeof brief, "%s",
             sides[0].recorded ? "recorded"
             : crosses         ? "in turns, without launch"
                               : "one picture");
    if (own >= 0 && hud->mine && !sides[0].recorded) {
        app_hud_picture(hud, false, what, sizeof what);
        app_hud_picture(hud, true, brief, sizeof brief);
    }
    snprintf(shorter, sizeof shorter, "%s%s%s", sentence.than,
             sentence.than[0] && sentence.said.sure[0] ? ", " : "", sentence.said.sure);
    snprintf(sure, sizeof sure, "%s%son %s", shorter, shorter[0] ? ", " : "", device);
    const char *const sures[] = {sure, shorter, NULL}, *const whats[] = {what, brief, NULL};
    const float wide =
        fminf(fmaxf(fmaxf(app_draw_widest(brush, REN_FACE_SANS, APP_TYPE_BODY, sures),
                          app_draw_widest(brush, REN_FACE_SANS, APP_TYPE_BODY, whats)),
                    460.0f * u) +
                  2.0f * pad,
              room);
    const struct ren_rect top = {middle - 0.5f * wide, pane.y + margin, wide, duel_card * u};
    app_draw_card(brush, top);
    const float inner = wide - 2.0f * pad, left = top.x + pad;
    struct {
        const char *const *texts;
        float y;
    } lines[] = {{whats, 32.0f}, {sures, 118.0f}};
    for (int i = missing[0] ? 1 : 0; i < 2; i++) {
        const char *text = lines[i].texts[0];
        if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, text) > inner)
            text = lines[i].texts[1];
        if (!missing[0])
            app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, middle, top.y + lines[i].y * u,
                          REN_ALIGN_CENTRE, c->quiet, text);
    }
    if (missing[0])
        app_draw_lines(brush, REN_FACE_SANS, APP_TYPE_BODY, left, top.y + 36.0f * u, inner, 3,
                       c->text, missing, true);
    else if (sentence.said.text[0])
        draw_sentence(brush, &sentence, APP_TYPE_TITLE, middle, top.y + 82.0f * u, inner, true);
    else
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, middle, top.y + 78.0f * u,
                      REN_ALIGN_CENTRE, c->quiet, "settling");
    for (int side = 0; side < 2; side++) {
        char name[64];
        name_side(hud, &sides[side], &sides[1 - side], name, sizeof name);
        const float width = fminf(0.5f * room - 0.5f * margin, 330.0f * u);
        const struct ren_rect card = {
            side == 0 ? pane.x + margin : pane.x + pane.w - margin - width,
            pane.y + pane.h - margin - side_card * u, width, side_card * u};
        app_draw_card(brush, card);
        char limit[48] = "";
        if (side == own && sides[side].of_limit.times > 0.0)
            snprintf(limit, sizeof limit, "%s%s× limit", sides[side].of_limit.least ? ">" : "",
                     app_number_plain(sides[side].of_limit.times, "").value);
        const bool doubt = !limit[0];
        if (doubt)
            snprintf(limit, sizeof limit, "%s", doubt_of(hud, &sides[side]));
        const float aside =
            app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, card.x + width - pad,
                          card.y + 40.0f * u, REN_ALIGN_RIGHT, doubt ? c->warn : c->quiet, limit);
        const float fit =
            fminf((width - 2.0f * pad - (limit[0] ? aside + 12.0f * u : 0.0f)) /
                      ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TYPE_LARGE * u, name),
                  1.0f);
        app_draw_text(brush, REN_FACE_SANS_BOLD, fit * APP_TYPE_LARGE, card.x + pad,
                      card.y + 40.0f * u, REN_ALIGN_LEFT,
                      app_hud_side_colour(brush, hud->state, side), name);
        draw_time(brush, &sides[side], hud->time_like_ms, APP_TYPE_TITLE, card.x + pad,
                  card.y + 90.0f * u, width - 2.0f * pad);
        const double slower = fmax(sides[0].median.value, sides[1].median.value);
        if (sides[side].median.valid && hud->comparison.verdict != APP_VERDICT_SAME_CACHES)
            ren_list_fill(
                brush->list,
                (struct ren_rect){
                    card.x + pad, card.y + 106.0f * u,
                    fmaxf((float)(sides[side].median.value / slower) * (width - 2.0f * pad), 1.0f),
                    12.0f * u},
                0.0f, app_hud_side_colour(brush, hud->state, side));
    }
    return top.y + top.h;
}

/* Draws the line between the two pictures, below the headline where there is one. */
static void draw_divider(const struct app_brush *brush, const struct app_layout *layout,
                         const struct app_hud *hud, float below)
{
    const float wide = fmaxf(2.0f, roundf(3.0f * brush->unit));
    const struct ren_rect picture = layout->picture;
    const float x = roundf(picture.x + (float)hud->state->spec.duel.divider * picture.w),
                top = fmaxf(picture.y, below), height = fmaxf(picture.y + picture.h - top, 0.0f);
    /* A white line with dark edges is visible on any picture. */
    ren_list_fill(brush->list, (struct ren_rect){x - 1.5f * wide, top, 3.0f * wide, height}, 0.0f,
                  0x000000a0);
    ren_list_fill(brush->list, (struct ren_rect){x - 0.5f * wide, top, wide, height}, 0.0f,
                  0xffffffff);
}

/* ---- the rest of the pane ---- */

/* Draws a line on a card of its own in the lower right corner, above `bottom`; returns its top. */
static float draw_line(const struct app_brush *brush, struct ren_rect corner, float bottom,
                       const char *const *texts)
{
    const float u = brush->unit, pad = 14.0f * u, high = 40.0f * u;
    const char *text = texts[0];
    for (int i = 0; texts[i]; i++) {
        text = texts[i];
        if (ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, text) <=
            corner.w - 2.0f * pad)
            break;
    }
    const float width =
        fminf(ren_text_width(brush->renderer, REN_FACE_SANS, APP_TYPE_BODY * u, text) + 2.0f * pad,
              corner.w);
    const struct ren_rect card = {corner.x + corner.w - width, bottom - high, width, high};
    app_draw_card(brush, card);
    app_draw_text_in(brush, REN_FACE_SANS, APP_TYPE_BODY, card.x + pad, card.y + 28.0f * u,
                     card.w - 1.9f * pad, brush->colours->quiet, text);
    return card.y - 0.5f * APP_GAP * u;
}

/* Draws where recorded numbers come from, unless a page or a duel says it, and the first keys. */
static void draw_corner(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud)
{
    const struct ren_rect corner = corner_of(layout);
    float bottom = corner.y + corner.h;
    if (hud->state->spec.duel.on)
        return;
    if (hud->now[0].recorded && layout->shown == APP_PANELS_OFF) {
        char source[192], shorter[64];
        app_hud_source(hud->recorded, source, sizeof source);
        snprintf(shorter, sizeof shorter, "recorded, %s", hud->recorded->brief);
        const char *const texts[] = {source, shorter, NULL};
        bottom = draw_line(brush, corner, bottom, texts);
    }
    if (hud->talk || hud->still || layout->shown != APP_PANELS_OFF || hud->state->look.hold)
        return;
    char hints[96], fewer[64], least[32];
    app_key_hints("{help} help", least, sizeof least);
    const bool mine =
        hud->state->spec.mode.kernel == KRN_KERNEL_MINE; /* its file decides the memory */
    app_key_hints(mine ? "{code} shows the code · {duel} compares · {help} help"
                       : "{storage} change the memory · {duel} compares · {help} help",
                  hints, sizeof hints);
    app_key_hints(mine ? "{code} code · {help} help" : "{storage} memory · {help} help", fewer,
                  sizeof fewer);
    /* Below a record's line, the picture has no more room for a hint that has to be short. */
    const char *const texts[] = {hints, bottom < corner.y + corner.h ? least : fewer, NULL};
    draw_line(brush, corner, bottom, texts);
}

/* Draws the banner of held numbers above the block. */
static void draw_held(const struct app_brush *brush, const struct app_layout *layout, float bottom)
{
    const float u = brush->unit, high = 52.0f * u;
    const struct ren_rect card = {layout->pane.x + APP_MARGIN * u, bottom - high - APP_GAP * u,
                                  fminf(BLOCK_NARROW * u, layout->pane.w - 2.0f * APP_MARGIN * u),
                                  high};
    char text[64];
    app_key_hints("{hold} goes on", text, sizeof text);
    app_draw_card(brush, card);
    ren_list_fill(brush->list, card, APP_RADIUS * u, brush->colours->text);
    const ren_colour ink = brush->colours->panel | 0xffu;
    app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_LARGE, card.x + APP_PAD * u,
                  card.y + 36.0f * u, REN_ALIGN_LEFT, ink, "HELD");
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, card.x + card.w - APP_PAD * u,
                  card.y + 35.0f * u, REN_ALIGN_RIGHT, ink, text);
}

/* Draws the notice in the middle of `room`, from its top. */
static void draw_notice(const struct app_brush *brush, struct ren_rect room, const char *text)
{
    const float u = brush->unit, pad = APP_PAD * u;
    const float inner = fminf(room.w - 2.0f * pad, 700.0f * u);
    /* A file's name may be longer than a line. */
    const float size = app_draw_fit_words(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, inner, text);
    const float wanted = ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, size * u, text);
    const float width = fminf(inner, wanted + 1.0f);
    const int lines =
        app_draw_lines(brush, REN_FACE_SANS_BOLD, size, 0, 0, width, 4, 0, text, false);
    const struct ren_rect card = {floorf(room.x + 0.5f * (room.w - width) - pad), room.y,
                                  width + 2.0f * pad, (1.35f * (float)lines * size + 20.0f) * u};
    app_draw_card(brush, card);
    app_draw_lines(brush, REN_FACE_SANS_BOLD, size, card.x + pad, card.y + (10.0f + size) * u,
                   width, 4, brush->colours->text, text, true);
}

/* Draws the cards on the picture; returns what a notice must stay below. */
static float draw_cards(const struct app_brush *brush, const struct app_layout *layout,
                        const struct app_hud *hud)
{
    const float u = brush->unit, top = layout->pane.y + APP_MARGIN * u;
    float below = top;
    if (hud->state->spec.duel.on && hud->sides == 2)
        below = draw_duel(brush, layout, hud) + APP_GAP * u;
    else
        draw_block(brush, layout, hud);
    if (!hud->heat)
        draw_corner(brush, layout, hud);
    if (hud->state->look.hold)
        draw_held(brush, layout,
                  hud->state->spec.duel.on
                      ? layout->pane.y + layout->pane.h - (APP_MARGIN + side_card) * u
                      : block_of(layout).y);
    return below;
}

/* ---- the legend of the heat map: a sentence, the colours, the pixel under the pointer ---- */

/* Formats a cost: whole numbers without decimals, and from 100 000 on with k, M or G. */
static void format_cost(double cost, char *text, size_t size)
{
    static const struct {
        double least, unit;
        const char *prefix;
    } prefixes[] = {{1e9, 1e9, " G"}, {1e6, 1e6, " M"}, {1e5, 1e3, " k"}, {0.0, 1.0, ""}};
    int i = 0;
    while (cost < prefixes[i].least)
        i++;
    const double value = cost / prefixes[i].unit;
    const bool whole = value == rint(value) && value < 1e5;
    snprintf(text, size, "%s%s",
             whole ? app_number_fixed(value, 0, "").value : app_number_plain(value, "").value,
             prefixes[i].prefix);
}

/* Writes what the map says. */
static void write_sentence(const struct app_heat *heat, char *text, size_t size)
{
    static const char *const whats[KRN_HEAT_COUNT] = {"", "tests", "clock cycles a warp takes",
                                                      "rays"};
    const char *what = whats[heat->quantity];
    char mean[32], most[32];
    format_cost(heat->costs.mean, mean, sizeof mean);
    format_cost(heat->costs.most, most, sizeof most);
    if (heat->costs.least == heat->costs.most && heat->quantity == KRN_HEAT_TESTS)
        snprintf(text, size, "Every pixel tests all %s spheres", most);
    else if (heat->quantity == KRN_HEAT_CYCLES)
        snprintf(text, size, "%s %s, %s at most", mean, what, most);
    else
        snprintf(text, size, "%s %s a pixel, %s at most", mean, what, most);
}

/* Returns the colour of a share 0..1 of a heat map's scale, the same in every theme: it is that of
 * the picture. */
static ren_colour heat_colour(double share)
{
    const uint32_t rgba = krn_heat_colour(share); /* red in the lowest byte */
    return rgba << 24 | (rgba & 0xff00u) << 8 | (rgba >> 8 & 0xff00u) | 0xffu;
}

/* Draws the legend. */
static void draw_heat(const struct app_brush *brush, const struct app_layout *layout,
                      const struct app_heat *heat)
{
    enum { STEPS = 64 };
    const struct ren_rect corner = corner_of(layout);
    const float u = brush->unit, pad = APP_PAD * u, width = fminf(corner.w, 480.0f * u),
                height = (corner.h < 138.0f * u ? 60.0f : 138.0f) * u;
    const struct ren_rect card = {corner.x + corner.w - width, corner.y + corner.h - height, width,
                                  height},
                          bar = {card.x + pad, card.y + 56.0f * u, width - 2.0f * pad, 30.0f * u};
    char text[128], scale[48], pointed[96];
    if (width < 200.0f * u || corner.h < height)
        return;
    app_draw_card(brush, card);
    write_sentence(heat, text, sizeof text);
    if (ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TYPE_BODY * u, text) > bar.w)
        text[strcspn(text, ",")] = 0;
    app_draw_text_in(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, bar.x, card.y + 38.0f * u, bar.w,
                     brush->colours->text, text);
    if (corner.h < 138.0f * u)
        return;
    /* Each colour reaches to the end, so that no seam is left where the next begins. */
    for (int i = 0; i < STEPS; i++) {
        const float from = bar.w * (float)i / STEPS;
        ren_list_fill(brush->list, (struct ren_rect){bar.x + from, bar.y, bar.w - from, bar.h},
                      0.0f, heat_colour(i / (STEPS - 1.0)));
    }
    /* A line at the mean, dark on both sides so that it is seen on every colour. */
    const float mean = bar.x + bar.w * fminf((float)(heat->costs.mean / heat->scale), 1.0f);
    ren_list_line(brush->list, mean, bar.y - 3.0f * u, mean, bar.y + bar.h, 5.0f * u, 0x000000ff);
    ren_list_line(brush->list, mean, bar.y - 3.0f * u, mean, bar.y + bar.h, 2.0f * u, 0xffffffff);
    const float y = bar.y + bar.h + 28.0f * u;
    format_cost((double)heat->scale, scale, sizeof scale);
    if (heat->costs.most > heat->scale)
        strcat(scale, " or more");
    app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, bar.x, y, REN_ALIGN_LEFT,
                  brush->colours->quiet, "0");
    const float ends = app_draw_text(brush, REN_FACE_SANS, APP_TYPE_BODY, bar.x + bar.w, y,
                                     REN_ALIGN_RIGHT, brush->colours->quiet, scale);
    if (!heat->at.valid)
        return;
    format_cost((double)heat->at.cost, scale, sizeof scale);
    snprintf(pointed, sizeof pointed, "pixel %d, %d: %s", heat->at.column, heat->at.row, scale);
    if (ren_text_width(brush->renderer, REN_FACE_SANS_BOLD, APP_TYPE_BODY * u, pointed) +
            2.0f * ends + 20.0f * u <=
        bar.w)
        app_draw_text(brush, REN_FACE_SANS_BOLD, APP_TYPE_BODY, bar.x + 0.5f * bar.w, y,
                      REN_ALIGN_CENTRE, brush->colours->text, pointed);
}

void app_hud_draw(const struct ren_renderer *renderer, struct ren_list *list,
                  const struct app_layout *layout, const struct app_hud *hud)
{
    const struct app_brush brush = {renderer, list, app_theme_colours(hud->state->look.theme),
                                    layout->unit, hud->witness};
    const bool asks = hud->talk && hud->talk->step->question.asks != APP_ASKS_NOTHING;
    const bool whole = layout->shown == APP_PANELS_FULL || asks || hud->state->look.code;
    const float margin = APP_MARGIN * brush.unit;
    float below = layout->pane.y + margin;
    const bool faulty = !whole && hud->state->look.hud && app_hud_mine(&brush, layout, hud);
    if (!whole && hud->state->look.hud && !faulty)
        below = draw_cards(&brush, layout, hud);
    if (!whole && hud->state->spec.duel.on && !faulty)
        draw_divider(&brush, layout, hud,
                     hud->state->look.hud ? below - APP_GAP * brush.unit : 0.0f);
    if (layout->page.w > 0.0f && !asks) {
        ren_list_layer_begin(list, layout->page, brush.colours->background);
        app_hud_page(&brush, layout->page, hud);
        ren_list_layer_end(list);
    }
    if (!whole && hud->heat)
        draw_heat(&brush, layout, hud->heat);
    const char *url = hud->state->look.page_url;
    if (hud->qr && url[0] && !asks)
        app_hud_page_url(&brush, layout, url, hud->qr);
    else if (hud->qr && !url[0])
        app_hud_qr(&brush, layout, hud->qr);
    if (asks) {
        char source[192] = "";
        const struct app_talk_measured *answer = app_talk_answer(hud->talk);
        if ((answer == &hud->talk->recorded || hud->now[0].recorded) && hud->recorded) {
            app_hud_source(hud->recorded, source, sizeof source);
        } else {
            char device[128];
            app_hud_device(hud, false, device, sizeof device);
            snprintf(source, sizeof source, "on %s", device);
        }
        app_hud_question(&brush, layout, hud->talk, source);
    }
    const bool strip = hud->talk && layout->strip.h > 0.0f;
    if (strip)
        app_hud_talk(&brush, layout->strip, hud->talk, hud->notice ? hud->notice : "");
    if (hud->state->look.details && hud->properties)
        app_hud_details(&brush, layout, hud);
    if (hud->state->look.code) {
        app_hud_code(&brush, layout, hud);
        below = layout->screen.h - 150.0f * brush.unit; /* its title stays */
    }
    if (hud->state->look.help)
        app_hud_help(&brush, layout, hud->state);
    else if (hud->notice && hud->notice[0] && !strip && !hud->state->look.details &&
             !((faulty || (hud->state->look.code && app_state_has_mine(hud->state))) &&
               app_hud_mine_noticed(hud)))
        draw_notice(&brush,
                    (struct ren_rect){layout->pane.x + margin, below,
                                      layout->pane.w - 2.0f * margin, layout->pane.h},
                    hud->notice);
}
