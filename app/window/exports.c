/* What the shared object with all that draws exports. */
#include "window/front.h"

const struct app_front app_front_table = {
    .prepare = app_front_prepare,
    .release = app_front_release,
    .window = app_front_window,
    .offscreen = app_front_offscreen,
    .talk_check = app_front_talk_check,
    .sweep = app_front_sweep,
    .read_record = app_front_read_record,
    .lend = app_front_lend,
    .take_back = app_front_take_back,
    .describe = app_front_describe,
};
