#define _XOPEN_SOURCE 700 /* realpath */
#include "capture/video.h"

#include "base/child.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The longest that ffmpeg may take to read a piece of a frame, or to end after the last one. */
static const double patience_s = 120.0;

/* The longest that it may take to end the file after an interrupt. */
static const double interrupted_s = 5.0;

struct app_video {
    char program[PATH_MAX];        /* ffmpeg */
    char path[PATH_MAX];           /* what was asked for, with symbolic links resolved */
    char temporary[PATH_MAX + 64]; /* what ffmpeg writes; "": it does not exist */
    int frames_per_second;
    int width, height, frames;
    int guard; /* of the temporary file (base/interrupt.h) */
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

enum krn_code app_video_open(struct app_video **video, const char *path, int frames_per_second,
                             struct krn_error *error)
{
    struct stat status;
    struct app_video *made = app_alloc(1, sizeof *made);
    *video = NULL;
    made->frames_per_second = frames_per_second;
    made->guard = -1;
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
    if (code == KRN_OK && !(present && realpath(path, made->path)))
        snprintf(made->path, sizeof made->path, "%s", path);
    if (code != KRN_OK)
        free(made);
    else
        *video = made;
    return code;
}

bool app_video_fits(const struct app_video *video, int width, int height)
{
    return video->frames == 0 || (video->width == width && video->height == height);
}

int app_video_frames(const struct app_video *video)
{
    return video->frames;
}

/* Creates an empty file beside the one asked for, so that no other file can be meant. */
static bool make_temporary(struct app_video *video)
{
    enum { TRIES = 100 };
    const char *slash = strrchr(video->path, '/');
    const int folder = slash ? (int)(slash - video->path) + 1 : 0;
    int file = -1;
    for (int i = 0; i < TRIES && file < 0; i++) {
        snprintf(video->temporary, sizeof video->temporary, "%.*s.spherescope-%ld-%d.mp4", folder,
                 video->path, (long)getpid(), i);
        video->guard = app_interrupt_guard(video->temporary);
        file = open(video->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file < 0)
            app_interrupt_unguard(video->guard);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0)
        video->temporary[0] = 0;
    else
        close(file);
    return file >= 0;
}

/* Starts ffmpeg. Ctrl-C ends the recording, and ffmpeg then ends the file. */
static enum krn_code spawn(struct app_video *video, struct krn_error *error)
{
    char size[32], rate[16], output[sizeof video->temporary + 8];
    snprintf(size, sizeof size, "%dx%d", video->width, video->height);
    snprintf(rate, sizeof rate, "%d", video->frames_per_second);
    snprintf(output, sizeof output, "file:%s", video->temporary);
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

static enum krn_code fail_write(const struct app_video *video, struct krn_error *error)
{
    const int reason = errno;
    return KRN_FAIL(error, KRN_FAILED, "%s cannot be written: %s; %s.",
                    app_shorten(video->path).text, strerror(reason), krn_write_cure(reason));
}

static enum krn_code start(struct app_video *video, int width, int height, struct krn_error *error)
{
    video->width = width;
    video->height = height;
    video->words = tmpfile();
    if (!video->words || !make_temporary(video))
        return fail_write(video, error);
    fcntl(fileno(video->words), F_SETFD, FD_CLOEXEC);
    return spawn(video, error);
}

/* Copies the first line that ffmpeg has said. */
static void read_words(const struct app_video *video, char *line, size_t size)
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
static enum krn_code end(struct app_video *video, bool failed, struct krn_error *error)
{
    char words[200];
    app_child_wait(&video->child, patience_s, interrupted_s);
    app_child_end(&video->child);
    const int status = video->child.status;
    const bool exited = WIFEXITED(status), succeeded = exited && WEXITSTATUS(status) == 0;
    struct stat written;
    if (!failed && succeeded && stat(video->temporary, &written) == 0 && written.st_size > 0)
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
static bool write_all(struct app_video *video, const unsigned char *bytes, size_t count)
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

enum krn_code app_video_add(struct app_video *video, const unsigned char *rgba, int width,
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

enum krn_code app_video_finish(struct app_video *video, struct krn_error *error)
{
    if (video->frames == 0)
        return KRN_FAIL(error, KRN_FAILED, "There is no video: no frame was recorded.");
    const enum krn_code code = end(video, false, error);
    if (code != KRN_OK)
        return code;
    const int file = open(video->temporary, O_RDONLY | O_CLOEXEC);
    const bool kept = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    if (!kept || rename(video->temporary, video->path) != 0)
        return fail_write(video, error);
    app_interrupt_unguard(video->guard);
    video->temporary[0] = 0;
    return KRN_OK;
}

void app_video_close(struct app_video *video)
{
    if (!video)
        return;
    app_child_end(&video->child);
    if (video->words)
        fclose(video->words);
    if (video->temporary[0]) {
        unlink(video->temporary);
        app_interrupt_unguard(video->guard);
    }
    free(video);
}
