/* app/report/report_modes.h - times of the ray tracer's modes as results "raytrace". */
#ifndef APP_REPORT_MODES_H
#define APP_REPORT_MODES_H

#include "judge/timing.h"
#include "measure/mode_run.h"
#include "record/workload.h"
#include "report/report.h"

#include "krn/work.h"

/* The samples of one mode, and how they were taken. */
struct app_mode_samples {
    enum krn_backend_id backend;
    struct krn_mode mode;
    const struct app_workload *workload; /* what it rendered */
    enum app_regime regime;
    const double *samples_ms; /* in the order in which they were taken */
    size_t count;
    struct krn_interval interval; /* of the median, ms, widened by the tick */
    double tick_ms;               /* of the clock; 0: unknown */
    double overhead_ms;           /* of an empty kernel of the same grid; 0: unknown */
    unsigned long gate_drops;     /* readings dropped because the host was late */
    double batched_ms;            /* of one launch among many; 0: not measured */
    double binning_ms;            /* the part that sorts spheres into bins; 0: there is none */
    struct krn_work work;         /* of one frame; zeroed: unknown */
    double rays;                  /* of one frame; 0: of the book view, or not counted */
    const char *stop;             /* the rule that ended it; NULL: none did */
    const char *scope;            /* what lies between the time stamps */
    enum app_verified verified;
    const char *verified_reason;
    unsigned trust; /* enum app_trust_reason bits */
};

/* Describes what the engine renders for this state. Reads the whole scene once. */
void app_report_workload(struct app_workload *workload, const struct app_engine *engine,
                         const struct app_state *state, enum krn_view_kind view);

/* Adds one mode's samples. */
void app_report_add_mode(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_mode_samples *samples);

/* Adds all modes of a headless measurement, raw samples included. */
void app_report_add_measurement(struct app_report *report, const struct app_engine *engine,
                                const struct app_state *state,
                                const struct app_measurement *measurement);

/* Counts every mode of a measurement (app_report_count). */
void app_report_count_modes(struct app_report_few *few, const struct app_measurement *measurement);

/* Notes the choice of --modes; NULL and "" choose every mode. */
void app_report_note_chosen(struct app_report *report, const char *modes);

/* Notes the reasons why modes cannot render the scene. */
void app_report_note_refused(struct app_report *report, const struct app_measurement *measurement);

#endif
