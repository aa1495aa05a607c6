#include "bench/recording.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/value.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 32, TEXT_MAX = 64 };

/* The hidden arguments: the flag and the number of the process that has the window. */
static const char recorder_flag[] = "--recorder";
enum { HIDDEN = 2 };

/* The time that a process has to end by itself. */
static const double patience_s = 0.35;

extern char **environ;

bool app_recording_begin(int *argc, char ***argv)
{
    char **const a = *argv;
    int parent = 0;
    if (*argc < 1 + HIDDEN || strcmp(a[1], recorder_flag) != 0 || !app_parse_int(a[2], &parent))
        return false;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) /* it ended before */
        raise(SIGTERM);
    a[HIDDEN] = a[0];
    *argv = a + HIDDEN;
    *argc -= HIDDEN;
    return true;
}

/* The command line of the process. */
struct arguments {
    char parent[TEXT_MAX], size[TEXT_MAX], spheres[TEXT_MAX], seed[TEXT_MAX], radii[TEXT_MAX],
        zoom[TEXT_MAX], camera[TEXT_MAX], bounces[TEXT_MAX], samples[TEXT_MAX], device[TEXT_MAX],
        backend[TEXT_MAX], path[APP_PATH_MAX], scene[APP_PATH_MAX];
    char *list[ARGUMENTS_MAX];
    int count;
};

static void add(struct arguments *arguments, const char *option, char *value)
{
    arguments->list[arguments->count++] = (char *)option;
    if (value)
        arguments->list[arguments->count++] = value;
}

static void make_arguments(struct arguments *a, const struct app_state *state, int ordinal,
                           const char *path)
{
    memset(a, 0, sizeof *a);
    snprintf(a->path, sizeof a->path, "%s", path);
    snprintf(a->backend, sizeof a->backend, "%s", krn_backend_name(state->backend));
    snprintf(a->size, sizeof a->size, "%dx%d", state->width, state->height);
    snprintf(a->parent, sizeof a->parent, "%ld", (long)getpid());
    add(a, "spherescope", NULL);
    add(a, recorder_flag, a->parent);
    add(a, "--record", a->path);
    add(a, "--backend", a->backend);
    add(a, "--size", a->size);
    if (state->backend != KRN_BACKEND_CPU) {
        snprintf(a->device, sizeof a->device, "%d", ordinal);
        add(a, "--device", a->device);
    }
    if (app_state_view(state) == KRN_VIEW_LIGHT) {
        const struct krn_light light = app_state_light(state);
        app_camera_format(&light.camera, a->camera, sizeof a->camera);
        snprintf(a->bounces, sizeof a->bounces, "%d", light.bounces);
        snprintf(a->samples, sizeof a->samples, "%d", light.samples);
        add(a, "--view", (char *)krn_view_name(KRN_VIEW_LIGHT));
        add(a, "--camera", a->camera);
        add(a, "--bounces", a->bounces);
        add(a, "--samples", a->samples);
    } else if (state->zoom > 0.0) {
        app_format(a->zoom, sizeof a->zoom, "%.17g", state->zoom);
        add(a, "--zoom", a->zoom);
    }
    if (state->scene == APP_SCENE_FILE) {
        snprintf(a->scene, sizeof a->scene, "%s", state->scene_path);
        add(a, "--scene", a->scene);
        return;
    }
    snprintf(a->spheres, sizeof a->spheres, "%d", state->recipe.count);
    snprintf(a->seed, sizeof a->seed, "%llu", (unsigned long long)state->recipe.seed);
    app_format(a->radii, sizeof a->radii, "%.9g:%.9g", (double)state->recipe.radius_min,
               (double)state->recipe.radius_max);
    add(a, "--spheres", a->spheres);
    add(a, "--seed", a->seed);
    add(a, "--radii", a->radii);
}

/* Starts the process with its messages in a pipe, whose other end is *file. */
static int spawn(pid_t *pid, int *file, char *const argv[])
{
    int ends[2];
    if (pipe(ends) != 0)
        return errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int failed = posix_spawn(pid, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failed != 0) {
        close(ends[0]);
        return failed;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    *file = ends[0];
    return 0;
}

enum krn_code app_recording_start(struct app_recording *recording, const struct app_state *state,
                                  int ordinal, const char *path, struct krn_error *error)
{
    struct arguments arguments;
    memset(recording, 0, sizeof *recording);
    snprintf(recording->path, sizeof recording->path, "%s", path);
    make_arguments(&arguments, state, ordinal, path);
    const int failed = spawn(&recording->pid, &recording->file, arguments.list);
    if (failed != 0) {
        unlink(path);
        return KRN_FAIL(error, KRN_FAILED, "No other process can be started: %s.",
                        strerror(failed));
    }
    recording->guard = app_interrupt_guard(path);
    app_interrupt_child(recording->pid);
    recording->state = APP_RECORDING_RUNNING;
    snprintf(recording->line, sizeof recording->line, "starts");
    return KRN_OK;
}

/* Takes a character of the process's messages; the newest complete line is kept. The spaces that
 * align columns on a terminal would be gaps on screen. */
static void take(struct app_recording *recording, char c)
{
    if (c == ' ' && recording->used > 0 && recording->part[recording->used - 1] == ' ')
        return;
    if (c == '\n') {
        recording->part[recording->used] = 0;
        if (recording->used > 0)
            memcpy(recording->line, recording->part, recording->used + 1);
        recording->used = 0;
    } else if (recording->used + 1 < sizeof recording->part) {
        recording->part[recording->used++] = c;
    }
}

/* Reads what is there; returns false at the end. */
static bool read_lines(struct app_recording *recording)
{
    char bytes[1024];
    ssize_t n;
    while ((n = read(recording->file, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++)
            take(recording, bytes[i]);
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Closes the books on a process that has ended. */
static void finish(struct app_recording *recording, int status)
{
    const bool done = !recording->cancelled && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    (void)read_lines(recording);
    close(recording->file);
    app_interrupt_child_ended(recording->pid);
    app_interrupt_unguard(recording->guard);
    recording->pid = 0;
    recording->state = done ? APP_RECORDING_DONE : APP_RECORDING_FAILED;
    if (!done)
        unlink(recording->path);
}

enum app_recording_state app_recording_poll(struct app_recording *recording)
{
    int status;
    if (recording->state != APP_RECORDING_RUNNING)
        return recording->state;
    (void)read_lines(recording);
    if (waitpid(recording->pid, &status, WNOHANG) == recording->pid)
        finish(recording, status);
    return recording->state;
}

void app_recording_cancel(struct app_recording *recording)
{
    if (recording->state != APP_RECORDING_RUNNING)
        return;
    recording->cancelled = true;
    kill(recording->pid, SIGTERM);
}

void app_recording_stop(struct app_recording *recording)
{
    const struct timespec little = {0, 10000000};
    int status = 0;
    app_recording_cancel(recording);
    const double until_s = app_clock_s() + patience_s;
    while (app_recording_poll(recording) == APP_RECORDING_RUNNING && app_clock_s() < until_s)
        nanosleep(&little, NULL);
    if (recording->state != APP_RECORDING_RUNNING)
        return;
    kill(recording->pid, SIGKILL);
    while (waitpid(recording->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    finish(recording, status);
}
