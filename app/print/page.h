/* app/print/page.h - what the tables of one record have in common (inside print/ only).
 *
 * A table's columns and its cells are added by pairs of functions, in the same order.
 */
#ifndef APP_PAGE_H
#define APP_PAGE_H

#include "model/model.h"
#include "print/sweep.h"
#include "table/table.h"

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
};

/* Prints a table below the others and frees it. */
void app_page_print(struct app_page *page, struct app_table *table);

/* A number and its interval as text. */
struct app_shown {
    char value[64];     /* "21.30 µs"; "": there is no number */
    char interval[128]; /* "[21.27, 21.33]", in the value's unit; "": none */
};

/* Format an estimate with as many digits as its interval supports: a time, or a number with a unit.
 */
struct app_shown app_shown_time(const struct app_estimate *estimate);
struct app_shown app_shown_number(const struct app_estimate *estimate, const char *unit);

/* Returns the heading of a column of intervals, which says whether they speak about other runs. */
const char *app_page_interval_title(const struct app_page *page);

/* Add the number and its interval to a table. An interval of one process, in a run of several, says
 * so in its cell. */
void app_page_value_columns(const struct app_page *page, struct app_table *table,
                            const char *title);
void app_page_value_cells(const struct app_page *page, struct app_table *table,
                          const struct app_estimate *estimate, const struct app_shown *shown);

/* Adds a metric that is a time in ms; an empty cell where a process lacks it. */
void app_page_time_cell(struct app_table *table, const struct app_result *result, const char *key);

/* Adds a rate of counted rays, in words with its prefix. */
void app_page_rays_cell(struct app_table *table, const struct app_result *result, const char *key);

/* Notes the number of rays of a frame, where the result has it. */
void app_page_note_rays(struct app_table *table, const struct app_result *result);

/* Add overhead and net time, empty where they are unknown. */
void app_page_net_columns(struct app_table *table);
void app_page_net_cells(struct app_table *table, const struct app_result *result);

/* Add verification, regime if it is not idle, and the ids of the reasons to doubt a number. */
void app_page_verified_columns(struct app_table *table);
void app_page_verified_cells(struct app_table *table, const struct app_result *result);

/* Add samples, processes if some are missing, stop rule, and the columns above. */
void app_page_end_columns(struct app_table *table);
void app_page_end_cells(const struct app_page *page, struct app_table *table,
                        const struct app_result *result);

/* Add the ids of the reasons to doubt a number. */
void app_page_trust_column(struct app_table *table);
void app_page_trust_cell(struct app_table *table, const struct app_results_trust *trust);

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

/* Adds a paragraph about what was rendered: "20 spheres, 1024x1024 pixels". */
void app_page_workload(struct app_table *table, const struct app_result *result);

/* Returns 1 << the storage of a mode in text form; 0: the text is NULL or no mode. */
unsigned app_page_storage_bit(const char *mode);

/* Notes that storages do not differ on the backend that measured them, where they do not and the
 * table compares several: `storages` has the bits of those in it. */
void app_page_same_caches(struct app_table *table, enum krn_backend_id backend, unsigned storages);

/* Returns a metric of a result; NAN when it is not recorded. */
double app_page_metric(const struct app_result *result, const char *key);

/* Returns a metric of one process, with its interval of that run. */
struct app_estimate app_page_of_process(const struct app_result_process *process, const char *key);

/* Returns the ratio of a metric, base over result: how many times as fast the result is. No value
 * where either is wrong. */
struct app_estimate app_page_speed(const struct app_result *base, const struct app_result *result,
                                   const char *metric);

/* Each prints the tables of one benchmark. */
void app_print_sweep(struct app_page *page, const struct app_sweep *sweep);
void app_print_topic(struct app_page *page, enum krn_topic topic);
void app_print_duel(struct app_page *page);

/* Prints every kernel of the record against the roofs, where a roof is known. */
void app_print_roofline(struct app_page *page);

#endif
