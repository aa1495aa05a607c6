/* app/report/report_probes.h - adds probes and claims to a record. */
#ifndef APP_REPORT_PROBES_H
#define APP_REPORT_PROBES_H

#include "judge/probe_result.h"
#include "judge/timing.h"
#include "report/report.h"

/* The origin of a probe's samples. */
struct app_probe_origin {
    const double *samples_ms; /* probe_result->n samples, in the order of measurement */
    const double *cycles;     /* likewise; NULL: not kept */
    enum app_regime regime;
    unsigned long gate_drops; /* readings dropped because the host was late */
    const char *verified_text;
    const char *stop; /* NULL: none did */
};

/* Adds one probe with all metrics that apply to it; without samples adds nothing. */
void app_report_add_probe_result(struct app_report *report, const struct app_probes_view *view,
                                 const struct app_probe_result *probe_result,
                                 const struct app_probe_origin *origin);

#endif
