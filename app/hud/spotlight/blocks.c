#include "hud/spotlight/spoken.h"

#include "claims/claims.h"
#include "hud/pages/panel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Text that flows down a column. */
struct flow {
    const struct app_brush *brush;
    float x, width, y; /* pixels; y is the top of the next line */
    bool draw;
};

static float width_of(const struct app_brush *brush, enum ren_face face, float size,
                      const char *text)
{
    return ren_text_width(brush->renderer, face, size * brush->unit, text);
}

/* Draws a text on as many lines as it needs, `most` at most. */
static void say(struct flow *flow, enum ren_face face, float size, int most, ren_colour colour,
                const char *text)
{
    const float u = flow->brush->unit;
    if (text[0] == 0 || most < 1)
        return;
    const int lines = app_draw_lines(flow->brush, face, size, flow->x, flow->y + size * u,
                                     flow->width, most, colour, text, flow->draw);
    flow->y += 1.35f * size * u * (float)lines;
}

/* Returns the number of lines that a text takes. */
static int lines_of(const struct flow *flow, float size, const char *text)
{
    return app_draw_lines(flow->brush, REN_FACE_SANS, size, 0.0f, 0.0f, flow->width, 99, 0, text,
                          false);
}

static void write_verdict(enum app_verdict verdict, char *text, size_t size)
{
    const struct app_verdict_entry *entry = app_verdict_entry(verdict);
    const bool none = verdict == APP_VERDICT_NOT_MEASURED;
    snprintf(text, size, "%s%s%s", none ? "" : entry->sign, none ? "" : " ", entry->word);
}

static bool is_marked(enum app_verdict verdict, unsigned trust)
{
    return verdict != APP_VERDICT_NOT_MEASURED && trust != 0 && !app_trust_no_verdict(trust);
}

float app_block_verdict(const struct app_brush *brush, float size, float right, float y, float room,
                        enum app_verdict verdict, unsigned trust)
{
    const float u = brush->unit, gap = 6.0f * u;
    char text[48];
    write_verdict(verdict, text, sizeof text);
    const bool marked = is_marked(verdict, trust);
    const float mark = marked ? gap + 13.0f * u : 0.0f;
    const float wanted = width_of(brush, REN_FACE_SANS_BOLD, size, text);
    size = fmaxf(wanted + mark > room ? size * (room - mark) / wanted : size, APP_PANEL_SMALL);
    const float width =
        app_draw_text(brush, REN_FACE_SANS_BOLD, size, right, y, REN_ALIGN_RIGHT,
                      app_sense_colour(brush->colours, app_verdict_entry(verdict)->sense), text);
    if (!marked)
        return width;
    return width + gap +
           app_draw_mark(brush, fminf(size, 20.0f), right - width - gap, y, REN_ALIGN_RIGHT, trust);
}

/* Returns the width that a verdict takes, with its mark. */
static float verdict_width(const struct app_brush *brush, float size,
                           const struct app_spoken *spoken)
{
    char text[48];
    write_verdict(spoken->verdict, text, sizeof text);
    return spoken->judged ? width_of(brush, REN_FACE_SANS_BOLD, size, text) +
                                (is_marked(spoken->verdict, spoken->trust) ? 19.5f * brush->unit
                                                                           : 0.5f * brush->unit)
                          : 0.0f;
}

/* Draws device and interval, on one line if they fit. */
static void say_device(struct flow *flow, float size, const struct app_spoken *spoken)
{
    const struct app_colours *c = flow->brush->colours;
    const float u = flow->brush->unit, space = 0.6f * size * u;
    const float name = width_of(flow->brush, REN_FACE_SANS, size, spoken->device);
    const float interval = width_of(flow->brush, REN_FACE_MONO, size, spoken->interval);
    const bool together = name + space + interval <= flow->width;
    const float y = flow->y + size * u;
    say(flow, REN_FACE_SANS, size, 3, c->quiet, spoken->device);
    if (!together)
        say(flow, REN_FACE_MONO, size, 1, c->quiet, spoken->interval);
    else if (flow->draw && spoken->interval[0])
        app_draw_text(flow->brush, REN_FACE_MONO, size, flow->x + name + space, y, REN_ALIGN_LEFT,
                      c->text, spoken->interval);
}

/* Draws a number that is wider than the flow with its unit in smaller type. Returns false when it
 * has no unit, or does not fit even so. */
static bool say_with_unit(struct flow *flow, float size, const char *now)
{
    const struct app_brush *brush = flow->brush;
    const float u = brush->unit, y = flow->y + size * u, gap = 0.2f * size * u;
    const size_t length = strcspn(now, " ");
    char value[64];
    snprintf(value, sizeof value, "%.*s", (int)length, now);
    const char *unit = now + length + strspn(now + length, " ");
    const float left = flow->width - width_of(brush, REN_FACE_MONO_BOLD, size, value) - gap;
    const float least = 0.4f * size, wanted = width_of(brush, REN_FACE_SANS_BOLD, least, unit);
    if (!unit[0] || strchr(unit, ' ') || app_draw_word(now) == length || wanted > left)
        return false;
    const float of_unit = fminf(least * left / wanted, 0.7f * size);
    if (flow->draw) {
        const float end = app_draw_text(brush, REN_FACE_MONO_BOLD, size, flow->x, y, REN_ALIGN_LEFT,
                                        brush->colours->text, value);
        app_draw_text(brush, REN_FACE_SANS_BOLD, of_unit, flow->x + end + gap, y, REN_ALIGN_LEFT,
                      brush->colours->text, unit);
    }
    flow->y += 1.35f * size * u;
    return true;
}

/* Draws a number that is wider than the flow: broken behind its arrow, with a smaller unit. */
static void say_in_lines(struct flow *flow, float size, const char *now)
{
    const char *arrow = strstr(now, "→");
    const int first = arrow ? (int)(arrow - now) + (int)strlen("→") : 0;
    char before[64];
    snprintf(before, sizeof before, "%.*s", first, now);
    say(flow, REN_FACE_MONO_BOLD, size, 1, flow->brush->colours->text, before);
    now += first;
    if (width_of(flow->brush, REN_FACE_MONO_BOLD, size, now) <= flow->width ||
        !say_with_unit(flow, size, now))
        say(flow, REN_FACE_MONO_BOLD, size, 3, flow->brush->colours->text, now);
}

/* Draws the number in at least `least_size` units where it fits, and the verdict beside it or below
 * it. */
static void say_number(struct flow *flow, float size, float least_size, float verdict,
                       const struct app_spoken *spoken)
{
    const struct app_brush *brush = flow->brush;
    const float u = brush->unit, gap = 14.0f * u, right = flow->x + flow->width;
    const float wide = width_of(brush, REN_FACE_MONO_BOLD, size, spoken->now);
    if (wide > flow->width)
        size = fmaxf(0.995f * size * flow->width / wide, least_size);
    const float number = width_of(brush, REN_FACE_MONO_BOLD, size, spoken->now);
    const bool beside =
        !spoken->judged || number + gap + verdict_width(brush, verdict, spoken) <= flow->width;
    const float y = flow->y + size * u;
    if (number <= flow->width)
        say(flow, REN_FACE_MONO_BOLD, size, 1, brush->colours->text, spoken->now);
    else
        say_in_lines(flow, size, spoken->now);
    if (!spoken->judged) {
        if (flow->draw && spoken->trust && number + gap + 14.0f * u <= flow->width)
            app_draw_mark(brush, 14.0f, right, y, REN_ALIGN_RIGHT, spoken->trust);
        return;
    }
    if (beside) {
        if (flow->draw)
            app_block_verdict(brush, verdict, right, y, flow->width - number - gap, spoken->verdict,
                              spoken->trust);
        return;
    }
    const float least =
        fmaxf(fminf(verdict, verdict * flow->width / verdict_width(brush, verdict, spoken)),
              APP_PANEL_SMALL);
    if (flow->draw) {
        const float taken = verdict_width(brush, least, spoken);
        app_block_verdict(brush, least, flow->x + fminf(taken, flow->width), flow->y + least * u,
                          flow->width, spoken->verdict, spoken->trust);
    }
    flow->y += 1.35f * least * u;
}

float app_block_flat(const struct app_brush *brush, struct ren_rect area,
                     const struct app_spoken *spoken, bool draw)
{
    const float u = brush->unit, pad = 12.0f * u;
    struct flow flow = {brush, area.x + pad, area.w - 2.0f * pad, area.y + 5.0f * u, draw};
    const struct app_colours *c = brush->colours;
    const bool whole =
        width_of(brush, REN_FACE_SANS, APP_PANEL_SMALL, spoken->source) <= flow.width;
    say(&flow, REN_FACE_SANS, APP_PANEL_SMALL, 2, c->quiet, whole ? spoken->source : spoken->brief);
    say(&flow, REN_FACE_SANS_BOLD, 15.0f, 3, c->text, spoken->sentence);
    flow.y += 2.0f * u;
    say_device(&flow, APP_PANEL_SMALL, spoken);
    say_number(&flow, APP_BLOCK_NUMBER, APP_BLOCK_NUMBER, 19.0f, spoken);
    return flow.y - area.y + u;
}

/* The sizes of a tall block, in units. */
struct sizes {
    float small, sentence, number, least, verdict;
};

/* Draws or measures a tall block; returns the height in pixels. */
static float draw_tall(const struct app_brush *brush, struct ren_rect area,
                       const struct app_spoken *spoken, const struct sizes *sizes, int remarks,
                       bool draw)
{
    const float u = brush->unit, pad = 12.0f * u;
    struct flow flow = {brush, area.x + pad, area.w - 2.0f * pad, area.y + 6.0f * u, draw};
    const struct app_colours *c = brush->colours;
    const bool whole = remarks > 0 && lines_of(&flow, sizes->small, spoken->source) <= 3;
    say(&flow, REN_FACE_SANS, sizes->small, 3, c->quiet, whole ? spoken->source : spoken->brief);
    flow.y += 3.0f * u;
    say(&flow, REN_FACE_SANS_BOLD, sizes->sentence, 8, c->text, spoken->sentence);
    flow.y += 8.0f * u;
    say(&flow, REN_FACE_SANS, sizes->small, 3, c->quiet, spoken->device);
    say_number(&flow, sizes->number, sizes->least, sizes->verdict, spoken);
    say(&flow, REN_FACE_MONO, sizes->small, 2, c->quiet, spoken->interval);
    /* The whole remark, or its first clause. */
    char first[sizeof spoken->remark];
    snprintf(first, sizeof first, "%.*s", (int)strcspn(spoken->remark, ";,("), spoken->remark);
    if (lines_of(&flow, sizes->small, spoken->remark) <= remarks)
        say(&flow, REN_FACE_SANS, sizes->small, remarks, c->quiet, spoken->remark);
    else if (lines_of(&flow, sizes->small, first) <= remarks)
        say(&flow, REN_FACE_SANS, sizes->small, remarks, c->quiet, first);
    return flow.y - area.y + 4.0f * u;
}

void app_block_tall(const struct app_brush *brush, struct ren_rect area,
                    const struct app_spoken *spoken)
{
    const float wide = area.w / brush->unit;
    struct sizes sizes;
    int remarks = 2;
    for (float scale = 1.0f;; scale -= 0.04f) {
        const bool brief = scale < 0.34f, least = scale < 0.3f;
        sizes.sentence = fmaxf(scale * fminf(wide / 14.0f, 40.0f), 13.0f);
        sizes.small = fminf(fmaxf(0.55f * sizes.sentence, APP_PANEL_SMALL), 18.0f);
        /* Nothing may be cut, whatever the font. */
        sizes.least = least ? 22.0f : (float)APP_BLOCK_NUMBER;
        sizes.number = fmaxf(scale * fminf(wide / 5.0f, 110.0f), APP_BLOCK_NUMBER);
        sizes.verdict = fmaxf(scale * fminf(wide / 12.0f, 48.0f), 15.0f);
        if (brief)
            remarks = 0;
        if (least || draw_tall(brush, area, spoken, &sizes, remarks, false) <= area.h)
            break;
    }
    const float spare = area.h - draw_tall(brush, area, spoken, &sizes, remarks, false);
    area.y += fmaxf(0.4f * spare, 0.0f);
    draw_tall(brush, area, spoken, &sizes, remarks, true);
}
