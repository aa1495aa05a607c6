/* app/engine/background.h - background frames: the book's kernel from global and from constant
 * memory, rendered between the frames on screen for the claims board. Their times never mix with
 * those of the frames. */
#ifndef APP_BACKGROUND_H
#define APP_BACKGROUND_H

#include "krn/device.h"

enum app_background { APP_BACKGROUND_GLOBAL, APP_BACKGROUND_CONSTANT, APP_BACKGROUND_COUNT };

struct krn_mode app_background_mode(enum app_background which);

#endif
