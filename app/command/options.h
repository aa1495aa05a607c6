/* app/command/options.h - the command line, read through the command table. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "command/state.h"

#include "krn/error.h"

/* Reads argv into *state and *run, which are overwritten with the defaults first. "--flag value"
 * and "--flag=value" are the same. Changes nothing outside.
 * Returns KRN_OK; or KRN_REFUSED with one line that names the flag and says what it takes: the
 * program then ends with exit code APP_EXIT_USAGE. */
enum krn_code app_options_parse(int argc, char *const argv[], struct app_state *state,
                                struct app_run *run, struct krn_error *error);

enum app_exit {
    APP_EXIT_DONE = 0,
    APP_EXIT_FAILED = 1,
    APP_EXIT_USAGE = 2,
    APP_EXIT_WRONG = 3,      /* verification failed */
    APP_EXIT_UNAVAILABLE = 4 /* not available here */
};

#endif
