/* app/report/report_recorded.h - copies the numbers of a recorded run into a record, each with the
 * reason `recorded`: for pictures that show them. */
#ifndef APP_REPORT_RECORDED_H
#define APP_REPORT_RECORDED_H

#include "recorded/recorded.h"
#include "report/report.h"

/* Adds one mode with its samples; one that was not recorded adds nothing. */
void app_report_recorded_mode(struct app_report *report, const struct app_recorded_mode *mode);

/* Adds every mode that was recorded at the state's scene, size and zoom. */
void app_report_recorded_modes(struct app_report *report, const struct app_recorded *recorded,
                               const struct app_state *state);

/* Adds the probes, without their samples, and the claims. */
void app_report_recorded_panels(struct app_report *report, const struct app_recorded *recorded);

/* Names the device and the time of the recorded results, for programs and in a sentence. */
void app_report_recorded_origin(struct app_report *report, const struct app_recorded *recorded);

#endif
