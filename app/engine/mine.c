#define _GNU_SOURCE /* pipe2 */
#include "engine/mine.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/complain.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "command/options.h"

#include "krn/reference.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char child_flag[] = "--mine";

/* The time between two looks at the file; an editor that still writes changes it meanwhile. */
static const double look_s = 0.1;

/* What the process sends: a byte when it begins to compile, and one when it begins to load and run
 * the kernel; then the answer with the compiled kernel behind it. */
enum { PHASES = 2 };

/* The most that it may take until then, to compile, and to load and run the kernel. */
static const double most_s[PHASES + 1] = {30.0, 10.0, 2.0};

struct answer {
    enum krn_code code;
    char text[APP_NOTICE_MAX];
    struct krn_mine mine; /* its image follows */
};

/* --- the process --- */

/* A picture that the kernel has to render. The frame lies within a larger image, whose pixels
 * around it are the guard. */
enum { TESTS = 3, GUARD = 16, MANY_SPHERES = 2000 };

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

static uint8_t *alloc_pixels(int width, int height)
{
    return malloc(4 * (size_t)width * (size_t)height);
}

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

/* Fills the image with bytes that no picture has: on a GPU, those of the book's kernel a byte too
 * far, so that alpha is at the place of red. */
static enum krn_code spoil(struct krn_device *device, const struct test *test,
                           struct krn_error *error)
{
    struct krn_image all = test->all;
    enum krn_code code = KRN_OK;
    if (krn_device_is_host(device)) {
        memset(all.pixels, 0x5a, all.pitch_bytes * (size_t)all.height);
    } else {
        all.pixels = (char *)all.pixels + 1;
        all.width--;
        code = render(device, book, test, &all, error);
    }
    return code == KRN_OK ? krn_device_read(device, &test->all, test->before, error) : code;
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
    test->before = alloc_pixels(wide, high);
    test->after = alloc_pixels(wide, high);
    test->book = alloc_pixels(width, height);
    test->frame = alloc_pixels(width, height);
    if (!test->before || !test->after || !test->book || !test->frame)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify a kernel.");
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
    return spoil(device, test, error);
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

/* Blames the file for a GPU that is lost to this process. */
static enum krn_code blame(enum krn_code code, const char *file, struct krn_error *error)
{
    const struct krn_error why = *error;
    const char *const cure = code == KRN_LOST ? strrchr(why.text, ':') : NULL;
    return cure == NULL
               ? code
               : KRN_FAIL(error, KRN_REFUSED, "%s: %.*s.", file, (int)(cure - why.text), why.text);
}

/* Runs the kernel and judges its picture. Adds the pixels whose bytes are not the book's to *other.
 */
static enum krn_code run_test(struct krn_device *device, const char *file, struct krn_mode mode,
                              const struct test *test, size_t *other, struct krn_error *error)
{
    const int width = test->view.width, height = test->view.height;
    enum krn_code code = blame(render_frame(device, mode, test, error), file, error);
    if (code == KRN_OK)
        code = check_guard(file, test, error);
    if (code != KRN_OK)
        return code;
    cut_out(test, test->after, test->frame);
    for (size_t i = 0; i < 4 * (size_t)width * (size_t)height; i += 4)
        *other += memcmp(test->frame + i, test->book + i, 4) != 0;
    const struct krn_verdict verdict = krn_reference_compare(&test->reference, test->frame);
    const uint8_t *e = verdict.expected, *a = verdict.actual;
    if (verdict.wrong == 0)
        return KRN_OK;
    return KRN_FAIL(error, KRN_REFUSED,
                    "%s renders %zu of %dx%d pixels wrong, the first at (%d, %d): expected "
                    "%d %d %d %d, got %d %d %d %d.",
                    file, verdict.wrong, width, height, verdict.first_x, verdict.first_y, e[0],
                    e[1], e[2], e[3], a[0], a[1], a[2], a[3]);
}

/* Writes bytes to the process that waits for them; without it, ends. */
static void send(int pipe, const void *bytes, size_t count)
{
    for (size_t sent = 0; sent < count;) {
        const ssize_t n = write(pipe, (const char *)bytes + sent, count - sent);
        if (n <= 0 && errno != EINTR)
            _exit(APP_EXIT_FAILED);
        sent += n > 0 ? (size_t)n : 0;
    }
}

/* Compiles and tests the kernel of a job: the names of folder and file, and the text, with a line
 * end behind each name. */
static enum krn_code test_job(struct krn_device *device, char *job, int pipe,
                              const struct test tests[TESTS], struct krn_mine *mine, char *good,
                              size_t size, struct krn_error *error)
{
    const char *const folder = strtok_r(job, "\n", &job), *const file = strtok_r(job, "\n", &job);
    size_t other = 0, all = 0;
    if (folder == NULL || file == NULL)
        return KRN_FAIL(error, KRN_FAILED, "There is no kernel to test.");
    enum krn_code code = krn_device_compile_mine(device, file, job, folder, mine, error);
    send(pipe, "", 1);
    /* What lies in constant memory has room for as many as its file says. */
    const int tests_of_it = mine->storage == KRN_STORAGE_CONSTANT ? TESTS - 1 : TESTS;
    for (int i = 0; code == KRN_OK && i < tests_of_it; i++) {
        const struct krn_image frame = frame_of(&tests[i]);
        code = krn_device_set_scene(device, &tests[i].scene, error);
        if (code == KRN_OK)
            code = blame(krn_device_try_mine(device, mine, file, job, tests[i].pose, &tests[i].view,
                                             &frame, error),
                         file, error);
    }
    if (code == KRN_OK)
        code = krn_device_load_mine(device, mine, error);
    const struct krn_mode mode = {KRN_KERNEL_MINE, mine->storage, 1};
    for (int i = 0; code == KRN_OK && i < tests_of_it; i++) {
        code = krn_device_set_scene(device, &tests[i].scene, error);
        if (code == KRN_OK)
            code = run_test(device, file, mode, &tests[i], &other, error);
        all += (size_t)tests[i].view.width * (size_t)tests[i].view.height;
    }
    if (other == 0)
        snprintf(good, size, "%s: the same picture as the book's kernel", file);
    else
        snprintf(good, size, "%s: right, %zu of %zu pixels rounded otherwise", file, other, all);
    return code;
}

/* Waits for the job, also where it cannot be done: the answer says why. */
static void read_job(char *job, size_t size)
{
    size_t used = 0;
    ssize_t n;
    while (used + 1 < size && (n = read(STDIN_FILENO, job + used, size - used - 1)) != 0)
        used += n > 0 ? (size_t)n : 0;
    job[used] = 0;
}

/* Everything that the process does; its answer goes to the pipe. */
static void test_kernel(enum krn_backend_id backend, int ordinal, int pipe)
{
    static char job[2 * APP_PATH_MAX + KRN_MINE_BYTES_MAX];
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
    read_job(job, sizeof job);
    send(pipe, "", 1);
    if (code == KRN_OK)
        code = test_job(device, job, pipe, tests, &answer.mine, answer.text, sizeof answer.text,
                        &error);
    else
        send(pipe, "", 1);
    answer.code = code;
    if (code != KRN_OK) {
        snprintf(answer.text, sizeof answer.text, "%s", error.text);
        answer.mine.bytes = 0;
    }
    send(pipe, &answer, sizeof answer);
    send(pipe, answer.mine.image, answer.mine.bytes);
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

struct app_mine {
    char path[APP_PATH_MAX];
    struct app_mine_status status;
    uint64_t seen; /* look_at's number at the newest look; 0: there was none */
    double look_s;
    uint64_t taken, hash; /* that number of the version that is known, and its text's; 0: none */
    enum krn_code code;   /* what status.text tells of */
    char source[KRN_MINE_BYTES_MAX + 2]; /* status.source */

    enum krn_backend_id backend;
    struct app_child child, dying; /* the one that tests, and one that has been killed */
    int job;                       /* the end of the pipe that a job goes to; -1: none */
    bool testing;                  /* the job has been sent */
    double phase_s;                /* when the phase began */
    size_t phase;                  /* number of bytes by then */
    char folder[256];              /* of the compiler's files; "": there is none */
    struct krn_mine good;          /* the newest version that has passed */
    char good_hash[APP_MINE_HASH];
};

struct app_mine *app_mine_new(const char *path)
{
    struct app_mine *mine = app_alloc(1, sizeof *mine);
    const char *slash = strrchr(path, '/');
    snprintf(mine->path, sizeof mine->path, "%s", path);
    snprintf(mine->status.file, sizeof mine->status.file, "%s", slash ? slash + 1 : path);
    app_make_printable(mine->status.file);
    for (char *c = mine->status.file; *c != 0; c++) /* compilers read it in quotes */
        *c = *c == '"' || *c == '\\' ? '_' : *c;
    mine->status.source = mine->source;
    mine->job = -1;
    return mine;
}

const struct app_mine_status *app_mine_status(const struct app_mine *mine)
{
    return &mine->status;
}

void app_mine_adapt(const struct app_mine_status *status, struct app_state *state)
{
    if (status->ready && state->mode.kernel == KRN_KERNEL_MINE)
        state->mode.storage = status->storage;
    if (status->ready && state->duel.other.kernel == KRN_KERNEL_MINE)
        state->duel.other.storage = status->storage;
}

static void say(struct app_mine *mine, enum krn_code code, const char *text)
{
    struct app_mine_status *status = &mine->status;
    snprintf(status->text, sizeof status->text, "%s", text);
    app_make_printable(status->text);
    status->fault = code != KRN_OK;
    status->told++;
    mine->code = code;
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
    if (mine->job >= 0)
        close(mine->job);
    mine->job = -1;
    mine->testing = false;
    DIR *folder = mine->folder[0] ? opendir(mine->folder) : NULL;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL)
        closedir(folder);
    if (mine->folder[0])
        rmdir(mine->folder);
    mine->folder[0] = 0;
}

static void forget_good(struct app_mine *mine)
{
    free(mine->good.image);
    memset(&mine->good, 0, sizeof mine->good);
    mine->status.ready = false;
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
        mine->job = ends[1];
    else
        close(ends[1]);
    return code;
}

/* Sends a version to the process. */
static void test_version(struct app_mine *mine, const char *text, int ordinal)
{
    struct krn_error error;
    char head[sizeof mine->folder + APP_MINE_NAME + 2];
    const char *const temporary = getenv("TMPDIR");
    enum krn_code code = start_child(mine, ordinal, &error);
    const bool usable = temporary != NULL && temporary[0] == '/' &&
                        strlen(temporary) < sizeof mine->folder - sizeof "/spherescope-XXXXXX";
    snprintf(mine->folder, sizeof mine->folder, "%s/spherescope-XXXXXX",
             usable ? temporary : "/tmp");
    if (code == KRN_OK && mkdtemp(mine->folder) == NULL)
        code = KRN_FAIL(&error, KRN_FAILED, "The folder %s cannot be made: %s.", mine->folder,
                        strerror(errno));
    if (code != KRN_OK) {
        mine->folder[0] = 0;
        say(mine, code, error.text);
        return;
    }
    snprintf(head, sizeof head, "%s\n%s\n", mine->folder, mine->status.file);
    /* All of it fits into the pipe. A process that has ended is found when it is polled. */
    ssize_t sent = write(mine->job, head, strlen(head));
    if (sent > 0)
        sent = write(mine->job, text, strlen(text));
    (void)sent;
    close(mine->job);
    mine->job = -1;
    mine->testing = true;
    mine->phase = 0;
    mine->phase_s = app_clock_s();
}

/* Says why the process has ended without an answer, or was ended. */
static void tell_of_end(struct app_mine *mine, bool late)
{
    static const char *const took[] = {"its test did not begin in", "its compiler took over",
                                       "its kernel ran for over"},
                             *const while_it[] = {"began", "compiled", "ran the kernel"};
    const int status = mine->child.status;
    char text[APP_NOTICE_MAX], how[80] = "";
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, ": signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (late)
        snprintf(text, sizeof text, "%s was stopped: %s %.0f s.", mine->status.file,
                 took[mine->phase], most_s[mine->phase]);
    else
        snprintf(text, sizeof text, "%s: the process that tests it ended while it %s%s.",
                 mine->status.file, while_it[mine->phase], how);
    say(mine, KRN_REFUSED, text);
}

/* Loads the newest version that has passed. */
static bool load_good(struct app_mine *mine, struct krn_device *device)
{
    struct krn_error error;
    const enum krn_code code = krn_device_load_mine(device, &mine->good, &error);
    if (code != KRN_OK) {
        say(mine, code, error.text);
        forget_good(mine);
        return false;
    }
    mine->status.ready = true;
    mine->status.storage = mine->good.storage;
    memcpy(mine->status.hash, mine->good_hash, sizeof mine->status.hash);
    return true;
}

/* Takes the answer of the process. */
static bool take_answer(struct app_mine *mine, struct krn_device *device)
{
    struct answer answer;
    const char *bytes = mine->child.bytes + PHASES;
    memcpy(&answer, bytes, sizeof answer);
    /* A stray store of the kernel may have met the answer itself. */
    answer.text[sizeof answer.text - 1] = 0;
    answer.mine.kernel[sizeof answer.mine.kernel - 1] = 0;
    if (answer.mine.storage != KRN_STORAGE_CONSTANT)
        answer.mine.storage = KRN_STORAGE_GLOBAL;
    if (answer.code != KRN_OK) {
        say(mine, answer.code, answer.text);
        return false;
    }
    forget_good(mine);
    mine->good = answer.mine;
    mine->good.guarded = NULL; /* the process's own */
    mine->good.image = app_alloc(answer.mine.bytes, 1);
    memcpy(mine->good.image, bytes + sizeof answer, answer.mine.bytes);
    snprintf(mine->good_hash, sizeof mine->good_hash, "%016" PRIx64, mine->hash);
    const bool loaded = load_good(mine, device);
    if (loaded)
        say(mine, KRN_OK, answer.text);
    return loaded;
}

static bool is_complete(const struct app_child *child)
{
    struct answer answer;
    if (child->used < PHASES + sizeof answer)
        return false;
    memcpy(&answer, child->bytes + PHASES, sizeof answer);
    return child->used >= PHASES + sizeof answer + answer.mine.bytes;
}

/* Looks how far the process is. */
static bool poll_child(struct app_mine *mine, struct krn_device *device)
{
    struct app_child *child = &mine->child;
    bool loaded = false;
    const bool open = app_child_read(child);
    const double now_s = app_clock_s();
    const size_t phase = child->used < PHASES ? child->used : PHASES;
    if (phase != mine->phase)
        mine->phase_s = now_s;
    mine->phase = phase;
    if (is_complete(child)) {
        loaded = take_answer(mine, device);
    } else if (!open) {
        app_child_wait(child, 1.0, 1.0);
        tell_of_end(mine, false);
    } else if (now_s - mine->phase_s > most_s[phase]) {
        tell_of_end(mine, true);
    } else {
        return false;
    }
    end_child(mine);
    return loaded;
}

/* --- the file --- */

/* Continues FNV-1a, 64 bits, from `hash`. */
static uint64_t hash_on(uint64_t hash, const void *bytes, size_t count)
{
    for (const unsigned char *at = bytes, *end = at + count; at < end; at++)
        hash = (hash ^ *at) * 0x100000001b3u;
    return hash;
}

static const uint64_t hash_begin = 0xcbf29ce484222325u;

/* Returns a number that changes with the file. */
static uint64_t look_at(const char *path)
{
    struct stat status;
    char text[120];
    if (stat(path, &status) != 0)
        snprintf(text, sizeof text, "%d", errno);
    else
        snprintf(text, sizeof text, "%ju %u %jd %jd %ld", (uintmax_t)status.st_ino,
                 (unsigned)status.st_mode, (intmax_t)status.st_size,
                 (intmax_t)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
    return hash_on(hash_begin, text, strlen(text));
}

/* Takes in another version of the file. */
static void take_version(struct app_mine *mine, int ordinal)
{
    char *bytes = NULL;
    const char *text = NULL;
    size_t count = 0;
    struct krn_error error;
    const uint64_t before = mine->hash;
    mine->taken = mine->seen;
    enum krn_code code =
        app_read_regular(mine->path, NULL, KRN_MINE_BYTES_MAX, &bytes, &count, &error);
    text = bytes;
    if (code == KRN_OK)
        code = app_text_begin(&text, &count, mine->status.file, &error);
    if (code == KRN_OK && text[strspn(text, " \t\r\n")] == 0)
        code = KRN_FAIL(&error, KRN_REFUSED, "%s is empty.", mine->status.file);
    mine->hash = code == KRN_OK ? hash_on(hash_begin, text, count) : 0;
    if (code == KRN_OK)
        snprintf(mine->source, sizeof mine->source, "%s", text);
    if (mine->testing && mine->hash != before)
        end_child(mine);
    if (code != KRN_OK)
        say(mine, code, error.text);
    else if (mine->hash != before)
        test_version(mine, text, ordinal);
    free(bytes);
}

/* Looks at the file now and then; a changed one that stands still is taken in. */
static void look(struct app_mine *mine, int ordinal, double now_s)
{
    if (mine->seen != 0 && now_s - mine->look_s < look_s)
        return;
    const uint64_t now = look_at(mine->path);
    const bool still = mine->seen == 0 || now == mine->seen;
    mine->seen = now;
    mine->look_s = now_s;
    if (still && now != mine->taken)
        take_version(mine, ordinal);
    else if (!mine->testing) /* the next one is kept ready */
        (void)start_child(mine, ordinal, NULL);
}

bool app_mine_follow(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                     struct krn_device *device, double now_s)
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
    look(mine, ordinal, now_s);
    if (mine->testing)
        loaded = poll_child(mine, device) || loaded;
    return loaded;
}

enum krn_code app_mine_await(struct app_mine *mine, enum krn_backend_id backend, int ordinal,
                             struct krn_device *device, struct krn_error *error)
{
    const struct timespec moment = {0, 2000000};
    do {
        (void)app_mine_follow(mine, backend, ordinal, device, app_clock_s());
        if (app_interrupted())
            return KRN_FAIL(error, KRN_CANCELLED, "The work was cancelled.");
        if (mine->testing)
            nanosleep(&moment, NULL);
    } while (mine->testing);
    return mine->code == KRN_OK ? KRN_OK : KRN_FAIL(error, mine->code, "%s", mine->status.text);
}
