/* kernels/cuda/probes/topic.h - a measured topic on the CUDA backend: what each of them defines,
 * and what they share (inside kernels/cuda/probes only).
 *
 * A topic is one descriptor: a table of series, the memory that they need, and how they are
 * launched and checked. probes.c walks the descriptors that krn/topics.h lists; memory.c takes the
 * memory that they ask for. Neither knows any of them.
 */
#ifndef KRN_CUDA_TOPIC_H
#define KRN_CUDA_TOPIC_H

#include "core/probes/probe_ops.h"
#include "cuda/probes/compare.h"
#include "cuda/probes/data.h"
#include "cuda/runtime/check.h"
#include "cuda/runtime/gate.h"

struct krn_cuda_probes;
struct krn_cuda_series;
struct krn_cuda_topic;

/* A probe as it is launched; it has the same index in `runs` as in the list. */
struct krn_cuda_run {
    const struct krn_cuda_topic *topic;
    const struct krn_cuda_series *series;
    size_t count; /* elements gone over, or bytes copied */
    int blocks, threads, shared, rounds;
    size_t expected; /* index into what the topic expects */
};

/* How the probes of a series run. expect, prepare and fetch may be NULL. */
struct krn_cuda_kind {
    bool gated; /* a gate before the run, so that no launch gap counts */
    /* Called once, when the probe joins the list: queues what makes the expected result. */
    enum krn_code (*expect)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                            struct krn_error *);
    /* Queue what comes before the time stamps, the run, and the comparison after them. */
    enum krn_code (*prepare)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                             struct krn_error *);
    enum krn_code (*launch)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                            struct krn_error *);
    enum krn_code (*compare)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                             struct krn_error *);
    /* Queued before the comparison: brings what the run left on the host back to the device. */
    enum krn_code (*fetch)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                           struct krn_error *);
    /* Compares the whole result of the run before with the host's own. */
    enum krn_code (*verify)(struct krn_cuda_probes *, const struct krn_cuda_run *,
                            struct krn_check *, struct krn_error *);
    /* Returns a word of what the run left, on the device or the host, to be damaged for tests. */
    void *(*result)(const struct krn_cuda_probes *, const struct krn_cuda_run *);
};

enum { KRN_CUDA_POINTS = 32 };

struct krn_cuda_series {
    const char *name, *axis, *scope;
    const struct krn_cuda_kind *kind;
    int variant, parameter; /* what they mean is the topic's own */
    /* Writes the x of the points, ascending; returns their number. */
    int (*points)(const struct krn_cuda_probes *, const struct krn_cuda_series *,
                  double x[KRN_CUDA_POINTS]);
    /* Fills what is not 0 yet; false when the probe does not fit. */
    bool (*fill)(struct krn_cuda_probes *, double x, struct krn_cuda_run *, struct krn_probe *);
    bool cold;
};

/* All callbacks may be NULL. Memory is taken once, when the probes are opened: plan says how much,
 * carve hands it out, fill writes what it holds. plan and carve are called again with more halvings
 * while the sum does not fit. */
struct krn_cuda_topic {
    const struct krn_cuda_series *series;
    int count;
    const char *absent; /* why this backend has no series of the topic, a sentence; else NULL */
    size_t state_bytes; /* of the topic's own state, zeroed when the probes are opened */
    /* Decides the sizes of the topic's arrays, the largest halved `halvings` times, and asks for
     * shared memory (krn_cuda_want_result, krn_cuda_want_flush). */
    void (*plan)(struct krn_cuda_probes *, int halvings);
    void (*carve)(struct krn_cuda_probes *); /* by krn_cuda_carve */
    /* Queues the first contents, and takes host memory. */
    enum krn_code (*fill)(struct krn_cuda_probes *, struct krn_error *);
    /* After a run that failed or left a wrong result: what the run wrote to is unknown. */
    void (*forget)(struct krn_cuda_probes *);
    void (*release)(struct krn_cuda_probes *); /* frees host memory; the state may still be 0 */
};

/* Host memory that the device sees too. */
struct krn_cuda_mapped {
    atomic_uint ticket; /* of the gate */
    struct krn_cuda_verdict verdict;
};

struct krn_cuda_probes {
    struct krn_probes base;
    const struct krn_device_info *info;
    cudaStream_t stream;
    const struct krn_cuda_topic *topics[KRN_TOPIC_COUNT]; /* NULL: not wanted */
    void *state[KRN_TOPIC_COUNT];                         /* of state_bytes, the topic's own */
    double gbps;    /* the memory's theoretical bandwidth, for guesses */
    int shared_max; /* bytes of shared memory of a multiprocessor */

    struct krn_cuda_run *runs;
    int runs_capacity;
    int current; /* the run under way */
    cudaEvent_t slice_start, start, stop, slice_stop;
    struct krn_cuda_gate gate;
    struct krn_cuda_mapped *mapped, *mapped_on_device;

    /* One piece of device memory, of which topics carve theirs. */
    unsigned char *memory; /* NULL while only sizes are added up */
    size_t memory_bytes, carved_bytes;

    /* Device memory that topics share. */
    unsigned char *flush; /* NULL: no room for it */
    size_t flush_bytes;
    bool flush_wanted;
    void *result; /* what a run leaves where it has no array of its own */
    size_t result_bytes;
    struct krn_cuda_tally *tally;
    long long *cycles;
    unsigned *unread; /* what nobody reads */
};

/* For plan: asks for at least so many bytes of `result`, and for a flush of the caches. */
void krn_cuda_want_result(struct krn_cuda_probes *probes, size_t bytes);
void krn_cuda_want_flush(struct krn_cuda_probes *probes);
/* For plan: size, or 0 where it is less than `least`. */
size_t krn_cuda_at_least(size_t size, size_t least);

/* For carve: a piece of device memory; NULL for 0 bytes, and while only sizes are added up. */
void *krn_cuda_carve(struct krn_cuda_probes *probes, size_t bytes);

/* For prepare: overwrites the caches with unrelated data and leaves nothing to write back. */
enum krn_code krn_cuda_probe_flush(struct krn_cuda_probes *probes, struct krn_error *error);
/* For compare. */
struct krn_cuda_judge krn_cuda_probe_judge(const struct krn_cuda_probes *probes);
/* For fill: the least time that `bytes` of memory traffic take, ms. */
double krn_cuda_probe_ms(const struct krn_cuda_probes *probes, double bytes);
/* For verify: hands the bytes at `device` to `piece` in parts, each a multiple of 8 bytes. */
enum krn_code krn_cuda_probe_read(struct krn_cuda_probes *probes, const void *device, size_t bytes,
                                  void (*piece)(void *context, size_t offset, const void *data,
                                                size_t bytes),
                                  void *context, struct krn_error *error);

/* Such a piece: words with salt 0; context is the struct krn_check that sums up. */
void krn_cuda_check_words(void *check, size_t offset, const void *data, size_t bytes);

/* Words against an expected table that repeats with its period: context of a piece. */
struct krn_cuda_expected_words {
    const uint32_t *expected;
    size_t period;
    struct krn_check *check;
};
void krn_cuda_check_expected(void *expected_words, size_t offset, const void *data, size_t bytes);

#endif
