/* app/window/capture.c - --record-frames and --video: PNG files, and a pipe to ffmpeg. */

#define _XOPEN_SOURCE 700 /* realpath */
#include "window/front.h"

#include "base/files.h"
#include "base/process.h"
#include "krn/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The longest that ffmpeg may take to read a piece of a frame, or to end after the last one. */
static const double patience_s = 120.0;

/* The longest that it may take to end the file after an interrupt. */
static const double interrupted_s = 5.0;

/* An MP4 file, written through the program ffmpeg. It is found on the PATH, started without a shell
 * with the first frame, and reads raw RGBA from a pipe. It writes beside the file that was asked
 * for, which is replaced once ffmpeg has succeeded. */
struct video {
    char program[PATH_MAX];   /* ffmpeg */
    char path[APP_PATH_MAX];  /* what was asked for */
    struct app_output output; /* what ffmpeg writes */
    int frames_per_second;
    int width, height, frames;
    struct app_child child;
    FILE *words; /* what the child says on stderr; NULL: not started */
};

/* Finds an executable file on the PATH. Leaves out entries that depend on the working folder. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    struct stat status;
    for (const char *at = folders; at != NULL && *at != 0;) {
        const size_t length = strcspn(at, ":");
        if (*at == '/' && snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name) < PATH_MAX &&
            stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0)
            return true;
        at += length;
        at += *at == ':';
    }
    return false;
}

/* Finds ffmpeg and checks that the file can be written. Starts nothing. Errors: KRN_UNAVAILABLE (no
 * ffmpeg), KRN_REFUSED (path is no regular file), KRN_FAILED with the system's reason.
 */
static enum krn_code video_open(struct video **video, const char *path, int frames_per_second,
                                struct krn_error *error)
{
    struct stat status;
    struct video *made = krn_alloc(1, sizeof *made);
    *video = NULL;
    made->frames_per_second = frames_per_second;
    enum krn_code code = KRN_OK;
    const bool present = stat(path, &status) == 0;
    if (!find_program("ffmpeg", made->program))
        code = KRN_FAIL(error, KRN_UNAVAILABLE,
                        "--video needs the program ffmpeg, which is not on the PATH; "
                        "--record-frames writes PNG files without it.");
    else if (present && !S_ISREG(status.st_mode))
        code = KRN_FAIL(error, KRN_REFUSED, "--video needs a regular file, which %s is not.",
                        app_shorten(path).text);
    else
        code = app_check_output(path, error);
    snprintf(made->path, sizeof made->path, "%s", path);
    if (code != KRN_OK)
        free(made);
    else
        *video = made;
    return code;
}

/* Returns false when a frame of this size cannot be added, because others have been. */
static bool video_fits(const struct video *video, int width, int height)
{
    return video->frames == 0 || (video->width == width && video->height == height);
}

/* Starts ffmpeg. Ctrl-C ends the recording, and ffmpeg then ends the file. */
static enum krn_code spawn(struct video *video, struct krn_error *error)
{
    char size[32], rate[16], output[sizeof video->output.part + 8];
    snprintf(size, sizeof size, "%dx%d", video->width, video->height);
    snprintf(rate, sizeof rate, "%d", video->frames_per_second);
    snprintf(output, sizeof output, "file:%s", video->output.part);
    /* Most players need 4:2:0, which needs even sizes. */
    const char *const arguments[] = {"ffmpeg",
                                     "-hide_banner",
                                     "-loglevel",
                                     "error",
                                     "-nostats",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pixel_format",
                                     "rgba",
                                     "-video_size",
                                     size,
                                     "-framerate",
                                     rate,
                                     "-i",
                                     "pipe:0",
                                     "-an",
                                     "-vf",
                                     "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                     "-pix_fmt",
                                     "yuv420p",
                                     "-movflags",
                                     "+faststart",
                                     "-f",
                                     "mp4",
                                     output,
                                     NULL};
    const struct app_child_plan plan = {
        .program = video->program,
        .arguments = (char *const *)arguments,
        .files = {APP_CHILD_PIPE, APP_CHILD_NOTHING, fileno(video->words)},
        .apart = true,
    };
    return app_child_start(&video->child, &plan, error);
}

static enum krn_code start(struct video *video, int width, int height, struct krn_error *error)
{
    video->width = width;
    video->height = height;
    video->words = tmpfile();
    if (!video->words)
        return KRN_FAIL(error, KRN_FAILED, "%s cannot be written: no temporary file (%s).",
                        app_shorten(video->path).text, strerror(errno));
    fcntl(fileno(video->words), F_SETFD, FD_CLOEXEC);
    const enum krn_code code = app_output_begin(&video->output, video->path, error);
    return code == KRN_OK ? spawn(video, error) : code;
}

/* Copies the first line that ffmpeg has said. */
static void read_words(const struct video *video, char *line, size_t size)
{
    line[0] = 0;
    rewind(video->words);
    while (fgets(line, (int)size, video->words) && strspn(line, " \t\r\n") == strlen(line))
        line[0] = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *c = line; *c != 0; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
}

/* Waits for ffmpeg's end. Errors: KRN_FAILED, in ffmpeg's words, also when it has written nothing.
 * failed: it has read too little, whatever its status says. */
static enum krn_code end(struct video *video, bool failed, struct krn_error *error)
{
    char words[200];
    app_child_wait(&video->child, patience_s, interrupted_s);
    app_child_end(&video->child);
    const int status = video->child.status;
    const bool exited = WIFEXITED(status), succeeded = exited && WEXITSTATUS(status) == 0;
    struct stat written;
    if (!failed && succeeded && stat(video->output.part, &written) == 0 && written.st_size > 0)
        return KRN_OK;
    read_words(video, words, sizeof words);
    if (!failed && succeeded)
        return KRN_FAIL(error, KRN_FAILED,
                        "ffmpeg wrote nothing, but reports success%s%s; the video is not written.",
                        words[0] ? ": " : "", words);
    return KRN_FAIL(error, KRN_FAILED, "ffmpeg failed (%s %d)%s%s; the video is not written.",
                    exited ? "exit code" : "signal",
                    exited ? WEXITSTATUS(status) : WTERMSIG(status), words[0] ? ": " : "", words);
}

/* Writes all bytes into the pipe. Returns false when ffmpeg reads no more. */
static bool write_all(struct video *video, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        const ssize_t n = write(video->child.file, bytes, count);
        if (n > 0) {
            bytes += n;
            count -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            struct pollfd ready = {video->child.file, POLLOUT, 0};
            if (poll(&ready, 1, (int)(1e3 * patience_s)) == 0 || app_interrupted())
                return false;
        } else if (n == 0 || errno != EINTR || app_interrupted()) {
            return false;
        }
    }
    return true;
}

/* Adds a frame `times` times: 4 * width * height bytes, top row first. All frames have the size of
 * the first (video_fits). Blocks while ffmpeg has not read the frames before. Errors:
 * KRN_FAILED with ffmpeg's own words. */
static enum krn_code video_add(struct video *video, const unsigned char *rgba, int width,
                               int height, int times, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    if (video->frames == 0 && times > 0)
        code = start(video, width, height, error);
    for (int i = 0; i < times && code == KRN_OK; i++) {
        if (!write_all(video, rgba, 4 * (size_t)width * (size_t)height))
            return app_interrupted() ? KRN_OK : end(video, true, error); /* the frame is dropped */
        video->frames++;
    }
    return code;
}

/* Waits until ffmpeg has written the file, and puts it into its place. Without a frame there is no
 * file. The video can only be closed afterwards. Errors: KRN_FAILED. */
static enum krn_code video_finish(struct video *video, struct krn_error *error)
{
    if (video->frames == 0)
        return KRN_FAIL(error, KRN_FAILED, "There is no video: no frame was recorded.");
    const enum krn_code code = end(video, false, error);
    return code == KRN_OK ? app_output_end(&video->output, error) : code;
}

/* Ends ffmpeg if it runs, and removes what is unfinished; NULL is fine. */
static void video_close(struct video *video)
{
    if (!video)
        return;
    app_child_end(&video->child);
    if (video->words)
        fclose(video->words);
    app_output_drop(&video->output);
    free(video);
}

#define _XOPEN_SOURCE 700

#include "base/files.h"
#include "base/process.h"
#include "krn/memory.h"
#include "ren/png.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct app_capture {
    char folder[APP_PATH_MAX];     /* of the PNG files; "": none are written */
    char video_path[APP_PATH_MAX]; /* "": there is no video */
    struct video *video;           /* NULL: there is none, or it is finished */
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
    struct app_capture *made = krn_alloc(1, sizeof *made);
    *capture = NULL;
    snprintf(made->folder, sizeof made->folder, "%s", run->record_frames);
    snprintf(made->video_path, sizeof made->video_path, "%s", run->video);
    enum krn_code code = KRN_OK;
    if (run->video[0])
        code = video_open(&made->video, run->video, APP_CAPTURE_FPS, error);
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
        (elapsed_s - capture->paused_s) * APP_CAPTURE_FPS + 1.0 - capture->video->frames;
    if (due <= MOST)
        return due < 1.0 ? 0 : (int)due;
    /* A window that was minimised shows nothing for a while, and neither does its video. */
    capture->paused_s += (due - 1.0) / APP_CAPTURE_FPS;
    return 1;
}

static void close_video(struct app_capture *capture)
{
    video_close(capture->video);
    capture->video = NULL;
}

static enum krn_code finish_video(struct app_capture *capture, struct krn_error *error)
{
    capture->video_frames = capture->video->frames;
    const enum krn_code code = video_finish(capture->video, error);
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
        code = replace ? app_save_output(path, bytes, count, error)
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
    KRN_THEN(code, app_picture_write(path, &picture, false, error));
    capture->frames += code == KRN_OK;
    return code;
}

enum krn_code app_capture_frame(struct app_capture *capture, struct ren_renderer *renderer,
                                int width, int height, double elapsed_s, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    capture->begun = true;
    capture->note[0] = 0;
    if (capture->video && !video_fits(capture->video, width, height)) {
        snprintf(capture->note, sizeof capture->note,
                 "The size has changed: the video ends here, after %d frames",
                 capture->video->frames);
        code = finish_video(capture, error);
    }
    const int times = capture->video ? repeats(capture, elapsed_s) : 0;
    if (code != KRN_OK || (times == 0 && !capture->folder[0]))
        return code;
    code = read_frame(capture, renderer, width, height, error);
    if (code == KRN_OK && capture->folder[0])
        code = write_frame(capture, width, height, error);
    if (code == KRN_OK && times > 0) {
        code = video_add(capture->video, capture->rgba, width, height, times, error);
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
    video_close(capture->video);
    free(capture->rgba);
    free(capture);
}
