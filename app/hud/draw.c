/* app/hud/draw.c - the colours of the three themes, the parts of a frame, texts fitted into their
 * room, and charts drawn into a list by their pen. */
#include "hud/draw.h"

#include "ren/utf8.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* --- the colours of the themes --- */

static const struct app_colours themes[APP_THEME_COUNT] = {
    [APP_THEME_DARK] =
        {
            .background = 0x0b0d12,
            .card = 0x0b0d12ff,
            .panel = 0x131720ff,
            .edge = 0xffffff1a,
            .text = 0xf2f4f8ff,
            .quiet = 0xb4bac6ff,
            .faint = 0x5a6170ff,
            .good = 0x8fd14fff,
            .warn = 0xffcb30ff,
            .bad = 0xff6f61ff,
            .storages = {[KRN_STORAGE_GLOBAL] = 0x56b4e9ff,
                         [KRN_STORAGE_READONLY] = 0xe49ac4ff,
                         [KRN_STORAGE_CONSTANT] = 0xe69f00ff,
                         [KRN_STORAGE_SHARED] = 0x1fc795ff,
                         [KRN_STORAGE_TEXTURE] = 0xf0e442ff},
            .curves = {0xf6f1ffff, 0xd9ccffff, 0xbca6ffff, 0xa084f0ff, 0x8f70d4ff},
        },
    [APP_THEME_LIGHT] =
        {
            .background = 0xe9ebef,
            .card = 0xfcfcfdff,
            .panel = 0xfcfcfdff,
            .edge = 0x00000022,
            .text = 0x12151bff,
            .quiet = 0x464d5aff,
            .faint = 0xa3a9b5ff,
            .good = 0x3a6b00ff,
            .warn = 0x6b5400ff,
            .bad = 0xc02020ff,
            .storages = {[KRN_STORAGE_GLOBAL] = 0x00619cff,
                         [KRN_STORAGE_READONLY] = 0x9c3f78ff,
                         [KRN_STORAGE_CONSTANT] = 0x935900ff,
                         [KRN_STORAGE_SHARED] = 0x00694dff,
                         [KRN_STORAGE_TEXTURE] = 0x4a4c00ff},
            .curves = {0x160536ff, 0x381a80ff, 0x5a30c8ff, 0x7d52e0ff, 0x786a98ff},
        },
    [APP_THEME_PROJECTOR] =
        {
            .background = 0x000000,
            .card = 0x000000ff,
            .panel = 0x000000ff,
            .edge = 0xffffff80,
            .text = 0xffffffff,
            .quiet = 0xe6e6e6ff,
            .faint = 0x8c8c8cff,
            .good = 0xa6f05aff,
            .warn = 0xffdc5aff,
            .bad = 0xff8a7aff,
            .storages = {[KRN_STORAGE_GLOBAL] = 0x7cccffff,
                         [KRN_STORAGE_READONLY] = 0xffb3ddff,
                         [KRN_STORAGE_CONSTANT] = 0xffb31aff,
                         [KRN_STORAGE_SHARED] = 0x3df2b8ff,
                         [KRN_STORAGE_TEXTURE] = 0xfff04dff},
            .curves = {0xfbf8ffff, 0xdccfffff, 0xbea8ffff, 0xa285f2ff, 0x8a66d6ff},
        },
};

/* Projectors wash out and the last row of seats is far away: text is larger there. */
static const float theme_scale[APP_THEME_COUNT] = {1.0f, 1.0f, 1.2f};

static enum app_theme known(enum app_theme theme)
{
    return (int)theme >= 0 && theme < APP_THEME_COUNT ? theme : APP_THEME_DARK;
}

const struct app_colours *app_theme_colours(enum app_theme theme)
{
    return &themes[known(theme)];
}

float app_theme_scale(enum app_theme theme)
{
    return theme_scale[known(theme)];
}

ren_colour app_sense_colour(const struct app_colours *colours, enum app_sense sense)
{
    const ren_colour of[] = {[APP_SENSE_QUIET] = colours->quiet,
                             [APP_SENSE_NEUTRAL] = colours->text,
                             [APP_SENSE_GOOD] = colours->good,
                             [APP_SENSE_BAD] = colours->bad,
                             [APP_SENSE_WARNING] = colours->warn};
    return of[sense];
}

/* --- picture and page get their parts of the frame, and text its size --- */

/* In units: the least screen, the least pane beside a page, and the least page. */
static const float least_width = 620.0f, least_height = 420.0f, least_pane = 400.0f,
                   least_page = 480.0f;

/* The part of the screen that a page beside the picture takes. */
static const float page_part = 0.56f;

/* Text of a small window on a dense display keeps this part of its size there. */
static const float least_unit = 0.5f;

struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale)
{
    return app_layout_make_above(state, 0.0f, width, height, content_scale);
}

/* Divides the screen between pane and page: side by side, or one above the other in a frame that is
 * higher than wide. Where a side has no room, the page has the whole screen. */
static void divide(struct app_layout *layout, enum app_panels wanted)
{
    const struct ren_rect screen = layout->screen;
    const float u = layout->unit;
    const bool above = screen.w < 0.8f * screen.h;
    const float length = above ? screen.h : screen.w, page = floorf(page_part * length),
                least = above ? least_height : least_page;
    layout->shown = wanted;
    layout->pane = layout->page = screen;
    if (wanted == APP_PANELS_OFF)
        layout->page.w = 0.0f;
    if (wanted != APP_PANELS_COMPACT)
        return;
    if (page < least * u || length - page < least_pane * u) {
        layout->shown = APP_PANELS_FULL;
    } else if (above) {
        layout->page.h = page;
        layout->pane.h = layout->page.y = screen.h - page;
    } else {
        layout->page.w = page;
        layout->pane.w = layout->page.x = screen.w - page;
    }
}

struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale)
{
    const float w = (float)width, h = (float)height, screen_h = fmaxf(h - strip, 1.0f);
    const float usual = fmaxf(fminf(h / 720.0f, w / 960.0f), least_unit * content_scale);
    struct app_layout layout = {.screen = {0.0f, 0.0f, w, screen_h},
                                .strip = {0.0f, h - strip, w, strip}};
    layout.unit = usual * (float)state->look.hud_scale * app_theme_scale(state->look.theme);
    layout.unit = fmaxf(fminf(layout.unit, fminf(w / least_width, screen_h / least_height)), 0.1f);
    divide(&layout, state->look.panels);
    const struct ren_rect pane = layout.pane;
    const float scale =
        fminf(pane.w / (float)state->spec.width, pane.h / (float)state->spec.height);
    /* Whole pixels, so that a picture at its own size is not smeared. */
    layout.picture.w = fmaxf(roundf((float)state->spec.width * scale), 1.0f);
    layout.picture.h = fmaxf(roundf((float)state->spec.height * scale), 1.0f);
    layout.picture.x = floorf(pane.x + (pane.w - layout.picture.w) / 2.0f);
    layout.picture.y = floorf(pane.y + (pane.h - layout.picture.h) / 2.0f);
    return layout;
}

/* --- texts and charts --- */

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

void app_draw_left_out(const struct app_brush *brush)
{
    if (brush->witness && brush->witness->left_out)
        brush->witness->left_out(brush->witness->context);
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
        const float dx = xy[2] - xy[0], dy = xy[3] - xy[1];
        const float length = (float)sqrt((double)dx * dx + (double)dy * dy);
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
