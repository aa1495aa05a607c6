/* app/engine/duel.h - matches the readings of a duel's two sides, frame by frame.
 *
 * Windows and headless duels share it. krn/duel.h judges the pairs.
 */
#ifndef APP_DUEL_H
#define APP_DUEL_H

#include "krn/device.h"
#include "krn/duel.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of frames whose readings may be outstanding, and of pairs that are kept. */
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
    enum krn_backend_id backend;
    struct krn_mode modes[2]; /* A, B */
    uint32_t number;          /* the newest frame's */
    struct app_duel_frame open[APP_DUEL_OPEN];
    double kept_ms[APP_DUEL_KEPT][2];
    size_t kept; /* pairs since the start; the newest lies at kept - 1, modulo APP_DUEL_KEPT */
    struct krn_series sides[2]; /* the newest readings of A and B, ms */
    struct krn_duel statistic;
    /* The verdict is computed anew after each pair. These count the looks that saw a difference so
     * far, firm or not; the other two are the pairs and the seconds since the first pair at the
     * first such look. */
    size_t claims, claimed_pairs;
    double claimed_s;
};

/* Starts a new duel and drops everything that the previous one measured. */
void app_duel_start(struct app_duel *duel, enum krn_backend_id backend, struct krn_mode a,
                    struct krn_mode b, double band_percent);
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

#endif
