/* app/report/report_picture.h - the hash of the picture that a state renders. */
#ifndef APP_REPORT_PICTURE_H
#define APP_REPORT_PICTURE_H

#include "engine/engine.h"
#include "report/report.h"

#include <stdint.h>

/* Renders the state's mode once more, untimed, into an image of its own, and computes its hash.
 * Blocks until it is complete. The engine has adopted the state. Errors: those of
 * krn_device_render, KRN_NO_MEMORY. */
enum krn_code app_picture_hash(const struct app_engine *engine, const struct app_state *state,
                               uint64_t *hash, struct krn_error *error);

/* Adds this hash to the record. A picture that cannot be rendered leaves it out. */
void app_report_picture(struct app_report *report, const struct app_engine *engine,
                        const struct app_state *state);

#endif
