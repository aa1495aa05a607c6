/* app/engine/readings.h - from the devices' readings to statistics. What app/engine alone uses
 * comes last.
 *
 * A frame's tag says what its reading is about. Readings of an older scene or view are dropped, and
 * all of them while the numbers are held.
 */
#pragma once

#include "model/estimate.h"
#include "spec/state.h"

#include "krn/device.h"
#include "krn/duel.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stdint.h>

/* The readings of a duel's two sides, matched frame by frame; windows and headless duels share it.
 * The number of frames whose readings may be outstanding, and of pairs that are kept. */
enum { APP_DUEL_OPEN = 16, APP_DUEL_KEPT = 1024 };

struct app_duel_frame {
    uint32_t number;
    bool a_first;
    double at_s;
    bool valid[2];
    double ms[2];
};

struct app_duel {
    bool on;
    struct app_duel_side sides[2]; /* A, B */
    uint32_t number;               /* the newest frame's */
    struct app_duel_frame open[APP_DUEL_OPEN];
    double kept_ms[APP_DUEL_KEPT][2];
    /* Where it crosses: of an empty launch, which `ms` and the statistic leave out. */
    double floor_ms[2];
    size_t kept; /* pairs since the start; the newest lies at kept - 1, modulo APP_DUEL_KEPT */
    struct krn_series ms[2]; /* the newest readings of A and B */
    struct krn_duel statistic;
    /* The verdict is computed anew after each pair. These count the looks that saw a difference so
     * far, firm or not; the other two are the pairs and the seconds since the first pair at the
     * first such look. */
    size_t claims, claimed_pairs;
    double claimed_s;
};

/* Starts a new duel and drops everything that the previous one measured. */
void app_duel_start(struct app_duel *duel, const struct app_duel_side sides[2],
                    double band_percent);

/* Returns true when the sides have different backends: each turn then begins with an untimed
 * launch, and the duel is one of net times. */
bool app_duel_crosses(const struct app_duel *duel);
void app_duel_stop(struct app_duel *duel);

/* Begins a frame at now_s (seconds) and decides which side renders first: each does so in one of
 * two frames, in an order without a period. Returns the frame's number. Gives up the frame whose
 * place this one takes if its readings have not come. */
uint32_t app_duel_begin(struct app_duel *duel, double now_s, bool *a_first);

/* Takes the reading of one side (0: A, 1: B) of frame `number`. */
void app_duel_add_reading(struct app_duel *duel, uint32_t number, int side, double ms);

/* Copies at most `most` of the newest pairs, oldest first, into a_ms and b_ms (NULL: not wanted).
 * Returns their number. */
size_t app_duel_pairs(const struct app_duel *duel, size_t most, double *a_ms, double *b_ms);

/* Background frames: the book's kernel from global and from constant memory, rendered between the
 * frames on screen for the claims board. Their times never mix with those of the frames. */
enum app_background { APP_BACKGROUND_GLOBAL, APP_BACKGROUND_CONSTANT, APP_BACKGROUND_COUNT };

struct krn_mode app_background_mode(enum app_background which);

/* The measurements on one backend for this scene and one size of its picture; times in ms. */
struct app_sized_readings {
    struct krn_series series[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    /* Frames of each mode, and those of them that were queued behind others. */
    struct app_frame_counts {
        size_t all, busy;
    } counts[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT][KRN_PIXELS_COUNT];
    /* The part that sorts the spheres first; of kernels that do so. */
    struct krn_series binning[KRN_KERNEL_COUNT][KRN_STORAGE_COUNT];
    struct krn_series background[APP_BACKGROUND_COUNT];
};

/* What is known of a backend, whatever it renders. */
struct app_backend_readings {
    const char *scope[KRN_KERNEL_COUNT]; /* the newest reading's; NULL: none yet */
    double wall_ms, cpu_ms; /* running sums over the newest kernels, older ones fading; CPU only */
    double timed, late;     /* launches with and without a time, older ones fading as well */
    unsigned long drops;    /* krn_device_gate_drops when `late` was last updated */
};

/* Sizes whose numbers are kept: a megabyte each. */
enum { APP_SIZES_KEPT = 4 };

/* The numbers of one size; its rays lie `unit` apart. */
struct app_size_kept {
    uint32_t since; /* the epoch that began with it; 0: unused */
    int width, height;
    float unit;
    struct app_sized_readings backends[KRN_BACKEND_COUNT];
};

/* Zero-initialised, it has none. */
struct app_readings {
    uint32_t epoch; /* counts scenes and views */
    uint32_t frame; /* counts frames */
    bool hold;
    struct app_backend_readings backends[KRN_BACKEND_COUNT];
    struct app_size_kept sizes[APP_SIZES_KEPT];
    int size; /* index of the one on screen */
    struct app_trace trace;
    struct app_duel duel;
    struct app_duel aa;   /* one side of the duel against itself */
    bool background_busy; /* the reading of a background frame is outstanding */
    double background_ms; /* the newest one, whether it counts or not; < 0: it gave no reading */
};

/* Begins another scene or light: drops all numbers but the trace, which is a history. */
void app_readings_begin_epoch(struct app_readings *readings);

/* Goes to another size, with an epoch of its own: brings back the numbers that it had. Does nothing
 * where it is the one on screen. */
void app_readings_begin_size(struct app_readings *readings, const struct krn_view *view);

/* Drops a backend's numbers, and the background frame that is under way. */
void app_readings_drop(struct app_readings *readings, enum krn_backend_id backend);

/* Drops the times of a backend's background frames, of the size on screen. */
void app_readings_forget_background(struct app_readings *readings, enum krn_backend_id backend);

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

/* Returns the numbers of a backend for the size on screen. */
const struct app_sized_readings *app_readings_sized(const struct app_readings *readings,
                                                    enum krn_backend_id backend);

/* Returns the times of a mode on a backend. */
const struct krn_series *app_readings_series(const struct app_readings *readings,
                                             enum krn_backend_id backend, struct krn_mode mode);

/* Returns the shortest of the newest times, ms: one disturbed frame of a small scene must not
 * predict a slow large one. */
double app_readings_undisturbed(const struct krn_series *series);
