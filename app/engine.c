#include "engine.h"

#include "scene_file.h"

#include <stdio.h>
#include <string.h>

static enum krn_code connect(struct app_engine *engine, enum krn_backend_id id,
                             struct krn_error *error)
{
    if (engine->devices[id])
        return KRN_OK;
    engine->uploaded[id] = 0;
    return krn_backend_get(id)->connect(id == KRN_BACKEND_CUDA ? engine->ordinal : 0,
                                        &engine->devices[id], error);
}

enum krn_code app_engine_open(struct app_engine *engine, const struct app_run *run,
                              struct app_state *state, char notice[APP_NOTICE_MAX],
                              struct krn_error *error)
{
    memset(engine, 0, sizeof *engine);
    engine->ordinal = run->device;
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
    krn_device_close(engine->devices[backend]);
    engine->devices[backend] = NULL;
    engine->uploaded[backend] = 0;
    memset(engine->series[backend], 0, sizeof engine->series[backend]);
    krn_series_clear(&engine->lists[backend]);
}

/* Numbers of another scene or view are not this one's. The trace keeps them: it is a history. */
static void begin_epoch(struct app_engine *engine)
{
    engine->epoch++;
    memset(engine->series, 0, sizeof engine->series);
    memset(engine->lists, 0, sizeof engine->lists);
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

struct krn_view app_engine_view(const struct app_state *state)
{
    const struct krn_view view = {state->width, state->height, app_state_unit(state)};
    return view;
}

enum krn_code app_engine_render(struct app_engine *engine, const struct app_state *state,
                                const struct krn_image *image, struct krn_error *error)
{
    const struct krn_view view = app_engine_view(state);
    if (view.width != engine->view.width || view.height != engine->view.height ||
        view.unit != engine->view.unit)
        begin_epoch(engine);
    engine->view = view;
    struct krn_device *device = app_engine_device(engine, state);
    const enum krn_code code = krn_device_set_pose(device, krn_pose_at(state->motion_s), error);
    const uint64_t tag = (uint64_t)engine->epoch << 32 | engine->frame++;
    return code == KRN_OK ? krn_device_render(device, state->mode, &view, image, tag, error) : code;
}

/* A mode that exists has a K that has an index. */
static struct krn_series *series_of(struct app_engine *engine, int backend, struct krn_mode mode)
{
    return &engine->series[backend][mode.kernel][mode.storage]
                          [krn_pixels_index(mode.pixels_per_thread)];
}

static void trace_push(struct app_trace *trace, enum krn_backend_id backend,
                       const struct krn_reading *reading)
{
    trace->ms[trace->next] = reading->ms;
    trace->mode[trace->next] = reading->mode;
    trace->backend[trace->next] = backend;
    trace->next = (trace->next + 1) % APP_TRACE_CAPACITY;
    if (trace->count < APP_TRACE_CAPACITY)
        trace->count++;
}

int app_trace_index(const struct app_trace *trace, int i)
{
    return (trace->next + APP_TRACE_CAPACITY - trace->count + i) % APP_TRACE_CAPACITY;
}

int app_engine_poll(struct app_engine *engine)
{
    int taken = 0;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        struct krn_reading reading;
        while (engine->devices[id] && krn_device_poll(engine->devices[id], &reading)) {
            if (reading.tag >> 32 != engine->epoch)
                continue;
            if (!krn_series_push(series_of(engine, id, reading.mode), reading.ms))
                continue;
            if (reading.mode.kernel == KRN_KERNEL_BINNED)
                krn_series_push(&engine->lists[id], reading.lists_ms);
            trace_push(&engine->trace, (enum krn_backend_id)id, &reading);
            engine->scope[id][reading.mode.kernel] = reading.scope;
            taken++;
        }
    }
    return taken;
}

const struct krn_series *app_engine_series(const struct app_engine *engine,
                                           enum krn_backend_id backend, struct krn_mode mode)
{
    return &engine->series[backend][mode.kernel][mode.storage]
                          [krn_pixels_index(mode.pixels_per_thread)];
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
            const double last = series->count > 0 ? krn_series_at(series, series->count - 1) : 0.0;
            if (last > 0.0)
                facts->rate[id][mode.kernel][mode.storage]
                           [krn_pixels_index(mode.pixels_per_thread)] = tests / last;
        }
}
