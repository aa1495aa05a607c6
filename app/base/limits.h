/* app/base/limits.h - sizes of fixed text buffers that every room shares. */
#ifndef APP_LIMITS_H
#define APP_LIMITS_H

enum {
    APP_PATH_MAX = 1024, /* bytes of a file name, the zero included */
    APP_NOTICE_MAX = 320 /* bytes of a sentence on screen or on stderr, the zero included */
};

#endif
