#include "measure/probe_source.h"

enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check, unsigned long *drops)
{
    struct krn_probe_reading run;
    if (!krn_probe_poll(probes, &run)) {
        const bool late = krn_probe_gate_drops(probes) > *drops;
        *drops = krn_probe_gate_drops(probes);
        return krn_probe_busy(probes) ? APP_POLL_BUSY : late ? APP_POLL_LATE : APP_POLL_LOST;
    }
    *reading = (struct app_reading){run.ms, run.cycles, run.slice_ms, run.busy};
    *check = run.check;
    return APP_POLL_TAKEN;
}
