/* app/window/front.h - runs that show or write pictures.
 *
 * All that draws is a shared object beside the program, spherescope-window.so, which the program
 * opens when it needs it: the program starts on a machine without OpenGL. The object takes all
 * else, such as the engine and the backends, from the program.
 */
#pragma once

#include "bench/program.h"
#include "command/entry.h"
#include "engine/engine.h"
#include "model/model.h"
#include "spec/state.h"

#include "krn/error.h"
#include "ren/context.h"

#include <stdbool.h>
#include <stddef.h>

/* What the object does for the program. */
struct app_front {
    /* Makes ready what pictures need besides a renderer: the recording of frames. Renders nothing.
     * Errors: as app_capture_open; KRN_UNAVAILABLE where this build lacks what is asked for. */
    enum krn_code (*prepare)(struct app_program *program, struct krn_error *error);

    /* Frees what `prepare` made; an unfinished recording is removed. */
    void (*release)(struct app_program *program);

    /* Shows a window until the user closes it or the run's limits are reached. Sets *exit_code when
     * a window was open. Errors: KRN_UNAVAILABLE: no display, or no OpenGL in it. */
    enum krn_code (*window)(struct app_program *program, int *exit_code, struct krn_error *error);

    /* Draws frames without a display, writes the last one as a PNG with its record, and measures
     * every mode; begins *results with them. Prints the picture's name. Errors: KRN_UNAVAILABLE (no
     * EGL), KRN_FAILED. */
    enum krn_code (*offscreen)(struct app_program *program, struct app_results *results,
                               struct krn_error *error);

    /* Walks through the program's talk without a display, drawing each step (talk/talk.h). Errors:
     * KRN_UNAVAILABLE (no EGL), those of app_talk_check. */
    enum krn_code (*talk_check)(struct app_program *program, struct krn_error *error);

    /* Draws the sweep of a record as a plot into the run's --screenshot, with the record's text in
     * it. Connects no device. Prints the picture's name. Errors: as `offscreen`. */
    enum krn_code (*sweep)(struct app_program *program, const struct app_results *results,
                           struct krn_error *error);

    /* Reads the record in a screenshot, *text to be freed, and the screenshot's size in pixels.
     * Errors: those of ren_png_read_text. */
    enum krn_code (*read_record)(const char *path, char **text, int *width, int *height,
                                 struct krn_error *error);

    /* Opens a context without a display, in which the backend gl computes, and keeps it until it is
     * taken back; pictures without a display are drawn there, too. Errors: as `offscreen`. */
    enum krn_code (*lend)(struct krn_error *error);
    void (*take_back)(void);

    /* Writes which OpenGL there is without a display, for --info: "NVIDIA H200/PCIe, OpenGL 4.6
     * (EGL ...)". Errors: as `offscreen`. */
    enum krn_code (*describe)(int cuda_ordinal, char *text, size_t size, struct krn_error *error);
};

/* Opens the object, which lies beside the program or, in an installation, in ../lib/spherescope; it
 * stays open. Errors: KRN_UNAVAILABLE, with what is missing. Defined in app/front.c. */
enum krn_code app_front_open(const struct app_front **front, struct krn_error *error);

/* --- inside the object --- */

/* Its table, the one name that it exports, and the functions of the table. */
__attribute__((visibility("default"))) extern const struct app_front app_front_table;
enum krn_code app_front_prepare(struct app_program *program, struct krn_error *error);
void app_front_release(struct app_program *program);
enum krn_code app_front_offscreen(struct app_program *program, struct app_results *results,
                                  struct krn_error *error);
enum krn_code app_front_talk_check(struct app_program *program, struct krn_error *error);
enum krn_code app_front_sweep(struct app_program *program, const struct app_results *results,
                              struct krn_error *error);
enum krn_code app_front_read_record(const char *path, char **text, int *width, int *height,
                                    struct krn_error *error);
enum krn_code app_front_lend(struct krn_error *error);
void app_front_take_back(void);
enum krn_code app_front_describe(int cuda_ordinal, char *text, size_t size,
                                 struct krn_error *error);

/* --- the frames of a run, recorded as PNG files, as a video, or both --- */

/* A frame is what is on screen, read back as a screenshot is. Reading it waits for its drawing, so
 * a run that records has longer frames; kernel times are those of the device and stay. */

/* Frames per second of a video, and of the motion in a run without a window. */
enum { APP_CAPTURE_FPS = 60 };

struct app_capture;
struct ren_png;
struct ren_renderer;

/* Writes a picture as app_write_file does or, where it must not replace a file, app_write_new_file
 * (base/files.h). Errors: theirs, and those of ren_png_encode. */
enum krn_code app_picture_write(const char *path, const struct ren_png *picture, bool replace,
                                struct krn_error *error);

/* Prepares the recording that the run asks for: creates the folder of --record-frames if it is
 * missing, and finds ffmpeg. Renders nothing. Errors: KRN_REFUSED (the folder has frames already),
 * KRN_UNAVAILABLE (no ffmpeg), KRN_FAILED with the system's reason. */
enum krn_code app_capture_open(struct app_capture **capture, const struct app_run *run,
                               struct krn_error *error);

/* Records the frame just drawn. elapsed_s: the time since the first frame, with which a video keeps
 * step by repeating frames or leaving them out; < 0: every frame is one frame of the video. A frame
 * of another size than the first ends the video, and app_capture_note says so. Errors: KRN_FAILED,
 * KRN_REFUSED (a frame's file has come into being meanwhile), KRN_NO_MEMORY. */
enum krn_code app_capture_frame(struct app_capture *capture, struct ren_renderer *renderer,
                                int width, int height, double elapsed_s, struct krn_error *error);

/* Returns a sentence about the last frame, for the screen; "": nothing happened. */
const char *app_capture_note(const struct app_capture *capture);

/* Ends the video and writes what was recorded, one line each, to `words`. Errors: KRN_FAILED. */
enum krn_code app_capture_finish(struct app_capture *capture, char *words, size_t size,
                                 struct krn_error *error);

/* Removes an unfinished video, and says so unless a signal has ended the run; NULL is fine. */
void app_capture_close(struct app_capture *capture);
