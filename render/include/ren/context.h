/* ren/context.h - the current OpenGL context, its properties, and the frames drawn in it.
 *
 * render/ never opens a window. The caller makes a context current (app/window, with GLFW), or
 * render/ makes one without a display (EGL). One struct ren_renderer owns all GL objects.
 *
 * Errors of all calls: KRN_UNAVAILABLE (not on this machine), KRN_NO_MEMORY, KRN_FAILED. Of
 * ren_check and ren_frame_read also KRN_LOST: the graphics driver has reset the context.
 * Thread safety: the thread in which the context is current.
 */
#pragma once

#include "krn/error.h"

#include <stdbool.h>
#include <stdint.h>

struct ren_rect;
struct ren_renderer;

struct ren_gl_info {
    char vendor[64], renderer[128], version[128];
    int major, minor;
    int texture_size_max; /* pixels */
    bool software;        /* the CPU draws: Mesa's llvmpipe, softpipe or swrast */
};

/* Loads OpenGL 3.3 core from the current context, checks the functions that render/ needs, and
 * makes shaders, buffers and the glyph atlas. */
enum krn_code ren_open(struct ren_renderer **renderer, struct krn_error *error);
void ren_close(struct ren_renderer *renderer); /* NULL is fine */

const struct ren_gl_info *ren_describe(const struct ren_renderer *renderer);

/* Starts a frame of width x height pixels on the default framebuffer or, in an offscreen context,
 * on the renderer's own one, and clears it to opaque `rgb` (0xRRGGBB). The next frame ends it.
 * covered: the part that will be drawn over completely and need not be cleared; NULL: none. */
enum krn_code ren_frame_begin(struct ren_renderer *renderer, int width, int height, unsigned rgb,
                              const struct ren_rect *covered, struct krn_error *error);

/* The same, but clears only the part of part_width x part_height pixels in the upper left corner:
 * the rest will be drawn over completely too. */
enum krn_code ren_frame_begin_part(struct ren_renderer *renderer, int width, int height,
                                   int part_width, int part_height, unsigned rgb,
                                   const struct ren_rect *covered, struct krn_error *error);

/* Returns the number of draw calls since the frame was begun. */
int ren_frame_draws(const struct ren_renderer *renderer);

/* Ends a frame that is not swapped: waits until at most one earlier frame is still being drawn, as
 * a display's buffers would. Without it the host runs ahead and a frame's time means nothing. */
void ren_frame_pace(struct ren_renderer *renderer);

/* Waits until everything drawn so far is done, at most a second. A GPU that draws for one context
 * and computes for another divides its time between them. */
void ren_frame_settle(struct ren_renderer *renderer);

/* Reads the frame back: rgba gets 4 * width * height bytes, top row first, alpha 255. */
enum krn_code ren_frame_read(struct ren_renderer *renderer, unsigned char *rgba,
                             struct krn_error *error);

/* Starts to copy the frame, halved until neither side is longer than REN_THUMBNAIL_SIDE pixels.
 * Nothing waits for the copy. It replaces one that has not been taken; without memory there is
 * none. Call it before the swap. */
enum { REN_THUMBNAIL_SIDE = 960 };
void ren_thumbnail_begin(struct ren_renderer *renderer);

/* Takes the copy once it has arrived: rgba gets 4 * width * height bytes, bottom row first. Returns
 * false when none has arrived since the last one. */
bool ren_thumbnail_take(struct ren_renderer *renderer, unsigned char *rgba, int *width,
                        int *height);

/* Returns KRN_OK, or the first GL error since the last call of this function; with GL checking on,
 * the error names the call that raised it. */
enum krn_code ren_check(struct ren_renderer *renderer, struct krn_error *error);

/* Returns true once a call has failed because the graphics driver has reset the context: nothing
 * can be drawn or read any more. A CUDA device that is lost leaves the renderer as it is. */
bool ren_is_lost(const struct ren_renderer *renderer);

/* Asks GL for errors after every call (slow; tests and debug builds). Off by default. */
void ren_set_checking(bool on);

/* --- how long OpenGL drew the parts of a frame, by its timer queries ---
 *
 * Between ren_times_begin and ren_times_end, marks are queued among the drawing commands. Nothing
 * waits for them: ren_times_poll returns their differences some frames later.
 *
 * A software renderer draws a frame tile by tile, all commands of a tile together, and stamps a
 * mark in each; the commands before a mark are therefore flushed there, while frames are timed.
 */

enum ren_mark {
    REN_MARK_UPLOAD_BEGIN, /* the picture's pixels on their way to its texture; not with interop */
    REN_MARK_UPLOAD_END,
    REN_MARK_PICTURE_BEGIN, /* clearing the frame and drawing the picture */
    REN_MARK_PICTURE_END,
    REN_MARK_OVERLAY_BEGIN, /* drawing cards, panels and text */
    REN_MARK_OVERLAY_END,
    REN_MARKS
};

struct ren_frame_times {
    uint64_t frame;                           /* of ren_times_begin */
    double upload_ms, picture_ms, overlay_ms; /* between its two marks; 0: they are missing */
};

/* Returns "" when frames can be timed, else why not, a sentence. */
const char *ren_times_missing(struct ren_renderer *renderer);

/* Starts to time frame number `frame`; false: frames cannot be timed. A frame that is not polled is
 * dropped when eight newer ones wait. */
bool ren_times_begin(struct ren_renderer *renderer, uint64_t frame);

/* Queues a mark; does nothing outside of a timed frame. A begin that was marked already stays, an
 * end moves. */
void ren_times_mark(struct ren_renderer *renderer, enum ren_mark mark);

void ren_times_end(struct ren_renderer *renderer);

/* Removes the times of the oldest frame that was drawn. Returns false when there are none. Does not
 * block. */
bool ren_times_poll(struct ren_renderer *renderer, struct ren_frame_times *times);

/* --- a context without a display --- */

/* A context without a display: EGL, made current in this thread. */
struct ren_offscreen;

/* Opens a context and makes it current. cuda_ordinal >= 0: prefers the EGL device that is that CUDA
 * device, so that interop works; -1: any. Tries the device platform, then Mesa's surfaceless one.
 */
enum krn_code ren_offscreen_open(struct ren_offscreen **offscreen, int cuda_ordinal,
                                 struct krn_error *error);
/* Returns what it is, in words: "EGL device 0, NVIDIA, the CUDA device" or "EGL surfaceless". */
const char *ren_offscreen_describe(const struct ren_offscreen *offscreen);
void ren_offscreen_close(struct ren_offscreen *offscreen);

/* Returns the address of a function of OpenGL in such a context; NULL: there is none. */
void (*ren_offscreen_proc(const char *name))(void);
