/* app/engine/duel.h - a duel as it runs: the readings of its two sides, matched frame by frame.
 *
 * The window and headless duels share it. What the pairs say is krn/duel.h's business.
 */
#ifndef APP_DUEL_H
#define APP_DUEL_H

#include "krn/device.h"
#include "krn/duel.h"
#include "krn/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames whose readings may still be on their way, and the newest pairs kept as they were read. */
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
    uint32_t number;          /* of the newest frame */
    struct app_duel_frame open[APP_DUEL_OPEN];
    double kept_ms[APP_DUEL_KEPT][2];
    size_t kept; /* pairs ever kept: the newest is number kept - 1, modulo the room */
    struct krn_series sides[2]; /* the same pairs' newest readings, summed up */
    struct krn_duel statistic;
    /* Every pair is a look: those that claimed a difference, and the first of them. */
    size_t claims, claimed_pairs;
    double claimed_s; /* since the first pair */
};

/* Starts anew; nothing of before is left. */
void app_duel_start(struct app_duel *duel, enum krn_backend_id backend, struct krn_mode a,
                    struct krn_mode b, double band_percent);
void app_duel_stop(struct app_duel *duel);

/* Begins a frame at time now_s and says which side renders first: each does in one of two
 * frames, in an order without a period. Returns the frame's number. A frame whose readings have not
 * come by then is given up. */
uint32_t app_duel_begin(struct app_duel *duel, double now_s, bool *a_first);

/* Takes the reading of one side (0: A, 1: B) of frame `number`. */
void app_duel_add_reading(struct app_duel *duel, uint32_t number, int side, double ms);

/* Copies the newest pairs, oldest first, into a_ms and b_ms (NULL: not wanted), `most` at most, and
 * returns how many there are. */
size_t app_duel_pairs(const struct app_duel *duel, size_t most, double *a_ms, double *b_ms);

#endif
