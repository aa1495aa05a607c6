/* app/report/report.h - builds a results record: begins it, adds results, ends it.
 *
 * The other files of this folder turn measurements into results and add them here.
 */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include "base/environment.h"
#include "engine/engine.h"
#include "judge/trust.h"
#include "measure/sampler.h"
#include "record/record.h"

#include "krn/interval.h"
#include "ren/blit.h"
#include "ren/context.h"

#include <stdint.h>

/* The OpenGL side of a run. */
struct app_screen {
    const struct ren_gl_info *gl;
    const char *context; /* "GLFW window, X11", "EGL surfaceless" */
    const struct ren_blit_status *blit;
};

struct app_report {
    struct app_record *record;
    size_t results;   /* added so far */
    unsigned reasons; /* enum app_trust_reason bits of all results */
    bool complete;    /* after app_report_end: every result is complete and none is missing */
};

/* Begins a record of this machine, its devices and the state. screen NULL: nothing is drawn. */
void app_report_begin(struct app_report *report, struct app_environment *environment,
                      const struct app_engine *engine, const struct app_state *state,
                      const struct app_screen *screen);

/* Adds a result with the reasons to doubt it, enum app_trust_reason bits. */
void app_report_add(struct app_report *report, const struct app_result *result, unsigned trust);

/* Adds a sentence about the record, once: what was left out, and why. */
void app_report_note(struct app_report *report, const char *sentence);

/* The items of a benchmark that lack first samples because the time was up. */
struct app_report_few {
    int few, all;
    int none;       /* those of `few` without any sample */
    char first[96]; /* the first of them */
};

/* Counts an item with n samples, which the rule `stop` ended. */
void app_report_count(struct app_report_few *few, size_t n, enum krn_stop stop, const char *name);

/* Adds a sentence about the items that were counted, if some of them lack samples. Marks the record
 * as incomplete if one has no sample. */
void app_report_note_few(struct app_report *report, const char *benchmark,
                         const struct app_report_few *few);

/* Marks the record as incomplete: a requested result is missing. */
void app_report_incomplete(struct app_report *report);

/* Ends the record. Returns it as text, to be freed. */
char *app_report_end(struct app_report *report);

/* Writes the metrics that every time has: the median and its interval, percentiles, extremes,
 * count. Returns APP_REPORT_TIMES. */
enum { APP_REPORT_TIMES = 8 };
size_t app_report_times(struct app_pair pairs[APP_REPORT_TIMES], const struct krn_summary *ms,
                        struct krn_interval interval);

/* Writes what a time contains besides the kernel: overhead_ms and net_ms, tick_ms, gate_drops.
 * Unknown ones (0) are left out. Returns APP_REPORT_FLOOR. */
enum { APP_REPORT_FLOOR = 4 };
size_t app_report_floor(struct app_pair pairs[APP_REPORT_FLOOR], double median_ms,
                        double overhead_ms, double tick_ms, unsigned long gate_drops);

/* Returns the name of the rule that ended a measurement, as records have it; NULL: it was
 * interrupted. */
const char *app_report_stop(enum krn_stop stop);

/* Renders the state's mode once more, untimed, into an image of its own, and computes its hash.
 * Blocks until it is complete. The engine has adopted the state. Errors: those of
 * krn_device_render, KRN_NO_MEMORY. */
enum krn_code app_picture_hash(const struct app_engine *engine, const struct app_state *state,
                               uint64_t *hash, struct krn_error *error);

/* Adds this hash to the record. A picture that cannot be rendered leaves it out. */
void app_report_picture(struct app_report *report, const struct app_engine *engine,
                        const struct app_state *state);

#endif
