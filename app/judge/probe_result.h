/* app/judge/probe_result.h - what is known of a device's probes, and every number that follows from
 * it.
 *
 * Tables, records, panels and the claims board take their numbers from here: a metric is a row of
 * one table with its key, its unit and how it follows from a probe's time, so no two of them can
 * disagree.
 */
#ifndef APP_PROBED_H
#define APP_PROBED_H

#include "base/numbers.h"
#include "judge/verified.h"

#include "krn/interval.h"
#include "krn/probe.h"
#include "krn/stats.h"

/* What one probe gave so far. */
struct app_probe_result {
    const struct krn_probe *probe;
    size_t n; /* samples; 0: not measured yet, and no number below means anything */
    struct krn_summary ms, cycles;
    struct krn_interval ms_interval, cycles_interval; /* of the medians */
    struct krn_check check; /* of the newest run, or of the first one that was wrong */
    enum app_verified verified;
    double age_s;    /* since the newest sample */
    bool on_request; /* too long for the gaps, or refused there: measured when somebody asks */
};

/* All probes of one device, in its order. */
struct app_probes_view {
    const struct krn_device_info *device;
    struct krn_ceilings ceilings;
    double clock_mhz; /* of the cores, when it was last looked at; 0: not known */
    const struct app_probe_result *probed;
    int count;
};

/* What a check says of its run: wrong where a value is, and where the greatest error is not zero,
 * so also when it is no number. Unknown where nothing was compared. */
enum app_verified app_check_verdict(const struct krn_check *check);

enum app_metric {
    APP_METRIC_TIME,            /* ms */
    APP_METRIC_GBPS,            /* useful bytes over time */
    APP_METRIC_MOVED_GBPS,      /* whole sectors over time */
    APP_METRIC_OF_THEORETICAL,  /* useful GB/s, percent of the memory's */
    APP_METRIC_GFLOPS,          /* floating-point operations over time */
    APP_METRIC_OF_PEAK_CYCLES,  /* percent of one multiprocessor's multiply-adds, by its clock */
    APP_METRIC_OF_PEAK_TIME,    /* the same by events, at the clock as it was */
    APP_METRIC_CYCLES,          /* of the multiprocessor's clock */
    APP_METRIC_CYCLES_PER_STEP, /* latency of a dependent step */
    APP_METRIC_NS_PER_STEP,
    APP_METRIC_GOPS, /* operations over time, of the kind that the topic counts */
    APP_METRIC_COUNT
};

/* A number with the interval that it rests on. */
struct app_estimate {
    bool valid; /* false: not measured, or the metric does not apply to the probe */
    bool has_interval;
    double value, low, high; /* low <= value <= high */
};

struct app_estimate app_metric_of(const struct app_probes_view *view,
                                  const struct app_probe_result *probed, enum app_metric metric);

/* "effective_gbps", as in records; never NULL. */
const char *app_metric_key(enum app_metric metric);

/* "GB/s", "percent of one multiprocessor's peak", ...: for the head of a table. */
const char *app_metric_words(enum app_metric metric);

/* The value with 3 digits and its unit: "3.02" "TB/s", "62.8" "%"; "–" when it is not there. */
struct app_number app_metric_number(enum app_metric metric, struct app_estimate estimate);

/* The probe of that topic, series and x; x < 0: the greatest x that was measured, else the
 * greatest. NULL when there is none. */
const struct app_probe_result *app_probe_result_find(const struct app_probes_view *view,
                                                     enum krn_topic topic, const char *series,
                                                     double x);

/* A curve: measured points of a series in ascending x; returns how many, at most `most`. */
size_t app_probe_result_curve(const struct app_probes_view *view, enum krn_topic topic,
                              const char *series, enum app_metric metric, double *x, double *y,
                              size_t most);

/* The ratio of two estimates, a over b; its interval combines theirs on the logarithmic scale
 * (G. Y. Zou, A. Donner, Construction of confidence limits about effect measures, 2008). */
struct app_estimate app_estimate_ratio(struct app_estimate a, struct app_estimate b);

#endif
