/* app/engine/verify.c - verifies all modes of a view in small steps: renders each once, compares
 * hashes at once, and leaves distinct pictures to a thread, which compares whole ones with the
 * reference, large ones with the CPU's splat kernel and the reference's rows. */
#include "engine/verify.h"

#include "base/process.h"
#include "command/command.h"
#include "krn/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- a thread that compares pictures --- */

enum { MODES = KRN_MODES_MAX, ROWS = 64 }; /* of a large scene, that are drawn by brute force */

/* Time of a test in the reference of the light view, in units of app_verify_pixels. */
static const double pixels_per_test = 0.15;

/* The same of a pixel of a row by brute force, and of one that the CPU's splat kernel draws. */
static const double pixels_per_brute = 0.4, pixels_per_splat = 0.05;

/* A picture that at least one mode rendered, and the reference's verdict on it. */
struct picture {
    uint64_t hash;
    uint8_t *rgba;
    struct krn_verdict verdict;
    /* Pixels that are not the bytes which all modes of the view promise; counted where `rounds`, or
     * where pictures differ. */
    size_t rounded;
};

/* Pictures of a scene in a pose, drawn as modes of `kind` do, that a thread compares. While it
 * runs, it owns everything except the two flags. */
struct job {
    struct krn_scene scene;
    struct krn_pose pose;
    enum krn_view_kind kind;
    struct krn_view view;
    bool rounds; /* they may round otherwise than all modes of the view promise */
    struct picture pictures[MODES];
    int count;
    enum krn_code code;
    struct krn_error error;
    pthread_t thread;
    bool started;
    atomic_bool cancel, done;
};

/* Returns the number of the host's processors that kernels use. */
static int processors(void)
{
    struct krn_device_info info;
    struct krn_error unread;
    const bool known = krn_backend_get(KRN_BACKEND_CPU)->describe(0, &info, &unread) == KRN_OK;
    return known && info.processors > 0 ? info.processors : 1;
}

static int rows_of(const struct krn_view *view)
{
    return view->height < ROWS ? view->height : ROWS;
}

/* Returns the cost of verifying a large scene. */
static double large_pixels(const struct krn_scene *scene, const struct krn_view *view)
{
    const double width = view->width, height = view->height, unit = (double)view->unit;
    const double rows = rows_of(view), threads = processors();
    double crossed = 0.0, splat = 0.0;
    for (int i = 0; i < scene->count; i++) {
        const double side = 2.0 * (double)scene->spheres[i].radius / unit + 2.0;
        crossed += fmin(side / height, 1.0);
        splat += fmin(side, width) * fmin(side, height);
    }
    return crossed * rows * width * pixels_per_brute / fmin(threads, rows) +
           splat * pixels_per_splat / threads;
}

double app_verify_pixels(const struct krn_scene *scene, enum krn_view_kind kind,
                         const struct krn_view *view)
{
    const double all = (double)view->width * view->height;
    if (scene->count > KRN_LARGE_SPHERES)
        return large_pixels(scene, view);
    if (kind == KRN_VIEW_LIGHT) {
        const struct krn_mode brute = {KRN_KERNEL_BRUTE, KRN_STORAGE_GLOBAL, 1};
        return pixels_per_test *
               fmin(app_nominal_tests(brute, all, scene->count, &view->light), KRN_REFERENCE_TESTS);
    }
    double covered = all;
    for (int i = 0; i < scene->count; i++) {
        const double side = 2.0 * (double)scene->spheres[i].radius / (double)view->unit + 2.0;
        covered += side * side < all ? side * side : all;
    }
    return covered;
}

/* Returns NULL when memory is full. */
static struct job *new_job(const struct krn_scene *scene, struct krn_pose pose,
                           enum krn_view_kind kind, const struct krn_view *view, bool rounds)
{
    struct krn_error error;
    struct job *job = krn_alloc(1, sizeof *job);
    if (krn_scene_copy(&job->scene, scene, &error) != KRN_OK) {
        free(job);
        return NULL;
    }
    job->pose = pose;
    job->kind = kind;
    job->view = *view;
    job->rounds = rounds;
    atomic_init(&job->cancel, false);
    atomic_init(&job->done, false);
    return job;
}

/* Cancels the thread, waits for it and frees the job; NULL is fine. */
static void free_job(struct job *job)
{
    if (job == NULL)
        return;
    if (job->started) {
        atomic_store(&job->cancel, true);
        pthread_join(job->thread, NULL);
    }
    for (int i = 0; i < job->count; i++)
        free(job->pictures[i].rgba);
    krn_scene_free(&job->scene);
    free(job);
}

/* Copies a picture from the device, unless one with the same hash has been copied already. *index:
 * its place. most: different pictures that are kept. Errors: KRN_NO_MEMORY, KRN_FAILED (too many),
 * as krn_device_read. */
static enum krn_code add_picture(struct job *job, struct krn_device *device,
                                 const struct krn_image *image, uint64_t hash, int most, int *index,
                                 struct krn_error *error)
{
    for (*index = 0; *index < job->count; (*index)++)
        if (job->pictures[*index].hash == hash)
            return KRN_OK;
    if (job->count == most)
        return KRN_FAIL(error, KRN_FAILED, "too many different pictures");
    struct picture *picture = &job->pictures[job->count];
    picture->rgba = malloc(4 * (size_t)job->view.width * (size_t)job->view.height);
    if (picture->rgba == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a picture to verify.");
    job->count++;
    picture->hash = hash;
    return krn_device_read(device, image, picture->rgba, error);
}

static bool go_on(void *context)
{
    const struct job *job = context;
    return !atomic_load_explicit(&job->cancel, memory_order_relaxed);
}

static enum krn_code no_memory(const struct krn_view *view, struct krn_error *error)
{
    return KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify %dx%d pixels.", view->width,
                    view->height);
}

/* Draws the whole picture with the CPU's splat kernel, whose bytes all modes of the view give.
 * *rgba is to be freed, and has room for ROWS rows behind the picture. */
static enum krn_code draw_splat(const struct job *job, uint8_t **rgba, struct krn_error *error)
{
    *rgba = malloc(4 * (size_t)job->view.width * ((size_t)job->view.height + ROWS));
    if (*rgba == NULL)
        return no_memory(&job->view, error);
    const struct krn_mode mode = {KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1};
    struct krn_image image = {.pixels = NULL};
    struct krn_device *cpu = NULL;
    enum krn_code code = krn_backend_get(KRN_BACKEND_CPU)->connect(0, &cpu, error);
    KRN_THEN(code, krn_device_alloc_image(cpu, job->view.width, job->view.height, &image, error));
    KRN_THEN(code, krn_device_set_scene(cpu, &job->scene, error));
    KRN_THEN(code, krn_device_set_pose(cpu, job->pose, error));
    KRN_THEN(code, krn_device_render(cpu, mode, &job->view, &image, KRN_UNTIMED, error));
    KRN_THEN(code, krn_device_read(cpu, &image, *rgba, error));
    if (cpu != NULL)
        krn_device_free_image(cpu, &image);
    krn_device_close(cpu);
    return code;
}

/* --- large scenes --- */

/* Rows of the view, and the double-precision reference of them. */
struct band {
    struct job *job;
    int rows[ROWS], count;
    struct krn_reference reference;
    enum krn_code code;
    struct krn_error error;
    pthread_t thread;
    bool started;
};

static void *draw_band(void *argument)
{
    struct band *band = argument;
    struct job *job = band->job;
    band->code = krn_reference_rows(&band->reference, &job->scene, job->pose, &job->view,
                                    band->rows, band->count, go_on, job, &band->error);
    return NULL;
}

/* Draws rows of all parts of the picture, at random in each, on as many threads as there are
 * processors. Returns the number of bands. */
static int draw_bands(struct job *job, struct band bands[ROWS])
{
    const int height = job->view.height, rows = rows_of(&job->view), threads = processors(),
              count = threads < rows ? threads : rows;
    uint64_t random = 1;
    for (int b = 0; b < count; b++) {
        struct band *band = &bands[b];
        *band = (struct band){.job = job};
        for (int r = rows * b / count; r < rows * (b + 1) / count; r++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const int offset = (int)((random >> 33) % (uint64_t)height);
            band->rows[band->count++] = (int)(((long long)r * height + offset) / rows);
        }
        band->started = pthread_create(&band->thread, NULL, draw_band, band) == 0;
        if (!band->started)
            draw_band(band);
    }
    for (int b = 0; b < count; b++)
        if (bands[b].started)
            pthread_join(bands[b].thread, NULL);
    return count;
}

/* Compares every byte of a picture with that of the splat kernel. */
static struct krn_verdict compare_bytes(const struct job *job, const uint8_t *splat,
                                        const uint8_t *rgba)
{
    const size_t width = (size_t)job->view.width, pixels = width * (size_t)job->view.height;
    struct krn_verdict verdict = {.compared = pixels, .first_x = -1, .first_y = -1};
    for (size_t i = 0; i < pixels; i++)
        if (memcmp(splat + 4 * i, rgba + 4 * i, 4) != 0 && verdict.wrong++ == 0) {
            verdict.first_x = (int)(i % width);
            verdict.first_y = (int)(i / width);
            memcpy(verdict.expected, splat + 4 * i, 4);
            memcpy(verdict.actual, rgba + 4 * i, 4);
        }
    return verdict;
}

/* Adds the verdict on the rows of a band. rows: room for them. */
static void judge_band(const struct band *band, struct picture *picture, uint8_t *rows)
{
    const size_t row = 4 * (size_t)band->job->view.width;
    for (int r = 0; r < band->count; r++)
        memcpy(rows + row * (size_t)r, picture->rgba + row * (size_t)band->rows[r], row);
    const struct krn_verdict found = krn_reference_compare(&band->reference, rows),
                             before = picture->verdict;
    if (before.wrong == 0 && found.wrong > 0) {
        picture->verdict = found;
        picture->verdict.first_y = band->rows[found.first_y];
    }
    picture->verdict.compared = before.compared;
    picture->verdict.wrong = before.wrong + found.wrong;
    picture->verdict.undecidable = before.undecidable + found.undecidable;
}

/* Compares the whole pictures with the CPU's splat kernel, and where they agree, some rows with the
 * double-precision reference. */
static enum krn_code compare_large(struct job *job, struct krn_error *error)
{
    const size_t row = 4 * (size_t)job->view.width;
    uint8_t *splat;
    struct band bands[ROWS];
    int count = 0;
    enum krn_code code = draw_splat(job, &splat, error);
    if (code == KRN_OK)
        count = draw_bands(job, bands);
    for (int b = 0; b < count && code == KRN_OK; b++) {
        code = bands[b].code;
        *error = bands[b].error;
    }
    for (int i = 0; code == KRN_OK && i < job->count; i++) {
        struct picture *picture = &job->pictures[i];
        picture->verdict = compare_bytes(job, splat, picture->rgba);
        picture->rounded = picture->verdict.wrong;
        if (job->rounds)
            picture->verdict.wrong = 0;
        const bool agrees = picture->verdict.wrong == 0;
        for (int b = 0; b < count && agrees; b++)
            judge_band(&bands[b], picture, splat + row * (size_t)job->view.height);
    }
    for (int b = 0; b < count; b++)
        krn_reference_free(&bands[b].reference);
    free(splat);
    return code;
}

/* Counts the pixels of each picture that are not those of the splat kernel. */
static enum krn_code count_rounded(struct job *job, struct krn_error *error)
{
    uint8_t *splat;
    enum krn_code code = draw_splat(job, &splat, error);
    for (int i = 0; code == KRN_OK && i < job->count; i++)
        job->pictures[i].rounded = compare_bytes(job, splat, job->pictures[i].rgba).wrong;
    free(splat);
    return code;
}

static void *compare(void *argument)
{
    struct job *job = argument;
    struct krn_reference reference = {.rgba = NULL};
    if (job->scene.count > KRN_LARGE_SPHERES) {
        job->code = compare_large(job, &job->error);
        atomic_store(&job->done, true);
        return NULL;
    }
    const bool light = job->kind == KRN_VIEW_LIGHT;
    if (!light)
        job->code = krn_reference_render(&reference, &job->scene, job->pose, &job->view, go_on, job,
                                         &job->error);
    for (int i = 0; job->code == KRN_OK && i < job->count; i++) {
        struct picture *picture = &job->pictures[i];
        if (light)
            job->code = krn_reference_light(&job->scene, job->pose, &job->view, picture->rgba,
                                            go_on, job, &picture->verdict, &job->error);
        else
            picture->verdict = krn_reference_compare(&reference, picture->rgba);
        if (krn_cancelled())
            job->code = KRN_FAIL(&job->error, KRN_CANCELLED, "The comparison was cancelled.");
    }
    krn_reference_free(&reference);
    if (job->code == KRN_OK && !light && (job->rounds || job->count > 1))
        job->code = count_rounded(job, &job->error);
    atomic_store(&job->done, true);
    return NULL;
}

/* Writes the verdict on a picture as a sentence. */
static void write_verdict(const struct job *job, const struct picture *picture, char *text,
                          size_t size)
{
    const struct krn_verdict *verdict = &picture->verdict;
    if (verdict->wrong == 0 && job->scene.count > KRN_LARGE_SPHERES)
        app_format(text, size,
                   "%zu pixels agree with the CPU's splat kernel, and %d rows of them by brute "
                   "force with the double-precision reference, %zu undecidable in float",
                   verdict->compared, rows_of(&job->view), verdict->undecidable);
    else if (verdict->wrong == 0 && job->kind == KRN_VIEW_LIGHT)
        app_format(text, size,
                   "%zu of %zu pixels were compared and agree with the double-precision reference, "
                   "%zu were undecidable in float",
                   verdict->compared, (size_t)job->view.width * (size_t)job->view.height,
                   verdict->undecidable);
    else if (verdict->wrong == 0)
        app_format(text, size,
                   "%zu pixels agree with the double-precision reference, %zu undecidable in float",
                   verdict->compared, verdict->undecidable);
    else
        app_format(
            text, size,
            "%zu of %zu %spixels are wrong, first (%d, %d): expected %d %d %d, got %d %d %d",
            verdict->wrong, verdict->compared, job->kind == KRN_VIEW_LIGHT ? "compared " : "",
            verdict->first_x, verdict->first_y, verdict->expected[0], verdict->expected[1],
            verdict->expected[2], verdict->actual[0], verdict->actual[1], verdict->actual[2]);
}

/* --- the modes of a view --- */

/* Seconds until a new scene is verified, since a key held down brings many, and until the hashes
 * are compared again. */
static const double settle_s = 0.25, again_s = 5.0;

/* Predicted ms that comparing all hashes again may cost a frame. */
static const double again_ms_max = 8.0;

/* The limits of what a verification may cost. */
struct limits {
    double reference_pixels; /* drawn by the reference */
    double large_pixels;     /* the same of a large scene; 0: none is verified */
    double image_pixels;
    double picture_ms; /* predicted time of one more picture */
    int pictures;      /* number of different ones that are kept */
};

/* In a window, verification must not be noticeable. Where kernels run on the host's processors, the
 * reference competes with them. Without a window, verification may take seconds. */
static const struct limits live = {5e8, 0.0, 64e6, 250.0, 4},
                           live_on_host = {5e7, 0.0, 64e6, 250.0, 4},
                           headless = {1e9, 4e9, HUGE_VAL, HUGE_VAL, KRN_MODES_MAX};

enum phase { WAITING, RENDERING, COMPARING, PAUSED, AGAIN };

struct checked {
    struct krn_mode mode;
    int picture; /* its index in the job; -1: none */
    enum app_verified verified;
    struct krn_verdict verdict; /* as those of struct app_verify_status */
    size_t rounded;
    char text[192];
};

struct app_verify {
    enum phase phase;
    uint32_t epoch; /* the engine's epoch, the backend and the view that the fields below are of */
    enum krn_backend_id backend;
    enum krn_view_kind view;
    double start_s, found_s;
    double motion_s; /* determines the pose of this round */
    struct checked modes[MODES];
    int next; /* the mode to render next */
    bool first_again;
    uint64_t again_hash;
    struct krn_device *device; /* the owner of image; NULL: there is no image */
    struct krn_image image;
    struct job *job;
    char wrong[192];    /* app_engine_mine_wrong */
    enum krn_code code; /* the newest result of a device call; `error` says why it failed */
    struct krn_error error;
};

static void drop_job(struct app_verify *verify)
{
    free_job(verify->job);
    verify->job = NULL;
}

struct app_verify *app_verify_open(void)
{
    return krn_alloc(1, sizeof(struct app_verify));
}

void app_verify_release(struct app_verify *verify)
{
    drop_job(verify);
    if (verify->device != NULL)
        krn_device_free_image(verify->device, &verify->image);
    verify->device = NULL;
    verify->epoch = 0; /* begin anew */
    verify->phase = WAITING;
}

void app_verify_close(struct app_verify *verify)
{
    app_verify_release(verify);
    free(verify);
}

void app_verify_hurry(struct app_verify *verify)
{
    verify->start_s = 0.0;
}

bool app_verify_settled(const struct app_verify *verify)
{
    return verify->phase == PAUSED;
}

bool app_verify_computes(const struct app_verify *verify)
{
    return verify->job != NULL && verify->job->started && !atomic_load(&verify->job->done);
}

/* Returns true for the modes that are verified now; those of another view keep their verdicts. */
static bool in_view(const struct app_verify *verify, int m)
{
    return krn_mode_view(krn_mode_at(m)) == verify->view;
}

/* Gives all modes of the view the same text. */
static void say_all(struct app_verify *verify, const char *text)
{
    for (int m = 0; m < MODES; m++) {
        if (!in_view(verify, m))
            continue;
        verify->modes[m].verified = APP_VERIFIED_UNKNOWN;
        snprintf(verify->modes[m].text, sizeof verify->modes[m].text, "%s", text);
    }
}

static void pause_until_again(struct app_verify *verify, double now_s)
{
    drop_job(verify);
    verify->phase = PAUSED;
    verify->found_s = now_s;
}

/* Returns the view at this round's time: the camera's path stands still with the pose. */
static struct krn_view view_of(const struct app_verify *verify, const struct app_state *state)
{
    struct app_state then = *state;
    then.spec.motion_s = verify->motion_s;
    return app_engine_view(&then);
}

static void begin(struct app_verify *verify, const struct app_engine *engine,
                  const struct app_state *state, double now_s)
{
    const bool view_alone =
        verify->epoch == app_engine_epoch(engine) && verify->backend == state->spec.backend;
    drop_job(verify);
    verify->view = krn_mode_view(state->spec.mode);
    for (int m = 0; m < MODES; m++) {
        struct checked *checked = &verify->modes[m];
        if (!view_alone || in_view(verify, m)) {
            memset(checked, 0, sizeof *checked);
            snprintf(checked->text, sizeof checked->text, "not verified yet");
        }
        checked->mode = krn_mode_at(m);
        checked->picture = in_view(verify, m) ? 0 : -1;
    }
    verify->epoch = app_engine_epoch(engine);
    verify->backend = state->spec.backend;
    verify->phase = WAITING;
    verify->start_s = now_s + settle_s;
}

static double predicted_ms(const struct app_state *state, const struct app_facts *facts,
                           struct krn_mode mode)
{
    struct app_state other = *state;
    other.spec.mode = mode;
    return app_predict_ms(&other, facts);
}

/* Decides which modes are rendered: those whose picture is wanted (picture 0) and worth its cost.
 */
static void choose(struct app_verify *verify, const struct app_engine *engine,
                   const struct app_state *state, const struct app_facts *facts,
                   const struct limits *limits)
{
    for (int m = 0; m < MODES; m++) {
        struct checked *checked = &verify->modes[m];
        struct krn_error error;
        if (checked->picture < 0)
            continue;
        const double ms = facts ? predicted_ms(state, facts, checked->mode) : 0.0;
        checked->picture = -1;
        if (krn_device_check_mode(app_engine_device(engine, state), checked->mode, &error) !=
            KRN_OK)
            snprintf(checked->text, sizeof checked->text, "not verified: %.170s", error.text);
        else if (ms > limits->picture_ms)
            app_format(checked->text, sizeof checked->text,
                       "not verified: one more picture would take %.0f ms", ms);
        else
            checked->picture = 0;
    }
}

/* Begins to render the modes whose pictures are wanted, unless all of it would cost too much. */
static void plan(struct app_verify *verify, const struct app_engine *engine,
                 const struct app_state *state, const struct app_facts *facts,
                 const struct limits *limits, double now_s)
{
    const struct krn_scene *scene = app_engine_scene(engine);
    verify->motion_s = state->spec.motion_s;
    const struct krn_view view = view_of(verify, state);
    const bool large = scene->count > KRN_LARGE_SPHERES;
    const double most = large ? limits->large_pixels : limits->reference_pixels;
    if (large && most <= 0.0) {
        say_all(verify, "not checked: so large a scene is verified by --bench raytrace");
        pause_until_again(verify, now_s);
        return;
    }
    if (app_verify_pixels(scene, verify->view, &view) > most ||
        (double)view.width * view.height > limits->image_pixels) {
        say_all(verify, "not checked: scene too large for this CPU");
        pause_until_again(verify, now_s);
        return;
    }
    verify->job = new_job(scene, krn_pose_at(verify->motion_s), verify->view, &view,
                          verify->backend == KRN_BACKEND_GL);
    if (verify->job == NULL) {
        verify->code = no_memory(&view, &verify->error);
        say_all(verify, "not verified: memory is full");
        pause_until_again(verify, now_s);
        return;
    }
    choose(verify, engine, state, facts, limits);
    verify->next = 0;
    verify->phase = RENDERING;
}

/* Returns the next mode to render, from verify->next on; MODES: none is left. */
static int next_mode(const struct app_verify *verify)
{
    int m = verify->next;
    while (m < MODES && verify->modes[m].picture < 0)
        m++;
    return m;
}

/* Renders one picture on the device, untimed, and computes its hash. Bytes that no picture has are
 * there before, so that a kernel that writes nothing is noticed. */
static enum krn_code render(struct app_verify *verify, const struct app_engine *engine,
                            const struct app_state *state, struct krn_mode mode, uint64_t *hash)
{
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = view_of(verify, state);
    struct krn_error *error = &verify->error;
    enum krn_code code = KRN_OK;
    if (verify->device != device || verify->image.width != view.width ||
        verify->image.height != view.height) {
        if (verify->device != NULL)
            krn_device_free_image(verify->device, &verify->image);
        verify->device = device;
        code = krn_device_alloc_image(device, view.width, view.height, &verify->image, error);
    }
    KRN_THEN(code, krn_device_set_pose(device, krn_pose_at(verify->motion_s), error));
    KRN_THEN(code, krn_device_fill(device, &verify->image, 0x5a, error));
    KRN_THEN(code, krn_device_render(device, mode, &view, &verify->image, KRN_UNTIMED, error));
    KRN_THEN(code, krn_device_hash(device, &verify->image, hash, error));
    return verify->code = code;
}

static void start_thread(struct app_verify *verify, double now_s)
{
    struct job *job = verify->job;
    verify->phase = COMPARING;
    job->started = pthread_create(&job->thread, NULL, compare, job) == 0;
    if (job->started)
        return;
    say_all(verify, "not verified: no thread for it");
    pause_until_again(verify, now_s);
}

/* A driver of OpenGL may round otherwise where it must not, in few pixels of a right picture. */
static void allow(struct checked *checked, size_t rounded)
{
    const double most = 0.001;
    checked->rounded = rounded;
    if ((double)rounded > most * (double)checked->verdict.compared) {
        checked->verified = APP_VERIFIED_UNKNOWN;
        app_format(checked->text, sizeof checked->text,
                   "not verified: this driver rounds %zu of %zu pixels otherwise, more than %g %%",
                   rounded, checked->verdict.compared, 100.0 * most);
    } else if (rounded > 0) {
        app_append(checked->text, sizeof checked->text, ", ", "%zu rounded otherwise", rounded);
    }
}

/* Turns the verdicts on the pictures into those on the modes. */
static void judge(struct app_verify *verify, double now_s)
{
    struct job *job = verify->job;
    int right = -1, right_mode = -1; /* the first picture that the reference accepts */
    pthread_join(job->thread, NULL);
    job->started = false;
    verify->code = job->code;
    if (job->code != KRN_OK)
        verify->error = job->error;
    for (int m = 0; m < MODES; m++) {
        struct checked *checked = &verify->modes[m];
        if (checked->picture < 0)
            continue;
        if (verify->code != KRN_OK) {
            snprintf(checked->text, sizeof checked->text, "not verified: %.170s",
                     verify->error.text);
            continue;
        }
        const struct picture *picture = &job->pictures[checked->picture];
        write_verdict(job, picture, checked->text, sizeof checked->text);
        checked->verdict = picture->verdict;
        checked->verified = checked->verdict.wrong == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_FALSE;
        checked->rounded = 0;
        if (checked->verdict.wrong > 0)
            continue;
        if (verify->backend == KRN_BACKEND_GL) {
            allow(checked, picture->rounded);
        } else if (right < 0) {
            right = checked->picture;
            right_mode = m;
        } else if (checked->picture != right && checked->mode.kernel == KRN_KERNEL_MINE) {
            checked->rounded = picture->rounded;
            app_append(checked->text, sizeof checked->text, ", ", "%zu rounded otherwise",
                       checked->rounded);
        } else if (checked->picture != right) {
            /* The reference tolerates it, but all modes of a view promise the same bytes. */
            char name[64];
            krn_mode_name(verify->modes[right_mode].mode, name, sizeof name);
            checked->verified = APP_VERIFIED_FALSE;
            snprintf(checked->text, sizeof checked->text, "its bytes differ from those of %s",
                     name);
        }
    }
    pause_until_again(verify, now_s);
}

static void render_next(struct app_verify *verify, const struct app_engine *engine,
                        const struct app_state *state, const struct limits *limits, double now_s)
{
    const int m = next_mode(verify);
    if (m == MODES) {
        if (verify->job->count > 0)
            start_thread(verify, now_s);
        else
            pause_until_again(verify, now_s);
        return;
    }
    uint64_t hash = 0;
    if (render(verify, engine, state, verify->modes[m].mode, &hash) == KRN_OK)
        verify->code = add_picture(verify->job, verify->device, &verify->image, hash,
                                   limits->pictures, &verify->modes[m].picture, &verify->error);
    if (verify->code != KRN_OK) {
        char text[192];
        snprintf(text, sizeof text, "not verified: %.170s", verify->error.text);
        say_all(verify, text);
        pause_until_again(verify, now_s);
        return;
    }
    verify->next = m + 1;
}

/* Renders one more picture, or finds that the thread is done. */
static void step(struct app_verify *verify, const struct app_engine *engine,
                 const struct app_state *state, const struct limits *limits, double now_s)
{
    if (verify->phase == RENDERING)
        render_next(verify, engine, state, limits, now_s);
    else if (verify->phase == COMPARING && !app_verify_computes(verify))
        judge(verify, now_s);
}

/* Compares the hashes once more, in another pose; a difference brings the reference again. */
static void render_again(struct app_verify *verify, const struct app_engine *engine,
                         const struct app_state *state, double now_s)
{
    int m = verify->next;
    while (m < MODES &&
           !(in_view(verify, m) && verify->modes[m].verified == APP_VERIFIED_TRUE &&
             verify->modes[m].rounded == 0 &&
             verify->modes[m].mode.kernel != KRN_KERNEL_MINE)) /* may round otherwise */
        m++;
    if (m == MODES) {
        verify->phase = PAUSED;
        verify->found_s = now_s;
        return;
    }
    uint64_t hash = 0;
    const enum krn_code code = render(verify, engine, state, verify->modes[m].mode, &hash);
    if (code != KRN_OK || (!verify->first_again && hash != verify->again_hash)) {
        verify->epoch = 0; /* from the start, with the reference */
        return;
    }
    verify->again_hash = hash;
    verify->first_again = false;
    verify->next = m + 1;
}

/* Storages that are different memories are compared again when that costs next to nothing. */
static bool worth_again(const struct app_verify *verify, const struct app_state *state,
                        const struct app_facts *facts)
{
    double ms = 0;
    int modes = 0;
    for (int m = 0; m < MODES; m++)
        if (in_view(verify, m) && verify->modes[m].verified == APP_VERIFIED_TRUE) {
            ms += predicted_ms(state, facts, verify->modes[m].mode);
            modes++;
        }
    return krn_backend_get(verify->backend)->can->distinct_storages && modes > 1 &&
           ms <= again_ms_max;
}

void app_verify_follow(struct app_verify *verify, const struct app_engine *engine,
                       const struct app_state *state, double now_s)
{
    if (verify->epoch != app_engine_epoch(engine) || verify->backend != state->spec.backend ||
        verify->view != krn_mode_view(state->spec.mode))
        begin(verify, engine, state, now_s);
    snprintf(verify->wrong, sizeof verify->wrong, "%s", app_engine_mine_wrong(engine));
}

void app_verify_frame(struct app_verify *verify, struct app_engine *engine,
                      const struct app_state *state, const struct app_facts *facts, double now_s)
{
    app_verify_follow(verify, engine, state, now_s);
    const struct limits *limits =
        krn_backend_get(verify->backend)->can->host_processors ? &live_on_host : &live;
    switch (verify->phase) {
    case WAITING:
        if (now_s >= verify->start_s)
            plan(verify, engine, state, facts, limits, now_s);
        break;
    case RENDERING:
    case COMPARING:
        step(verify, engine, state, limits, now_s);
        break;
    case PAUSED:
        if (now_s - verify->found_s >= again_s && worth_again(verify, state, facts)) {
            verify->phase = AGAIN;
            verify->next = 0;
            verify->first_again = true;
            verify->motion_s = state->spec.motion_s;
        }
        break;
    case AGAIN:
        render_again(verify, engine, state, now_s);
        break;
    }
}

void app_verify_status(const struct app_verify *verify, enum krn_backend_id backend,
                       struct krn_mode mode, double now_s, struct app_verify_status *status)
{
    memset(status, 0, sizeof *status);
    snprintf(status->text, sizeof status->text, "not verified yet");
    const int index = krn_mode_index(mode);
    if (verify->backend != backend || verify->epoch == 0 || index < 0)
        return;
    const struct checked *checked = &verify->modes[index];
    status->verified = checked->verified;
    if (checked->verified == APP_VERIFIED_FALSE)
        status->verdict = checked->verdict;
    status->rounded = checked->verified == APP_VERIFIED_TRUE ? checked->rounded : 0;
    status->age_s = now_s > verify->found_s ? now_s - verify->found_s : 0;
    snprintf(status->text, sizeof status->text, "%s", checked->text);
    if (mode.kernel == KRN_KERNEL_MINE && verify->wrong[0] != 0) {
        status->verified = APP_VERIFIED_FALSE;
        memcpy(status->text, verify->wrong, sizeof status->text);
    }
}

/* The pixels that a process which repeats another one's work lets the reference draw. */
static const double repeated_pixels = 2e7;

/* Returns true when all pictures have the same bytes and another process compares them. */
static bool leaves_reference(const struct app_verify *verify, const struct app_engine *engine,
                             const struct app_state *state)
{
    const struct krn_view view = app_engine_view(state);
    return verify->job->count == 1 &&
           app_verify_pixels(app_engine_scene(engine), verify->view, &view) > repeated_pixels;
}

void app_verify_begin(struct app_verify *verify, const struct app_engine *engine,
                      const struct app_state *state, const struct krn_mode *modes, int count)
{
    verify->epoch = 0; /* drop what is known of other modes */
    begin(verify, engine, state, 0.0);
    if (count > 0)
        verify->view = krn_mode_view(modes[0]);
    for (int m = 0; m < MODES; m++)
        verify->modes[m].picture = -1;
    for (int i = 0; i < count; i++)
        if (krn_mode_view(modes[i]) == verify->view)
            verify->modes[krn_mode_index(modes[i])].picture = 0;
    plan(verify, engine, state, NULL, &headless, 0.0);
}

bool app_verify_step(struct app_verify *verify, const struct app_engine *engine,
                     const struct app_state *state)
{
    step(verify, engine, state, &headless, 0.0);
    return verify->phase != PAUSED;
}

enum krn_code app_verify_now(const struct app_engine *engine, const struct app_state *state,
                             const struct krn_mode *modes, int count,
                             const struct app_verify_limits *limits,
                             struct app_verify_status *statuses, struct krn_error *error)
{
    const struct timespec moment = {0, 1000000};
    struct app_verify *verify = app_verify_open();
    app_verify_begin(verify, engine, state, modes, count);
    bool more = verify->phase != PAUSED;
    while (more && !app_must_stop() && app_clock_s() < limits->end_s) {
        if (limits->repeats && verify->phase == RENDERING && next_mode(verify) == MODES &&
            leaves_reference(verify, engine, state)) {
            say_all(verify, "not verified: the same bytes from all modes; process 1 compares them "
                            "with the reference");
            pause_until_again(verify, 0.0);
        }
        more = app_verify_step(verify, engine, state);
        if (app_verify_computes(verify))
            nanosleep(&moment, NULL);
    }
    const bool cancelled = verify->code == KRN_CANCELLED;
    if (verify->phase != PAUSED || cancelled)
        say_all(verify,
                app_interrupted() ? "not verified: interrupted" : "not verified: the time was up");
    snprintf(verify->wrong, sizeof verify->wrong, "%s", app_engine_mine_wrong(engine));
    for (int i = 0; i < count; i++)
        app_verify_status(verify, state->spec.backend, modes[i], 0.0, &statuses[i]);
    const enum krn_code code = cancelled ? KRN_OK : verify->code;
    if (code != KRN_OK)
        *error = verify->error;
    app_verify_close(verify);
    return code;
}

/* --- the facts by which numbers are trusted --- */

struct app_trust_facts app_evidence_of_device(const struct app_engine *engine,
                                              enum krn_backend_id backend,
                                              const struct app_conditions *conditions)
{
    const struct krn_device *device = app_engine_connected(engine, backend);
    struct app_trust_facts facts = {
        .core_share = app_engine_core_share(engine, backend),
        .dropped_share = app_engine_late_share(engine, backend),
        .on_battery = conditions->on_battery,
        .display_waits = conditions->display_waits,
        .heat_map = conditions->heat_map,
        .overhead_ms = device != NULL ? krn_device_overheads(device).empty_kernel_ms : 0.0,
    };
    struct krn_telemetry_reading newest;
    if (conditions->telemetry == NULL)
        app_engine_telemetry(engine, backend, &newest);
    app_trust_telemetry(&facts, conditions->telemetry ? conditions->telemetry : &newest,
                        conditions->since);
    if (device != NULL && conditions->gl != NULL)
        app_trust_screen(&facts, &krn_device_describe(device)->can, conditions->gl,
                         conditions->blit);
    return facts;
}

struct app_trust_facts app_evidence_of_mode(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode,
                                            const struct app_conditions *conditions,
                                            enum app_verified verified)
{
    struct app_trust_facts facts = app_evidence_of_device(engine, backend, conditions);
    const double own_ms = app_engine_overhead(engine, backend, mode).ms;
    facts.has_picture = true;
    facts.verified = verified;
    if (own_ms > 0.0)
        facts.overhead_ms = own_ms;
    return facts;
}

struct app_mode_time app_evidence_time(const struct app_engine *engine, enum krn_backend_id backend,
                                       struct krn_mode mode, const struct krn_series *series,
                                       const struct app_conditions *conditions,
                                       const struct app_verify_status *verified)
{
    const struct krn_device *device = app_engine_connected(engine, backend);
    struct app_trust_facts facts =
        app_evidence_of_mode(engine, backend, mode, conditions, verified->verified);
    struct app_mode_time time = {
        .valid = series->count > 0,
        .backend = backend,
        .mode = mode,
        .ms = krn_series_summary(series),
        .overhead_ms = app_engine_overhead(engine, backend, mode).ms,
        .tick_ms = device != NULL ? krn_device_overheads(device).tick_ms : 0.0,
        .regime = app_engine_regime(engine, backend, mode),
        .scope = app_engine_scope(engine, backend, mode.kernel),
        .verified = verified->verified,
    };
    memcpy(time.verified_text, verified->text, sizeof time.verified_text);
    const struct krn_limit limit = app_engine_limit(engine, backend);
    if (time.valid)
        time.median =
            app_estimate_of_run(time.ms.median, krn_series_interval(series), time.tick_ms);
    time.net = app_estimate_net(time.median, app_engine_overhead(engine, backend, mode));
    time.of_limit = app_of_limit(time.net.value, &limit);
    if (krn_kernel_describe(mode.kernel)->bins)
        time.binning_ms = krn_series_summary(app_engine_binning(engine, backend, mode)).median;
    app_trust_series(&facts, series);
    time.median.trust = app_trust_find(&facts);
    return time;
}
