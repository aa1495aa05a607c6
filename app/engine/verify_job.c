#include "engine/verify_job.h"

#include "base/memory.h"
#include "base/value.h"
#include "command/command.h"

#include "krn/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURES_MAX = KRN_MODES };

/* Time of a nominal test of the tree in the reference of the light view, in units of
 * app_verify_pixels: 1024x1024 pixels of 20 spheres take it some 0.4 s. */
static const double pixels_per_visit = 0.5;

/* A picture that at least one mode rendered, and the reference's verdict on it. */
struct picture {
    uint64_t hash;
    uint8_t *rgba;
    struct krn_verdict verdict;
};

/* While the thread runs, it owns everything except the two flags. */
struct app_verify_job {
    struct krn_scene scene;
    struct krn_pose pose;
    enum krn_view_kind kind;
    struct krn_view view;
    struct picture pictures[PICTURES_MAX];
    int count;
    enum krn_code code;
    struct krn_error error;
    pthread_t thread;
    bool started;
    atomic_bool cancel, done;
};

double app_verify_pixels(const struct krn_scene *scene, enum krn_view_kind kind,
                         const struct krn_view *view)
{
    const double all = (double)view->width * view->height;
    if (kind == KRN_VIEW_LIGHT) {
        const struct krn_mode tree = {KRN_KERNEL_TREE, KRN_STORAGE_GLOBAL, 1};
        return pixels_per_visit * app_nominal_tests(tree, all, scene->count, &view->light);
    }
    double covered = all;
    for (int i = 0; i < scene->count; i++) {
        const double side = 2.0 * (double)scene->spheres[i].radius / (double)view->unit + 2.0;
        covered += side * side < all ? side * side : all;
    }
    return covered;
}

void app_verdict_text(const struct krn_verdict *verdict, char *text, size_t size)
{
    if (verdict->wrong == 0)
        app_format(text, size,
                   "%zu pixels agree with the double-precision reference, %zu undecidable in float",
                   verdict->compared, verdict->undecidable);
    else
        app_format(text, size,
                   "%zu of %zu pixels are wrong, first (%d, %d): expected %d %d %d, got %d %d %d",
                   verdict->wrong, verdict->compared, verdict->first_x, verdict->first_y,
                   verdict->expected[0], verdict->expected[1], verdict->expected[2],
                   verdict->actual[0], verdict->actual[1], verdict->actual[2]);
}

struct app_verify_job *app_verify_job_new(const struct krn_scene *scene, struct krn_pose pose,
                                          enum krn_view_kind kind, const struct krn_view *view)
{
    struct krn_error error;
    struct app_verify_job *job = app_alloc(1, sizeof *job);
    if (krn_scene_copy(&job->scene, scene, &error) != KRN_OK) {
        free(job);
        return NULL;
    }
    job->pose = pose;
    job->kind = kind;
    job->view = *view;
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

static void *compare(void *argument)
{
    struct app_verify_job *job = argument;
    struct krn_reference reference;
    job->code = job->kind == KRN_VIEW_LIGHT
                    ? krn_reference_light_while(&reference, &job->scene, job->pose, &job->view,
                                                go_on, job, &job->error)
                    : krn_reference_render_while(&reference, &job->scene, job->pose, &job->view,
                                                 go_on, job, &job->error);
    const bool drawn = job->code == KRN_OK;
    for (int i = 0; job->code == KRN_OK && i < job->count; i++) {
        job->pictures[i].verdict = krn_reference_compare(&reference, job->pictures[i].rgba);
        if (krn_cancelled())
            job->code = KRN_FAIL(&job->error, KRN_CANCELLED, "The comparison was cancelled.");
    }
    if (drawn)
        krn_reference_free(&reference);
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
