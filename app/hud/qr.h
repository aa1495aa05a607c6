/* app/hud/qr.h - a QR code of the numbers on screen, drawn into a corner. It needs
 * libqrencode, which a build may lack (SPHERESCOPE_QR). */
#ifndef APP_QR_CARD_H
#define APP_QR_CARD_H

#include "hud/contents.h"
#include "hud/draw.h"
#include "hud/layout.h"

#include <stdbool.h>

enum {
    APP_QR_TEXT_MAX = 505, /* bytes of the text, including the zero: what version 17 holds */
    APP_QR_SIDE_MAX = 85,  /* modules of version 17 */
    APP_QR_QUIET = 4       /* modules of the quiet zone on each side */
};

/* A code, square by square: a module is dark or light. */
struct app_qr_code {
    int side; /* modules, without the quiet zone; 0: there is no code */
    bool dark[APP_QR_SIDE_MAX][APP_QR_SIDE_MAX]; /* rows from the top */
};

/* The code on screen, and what it was made of. */
struct app_qr {
    struct app_qr_code code;
    char text[APP_QR_TEXT_MAX];
    double made_s;
    enum krn_backend_id backend;
    struct krn_mode modes[2]; /* the second one is that of a duel */
    bool duel;
};

/* Returns false when this build has no libqrencode. */
bool app_qr_available(void);

/* Encodes a text of less than APP_QR_TEXT_MAX bytes at error level M, which survives the loss of
 * 15 % of the code. Returns false, with code->side 0, when there is no memory or no libqrencode. */
bool app_qr_encode(const char *text, struct app_qr_code *code);

/* Writes version, device, mode, time with interval, scene, image, the options that repeat the
 * picture, trust and date, in ASCII: about 200 characters, 250 in the light view, 320 in a duel
 * of it. A recorded duel of the light view, with long names and every option, has about 470. */
void app_qr_describe(const struct app_hud *hud, char text[APP_QR_TEXT_MAX]);

/* Brings the code up to date when a second has passed since the last time, or when the mode has
 * changed. *qr is zeroed before the first call. */
void app_qr_follow(struct app_qr *qr, const struct app_hud *hud, double now_s);

/* Finds the place of a code, quiet zone included: the right upper corner of the picture's part of
 * the frame, or of a page in the whole window. A module is a whole number of pixels, 3 at least.
 * Returns the pixels of a module; 0: there is no room. */
int app_qr_place(const struct app_layout *layout, int side, struct ren_rect *rect);

/* Draws the code; nothing where there is no room. Dark on light in every theme, because not every
 * reader knows the inverse. */
void app_hud_qr(const struct app_brush *brush, const struct app_layout *layout,
                const struct app_qr_code *code);

#endif
