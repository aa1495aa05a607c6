/* app/engine/evidence.c - a mode's time, and the facts by which it is trusted. */
#include "engine/verify.h"

#include <string.h>

struct app_trust_facts app_evidence_of_device(const struct app_engine *engine,
                                              enum krn_backend_id backend,
                                              const struct app_conditions *conditions)
{
    const struct krn_device *device = app_engine_connected(engine, backend);
    struct app_trust_facts facts = {
        .core_share = app_engine_core_share(engine, backend),
        .dropped_share = app_engine_late_share(engine, backend),
        .on_battery = conditions->on_battery,
        .display_waits = conditions->display_waits,
        .heat_map = conditions->heat_map,
        .overhead_ms = device != NULL ? krn_device_overheads(device).empty_kernel_ms : 0.0,
    };
    struct krn_telemetry_reading newest;
    if (conditions->telemetry == NULL)
        app_engine_telemetry(engine, backend, &newest);
    app_trust_telemetry(&facts, conditions->telemetry ? conditions->telemetry : &newest,
                        conditions->since);
    if (device != NULL && conditions->gl != NULL)
        app_trust_screen(&facts, &krn_device_describe(device)->can, conditions->gl,
                         conditions->blit);
    return facts;
}

struct app_trust_facts app_evidence_of_mode(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode,
                                            const struct app_conditions *conditions,
                                            enum app_verified verified)
{
    struct app_trust_facts facts = app_evidence_of_device(engine, backend, conditions);
    const double own_ms = app_engine_overhead(engine, backend, mode).ms;
    facts.has_picture = true;
    facts.verified = verified;
    if (own_ms > 0.0)
        facts.overhead_ms = own_ms;
    return facts;
}

struct app_mode_time app_evidence_time(const struct app_engine *engine, enum krn_backend_id backend,
                                       struct krn_mode mode, const struct krn_series *series,
                                       const struct app_conditions *conditions,
                                       const struct app_verify_status *verified)
{
    const struct krn_device *device = app_engine_connected(engine, backend);
    struct app_trust_facts facts =
        app_evidence_of_mode(engine, backend, mode, conditions, verified->verified);
    struct app_mode_time time = {
        .valid = series->count > 0,
        .backend = backend,
        .mode = mode,
        .ms = krn_series_summary(series),
        .overhead_ms = app_engine_overhead(engine, backend, mode).ms,
        .tick_ms = device != NULL ? krn_device_overheads(device).tick_ms : 0.0,
        .regime = app_engine_regime(engine, backend, mode),
        .scope = app_engine_scope(engine, backend, mode.kernel),
        .verified = verified->verified,
    };
    memcpy(time.verified_text, verified->text, sizeof time.verified_text);
    const struct krn_limit limit = app_engine_limit(engine, backend);
    if (time.valid)
        time.median =
            app_estimate_of_run(time.ms.median, krn_series_interval(series), time.tick_ms);
    time.net = app_estimate_net(time.median, app_engine_overhead(engine, backend, mode));
    time.of_limit = app_of_limit(time.net.value, &limit);
    if (krn_kernel_describe(mode.kernel)->bins)
        time.binning_ms = krn_series_summary(app_engine_binning(engine, backend, mode)).median;
    app_trust_series(&facts, series);
    time.median.trust = app_trust_find(&facts);
    return time;
}
