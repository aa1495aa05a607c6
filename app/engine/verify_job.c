/* app/engine/verify_job.c - the thread that compares pictures: whole ones with the reference, large
 * ones with the CPU's splat kernel and the reference's rows. */
#include "engine/verify_job.h"

#include "command/command.h"
#include "krn/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURES_MAX = KRN_MODES_MAX, ROWS = 64 };

/* Time of a test in the reference of the light view, in units of app_verify_pixels. */
static const double pixels_per_test = 0.15;

/* The same of a pixel of a row by brute force, and of one that the CPU's splat kernel draws. */
static const double pixels_per_brute = 0.4, pixels_per_splat = 0.05;

/* A picture that at least one mode rendered, and the reference's verdict on it. */
struct picture {
    uint64_t hash;
    uint8_t *rgba;
    struct krn_verdict verdict;
    size_t rounded; /* app_verify_job_rounded */
};

/* While the thread runs, it owns everything except the two flags. */
struct app_verify_job {
    struct krn_scene scene;
    struct krn_pose pose;
    enum krn_view_kind kind;
    struct krn_view view;
    bool rounds;
    struct picture pictures[PICTURES_MAX];
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

struct app_verify_job *app_verify_job_new(const struct krn_scene *scene, struct krn_pose pose,
                                          enum krn_view_kind kind, const struct krn_view *view,
                                          bool rounds)
{
    struct krn_error error;
    struct app_verify_job *job = krn_alloc(1, sizeof *job);
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

void app_verify_job_free(struct app_verify_job *job)
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

enum krn_code app_verify_job_add(struct app_verify_job *job, struct krn_device *device,
                                 const struct krn_image *image, uint64_t hash, int most, int *index,
                                 struct krn_error *error)
{
    for (*index = 0; *index < job->count; (*index)++)
        if (job->pictures[*index].hash == hash)
            return KRN_OK;
    if (job->count == most || job->count == PICTURES_MAX)
        return KRN_FAIL(error, KRN_FAILED, "too many different pictures");
    struct picture *picture = &job->pictures[job->count];
    picture->rgba = malloc(4 * (size_t)job->view.width * (size_t)job->view.height);
    if (picture->rgba == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "No memory for a picture to verify.");
    job->count++;
    picture->hash = hash;
    return krn_device_read(device, image, picture->rgba, error);
}

int app_verify_job_pictures(const struct app_verify_job *job)
{
    return job->count;
}

static bool go_on(void *context)
{
    const struct app_verify_job *job = context;
    return !atomic_load_explicit(&job->cancel, memory_order_relaxed);
}

/* Draws the whole picture with the CPU's splat kernel, whose bytes all modes of the view give. */
static enum krn_code draw_splat(const struct app_verify_job *job, uint8_t *rgba,
                                struct krn_error *error)
{
    const struct krn_mode mode = {KRN_KERNEL_SPLAT, KRN_STORAGE_GLOBAL, 1};
    struct krn_image image = {.pixels = NULL};
    struct krn_device *cpu = NULL;
    enum krn_code code = krn_backend_get(KRN_BACKEND_CPU)->connect(0, &cpu, error);
    KRN_THEN(code, krn_device_alloc_image(cpu, job->view.width, job->view.height, &image, error));
    KRN_THEN(code, krn_device_set_scene(cpu, &job->scene, error));
    KRN_THEN(code, krn_device_set_pose(cpu, job->pose, error));
    KRN_THEN(code, krn_device_render(cpu, mode, &job->view, &image, KRN_UNTIMED, error));
    KRN_THEN(code, krn_device_read(cpu, &image, rgba, error));
    if (cpu != NULL)
        krn_device_free_image(cpu, &image);
    krn_device_close(cpu);
    return code;
}

/* --- large scenes --- */

/* Rows of the view, and the double-precision reference of them. */
struct band {
    struct app_verify_job *job;
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
    struct app_verify_job *job = band->job;
    band->code = krn_reference_rows(&band->reference, &job->scene, job->pose, &job->view,
                                    band->rows, band->count, go_on, job, &band->error);
    return NULL;
}

/* Draws rows of all parts of the picture, at random in each, on as many threads as there are
 * processors. Returns the number of bands. */
static int draw_bands(struct app_verify_job *job, struct band bands[ROWS])
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
static struct krn_verdict compare_bytes(const struct app_verify_job *job, const uint8_t *splat,
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
static enum krn_code compare_large(struct app_verify_job *job, struct krn_error *error)
{
    const size_t row = 4 * (size_t)job->view.width;
    uint8_t *splat = malloc(row * (size_t)job->view.height), *rows = malloc(row * ROWS);
    struct band bands[ROWS];
    int count = 0;
    enum krn_code code = splat != NULL && rows != NULL
                             ? draw_splat(job, splat, error)
                             : KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify %dx%d pixels.",
                                        job->view.width, job->view.height);
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
            judge_band(&bands[b], picture, rows);
    }
    for (int b = 0; b < count; b++)
        krn_reference_free(&bands[b].reference);
    free(splat);
    free(rows);
    return code;
}

/* Counts the pixels of each picture that are not those of the splat kernel. */
static enum krn_code count_rounded(struct app_verify_job *job, struct krn_error *error)
{
    uint8_t *splat = malloc(4 * (size_t)job->view.width * (size_t)job->view.height);
    enum krn_code code = splat != NULL
                             ? draw_splat(job, splat, error)
                             : KRN_FAIL(error, KRN_NO_MEMORY, "No memory to verify %dx%d pixels.",
                                        job->view.width, job->view.height);
    for (int i = 0; code == KRN_OK && i < job->count; i++)
        job->pictures[i].rounded = compare_bytes(job, splat, job->pictures[i].rgba).wrong;
    free(splat);
    return code;
}

static void *compare(void *argument)
{
    struct app_verify_job *job = argument;
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

bool app_verify_job_start(struct app_verify_job *job)
{
    job->started = pthread_create(&job->thread, NULL, compare, job) == 0;
    return job->started;
}

bool app_verify_job_running(const struct app_verify_job *job)
{
    return job->started && !atomic_load(&job->done);
}

enum krn_code app_verify_job_finish(struct app_verify_job *job, struct krn_error *error)
{
    if (job->started)
        pthread_join(job->thread, NULL);
    job->started = false;
    if (job->code != KRN_OK)
        *error = job->error;
    return job->code;
}

const struct krn_verdict *app_verify_job_verdict(const struct app_verify_job *job, int index)
{
    return &job->pictures[index].verdict;
}

size_t app_verify_job_rounded(const struct app_verify_job *job, int index)
{
    return job->pictures[index].rounded;
}

void app_verify_job_text(const struct app_verify_job *job, int index, char *text, size_t size)
{
    const struct krn_verdict *verdict = app_verify_job_verdict(job, index);
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
