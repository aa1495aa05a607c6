/* kernels/cpu/probes/topic.h - a measured topic on the CPU: what each of them defines, and what
 * they share (inside kernels/cpu/probes only).
 *
 * A topic is one descriptor: a table of series, the memory that they need, and how they run and are
 * checked. probes.c walks the descriptors that krn/topics.h lists and knows none of them.
 */
#ifndef KRN_CPU_TOPIC_H
#define KRN_CPU_TOPIC_H

#include "core/probes/probe_ops.h"
#include "cpu/probes/kernels.h"

/* Ends of the stretches of y that are written together: every size of a copy and of SAXPY. */
enum { KRN_CPU_STRETCHES = 10 };

/* Floats behind x, for copies that begin a little further on. */
enum { KRN_CPU_PAD = 32 * KRN_CPU_LINE_FLOATS };

/* Large arrays that several topics share. An array that does not fit, or that no topic wants, is
 * NULL. */
struct krn_cpu_arrays {
    bool wants_x, wants_y;
    size_t wants_line_bytes;
    float *x, *y;      /* element i holds krn_cpu_value(i) at first */
    size_t floats;     /* of y; x has KRN_CPU_PAD more */
    uint32_t *lines;   /* of KRN_CPU_SLOTS numbers each, all 0 at first */
    size_t line_count; /* a power of two */
    /* What y holds, by stretches; copies counts those that were made: each begins elsewhere in x.
     */
    struct krn_cpu_held held[KRN_CPU_STRETCHES];
    unsigned copies;
};

enum { KRN_CPU_BLOCKS = 16 };

struct krn_cpu_series;
struct krn_cpu_topic;

struct krn_cpu_probes {
    struct krn_probes base;
    const struct krn_cpu_probe_kernels *kernels;
    const struct krn_cpu_topic *topics[KRN_TOPIC_COUNT]; /* NULL: not wanted */
    void *state[KRN_TOPIC_COUNT];                        /* of state_bytes, the topic's own */
    const struct krn_cpu_series **series;                /* of each probe in the list */
    struct krn_cpu_team *team;
    int threads; /* of the team */
    struct krn_cpu_arrays arrays;
    struct krn_probe_reading ready; /* of the newest run */

    size_t bytes_left; /* that may still be taken */
    bool memory_full;  /* the system refused a block */
    void *blocks[KRN_CPU_BLOCKS];
    int block_count;
};

/* One series: a bar or curve. */
struct krn_cpu_series {
    enum krn_topic topic;
    const char *name, *axis;
    const double *x;
    int count;
    bool all; /* all threads; else one */
    int way;  /* which of the topic's kernels */
    const char *scope;

    /* Fills in what this x moves and computes; threads, scope and names are set before. Returns
     * false where the memory that it needs is missing. */
    bool (*describe)(const struct krn_cpu_probes *, const struct krn_cpu_series *,
                     struct krn_probe *);
    void (*prepare)(struct krn_cpu_probes *, int index); /* before the clock starts */
    void (*run)(struct krn_cpu_probes *, int index);
    /* whole: compares with the host's plain loops alone, and the inputs of the result too. */
    void (*check)(struct krn_cpu_probes *, int index, bool whole, struct krn_check *);
};

/* All callbacks may be NULL. */
struct krn_cpu_topic {
    const struct krn_cpu_series *series;
    int count;
    const char *absent; /* why this backend has no series of the topic, a sentence; else NULL */
    size_t state_bytes; /* of the topic's own state, zeroed when the probes are opened */
    /* Takes the topic's small blocks (krn_cpu_alloc) and asks for the shared arrays. */
    void (*alloc)(struct krn_cpu_probes *);
    /* Fills what the probes in the list read, and what must come out. */
    void (*fill)(struct krn_cpu_probes *);
    /* Returns a word of what a run left, to be damaged for tests. Not NULL where there are series.
     */
    void *(*result)(const struct krn_cpu_probes *, int index);
};

/* Returns the team that the probe runs on; NULL is the calling thread alone. */
static inline struct krn_cpu_team *krn_cpu_team_of(const struct krn_cpu_probes *probes,
                                                   const struct krn_probe *probe)
{
    return probe->threads > 1 ? probes->team : NULL;
}

#define KRN_CPU_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* A block of memory at a page's edge, freed with the probes; NULL where it is not allowed. Where
 * the system has none, memory_full is set as well. */
void *krn_cpu_alloc(struct krn_cpu_probes *probes, size_t bytes);

/* Guesses the time of a slice, ms: bytes over 10 GB/s, which a slow memory reaches. */
static inline double krn_cpu_expected_ms(double bytes)
{
    return bytes / 10e6;
}

#endif
