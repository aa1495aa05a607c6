/* app/topics/roofline.h - the roofline: which roof bounds a kernel, the memory's or the
 * arithmetic's.
 *
 * A kernel with an intensity of I floating-point operations per byte cannot exceed the lower of two
 * roofs: the peak of the arithmetic, and I times the bandwidth of the memory. The roofs meet at the
 * ridge. Source: S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance
 * Model for Multicore Architectures, CACM 52(4), 2009.
 *
 * Every function is pure.
 */
#pragma once

#include "model/estimate.h"
#include "model/probe_result.h"

enum { APP_ROOFLINE_POINTS = 40 };

enum app_roof { APP_ROOF_UNKNOWN, APP_ROOF_MEMORY, APP_ROOF_ARITHMETIC, APP_ROOF_NEITHER };

/* Below this percentage of the lower roof, neither bounds a kernel. */
#define APP_ROOFLINE_FAR 50.0

/* Returns "memory", "arithmetic", "neither", or "" where the roof is unknown. */
const char *app_roof_name(enum app_roof roof);

/* A roof. */
struct app_ceiling {
    struct app_estimate measured; /* the greatest rate that a kernel of the program reached */
    double computed;              /* from clocks and units; 0: unknown */
};

enum app_roofline_group {
    APP_ROOFLINE_SAXPY,
    APP_ROOFLINE_CUBES,
    APP_ROOFLINE_COPY,
    APP_ROOFLINE_PEAK,
    APP_ROOFLINE_TRACER
};

/* A kernel. */
struct app_roofline_point {
    char name[40]; /* "SAXPY published", "book/global" */
    enum app_roofline_group group;
    struct krn_mode mode; /* of the group TRACER */
    bool integer;         /* its operations are integer ones, which have no roof here */
    bool cached; /* a CPU's caches hold its numbers, so the memory's roof does not bound it */
    bool double_precision; /* its roof is that of double precision */
    double operations;     /* of one run; 0: it only moves bytes */
    double bytes;          /* that one run reads and writes in memory; 0: none */
    double intensity;      /* operations per byte; INFINITY without bytes */
    struct app_estimate ms;
    struct app_estimate gflops, gbps; /* not valid without operations, without bytes */
    bool sets_roof;                   /* it is the roof that the others are compared with */
    enum app_roof bound;              /* the lower roof at its intensity, unless it is far below */
    struct app_estimate of_roof; /* percent of that roof (app_ceiling_of); not valid: it sets it */
};

struct app_roofline {
    struct app_ceiling single, twice; /* arithmetic, single and double precision, GFLOP/s */
    struct app_ceiling memory;        /* GB/s */
    double ridge;                     /* operations per byte; 0: a roof is unknown */
    struct app_roofline_point points[APP_ROOFLINE_POINTS];
    int count;
};

/* Returns the roof that points are compared with: the measured one, or else the computed one. */
struct app_estimate app_ceiling_of(const struct app_ceiling *ceiling);

/* Returns the roof that a published text compares with: the computed one, or else the measured
 * one. */
struct app_estimate app_ceiling_computed(const struct app_ceiling *ceiling);

/* Returns a rate as a percentage of a roof, from app_ceiling_of or app_ceiling_computed. A computed
 * roof is exact: the interval is that of the rate. */
struct app_estimate app_ceiling_share(struct app_estimate rate, struct app_estimate roof);

/* Computes the roofs and the points of all probes that were measured, and of the ray tracer's
 * modes. The bandwidth roof is the greatest rate among kernels whose arrays no cache holds. */
void app_roofline_make(const struct app_probes_view *view, const struct app_mode_work *modes,
                       int mode_count, struct app_roofline *roofline);

/* Returns the point with that name; NULL: it was not measured. */
const struct app_roofline_point *app_roofline_find(const struct app_roofline *roofline,
                                                   const char *name);
