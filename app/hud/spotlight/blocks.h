/* app/hud/spotlight/blocks.h - draws a subject in words: above its picture, beside it, or alone. */
#ifndef APP_BLOCKS_H
#define APP_BLOCKS_H

#include "hud/draw.h"
#include "hud/spotlight/spoken.h"

/* The number that the last row reads, in units: at least 8 % of the frame's height. */
enum { APP_BLOCK_NUMBER = 34 };

/* Draws who says what, and below it number and verdict, in as few lines as the width allows;
 * returns the height in pixels. draw false: measures only. */
float app_block_flat(const struct app_brush *brush, struct ren_rect area,
                     const struct app_spoken *spoken, bool draw);

/* Draws the same in letters as large as `area` allows. */
void app_block_tall(const struct app_brush *brush, struct ren_rect area,
                    const struct app_spoken *spoken);

/* Draws the verdict with its sign in `size` units, or smaller where it would be wider than `room`
 * pixels, and on its left the mark of numbers with reasons to doubt them; right-aligned. Returns
 * the width in pixels. */
float app_block_verdict(const struct app_brush *brush, float size, float right, float y, float room,
                        enum app_claim_verdict verdict, unsigned trust);

#endif
