/* app/bench/recording.c - key O: this program again, without a window, as a recorder. */
#include "bench/program.h"

#include "base/process.h"

#include <signal.h>
#include <stdarg.h>
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
    char text[3 * APP_PATH_MAX];
    char *list[ARGUMENTS_MAX];
    int count;
    size_t used;
};

__attribute__((format(printf, 3, 4))) static void add(struct arguments *a, const char *option,
                                                      const char *format, ...)
{
    va_list values;
    char *value = a->text + a->used;
    va_start(values, format);
    vsnprintf(value, sizeof a->text - a->used, format, values);
    va_end(values);
    a->used += strlen(value) + 1;
    a->list[a->count++] = (char *)option;
    a->list[a->count++] = value;
}

static void make_arguments(struct arguments *a, const struct app_state *state, int ordinal,
                           const char *path)
{
    memset(a, 0, sizeof *a);
    a->list[a->count++] = (char *)"spherescope";
    add(a, recorder_flag, "%ld", (long)getpid());
    add(a, "--record", "%s", path);
    add(a, "--backend", "%s", krn_backend_name(state->spec.backend));
    add(a, "--size", "%dx%d", state->spec.width, state->spec.height);
    if (state->spec.backend == KRN_BACKEND_CUDA)
        add(a, "--device", "%d", ordinal);
    if (app_state_view(state) == KRN_VIEW_LIGHT) {
        const struct krn_light light = app_state_light(state);
        char camera[TEXT_MAX];
        app_camera_format(&light.camera, camera, sizeof camera);
        add(a, "--view", "%s", krn_view_name(KRN_VIEW_LIGHT));
        add(a, "--camera", "%s", camera);
        add(a, "--bounces", "%d", light.bounces);
        add(a, "--samples", "%d", light.samples);
    } else if (state->spec.zoom > 0.0) {
        add(a, "--zoom", "%.17g", state->spec.zoom);
    }
    if (state->spec.scene == APP_SCENE_FILE) {
        add(a, "--scene", "%s", state->spec.scene_path);
        return;
    }
    add(a, "--spheres", "%d", state->spec.recipe.count);
    add(a, "--seed", "%llu", (unsigned long long)state->spec.recipe.seed);
    add(a, "--radii", "%.9g:%.9g", (double)state->spec.recipe.radius_min,
        (double)state->spec.recipe.radius_max);
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
