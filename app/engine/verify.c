/* app/engine/verify.c - verifies all modes of a view in small steps: renders each once, compares
 * hashes at once, and leaves distinct pictures to a thread. */
#include "engine/verify.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "command/command.h"
#include "engine/verify_job.h"
#include "krn/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

enum { MODES = KRN_MODES_MAX };

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
    struct app_verify_job *job;
    char wrong[192];    /* app_engine_mine_wrong */
    enum krn_code code; /* the newest result of a device call; `error` says why it failed */
    struct krn_error error;
};

static void drop_job(struct app_verify *verify)
{
    app_verify_job_free(verify->job);
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
    return verify->job != NULL && app_verify_job_running(verify->job);
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
    verify->job = app_verify_job_new(scene, krn_pose_at(verify->motion_s), verify->view, &view,
                                     verify->backend == KRN_BACKEND_GL);
    if (verify->job == NULL) {
        verify->code = KRN_FAIL(&verify->error, KRN_NO_MEMORY, "No memory to verify %dx%d pixels.",
                                view.width, view.height);
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
    verify->phase = COMPARING;
    if (app_verify_job_start(verify->job))
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
    int right = -1, right_mode = -1; /* the first picture that the reference accepts */
    verify->code = app_verify_job_finish(verify->job, &verify->error);
    for (int m = 0; m < MODES; m++) {
        struct checked *checked = &verify->modes[m];
        if (checked->picture < 0)
            continue;
        if (verify->code != KRN_OK) {
            snprintf(checked->text, sizeof checked->text, "not verified: %.170s",
                     verify->error.text);
            continue;
        }
        const struct krn_verdict *verdict = app_verify_job_verdict(verify->job, checked->picture);
        app_verify_job_text(verify->job, checked->picture, checked->text, sizeof checked->text);
        checked->verified = verdict->wrong == 0 ? APP_VERIFIED_TRUE : APP_VERIFIED_FALSE;
        checked->verdict = *verdict;
        checked->rounded = 0;
        if (verdict->wrong > 0)
            continue;
        if (verify->backend == KRN_BACKEND_GL) {
            allow(checked, app_verify_job_rounded(verify->job, checked->picture));
        } else if (right < 0) {
            right = checked->picture;
            right_mode = m;
        } else if (checked->picture != right && checked->mode.kernel == KRN_KERNEL_MINE) {
            checked->rounded = app_verify_job_rounded(verify->job, checked->picture);
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
        if (app_verify_job_pictures(verify->job) > 0)
            start_thread(verify, now_s);
        else
            pause_until_again(verify, now_s);
        return;
    }
    uint64_t hash = 0;
    if (render(verify, engine, state, verify->modes[m].mode, &hash) == KRN_OK)
        verify->code =
            app_verify_job_add(verify->job, verify->device, &verify->image, hash, limits->pictures,
                               &verify->modes[m].picture, &verify->error);
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
    else if (verify->phase == COMPARING && !app_verify_job_running(verify->job))
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
    return app_verify_job_pictures(verify->job) == 1 &&
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
