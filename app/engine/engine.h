/* app/engine/engine.h - what renders and measures, driven by the state; knows no OpenGL.
 *
 * Windows, offscreen pictures and benchmarks all go through it: state -> scene (uploaded once) ->
 * pose -> kernel between two time stamps -> readings -> statistics by mode.
 */
#ifndef APP_ENGINE_H
#define APP_ENGINE_H

#include "command/state.h"
#include "engine/duel.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/interval.h"
#include "krn/stats.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stdint.h>

enum { APP_TRACE_CAPACITY = 480 };

/* What is measured beside the frames. */
enum app_background { APP_BACKGROUND_GLOBAL, APP_BACKGROUND_CONSTANT, APP_BACKGROUND_COUNT };

struct krn_mode app_background_mode(enum app_background which);

/* The last kernel times in the order of their frames, whatever mode they were taken in. */
struct app_trace {
    double ms[APP_TRACE_CAPACITY];
    double sorted[APP_TRACE_CAPACITY]; /* the same in ascending order */
    struct krn_mode mode[APP_TRACE_CAPACITY];
    enum krn_backend_id backend[APP_TRACE_CAPACITY];
    signed char side[APP_TRACE_CAPACITY]; /* of a duel: 0 A, 1 B; -1: no duel */
    int next, count;
};

struct app_engine {
    struct krn_device *devices[KRN_BACKEND_COUNT]; /* NULL: not connected */
    int ordinal;                                   /* of the cuda device to connect to */
    struct krn_telemetry *telemetry;               /* of the cuda device; NULL: not connected */

    struct krn_scene scene;
    struct app_state chosen; /* the state that scene was made from; its recipe, path and kind */
    unsigned serial;         /* counts scenes; 0: none yet */
    unsigned uploaded[KRN_BACKEND_COUNT];

    /* By kernel, storage and K's index. */
    struct krn_series series[KRN_BACKEND_COUNT][KRN_KERNEL_COUNT][KRN_STORAGE_COUNT]
                            [KRN_PIXELS_COUNT];
    struct krn_series bins[KRN_BACKEND_COUNT]; /* the part of the binned kernel's times */
    struct app_trace trace;
    /* Of the newest reading, in words; NULL: none yet. */
    const char *scope[KRN_BACKEND_COUNT][KRN_KERNEL_COUNT];

    double wall_ms, cpu_ms;    /* of the CPU backend's kernels, older ones fading */
    bool hold;                 /* readings are dropped: the numbers stand still */
    struct krn_image spare;    /* what extra launches write */
    struct krn_device *spares; /* the device that it lies on; NULL: none */

    uint32_t epoch; /* counts scenes and views: readings of an older one are dropped */
    struct krn_view view;
    uint32_t frame;

    /* The book's kernel from global and from constant memory, taken between frames, in turns, for
     * the claims board: never among the numbers of the frames. */
    struct krn_series background[KRN_BACKEND_COUNT][APP_BACKGROUND_COUNT];
    bool background_busy; /* one is under way */
    double
        background_ms; /* of the newest one, whether it counts or not; < 0: no reading of it came */
    struct app_duel duel;
    double band_percent; /* of duels */
    /* Renders side B of duels where it is not NULL: a device of the same backend with a scene of
     * its own, so that tests know the true ratio. Not owned. */
    struct krn_device *rival;
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

/* What the state's device does besides: nothing is known of the CPU. */
void app_engine_telemetry(const struct app_engine *engine, enum krn_backend_id backend,
                          struct krn_telemetry_reading *reading);

/* The view that the state asks for. */
struct krn_view app_engine_view(const struct app_state *state);

/* Poses and renders one frame into image. Returns before it is done, on a GPU. */
enum krn_code app_engine_render(struct app_engine *engine, const struct app_state *state,
                                const struct krn_image *image, struct krn_error *error);

/* How many extra launches keep a device busy for half of its time: kernel and frame in ms. 0 when
 * the kernel does that itself. */
int app_warm_launches(double kernel_ms, double frame_ms);

/* Launches the state's kernel so many times more, untimed, into an image of its own. */
enum krn_code app_engine_extra(struct app_engine *engine, const struct app_state *state,
                               int launches, struct krn_error *error);

/* Renders the frame's scene, as it is posed, once more by that mode of the book's kernel, into an
 * image of its own; its time goes to engine->aside. Errors: KRN_REFUSED where the scene does not
 * fit the mode, and as app_engine_render. */
enum krn_code app_engine_render_background(struct app_engine *engine, const struct app_state *state,
                                           enum app_background which, struct krn_error *error);

/* The same for both modes of the state's duel, one right after the other; which one comes first
 * alternates. images: A's and B's, may be one and the same. A duel of other modes, another backend,
 * scene or view starts anew. */
enum krn_code app_engine_render_duel(struct app_engine *engine, const struct app_state *state,
                                     const struct krn_image *const images[2], double now_s,
                                     struct krn_error *error);

/* What the running duel says; NULL where the last frame was none. */
const struct app_duel *app_engine_duel(const struct app_engine *engine);

/* Takes all readings that are ready; returns how many of them count. */
int app_engine_poll(struct app_engine *engine);

/* Statistics of a mode on a backend, of this scene and view. */
const struct krn_series *app_engine_series(const struct app_engine *engine,
                                           enum krn_backend_id backend, struct krn_mode mode);

/* Of the time of the processors that the CPU backend computes on, what this process got in its
 * newest kernels; 0: not known, as on a GPU. Well under 1, other programs hold them, and a frame
 * takes as long as the scheduler's slices. */
double app_engine_core_share(const struct app_engine *engine, enum krn_backend_id backend);

/* Fills in what the engine knows: backends and rates. */
void app_engine_facts(const struct app_engine *engine, struct app_facts *facts);

/* Closes a device that is lost and forgets its numbers. */
void app_engine_drop(struct app_engine *engine, enum krn_backend_id backend);

/* Sample i of the trace, 0 the oldest. */
int app_trace_index(const struct app_trace *trace, int i);

#endif
