/* app/topics/topic.h - describes a measured topic for people: its titles, its units, and the
 * findings that follow from its probes.
 *
 * A topic is one descriptor, app_topic_NAME, in a file of its own; krn/topics.h lists them. Its
 * analysis turns probes into findings once. The benchmark's table prints their lines; the claims
 * board and the panel read their values by key, so they cannot disagree.
 */
#pragma once

#include "base/value.h"
#include "model/estimate.h"
#include "model/probe_result.h"
#include "topics/chart.h"

#include "krn/access.h"
#include "krn/device.h"

/* --- what a topic's numbers say, as one sentence and one chart, whatever it is drawn on --- */

enum {
    APP_PICTURE_SERIES = KRN_KERNEL_COUNT * KRN_STORAGE_COUNT + 2,
    APP_PICTURE_POINTS = 64,
    APP_PICTURE_LEVELS = 4,
    APP_PICTURE_MARKS = 40,
    APP_PICTURE_BANDS = 2,
    APP_PICTURE_BARS = 8,
    APP_PICTURE_TEXT = 64
};

/* What a topic's picture is made of. */
struct app_picture_facts {
    const struct app_probes_view *probes;
    int addresses; /* per warp, that the picture of constant memory marks; at least 1 */
    const struct app_mode_work *modes; /* of the ray tracer, for the roofline */
    int mode_count;
};

/* A picture with the memory of everything that its chart points to: do not copy it. */
struct app_picture {
    char sentence[160]; /* what the numbers say; "": too little was measured yet, or it is wrong */
    struct app_chart chart;
    struct app_bar bars[APP_PICTURE_BARS]; /* in place of the chart; bar_count 0: none */
    const char *caption;                   /* of the bars: what their lengths are; of a sweep */
    size_t bar_count;
    double full;      /* of the bars; 0: the greatest */
    const char *sure; /* what its intervals are; NULL: their width at 95 % */
    struct app_series series[APP_PICTURE_SERIES];
    struct app_level levels[APP_PICTURE_LEVELS];
    struct app_mark marks[APP_PICTURE_MARKS];
    struct app_band bands[APP_PICTURE_BANDS];
    struct {
        double x[APP_PICTURE_POINTS], y[APP_PICTURE_POINTS], low[APP_PICTURE_POINTS],
            high[APP_PICTURE_POINTS];
    } points[APP_PICTURE_SERIES];
    char texts[2 * (APP_PICTURE_BARS + APP_PICTURE_SERIES) + APP_PICTURE_MARKS + APP_PICTURE_BANDS]
              [APP_PICTURE_TEXT];
    size_t text_count;
};

/* Returns the widest interval of a picture: half of it, in percent of its number; 0: it has none.
 */
double app_picture_widest(const struct app_picture *picture);

/* Make a topic's picture of the probes in `facts`, and draw it below its sentence; false: it has no
 * room. */
void app_picture_make(enum krn_topic topic, const struct app_picture_facts *facts,
                      struct app_picture *picture);
bool app_picture_draw(const struct app_pen *pen, struct ren_rect area, float size,
                      const struct app_picture *picture);

/* --- for topics and sweeps; what has no room in a picture is left out --- */

/* Empties a picture, and returns a copy of a text that it keeps. */
void app_picture_begin(struct app_picture *picture);
const char *app_picture_keep(struct app_picture *picture, const char *text);

void app_picture_axes(struct app_picture *picture, struct app_axis x, struct app_axis y);

/* Adds the measured points of a series of probes, with their intervals, and returns it. */
struct app_series *app_picture_curve(struct app_picture *picture,
                                     const struct app_probes_view *view, enum krn_topic topic,
                                     const char *series, enum app_member metric, const char *name,
                                     enum app_ink ink);

/* Add an empty series, whose name is copied, and a point to the last one, unless it is not valid.
 */
struct app_series *app_picture_line(struct app_picture *picture, const char *name,
                                    enum app_ink ink);
void app_picture_point(struct app_picture *picture, double x, struct app_estimate y);

void app_picture_level(struct app_picture *picture, const char *name, double y);

/* Adds a dot whose name is copied. */
void app_picture_mark(struct app_picture *picture, const char *name, enum app_ink ink, double x,
                      double y, bool hollow);

/* Adds a band, whose name is copied. */
void app_picture_band(struct app_picture *picture, const char *name, double low, double high);

/* Adds a bar for a number, with a text behind it; both texts are copied. */
void app_picture_bar(struct app_picture *picture, const char *name, enum app_ink ink,
                     struct app_estimate value, const char *text);

/* Adds a bar for a metric of a probe, with its number. */
void app_picture_metric(struct app_picture *picture, const char *name, enum app_ink ink,
                        const struct app_probes_view *view, const struct app_result *result,
                        enum app_member metric);

/* Writes the sentence unless a number that it rests on, of `count`, is missing or may not be
 * quoted. */
void app_picture_say(struct app_picture *picture, const struct app_estimate *numbers, size_t count,
                     const char *format, ...);

/* --- the descriptor and the findings --- */

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

/* The descriptors, none NULL. */
extern const struct app_topic *const app_topics[KRN_TOPIC_COUNT];

/* Runs the topic's analysis over the probes in the view. */
void app_topic_analyse(enum krn_topic topic, const struct app_probes_view *view,
                       struct app_analysis *analysis);

/* --- the roofline: which roof bounds a kernel, the memory's or the arithmetic's (peak.c) ---
 *
 * A kernel with an intensity of I floating-point operations per byte cannot exceed the lower of two
 * roofs: the peak of the arithmetic, and I times the bandwidth of the memory. The roofs meet at the
 * ridge. Source: S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance
 * Model for Multicore Architectures, CACM 52(4), 2009.
 */

enum { APP_ROOFLINE_POINTS = 40 };

enum app_roof { APP_ROOF_UNKNOWN, APP_ROOF_MEMORY, APP_ROOF_ARITHMETIC, APP_ROOF_NEITHER };

/* Below this percentage of the lower roof, neither bounds a kernel. */
#define APP_ROOFLINE_FAR 50.0

/* Returns "memory", "arithmetic", "neither", or "" where the roof is unknown. */
const char *app_roof_name(enum app_roof roof);

/* A roof. */
struct app_ceiling {
    struct app_estimate measured; /* the greatest rate that a kernel of the program reached */
    double computed;              /* from clocks and units; 0: unknown */
};

enum app_roofline_group {
    APP_ROOFLINE_SAXPY,
    APP_ROOFLINE_CUBES,
    APP_ROOFLINE_COPY,
    APP_ROOFLINE_PEAK,
    APP_ROOFLINE_TRACER
};

/* A kernel. */
struct app_roofline_point {
    char name[40]; /* "SAXPY published", "book/global" */
    enum app_roofline_group group;
    struct krn_mode mode; /* of the group TRACER */
    bool integer;         /* its operations are integer ones, which have no roof here */
    bool cached; /* a CPU's caches hold its numbers, so the memory's roof does not bound it */
    bool double_precision; /* its roof is that of double precision */
    double operations;     /* of one run; 0: it only moves bytes */
    double bytes;          /* that one run reads and writes in memory; 0: none */
    double intensity;      /* operations per byte; INFINITY without bytes */
    struct app_estimate ms;
    struct app_estimate gflops, gbps; /* not valid without operations, without bytes */
    bool sets_roof;                   /* it is the roof that the others are compared with */
    enum app_roof bound;              /* the lower roof at its intensity, unless it is far below */
    struct app_estimate of_roof; /* percent of that roof (app_ceiling_of); not valid: it sets it */
};

struct app_roofline {
    struct app_ceiling single, twice; /* arithmetic, single and double precision, GFLOP/s */
    struct app_ceiling memory;        /* GB/s */
    double ridge;                     /* operations per byte; 0: a roof is unknown */
    struct app_roofline_point points[APP_ROOFLINE_POINTS];
    int count;
};

/* Returns the roof that points are compared with: the measured one, or else the computed one. */
struct app_estimate app_ceiling_of(const struct app_ceiling *ceiling);

/* Returns the roof that a published text compares with: the computed one, or else the measured
 * one. */
struct app_estimate app_ceiling_computed(const struct app_ceiling *ceiling);

/* Returns a rate as a percentage of a roof, from app_ceiling_of or app_ceiling_computed. A computed
 * roof is exact: the interval is that of the rate. */
struct app_estimate app_ceiling_share(struct app_estimate rate, struct app_estimate roof);

/* Computes the roofs and the points of all probes that were measured, and of the ray tracer's
 * modes. The bandwidth roof is the greatest rate among kernels whose arrays no cache holds. */
void app_roofline_make(const struct app_probes_view *view, const struct app_mode_work *modes,
                       int mode_count, struct app_roofline *roofline);

/* Returns the point with that name; NULL: it was not measured. */
const struct app_roofline_point *app_roofline_find(const struct app_roofline *roofline,
                                                   const char *name);
