/* app/engine/mine.c - the kernel of --kernel-file. First comes the process that compiles and tests
 * a version, then the program's side: it sends jobs, reads answers, and loads what has passed. */
#define _GNU_SOURCE /* pipe2, memfd_create */
#include "engine/mine.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/process.h"
#include "command/options.h"

#include "krn/memory.h"
#include "krn/reference.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char child_flag[] = "--mine";

/* The time between two looks at the file; an editor that still writes changes it meanwhile. */
static const double look_s = 0.1;

/* The time until a version that failed for a passing reason is tried again. */
static const double again_s = 3.0;

/* A process gets the number of a file in its parent's memory, in which the job lies. It sends a
 * byte when it has the job, has compiled, has loaded (where a GPU's driver may compile, too), and
 * has run the tests; then, after the picture that is asked for, a zero and the answer. */
enum { BEGINS, COMPILES, LOADS, RUNS, PICTURE, PHASES };
static const char phase_ends[] = "\1";

/* The most that each phase may take, and how it is told. Without a window, a picture may take
 * longer. */
static const struct {
    double most_s;
    const char *took, *while_it;
} phases[PHASES] = {{30.0, "its test did not begin in", "began"},
                    {10.0, "its compiler took over", "compiled"},
                    {20.0, "the driver compiled it for over", "loaded it"},
                    {2.0, "its kernel ran for over", "ran the kernel"},
                    {5.0, "two pictures took over", "ran the kernel"}};
static const double patient_s = 300.0;

/* Behind it lie the spheres of the picture, the text and, where it has been compiled and tested
 * before, the kernel's image and guarded version, both texts with their zeros. */
struct job {
    char folder[256], file[APP_MINE_NAME]; /* folder: of the compiler's files; "": none is needed */
    char home[APP_PATH_MAX];               /* the folder of the file and of its headers */
    size_t text_bytes, guarded_bytes;
    struct krn_mine mine;
    struct app_mine_picture picture;
};

struct answer {
    enum krn_code code;
    char text[APP_NOTICE_MAX];
    struct app_mine_numbers numbers;
    struct krn_mine mine; /* its image and guarded version follow */
    size_t guarded_bytes;
};

/* --- the process --- */

/* A picture that the kernel has to render. The frame lies within a larger image, whose pixels
 * around it are the guard. */
enum { TESTS = 3, GUARD = 16, MANY_SPHERES = 2000, SPOILT = 0x5a /* no picture has such alpha */ };

struct test {
    struct krn_scene_recipe recipe;
    struct krn_view view;
    struct krn_pose pose;
    struct krn_scene scene;
    struct krn_reference reference;
    struct krn_image all;
    uint8_t *before, *after; /* the bytes of all */
    uint8_t *book, *frame;   /* of the frame: those of the book's kernel, and of this one */
};

static const struct krn_mode book = {KRN_KERNEL_BOOK, KRN_STORAGE_GLOBAL, 1};

/* Renders an image of the test's scene. */
static enum krn_code render(struct krn_device *device, struct krn_mode mode,
                            const struct test *test, const struct krn_image *image,
                            struct krn_error *error)
{
    struct krn_view view = test->view;
    view.width = image->width;
    view.height = image->height;
    const enum krn_code code = krn_device_set_pose(device, test->pose, error);
    return code == KRN_OK ? krn_device_render(device, mode, &view, image, KRN_UNTIMED, error)
                          : code;
}

static struct krn_image frame_of(const struct test *test)
{
    const struct krn_image *all = &test->all;
    return (struct krn_image){(char *)all->pixels + GUARD * (all->pitch_bytes + 4),
                              all->pitch_bytes, test->view.width, test->view.height};
}

/* Renders the test's picture, and reads the whole image. */
static enum krn_code render_frame(struct krn_device *device, struct krn_mode mode,
                                  const struct test *test, struct krn_error *error)
{
    const struct krn_image *all = &test->all, frame = frame_of(test);
    const enum krn_code code = render(device, mode, test, &frame, error);
    return code == KRN_OK ? krn_device_read(device, all, test->after, error) : code;
}

/* Copies the frame out of the whole image. */
static void cut_out(const struct test *test, const uint8_t *all, uint8_t *frame)
{
    const size_t row = 4 * (size_t)test->view.width, pitch = 4 * (size_t)test->all.width;
    for (int y = 0; y < test->view.height; y++)
        memcpy(frame + (size_t)y * row, all + (size_t)(y + GUARD) * pitch + 4 * (size_t)GUARD, row);
}

static enum krn_code prepare_test(struct krn_device *device, struct test *test,
                                  struct krn_error *error)
{
    const int width = test->view.width, height = test->view.height;
    const int wide = width + 2 * GUARD, high = height + 2 * GUARD;
    uint8_t **const buffers[] = {&test->before, &test->after, &test->book, &test->frame};
    for (int i = 0; i < 4; i++)
        *buffers[i] = krn_alloc((size_t)wide * (size_t)high, 4);
    enum krn_code code = krn_scene_generate(&test->scene, &test->recipe, error);
    if (code == KRN_OK)
        code = krn_device_set_scene(device, &test->scene, error);
    if (code == KRN_OK)
        code = krn_reference_render(&test->reference, &test->scene, test->pose, &test->view, NULL,
                                    NULL, error);
    if (code == KRN_OK)
        code = krn_device_alloc_image(device, wide, high, &test->all, error);
    if (code == KRN_OK)
        code = render_frame(device, book, test, error);
    if (code != KRN_OK)
        return code;
    cut_out(test, test->after, test->book);
    code = krn_device_fill(device, &test->all, SPOILT, error);
    return code == KRN_OK ? krn_device_read(device, &test->all, test->before, error) : code;
}

/* Looks for a pixel of the guard that has changed. */
static enum krn_code check_guard(const char *file, const struct test *test, struct krn_error *error)
{
    const int width = test->view.width, height = test->view.height;
    for (int y = -GUARD; y < height + GUARD; y++)
        for (int x = -GUARD; x < width + GUARD; x++) {
            const size_t at =
                4 * ((size_t)(y + GUARD) * (size_t)test->all.width + (size_t)(x + GUARD));
            const bool inside = x >= 0 && x < width && y >= 0 && y < height;
            if (!inside && memcmp(test->before + at, test->after + at, 4) != 0)
                return KRN_FAIL(error, KRN_REFUSED,
                                "%s writes outside of the frame: pixel (%d, %d) of %dx%d.", file, x,
                                y, width, height);
        }
    return KRN_OK;
}

/* Blames the file for what a guarded kernel did, or for a GPU that is lost to this process. */
static enum krn_code blame(enum krn_code code, const char *file, const char *text, int *line,
                           struct krn_error *error)
{
    if (code == KRN_REFUSED && krn_mine_told(file, text, line, error))
        return code;
    const struct krn_error why = *error;
    const char *const cure = code == KRN_LOST ? strrchr(why.text, ':') : NULL;
    return cure == NULL
               ? code
               : KRN_FAIL(error, KRN_REFUSED, "%s: %.*s.", file, (int)(cure - why.text), why.text);
}

/* Runs the loaded kernel and judges its picture. Adds the pixels whose bytes are not the book's to
 * numbers->rounded. */
static enum krn_code run_test(struct krn_device *device, const char *file, const char *text,
                              struct krn_mode mode, const struct test *test,
                              struct app_mine_numbers *numbers, struct krn_error *error)
{
    const int width = test->view.width, height = test->view.height;
    enum krn_code code = krn_device_set_scene(device, &test->scene, error);
    if (code == KRN_OK)
        code = blame(render_frame(device, mode, test, error), file, text, &numbers->line, error);
    if (code == KRN_OK)
        code = check_guard(file, test, error);
    if (code != KRN_OK)
        return code;
    cut_out(test, test->after, test->frame);
    for (size_t i = 0; i < 4 * (size_t)width * (size_t)height; i += 4)
        numbers->rounded += memcmp(test->frame + i, test->book + i, 4) != 0;
    const struct krn_verdict verdict = krn_reference_compare(&test->reference, test->frame);
    const uint8_t *e = verdict.expected, *a = verdict.actual;
    if (verdict.wrong == 0)
        return KRN_OK;
    numbers->verdict = verdict;
    return KRN_FAIL(error, KRN_REFUSED,
                    "%s renders %zu of %dx%d pixels wrong, the first at (%d, %d): expected "
                    "%d %d %d %d, got %d %d %d %d.",
                    file, verdict.wrong, width, height, verdict.first_x, verdict.first_y, e[0],
                    e[1], e[2], e[3], a[0], a[1], a[2], a[3]);
}

/* Renders the picture that is asked for twice, as the program will: its rows lie as close, and rows
 * above and below are the guard. Whether it is right is judged where it is shown. */
static enum krn_code run_picture(struct krn_device *device, const char *file, const char *text,
                                 struct krn_mode mode, const struct app_mine_picture *picture,
                                 int *line, struct krn_error *error)
{
    enum { ROWS = 64 };
    const int width = picture->view.width, height = picture->view.height;
    const size_t margin = ROWS * 4 * (size_t)width;
    struct krn_image all = {NULL, 0, 0, 0};
    enum krn_code code = krn_device_set_scene(device, picture->scene, error);
    if (code == KRN_OK)
        code = krn_device_set_pose(device, picture->pose, error);
    if (code == KRN_OK)
        code = krn_device_alloc_image(device, width, height + 2 * ROWS, &all, error);
    if (code == KRN_OK)
        code = krn_device_fill(device, &all, SPOILT, error);
    const struct krn_image frame = {(char *)all.pixels + margin, all.pitch_bytes, width, height};
    for (int i = 0; code == KRN_OK && i < 2; i++)
        code = krn_device_render(device, mode, &picture->view, &frame, KRN_UNTIMED, error);
    if (code == KRN_OK)
        code = krn_device_sync(device, error);
    code = blame(code, file, text, line, error);
    const char *const before = all.pixels;
    for (size_t i = 0; code == KRN_OK && krn_device_is_host(device) && i < margin; i++)
        if (before[i] != SPOILT || before[margin + all.pitch_bytes * (size_t)height + i] != SPOILT)
            code = KRN_FAIL(error, KRN_REFUSED, "%s writes outside of the frame of %dx%d pixels.",
                            file, width, height);
    krn_device_free_image(device, &all);
    return code;
}

static bool write_all(int file, const void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t n = write(file, (const char *)bytes + done, count - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Writes bytes to the process that waits for them; without it, ends. */
static void send(int pipe, const void *bytes, size_t count)
{
    if (!write_all(pipe, bytes, count))
        _exit(APP_EXIT_FAILED);
}

/* Compiles and tests the kernel of a job, whose parts follow it. The guarded version runs all that
 * the other one will run then: each picture twice, in one load, since a kernel may keep state. */
static enum krn_code test_job(struct krn_device *device, const struct job *job, int pipe,
                              const struct test tests[TESTS], struct answer *answer,
                              struct krn_error *error)
{
    struct app_mine_picture picture = job->picture;
    struct krn_scene scene = {.spheres = (struct krn_sphere *)(job + 1), .count = picture.spheres};
    const char *const text = (const char *)(scene.spheres + picture.spheres), *const image =
                                                                                  text +
                                                                                  job->text_bytes;
    const bool compiled = job->mine.bytes > 0;
    struct krn_mine *const mine = &answer->mine;
    size_t all = 0;
    enum krn_code code = KRN_OK;
    picture.scene = &scene;
    *mine = job->mine;
    mine->image = (char *)image;
    mine->guarded = job->guarded_bytes > 0 ? (char *)image + mine->bytes : NULL;
    if (!compiled && chdir(job->home) != 0)
        code = KRN_FAIL(error, KRN_FAILED, "The folder %s cannot be opened: %s.", job->home,
                        strerror(errno));
    else if (!compiled)
        code = krn_device_compile_mine(device, job->file, text, job->folder, mine, error);
    answer->numbers.line = mine->line;
    send(pipe, phase_ends, 1);
    struct krn_mine versions[2] = {*mine, *mine};
    versions[0].image = mine->guarded;
    /* What lies in constant memory has room for as many as its file says. */
    const int count = compiled ? 0 : mine->storage == KRN_STORAGE_CONSTANT ? TESTS - 1 : TESTS;
    for (int v = mine->guarded == NULL, first = v; code == KRN_OK && v < 2; v++) {
        const struct krn_mode mode = {KRN_KERNEL_MINE, mine->storage, 1};
        code = krn_device_load_mine(device, &versions[v], error);
        if (v == first)
            send(pipe, phase_ends, 1);
        answer->numbers.rounded = all = 0;
        for (int i = 0; code == KRN_OK && i < 2 * count; i++) {
            const struct test *test = &tests[i % count];
            code = run_test(device, job->file, text, mode, test, &answer->numbers, error);
            all += (size_t)test->view.width * (size_t)test->view.height;
        }
        if (v == first)
            send(pipe, phase_ends, 1);
        if (code == KRN_OK && scene.count > 0)
            code =
                run_picture(device, job->file, text, mode, &picture, &answer->numbers.line, error);
    }
    answer->numbers.rounded /= 2;
    if (answer->numbers.rounded == 0)
        snprintf(answer->text, sizeof answer->text, "%s: the same picture as the book's kernel",
                 job->file);
    else
        snprintf(answer->text, sizeof answer->text,
                 "%s: right, %zu of %zu pixels rounded otherwise", job->file,
                 answer->numbers.rounded, all / 2);
    return code;
}

/* Waits for the number of the parent's file, and maps the job; NULL: it cannot be done. */
static const struct job *read_job(void)
{
    int number = -1;
    char path[64];
    struct stat status;
    ssize_t n;
    while ((n = read(STDIN_FILENO, &number, sizeof number)) < 0 && errno == EINTR)
        ;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getppid(), number);
    const int file = n == sizeof number ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0 || fstat(file, &status) != 0)
        return NULL;
    void *const job = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    return job == MAP_FAILED ? NULL : job;
}

/* Everything that the process does; its answer goes to the pipe. */
static void test_kernel(enum krn_backend_id backend, int ordinal, int pipe)
{
    static struct answer answer; /* zeroed also between its members */
    const struct krn_scene_recipe few = krn_scene_book();
    struct krn_scene_recipe many = few;
    many.count = MANY_SPHERES;
    struct test tests[TESTS] = {
        {.recipe = few,
         .view = {.width = 1024, .height = 1024, .unit = 1.0f, .light = krn_light_default()},
         .pose = {1.0f, 0.0f}},
        {.recipe = few,
         .view = {.width = 333, .height = 211, .unit = 3.0f, .light = krn_light_default()},
         .pose = krn_pose_at(7.0)},
        {.recipe = many,
         .view = {.width = 83, .height = 57, .unit = 12.0f, .light = krn_light_default()},
         .pose = krn_pose_at(3.0)}};
    struct krn_device *device = NULL;
    struct krn_error error = {.text = ""};
    enum krn_code code = krn_backend_get(backend)->connect(ordinal, &device, &error);
    for (int i = 0; code == KRN_OK && i < TESTS; i++)
        code = prepare_test(device, &tests[i], &error);
    const struct job *const job =
        read_job(); /* also where it cannot be done: the answer says why */
    send(pipe, phase_ends, 1);
    if (code == KRN_OK && job == NULL)
        code = KRN_FAIL(&error, KRN_FAILED, "There is no kernel to test.");
    if (code == KRN_OK)
        code = test_job(device, job, pipe, tests, &answer, &error);
    answer.code = code;
    if (code != KRN_OK)
        snprintf(answer.text, sizeof answer.text, "%s", error.text);
    if (code != KRN_OK || job->mine.bytes > 0)
        answer.mine.bytes = 0;
    else if (answer.mine.guarded != NULL)
        answer.guarded_bytes = strlen(answer.mine.guarded) + 1;
    send(pipe, "", 1);
    send(pipe, &answer, sizeof answer);
    send(pipe, answer.mine.image, answer.mine.bytes);
    send(pipe, answer.mine.guarded, answer.guarded_bytes);
    _exit(APP_EXIT_DONE); /* what the kernel has spoilt is not looked at again */
}

bool app_mine_child_main(int argc, char *const argv[], int *exit_code)
{
    struct stat status;
    const struct rlimit none = {0, 0};
    if (argc != 4 || strcmp(argv[1], child_flag) != 0 || fstat(STDOUT_FILENO, &status) != 0 ||
        !S_ISFIFO(status.st_mode))
        return false;
    *exit_code = APP_EXIT_FAILED;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)setrlimit(RLIMIT_CORE, &none);
    /* A kernel on the CPU can print; its words are not the answer. */
    const int pipe = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (pipe >= 0 && freopen("/dev/null", "w", stdout) != NULL)
        test_kernel((enum krn_backend_id)strtol(argv[2], NULL, 10), (int)strtol(argv[3], NULL, 10),
                    pipe);
    return true;
}

/* --- the program's side --- */

enum { TRIED = 8 };

struct app_mine {
    char path[APP_PATH_MAX], home[APP_PATH_MAX]; /* home: the path of its folder */
    struct app_mine_status status;
    uint64_t seen;          /* number of the file at the newest look; 0: there was none */
    double look_s, again_s; /* again_s: when a version that failed for a passing reason is tried
                             * again; 0: there is none */
    uint64_t taken, hash;   /* that number of the version that is known, and its text's; 0: none */
    enum krn_code code;     /* what status.text tells of */
    char source[KRN_MINE_BYTES_MAX + 2]; /* status.source */

    enum krn_backend_id backend;
    struct app_child child, dying; /* the one that tests, and one that has been killed */
    int pipe, job;  /* the pipe that a job's number goes to, and its file; -1: none */
    bool testing;   /* the job has been sent */
    bool patient;   /* there is no window */
    double phase_s; /* when the phase began */
    size_t phase;
    char folder[256];     /* of the compiler's files; "": there is none */
    int guard;            /* app_interrupt_guard's number of it */
    struct krn_mine good; /* the newest version that has passed */
    char good_hash[APP_MINE_HASH];
    char *good_source; /* its text */

    /* The pictures that the good version has been tried with, the newest at `tries` - 1. */
    struct picture {
        struct krn_view view;
        uint64_t scene;    /* hash of its spheres */
    } tried[TRIED], trial; /* trial: that of the job */
    unsigned tries;
    enum { VERSION, TRIAL, TRIAL_FAILED } kind; /* what the job is, or the last one was */
    char why[APP_NOTICE_MAX];                   /* TRIAL_FAILED: a sentence */
    unsigned serial;                            /* of the scene whose hash is: */
    uint64_t scene;
};

const struct app_mine_status *app_mine_status(const struct app_mine *mine)
{
    return &mine->status;
}

void app_mine_adapt(const struct app_mine_status *status, struct app_state *state)
{
    if (status->ready && state->spec.mode.kernel == KRN_KERNEL_MINE)
        state->spec.mode.storage = status->storage;
    if (status->ready && state->spec.duel.other.kernel == KRN_KERNEL_MINE)
        state->spec.duel.other.storage = status->storage;
}

/* numbers: those in the text; NULL: it has none. */
static void say(struct app_mine *mine, enum krn_code code, const char *text,
                const struct app_mine_numbers *numbers)
{
    struct app_mine_status *status = &mine->status;
    snprintf(status->text, sizeof status->text, "%s", text);
    app_make_printable(status->text);
    status->numbers = numbers != NULL ? *numbers : (struct app_mine_numbers){.line = 0};
    status->fault = code != KRN_OK;
    status->told++;
    mine->code = code;
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Ends the process, with the compiler that it may have started, and removes their files. A process
 * that a GPU's driver does not let go yet is not waited for. */
static void end_child(struct app_mine *mine)
{
    if (mine->child.pid > 0)
        kill(-mine->child.pid, SIGKILL);
    app_child_wait(&mine->child, 0.01, 0.01);
    if (mine->child.pid > 0) {
        app_child_end(&mine->dying);
        mine->dying = mine->child;
        memset(&mine->child, 0, sizeof mine->child);
    }
    app_child_end(&mine->child);
    close_file(&mine->pipe);
    close_file(&mine->job);
    mine->testing = false;
    if (mine->folder[0])
        app_interrupt_remove(mine->folder);
    app_interrupt_unguard(mine->guard);
    mine->guard = -1;
    mine->folder[0] = 0;
}

static void forget_good(struct app_mine *mine)
{
    free(mine->good.image);
    free(mine->good.guarded);
    free(mine->good_source);
    memset(&mine->good, 0, sizeof mine->good);
    mine->good_source = NULL;
    mine->status.ready = false;
    mine->tries = 0;
}

/* Writes the folder of a path, with its slash. */
static void write_home(const char *path, char home[APP_PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    snprintf(home, APP_PATH_MAX, "%.*s", slash ? (int)(slash + 1 - path) : 2, slash ? path : "./");
}

void app_mine_point(struct app_mine *mine, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (mine->testing)
        end_child(mine);
    forget_good(mine);
    mine->seen = mine->taken = mine->hash = 0;
    mine->again_s = 0.0;
    mine->code = KRN_OK;
    mine->kind = VERSION;
    mine->status.fault = false;
    mine->source[0] = 0;
    snprintf(mine->path, sizeof mine->path, "%s", path);
    write_home(path, mine->home);
    snprintf(mine->status.file, sizeof mine->status.file, "%s", slash ? slash + 1 : path);
    app_make_printable(mine->status.file);
    for (char *c = mine->status.file; *c != 0; c++) /* compilers read it in quotes */
        *c = *c == '"' || *c == '\\' ? '_' : *c;
}

struct app_mine *app_mine_new(const char *path)
{
    struct app_mine *mine = krn_alloc(1, sizeof *mine);
    mine->status.source = mine->source;
    mine->pipe = mine->job = mine->guard = -1;
    app_mine_point(mine, path);
    return mine;
}

void app_mine_free(struct app_mine *mine)
{
    if (mine == NULL)
        return;
    end_child(mine);
    app_child_end(&mine->dying);
    forget_good(mine);
    free(mine);
}

/* Starts a process, which waits for a job. */
static enum krn_code start_child(struct app_mine *mine, int ordinal, struct krn_error *error)
{
    char program[] = "spherescope", flag[sizeof child_flag], numbers[2][16];
    char *const arguments[] = {program, flag, numbers[0], numbers[1], NULL};
    int ends[2];
    if (app_child_runs(&mine->child))
        return KRN_OK;
    end_child(mine);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return KRN_FAIL(error, KRN_FAILED, "No process can be started: %s.", strerror(errno));
    memcpy(flag, child_flag, sizeof flag);
    snprintf(numbers[0], sizeof numbers[0], "%d", (int)mine->backend);
    snprintf(numbers[1], sizeof numbers[1], "%d", ordinal);
    const struct app_child_plan plan = {
        .arguments = arguments,
        .files = {ends[0], APP_CHILD_PIPE, APP_CHILD_NOTHING},
        .apart = true,
    };
    const enum krn_code code = app_child_start(&mine->child, &plan, error);
    close(ends[0]);
    if (code == KRN_OK)
        mine->pipe = ends[1];
    else
        close(ends[1]);
    return code;
}

/* Makes the compiler's folder. */
static enum krn_code make_folder(struct app_mine *mine, struct krn_error *error)
{
    const char *const temporary = getenv("TMPDIR");
    const bool usable = temporary != NULL && temporary[0] == '/' &&
                        strlen(temporary) < sizeof mine->folder - sizeof "/spherescope-XXXXXX";
    snprintf(mine->folder, sizeof mine->folder, "%s/spherescope-XXXXXX",
             usable ? temporary : "/tmp");
    if (mkdtemp(mine->folder) == NULL) {
        const enum krn_code code = KRN_FAIL(error, KRN_FAILED, "The folder %s cannot be made: %s.",
                                            mine->folder, strerror(errno));
        mine->folder[0] = 0;
        return code;
    }
    mine->guard = app_interrupt_guard(mine->folder);
    return KRN_OK;
}

/* Sends a job to the process: the text's version, or, where `compiled` is given, that one's trial
 * with the picture. */
static enum krn_code send_job(struct app_mine *mine, const char *text,
                              const struct krn_mine *compiled,
                              const struct app_mine_picture *picture, int ordinal,
                              struct krn_error *error)
{
    struct job job = {.text_bytes = strlen(text) + 1, .picture = *picture};
    enum krn_code code = start_child(mine, ordinal, error);
    if (code == KRN_OK && compiled == NULL && mine->backend == KRN_BACKEND_CPU)
        code = make_folder(mine, error);
    if (code != KRN_OK)
        return code;
    memcpy(job.folder, mine->folder, sizeof job.folder);
    memcpy(job.file, mine->status.file, sizeof job.file);
    memcpy(job.home, mine->home, sizeof job.home);
    if (compiled != NULL)
        job.mine = *compiled;
    job.guarded_bytes = job.mine.guarded != NULL ? strlen(job.mine.guarded) + 1 : 0;
    job.picture.spheres = picture->scene != NULL ? picture->scene->count : 0;
    mine->job = memfd_create("spherescope-job", MFD_CLOEXEC);
    const bool sent = mine->job >= 0 && write_all(mine->job, &job, sizeof job) &&
                      (job.picture.spheres == 0 ||
                       write_all(mine->job, picture->scene->spheres,
                                 (size_t)job.picture.spheres * sizeof *picture->scene->spheres)) &&
                      write_all(mine->job, text, job.text_bytes) &&
                      write_all(mine->job, job.mine.image, job.mine.bytes) &&
                      write_all(mine->job, job.mine.guarded, job.guarded_bytes);
    /* A process that has ended is found when it is polled. */
    const ssize_t told = sent ? write(mine->pipe, &mine->job, sizeof mine->job) : 0;
    (void)told;
    if (!sent)
        code = KRN_FAIL(error, KRN_FAILED, "No memory to test a kernel: %s.", strerror(errno));
    close_file(&mine->pipe);
    mine->testing = sent;
    mine->phase = 0;
    mine->phase_s = app_clock_s();
    mine->kind = compiled != NULL ? TRIAL : VERSION;
    return code;
}

/* Returns the picture as it is compared. */
static struct picture note_picture(struct app_mine *mine, const struct app_mine_picture *picture)
{
    struct picture noted = {.view = picture->view, .scene = 0};
    if (picture->scene != NULL && mine->serial != picture->serial) {
        mine->serial = picture->serial;
        mine->scene = app_hash_on(APP_HASH_BEGIN, picture->scene->spheres,
                                  (size_t)picture->scene->count * sizeof *picture->scene->spheres);
    }
    noted.scene = picture->scene != NULL ? mine->scene : 0;
    return noted;
}

static bool same_picture(const struct picture *a, const struct picture *b)
{
    return a->view.width == b->view.width && a->view.height == b->view.height &&
           a->view.unit == b->view.unit && a->scene == b->scene;
}

/* Says of a version, or keeps of a trial, what is wrong. What is not the text's fault is tried
 * again: after a while, or, where time ran out, when the file is saved. */
static void take_fault(struct app_mine *mine, enum krn_code code, bool late, const char *text,
                       const struct app_mine_numbers *numbers)
{
    if (mine->kind != VERSION) {
        mine->kind = TRIAL_FAILED;
        snprintf(mine->why, sizeof mine->why, "%s", text);
        return;
    }
    if (code != KRN_REFUSED || late)
        mine->hash = 0;
    mine->again_s = code != KRN_REFUSED ? app_clock_s() + again_s : 0.0;
    if (mine->code == KRN_OK || code == KRN_REFUSED || strcmp(mine->status.text, text) != 0)
        say(mine, code, text, numbers);
}

/* Says why the process has ended without an answer, or was ended. */
static void tell_of_end(struct app_mine *mine, bool late, double most)
{
    const int status = mine->child.status;
    char text[APP_NOTICE_MAX], how[80] = "", size[64] = "";
    if (mine->phase == PICTURE)
        snprintf(size, sizeof size, " at %dx%d", mine->trial.view.width, mine->trial.view.height);
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, ": signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (late)
        snprintf(text, sizeof text, "%s was stopped: %s %.0f s%s.", mine->status.file,
                 phases[mine->phase].took, most, size);
    else
        snprintf(text, sizeof text, "%s: the process that tests it ended while it %s%s%s.",
                 mine->status.file, phases[mine->phase].while_it, size, how);
    take_fault(mine, KRN_REFUSED, late, text, NULL);
}

/* Loads the newest version that has passed. */
static bool load_good(struct app_mine *mine, struct krn_device *device)
{
    struct krn_error error;
    const enum krn_code code = krn_device_load_mine(device, &mine->good, &error);
    if (code != KRN_OK) {
        say(mine, code, error.text, NULL);
        forget_good(mine);
        return false;
    }
    mine->status.ready = true;
    mine->status.storage = mine->good.storage;
    memcpy(mine->status.hash, mine->good_hash, sizeof mine->status.hash);
    return true;
}

static char *copy(const char *bytes, size_t count)
{
    return count > 0 ? memcpy(krn_alloc(count, 1), bytes, count) : NULL;
}

/* Takes the answer of the process. */
static bool take_answer(struct app_mine *mine, struct krn_device *device)
{
    struct answer answer;
    const char *bytes = mine->child.bytes + mine->phase + 1;
    memcpy(&answer, bytes, sizeof answer);
    /* A stray store of the kernel may have met the answer itself. */
    answer.text[sizeof answer.text - 1] = 0;
    answer.mine.kernel[sizeof answer.mine.kernel - 1] = 0;
    if (answer.mine.storage != KRN_STORAGE_CONSTANT)
        answer.mine.storage = KRN_STORAGE_GLOBAL;
    if (answer.code != KRN_OK) {
        take_fault(mine, answer.code, false, answer.text, &answer.numbers);
        return false;
    }
    bool loaded = false;
    if (mine->kind == VERSION) {
        forget_good(mine);
        mine->good = answer.mine;
        mine->good.image = copy(bytes + sizeof answer, answer.mine.bytes);
        mine->good.guarded = copy(bytes + sizeof answer + answer.mine.bytes, answer.guarded_bytes);
        mine->good_source = copy(mine->source, strlen(mine->source) + 1);
        snprintf(mine->good_hash, sizeof mine->good_hash, "%016" PRIx64, mine->hash);
        loaded = load_good(mine, device);
        if (loaded)
            say(mine, KRN_OK, answer.text, &answer.numbers);
    }
    mine->tried[mine->tries++ % TRIED] = mine->trial;
    return loaded;
}

static bool is_complete(const struct app_child *child, size_t phase)
{
    struct answer answer;
    const size_t begin = phase + 1;
    if (child->used < begin + sizeof answer)
        return false;
    memcpy(&answer, child->bytes + begin, sizeof answer);
    return child->used >= begin + sizeof answer + answer.mine.bytes + answer.guarded_bytes;
}

/* Looks how far the process is. */
static bool poll_child(struct app_mine *mine, struct krn_device *device)
{
    struct app_child *child = &mine->child;
    bool loaded = false;
    const bool open = app_child_read(child);
    const double now_s = app_clock_s();
    size_t phase = 0;
    while (phase < child->used && phase < PICTURE && child->bytes[phase] == phase_ends[0])
        phase++;
    if (phase != mine->phase)
        mine->phase_s = now_s;
    mine->phase = phase;
    const double most = phase == PICTURE && mine->patient ? patient_s : phases[phase].most_s;
    if (is_complete(child, phase)) {
        loaded = take_answer(mine, device);
    } else if (!open) {
        app_child_wait(child, 1.0, 1.0);
        tell_of_end(mine, false, most);
    } else if (now_s - mine->phase_s > most) {
        tell_of_end(mine, true, most);
    } else {
        return false;
    }
    end_child(mine);
    return loaded;
}

/* --- the file --- */

/* The headers that a text includes, each once. */
enum { HEADERS_MAX = 64, HEADER_BYTES_MAX = 1 << 20 };

struct headers {
    uint64_t paths[HEADERS_MAX]; /* hashes */
    int count;
};

/* Continues a hash with the headers that a text in this folder includes in quotes, and with theirs.
 * Like compilers, looks for them in the text's folder, and then in that of the kernel's file. */
static uint64_t hash_headers(uint64_t hash, const char *home, const char *folder, const char *text,
                             struct headers *headers)
{
    char name[128], path[APP_PATH_MAX + 128], *header;
    size_t count;
    for (const char *at = text; (at = strchr(at, '#')) != NULL; at++) {
        if (sscanf(at, "# include \"%127[^\"\n]", name) < 1 || strcmp(name, "spherescope.h") == 0)
            continue;
        for (int i = 0, known = 0; i < 2; i++, known = 0) {
            snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : i == 0 ? folder : home, name);
            const uint64_t id = app_hash_on(APP_HASH_BEGIN, path, strlen(path));
            while (known < headers->count && headers->paths[known] != id)
                known++;
            if (known < headers->count || known == HEADERS_MAX)
                break;
            if (app_read_regular(path, NULL, HEADER_BYTES_MAX, &header, &count, NULL) != KRN_OK)
                continue;
            headers->paths[headers->count++] = id;
            *(strrchr(path, '/') + 1) = 0;
            hash = hash_headers(app_hash_on(hash, header, count), home, path, header, headers);
            free(header);
            break;
        }
    }
    return hash;
}

/* A version of a file, as it was read. */
struct version {
    char *bytes;           /* to be freed */
    const char *text;      /* in them, or what is wrong with them */
    uint64_t hash, number; /* of the text and its headers; and of the file's time as well */
    enum krn_code code;
    struct krn_error error;
};

/* Reads the present version: times alone can be coarse. file: its name in messages. */
static void read_version(const char *path, const char *home, const char *file,
                         struct version *version)
{
    struct stat status = {.st_mtime = 0};
    struct headers headers = {.count = 0};
    struct krn_error *const error = &version->error;
    size_t count = 0;
    *version = (struct version){.bytes = NULL};
    (void)stat(path, &status);
    enum krn_code code =
        app_read_regular(path, NULL, KRN_MINE_BYTES_MAX, &version->bytes, &count, error);
    const char *text = version->bytes;
    if (code == KRN_OK)
        code = app_text_begin(&text, &count, file, error);
    if (code == KRN_OK && text[strspn(text, " \t\r\n")] == 0)
        code = KRN_FAIL(error, KRN_REFUSED, "%s is empty.", file);
    version->code = code;
    version->text = text = code == KRN_OK ? text : error->text;
    version->hash =
        hash_headers(app_hash_on(APP_HASH_BEGIN, text, strlen(text)), home, home, text, &headers);
    version->number = app_hash_on(version->hash, &status.st_mtim, sizeof status.st_mtim);
}

uint64_t app_mine_version(const char *path)
{
    char home[APP_PATH_MAX];
    struct version version;
    write_home(path, home);
    read_version(path, home, path, &version);
    free(version.bytes);
    return version.number;
}

/* Takes in another version of the file. */
static void take_version(struct app_mine *mine, struct version *version,
                         const struct app_mine_picture *picture, int ordinal)
{
    const uint64_t before = mine->hash;
    enum krn_code code = version->code;
    mine->taken = mine->seen;
    mine->again_s = 0.0;
    mine->hash = code == KRN_OK ? version->hash : 0;
    if (code == KRN_OK)
        snprintf(mine->source, sizeof mine->source, "%s", version->text);
    if (mine->testing && (mine->hash != before || mine->kind != VERSION))
        end_child(mine);
    if (code != KRN_OK) {
        say(mine, code, version->error.text, NULL);
    } else if (mine->hash != before) {
        mine->trial = note_picture(mine, picture);
        code = send_job(mine, version->text, NULL, picture, ordinal, &version->error);
        if (code != KRN_OK) {
            mine->kind = VERSION;
            take_fault(mine, code, false, version->error.text, NULL);
            end_child(mine);
        }
    }
}

/* Looks at the file now and then. A changed one that stands still is taken in. */
static void look(struct app_mine *mine, const struct app_mine_picture *picture, int ordinal,
                 double now_s)
{
    struct version now;
    if (mine->seen != 0 && now_s - mine->look_s < look_s)
        return;
    read_version(mine->path, mine->home, mine->status.file, &now);
    const bool still = mine->seen == 0 || now.number == mine->seen;
    const bool again = mine->again_s > 0.0 && app_clock_s() >= mine->again_s && !mine->testing;
    mine->seen = now.number;
    mine->look_s = now_s;
    if (still && (now.number != mine->taken || again))
        take_version(mine, &now, picture, ordinal);
    else if (!mine->testing) /* the next one is kept ready */
        (void)start_child(mine, ordinal, NULL);
    free(now.bytes);
}

bool app_mine_follow(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                     struct krn_device *device, const struct app_mine_picture *picture,
                     double now_s)
{
    bool loaded = false;
    if (backend != mine->backend) { /* its code is another backend's */
        end_child(mine);
        forget_good(mine);
        mine->seen = mine->taken = mine->hash = 0;
    }
    mine->backend = backend;
    if (mine->dying.pid > 0 && !app_child_runs(&mine->dying))
        app_child_end(&mine->dying);
    const struct krn_mode mode = {KRN_KERNEL_MINE, mine->good.storage, 1};
    if (mine->good.image != NULL && !krn_device_offers(device, mode)) /* it was lost */
        loaded = load_good(mine, device);
    look(mine, picture, ordinal, now_s);
    if (mine->testing)
        loaded = poll_child(mine, device) || loaded;
    return loaded;
}

enum krn_code app_mine_await(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                             struct krn_device *device, const struct app_mine_picture *picture,
                             bool patient, struct krn_error *error)
{
    const struct timespec moment = {0, 2000000};
    mine->patient = patient;
    do {
        (void)app_mine_follow(mine, backend, ordinal, device, picture, app_clock_s());
        if (app_interrupted())
            return KRN_FAIL(error, KRN_CANCELLED, "The work was cancelled.");
        if (mine->testing)
            nanosleep(&moment, NULL);
    } while (mine->testing);
    return mine->code == KRN_OK ? KRN_OK : KRN_FAIL(error, mine->code, "%s", mine->status.text);
}

enum krn_code app_mine_try(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                           struct krn_device *device, const struct app_mine_picture *picture,
                           bool *tried, struct krn_error *error)
{
    enum krn_code code = KRN_OK;
    *tried = !mine->status.ready || mine->backend != backend;
    if (*tried) /* the device has no kernel of it */
        return KRN_OK;
    const struct picture wanted = note_picture(mine, picture);
    if (mine->testing && mine->kind == TRIAL)
        (void)poll_child(mine, device);
    for (unsigned i = 0; i < mine->tries && i < TRIED; i++)
        if (same_picture(&mine->tried[i], &wanted)) {
            *tried = true;
            return KRN_OK;
        }
    if (mine->kind == TRIAL_FAILED && same_picture(&mine->trial, &wanted)) {
        mine->kind = VERSION; /* tried again when it is asked for again */
        return KRN_FAIL(error, KRN_REFUSED, "%s", mine->why);
    }
    if (mine->testing && (mine->kind == VERSION || same_picture(&mine->trial, &wanted)))
        return KRN_OK;
    if (mine->testing)
        end_child(mine);
    mine->trial = wanted;
    code = send_job(mine, mine->good_source, &mine->good, picture, ordinal, error);
    if (code != KRN_OK)
        end_child(mine);
    return code;
}
