/* app/bench/bench_probes.c - measures the panels' topics without a window. */
#include "bench/entries.h"

#include "base/value.h"
#include "measure/probe_run.h"
#include "report/report_probes.h"

#include <stdio.h>

static void add_topic(struct app_report *report, const struct app_probe_run *run)
{
    struct app_report_few few = {.few = 0};
    for (int i = 0; i < run->view.count; i++) {
        const struct app_probe_samples *samples = &run->samples[i];
        const struct app_probe_origin origin = {
            .samples_ms = samples->ms,
            .cycles = samples->cycles,
            .regime = samples->regime,
            .gate_drops = samples->gate_drops,
            .verified_text = samples->verified_text,
            .stop = samples->stop == KRN_STOP_NOT ? NULL : krn_stop_name(samples->stop),
        };
        app_report_add_probe_result(report, &run->view, &run->results[i], &origin);
        char name[96];
        app_format(name, sizeof name, "%s at %s %.0f", run->probes[i].series, run->probes[i].axis,
                   run->probes[i].x);
        app_report_count(&few, samples->n, samples->stop, name);
    }
    app_report_note_few(report, krn_topic_name(run->topic), &few);
}

enum krn_code app_bench_topic(enum krn_topic which, struct app_program *program,
                              struct app_report *report, struct krn_error *error)
{
    struct app_probe_run run = {.topic = which};
    const struct app_plan plan = app_program_plan(program);
    const enum krn_code code = app_probe_run_topic(
        app_engine_device(program->engine, &program->state),
        app_engine_monitor(program->engine, program->state.backend), which, &plan, &run, error);
    if (code == KRN_OK)
        add_topic(report, &run);
    if (code == KRN_OK && run.left_out[0] != 0) {
        char note[sizeof run.left_out + 64];
        snprintf(note, sizeof note, "%s: some series are left out: %s", krn_topic_name(which),
                 run.left_out);
        app_report_note(report, note);
    }
    app_probe_run_free(&run);
    return code;
}
