/* app/engine/readings.h - from the devices' readings to statistics (inside app/engine only).
 *
 * A frame's tag says what its reading is about. Readings of an older scene or view are dropped, and
 * all of them while the numbers are held.
 */
#ifndef APP_READINGS_H
#define APP_READINGS_H

#include "engine/background.h"
#include "engine/duel.h"
#include "engine/trace.h"
#include "judge/timing.h"

#include "krn/device.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stdint.h>

/* The measurements on one backend for this scene and view; times in ms. */
struct app_backend_readings {
    struct krn_series series[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    /* Frames of each mode, and those of them that were queued behind others. */
    struct app_frame_counts {
        size_t all, busy;
    } counts[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    /* The part that sorts the spheres first; of kernels that do so. */
    struct krn_series binning[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT];
    struct krn_series background[APP_BACKGROUND_COUNT];
    const char *scope[KRN_KERNEL_COUNT]; /* the newest reading's; NULL: none yet */
    double wall_ms, cpu_ms; /* running sums over the newest kernels, older ones fading; CPU only */
    double timed, late;     /* launches with and without a time, older ones fading as well */
    unsigned long drops;    /* krn_device_gate_drops when `late` was last updated */
};

/* Zero-initialised, it has none. */
struct app_readings {
    uint32_t epoch; /* counts scenes and views */
    uint32_t frame; /* counts frames */
    bool hold;
    struct app_backend_readings backends[KRN_BACKEND_COUNT];
    struct app_trace trace;
    struct app_duel duel;
    struct app_duel aa;   /* one side of the duel against itself */
    bool background_busy; /* the reading of a background frame is outstanding */
    double background_ms; /* the newest one, whether it counts or not; < 0: it gave no reading */
};

/* Begins another scene or view: drops all numbers but the trace, which is a history. */
void app_readings_begin_epoch(struct app_readings *readings);

/* Drops a backend's numbers, and the background frame that is under way. */
void app_readings_drop(struct app_readings *readings, enum krn_backend_id backend);

/* Return the tag of the next frame, of one side (0: A, 1: B) of a duel's frame `number`, or of its
 * A/A duel's, and of a background frame. */
uint64_t app_readings_frame_tag(struct app_readings *readings);
uint64_t app_readings_duel_tag(const struct app_readings *readings, bool aa, uint32_t number,
                               int side);
uint64_t app_readings_background_tag(const struct app_readings *readings,
                                     enum app_background which);

/* Takes the device's next reading that counts, and those before it; false: none is ready. */
bool app_readings_take(struct app_readings *readings, struct krn_device *device,
                       struct krn_reading *reading);

/* Returns the regime of a mode's frames on a backend, at most the newest 480 of them. */
enum app_regime app_readings_regime(const struct app_readings *readings,
                                    enum krn_backend_id backend, struct krn_mode mode);

/* Returns the times of a mode on a backend. */
const struct krn_series *app_readings_series(const struct app_readings *readings,
                                             enum krn_backend_id backend, struct krn_mode mode);

/* Returns the shortest of the newest times, ms: one disturbed frame of a small scene must not
 * predict a slow large one. */
double app_readings_undisturbed(const struct krn_series *series);

#endif
