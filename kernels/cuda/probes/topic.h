/* kernels/cuda/probes/topic.h - the definition of a measured topic on the CUDA backend, and the
 * functions that topics share (private to kernels/cuda/probes).
 *
 * A topic is one descriptor: a table of series, the memory that they need, and how they are
 * launched and checked. probes.c walks through the descriptors that krn/topics.h lists, and
 * allocates the memory that they request. It contains no code for a particular topic.
 */
#pragma once

#include "core/probes/probe_ops.h"
#include "cuda/probes/kernels/kernels.h"
#include "cuda/runtime/runtime.h"

#include "krn/reference.h"

struct krn_cuda_probes;
struct krn_cuda_series;
struct krn_cuda_topic;

/* The launch of a probe, at the same index in `runs` as the probe in the list. */
struct krn_cuda_run {
    const struct krn_cuda_topic *topic;
    const struct krn_cuda_series *series;
    void *state;                 /* of the topic */
    size_t count;                /* elements processed, or bytes copied */
    int blocks, threads, shared; /* the shape of the launch; 0 blocks: a copy */
    int rounds;
    size_t expected;                 /* index into the expected results of the topic */
    struct krn_cuda_results results; /* set by fill where the kind uses a default */
    void *word; /* of the result, which tests damage; NULL: the middle of `results` */
};

/* A part of a slice. It queues its calls by KRN_CUDA_DO, which makes none after a failure. */
typedef void krn_cuda_step(struct krn_cuda_probes *probes, const struct krn_cuda_run *run);

/* The functions that run the probes of a series. All but launch may be NULL. The defaults of
 * prepare, compare and verify are for the run's `results`: they set all of its bytes to 0xff and
 * compare it. */
struct krn_cuda_kind {
    bool ungated;          /* no gate before the run, so a launch gap counts */
    krn_cuda_step *expect; /* the expected result, once, when the probe is added to the list */
    /* The work before the time stamps, the run, and the comparison after them. */
    krn_cuda_step *prepare, *launch, *compare;
    /* The kernels of the run alone; needed where launch waits for the device, which it may not
     * while its kernels' attributes are read (cuda/runtime/runtime.h). */
    krn_cuda_step *capture;
    krn_cuda_step *fetch; /* before the comparison: copies a result in host memory to the device */
    /* Called after the run, when the stream has passed its comparison: gives the time of the
     * reading in place of that between the time stamps. */
    double (*read_ms)(struct krn_cuda_probes *, const struct krn_cuda_run *);
    /* Compares the whole result of the last run with one that the host computes. */
    void (*verify)(struct krn_cuda_probes *, const struct krn_cuda_run *, struct krn_check *);
};

struct krn_cuda_series {
    const char *name, *axis, *scope;
    const struct krn_cuda_kind *kind;
    int variant, parameter; /* the topic defines their meaning */
    const double *x;        /* of the points, ascending */
    int count;
    /* Completes the run and the probe of a point; returns false when the probe does not fit. Where
     * the device decides x, writes it to the probe. */
    bool (*fill)(struct krn_cuda_probes *, double x, struct krn_cuda_run *, struct krn_probe *);
    bool cold;
};

/* An array and its length: the members x and count of a series, series and count of a topic. */
#define KRN_CUDA_POINTS(x) (x), (int)(sizeof(x) / sizeof *(x))

/* All callbacks may be NULL. Memory is allocated once, when the probes are opened: lay_out decides
 * how much and takes it, fill writes its contents. lay_out is called again, with more halvings as
 * long as the sum does not fit, and at last to take what was allocated. */
struct krn_cuda_topic {
    const struct krn_cuda_series *series;
    int count;
    size_t state_bytes; /* of the topic's own state, which is zeroed when the probes are opened */
    /* Bytes of `result` that the runs need, and more of them for each multiprocessor. */
    size_t result_bytes, result_bytes_each;
    /* A table that the host makes, and that has a copy on the device (`tables`). */
    size_t table_bytes;
    void (*make_table)(const struct krn_cuda_probes *, void *table);
    /* Decides the sizes of the topic's arrays, the largest halved `halvings` times, takes them
     * (krn_cuda_carve), and requests the buffers that topics share (krn_cuda_request_result,
     * flush_requested). */
    void (*lay_out)(struct krn_cuda_probes *, int halvings);
    /* Queues the initial contents, and allocates host memory. */
    void (*fill)(struct krn_cuda_probes *);
    /* Called after a run that failed or gave a wrong result: the contents of the memory that it
     * writes are unknown. */
    void (*invalidate)(const struct krn_cuda_run *);
    void (*release)(struct krn_cuda_probes *); /* frees host memory; the state may still be 0 */
};

/* Host memory that is mapped into the device. */
struct krn_cuda_mapped {
    struct krn_cuda_gate_page gate;
    struct krn_cuda_verdict verdict;
};

struct krn_cuda_probes {
    struct krn_probes base;
    const struct krn_device_info *info;
    cudaStream_t stream;
    /* What failed first in the call in progress (KRN_CUDA_DO). */
    enum krn_code code;
    struct krn_error *error;
    const struct krn_cuda_topic *topics[KRN_TOPIC_COUNT]; /* NULL: not requested */
    void *state[KRN_TOPIC_COUNT]; /* the topics' own states, of state_bytes */
    struct krn_cuda_table {
        void *host, *device;
    } tables[KRN_TOPIC_COUNT]; /* of table_bytes */
    /* For estimates, where the device tells none, a guess: the theoretical bandwidth of the memory,
     * the greatest clock, and multiply-adds of single precision per clock and multiprocessor. */
    double gbps, mhz, lanes;
    int shared_max; /* bytes of shared memory per multiprocessor */

    struct krn_cuda_run *runs; /* room for as many as the list of probes */
    int current;               /* index of the run in progress */
    cudaEvent_t slice_start, start, stop, slice_stop;
    struct krn_cuda_gate gate;
    unsigned run_gate; /* number of the gate of the run in progress; 0: it has none */
    bool busy_before;  /* other work was queued or running when that run was started */
    struct krn_cuda_overhead overhead;
    struct krn_cuda_mapped *mapped, *mapped_on_device;

    /* One allocation of device memory, from which the topics carve their arrays. */
    unsigned char *memory; /* NULL while only sizes are added up */
    size_t memory_bytes, carved_bytes;

    /* Device memory that topics share. */
    unsigned char *flush; /* NULL: it does not fit */
    size_t flush_bytes;
    bool flush_requested;
    void *result; /* result of a run that has no array of its own */
    size_t result_bytes;
    struct krn_cuda_tally *tally;
    long long *cycles;
    unsigned *unread; /* written by krn_cuda_touch, never read */
};

/* Makes a call of CUDA unless one before it has failed; evaluates to the code of the first
 * failure. */
#define KRN_CUDA_DO(probes, call)                                                                  \
    ((probes)->code =                                                                              \
         (probes)->code == KRN_OK ? KRN_CUDA_CALL(call, #call, (probes)->error) : (probes)->code)

/* Leaves out a topic that the memory does not hold, and says so. */
#define KRN_CUDA_REFUSE(probes, topic, ...)                                                        \
    ((void)KRN_FAIL((probes)->error, KRN_NO_MEMORY, __VA_ARGS__),                                  \
     krn_probes_refuse(&(probes)->base, topic, (probes)->error))

/* Defines the function that returns a topic's own state, a struct state. */
#define KRN_CUDA_STATE(topic)                                                                      \
    static struct state *state_of(const struct krn_cuda_probes *probes)                            \
    {                                                                                              \
        return probes->state[topic];                                                               \
    }

/* For fill: returns results that have to be those of the topic's table from byte `at` on. */
struct krn_cuda_results krn_cuda_tabled(const struct krn_cuda_probes *probes, enum krn_topic topic,
                                        enum krn_cuda_type type, size_t count, size_t period,
                                        size_t at);

/* For lay_out: requests at least `bytes` bytes of `result`. */
void krn_cuda_request_result(struct krn_cuda_probes *probes, size_t bytes);
/* For lay_out: returns size, or 0 when it is less than `least`. */
size_t krn_cuda_at_least(size_t size, size_t least);

/* For lay_out: returns a piece of device memory; NULL for 0 bytes, and while only sizes are added
 * up. */
void *krn_cuda_carve(struct krn_cuda_probes *probes, size_t bytes);

/* For prepare: overwrites the caches with unrelated data, and leaves no dirty lines. */
void krn_cuda_probe_flush(struct krn_cuda_probes *probes);
/* For compare: returns the memory of the comparison. */
struct krn_cuda_comparison krn_cuda_probe_comparison(const struct krn_cuda_probes *probes);
/* For fill: returns the shortest time that `bytes` bytes of memory traffic take, in ms. */
double krn_cuda_probe_ms(const struct krn_cuda_probes *probes, double bytes);
/* For read_ms: returns the time in ms between two events that the device has passed. */
double krn_cuda_elapsed(struct krn_cuda_probes *probes, cudaEvent_t from, cudaEvent_t to);
/* For verify: copies the bytes at `device` to the host and passes them to `piece` in parts, each a
 * multiple of 8 bytes. */
void krn_cuda_probe_read(struct krn_cuda_probes *probes, const void *device, size_t bytes,
                         void (*piece)(void *context, size_t offset, const void *data,
                                       size_t bytes),
                         void *context);
/* For verify: returns a copy of `result`, to be freed; NULL: there is no memory for it. */
uint8_t *krn_cuda_probe_copy(struct krn_cuda_probes *probes, size_t bytes);

/* 1, 2, 4, 8, 16 and 32 warps, as threads. */
enum { KRN_CUDA_WARP_POINTS = 6 };
extern const double krn_cuda_warps[KRN_CUDA_WARP_POINTS];

/* --- SAXPY on the arrays x and y (topics/saxpy.c), for every topic whose state begins with them:
 * the runs of a series have as many elements as its points say --- */

struct krn_cuda_stream {
    float *x, *y;
    size_t elements;
    struct krn_cuda_updates updates; /* of y */
    bool y_unknown;                  /* y must be filled again */
};

void krn_cuda_stream_carve(struct krn_cuda_probes *probes, struct krn_cuda_stream *stream);
void krn_cuda_stream_fill(struct krn_cuda_probes *probes, struct krn_cuda_stream *stream);
/* Describes a run without the constant part of its expected time. */
bool krn_cuda_stream_describe(const struct krn_cuda_probes *probes, double x,
                              struct krn_cuda_run *run, struct krn_probe *probe);
krn_cuda_step krn_cuda_stream_launch, krn_cuda_stream_prepare, krn_cuda_stream_compare;
void krn_cuda_stream_verify(struct krn_cuda_probes *probes, const struct krn_cuda_run *run,
                            struct krn_check *check);
void krn_cuda_stream_invalidate(const struct krn_cuda_run *run);

enum krn_code krn_cuda_open_probes(struct krn_device *device, unsigned topics, size_t bytes_max,
                                   struct krn_probes **probes, struct krn_error *error);
