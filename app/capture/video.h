/* app/capture/video.h - writes frames into an MP4 file, through the program ffmpeg.
 *
 * ffmpeg is found on the PATH, started without a shell with the first frame, and reads raw RGBA
 * from a pipe. It writes beside the file that was asked for, which is replaced once ffmpeg has
 * succeeded.
 */
#ifndef APP_VIDEO_H
#define APP_VIDEO_H

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>

struct app_video;

/* Finds ffmpeg and checks that the file can be written. Starts nothing. Errors: KRN_UNAVAILABLE (no
 * ffmpeg), KRN_REFUSED (path is no regular file), KRN_FAILED with the system's reason.
 */
enum krn_code app_video_open(struct app_video **video, const char *path, int frames_per_second,
                             struct krn_error *error);

/* Adds a frame `times` times: 4 * width * height bytes, top row first. All frames have the size of
 * the first (app_video_fits). Blocks while ffmpeg has not read the frames before. Errors:
 * KRN_FAILED with ffmpeg's own words. */
enum krn_code app_video_add(struct app_video *video, const unsigned char *rgba, int width,
                            int height, int times, struct krn_error *error);

/* Returns false when a frame of this size cannot be added, because others have been. */
bool app_video_fits(const struct app_video *video, int width, int height);

/* Returns the number of frames added so far. */
int app_video_frames(const struct app_video *video);

/* Waits until ffmpeg has written the file, and puts it into its place. Without a frame there is no
 * file. The video can only be closed afterwards. Errors: KRN_FAILED. */
enum krn_code app_video_finish(struct app_video *video, struct krn_error *error);

/* Ends ffmpeg if it runs, and removes what is unfinished; NULL is fine. */
void app_video_close(struct app_video *video);

#endif
