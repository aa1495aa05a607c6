/* app/bench/program.h - runs without a window: the benchmarks of --bench, in this process, in
 * several workers, or beside a window.
 *
 * What differs between two runs of a program (where its memory lies, which clocks the device has
 * settled at) is the same for all samples of one process, so that only several processes show it.
 * The parent starts the program again with hidden first arguments; this worker measures as a run in
 * one process does, prints nothing on standard output, and writes lines of progress and then its
 * results record to a pipe. The parent counts devices, but connects none.
 *
 * A recording (--record) is a process with the options that the state on screen amounts to; no
 * shell is involved. It writes lines of progress to a pipe, and its results to a file that was made
 * for it, while a window goes on.
 */
#pragma once

#include "base/complain.h"
#include "base/environment.h"
#include "base/process.h"
#include "base/table.h"
#include "command/options.h"
#include "engine/engine.h"
#include "measure/mode_run.h"
#include "measure/report.h"
#include "model/sweep.h"
#include "records/compare.h"
#include "records/recorded.h"
#include "spec/state.h"

#include "krn/across.h"
#include "krn/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* --- workers --- */

/* What a worker's hidden arguments say. Zeroed, the process is no worker. */
struct app_worker {
    int file;       /* the pipe to the parent */
    int number;     /* 1 for the first process; 0: no worker */
    int count;      /* of processes */
    uint64_t seed;  /* the run's; each process derives its own order from it */
    double seconds; /* this process's share of --seconds; 0: no limit */
    int devices;    /* GPUs that the processes take in turns; 0: all use the same device */
};

/* Takes the hidden arguments of a worker out of the command line, if it has them: sets *worker,
 * keeps argv[0], and prepares the process to end with its parent. Returns true for a worker. */
bool app_worker_begin(int *argc, char ***argv, struct app_worker *worker);

/* Returns true when an earlier process has measured on the same device. */
bool app_worker_repeats(const struct app_worker *worker);

/* Makes the options those of the worker: the record goes to the parent, other files are left to it,
 * and the time is the worker's share. */
void app_worker_adopt(const struct app_worker *worker, struct app_run *run);

/* The outcome of all workers. */
struct app_workers {
    struct app_side side;           /* the records of the processes that sent one */
    int process[KRN_PROCESSES_MAX]; /* their numbers */
    int started;
    /* With run->narrow: results that are not narrow enough, those of them that no process can
     * narrow, and all. */
    size_t wide, hopeless, results;
    /* Processes that sent no results, or whose results do not show how they ended: "ended by signal
     * 11". */
    struct app_results_failure failed[KRN_PROCESSES_MAX];
    char why[KRN_PROCESSES_MAX][160];
    int failed_count;
    /* The exit code of a process that could not do what the command line asks for, after which no
     * other was started; APP_EXIT_DONE: none. */
    int exit_code;
};

/* Runs run->processes workers with the arguments of this process; with run->devices, each takes the
 * next of so many GPUs, and one that cannot be used does not end the run. run->seconds, counted
 * from progress->start_s, is divided among them; without it, progress->expected_s is corrected
 * after each. With run->narrow, no more workers start once app_side_wide finds no more, or once
 * another one might exceed run->seconds; it looks when app_narrow_look says so. After an interrupt,
 * the worker that runs may still send what it has. Errors: KRN_FAILED (no process can be started,
 * or a record cannot be read); *workers has what was sent before. */
enum krn_code app_workers_run(const struct app_run *run, uint64_t seed, int argc,
                              char *const argv[], struct app_progress *progress,
                              struct app_workers *workers, struct krn_error *error);

/* --- recordings --- */

enum app_recording_state {
    APP_RECORDING_NONE,
    APP_RECORDING_RUNNING,
    APP_RECORDING_DONE,
    APP_RECORDING_FAILED /* or was cancelled */
};

/* Zeroed, nothing is recorded. */
struct app_recording {
    enum app_recording_state state;
    struct app_child child;
    int guard; /* of the file, until it is complete (base/process.h) */
    bool cancelled;
    char path[APP_PATH_MAX];
    char line[APP_PROGRESS_MAX]; /* the newest line of progress, or the reason of a failure */
};

/* Takes the hidden arguments from the command line of such a process, which then ends with the
 * process that has the window, however that ends. Returns false for other command lines. Call it
 * before app_interrupt_catch: until then there is nothing to keep, and a signal ends the process.
 */
bool app_recording_begin(int *argc, char ***argv);

/* Starts a process that records a run of the state's backend, scene, size and view. path: of an
 * empty file, which the process replaces. ordinal: of the CUDA device. Errors: KRN_FAILED, after
 * which the file is removed. */
enum krn_code app_recording_start(struct app_recording *recording, const struct app_state *state,
                                  int ordinal, const char *path, struct krn_error *error);

/* Reads the progress, without waiting, and finds out whether the process has ended. The file of one
 * that failed or was cancelled is removed. Returns the state. */
enum app_recording_state app_recording_poll(struct app_recording *recording);

/* Asks the process to end; app_recording_poll tells when it has. */
void app_recording_cancel(struct app_recording *recording);

/* Ends the process, if it runs, and waits for it. */
void app_recording_stop(struct app_recording *recording);

/* --- what a run writes --- */

/* Returns the stream for words and tables: stderr when stdout carries results. */
FILE *app_words_stream(const struct app_run *run);

/* Returns true when an option asks for the record. */
bool app_wants_results(const struct app_run *run);

/* Keeps the failures of outputs that do not depend on each other: each is told. `before` and *error
 * are those of the outputs before, `code` and *why that of this one. Returns the code of the first
 * failure; *error is the last one, for the caller to tell, and those before it are told here. */
enum krn_code app_lose_output(enum krn_code before, enum krn_code code, const struct krn_error *why,
                              struct krn_error *error);

/* The page of --html, complete when it opens without a network. */
struct app_web_page {
    const struct app_results *records; /* of one device */
    size_t count;
    unsigned char *png; /* the picture, with its record; NULL: there is none */
    size_t png_bytes;
    struct app_table *talk; /* its steps, questions and guesses; NULL: none */
    double band_percent;
};

/* A page of more bytes is written without histograms; a picture has at most half of them. */
enum { APP_WEB_PAGE_MAX = 2000000 };

/* Formats the page, to be freed. One that would be too large has no histograms, and says so. */
char *app_web_page_text(const struct app_web_page *page);

/* Frees the picture and the talk. */
void app_web_page_free(struct app_web_page *page);

/* Writes the record to the files asked for; page: what --html writes. When several cannot be
 * written, errors are as those of app_lose_output. */
enum krn_code app_write_results(const struct app_run *run, const struct app_results *results,
                                const struct app_web_page *page, struct krn_error *error);

/* Writes the name of a file: FOLDER/spherescope-YYYYMMDD-HHMMSS-STORAGE with a suffix, such as
 * ".png", in local time for choice 1, "-n" before the suffix for choice n. Does not check whether
 * the file exists: the writer refuses to replace one, and the caller then takes the next choice.
 * Errors: KRN_REFUSED (the path is too long). */
enum krn_code app_output_name(char path[APP_PATH_MAX], const char *folder, time_t when,
                              enum krn_storage storage, int choice, const char *suffix,
                              struct krn_error *error);

/* --- replays: the picture of a record is rendered again --- */

/* A record of a screenshot, which contains all that its picture follows from, and a hash of the
 * picture. Reading one opens no other file. */
struct app_replay {
    char name[100]; /* of the file, shortened for messages */
    struct app_results then;
};

/* Reads a record from its text, which messages call `source`. On success the caller frees *replay
 * with app_replay_free. Errors: KRN_REFUSED (no record, or one without a state that can be
 * rendered), KRN_NO_MEMORY. */
enum krn_code app_replay_read(struct app_replay *replay, const char *text, size_t length,
                              const char *source, struct krn_error *error);

void app_replay_free(struct app_replay *replay); /* accepts a zeroed one */

/* Returns the state that the run begins with: the recorded one, whose motion is paused and whose
 * image keeps its size. */
struct app_state app_replay_state(const struct app_replay *replay);

/* Gives the recorded spheres to the engine, in place of the file that they came from. scene_given:
 * the command line names another scene. Errors: KRN_REFUSED when the record has only the path of
 * its scene and the command line names none, KRN_NO_MEMORY. */
enum krn_code app_replay_lend_scene(const struct app_replay *replay, struct app_engine *engine,
                                    bool scene_given, struct krn_error *error);

enum app_replay_verdict {
    APP_REPLAY_SAME,    /* the picture has the recorded bytes */
    APP_REPLAY_DIFFERS, /* it has not, although scene, pose, size and zoom are the recorded ones */
    APP_REPLAY_UNKNOWN  /* not compared: the record has no hash, or options change the picture */
};

enum { APP_REPLAY_WORDS = 240 };

/* Renders the state's picture once, compares its hash with the recorded one, and writes the verdict
 * as a clause: "the same bytes (hash ...)". Call it after app_engine_adopt. Errors: those of
 * app_picture_hash. */
enum krn_code app_replay_verify(const struct app_replay *replay, const struct app_engine *engine,
                                const struct app_state *state, enum app_replay_verdict *verdict,
                                char words[APP_REPLAY_WORDS], struct krn_error *error);

/* Writes where the record comes from: "NVIDIA H200, 2026-11-22T17:00:00Z, book/global". */
void app_replay_origin(const struct app_replay *replay, char *text, size_t size);

/* Writes the patterns of --modes that choose `mode` and all modes that the record has timed; "",
 * which chooses every mode, when they do not fit. */
void app_replay_modes(const struct app_replay *replay, struct krn_mode mode, char *patterns,
                      size_t size);

/* --- the state of one run of the program: its options, its engine and its results --- */

struct app_capture;
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
    bool stands_in; /* a recorded run stands in for the GPU that a window or a talk lacks */
    struct app_replay *replay;    /* NULL: none */
    struct app_capture *capture;  /* NULL: none (window/front.h) */
    char opening[APP_NOTICE_MAX]; /* what a window says first; "": nothing */
    struct app_web_page page;     /* of --html: its picture, if there is one */
    bool wrong;                   /* a picture or a result was wrong */
    bool written;                 /* the results that the command line asks for */
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

/* --- benchmarks --- */

/* Returns about how many seconds the benchmarks that run.bench names take without --seconds. */
double app_bench_expected_s(const struct app_run *run);

/* Runs the benchmarks that run.bench names, within run.seconds. A benchmark that this backend does
 * not offer is skipped with a note in the record under "all"; when named, it is an error
 * (KRN_UNAVAILABLE). */
enum krn_code app_bench_run(struct app_program *program, struct app_results *results,
                            struct krn_error *error);

/* --- sweeps --- */

/* Seconds per point when the run sets no limit. */
#define APP_SWEEP_SECONDS 1.0

/* Returns the seconds that a sweep takes when the run sets no limit, with around_s per point for
 * what is not sampling. */
double app_sweep_expected_s(const struct app_span axes[APP_SWEEP_AXES], double around_s);

/* Measures the plan's modes at each point of the axes (app_measure_modes), with the state's recipe,
 * scene and light but for what the axes vary, and adds them to the record. plan->seconds limits the
 * whole sweep; 0 allows APP_SWEEP_SECONDS per point. skip: a number of spheres that is left out; 0:
 * none. After an error or an interrupt the record has what was measured before it, and is
 * incomplete. */
enum krn_code app_sweep_run(struct app_engine *engine, const struct app_state *state,
                            const struct app_span axes[APP_SWEEP_AXES], int skip,
                            const struct app_plan *plan, struct app_results *results,
                            struct krn_error *error);
