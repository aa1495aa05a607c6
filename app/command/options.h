/* app/command/options.h - the command-line parser. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "command/run.h"
#include "spec/state.h"

#include "krn/error.h"

/* Sets *state and *run to the defaults and applies the options in argv, which the command table
 * defines. "--flag value" and "--flag=value" are equivalent. Paths in *run point into argv.
 * Errors: KRN_REFUSED with a one-line message that names the option and its valid values; the
 * program then exits with APP_EXIT_USAGE. With --replay, *state is the default: what options change
 * in it depends on the record, and app_options_restore follows. */
enum krn_code app_options_parse(int argc, char *const argv[], struct app_state *state,
                                struct app_run *run, struct krn_error *error);

/* Sets *state to the state of a record and applies the same options to it. Errors: as
 * app_options_parse. */
enum krn_code app_options_restore(int argc, char *const argv[], const struct app_state *recorded,
                                  struct app_state *state, struct krn_error *error);

/* Returns a sentence that names an option in *run and the options of which it needs one; NULL: no
 * option is missing. */
const char *app_run_lacks(const struct app_run *run);

enum { APP_OUTPUTS_MAX = 8 };

/* Lists the files that the options of *run write, and returns how many there are. Folders are not
 * among them. */
size_t app_run_outputs(const struct app_run *run, const char *paths[APP_OUTPUTS_MAX]);

/* The program's exit codes. */
enum app_exit {
    APP_EXIT_DONE = 0,
    APP_EXIT_FAILED = 1,
    APP_EXIT_USAGE = 2,
    APP_EXIT_WRONG = 3,      /* a result failed verification */
    APP_EXIT_UNAVAILABLE = 4 /* this machine or build lacks what was requested */
};

#endif
