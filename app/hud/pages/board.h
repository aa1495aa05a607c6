/* app/hud/pages/board.h - draws the claims of a page: each with its number then and now, and the
 * verdict as a sign, a word and a colour. */
#ifndef APP_BOARD_H
#define APP_BOARD_H

#include "hud/draw.h"
#include "hud/pages/pages.h"

/* Draws the rows of a page on a card. lines: per row, 1 or 2; a narrow card has two. */
void app_board_draw(const struct app_brush *brush, struct ren_rect card,
                    const struct app_page_contents *contents, int lines,
                    const struct app_panels_view *view);

/* Draws the device whose numbers the board shows, "on NVIDIA H200, this run", or "measuring again
 * 40 %". */
void app_board_device(const struct app_brush *brush, float x, float y, float width,
                      const struct app_panels_view *view);

/* Draws the progress of a round as a line along a card's upper edge, if one is running. */
void app_board_progress(const struct app_brush *brush, struct ren_rect card,
                        const struct app_panels_view *view);

/* Writes "M. Harris, How to Implement Performance Metrics in CUDA C/C++, 2012"; without the title:
 * "M. Harris, 2012". */
void app_board_source(const struct app_text_entry *text, bool title, char *out, size_t size);

#endif
