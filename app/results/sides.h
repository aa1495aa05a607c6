/* app/results/sides.h - the sides of a comparison: records whose processes are taken together, and
 * what differs between two sides. */
#ifndef APP_SIDES_H
#define APP_SIDES_H

#include "model/model.h"
#include "table/table.h"

#include "krn/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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

/* Returns true when both sides contain the same process. */
bool app_sides_overlap(const struct app_side *a, const struct app_side *b);

/* Returns the i-th result of a side, in the order of its records, that has a time and is not a
 * repetition of an earlier one; NULL after the last. Begin with *record and *index 0. */
const struct app_result *app_side_next(const struct app_side *side, size_t *record, size_t *index);

/* Returns the first of these results, from a position of app_side_next on, that has the benchmark
 * and variant of *result; NULL: none has. */
const struct app_result *app_side_namesake(const struct app_side *side,
                                           const struct app_result *result, size_t record,
                                           size_t index);

/* What a side says about one result. */
struct app_side_result {
    const struct app_result *result; /* the first with this key; NULL: none */
    struct app_estimate time;        /* of all processes; its trust includes wrong results */
    struct app_texts others;         /* reasons that this version does not know */
    bool complete;
};

/* Collects the processes with a key. */
struct app_side_result app_side_find(const struct app_side *side, const char *key);

/* Returns true when a side has a result with this key, even one without a time. */
bool app_side_has(const struct app_side *side, const char *key);

/* Returns the result of `side` that is most like *result: same benchmark and variant, and the
 * fewest differences; none that `than` has as well. Looks at the first 32 of that name. NULL:
 * there is none. */
const struct app_result *app_side_similar(const struct app_side *side,
                                          const struct app_result *result,
                                          const struct app_side *than);

/* Writes what keeps two results from being compared: "seed 1 against 2, width 1024 against 512". */
void app_result_differences(const struct app_result *a, const struct app_result *b, char *text,
                            size_t size);

enum { APP_FLEET_MIN = 3 }; /* sides; of two, nothing tells which one is the odd one */

/* Prints one table with a row per side: how fast it is beside all others, as a number, in words
 * and as a plot. Every result that all sides have is compared with the same result of the others
 * (app_compare_times); a side is called FASTER or SLOWER when most of its results are, and WRONG
 * when one is wrong, which also keeps it out of the others. */
void app_fleet_print(const struct app_side *sides, size_t count, double band_percent,
                     enum app_style style, FILE *out);

/* Does the same with the devices of one record, if its processes ran on several. */
void app_fleet_print_devices(const struct app_results *results, double band_percent,
                             enum app_style style, FILE *out);

#endif
