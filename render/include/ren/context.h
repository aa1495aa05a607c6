/* ren/context.h - the OpenGL context that somebody made current, and what it can do.
 *
 * render/ never opens a window. It is told that a context is current (app/window.c made it with
 * GLFW) or makes one without a display itself (EGL). One struct renderer owns all GL objects.
 *
 * Errors of all calls: KRN_UNAVAILABLE (this machine has it not), KRN_NO_MEMORY, KRN_FAILED.
 * Thread safety: the thread in which the context is current.
 */
#ifndef REN_CONTEXT_H
#define REN_CONTEXT_H

#include "krn/error.h"

#include <stdbool.h>

struct ren_rect;
struct ren_renderer;

struct ren_gl_info {
    char vendor[64], renderer[128], version[128];
    int major, minor;
    int texture_size_max; /* pixels */
    bool software;        /* Mesa's llvmpipe, softpipe or swrast: no GPU draws this */
};

/* Loads OpenGL 3.3 core from the current context, checks the functions that render/ needs, and
 * makes shaders, buffers and the glyph atlas. A missing font is no error: ren_font_notice says so
 * and built-in glyphs are drawn. */
enum krn_code ren_open(struct ren_renderer **renderer, struct krn_error *error);
void ren_close(struct ren_renderer *renderer); /* NULL is fine */

const struct ren_gl_info *ren_describe(const struct ren_renderer *renderer);

/* "" when a font of the system is used, else one sentence. */
const char *ren_font_notice(const struct ren_renderer *renderer);

/* Starts a frame of width x height pixels on the default framebuffer or, in an offscreen context,
 * on the renderer's own one, and clears it to opaque `rgb` (0xRRGGBB). Ends are implicit.
 * covered: NULL, or what will be drawn over whole and need not be cleared. */
enum krn_code ren_frame_begin(struct ren_renderer *renderer, int width, int height, unsigned rgb,
                              const struct ren_rect *covered, struct krn_error *error);

/* Ends a frame that nothing swaps: waits until no more than one frame before it is on its way, as a
 * display's buffers would. Without it the host runs ahead and a frame's time means nothing. */
void ren_frame_pace(struct ren_renderer *renderer);

/* Waits until all that was drawn so far is done, a second at most: a GPU that draws and computes
 * for two contexts divides its time between them. */
void ren_frame_settle(struct ren_renderer *renderer);

/* Reads the frame back: rgba gets 4 * width * height bytes, top row first, alpha 255. */
enum krn_code ren_frame_read(struct ren_renderer *renderer, unsigned char *rgba,
                             struct krn_error *error);

/* KRN_OK, or the first GL error since the last call, with the call that raised it when GL
 * checking is on. */
enum krn_code ren_check(struct ren_renderer *renderer, struct krn_error *error);

/* Asks GL for errors after every call (slow; tests and debug builds). Off by default. */
void ren_set_checking(bool on);

/* A context without a display: EGL, made current in this thread. */
struct ren_offscreen;

/* cuda_ordinal >= 0: prefer the EGL device that is that CUDA device, so that interop works; -1:
 * any. Tries the device platform, then Mesa's surfaceless platform. */
enum krn_code ren_offscreen_open(struct ren_offscreen **offscreen, int cuda_ordinal,
                                 struct krn_error *error);
/* In words: "EGL device 0, NVIDIA, the CUDA device" or "EGL surfaceless". */
const char *ren_offscreen_describe(const struct ren_offscreen *offscreen);
void ren_offscreen_close(struct ren_offscreen *offscreen);

#endif
