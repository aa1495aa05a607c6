#include "bench/bench.h"

#include "base/interrupt.h"
#include "bench/entries.h"
#include "command/bench_list.h"
#include "measure/probe_run.h"
#include "report/report_modes.h"

#include <stdio.h>
#include <string.h>

enum krn_code app_measure_program(struct app_program *program, struct krn_error *error)
{
    struct app_plan plan = app_program_plan(program);
    if (!program->run.bench[0]) /* the limit is that of the picture's frames */
        plan.frames = 0;
    return app_measure_modes(program->engine, &program->state, &plan, &program->measurement, error);
}

static enum krn_code raytrace(struct app_program *program, struct app_report *report,
                              struct krn_error *error)
{
    const enum krn_code code = app_measure_program(program, error);
    if (code != KRN_OK)
        return code;
    app_report_add_measurement(report, program->engine, &program->state, &program->measurement);
    app_report_note_refused(report, &program->measurement);
    app_report_note_chosen(report, program->run.modes);
    struct app_report_few few = {.few = 0};
    app_report_count_modes(&few, &program->measurement);
    app_report_note_few(report, "raytrace", &few);
    return KRN_OK;
}

#define app_bench_raytrace raytrace
#define ENTRY(id, text) {.name = #id, .what = text, .run = app_bench_##id},
#define TOPIC(id, title, text) {.name = #title, .what = text, .topic = KRN_TOPIC_##id},

static const struct app_bench_entry entries[] = {APP_BENCHES(ENTRY, TOPIC)};

enum { ENTRIES = sizeof entries / sizeof *entries };

const struct app_bench_entry *app_benches(size_t *count)
{
    *count = ENTRIES;
    return entries;
}

static enum krn_code run_entry(const struct app_bench_entry *entry, struct app_program *program,
                               struct app_report *report, struct krn_error *error)
{
    return entry->run ? entry->run(program, report, error)
                      : app_bench_topic(entry->topic, program, report, error);
}

/* Returns true when --bench asks for entry i; without --bench, only the first is run. */
static bool is_chosen(const struct app_run *run, size_t i)
{
    return run->bench[0] == 0 ? i == 0 : app_run_benches(run, entries[i].name);
}

static void note_skipped(struct app_report *report, const char *name, const char *why)
{
    char note[512];
    snprintf(note, sizeof note, "%s: skipped: %s", name, why);
    app_report_note(report, note);
}

enum krn_code app_bench_run(struct app_program *program, struct app_report *report,
                            struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const bool all = run->bench[0] == 0 || strcmp(run->bench, "all") == 0;
    enum { SWEEP_PARTS = 5 }; /* of --record, which has a sweep behind its benchmarks */
    int left = run->record[0] ? SWEEP_PARTS : 0, order[ENTRIES];
    for (size_t i = 0; i < ENTRIES; i++)
        left += is_chosen(run, i);
    /* Only a worker's results are put in order again. */
    app_plan_order(program->worker.number > 0 ? app_program_order(program) : 0, order, ENTRIES);
    for (size_t at = 0; at < ENTRIES && !app_interrupted(); at++) {
        const size_t i = (size_t)order[at];
        if (!is_chosen(run, i))
            continue;
        app_program_share(program, left--);
        enum krn_code code = KRN_CANCELLED;
        if (!app_must_stop())
            code = run_entry(&entries[i], program, report, error);
        if (code == KRN_CANCELLED && !app_interrupted()) {
            app_report_incomplete(report);
            note_skipped(report, entries[i].name, "the time was up.");
        } else if (code == KRN_UNAVAILABLE && all) {
            note_skipped(report, entries[i].name, error->text);
        } else if (code != KRN_OK && code != KRN_CANCELLED) {
            return code;
        }
    }
    return KRN_OK;
}

double app_bench_expected_s(const struct app_run *run)
{
    /* Seconds beside the samples: preparing, and comparing with the host. */
    const double around_s = 1.0, other_s = 3.0;
    double sum = 0.0;
    for (size_t i = 0; i < ENTRIES; i++)
        if (is_chosen(run, i))
            sum += entries[i].run == raytrace ? APP_MEASURE_SECONDS + around_s
                   : entries[i].run           ? other_s
                                              : APP_PROBE_SECONDS + around_s;
    return sum;
}
