/* app/report/report_duel.h - a duel as a result of a record. */
#ifndef APP_REPORT_DUEL_H
#define APP_REPORT_DUEL_H

#include "judge/timing.h"
#include "measure/duel_run.h"
#include "report/report.h"

/* Adds one result "duel"; its samples are the newest pairs, A's and B's in turn. */
void app_report_add_duel(struct app_report *report, const struct app_engine *engine,
                         const struct app_state *state, const struct app_duel_result *duel_result,
                         enum app_regime regime);

#endif
