/* app/print/print.h - prints a record as tables, in plain text, Markdown or HTML, and draws its
 * charts. */
#pragma once

#include "base/table.h"
#include "model/model.h"
#include "model/probe_result.h"
#include "model/sweep.h"
#include "topics/chart.h"
#include "topics/topic.h"

#include <stdbool.h>
#include <stdio.h>

/* --- a record --- */

/* Prints the device, the run, a table for each benchmark, and the reasons to doubt the numbers, in
 * words. */
void app_results_print(const struct app_results *results, enum app_style style, FILE *out);

/* Returns false when a picture or a result is wrong. */
bool app_results_right(const struct app_results *results);

/* --- times against spheres or bounces, drawn with any pen --- */

/* Draws curves of kernel time against spheres (app_sweep_has_curve), with their intervals, and
 * their names at the right, in type of `size` pixels. The colour of a curve is that of its storage;
 * the book's kernel is dashed, and the one that sorts spheres is thick. few: the book's kernel from
 * global and from constant memory, the others from whatever storage is fastest, and a mark where
 * its sentence says that sorting pays; NULL: all lines. Curves that are
 * not there yet are left out. Bands mark where the spheres no longer fit into the fast part of the
 * constant cache (cache_bytes; 0: unknown, no band) and into constant memory, for 28 and for 16
 * bytes per sphere. users: a time of the user's kernel, or NULL. Returns false, and draws nothing,
 * when there is no point or no room. */
bool app_story_plot(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_sweep *sweep, double cache_bytes,
                    const struct app_story_headline *few, const struct app_mark *users);

/* More lines than these cannot be told apart in the last row: the table has them all. */
enum { APP_PLOT_BOUNCES = 5 };

/* Draws a sweep of the light view: time and rays per second against the spheres or the bounces, for
 * each kernel and storage; when both vary, rays per second against the spheres, for up to
 * APP_PLOT_BOUNCES numbers of bounces, a chart per kernel. Returns as app_story_plot. */
bool app_light_plot(const struct app_pen *pen, struct ren_rect area, float size,
                    const struct app_sweep *sweep);

/* --- what a page of HTML has besides its tables --- */

/* assets/page.html: the style sheet, the script, and places for colours, content and
 * assets/measure.js, which measures the reader's device. */
extern const char app_asset_page_html[], app_asset_measure_js[];

/* Prints the page up to its tables: the device that measured, and the picture, whose bytes of PNG
 * may be NULL: there is none. The tables follow in APP_STYLE_HTML. */
void app_html_begin(const struct app_results *results, const unsigned char *png, size_t png_bytes,
                    FILE *out);
void app_html_end(FILE *out);

/* Returns a page with the list of its sections, which get ids and titles that differ; frees the one
 * without. */
char *app_html_contents(char *page);

/* Prints what a record says of its run; of copied numbers, of the run that measured them. */
void app_html_facts(const struct app_results *results, FILE *out);

/* Each returns markup, to be freed; NULL: there is nothing to draw. */

/* The histogram of a result's samples in 32 bins, the last of which has also the slowest 1 %. Of
 * samples that belong to two sides in turn, `side` is 0 or 1; -1: they are all of one. */
char *app_html_histogram(const struct app_result *result, int side);

/* The charts of a topic and of a sweep. */
char *app_html_topic(enum krn_topic topic, const struct app_picture_facts *facts);
char *app_html_sweep(const struct app_sweep *sweep);

/* --- what the tables of one record have in common (inside app/print) --- */

/* A record being printed. */
struct app_page {
    const struct app_results *results;
    enum app_style style;
    FILE *out;
    size_t processes; /* the most that measured a result, here or in the run it was copied from */
    bool recorded;    /* all results were copied from the record of another run */
    bool uncounted;   /* a result was copied without the number of that run's processes */
    unsigned reasons; /* enum app_trust_reason bits of all results */
    bool marks;       /* a table has named reasons by their letters */
    unsigned common;  /* reasons that hold for the whole table, which its rows leave out */
    bool begun;       /* something has been printed */
    /* By a result's index, the next one of the same table of the ray tracer; NULL: it is the last.
     */
    const struct app_result **next;
};

/* What the cells of a column show of a result. `of` is its enum app_member. */
enum app_shows {
    APP_SHOWS_NAME,
    APP_SHOWS_SIDE,      /* A or B, in a duel */
    APP_SHOWS_VALUE,     /* a metric with as many digits as its interval supports */
    APP_SHOWS_INTERVAL,  /* its interval */
    APP_SHOWS_BOTH,      /* both in one cell */
    APP_SHOWS_TIME,      /* a time in ms, 3 digits */
    APP_SHOWS_NET,       /* a net time with its interval, unless it is too near the floor */
    APP_SHOWS_PLAIN,     /* a number, 3 digits */
    APP_SHOWS_RAYS,      /* a rate of counted rays */
    APP_SHOWS_LIMIT,     /* the net time as a multiple of the limit */
    APP_SHOWS_SPEED,     /* how many times as fast as the row's base, by that metric */
    APP_SHOWS_COUNT,     /* a number of the outcome; nothing for 0 */
    APP_SHOWS_TEXT,      /* a text of the outcome */
    APP_SHOWS_JUDGED,    /* the verdict on a claim, as the screen says it */
    APP_SHOWS_VERDICT,   /* of one process, if the result may have one */
    APP_SHOWS_SAMPLES,   /* their number */
    APP_SHOWS_PROCESSES, /* their number, if some are missing */
    APP_SHOWS_STOP,      /* the stop rule */
    APP_SHOWS_VERIFIED,
    APP_SHOWS_REGIME, /* nothing when the device was idle */
    APP_SHOWS_TRUST,  /* the ids of the reasons to doubt a number */
    APP_SHOWS_OWN     /* the first one of a table's own writer */
};

/* Columns that stand together. */
#define APP_COLUMNS_VALUE(title, metric)                                                           \
    {title, APP_ALIGN_RIGHT, .shows = APP_SHOWS_VALUE, .of = (metric)},                            \
    {                                                                                              \
        NULL, .shows = APP_SHOWS_INTERVAL, .of = (metric)                                          \
    }
#define APP_COLUMNS_NET(overhead, net)                                                             \
    {"overhead", APP_ALIGN_RIGHT, .shows = APP_SHOWS_TIME, .of = (overhead)},                      \
    {                                                                                              \
        "net", APP_ALIGN_RIGHT, .shows = APP_SHOWS_NET, .of = (net)                                \
    }
#define APP_COLUMNS_TIMES                                                                          \
    APP_COLUMNS_VALUE("median", APP_M_MEDIAN_MS), APP_COLUMNS_NET(APP_M_OVERHEAD_MS, APP_M_NET_MS)
#define APP_COLUMN_TRUST                                                                           \
    {                                                                                              \
        "trust", .shows = APP_SHOWS_TRUST, .wrap = 12                                              \
    }
#define APP_COLUMNS_VERIFIED                                                                       \
    {"verified", .shows = APP_SHOWS_VERIFIED}, {"regime", .shows = APP_SHOWS_REGIME},              \
        APP_COLUMN_TRUST
#define APP_COLUMNS_END                                                                            \
    {"n", APP_ALIGN_RIGHT, .shows = APP_SHOWS_SAMPLES},                                            \
        {"processes", APP_ALIGN_RIGHT, .shows = APP_SHOWS_PROCESSES},                              \
        {"until", .shows = APP_SHOWS_STOP}, APP_COLUMNS_VERIFIED

/* A row of a table of results. */
struct app_row {
    const struct app_page *page;
    const struct app_result *result;
    const struct app_result_process *process; /* what one process measured of it; NULL: all */
    const char *name;                         /* NULL: the variant */
    const struct app_result *base;            /* of the speeds */
    bool again; /* a row above has the same kernel from another storage of the same memory */
    int side;   /* 1: the columns show A's members; this is B's */
    bool sides; /* its samples are A's and B's in turn */
    bool rays;  /* the table has a column of rays */
    const struct app_roofline_point *point; /* of the roofline, whose rows have no result */
};

/* Adds the histogram of a result to the last cell (app_html_histogram) on a page of HTML. */
void app_page_detail(const struct app_page *page, struct app_table *table,
                     const struct app_result *result, int side);

/* Creates a table; columns without a title show intervals, and get theirs, which says whether they
 * speak about other runs. */
struct app_table *app_page_table(const struct app_page *page, const char *title,
                                 const struct app_column *columns, size_t count);

/* Prints a table below the others and frees it. */
void app_page_print(struct app_page *page, struct app_table *table);

/* The writer of enum app_shows for struct app_row. */
bool app_page_write(struct app_table *table, const struct app_column *column, const void *row);

/* Describes an estimate with as many digits as its interval supports. unit: "ms" for times. */
struct app_described app_page_describe(const struct app_estimate *estimate, const char *unit);

/* Adds a number or its interval, whichever the column shows. An interval of one process, in a run
 * of several, says so; page NULL: it need not. */
bool app_page_value(const struct app_page *page, struct app_table *table,
                    const struct app_column *column, const struct app_estimate *estimate,
                    const char *unit);

/* Adds a metric of a probe, with its unit but for cycles; nothing when it is not valid. */
bool app_page_rate(struct app_table *table, enum app_member metric, struct app_estimate rate);

/* Returns a text of a result; "" where there is none. */
const char *app_page_text(const struct app_result *result, enum app_member member);

/* Writes the letters by which a matrix names reasons to doubt one of its numbers: "ac"; "": none.
 */
void app_page_marks(struct app_page *page, unsigned reasons, char *text, size_t size);

/* Adds a paragraph with the reasons that hold for all numbers of a table; its rows and cells leave
 * them out. */
void app_page_common(struct app_page *page, struct app_table *table, unsigned reasons);

/* Notes which pictures or results are wrong. what: "picture" or "result"; where: " at 20", or "".
 */
void app_page_wrong(struct app_table *table, const struct app_result *result, const char *what,
                    const char *where);

/* Notes that storages do not differ on the backend that measured them, where they do not and the
 * table compares several: `storages` has the bits of those in it. */
void app_page_same_caches(struct app_table *table, enum krn_backend_id backend, unsigned storages);

/* Collects the modes of the first workload of the record's backend whose work is recorded; returns
 * how many there are. */
int app_page_modes(const struct app_results *results, struct app_mode_work modes[KRN_MODES_MAX]);

/* Each prints the tables of one benchmark. */
void app_print_sweep(struct app_page *page, const struct app_sweep *sweep);
void app_print_topic(struct app_page *page, enum krn_topic topic);
