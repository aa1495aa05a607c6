#include "runs.h"

#include "base/complain.h"
#include "base/interrupt.h"
#include "bench/bench.h"
#include "report/report_duel.h"
#include "report/results.h"
#include "results/compare.h"
#include "window/front.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Writes the results of a run that ended with `code` and returns the first failure. After a failed
 * run, writes the results measured before it, as incomplete. */
static enum krn_code write_results(const struct app_run *run, const struct app_report *report,
                                   const char *record, enum krn_code code, struct krn_error *error)
{
    struct krn_error second;
    if (!app_wants_results(run) || (code != KRN_OK && report->results == 0))
        return code;
    const enum krn_code written = app_write_results(run, record, &second);
    if (code != KRN_OK) {
        if (written != KRN_OK)
            app_complain(second.text);
        return code;
    }
    if (written != KRN_OK)
        *error = second;
    return written;
}

int app_run_bench(struct app_program *program)
{
    struct krn_error error;
    struct app_report report;
    bool right = true;
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    enum krn_code code =
        app_bench_run(program, app_table_stream(&program->run), &report, &right, &error);
    /* An interrupt between two benchmarks leaves each complete, but some are missing. */
    if (code != KRN_OK || app_interrupted())
        app_report_incomplete(&report);
    char *record = app_report_end(&report);
    code = write_results(&program->run, &report, record, code, &error);
    free(record);
    if (code != KRN_OK)
        return failed(code, &error);
    return right ? APP_EXIT_DONE : APP_EXIT_WRONG;
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
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    enum krn_code code =
        app_duel_run(program->engine, &program->state, &plan, &program->duel_result, &error);
    if (code == KRN_OK)
        app_duel_print(&program->duel_result, program->engine, &program->state,
                       app_words_stream(&program->run));
    if (code == KRN_OK && app_wants_results(&program->run)) {
        struct app_report report;
        app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
        app_report_add_duel(&report, program->engine, &program->state, &program->duel_result,
                            APP_REGIME_IDLE);
        char *record = app_report_end(&report);
        code = app_write_results(&program->run, record, &error);
        free(record);
    }
    return code == KRN_OK ? APP_EXIT_DONE : failed(code, &error);
}

/* Runs the sweep, prints its table and writes its record. The caller frees *record. */
static enum krn_code measure_sweep(struct app_program *program, struct app_sweep *sweep,
                                   char **record, struct krn_error *error)
{
    struct app_report report;
    const struct app_run *run = &program->run;
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    const enum krn_code code = app_sweep_run(program->engine, &program->state, run->sweep_low,
                                             run->sweep_high, &plan, &report, sweep, error);
    app_sweep_print(sweep, program->engine, &program->state, run->markdown, app_words_stream(run));
    *record = app_report_end(&report);
    /* app_sweep_print has printed the Markdown already. */
    struct app_run files = *run;
    files.markdown = false;
    return write_results(&files, &report, *record, code, error);
}

int app_run_sweep(struct app_program *program)
{
    struct krn_error error;
    char *record = NULL;
    struct app_sweep *sweep = malloc(sizeof *sweep);
    if (!sweep) {
        app_complain("No memory for a sweep.");
        return APP_EXIT_FAILED;
    }
    const enum krn_code code = measure_sweep(program, sweep, &record, &error);
    int exit_code = code != KRN_OK               ? failed(code, &error)
                    : app_sweep_all_right(sweep) ? APP_EXIT_DONE
                                                 : APP_EXIT_WRONG;
    if (code == KRN_OK && program->run.screenshot[0]) {
        const enum krn_code drawn = app_front_sweep(program, sweep, record, &error);
        if (drawn != KRN_OK) {
            app_complain(error.text);
            exit_code = exit_code == APP_EXIT_WRONG ? exit_code : app_exit_code(drawn);
        }
    }
    free(record);
    free(sweep);
    return exit_code;
}

int app_run_offscreen(struct app_program *program, bool asked)
{
    struct krn_error error;
    const enum krn_code code = app_front_offscreen(program, &error);
    if (code == KRN_UNAVAILABLE && !asked) {
        app_complain(error.text);
        app_complain("No picture can be drawn either; printing the table alone.");
        return app_run_bench(program);
    }
    return code == KRN_OK ? APP_EXIT_DONE : failed(code, &error);
}
