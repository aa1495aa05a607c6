/* app/model/anatomy.h - collects the phases of frames: what the host's thread did, what OpenGL
 * and the device did for the same frame, and medians over the last frames.
 *
 * The host's phases come as they happen. The times of OpenGL and of the device come some frames
 * later, with the frame's number; a frame counts once it has all that it expects. Pure: the clock
 * is a parameter.
 */
#pragma once

#include "krn/device.h"
#include "ren/context.h"

#include <stdbool.h>
#include <stdint.h>

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

/* Who worked on a frame: the host's thread, or the device. */
enum app_lane_id { APP_LANE_CPU, APP_LANE_GPU, APP_LANES };

/* Returns the phase's name in records: "kernel". */
const char *app_phase_name(enum app_phase phase);

/* Returns the phase in words, for the screen. host_kernel: the kernel runs on the host, so that its
 * phase is the kernel and not its launch. */
const char *app_phase_words(enum app_phase phase, bool host_kernel);

enum { APP_ANATOMY_FRAMES = 120 }; /* that the medians are of */

/* What is shown and recorded. */
struct app_anatomy_view {
    int frames;     /* that the medians are of; 0: none yet */
    double span_ms; /* median; from one frame's beginning to the next one's */
    /* Medians of the phases, and of what those of one leave of the frame. */
    double phases_ms[APP_LANES][APP_PHASE_COUNT], gaps_ms[APP_LANES];
    double lengths_ms[APP_ANATOMY_FRAMES]; /* of all frames, the oldest first */
    int draws;                             /* draw calls of the overlay, the most */
    int width, height;                     /* of the window, pixels */
    bool host_kernel;                      /* the kernel runs on the host's processors */
    bool software_gl;                      /* OpenGL draws on them too */
    char missing[128];                     /* why OpenGL is not timed; "" */
    const char *limit;                     /* app_frame_limit; NULL: not known */
};

struct app_anatomy;

struct app_anatomy *app_anatomy_open(void); /* to be freed */

/* Forgets all frames: those to come are of another mode, scene or screen. */
void app_anatomy_clear(struct app_anatomy *anatomy);

/* Ends the frame in progress and begins the next one. Returns its number. */
uint64_t app_anatomy_begin(struct app_anatomy *anatomy, double now_ms);

/* Drops the frame in progress: it was no frame as the others are. */
void app_anatomy_drop(struct app_anatomy *anatomy);

/* Ends the phase in progress, if any, and enters one; or leaves it. Accept NULL, and do nothing
 * between frames. */
void app_anatomy_enter(struct app_anatomy *anatomy, enum app_phase phase, double now_ms);
void app_anatomy_leave(struct app_anatomy *anatomy, double now_ms);

/* Declares what the frame in progress expects besides the host's phases. */
void app_anatomy_expect_gl(struct app_anatomy *anatomy);
void app_anatomy_expect_device(struct app_anatomy *anatomy);

/* Notes the draw calls of the overlay of the frame in progress. */
void app_anatomy_note_draws(struct app_anatomy *anatomy, int draws);

/* Take the times of an earlier frame. */
void app_anatomy_take_gl(struct app_anatomy *anatomy, const struct ren_frame_times *times);
void app_anatomy_take_device(struct app_anatomy *anatomy, const struct krn_stamps *stamps);

/* Fills *view with the medians, unless `now_ms` is within a second of the last time: the screen
 * must not flicker. Returns true when it did. Members that describe the machine stay. */
bool app_anatomy_show(struct app_anatomy *anatomy, double now_ms, struct app_anatomy_view *view);

/* Fills *view whatever the time. */
void app_anatomy_sum_up(const struct app_anatomy *anatomy, struct app_anatomy_view *view);

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
