/* kernels/cpu/probes/topic.h - the descriptor of a measured topic on the CPU, and the memory that
 * topics share (private to kernels/cpu/probes).
 *
 * A descriptor has a table of series, the memory that they need, and functions that run and check
 * them. probes.c iterates over the descriptors and is independent of them.
 */
#pragma once

#include "core/probes/probe_ops.h"
#include "cpu/probes/kernels.h"
#include "cpu/runtime/team.h"

/* Sections of y: one boundary per size of SAXPY and the copies. */
enum { KRN_CPU_STRETCHES = 10 };

/* Extra floats at the end of x, for copies that start at an offset. */
enum { KRN_CPU_PAD = 32 * KRN_CPU_LINE_FLOATS };

/* Large arrays that several topics share. An array that does not fit, or that no topic needs, is
 * NULL. */
struct krn_cpu_arrays {
    bool wants_x, wants_y;
    float *x, *y;  /* element i is initially krn_cpu_value(i), once it is filled */
    size_t floats; /* length of y, a power of two; x has KRN_CPU_PAD more */
    /* The beginnings that are filled (krn_cpu_need). The rest takes no memory yet. */
    size_t filled_x, filled_y;
    /* The expected content of the sections of y, and the number of copies so far, from which each
     * copy derives its offset in x. */
    struct krn_cpu_held held[KRN_CPU_STRETCHES];
    unsigned copies;
};

enum { KRN_CPU_BLOCKS = 16 };

struct krn_cpu_series;
struct krn_cpu_topic;

struct krn_cpu_probes {
    struct krn_probes base;
    const struct krn_cpu_probe_kernels *kernels;
    /* The kernels of the selected level and of those below it, best first. */
    const struct krn_cpu_probe_kernels *levels[KRN_CPU_LEVELS];
    int level_count;
    const struct krn_cpu_topic *topics[KRN_TOPIC_COUNT]; /* NULL: not requested, or not measured */
    void *state[KRN_TOPIC_COUNT];                        /* state_bytes for each topic */
    const struct krn_cpu_series **series;                /* the series of each probe */
    struct krn_cpu_team *team;
    int threads; /* number of threads of the team */
    struct krn_cpu_arrays arrays;
    struct krn_probe_reading ready; /* the reading of the latest run */
    void *result;                   /* a word of that run's result, which tests damage */
    struct krn_cpu_overheads overheads;

    size_t bytes_left;    /* memory that may still be allocated */
    size_t refused_bytes; /* of an allocation that the system refused; 0: none */
    void *blocks[KRN_CPU_BLOCKS];
    int block_count;
};

/* One series: a bar or curve. */
struct krn_cpu_series {
    const char *name, *axis;
    const double *x;
    int count;
    bool all; /* uses all threads; else one */
    int way;  /* selects one of the topic's kernels */
    const char *scope;

    /* Sets the bytes and operations of a probe for its x; threads, scope and names are already set.
     * Returns false when the memory that the probe needs is missing. */
    bool (*describe)(const struct krn_cpu_probes *, const struct krn_cpu_series *,
                     struct krn_probe *);
    void (*prepare)(struct krn_cpu_probes *, int index); /* before the clock; sets `result` */
    void (*run)(struct krn_cpu_probes *, int index);
    /* whole: compares with plain loops of the host, and checks the inputs too. */
    void (*check)(struct krn_cpu_probes *, int index, bool whole, struct krn_check *);
};

/* All callbacks may be NULL. */
struct krn_cpu_topic {
    const struct krn_cpu_series *series;
    int count;
    size_t state_bytes; /* size of the topic's state, which is zeroed at opening */
    /* Allocates the topic's small blocks (krn_cpu_alloc) and requests the shared arrays. */
    void (*alloc)(struct krn_cpu_probes *);
    /* Fills the inputs and the expected results of the listed probes. */
    void (*fill)(struct krn_cpu_probes *);
    /* Returns the time of the latest run in ms; NULL: the time that `run` takes. */
    double (*read_ms)(const struct krn_cpu_probes *, int index);
};

/* Defines the function that returns a topic's own state, a struct state. */
#define KRN_CPU_STATE(topic)                                                                       \
    static struct state *own(const struct krn_cpu_probes *p)                                       \
    {                                                                                              \
        return p->state[topic];                                                                    \
    }

/* Returns the team that the probe runs on; NULL is the calling thread alone. */
static inline struct krn_cpu_team *krn_cpu_team_of(const struct krn_cpu_probes *probes,
                                                   const struct krn_probe *probe)
{
    return probe->threads > 1 ? probes->team : NULL;
}

/* Runs a kernel on the threads of a probe. */
static inline void krn_cpu_run(const struct krn_cpu_probes *probes, const struct krn_probe *probe,
                               krn_cpu_work *kernel, const void *context)
{
    krn_cpu_team_each(krn_cpu_team_of(probes, probe), kernel, context);
}

#define KRN_CPU_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Allocates a block that is aligned to pages and freed with the probes. Returns NULL when the limit
 * is exceeded, or when the system refuses; the latter sets refused_bytes. */
void *krn_cpu_alloc(struct krn_cpu_probes *probes, size_t bytes);

/* Fills the shared arrays up to an element, with all threads: x up to x_floats, and y up to
 * y_floats, at most to their ends. Fills nothing twice. A cancelled call may leave the rest
 * unfilled. */
void krn_cpu_need(struct krn_cpu_probes *probes, size_t x_floats, size_t y_floats);

/* Returns more bytes than fit into the last-level caches, as far as the system reports them. */
size_t krn_cpu_beyond_caches(void);

/* Estimates the time of a slice in ms for a slow memory of 10 GB/s. */
static inline double krn_cpu_expected_ms(double bytes)
{
    return bytes / 10e6;
}

/* --- SAXPY on the arrays x and y, for every topic that runs it. x of such a probe is a number of
 * elements, one of those that bound the sections of y. --- */

enum { KRN_CPU_SAXPY_FACTOR = 2 };

/* For alloc: requests the arrays. */
void krn_cpu_stream_alloc(struct krn_cpu_probes *probes);

/* For prepare: fills y again before its values become inexact. */
void krn_cpu_stream_prepare(struct krn_cpu_probes *probes, int index);

/* Notes that y += KRN_CPU_SAXPY_FACTOR x was executed on the elements of the run. */
void krn_cpu_stream_updated(struct krn_cpu_probes *probes, int index);

/* For check. */
void krn_cpu_stream_check(struct krn_cpu_probes *probes, int index, bool whole,
                          struct krn_check *check);

/* Allocates the memory of the topics, at most bytes_max; blocks that exceed the limit are NULL. A
 * cancelled call leaves the arrays half filled. Errors: KRN_NO_MEMORY. */
enum krn_code krn_cpu_probes_alloc(struct krn_cpu_probes *probes, size_t bytes_max,
                                   struct krn_error *error);
