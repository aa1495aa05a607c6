/* app/hud/recorded/stamp.h - marks recorded numbers, so that nobody takes them for live ones: a
 * stamp with the word RECORDED and the device, in a colour and with a perforated edge that nothing
 * else has.
 */
#ifndef APP_RECORDED_STAMP_H
#define APP_RECORDED_STAMP_H

#include "hud/draw.h"
#include "recorded/recorded.h"

/* Draws a perforated line along a card's upper edge. */
void app_stamp_tape(const struct app_brush *brush, struct ren_rect card);

/* Draws the stamp with text of `size` units on the baseline y, with as much of device and date as
 * `room` pixels have space for. Returns its width. */
float app_stamp_draw(const struct app_brush *brush, float size, float x, float y,
                     enum ren_align align, float room, const struct app_recorded_view *recorded);

/* Returns the width of the shortest stamp, "RECORDED", in pixels. */
float app_stamp_least(const struct app_brush *brush, float size);

/* Draws a stamp with a text of its own, "RECORDED H200 21.3 µs". Returns its width. */
float app_stamp_text(const struct app_brush *brush, float size, float x, float y,
                     enum ren_align align, const char *text);

/* Draws the small stamp of a number, "REC". Returns its width. */
float app_stamp_small(const struct app_brush *brush, float x, float y, enum ren_align align);

#endif
