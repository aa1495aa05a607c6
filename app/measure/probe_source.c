#include "measure/probe_source.h"

enum app_poll app_probe_source_poll(struct krn_probes *probes, struct app_reading *reading,
                                    struct krn_check *check)
{
    struct krn_probe_reading run;
    if (!krn_probe_poll(probes, &run))
        return krn_probe_busy(probes) ? APP_POLL_BUSY : APP_POLL_LOST;
    *reading = (struct app_reading){run.ms, run.cycles, run.slice_ms};
    *check = run.check;
    return APP_POLL_TAKEN;
}
