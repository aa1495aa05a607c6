/* app/engine/evidence.h - gathers the facts by which numbers are trusted (model/trust.h), in one
 * place for the window, headless runs, panels, duels and published timings.
 */
#ifndef APP_EVIDENCE_H
#define APP_EVIDENCE_H

#include "engine/engine.h"
#include "engine/verify.h"
#include "model/trust.h"

/* The machine while something was measured. */
struct app_conditions {
    const struct krn_telemetry_reading *telemetry; /* NULL: the newest reading */
    bool since; /* the measurement began with krn_telemetry_mark: its worst clocks count */
    bool on_battery;
    bool display_waits, heat_map;       /* as struct app_trust_facts has them */
    const struct ren_gl_info *gl;       /* of the picture; NULL: it does not count */
    const struct ren_blit_status *blit; /* likewise */
};

/* Returns the facts about a backend's device and machine: clocks, throttling, cores, battery, and
 * the share of the newest launches that were late. The overhead is the launch floor, for numbers
 * whose own overhead is unknown. */
struct app_trust_facts app_evidence_of_device(const struct app_engine *engine,
                                              enum krn_backend_id backend,
                                              const struct app_conditions *conditions);

/* Returns the same with what is known of a mode: whether its pictures are right, and the overhead
 * of its own grid. Its samples follow by app_trust_samples or app_trust_series. */
struct app_trust_facts app_evidence_of_mode(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode,
                                            const struct app_conditions *conditions,
                                            enum app_verified verified);

/* Returns a mode's time by these samples, with everything that the engine knows of it, and the
 * reasons to doubt it. */
struct app_mode_time app_evidence_time(const struct app_engine *engine, enum krn_backend_id backend,
                                       struct krn_mode mode, const struct krn_series *series,
                                       const struct app_conditions *conditions,
                                       const struct app_verify_status *verified);

#endif
