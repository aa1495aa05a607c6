/* app/results/results.h - a results record in memory: what tables, comparisons and claims read.
 *
 * Every pointer points into the memory of struct app_results and lives as long. Texts contain no
 * control characters, so they may be printed on a terminal.
 *
 * Everything but reading and freeing is a pure function.
 */
#ifndef APP_RESULTS_MODEL_H
#define APP_RESULTS_MODEL_H

#include "command/state.h"
#include "judge/estimate.h"
#include "judge/probe_result.h"
#include "judge/trust.h"
#include "record/record.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/probe.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts of a list; `texts` may be NULL when count is 0. */
struct app_texts {
    const char *const *texts;
    size_t count;
};

/* Reasons to doubt a number. */
struct app_results_trust {
    unsigned reasons;        /* bits 1 << enum app_trust_reason */
    struct app_texts others; /* ids that this version of the program does not know */
};

/* What one process measured. */
struct app_result_process {
    int process; /* its number in the run, 1 for the first */
    const double *samples_ms;
    const double *cycles; /* `n` entries; NULL: not counted, or not recorded */
    size_t n;
    struct app_pairs metrics; /* K_low and K_high (median_ms: low_ms, high_ms): this run's */
    struct app_pairs outcome; /* the verdicts of this process */
    struct app_results_trust trust;
    const char *stop; /* NULL: no rule ended it */
};

/* One result. Its own metrics sum up the processes: K_low and K_high are Student's t over them and
 * exist from two processes on. */
struct app_result_read {
    const char *benchmark, *variant; /* "raytrace", "book/global" */
    enum krn_backend_id backend;
    const char *regime;          /* "idle", "busy", "mixed" or "n/a" (judge/timing.h) */
    struct app_pairs workload;   /* scene, spheres, width, height, ...; none for a probe */
    const char *workload_text;   /* the same as one line of JSON with sorted members */
    struct app_pairs parameters; /* what identifies the mode or probe */
    struct app_pairs outcome;    /* verdicts and numbers that do not */
    struct app_pairs metrics;
    const char *scope; /* what happens between the two time stamps */
    enum app_verified verified;
    const char *verified_reason; /* "": none */
    struct app_results_trust trust;
    const char *stop; /* NULL: no rule ended it */
    bool complete;
    const char *key; /* of two results with equal keys, the numbers may be compared */
    const struct app_result_process *processes;
    size_t process_count; /* 1 at least */
};

struct app_results_failure {
    int process;
    const char *why;
};

/* The device of one process. */
struct app_results_device {
    int process, ordinal;
    const char *name, *pci_id;
};

/* The run that made the record. */
struct app_results_run {
    int processes_asked, processes; /* wanted; with results */
    bool has_seed;
    uint64_t seed; /* of the order in which the processes measured */
    const struct app_results_failure *failed;
    size_t failed_count;
    double seconds;                           /* duration of the whole run; 0: unknown */
    const struct app_results_device *devices; /* of the processes that name theirs */
    size_t device_count;
};

/* The device that measured the results which were copied from other records. */
struct app_results_origin {
    bool valid;           /* the record names it */
    const char *time_utc; /* of the first of those records; "n/a": unknown */
    struct krn_device_info device;
    struct krn_overheads overheads;
    struct krn_telemetry_reading telemetry;
};

struct app_results_memory;

/* Limits of what is read; the numbers are printed in docs/formats.md. */
enum {
    APP_RESULTS_MAX = 20000, /* results of a record */
    APP_PAIRS_MAX = 128      /* members of a result's workload, parameters, outcome or metrics */
};

/* Numbers beyond these, but 0, are read as missing, so that ratios and squares stay finite. */
#define APP_RESULTS_NUMBER_MIN 1e-18
#define APP_RESULTS_NUMBER_MAX 1e18

struct app_results {
    /* "n/a": unknown */
    const char *version, *git, *host, *os, *system, *cpu, *time_utc;
    const char *command; /* the arguments, joined by blanks */
    int cpu_threads;
    bool has_device;
    struct krn_device_info device; /* unknown numbers are 0 */
    struct krn_overheads overheads;
    struct krn_ceilings ceilings;
    struct krn_telemetry_reading telemetry; /* of the first process; valid: it was recorded */
    struct app_results_origin origin;
    bool has_state;
    struct app_state state;
    struct app_results_run run;
    struct app_results_trust trust; /* of the record as a whole */
    struct app_texts notes;         /* sentences about the record */
    bool complete;
    const struct app_result_read *results;
    size_t count;
    /* The same results, sorted by key, and by benchmark and variant; equal ones keep their order.
     */
    const struct app_result_read *const *by_key, *const *by_name;
    struct app_results_memory *memory;
};

/* Reads a record from its text, which messages call `source`. On failure, *results is empty.
 * Errors: KRN_REFUSED (not a record; the message names line and member), KRN_NO_MEMORY. */
enum krn_code app_results_read(const char *text, size_t length, const char *source,
                               struct app_results *results, struct krn_error *error);

/* Reads a record from a file. Errors: also KRN_FAILED (the file cannot be read). */
enum krn_code app_results_read_file(const char *path, struct app_results *results,
                                    struct krn_error *error);

void app_results_free(struct app_results *results); /* accepts a zeroed one */

/* Returns the pair with that key; NULL when there is none. */
const struct app_pair *app_pairs_find(struct app_pairs list, const char *key);

/* Returns a number of the list; `otherwise` when it has none with that key. */
double app_pairs_number(struct app_pairs list, const char *key, double otherwise);

/* Returns a number of the list as an integer; 0 when it has none with that key, or one that is no
 * integer's. */
int app_pairs_integer(struct app_pairs list, const char *key);

/* Returns a text of the list; NULL when it has none with that key. */
const char *app_pairs_text(struct app_pairs list, const char *key);

/* Return the first result from index `from` on with this benchmark and, unless it is NULL, this
 * variant; or with this key. NULL: there is none. The index of a result is `result -
 * results->results`. */
const struct app_result_read *app_results_find(const struct app_results *results, size_t from,
                                               const char *benchmark, const char *variant);
const struct app_result_read *app_results_find_key(const struct app_results *results,
                                                   const char *key);

/* Returns a metric as an estimate: the processes' values, with the interval across them or, of one
 * process, that of this run. Invalid: a process lacks it, or it is not positive. Every interval is
 * widened by the clock's tick. */
struct app_estimate app_result_estimate(const struct app_result_read *result, const char *metric);

/* Returns what the process of that number measured; NULL: it lacks the result, or result is NULL.
 */
const struct app_result_process *app_result_process(const struct app_result_read *result,
                                                    int number);

/* The member of `outcome` that app_result_recorded reads. */
#define APP_RESULT_RECORDED "recorded_processes"

/* Returns in how many processes another run measured the result, which was copied from its record
 * and counts as one process here; 0: it was measured here, or the number is unknown. */
size_t app_result_recorded(const struct app_result_read *result);

/* Returns whether a result was copied from the record of another run. Early versions copied it
 * without the number of processes. */
bool app_result_copied(const struct app_result_read *result);

/* Returns the number of samples of all processes. */
size_t app_result_samples(const struct app_result_read *result);

/* Returns whether a result is that of a probe, and the probe's topic. A result without an axis is
 * not: older versions measured the three clocks, "timer", without probes. */
bool app_result_is_probe(const struct app_result_read *result, enum krn_topic *topic);

/* The probes of a record, as they were when they were measured. */
struct app_results_probes {
    struct app_probes_view view;       /* in the record's order; points into the two arrays */
    struct krn_probe *probes;          /* owned, view.count entries */
    struct app_probe_result *results;  /* owned, view.count entries */
    const struct app_result_read **of; /* owned, view.count entries: where each comes from */
};

/* Rebuilds the probes. *results must outlive them. */
void app_results_probes(const struct app_results *results, struct app_results_probes *probes);
/* Adds the probes of a further record, which must outlive them, too: of the topics that *probes
 * have none of. */
void app_results_probes_add(struct app_results_probes *probes, const struct app_results *results);
void app_results_probes_free(struct app_results_probes *probes);

/* Returns the ratio of two results "book", global over other: of several processes of the program,
 * the geometric mean of the ratios of runs in the same turn, of each that has both; of one process,
 * the ratios themselves, because each run was a process of its own. Not valid where a result is
 * missing (NULL) or has no samples. */
struct app_estimate app_results_book_ratio(const struct app_result_read *global,
                                           const struct app_result_read *other);

struct app_results_memory;

/* Returns a text with the same characters that lives as long as *memory. Equal texts are kept once,
 * as a rule: a record repeats the names of its members in every result. */
const char *app_results_keep(struct app_results_memory *memory, const char *text);

#endif
