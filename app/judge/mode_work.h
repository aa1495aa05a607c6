/* app/judge/mode_work.h - the time of a mode of the ray tracer with the work of its frames. */
#ifndef APP_MODE_WORK_H
#define APP_MODE_WORK_H

#include "judge/estimate.h"

#include "krn/mode.h"

struct app_mode_work {
    struct krn_mode mode;
    double flops, bytes;    /* of one frame (krn/work.h) */
    struct app_estimate ms; /* its kernel time */
};

#endif
