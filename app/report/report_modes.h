/* app/report/report_modes.h - times of the ray tracer's modes as results "raytrace". */
#ifndef APP_REPORT_MODES_H
#define APP_REPORT_MODES_H

#include "measure/mode_run.h"
#include "report/report.h"

/* The samples of one mode, and how they were taken. */
struct app_mode_samples {
    enum krn_backend_id backend;
    struct krn_mode mode;
    const double *samples_ms; /* in the order in which they were taken */
    size_t count;
    struct krn_interval interval; /* of the median, ms */
    double batched_ms;            /* of one launch among many; 0: not measured */
    double binning_ms;            /* the part that sorts spheres into bins; 0: there is none */
    const char *stop;             /* the rule that ended it; NULL: none did */
    const char *scope;            /* what lies between the time stamps */
    const char *verified_reason;
};

/* Adds one mode's samples. *facts says what is known of the device and the picture; the summary of
 * the samples is put into it. */
void app_report_add_mode(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_mode_samples *samples,
                         struct app_trust_facts *facts);

/* Adds all modes of a headless measurement, raw samples included. */
void app_report_add_measurement(struct app_report *report, const struct app_engine *engine,
                                const struct app_state *state,
                                const struct app_measurement *measurement);

#endif
