/* app/hud/draw.h - draws text and cards of the HUD into a drawing list, in a theme's colours. */
#ifndef APP_DRAW_H
#define APP_DRAW_H

#include "hud/theme.h"
#include "topics/chart.h"

#include "ren/list.h"

#include <stddef.h>

/* Receives the place of every text, card and shape that is drawn; for tests and for --check. */
struct app_draw_witness {
    void (*text)(void *context, struct ren_rect box, const char *text);
    void (*card)(void *context, struct ren_rect rect);
    void (*shape)(void *context, struct ren_rect rect); /* NULL: not wanted */
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

#endif
