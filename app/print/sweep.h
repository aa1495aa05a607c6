/* app/print/sweep.h - the ray tracer's results of a record, by mode, number of spheres and bounces.
 *
 * Every function is pure and thread safe.
 */
#ifndef APP_SWEEP_H
#define APP_SWEEP_H

#include "model/model.h"

#include "krn/light.h"

enum {
    APP_SWEEP_COUNTS = 24, /* enough for 1, 2, 5, 10 ... 1000000 and two ends between them */
    APP_SWEEP_BOUNCE_COUNTS = KRN_BOUNCES_MAX + 1,
    APP_SWEEP_POINTS = APP_SWEEP_COUNTS * APP_SWEEP_BOUNCE_COUNTS
};

/* One mode at one point. */
struct app_sweep_cell {
    const struct app_result *result; /* NULL: the mode was refused or not measured */
    struct app_estimate median;      /* ms */
};

/* The values of one axis, ascending. */
struct app_sweep_values {
    int at[APP_SWEEP_COUNTS];
    int count;
};

/* A point is a pair of a number of spheres and a number of bounces; its index is that of the
 * spheres times bounces.count, plus that of the bounces. */
struct app_sweep {
    struct app_sweep_values spheres, bounces; /* bounces of the book view: 0 alone */
    int points;                               /* spheres.count * bounces.count */
    enum krn_view_kind view;                  /* of all modes */
    bool measured[KRN_MODES];                 /* at some point */
    struct app_sweep_cell cells[KRN_MODES][APP_SWEEP_POINTS]; /* by krn_mode_at's number */
};

/* Collects the results of the ray tracer, which stay in *results. Returns false when there are
 * none, or when the workloads differ in more than the numbers of spheres and bounces, or the modes
 * in their view. */
bool app_sweep_read(const struct app_results *results, struct app_sweep *sweep);

/* Returns true when the cell's time may be compared with others: it was measured, the picture is
 * right, and no red reason speaks against it (app_trust_no_verdict). */
bool app_sweep_has_verdict(const struct app_sweep_cell *cell);

/* Returns the number of spheres and of bounces of a point. */
int app_sweep_spheres(const struct app_sweep *sweep, int point);
int app_sweep_bounces(const struct app_sweep *sweep, int point);

/* Returns true when both the spheres and the bounces vary. */
bool app_sweep_has_both(const struct app_sweep *sweep);

/* Writes what tells a point from the others: "20", or "20, 4" when both axes vary. */
void app_sweep_point_text(const struct app_sweep *sweep, int point, char *text, size_t size);

/* Returns the rays per second of a cell; not valid where no rays were counted. */
struct app_estimate app_sweep_rate(const struct app_sweep_cell *cell);

/* Returns the index (krn_mode_at) of the fastest mode at a point, among the modes of one kernel
 * and storage, of all its storages with storage -1, or among all with kernel -1. Ignores modes with
 * a wrong picture; -1: none is left. */
int app_sweep_fastest(const struct app_sweep *sweep, int point, int kernel, int storage);

#endif
