/* app/engine/work.h - the work of the engine's frames (krn/work.h), counted on the host. */
#ifndef APP_WORK_H
#define APP_WORK_H

#include "engine/engine.h"
#include "judge/mode_work.h"

#include "krn/work.h"

/* The count of the scene and view on screen, zero-initialised. */
struct app_work {
    bool begun, counted; /* for this epoch and backend */
    uint32_t epoch;
    enum krn_backend_id backend;
    double since_s; /* when the epoch began */
    struct krn_works works;
};

/* Counts the frame that the state asks for, in at most some 20 ms for most scenes. Returns false
 * when memory is full, or when an interrupt ends the count of a large scene; *works is zeroed then.
 */
bool app_work_count(const struct app_engine *engine, const struct app_state *state,
                    enum krn_backend_id backend, struct krn_works *works);

/* Follows the screen: counts the work of a scene and view that have stood for half a second, once,
 * in a few milliseconds. Scenes that would take longer are not counted. Writes the modes whose work
 * and time are known; returns their number. */
int app_work_follow(struct app_work *work, const struct app_engine *engine,
                    const struct app_state *state, double now_s,
                    struct app_mode_work modes[KRN_MODES]);

#endif
