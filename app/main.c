/* app/main.c - opens what a run needs, starts its kind of run, and tells how it ended. */
#include "base/clock.h"
#include "base/complain.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/json_read.h"
#include "base/value.h"
#include "bench/program.h"
#include "bench/replay.h"
#include "command/command.h"
#include "command/help.h"
#include "command/options.h"
#include "engine/mine.h"
#include "krn/memory.h"
#include "measure/book_window.h"
#include "measure/report.h"
#include "records/info.h"
#include "records/recorded.h"
#include "runs.h"
#include "talk/talk.h"
#include "window/front.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    if (code != KRN_OK)
        app_complain(error.text);
    return app_exit_code(code);
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
    return code == KRN_OK && program->replay ? app_replays_verify(program, error) : code;
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
        return app_exit_code(code);
    app_complain("Running without a window: one offscreen picture and the table.");
    program->state = state; /* without the settings of a window */
    program->run = run;
    hold_still(program);
    return app_run_offscreen(program, false);
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
    const int talk = code == KRN_OK && run->talk[0] ? app_run_read_talk(program) : APP_EXIT_DONE;
    if (talk != APP_EXIT_DONE)
        return talk;
    const bool measures = app_run_measures(run), worker = program->worker.number > 0,
               plays_page = run->offscreen && run->html[0] && run->play[0];
    if (code == KRN_OK && run->device == APP_DEVICE_ALL)
        code = app_run_share_devices(&program->run, &error);
    if (code == KRN_OK && measures && (run->processes > 1 || run->devices > 0) && !worker) {
        begin_progress(program, run->processes);
        app_interrupt_keep();
        return app_run_processes(program);
    }
    if (code == KRN_OK && !measures)
        code = prepare_pictures(program, &error);
    if (code == KRN_OK && !measures)
        code = open_recorded(program, &error);
    KRN_THEN(code, open_engine(program, &error));
    if (code != KRN_OK) {
        if (code != KRN_CANCELLED || !app_interrupted()) /* run_program tells of an interrupt */
            app_complain(error.text);
        return app_exit_code(code);
    }
    if (measures && !worker)
        app_complain("One process is measured: its intervals say nothing about the next run.");
    if (measures || run->offscreen || run->check)
        begin_progress(program, 1);
    if (measures) {
        app_interrupt_keep();
        limit_time(program);
    }
    return run->check       ? app_run_check(program)
           : run->bench[0]  ? app_run_bench(program)
           : sweep          ? app_run_sweep(program)
           : plays_page     ? app_run_page(program)
           : run->offscreen ? app_run_offscreen(program, true)
           : run->duel      ? app_run_duel(program)
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
        app_complain(error.text);
        return app_exit_code(code);
    }
    if (program->worker.number > 0)
        app_worker_adopt(&program->worker, &program->run);
    const char *lacking = app_run_lacks(run);
    if (lacking) {
        app_complain(lacking);
        return APP_EXIT_USAGE;
    }
    if (run->replay[0]) {
        const int exit_code = app_replays_restore(program);
        if (exit_code != APP_EXIT_DONE)
            return exit_code;
    }
    return run->compare.first ? app_run_compare(program) : run_program(program);
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
    app_replays_free(program);
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
