#include "engine/engine.h"

#include "command/mode.h"
#include "engine/scene_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum krn_code connect(struct app_engine *engine, enum krn_backend_id id,
                             struct krn_error *error)
{
    if (engine->devices[id])
        return KRN_OK;
    engine->uploaded[id] = 0;
    const enum krn_code code = krn_backend_get(id)->connect(
        id == KRN_BACKEND_CUDA ? engine->ordinal : 0, &engine->devices[id], error);
    if (code == KRN_OK && id == KRN_BACKEND_CUDA)
        engine->telemetry = krn_telemetry_open(krn_device_describe(engine->devices[id])->pci_id);
    return code;
}

enum krn_code app_engine_open(struct app_engine *engine, const struct app_run *run,
                              struct app_state *state, char notice[APP_NOTICE_MAX],
                              struct krn_error *error)
{
    memset(engine, 0, sizeof *engine);
    engine->ordinal = run->device;
    engine->band_percent = run->band_percent;
    notice[0] = '\0';
    if (run->backend >= 0) {
        state->backend = (enum krn_backend_id)run->backend;
        return connect(engine, state->backend, error);
    }
    state->backend = KRN_BACKEND_CUDA;
    struct krn_error why;
    if (connect(engine, KRN_BACKEND_CUDA, &why) == KRN_OK)
        return KRN_OK;
    snprintf(notice, APP_NOTICE_MAX, "%s", why.text);
    state->backend = KRN_BACKEND_CPU;
    return connect(engine, KRN_BACKEND_CPU, error);
}

void app_engine_close(struct app_engine *engine)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        app_engine_drop(engine, (enum krn_backend_id)id);
    krn_scene_free(&engine->scene);
}

void app_engine_drop(struct app_engine *engine, enum krn_backend_id backend)
{
    if (engine->spares != NULL && engine->spares == engine->devices[backend]) {
        krn_device_free_image(engine->spares, &engine->spare);
        engine->spares = NULL;
    }
    if (backend == KRN_BACKEND_CUDA) {
        krn_telemetry_close(engine->telemetry);
        engine->telemetry = NULL;
    }
    engine->background_busy = false; /* its reading is lost with the device */
    engine->background_ms = -1.0;
    krn_device_close(engine->devices[backend]);
    engine->devices[backend] = NULL;
    engine->uploaded[backend] = 0;
    memset(engine->series[backend], 0, sizeof engine->series[backend]);
    memset(engine->background[backend], 0, sizeof engine->background[backend]);
    krn_series_clear(&engine->bins[backend]);
}

/* Numbers of another scene or view are not this one's. The trace keeps them: it is a history. */
static void begin_epoch(struct app_engine *engine)
{
    engine->epoch++;
    app_duel_stop(&engine->duel);
    memset(engine->series, 0, sizeof engine->series);
    memset(engine->bins, 0, sizeof engine->bins);
    memset(engine->background, 0, sizeof engine->background);
}

static bool same_scene(const struct app_state *a, const struct app_state *b)
{
    if (a->scene != b->scene)
        return false;
    if (a->scene == APP_SCENE_FILE)
        return strcmp(a->scene_path, b->scene_path) == 0;
    return a->recipe.count == b->recipe.count && a->recipe.seed == b->recipe.seed &&
           a->recipe.radius_min == b->recipe.radius_min &&
           a->recipe.radius_max == b->recipe.radius_max;
}

static enum krn_code load_scene(struct app_engine *engine, const struct app_state *state,
                                struct krn_error *error)
{
    if (engine->serial > 0 && same_scene(&engine->chosen, state))
        return KRN_OK;
    struct krn_scene scene = {NULL, 0};
    const enum krn_code code = state->scene == APP_SCENE_FILE
                                   ? app_scene_read(state->scene_path, &scene, error)
                                   : krn_scene_generate(&scene, &state->recipe, error);
    if (code != KRN_OK)
        return code;
    krn_scene_free(&engine->scene);
    engine->scene = scene;
    engine->chosen = *state;
    engine->serial++;
    begin_epoch(engine);
    return KRN_OK;
}

enum krn_code app_engine_adopt(struct app_engine *engine, struct app_state *state,
                               struct krn_error *error)
{
    enum krn_code code = connect(engine, state->backend, error);
    if (code == KRN_OK)
        code = load_scene(engine, state, error);
    if (code != KRN_OK)
        return code;
    if (state->scene == APP_SCENE_FILE)
        state->recipe.count = engine->scene.count;
    code = krn_mode_check(state->mode, engine->scene.count, error);
    if (code == KRN_OK && state->duel.on)
        code = krn_mode_check(state->duel.other, engine->scene.count, error);
    if (code == KRN_OK && engine->uploaded[state->backend] != engine->serial) {
        code = krn_device_set_scene(engine->devices[state->backend], &engine->scene, error);
        if (code == KRN_OK)
            engine->uploaded[state->backend] = engine->serial;
    }
    return code;
}

struct krn_device *app_engine_device(const struct app_engine *engine, const struct app_state *state)
{
    return engine->devices[state->backend];
}

void app_engine_telemetry(const struct app_engine *engine, enum krn_backend_id backend,
                          struct krn_telemetry_reading *reading)
{
    krn_telemetry_read(backend == KRN_BACKEND_CUDA ? engine->telemetry : NULL, reading);
}

struct krn_view app_engine_view(const struct app_state *state)
{
    const struct krn_view view = {state->width, state->height, app_state_unit(state)};
    return view;
}

/* A tag is the epoch and, in its low half, a frame; a duel's frames have a mark, and their side in
 * the last bit; what is measured aside has another. */
static const uint64_t duel_mark = 0x80000000u, aside_mark = 0x40000000u;

static void adopt_view(struct app_engine *engine, const struct krn_view *view)
{
    if (view->width != engine->view.width || view->height != engine->view.height ||
        view->unit != engine->view.unit)
        begin_epoch(engine);
    engine->view = *view;
}

enum krn_code app_engine_render(struct app_engine *engine, const struct app_state *state,
                                const struct krn_image *image, struct krn_error *error)
{
    const struct krn_view view = app_engine_view(state);
    adopt_view(engine, &view);
    app_duel_stop(&engine->duel);
    struct krn_device *device = app_engine_device(engine, state);
    const enum krn_code code = krn_device_set_pose(device, krn_pose_at(state->motion_s), error);
    const uint64_t tag = (uint64_t)engine->epoch << 32 | (engine->frame++ & (aside_mark - 1));
    return code == KRN_OK ? krn_device_render(device, state->mode, &view, image, tag, error) : code;
}

/* A mode that exists has a K that has an index. */
static struct krn_series *series_of(struct app_engine *engine, int backend, struct krn_mode mode)
{
    return &engine->series[backend][mode.kernel][mode.storage]
                          [krn_pixels_index(mode.pixels_per_thread)];
}

int app_warm_launches(double kernel_ms, double frame_ms)
{
    /* Frames must not get longer by much, and a launch costs the host some microseconds too. */
    const double busy = 0.5, most_ms = 8.0;
    enum { MOST = 200 };
    if (!(kernel_ms > 0.0) || !(frame_ms > 0.0))
        return 0;
    const double wanted_ms = fmin(busy * frame_ms, most_ms) - kernel_ms;
    const double launches = wanted_ms / kernel_ms;
    return !(launches >= 1.0) ? 0 : launches > MOST ? MOST : (int)launches;
}

/* An image of the view's size that nobody shows. */
static enum krn_code spare_image(struct app_engine *engine, struct krn_device *device,
                                 struct krn_error *error)
{
    const struct krn_view *view = &engine->view;
    if (engine->spares == device && engine->spare.width == view->width &&
        engine->spare.height == view->height)
        return KRN_OK;
    if (engine->spares != NULL)
        krn_device_free_image(engine->spares, &engine->spare);
    engine->spares = device;
    const enum krn_code code =
        krn_device_alloc_image(device, view->width, view->height, &engine->spare, error);
    if (code != KRN_OK)
        engine->spares = NULL;
    return code;
}

struct krn_mode app_background_mode(enum app_background which)
{
    const struct krn_mode mode = {
        KRN_KERNEL_BOOK, which == APP_BACKGROUND_GLOBAL ? KRN_STORAGE_GLOBAL : KRN_STORAGE_CONSTANT,
        1};
    return mode;
}

enum krn_code app_engine_render_background(struct app_engine *engine, const struct app_state *state,
                                           enum app_background which, struct krn_error *error)
{
    const struct krn_view view = engine->view;
    const struct krn_mode mode = app_background_mode(which);
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = krn_mode_check(mode, engine->scene.count, error);
    if (code == KRN_OK)
        code = spare_image(engine, device, error);
    const uint64_t tag = (uint64_t)engine->epoch << 32 | aside_mark | (uint64_t)which;
    if (code == KRN_OK)
        code = krn_device_render(device, mode, &view, &engine->spare, tag, error);
    engine->background_busy = code == KRN_OK;
    engine->background_ms = -1.0;
    return code;
}

enum krn_code app_engine_extra(struct app_engine *engine, const struct app_state *state,
                               int launches, struct krn_error *error)
{
    const struct krn_view view = engine->view;
    struct krn_device *device = app_engine_device(engine, state);
    enum krn_code code = launches > 0 ? spare_image(engine, device, error) : KRN_OK;
    for (int i = 0; code == KRN_OK && i < launches; i++)
        code = krn_device_render(device, state->mode, &view, &engine->spare, KRN_UNTIMED, error);
    return code;
}

enum krn_code app_engine_render_duel(struct app_engine *engine, const struct app_state *state,
                                     const struct krn_image *const images[2], double now_s,
                                     struct krn_error *error)
{
    const struct krn_view view = app_engine_view(state);
    const struct krn_mode modes[2] = {state->mode, state->duel.other};
    struct app_duel *duel = &engine->duel;
    adopt_view(engine, &view);
    if (!duel->on || duel->backend != state->backend || !app_mode_same(duel->modes[0], modes[0]) ||
        !app_mode_same(duel->modes[1], modes[1]))
        app_duel_start(duel, state->backend, modes[0], modes[1], engine->band_percent);

    struct krn_device *const own = app_engine_device(engine, state);
    struct krn_device *const devices[2] = {own, engine->rival ? engine->rival : own};
    const struct krn_pose pose = krn_pose_at(state->motion_s);
    enum krn_code code = krn_device_set_pose(devices[0], pose, error);
    if (code == KRN_OK)
        code = krn_device_set_pose(devices[1], pose, error);
    bool a_first;
    const uint64_t number = app_duel_begin(duel, now_s, &a_first);
    for (int turn = 0; code == KRN_OK && turn < 2; turn++) {
        const int side = a_first ? turn : 1 - turn;
        const uint64_t tag =
            (uint64_t)engine->epoch << 32 | duel_mark | number << 1 | (uint64_t)side;
        code = krn_device_render(devices[side], modes[side], &view, images[side], tag, error);
        /* Two streams would share the GPU. */
        if (code == KRN_OK && engine->rival)
            code = krn_device_sync(devices[side], error);
    }
    return code;
}

const struct app_duel *app_engine_duel(const struct app_engine *engine)
{
    return engine->duel.on ? &engine->duel : NULL;
}

static void trace_push(struct app_trace *trace, enum krn_backend_id backend,
                       const struct krn_reading *reading, int side)
{
    trace->side[trace->next] = (signed char)side;
    if (trace->count == APP_TRACE_CAPACITY)
        krn_sorted_remove(trace->sorted, (size_t)trace->count--, trace->ms[trace->next]);
    krn_sorted_insert(trace->sorted, (size_t)trace->count++, reading->ms);
    trace->ms[trace->next] = reading->ms;
    trace->mode[trace->next] = reading->mode;
    trace->backend[trace->next] = backend;
    trace->next = (trace->next + 1) % APP_TRACE_CAPACITY;
}

int app_trace_index(const struct app_trace *trace, int i)
{
    return (trace->next + APP_TRACE_CAPACITY - trace->count + i) % APP_TRACE_CAPACITY;
}

double app_engine_core_share(const struct app_engine *engine, enum krn_backend_id backend)
{
    const struct krn_device *device = engine->devices[backend];
    if (backend != KRN_BACKEND_CPU || device == NULL || !(engine->wall_ms > 0.0))
        return 0.0;
    return engine->cpu_ms / engine->wall_ms / krn_device_describe(device)->processors;
}

static int poll_device(struct app_engine *engine, enum krn_backend_id id, struct krn_device *device)
{
    const double fading = 0.97; /* some 30 kernels count */
    int taken = 0;
    struct krn_reading reading;
    while (device && krn_device_poll(device, &reading)) {
        engine->wall_ms = fading * engine->wall_ms + (reading.cpu_ms > 0.0 ? reading.ms : 0.0);
        engine->cpu_ms = fading * engine->cpu_ms + reading.cpu_ms;
        const bool duel = reading.tag & duel_mark;
        const bool background = !duel && (reading.tag & aside_mark);
        if (background) {
            engine->background_busy = false;
            engine->background_ms = reading.ms;
        }
        if (engine->hold || reading.tag >> 32 != engine->epoch)
            continue;
        if (background) {
            krn_series_push(&engine->background[id][reading.tag & 1], reading.ms);
            continue;
        }
        if (!krn_series_push(series_of(engine, (int)id, reading.mode), reading.ms))
            continue;
        if (reading.mode.kernel == KRN_KERNEL_BINNED)
            krn_series_push(&engine->bins[id], reading.binning_ms);
        const int side = (int)(reading.tag & 1);
        if (duel)
            app_duel_add_reading(&engine->duel, (uint32_t)(reading.tag & ~duel_mark) >> 1, side,
                                 reading.ms);
        trace_push(&engine->trace, id, &reading, duel ? side : -1);
        engine->scope[id][reading.mode.kernel] = reading.scope;
        taken++;
    }
    return taken;
}

int app_engine_poll(struct app_engine *engine)
{
    int taken = 0;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        taken += poll_device(engine, (enum krn_backend_id)id, engine->devices[id]);
    if (engine->rival)
        taken += poll_device(engine, krn_device_describe(engine->rival)->backend, engine->rival);
    return taken;
}

const struct krn_series *app_engine_series(const struct app_engine *engine,
                                           enum krn_backend_id backend, struct krn_mode mode)
{
    return &engine->series[backend][mode.kernel][mode.storage]
                          [krn_pixels_index(mode.pixels_per_thread)];
}

/* The shortest of the newest times, ms: one hiccup in a small frame must not foretell a slow scene.
 */
static double undisturbed(const struct krn_series *series)
{
    enum { NEWEST = 9 };
    double least = krn_series_at(series, series->count - 1);
    for (size_t i = 2; i <= series->count && i <= NEWEST; i++)
        least = fmin(least, krn_series_at(series, series->count - i));
    return fmax(least, 1e-6);
}

void app_engine_facts(const struct app_engine *engine, struct app_facts *facts)
{
    const double tests = (double)engine->view.width * engine->view.height * engine->scene.count;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++)
        for (int i = 0; i < KRN_MODES; i++) {
            const struct krn_mode mode = krn_mode_at(i);
            const struct krn_series *series =
                app_engine_series(engine, (enum krn_backend_id)id, mode);
            /* A rate outlives the numbers it came from: it predicts the next scene. */
            if (series->count > 0)
                facts->rate[id][mode.kernel][mode.storage]
                           [krn_pixels_index(mode.pixels_per_thread)] = tests / undisturbed(series);
        }
}
