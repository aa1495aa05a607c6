/* kernels/cpu/probes/probes.h - the CPU's probes: one row of a table for each series, and what they
 * run in. */
#ifndef KRN_CPU_PROBE_H
#define KRN_CPU_PROBE_H

#include "core/probes/probe_ops.h"
#include "cpu/probes/kernels.h"

/* Ends of the stretches of y that are written together: every size of a copy and of SAXPY. */
enum { KRN_CPU_STRETCHES = 10 };

/* All memory of the probes; what a topic does not need, or does not fit, is NULL. */
struct krn_cpu_blocks {
    size_t left; /* bytes that may still be taken */
    float *x, *y;
    size_t floats;     /* of y; x has KRN_CPU_PAD more */
    uint32_t *lines;   /* of KRN_CPU_SLOTS numbers each; a slot's number leads on to another */
    size_t line_count; /* a power of two */
    uint32_t *at;      /* KRN_CPU_CHAINS of each thread: where chains stand */
    int *numbers, *cubes, *expected_cubes; /* sums: of chunks, then of strides */
    float *sums;                           /* of groups that a pattern read */
    float *start, *expected_ends, *ends;   /* of multiply-adds; ends of each thread */
};

/* Floats behind x, for copies that begin a little further on. */
enum { KRN_CPU_PAD = 32 * KRN_CPU_LINE_FLOATS };

struct krn_cpu_series;

struct krn_cpu_probes {
    struct krn_probes base;
    const struct krn_cpu_probe_kernels *kernels;
    const struct krn_cpu_series **series; /* of each probe in the list */
    int threads;
    struct krn_cpu_blocks blocks;
    struct krn_cpu_held held[KRN_CPU_STRETCHES];
    unsigned copies;                /* that were made: each begins elsewhere in x */
    size_t thread_first;            /* of the newest pattern's logical threads */
    size_t walked[KRN_CPU_SLOTS];   /* how far along its cycle each slot's next run begins */
    struct krn_probe_reading ready; /* of the newest run */
};

/* One series: a bar or curve. To add one, add a row and its kernel. */
struct krn_cpu_series {
    enum krn_topic topic;
    const char *name, *axis;
    const double *x;
    int count;
    bool all; /* all threads; else one */
    int way;  /* which of the topic's kernels */
    const char *scope;

    /* Puts in what this x moves and computes; threads, scope and names are there. False: its memory
     * is not. */
    bool (*describe)(const struct krn_cpu_probes *, const struct krn_cpu_series *,
                     struct krn_probe *);
    void (*prepare)(struct krn_cpu_probes *, int index); /* before the clock starts */
    void (*run)(struct krn_cpu_probes *, int index);
    /* whole: by the host's plain loops alone, and all that the result came from. */
    void (*check)(struct krn_cpu_probes *, int index, bool whole, struct krn_check *);
};

#define KRN_CPU_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* The tables, and how many rows they have. */
extern const struct krn_cpu_series krn_cpu_saxpy[], krn_cpu_transfer[], krn_cpu_access[],
    krn_cpu_ilp[], krn_cpu_memlat[], krn_cpu_constant[];
extern const int krn_cpu_saxpy_rows, krn_cpu_transfer_rows, krn_cpu_access_rows, krn_cpu_ilp_rows,
    krn_cpu_memlat_rows, krn_cpu_constant_rows;

/* Errors: KRN_NO_MEMORY. What bytes_max does not allow stays NULL. */
enum krn_code krn_cpu_blocks_alloc(struct krn_cpu_probes *probes, unsigned topics, size_t bytes_max,
                                   struct krn_error *error);
void krn_cpu_blocks_free(struct krn_cpu_blocks *blocks);

/* A guess for a slice: bytes over 10 GB/s, which a slow memory reaches. */
static inline double krn_cpu_expected_ms(double bytes)
{
    return bytes / 10e6;
}

/* Fill what a topic's probes read, and what must come out. */
void krn_cpu_streams_fill(struct krn_cpu_probes *probes);
void krn_cpu_access_fill(struct krn_cpu_probes *probes);
void krn_cpu_ilp_fill(struct krn_cpu_probes *probes);
void krn_cpu_walks_fill(struct krn_cpu_probes *probes);

/* The probes of krn/probe.h, as .open_probes of backend.h. */
enum krn_code krn_cpu_probes_open(const struct krn_cpu_probe_kernels *kernels, unsigned topics,
                                  size_t bytes_max, struct krn_probes **probes,
                                  struct krn_error *error);

#endif
