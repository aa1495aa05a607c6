/* kernels/cuda/probes/probes.h - the CUDA backend's probes (inside kernels/cuda only).
 *
 * A topic is a table of series; a series says which points it has, what each of them moves and
 * computes, and shares with others of its topic how it is run and checked. cuda_probe.c does what
 * all have in common: memory, events, the gate, readings.
 */
#ifndef KRN_CUDA_PROBE_H
#define KRN_CUDA_PROBE_H

#include "core/probes/probe_ops.h"
#include "cuda/probes/data.h"
#include "cuda/probes/kernels.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/gate.h"

struct krn_cuda_probes;
struct krn_cuda_series;

/* A probe as it is launched; the same place in `runs` as in the list. */
struct krn_cuda_run {
    const struct krn_cuda_series *series;
    size_t count; /* elements gone over, or bytes copied */
    int blocks, threads, shared, rounds;
    size_t expected; /* where in the expected sums or the tables */
};

/* How the probes of a series run. expect, prepare and fetch may be NULL. */
struct krn_cuda_kind {
    bool gated; /* a gate before the run, so that no launch gap counts */
    /* Once, when the probe joins the list: queues what makes the result that is expected. */
    enum krn_code (*expect)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                            struct krn_error *);
    /* Queues what comes before the time stamps, the run, and the comparison after them. */
    enum krn_code (*prepare)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                             struct krn_error *);
    enum krn_code (*launch)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                            struct krn_error *);
    enum krn_code (*compare)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                             struct krn_error *);
    /* Queued before the comparison: brings what the run left on the host where that looks. */
    enum krn_code (*fetch)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                           struct krn_error *);
    /* Compares the whole result of the run before with the host's own. */
    enum krn_code (*verify)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                            struct krn_check *, struct krn_error *);
    /* A word of what the run left, on the device or the host, to be damaged for tests. */
    void *(*result)(const struct krn_cuda_probes *, const struct krn_cuda_run *);
};

enum { KRN_CUDA_POINTS = 32 };

struct krn_cuda_series {
    const char *name, *axis, *scope;
    const struct krn_cuda_kind *kind;
    int variant, parameter; /* what they mean is the topic's own */
    /* The x of its points, ascending; how many. */
    int (*points)(const struct krn_cuda_probes *, const struct krn_cuda_series *,
                  double x[KRN_CUDA_POINTS]);
    /* Fills what is not 0 yet; false when the probe does not fit. */
    bool (*fill)(struct krn_cuda_probes *, double x, struct krn_cuda_run *, struct krn_probe *);
    bool cold;
};

struct krn_cuda_topic {
    const struct krn_cuda_series *series;
    int count;
};

extern const struct krn_cuda_topic krn_cuda_saxpy_topic, krn_cuda_access_topic, krn_cuda_ilp_topic,
    krn_cuda_memlat_topic, krn_cuda_constant_topic, krn_cuda_transfer_topic;

/* Small tables, built on the host and the same on the device, in words: the window that lanes read
 * from, the walks' tables of 256 words and more, what reads, walks and chains must end with. */
enum {
    KRN_CUDA_READS = 6,
    KRN_CUDA_WALKS = 7,
    KRN_CUDA_CHAINS = 5,
    KRN_CUDA_AT_WALK = KRN_PROBE_WINDOW,
    KRN_CUDA_WALK_WORDS = 256, /* of the smallest; each is twice the one before */
    KRN_CUDA_AT_READS_END = KRN_CUDA_AT_WALK + KRN_CUDA_WALK_WORDS * ((1 << KRN_CUDA_WALKS) - 1),
    KRN_CUDA_AT_WALKS_END = KRN_CUDA_AT_READS_END + KRN_CUDA_READS * KRN_LANES,
    KRN_CUDA_AT_CHAINS = KRN_CUDA_AT_WALKS_END + 8,
    KRN_CUDA_TABLE_WORDS = KRN_CUDA_AT_CHAINS + KRN_CUDA_CHAINS * KRN_PROBE_STARTS
};
void krn_cuda_constant_tables(uint32_t *tables);
void krn_cuda_ilp_tables(uint32_t *tables);

/* Host memory that the device sees too. */
struct krn_cuda_mapped {
    atomic_uint ticket; /* of the gate */
    struct krn_cuda_verdict verdict;
};

struct krn_cuda_probes {
    struct krn_probes base;
    const struct krn_device_info *info;
    cudaStream_t stream;
    unsigned topics;
    double gbps;    /* the memory's bandwidth in theory, for guesses */
    int shared_max; /* bytes of shared memory of a multiprocessor */

    struct krn_cuda_run *runs;
    int runs_capacity;
    int current; /* the run under way */
    cudaEvent_t slice_start, start, stop, slice_stop;
    struct krn_cuda_gate gate;
    struct krn_cuda_mapped *mapped, *mapped_on_device;

    /* Device memory, all of it one piece; a pointer is NULL where its topic is not wanted or does
     * not fit. */
    unsigned char *memory;
    size_t memory_bytes;
    float *x, *y;
    size_t saxpy_elements;
    int *numbers;
    size_t numbers_count;
    uint32_t *from, *to; /* memlat's */
    size_t copy_bytes;
    uint32_t *remote; /* transfers' */
    size_t transfer_bytes;
    unsigned char *flush;
    size_t flush_bytes;
    void *result; /* what a run leaves where it has no array of its own */
    size_t result_bytes;
    unsigned long long *sums; /* that are expected */
    size_t sums_used, sums_room;
    uint32_t *tables;
    void *bank; /* the constant memory of the reads, where it lies */
    struct krn_cuda_tally *tally;
    long long *cycles;
    unsigned *unread; /* what nobody looks at */

    /* Host memory. */
    uint32_t *host_tables;
    uint32_t *pinned, *pageable; /* transfer_bytes each: words with salt 0 but during a run */

    struct krn_cuda_updates updates; /* of y */
    bool y_unknown;                  /* a run failed, or damaged it: to be filled again */
    bool host_unknown;               /* as y_unknown, of pinned and pageable */
};

/* For prepare: overwrites the caches with what nobody needs, and nothing is left to write back. */
enum krn_code krn_cuda_probe_flush(struct krn_cuda_probes *probes, struct krn_error *error);
/* For compare. */
struct krn_cuda_judge krn_cuda_probe_judge(const struct krn_cuda_probes *probes);
/* For fill: the time of so many bytes of memory, at the best. */
double krn_cuda_probe_ms(const struct krn_cuda_probes *probes, double bytes);
/* For verify: hands the bytes at `device` to `piece` bit by bit, each a multiple of 8 bytes. */
enum krn_code krn_cuda_probe_read(struct krn_cuda_probes *probes, const void *device, size_t bytes,
                                  void (*piece)(void *context, size_t offset, const void *data,
                                                size_t bytes),
                                  void *context, struct krn_error *error);

/* Such a piece: words with salt 0; context is the struct krn_check that sums up. */
void krn_cuda_check_words(void *check, size_t offset, const void *data, size_t bytes);

/* .open_probes of the backend. */
enum krn_code krn_cuda_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                   struct krn_probes **probes, struct krn_error *error);

/* Its memory (cuda_probe_memory.c): taken and filled; given back. */
enum krn_code krn_cuda_probes_alloc(struct krn_cuda_probes *probes, size_t bytes_max,
                                    struct krn_error *error);
void krn_cuda_probes_free(struct krn_cuda_probes *probes);

#endif
