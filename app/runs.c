#include "runs.h"

#include "base/complain.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/sweep.h"
#include "print/print.h"
#include "replay/replay.h"
#include "report/report.h"
#include "results/compare.h"
#include "results/sides.h"
#include "talk/talk.h"
#include "window/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int app_exit_code(enum krn_code code)
{
    return code == KRN_OK            ? APP_EXIT_DONE
           : code == KRN_UNAVAILABLE ? APP_EXIT_UNAVAILABLE
                                     : APP_EXIT_FAILED;
}

static int failed(enum krn_code code, const struct krn_error *error)
{
    app_complain(error->text);
    return app_exit_code(code);
}

/* Draws the plot of a sweep's record. */
static enum krn_code draw_sweep(struct app_program *program, const struct app_results *results,
                                const char *record, struct krn_error *error)
{
    struct app_sweep *sweep = app_alloc(1, sizeof *sweep);
    const enum krn_code code =
        app_sweep_read(results, sweep)
            ? app_front_sweep(program, results, sweep, record, error)
            : KRN_FAIL(error, KRN_FAILED, "%s: the sweep has no times to plot.",
                       program->run.screenshot);
    free(sweep);
    return code;
}

/* Shows what the record says, as tables and as a plot. */
static enum krn_code show(struct app_program *program, const char *record, struct krn_error *error)
{
    const struct app_run *run = &program->run;
    struct app_results results;
    enum krn_code code = app_results_read(record, strlen(record), "the results", &results, error);
    if (code != KRN_OK)
        return code;
    program->wrong = program->wrong || !app_results_right(&results);
    const enum app_style style = run->markdown ? APP_STYLE_MARKDOWN : APP_STYLE_TEXT;
    FILE *out = app_words_stream(run);
    if (program->replay) {
        app_replay_print(program->replay, &results, run->band_percent, style, out);
    } else {
        app_results_print(&results, style, out);
        app_fleet_print_devices(&results, run->band_percent, style, out);
    }
    /* A plot takes longer than an interrupted run may. */
    if (app_run_sweeps(run) && run->screenshot[0] && !app_interrupted())
        code = draw_sweep(program, &results, record, error);
    app_results_free(&results);
    return code;
}

enum krn_code app_run_finish(struct app_program *program, char **record, bool complete,
                             struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const bool worker = program->worker.number > 0;
    enum krn_code code = KRN_OK;
    if (!worker && app_interrupted() && !app_has_results(*record)) /* nothing to keep */
        return KRN_OK;
    if (!worker && strcmp(run->bench, "all") == 0 && !app_interrupted())
        code = app_report_judge_claims(record, run->band_percent, error);
    if (code != KRN_OK)
        return code;
    /* On a full disk the tables are what is left of the run. */
    const enum krn_code written = app_write_results(run, *record, error);
    struct krn_error why;
    program->written = program->written || written == KRN_OK;
    program->reported = true;
    program->complete = complete;
    if (!worker)
        code = show(program, *record, &why);
    return app_lose_output(written, code, &why, error);
}

/* Ends the report of a run that ended with `code`, finishes it, and returns the exit code of the
 * first failure. After a failed run, the results are those measured before it, as incomplete. */
static int finish(struct app_program *program, struct app_report *report, enum krn_code code,
                  struct krn_error *error)
{
    struct krn_error second;
    char *record = app_report_end(report);
    const bool some = code == KRN_OK || report->results > 0;
    const enum krn_code finished =
        some ? app_run_finish(program, &record, report->complete, &second) : KRN_OK;
    free(record);
    if (finished != KRN_OK && code != KRN_OK)
        app_complain(second.text);
    if (code != KRN_OK)
        return failed(code, error);
    const int exit_code = finished == KRN_OK ? APP_EXIT_DONE : failed(finished, &second);
    return finished != KRN_OK && program->wrong ? APP_EXIT_WRONG : exit_code;
}

/* Times the modes at the sphere counts of --record, of a random scene only: a file has its own
 * count. */
static enum krn_code sweep_beside(struct app_program *program, struct app_report *report,
                                  struct krn_error *error)
{
    const struct app_state *state = &program->state;
    if (state->scene != APP_SCENE_RANDOM)
        return KRN_OK;
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    return app_sweep_run(program->engine, state, app_sweep_record_axes(), state->recipe.count,
                         &plan, report, error);
}

int app_run_bench(struct app_program *program)
{
    struct krn_error error;
    struct app_report report;
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    enum krn_code code = app_bench_run(program, &report, &error);
    if (code == KRN_OK && program->run.record[0] && !app_must_stop())
        code = sweep_beside(program, &report, &error);
    /* An interrupt between two benchmarks leaves each complete, but some are missing. */
    if (code != KRN_OK || app_interrupted())
        app_report_incomplete(&report);
    return finish(program, &report, code, &error);
}

/* Returns the exit code of --fail-on-slower, which passes only what it can judge. */
static int fail_on_slower(const struct app_compare_counts *counts)
{
    char text[160];
    if (counts->slower > 0)
        return APP_EXIT_FAILED;
    if (counts->too_few > 0)
        snprintf(text, sizeof text,
                 "--fail-on-slower needs %d processes on each side; %zu of %zu results have fewer.",
                 APP_COMPARE_PROCESSES_MIN, counts->too_few, counts->compared);
    else if (counts->unjudged > 0)
        snprintf(text, sizeof text,
                 "--fail-on-slower: %zu of %zu results are WRONG or not to be quoted.",
                 counts->unjudged, counts->compared);
    else if (counts->missing > 0)
        snprintf(text, sizeof text,
                 "--fail-on-slower: the first side has %zu results that another side lacks.",
                 counts->missing);
    else
        return APP_EXIT_DONE;
    app_complain(text);
    return APP_EXIT_UNAVAILABLE;
}

int app_run_compare(const struct app_program *program)
{
    struct krn_error error;
    struct app_compare_counts counts;
    const struct app_run *run = &program->run;
    const enum app_style style = run->markdown ? APP_STYLE_MARKDOWN : APP_STYLE_TEXT;
    const enum krn_code code =
        app_compare(&run->compare, run->band_percent, style, stdout, &counts, &error);
    if (code != KRN_OK)
        return failed(code, &error);
    return run->fail_on_slower ? fail_on_slower(&counts) : APP_EXIT_DONE;
}

int app_run_duel(struct app_program *program)
{
    struct krn_error error;
    struct app_report report;
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    const enum krn_code code =
        app_duel_run(program->engine, &program->state, &plan, &program->duel_result, &error);
    if (code == KRN_OK)
        app_report_add_duel(&report, program->engine, &program->state, &program->duel_result,
                            APP_REGIME_IDLE);
    return finish(program, &report, code, &error);
}

int app_run_sweep(struct app_program *program)
{
    struct krn_error error;
    struct app_report report;
    const struct app_run *run = &program->run;
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    const enum krn_code code =
        app_sweep_run(program->engine, &program->state, run->sweep, 0, &plan, &report, &error);
    return finish(program, &report, code, &error);
}

int app_run_read_talk(struct app_program *program)
{
    struct krn_error error;
    const enum krn_code code =
        app_talk_read(program->run.talk, &program->state, &program->talk, &error);
    if (code == KRN_OK)
        return APP_EXIT_DONE;
    app_complain(error.text);
    return APP_EXIT_FAILED;
}

/* Renders both modes of a duel, or the one that is shown. */
static enum krn_code render_modes(struct app_engine *engine, const struct app_state *state,
                                  const struct krn_image *image, struct krn_error *error)
{
    struct app_state other = *state;
    enum krn_code code = app_engine_render(engine, state, image, error);
    other.mode = state->duel.other;
    if (code == KRN_OK && state->duel.on)
        code = app_engine_render(engine, &other, image, error);
    return code;
}

/* Renders a step's state without OpenGL. */
static enum krn_code render_step(void *context, struct app_state *state, struct krn_error *error)
{
    const struct app_program *program = context;
    struct app_engine *engine = program->engine;
    struct krn_image image = {NULL, 0, 0, 0};
    enum krn_code code = app_engine_adopt(engine, state, error);
    if (code != KRN_OK)
        return code;
    struct krn_device *device = app_engine_device(engine, state);
    code = krn_device_alloc_image(device, state->width, state->height, &image, error);
    if (code != KRN_OK)
        return code;
    code = render_modes(engine, state, &image, error);
    if (code == KRN_OK)
        code = krn_device_sync(device, error);
    krn_device_free_image(device, &image);
    return code;
}

int app_run_check(struct app_program *program)
{
    struct krn_error error;
    enum krn_code code = app_front_talk_check(program, &error);
    if (code == KRN_UNAVAILABLE) {
        app_complain(error.text);
        app_complain("The steps are rendered, but not drawn.");
        code = app_talk_check(program->talk, &program->state, render_step, program,
                              &program->progress, stdout, &error);
    }
    if (code == KRN_OK)
        return APP_EXIT_DONE;
    app_complain(error.text);
    return APP_EXIT_FAILED;
}

int app_run_offscreen(struct app_program *program, bool asked)
{
    struct krn_error error;
    struct app_report report;
    const enum krn_code code = app_front_offscreen(program, &report, &error);
    if (code == KRN_UNAVAILABLE && !asked && !program->run.screenshot[0] &&
        !app_run_records(&program->run)) {
        app_complain(error.text);
        app_complain("No picture can be drawn either; printing the table alone.");
        app_interrupt_keep();
        return app_run_bench(program);
    }
    return code == KRN_OK ? finish(program, &report, code, &error) : failed(code, &error);
}
