/* app/record/pair.h - a named number or text: a parameter, a metric, an outcome of a record. */
#ifndef APP_PAIR_H
#define APP_PAIR_H

#include <stddef.h>

struct app_pair {
    const char *key; /* lower case, with its unit: "median_ms" */
    double number;
    const char *text; /* NULL: the value is the number. Metrics are numbers. */
};

/* The metric of a mode that has its binning_ms. */
#define APP_METRIC_BINNING "lists_median_ms"

/* A list of pairs. pairs may be NULL when count is 0. */
struct app_pairs {
    const struct app_pair *pairs;
    size_t count;
};

#endif
