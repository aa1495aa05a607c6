#include "engine/evidence.h"

struct app_trust_facts app_evidence_of_device(const struct app_engine *engine,
                                              enum krn_backend_id backend,
                                              const struct app_conditions *conditions)
{
    const struct krn_device *device = app_engine_connected(engine, backend);
    struct app_trust_facts facts = {
        .core_share = app_engine_core_share(engine, backend),
        .dropped_share = app_engine_late_share(engine, backend),
        .on_battery = conditions->on_battery,
        .overhead_ms = device != NULL ? krn_device_overheads(device).empty_kernel_ms : 0.0,
    };
    struct krn_telemetry_reading newest;
    if (conditions->telemetry == NULL)
        app_engine_telemetry(engine, backend, &newest);
    app_trust_telemetry(&facts, conditions->telemetry ? conditions->telemetry : &newest,
                        conditions->since);
    return facts;
}

struct app_trust_facts app_evidence_of_mode(const struct app_engine *engine,
                                            enum krn_backend_id backend, struct krn_mode mode,
                                            const struct app_conditions *conditions,
                                            enum app_verified verified)
{
    struct app_trust_facts facts = app_evidence_of_device(engine, backend, conditions);
    const double own_ms = app_engine_overhead(engine, backend, mode);
    facts.has_picture = true;
    facts.verified = verified;
    if (own_ms > 0.0)
        facts.overhead_ms = own_ms;
    return facts;
}
