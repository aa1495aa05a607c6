#include "engine/duel.h"

#include <string.h>

void app_duel_start(struct app_duel *duel, enum krn_backend_id backend, struct krn_mode a,
                    struct krn_mode b, double band_percent)
{
    /* The frame number continues: a late reading of the previous duel must match no frame of this
     * one. */
    const uint32_t number = duel->number;
    memset(duel, 0, sizeof *duel);
    duel->number = number;
    duel->on = true;
    duel->backend = backend;
    duel->modes[0] = a;
    duel->modes[1] = b;
    krn_duel_start(&duel->statistic, band_percent);
}

void app_duel_stop(struct app_duel *duel)
{
    duel->on = false;
}

/* Hashes x; every bit of the result is as good as random (C. Wellons, lowbias32). */
static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

uint32_t app_duel_begin(struct app_duel *duel, double now_s, bool *a_first)
{
    /* 29 bits, which is the room in a tag; never 0, the number of an unused frame. */
    duel->number = duel->number % 0x1fffffff + 1;
    /* In each pair of frames A comes first once. A hash decides in which of the two, so that
     * nothing that alternates as well, such as the slots of a ring or the buffers of a display,
     * always coincides with the same side. */
    *a_first = (duel->number + mixed(duel->number / 2)) % 2 == 0;
    duel->open[duel->number % APP_DUEL_OPEN] =
        (struct app_duel_frame){.number = duel->number, .a_first = *a_first, .at_s = now_s};
    return duel->number;
}

void app_duel_add_reading(struct app_duel *duel, uint32_t number, int side, double ms)
{
    struct app_duel_frame *frame = &duel->open[number % APP_DUEL_OPEN];
    if (!duel->on || number == 0 || frame->number != number)
        return;
    frame->valid[side] = true;
    frame->ms[side] = ms;
    if (!frame->valid[0] || !frame->valid[1])
        return;
    frame->number = 0;
    if (!krn_duel_add(&duel->statistic, frame->ms[0], frame->ms[1], frame->a_first, frame->at_s))
        return;
    memcpy(duel->kept_ms[duel->kept++ % APP_DUEL_KEPT], frame->ms, sizeof frame->ms);
    for (int i = 0; i < 2; i++)
        krn_series_push(&duel->sides[i], frame->ms[i]);
    if (!krn_ratio_claims(krn_duel_result_of(&duel->statistic)->so_far))
        return;
    if (duel->claims++ == 0) {
        duel->claimed_s = frame->at_s - duel->statistic.first_s;
        duel->claimed_pairs = duel->statistic.pairs;
    }
}

size_t app_duel_pairs(const struct app_duel *duel, size_t most, double *a_ms, double *b_ms)
{
    const size_t there = duel->kept < APP_DUEL_KEPT ? duel->kept : APP_DUEL_KEPT;
    const size_t n = there < most ? there : most;
    for (size_t i = 0; i < n; i++) {
        const double *pair = duel->kept_ms[(duel->kept - n + i) % APP_DUEL_KEPT];
        if (a_ms)
            a_ms[i] = pair[0];
        if (b_ms)
            b_ms[i] = pair[1];
    }
    return n;
}
