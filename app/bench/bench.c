/* app/bench/bench.c - measures what --bench and --sweep name, within one span of time. */
#include "bench/program.h"

#include "base/files.h"
#include "base/process.h"
#include "command/entry.h"
#include "measure/book_window.h"
#include "measure/mode_run.h"
#include "spec/state.h"

#include "krn/memory.h"
#include "krn/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the seed of the order in which this process measures; 0: in the order of the tables. */
static uint64_t program_order(const struct app_program *program)
{
    const bool worker = program->worker.number > 0,
               shuffles = worker || program->run.order_seed_given;
    const uint64_t seed = worker ? program->worker.seed : program->run.order_seed;
    /* Two processes of a device have one order, and the second one reverses it. */
    const int devices = worker && program->worker.devices > 1 ? program->worker.devices : 1,
              at = worker ? program->worker.number - 1 : 0, turn = at / devices;
    const uint64_t own = seed + (uint64_t)(turn / 2 * devices + at % devices) + 1;
    return shuffles ? app_plan_seed(own, turn % 2 == 1) : 0;
}

struct app_plan app_program_plan(struct app_program *program)
{
    const struct app_run *run = &program->run;
    return (struct app_plan){.frames = run->frames,
                             .seconds = program->share_s,
                             .modes = run->modes,
                             .seed = program_order(program),
                             .repeats = app_worker_repeats(&program->worker),
                             .progress = &program->progress};
}

void app_program_share(struct app_program *program, int parts)
{
    const double least_s = 0.001, seconds = program->run.seconds;
    const double left_s = seconds - (app_clock_s() - program->start_s);
    program->share_s = seconds > 0.0 ? fmax(left_s / parts, least_s) : 0.0;
}

/* Gathers what is known of the device since the measurement began (krn_telemetry_mark). */
static struct app_trust_facts device_facts(const struct app_program *program)
{
    const struct app_conditions conditions = {.since = true, .on_battery = app_on_battery()};
    krn_telemetry_wait(app_engine_monitor(program->engine, program->state.spec.backend), 0.5);
    return app_evidence_of_device(program->engine, program->state.spec.backend, &conditions);
}

/* The part of the time that may pass before the last cold processes start. */
static const double book_part = 0.7;

enum { WARM_RUNS = 5, STORAGES = KRN_BOOK_STORAGES };

/* Runs the book's window in a child process and waits for its times. */
static enum krn_code cold_window(struct app_program *program, int storage,
                                 struct app_book_runs *runs, struct krn_error *error)
{
    struct app_book_run *run = &runs->runs[runs->n];
    struct app_book_child child;
    const struct timespec little = {0, 2000000};
    bool done = false;
    enum krn_code code = app_book_child_start(
        &child, program->state.spec.backend,
        app_engine_ordinal(program->engine, program->state.spec.backend), storage, error);
    while (code == KRN_OK && !done) {
        code = app_book_child_poll(&child, run, &done, error);
        /* The signal that interrupts us ends the child as well, before it reports its times. */
        if (code != KRN_OK && app_must_stop())
            return KRN_FAIL(error, KRN_CANCELLED, "Interrupted.");
        if (code == KRN_OK && !done && app_must_stop()) {
            app_child_end(&child.process);
            return KRN_FAIL(error, KRN_CANCELLED, "Interrupted.");
        }
        if (!done)
            nanosleep(&little, NULL);
    }
    runs->n += code == KRN_OK;
    return code;
}

static void show_progress(struct app_program *program, const char *heat, int storage, int run,
                          int runs)
{
    app_progress_show(&program->progress,
                      app_phrase("book       %s, %s, run %d of %d", heat,
                                 krn_storage_name(krn_book_storages[storage]), run, runs)
                          .text);
}

/* Returns the number of cold processes per storage: those of all workers make up the usual number.
 */
static int cold_rounds(const struct app_program *program)
{
    const int workers = program->worker.number > 0 ? program->worker.count : 1;
    return (APP_BOOK_PROCESSES + workers - 1) / workers;
}

static enum krn_code book(struct app_program *program, struct app_results *results,
                          struct krn_error *error)
{
    struct app_book_runs runs[2][STORAGES];
    memset(runs, 0, sizeof runs);
    const enum krn_backend_id backend = program->state.spec.backend;
    enum krn_code code = KRN_OK;
    krn_telemetry_mark(app_engine_monitor(program->engine, backend));
    /* In turns, so that a drift of the machine affects both storages alike. */
    const double until_s = app_clock_s() + book_part * program->share_s;
    for (int i = 0; code == KRN_OK && i < cold_rounds(program) &&
                    (i == 0 || program->share_s <= 0.0 || app_clock_s() < until_s);
         i++)
        for (int s = 0; code == KRN_OK && s < STORAGES; s++) {
            show_progress(program, "cold", s, i + 1, cold_rounds(program));
            code = cold_window(program, s, &runs[0][s], error);
        }
    for (int i = -1; code == KRN_OK && i < WARM_RUNS; i++)
        for (int s = 0; code == KRN_OK && s < STORAGES; s++) {
            struct app_book_run run; /* the first run warms this process up and is dropped */
            memset(&run, 0, sizeof run);
            show_progress(program, "warm", s, i < 0 ? 1 : i + 1, WARM_RUNS);
            code = krn_book_window_run(backend, app_engine_ordinal(program->engine, backend),
                                       krn_book_storages[s], &run.window, error);
            if (code == KRN_OK && i >= 0)
                runs[1][s].runs[runs[1][s].n++] = run;
        }
    app_progress_clear(&program->progress);
    /* After an interrupt, what was measured is reported as incomplete. */
    if (code != KRN_OK && (code != KRN_CANCELLED || runs[0][STORAGES - 1].n == 0))
        return code;
    /* The window has replaced the scene in constant memory. */
    app_engine_forget_upload(program->engine, backend);
    app_book_add(results, runs[0], runs[1], backend, device_facts(program));
    return KRN_OK;
}

/* Measures and verifies a topic's probes; parameters and errors are those of an entry's run. */
static enum krn_code bench_topic(enum krn_topic which, struct app_program *program,
                                 struct app_results *results, struct krn_error *error)
{
    const struct app_plan plan = app_program_plan(program);
    const enum krn_backend_id backend = program->state.spec.backend;
    const enum krn_code code = app_probe_run_topic(
        app_engine_device(program->engine, &program->state),
        app_engine_monitor(program->engine, backend), which, &plan, results, error);
    app_engine_forget_upload(program->engine, backend); /* the scene may be the probes' */
    return code;
}

enum krn_code app_measure_program(struct app_program *program, struct krn_error *error)
{
    struct app_plan plan = app_program_plan(program);
    if (!program->run.bench[0]) /* the limit is that of the picture's frames */
        plan.frames = 0;
    return app_measure_modes(program->engine, &program->state, &plan, &program->measurement, error);
}

/* Ranks the kernels of the folder of --kernel-file. */
static enum krn_code rank_class(struct app_program *program, struct app_results *results,
                                struct krn_error *error)
{
    const char *const folder = program->run.kernel_file;
    const struct timespec little = {0, 2000000};
    struct app_class *const board =
        app_class_open(program->engine, &program->state, folder, NULL, NULL);
    enum krn_code code = KRN_OK;
    const struct app_class_view *view;
    do {
        code = app_class_frame(board, program->state.spec.backend, app_clock_s(), error);
        view = app_class_current(board, 0.0);
        app_progress_show(&program->progress, app_phrase("raytrace   %d of %d kernels",
                                                         view->count - view->waiting, view->count)
                                                  .text);
        if (!app_class_measures(board))
            nanosleep(&little, NULL);
    } while (code == KRN_OK && !app_must_stop() && !view->settled);
    app_progress_clear(&program->progress);
    app_report_add_class(results, view);
    results->complete = results->complete && view->waiting == 0;
    if (code == KRN_OK && view->timed == 0 && view->waiting == 0)
        code = view->why[0] ? KRN_FAIL(error, KRN_REFUSED, "%s", view->why)
                            : KRN_FAIL(error, KRN_REFUSED, "No kernel of the folder %s has passed.",
                                       app_shorten(folder).text);
    app_class_close(board);
    return code;
}

static enum krn_code raytrace(struct app_program *program, struct app_results *results,
                              struct krn_error *error)
{
    if (program->run.kernel_folder)
        return rank_class(program, results, error);
    const enum krn_code code = app_measure_program(program, error);
    if (code != KRN_OK)
        return code;
    app_report_add_measurement(results, &program->state, &program->measurement);
    app_report_note_refused(results, &program->measurement);
    app_report_note_chosen(results, program->run.modes);
    struct app_report_few few = {.few = 0};
    app_report_count_modes(&few, &program->measurement);
    app_report_note_few(results, "raytrace", &few);
    return KRN_OK;
}

struct bench_entry {
    const char *name;     /* the name that --bench takes */
    const char *what;     /* one line for the help */
    enum krn_topic topic; /* measured when run is NULL */
    /* Measures and adds the results. Errors: KRN_UNAVAILABLE (this backend does not offer
     * it). */
    enum krn_code (*run)(struct app_program *program, struct app_results *results,
                         struct krn_error *error);
};

#define ENTRY(id, text) {.name = #id, .what = text, .run = id},
#define TOPIC(id, title, text) {.name = #title, .what = text, .topic = KRN_TOPIC_##id},

static const struct bench_entry entries[] = {APP_BENCHES(ENTRY, TOPIC)};

enum { ENTRIES = sizeof entries / sizeof *entries };

/* Returns true when --bench asks for entry i; without --bench, only the first is run. */
static bool is_chosen(const struct app_run *run, size_t i)
{
    return run->bench[0] == 0 ? i == 0 : app_run_benches(run, entries[i].name);
}

/* Returns true when entry i measures a GPU and the program runs on a CPU, or in OpenGL, which has
 * the ray tracer and its row of where constant memory wins. */
static bool lacks_gpu(const struct app_program *program, size_t i)
{
    if (program->state.spec.backend == KRN_BACKEND_GL)
        return entries[i].run ? entries[i].run != raytrace : entries[i].topic != KRN_TOPIC_WHERE;
    return !entries[i].run && !(KRN_TOPICS_CPU >> entries[i].topic & 1) &&
           program->state.spec.backend == KRN_BACKEND_CPU;
}

static void note_skipped(struct app_results *results, const char *name, const char *why)
{
    char note[512];
    snprintf(note, sizeof note, "%s: skipped: %s", name, why);
    app_results_note(results, note);
}

enum krn_code app_bench_run(struct app_program *program, struct app_results *results,
                            struct krn_error *error)
{
    const struct app_run *run = &program->run;
    const bool all = run->bench[0] == 0 || strcmp(run->bench, "all") == 0;
    enum { SWEEP_PARTS = 5 }; /* of --record, which has a sweep behind its benchmarks */
    int left = run->record[0] ? SWEEP_PARTS : 0, order[ENTRIES];
    for (size_t i = 0; i < ENTRIES; i++)
        left += is_chosen(run, i) && !lacks_gpu(program, i);
    /* Only a worker's results are put in order again. */
    app_plan_order(program->worker.number > 0 ? program_order(program) : 0, order, ENTRIES);
    for (size_t at = 0; at < ENTRIES && !app_interrupted(); at++) {
        const size_t i = (size_t)order[at];
        if (!is_chosen(run, i))
            continue;
        if (lacks_gpu(program, i)) {
            note_skipped(results, entries[i].name,
                         "it measures a GPU by CUDA; --play h200 shows a recorded run.");
            continue;
        }
        app_program_share(program, left--);
        enum krn_code code = KRN_CANCELLED;
        if (!app_must_stop())
            code = entries[i].run ? entries[i].run(program, results, error)
                                  : bench_topic(entries[i].topic, program, results, error);
        if (code == KRN_CANCELLED && !app_interrupted()) {
            results->complete = false;
            note_skipped(results, entries[i].name, "the time was up.");
        } else if (code == KRN_UNAVAILABLE && all) {
            note_skipped(results, entries[i].name, error->text);
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

/* --- --sweep: all modes, point by point, each for its share of the time --- */

double app_sweep_expected_s(const struct app_span axes[APP_SWEEP_AXES], double around_s)
{
    struct app_sweep_point points[APP_SWEEP_POINTS];
    return (APP_SWEEP_SECONDS + around_s) * app_sweep_points(axes, points);
}

enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state,
                            const struct app_span axes[APP_SWEEP_AXES], int skip,
                            const struct app_plan *plan, struct app_results *results,
                            struct krn_error *error)
{
    struct app_sweep_point points[APP_SWEEP_POINTS];
    int count = 0;
    const int all = app_sweep_points(axes, points);
    for (int at = 0; at < all; at++)
        if (skip == 0 || points[at].spheres != skip)
            points[count++] = points[at];
    struct app_measurement *measurement = krn_alloc(1, sizeof *measurement);
    struct app_report_few few = {.few = 0};
    struct app_plan of_point = *plan;
    const double start_s = app_clock_s(), least_s = 0.001;
    struct app_state now = *state;
    now.spec.mode =
        app_mode_first(krn_mode_view(state->spec.mode)); /* it takes any number of spheres */
    now.spec.duel.on = false;
    enum krn_code code = KRN_OK;
    int i = 0;
    for (; i < count && code == KRN_OK && !app_must_stop(); i++) {
        const double left_s = plan->seconds - (app_clock_s() - start_s);
        if (points[i].spheres != APP_SWEEP_KEPT)
            now.spec.recipe.count = points[i].spheres;
        if (points[i].bounces != APP_SWEEP_KEPT)
            now.spec.light.bounces = points[i].bounces;
        of_point.seconds =
            plan->seconds > 0.0 ? fmax(left_s / (count - i), least_s) : APP_SWEEP_SECONDS;
        code = app_measure_modes(engine, &now, &of_point, measurement, error);
        if (code == KRN_OK) {
            app_report_add_measurement(results, &now, measurement);
            app_report_count_modes(&few, measurement);
        }
    }
    free(measurement);
    app_report_note_chosen(results, plan->modes);
    app_report_note_few(results, "sweep", &few);
    /* An interrupt between two points leaves every result complete, but some are missing. */
    if (i < count || code != KRN_OK || app_must_stop())
        results->complete = false;
    return code;
}
