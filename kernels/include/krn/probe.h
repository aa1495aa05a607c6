/* krn/probe.h - probes: the measurements of the panels, grouped by topic (krn/topics.h).
 *
 * A probe is one bar of a panel or one point of a curve. A device offers a list of probes, each
 * with the bytes that it moves and the operations that it executes; every number on screen or in a
 * record is derived from these and a reading. Probes run one at a time on the device's stream,
 * between frames. On a GPU, start returns at once and poll returns the reading when it is ready, so
 * the caller never blocks. The device checks the result of every run, outside of the timed part;
 * krn_probe_verify compares the whole result (of bounces, rows of the picture) with one of the
 * host.
 *
 * Sources of the measurements: M. Harris, How to Implement Performance Metrics in CUDA C/C++
 * (three clocks, SAXPY, transfers, peak arithmetic); V. Volkov, Better Performance at Lower
 * Occupancy (instruction-level parallelism, memory latency); a tutorial's sum of cubes (access
 * patterns); J. Sanders, E. Kandrot, CUDA by Example, 6 (constant memory); NVIDIA, CUDA C++
 * Programming Guide (constant memory by bounces).
 *
 * Thread safety: one thread at a time per device.
 */
#pragma once

#include "krn/device.h"
#include "krn/error.h"
#include "krn/properties.h"
#include "krn/topics.h"

#include <stdbool.h>
#include <stddef.h>

#define KRN_TOPIC_ID(id, name, what) KRN_TOPIC_##id,
enum krn_topic { KRN_TOPICS(KRN_TOPIC_ID) KRN_TOPIC_COUNT };
#undef KRN_TOPIC_ID

#define KRN_TOPICS_ALL ((1u << KRN_TOPIC_COUNT) - 1)

/* The topics that the CPU backend has; the others measure a GPU. */
#define KRN_TOPICS_CPU                                                                             \
    (1u << KRN_TOPIC_TIMER | 1u << KRN_TOPIC_SAXPY | 1u << KRN_TOPIC_PEAK | 1u << KRN_TOPIC_ACCESS)

/* Returns the topic's name in options and records: "saxpy"; "n/a" for an invalid number. */
const char *krn_topic_name(enum krn_topic topic);

enum { KRN_SERIES_NAME = 32 };

/* The description of a probe. Numbers that do not apply are 0. */
struct krn_probe {
    enum krn_topic topic;
    char series[KRN_SERIES_NAME]; /* the bar or curve that it belongs to: "vector", "ilp2" */
    const char *axis;             /* the quantity x: "elements", "threads", "addresses"; not NULL */
    double x;
    int threads, blocks;    /* of the launch; on the CPU: threads, and 0 blocks */
    double useful_bytes;    /* bytes that one run reads and writes */
    double moved_bytes;     /* bytes of all sectors (CPU: cache lines) that it touches */
    double sectors;         /* sectors per request, on average */
    double uniform;         /* of a warp's reads, the share whose lanes all read one address */
    double addresses;       /* different addresses that a warp reads at once, on average */
    double flops;           /* floating-point operations of one run; a multiply-add counts as 2 */
    bool double_precision;  /* its flops are of double precision, not of single */
    double operations;      /* operations of one run that the topic counts, such as atomic adds */
    double steps;           /* dependent operations or reads of one thread; `banks`: of all warps */
    double in_flight_bytes; /* maximum of bytes in flight, from its loads and threads */
    double footprint_bytes; /* size of the memory that it accesses */
    bool beside_memory;     /* its bytes use another bus or stay in caches, so the bandwidth of
                               device memory does not limit it */
    bool cold;              /* the caches are overwritten before each run */
    bool has_cycles;        /* readings include clock cycles of one multiprocessor */
    bool other_clock;       /* ms is not read from the device's clock: its tick does not apply */
    bool no_overhead;       /* ms does not contain an empty kernel's time (krn_probe_overhead) */
    double expected_ms;     /* estimated time of a slice before the first measurement */
    const char *scope;      /* the clock, and what happens between its time stamps; not NULL */
    struct krn_kernel_attributes kernel; /* of its launch; registers 0: not known, or no kernel */
};

/* The result of a check. */
struct krn_check {
    double compared, wrong;  /* numbers of elements; NaN is wrong */
    double first;            /* index of the first wrong element, if any */
    double expected, actual; /* values of the first wrong element */
    double max_error;        /* largest |actual - expected|; infinite for NaN */
};

/* One run of a probe. */
struct krn_probe_reading {
    int probe;              /* index in the list */
    double ms;              /* time between the time stamps, or what the probe's scope says */
    double cycles;          /* clock cycles; 0 when the probe does not count them */
    double slice_ms;        /* time of all its work on the device: cache flush, run, check */
    struct krn_check check; /* by the device */
    bool busy; /* other work of this device was queued or running when the run was started */
};

struct krn_probes;

/* Opens the probes of the topics, a set of bits 1 << enum krn_topic: allocates all memory that they
 * need, at most bytes_max (0: half of the device's memory), and loads their kernels. Leaves out
 * probes that do not fit and series that the device or host refuses, unless nothing would remain.
 * The device must outlive the probes. Those of the backend gl change its scene. Errors:
 * KRN_UNAVAILABLE (the backend has no probes), KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_probes_open(struct krn_device *device, unsigned topics, size_t bytes_max,
                              struct krn_probes **probes, struct krn_error *error);

/* Appends those of another device, which `probes` then owns. They are behind the others, and where
 * the other device fails or is lost, its probes are refused. Errors: those of krn_probes_open, of
 * the other device, which is closed. */
enum krn_code krn_probes_beside(struct krn_probes *probes, struct krn_device *other,
                                unsigned topics, struct krn_error *error);

/* Returns the device that a probe measures. */
const struct krn_device *krn_probes_device(const struct krn_probes *probes, int index);

/* Waits for a run in progress and closes the probes; accepts NULL. */
void krn_probes_close(struct krn_probes *probes);

/* Returns a sentence that tells why series of a topic were left out; NULL when none were. */
const char *krn_probes_why(const struct krn_probes *probes, enum krn_topic topic);

/* Access the list of probes, which is sorted by topic, series and x. */
int krn_probes_count(const struct krn_probes *probes);
const struct krn_probe *krn_probes_at(const struct krn_probes *probes, int index);

/* Starts a run. On a GPU, returns at once, except for runs that need the host: copies of pageable
 * memory, and those that the host's clock measures. Errors: KRN_REFUSED (a run is in progress),
 * KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_probe_start(struct krn_probes *probes, int index, struct krn_error *error);

/* Returns true while a run is in progress or its reading has not been polled. */
bool krn_probe_busy(const struct krn_probes *probes);

/* Copies the reading of a completed run; returns false when there is none. Does not block. A run
 * that fails gives no reading; the next call on the device reports the failure. Nor does a run
 * whose gate opened by itself: krn_probe_gate_drops counts it, and it is no failure. */
bool krn_probe_poll(struct krn_probes *probes, struct krn_probe_reading *reading);

/* Returns the number of runs since krn_probes_open that gave no reading because the host was late,
 * as krn_device_gate_drops. Runs without a gate (copies) are never dropped. */
unsigned long krn_probe_gate_drops(const struct krn_probes *probes);

/* Measures the overhead in the times of a probe, as krn_device_overhead does: an empty kernel with
 * the probe's grid, block and dynamic shared memory. A copy is no kernel: its overhead is a pair of
 * time stamps around nothing, and the calls that start the copy stay in its net time. A probe with
 * no_overhead has 0, which means unknown. Blocks. The result is kept for each shape until the
 * probes are closed. Errors: KRN_REFUSED (a run is in progress, or there is no such probe),
 * KRN_LOST, KRN_FAILED. */
enum krn_code krn_probe_overhead(struct krn_probes *probes, int index,
                                 struct krn_overhead *overhead, struct krn_error *error);

/* Runs the probe once more and compares its whole result with the one that the host computes.
 * Blocks, for seconds with the largest probes. Errors: as krn_probe_start. */
enum krn_code krn_probe_verify(struct krn_probes *probes, int index, struct krn_check *check,
                               struct krn_error *error);

/* Theoretical peaks of a device, from its attributes; 0 when an attribute is unknown. A CPU's are
 * all unknown: no attribute tells how many units multiply and add, and a virtual machine hides the
 * clock. */
struct krn_ceilings {
    double bandwidth_gbps; /* memory clock x bus width x 2 transfers per clock */
    double fma_per_cycle;  /* single precision, per processor */
    double gflops;         /* single precision, all processors at the maximum clock */
    double dfma_per_cycle; /* double precision, per processor */
    double gflops_double;  /* double precision, all processors at the maximum clock */
};

struct krn_ceilings krn_ceilings_of(const struct krn_device_info *info);

/* Returns the number of operations that must be in flight to sustain `per_cycle` operations per
 * cycle (Little's law). */
double krn_little(double latency_cycles, double per_cycle);

/* Returns the smallest x of n points, sorted by x, whose y reaches `level`; -1 when none does. */
double krn_least_reaching(const double *x, const double *y, size_t n, double level);
