/* app/hud/draw.h - the HUD's brush: a drawing list with theme, unit and a writing position. */
#ifndef APP_DRAW_H
#define APP_DRAW_H

#include "hud/theme.h"

#include "ren/list.h"

/* Sees where text, cards and shapes that no text may touch come to lie; for tests. */
struct app_draw_witness {
    void (*text)(void *context, struct ren_rect box, const char *text);
    void (*card)(void *context, struct ren_rect rect);
    void (*shape)(void *context, struct ren_rect rect); /* NULL: nobody asks */
    void *context;
};

struct app_brush {
    const struct ren_renderer *renderer;
    struct ren_list *list;
    const struct app_colours *colours;
    float unit;
    const struct app_draw_witness *witness; /* NULL: none */
};

/* A card: filled, with an edge. */
void app_draw_card(const struct app_brush *brush, struct ren_rect rect);

/* The same for what has no picture behind it. */
void app_draw_panel(const struct app_brush *brush, struct ren_rect rect);

/* Text at size units on the baseline y (pixels); returns its width in pixels. */
float app_draw_text(const struct app_brush *brush, enum ren_face face, float size, float x, float y,
                    enum ren_align align, ren_colour colour, const char *text);

/* A number whose digits all take the same room, so that it does not shiver while it changes, but
 * whose point takes its own; returns its width in pixels. */
float app_draw_number(const struct app_brush *brush, enum ren_face face, float size, float x,
                      float y, ren_colour colour, const char *number);

/* Text, cut with an ellipsis where it would be wider than width pixels. */
float app_draw_text_in(const struct app_brush *brush, enum ren_face face, float size, float x,
                       float y, float width, ren_colour colour, const char *text);

/* The first of several texts that is no wider than width pixels, else the last one, cut. NULL ends
 * the list. */
float app_draw_text_fit(const struct app_brush *brush, enum ren_face face, float size, float x,
                        float y, float width, ren_colour colour, const char *const *texts);

/* How wide the widest of several texts is, in pixels. */
float app_draw_widest(const struct app_brush *brush, enum ren_face face, float size,
                      const char *const *texts);

/* Filled, and seen by the witness: no text may touch it. */
void app_draw_shape(const struct app_brush *brush, struct ren_rect rect, float radius,
                    ren_colour colour);

/* Text in lines of at most width pixels, broken at blanks, `lines` of them at most; line height is
 * 1.35 sizes. Returns how many there are. Draws only when draw is true. */
int app_draw_lines(const struct app_brush *brush, enum ren_face face, float size, float x, float y,
                   float width, int lines, ren_colour colour, const char *text, bool draw);

#endif
