/* krn/probe.h - the measurements of the side panels, by topic: krn/topics.h lists them.
 *
 * A probe is one bar of a panel or one point of a curve. A device offers a list of them, each with
 * what it moves and computes, so that whoever shows a number derives it from that row and no label
 * can lie. Probes run one at a time, on the device's own stream, between frames: start returns at
 * once on a GPU, poll takes the reading when it is there, nobody waits. Every run is checked where
 * its result lies, outside of what is timed; krn_probe_verify holds the whole result against the
 * host's own.
 *
 * Sources of what is measured: M. Harris, How to Implement Performance Metrics in CUDA C/C++
 * (SAXPY, transfers); V. Volkov, Better Performance at Lower Occupancy (instruction-level
 * parallelism, memory latency); a tutorial's sum of cubes (access patterns); J. Sanders, E.
 * Kandrot, CUDA by Example, 6 (constant memory).
 *
 * Thread safety: one thread per device.
 */
#ifndef KRN_PROBE_H
#define KRN_PROBE_H

#include "krn/device.h"
#include "krn/error.h"
#include "krn/topics.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KRN_TOPIC_ID(id, name, what) KRN_TOPIC_##id,
enum krn_topic { KRN_TOPICS(KRN_TOPIC_ID) KRN_TOPIC_COUNT };
#undef KRN_TOPIC_ID

#define KRN_TOPICS_ALL ((1u << KRN_TOPIC_COUNT) - 1)

/* The topic's name, as options and records have it: "saxpy"; "n/a" for none. */
const char *krn_topic_name(enum krn_topic topic);

enum { KRN_SERIES_NAME = 32 };

/* One probe, as its device offers it. Numbers that do not apply are 0. */
struct krn_probe {
    enum krn_topic topic;
    char series[KRN_SERIES_NAME]; /* the bar or curve that it belongs to: "vector", "ilp2" */
    const char *axis;             /* what x is: "elements", "threads", "addresses"; not NULL */
    double x;
    int threads, blocks; /* of the launch; on the CPU: threads, 0 blocks */
    double useful_bytes; /* that one run asks for: read and written */
    double moved_bytes;  /* whole sectors (CPU: lines) that those requests touch */
    double sectors;      /* a request, on average */
    double flops;        /* of one run; a multiply-add is 2 */
    double operations;   /* of one run, of the kind that the topic counts: atomic adds, ... */
    double steps;        /* dependent steps or reads of one thread, in the order of its program */
    double in_flight_bytes; /* that one run keeps in flight at most, by its loads and threads */
    double footprint_bytes; /* memory gone over; fits into a cache or not */
    bool beside_memory;     /* its bytes go over another bus or stay in caches: the memory's
                               bandwidth is no bound for them */
    bool cold;              /* the caches are overwritten before each run */
    bool has_cycles;        /* readings carry clock cycles of one multiprocessor */
    double expected_ms;     /* of a slice, a guess before it was ever measured */
    const char *scope;      /* what lies between the time stamps, and by which clock; not NULL */
};

/* What a check saw. */
struct krn_check {
    double compared, wrong;  /* elements; NaN is wrong */
    double first;            /* index of the first wrong one, where wrong > 0 */
    double expected, actual; /* there */
    double max_error;        /* greatest |actual - expected|; infinite with a NaN */
};

/* One run of a probe. */
struct krn_probe_reading {
    int probe;              /* its place in the list */
    double ms;              /* between the time stamps */
    double cycles;          /* 0 where the probe has none */
    double slice_ms;        /* all that the device did for it: caches, run, check */
    struct krn_check check; /* on the device */
};

struct krn_probes;

/* Takes all memory that the topics' probes need, bytes_max at most (0: half of the device's
 * memory), and loads their kernels. Probes that do not fit are left out, and series that this
 * device or host refuses, unless nothing would be left. topics: 1 << enum krn_topic. The device
 * must outlive them. Errors: KRN_UNAVAILABLE (no probes on this backend), KRN_NO_MEMORY, KRN_LOST,
 * KRN_FAILED. */
enum krn_code krn_probes_open(struct krn_device *device, unsigned topics, size_t bytes_max,
                              struct krn_probes **probes, struct krn_error *error);
void krn_probes_close(struct krn_probes *probes); /* NULL is fine; waits for a run under way */

/* Why series of a topic were refused, a sentence for a person; NULL: none were. */
const char *krn_probes_why(const struct krn_probes *probes, enum krn_topic topic);

/* The list, by topic, series and ascending x; it does not change. */
int krn_probes_count(const struct krn_probes *probes);
const struct krn_probe *krn_probes_at(const struct krn_probes *probes, int index);

/* The probe of that topic, series and x; -1 when there is none. */
int krn_probes_find(const struct krn_probes *probes, enum krn_topic topic, const char *series,
                    double x);

/* Starts one run; returns at once on a GPU, but for copies of pageable memory, for which the host
 * is needed. Errors: KRN_REFUSED (one is under way), KRN_NO_MEMORY, KRN_LOST, KRN_FAILED. */
enum krn_code krn_probe_start(struct krn_probes *probes, int index, struct krn_error *error);

/* True while a run is under way or its reading was not taken. */
bool krn_probe_busy(const struct krn_probes *probes);

/* Takes the reading when it is there; never waits. A run that failed gives none: the failure meets
 * the next call on the device. */
bool krn_probe_poll(struct krn_probes *probes, struct krn_probe_reading *reading);

/* Runs the probe once more and compares its whole result with the host's. Waits, for seconds with
 * the largest. Errors: as krn_probe_start. */
enum krn_code krn_probe_verify(struct krn_probes *probes, int index, struct krn_check *check,
                               struct krn_error *error);

/* What the device could do at best, from its attributes; 0 where they do not tell. */
struct krn_ceilings {
    double bandwidth_gbps; /* memory clock x bus width x 2 transfers a clock */
    double fma_per_cycle;  /* single precision, of one processor */
    double gflops;         /* single precision, all processors at the greatest clock */
};

struct krn_ceilings krn_ceilings_of(const struct krn_device_info *info);

/* Little's law: operations that must be in flight to keep `per_cycle` going. */
double krn_little(double latency_cycles, double per_cycle);

/* The least x of n points whose y reaches `level`, x ascending; -1 when none does. */
double krn_least_reaching(const double *x, const double *y, size_t n, double level);

#ifdef __cplusplus
}
#endif
#endif
