/* app/hud/qr/card.h - draws a QR code into a corner of the frame. */
#ifndef APP_QR_CARD_H
#define APP_QR_CARD_H

#include "hud/draw.h"
#include "hud/layout.h"
#include "hud/qr/code.h"

/* Finds the place of a code, quiet zone included: the right lower corner of the picture's part of
 * the frame or, where cards lie over the picture, left above the plot or right of the main card; on
 * the whole screen of a spotlight, the corner that it leaves free. A
 * module is a whole number of pixels, 3 at least. Returns the pixels of a module; 0: there is no
 * room. */
int app_qr_place(const struct app_layout *layout, const struct app_state *state, int side,
                 struct ren_rect *rect);

/* Draws the code; nothing where there is no room. Dark on light in every theme, because not every
 * reader knows the inverse. */
void app_hud_qr(const struct app_brush *brush, const struct app_layout *layout,
                const struct app_state *state, const struct app_qr_code *code);

#endif
