#include "runs.h"

#include "base/clock.h"
#include "base/complain.h"
#include "base/interrupt.h"
#include "bench/workers.h"
#include "record/merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Returns a seed that two runs hardly share. */
static uint64_t seed_from_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t per_second = 1000000000u;
    /* Below 2^53, so that every reader of JSON keeps it whole. */
    return ((uint64_t)now.tv_sec * per_second + (uint64_t)now.tv_nsec) >> 11;
}

static enum krn_code merge(const struct app_program *program, const struct app_workers *workers,
                           uint64_t seed, char **record, bool *complete, struct krn_error *error)
{
    const char *records[KRN_PROCESSES_MAX];
    struct app_merge_failure failed[KRN_PROCESSES_MAX];
    for (int i = 0; i < workers->count; i++)
        records[i] = workers->records[i];
    for (int i = 0; i < workers->failed_count; i++)
        failed[i] = (struct app_merge_failure){workers->failed[i].process, workers->failed[i].why};
    const struct app_merge_run run = {
        .processes_asked = program->run.processes,
        .process = workers->process,
        .has_seed = true,
        .seed = seed,
        .failed = failed,
        .failed_count = (size_t)workers->failed_count,
        .seconds = app_clock_s() - program->start_s,
        .argc = program->environment.argc,
        .argv = program->environment.argv,
        .incomplete = app_interrupted() || workers->count < program->run.processes,
    };
    return app_record_merge(records, (size_t)workers->count, &run, record, complete, error);
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
    char *record = NULL;
    bool complete = false;
    enum krn_code code =
        app_workers_run(run, seed, program->environment.argc, program->environment.argv,
                        &program->progress, &workers, &error);
    if (code == KRN_OK && workers.count > 0)
        code = merge(program, &workers, seed, &record, &complete, &error);
    if (code == KRN_OK && record)
        code = app_run_finish(program, &record, complete, &error);
    const int exit_code = workers.exit_code;
    const bool failed = workers.failed_count > 0;
    free(record);
    app_workers_free(&workers);
    if (code != KRN_OK)
        app_complain(error.text);
    return program->wrong               ? APP_EXIT_WRONG /* it outweighs a file that is lost */
           : code != KRN_OK             ? app_exit_code(code)
           : exit_code != APP_EXIT_DONE ? exit_code
           : failed                     ? APP_EXIT_FAILED
                                        : APP_EXIT_DONE;
}
