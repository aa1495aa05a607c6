/* app/engine/readings.c - sorts readings by their tags into series, counts late hosts and regimes,
 * and draws the order of a duel's sides. */
#include "engine/readings.h"

#include <math.h>
#include <string.h>

struct krn_mode app_background_mode(enum app_background which)
{
    const struct krn_mode mode = {
        KRN_KERNEL_BOOK, which == APP_BACKGROUND_GLOBAL ? KRN_STORAGE_GLOBAL : KRN_STORAGE_CONSTANT,
        1};
    return mode;
}

/* A tag holds the epoch in its high half. The low half is the frame's number; duels mark it and put
 * their side into its last bit, and A/A duels mark it twice; background frames mark it otherwise,
 * their kind in the last bit. */
static const uint64_t duel_mark = 0x80000000u, aa_mark = 0x40000000u, background_mark = 0x40000000u;

static uint64_t tag_of(const struct app_readings *readings, uint64_t low)
{
    return (uint64_t)readings->epoch << 32 | low;
}

uint64_t app_readings_frame_tag(struct app_readings *readings)
{
    return tag_of(readings, readings->frame++ & (background_mark - 1));
}

uint64_t app_readings_duel_tag(const struct app_readings *readings, bool aa, uint32_t number,
                               int side)
{
    return tag_of(readings,
                  duel_mark | (aa ? aa_mark : 0) | (uint64_t)number << 1 | (uint64_t)side);
}

uint64_t app_readings_background_tag(const struct app_readings *readings, enum app_background which)
{
    return tag_of(readings, background_mark | (uint64_t)which);
}

/* Begins an epoch: the readings that are under way belong to no picture from now on. */
static void begin(struct app_readings *readings)
{
    readings->epoch++;
    app_duel_stop(&readings->duel);
    app_duel_stop(&readings->aa);
}

void app_readings_begin_epoch(struct app_readings *readings)
{
    struct app_size_kept *now = &readings->sizes[readings->size];
    begin(readings);
    for (int i = 0; i < APP_SIZES_KEPT; i++)
        readings->sizes[i].since = 0;
    memset(now->backends, 0, sizeof now->backends);
}

static bool has_size(const struct app_size_kept *size, const struct krn_view *view)
{
    return size->since > 0 && size->width == view->width && size->height == view->height &&
           size->unit == view->unit;
}

void app_readings_begin_size(struct app_readings *readings, const struct krn_view *view)
{
    const struct app_size_kept *sizes = readings->sizes;
    int next = 0;
    if (has_size(&sizes[readings->size], view))
        return;
    begin(readings);
    for (int i = 1; i < APP_SIZES_KEPT && !has_size(&sizes[next], view); i++)
        if (has_size(&sizes[i], view) || sizes[i].since < sizes[next].since)
            next = i;
    struct app_size_kept *size = &readings->sizes[next];
    if (!has_size(size, view))
        memset(size, 0, sizeof *size);
    size->since = readings->epoch;
    size->width = view->width;
    size->height = view->height;
    size->unit = view->unit;
    readings->size = next;
}

const struct app_sized_readings *app_readings_sized(const struct app_readings *readings,
                                                    enum krn_backend_id backend)
{
    return &readings->sizes[readings->size].backends[backend];
}

/* The same, to be changed. */
static struct app_sized_readings *sized(struct app_readings *readings, enum krn_backend_id backend)
{
    return &readings->sizes[readings->size].backends[backend];
}

void app_readings_forget_background(struct app_readings *readings, enum krn_backend_id backend)
{
    struct app_sized_readings *own = sized(readings, backend);
    memset(own->background, 0, sizeof own->background);
}

void app_readings_drop(struct app_readings *readings, enum krn_backend_id backend)
{
    memset(&readings->backends[backend], 0, sizeof readings->backends[backend]);
    for (int i = 0; i < APP_SIZES_KEPT; i++)
        memset(&readings->sizes[i].backends[backend], 0,
               sizeof readings->sizes[i].backends[backend]);
    readings->background_busy = false;
    readings->background_ms = -1.0;
}

/* A mode that exists has a K that has an index. */
static struct krn_series *series_of(struct app_sized_readings *own, struct krn_mode mode)
{
    return &own->series[mode.kernel][mode.storage][krn_pixels_index(mode.pixels_per_thread)];
}

const struct krn_series *app_readings_series(const struct app_readings *readings,
                                             enum krn_backend_id backend, struct krn_mode mode)
{
    return &app_readings_sized(readings, backend)
                ->series[mode.kernel][mode.storage][krn_pixels_index(mode.pixels_per_thread)];
}

/* Counts a frame by its regime; old frames count half from time to time, so that the newest
 * decide. */
static void count_frame(struct app_sized_readings *own, const struct krn_reading *reading)
{
    const struct krn_mode mode = reading->mode;
    struct app_frame_counts *counts =
        &own->counts[mode.kernel][mode.storage][krn_pixels_index(mode.pixels_per_thread)];
    if (counts->all == 2 * KRN_SERIES_CAPACITY) {
        counts->all /= 2;
        counts->busy /= 2;
    }
    counts->all++;
    counts->busy += reading->busy;
}

enum app_regime app_readings_regime(const struct app_readings *readings,
                                    enum krn_backend_id backend, struct krn_mode mode)
{
    const struct app_frame_counts *counts =
        &app_readings_sized(readings, backend)
             ->counts[mode.kernel][mode.storage][krn_pixels_index(mode.pixels_per_thread)];
    return app_regime_of(counts->busy, counts->all);
}

/* Adds a kernel's processor time to that of some 30 kernels before it. */
static void note_processor_time(struct app_backend_readings *own, const struct krn_reading *reading)
{
    const double fading = 0.97;
    if (!(reading->cpu_ms > 0.0))
        return;
    own->wall_ms = fading * own->wall_ms + reading->ms;
    own->cpu_ms = fading * own->cpu_ms + reading->cpu_ms;
}

/* Counts a timed launch, and those before it that were late. */
static void note_late_host(struct app_backend_readings *own, const struct krn_device *device)
{
    const double fading = 0.99;
    const unsigned long drops = krn_device_gate_drops(device);
    own->timed = fading * own->timed + 1.0;
    own->late = fading * own->late + (drops > own->drops ? (double)(drops - own->drops) : 0.0);
    own->drops = drops;
}

/* Takes a frame's reading, or that of one side of a duel; returns whether it counts. */
static bool take_frame(struct app_readings *readings, enum krn_backend_id id,
                       const struct krn_reading *reading)
{
    struct app_sized_readings *own = sized(readings, id);
    const bool duel = reading->tag & duel_mark, aa = duel && (reading->tag & aa_mark);
    const int side = (int)(reading->tag & 1);
    /* Frames after a switch to another backend are no frames of one that renders alone. */
    const bool alone = !duel || !app_duel_crosses(&readings->duel);
    if (alone && !krn_series_push(series_of(own, reading->mode), reading->ms))
        return false;
    count_frame(own, reading);
    if (alone && krn_kernel_describe(reading->mode.kernel)->bins)
        krn_series_push(&own->binning[reading->mode.kernel][reading->mode.storage],
                        reading->binning_ms);
    if (duel)
        app_duel_add_reading(aa ? &readings->aa : &readings->duel,
                             (uint32_t)(reading->tag & (aa_mark - 1)) >> 1, side, reading->ms);
    app_trace_push(&readings->trace, id, reading, duel && !aa ? side : -1);
    readings->backends[id].scope[reading->mode.kernel] = reading->scope;
    return true;
}

/* Takes a background frame's reading; it never counts as a frame's. */
static void take_background(struct app_readings *readings, enum krn_backend_id id,
                            const struct krn_reading *reading, bool counts)
{
    readings->background_busy = false;
    readings->background_ms = reading->ms;
    if (counts)
        krn_series_push(&sized(readings, id)->background[reading->tag & 1], reading->ms);
}

bool app_readings_take(struct app_readings *readings, struct krn_device *device,
                       struct krn_reading *reading)
{
    const enum krn_backend_id id = krn_device_describe(device)->backend;
    struct app_backend_readings *own = &readings->backends[id];
    while (krn_device_poll(device, reading)) {
        const bool counts = !readings->hold && reading->tag >> 32 == readings->epoch;
        note_processor_time(own, reading);
        note_late_host(own, device);
        if (!(reading->tag & duel_mark) && (reading->tag & background_mark))
            take_background(readings, id, reading, counts);
        else if (counts && take_frame(readings, id, reading))
            return true;
    }
    return false;
}

double app_readings_undisturbed(const struct krn_series *series)
{
    enum { NEWEST = 9 };
    double least = krn_series_at(series, series->count - 1);
    for (size_t i = 2; i <= series->count && i <= NEWEST; i++)
        least = fmin(least, krn_series_at(series, series->count - i));
    return fmax(least, 1e-6);
}

void app_duel_start(struct app_duel *duel, const struct app_duel_side sides[2], double band_percent)
{
    /* The frame number continues: a late reading of the previous duel must match no frame of this
     * one. */
    const uint32_t number = duel->number;
    memset(duel, 0, sizeof *duel);
    duel->number = number;
    duel->on = true;
    duel->sides[0] = sides[0];
    duel->sides[1] = sides[1];
    krn_duel_start(&duel->statistic, band_percent);
}

bool app_duel_crosses(const struct app_duel *duel)
{
    return duel->sides[0].backend != duel->sides[1].backend;
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
    const double net_ms[2] = {frame->ms[0] - duel->floor_ms[0], frame->ms[1] - duel->floor_ms[1]};
    if (!krn_duel_add(&duel->statistic, net_ms[0], net_ms[1], frame->a_first, frame->at_s))
        return;
    memcpy(duel->kept_ms[duel->kept++ % APP_DUEL_KEPT], frame->ms, sizeof frame->ms);
    for (int i = 0; i < 2; i++)
        krn_series_push(&duel->ms[i], net_ms[i]);
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
