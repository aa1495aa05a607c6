#include "engine/background.h"

struct krn_mode app_background_mode(enum app_background which)
{
    const struct krn_mode mode = {
        KRN_KERNEL_BOOK, which == APP_BACKGROUND_GLOBAL ? KRN_STORAGE_GLOBAL : KRN_STORAGE_CONSTANT,
        1};
    return mode;
}
