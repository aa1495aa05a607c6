/* app/command/run.c - the options that a run starts with, and what follows from them. */
#include "command/run.h"

#include "krn/duel.h"

#include <string.h>

struct app_run app_run_default(void)
{
    struct app_run run;
    memset(&run, 0, sizeof run);
    run.backend = -1;
    run.window_width = 1280;
    run.window_height = 720;
    run.monitor = -1;
    run.band_percent = KRN_DUEL_BAND_PERCENT;
    run.panel_share = 10.0;
    run.processes = 5;
    return run;
}

bool app_run_sweeps(const struct app_run *run)
{
    return run->sweep[APP_SWEEP_SPHERES].on || run->sweep[APP_SWEEP_BOUNCES].on;
}

bool app_run_measures(const struct app_run *run)
{
    return run->bench[0] != 0 || app_run_sweeps(run) || (run->duel && !run->offscreen);
}

bool app_run_names_device(const struct app_run *run)
{
    return run->backend >= 0 || run->device_given;
}

bool app_run_records(const struct app_run *run)
{
    return run->record_frames[0] != 0 || run->video[0] != 0;
}

bool app_run_follows_pane(const struct app_run *run)
{
    return !run->size_given && run->play[0] == 0 && run->talk[0] == 0 && run->replay[0] == 0;
}

bool app_run_benches(const struct app_run *run, const char *name)
{
    const size_t length = strlen(name);
    const char *at = run->bench;
    do {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == ','))
            return true;
        at = strchr(at, ',');
    } while (at != NULL);
    return strcmp(run->bench, "all") == 0;
}
