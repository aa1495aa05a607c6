/* app/window/capture.h - records the frames of a run: as PNG files, as a video, or both.
 *
 * A frame is what is on screen, read back as a screenshot is. Reading it waits for its drawing, so
 * a run that records has longer frames; kernel times are those of the device and stay.
 */
#ifndef APP_CAPTURE_H
#define APP_CAPTURE_H

#include "command/run.h"
#include "spec/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
