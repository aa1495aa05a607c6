/* app/records/compare.h - the comparison of records.
 *
 * Compares every other side with the first. A side is one record, or several records of one device
 * joined by commas, whose processes are taken together. Two results are compared when they have the
 * same key: benchmark, variant, backend, regime, whole workload and parameters; and, with a note,
 * when two versions of the user's kernel did the same work. What differs is named. The ratio is
 * that of the geometric means of the processes' medians, first over other (app_compare_times).
 */
#pragma once

#include "base/table.h"
#include "command/entry.h"
#include "model/model.h"
#include "spec/state.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { APP_COMPARE_PROCESSES_MIN = 3 }; /* on each side, for --fail-on-slower */

/* Numbers of results compared with the first side. */
struct app_compare_counts {
    size_t compared;
    size_t faster, slower; /* by more than the band, with enough processes on each side */
    size_t too_few;        /* with fewer than APP_COMPARE_PROCESSES_MIN processes on a side */
    size_t unjudged;       /* WRONG or DO NOT QUOTE */
    size_t missing;        /* times of the first side that another side lacks; not in `compared` */
};

/* Compares the files and prints one table for each side but the first and, of three sides or more,
 * one with a row per side: how fast it is beside all others, as a number, in words and as a plot.
 * There, every result that all sides have is compared with the same result of the others; a side is
 * called FASTER or SLOWER when most of its results are, and WRONG when one is wrong, which also
 * keeps it out of the others. Errors: KRN_REFUSED or KRN_FAILED (a file cannot be read, a side
 * counts a process twice, or the sides have no result in common), KRN_NO_MEMORY. */
enum krn_code app_compare(const struct app_paths *paths, double band_percent, enum app_style style,
                          FILE *out, struct app_compare_counts *counts, struct krn_error *error);

/* Prints such a table of the devices of one record, if its processes ran on several. */
void app_fleet_print_devices(const struct app_results *results, double band_percent,
                             enum app_style style, FILE *out);

/* Prints the recorded time of every mode of a record, which is called `name`, its time in *now, the
 * ratio and the verdict by the same rules. */
void app_compare_replay(const struct app_results *then, const char *name,
                        const struct app_results *now, double band_percent, enum app_style style,
                        FILE *out);

/* --- the sides --- */

/* Two alike sides are told to be the SAME in nine of ten cases when the 95 % interval of each
 * reaches at most this part of the band to either side: Welch's t at 99 % takes two thirds of the
 * band, and chance the rest. */
#define APP_NARROW_PART (1.0 / 3.0)

/* One side: a record, or several of one device. */
struct app_side {
    char label[64];              /* its first file, and how many more: "old.json + 2" */
    struct app_results *records; /* owned */
    size_t count;
};

/* Reads one side: a file, or several files joined by commas. Refuses records that would count a
 * process twice: two processes with the same samples in every result that both have. Errors: those
 * of app_results_read_file; KRN_REFUSED also for records of different devices. */
enum krn_code app_side_read(const char *argument, struct app_side *side, struct krn_error *error);

void app_side_free(struct app_side *side); /* accepts a zeroed one */

/* Returns the i-th result of a side, in the order of its records, that has a time and is not a
 * repetition of an earlier one; NULL after the last. Begin with *record and *index 0. */
const struct app_result *app_side_next(const struct app_side *side, size_t *record, size_t *index);

/* What a side says about one result. */
struct app_side_result {
    const struct app_result *result; /* the first with this key; NULL: none */
    struct app_estimate time;        /* of all processes; its trust includes wrong results */
    struct app_texts others;         /* reasons that this version does not know */
    bool complete;
};

/* Returns the first of the processes of a run that ran on the device of process i; all are among
 * its `devices`. */
size_t app_device_first(const struct app_results_run *run, size_t i);

/* Returns the time of a result by the processes on one device, whose first one is `first`; its
 * trust includes a wrong result. */
struct app_estimate app_device_time(const struct app_results_run *run, size_t first,
                                    const struct app_result *result);

/* Collects the processes with a key. */
struct app_side_result app_side_find(const struct app_side *side, const char *key);

/* Returns true when the 95 % interval of a time is that narrow. */
bool app_is_narrow(const struct app_estimate *time, double band_percent);

/* Returns after how many processes to look next whether the intervals are narrow, 8 at first. Every
 * look is another chance to find them narrow by luck, so each comes a fifth later; always after an
 * even number, because two processes have opposite orders. */
int app_narrow_look(int processes);

/* Returns how many results of a side have no interval that is narrow. *all: the results that have a
 * time. *hopeless: those not narrow because all processes read the same tick of too slow a clock.
 */
size_t app_side_wide(const struct app_side *side, double band_percent, size_t *all,
                     size_t *hopeless);

/* Prints the comparison of one side with the first, and adds to *counts. Errors: KRN_REFUSED when
 * they have no result in common. */
enum krn_code app_compare_sides(const struct app_side *first, const struct app_side *other,
                                double band_percent, enum app_style style, FILE *out,
                                struct app_compare_counts *counts, struct krn_error *error);
