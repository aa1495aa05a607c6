/* app/runs.c - each kind of run from its first measurement to its files and its exit code. */
#include "runs.h"

#include "base/clock.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "bench/replay.h"
#include "krn/memory.h"
#include "print/print.h"
#include "records/io.h"
#include "spec/mode.h"
#include "talk/talk.h"
#include "window/front.h"

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

int app_run_bench(struct app_program *program)
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

int app_run_sweep(struct app_program *program)
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

int app_run_check(struct app_program *program)
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

int app_run_offscreen(struct app_program *program, bool asked)
{
    struct krn_error error;
    struct app_results results;
    const enum krn_code code = draw_offscreen(program, &results, &error);
    if (code == KRN_UNAVAILABLE && !asked && !program->run.screenshot[0] &&
        !app_run_records(&program->run)) {
        app_complain(error.text);
        app_complain("No picture can be drawn either; printing the table alone.");
        app_interrupt_keep();
        return app_run_bench(program);
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

int app_run_page(struct app_program *program)
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

int app_replays_restore(struct app_program *program)
{
    struct krn_error error;
    struct app_run *run = &program->run;
    const struct app_environment *from = &program->environment;
    const enum krn_code code = read_replay(program, &error);
    if (code != KRN_OK) {
        app_complain(error.text);
        return app_exit_code(code);
    }
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
    app_mode_text(then->picture.state.spec.mode, mode, sizeof mode);
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

enum krn_code app_replays_verify(struct app_program *program, struct krn_error *error)
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

void app_replays_free(struct app_program *program)
{
    if (program->replay)
        app_replay_free(program->replay);
    free(program->replay);
    program->replay = NULL;
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

enum krn_code app_run_share_devices(struct app_run *run, struct krn_error *error)
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

int app_run_processes(struct app_program *program)
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
    app_workers_free(&workers);
    if (code != KRN_OK)
        app_complain(error.text);
    return program->wrong               ? APP_EXIT_WRONG /* it outweighs a file that is lost */
           : code != KRN_OK             ? app_exit_code(code)
           : exit_code != APP_EXIT_DONE ? exit_code
           : failed                     ? APP_EXIT_FAILED
                                        : APP_EXIT_DONE;
}
