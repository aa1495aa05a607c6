/* app/topics/topic.h - a measured topic as people see it: titles, units, its one number, and what
 * follows from its probes.
 *
 * A topic is one descriptor, app_topic_NAME, in a file of its own; krn/topics.h lists them. Its
 * analysis turns probes into findings once. The benchmark's table prints their lines, the claims
 * board and the panel take their values by key, so no two of them can disagree.
 */
#ifndef APP_TOPIC_H
#define APP_TOPIC_H

#include "judge/probe_result.h"

#include "krn/device.h"

enum { APP_FINDINGS_MAX = 16 };

/* One thing that follows from a topic's probes. */
struct app_finding {
    char key[24];
    struct app_estimate value;
    const struct app_probe_result *of; /* the probe that it is about; NULL: several, or none */
    char line[160];                    /* of the benchmark's table; "": not printed */
};

struct app_analysis {
    struct app_finding findings[APP_FINDINGS_MAX];
    int count;
};

/* The one number of a topic where there is no room for more: a metric of one probe, or the ratio of
 * `over` to it. x < 0: the greatest that was measured. */
struct app_headline {
    const char *series;
    double x;
    enum app_metric metric;
    const char *over; /* NULL: none */
    double over_x;
    const char *caption;
};

struct app_topic {
    enum krn_topic topic;
    const char *title;                       /* of the benchmark's table */
    const char *panel_title, *shorter;       /* shorter: where there is less room; NULL: the same */
    const char *subtitle[KRN_BACKEND_COUNT]; /* of the panel: what its numbers are; "": none */
    struct app_headline headline[KRN_BACKEND_COUNT];
    /* How the table lists the probes: one line each, or a column for each series with this metric.
     */
    bool matrix;
    enum app_metric metric[KRN_BACKEND_COUNT];
    /* Its probes are meant to go through memory: arrays that fit into a cache are a reason for
     * distrust. */
    bool streams;
    void (*analyse)(const struct app_probes_view *view, struct app_analysis *analysis);
};

/* For analyse: adds a finding without a line, and returns it. Beyond APP_FINDINGS_MAX the last one
 * is overwritten. */
struct app_finding *app_finding_add(struct app_analysis *analysis, const char *key,
                                    struct app_estimate value);

/* For analyse: adds a ratio whose line is "what: 1.50 x [1.40, 1.60]". */
struct app_finding *app_finding_add_ratio(struct app_analysis *analysis, const char *key,
                                          const char *what, struct app_estimate ratio);

/* The finding of that key; one without a value when there is none. Never NULL. */
const struct app_finding *app_finding(const struct app_analysis *analysis, const char *key);

/* The metric of the probe of that series and x over that of another one, as app_probe_result_find
 * finds them. */
struct app_estimate app_series_ratio(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, const char *over, double x,
                                     enum app_metric metric);

/* True when every probe that a series offers was measured: only then is "the least that reaches"
 * known. */
bool app_series_complete(const struct app_probes_view *view, enum krn_topic topic,
                         const char *series);

#endif
