/* app/report/report_anatomy.h - the phases of frames as a result of a record. */
#ifndef APP_REPORT_ANATOMY_H
#define APP_REPORT_ANATOMY_H

#include "anatomy/anatomy.h"
#include "report/report.h"

/* Adds the phases as one result, medians in milliseconds: cpu_X_ms and gpu_X_ms for each phase X,
 * the gaps of both lanes, and what the overlay takes. Adds none when no frame was collected. */
void app_report_add_anatomy(struct app_report *report, const struct app_state *state,
                            const struct app_anatomy_view *view);

#endif
