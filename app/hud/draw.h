/* app/hud/draw.h - text and cards of the HUD in a drawing list, their colours and places. */
#pragma once

#include "model/verdict.h"
#include "spec/state.h"
#include "topics/chart.h"

#include "krn/duel.h"
#include "ren/list.h"

#include <stddef.h>

/* --- the colours of the screen, and the sizes of text and cards --- */

/* Colours are ren_colour, 0xRRGGBBAA. A colour means one thing: a storage, the sense of a verdict,
 * or a place in a panel's own set of curves. The colours of storages are Okabe and Ito's (Color
 * Universal Design, 2008), which stay apart for colour-blind eyes; the light theme darkens them.
 * Those of curves differ in lightness. */

/* Colours of curves, bars and marks that are no storage's, from the strongest to the weakest. */
enum { APP_CURVE_COLOURS = 5 };

struct app_colours {
    unsigned background; /* 0xRRGGBB, outside the picture */
    ren_colour card;     /* behind text; dense enough for any picture below it */
    ren_colour panel;    /* behind a panel, which has no picture below it */
    ren_colour edge;     /* round a card */
    ren_colour text, quiet;
    ren_colour faint;           /* of lines; too weak for text */
    ren_colour good, warn, bad; /* of verdicts, marks and warnings */
    ren_colour storages[KRN_STORAGE_COUNT];
    ren_colour curves[APP_CURVE_COLOURS];
};

const struct app_colours *app_theme_colours(enum app_theme theme);

/* Returns the colour of what a verdict means, the same wherever it is drawn. */
ren_colour app_sense_colour(const struct app_colours *colours, enum app_sense sense);

/* A QR code, in every theme. */
#define APP_QR_DARK 0x000000ffu
#define APP_QR_LIGHT 0xffffffffu

/* The size of text and cards in a theme, relative to the dark one. */
float app_theme_scale(enum app_theme theme);

/* Sizes in units, of which a frame is 720 high, or 960 wide where that is less. The five sizes of
 * type have capitals of 1.4, 2.2, 2.9, 4.4 and 8.7 % of the height; the smallest is for details and
 * help alone. */
#define APP_TYPE_DETAIL 14.0f
#define APP_TYPE_BODY 22.0f
#define APP_TYPE_LARGE 29.0f
#define APP_TYPE_TITLE 44.0f
#define APP_TYPE_HERO 87.0f
enum { APP_MARGIN = 29, APP_GAP = 12, APP_PAD = 22, APP_RADIUS = 8 };

/* --- a frame divided into the picture and a page --- */

/* Rectangles in framebuffer pixels. */
struct app_layout {
    float unit;              /* pixels per unit: all text grows with it */
    struct ren_rect screen;  /* the frame without the strip */
    struct ren_rect strip;   /* below it, for a talk's caption; no height: there is none */
    struct ren_rect pane;    /* the part for the picture and the cards on it */
    struct ren_rect page;    /* right of the pane, below it, or over it; no width: there is none */
    enum app_panels shown;   /* of the page: the whole screen where a side has no room */
    struct ren_rect picture; /* in the pane, aspect kept */
};

/* Divides a frame of width x height pixels. content_scale is the display's. The unit follows the
 * frame's size, the HUD's size and the theme, up to where the narrowest card still fits. */
struct app_layout app_layout_make(const struct app_state *state, int width, int height,
                                  float content_scale);

/* Does the same above a strip of that height, which takes all of the width. */
struct app_layout app_layout_make_above(const struct app_state *state, float strip, int width,
                                        int height, float content_scale);

/* --- text and cards --- */

/* Receives the place of every text, card and shape that is drawn; for tests and for --check. */
struct app_draw_witness {
    void (*text)(void *context, struct ren_rect box, const char *text);
    void (*card)(void *context, struct ren_rect rect);
    void (*shape)(void *context, struct ren_rect rect); /* NULL: not wanted */
    void (*left_out)(void *context); /* a chart that has no room; NULL: not wanted */
    void *context;
};

struct app_brush {
    const struct ren_renderer *renderer;
    struct ren_list *list;
    const struct app_colours *colours;
    float unit;
    const struct app_draw_witness *witness; /* NULL: none */
};

/* Draws a card over the picture: filled, with an edge. */
void app_draw_card(const struct app_brush *brush, struct ren_rect rect);

/* Draws a card that has no picture behind it. */
void app_draw_panel(const struct app_brush *brush, struct ren_rect rect);

/* Draws text of `size` units on the baseline y (pixels); returns its width in pixels. */
float app_draw_text(const struct app_brush *brush, enum ren_face face, float size, float x, float y,
                    enum ren_align align, ren_colour colour, const char *text);

/* Draws a number. All digits take the same room, so that they keep their places while the number
 * changes; the point takes its own width. Returns the number's width in pixels. */
float app_draw_number(const struct app_brush *brush, enum ren_face face, float size, float x,
                      float y, ren_colour colour, const char *number);

/* Draws text, smaller where it would be wider than width pixels, and cut with an ellipsis where it
 * would then be smaller than details. */
float app_draw_text_in(const struct app_brush *brush, enum ren_face face, float size, float x,
                       float y, float width, ren_colour colour, const char *text);

/* Draws the first of several texts that is no wider than width pixels, else the last one, smaller
 * or cut. NULL ends the list. */
float app_draw_text_fit(const struct app_brush *brush, enum ren_face face, float size, float x,
                        float y, float width, ren_colour colour, const char *const *texts);

/* Returns the width of the widest of several texts, in pixels. */
float app_draw_widest(const struct app_brush *brush, enum ren_face face, float size,
                      const char *const *texts);

/* Draws a filled rectangle that no text may touch; tests see it. */
void app_draw_shape(const struct app_brush *brush, struct ren_rect rect, float radius,
                    ren_colour colour);

/* Tells the witness that a chart is left out for want of room. */
void app_draw_left_out(const struct app_brush *brush);

/* Returns the length in bytes of the word at the beginning of a text. A number and its unit or
 * percent sign are one word, "74.6 %", and so are the numbers of a product, "1024 × 768": no line
 * may end between them. */
size_t app_draw_word(const char *text);

/* Returns `size`, or a smaller one in which the longest word of a text is no wider than width. */
float app_draw_fit_words(const struct app_brush *brush, enum ren_face face, float size, float width,
                         const char *text);

/* Breaks text between words (app_draw_word) into lines of at most width pixels, `lines` of them at
 * most, each 1.35 sizes high. Returns the number of lines. Draws them only when `draw` is true. */
int app_draw_lines(const struct app_brush *brush, enum ren_face face, float size, float x, float y,
                   float width, int lines, ren_colour colour, const char *text, bool draw);

/* Returns the pen of a brush, which must outlive it. */
struct app_pen app_draw_pen(struct app_brush *brush);
