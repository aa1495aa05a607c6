/* app/measure/background_frames.h - the ray tracer's own claim on the panels: frames of the book's
 * kernel between those on screen, from global and constant memory in turns (inside panels.c only).
 */
#ifndef APP_PANEL_ASIDES_H
#define APP_PANEL_ASIDES_H

#include "engine/engine.h"

struct app_background_frames {
    /* Tests (pixels x spheres) a ms of the book's kernel, when it last ran; 0: not known. It
     * outlives scenes, so that the first frame of the next one is foretold. */
    double rate[KRN_BACKEND_COUNT][APP_BACKGROUND_COUNT];
    char why[KRN_BACKEND_COUNT][APP_NOTICE_MAX]; /* why the last one failed, with this scene; "" */
    uint32_t epoch;                              /* of the engine: what `why` is about */
    enum app_background next;
    int asked[APP_BACKGROUND_COUNT]; /* frames of a round */
    bool started;                    /* its reading was not taken */
    double started_s;
};

/* Each frame, before the calls below: learns the rates. True when what was started is over; *ms is
 * then what it took, < 0: its reading was lost. */
bool app_background_frames_follow(struct app_background_frames *background,
                                  struct app_engine *engine, enum krn_backend_id backend,
                                  double now_s, double *ms);

/* How long the next one takes, ms, by the slower of the two; < 0: it does not run, and *why says so
 * (NULL: it has run enough). again: in a round that was asked for. */
double app_background_frames_ms(const struct app_background_frames *background,
                                const struct app_engine *engine, const struct app_state *state,
                                bool again, const char **why);

/* Starts the next one. Errors: KRN_LOST; others become the reason why there are none. */
enum krn_code app_background_frames_start(struct app_background_frames *background,
                                          struct app_engine *engine, const struct app_state *state,
                                          double now_s, struct krn_error *error);

/* A round begins: the numbers of that backend go, and reasons. */
void app_background_frames_forget(struct app_background_frames *background,
                                  struct app_engine *engine, enum krn_backend_id backend);

#endif
