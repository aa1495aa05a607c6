#include "bench/program.h"

#include "base/complain.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "bench/bench.h"
#include "command/help.h"
#include "measure/book_window.h"
#include "record/compare.h"
#include "report/report_duel.h"
#include "report/results.h"
#include "window/front.h"

#include "krn/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int exit_code_of(enum krn_code code)
{
    return code == KRN_OK            ? APP_EXIT_DONE
           : code == KRN_UNAVAILABLE ? APP_EXIT_UNAVAILABLE
                                     : APP_EXIT_FAILED;
}

static int list_devices(void)
{
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const struct krn_backend *backend = krn_backend_get((enum krn_backend_id)id);
        struct krn_error error;
        int devices = 0;
        if (backend->count(&devices, &error) != KRN_OK) {
            printf("%-5s -  %s\n", backend->name, error.text);
            continue;
        }
        for (int i = 0; i < devices; i++) {
            struct krn_device_info info;
            if (backend->describe(i, &info, &error) != KRN_OK)
                printf("%-5s %d  %s\n", backend->name, i, error.text);
            else
                printf("%-5s %d  %s\n", backend->name, i, info.name);
        }
    }
    return APP_EXIT_DONE;
}

/* Whatever the driver says about the device now. */
static void print_telemetry(const struct krn_telemetry_reading *now)
{
    char throttle[128];
    if (!now->valid) {
        printf("  %s\n", now->reason);
        return;
    }
    krn_throttle_text(now->throttle, throttle, sizeof throttle);
    printf("  driver %s, now %.0f of %.0f MHz, memory %.0f of %.0f MHz, %.0f W, %.0f degrees C, "
           "held by: %s (asked in %.1f ms)\n",
           now->driver, now->clock_mhz, now->clock_max_mhz, now->memory_clock_mhz,
           now->memory_clock_max_mhz, now->power_w, now->temperature_c,
           now->throttle_known ? throttle : "n/a", now->cost_ms);
}

static void print_device(const struct krn_device_info *info)
{
    printf("%s device %d: %s\n", krn_backend_name(info->backend), info->ordinal, info->name);
    printf("  runtime %s, driver for CUDA %s, PCI %s, clock %s\n", info->runtime, info->driver,
           info->pci_id, info->clock);
    printf("  %d processors, %.1f GiB memory", info->processors,
           (double)info->memory_bytes / (1 << 30));
    if (info->backend == KRN_BACKEND_CUDA) {
        printf(", compute capability %d.%d\n", info->compute_major, info->compute_minor);
        struct krn_telemetry_reading now;
        krn_telemetry_query(info->pci_id, &now);
        print_telemetry(&now);
        printf("  %.0f MHz at most, memory %.0f MHz x %d bit = %.0f GB/s theoretical, L2 %.0f MiB",
               info->clock_max_mhz, info->memory_clock_mhz, info->memory_bus_bits,
               krn_ceilings_of(info).bandwidth_gbps, (double)info->l2_bytes / (1 << 20));
    }
    printf("\n");
}

static int print_info(struct app_program *program)
{
    const struct app_environment *environment = &program->environment;
    printf("spherescope %s\nhost %s, %s, %s\n", app_version_text(), environment->host,
           environment->os, environment->system);
    int cuda_devices = 0;
    for (int id = 0; id < KRN_BACKEND_COUNT; id++) {
        const struct krn_backend *backend = krn_backend_get((enum krn_backend_id)id);
        struct krn_error error;
        int devices = 0;
        if (backend->count(&devices, &error) != KRN_OK)
            printf("%s: %s\n", backend->name, error.text);
        for (int i = 0; i < devices; i++) {
            struct krn_device_info info;
            if (backend->describe(i, &info, &error) == KRN_OK)
                print_device(&info);
        }
        if (id == KRN_BACKEND_CUDA)
            cuda_devices = devices;
    }
    char gl[512];
    struct krn_error error;
    const int ordinal = cuda_devices > 0 ? program->run.device : -1;
    printf("OpenGL: %s\n",
           app_front_describe(ordinal, gl, sizeof gl, &error) == KRN_OK ? gl : error.text);
    return APP_EXIT_DONE;
}

static int print_help(void)
{
    char *text = app_help_text();
    if (!text) {
        app_complain("No memory for the help.");
        return APP_EXIT_FAILED;
    }
    fputs(text, stdout);
    free(text);
    return APP_EXIT_DONE;
}

static int failed(enum krn_code code, const struct krn_error *error)
{
    app_complain(error->text);
    return exit_code_of(code);
}

/* Writes the results of a run that ended with `code`; the first thing that went wrong is what is
 * returned. After a failure, what was measured before it is written too, as incomplete. */
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

/* Tables alone, and their record. */
static int run_bench(struct app_program *program)
{
    struct krn_error error;
    struct app_report report;
    bool right = true;
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    enum krn_code code =
        app_bench_run(program, app_table_stream(&program->run), &report, &right, &error);
    /* Interrupted between two benchmarks, each of them may be whole. */
    if (code != KRN_OK || app_interrupted())
        app_report_incomplete(&report);
    char *record = app_report_end(&report);
    code = write_results(&program->run, &report, record, code, &error);
    free(record);
    if (code != KRN_OK)
        return failed(code, &error);
    return right ? APP_EXIT_DONE : APP_EXIT_WRONG;
}

static int run_compare(const struct app_program *program)
{
    struct krn_error error;
    bool slower = false;
    const enum krn_code code = app_compare(&program->run.compare, program->run.band_percent,
                                           program->run.markdown, stdout, &slower, &error);
    if (code != KRN_OK)
        return failed(code, &error);
    return slower && program->run.fail_on_slower ? APP_EXIT_FAILED : APP_EXIT_DONE;
}

/* The duel, and its record. */
static int run_duel(struct app_program *program)
{
    struct krn_error error;
    enum krn_code code =
        app_duel_run(program->engine, &program->state, program->run.frames, program->run.seconds,
                     isatty(STDERR_FILENO) ? stderr : NULL, &program->duel_result, &error);
    if (code == KRN_OK)
        app_duel_print(&program->duel_result, program->engine, &program->state,
                       app_words_stream(&program->run));
    if (code == KRN_OK && app_wants_results(&program->run)) {
        struct app_report report;
        app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
        app_report_add_duel(&report, program->engine, &program->state, &program->duel_result);
        char *record = app_report_end(&report);
        code = app_write_results(&program->run, record, &error);
        free(record);
    }
    return code == KRN_OK ? APP_EXIT_DONE : failed(code, &error);
}

/* The sweep's table, its record and its plot. */
static int run_sweep(struct app_program *program)
{
    struct krn_error error, second;
    struct app_report report;
    const struct app_run *run = &program->run;
    struct app_sweep *sweep = malloc(sizeof *sweep);
    if (!sweep) {
        app_complain("No memory for a sweep.");
        return APP_EXIT_FAILED;
    }
    app_report_begin(&report, &program->environment, program->engine, &program->state, NULL);
    enum krn_code code = app_sweep_run(
        program->engine, &program->state, run->sweep_low, run->sweep_high, run->frames,
        run->seconds, isatty(STDERR_FILENO) ? stderr : NULL, &report, sweep, &error);
    app_sweep_print(sweep, program->engine, &program->state, run->markdown, app_words_stream(run));
    char *record = app_report_end(&report);
    /* The table was the Markdown. */
    struct app_run files = *run;
    files.markdown = false;
    code = write_results(&files, &report, record, code, &error);
    const bool right = app_sweep_all_right(sweep);
    const enum krn_code drawn = run->screenshot[0] && code == KRN_OK
                                    ? app_front_sweep(program, sweep, record, &second)
                                    : KRN_OK;
    free(record);
    free(sweep);
    if (code != KRN_OK)
        return failed(code, &error);
    if (drawn != KRN_OK)
        app_complain(second.text);
    return !right ? APP_EXIT_WRONG : drawn != KRN_OK ? exit_code_of(drawn) : APP_EXIT_DONE;
}

/* A picture and the table; `asked` when --offscreen was, so that its absence is a failure. */
static int run_offscreen(struct app_program *program, bool asked)
{
    struct krn_error error;
    const enum krn_code code = app_front_offscreen(program, &error);
    if (code == KRN_UNAVAILABLE && !asked) {
        app_complain(error.text);
        app_complain("No picture can be drawn here either: this is the table alone.");
        return run_bench(program);
    }
    return code == KRN_OK ? APP_EXIT_DONE : failed(code, &error);
}

static int run_program(struct app_program *program)
{
    struct krn_error error;
    /* Headless runs are still and bare unless motion and panels were asked for. */
    const bool headless = program->run.offscreen || program->run.bench[0] || program->run.duel ||
                          program->run.sweep_low > 0;
    const bool motion = program->state.motion;
    program->state.motion = motion && (!headless || program->run.motion_given);
    if (headless && !program->run.panels_given)
        program->state.panels = APP_PANELS_OFF;
    enum krn_code code = app_engine_open(&program->engine, &program->run, &program->state,
                                         program->fallback_reason, &error);
    if (code != KRN_OK)
        return failed(code, &error);
    if (program->fallback_reason[0]) {
        char text[2 * APP_NOTICE_MAX];
        snprintf(text, sizeof text, "The CPU backend takes over. %s", program->fallback_reason);
        app_complain(text);
    }
    /* A scene that cannot be read ends the run before a window opens. */
    code = app_engine_adopt(program->engine, &program->state, &error);
    if (code != KRN_OK)
        return failed(code, &error);
    if (program->run.bench[0])
        return run_bench(program);
    if (program->run.sweep_low > 0)
        return run_sweep(program);
    if (program->run.duel && !program->run.offscreen)
        return run_duel(program);
    if (program->run.offscreen)
        return run_offscreen(program, true);

    int exit_code = APP_EXIT_FAILED;
    code = app_front_window(program, &exit_code, &error);
    if (code == KRN_OK)
        return exit_code;
    app_complain(error.text);
    if (code != KRN_UNAVAILABLE)
        return exit_code_of(code);
    app_complain("Without a window: one offscreen picture and the table.");
    program->state.motion = motion && program->run.motion_given;
    if (!program->run.panels_given)
        program->state.panels = APP_PANELS_OFF;
    return run_offscreen(program, false);
}

int main(int argc, char *argv[])
{
    struct app_program *program = calloc(1, sizeof *program);
    if (!program) {
        app_complain("No memory to start.");
        return APP_EXIT_FAILED;
    }
    struct krn_error error;
    int exit_code;
    if (app_book_child_main(argc, argv, &exit_code, &error)) {
        if (exit_code != APP_EXIT_DONE)
            app_complain(error.text);
        free(program);
        return exit_code;
    }
    app_environment_collect(&program->environment, argc, argv);
    if (app_options_parse(argc, argv, &program->state, &program->run, &error) != KRN_OK) {
        app_complain(error.text);
        exit_code = APP_EXIT_USAGE;
    } else if (program->run.help) {
        exit_code = print_help();
    } else if (program->run.version) {
        printf("spherescope %s\n", app_version_text());
        exit_code = APP_EXIT_DONE;
    } else if (program->run.list_devices) {
        exit_code = list_devices();
    } else if (program->run.info) {
        exit_code = print_info(program);
    } else if (program->run.fail_on_slower && !program->run.compare.first) {
        app_complain("--fail-on-slower needs --compare: slower than what?");
        exit_code = APP_EXIT_USAGE;
    } else if (program->run.compare.first) {
        exit_code = run_compare(program);
    } else {
        app_interrupt_catch();
        exit_code = run_program(program);
        if (exit_code == APP_EXIT_DONE && app_interrupted()) {
            app_complain("Interrupted: what was measured until then is written as incomplete.");
            exit_code = APP_EXIT_FAILED;
        }
        if (exit_code == APP_EXIT_DONE && (!app_measure_all_right(&program->measurement) ||
                                           !app_measure_all_right(&program->duel_result.sides)))
            exit_code = APP_EXIT_WRONG;
        for (int topic = 0; topic < KRN_TOPIC_COUNT; topic++)
            app_probe_run_free(&program->probed[topic]);
        app_engine_close(program->engine);
    }
    /* A full disk or a closed pipe behind stdout must not look like success. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && exit_code == APP_EXIT_DONE) {
        app_complain("Standard output could not be written.");
        exit_code = APP_EXIT_FAILED;
    }
    free(program);
    return exit_code;
}
