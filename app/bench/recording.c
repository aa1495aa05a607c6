#include "bench/recording.h"

#include "base/interrupt.h"
#include "base/value.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 32, TEXT_MAX = 64 };

/* The hidden arguments: the flag and the number of the process that has the window. */
static const char recorder_flag[] = "--recorder";
enum { HIDDEN = 2 };

/* The time that a process has to end by itself. */
static const double patience_s = 0.35;

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

enum krn_code app_recording_start(struct app_recording *recording, const struct app_state *state,
                                  int ordinal, const char *path, struct krn_error *error)
{
    struct arguments arguments;
    memset(recording, 0, sizeof *recording);
    snprintf(recording->path, sizeof recording->path, "%s", path);
    make_arguments(&arguments, state, ordinal, path);
    const struct app_child_plan plan = {
        .arguments = arguments.list,
        .files = {APP_CHILD_NOTHING, APP_CHILD_NOTHING, APP_CHILD_PIPE},
    };
    if (app_child_start(&recording->child, &plan, error) != KRN_OK) {
        unlink(path);
        return KRN_FAILED;
    }
    recording->guard = app_interrupt_guard(path);
    recording->state = APP_RECORDING_RUNNING;
    snprintf(recording->line, sizeof recording->line, "starts");
    return KRN_OK;
}

/* Keeps the newest complete line of the process's messages. The spaces that align columns on a
 * terminal would be gaps on screen. */
static void read_lines(struct app_recording *recording)
{
    struct app_child *child = &recording->child;
    char *line = recording->line, *end;
    (void)app_child_read(child);
    while ((end = memchr(child->bytes, '\n', child->used)) != NULL) {
        size_t used = 0;
        for (const char *c = child->bytes; c < end && used + 1 < sizeof recording->line; c++)
            if (*c != ' ' || used == 0 || line[used - 1] != ' ')
                line[used++] = *c;
        if (used > 0)
            line[used] = 0;
        child->used -= (size_t)(end + 1 - child->bytes);
        memmove(child->bytes, end + 1, child->used + 1);
    }
}

/* Closes the books on a process that has ended. */
static void finish(struct app_recording *recording)
{
    const int status = recording->child.status;
    const bool done = !recording->cancelled && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    app_child_end(&recording->child);
    app_interrupt_unguard(recording->guard);
    recording->state = done ? APP_RECORDING_DONE : APP_RECORDING_FAILED;
    if (!done)
        unlink(recording->path);
}

enum app_recording_state app_recording_poll(struct app_recording *recording)
{
    if (recording->state != APP_RECORDING_RUNNING)
        return recording->state;
    const bool runs = app_child_runs(&recording->child);
    read_lines(recording);
    if (!runs)
        finish(recording);
    return recording->state;
}

void app_recording_cancel(struct app_recording *recording)
{
    if (recording->state != APP_RECORDING_RUNNING)
        return;
    recording->cancelled = true;
    kill(recording->child.pid, SIGTERM);
}

void app_recording_stop(struct app_recording *recording)
{
    if (recording->state != APP_RECORDING_RUNNING)
        return;
    app_recording_cancel(recording);
    app_child_wait(&recording->child, patience_s, patience_s);
    finish(recording);
}
