/* app/base/limits.h - sizes of the fixed text buffers. */
#pragma once

enum {
    APP_PATH_MAX = 1024,     /* bytes of a file name, including the terminating zero */
    APP_NOTICE_MAX = 320,    /* bytes of a message on screen or stderr, including the zero */
    APP_SCENE_NOTE_MAX = 240 /* bytes of a note on a scene file, including the zero */
};
