#include "engine/verify.h"

#include "base/value.h"
#include "command/command.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scene must have stayed for a moment: one key after another brings many. */
static const double settle_s = 0.25, again_s = 5.0;

/* What one more picture may cost a frame, and what the thread may take of the machine: on the CPU
 * backend it takes it from the kernels. */
static const double picture_ms_max = 250.0, again_ms_max = 8.0;
static const double reference_pixels_max = 5e8, reference_pixels_max_shared = 5e7;
static const double image_pixels_max = 64e6;

enum { MODES = KRN_MODES, PICTURES_MAX = 4 };

/* A picture that some mode gave, and what the reference says of it. */
struct picture {
    uint64_t hash;
    uint8_t *rgba;
    struct krn_verdict verdict;
};

/* What the thread works on; nobody else touches it until `done`. */
struct job {
    struct krn_scene scene;
    struct krn_pose pose;
    struct krn_view view;
    struct picture pictures[PICTURES_MAX];
    int count;
    enum krn_code code;
    struct krn_error error;
    atomic_bool cancel, done;
};

enum phase { WAITING, RENDERING, COMPARING, RESTING, AGAIN };

struct checked {
    struct krn_mode mode;
    int picture; /* of the job; -1: none */
    enum app_verified verified;
    char text[192];
};

struct app_verify {
    enum phase phase;
    uint32_t epoch; /* of the engine, and the backend, that all below is about */
    enum krn_backend_id backend;
    double start_s, found_s;
    double motion_s; /* the pose of this round */
    struct checked modes[MODES];
    int next; /* mode to render */
    bool first_again;
    uint64_t again_hash;
    struct krn_device *device; /* that image belongs to */
    struct krn_image image;
    struct job *job;
    pthread_t thread;
    bool running;
};

double app_verify_pixels(const struct krn_scene *scene, const struct krn_view *view)
{
    const double all = (double)view->width * view->height;
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

static bool go_on(void *context)
{
    const struct job *job = context;
    return !atomic_load_explicit(&job->cancel, memory_order_relaxed);
}

static void *compare(void *argument)
{
    struct job *job = argument;
    struct krn_reference reference;
    job->code = krn_reference_render_while(&reference, &job->scene, job->pose, &job->view, go_on,
                                           job, &job->error);
    for (int i = 0; job->code == KRN_OK && i < job->count; i++)
        job->pictures[i].verdict = krn_reference_compare(&reference, job->pictures[i].rgba);
    if (job->code == KRN_OK)
        krn_reference_free(&reference);
    atomic_store(&job->done, true);
    return NULL;
}

static void drop_job(struct app_verify *verify)
{
    struct job *job = verify->job;
    if (job == NULL)
        return;
    if (verify->running) {
        atomic_store(&job->cancel, true);
        pthread_join(verify->thread, NULL);
        verify->running = false;
    }
    for (int i = 0; i < job->count; i++)
        free(job->pictures[i].rgba);
    krn_scene_free(&job->scene);
    free(job);
    verify->job = NULL;
}

struct app_verify *app_verify_open(void)
{
    return calloc(1, sizeof(struct app_verify));
}

void app_verify_release(struct app_verify *verify)
{
    if (verify == NULL)
        return;
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

bool app_verify_settled(const struct app_verify *verify)
{
    return verify == NULL || verify->phase == RESTING;
}

bool app_verify_computes(const struct app_verify *verify)
{
    return verify != NULL && verify->running && !atomic_load(&verify->job->done);
}

/* All modes with the same words. */
static void say_all(struct app_verify *verify, const char *text)
{
    for (int m = 0; m < MODES; m++) {
        verify->modes[m].verified = APP_VERIFIED_UNKNOWN;
        snprintf(verify->modes[m].text, sizeof verify->modes[m].text, "%s", text);
    }
}

static void rest(struct app_verify *verify, double now_s)
{
    drop_job(verify);
    verify->phase = RESTING;
    verify->found_s = now_s;
}

static void begin(struct app_verify *verify, const struct app_engine *engine,
                  const struct app_state *state, double now_s)
{
    drop_job(verify);
    memset(verify->modes, 0, sizeof verify->modes);
    for (int m = 0; m < MODES; m++) {
        verify->modes[m].mode = krn_mode_at(m);
        verify->modes[m].picture = -1;
    }
    say_all(verify, "not verified yet");
    verify->epoch = app_engine_epoch(engine);
    verify->backend = state->backend;
    verify->phase = WAITING;
    verify->start_s = now_s + settle_s;
}

static double predicted_ms(const struct app_state *state, const struct app_facts *facts,
                           struct krn_mode mode)
{
    struct app_state other = *state;
    other.mode = mode;
    return app_predict_ms(&other, facts);
}

/* Decides what is worth it. */
static void plan(struct app_verify *verify, const struct app_engine *engine,
                 const struct app_state *state, const struct app_facts *facts, double now_s)
{
    char text[192];
    const struct krn_scene *scene = app_engine_scene(engine);
    const struct krn_view view = app_engine_current_view(engine);
    const double covered = app_verify_pixels(scene, &view);
    const double pixels = (double)view.width * view.height;
    struct job *job = calloc(1, sizeof *job);
    struct krn_error error;
    const double covered_max = krn_backend_get(verify->backend)->can->host_processors
                                   ? reference_pixels_max_shared
                                   : reference_pixels_max;
    if (covered > covered_max || pixels > image_pixels_max) {
        app_format(text, sizeof text, "not verified: the reference would draw %.2g pixels",
                   covered);
        say_all(verify, text);
        free(job);
        rest(verify, now_s);
        return;
    }
    verify->job = job;
    if (job == NULL || krn_scene_alloc(&job->scene, scene->count, &error) != KRN_OK) {
        say_all(verify, "not verified: memory is full");
        rest(verify, now_s);
        return;
    }
    memcpy(job->scene.spheres, scene->spheres, (size_t)scene->count * sizeof *scene->spheres);
    atomic_init(&job->cancel, false);
    atomic_init(&job->done, false);
    verify->motion_s = state->motion_s;
    job->pose = krn_pose_at(verify->motion_s);
    job->view = view;
    for (int m = 0; m < MODES; m++) {
        struct checked *checked = &verify->modes[m];
        const double ms = predicted_ms(state, facts, checked->mode);
        if (krn_mode_check(checked->mode, scene->count, &error) != KRN_OK)
            snprintf(checked->text, sizeof checked->text, "not verified: %.170s", error.text);
        else if (ms > picture_ms_max)
            app_format(checked->text, sizeof checked->text,
                       "not verified: one more picture would take %.0f ms", ms);
        else
            checked->picture = 0;
    }
    verify->next = 0;
    verify->phase = RENDERING;
}

/* The next mode to be rendered, from verify->next on; MODES: none. */
static int next_mode(const struct app_verify *verify)
{
    int m = verify->next;
    while (m < MODES && verify->modes[m].picture < 0)
        m++;
    return m;
}

/* One picture on the device, hashed. */
static enum krn_code render(struct app_verify *verify, struct app_engine *engine,
                            const struct app_state *state, struct krn_mode mode, uint64_t *hash,
                            struct krn_error *error)
{
    struct krn_device *device = app_engine_device(engine, state);
    const struct krn_view view = app_engine_current_view(engine);
    enum krn_code code = KRN_OK;
    if (verify->device != device || verify->image.width != view.width ||
        verify->image.height != view.height) {
        if (verify->device != NULL)
            krn_device_free_image(verify->device, &verify->image);
        verify->device = device;
        code = krn_device_alloc_image(device, view.width, view.height, &verify->image, error);
    }
    if (code == KRN_OK)
        code = krn_device_set_pose(device, krn_pose_at(verify->motion_s), error);
    if (code == KRN_OK)
        code = krn_device_render(device, mode, &view, &verify->image, KRN_UNTIMED, error);
    if (code == KRN_OK)
        code = krn_device_hash(device, &verify->image, hash, error);
    return code;
}

/* Keeps the picture just rendered when it is a new one. */
static enum krn_code keep(struct app_verify *verify, uint64_t hash, int *index,
                          struct krn_error *error)
{
    struct job *job = verify->job;
    for (*index = 0; *index < job->count; (*index)++)
        if (job->pictures[*index].hash == hash)
            return KRN_OK;
    if (job->count == PICTURES_MAX)
        return KRN_FAIL(error, KRN_FAILED, "too many different pictures");
    struct picture *picture = &job->pictures[job->count];
    picture->rgba = malloc(4 * (size_t)job->view.width * (size_t)job->view.height);
    if (picture->rgba == NULL)
        return KRN_FAIL(error, KRN_NO_MEMORY, "memory is full");
    job->count++;
    picture->hash = hash;
    return krn_device_read(verify->device, &verify->image, picture->rgba, error);
}

static void start_thread(struct app_verify *verify, double now_s)
{
    verify->running = pthread_create(&verify->thread, NULL, compare, verify->job) == 0;
    verify->phase = COMPARING;
    if (verify->running)
        return;
    say_all(verify, "not verified: no thread for it");
    rest(verify, now_s);
}

/* The thread's verdicts become the modes'. */
static void judge(struct app_verify *verify, double now_s)
{
    const struct job *job = verify->job;
    pthread_join(verify->thread, NULL);
    verify->running = false;
    int right = -1, right_mode = -1; /* the first picture that the reference accepts */
    for (int m = 0; m < MODES; m++) {
        struct checked *checked = &verify->modes[m];
        if (checked->picture < 0)
            continue;
        if (job->code != KRN_OK) {
            snprintf(checked->text, sizeof checked->text, "not verified: %.170s", job->error.text);
            continue;
        }
        const struct krn_verdict *verdict = &job->pictures[checked->picture].verdict;
        app_verdict_text(verdict, checked->text, sizeof checked->text);
        checked->verified = verdict->wrong == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_FALSE;
        if (verdict->wrong > 0)
            continue;
        if (right < 0) {
            right = checked->picture;
            right_mode = m;
        } else if (checked->picture != right) {
            /* within the reference's tolerance, but one picture is promised, byte by byte */
            char name[64];
            krn_mode_name(verify->modes[right_mode].mode, name, sizeof name);
            checked->verified = APP_VERIFIED_FALSE;
            snprintf(checked->text, sizeof checked->text, "its bytes differ from those of %s",
                     name);
        }
    }
    rest(verify, now_s);
}

static void render_next(struct app_verify *verify, struct app_engine *engine,
                        const struct app_state *state, double now_s)
{
    const int m = next_mode(verify);
    if (m == MODES) {
        if (verify->job->count > 0)
            start_thread(verify, now_s);
        else
            rest(verify, now_s);
        return;
    }
    uint64_t hash = 0;
    struct krn_error error;
    enum krn_code code = render(verify, engine, state, verify->modes[m].mode, &hash, &error);
    if (code == KRN_OK)
        code = keep(verify, hash, &verify->modes[m].picture, &error);
    if (code != KRN_OK) {
        char text[192];
        snprintf(text, sizeof text, "not verified: %.170s", error.text);
        say_all(verify, text);
        rest(verify, now_s);
        return;
    }
    verify->next = m + 1;
}

/* The hashes once more, at another pose; a difference brings the reference again. */
static void render_again(struct app_verify *verify, struct app_engine *engine,
                         const struct app_state *state, double now_s)
{
    int m = verify->next;
    while (m < MODES && verify->modes[m].verified != APP_VERIFIED_TRUE)
        m++;
    if (m == MODES) {
        verify->phase = RESTING;
        verify->found_s = now_s;
        return;
    }
    uint64_t hash = 0;
    struct krn_error error;
    const enum krn_code code = render(verify, engine, state, verify->modes[m].mode, &hash, &error);
    if (code != KRN_OK || (!verify->first_again && hash != verify->again_hash)) {
        verify->epoch = 0; /* from the start, with the reference */
        return;
    }
    verify->again_hash = hash;
    verify->first_again = false;
    verify->next = m + 1;
}

/* A GPU's storages are compared again when all of it is next to nothing. */
static bool worth_again(const struct app_verify *verify, const struct app_state *state,
                        const struct app_facts *facts)
{
    double ms = 0;
    int modes = 0;
    for (int m = 0; m < MODES; m++)
        if (verify->modes[m].verified == APP_VERIFIED_TRUE) {
            ms += predicted_ms(state, facts, verify->modes[m].mode);
            modes++;
        }
    return krn_backend_get(verify->backend)->can->distinct_storages && modes > 1 &&
           ms <= again_ms_max;
}

void app_verify_follow(struct app_verify *verify, const struct app_engine *engine,
                       const struct app_state *state, double now_s)
{
    if (verify != NULL &&
        (verify->epoch != app_engine_epoch(engine) || verify->backend != state->backend))
        begin(verify, engine, state, now_s);
}

void app_verify_frame(struct app_verify *verify, struct app_engine *engine,
                      const struct app_state *state, const struct app_facts *facts, double now_s)
{
    if (verify == NULL)
        return;
    app_verify_follow(verify, engine, state, now_s);
    switch (verify->phase) {
    case WAITING:
        if (now_s >= verify->start_s)
            plan(verify, engine, state, facts, now_s);
        break;
    case RENDERING:
        render_next(verify, engine, state, now_s);
        break;
    case COMPARING:
        if (atomic_load(&verify->job->done))
            judge(verify, now_s);
        break;
    case RESTING:
        if (now_s - verify->found_s >= again_s && worth_again(verify, state, facts)) {
            verify->phase = AGAIN;
            verify->next = 0;
            verify->first_again = true;
            verify->motion_s = state->motion_s;
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
    if (verify == NULL || verify->backend != backend || verify->epoch == 0 || index < 0)
        return;
    const struct checked *checked = &verify->modes[index];
    status->verified = checked->verified;
    status->age_s = now_s > verify->found_s ? now_s - verify->found_s : 0;
    snprintf(status->text, sizeof status->text, "%s", checked->text);
}
