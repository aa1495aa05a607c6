/* app/record/merge.h - joins the records of several processes into one.
 *
 * Results with the same benchmark, variant, backend, workload and parameters become one, which
 * keeps every process with its samples and sums them up (sum_up.h): a metric is the geometric mean
 * of the processes' values, K_low and K_high are Student's t over them at 95 %. It is verified when
 * one process verified it and none found it wrong, and doubted for every reason of every process.
 * Results come in the order of the tables, whatever the order in which they were measured.
 *
 * A duel's verdict rests on the 99 % interval of the processes' ratios and its band of
 * indifference; a result that is wrong or not to be quoted gets no verdict (app_trust_no_verdict).
 */
#ifndef APP_MERGE_H
#define APP_MERGE_H

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app_merge_failure {
    int process;
    const char *why;
};

/* The run that made the records. */
struct app_merge_run {
    int processes_asked;
    const int
        *process; /* the number of each record's process, 1 for the first; NULL: 1, 2, 3, ... */
    bool has_seed;
    uint64_t seed; /* of the order in which the processes measured */
    const struct app_merge_failure *failed;
    size_t failed_count;
    double seconds; /* duration; 0: unknown */
    int argc;       /* the command line that replaces the processes' own; 0: keep the first's */
    char *const *argv;
    bool incomplete; /* something that was asked for is missing */
};

/* Merges records, each of one process; the environment, the state and the time are the first's. A
 * failed process, or a result that a process lacks, makes the record incomplete and is told in its
 * notes. The caller frees *merged. *complete: the merged record is complete; NULL is fine. Errors:
 * KRN_REFUSED (a text is no record of one process, there are none, or too many), KRN_NO_MEMORY. */
enum krn_code app_record_merge(const char *const *records, size_t count,
                               const struct app_merge_run *run, char **merged, bool *complete,
                               struct krn_error *error);

#endif
