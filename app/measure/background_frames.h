/* app/measure/background_frames.h - the ray tracer's own claim on the panels: a source of frames of
 * the book's kernel between those on screen, from global and constant memory in turns (inside
 * app/measure only). */
#ifndef APP_BACKGROUND_FRAMES_H
#define APP_BACKGROUND_FRAMES_H

#include "engine/engine.h"
#include "measure/sampler.h"

/* Zero-initialised, nothing is known. Must not be moved. */
struct app_background_frames {
    /* State of the newest frame; set by app_background_frames_follow. */
    struct app_engine *engine;
    const struct app_state *state;
    double now_s;

    struct app_sampler sampler;
    struct app_item items[APP_BACKGROUND_COUNT];
    /* Tests (pixels x spheres) per ms of the newest run of the book's kernel; 0: unknown. Kept
     * across scenes, so that it predicts the first frame of the next one. */
    double rate[KRN_BACKEND_COUNT][APP_BACKGROUND_COUNT];
    char why[KRN_BACKEND_COUNT][APP_NOTICE_MAX]; /* why the last one failed, with this scene; "" */
    uint32_t epoch;                              /* of the engine, that `why` is about */
    enum app_background next;
    int asked[APP_BACKGROUND_COUNT]; /* frames of this round */
    double started_s;
};

/* Begins a frame of the window: stores its state and learns the rates. */
void app_background_frames_follow(struct app_background_frames *background,
                                  struct app_engine *engine, const struct app_state *state,
                                  double now_s);

/* Predicts the time of the next background frame in ms, the slower of the two; < 0: none runs, and
 * *why has the reason (NULL: it has enough runs). again: a round is running. */
double app_background_frames_ms(const struct app_background_frames *background,
                                const struct app_engine *engine, const struct app_state *state,
                                bool again, const char **why);

/* Begins a round: drops the numbers of that backend, and reasons. */
void app_background_frames_forget(struct app_background_frames *background,
                                  struct app_engine *engine, enum krn_backend_id backend);

#endif
