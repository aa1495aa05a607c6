#include "bench/bench.h"

#include "base/interrupt.h"
#include "bench/entries.h"
#include "command/bench_list.h"
#include "report/report_modes.h"

#include <stdio.h>
#include <string.h>

enum krn_code app_measure_program(struct app_program *program, struct krn_error *error)
{
    struct app_plan plan = app_program_plan(program);
    if (!program->run.bench[0]) { /* the limits are those of the picture's frames */
        plan.frames = 0;
        plan.seconds = 0.0;
    }
    return app_measure_modes(program->engine, &program->state, &plan, &program->measurement, error);
}

static enum krn_code raytrace(struct app_program *program, FILE *table, struct app_report *report,
                              bool *right, struct krn_error *error)
{
    const enum krn_code code = app_measure_program(program, error);
    if (code != KRN_OK)
        return code;
    if (table)
        app_measure_print(&program->measurement, program->engine, &program->state, table);
    *right = *right && app_measure_all_right(&program->measurement);
    app_report_add_measurement(report, program->engine, &program->state, &program->measurement);
    return KRN_OK;
}

#define app_bench_raytrace raytrace
#define ENTRY(id, text) {.name = #id, .what = text, .run = app_bench_##id},
#define TOPIC(id, title, text) {.name = #title, .what = text, .topic = KRN_TOPIC_##id},

static const struct app_bench_entry entries[] = {APP_BENCHES(ENTRY, TOPIC)};

const struct app_bench_entry *app_benches(size_t *count)
{
    *count = sizeof entries / sizeof *entries;
    return entries;
}

static enum krn_code run_entry(const struct app_bench_entry *entry, struct app_program *program,
                               FILE *table, struct app_report *report, bool *right,
                               struct krn_error *error)
{
    return entry->run ? entry->run(program, table, report, right, error)
                      : app_bench_topic(entry->topic, program, table, report, right, error);
}

enum krn_code app_bench_run(struct app_program *program, FILE *table, struct app_report *report,
                            bool *right, struct krn_error *error)
{
    const char *asked = program->run.bench;
    const bool all = asked[0] == 0 || strcmp(asked, "all") == 0;
    bool first = true;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (asked[0] == 0 ? i > 0 : !app_run_benches(&program->run, entries[i].name))
            continue;
        if (app_interrupted())
            break;
        if (table && !first)
            fputc('\n', table);
        first = false;
        const enum krn_code code = run_entry(&entries[i], program, table, report, right, error);
        if (code == KRN_UNAVAILABLE && all)
            fprintf(table ? table : stderr, "%s: skipped: %s\n", entries[i].name, error->text);
        else if (code != KRN_OK)
            return code;
    }
    if (all && asked[0] != 0 && !app_interrupted())
        app_bench_claims(program, table, report);
    return KRN_OK;
}
