/* app/anatomy/limit.h - what keeps the frame rate where it is. */
#ifndef APP_ANATOMY_LIMIT_H
#define APP_ANATOMY_LIMIT_H

#include <stdbool.h>

struct app_limit_facts {
    bool vsync;
    double refresh_hz; /* of the display; 0: none */
    double frame_ms;   /* median of whole frames */
    double kernel_ms;  /* median of the mode on screen; 0: none */
    bool host_kernel;  /* the kernel runs on the host's processors */
    bool software_gl;
};

/* Returns the limit in words: "vsync", "the GPU's kernel", "the CPU's kernel", "drawing on the
 * CPU", or "the host". */
const char *app_frame_limit(const struct app_limit_facts *facts);

#endif
