/* app/model/model.h - a record: what one run measured, in one process or in several.
 *
 * Everything that shows, compares, exports or judges numbers reads this structure. It is filled by
 * a run while it measures (measure/), by the reader of files (records/), and by the merging of
 * several processes (app_results_merge).
 *
 * Every pointer points into the memory of struct app_results and lives as long. Texts contain no
 * control characters, so they may be printed on a terminal. Numbers have the digits that files
 * keep: nine, and whole numbers all of theirs.
 *
 * Not thread safe; the functions that only look are pure.
 */
#pragma once

#include "base/environment.h"
#include "base/value.h"
#include "model/estimate.h"
#include "model/members.h"
#include "model/trust.h"
#include "spec/state.h"

#include "krn/device.h"
#include "krn/error.h"
#include "krn/probe.h"
#include "krn/properties.h"
#include "krn/scene.h"
#include "krn/stats.h"
#include "krn/telemetry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- named numbers and texts --- */

struct app_pair {
    const char *key; /* lower case, with its unit: "median_ms" */
    double number;
    const char *text; /* NULL: the value is the number. Metrics are numbers. */
};

enum { APP_PAIR_NUMBER = 40 };

/* A list of pairs. pairs may be NULL when count is 0. */
struct app_pairs {
    const struct app_pair *pairs;
    size_t count;
};

/* Returns the pair with that key; NULL when there is none. */
const struct app_pair *app_pairs_find(struct app_pairs list, const char *key);

/* Returns a number of the list; `otherwise` when it has none with that key. */
double app_pairs_number(struct app_pairs list, const char *key, double otherwise);

/* Returns the value of a pair as a text, which may be in `number`: a whole number with all its
 * digits, others with at most 9. */
const char *app_pair_text(const struct app_pair *pair, char number[APP_PAIR_NUMBER]);

/* Returns true when both have the same value. */
bool app_pair_equal(const struct app_pair *a, const struct app_pair *b);

/* Returns true when both lists have the same pairs, in any order. */
bool app_pairs_equal(struct app_pairs a, struct app_pairs b);

/* What a launch of a kernel takes of a multiprocessor, in the order of tables. */
struct app_resource {
    enum app_member member; /* of an outcome */
    const char *title;      /* of a column */
    const char *words;      /* where there is more room */
    const char *unit;       /* "bytes", "%" or "" */
};

enum { APP_RESOURCES = 8 };
extern const struct app_resource app_resources[APP_RESOURCES];

/* Texts of a list; `texts` may be NULL when count is 0. */
struct app_texts {
    const char *const *texts;
    size_t count;
};

/* --- workloads --- */

enum { APP_WORKLOAD_SCENE = 24, APP_WORKLOAD_POINT = 64 };

/* Writes the identity of a scene as modes of `view` draw it: a hash (FNV-1a, 64 bits) of its number
 * of spheres and of all their bytes, and in the light view of the mirrors, as 16 hexadecimal
 * digits.
 */
void app_workload_scene(enum krn_view_kind view, const struct krn_scene *scene,
                        char text[APP_WORKLOAD_SCENE]);

/* Writes which point of a sweep this is: " at 20 spheres and 4 bounces". A negative number is left
 * out; two of them give "". */
void app_workload_point(double spheres, double bounces, char text[APP_WORKLOAD_POINT]);

/* --- results --- */

/* Reasons to doubt a number. */
struct app_results_trust {
    unsigned reasons;        /* bits 1 << enum app_trust_reason */
    struct app_texts others; /* ids that this version of the program does not know */
};

/* What one process measured. */
struct app_result_process {
    int process;              /* its number in the run, 1 for the first */
    const double *samples_ms; /* `n` entries, >= 0 */
    const double *cycles;     /* `n` entries; NULL: not counted, or not recorded */
    size_t n;
    struct app_pairs metrics; /* K_low and K_high (median_ms: low_ms, high_ms): this run's */
    struct app_pairs outcome; /* the verdicts of this process */
    struct app_results_trust trust;
    const char *stop; /* the stop rule that ended it: "narrow", "time", "count"; NULL: none */
};

/* One result. Its own metrics sum up the processes: K_low and K_high are Student's t over them and
 * exist from two processes on. */
struct app_result {
    const char *benchmark, *variant; /* "raytrace", "book/global" */
    enum krn_backend_id backend;
    const char *regime;          /* app_regime_name: "idle", "busy", "mixed" or "n/a" */
    struct app_pairs workload;   /* scene, spheres, width, height, ...; none for a probe */
    struct app_pairs parameters; /* what identifies the mode or probe */
    struct app_pairs outcome;    /* verdicts, and numbers that do not identify it */
    struct app_pairs metrics;
    const char *scope; /* what happens between the two time stamps */
    enum app_verified verified;
    const char *verified_reason; /* why it was not verified, or what is wrong; NULL: nothing is */
    struct app_results_trust trust;
    const char *stop; /* NULL: no rule ended it */
    bool complete;    /* false: a process was interrupted before its stop rule */
    const char *key;  /* of two results with equal keys, the numbers may be compared; it begins
                       * with benchmark, backend and workload */
    const struct app_result_process *processes;
    size_t process_count; /* 1 at least */
    /* The probe that it is of; NULL: it is of none, as results without an axis, which older
     * versions have of the three clocks. Of one process's probe also the intervals of the medians
     * of ms and cycles at APP_BOARD_LEVEL. */
    const struct krn_probe *probe;
    struct krn_interval board_ms, board_cycles;
};

/* --- records --- */

struct app_results_failure {
    int process;
    const char *why;
};

/* The device of one process, and what it found there. */
struct app_results_device {
    int process, ordinal;
    const char *time_utc, *name, *pci_id;
    struct krn_telemetry_reading telemetry;
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

/* The OpenGL side of a run. */
struct app_results_screen {
    const char *vendor, *renderer, *version, *context; /* renderer NULL: nothing was drawn */
    bool software;
    const char *blit_asked, *blit_used, *blit_reason; /* asked NULL: none */
};

/* The picture of a record. */
struct app_results_picture {
    struct app_state state; /* requests and pending are cleared */
    struct krn_scene scene; /* owned: the spheres of a file scene; count 0: the record has none */
    char scene_note[APP_SCENE_NOTE_MAX];                 /* on the file; "": none */
    char scene_hash[KRN_VIEW_COUNT][APP_WORKLOAD_SCENE]; /* of a file scene, as each view draws it;
                                                            "": unknown */
    bool has_hash;                                       /* records of benchmarks have none */
    uint64_t hash;            /* of the linear picture (krn_device_hash) */
    struct krn_error problem; /* why it cannot be rendered; code KRN_OK: it can */
};

struct app_results_memory;

/* Limits of what is read; the numbers are printed in docs/formats.md. */
enum {
    APP_RESULTS_MAX = 20000, /* results of a record */
    APP_PAIRS_MAX = 128,     /* members of a result's workload, parameters, outcome or metrics */
    APP_RECORD_SPHERES_MAX = 10000 /* of a file scene that a record contains; of a larger one it has
                                      the path and hashes */
};

/* Numbers beyond these, but 0, count as missing, so that ratios and squares stay finite. */
#define APP_RESULTS_NUMBER_MIN 1e-18
#define APP_RESULTS_NUMBER_MAX 1e18

struct app_results {
    /* "n/a": unknown */
    const char *version, *git, *host, *os, *system, *cpu, *time_utc;
    int cpu_threads;  /* of the machine or, where the CPU renders, of its backend */
    double cpu_quota; /* processors' worth of time that a cgroup allows; 0: no limit is known */
    struct app_texts argv;
    bool has_device;
    struct krn_device_info device; /* the device that renders; unknown numbers are 0 */
    struct krn_overheads overheads;
    struct krn_ceilings ceilings;
    struct krn_telemetry_reading telemetry; /* of the first process; valid: it was recorded */
    const struct krn_property *properties;
    size_t property_count;
    struct app_results_screen screen;
    struct app_results_origin origin;
    struct app_results_picture picture;
    struct app_results_run run;
    struct app_results_trust trust; /* of the record as a whole */
    struct app_texts notes;         /* sentences about the record */
    bool complete;                  /* every result is, and none is missing */
    struct app_result *results;     /* owned */
    size_t count, capacity;
    /* The same results, sorted by key, and by benchmark and variant; equal ones keep their order.
     */
    const struct app_result **by_key, **by_name; /* owned */
    struct app_results_memory *memory;
};

/* Begins an empty record of one process, which app_results_free frees. */
void app_results_begin(struct app_results *results, const struct app_environment *environment);

/* Sets the state, and of a file scene what a replay needs: the note on its file, its hashes and, if
 * they are not too many, its spheres. scene and note: not NULL for a file scene. */
void app_results_set_state(struct app_results *results, const struct app_state *state,
                           const struct krn_scene *scene, const char *note);

/* Appends a copy of what one process measured: its samples, metrics and stop rule are those of
 * result->processes[0]; its outcome and trust are the result's. Leaves out numbers that are not
 * finite. */
void app_results_add(struct app_results *results, const struct app_result *result);

/* A result of one process that is put together. Its lists grow by the functions below; all else is
 * set in `result` and `measured`. Not to be copied. */
struct app_draft {
    struct app_results *results; /* where it will be added */
    struct app_result result;
    struct app_result_process measured;
    struct app_pair pairs[APP_LIST_COUNT][APP_PAIRS_MAX];
};

/* Begins a complete result without anything. */
void app_draft_begin(struct app_draft *draft, struct app_results *results, const char *benchmark,
                     const char *variant, enum krn_backend_id backend);

/* Each adds a member, but a number that is not finite, one that is not positive of app_put_known,
 * and NULL. app_put_interval adds a metric and, if it is valid, its interval; app_put_key a number
 * whose key is made while the program runs. */
void app_put(struct app_draft *draft, enum app_member member, double number);
void app_put_known(struct app_draft *draft, enum app_member member, double number);
void app_put_text(struct app_draft *draft, enum app_member member, const char *text);
void app_put_interval(struct app_draft *draft, enum app_member member, double value,
                      struct krn_interval interval);
void app_put_key(struct app_draft *draft, enum app_member_list list, const char *key,
                 double number);

/* Adds what modes of `view` render in a state: the scene's hash, the number of spheres; seed and
 * radii of a random scene; size; in the book view the zoom, in the light view its name, the camera,
 * bounces and samples; and the time of the pose, or "moving". scene: from app_workload_scene; "":
 * unknown, and left out. */
void app_put_workload(struct app_draft *draft, const struct app_state *state,
                      enum krn_view_kind view, const char *scene, int spheres);

/* The members that are fields of a structure. */
struct app_fields {
    const struct app_field *list;
    size_t count;
    enum app_member_list in; /* that all are members of */
    bool zeros;              /* 0 is a value; otherwise it means unknown */
};

extern const struct app_fields app_fields_of_probe;  /* struct krn_probe, but its axis */
extern const struct app_fields app_fields_of_kernel; /* struct krn_kernel_attributes */
extern const struct app_fields app_fields_of_times;  /* struct krn_summary, but its median */

/* Lists the fields of a structure as pairs; returns how many there are. */
size_t app_fields_list(const struct app_fields *fields, const void *from,
                       struct app_pair pairs[APP_PAIRS_MAX]);

/* Adds the fields of a structure. */
void app_put_fields(struct app_draft *draft, const struct app_fields *fields, const void *from);

/* Sets those fields of a structure that a result has. */
void app_result_fields(const struct app_result *result, const struct app_fields *fields, void *to);

/* Adds a sentence about the record, once. */
void app_results_note(struct app_results *results, const char *sentence);

/* Sorts the results for app_results_find, which finds those that were there at this call. */
void app_results_sort(struct app_results *results);

void app_results_free(struct app_results *results); /* accepts a zeroed one */

/* Returns a text with the same characters, those that may not be printed replaced by '?', that
 * lives as long as the record. */
const char *app_results_keep(struct app_results *results, const char *text);

/* Does the same with a key; one of the table of members is the table's own (app_member_key). */
const char *app_results_key(struct app_results *results, const char *key);

/* Returns zeroed memory that lives as long as the record. */
void *app_results_take(struct app_results *results, size_t count, size_t size);

/* Appends a zeroed result and returns it, for the reader of files. It stays where it is until the
 * next one is appended. */
struct app_result *app_results_append(struct app_results *results);

/* Returns true for numbers that count as missing. */
bool app_results_beyond(double number);

/* Makes the key of a result, and the description of its probe, from its other members. */
void app_result_finish(struct app_results *results, struct app_result *result);

/* A run whose processes are merged. */
struct app_merge_run {
    int processes_asked;
    const int
        *process; /* the number of each record's process, 1 for the first; NULL: 1, 2, 3, ... */
    bool has_seed;
    uint64_t seed; /* of the order in which the processes measured */
    const struct app_results_failure *failed;
    size_t failed_count;
    double seconds; /* duration; 0: unknown */
    int argc;       /* the command line that replaces the processes' own; 0: keep the first's */
    char *const *argv;
    bool incomplete; /* something that was asked for is missing */
};

/* Merges records, each of one process, into one; the environment, the state and the time are the
 * first's. Results with the same benchmark, variant, backend, workload and parameters become one,
 * which keeps every process with its samples: a metric is the geometric mean of the processes'
 * values, K_low and K_high are Student's t over them at 95 %. It is verified when one process
 * verified it and none found it wrong, and doubted for every reason of every process. Results come
 * in the order of the tables, whatever the order in which they were measured.
 *
 * A duel's verdict rests on the 99 % interval of the processes' ratios and its band of
 * indifference; a result that is wrong or not to be quoted gets no verdict (app_trust_no_verdict).
 *
 * A failed process, or a result that a process lacks, makes the record incomplete and is told in
 * its notes. Takes the records over unless it fails, and leaves them zeroed. Errors: KRN_REFUSED (a
 * record is not of one process, there are none, or too many). */
enum krn_code app_results_merge(struct app_results *records, size_t count,
                                const struct app_merge_run *run, struct app_results *merged,
                                struct krn_error *error);

/* Return the first result from index `from` on with this benchmark and, unless it is NULL, this
 * variant; or with this key. NULL: there is none. The index of a result is `result -
 * results->results`. */
const struct app_result *app_results_find(const struct app_results *results, size_t from,
                                          const char *benchmark, const char *variant);
const struct app_result *app_results_find_key(const struct app_results *results, const char *key);

/* Returns the fraction of a metric's value by which the clock's tick may change it. 0: the tick is
 * unknown, or another clock counts. */
double app_result_widen(const struct app_result *result, const char *metric);

/* Returns a metric as an estimate: the processes' values, with the interval across them or, of one
 * process, that of this run. Invalid: a process lacks it, or it is not positive. Every interval is
 * widened by the clock's tick. */
struct app_estimate app_result_metric(const struct app_result *result, enum app_member metric);

/* Returns one of the lists of a result. */
struct app_pairs app_result_list(const struct app_result *result, enum app_member_list list);

/* Return a member of a result, or of what one of its processes measured. NULL: it has none. */
const struct app_pair *app_result_member(const struct app_result *result, enum app_member member);
const struct app_pair *app_process_member(const struct app_result_process *process,
                                          enum app_member member);

/* Return its number; `otherwise` where there is none. The integer is 0 where there is none, or one
 * that is no integer's. */
double app_result_number(const struct app_result *result, enum app_member member, double otherwise);

/* Returns the net time of a mode as a multiple of the limit's. */
struct app_of_limit app_result_of_limit(const struct app_result *result);
double app_process_number(const struct app_result_process *process, enum app_member member,
                          double otherwise);
int app_result_integer(const struct app_result *result, enum app_member member);

/* Fills in the mode whose time the result is. Returns false for a result of another benchmark. */
bool app_result_mode(const struct app_result *result, struct krn_mode *mode);

/* Return its text; NULL where there is none. */
const char *app_result_text(const struct app_result *result, enum app_member member);
const char *app_process_text(const struct app_result_process *process, enum app_member member);

/* Returns the table's own text of a key, by whose address members are found; NULL: it is no key of
 * the table. */
const char *app_member_key(const char *key);

/* Returns the key of an end of a metric's interval. */
const char *app_member_bound(enum app_member metric, bool high);

/* Returns the interval of a metric of one process, as it was recorded; it contains the clock's
 * tick. */
struct krn_interval app_process_interval(const struct app_result_process *process,
                                         enum app_member metric);

/* Returns what the process of that number measured; NULL: it lacks the result, or result is NULL.
 */
const struct app_result_process *app_result_process(const struct app_result *result, int number);

/* Returns in how many processes another run measured the result, which was copied from its record
 * and counts as one process here; 0: it was measured here, or the number is unknown. */
size_t app_result_recorded(const struct app_result *result);

/* Returns whether a result was copied from the record of another run. Early versions copied it
 * without the number of processes. */
bool app_result_copied(const struct app_result *result);

/* Returns the number of samples of all processes; of NULL 0. */
size_t app_result_samples(const struct app_result *result);

/* Copies them, or their cycles, process by process; returns how many there are. */
size_t app_result_pool(const struct app_result *result, bool cycles, double *all);

/* Returns the ratio of two results "book", global over other: of several processes of the program,
 * the geometric mean of the ratios of runs in the same turn, of each that has both; of one process,
 * the ratios themselves, because each run was a process of its own. Not valid where a result is
 * missing (NULL) or has no samples. */
struct app_estimate app_results_book_ratio(const struct app_result *global,
                                           const struct app_result *other);
