/* app/bench/program.h - the state of one run of the program: its options, its engine and its
 * results. */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include "base/environment.h"
#include "bench/workers.h"
#include "command/options.h"
#include "command/state.h"
#include "engine/engine.h"
#include "measure/duel_run.h"
#include "measure/mode_run.h"
#include "recorded/recorded.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdio.h>

struct app_capture;
struct app_replay;
struct app_talk;

struct app_program {
    struct app_state state;
    struct app_run run;
    struct app_worker worker; /* zeroed: this process is no worker */
    struct app_engine *engine;
    struct app_recorded_loader *recorded; /* the recorded run on screen; NULL: none */
    struct app_talk *talk;                /* that --talk names, owned; NULL: none */
    struct app_environment environment;
    double start_s;               /* when the program started, by app_clock_s */
    double share_s;               /* what the benchmark that runs has of --seconds; 0: usual time */
    struct app_progress progress; /* zeroed: none is shown */
    char fallback_reason[APP_NOTICE_MAX]; /* why the CPU backend runs instead; "" */
    struct app_replay *replay;            /* NULL: none (replay/replay.h) */
    struct app_capture *capture;          /* NULL: none (capture/capture.h) */
    char opening[APP_NOTICE_MAX];         /* what a window says first; "": nothing */
    bool wrong;                           /* a picture or a result was wrong */
    bool written;                         /* the results that the command line asks for */
    bool lost;     /* a picture or a recording could not be written, and the user knows */
    bool reported; /* there is a record, written or shown as a table */
    bool complete; /* that record has all that was asked for */
    struct app_measurement measurement;
    struct app_duel_result duel_result;
};

/* Returns the limits of the benchmark that runs. */
struct app_plan app_program_plan(struct app_program *program);

/* Divides the time that is left of --seconds among the `parts` that are left, and sets share_s for
 * the next one. */
void app_program_share(struct app_program *program, int parts);

/* Measures the modes within the run's limits on frames and seconds. */
enum krn_code app_measure_program(struct app_program *program, struct krn_error *error);

#endif
