/* app/topics/topic.h - describes a measured topic for people: its titles, its units, and the
 * findings that follow from its probes.
 *
 * A topic is one descriptor, app_topic_NAME, in a file of its own; krn/topics.h lists them. Its
 * analysis turns probes into findings once. The benchmark's table prints their lines; the claims
 * board and the panel read their values by key, so they cannot disagree.
 */
#pragma once

#include "base/value.h"
#include "model/probe_result.h"
#include "topics/picture.h"

#include "krn/access.h"
#include "krn/device.h"

/* In the order in which the pages of panels show them. */
enum app_text {
    APP_TEXT_METRICS,  /* M. Harris, How to Implement Performance Metrics in CUDA C/C++ */
    APP_TEXT_BOOK,     /* J. Sanders, E. Kandrot, CUDA by Example, 6.3 */
    APP_TEXT_SLIDES,   /* V. Volkov, Better Performance at Lower Occupancy */
    APP_TEXT_TUTORIAL, /* a tutorial on CUDA programming, part 5: memory access patterns */
    APP_TEXT_GUIDE,    /* NVIDIA, CUDA C++ Programming Guide */
    APP_TEXT_COUNT
};

struct app_text_entry {
    const char *id;      /* in records: "metrics" */
    const char *subject; /* the heading of its page: "Performance metrics" */
    const char *author;  /* "M. Harris" */
    const char *speaker; /* who says what it claims: "The article says" */
    const char *title;
    const char *published; /* the year, or "n.d.": no date is given */
};

/* Returns the description of a text; never NULL. */
const struct app_text_entry *app_text_of(enum app_text text);

enum { APP_FINDINGS_MAX = 24, APP_FORMULAS_MAX = 6 };

/* One number that follows from a topic's probes. */
struct app_finding {
    char key[24];
    struct app_estimate value;
    const struct app_result *of; /* the probe that it describes; NULL: several, or none */
    char line[160];              /* its line in the benchmark's table; "": none */
};

struct app_analysis {
    struct app_finding findings[APP_FINDINGS_MAX];
    int count;
};

struct app_topic {
    enum krn_topic topic;
    enum app_text text;      /* the text that makes claims about it */
    const char *title;       /* in the benchmark's table */
    const char *panel_title; /* of its page, until it has a sentence */
    /* Table layout: a column per series showing this metric, or else one line per probe. */
    bool matrix;
    /* Its probes are compared in pairs: they take turns of one run, in a window from the least x
     * on, for several times as long as those of other topics. */
    bool pairs;
    enum app_member metric[KRN_BACKEND_COUNT];
    /* Its probes must read from memory: arrays that fit into a cache lower the trust. */
    bool streams;
    /* How its numbers are computed, for the help on screen: "GB/s = bytes read and written / time".
     * NULL ends the list. */
    const char *formulas[APP_FORMULAS_MAX + 1];
    void (*analyse)(const struct app_probes_view *view, struct app_analysis *analysis);
    /* Fills a picture that is empty. */
    void (*picture)(const struct app_picture_facts *facts, struct app_picture *picture);
};

/* For analyse: adds a finding without a line and returns it. When full, overwrites the last one. */
struct app_finding *app_finding_add(struct app_analysis *analysis, const char *key,
                                    struct app_estimate value);

/* For analyse: adds a ratio whose line is "what: 1.50 x [1.40, 1.60]". */
struct app_finding *app_finding_add_ratio(struct app_analysis *analysis, const char *key,
                                          const char *what, struct app_estimate ratio);

/* Returns the finding with that key, or one without a value if there is none. Never NULL. */
const struct app_finding *app_finding(const struct app_analysis *analysis, const char *key);

/* Return a metric of a series, and that of `series` over that of `over`, at the probes that
 * app_probe_result_find finds for x. */
struct app_estimate app_series_value(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, double x, enum app_member metric);
struct app_estimate app_series_ratio(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, const char *over, double x,
                                     enum app_member metric);

/* Returns the nanoseconds of a dependent read from memory, which the topic `latency` measures, for
 * the topics that apply Little's law to it; not valid: not measured. */
struct app_estimate app_latency_of_memory(const struct app_probes_view *view);

/* Returns true when every probe of a series was measured; only then is a "least that reaches"
 * known. */
bool app_series_complete(const struct app_probes_view *view, enum krn_topic topic,
                         const char *series);

/* Finds the least x at which a series reaches a level of a rate. The value is that of the medians;
 * low and high are the first points whose intervals, at the level of verdicts, reach the level and
 * lie beyond it. Infinite: none does. No value while a point lacks the rate. */
struct app_estimate app_series_reach(const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, enum app_member metric, double level);

/* --- the slow-down of reads at 1 to 32 addresses per warp, of the topic `constant` --- */

/* The memories that the lanes of a warp read from. */
enum app_divergent { APP_DIVERGENT_CONSTANT, APP_DIVERGENT_GLOBAL, APP_DIVERGENTS };

/* Returns the time of `addresses` addresses per warp over that of one; not valid before both were
 * measured. */
struct app_estimate app_divergence_measured(const struct app_probes_view *view,
                                            enum app_divergent memory, int addresses);

/* Returns the slow-down that the hardware's rules give: constant memory delivers one address after
 * another; the cache of global memory delivers the adjacent words of a warp, which are no longer
 * than one of its lines of 128 bytes, in one pass. */
double app_divergence_predicted(enum app_divergent memory, int addresses);

/* --- the topic `where` --- */

/* Its cases, and the pairs from which on order statistics give each its interval. */
enum { APP_WHERE_CASES = 35, APP_WHERE_PAIRS = 13 };

/* --- the list --- */

/* Returns the descriptor of a topic; never NULL. */
const struct app_topic *app_topic_of(enum krn_topic topic);

/* Runs the topic's analysis over the probes in the view. */
void app_topic_analyse(enum krn_topic topic, const struct app_probes_view *view,
                       struct app_analysis *analysis);
