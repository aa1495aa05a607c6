/* app/main.c - opens what a run needs, starts its kind of run, and tells how it ended. */
#include "base/complain.h"
#include "base/files.h"
#include "base/json_read.h"
#include "base/process.h"
#include "base/value.h"
#include "bench/program.h"
#include "command/command.h"
#include "command/options.h"
#include "engine/mine.h"
#include "krn/memory.h"
#include "measure/book_window.h"
#include "measure/report.h"
#include "print/print.h"
#include "records/info.h"
#include "records/io.h"
#include "records/recorded.h"
#include "spec/state.h"
#include "talk/talk.h"
#include "window/front.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- kinds of runs, each from its first measurement to its files and its exit code --- */

/* Returns the exit code that belongs to an error code or to KRN_OK. */
static int exit_code_of(enum krn_code code)
{
    return code == KRN_OK            ? APP_EXIT_DONE
           : code == KRN_UNAVAILABLE ? APP_EXIT_UNAVAILABLE
                                     : APP_EXIT_FAILED;
}

static int failed(enum krn_code code, const struct krn_error *error)
{
    app_complain(error->text);
    return exit_code_of(code);
}

static enum krn_code draw_offscreen(struct app_program *program, struct app_results *results,
                                    struct krn_error *error)
{
    const struct app_front *front;
    const enum krn_code code = app_front_open(&front, error);
    return code == KRN_OK ? front->offscreen(program, results, error) : code;
}

/* Shows what the record says, as tables and as a plot. */
static enum krn_code show(struct app_program *program, const struct app_results *results,
                          struct krn_error *error)
{
    const struct app_run *run = &program->run;
    program->wrong = program->wrong || !app_results_right(results);
    const enum app_style style = run->markdown ? APP_STYLE_MARKDOWN : APP_STYLE_TEXT;
    FILE *out = app_words_stream(run);
    if (run->play[0] && run->html[0] && !run->markdown) { /* its tables are in the report */
        if (strcmp(run->html, "-") != 0)
            fprintf(out, "report: %s\n", run->html);
    } else if (program->replay) {
        app_compare_replay(&program->replay->then, program->replay->name, results,
                           run->band_percent, style, out);
    } else {
        app_results_print(results, style, out);
        app_fleet_print_devices(results, run->band_percent, style, out);
    }
    /* A plot takes longer than an interrupted run may. */
    if (!app_run_sweeps(run) || !run->screenshot[0] || app_interrupted())
        return KRN_OK;
    const struct app_front *front;
    const enum krn_code code = app_front_open(&front, error);
    return code == KRN_OK ? front->sweep(program, results, error) : code;
}

/* Finishes a run: judges the claims where --bench all asks for them and adds them to the record,
 * writes the files, prints the tables, and draws the plot of a sweep. A worker only writes. Sets
 * program->wrong when a picture or a result is wrong. Errors: also those of front->sweep. */
static enum krn_code run_finish(struct app_program *program, struct app_results *results,
                                struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const bool worker = program->worker.number > 0;
    enum krn_code code = KRN_OK;
    if (!worker && app_interrupted() && results->count == 0) /* nothing to keep */
        return KRN_OK;
    if (!worker && strcmp(run->bench, "all") == 0 && !app_interrupted())
        app_report_judge_claims(results, run->band_percent);
    /* On a full disk the tables are what is left of the run. */
    struct app_web_page page = program->page;
    page.records = results;
    page.count = 1;
    page.band_percent = run->band_percent;
    if (run->play[0])
        page.records =
            app_recorded_records(app_recorded_loader_poll(program->recorded), &page.count);
    const enum krn_code written = app_write_results(run, results, &page, error);
    struct krn_error why;
    program->written = program->written || written == KRN_OK;
    program->reported = true;
    program->complete = results->complete;
    if (!worker)
        code = show(program, results, &why);
    return app_lose_output(written, code, &why, error);
}

/* Finishes the record of a run that ended with `code`, frees it, and returns the exit code of the
 * first failure. After a failed run, the results are those measured before it, as incomplete. */
static int finish(struct app_program *program, struct app_results *results, enum krn_code code,
                  struct krn_error *error)
{
    struct krn_error second;
    app_results_sort(results);
    const bool some = code == KRN_OK || results->count > 0;
    const enum krn_code finished = some ? run_finish(program, results, &second) : KRN_OK;
    app_results_free(results);
    if (finished != KRN_OK && code != KRN_OK)
        app_complain(second.text);
    if (code != KRN_OK)
        return failed(code, error);
    const int exit_code = finished == KRN_OK ? APP_EXIT_DONE : failed(finished, &second);
    return finished != KRN_OK && program->wrong ? APP_EXIT_WRONG : exit_code;
}

/* Times the modes at the sphere counts of --record, of a random scene only: a file has its own
 * count. */
static enum krn_code sweep_beside(struct app_program *program, struct app_results *results,
                                  struct krn_error *error)
{
    const struct app_state *state = &program->state;
    if (state->spec.scene != APP_SCENE_RANDOM)
        return KRN_OK;
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    return app_sweep_run(program->engine, state, app_sweep_record_axes(), state->spec.recipe.count,
                         &plan, results, error);
}

/* Runs benchmarks, prints their tables and writes their record. */
static int run_bench(struct app_program *program)
{
    struct krn_error error;
    struct app_results results;
    app_report_begin(&results, &program->environment, program->engine, &program->state, NULL);
    enum krn_code code = app_bench_run(program, &results, &error);
    if (code == KRN_OK && program->run.record[0] && !app_must_stop())
        code = sweep_beside(program, &results, &error);
    /* An interrupt between two benchmarks leaves each complete, but some are missing. */
    if (code != KRN_OK || app_interrupted())
        results.complete = false;
    return finish(program, &results, code, &error);
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

/* Compares recorded results and prints the comparison. */
static int run_compare(const struct app_program *program)
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

/* Runs a duel without a window, prints its verdict and writes its record. */
static int run_duel(struct app_program *program)
{
    struct krn_error error;
    struct app_results results;
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    app_report_begin(&results, &program->environment, program->engine, &program->state, NULL);
    const enum krn_code code =
        app_duel_run(program->engine, &program->state, &plan, &program->duel_result, &error);
    if (code == KRN_OK)
        app_report_add_duel(&results, &program->state, &program->duel_result, APP_REGIME_IDLE);
    return finish(program, &results, code, &error);
}

/* Runs a sweep, prints its table and writes its record and its plot. */
static int run_sweep(struct app_program *program)
{
    struct krn_error error;
    struct app_results results;
    const struct app_run *run = &program->run;
    app_program_share(program, 1);
    const struct app_plan plan = app_program_plan(program);
    app_report_begin(&results, &program->environment, program->engine, &program->state, NULL);
    const enum krn_code code =
        app_sweep_run(program->engine, &program->state, run->sweep, 0, &plan, &results, &error);
    return finish(program, &results, code, &error);
}

static int read_talk(struct app_program *program)
{
    struct krn_error error;
    const enum krn_code code =
        app_talk_read(program->run.talk, &program->state, &program->talk, &error);
    if (code == KRN_OK)
        return APP_EXIT_DONE;
    app_complain(error.text);
    return APP_EXIT_FAILED;
}

/* Renders a step's state, both sides of a duel, without OpenGL. */
static enum krn_code render_step(void *context, struct app_state *state, struct krn_error *error)
{
    const struct app_program *program = context;
    struct app_engine *engine = program->engine;
    enum krn_code code = app_engine_adopt(engine, state, error);
    for (int side = 0; code == KRN_OK && side <= state->spec.duel.on; side++) {
        const struct app_duel_side of = app_state_side(state, side);
        struct krn_device *device = app_engine_connected(engine, of.backend);
        struct app_state own = *state;
        struct krn_image image = {NULL, 0, 0, 0};
        own.spec.backend = of.backend;
        own.spec.mode = of.mode;
        code = krn_device_alloc_image(device, state->spec.width, state->spec.height, &image, error);
        if (code != KRN_OK)
            break;
        code = app_engine_render(engine, &own, &image, error);
        KRN_THEN(code, krn_device_sync(device, error));
        krn_device_free_image(device, &image);
    }
    return code;
}

/* Walks through the program's talk without a window and prints its steps. */
static int check_talk(struct app_program *program)
{
    struct krn_error error;
    const struct app_front *front;
    enum krn_code code = app_front_open(&front, &error);
    KRN_THEN(code, front->talk_check(program, &error));
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

/* Draws a picture and prints the table. `asked`: the command line has --offscreen; then a machine
 * that cannot draw is a failure, as it is with --screenshot. Otherwise the table alone is printed
 * there. */
static int run_offscreen(struct app_program *program, bool asked)
{
    struct krn_error error;
    struct app_results results;
    const enum krn_code code = draw_offscreen(program, &results, &error);
    if (code == KRN_UNAVAILABLE && !asked && !program->run.screenshot[0] &&
        !app_run_records(&program->run)) {
        app_complain(error.text);
        app_complain("No picture can be drawn either; printing the table alone.");
        app_interrupt_keep();
        return run_bench(program);
    }
    return code == KRN_OK ? finish(program, &results, code, &error) : failed(code, &error);
}

static const char no_kernel[] =
    "The picture is of a kernel of the user's own, whose file is not in "
    "the record: it cannot be rendered again.";

/* Sets the state to that of the recorded run, but for what options change, and loads its scene. */
static enum krn_code show_recorded(struct app_program *program, const struct app_results *first,
                                   struct krn_error *error)
{
    const struct app_replay shown = {.then = *first};
    const struct app_environment *from = &program->environment;
    const struct app_state recorded = app_replay_state(&shown);
    const enum krn_backend_id backend = program->state.spec.backend;
    if (first->picture.problem.code != KRN_OK) {
        *error = first->picture.problem;
        return error->code;
    }
    if (app_state_has_mine(&recorded))
        return KRN_FAIL(error, KRN_UNAVAILABLE, "%s", no_kernel);
    enum krn_code code =
        app_options_restore(from->argc, from->argv, &recorded, &program->state, error);
    program->state.spec.backend = backend;
    KRN_THEN(code, app_replay_lend_scene(&shown, program->engine, program->run.scene_given, error));
    return code == KRN_OK ? app_engine_adopt(program->engine, &program->state, error) : code;
}

/* A picture that a GPU has rendered may take a CPU too long. */
enum { PICTURE_S = 20, PICTURE_FRAMES = 30 };

/* Writes the page of the recorded run that --play names. Its picture is drawn here, with the
 * record's state and what options change in it; a page whose picture cannot be drawn has none. */
static int run_page(struct app_program *program)
{
    struct krn_error error;
    struct app_results results;
    size_t count;
    const struct app_results *records =
        app_recorded_records(app_recorded_loader_poll(program->recorded), &count);
    enum krn_code code = show_recorded(program, records, &error);
    if (program->run.seconds <= 0.0 && program->run.frames == 0) {
        program->run.seconds = PICTURE_S;
        program->run.frames = PICTURE_FRAMES;
    }
    KRN_THEN(code, draw_offscreen(program, &results, &error));
    if (code == KRN_OK)
        return finish(program, &results, code, &error);
    app_complain(error.text);
    app_complain("The page has no picture.");
    program->lost = program->lost || program->run.screenshot[0] || app_run_records(&program->run);
    app_report_begin(&results, &program->environment, program->engine, &program->state, NULL);
    return finish(program, &results, KRN_OK, &error);
}

/* Reads the record of a screenshot or of a results file. The size of a screenshot becomes that of
 * the window, unless the command line has one. */
static enum krn_code read_record(struct app_run *run, char **text, size_t *length,
                                 struct krn_error *error)
{
    int width, height;
    if (!app_file_begins(run->replay, "\x89PNG", 4))
        return app_read_file(run->replay, APP_RECORD_BYTES_MAX, text, length, error);
    const struct app_front *front;
    enum krn_code code = app_front_open(&front, error);
    KRN_THEN(code, front->read_record(run->replay, text, &width, &height, error));
    if (code != KRN_OK)
        return code;
    *length = strlen(*text);
    if (!run->window_given) {
        run->window_width = width;
        run->window_height = height;
    }
    return KRN_OK;
}

static enum krn_code read_replay(struct app_program *program, struct krn_error *error)
{
    char *text = NULL;
    size_t length = 0;
    program->replay = krn_alloc(1, sizeof *program->replay);
    enum krn_code code = read_record(&program->run, &text, &length, error);
    KRN_THEN(code, app_replay_read(program->replay, text, length, program->run.replay, error));
    free(text);
    return code;
}

/* Reads the file of --replay, and sets the program's state to the recorded one with the options of
 * the command line applied to it. Returns APP_EXIT_DONE, or the exit code after a message. */
static int restore_replay(struct app_program *program)
{
    struct krn_error error;
    struct app_run *run = &program->run;
    const struct app_environment *from = &program->environment;
    const enum krn_code code = read_replay(program, &error);
    if (code != KRN_OK)
        return failed(code, &error);
    const struct app_state recorded = app_replay_state(program->replay);
    if (app_state_has_mine(&recorded)) {
        app_complain(no_kernel);
        return APP_EXIT_UNAVAILABLE;
    }
    if (app_options_restore(from->argc, from->argv, &recorded, &program->state, &error) != KRN_OK) {
        app_complain(error.text);
        return APP_EXIT_USAGE;
    }
    /* The device that the record names, if there is one; the CPU backend is always there. */
    if (run->backend < 0 && !run->device_given && recorded.spec.backend == KRN_BACKEND_CPU)
        run->backend = KRN_BACKEND_CPU;
    if (run->backend >= 0)
        program->state.spec.backend = (enum krn_backend_id)run->backend;
    if (run->modes[0] == 0)
        app_replay_modes(program->replay, program->state.spec.mode, run->modes, sizeof run->modes);
    return APP_EXIT_DONE;
}

/* Writes what a window says first: the verdict, and the time that the record has of the mode. */
static void describe_opening(struct app_program *program, const char *words)
{
    const struct app_replay *replay = program->replay;
    const struct app_results *then = &replay->then;
    char mode[APP_MODE_TEXT_MAX], origin[160];
    krn_mode_name(then->picture.state.spec.mode, mode, sizeof mode);
    app_replay_origin(replay, origin, sizeof origin);
    const struct app_result *result = app_results_find(then, 0, "raytrace", mode);
    const double ms = result ? app_result_number(result, APP_M_MEDIAN_MS, -1.0) : -1.0;
    const struct app_number time = app_number_time(ms);
    const int length = snprintf(
        program->opening, sizeof program->opening, "Replay (%.100s%s%s%s%s): picture %.*s.", origin,
        ms > 0.0 ? ", " : "", ms > 0.0 ? time.value : "", ms > 0.0 ? " " : "",
        ms > 0.0 ? time.unit : "", (int)strcspn(words, "("), words);
    /* A clause that went on in brackets leaves a blank before the full stop. */
    if (length > 2 && (size_t)length < sizeof program->opening &&
        program->opening[length - 2] == ' ') {
        program->opening[length - 2] = '.';
        program->opening[length - 1] = 0;
    }
}

/* Verifies the picture of a replay, once the engine has adopted the state. Says where the record
 * comes from and whether the picture is the same; a different one sets program->wrong. Errors: as
 * app_replay_verify. */
static enum krn_code verify_replay(struct app_program *program, struct krn_error *error)
{
    enum app_replay_verdict verdict;
    char words[APP_REPLAY_WORDS], origin[160];
    const enum krn_code code = app_replay_verify(program->replay, program->engine, &program->state,
                                                 &verdict, words, error);
    if (code != KRN_OK)
        return code;
    program->wrong = program->wrong || verdict == APP_REPLAY_DIFFERS;
    app_replay_origin(program->replay, origin, sizeof origin);
    FILE *out = app_words_stream(&program->run);
    fprintf(out, "replay: %s (%s)\npicture: %s\n", program->replay->name, origin, words);
    fflush(out);
    describe_opening(program, words);
    return KRN_OK;
}

/* Returns a seed that two runs hardly share. */
static uint64_t seed_from_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t per_second = 1000000000u;
    /* Below 2^53, so that every reader of JSON keeps it whole. */
    return ((uint64_t)now.tv_sec * per_second + (uint64_t)now.tv_nsec) >> 11;
}

/* Merges what the processes have sent. */
static enum krn_code merge(const struct app_program *program, struct app_workers *workers,
                           uint64_t seed, struct app_results *merged, struct krn_error *error)
{
    const int asked = program->run.narrow ? workers->started : program->run.processes;
    const struct app_merge_run run = {
        .processes_asked = asked,
        .process = workers->process,
        .has_seed = true,
        .seed = seed,
        .failed = workers->failed,
        .failed_count = (size_t)workers->failed_count,
        .seconds = app_clock_s() - program->start_s,
        .argc = program->environment.argc,
        .argv = program->environment.argv,
        .incomplete = app_interrupted() || (int)workers->side.count < asked,
    };
    const enum krn_code code =
        app_results_merge(workers->side.records, workers->side.count, &run, merged, error);
    if (code == KRN_OK && program->run.narrow) {
        char note[240];
        app_format(
            note, sizeof note,
            "After %d processes, %zu of %zu intervals are narrow enough for a band of %g %%: "
            "at most a third of it to either side.",
            asked, workers->results - workers->wide, workers->results, program->run.band_percent);
        if (workers->hopeless > 0)
            app_append(note, sizeof note, " ", "For %zu, the clock's tick alone is wider.",
                       workers->hopeless);
        app_results_note(merged, note);
    }
    return code;
}

/* Counts the GPUs of --device all, and sets run->devices and the number of processes: so many for
 * each GPU as --processes says, or as fit. Errors: KRN_UNAVAILABLE (there is no GPU), KRN_REFUSED
 * (too many processes). */
static enum krn_code share_devices(struct app_run *run, struct krn_error *error)
{
    int devices = 0;
    const enum krn_code code = krn_backend_get(KRN_BACKEND_CUDA)->count(&devices, error);
    if (code != KRN_OK)
        return code;
    const int most = devices > 0 ? KRN_PROCESSES_MAX / devices : 0;
    if (most < 1 || (run->processes_given && run->processes > most))
        return KRN_FAIL(error, KRN_REFUSED,
                        "--processes %d on each of %d GPUs makes more than %d processes.",
                        run->processes, devices, KRN_PROCESSES_MAX);
    run->devices = devices;
    run->processes = devices * (run->processes < most ? run->processes : most);
    return KRN_OK;
}

/* Measures what the command line asks for in run.processes processes, merges their records, shows
 * and writes the result. Connects no device. Returns the program's exit code: APP_EXIT_FAILED when
 * a process failed. */
static int run_processes(struct app_program *program)
{
    const struct app_run *run = &program->run;
    const uint64_t seed = run->order_seed_given ? run->order_seed : seed_from_clock();
    struct app_workers workers;
    struct krn_error error;
    struct app_results merged = {.count = 0};
    enum krn_code code =
        app_workers_run(run, seed, program->environment.argc, program->environment.argv,
                        &program->progress, &workers, &error);
    if (code == KRN_OK && workers.side.count > 0) {
        code = merge(program, &workers, seed, &merged, &error);
        KRN_THEN(code, run_finish(program, &merged, &error));
    }
    const int exit_code = workers.exit_code;
    const bool failed = workers.failed_count > 0;
    app_results_free(&merged);
    app_side_free(&workers.side);
    if (code != KRN_OK)
        app_complain(error.text);
    return program->wrong               ? APP_EXIT_WRONG /* it outweighs a file that is lost */
           : code != KRN_OK             ? exit_code_of(code)
           : exit_code != APP_EXIT_DONE ? exit_code
           : failed                     ? APP_EXIT_FAILED
                                        : APP_EXIT_DONE;
}

/* --- the command line --- */

static int print_help(void)
{
    app_help_write(stdout);
    return APP_EXIT_DONE;
}

static int print_version(void)
{
    printf("spherescope %s\n%s\n", app_version_text(), app_version_build());
    return APP_EXIT_DONE;
}

/* Writes a text of JSON to the file of --json, and frees it. */
static int write_json(const struct app_run *run, char *text)
{
    struct krn_error error;
    const enum krn_code code = app_save_output(run->json, text, strlen(text), &error);
    free(text);
    return code == KRN_OK ? APP_EXIT_DONE : failed(code, &error);
}

/* Who has lent a context to the backend gl; NULL: nobody. */
static const struct app_front *lender;

/* Opens the context in which the backend gl computes before there is a window. */
static enum krn_code lend_context(struct krn_error *error)
{
    const enum krn_code code = app_front_open(&lender, error);
    return code == KRN_OK ? lender->lend(error) : code;
}

/* Lists the devices, in words or, with --json, as JSON. */
static int list_devices(const struct app_run *run)
{
    struct app_device_entry entries[APP_DEVICES_MAX];
    struct krn_error none; /* the list says what it lacks */
    (void)lend_context(&none);
    const int count = app_devices_list(entries);
    if (strcmp(run->json, "-") != 0)
        app_describe_devices(entries, count, stdout);
    return run->json[0] == 0 ? APP_EXIT_DONE : write_json(run, app_devices_json(entries, count));
}

/* Tells about the machine, in words or, with --json, as JSON. */
static int print_info(const struct app_program *program)
{
    const struct app_run *run = &program->run;
    struct app_info info;
    struct krn_error why;
    (void)lend_context(&why); /* without it, the gl backend says so */
    app_info_collect(&program->environment, &info);
    const int ordinal = info.gpus > 0 ? run->device : -1;
    const struct app_front *front;
    enum krn_code code = app_front_open(&front, &why);
    KRN_THEN(code, front->describe(ordinal, info.gl, sizeof info.gl, &why));
    if (code != KRN_OK)
        snprintf(info.gl, sizeof info.gl, "%s", why.text);
    if (strcmp(run->json, "-") != 0)
        app_describe_machine(&info, run->markdown ? APP_STYLE_MARKDOWN : APP_STYLE_TEXT, stdout);
    const int exit_code = run->json[0] != 0 ? write_json(run, app_info_json(&info)) : APP_EXIT_DONE;
    app_info_free(&info);
    return exit_code;
}

/* Turns motion off, except where the command line asks for it: a run without a window measures a
 * still picture. Recorded frames move. */
static void hold_still(struct app_program *program)
{
    program->state.spec.motion =
        program->state.spec.motion && (program->run.motion_given || app_run_records(&program->run));
}

/* Says why the CPU backend runs in the place of another. */
static void tell_of_fallback(const struct app_program *program)
{
    char text[2 * APP_NOTICE_MAX];
    snprintf(text, sizeof text, "The CPU backend takes over. %s%s",
             program->stands_in ? "The times are those of --play " APP_RECORDED_DEFAULT
                                  ", a recorded GPU, until key C shows this CPU's. "
                                : "",
             program->fallback_reason);
    app_complain(text);
}

/* Loads the scene on the backend, and compares the picture of a replay. */
static enum krn_code load_scene(struct app_program *program, struct krn_error *error)
{
    /* A record's heat map falls back to what the backend offers; the option does not. */
    if (!program->replay && !krn_heat_offered(krn_backend_get(program->state.spec.backend)->can,
                                              program->state.look.heat))
        return KRN_FAIL(error, KRN_UNAVAILABLE, "--heatmap %s: %s",
                        krn_heat_name(program->state.look.heat), krn_heat_reason());
    char memory[128], told[136];
    app_say_memory(&program->state, memory, sizeof memory);
    snprintf(told, sizeof told, "%s.", memory);
    if (memory[0] != 0 && program->worker.number <= 1) /* all processes take as much */
        app_complain(told);
    const enum krn_code code = app_engine_adopt(program->engine, &program->state, error);
    return code == KRN_OK && program->replay ? verify_replay(program, error) : code;
}

/* Waits for the kernel of --kernel-file, and lets pictures show it. A window begins without one
 * that has failed, and says so. */
static enum krn_code take_mine(struct app_program *program, struct krn_error *error)
{
    const struct app_run *run = &program->run;
    struct app_state *state = &program->state;
    const bool measures = app_run_measures(run),
               window = !measures && !run->offscreen && !run->check;
    enum krn_code code = app_engine_await_mine(program->engine, state, window, error);
    if (code == KRN_OK && !measures && !run->kernel_given && !program->replay &&
        app_state_view(state) == KRN_VIEW_BOOK)
        app_state_set_mode(state, (struct krn_mode){KRN_KERNEL_MINE, state->spec.mode.storage, 1});
    app_mine_adapt(app_engine_mine(program->engine), state);
    if (code == KRN_OK && app_state_has_mine(state))
        code = krn_device_check_mode(
            app_engine_device(program->engine, state),
            state->spec.mode.kernel == KRN_KERNEL_MINE ? state->spec.mode : state->spec.duel.other,
            error);
    if (code == KRN_OK || !window)
        return code;
    app_complain(error->text);
    app_state_leave_mine(state);
    return KRN_OK;
}

/* Connects the backend and loads the scene, so that a scene that cannot be read ends the run before
 * a window opens. */
static enum krn_code open_engine(struct app_program *program, struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const bool gl = run->backend == KRN_BACKEND_GL ||
                    (program->state.spec.duel.on &&
                     app_state_side(&program->state, 1).backend == KRN_BACKEND_GL);
    enum krn_code code = gl ? lend_context(error) : KRN_OK;
    KRN_THEN(code, app_engine_open(&program->engine, run, &program->state, program->fallback_reason,
                                   error));
    if (code != KRN_OK)
        return code;
    /* OpenGL's row of that topic stands beside CUDA's, where there is such a context. */
    struct krn_error none;
    if (!gl && program->state.spec.backend == KRN_BACKEND_CUDA && app_run_benches(run, "where"))
        (void)lend_context(&none);
    program->stands_in = program->fallback_reason[0] && !run->play[0] && !run->replay[0] &&
                         !run->offscreen && !app_run_measures(run) && program->recorded != NULL;
    /* All processes have one reason. The numbers of a recorded run need no GPU. */
    if (program->fallback_reason[0] && program->worker.number <= 1 && !run->play[0])
        tell_of_fallback(program);
    if (program->talk)
        app_engine_confine(program->engine, app_talk_folder_of, program->talk);
    if (program->replay)
        code = app_replay_lend_scene(program->replay, program->engine, program->run.scene_given,
                                     error);
    KRN_THEN(code, load_scene(program, error));
    if (code == KRN_LOST && app_engine_replace(program->engine, &program->run, &program->state,
                                               program->fallback_reason, error)) {
        tell_of_fallback(program);
        code = load_scene(program, error);
    }
    if (code == KRN_OK && program->run.kernel_file[0] && !program->run.kernel_folder)
        code = take_mine(program, error);
    return code;
}

/* Gives a window the settings of its user. A file that is wrong is told of, and stops nothing. */
static void use_settings(struct app_program *program)
{
    struct app_settings settings;
    struct krn_error error;
    if (!app_run_keeps_settings(&program->run))
        return;
    if (app_settings_read(&settings, &error) != KRN_OK)
        app_complain(error.text);
    app_settings_apply(&settings, &program->state, &program->run);
}

/* Runs in a window; on a machine that cannot open one, offscreen, unless the command line asks for
 * a monitor. */
static int run_window(struct app_program *program)
{
    struct krn_error error;
    int exit_code = APP_EXIT_FAILED;
    const struct app_state state = program->state;
    const struct app_run run = program->run;
    use_settings(program);
    program->state.spec.follow_pane = app_run_follows_pane(&program->run) && !program->stands_in;
    const struct app_front *front;
    enum krn_code code = app_front_open(&front, &error);
    KRN_THEN(code, front->window(program, &exit_code, &error));
    if (code == KRN_OK)
        return exit_code;
    app_complain(error.text);
    if (code != KRN_UNAVAILABLE || program->run.monitor >= 0 || program->talk)
        return exit_code_of(code);
    app_complain("Running without a window: one offscreen picture and the table.");
    program->state = state; /* without the settings of a window */
    program->run = run;
    hold_still(program);
    return run_offscreen(program, false);
}

/* Checks before anything is measured that the files can be written. */
static enum krn_code check_outputs(const struct app_run *run, struct krn_error *error)
{
    const char *paths[APP_OUTPUTS_MAX];
    const size_t count = app_run_outputs(run, paths);
    enum krn_code code = KRN_OK;
    for (size_t i = 0; code == KRN_OK && i < count; i++)
        code = app_check_output(paths[i], error);
    return code;
}

/* Returns about how many seconds one process takes at most; 0: not known. */
static double expected_s(const struct app_run *run)
{
    const double around_s = 1.0; /* starting, and comparing with the host */
    if (run->seconds > 0.0)
        return run->seconds;
    if (run->frames > 0 || run->kernel_folder)
        return 0.0;
    const double record_s =
        run->record[0] ? app_sweep_expected_s(app_sweep_record_axes(), around_s) : 0.0;
    return run->bench[0]         ? app_bench_expected_s(run) + record_s
           : app_run_sweeps(run) ? app_sweep_expected_s(run->sweep, around_s)
           : run->duel           ? APP_DUEL_SECONDS + around_s
                                 : 0.0;
}

/* Returns the decimals with which a number of seconds is told. */
static int decimals_of(double seconds)
{
    return seconds == rint(seconds) || seconds >= 10.0 ? 0 : seconds >= 1.0 ? 1 : 2;
}

/* Says how long a run that measures in `processes` processes will take, and shows its progress. */
static void begin_progress(struct app_program *program, int processes)
{
    const struct app_run *run = &program->run;
    const double all_s = run->seconds > 0.0 ? run->seconds
                         : run->narrow      ? 0.0
                                            : expected_s(run) * processes;
    program->progress.start_s = program->start_s;
    program->progress.expected_s = all_s;
    if (program->worker.number > 0) {
        const int file = fcntl(program->worker.file, F_DUPFD_CLOEXEC, 0);
        program->progress.out = file >= 0 ? fdopen(file, "w") : NULL;
        program->progress.lines = true;
        return;
    }
    /* A window that records a run shows these lines. */
    program->progress.lines = run->record[0] && !isatty(STDERR_FILENO);
    program->progress.log = !run->record[0] && !isatty(STDERR_FILENO);
    program->progress.shown_s = program->progress.log ? program->start_s : 0.0;
    program->progress.out = stderr;
    app_progress_begin(&program->progress);
    const double each_s = all_s / processes;
    if (run->narrow)
        fprintf(stderr, "up to %d processes, until all intervals are narrow\n", processes);
    else if (processes > 1 && all_s > 0.0)
        fprintf(stderr, "up to about %.*f s: %d processes of %.*f s\n", decimals_of(all_s), all_s,
                processes, decimals_of(each_s), each_s);
    else if (processes > 1)
        fprintf(stderr, "%d processes\n", processes);
    else if (all_s > 0.0)
        fprintf(stderr, "up to about %.*f s\n", decimals_of(all_s), all_s);
}

/* Makes sure that the run ends: what is too slow to end by itself is cancelled some time after
 * --seconds, or soon when connecting the device took longer. */
static void limit_time(const struct app_program *program)
{
    const double late = 1.12, least_s = 0.2;
    const struct app_run *run = &program->run;
    const double end_s = fmax(late * run->seconds, run->seconds + least_s);
    if (run->seconds > 0.0)
        app_interrupt_after(fmax(end_s - (app_clock_s() - program->start_s), least_s));
}

/* Opens the recorded run of --play, or starts to read the one that stands in for a GPU: a window's
 * first frames do not wait for it. A picture without a window has it only beside panels. */
static enum krn_code open_recorded(struct app_program *program, struct krn_error *error)
{
    const struct app_run *run = &program->run;
    struct app_recorded *recorded;
    if (!run->play[0]) {
        const bool shown = program->state.look.panels != APP_PANELS_OFF;
        if (!run->offscreen || shown)
            program->recorded = app_recorded_loader_start(APP_RECORDED_DEFAULT, run->band_percent);
        return KRN_OK;
    }
    const enum krn_code code = app_recorded_open(run->play, run->band_percent, &recorded, error);
    if (code != KRN_OK)
        return code;
    program->recorded = app_recorded_loader_of(recorded);
    return KRN_OK;
}

/* Makes ready what pictures need. Where nothing can be drawn, only what cannot do without fails. */
static enum krn_code prepare_pictures(struct app_program *program, struct krn_error *error)
{
    const struct app_front *front;
    const enum krn_code code = app_front_open(&front, error);
    if (code == KRN_OK)
        return front->prepare(program, error);
    return app_run_records(&program->run) || program->run.qr_given ? code : KRN_OK;
}

static int dispatch(struct app_program *program)
{
    const struct app_run *run = &program->run;
    const bool sweep = app_run_sweeps(run);
    struct krn_error error;
    if (run->offscreen || run->bench[0] || run->duel || sweep)
        hold_still(program);
    enum krn_code code = check_outputs(run, &error);
    const int talk = code == KRN_OK && run->talk[0] ? read_talk(program) : APP_EXIT_DONE;
    if (talk != APP_EXIT_DONE)
        return talk;
    const bool measures = app_run_measures(run), worker = program->worker.number > 0,
               plays_page = run->offscreen && run->html[0] && run->play[0];
    if (code == KRN_OK && run->device == APP_DEVICE_ALL)
        code = share_devices(&program->run, &error);
    if (code == KRN_OK && measures && (run->processes > 1 || run->devices > 0) && !worker) {
        begin_progress(program, run->processes);
        app_interrupt_keep();
        return run_processes(program);
    }
    if (code == KRN_OK && !measures)
        code = prepare_pictures(program, &error);
    if (code == KRN_OK && !measures)
        code = open_recorded(program, &error);
    KRN_THEN(code, open_engine(program, &error));
    if (code == KRN_CANCELLED && app_interrupted())
        return APP_EXIT_FAILED; /* run_program tells of it */
    if (code != KRN_OK)
        return failed(code, &error);
    if (measures && !worker)
        app_complain("One process is measured: its intervals say nothing about the next run.");
    if (measures || run->offscreen || run->check)
        begin_progress(program, 1);
    if (measures) {
        app_interrupt_keep();
        limit_time(program);
    }
    return run->check       ? check_talk(program)
           : run->bench[0]  ? run_bench(program)
           : sweep          ? run_sweep(program)
           : plays_page     ? run_page(program)
           : run->offscreen ? run_offscreen(program, true)
           : run->duel      ? run_duel(program)
                            : run_window(program);
}

/* Says so when a run took far longer than --seconds: a fraction of a second is not enough to start
 * processes and to fill arrays. */
static void tell_of_time(const struct app_program *program)
{
    const struct app_run *run = &program->run;
    const double far = 1.3, took_s = app_clock_s() - program->start_s;
    const int n = run->narrow ? 1 : run->processes;
    if (!app_run_measures(run) || program->worker.number > 0 || app_interrupted() ||
        run->seconds <= 0.0 || took_s < far * run->seconds)
        return;
    char text[200];
    app_format(text, sizeof text,
               "The run took %.*f s, more than --seconds %.*f: ", decimals_of(took_s), took_s,
               decimals_of(run->seconds), run->seconds);
    const size_t used = strlen(text);
    if (n > 1)
        snprintf(text + used, sizeof text - used,
                 "%d processes cannot start and prepare in less. Give more time, or fewer "
                 "--processes.",
                 n);
    else
        snprintf(text + used, sizeof text - used,
                 "preparing and checking what is measured takes longer. Give more time.");
    app_complain(text);
}

/* Says what a run that was interrupted, or for which memory was full, leaves. */
static void tell_of_interrupt(const struct app_program *program)
{
    char text[100];
    const bool full = app_interrupt_is_full(), wants = app_wants_results(&program->run);
    if (program->worker.number > 0 && !full)
        return; /* its parent says it */
    snprintf(text, sizeof text, "%s%s", full ? "Memory is full" : "Interrupted",
             wants && program->written ? ": the results up to this point are written as incomplete."
             : program->reported       ? ": the results are incomplete." /* not all are written */
             : wants                   ? " before there were results: none are written."
                                       : ".");
    app_complain(text);
}

/* Runs the program and returns its exit code: an interrupted run fails, unless the signal came when
 * its results were complete, and a wrong picture has a code of its own. */
static int run_program(struct app_program *program)
{
    const int exit_code = dispatch(program);
    if (exit_code == APP_EXIT_DONE)
        tell_of_time(program);
    const bool done = exit_code == APP_EXIT_DONE || exit_code == APP_EXIT_FAILED;
    if (done && app_interrupted() && !program->complete) {
        tell_of_interrupt(program);
        return APP_EXIT_FAILED;
    }
    if (exit_code != APP_EXIT_DONE)
        return exit_code;
    return program->wrong ? APP_EXIT_WRONG : program->lost ? APP_EXIT_FAILED : APP_EXIT_DONE;
}

/* Runs the command that the command line asks for. */
static int answer(struct app_program *program)
{
    const struct app_run *run = &program->run;
    if (run->help)
        return print_help();
    if (run->version)
        return print_version();
    if (run->list_devices || run->info) {
        struct krn_error error;
        const enum krn_code code = check_outputs(run, &error);
        if (code == KRN_OK)
            return run->info ? print_info(program) : list_devices(run);
        return failed(code, &error);
    }
    if (program->worker.number > 0)
        app_worker_adopt(&program->worker, &program->run);
    const char *lacking = app_run_lacks(run);
    if (lacking) {
        app_complain(lacking);
        return APP_EXIT_USAGE;
    }
    if (run->replay[0]) {
        const int exit_code = restore_replay(program);
        if (exit_code != APP_EXIT_DONE)
            return exit_code;
    }
    return run->compare.first ? run_compare(program) : run_program(program);
}

static void close_program(struct app_program *program)
{
    app_progress_end(&program->progress);
    app_recorded_loader_close(program->recorded);
    const struct app_front *front;
    if (program->capture && app_front_open(&front, NULL) == KRN_OK)
        front->release(program);
    app_talk_free(program->talk);
    app_engine_close(program->engine);
    if (lender)
        lender->take_back();
    if (program->replay)
        app_replay_free(program->replay);
    free(program->replay);
    app_web_page_free(&program->page);
    free(program);
}

/* Returns the exit code of a run whose output may not have been written: a full disk or a closed
 * pipe behind stdout must not look like success. */
static int check_output(int exit_code)
{
    const bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (written)
        return exit_code;
    app_complain("Standard output could not be written.");
    return exit_code == APP_EXIT_DONE ? APP_EXIT_FAILED : exit_code;
}

int main(int argc, char *argv[])
{
    struct krn_error error;
    int exit_code;
    app_locale_begin();
    app_occupy_streams();
    krn_memory_begin(app_interrupt_full);
    if (app_book_child_main(argc, argv, &exit_code, &error)) {
        if (exit_code != APP_EXIT_DONE)
            app_complain(error.text);
        return exit_code;
    }
    if (app_mine_child_main(argc, argv, &exit_code))
        return exit_code;
    app_json_begin();
    struct app_program *program = krn_alloc(1, sizeof *program);
    program->start_s = app_clock_s();
    (void)app_worker_begin(&argc, &argv, &program->worker);
    (void)app_recording_begin(&argc, &argv);
    app_interrupt_catch(program->worker.number > 0); /* a worker leaves the words to its parent */
    app_environment_collect(&program->environment, argc, argv);
    if (app_options_parse(argc, argv, &program->state, &program->run, &error) == KRN_OK) {
        exit_code = answer(program);
    } else {
        app_complain(error.text);
        exit_code = APP_EXIT_USAGE;
    }
    close_program(program);
    return check_output(exit_code);
}
