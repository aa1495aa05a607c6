/* app/anatomy/phases.h - the phases of a frame, in the order in which they happen. */
#ifndef APP_ANATOMY_PHASES_H
#define APP_ANATOMY_PHASES_H

#include <stdbool.h>

enum app_phase {
    APP_PHASE_INPUT,
    APP_PHASE_PANELS,
    APP_PHASE_MAP,
    APP_PHASE_POSE,
    APP_PHASE_KERNEL,
    APP_PHASE_COPY,
    APP_PHASE_VERIFY,
    APP_PHASE_PICTURE,
    APP_PHASE_LAYOUT,
    APP_PHASE_OVERLAY,
    APP_PHASE_SWAP,
    APP_PHASE_COUNT
};

/* The lanes of a frame: what the host's thread did, and what the device did. */
enum app_lane_id { APP_LANE_CPU, APP_LANE_GPU, APP_LANES };

/* Returns the phase's name in records: "kernel". */
const char *app_phase_name(enum app_phase phase);

/* Returns the phase in words, for the screen. host_kernel: the kernel runs on the host, so that its
 * phase is the kernel and not its launch. */
const char *app_phase_words(enum app_phase phase, bool host_kernel);

#endif
