/* app/model/probe_result.h - results of a device's probes, and the metrics derived from them.
 *
 * One table defines each metric: its unit and its formula. Tables, records, panels and the claims
 * board all use it, so their numbers always agree.
 */
#ifndef APP_PROBE_RESULT_H
#define APP_PROBE_RESULT_H

#include "model/verdict.h"

#include "krn/interval.h"
#include "krn/probe.h"
#include "krn/stats.h"

/* The results of one probe so far. */
struct app_probe_result {
    const struct krn_probe *probe;
    size_t n; /* samples; 0: not measured yet, and the numbers below are meaningless */
    struct krn_summary ms, cycles;
    struct krn_interval ms_interval, cycles_interval; /* of the medians, this run */
    struct krn_interval ms_board, cycles_board;       /* the same at APP_BOARD_LEVEL */
    double tick_ms;   /* of the clock behind ms; 0: unknown, or ms is not read from that clock */
    size_t processes; /* that measured it; with 2 or more, ms and cycles have the geometric means */
    double ms_each[KRN_PROCESSES_MAX], cycles_each[KRN_PROCESSES_MAX]; /* their medians */
    double overhead_each[KRN_PROCESSES_MAX];                           /* ms; 0: as overhead_ms */
    int number[KRN_PROCESSES_MAX]; /* their numbers in the run; all 0: 1, 2, ... */
    double overhead_ms;     /* an empty kernel of the same grid (krn_probe_overhead); 0: unknown */
    struct krn_check check; /* of the latest run, or of the first wrong one */
    enum app_verified verified;
    unsigned trust; /* enum app_trust_reason bits */
    /* What a record adds to it. The samples, n entries each, are in the order of measurement; NULL:
     * `series` has the newest, or the record has no cycles. */
    const double *samples_ms, *samples_cycles;
    enum krn_stop stop;
    unsigned long gate_drops;        /* runs that gave no reading because the host was late */
    enum app_regime regime;          /* the state of the device when the runs were started */
    char verified_text[160];         /* what was compared, or what is wrong */
    const struct krn_series *series; /* the newest samples of ms; NULL: not on screen */
};

/* All probes of one device, in its order. */
struct app_probes_view {
    const struct krn_device_info *device;
    struct krn_ceilings ceilings;
    double clock_mhz; /* latest clock of the multiprocessors; 0: unknown */
    const struct app_probe_result *results;
    int count;
    double level; /* of the intervals of app_metric_of; 0: KRN_INTERVAL_LEVEL */
};

/* Returns the interval of the median of samples in any order at APP_BOARD_LEVEL. Invalid below
 * APP_BOARD_SAMPLES, and when memory is full. */
struct krn_interval app_board_interval(const double *samples, size_t n);

/* Returns the verdict on a run: FALSE when a value is wrong or the largest error is not zero, which
 * includes NaN; UNKNOWN when nothing was compared. */
enum app_verified app_check_verdict(const struct krn_check *check);

enum app_metric {
    APP_METRIC_TIME,            /* ms */
    APP_METRIC_GBPS,            /* useful bytes per time */
    APP_METRIC_MOVED_GBPS,      /* bytes of whole sectors per time */
    APP_METRIC_OF_THEORETICAL,  /* useful bytes per time, percent of the memory's bandwidth */
    APP_METRIC_GFLOPS,          /* floating-point operations per time */
    APP_METRIC_OF_PEAK_CYCLES,  /* percent of one multiprocessor's peak, from its cycles */
    APP_METRIC_OF_PEAK_TIME,    /* percent of the peak, from event times at the current clock */
    APP_METRIC_OF_PEAK_NET,     /* the same without the launch's overhead */
    APP_METRIC_OF_COMPUTED,     /* FLOP/s, percent of the device's computed peak in the precision of
                                   the probe: that of all multiprocessors at the greatest clock */
    APP_METRIC_CYCLES,          /* of the multiprocessor's clock */
    APP_METRIC_CYCLES_PER_STEP, /* latency of a dependent step */
    APP_METRIC_NS_PER_STEP,
    APP_METRIC_GOPS,        /* operations over time, of the kind that the topic counts */
    APP_METRIC_NET_TIME,    /* ms without the launch's overhead */
    APP_METRIC_CYCLES_TIME, /* ms: the cycles over the current clock */
    APP_METRIC_COUNT
};

struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_probe_result *result, enum app_metric metric);

/* Returns a description for the head of a table: "GB/s", "percent of one multiprocessor's peak". */
const char *app_metric_words(enum app_metric metric);

/* Returns how a metric is written: "3.02 TB/s", "62.8 %", each with 3 digits. like: as in struct
 * app_form. */
struct app_form app_metric_form(enum app_metric metric, double like);

/* Returns the probe with this topic, series and x; for x < 0, the one with the largest measured x,
 * else with the largest x. NULL when there is none. */
const struct app_probe_result *app_probe_result_find(const struct app_probes_view *view,
                                                     enum krn_topic topic, const char *series,
                                                     double x);

/* Collects the measured points of a series, sorted by x. Returns their number, at most `capacity`.
 */
size_t app_probe_result_curve(const struct app_probes_view *view, enum krn_topic topic,
                              const char *series, enum app_metric metric, double *x, double *y,
                              size_t capacity);

#endif
