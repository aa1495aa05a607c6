#define _XOPEN_SOURCE 700
#include "capture/capture.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "capture/video.h"

#include "ren/context.h"
#include "ren/png.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct app_capture {
    char folder[APP_PATH_MAX];     /* of the PNG files; "": none are written */
    char video_path[APP_PATH_MAX]; /* "": there is no video */
    struct app_video *video;       /* NULL: there is none, or it is finished */
    bool begun;                    /* a frame has come */
    int frames;                    /* PNG files */
    int video_frames;
    double paused_s; /* time that the video leaves out */
    unsigned char *rgba;
    size_t bytes;
    char note[APP_NOTICE_MAX];
};

/* Returns true for frame-000001.png and the like. */
static bool is_frame(const char *name)
{
    static const char prefix[] = "frame-";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return false;
    name += sizeof prefix - 1;
    const size_t digits = strspn(name, "0123456789");
    return digits > 0 && strcmp(name + digits, ".png") == 0;
}

static enum krn_code frame_path(char path[APP_PATH_MAX], const char *folder, int number,
                                struct krn_error *error)
{
    return snprintf(path, APP_PATH_MAX, "%s/frame-%06d.png", folder, number) < APP_PATH_MAX
               ? KRN_OK
               : KRN_FAIL(error, KRN_REFUSED, "The path of --record-frames is too long.");
}

/* Makes the folder, and checks that it has no frames and can get some. */
static enum krn_code open_folder(const char *folder, struct krn_error *error)
{
    char path[APP_PATH_MAX];
    const enum krn_code code = frame_path(path, folder, 1, error);
    if (code != KRN_OK)
        return code;
    DIR *found = mkdir(folder, 0777) == 0 || errno == EEXIST ? opendir(folder) : NULL;
    const int reason = errno;
    if (!found)
        return KRN_FAIL(error, KRN_FAILED, "%s cannot be written: %s; %s.",
                        app_shorten(folder).text, strerror(reason),
                        reason == ENOTDIR ? "name a folder" : krn_write_cure(reason));
    char there[64] = "";
    for (const struct dirent *entry; !there[0] && (entry = readdir(found)) != NULL;)
        if (is_frame(entry->d_name))
            snprintf(there, sizeof there, "%.60s", entry->d_name);
    closedir(found);
    return there[0] ? KRN_FAIL(error, KRN_REFUSED,
                               "--record-frames replaces no file, and %s has %s already.",
                               app_shorten(folder).text, there)
                    : app_check_output(path, error);
}

enum krn_code app_capture_open(struct app_capture **capture, const struct app_run *run,
                               struct krn_error *error)
{
    struct app_capture *made = app_alloc(1, sizeof *made);
    *capture = NULL;
    snprintf(made->folder, sizeof made->folder, "%s", run->record_frames);
    snprintf(made->video_path, sizeof made->video_path, "%s", run->video);
    enum krn_code code = KRN_OK;
    if (run->video[0])
        code = app_video_open(&made->video, run->video, APP_CAPTURE_FPS, error);
    if (code == KRN_OK && run->record_frames[0])
        code = open_folder(made->folder, error);
    if (code == KRN_OK)
        *capture = made;
    else
        app_capture_close(made);
    return code;
}

/* Returns how often the frame goes into the video, so that the video keeps step with time. */
static int repeats(struct app_capture *capture, double elapsed_s)
{
    enum { MOST = APP_CAPTURE_FPS };
    if (elapsed_s < 0.0)
        return 1;
    const double due =
        (elapsed_s - capture->paused_s) * APP_CAPTURE_FPS + 1.0 - app_video_frames(capture->video);
    if (due <= MOST)
        return due < 1.0 ? 0 : (int)due;
    /* A window that was minimised shows nothing for a while, and neither does its video. */
    capture->paused_s += (due - 1.0) / APP_CAPTURE_FPS;
    return 1;
}

static void close_video(struct app_capture *capture)
{
    app_video_close(capture->video);
    capture->video = NULL;
}

static enum krn_code finish_video(struct app_capture *capture, struct krn_error *error)
{
    capture->video_frames = app_video_frames(capture->video);
    const enum krn_code code = app_video_finish(capture->video, error);
    close_video(capture);
    return code;
}

enum krn_code app_picture_write(const char *path, const struct ren_png *picture, bool replace,
                                struct krn_error *error)
{
    uint8_t *bytes = NULL;
    size_t count = 0;
    enum krn_code code = ren_png_encode(picture, &bytes, &count, error);
    if (code == KRN_OK)
        code = replace ? app_write_file(path, bytes, count, error)
                       : app_write_new_file(path, bytes, count, error);
    free(bytes);
    return code;
}

static enum krn_code read_frame(struct app_capture *capture, struct ren_renderer *renderer,
                                int width, int height, struct krn_error *error)
{
    const size_t bytes = 4 * (size_t)width * (size_t)height;
    if (bytes > capture->bytes) {
        free(capture->rgba);
        capture->rgba = malloc(bytes);
        capture->bytes = capture->rgba ? bytes : 0;
    }
    return capture->rgba ? ren_frame_read(renderer, capture->rgba, error)
                         : KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a frame.");
}

static enum krn_code write_frame(struct app_capture *capture, int width, int height,
                                 struct krn_error *error)
{
    char path[APP_PATH_MAX];
    const struct ren_png picture = {width, height, capture->rgba, NULL, NULL};
    enum krn_code code = frame_path(path, capture->folder, capture->frames + 1, error);
    if (code == KRN_OK)
        code = app_picture_write(path, &picture, false, error);
    capture->frames += code == KRN_OK;
    return code;
}

enum krn_code app_capture_frame(struct app_capture *capture, struct ren_renderer *renderer,
                                int width, int height, double elapsed_s, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    capture->begun = true;
    capture->note[0] = 0;
    if (capture->video && !app_video_fits(capture->video, width, height)) {
        snprintf(capture->note, sizeof capture->note,
                 "The size has changed: the video ends here, after %d frames",
                 app_video_frames(capture->video));
        code = finish_video(capture, error);
    }
    const int times = capture->video ? repeats(capture, elapsed_s) : 0;
    if (code != KRN_OK || (times == 0 && !capture->folder[0]))
        return code;
    code = read_frame(capture, renderer, width, height, error);
    if (code == KRN_OK && capture->folder[0])
        code = write_frame(capture, width, height, error);
    if (code == KRN_OK && times > 0) {
        code = app_video_add(capture->video, capture->rgba, width, height, times, error);
        if (code != KRN_OK)
            close_video(capture);
    }
    return code;
}

const char *app_capture_note(const struct app_capture *capture)
{
    return capture->note;
}

enum krn_code app_capture_finish(struct app_capture *capture, char *words, size_t size,
                                 struct krn_error *error)
{
    const enum krn_code code = capture->video ? finish_video(capture, error) : KRN_OK;
    size_t used = 0;
    words[0] = 0;
    if (capture->folder[0])
        used = (size_t)snprintf(words, size, "frames: %s (%d)\n", app_shorten(capture->folder).text,
                                capture->frames);
    if (code == KRN_OK && capture->video_path[0] && used < size)
        snprintf(words + used, size - used, "video: %s (%d frames, %d per second)\n",
                 app_shorten(capture->video_path).text, capture->video_frames, APP_CAPTURE_FPS);
    return code;
}

void app_capture_close(struct app_capture *capture)
{
    if (!capture)
        return;
    if (capture->video && capture->begun && !app_interrupted()) {
        char text[APP_NOTICE_MAX];
        snprintf(text, sizeof text, "%s is not written: its recording could not go on.",
                 app_shorten(capture->video_path).text);
        app_complain(text);
    }
    app_video_close(capture->video);
    free(capture->rgba);
    free(capture);
}
