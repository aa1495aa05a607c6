/* app/hud/draw.c - fits text into its room, and draws charts into a list by their pen. */
#include "hud/draw.h"

#include "ren/utf8.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void draw_ground(const struct app_brush *brush, struct ren_rect rect, ren_colour colour)
{
    const float radius = APP_RADIUS * brush->unit;
    ren_list_fill(brush->list, rect, radius, colour);
    ren_list_outline(brush->list, rect, radius, fmaxf(1.0f, brush->unit), brush->colours->edge);
    if (brush->witness)
        brush->witness->card(brush->witness->context, rect);
}

void app_draw_card(const struct app_brush *brush, struct ren_rect rect)
{
    draw_ground(brush, rect, brush->colours->card);
}

void app_draw_panel(const struct app_brush *brush, struct ren_rect rect)
{
    draw_ground(brush, rect, brush->colours->panel);
}

/* Tells the witness where a text that begins at x lies. */
static void witness_text(const struct app_brush *brush, enum ren_face face, float pixels, float x,
                         float y, float width, const char *text)
{
    if (!brush->witness || !text[0])
        return;
    const struct ren_metrics metrics = ren_face_metrics(brush->renderer, face);
    const struct ren_rect box = {x, y - metrics.cap_height * pixels, width,
                                 (metrics.cap_height + 0.5f * metrics.descent) * pixels};
    brush->witness->text(brush->witness->context, box, text);
}

float app_draw_text(const struct app_brush *brush, enum ren_face face, float size, float x, float y,
                    enum ren_align align, ren_colour colour, const char *text)
{
    const float pixels = size * brush->unit;
    const float width = ren_list_text(brush->list, face, pixels, x, y, align, colour, text);
    const float before = align == REN_ALIGN_LEFT ? 0.0f : align == REN_ALIGN_RIGHT ? 1.0f : 0.5f;
    witness_text(brush, face, pixels, x - before * width, y, width, text);
    return width;
}

float app_draw_number(const struct app_brush *brush, enum ren_face face, float size, float x,
                      float y, ren_colour colour, const char *number)
{
    const float pixels = size * brush->unit, start = x;
    const char *const whole = number;
    float widest = 0.0f;
    for (int digit = '0'; digit <= '9'; digit++) {
        const char text[2] = {(char)digit, '\0'};
        widest = fmaxf(widest, ren_text_width(brush->renderer, face, pixels, text));
    }
    while (*number) {
        const char *next = number;
        char text[8];
        (void)ren_utf8_next(&next);
        snprintf(text, sizeof text, "%.*s", (int)(next - number), number);
        const float width = ren_text_width(brush->renderer, face, pixels, text);
        const float room = *number >= '0' && *number <= '9' ? widest : width;
        ren_list_text(brush->list, face, pixels, x + (room - width) / 2.0f, y, REN_ALIGN_LEFT,
                      colour, text);
        x += room;
        number = next;
    }
    witness_text(brush, face, pixels, start, y, x - start, whole);
    return x - start;
}

/* Returns the length of `text` without its last character. */
static size_t without_last(const char *text, size_t length)
{
    while (length > 0 && ((unsigned char)text[--length] & 0xc0) == 0x80)
        ;
    return length;
}

float app_draw_text_in(const struct app_brush *brush, enum ren_face face, float size, float x,
                       float y, float width, ren_colour colour, const char *text)
{
    char cut[512];
    size_t length = strlen(text);
    const float wide = ren_text_width(brush->renderer, face, size * brush->unit, text);
    if (wide > width)
        size = fmaxf(0.99f * size * width / wide, fminf(size, APP_TYPE_DETAIL));
    snprintf(cut, sizeof cut, "%s", text);
    if (length >= sizeof cut)
        length = sizeof cut - 8;
    while (length > 0 && ren_text_width(brush->renderer, face, size * brush->unit, cut) > width) {
        length = without_last(text, length);
        snprintf(cut, sizeof cut, "%.*s…", (int)length, text);
    }
    return app_draw_text(brush, face, size, x, y, REN_ALIGN_LEFT, colour, cut);
}

float app_draw_text_fit(const struct app_brush *brush, enum ren_face face, float size, float x,
                        float y, float width, ren_colour colour, const char *const *texts)
{
    while (texts[1] && ren_text_width(brush->renderer, face, size * brush->unit, texts[0]) > width)
        texts++;
    return app_draw_text_in(brush, face, size, x, y, width, colour, texts[0]);
}

float app_draw_widest(const struct app_brush *brush, enum ren_face face, float size,
                      const char *const *texts)
{
    float widest = 0.0f;
    for (; *texts; texts++)
        widest = fmaxf(widest, ren_text_width(brush->renderer, face, size * brush->unit, *texts));
    return widest;
}

void app_draw_shape(const struct app_brush *brush, struct ren_rect rect, float radius,
                    ren_colour colour)
{
    ren_list_fill(brush->list, rect, radius, colour);
    if (brush->witness && brush->witness->shape)
        brush->witness->shape(brush->witness->context, rect);
}

/* Returns true when the `length` bytes at `text` are a word of the list, perhaps with punctuation
 * behind it. */
static bool is_one_of(const char *const *words, const char *text, size_t length)
{
    while (length > 0 && strchr(".,;:)]!?", text[length - 1]))
        length--;
    while (*words && (strlen(*words) != length || strncmp(*words, text, length) != 0))
        words++;
    return *words != NULL;
}

/* Returns true when no line may end at the blank `text[at]`: it stands between a number and its
 * unit, or beside the sign of a product of numbers. */
static bool is_bound(const char *text, size_t at)
{
    static const char *const units[] = {
        "%",      "‰",       "×",       "°C",     "ns",    "µs",     "ms",     "s",     "min",
        "h",      "Hz",      "MHz",     "GHz",    "fps",   "W",      "B",      "KB",    "MB",
        "GB",     "KiB",     "MiB",     "GiB",    "bytes", "GB/s",   "GiB/s",  "TB/s",  "FLOP",
        "FLOP/B", "GFLOP/s", "TFLOP/s", "cycles", "tests", "pixels", "points", "times", NULL};
    static const char *const product[] = {"×", NULL};
    const char *next = text + at + 1;
    const size_t length = strcspn(next, " ");
    size_t begin = at;
    while (begin > 0 && text[begin - 1] != ' ')
        begin--;
    const unsigned char last = at > 0 ? (unsigned char)text[at - 1] : ' ';
    const bool digit_before = last >= '0' && last <= '9', digit_behind = isdigit(*next) != 0;
    return (digit_before && is_one_of(units, next, length)) ||
           (digit_behind && is_one_of(product, text + begin, at - begin));
}

size_t app_draw_word(const char *text)
{
    size_t end = strcspn(text, " ");
    while (text[end] == ' ' && end > 0 && text[end + 1] != ' ' && is_bound(text, end))
        end += 1 + strcspn(text + end + 1, " ");
    return end;
}

float app_draw_fit_words(const struct app_brush *brush, enum ren_face face, float size, float width,
                         const char *text)
{
    float fit = size;
    while (*text) {
        char word[256];
        const size_t length = app_draw_word(text);
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const float wide = ren_text_width(brush->renderer, face, size * brush->unit, word);
        if (wide > width)
            fit = fminf(fit, 0.98f * size * width / wide);
        text += length + strspn(text + length, " ");
    }
    return fit;
}

int app_draw_lines(const struct app_brush *brush, enum ren_face face, float size, float x, float y,
                   float width, int lines, ren_colour colour, const char *text, bool draw)
{
    int line = 0;
    while (*text && line < lines) {
        char words[512] = "";
        size_t taken = 0;
        /* Takes words one by one, as long as the line with the next one still fits. */
        for (;;) {
            const size_t next = taken + strspn(text + taken, " ");
            const size_t end = next + app_draw_word(text + next);
            if (end == next || end >= sizeof words)
                break;
            char longer[512];
            snprintf(longer, sizeof longer, "%.*s", (int)end, text);
            if (taken > 0 &&
                ren_text_width(brush->renderer, face, size * brush->unit, longer) > width)
                break;
            memcpy(words, longer, sizeof words);
            taken = end;
        }
        if (taken == 0)
            break;
        const float baseline = y + (float)line * 1.35f * size * brush->unit;
        const char *rest = text + taken + strspn(text + taken, " ");
        /* The last line carries all the text that is left, cut. */
        if (draw)
            app_draw_text_in(brush, face, size, x, baseline, width, colour,
                             line + 1 == lines && *rest ? text : words);
        text = rest;
        line++;
    }
    return line;
}

/* --- the pen of charts (topics/chart.h) --- */

static ren_colour ink_of(const struct app_brush *brush, enum app_ink ink)
{
    const struct app_colours *c = brush->colours;
    const ren_colour own[] = {c->text, c->quiet, c->faint, c->good, c->bad};
    return ink < APP_INK_STORAGE ? own[ink]
           : ink < APP_INK_CURVE ? c->storages[ink - APP_INK_STORAGE]
                                 : c->curves[ink - APP_INK_CURVE];
}

/* Draws a line in dashes with gaps as long, which go on across its points. */
static void draw_dashes(const struct app_brush *brush, const float *xy, size_t n, float width,
                        float dashes, ren_colour colour)
{
    float left = dashes; /* of the dash, or of the gap behind it */
    bool drawn = true;
    for (size_t i = 0; i + 1 < n; i++, xy += 2) {
        const float dx = xy[2] - xy[0], dy = xy[3] - xy[1], length = hypotf(dx, dy);
        for (float from = 0.0f; from < length;) {
            const float to = fminf(from + left, length);
            if (drawn)
                ren_list_line(brush->list, xy[0] + dx * from / length, xy[1] + dy * from / length,
                              xy[0] + dx * to / length, xy[1] + dy * to / length, width, colour);
            left -= to - from;
            from = to;
            if (left < 0.01f * dashes) {
                left = dashes;
                drawn = !drawn;
            }
        }
    }
}

static void pen_line(void *to, const float *xy, size_t n, float width, float dashes,
                     enum app_ink ink)
{
    const struct app_brush *brush = to;
    if (dashes > 0.0f)
        draw_dashes(brush, xy, n, width, dashes, ink_of(brush, ink));
    else
        ren_list_polyline(brush->list, xy, n, width, ink_of(brush, ink));
}

static void pen_disc(void *to, float x, float y, float radius, bool hollow, enum app_ink ink)
{
    const struct app_brush *brush = to;
    const struct ren_rect box = {x - radius, y - radius, 2.0f * radius, 2.0f * radius};
    ren_list_fill(brush->list, box, radius, hollow ? brush->colours->panel : ink_of(brush, ink));
    if (hollow)
        ren_list_outline(brush->list, box, radius, fmaxf(1.0f, 0.45f * radius), ink_of(brush, ink));
}

static void pen_bar(void *to, struct ren_rect rect, enum app_ink ink)
{
    const struct app_brush *brush = to;
    app_draw_shape(brush, rect, fminf(3.0f * brush->unit, 0.2f * rect.h), ink_of(brush, ink));
}

static enum ren_face face_of(bool bold)
{
    return bold ? REN_FACE_SANS_BOLD : REN_FACE_SANS;
}

static void pen_text(void *to, bool bold, float size, float x, float y, enum ren_align align,
                     enum app_ink ink, const char *utf8)
{
    const struct app_brush *brush = to;
    (void)app_draw_text(brush, face_of(bold), size / brush->unit, x, y, align, ink_of(brush, ink),
                        utf8);
}

static float pen_width(void *to, bool bold, float size, const char *utf8)
{
    const struct app_brush *brush = to;
    return ren_text_width(brush->renderer, face_of(bold), size, utf8);
}

struct app_pen app_draw_pen(struct app_brush *brush)
{
    return (struct app_pen){pen_line, pen_disc, pen_bar, pen_text, pen_width, brush};
}
