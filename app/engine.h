/* app/engine.h - what renders and measures, driven by the state; knows no OpenGL.
 *
 * Windows, offscreen pictures and benchmarks all go through it: state -> scene (uploaded once) ->
 * pose -> kernel between two time stamps -> readings -> statistics by mode.
 */
#ifndef APP_ENGINE_H
#define APP_ENGINE_H

#include "state.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stdint.h>

enum { APP_TRACE_CAPACITY = 480 };

/* The last kernel times in the order of their frames, whatever mode they were taken in. */
struct app_trace {
    double ms[APP_TRACE_CAPACITY];
    struct krn_mode mode[APP_TRACE_CAPACITY];
    enum krn_backend_id backend[APP_TRACE_CAPACITY];
    int next, count;
};

struct app_engine {
    struct krn_device *devices[KRN_BACKEND_COUNT]; /* NULL: not connected */
    int ordinal;                                   /* of the cuda device to connect to */

    struct krn_scene scene;
    struct app_state chosen; /* the state that scene was made from; its recipe, path and kind */
    unsigned serial;         /* counts scenes; 0: none yet */
    unsigned uploaded[KRN_BACKEND_COUNT];

    /* By kernel, storage and K's index. */
    struct krn_series series[KRN_BACKEND_COUNT][KRN_KERNEL_COUNT][KRN_STORAGE_COUNT]
                            [KRN_PIXELS_COUNT];
    struct krn_series lists[KRN_BACKEND_COUNT]; /* the part of the binned kernel's times */
    struct app_trace trace;
    /* Of the newest reading, in words; NULL: none yet. */
    const char *scope[KRN_BACKEND_COUNT][KRN_KERNEL_COUNT];

    uint32_t epoch; /* counts scenes and views: readings of an older one are dropped */
    struct krn_view view;
    uint32_t frame;
};

/* Connects what `run` asks for and sets *state's backend. auto: the CUDA device, or the CPU backend
 * with notice saying why (else ""). Errors: KRN_UNAVAILABLE when a backend asked for by name is not
 * there: exit code 4. */
enum krn_code app_engine_open(struct app_engine *engine, const struct app_run *run,
                              struct app_state *state, char notice[APP_NOTICE_MAX],
                              struct krn_error *error);
void app_engine_close(struct app_engine *engine);

/* Makes backend and scene of *state true: connects, loads, uploads what changed. A file's sphere
 * count goes into state->recipe.count. On failure nothing that ran before is lost: put the old
 * state back and go on. KRN_LOST: the backend's device is closed. */
enum krn_code app_engine_adopt(struct app_engine *engine, struct app_state *state,
                               struct krn_error *error);

/* The device of the state's backend, after app_engine_adopt. */
struct krn_device *app_engine_device(const struct app_engine *engine,
                                     const struct app_state *state);

/* The view that the state asks for. */
struct krn_view app_engine_view(const struct app_state *state);

/* Poses and renders one frame into image. Returns before it is done, on a GPU. */
enum krn_code app_engine_render(struct app_engine *engine, const struct app_state *state,
                                const struct krn_image *image, struct krn_error *error);

/* Takes all readings that are ready; returns how many of them count. */
int app_engine_poll(struct app_engine *engine);

/* Statistics of a mode on a backend, of this scene and view. */
const struct krn_series *app_engine_series(const struct app_engine *engine,
                                           enum krn_backend_id backend, struct krn_mode mode);

/* Fills in what the engine knows: backends and rates. */
void app_engine_facts(const struct app_engine *engine, struct app_facts *facts);

/* Closes a device that is lost and forgets its numbers. */
void app_engine_drop(struct app_engine *engine, enum krn_backend_id backend);

/* Sample i of the trace, 0 the oldest. */
int app_trace_index(const struct app_trace *trace, int i);

#endif
